extends "res://tests/record_suite.gd"
## Several objects or programs use one file: nothing is overwritten, and what is read is in the file.


func run() -> bool:
	await run_parts([
		_two_writers_overwrite_nothing, _two_writers_that_collect_overwrite_nothing, _collected_records_wait_for_a_repair, _collected_records_that_are_lost,
		_collected_records_of_a_shortened_file, _a_long_record_is_not_collected, _a_refused_store_changes_nothing,
		_records_that_were_read_ahead, _a_file_that_was_replaced, _the_end_that_was_read, _the_cursor_after_a_refused_flush, _a_record_at_a_position, _a_file_for_writing_that_is_shared,
		_a_shared_file_that_was_removed,
	])
	remove_files()
	return true


## If a second program appends to the file between two stores, no record is lost.
func _two_writers_overwrite_nothing() -> bool:
	write_file(PATH, [])
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


## Records are collected while a second program appends to the file.
func _two_writers_that_collect_overwrite_nothing() -> bool:
	# Few records, and so many that some were written before.
	for count: int in [1, 20_000]:
		# How the first writer ends: by a repair, at the end, or dropped.
		for ending: Callable in [
			func(file: VarBytesFile) -> bool: return file.seek_end().ok and file.flush().ok,
			func(file: VarBytesFile) -> bool: return file.repair().ok,
			func(file: VarBytesFile) -> bool: return file.close().ok,
			func(_file: VarBytesFile) -> bool: return true,
		]:
			_collect_beside_another(count, ending)
			var file := VarBytesFile.open(PATH, FileAccess.READ)
			var values: Array = file.next_many(100_000).value
			equal([values.size(), file.has_next()], [count + 1, false], "the number of records")
			values.erase("two")
			check(values == range(count), "all records in order")
	return true


func _collect_beside_another(count: int, ending: Callable) -> void:
	write_file(PATH, [])
	var first := _open()
	var second := _open()
	first.buffered = true
	second.buffered = true
	for number: int in count:
		check(first.try_store(number), "collected")
	check(second.seek_end().ok and second.store("two").ok and second.flush().ok, "the second one writes")
	var refused: VarBytesResult = first.flush()
	check(refused.fault == &"file_grew" and refused.message.contains("seek_end"), "flush: %s" % refused.message)
	check(first.next().fault == &"file_grew", "nothing is read")
	quietly(func() -> Array:
		first.buffered = false
		return [true])
	check(first.store("not collected").fault == &"file_grew", "nothing is stored")
	check(ending.call(first), "the collected records follow")


## While a second program is within a record, collected records stay in memory.
func _collected_records_wait_for_a_repair() -> bool:
	write_file(PATH, _file_of([]))
	var file := _open()
	file.buffered = true
	check(file.store("one").ok, "collected")
	write_file(PATH, [100, 0, 0, 0, 4])
	for turn: int in 2:
		check(file.flush().fault == &"file_grew", "flush")
		check(file.seek_end().fault == &"incomplete_end", "seek_end")
		check(file.store("two").fault == &"file_grew", "nothing is stored")
	equal(file.repair().value.dropped, 5, "the bytes that are moved to another file")
	check(file.store("two").ok and file.close().ok, "stored after it")
	equal(_read(), ["one", "two"], "all records")
	return true


## `close` does not write them after an incomplete record, and says so.
func _collected_records_that_are_lost() -> bool:
	write_file(PATH, _file_of([]))
	var file := _open()
	file.buffered = true
	check(file.store("one").ok and file.store("two").ok, "collected")
	write_file(PATH, [100, 0, 0, 0])
	var closed: VarBytesResult = file.close()
	check(closed.fault == &"incomplete_end" and closed.message.begins_with("32 bytes of records are lost"), "close: %s" % closed)
	check(closed.message.contains("repair() before close()") and not closed.message.contains("call repair()"), "close: %s" % closed)
	equal([file.is_open(), FileAccess.get_file_as_bytes(PATH)], [false, PackedByteArray([100, 0, 0, 0])], "the file")
	return true


