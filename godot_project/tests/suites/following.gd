extends "res://tests/other_engine.gd"
## Follows a growing file, and continues after records that cannot be read.


func run() -> bool:
	await run_parts([
		_byte_by_byte.bind(false), _byte_by_byte.bind(true), _the_cursor_stays_before_an_incomplete_record,
		_a_loop_ends_at_an_incomplete_record, _a_length_that_no_engine_writes_ends_it,
		_a_count_beyond_a_whole_record_is_malformed, _records_that_hold_no_value, _limits_come_before_the_record,
		_a_file_that_was_shortened, _an_incomplete_end_that_was_removed, _blocks_follow_the_file, _a_shared_cursor_is_never_ahead,
	])
	DirAccess.remove_absolute(PATH)
	return true


## `next` returns TRUNCATED until the last byte of a record is there, and then its value.
func _byte_by_byte(big_endian: bool) -> bool:
	var raw: PackedByteArray = _bytes_of(SAMPLES, big_endian)
	var writer := FileAccess.open(PATH, FileAccess.WRITE)
	var reader := VarBytesFile.open(PATH, FileAccess.READ)
	reader.big_endian = big_endian
	var values: Array = []
	for index: int in raw.size():
		writer.store_8(raw[index])
		writer.flush()
		var start: int = reader.get_position()
		check(reader.has_next(), "byte %d is new" % index)
		var record: VarBytesResult = reader.next()
		if record.ok:
			values.append(record.value)
			equal(reader.get_position(), index + 1, "the cursor after a record")
		else:
			check(record.error == VarBytesResult.TRUNCATED and not record.can_continue, "byte %d: %s" % [index, record.message])
			equal(record.offset, start, "where the incomplete record begins")
			equal(reader.get_position(), start, "the cursor before it")
			check(not reader.has_next(), "byte %d is no longer new" % index)
			check(reader.skip().error == VarBytesResult.TRUNCATED and reader.get_position() == start, "skip at byte %d" % index)
	equal(values, SAMPLES, "all values")
	return true


func _the_cursor_stays_before_an_incomplete_record() -> bool:
	var raw: PackedByteArray = _bytes_of(["one", "two"])
	write_file(PATH, raw.slice(0, -2))
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	file.next()
	for attempt: int in 3:
		check(file.next().error == VarBytesResult.TRUNCATED, "the rest is missing")
		equal(file.get_position(), 16, "the cursor")
	var writer := FileAccess.open(PATH, FileAccess.READ_WRITE)
	writer.seek_end()
	writer.store_buffer(raw.slice(-2))
	writer.flush()
	check(file.has_next(), "the rest is there")
	equal(file.next().value, "two", "the record")
	return true


## The loop from the help reports an incomplete record once, and ends.
func _a_loop_ends_at_an_incomplete_record() -> bool:
	var raw: PackedByteArray = _bytes_of(SAMPLES)
	for tail: PackedByteArray in [PackedByteArray([1]), PackedByteArray([9, 0, 0, 0, 1]), PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF, 5])]:
		write_file(PATH, raw + tail)
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		var good: int = 0
		var bad: int = 0
		while file.has_next() and good + bad < 100:
			var record: VarBytesResult = file.next()
			good += int(record.ok)
			bad += int(not record.ok)
		equal([good, bad], [SAMPLES.size(), 1], "good and bad records before %s" % tail)
		file.seek(file.get_position())
		check(file.has_next(), "after a seek it is reported again")
	return true


func _a_length_that_no_engine_writes_ends_it() -> bool:
	for length: int in [-1, -2147483648]:
		var raw: PackedByteArray = _bytes_of(["one"])
		raw.resize(raw.size() + 4)
		raw.encode_s32(raw.size() - 4, length)
		write_file(PATH, raw + _bytes_of(["three"]))
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		check(file.next().can_continue, "the record before")
		var wrong: VarBytesResult = file.next()
		check(wrong.error == VarBytesResult.MALFORMED and wrong.fault == &"record_length", wrong.message)
		check(not wrong.can_continue and wrong.offset == 16 and file.get_position() == 16, "the cursor stays: %s" % wrong.message)
	return true


