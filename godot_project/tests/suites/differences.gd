extends "res://tests/suite.gd"
## What `diff` lists, and what `patch` makes of it.

const RandomVariants := preload("res://tests/random_variants.gd")


func run() -> bool:
	await run_parts([_same, _leaves, _dictionaries, _arrays, _typed, _objects, _without_end, _shared, _too_deep_beside_others, _deep, _long, _bits_of_floats, _keys_with_the_same_bytes, _keys_that_were_changed, _patched, _patched_at_random, _patches_that_do_not_fit, _elements_that_are_removed, _patches_of_typed_containers])
	return true


## One line for each difference.
static func lines(from: Variant, to: Variant) -> PackedStringArray:
	var shown: PackedStringArray = []
	for change: Dictionary in VarBytes.diff(from, to):
		shown.append("%s %s %s -> %s" % [change.kind, change.path, change.get("from", "-"), change.get("to", "-")])
	return shown


func _same() -> bool:
	var samples: Array = [
		null, true, 7, 0.5, NAN, "text", &"name", ^"a/b", Vector2(1, NAN), Color(1, 2, NAN), RID(), [1, [NAN]], {"a": {NAN: NAN}},
		PackedByteArray([1]), PackedInt32Array([1]), PackedInt64Array([1]), PackedFloat32Array([NAN]), PackedFloat64Array([NAN, 1]),
		PackedStringArray(["a"]), PackedVector2Array([Vector2(1, NAN)]), PackedColorArray([Color(NAN, 0, 0)]), Basis(), Rect2i(1, 2, 3, 4),
	]
	for value: Variant in samples:
		equal(lines(value, bytes_to_var(var_to_bytes(value))), PackedStringArray(), "%s and a copy" % type_string(typeof(value)))
	equal(lines({"a": 1, "b": 2}, {"b": 2, "a": 1}), PackedStringArray(), "the order of entries")
	return true


func _leaves() -> bool:
	var samples: Array = [
		[1, 1.0], [1, 2], [1, true], [null, 0], ["a", &"a"], ["a", "b"], [Vector2(1, 2), Vector2(1, 3)], [Vector2(1, 2), Vector2i(1, 2)], [0.5, NAN],
		[[1], PackedInt64Array([1])], [{}, []], [PackedByteArray([1]), PackedByteArray([2])], [PackedFloat32Array([1]), PackedFloat32Array([1, 2])],
		[PackedVector2Array([Vector2(1, 2)]), PackedVector2Array([Vector2(1, 3)])], [PackedStringArray(["a"]), PackedStringArray(["b"])],
		[PackedInt32Array([1]), PackedInt32Array([2])], [PackedInt64Array([1]), PackedInt64Array([2])], [PackedFloat64Array([1]), PackedFloat64Array([2])],
		[Color(1, 2, 3), Color(1, 2, 4)], [^"a", ^"b"], [Plane(1, 2, 3, 4), Quaternion(1, 2, 3, 4)],
	]
	for pair: Array in samples:
		var changes: Array[Dictionary] = VarBytes.diff(pair[0], pair[1])
		if check(changes.size() == 1, "%s and %s: %s" % [pair[0], pair[1], changes]):
			check(changes[0].kind == "changed" and changes[0].path == "$" and changes[0].keys == [], "the whole value: %s" % changes[0])
			check(typeof(changes[0].from) == typeof(pair[0]) and typeof(changes[0].to) == typeof(pair[1]), "both values: %s" % changes[0])
	return true