func _collected_records_of_a_shortened_file() -> bool:
	write_file(PATH, _file_of(["one", "two"]))
	var file := _open()
	file.seek_end()
	file.buffered = true
	check(file.store("three").ok, "collected")
	write_file(PATH, _file_of(["one"]))
	check(file.flush().fault == &"file_changed", "flush")
	check(file.seek_end().ok and file.close().ok, "written at the end")
	equal(_read(), ["one", "three"], "all records")
	# One that replaces another has no place any more.
	file = _open()
	file.buffered = true
	file.seek(16)
	check(file.store("forty").ok, "collected")
	write_file(PATH, _file_of([]))
	var refused: VarBytesResult = file.close()
	check(refused.fault == &"file_changed" and refused.message.contains("replace"), "close: %s" % refused.message)
	equal(_read(), [], "all records")
	return true


## It is written at once, and another program can add records before it is flushed.
func _a_long_record_is_not_collected() -> bool:
	for after: Array in [[], ["after"], ["after", "x".repeat(100_000)]]:
		write_file(PATH, [])
		var first := _open()
		var second := _open()
		first.buffered = true
		check(first.store("x".repeat(100_000)).ok and second.seek_end().ok and second.store("two").ok, "by turns")
		var fails: bool = false
		for value: String in after:
			fails = not first.store(value).ok or fails
		var flushed: VarBytesResult = first.flush()
		check(flushed.ok == after.is_empty() or fails, "flush: %s" % flushed)
		check(first.seek_end().ok and first.close().ok, "the end")
		equal(_read().slice(0, 2), ["x".repeat(100_000), "two"], "the records before")
		check(_read().size() >= 2 and not _read().has("record_truncated"), "whole records")
	return true


## After a value that cannot be written, the length of the file is compared again.
func _a_refused_store_changes_nothing() -> bool:
	var deep: Array = []
	for level: int in 1100:
		deep = [deep]
	for restarts: bool in [false, true]:
		for store: Callable in [
			func(file: VarBytesFile) -> VarBytesResult: return file.store("mine"),
			func(file: VarBytesFile) -> VarBytesResult: return file.store_many(["x", "y"]),
		]:
			write_file(PATH, _file_of([1, 2, 3]))
			var first := _open()
			check(first.repair().ok and first.store(deep).fault == &"depth_limit", "a value that is nested too deep")
			var second := VarBytesFile.open(PATH, FileAccess.WRITE if restarts else FileAccess.READ_WRITE)
			second.seek_end()
			for index: int in 3:
				second.store("record %d of the other program" % index)
			second.close()
			var expected: Array = _read()
			check(not store.call(first).ok, "a store at the old end")
			equal(_read(), expected, "all records")
			check(first.repair().ok and store.call(first).ok, "after a repair")
			equal(_read().slice(0, expected.size()), expected, "all records")
	return true


## A record replaces whole records of the file as it is now.
func _records_that_were_read_ahead() -> bool:
	write_file(PATH, _file_of([1, 2, 3]))
	var first := _open()
	check(first.next().ok, "a block is read")
	var second := _open()
	check(second.store(PackedByteArray(range(12))).ok and second.close().ok, "two records become one")
	first.seek(0)
	check(not first.store(7).ok, "a part of it is not replaced")
	equal(_read(), [PackedByteArray(range(12)), 3], "all records")
	return true


## The records that were found before may be others now.
func _a_file_that_was_replaced() -> bool:
	for values: Array in [["new log " + "x".repeat(400), "second"], [PackedByteArray(range(112))], [range(5), range(9)]]:
		for call: String in ["repair", "seek_end", "store"]:
			write_file(PATH, _file_of(range(10)))
			var file := _open()
			check(file.seek_end().ok, "ten records")
			_file_of(values)
			var result: VarBytesResult = file.call(call, "end") if call == "store" else file.call(call)
			equal(result.ok, call != "store" or FileAccess.get_file_as_bytes(PATH).size() == 120, "%s: %s" % [call, result])
			equal(_read().slice(0, values.size()), values, "all records after %s" % call)
	return true


## Where the records ended that were read, one that another program has added is not replaced, even if the length is asked for.
func _the_end_that_was_read() -> bool:
	for read: Callable in [
		func(file: VarBytesFile) -> void:
			while file.has_next():
				file.next(),
		func(file: VarBytesFile) -> void: file.next_many(10),
		func(file: VarBytesFile) -> void: file.seek(file.get_length()),
	]:
		for values: Array in [[], [1], [1, "two"]]:
			for asks: String in ["get_position", "get_length", "has_next"]:
				for buffered: bool in [false, true]:
					_store_after_another(read, values, asks, buffered, func(file: VarBytesFile) -> VarBytesResult: return file.store(333))
					_store_after_another(read, values, asks, buffered, func(file: VarBytesFile) -> VarBytesResult: return file.store_many([333]))
	return true