func _a_count_beyond_a_whole_record_is_malformed() -> bool:
	var inner: Array[PackedByteArray] = []
	# A string, an array, a packed array and a dictionary that are longer than the record; half a number; only a type.
	for header: PackedByteArray in [[4, 0, 0, 0], [28, 0, 0, 0], [30, 0, 0, 0], [27, 0, 0, 0]]:
		for count: int in [2, 1000, 0x7FFF_FFFF]:
			var bytes: PackedByteArray = header.duplicate()
			bytes.resize(12)
			bytes.encode_u32(4, count)
			inner.append(bytes)
	inner.append(PackedByteArray([3, 0, 1, 0, 1, 2, 3, 4]))
	inner.append(PackedByteArray([6, 0, 0, 0]))
	for payload: PackedByteArray in inner:
		var stream := StreamPeerBuffer.new()
		stream.put_u32(payload.size())
		stream.put_data(payload)
		stream.put_var("after")
		stream.seek(0)
		write_file(PATH, stream.data_array)
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		var record: VarBytesResult = file.next()
		if payload == PackedByteArray([4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]):
			check(record.ok and record.bytes_used == 12, "a String that is within the record")
			continue
		check(record.error == VarBytesResult.MALFORMED and record.can_continue, "%s: %s" % [payload, record.message])
		equal(file.next().value, "after", "the record after")
		record = VarBytesFile.take(stream)
		check(record.error == VarBytesResult.MALFORMED and record.can_continue, "%s in a stream: %s" % [payload, record.message])
		equal(VarBytesFile.take(stream).value, "after", "the record after in a stream")
	return true


func _records_that_hold_no_value() -> bool:
	for size: int in 4:
		var raw: PackedByteArray = [size, 0, 0, 0]
		raw.resize(4 + size)
		write_file(PATH, raw + _bytes_of(["after"]))
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		var record: VarBytesResult = file.next()
		check(record.error == VarBytesResult.MALFORMED and record.can_continue, "%d bytes: %s" % [size, record.message])
		equal(file.next().value, "after", "the record after")
	return true


## A record that is too long is refused by its length, before the rest arrives.
func _limits_come_before_the_record() -> bool:
	var limited := VarBytesOptions.new()
	limited.max_memory = 1000
	var raw: PackedByteArray = _bytes_of(["x".repeat(100_000), "after"])
	write_file(PATH, raw.slice(0, 5000))
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	var long: VarBytesResult = file.next(limited)
	check(long.error == VarBytesResult.LIMIT and long.fault == &"record_too_long" and not long.can_continue, "half: %s" % long.message)
	equal(file.get_position(), 0, "the cursor stays before half a record")
	file.max_record_size = 100
	check(file.next().error == VarBytesResult.LIMIT, "half of one that is longer than max_record_size")
	write_file(PATH, raw)
	file = VarBytesFile.open(PATH, FileAccess.READ)
	long = file.next(limited)
	check(long.error == VarBytesResult.LIMIT and long.fault == &"record_too_long" and long.can_continue, "whole: %s" % long.message)
	equal(file.next(limited).value, "after", "the record after")
	# A value within the limit is never refused because of its length.
	var tried: int = 0
	for line: String in canonical_lines("godot-4.6"):
		var bytes: PackedByteArray = bytes_of(line)
		limited.max_memory = bytes.size() / 8 - 1
		if limited.max_memory > 0:
			tried += 1
			check(not VarBytes.decode(bytes, limited).ok, "%s is refused by its length and not by decode" % name_of(line))
	check(tried > 300, "%d values are long enough" % tried)
	return true


