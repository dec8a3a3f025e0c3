extends "res://tests/suite.gd"
## Records in files: the same bytes as the engine's methods, in both directions. A damaged record does not affect
## others, and failures to read or write are returned as errors.

const RandomVariants := preload("res://tests/random_variants.gd")
const Item := preload("res://tests/fixtures/item.gd")
const Nosy := preload("res://tests/fixtures/nosy.gd")

const PATH: String = "user://records.dat"
const OTHER: String = "user://records_of_the_engine.dat"


func run() -> bool:
	await run_parts([
		_same_file.bind(false), _same_file.bind(true), _objects, _damaged, _cut_off, _cursor, _limits, _other_files,
		_growing, _scripts_use_the_file, _refused, _without_a_new_result, _collected, _shared, _read_ahead, _a_damaged_compressed_file, _what_is_no_length, _a_pipe_is_refused,
	])
	for path: String in [PATH, OTHER]:
		DirAccess.remove_absolute(path)
	return true


func _same_file(big_endian: bool) -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1) + int(big_endian)
	var values: Array = SAMPLES.duplicate()
	for index: int in 2000:
		values.append(variants.value())
	var theirs := FileAccess.open(OTHER, FileAccess.WRITE)
	theirs.big_endian = big_endian
	for buffered: bool in [false, true]:
		var ours := VarBytesFile.open(PATH, FileAccess.WRITE)
		ours.big_endian = big_endian
		ours.buffered = buffered
		for value: Variant in values:
			var stored: VarBytesResult = ours.store(value)
			check(stored.ok and stored.bytes_used == var_to_bytes(value).size(), "store: %s" % stored.message)
			if not buffered:
				theirs.store_var(value)
		check(ours.close().ok, "close")
		theirs.close()
		check(FileAccess.get_file_as_bytes(PATH) == FileAccess.get_file_as_bytes(OTHER), "the files are the same")
	theirs = FileAccess.open(PATH, FileAccess.READ)
	theirs.big_endian = big_endian
	var read := VarBytesFile.open(OTHER, FileAccess.READ)
	read.big_endian = big_endian
	for value: Variant in values:
		var expected: Variant = theirs.get_var()
		var found: VarBytesResult = read.next()
		check(found.ok, "next: %s" % found.message)
		equal(found.value, expected, "a record")
		equal(read.get_position(), theirs.get_position(), "the position after a record")
	check(not read.has_next() and read.get_position() == read.get_length(), "all is read")
	return true


func _objects() -> bool:
	var item := Item.new()
	item.title = "sword"
	item.count = 3
	var allowing := VarBytesOptions.new()
	allowing.allow_objects = true
	allowing.allowed_classes = {"Resource": ["resource_name"]}
	allowing.allowed_scripts = {"res://tests/fixtures/item.gd": ["title", "count"]}
	var all := VarBytesOptions.new()
	all.allow_objects = true
	all.allowed_classes = {"Resource": ["*"]}
	all.allowed_scripts = {"res://tests/fixtures/item.gd": ["title", "count", "parts", "watched"]}
	var theirs := FileAccess.open(PATH, FileAccess.WRITE)
	theirs.store_var(item, true)
	theirs.store_var([item])
	theirs.close()
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	var refused: VarBytesResult = file.next()
	check(refused.error == VarBytesResult.NOT_ALLOWED and refused.offset == 4, "objects are refused: %s" % refused.message)
	file.seek(0)
	refused = file.next(allowing)
	check(refused.error == VarBytesResult.NOT_ALLOWED, "a property is refused: %s" % refused.message)
	check(file.next(allowing).ok, "an id follows")
	file.seek(0)
	equal(file.next(all).value, item, "an object that the engine wrote")
	file = VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	check(file.store(item, allowing).ok, "an object is stored")
	file.seek(0)
	check(file.next(allowing).value.title == "sword", "an object is read")
	file.seek(0)
	check(file.store(item, all).ok and file.close().ok, "an object is stored whole")
	equal(FileAccess.open(PATH, FileAccess.READ).get_var(true), item, "an object for the engine")
	return true