func _store_after_another(read: Callable, values: Array, asks: String, buffered: bool, store: Callable) -> void:
	write_file(PATH, _file_of(values))
	var first := _open()
	first.buffered = buffered
	read.call(first)
	var second := _open()
	check(second.seek_end().ok and second.store(222).ok, "the other writes")
	first.call(asks)
	var refused: VarBytesResult = store.call(first)
	if refused.ok:
		refused = first.flush()
	check(refused.fault == &"file_grew", "the store after %s and %s: %s" % [values, asks, refused])
	equal(_read(), values + [222], "all records")
	check(first.seek_end().ok and store.call(first).ok and first.flush().ok, "after the record of the other")
	equal(_read(), values + [222, 333], "all records")


## The cursor is where the records were to be that could not replace others.
func _the_cursor_after_a_refused_flush() -> bool:
	write_file(PATH, _file_of([1, 2]))
	var first := _open()
	first.buffered = true
	check(first.store("x".repeat(28)).ok, "one longer record in place of two")
	var second := _open()
	check(second.seek_end().ok and second.store("y".repeat(60)).ok, "the other writes")
	check(first.flush().fault == &"file_changed", "flush")
	equal([first.get_position(), first.next().value], [0, 1], "the next record")
	return true


## A loop that reads the same record again and again gets what is there now.
func _a_record_at_a_position() -> bool:
	write_file(PATH, _file_of([100, 200, 300]))
	for flags: FileAccess.ModeFlags in [FileAccess.READ, FileAccess.READ_WRITE]:
		var reader := VarBytesFile.open(PATH, flags)
		var writer := _open()
		for turn: int in 5:
			writer.seek(12 * (turn % 3))
			check(writer.store(turn).ok, "another value")
			reader.seek(12 * (turn % 3))
			equal(reader.next().value, turn, "the record of turn %d" % turn)
		reader.seek(12)
		VarBytesFile.open(PATH, FileAccess.WRITE).close()
		equal([reader.get_length(), reader.has_next()], [0, true], "an empty file")
		check(reader.next().fault == &"file_changed", "what follows in an empty file")
		check(not reader.has_next(), "after the error")
		write_file(PATH, _file_of([100, 200, 300]))
	return true


## Scripts may write into a file that is open only for writing between two records.
func _a_file_for_writing_that_is_shared() -> bool:
	for mode: int in 3:
		var opened: FileAccess = [
			func() -> FileAccess: return FileAccess.open(PATH, FileAccess.WRITE),
			func() -> FileAccess: return FileAccess.open_compressed(PATH, FileAccess.WRITE),
			func() -> FileAccess: return FileAccess.open_encrypted_with_pass(PATH, FileAccess.WRITE, "secret"),
		][mode].call()
		var file := VarBytesFile.from_file_access(opened)
		check(file.store(1).ok, "the first record")
		opened.store_var(2)
		check(file.store(3).ok and file.store_many([4, 5]).ok, "after a value of the engine")
		opened.store_var(6)
		check(file.close().ok, "closed")
		opened = [
			func() -> FileAccess: return FileAccess.open(PATH, FileAccess.READ),
			func() -> FileAccess: return FileAccess.open_compressed(PATH, FileAccess.READ),
			func() -> FileAccess: return FileAccess.open_encrypted_with_pass(PATH, FileAccess.READ, "secret"),
		][mode].call()
		equal(VarBytesFile.from_file_access(opened).next_many(10).value, [1, 2, 3, 4, 5, 6], "all records")
	return true


func _a_shared_file_that_was_removed() -> bool:
	var file := VarBytesFile.from_file_access(FileAccess.open(PATH, FileAccess.WRITE))
	check(file.store(1).ok, "a record")
	DirAccess.rename_absolute(PATH, PATH + ".renamed")
	var closed: VarBytesResult = file.close()
	check(closed.ok, "closed: %s" % closed)
	equal(VarBytesFile.open(PATH + ".renamed", FileAccess.READ).next().value, 1, "the record")
	return true
