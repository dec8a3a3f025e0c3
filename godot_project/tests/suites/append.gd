extends "res://tests/record_suite.gd"
## Appends to a file with a damaged end: complete records stay, nothing is overwritten, and `repair` keeps what it
## removes.

const VALUES: Array = [{"name": "Ann", "level": 7}, "text", [1, 2.5, Vector3(1, 2, 3)]]


func run() -> bool:
	await run_parts([
		_every_cut.bind(false), _every_cut.bind(true), _damaged_ends, _nothing_to_repair, _no_whole_record,
		_a_store_into_an_incomplete_end_is_refused, _a_store_that_cuts_into_a_record_is_refused,
		_a_store_after_the_end_is_refused, _records_after_a_header, _two_repairs_keep_both_ends,
		_files_that_cannot_be_repaired, _a_long_end, _files_that_cannot_be_read,
		_collected_records_are_written_at_once, _buffered_ends, _the_end_of_encrypted_and_compressed_files, _a_store_into_a_file_for_reading, _a_path_without_a_folder, _a_folder_that_cannot_be_listed, _the_permissions_of_a_copy,
		_a_damaged_length_in_the_middle, _a_length_that_covers_other_records, _bytes_of_a_damaged_record_that_look_like_records, _bytes_that_all_look_like_records, _values_that_look_like_records, _after_a_refused_repair, _a_file_of_one_value, _records_that_look_like_one_value, _a_file_of_another_format, _a_file_in_the_other_byte_order, _zeros_in_place_of_a_file, _a_long_damaged_file,
	])
	remove_files()
	return true


## A file cut anywhere: the complete records and the new one are read back, and the bytes of the cut one are kept.
func _every_cut(big_endian: bool) -> bool:
	var raw: PackedByteArray = _file_of(VALUES, big_endian)
	var ends: Array[int] = _ends(raw, big_endian)
	for size: int in raw.size() + 1:
		write_file(PATH, raw.slice(0, size))
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
		equal(_read(big_endian), VALUES.slice(0, whole) + ["new"], "records of %d bytes and the new one" % size)
	return true


## Bytes after the records, as a power cut leaves them: lengths beyond the file, negative lengths, zeros, noise.
func _damaged_ends() -> bool:
	var raw: PackedByteArray = _file_of(VALUES)
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
		write_file(PATH, raw + tail)
		var file := _open()
		var found: VarBytesResult = file.seek_end()
		check(found.fault == &"incomplete_end" and file.get_position() == raw.size(), "%d bytes: %s" % [tail.size(), found.message])
		check(not file.store("lost").ok, "a store over %d bytes" % tail.size())
		equal(FileAccess.get_file_as_bytes(PATH), raw + tail, "nothing was written over %d bytes" % tail.size())
		var repaired: VarBytesResult = file.repair()
		if not check(repaired.ok, repaired.message):
			continue
		equal(repaired.value.records, VALUES.size(), "whole records before %d bytes" % tail.size())
		equal(FileAccess.get_file_as_bytes(repaired.value.kept_in), tail, "the dropped bytes")
		DirAccess.remove_absolute(repaired.value.kept_in)
		check(file.store("new").ok and file.close().ok, "a new record")
		equal(_read(), VALUES + ["new"], "all records after %d bytes were dropped" % tail.size())
	# Zeros between records are not an end: nothing after them is dropped.
	write_file(PATH, raw + zeroes + raw)
	var between := _open()
	check(between.seek_end().ok and between.get_position() == raw.size() * 2 + zeroes.size(), "zeros between records")
	return true


func _nothing_to_repair() -> bool:
	for values: Array in [[], VALUES]:
		var raw: PackedByteArray = _file_of(values)
		var file := _open()
		var repaired: VarBytesResult = file.repair()
		check(repaired.ok, repaired.message)
		equal(repaired.value, {"records": values.size(), "offset": raw.size(), "dropped": 0, "kept_in": ""}, "nothing dropped")
		equal(file.get_position(), raw.size(), "the cursor is at the end")
		equal(FileAccess.get_file_as_bytes(PATH), raw, "the file is as it was")
	return true


