extends "res://tests/suite.gd"
## Records in files and streams, against the engine's own, in both byte orders.

const PATH: String = "user://varbytes_records.dat"

var values: Array = [null, 7, "text", {"a": [1, 2.5]}, PackedByteArray([1, 2, 3]), Vector3.ONE]


func run() -> bool:
	for big_endian: bool in [false, true]:
		_files(big_endian)
		_streams(big_endian)
	_damage()
	DirAccess.remove_absolute(PATH)
	return true


func _files(big_endian: bool) -> void:
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE)
	file.big_endian = big_endian
	for value: Variant in values:
		file.store_var(value)
	file.close()
	var by_engine: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	file = FileAccess.open(PATH, FileAccess.WRITE)
	file.big_endian = big_endian
	for value: Variant in values:
		var result: VarBytesResult = VarBytesFile.store_var(file, value)
		check(result.ok and result.bytes_used == var_to_bytes(value).size() + 4, "store_var says %d" % result.bytes_used)
	file.close()
	check(FileAccess.get_file_as_bytes(PATH) == by_engine, "the same file as the engine writes, big endian %s" % big_endian)
	file = FileAccess.open(PATH, FileAccess.READ)
	file.big_endian = big_endian
	for value: Variant in values:
		var result: VarBytesResult = VarBytesFile.get_var(file)
		check(result.ok, result.message)
		equal(result.value, value, "get_var")
	check(file.get_position() == file.get_length(), "all of the file was read")
	check(VarBytesFile.get_var(file).error == VarBytesResult.ErrorKind.TRUNCATED, "there is no more")
	file.seek(0)
	check(VarBytesFile.skip_var(file).ok and VarBytesFile.skip_var(file).ok, "skip_var")
	equal(VarBytesFile.get_var(file).value, values[2], "the value after two that were skipped")
	file.close()


func _streams(big_endian: bool) -> void:
	var ours := StreamPeerBuffer.new()
	var theirs := StreamPeerBuffer.new()
	ours.big_endian = big_endian
	theirs.big_endian = big_endian
	for value: Variant in values:
		theirs.put_var(value)
		check(VarBytesFile.put_var(ours, value).ok, "put_var")
	check(ours.data_array == theirs.data_array, "the same stream as the engine writes, big endian %s" % big_endian)
	ours.seek(0)
	for value: Variant in values:
		equal(VarBytesFile.take_var(ours).value, value, "take_var")


func _damage() -> void:
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE_READ)
	file.store_32(0x7FFFFFFF)
	file.store_32(0)
	file.seek(0)
	var before: int = OS.get_static_memory_usage()
	var result: VarBytesResult = VarBytesFile.get_var(file)
	check(result.error == VarBytesResult.ErrorKind.TRUNCATED, "a length beyond the end: %s" % result.message)
	check(OS.get_static_memory_usage() - before < 100_000, "what is only announced is not allocated")
	file.seek(0)
	file.store_32(4)
	file.store_32(99)
	file.seek(0)
	check(VarBytesFile.get_var(file).fault == "unknown_type" and file.get_position() == 8, "a bad record is passed over")
	file.close()
	var stream := StreamPeerBuffer.new()
	stream.put_u32(0x7FFFFFFF)
	stream.put_u32(0)
	stream.seek(0)
	check(quietly(func() -> Variant: return VarBytesFile.take_var(stream)).error == VarBytesResult.ErrorKind.TRUNCATED, "a stream that ends early")
	stream.seek(0)
	var options := VarBytesOptions.new()
	options.max_memory = 1000
	check(VarBytesFile.take_var(stream, options).error == VarBytesResult.ErrorKind.LIMIT, "a record above the limit")
	stream.clear()
	stream.put_u32(0xFFFFFFFF)
	stream.seek(0)
	check(not VarBytesFile.take_var(stream).ok, "a record of negative length")
