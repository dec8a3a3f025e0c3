extends Reference
## Dictionary: order and keys of every type. Dictionaries that hold objects are in object_containers.gd.

const VectorSet := preload("res://vector_set.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Samples := preload("res://cases/samples.gd")
const Arrays := preload("res://cases/arrays.gd")


func add_to(vectors: VectorSet) -> void:
	_add_order(vectors)
	_add_keys(vectors)
	_add_lost_keys(vectors)
	_add_nested(vectors)


static func nested(levels: int) -> Dictionary:
	var value: Dictionary = {}
	for _level in levels - 1:
		value = {"in": value}
	return value


func _add_order(vectors: VectorSet) -> void:
	vectors.canonical("empty", {})
	vectors.canonical("empty-with-full-objects", {}, true)
	vectors.canonical("a-to-1", {"a": 1})
	vectors.canonical("order-of-insertion", {"z": 1, "a": 2, 3: 3, "m": 4, -1: 5})
	var reinserted: Dictionary = {"a": 1, "b": 2, "c": 3}
	var _was_there: bool = reinserted.erase("a")
	reinserted["a"] = 4
	reinserted["b"] = 5
	vectors.canonical("order-after-erasing", reinserted)
	var thousand: Dictionary = {}
	for index in 1000:
		thousand["key %d" % index] = index
	vectors.canonical("thousand-entries", thousand)
	for type in TYPE_MAX:
		vectors.canonical("value-%s" % TaggedJson.TYPE_NAMES[type], {"value": Samples.one_of_type(type)})


func _add_keys(vectors: VectorSet) -> void:
	for type in TYPE_MAX:
		var entries: Dictionary = {}
		for key in Samples.of_type(type):
			entries[key] = type
		vectors.canonical("key-%s" % TaggedJson.TYPE_NAMES[type], entries)
	vectors.canonical("key-minus-zero", {Samples.bits_64(Samples.INT_MIN): "minus zero"})
	vectors.canonical("key-nan", {NAN: "nan"})
	vectors.canonical("key-inf", {INF: 1, -INF: 2})
	vectors.canonical("key-nan-in-vector", {Vector2(NAN, 0.0): 1, Vector3(0.0, NAN, 0.0): 2})
	vectors.canonical("keys-int-and-float", {1: "int", 1.0: "float"})
	vectors.canonical("keys-bool-and-int", {true: "bool", 1: "int", false: "bool", 0: "int"})
	vectors.canonical("keys-of-one-text", {"name": "String", NodePath("name"): "NodePath", ["name"]: "Array"})
	vectors.canonical("keys-array-by-content", {[1]: 1, [1.0]: 2, [[1]]: 3, []: 4})
	vectors.canonical("keys-dictionary-by-reference", {{1: 2}: 1, {1: 2}: 2, {}: 3, {}: 4})
	vectors.canonical("keys-nan-in-arrays", {[NAN]: 1, [NAN, 1]: 2})
	vectors.canonical("keys-packed-by-type", {PoolIntArray([1]): 1, PoolRealArray([1.0]): 2, PoolByteArray([1]): 3})
	vectors.canonical("keys-empty-of-many-types", {
		null: 0, false: 1, 0: 2, 0.0: 3, "": 4, NodePath(): 5, RID(): 6, []: 7, {}: 8, PoolByteArray(): 9, Vector2(): 10})


## Keys that the encoder no longer finds when it looks up their values.
func _add_lost_keys(vectors: VectorSet) -> void:
	var key: Array = [1]
	var entries: Dictionary = {"a": 1, key: 2, "b": 3}
	key.append(2)
	vectors.canonical("key-array-changed-since", entries)
	vectors.canonical("key-array-changed-since-with-full-objects", entries, true)
	var inner: Dictionary = {1: 1}
	var by_dictionary: Dictionary = {inner: "found"}
	inner[2] = 2
	vectors.canonical("key-dictionary-changed-since", by_dictionary)
	var numbers: PoolRealArray = PoolRealArray([NAN])
	vectors.canonical("key-nan-in-PackedFloat32Array", {numbers: 1})


func _add_nested(vectors: VectorSet) -> void:
	vectors.canonical("nested-twice", {"in": {}})
	vectors.canonical("nested-as-keys", {{{{}: 1}: 2}: 3})
	vectors.canonical("nested-with-arrays", {"a": [{"b": [1, {"c": []}]}], ["k", {"k": []}]: {}})
	vectors.canonical("nested-document", {
		"name": "sword", "price": 12.5, "tags": PoolStringArray(["sharp", "old"]),
		"owner": {"id": 7, "position": Vector3(1.0, 2.0, 3.0)}, "history": [{"day": 1}, {"day": 2}], "note": null})
	vectors.canonical("nested-100-levels", nested(100))
	vectors.canonical("nested-deepest", nested(Arrays.deepest()))
	vectors.canonical("nested-deepest-holding-arrays", {"in": Arrays.nested(Arrays.deepest() - 1)})
	vectors.canonical("nested-12-levels-as-keys", _nested_as_keys(12))


func _nested_as_keys(levels: int) -> Dictionary:
	var value: Dictionary = {}
	for _level in levels - 1:
		value = {value: null}
	return value