func _no_whole_record() -> bool:
	write_file(PATH, _file_of(["text"]).slice(0, 9))
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
	var raw: PackedByteArray = _file_of(VALUES)
	var cut: PackedByteArray = raw.slice(0, -3)
	for position: int in [cut.size(), _ends(raw)[1]]:
		for buffered: bool in [false, true]:
			write_file(PATH, cut)
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
	var raw: PackedByteArray = _file_of(VALUES)
	var file := _open()
	file.seek(raw.size() + 8)
	check(file.store("far").error == VarBytesResult.INVALID_ARGUMENT, "a store after the end")
	file.close()
	equal(FileAccess.get_file_as_bytes(PATH), raw, "nothing was written")
	return true


## Records start at the position of the engine's file when it is passed.
func _records_after_a_header() -> bool:
	var header: PackedByteArray = [0xFF, 0xFF, 0xFF, 0xFF, 1]
	var raw: PackedByteArray = header + _file_of(VALUES)
	write_file(PATH, raw.slice(0, -3))
	var engine_file := FileAccess.open(PATH, FileAccess.READ_WRITE)
	engine_file.seek(header.size())
	var file := VarBytesFile.from_file_access(engine_file)
	var repaired: VarBytesResult = file.repair()
	check(repaired.ok and repaired.value.records == VALUES.size() - 1, repaired.message)
	DirAccess.remove_absolute(repaired.value.kept_in)
	check(file.store("new").ok and file.close().ok, "a new record")
	engine_file = FileAccess.open(PATH, FileAccess.READ)
	equal(engine_file.get_buffer(header.size()), header, "the header")
	file = VarBytesFile.from_file_access(engine_file)
	equal([file.next().value, file.next().value, file.next().value], VALUES.slice(0, -1) + ["new"], "the records")
	return true


func _two_repairs_keep_both_ends() -> bool:
	var raw: PackedByteArray = _file_of(VALUES)
	var kept: Array[String] = []
	for cut: int in [3, 5]:
		write_file(PATH, raw.slice(0, -cut))
		kept.append(str(_open().repair().value.kept_in))
	check(kept[0] != kept[1], "the second file of dropped bytes replaces the first")
	var last: int = _ends(raw)[1]
	equal(FileAccess.get_file_as_bytes(kept[0]), raw.slice(last, -3), "the first")
	equal(FileAccess.get_file_as_bytes(kept[1]), raw.slice(last, -5), "the second")
	for path: String in kept:
		DirAccess.remove_absolute(path)
	return true


func _files_that_cannot_be_repaired() -> bool:
	var cut: PackedByteArray = _file_of(VALUES).slice(0, -3)
	write_file(PATH, cut)
	var before: PackedStringArray = DirAccess.get_files_at("user://")
	var refused: VarBytesResult = VarBytesFile.open(PATH, FileAccess.READ).repair()
	check(refused.error == VarBytesResult.STREAM and refused.message.contains("READ_WRITE"), "open for reading: %s" % refused.message)
	equal(FileAccess.get_file_as_bytes(PATH), cut, "the file is as it was")
	equal(DirAccess.get_files_at("user://"), before, "no file was made")
	for call: Callable in [func(file: VarBytesFile) -> VarBytesResult: return file.repair(), func(file: VarBytesFile) -> VarBytesResult: return file.store(1)]:
		refused = call.call(VarBytesFile.open("res://addons/varbytes/varbytes.gdextension", FileAccess.READ))
		check(refused.error == VarBytesResult.STREAM and refused.message.contains("copy it to user://"), "in the project: %s" % refused.message)
	# Encrypted content must not be written as plain text.
	for mode: int in 2:
		var engine_file: FileAccess = _other_file(mode, FileAccess.WRITE)
		engine_file.store_buffer(cut)
		engine_file.close()
		refused = VarBytesFile.from_file_access(_other_file(mode, FileAccess.READ)).repair()
		check(refused.error == VarBytesResult.STREAM and refused.message.contains("encrypted"), refused.message)
		equal(DirAccess.get_files_at("user://"), before, "no file was made")
	write_file(PATH, cut)
	var file := _open()
	file.close()
	check(file.repair().error == VarBytesResult.STREAM, "a closed file")
	return true


