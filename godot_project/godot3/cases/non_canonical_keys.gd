extends Reference
## Dictionaries with duplicate keys: the first key keeps its position and gets the last value. The engine decides which
## keys are duplicates, so there are pairs of keys that it joins and pairs that it keeps apart.

const Codec := preload("res://codec.gd")
const VectorSet := preload("res://vector_set.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")

const JOINED: String = "the two keys are duplicates"
const APART: String = "the two keys differ, and an ignored bit makes this non-canonical"


func add_to(vectors: VectorSet) -> void:
	for type in TYPE_MAX:
		if type != TYPE_OBJECT and type != TYPE_DICTIONARY:
			var key: PoolByteArray = var2bytes(Samples.one_of_type(type))
			_join(vectors, "same-%s" % TaggedJson.TYPE_NAMES[type], key, key)
	_add_numbers(vectors)
	_add_edges(vectors)
	_add_texts(vectors)
	_add_arrays(vectors)
	_add_dictionaries(vectors)
	_add_depth(vectors)
	_add_handles(vectors)
	_add_order(vectors)


func _add_numbers(vectors: VectorSet) -> void:
	var minus_zero: float = Samples.bits_64(Samples.INT_MIN)
	_join_values(vectors, "zero-and-minus-zero", 0.0, minus_zero)
	_join_values(vectors, "minus-zero-and-zero", minus_zero, 0.0)
	_join_values(vectors, "nan-and-nan", NAN, NAN)
	_join_values(vectors, "nan-and-other-nan", NAN, Samples.bits_64(-1))
	_part_values(vectors, "int-and-float", 1, 1.0)
	_part_values(vectors, "bool-and-int", true, 1)
	_part_values(vectors, "zero-int-and-float", 0, 0.0)
	_part_values(vectors, "nil-and-false", null, false)
	_part_values(vectors, "int-by-upper-word", 1, 0x100000001)
	_part_values(vectors, "float-nearly-equal", 1.0, Samples.bits_64(0x3ff0000000000001))
	_join(vectors, "int-narrow-and-wide", var2bytes(1), Wire.hex("02000100 01000000 00000000"))
	_join(vectors, "bool-of-two-words", var2bytes(true), Wire.hex("01000000 02000000"))
	# The difference between them is never read.
	_join(vectors, "RIDs", var2bytes(RID()), Wire.word(TYPE_RID))


## Values of every type with components; the first component is zero, minus zero, NaN, another NaN, or nearly zero.
func _add_edges(vectors: VectorSet) -> void:
	var sizes: Dictionary = {TYPE_VECTOR2: 2, TYPE_RECT2: 4, TYPE_VECTOR3: 3, TYPE_TRANSFORM2D: 6, TYPE_PLANE: 4,
			TYPE_QUAT: 4, TYPE_AABB: 6, TYPE_BASIS: 9, TYPE_TRANSFORM: 12, TYPE_COLOR: 4, TYPE_REAL_ARRAY: 1,
			TYPE_VECTOR2_ARRAY: 2, TYPE_VECTOR3_ARRAY: 3, TYPE_COLOR_ARRAY: 4}
	for type in sizes:
		var type_name: String = TaggedJson.TYPE_NAMES[type]
		var head: PoolByteArray = Wire.word(type)
		if type >= TYPE_RAW_ARRAY:
			head += Wire.word(1)
		var tail: PoolByteArray = Wire.repeat(Wire.word(0), sizes[type] - 1)
		var zero: PoolByteArray = head + Wire.word(0) + tail
		var nan: PoolByteArray = head + Wire.word(0x7fc00000) + tail
		_part(vectors, "zero-and-nearly-zero-in-" + type_name, zero, head + Wire.word(1) + tail)
		_part(vectors, "zero-and-nan-in-" + type_name, zero, nan)
		var minus_zero: PoolByteArray = head + Wire.word(0x80000000) + tail
		var other_nan: PoolByteArray = head + Wire.word(0xffffffff) + tail
		if type != TYPE_REAL_ARRAY:
			_join(vectors, "zero-and-minus-zero-in-" + type_name, zero, minus_zero)
			_join(vectors, "nan-in-" + type_name, nan, nan)
			_join(vectors, "nan-and-other-nan-in-" + type_name, nan, other_nan)
			continue
		# Godot 3.2 hashes its bytes but compares its numbers.
		_part(vectors, "zero-and-minus-zero-in-" + type_name, zero, minus_zero)
		_part(vectors, "nan-and-other-nan-in-" + type_name, nan, other_nan)
		if Codec.compares_nan_in_packed_arrays():
			_join(vectors, "nan-in-" + type_name, nan, nan)
		else:
			_part(vectors, "nan-in-" + type_name, nan, nan)


func _add_texts(vectors: VectorSet) -> void:
	_part_values(vectors, "String-and-NodePath", "name", NodePath("name"))
	_part_values(vectors, "empty-String-and-NodePath", "", NodePath())
	_part_values(vectors, "String-by-case", "a", "A")
	_part_values(vectors, "NodePath-absolute-or-not", NodePath("/name"), NodePath("name"))
	_part_values(vectors, "NodePath-name-or-subname", NodePath("name"), NodePath(":name"))
	_join(vectors, "String-cut-by-nul", var2bytes("a"), Wire.hex("04000000 03000000 61006200"))
	_join(vectors, "NodePath-of-other-flags", var2bytes(NodePath("name")),
			Wire.hex("0f000000 01000080 00000000 fcffffff 04000000 6e616d65"))
	_part(vectors, "String-pair-of-surrogates-and-character", var2bytes("😀"),
			Wire.hex("04000000 06000000 eda0bded b8800000"))


