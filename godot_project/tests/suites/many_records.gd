extends "res://tests/suite.gd"
## Many records in one call: `store_many` writes what `store` writes for each value, or nothing. `next_many` returns what
## `next` returns for each record, and leaves one that cannot be read for the next call.

const RandomVariants := preload("res://tests/random_variants.gd")
const Nosy := preload("res://tests/fixtures/nosy.gd")

const PATH: String = "user://many_records.dat"
const OTHER: String = "user://many_records_one_by_one.dat"


func run() -> bool:
	await run_parts([
		_the_same_file.bind(false), _the_same_file.bind(true), _all_or_none, _replaced, _damaged, _cut_off, _growing, _misuse,
		_scripts_change_the_array, _scripts_use_the_file, _other_engines,
	])
	for path: String in [PATH, OTHER]:
		DirAccess.remove_absolute(path)
	return true


func _the_same_file(big_endian: bool) -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1) + 2 + int(big_endian)
	# Values that hold no others, in runs, are read in another way.
	var values: Array = ["y".repeat(100_000), null, 1, 2, {"a": 1}, "text", "x".repeat(100_000), [], PackedByteArray([1, 2, 3])]
	for index: int in 2000:
		values.append(variants.value())
	# The bytes of values from 64 KiB on are not copied.
	for length: int in range(65_520, 65_536, 4):
		values.append("z".repeat(length))
	for buffered: bool in [false, true]:
		var single := VarBytesFile.open(OTHER, FileAccess.WRITE)
		var many := VarBytesFile.open(PATH, FileAccess.WRITE)
		for file: VarBytesFile in [single, many]:
			file.big_endian = big_endian
			file.buffered = buffered
			file.store("before")
		var size: int = 0
		for value: Variant in values:
			size += single.store(value).bytes_used
		var stored: VarBytesResult = many.store_many(values)
		equal([stored.ok, stored.value, stored.bytes_used], [true, null, size], "store_many: %s" % stored.message)
		check(many.store_many([]).ok and many.store_many([1] as Array[int]).ok and single.store(1).ok, "none, and a typed Array")
		check(many.close().ok and single.close().ok, "close")
		check(FileAccess.get_file_as_bytes(PATH) == FileAccess.get_file_as_bytes(OTHER), "the files are the same")
	# Not the values themselves: an object is read as its id.
	values.clear()
	var single := VarBytesFile.open(PATH, FileAccess.READ)
	single.big_endian = big_endian
	while single.has_next():
		values.append(single.next().value)
	for count: int in [1, 2, 7, 1000, 1_000_000]:
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		file.big_endian = big_endian
		var found: Array = []
		var used: int = 0
		while file.has_next():
			var records: VarBytesResult = file.next_many(count)
			if not check(records.ok and records.value.size() == mini(count, values.size() - found.size()), records.message):
				break
			found.append_array(records.value)
			used += records.bytes_used
		equal(found, values, "%d records at a time" % count)
		equal(used, file.get_length() - 4 * values.size(), "the bytes of all values")
	return true


func _all_or_none() -> bool:
	var endless: Array = []
	endless.append(endless)
	for buffered: bool in [false, true]:
		var file := VarBytesFile.open(PATH, FileAccess.WRITE)
		file.buffered = buffered
		file.store("before")
		var refused: VarBytesResult = file.store_many([1, 2, {"a": endless}, 3])
		equal([refused.ok, refused.error], [false, VarBytesResult.LIMIT], "a value that cannot be encoded")
		check(refused.path.begins_with('$[2]["a"][0]'), "its path: %s" % refused.path.left(40))
		check(refused.message.begins_with("value 2: ") and refused.message.contains("path $[2]["), "its message: %s" % refused.message)
		check(file.store_many(["after", "all"]).ok and file.close().ok, "the file goes on")
		equal(VarBytesFile.open(PATH, FileAccess.READ).next_many(10).value, ["before", "after", "all"], "none of it is written")
	endless.clear()
	return true


## Records before the end can be replaced by others of the same length together.
func _replaced() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store_many([1, 2, 3, 4])
	file.seek(12)
	check(file.store_many([20, 30]).ok and file.get_position() == 36, "two are replaced")
	file.seek(12)
	check(not file.store_many([20, "longer"]).ok and file.get_position() == 12, "a longer one does not fit")
	file.seek(0)
	equal(file.next_many(9).value, [1, 20, 30, 4], "the records after that")
	equal(file.repair().value.records, 4, "the number of records")
	return true