## At most one complete record is removed.
func _a_damaged_length_in_the_middle() -> bool:
	var values: Array = VALUES + [{"event": 4}, 5, "six"]
	var raw: PackedByteArray = _file_of(values)
	var ends: Array[int] = _ends(raw)
	for index: int in values.size() - 2:
		for bit: int in 32:
			var damaged: PackedByteArray = raw.duplicate()
			damaged[(ends[index - 1] if index > 0 else 0) + bit / 8] ^= 1 << (bit % 8)
			write_file(PATH, damaged)
			var file := _open()
			if file.seek_end().ok:
				# The length leads to another record.
				continue
			var end: int = file.get_position()
			var refused: VarBytesResult = file.repair()
			var what: String = "record %d, bit %d: %s" % [index, bit, refused]
			if not check(refused.error == VarBytesResult.MALFORMED and refused.fault == &"damaged_middle" and ends.has(refused.offset), what):
				continue
			equal(FileAccess.get_file_as_bytes(PATH), damaged, "the file is as it was, " + what)
			equal(file.get_position(), end, "the cursor, " + what)
			check(refused.message.contains("before %d," % refused.offset) and refused.message.ends_with("from %d on to another file" % end), what)
			check(not file.store("lost").ok, "a store there, " + what)
			check(file.seek(refused.offset).ok, "seek")
			equal(file.next_many(9).value, values.slice(ends.find(refused.offset) + 1), "the records after the damage, " + what)
			var cut: VarBytesResult = file.repair(true)
			if check(cut.ok and cut.value.offset == end and cut.value.dropped == raw.size() - end, "cut, " + what):
				equal(FileAccess.get_file_as_bytes(cut.value.kept_in), damaged.slice(end), "the removed bytes, " + what)
				DirAccess.remove_absolute(cut.value.kept_in)
	return true


## A damaged length leads far beyond its record, into a later one.
func _a_length_that_covers_other_records() -> bool:
	var values: Array = range(20).map(func(index: int) -> Dictionary: return {"i": index, "t": "x".repeat(index * 3)})
	for big_endian: bool in [false, true]:
		var raw: PackedByteArray = _file_of(values, big_endian)
		var ends: Array[int] = _ends(raw, big_endian)
		for start: int in [0, ends[2]]:
			var next: int = ends[ends.find(start) + 1]
			for end: int in range(next + 4, raw.size(), 7):
				var damaged: PackedByteArray = raw.duplicate()
				for byte: int in 4:
					damaged[start + byte] = (end - start - 4) >> (8 * (3 - byte if big_endian else byte)) & 0xFF
				write_file(PATH, damaged)
				var file := _open(big_endian)
				if file.seek_end().ok:
					continue
				var refused: VarBytesResult = file.repair()
				check(refused.fault == &"damaged_middle" and refused.offset == next, "a length that leads from %d to %d: %s" % [start, end, refused])
				equal(FileAccess.get_file_as_bytes(PATH), damaged, "the file is as it was")
	return true