func _dictionaries() -> bool:
	var before: Dictionary = {"kept": 1, "player": {"hp": 10, "at": Vector2(1, 2)}, "old": null, 7: "seven"}
	var after: Dictionary = {"kept": 1, "player": {"hp": 7, "at": Vector2(1, 2)}, 7: "eight", "new": [1]}
	equal(lines(before, after), PackedStringArray([
		'changed $["player"]["hp"] 10 -> 7', 'removed $["old"] <null> -> -', "changed $[7] seven -> eight", 'added $["new"] - -> [1]']), "a dictionary")
	var changes: Array[Dictionary] = VarBytes.diff(before, after)
	equal(changes[0].keys, ["player", "hp"], "the keys of a value inside")
	check(changes[1].has("from") and not changes[1].has("to") and changes[3].has("to") and not changes[3].has("from"), "only values that exist")
	var keys: Dictionary = {Vector2i(1, 2): 1, 1.5: 1, true: 1, [1]: 1}
	var paths: Array = VarBytes.diff(keys, {}).map(func(change: Dictionary) -> String: return change.path)
	equal(paths, ["$[Vector2i(1, 2)]", "$[1.5]", "$[true]", "$[entry 3]"], "the paths of other keys")
	return true


func _arrays() -> bool:
	equal(lines([1, 2, [3]], [1, 5, [3, 4]]), PackedStringArray(["changed $[1] 2 -> 5", "added $[2][1] - -> 4"]), "an array that grows")
	equal(lines([1, 2, 3], [1]), PackedStringArray(["removed $[1] 2 -> -", "removed $[2] 3 -> -"]), "an array that shrinks")
	equal(VarBytes.diff([[1]], [[2]])[0].keys, [0, 0], "indices are keys")
	return true


func _typed() -> bool:
	var ints: Array[int] = [1]
	var other: Array[int] = [2]
	var typed: Dictionary[String, int] = {"a": 1}
	equal(lines([1], ints), PackedStringArray(["changed $ [1] -> [1]"]), "an element type")
	equal(lines(ints, other), PackedStringArray(["changed $[0] 1 -> 2"]), "the same element type")
	equal(lines({"a": 1}, typed).size(), 1, "the types of a dictionary")
	return true


func _objects() -> bool:
	var first := RefCounted.new()
	var second := RefCounted.new()
	var freed := Node.new()
	equal(lines([first], [first]).size(), 0, "one object")
	equal(lines([first], [second]).size(), 1, "two objects")
	equal(lines([first], [null]).size(), 1, "an object and null")
	var one: Variant = bytes_to_var(var_to_bytes(first))
	equal(lines(one, bytes_to_var(var_to_bytes(first))).size(), 0, "one id, decoded twice")
	equal(lines(one, bytes_to_var(var_to_bytes(second))).size(), 1, "two ids")
	var held: Array = [freed]
	freed.free()
	equal(lines(held, held.duplicate()).size(), 0, "a freed object")
	return true


func _without_end() -> bool:
	var pair: Array = []
	for branches: int in [1, 2, 100]:
		pair.clear()
		for side: int in 2:
			var endless: Array = []
			for branch: int in branches:
				endless.append(endless)
			pair.append(endless)
		equal(VarBytes.diff(pair[0], pair[0]).size(), 0, "one array that contains itself")
		var changes: Array[Dictionary] = VarBytes.diff(pair[0], pair[1])
		equal(changes.map(func(change: Dictionary) -> Array: return [change.kind, change.keys]), range(branches).map(func(index: int) -> Array: return ["changed", [index]]), "two arrays that contain themselves")
		for endless: Array in pair:
			endless.clear()
	var first: Dictionary = {}
	first["self"] = first
	var second: Dictionary = {}
	second["self"] = second
	equal(VarBytes.diff(first, second).size(), 1, "dictionaries that contain themselves")
	first.clear()
	second.clear()
	return true


