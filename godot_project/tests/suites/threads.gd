extends "res://tests/suite.gd"
## Eight threads at once, each with its own values, or all with one file.
##
## In the editor, only one thread at a time creates and frees results: the editor lists the objects of reloadable
## classes without a lock, and crashes if two threads create one (Godot 4.6.3, with any extension that is `reloadable`).

const RandomVariants := preload("res://tests/random_variants.gd")
const FILE: String = "user://of_all_threads.dat"

var _one_at_a_time := Mutex.new()


func run() -> bool:
	for differences: int in in_threads(8, _compare_many):
		check(differences == 0, "%d values differ in a thread" % differences)
	for differences: int in in_threads(8, _compare_long):
		check(differences == 0, "%d long values differ in a thread" % differences)
	for differences: int in in_threads(8, _compare_keys):
		check(differences == 0, "%d Dictionaries have other keys in a thread" % differences)
	for differences: int in in_threads(8, _compare_paths):
		check(differences == 0, "%d paths differ in a thread" % differences)
	_store_in_one_file()
	return true


func _compare_many(seed_number: int) -> int:
	var variants := RandomVariants.new()
	variants.random.seed = seed_number
	var differences: int = 0
	for index: int in 2000:
		var value: Variant = variants.value()
		var bytes: PackedByteArray = VarBytes.var_to_bytes(value)
		if bytes != var_to_bytes(value) or not _decodes(bytes, bytes_to_var(bytes)):
			differences += 1
	return differences


## One thread at a time has the space that is used again for long values.
func _compare_long(seed_number: int) -> int:
	var differences: int = 0
	for index: int in 300:
		var bytes := PackedByteArray()
		bytes.resize(8000 + 700 * index)
		bytes.fill(seed_number * 16 + index % 16)
		for value: Variant in [bytes, {"bytes": bytes}, range(seed_number, seed_number + index), [bytes.get_string_from_ascii(), index, bytes]]:
			var written: PackedByteArray = VarBytes.var_to_bytes(value)
			if written != var_to_bytes(value) or VarBytes.bytes_to_var(written) != value:
				differences += 1
	return differences


## Keys are kept from one packet to the next. Neither packets nor threads change those of others.
func _compare_keys(seed_number: int) -> int:
	var random := RandomNumberGenerator.new()
	random.seed = seed_number
	var pairs: Array[Array] = []
	for index: int in 500:
		var value: Dictionary = {}
		for entry: int in 20:
			value["key_%d" % random.randi_range(0, 400)] = entry
		pairs.append([value, VarBytes.bytes_to_var(var_to_bytes(value))])
	var differences: int = 0
	for pair: Array in pairs:
		if not same(pair[0], pair[1]):
			differences += 1
	return differences


## Threads get the same paths. The engine stores the text of a path with it when it is first needed.
func _compare_paths(seed_number: int) -> int:
	var differences: int = 0
	for index: int in 3000:
		var text: String = "Round%d/Enemy%d:x:y" % [index / 50, (index + seed_number) % 8]
		var read: Array = VarBytes.bytes_to_var(var_to_bytes([NodePath(text), {NodePath(text): 1}]))
		var path: NodePath = read[0]
		if str(path) != text or read[1].keys() != [path] or path.get_concatenated_subnames() != &"x:y":
			differences += 1
	return differences


## All records of all threads are in the file, those of a thread in its order. Long ones make the others wait longer.
func _store_in_one_file() -> void:
	const COUNT: int = 1500
	var file: VarBytesFile = VarBytesFile.open(FILE, FileAccess.WRITE_READ)
	for failed: int in in_threads(8, _store_many.bind(file, COUNT)):
		check(failed == 0, "%d records of a thread were not stored" % failed)
	check(file.close().ok, "the file of all threads was closed")
	file = VarBytesFile.open(FILE, FileAccess.READ)
	var next_of: Array[int] = [0, 0, 0, 0, 0, 0, 0, 0]
	while file.has_next():
		var record: Variant = file.try_next()
		if not check(record is Array and record[1] == next_of[record[0]], "the record after %s" % [next_of]):
			break
		next_of[record[0]] += 1
	check(next_of.all(func(count: int) -> bool: return count == COUNT), "records of each thread: %s" % [next_of])
	DirAccess.remove_absolute(FILE)


func _store_many(thread: int, file: VarBytesFile, count: int) -> int:
	var failed: int = 0
	for index: int in count:
		var long: PackedByteArray = PackedByteArray()
		long.resize(300_000 if index % 500 == 0 else index % 50)
		if not file.try_store([thread, index, long]):
			failed += 1
	return failed


func _decodes(bytes: PackedByteArray, expected: Variant) -> bool:
	if not Engine.is_editor_hint():
		return _decodes_here(bytes, expected)
	_one_at_a_time.lock()
	var decodes: bool = _decodes_here(bytes, expected)
	_one_at_a_time.unlock()
	return decodes


func _decodes_here(bytes: PackedByteArray, expected: Variant) -> bool:
	var result: VarBytesResult = VarBytes.decode(bytes)
	return result.ok and same(result.value, expected)
