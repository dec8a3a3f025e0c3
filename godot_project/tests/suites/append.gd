extends "res://tests/suite.gd"
## Appends to a file with a damaged end: complete records stay, nothing is overwritten, and `repair` keeps what it
## removes.

const PATH: String = "user://append.dat"
const SAMPLES: Array = [{"name": "Ann", "level": 7}, "text", [1, 2.5, Vector3(1, 2, 3)]]


func run() -> bool:
	await run_parts([
		_every_cut.bind(false), _every_cut.bind(true), _damaged_ends, _nothing_to_repair, _no_whole_record,
		_a_store_into_an_incomplete_end_is_refused, _a_store_that_cuts_into_a_record_is_refused,
		_a_store_after_the_end_is_refused, _records_after_a_header, _two_repairs_keep_both_ends,
		_files_that_cannot_be_repaired, _a_long_end, _files_that_cannot_be_read, _two_writers_overwrite_nothing,
	])
	for file_name: String in DirAccess.get_files_at("user://"):
		if file_name.begins_with("append.dat"):
			DirAccess.remove_absolute("user://" + file_name)
	return true


## A file cut anywhere: the complete records and the new one are read back, and the bytes of the cut one are kept.
func _every_cut(big_endian: bool) -> bool:
	var raw: PackedByteArray = _file_of(SAMPLES, big_endian)
	var ends: Array[int] = _ends(raw, big_endian)
	for size: int in raw.size() + 1:
		_write(raw.slice(0, size))
		var whole: int = ends.filter(func(end: int) -> bool: return end <= size).size()
		var end: int = 0 if whole == 0 else ends[whole - 1]
		var file := _open(big_endian)
		var found: VarBytesResult = file.seek_end()
		equal(file.get_position(), end, "the end of the whole records of %d bytes" % size)
		equal(found.ok, end == size, "whether %d bytes end with a whole record" % size)
		if not found.ok:
			check(found.error == VarBytesResult.TRUNCATED and found.fault == &"incomplete_end", found.message)
			check(found.offset == end and found.message.contains("repair()"), found.message)
			check(not file.store("lost").ok, "a store into the incomplete end of %d bytes" % size)
			equal(FileAccess.get_file_as_bytes(PATH), raw.slice(0, size), "nothing was written to %d bytes" % size)
		var repaired: VarBytesResult = file.repair()
		if not check(repaired.ok, "repair of %d bytes: %s" % [size, repaired.message]):
			continue
		equal(repaired.value.records, whole, "whole records of %d bytes" % size)
		equal(repaired.value.offset, end, "where the incomplete end of %d bytes begins" % size)
		equal(repaired.value.dropped, size - end, "dropped of %d bytes" % size)
		var kept: String = repaired.value.kept_in
		equal(kept.is_empty(), size == end, "a file of dropped bytes")
		if not kept.is_empty():
			equal(FileAccess.get_file_as_bytes(kept), raw.slice(end, size), "the dropped bytes of %d" % size)
			DirAccess.remove_absolute(kept)
		equal(FileAccess.get_file_as_bytes(PATH), raw.slice(0, end), "the whole records of %d bytes" % size)
		check(file.store("new").ok and file.close().ok, "a new record after %d bytes" % size)
		equal(_read(big_endian), SAMPLES.slice(0, whole) + ["new"], "records of %d bytes and the new one" % size)
	return true


## Bytes after the records, as a power cut leaves them: lengths beyond the file, negative lengths, zeros, noise.
func _damaged_ends() -> bool:
	var raw: PackedByteArray = _file_of(SAMPLES)
	var zeroes: PackedByteArray = []
	zeroes.resize(4096)
	var noise: PackedByteArray = []
	for index: int in 1000:
		noise.append(200 + index * 7 % 56)
	for tail: PackedByteArray in [
		PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF]), PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]),
		PackedByteArray([0xFF, 0xFF, 0xFF, 0x7F]), PackedByteArray([0, 0, 0, 0x80]), zeroes, zeroes.slice(0, 3),
		zeroes.slice(0, 4), zeroes.slice(0, 5), noise, zeroes + noise, PackedByteArray([2, 0, 0, 0, 7, 7]),
	]:
		_write(raw + tail)
		var file := _open()
		var found: VarBytesResult = file.seek_end()
		check(found.fault == &"incomplete_end" and file.get_position() == raw.size(), "%d bytes: %s" % [tail.size(), found.message])
		check(not file.store("lost").ok, "a store over %d bytes" % tail.size())
		equal(FileAccess.get_file_as_bytes(PATH), raw + tail, "nothing was written over %d bytes" % tail.size())
		var repaired: VarBytesResult = file.repair()
		if not check(repaired.ok, repaired.message):
			continue
		equal(repaired.value.records, SAMPLES.size(), "whole records before %d bytes" % tail.size())
		equal(FileAccess.get_file_as_bytes(repaired.value.kept_in), tail, "the dropped bytes")
		DirAccess.remove_absolute(repaired.value.kept_in)
		check(file.store("new").ok and file.close().ok, "a new record")
		equal(_read(), SAMPLES + ["new"], "all records after %d bytes were dropped" % tail.size())
	# Zeros between records are not an end: nothing after them is dropped.
	_write(raw + zeroes + raw)
	var between := _open()
	check(between.seek_end().ok and between.get_position() == raw.size() * 2 + zeroes.size(), "zeros between records")
	return true