## Containers that are in many places are compared once. Without that, 2^60 ways would lead to the innermost one.
func _shared() -> bool:
	for innermost: Variant in [[], [1], {}, {"hp": 1}, {1: [2]}]:
		var pair: Array = []
		for side: int in 2:
			var shared: Variant = innermost.duplicate(true)
			for level: int in 30:
				shared = [shared, {"left": shared, "right": shared}]
			pair.append(shared)
		equal(VarBytes.diff(pair[0], pair[1]).size(), 0, "two values with shared containers")
		pair[1].append(7)
		equal(VarBytes.diff(pair[0], pair[1]).map(func(change: Dictionary) -> Array: return [change.kind, change.keys]), [["added", [2]]], "an element beside shared containers")
	# What is too deep in one place is not so in another.
	for depth: int in [1000, 1010, 1013, 1014, 1015, 1020]:
		var pair: Array = []
		for side: int in 2:
			var shared: Variant = _nested(10)
			var deep: Variant = shared
			for level: int in depth:
				deep = [deep]
			pair.append([shared, deep])
		var alone: int = VarBytes.diff([0, pair[0][1]], [0, pair[1][1]]).size()
		equal(VarBytes.diff(pair[0], pair[1]).size(), alone, "a container that is deeper the second time")
		for side: Array in pair:
			side.reverse()
		equal(VarBytes.diff(pair[0], pair[1]).size(), alone, "a container that is deeper the first time")
	return true


## What is too deep changes as a whole, and the entries after it are compared.
func _too_deep_beside_others() -> bool:
	var from: Dictionary = {"first": 1, "deep": {"before": 1, "inside": _nested(1030)}, "hp": 1, "gone": 5}
	var to: Dictionary = {"first": 2, "deep": {"before": 2, "inside": _nested(1030)}, "hp": 2, "new": 3}
	var changes: Array[Dictionary] = VarBytes.diff(from, to)
	equal(changes.map(func(change: Dictionary) -> Array: return [change.kind, change.keys]),
		[["changed", ["first"]], ["changed", ["deep"]], ["changed", ["hp"]], ["removed", ["gone"]], ["added", ["new"]]], "each change")
	check(is_same(changes[1].from, from.deep) and is_same(changes[1].to, to.deep), "the member that is too deep")
	var patched: Dictionary = VarBytes.patch(from, changes).value
	check(is_same(patched.deep, to.deep) and VarBytes.diff(patched, to).is_empty(), "the patched value")
	return true


## After a patch, the bytes are those of the other value.
func _bits_of_floats() -> bool:
	var minus: float = bytes_to_var(PackedByteArray([3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80]))
	var other_nan: float = bytes_to_var(PackedByteArray([3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0xf8, 0x7f]))
	for pair: Array in [
		[0.0, minus], [NAN, other_nan], [Vector2(0, 1), Vector2(minus, 1)], [Vector3(), Vector3(0, minus, 0)], [Color(0, 0, 0), Color(0, minus, 0)],
		[Transform3D(), Transform3D(Basis(), Vector3(0, 0, minus))], [PackedFloat32Array([0]), PackedFloat32Array([minus])],
		[PackedFloat64Array([NAN]), PackedFloat64Array([other_nan])], [PackedVector3Array([Vector3()]), PackedVector3Array([Vector3(minus, 0, 0)])],
		[PackedColorArray([Color(0, 0, 0)]), PackedColorArray([Color(0, 0, minus)])],
	]:
		for values: Array in [pair, [[pair[0]], [pair[1]]], [{"a": pair[0]}, {"a": pair[1]}]]:
			var changes: Array[Dictionary] = VarBytes.diff(values[0], values[1])
			equal(changes.size(), 1, "the changes of %s" % [values])
			equal(var_to_bytes(VarBytes.patch(values[0], changes).value), var_to_bytes(values[1]), "%s, patched" % [values])
	equal(VarBytes.diff({0.0: 1, Vector2(): 1}, {minus: 1, Vector2(minus, 0): 1}).size(), 0, "keys that the engine takes for the same")
	return true