## Types and counts within the damaged record can be lengths that lead to the next record.
func _bytes_of_a_damaged_record_that_look_like_records() -> bool:
	var shapes: Array[Callable] = [
		func(index: int) -> Variant: return {"frame": index, "inputs": [Vector2(index, 1), &"jump"]},
		func(index: int) -> Variant: return {"from": "Ann", "text": "hello all", "n": index},
		func(index: int) -> Variant: return [[Vector2.ZERO, 0], index],
		func(index: int) -> Variant: return {"path": PackedVector2Array([Vector2(index, 2)]), "items": [[1, 2], [Vector2i(4, 1), null]]},
		func(index: int) -> Variant: return {"by": index, "rest": [1, 8, 5]},
	]
	for shape: Callable in shapes:
		var values: Array = range(12).map(shape)
		for big_endian: bool in [false, true]:
			var raw: PackedByteArray = _file_of(values, big_endian)
			var ends: Array[int] = _ends(raw, big_endian)
			for damaged_record: int in 11:
				var start: int = ends[damaged_record - 1] if damaged_record > 0 else 0
				# The length alone, or also what tells the end of the value. The last shape then has bytes that no reader can tell from a record.
				# Before a single record, an incomplete end is as likely, unless the value is whole.
				for size: int in [4] if shape == shapes[-1] or damaged_record == 10 else [4, 8, 12]:
					var damaged: PackedByteArray = raw.duplicate()
					for byte: int in size:
						damaged[start + byte] = 0xFF
					write_file(PATH, damaged)
					var file := _open(big_endian)
					var refused: VarBytesResult = file.repair()
					var what: String = "%s, record %d, %d bytes: %s" % [values[0], damaged_record, size, refused]
					if check(refused.fault == &"damaged_middle" and refused.offset == ends[damaged_record], what):
						file.seek(refused.offset)
						equal(file.next_many(20).value, values.slice(damaged_record + 1), what)
	return true


## Each word could be the length of a record, whose value no engine reads. To try them all would take seconds.
func _bytes_that_all_look_like_records() -> bool:
	var words := PackedInt32Array()
	words.resize(1 << 21)
	words.fill(4)
	words[0] = -1
	words[1] = -1
	write_file(PATH, words.to_byte_array())
	var refused: VarBytesResult = _open().repair()
	return check(refused.fault == &"damaged_middle" and refused.offset == 8, "%s" % refused)


## Nothing is damaged but the end, though numbers within complete records could be lengths that lead to the end.
func _values_that_look_like_records() -> bool:
	var by_godot_3: PackedByteArray = PackedByteArray([16, 0, 0, 0, 7, 0, 0, 0]) + PackedFloat32Array([1, 2, 3]).to_byte_array()
	for before: PackedByteArray in [PackedByteArray(), by_godot_3]:
		for fill: int in [0, 4]:
			for count: int in range(207, 300, 16) if fill == 0 else range(224, 300, 25):
				var raw: PackedByteArray = before.duplicate()
				for index: int in count:
					var value: PackedByteArray = var_to_bytes(index * 4)
					value.resize(value.size() + fill)
					raw.append_array(PackedByteArray([value.size(), 0, 0, 0]) + value)
				write_file(PATH, raw + PackedByteArray([8, 0, 0, 0, 2, 0, 0, 0]))
				var repaired: VarBytesResult = _open().repair()
				if check(repaired.ok and repaired.value.offset == raw.size() and repaired.value.dropped == 8, "%d records, each with %d zeros: %s" % [count, fill, repaired]):
					DirAccess.remove_absolute(repaired.value.kept_in)
	return true


