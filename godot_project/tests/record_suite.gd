extends "res://tests/suite.gd"
## What suites of a file with records share.

const PATH: String = "user://append.dat"


## Removes the file and those beside it.
func remove_files() -> void:
	for file_name: String in DirAccess.get_files_at("user://"):
		if file_name.begins_with(PATH.get_file()):
			DirAccess.remove_absolute("user://" + file_name)


func _open(big_endian: bool = false) -> VarBytesFile:
	var file := VarBytesFile.open(PATH, FileAccess.READ_WRITE)
	file.big_endian = big_endian
	return file


## Returns all values of the file; an error is returned as its fault.
func _read(big_endian: bool = false) -> Array:
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	file.big_endian = big_endian
	var values: Array = []
	while file.has_next() and values.size() < 100:
		var record: VarBytesResult = file.next()
		values.append(record.value if record.ok else record.fault)
	return values


## Writes a file of these values with the engine, and returns its bytes.
func _file_of(values: Array, big_endian: bool = false) -> PackedByteArray:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.big_endian = big_endian
	for value: Variant in values:
		file.store_var(value)
	file.close()
	return FileAccess.get_file_as_bytes(PATH)
