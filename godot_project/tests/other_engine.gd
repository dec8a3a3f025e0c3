extends "res://tests/suite.gd"
## Shared by the suites for other engines: their vectors, and options that name them.

const Vectors := preload("res://tests/suites/vectors.gd")

const PATH: String = "user://varbytes_other_engines.dat"
## An Array of Godot 3 with the int 7, a PoolIntArray of 99, and text with a surrogate pair.
const SAVE: String = "130000000300000002000000070000001500000001000000630000000400000009000000efbbbfeda0bdedb880000000"


## Checks that the losses start with these texts, in this order.
func lost(result: VarBytesResult, beginnings: Array[String], what: String) -> void:
	if not check(result.ok and result.losses.size() == beginnings.size(), "%s: %s %s" % [what, result.message, result.losses]):
		return
	for index: int in beginnings.size():
		check(result.losses[index].begins_with(beginnings[index]), "%s: %s" % [what, result.losses[index]])


func read(engine: String, line: String) -> VarBytesResult:
	return VarBytes.decode(bytes_of(line), of(engine))


func read_hex(engine: String, hex: String) -> VarBytesResult:
	return VarBytes.decode(hex.hex_decode(), of(engine))


func canonical_lines(engine: String) -> PackedStringArray:
	var lines: PackedStringArray = []
	var folder: String = _vectors().path_join(engine).path_join("canonical")
	for file_name: String in DirAccess.get_files_at(folder):
		lines.append_array(FileAccess.get_file_as_string(folder.path_join(file_name)).split("\n", false))
	check(lines.size() > 700, "no vectors in %s" % folder)
	return lines


## Returns the lines of a file of vectors, by name.
func lines_of(path: String) -> Dictionary[String, String]:
	var lines: Dictionary[String, String] = {}
	for line: String in FileAccess.get_file_as_string(_vectors().path_join(path)).split("\n", false):
		lines[name_of(line)] = line
	check(not lines.is_empty(), "no vectors in %s" % path)
	return lines


## Returns the folder with a subfolder for each engine.
func _vectors() -> String:
	return str(options.get("vectors", Vectors.usual_folder())).get_base_dir()


static func of(engine: String) -> VarBytesOptions:
	var chosen := VarBytesOptions.new()
	chosen.engine = engine
	return chosen


static func name_of(line: String) -> String:
	return line.get_slice('"name":"', 1).get_slice('"', 0)


static func bytes_of(line: String) -> PackedByteArray:
	return line.get_slice('"hex":"', 1).get_slice('"', 0).hex_decode()