## Each error tells what is there, and leads to what works.
func _after_a_refused_repair() -> bool:
	var damaged: PackedByteArray = _file_of(range(6))
	damaged[12 + 3] = 0xFF
	var covered: PackedByteArray = _file_of(range(6))
	covered[12] = 40
	for content: PackedByteArray in [damaged, covered, "extends Node\n".to_utf8_buffer()]:
		for calls: Array in [
			[], ["seek_end"], ["repair"], ["next"], ["skip"], ["get_length"], ["flush"], ["seek_end", "repair", "has_next"], ["seek to the end"],
			["seek to the end", "repair"], ["store", "seek_end", "store_many", "repair"],
		]:
			for buffered: bool in [false, true]:
				for is_shared: bool in [false, true]:
					write_file(PATH, content)
					var file := VarBytesFile.from_file_access(FileAccess.open(PATH, FileAccess.READ_WRITE)) if is_shared else _open()
					file.buffered = buffered
					var what: String = "%d bytes, after %s, buffered %s, shared %s: " % [content.size(), calls, buffered, is_shared]
					var first: StringName = file.repair().fault
					check([&"damaged_middle", &"no_records"].has(first), what + first)
					for call: String in calls:
						match call:
							"seek to the end": file.seek(file.get_length())
							"store": file.store("lost")
							"store_many": file.store_many(["lost", 2])
							_: file.call(call)
					for refused: VarBytesResult in [file.store("lost"), file.store_many(["lost", 2]), file.seek_end(), file.store(1)]:
						check(refused.fault == &"incomplete_end" and refused.message.contains("repair(true)"), what + str(refused))
					check(file.flush().ok, what + "flush")
					equal(FileAccess.get_file_as_bytes(PATH), content, what + "the file is as it was")
					check(file.repair().fault == first, what + "a second repair")
					var cut: VarBytesResult = file.repair(true)
					if check(cut.ok and file.store("new").ok and file.close().ok, what + str(cut)):
						equal(_read()[-1], "new", what + "the new record")
						DirAccess.remove_absolute(cut.value.kept_in)
	return true


## The type of a value that is the whole file looks like the length of a short record.
func _a_file_of_one_value() -> bool:
	var save: Dictionary = {"level": 7, "name": "Ann", "items": [{"id": 1}, {"id": 2}]}
	var counts: Array = range(1, 41).filter(func(count: int) -> bool: return count != 3).map(func(count: int) -> Array: return range(count))
	for value: Variant in [save, save.values(), ["a", "b", "c", "d", "e", "f"], {"cells": range(300_000)}] + counts:
		var whole: PackedByteArray = var_to_bytes(value)
		for content: PackedByteArray in [whole, var_to_bytes_with_objects([value, Resource.new()])]:
			write_file(PATH, content)
			var refused: VarBytesResult = _open().repair()
			check(refused.fault == &"no_records" and refused.message.contains("one value"), "%s" % refused)
			equal(FileAccess.get_file_as_bytes(PATH), content, "the file is as it was")
			# Nor can this be told if the first of them is a value too.
			var is_record: bool = VarBytes.validate(content.slice(4, 4 + content.decode_u32(0))).bytes_used == content.decode_u32(0)
			for file: VarBytesFile in [] if is_record else [_open(), VarBytesFile.open(PATH, FileAccess.READ)]:
				for time: int in 2:
					var read: VarBytesResult = file.next()
					check(not read.ok and read.fault == &"no_records" and "VarBytes.decode" in read.message, "%s" % read)
				equal(file.get_position(), 0, "the cursor")
		if whole.size() < 1000 and value is Dictionary:
			# The first 31 bytes are one complete record.
			for size: int in range(32, whole.size()):
				write_file(PATH, whole.slice(0, size))
				check(_open().repair().fault == &"no_records", "the first %d bytes of a value" % size)
	return true


## The length of the first record is that of an Array's type.
func _records_that_look_like_one_value() -> bool:
	for first: Variant in [["abcdefgh", null], {"a": 1}, "hello world 20 bytes", AABB()]:
		var raw: PackedByteArray = _file_of([first, {"a": 1}, "end"], false)
		equal(raw.decode_u32(0), TYPE_ARRAY, "the length of the first record")
		for size: int in range(1, raw.size()):
			write_file(PATH, raw.slice(0, size))
			check(_open().repair().ok, "the first %d bytes" % size)
		write_file(PATH, raw)
		var file: VarBytesFile = _open()
		equal([file.next().value, file.next().value, file.next().value], [first, {"a": 1}, "end"], "the records")
	return true