func _nothing_to_repair() -> bool:
	for values: Array in [[], SAMPLES]:
		var raw: PackedByteArray = _file_of(values)
		var file := _open()
		var repaired: VarBytesResult = file.repair()
		check(repaired.ok, repaired.message)
		equal(repaired.value, {"records": values.size(), "offset": raw.size(), "dropped": 0, "kept_in": ""}, "nothing dropped")
		equal(file.get_position(), raw.size(), "the cursor is at the end")
		equal(FileAccess.get_file_as_bytes(PATH), raw, "the file is as it was")
	return true


func _no_whole_record() -> bool:
	_write(_file_of(["text"]).slice(0, 9))
	var file := _open()
	check(file.store("over").fault == &"incomplete_end", "a store at the beginning, over an incomplete record")
	var repaired: VarBytesResult = file.repair()
	check(repaired.ok and repaired.value.records == 0 and repaired.value.dropped == 9, repaired.message)
	DirAccess.remove_absolute(repaired.value.kept_in)
	check(file.store("new").ok and file.close().ok, "a new record")
	equal(_read(), ["new"], "the new record alone")
	return true


## The cursor reaches an incomplete record in different ways.
func _a_store_into_an_incomplete_end_is_refused() -> bool:
	var raw: PackedByteArray = _file_of(SAMPLES)
	var cut: PackedByteArray = raw.slice(0, -3)
	for position: int in [cut.size(), _ends(raw)[1]]:
		for buffered: bool in [false, true]:
			_write(cut)
			var file := _open()
			file.buffered = buffered
			file.seek(position)
			var refused: VarBytesResult = file.store("new")
			check(refused.fault == &"incomplete_end" and refused.message.contains("repair()"), "at %d: %s" % [position, refused.message])
			file.close()
			equal(FileAccess.get_file_as_bytes(PATH), cut, "a store at %d" % position)
	return true


func _a_store_that_cuts_into_a_record_is_refused() -> bool:
	var raw: PackedByteArray = _file_of([1, "a longer text", 3])
	var file := _open()
	file.seek(12)
	var refused: VarBytesResult = file.store("short")
	check(refused.error == VarBytesResult.INVALID_ARGUMENT, "shorter than what it replaces: %s" % refused.message)
	equal(file.get_position(), 12, "the cursor stays")
	file.seek(0)
	refused = file.store("long text")
	check(refused.error == VarBytesResult.INVALID_ARGUMENT, "longer than what it replaces: %s" % refused.message)
	equal(FileAccess.get_file_as_bytes(PATH), raw, "nothing was written")
	file.seek(12)
	check(file.store("another text!").ok and file.close().ok, "as long as what it replaces")
	equal(_read(), [1, "another text!", 3], "a record was replaced")
	return true


func _a_store_after_the_end_is_refused() -> bool:
	var raw: PackedByteArray = _file_of(SAMPLES)
	var file := _open()
	file.seek(raw.size() + 8)
	check(file.store("far").error == VarBytesResult.INVALID_ARGUMENT, "a store after the end")
	file.close()
	equal(FileAccess.get_file_as_bytes(PATH), raw, "nothing was written")
	return true


## Records start at the position of the engine's file when it is passed.
func _records_after_a_header() -> bool:
	var header: PackedByteArray = [0xFF, 0xFF, 0xFF, 0xFF, 1]
	var raw: PackedByteArray = header + _file_of(SAMPLES)
	_write(raw.slice(0, -3))
	var engine_file := FileAccess.open(PATH, FileAccess.READ_WRITE)
	engine_file.seek(header.size())
	var file := VarBytesFile.from_file_access(engine_file)
	var repaired: VarBytesResult = file.repair()
	check(repaired.ok and repaired.value.records == SAMPLES.size() - 1, repaired.message)
	DirAccess.remove_absolute(repaired.value.kept_in)
	check(file.store("new").ok and file.close().ok, "a new record")
	engine_file = FileAccess.open(PATH, FileAccess.READ)
	equal(engine_file.get_buffer(header.size()), header, "the header")
	file = VarBytesFile.from_file_access(engine_file)
	equal([file.next().value, file.next().value, file.next().value], SAMPLES.slice(0, -1) + ["new"], "the records")
	return true