func _damaged() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	var positions: Array[int] = []
	for value: Variant in SAMPLES:
		positions.append(file.get_position())
		file.store(value)
	var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	# The type of "name" of the second record.
	raw.encode_u32(positions[1] + 4 + 8, 77)
	write_file(PATH, raw)
	file = VarBytesFile.open(PATH, FileAccess.READ)
	check(file.next().ok, "the record before")
	var damaged: VarBytesResult = file.next()
	check(not damaged.ok and damaged.error == VarBytesResult.MALFORMED, "the damaged record: %s" % damaged.message)
	equal(damaged.offset, positions[1] + 12, "the offset in the file")
	check(damaged.can_continue, "the record was whole")
	check(damaged.message.contains(PATH) and damaged.message.contains("record at %d" % positions[1]), damaged.message)
	check(not damaged.path.is_empty(), "the path into the value")
	equal(file.get_position(), positions[2], "the cursor is after it")
	equal(file.next().value, SAMPLES[2], "the record after")
	equal(file.next().value, SAMPLES[3], "the last record")
	return true


## At any length of a file, every complete record is read, and the rest is at most one error.
func _cut_off() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	var ends: Array[int] = []
	for value: Variant in SAMPLES:
		file.store(value)
		ends.append(file.get_position())
	file.close()
	var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	for size: int in raw.size() + 1:
		write_file(PATH, raw.slice(0, size))
		file = VarBytesFile.open(PATH, FileAccess.READ)
		var good: int = 0
		var errors: Array[VarBytesResult] = []
		while file.has_next() and good + errors.size() < 10:
			var record: VarBytesResult = file.next()
			if record.ok:
				good += 1
			else:
				errors.append(record)
		var whole: int = ends.filter(func(end: int) -> bool: return end <= size).size()
		var clean: bool = size == 0 or size in ends
		equal(good, whole, "whole records of %d bytes" % size)
		equal(errors.size(), 0 if clean else 1, "errors in %d bytes" % size)
		for error: VarBytesResult in errors:
			check(error.error == VarBytesResult.TRUNCATED and error.fault == &"record_truncated", error.message)
			equal(error.offset, 0 if whole == 0 else ends[whole - 1], "where the cut record begins")
			check(not error.can_continue, "nothing can be read after a cut record")
		var end: int = 0 if whole == 0 else ends[whole - 1]
		equal(file.get_position(), end, "the end of the whole records of %d bytes" % size)
		equal(file.next().fault, "end_of_file" if clean else "record_truncated", "nothing whole after that")
	return true


func _cursor() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	var positions: Array[int] = []
	for value: Variant in SAMPLES:
		positions.append(file.get_position())
		file.store(value)
	equal(file.get_path(), PATH, "the path")
	for index: int in [2, 0, 3, 1]:
		check(file.seek(positions[index]).ok, "seek")
		equal(file.next().value, SAMPLES[index], "the record at a position")
	file.seek(0)
	equal(file.skip().bytes_used, var_to_bytes(SAMPLES[0]).size(), "the size of the skipped record")
	equal(file.get_position(), positions[1], "the cursor after it")
	check(file.seek_end().ok and not file.has_next(), "the end")
	check(file.skip().error == VarBytesResult.TRUNCATED, "nothing to skip")
	check(not file.seek(-1).ok, "no position before the beginning")
	file.store("more")
	check(file.seek(file.get_length() + 50).ok and not file.has_next(), "a position after the end")
	check(file.next().error == VarBytesResult.TRUNCATED, "nothing after the end")
	check(file.is_open() and file.close().ok and file.close().ok and not file.is_open(), "closed once and twice")
	for result: VarBytesResult in [file.next(), file.store(1), file.skip(), file.seek(0), file.seek_end(), file.flush()]:
		check(result.error == VarBytesResult.STREAM and result.message.contains("closed"), "closed: %s" % result.message)
	check(file.get_position() == -1 and file.get_length() == -1 and not file.has_next(), "closed")
	file = VarBytesFile.open(PATH, FileAccess.READ_WRITE)
	file.buffered = true
	file.seek_end()
	file.store("last")
	file.seek(0)
	var count: int = 0
	while file.has_next():
		count += int(file.next().ok)
	equal(count, SAMPLES.size() + 2, "records after adding to a file")
	return true


func _limits() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store("x".repeat(1000))
	file.store("short")
	file.seek(0)
	file.max_record_size = 100
	var long: VarBytesResult = file.next()
	check(long.error == VarBytesResult.LIMIT and long.fault == &"record_too_long" and long.offset == 0, long.message)
	equal(file.next().value, "short", "the record after one that is too long")
	file.max_record_size = 0
	file.seek(0)
	var limited := VarBytesOptions.new()
	limited.max_string_length = 10
	check(file.next(limited).error == VarBytesResult.LIMIT, "a limit of the options")
	equal(file.next(limited).value, "short", "the record after that")
	limited.strict = true
	file.seek(0)
	limited.max_string_length = 0
	limited.offset = 4
	check(file.next(limited).error == VarBytesResult.MALFORMED, "the offset counts from the value")
	limited.offset = 100_000
	var outside: VarBytesResult = file.next(limited)
	check(outside.error == VarBytesResult.INVALID_ARGUMENT and outside.can_continue, "an offset outside of the record")
	return true


