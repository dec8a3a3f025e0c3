extends "res://tests/suite.gd"
## What `diff` lists.


func run() -> bool:
	await run_parts([_same, _leaves, _dictionaries, _arrays, _typed, _objects, _without_end, _deep, _long])
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
		check(changes.size() == 1 and changes[0].keys.size() == 1025 and changes[0].kind == "changed", "two arrays that contain themselves")
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