func _a_file_of_another_format() -> bool:
	for content: PackedByteArray in ["extends Node\n\nfunc _ready():\n\tpass\n".to_utf8_buffer(), var_to_bytes({"a": 1}), PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0])]:
		write_file(PATH, content)
		var refused: VarBytesResult = _open().repair()
		check(refused.error == VarBytesResult.MALFORMED and refused.fault == &"no_records" and refused.offset == 0, "%s" % refused)
		equal(FileAccess.get_file_as_bytes(PATH), content, "the file is as it was")
		var cut: VarBytesResult = _open().repair(true)
		check(cut.ok and cut.value.dropped == content.size() and FileAccess.get_file_as_bytes(cut.value.kept_in) == content, "cut: %s" % cut)
		DirAccess.remove_absolute(cut.value.kept_in)
	return true


func _a_file_in_the_other_byte_order() -> bool:
	for big_endian: bool in [false, true]:
		for values: Array in [["one"], VALUES]:
			var raw: PackedByteArray = _file_of(values, not big_endian)
			var refused: VarBytesResult = _open(big_endian).repair()
			check(refused.fault == &"no_records" and refused.message.contains("byte order"), "%s" % refused)
			equal(FileAccess.get_file_as_bytes(PATH), raw, "the file is as it was")
			check(_open(not big_endian).repair().ok, "the byte order of the file")
	return true


## As a power cut leaves a new file.
func _zeros_in_place_of_a_file() -> bool:
	var zeros: PackedByteArray = []
	zeros.resize(5000)
	for size: int in [3, 9, 5000]:
		write_file(PATH, zeros.slice(0, size))
		var repaired: VarBytesResult = _open().repair()
		check(repaired.ok and repaired.value.dropped == size, "%d zeros: %s" % [size, repaired])
		DirAccess.remove_absolute(repaired.value.kept_in)
	return true


## The records after the damage are longer than what is read at once, and so is each of the first of them.
func _a_long_damaged_file() -> bool:
	var values: Array = ["first", "x".repeat(3 << 20), "y".repeat(3 << 20)] + range(100_000)
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	file.store_many(values)
	file.close()
	var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	raw[3] ^= 0x40
	write_file(PATH, raw)
	file = _open()
	var refused: VarBytesResult = file.repair()
	check(refused.fault == &"damaged_middle" and refused.offset == 20, "%s" % refused)
	file.seek(refused.offset)
	equal(file.next_many(200_000).value.slice(2), range(100_000), "the records")
	return true


## An incomplete end that is longer than the copy buffer.
func _a_long_end() -> bool:
	var raw: PackedByteArray = _file_of(["first", "x".repeat(3 << 20)])
	write_file(PATH, raw.slice(0, -4))
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


func _collected_records_are_written_at_once() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	file.buffered = true
	file.store("one")
	equal(_read(), [], "the records in the file")
	file.buffered = false
	equal(_read(), ["one"], "the records in the file")
	return true


## The end of a file that collects is where the next record belongs.
func _buffered_ends() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	file.buffered = true
	for turn: int in 3:
		file.store(turn)
		equal([file.get_position(), file.get_length()], [12 * turn + 12, 12 * turn + 12], "the end")
	return true


## The engine does not move the cursor of a compressed file to its end.
func _the_end_of_encrypted_and_compressed_files() -> bool:
	for mode: int in 2:
		var written := _other_file(mode, FileAccess.WRITE)
		for value: String in ["one", "two", "x".repeat(9000)]:
			written.store_var(value)
		var ends: Array[int] = [0, 16, 32, written.get_position()]
		written.close()
		var file := VarBytesFile.from_file_access(_other_file(mode, FileAccess.READ))
		file.max_record_size = 100
		for turn: int in 2:
			var positions: Array[int] = [file.get_position()]
			while file.has_next() and positions.size() < 10:
				check(file.next().ok or positions[-1] == 32, "read, or skipped because it is long")
				positions.append(file.get_position())
			equal(positions, ends, "the positions of records that are read")
			equal(file.next().fault, "end_of_file", "after the last one")
			check(file.seek(0).ok and file.next().value == "one", "the first one again")
			check(file.seek_end().ok, "seek_end")
			equal([file.get_position(), file.has_next()], [ends[3], false], "the end")
			equal(file.seek(ends[3] + 1).error, VarBytesResult.INVALID_ARGUMENT, "after the end")
			check(file.seek(ends[3]).ok, "seek to the end")
			equal([file.get_position(), file.has_next()], [ends[3], false], "the end")
			check(file.seek(0).ok, "seek")
	return true


