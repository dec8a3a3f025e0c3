extends "res://tests/suite.gd"
## Eight threads at once, each with its own values.
##
## In the editor, only one thread at a time creates and frees results: the editor lists the objects of reloadable
## classes without a lock, and crashes if two threads create one (Godot 4.6.3, with any extension that is `reloadable`).

const RandomVariants := preload("res://tests/random_variants.gd")

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
