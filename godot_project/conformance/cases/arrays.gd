extends RefCounted
## Array, untyped and typed with every built-in type. Arrays that hold objects are in object_containers.gd.

const VectorSet := preload("res://conformance/vector_set.gd")
const Samples := preload("res://conformance/cases/samples.gd")

## The outermost value has depth 0, and the engine's limit is depth 1024.
const MAX_LEVELS: int = 1025


func add_to(vectors: VectorSet) -> void:
	_add_untyped(vectors)
	for type: int in range(TYPE_BOOL, TYPE_MAX):
		var type_name: String = type_string(type)
		if type != TYPE_OBJECT:
			vectors.canonical("of-%s-empty" % type_name, Array([], type, &"", null))
			vectors.canonical("of-%s" % type_name, Array(Samples.of_type(type), type, &"", null))
	_add_typed(vectors)
	_add_nested(vectors)


static func nested(levels: int, innermost: Variant) -> Array:
	var value: Array = [] if innermost == null else [innermost]
	for _level: int in levels - 1:
		value = [value]
	return value


func _add_untyped(vectors: VectorSet) -> void:
	vectors.canonical("empty", [])
	vectors.canonical("empty-with-full-objects", [], true)
	vectors.canonical("one-and-null", [1, null])
	var every_type: Array = []
	for type: int in TYPE_MAX:
		vectors.canonical("holding-%s" % type_string(type), Samples.of_type(type))
		every_type.append_array(Samples.of_type(type))
	vectors.canonical("holding-every-type", every_type)
	vectors.canonical("holding-every-type-with-full-objects", every_type, true)
	vectors.canonical("bytes-before-other-values",
			[PackedByteArray([1]), 1, PackedByteArray([1, 2, 3]), "a", PackedByteArray()])
	vectors.canonical("thousand-ints", range(1000))
	vectors.canonical("thousand-nulls", _filled(1000, null))
	vectors.canonical("256-texts", range(256).map(func(index: int) -> String: return "item %d" % index))
	var shared: Array = [1]
	vectors.canonical("same-array-twice", [shared, shared])
	vectors.canonical("read-only", _read_only([1, 2]))


func _add_typed(vectors: VectorSet) -> void:
	vectors.canonical("of-int-with-full-objects", Array([1], TYPE_INT, &"", null), true)
	vectors.canonical("of-int-engine-test", Array([-0xedcba9876543211], TYPE_INT, &"", null))
	vectors.canonical("of-int-every-width", Array(Array(Samples.INTS), TYPE_INT, &"", null))
	vectors.canonical("of-float-edges", Array(Samples.floats().values(), TYPE_FLOAT, &"", null))
	vectors.canonical("of-String-every-padding", Array(Samples.texts().values().slice(0, 7), TYPE_STRING, &"", null))
	var ints: Array[int] = [1, 2]
	var texts: Array[String] = ["a"]
	vectors.canonical("of-Array-typed", Array([ints, texts, []], TYPE_ARRAY, &"", null))
	var by_text: Dictionary[String, int] = {"a": 1}
	vectors.canonical("of-Dictionary-typed", Array([by_text, {}], TYPE_DICTIONARY, &"", null))
	vectors.canonical("holding-typed", [ints, texts, by_text])
	vectors.canonical("of-int-thousand", Array(range(1000), TYPE_INT, &"", null))


func _add_nested(vectors: VectorSet) -> void:
	vectors.canonical("nested-twice", [[]])
	vectors.canonical("nested-uneven", [[1, [2, [3, [4]]]], [[[5], 6], 7], 8])
	vectors.canonical("nested-wide", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
	vectors.canonical("nested-with-dictionaries", [{"a": [{"b": [{}]}]}, [{1: [2]}]])
	vectors.canonical("nested-100-levels", nested(100, "deep"))
	vectors.canonical("nested-to-the-limit", nested(MAX_LEVELS, null))
	vectors.canonical("nested-to-the-limit-with-full-objects", nested(MAX_LEVELS, null), true)
	vectors.canonical("nested-to-the-limit-holding-null", nested(MAX_LEVELS - 1, RID()))
	vectors.canonical("nested-to-the-limit-typed", _nested_typed(MAX_LEVELS))
	vectors.canonical("nested-to-the-limit-with-dictionaries", _nested_by_turns(MAX_LEVELS))


func _nested_typed(levels: int) -> Array:
	var value: Array = Array([], TYPE_ARRAY, &"", null)
	for _level: int in levels - 1:
		value = Array([value], TYPE_ARRAY, &"", null)
	return value


func _nested_by_turns(levels: int) -> Array:
	var value: Variant = []
	for level: int in levels - 1:
		value = [value] if level % 2 == 1 else {"in": value}
	return value


func _filled(size: int, value: Variant) -> Array:
	var array: Array = []
	array.resize(size)
	array.fill(value)
	return array


func _read_only(array: Array) -> Array:
	array.make_read_only()
	return array