func _other_files() -> bool:
	var files: Dictionary[String, Callable] = {
		"a compressed file": func(flags: int) -> FileAccess:
			return FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_ZSTD),
		"an encrypted file": func(flags: int) -> FileAccess:
			return FileAccess.open_encrypted_with_pass(PATH, flags, "secret"),
	}
	for name: String in files:
		var open: Callable = files[name]
		var file := VarBytesFile.from_file_access(open.call(FileAccess.WRITE))
		for value: Variant in SAMPLES:
			check(file.store(value).ok, "store in %s" % name)
		check(file.close().ok, "close")
		file = VarBytesFile.from_file_access(open.call(FileAccess.READ))
		for value: Variant in SAMPLES:
			equal(file.next().value, value, "a record of %s" % name)
		check(not file.has_next(), "the end of %s" % name)
	check(VarBytesFile.from_file_access(null) == null, "no file")
	return true


func _growing() -> bool:
	var writer := VarBytesFile.open(PATH, FileAccess.WRITE)
	var reader := VarBytesFile.open(PATH, FileAccess.READ)
	for index: int in 100:
		check(not reader.has_next(), "nothing yet")
		writer.store(index)
		check(reader.has_next(), "something now")
		equal(reader.next().value, index, "what was just written")
	return true


func _scripts_use_the_file() -> bool:
	var allowing := VarBytesOptions.new()
	allowing.allow_objects = true
	allowing.allowed_classes = {"Resource": []}
	allowing.allowed_scripts = {"res://tests/fixtures/nosy.gd": ["number"]}
	var nosy := Nosy.new()
	nosy.number = 5
	Nosy.file = VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	Nosy.seen = []
	check(Nosy.file.store(nosy, allowing).ok, "a getter asks the file")
	Nosy.file.store("next")
	check(not Nosy.seen.is_empty(), "the getter was called")
	Nosy.file.seek(0)
	Nosy.seen = []
	check(Nosy.file.next(allowing).ok, "a setter reads the file")
	check("next" in Nosy.seen, "the setter was called, and read on")
	check(not Nosy.file.has_next(), "the file is at its end")
	Nosy.file = null
	return true


func _refused() -> bool:
	check(VarBytesFile.open("user://no/such/file.dat", FileAccess.READ) == null, "no such file")
	equal(FileAccess.get_open_error(), ERR_FILE_NOT_FOUND, "why not")
	write_file(PATH, [])
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	var refused: VarBytesResult = file.store("text")
	check(refused.error == VarBytesResult.STREAM and refused.message.contains(PATH), "read only: %s" % refused.message)
	file = VarBytesFile.open(PATH, FileAccess.WRITE)
	var endless: Array = []
	endless.append(endless)
	file.store("before")
	refused = file.store(endless)
	check(refused.error == VarBytesResult.LIMIT, "a value that cannot be encoded: %s" % refused.message)
	check(file.store("after").ok and file.close().ok, "the file goes on")
	endless.clear()
	file = VarBytesFile.open(PATH, FileAccess.READ)
	equal([file.next().value, file.next().value, file.has_next()], ["before", "after", false], "none of it is written")
	return true


## `next_into`, `try_next` and `try_store` do what `next` and `store` do.
func _without_a_new_result() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	var endless: Array = []
	endless.append(endless)
	for value: Variant in SAMPLES + [endless, PackedByteArray([1, 2, 3]), "x".repeat(100_000)]:
		equal(file.try_store(value), not is_same(value, endless), "try_store")
	endless.clear()
	check(file.close().ok and not file.try_store(1), "a closed file")
	var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	raw.encode_u32(12, 77)
	write_file(PATH, raw + PackedByteArray([99, 0, 0, 0]))
	var expected := VarBytesFile.open(PATH, FileAccess.READ)
	var found := VarBytesFile.open(PATH, FileAccess.READ)
	var tried := VarBytesFile.open(PATH, FileAccess.READ)
	var again := VarBytesResult.new()
	while expected.has_next():
		var record: VarBytesResult = expected.next()
		equal(found.next_into(again), record.ok, "next_into")
		for property: String in ["ok", "value", "bytes_used", "error", "fault", "message", "offset", "can_continue", "path", "losses"]:
			equal(again.get(property), record.get(property), "%s of a record" % property)
		equal(tried.try_next(PATH), record.value if record.ok else PATH, "try_next")
		equal(tried.get_position(), expected.get_position(), "the position after try_next")
	equal([tried.has_next(), tried.try_next(), tried.try_next(PATH)], [false, null, PATH], "try_next at the end")
	tried.close()
	equal([tried.try_next(), tried.call("try_next", 7, null)], [null, 7], "try_next of a closed file")
	check(not found.has_next() and found.get_position() == expected.get_position(), "both read the same")
	found.seek(0)
	check(quietly(func() -> Array: return [found.next_into(null)]) == false and found.get_position() == 0, "no result to read into")
	return true


