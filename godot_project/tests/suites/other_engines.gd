extends "res://tests/suite.gd"
## `VarBytesOptions.engine`: what engines of other generations wrote, read here, and written for them again.

const Vectors := preload("res://tests/suites/vectors.gd")
const TaggedJSON := preload("res://conformance/tagged_json.gd")

## The engines that wrote vectors of their own, and the oldest names of what they follow.
const GENERATIONS: Array[String] = ["godot-3.6", "godot-3.2"]
const PATH: String = "user://varbytes_other_engines.dat"
## In Godot 3: Array(1), with the number 7, PoolIntArray [99] and the two halves of one character.
const SAVE: String = "130000000300000002000000070000001500000001000000630000000400000009000000efbbbfeda0bdedb880000000"

var _vectors: String


func run() -> bool:
	_vectors = str(options.get("vectors", Vectors.usual_folder())).get_base_dir()
	for engine: String in GENERATIONS:
		_canonical(engine)
	_text()
	_godot_2()
	_names()
	_errors()
	_objects()
	_limits()
	_records()
	_streams()
	_encode()
	_inspect()
	return true


## Everything that the engine wrote is what it says it was, and is written again as it was.
func _canonical(engine: String) -> void:
	var chosen: VarBytesOptions = _of(engine)
	var compared: Dictionary[String, int] = {}
	var refused: int = 0
	var lossy: PackedStringArray = []
	var folder: String = _vectors.path_join(engine).path_join("canonical")
	for file_name: String in DirAccess.get_files_at(folder):
		for line: String in FileAccess.get_file_as_string(folder.path_join(file_name)).split("\n", false):
			var name: String = "%s, %s" % [engine, line.get_slice('"name":"', 1).get_slice('"', 0)]
			var bytes: PackedByteArray = _bytes(line)
			var result: VarBytesResult = VarBytes.decode(bytes, chosen)
			if not result.ok and line.contains('"value":{"class":"'):
				refused += 1
				check(result.error == VarBytesResult.NOT_ALLOWED and result.fault == "object_not_allowed", "%s: %s" % [name, result.message])
				var header: int = bytes.decode_u8(result.offset)
				check(header == 17 and result.path.begins_with("$"), "%s: no object stands at %d" % [name, result.offset])
				continue
			if not check(result.ok, "%s: %s" % [name, result.message]):
				continue
			check(result.bytes_used == bytes.size(), "%s: %d bytes used of %d" % [name, result.bytes_used, bytes.size()])
			if not result.losses.is_empty():
				lossy.append(name)
				continue
			# The deepest values take the engine's own JSON too far, so the text is compared.
			var expected: String = line.substr(line.find('"value":') + 8).trim_suffix("}")
			var found: String = TaggedJSON.describe(result.value, TaggedJSON.View.DECODED)
			check(found == expected, "%s: found %s, expected %s" % [name, found.left(400), expected.left(400)])
			compared[file_name] = compared.get(file_name, 0) + 1
			var written: VarBytesResult = VarBytes.encode(result.value, chosen)
			check(written.ok and written.value == bytes and written.losses.is_empty(), "%s: written as %s instead of %s, %s%s" % [
					name, str(written.value.hex_encode() if written.ok else "").left(400), bytes.hex_encode().left(400), written.message, written.losses])
	print(compared, refused, lossy)


func _text() -> void:
	pass


func _godot_2() -> void:
	pass


func _names() -> void:
	pass


func _errors() -> void:
	pass


func _objects() -> void:
	pass


func _limits() -> void:
	pass


func _records() -> void:
	pass


func _streams() -> void:
	pass


func _encode() -> void:
	pass


func _inspect() -> void:
	pass


static func _of(engine: String) -> VarBytesOptions:
	var chosen := VarBytesOptions.new()
	chosen.engine = engine
	return chosen


static func _bytes(line: String) -> PackedByteArray:
	return line.get_slice('"hex":"', 1).get_slice('"', 0).hex_decode()