func _add_arrays(vectors: VectorSet) -> void:
	_part_values(vectors, "Array-of-int-and-of-float", [1], [1.0])
	_part_values(vectors, "Array-of-bool-and-of-int", [true], [1])
	_part_values(vectors, "Array-of-String-and-of-NodePath", ["name"], [NodePath("name")])
	_join_values(vectors, "Array-of-zero-and-of-minus-zero", [0.0], [Samples.bits_64(Samples.INT_MIN)])
	_join_values(vectors, "Array-of-nan", [NAN], [NAN])
	_join_values(vectors, "Array-nested-of-nan", [[NAN]], [[NAN]])
	_join_values(vectors, "Array-of-nan-in-Vector2", [Vector2(NAN, 0.0)], [Vector2(NAN, 0.0)])
	_join_values(vectors, "Array-empty-in-Array", [[]], [[]])
	_part_values(vectors, "Array-by-order", [1, 2], [2, 1])
	_part_values(vectors, "Array-by-size", [null], [null, null])
	_part_values(vectors, "Array-and-packed", [1], PoolIntArray([1]))
	_part_values(vectors, "packed-by-type", PoolIntArray([1]), PoolByteArray([1]))
	_join_values(vectors, "PackedStringArray-empty-text", PoolStringArray([""]), PoolStringArray([""]))
	_part_values(vectors, "PackedStringArray-by-content", PoolStringArray(["a"]), PoolStringArray(["b"]))


## A dictionary only equals itself.
func _add_dictionaries(vectors: VectorSet) -> void:
	_part_values(vectors, "Dictionary-empty", {}, {})
	_part_values(vectors, "Dictionary-of-same-content", {1: 2}, {1: 2})
	_part_values(vectors, "Dictionary-by-order", {1: 2, 3: 4}, {3: 4, 1: 2})
	_part_values(vectors, "Dictionary-empty-in-Array", [{}], [{}])
	_part_values(vectors, "Dictionary-of-same-content-in-Array", [{1: 2}], [{1: 2}])
	_part_values(vectors, "Dictionary-and-Array-empty", {}, [])


func _add_depth(vectors: VectorSet) -> void:
	for levels in [2, 50, 51, 101, 102, 150, 400]:
		var one: PoolByteArray = Wire.nested_arrays(levels, var2bytes([1]))
		_join(vectors, "same-at-level-%d" % levels, one, one)
		_part(vectors, "ints-at-level-%d" % levels, one, Wire.nested_arrays(levels, var2bytes([2])))
		_part(vectors, "sizes-at-level-%d" % levels, one, Wire.nested_arrays(levels, var2bytes([])))
		_part(vectors, "types-at-level-%d" % levels, one, Wire.nested_arrays(levels, var2bytes([1.0])))


func _add_handles(vectors: VectorSet) -> void:
	var null_object: PoolByteArray = Wire.object_by_id(0)
	var object: PoolByteArray = Wire.object_by_id(7)
	_join(vectors, "null-objects", null_object, null_object)
	_part(vectors, "nil-and-null-object", var2bytes(null), null_object)
	_part(vectors, "null-object-and-nil", null_object, var2bytes(null))
	_part(vectors, "objects-by-same-id", object, object)
	_part(vectors, "arrays-of-objects-by-same-id", Wire.array([object]), Wire.array([object]))
	_join(vectors, "arrays-of-null-objects", Wire.array([null_object]), Wire.array([null_object]))
	_part(vectors, "arrays-of-null-object-and-nil", Wire.array([null_object]), var2bytes([null]))


func _add_order(vectors: VectorSet) -> void:
	var a: PoolByteArray = var2bytes("a")
	var b: PoolByteArray = var2bytes("b")
	var one: PoolByteArray = var2bytes(1)
	var two: PoolByteArray = var2bytes(2)
	var three: PoolByteArray = var2bytes(3)
	vectors.non_canonical("key-again-after-another", Wire.dictionary([a, one, b, two, a, three]), JOINED)
	vectors.non_canonical("key-three-times", Wire.dictionary([a, one, a, two, a, three]), JOINED)
	vectors.non_canonical("key-with-value-nil-last", Wire.dictionary([a, one, a, var2bytes(null)]), JOINED)
	vectors.non_canonical("key-twice-in-inner-dictionary", Wire.array([Wire.dictionary([a, one, a, two])]), JOINED)
	vectors.non_canonical("key-is-dictionary-with-key-twice",
			Wire.dictionary([Wire.dictionary([a, one, a, two]), one, var2bytes({"a": 2}), three]), JOINED)


func _join_values(vectors: VectorSet, case_name: String, first, second) -> void:
	_join(vectors, case_name, var2bytes(first), var2bytes(second))


func _part_values(vectors: VectorSet, case_name: String, first, second) -> void:
	_part(vectors, case_name, var2bytes(first), var2bytes(second))


func _join(vectors: VectorSet, case_name: String, first: PoolByteArray, second: PoolByteArray) -> void:
	var bytes: PoolByteArray = _pair(first, second)
	vectors.non_canonical("keys-joined-" + case_name, bytes, JOINED)
	vectors.expect(case_name, vectors.read(bytes).size() == 1, "the keys are kept apart")


func _part(vectors: VectorSet, case_name: String, first: PoolByteArray, second: PoolByteArray) -> void:
	var bytes: PoolByteArray = Wire.with_header_bits(_pair(first, second), 0x80000000)
	vectors.non_canonical("keys-apart-" + case_name, bytes, APART)
	vectors.expect(case_name, vectors.read(bytes).size() == 2, "the keys are joined")


func _pair(first: PoolByteArray, second: PoolByteArray) -> PoolByteArray:
	return Wire.dictionary([first, var2bytes("first"), second, var2bytes("second")])