## Records that are still in memory belong to the file for each call.
func _collected() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.buffered = true
	for index: int in 3:
		file.store(index)
	equal([file.get_length(), file.get_position(), file.has_next()], [36, 36, false], "the length with records in memory")
	equal(FileAccess.get_file_as_bytes(PATH).size(), 0, "they are in memory")
	file.seek(12)
	equal([file.next().value, FileAccess.get_file_as_bytes(PATH).size()], [1, 36], "reading writes them first")
	file.seek(0)
	check(not file.try_store("fifteen letters") and file.get_position() == 0, "a record of another length is refused")
	file.seek_end()
	file.store("freed")
	file = null
	equal(FileAccess.get_file_as_bytes(PATH).size(), 36 + 4 + var_to_bytes("freed").size(), "freeing the file writes them")
	return true


## Records in a plain file that a script uses as well: the engine's cursor is the cursor.
func _shared() -> bool:
	for flags: int in [FileAccess.WRITE_READ, FileAccess.READ_WRITE]:
		var engine_file := FileAccess.open(PATH, flags)
		engine_file.resize(0)
		engine_file.store_32(7)
		var file := VarBytesFile.from_file_access(engine_file)
		for buffered: bool in [false, true]:
			file.buffered = buffered
			for value: Variant in SAMPLES:
				check(file.store(value).ok and file.try_store(value), "store into a shared file")
				equal(file.get_position(), engine_file.get_position(), "the engine's cursor after a record")
				equal(file.get_length(), file.get_position(), "the length of a shared file")
		check(file.seek_end().ok and file.get_position() == file.get_length(), "the end of a shared file")
		equal(file.repair().value.records, 4 * SAMPLES.size(), "records of a shared file")
		file.seek(4)
		for value: Variant in SAMPLES + SAMPLES:
			equal([file.try_next(), engine_file.get_var()], [value, value], "records that both read in turn")
		check(not file.has_next() and file.close().ok, "the end of a shared file")
	return true


## Short and long records that begin and end anywhere in the blocks that are read ahead: each call reads the same, also after
## the cursor was moved back, and a greatest size and the other byte order hold for what is in the block already.
func _read_ahead() -> bool:
	for big_endian: bool in [false, true]:
		var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
		file.big_endian = big_endian
		file.buffered = true
		var values: Array = []
		var starts: PackedInt64Array = []
		for index: int in 600:
			# Around the sizes of records that are read alone, and that are not kept, one after the other and between short ones.
			var long: int = [40_000, 8_176 + index % 32, 20_000, 32_750 + index % 32, 70_000, 50][index * index % 6]
			values.append(index if index % 3 == 0 and index < 300 else "x".repeat(long if index >= 300 and index < 400 else index % 997))
			starts.append(file.get_position())
			file.store(values[index])
		file.seek(0)
		var record := VarBytesResult.new()
		var index: int = 0
		while index < values.size():
			var found: Array
			match index % 4:
				0:
					found = [file.next().value]
				1:
					found = [record.value if file.next_into(record) else null]
				2:
					found = [file.try_next()]
				3:
					found = file.next_many(1 + index % 5).value
			equal(found, values.slice(index, index + found.size()), "records from %d on" % index)
			index += found.size()
			if index % 50 == 7:
				file.seek(starts[index - 5])
				equal(file.try_next(), values[index - 5], "a record before the cursor")
				file.seek(starts[index] if index < starts.size() else file.get_length())
		check(not file.has_next(), "all is read")
		file.seek(0)
		equal(file.try_next(), values[0], "the first record, with its block")
		file.max_record_size = 8
		equal([file.next().error, file.try_next(5)], [VarBytesResult.LIMIT, 5], "records in the block above the limit")
		file.big_endian = not big_endian
		equal([file.next().can_continue, file.try_next(5)], [false, 5], "a record in the block of the other byte order")
		file.big_endian = big_endian
		equal(file.try_next(), values[3], "the same record")
	return true