func _two_repairs_keep_both_ends() -> bool:
	var raw: PackedByteArray = _file_of(SAMPLES)
	var kept: Array[String] = []
	for cut: int in [3, 5]:
		_write(raw.slice(0, -cut))
		kept.append(str(_open().repair().value.kept_in))
	check(kept[0] != kept[1], "the second file of dropped bytes replaces the first")
	var last: int = _ends(raw)[1]
	equal(FileAccess.get_file_as_bytes(kept[0]), raw.slice(last, -3), "the first")
	equal(FileAccess.get_file_as_bytes(kept[1]), raw.slice(last, -5), "the second")
	for path: String in kept:
		DirAccess.remove_absolute(path)
	return true


func _files_that_cannot_be_repaired() -> bool:
	var cut: PackedByteArray = _file_of(SAMPLES).slice(0, -3)
	_write(cut)
	var before: PackedStringArray = DirAccess.get_files_at("user://")
	var refused: VarBytesResult = VarBytesFile.open(PATH, FileAccess.READ).repair()
	check(refused.error == VarBytesResult.STREAM and refused.message.contains("READ_WRITE"), "open for reading: %s" % refused.message)
	equal(FileAccess.get_file_as_bytes(PATH), cut, "the file is as it was")
	equal(DirAccess.get_files_at("user://"), before, "no file was made")
	# Encrypted content must not be written as plain text.
	for mode: int in 2:
		var engine_file: FileAccess = _other_file(mode, FileAccess.WRITE)
		engine_file.store_buffer(cut)
		engine_file.close()
		refused = VarBytesFile.from_file_access(_other_file(mode, FileAccess.READ)).repair()
		check(refused.error == VarBytesResult.STREAM and refused.message.contains("encrypted"), refused.message)
		equal(DirAccess.get_files_at("user://"), before, "no file was made")
	_write(cut)
	var file := _open()
	file.close()
	check(file.repair().error == VarBytesResult.STREAM, "a closed file")
	return true


## An incomplete end that is longer than the copy buffer.
func _a_long_end() -> bool:
	var raw: PackedByteArray = _file_of(["first", "x".repeat(3 << 20)])
	_write(raw.slice(0, -4))
	var repaired: VarBytesResult = _open().repair()
	check(repaired.ok, repaired.message)
	equal(repaired.value.dropped, raw.size() - 4 - _ends(raw)[0], "the length of a long end")
	check(FileAccess.get_file_as_bytes(repaired.value.kept_in) == raw.slice(_ends(raw)[0], -4), "the bytes of a long end")
	DirAccess.remove_absolute(repaired.value.kept_in)
	equal(_read(), ["first"], "the record before a long end")
	return true


## Written records are known without reading them; to replace one, the old record must be read.
func _files_that_cannot_be_read() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	check(file.store("one").ok and file.store("two").ok, "store")
	check(file.seek_end().ok and file.repair().value.records == 2, "the end")
	file.seek(0)
	var refused: VarBytesResult = file.next()
	check(refused.error == VarBytesResult.STREAM and refused.message.contains("cannot be read"), "next: %s" % refused.message)
	equal(file.get_position(), 0, "the cursor")
	refused = file.store("six")
	check(refused.error == VarBytesResult.STREAM and refused.message.contains("cannot be read"), "store: %s" % refused.message)
	check(file.seek_end().ok and file.store("three").ok and file.close().ok, "the file goes on")
	equal(_read(), ["one", "two", "three"], "all records")
	return true


## If a second program appends to the file between two stores, no record is lost.
func _two_writers_overwrite_nothing() -> bool:
	_write([])
	var first := _open()
	var second := _open()
	check(first.store("one").ok and second.seek_end().ok and second.store("two").ok, "by turns")
	# As long as the record it would replace, shorter, and longer.
	for value: String in ["six", "", "a long text"]:
		var refused: VarBytesResult = first.store(value)
		check(not refused.ok, "a store over the record of the other")
	check(first.store("six").fault == &"file_grew", "the file grew")
	check(first.seek_end().ok and first.store("three").ok, "after the record of the other")
	equal(_read(), ["one", "two", "three"], "all records")
	# Replacing a known record is intended.
	first.seek(16)
	check(first.store("six").ok, "a record is replaced")
	equal(_read(), ["one", "six", "three"], "all records")
	return true


func _other_file(mode: int, flags: FileAccess.ModeFlags) -> FileAccess:
	if mode == 0:
		return FileAccess.open_encrypted_with_pass(PATH, flags, "secret")
	return FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_ZSTD)


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


## Returns the ends of all records in complete bytes.
func _ends(raw: PackedByteArray, big_endian: bool = false) -> Array[int]:
	var stream := StreamPeerBuffer.new()
	stream.data_array = raw
	stream.big_endian = big_endian
	var ends: Array[int] = []
	while stream.get_available_bytes() > 0:
		var size: int = stream.get_u32()
		stream.seek(stream.get_position() + size)
		ends.append(stream.get_position())
	return ends


func _write(bytes: PackedByteArray) -> void:
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
