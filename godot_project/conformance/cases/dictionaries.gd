extends RefCounted
## Dictionary: order, keys of every type, types of keys and values. Dictionaries that hold objects are in
## object_containers.gd.

const VectorSet := preload("res://conformance/vector_set.gd")
const Samples := preload("res://conformance/cases/samples.gd")
const Arrays := preload("res://conformance/cases/arrays.gd")

## Pairs of key type and value type; TYPE_NIL means untyped.
const TYPE_PAIRS: Array[Array] = [
	[TYPE_STRING, TYPE_INT], [TYPE_STRING, TYPE_NIL], [TYPE_NIL, TYPE_STRING], [TYPE_INT, TYPE_INT],
	[TYPE_INT, TYPE_FLOAT], [TYPE_FLOAT, TYPE_BOOL], [TYPE_BOOL, TYPE_NIL], [TYPE_STRING_NAME, TYPE_COLOR],
	[TYPE_NODE_PATH, TYPE_STRING_NAME], [TYPE_VECTOR2, TYPE_VECTOR2I], [TYPE_VECTOR3I, TYPE_STRING],
	[TYPE_RID, TYPE_RID], [TYPE_ARRAY, TYPE_ARRAY], [TYPE_DICTIONARY, TYPE_DICTIONARY],
	[TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_VECTOR4_ARRAY],
	[TYPE_STRING, TYPE_CALLABLE], [TYPE_SIGNAL, TYPE_STRING],
]


func add_to(vectors: VectorSet) -> void:
	_add_untyped(vectors)
	_add_keys(vectors)
	_add_typed(vectors)
	_add_nested(vectors)


static func typed(entries: Dictionary, key_type: int, value_type: int) -> Dictionary:
	return Dictionary(entries, key_type, &"", null, value_type, &"", null)


static func nested(levels: int) -> Dictionary:
	var value: Dictionary = {}
	for _level: int in levels - 1:
		value = {"in": value}
	return value


func _add_untyped(vectors: VectorSet) -> void:
	vectors.canonical("empty", {})
	vectors.canonical("empty-with-full-objects", {}, true)
	vectors.canonical("a-to-1", {"a": 1})
	vectors.canonical("order-of-insertion", {"z": 1, "a": 2, 3: 3, "m": 4, -1: 5})
	var reinserted: Dictionary = {"a": 1, "b": 2, "c": 3}
	reinserted.erase("a")
	reinserted["a"] = 4
	reinserted["b"] = 5
	vectors.canonical("order-after-erasing", reinserted)
	var sorted: Dictionary = {"b": 1, "a": 2}
	sorted.sort()
	vectors.canonical("order-after-sorting", sorted)
	var thousand: Dictionary = {}
	for index: int in 1000:
		thousand["key %d" % index] = index
	vectors.canonical("thousand-entries", thousand)
	var read_only: Dictionary = {1: 2}
	read_only.make_read_only()
	vectors.canonical("read-only", read_only)
	for type: int in TYPE_MAX:
		vectors.canonical("value-%s" % type_string(type), {"value": Samples.of_type(type)[-1]})


func _add_keys(vectors: VectorSet) -> void:
	for type: int in TYPE_MAX:
		var entries: Dictionary = {}
		for key: Variant in Samples.of_type(type):
			# Different Callables are different keys, but they are all written the same.
			if type != TYPE_CALLABLE or entries.is_empty():
				entries[key] = type
		vectors.canonical("key-%s" % type_string(type), entries)
	vectors.canonical("key-minus-zero", {-0.0: "minus zero"})
	vectors.canonical("key-nan", {NAN: "nan"})
	vectors.canonical("key-inf", {INF: 1, -INF: 2})
	vectors.canonical("keys-int-and-float", {1: "int", 1.0: "float"})
	vectors.canonical("keys-bool-and-int", {true: "bool", 1: "int", false: "bool", 0: "int"})
	vectors.canonical("keys-of-one-text", {"a": "String", ^"a": "NodePath", ["a"]: "Array"})
	vectors.canonical("keys-vector-and-integer-vector", {Vector2(1.0, 2.0): 1, Vector2i(1, 2): 2})
	vectors.canonical("keys-array-by-content", {[1]: 1, [1.0]: 2, [[1]]: 3, []: 4})
	vectors.canonical("keys-dictionary-by-order", {{1: 2, 3: 4}: 1, {3: 4, 1: 2}: 2})
	vectors.canonical("keys-nan-in-arrays", {[NAN]: 1, [NAN, 1]: 2})
	vectors.canonical("keys-packed-by-type", {PackedInt32Array([1]): 1, PackedInt64Array([1]): 2,
			PackedByteArray([1]): 3})
	vectors.canonical("keys-empty-of-many-types", {
		null: 0, false: 1, 0: 2, 0.0: 3, "": 4, ^"": 5, RID(): 6, []: 7, {}: 8, PackedByteArray(): 9, Vector2(): 10})


func _add_typed(vectors: VectorSet) -> void:
	for pair: Array in TYPE_PAIRS:
		var case_name: String = "%s-to-%s" % [_type_name(pair[0]), _type_name(pair[1])]
		var entries: Dictionary = {}
		entries[Samples.of_type(pair[0])[-1]] = Samples.of_type(pair[1])[-1]
		vectors.canonical(case_name, typed(entries, pair[0], pair[1]))
		vectors.canonical(case_name + "-empty", typed({}, pair[0], pair[1]))
	vectors.canonical("int-to-int-with-full-objects", typed({1: 2}, TYPE_INT, TYPE_INT), true)
	vectors.canonical("int-to-int-engine-test", typed({-0xedcba9876543211: -0xedcba9876543211}, TYPE_INT, TYPE_INT))
	for type: int in range(TYPE_BOOL, TYPE_MAX):
		if type == TYPE_OBJECT:
			continue
		var sample: Variant = Samples.of_type(type)[-1]
		vectors.canonical("only-key-%s" % type_string(type), typed({sample: null}, type, TYPE_NIL))
		vectors.canonical("only-value-%s" % type_string(type), typed({null: sample}, TYPE_NIL, type))
	var ints: Array[int] = [1]
	vectors.canonical("holding-typed", {"array": ints, "dictionary": typed({1: 2}, TYPE_INT, TYPE_INT)})


func _add_nested(vectors: VectorSet) -> void:
	vectors.canonical("nested-twice", {"in": {}})
	vectors.canonical("nested-as-keys", {{{{}: 1}: 2}: 3})
	vectors.canonical("nested-with-arrays", {"a": [{"b": [1, {"c": []}]}], ["k", {"k": []}]: {}})
	vectors.canonical("nested-document", {
		"name": "sword", "price": 12.5, "tags": PackedStringArray(["sharp", "old"]),
		"owner": {"id": 7, "position": Vector3(1.0, 2.0, 3.0)}, "history": [{"day": 1}, {"day": 2}], "note": null})
	vectors.canonical("nested-100-levels", nested(100))
	vectors.canonical("nested-to-the-limit", nested(Arrays.MAX_LEVELS))
	vectors.canonical("nested-to-the-limit-holding-arrays", {"in": Arrays.nested(Arrays.MAX_LEVELS - 1, null)})
	vectors.canonical("nested-60-levels-as-keys", _nested_as_keys(60))


func _nested_as_keys(levels: int) -> Dictionary:
	var value: Dictionary = {}
	for _level: int in levels - 1:
		value = {value: null}
	return value


func _type_name(type: int) -> String:
	return "Variant" if type == TYPE_NIL else type_string(type)