## Each call that needs the damaged block fails. The records before and after it can be read.
## The error says what the bytes are, if that can be seen.
func _what_is_no_length() -> bool:
	var compressed := FileAccess.open_compressed(PATH, FileAccess.WRITE)
	compressed.store_var("text")
	compressed.close()
	var encrypted := FileAccess.open_encrypted_with_pass(OTHER, FileAccess.WRITE, "key")
	encrypted.store_var("text")
	encrypted.close()
	for case: Array in [[PATH, "open_compressed"], [OTHER, "open_encrypted"]]:
		var error: VarBytesResult = VarBytesFile.open(case[0], FileAccess.READ).next()
		check(error.fault == &"record_truncated" and error.message.contains(case[1]), error.message)
	for case: Array in [["{\"a\": 1, \"b\": 2}".to_ascii_buffer(), "these are not records, but begin with the text"], [PackedByteArray([0, 0, 0, 8]) + var_to_bytes(1), "it has 8 bytes in the other byte order"], [PackedByteArray([0, 0, 16, 0, 2, 0, 0, 0]), "is still being written"]]:
		write_file(PATH, case[0])
		var error: VarBytesResult = VarBytesFile.open(PATH, FileAccess.READ).next()
		check(error.fault == &"record_truncated" and error.message.contains(case[1]), error.message)
	return true


func _a_damaged_compressed_file() -> bool:
	var open: Callable = func(flags: FileAccess.ModeFlags) -> VarBytesFile:
		return VarBytesFile.from_file_access(FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_GZIP))
	var written: VarBytesFile = open.call(FileAccess.WRITE)
	var size: int = 4 + 2008
	for index: int in 10:
		written.store("%04d" % index + "y".repeat(1996))
	check(written.close().ok, "close")
	var whole: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	# 16 bytes, the sizes of the blocks of 4096 bytes, then the blocks.
	var end: int = 16 + 4 * 5 + whole.decode_u32(16)
	for block: int in range(1, 5):
		end += whole.decode_u32(16 + 4 * block)
		var damaged: PackedByteArray = whole.duplicate()
		# The checksum of the block.
		damaged[end - 6] ^= 1
		write_file(PATH, damaged)
		var file: VarBytesFile = open.call(FileAccess.READ)
		var found: Array = [0, 0]
		quietly(func() -> Array:
			while file.has_next() and found[1] == 0:
				var record: VarBytesResult = file.next()
				if record.ok:
					equal(int(record.value.left(4)), found[0], "a record before block %d" % block)
					found[0] += 1
				else:
					found[1] += 1
					equal([record.error, record.can_continue, file.get_position()], [VarBytesResult.STREAM, false, size * found[0]], "block %d" % block)
			check(not file.has_next(), "has_next ends a loop")
			check(file.next().error == VarBytesResult.STREAM, "the next call")
			for index: int in 10:
				file.seek(size * index)
				var reads: bool = size * (index + 1) < 4096 * block or size * index >= 4096 * (block + 1)
				var record: VarBytesResult = file.next()
				check(record.ok == reads and (not reads or int(record.value.left(4)) == index), "record %d after a seek, block %d: %s" % [index, block, record])
			# What cannot be read is not the end of the records.
			for call: String in ["seek_end", "repair"]:
				var refused: VarBytesResult = file.call(call)
				check(refused.error == VarBytesResult.STREAM and refused.message.contains("cannot be read"), "%s, block %d: %s" % [call, block, refused])
			return [null])
		equal(found, [block * 4096 / size, 1], "the records before block %d" % block)
	return true


func _a_pipe_is_refused() -> bool:
	if OS.get_name() != "Linux":
		return true
	var started: Dictionary = OS.execute_with_pipe("/bin/cat", [], false)
	var path: String = "pipe://varbytes_records_%d" % OS.get_process_id()
	for flags: FileAccess.ModeFlags in [FileAccess.READ, FileAccess.WRITE, FileAccess.READ_WRITE, FileAccess.WRITE_READ]:
		check(quietly(func() -> Array: return [VarBytesFile.open(path, flags)]) == null, "a pipe opened with %d" % flags)
	var named: FileAccess = FileAccess.open(path, FileAccess.READ_WRITE)
	for pipe: FileAccess in [started.stdio, named]:
		if check(pipe != null and pipe.is_open(), "a pipe"):
			check(quietly(func() -> Array: return [VarBytesFile.from_file_access(pipe)]) == null, "a pipe")
	OS.kill(started.pid)
	return true