func _keys_with_the_same_bytes() -> bool:
	var first: Callable = func() -> void: pass
	var object := RefCounted.new()
	var id: Object = bytes_to_var(var_to_bytes(object))
	for keys: Array in [[first, print], [[first], [print]], [object, id], [object, null], [Signal(object, "a"), Signal(object, "b")]]:
		var from: Dictionary = {keys[0]: {"a": 1}, keys[1]: {"a": 2}}
		var to: Dictionary = {keys[0]: {"a": 8}, keys[1]: {"a": 9}}
		equal(VarBytes.patch(from, VarBytes.diff(from, to)).value, to, "the keys %s" % [keys])
	return true


## An engine that was asked for such a key would not find it.
func _keys_that_were_changed() -> bool:
	var array: Array = [1]
	var packed: PackedByteArray = [1]
	var with_array: Dictionary = {array: "x", packed: "y"}
	array.append(2)
	packed.append(2)
	var clean: Dictionary = {[1, 2]: "x", PackedByteArray([1, 2]): "y"}
	for same_values: Array in [[with_array, with_array.duplicate()], [with_array, clean], [clean, with_array]]:
		equal(VarBytes.diff(same_values[0], same_values[1]).size(), 0, "the same entries")
	for pair: Array in [[with_array, {}], [{}, with_array], [with_array, {[1]: "x"}], [{[1]: "x"}, with_array], [with_array, {[1, 2]: "z"}]]:
		var result: VarBytesResult = VarBytes.patch(pair[0], VarBytes.diff(pair[0], pair[1]))
		if check(result.ok, result.message):
			equal(VarBytes.diff(result.value, pair[1]), [] as Array[Dictionary], "%s, patched" % [pair])
	return true


func _deep() -> bool:
	var from: Variant = 1
	var to: Variant = 2
	for level: int in 1024:
		from = [from]
		to = [to]
	var changes: Array[Dictionary] = VarBytes.diff(from, to)
	check(changes.size() == 1 and changes[0].keys.size() == 1024 and changes[0].from == 1, "1024 levels")
	equal(VarBytes.diff(from, bytes_to_var(var_to_bytes(from))).size(), 0, "1024 levels that are the same")
	return true


## A comparison of each entry with each would not end within the time limit of a run.
func _long() -> bool:
	var count: int = 400_000
	var from: Dictionary = {}
	var to: Dictionary = {}
	for index: int in count:
		from[index] = [index]
		to[count - 1 - index] = [count - 1 - index]
	to[count / 2] = [-1]
	equal(VarBytes.diff(from, to).size(), 1, "one change of %d entries in another order" % count)
	return true


func _patched() -> bool:
	var shared: Dictionary = {"x": 1}
	var before: Dictionary = {"kept": shared, "hp": 10, "items": ["lamp", "rope", "axe"], 7: {"a": [1]}}
	var after: Dictionary = {"kept": shared, "hp": 7, "items": ["lamp", "sword"], 7: {"a": [1, {}]}, "new": null}
	var copy: Dictionary = before.duplicate(true)
	var result: VarBytesResult = VarBytes.patch(before, VarBytes.diff(before, after))
	check(result.ok and result.bytes_used == 0, result.message)
	equal(result.value, {"kept": {"x": 1}, "hp": 7, "items": ["lamp", "sword"], 7: {"a": [1, {}]}, "new": null}, "the patched value")
	equal(before, copy, "the value itself")
	check(is_same(result.value.kept, shared), "what does not change is shared")
	check(not is_same(result.value[7], before[7]), "what changes is copied")
	equal(VarBytes.patch(5, VarBytes.diff(5, "six")).value, "six", "a whole value")
	check(is_same(VarBytes.patch(before, []).value, before), "no changes")
	var constant: Array = [[1]]
	constant.make_read_only()
	equal(VarBytes.patch(constant, VarBytes.diff(constant, [[1], 2])).value, [[1], 2], "a constant")
	return true


