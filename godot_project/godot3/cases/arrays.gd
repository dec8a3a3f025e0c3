extends Reference
## Array, except arrays that hold objects, which are in object_containers.gd.

const Codec := preload("res://codec.gd")
const VectorSet := preload("res://vector_set.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Samples := preload("res://cases/samples.gd")

## The outermost value has depth 0. Since 3.4 the engine's limit is depth 1024.
const MAX_LEVELS: int = 1025
## Engines without a limit are only limited by their stack, which allows more than this.
const SAFE_LEVELS: int = 499


func add_to(vectors: VectorSet) -> void:
	vectors.canonical("empty", [])
	vectors.canonical("empty-with-full-objects", [], true)
	vectors.canonical("one-and-null", [1, null])
	var every_type: Array = []
	for type in TYPE_MAX:
		vectors.canonical("holding-%s" % TaggedJson.TYPE_NAMES[type], Samples.of_type(type))
		every_type += Samples.of_type(type)
	vectors.canonical("holding-every-type", every_type)
	vectors.canonical("holding-every-type-with-full-objects", every_type, true)
	vectors.canonical("bytes-before-other-values",
			[PoolByteArray([1]), 1, PoolByteArray([1, 2, 3]), "a", PoolByteArray()])
	vectors.canonical("holding-ints-of-every-width", Samples.INTS)
	vectors.canonical("holding-float-edges", Samples.floats().values())
	vectors.canonical("holding-texts-of-every-padding", ["", "a", "ab", "abc", "abcd", "abcde"])
	vectors.canonical("holding-paths", [NodePath("a"), NodePath("ab/c:d"), NodePath("abcd")])
	for size in [1, 2, 3, 4, 5, 1000]:
		vectors.canonical("length-%d" % size, range(size))
	var nulls: Array = []
	nulls.resize(1000)
	vectors.canonical("thousand-nulls", nulls)
	var texts: Array = []
	for index in 256:
		texts.append("item %d" % index)
	vectors.canonical("256-texts", texts)
	var shared: Array = [1]
	vectors.canonical("same-array-twice", [shared, shared])
	_add_nested(vectors)


static func nested(levels: int, innermost = null) -> Array:
	var value: Array = [] if innermost == null else [innermost]
	for _level in levels - 1:
		value = [value]
	return value


## The deepest nesting that the cases use.
static func deepest() -> int:
	return MAX_LEVELS if Codec.limits_depth() else SAFE_LEVELS


func _add_nested(vectors: VectorSet) -> void:
	vectors.canonical("nested-twice", [[]])
	vectors.canonical("nested-uneven", [[1, [2, [3, [4]]]], [[[5], 6], 7], 8])
	vectors.canonical("nested-wide", [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
	vectors.canonical("nested-with-dictionaries", [{"a": [{"b": [{}]}]}, [{1: [2]}]])
	vectors.canonical("nested-100-levels", nested(100, "deep"))
	vectors.canonical("nested-deepest", nested(deepest()))
	vectors.canonical("nested-deepest-with-full-objects", nested(deepest()), true)
	vectors.canonical("nested-deepest-holding-null", nested(deepest() - 1, RID()))
	vectors.canonical("nested-deepest-with-dictionaries", _nested_by_turns(deepest()))


func _nested_by_turns(levels: int) -> Array:
	var value = []
	for level in levels - 1:
		if level % 2 == 1:
			value = [value]
		else:
			value = {"in": value}
	return value