## What follows the cursor then is not the next record.
func _a_file_that_was_shortened() -> bool:
	for next: Callable in [
		func(file: VarBytesFile) -> VarBytesResult: return file.next(), func(file: VarBytesFile) -> VarBytesResult: return file.skip(),
		func(file: VarBytesFile) -> VarBytesResult: return file.next_many(5),
	]:
		write_file(PATH, _bytes_of(["a".repeat(40), "b", "c"]))
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		file.next()
		file.next()
		var length: int = file.get_length()
		var writer := VarBytesFile.open(PATH, FileAccess.WRITE)
		file.next_many(5)
		check(file.has_next(), "there is an error to report")
		for row: int in 20:
			var changed: VarBytesResult = next.call(file)
			check(changed.error == VarBytesResult.STREAM and changed.fault == &"file_changed" and not changed.can_continue, changed.message)
			check(changed.message.contains("from %d to 0 bytes" % length), changed.message)
			check(not file.has_next(), "it was reported")
			writer.store(row)
		check(file.seek(0).ok and file.has_next(), "after a seek")
		equal(file.next().value, 0, "the new first record")
	return true


## As by [method VarBytesFile.repair] of another program.
func _an_incomplete_end_that_was_removed() -> bool:
	var raw: PackedByteArray = _bytes_of(["one", "two"])
	write_file(PATH, raw.slice(0, -2))
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	file.next()
	check(file.next().error == VarBytesResult.TRUNCATED, "incomplete")
	write_file(PATH, raw.slice(0, 16))
	check(not file.has_next(), "nothing follows")
	write_file(PATH, _bytes_of(["one", "three", "four"]))
	equal([file.next().value, file.next().value], ["three", "four"], "what was added")
	return true


## What was read ahead is not used after the file changed: records that grow, are replaced through the same object, or were
## zeros that another program filled in.
func _blocks_follow_the_file() -> bool:
	var raw: PackedByteArray = _bytes_of(["one", "two"])
	var half: PackedByteArray = raw.slice(0, 16)
	half.resize(raw.size())
	write_file(PATH, half)
	var file := VarBytesFile.open(PATH, FileAccess.READ_WRITE)
	equal(file.next().value, "one", "the first record, with zeros read ahead")
	check(file.next().error == VarBytesResult.MALFORMED and file.seek(16).ok, "zeros")
	var writer := FileAccess.open(PATH, FileAccess.READ_WRITE)
	writer.store_buffer(raw)
	writer.close()
	equal(file.next().value, "two", "what has replaced the zeros")
	file.seek(0)
	equal(file.next().value, "one", "the first record again")
	check(file.store("new").ok, "replaces the second, which was read ahead")
	file.seek(16)
	equal([file.next().value, file.has_next()], ["new", false], "the new one")
	check(file.store("x".repeat(100_000)).ok and file.store(3).ok and file.seek(32).ok, "a record longer than a block")
	equal([file.next().value.length(), file.next().value, file.has_next()], [100_000, 3, false], "records of both lengths")
	var many := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	for index: int in 5_000:
		many.store("record %d" % index)
	many.seek(0)
	var wrong: int = 0
	for index: int in 5_000:
		wrong += int(many.next().value != "record %d" % index)
	equal([wrong, many.has_next(), many.get_position()], [0, false, many.get_length()], "records across blocks")
	return true


## `get_var` of a shared file reads on where `next` ended, and the other way round.
func _a_shared_cursor_is_never_ahead() -> bool:
	write_file(PATH, _bytes_of(range(6)))
	var shared := FileAccess.open(PATH, FileAccess.READ)
	var file := VarBytesFile.from_file_access(shared)
	for index: int in 6:
		equal(file.next().value if index % 2 == 0 else shared.get_var(), index, "records in turn")
		equal(file.get_position(), shared.get_position(), "one cursor")
	shared.seek(24)
	equal([file.next().value, file.skip().ok, shared.get_var()], [2, true, 4], "after a seek of the other object")
	file.seek(12)
	equal(shared.get_var(), 1, "after a seek of this object")
	return true


func _bytes_of(values: Array, big_endian: bool = false) -> PackedByteArray:
	var stream := StreamPeerBuffer.new()
	stream.big_endian = big_endian
	for value: Variant in values:
		stream.put_var(value)
	return stream.data_array