func _patched_at_random() -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1) + 11
	for turn: int in 1000:
		var before: Variant = variants.value()
		var after: Variant = _mutated(before, variants)
		var changes: Array = VarBytes.diff(before, after)
		if turn % 2 == 1:
			var short: Array = changes.map(func(change: Dictionary) -> Dictionary: return _for_patch(change))
			changes = VarBytes.diff(before, after, true)
			equal(VarBytes.to_text(changes), VarBytes.to_text(Array(short, TYPE_DICTIONARY, &"", null)), "only what patch needs")
		var received: Array = VarBytes.decode(VarBytes.encode(changes).value).value
		# Objects that are received are ids, which are no keys of the same entries, and Callables are null.
		var is_received: bool = same(changes, received)
		for given: Array in [changes, received] if is_received else [changes]:
			var result: VarBytesResult = VarBytes.patch(before, given)
			if check(result.ok, result.message):
				equal(VarBytes.diff(result.value, after), [] as Array[Dictionary], "%s, patched" % [changes])
	return true


func _for_patch(change: Dictionary) -> Dictionary:
	var short: Dictionary = change.duplicate()
	short.erase("path")
	short.erase("from")
	return short


## Returns a copy with changes at random places.
func _mutated(value: Variant, variants: RandomVariants) -> Variant:
	if variants.random.randf() < 0.1:
		return variants.value(3)
	if value is Array:
		var array: Array = value.duplicate()
		for index: int in array.size():
			if not array.is_typed() and variants.random.randf() < 0.5:
				array[index] = _mutated(array[index], variants)
		if variants.random.randf() < 0.3:
			array.resize(array.size() / 2)
		elif not array.is_typed():
			array.append(variants.value(3))
		return array
	if value is Dictionary:
		var dictionary: Dictionary = value.duplicate()
		for key: Variant in value:
			if variants.random.randf() < 0.2:
				dictionary.erase(key)
			elif not dictionary.is_typed() and variants.random.randf() < 0.5:
				dictionary[key] = _mutated(dictionary[key], variants)
		if not dictionary.is_typed():
			dictionary["key %d" % variants.random.randi_range(0, 3)] = variants.value(3)
		return dictionary
	return value