## Only the engine knows that a shared file is open for reading, so the first write fails.
func _a_store_into_a_file_for_reading() -> bool:
	for mode: int in 3:
		var written := _other_file(mode, FileAccess.WRITE)
		written.store_var("one")
		written.close()
		for skipped: int in 2:
			var file := VarBytesFile.from_file_access(_other_file(mode, FileAccess.READ))
			file.seek(16 * skipped)
			var refused: VarBytesResult = quietly(func() -> Array: return [file.store("two")])
			check(refused.error == VarBytesResult.STREAM and refused.message.contains("open only for reading"), refused.message)
			check(not refused.message.contains("restored") and not refused.message.contains("OK"), refused.message)
			equal([file.get_position(), file.seek(0).ok, file.next().value], [16 * skipped, true, "one"], "the file is as before")
	return true


func _a_path_without_a_folder() -> bool:
	var path: String = "append.dat.of_no_folder"
	var raw := FileAccess.open(path, FileAccess.WRITE)
	raw.store_var("one")
	raw.store_32(100)
	raw.close()
	var repaired: VarBytesResult = VarBytesFile.open(path, FileAccess.READ_WRITE).repair()
	check(repaired.ok and repaired.value.kept_in == path + ".incomplete-1", "repair: %s" % [repaired])
	for name: String in [path, path + ".incomplete-1"]:
		DirAccess.remove_absolute(name)
	return true


## The system does not sync it, except for an administrator.
func _a_folder_that_cannot_be_listed() -> bool:
	var folder: String = PATH + ".folder"
	DirAccess.make_dir_absolute(folder)
	write_file(folder + "/1", _file_of(VALUES).slice(0, -3))
	FileAccess.set_unix_permissions(folder, FileAccess.UNIX_WRITE_OWNER | FileAccess.UNIX_EXECUTE_OWNER)
	var repaired: VarBytesResult = VarBytesFile.open(folder + "/1", FileAccess.READ_WRITE).repair()
	FileAccess.set_unix_permissions(folder, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER | FileAccess.UNIX_EXECUTE_OWNER)
	check(repaired.ok and repaired.value.records == VALUES.size() - 1, "repair: %s" % repaired)
	for name: String in DirAccess.get_files_at(folder):
		DirAccess.remove_absolute(folder.path_join(name))
	DirAccess.remove_absolute(folder)
	return true


func _the_permissions_of_a_copy() -> bool:
	const OWNER: int = FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER
	for others: int in [0, FileAccess.UNIX_READ_GROUP, FileAccess.UNIX_WRITE_GROUP | FileAccess.UNIX_READ_OTHER | FileAccess.UNIX_WRITE_OTHER]:
		write_file(PATH, _file_of(VALUES).slice(0, -3))
		FileAccess.set_unix_permissions(PATH, OWNER | others)
		var kept: String = _open().repair().value.kept_in
		equal(FileAccess.get_unix_permissions(kept), FileAccess.get_unix_permissions(PATH), "the permissions of the copy")
		DirAccess.remove_absolute(kept)
	DirAccess.remove_absolute(PATH)
	return true


func _other_file(mode: int, flags: FileAccess.ModeFlags) -> FileAccess:
	if mode == 0:
		return FileAccess.open_encrypted_with_pass(PATH, flags, "secret")
	if mode == 1:
		return FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_ZSTD)
	return FileAccess.open(PATH, flags)


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