func _damaged() -> bool:
	var values: Array = [1, {"a": 1}, "two", 3, {"b": [2]}, "end"]
	for damaged: int in values.size():
		var file := VarBytesFile.open(PATH, FileAccess.WRITE)
		file.store_many(values.slice(0, damaged))
		var start: int = file.get_position()
		file.store_many(values.slice(damaged))
		file.close()
		var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
		raw.encode_u32(start + 4, 99)
		write_file(PATH, raw)
		file = VarBytesFile.open(PATH, FileAccess.READ)
		if damaged > 0:
			equal(file.next_many(100).value, values.slice(0, damaged), "what stands before the damaged record")
		equal([file.get_position(), file.has_next()], [start, true], "the cursor is before it")
		var failed: VarBytesResult = file.next_many(100)
		equal([failed.ok, failed.error, failed.offset, failed.can_continue, failed.value], [false, VarBytesResult.MALFORMED, start + 4, true, null], "it is reported: %s" % failed.message)
		check(failed.message.contains(PATH), failed.message)
		var rest: Array = values.slice(damaged + 1)
		if rest.is_empty():
			check(not file.has_next(), "nothing follows")
		else:
			equal(file.next_many(100).value, rest, "what stands after it")
	return true


## At any length of a file, every complete record is read, and the rest is reported once.
func _cut_off() -> bool:
	var values: Array = [1, {"a": 1}, "two", 3]
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	var ends: Array[int] = [0]
	for value: Variant in values:
		file.store(value)
		ends.append(file.get_position())
	file.close()
	var raw: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	for size: int in raw.size() + 1:
		write_file(PATH, raw.slice(0, size))
		file = VarBytesFile.open(PATH, FileAccess.READ)
		var whole: int = ends.filter(func(end: int) -> bool: return end <= size).size() - 1
		var results: Array = []
		while file.has_next() and results.size() < 5:
			var records: VarBytesResult = file.next_many(100)
			results.append(records.value if records.ok else records.fault)
		var expected: Array = [] if whole == 0 else [values.slice(0, whole)]
		if not size in ends:
			expected.append("record_truncated")
		equal(results, expected, "%d bytes" % size)
	return true


func _growing() -> bool:
	var writer := VarBytesFile.open(PATH, FileAccess.WRITE)
	var reader := VarBytesFile.open(PATH, FileAccess.READ)
	for index: int in 100:
		check(reader.next_many(10).fault == "end_of_file" and not reader.has_next(), "nothing yet")
		writer.store_many([index, {"index": index}])
		equal(reader.next_many(10).value, [index, {"index": index}], "what was just written")
	return true


func _misuse() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store_many([1, 2])
	file.seek(0)
	for count: int in [0, -1]:
		var refused: VarBytesResult = file.next_many(count)
		check(refused.error == VarBytesResult.INVALID_ARGUMENT and refused.message.contains(str(count)), refused.message)
	equal(file.next_many(1).value, [1], "the cursor has not moved")
	file.close()
	for closed: VarBytesResult in [file.next_many(1), file.store_many([1]), file.store_many([])]:
		check(closed.error == VarBytesResult.STREAM and closed.message.contains("closed"), closed.message)
	file = VarBytesFile.open(PATH, FileAccess.READ)
	var refused: VarBytesResult = file.store_many([1])
	check(refused.error == VarBytesResult.STREAM and refused.message.contains(PATH), "read only: %s" % refused.message)
	return true


## The values are those of the call, whatever getters do to the Array.
func _scripts_change_the_array() -> bool:
	Nosy.file = VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	var values: Array = [Nosy.new(), Nosy.new(), 3]
	Nosy.array = values
	check(Nosy.file.store_many(values, _options()).ok and values.is_empty(), "a getter has cleared the Array")
	Nosy.array = []
	Nosy.file = null
	var file := VarBytesFile.open(PATH, FileAccess.READ)
	var read: VarBytesResult = file.next_many(10, _options())
	check(read.ok and read.value.size() == 3 and read.value[0] is Nosy, "objects are read: %s" % read.message)
	file.seek(0)
	var refused: VarBytesResult = file.next_many(10)
	check(refused.error == VarBytesResult.NOT_ALLOWED and refused.can_continue, "objects are refused: %s" % refused.message)
	return true


## A setter that reads the same file moves the cursor of the call that has called it.
func _scripts_use_the_file() -> bool:
	Nosy.file = null
	var nosy := Nosy.new()
	nosy.number = 5
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	check(file.store_many([nosy, "for the setter", "last"], _options()).ok, "store_many")
	file.seek(0)
	Nosy.seen = []
	Nosy.file = file
	var read: VarBytesResult = file.next_many(10, _options())
	Nosy.file = null
	check(read.ok and "for the setter" in Nosy.seen, "the setter has read a record")
	equal(read.value.slice(1), ["last"], "the call goes on after it")
	return true


func _other_engines() -> bool:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	var stored: VarBytesResult = file.store_many([1, [&"lamp"]], options)
	equal(stored.losses, PackedStringArray(["$[1][0]: StringName becomes String: this engine version has no such type"]), "what is lost")
	file.seek(0)
	equal(file.next_many(5, options).value, [1, ["lamp"]], "what is read")
	return true


func _options() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {"res://tests/fixtures/nosy.gd": ["*"]}
	return options