## Changes can come from another program. The error names the change and the place.
func _patches_that_do_not_fit() -> bool:
	var value: Dictionary = {"a": [1, 2], "b": 3}
	var at: Callable = func(keys: Array, kind: String, to: Variant = null) -> Array: return [{"keys": keys, "kind": kind, "to": to}]
	for wrong: Array in [
		[at.call(["c"], "changed"), 'change 0: key "c" does not exist', "$"], [at.call(["b"], "added"), 'key "b" is there already', "$"],
		[at.call(["c"], "removed"), 'there is no key "c"', "$"], [at.call(["a", 2], "changed"), "key 2 does not exist", '$["a"]'],
		[at.call(["a", 3], "added"), "is not the index after the last one", '$["a"]'], [at.call(["a", 1], "added"), "is there already", '$["a"]'],
		[at.call(["a", -1], "removed"), "there is no key -1", '$["a"]'], [at.call(["a", "0"], "changed"), 'key "0" does not exist', '$["a"]'],
		[at.call(["a", 0.0], "changed"), "key 0.0 does not exist", '$["a"]'], [at.call(["b", 0], "changed"), "change 0: what it changes is not an Array or Dictionary", '$["b"]'],
		[at.call(["c", 0], "changed"), 'change 0: there is no key "c"', "$"], [at.call([], "removed"), "only \"changed\" is possible", "$"],
		[at.call(["a"], "else"), "neither", "$"], [[5], "is not a Dictionary", "$"], [[{}], "no Array of keys", "$"],
		[[{"keys": [], "kind": "changed"}], 'no value "to"', "$"], [[{"keys": 5, "kind": "changed", "to": 5}], "no Array of keys", "$"],
		[at.call(range(1026), "changed"), "more than 1025 keys", "$"], [at.call([_nested(51)], "added"), "nested deeper than 50 levels", "$"], [at.call([[]], "removed"), "there is no key of type Array", "$"],
		[at.call(["a", 0], "removed") + at.call(["a", 1], "removed") + at.call(["a", 1], "removed"), "change 2: there is no key 1", '$["a"]'],
	]:
		var refused: VarBytesResult = VarBytes.patch(value, wrong[0])
		check(refused.error == VarBytesResult.INVALID_ARGUMENT and refused.message.contains(wrong[1]), "%s: %s" % [wrong, refused])
		equal(refused.path, wrong[2], "the path of %s" % [wrong])
	# Two lists of diff() that are joined: the order of their changes would count.
	for joined: Array in [
		[at.call(["a"], "changed", {"x": 1}) + at.call(["a", 0], "changed", 5), "change 0: key \"a\" has changes inside it too"],
		[at.call(["a", 0], "changed", 5) + at.call(["a"], "removed"), "change 1: key \"a\" has changes inside it too"],
		[at.call(["c"], "added", {}) + at.call(["c", 0], "added", 5), "change 1: there is no key \"c\": pass the list of each diff() to its own call"],
		[at.call(["a", 0], "changed", 5) + at.call([&"a"], "changed", 5), "change 1: key &\"a\" has changes inside it too"],
		[at.call(["a", 0], "changed", 5) + at.call([], "changed", 5), "change 1: the value has changes inside it too"],
	]:
		var refused: VarBytesResult = VarBytes.patch(value, joined[0])
		check(refused.error == VarBytesResult.INVALID_ARGUMENT and refused.message.contains(joined[1]), "%s: %s" % [joined, refused])
	# What a packet of another peer may contain.
	for wrong: Variant in [null, 5, {}, "x", PackedInt32Array(), RefCounted.new()]:
		var refused: VarBytesResult = VarBytes.patch(value, wrong)
		check(refused.error == VarBytesResult.INVALID_ARGUMENT and "must be an Array" in refused.message, "%s: %s" % [wrong, refused])
	equal(value, {"a": [1, 2], "b": 3}, "the value")
	return true


func _nested(levels: int) -> Array:
	var key: Array = []
	for level: int in levels - 1:
		key = [key]
	return key


## In any order; the indices are those before the first removal.
func _elements_that_are_removed() -> bool:
	var removed: Array = [7, 2, 3, 9].map(func(index: int) -> Dictionary: return {"keys": [index], "kind": &"removed"})
	equal(VarBytes.patch(range(10), removed).value, [0, 1, 4, 5, 6, 8], "an Array")
	var typed: Array[int] = [0, 1, 2]
	var result: VarBytesResult = VarBytes.patch(typed, [{"keys": [0], "kind": "removed"}])
	check(result.value == [1, 2] and result.value.is_same_typed(typed), "a typed Array")
	return true


func _patches_of_typed_containers() -> bool:
	var typed: Dictionary[String, Array] = {"a": [1]}
	var numbers: Array[int] = [1]
	var nodes: Array[Resource] = [null]
	for fitting: Array in [[typed, ["b"], []], [numbers, [1], 2], [nodes, [1], Image.new()], [nodes, [1], null]]:
		var result: VarBytesResult = VarBytes.patch(fitting[0], [{"keys": fitting[1], "kind": "added", "to": fitting[2]}])
		check(result.ok and result.value.size() == 2 and result.value.is_same_typed(fitting[0]), "%s: %s" % [fitting, result])
	for wrong: Array in [[typed, ["b"], 5], [typed, [5], []], [numbers, [1], 2.0], [numbers, [1], null], [nodes, [1], RefCounted.new()], [nodes, [1], 5]]:
		var result: VarBytesResult = VarBytes.patch(wrong[0], [{"keys": wrong[1], "kind": "added", "to": wrong[2]}])
		var misfit: String = "a key of type int" if wrong[1] == [5] else "a value of type"
		check(result.message.contains(misfit) and result.message.contains("does not fit the typed container"), "%s: %s" % [wrong, result])
	return true
