extends "res://part.gd"

const PATH: String = "user://trial.dat"


func about() -> StringName:
	return &"VarBytesFile"


func run() -> bool:
	_files()
	_streams()
	return true


func _files() -> void:
	var file: VarBytesFile = VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	expect(&"open", file != null and VarBytesFile.open("user://no/such.dat", FileAccess.READ) == null)
	expect(&"is_open", file.is_open())
	expect(&"get_path", file.get_path() == PATH, file.get_path())
	expect(&"big_endian", not file.big_endian)
	file.big_endian = true
	expect(&"store", file.store({"a": 1}).ok and file.store([2]).ok)
	file.buffered = true
	expect(&"buffered", file.store("three").ok)
	expect(&"try_store", file.try_store(4) and file.flush().ok)
	expect(&"flush", file.flush().ok)
	var length: int = file.get_length()
	expect(&"get_length", length == 12 + var_to_bytes({"a": 1}).size() + var_to_bytes([2]).size() + var_to_bytes("three").size() + 4 + var_to_bytes(4).size(), length)
	expect(&"get_position", file.get_position() == length)
	expect(&"seek", file.seek(0).ok and file.get_position() == 0)
	expect(&"next", file.next().value == {"a": 1})
	expect(&"skip", file.skip().ok)
	file.seek(0)
	var record := VarBytesResult.new()
	expect(&"next_into", file.next_into(record) and record.value == {"a": 1} and file.skip().ok)
	file.seek(0)
	expect(&"try_next", file.try_next() == {"a": 1} and file.try_next() == [2])
	expect(&"has_next", file.has_next() and file.next().value == "three" and file.next().value == 4 and not file.has_next())
	file.seek(0)
	expect(&"next_many", file.next_many(3).value == [{"a": 1}, [2], "three"] and file.next_many(9).value == [4])
	file.seek(0)
	file.max_record_size = 10
	expect(&"max_record_size", file.next().error == VarBytesResult.LIMIT)
	expect(&"seek_end", file.seek_end().ok and not file.has_next())
	var repaired: VarBytesResult = file.repair()
	expect(&"repair", repaired.ok and repaired.value == {"records": 4, "offset": length, "dropped": 0, "kept_in": ""}, repaired)
	expect(&"store_many", file.store_many([5, "six"]).ok)
	expect(&"close", file.close().ok and not file.is_open())
	var theirs: FileAccess = FileAccess.open(PATH, FileAccess.READ)
	theirs.big_endian = true
	expect(&"big_endian", theirs.get_var() == {"a": 1}, "for the engine")
	file = VarBytesFile.from_file_access(theirs)
	expect(&"from_file_access", file.next().value == [2])


func _streams() -> void:
	var peer := StreamPeerBuffer.new()
	expect(&"put", VarBytesFile.put(peer, "hello").ok)
	peer.seek(0)
	expect(&"take", VarBytesFile.take(peer).value == "hello")
	expect(&"take", VarBytesFile.take(peer).error == VarBytesResult.TRUNCATED)
	expect(&"take", VarBytesFile.take(peer, null, 1000, true).error == VarBytesResult.TRUNCATED, "with nothing to wait for")
	# These streams print an error if they are asked for bytes at their end.
	var unpacker := StreamPeerGZIP.new()
	unpacker.start_decompression()
	expect(&"take", VarBytesFile.take(unpacker).error == VarBytesResult.TRUNCATED, "of an empty decompressor")
	expect(&"take", VarBytesFile.take(StreamPeerTLS.new()).error == VarBytesResult.STREAM, "without a connection")
