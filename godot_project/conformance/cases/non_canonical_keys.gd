extends RefCounted
## Dictionaries with duplicate keys: the first key keeps its position and gets the last value. The engine decides which
## keys are duplicates, so there are pairs of keys that it joins and pairs that it keeps apart.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const JOINED: String = "the two keys are duplicates"
const APART: String = "the two keys differ, and an ignored bit makes this non-canonical"

## Keys are duplicates if their hashes are the same and they compare as equal. Containers nested deeper than this many
## levels always compare as equal, so from there on only the hash decides,
const COMPARED_LEVELS: int = 50
## and below this depth the hash ignores their content too.
const HASHED_LEVELS: int = 101


func add_to(vectors: VectorSet) -> void:
	for type: int in TYPE_MAX:
		if type != TYPE_OBJECT:
			var key: PackedByteArray = var_to_bytes(Samples.of_type(type)[-1])
			_join(vectors, "same-%s" % type_string(type), key, key)
	_add_numbers(vectors)
	_add_texts(vectors)
	_add_arrays(vectors)
	_add_dictionaries(vectors)
	_add_depth(vectors)
	_add_handles(vectors)
	_add_order(vectors)


func _add_numbers(vectors: VectorSet) -> void:
	_join_values(vectors, "zero-and-minus-zero", 0.0, -0.0)
	_join_values(vectors, "minus-zero-and-zero", -0.0, 0.0)
	_join_values(vectors, "nan-and-nan", NAN, NAN)
	_join_values(vectors, "nan-and-other-nan", NAN, Samples.bits_64(-1))
	_part_values(vectors, "int-and-float", 1, 1.0)
	_part_values(vectors, "bool-and-int", true, 1)
	_part_values(vectors, "zero-int-and-float", 0, 0.0)
	_part_values(vectors, "nil-and-false", null, false)
	_part_values(vectors, "Vector2-and-Vector2i", Vector2(1.0, 2.0), Vector2i(1, 2))
	_part_values(vectors, "Vector2-nearly-equal", Vector2(1.0, 1.0), Vector2(1.0000001, 1.0))
	_part_values(vectors, "RID-differing", rid_from_int64(5), rid_from_int64(6))
	var zeros: Array = [Vector2(), Rect2(), Vector3(), Vector4(), Plane(), Quaternion(0, 0, 0, 0), AABB(),
			Color(0, 0, 0, 0), PackedFloat32Array([0.0]), PackedFloat64Array([0.0]), PackedVector2Array([Vector2()]),
			PackedVector3Array([Vector3()]), PackedVector4Array([Vector4()]), PackedColorArray([Color(0, 0, 0, 0)])]
	var minus_zeros: Array = [Vector2(-0.0, 0), Rect2(-0.0, 0, 0, 0), Vector3(-0.0, 0, 0), Vector4(-0.0, 0, 0, 0),
			Plane(-0.0, 0, 0, 0), Quaternion(-0.0, 0, 0, 0), AABB(Vector3(-0.0, 0, 0), Vector3()), Color(-0.0, 0, 0, 0),
			PackedFloat32Array([-0.0]), PackedFloat64Array([-0.0]), PackedVector2Array([Vector2(-0.0, 0)]),
			PackedVector3Array([Vector3(-0.0, 0, 0)]), PackedVector4Array([Vector4(-0.0, 0, 0, 0)]),
			PackedColorArray([Color(-0.0, 0, 0, 0)])]
	var nans: Array = [Vector2(NAN, 0), Rect2(NAN, 0, 0, 0), Vector3(NAN, 0, 0), Vector4(NAN, 0, 0, 0),
			Plane(NAN, 0, 0, 0), Quaternion(NAN, 0, 0, 0), AABB(Vector3(NAN, 0, 0), Vector3()), Color(NAN, 0, 0, 0),
			PackedFloat32Array([NAN]), PackedFloat64Array([NAN]), PackedVector2Array([Vector2(NAN, 0)]),
			PackedVector3Array([Vector3(NAN, 0, 0)]), PackedVector4Array([Vector4(NAN, 0, 0, 0)]),
			PackedColorArray([Color(NAN, 0, 0, 0)]), Basis(Vector3(NAN, 0, 0), Vector3(), Vector3()),
			Transform2D(Vector2(NAN, 0), Vector2(), Vector2()), Transform3D(Basis(), Vector3(NAN, 0, 0)),
			Projection(Vector4(NAN, 0, 0, 0), Vector4(), Vector4(), Vector4())]
	for index: int in zeros.size():
		_join_values(vectors, "minus-zero-in-%s" % type_string(typeof(zeros[index])), minus_zeros[index], zeros[index])
	for nan: Variant in nans:
		_join_values(vectors, "nan-in-%s" % type_string(typeof(nan)), nan, nan)


func _add_texts(vectors: VectorSet) -> void:
	_join_values(vectors, "String-and-StringName", "a", &"a")
	_join_values(vectors, "StringName-and-String", &"a", "a")
	_join_values(vectors, "empty-String-and-StringName", "", &"")
	_part_values(vectors, "String-and-NodePath", "a", ^"a")
	_part_values(vectors, "StringName-and-NodePath", &"a", ^"a")
	_part_values(vectors, "String-by-case", "a", "A")
	_part_values(vectors, "NodePath-absolute-or-not", ^"/a", ^"a")
	_join(vectors, "String-cut-by-nul", var_to_bytes("a"), Wire.hex("04000000 03000000 61006200"))


func _add_arrays(vectors: VectorSet) -> void:
	_part_values(vectors, "Array-of-int-and-of-float", [1], [1.0])
	_part_values(vectors, "Array-of-bool-and-of-int", [true], [1])
	_part_values(vectors, "Array-of-String-and-of-StringName", ["a"], [&"a"])
	_part_values(vectors, "Array-nested-of-String-and-of-StringName", [["a"]], [[&"a"]])
	_join_values(vectors, "Array-of-zero-and-of-minus-zero", [0.0], [-0.0])
	_part_values(vectors, "Array-of-nan", [NAN], [NAN])
	_part_values(vectors, "Array-nested-of-nan", [[NAN]], [[NAN]])
	_join_values(vectors, "Array-of-nan-in-Vector2", [Vector2(NAN, 0)], [Vector2(NAN, 0)])
	_join_values(vectors, "Array-of-nan-in-PackedFloat64Array", [PackedFloat64Array([NAN])],
			[PackedFloat64Array([NAN])])
	_join_values(vectors, "Array-typed-and-untyped", Array([1], TYPE_INT, &"", null), [1])
	_join_values(vectors, "Array-untyped-and-typed", [1], Array([1], TYPE_INT, &"", null))
	_join_values(vectors, "Array-of-two-types-empty", Array([], TYPE_INT, &"", null), Array([], TYPE_STRING, &"", null))
	_part_values(vectors, "Array-by-order", [1, 2], [2, 1])
	_part_values(vectors, "Array-and-packed", [1], PackedInt64Array([1]))
	_part_values(vectors, "packed-by-width", PackedInt32Array([1]), PackedInt64Array([1]))


func _add_dictionaries(vectors: VectorSet) -> void:
	_join_values(vectors, "Dictionary-typed-and-untyped", Dictionary({1: 2}, TYPE_INT, &"", null, TYPE_INT, &"", null),
			{1: 2})
	_part_values(vectors, "Dictionary-by-order", {1: 2, 3: 4}, {3: 4, 1: 2})
	_part_values(vectors, "Dictionary-values-int-and-float", {1: 2}, {1: 2.0})
	_part_values(vectors, "Dictionary-values-nan", {1: NAN}, {1: NAN})
	_join_values(vectors, "Dictionary-keys-nan", {NAN: 1}, {NAN: 1})
	_join_values(vectors, "Dictionary-values-minus-zero", {1: 0.0}, {1: -0.0})
	_join_values(vectors, "Dictionary-keys-minus-zero", {0.0: 1}, {-0.0: 1})
	_join_values(vectors, "Dictionary-keys-String-and-StringName", {"a": 1}, {&"a": 1})
	_part_values(vectors, "Dictionary-values-String-and-StringName", {1: "a"}, {1: &"a"})
	_join_values(vectors, "Dictionary-in-Array-keys-nan", [{NAN: 1}], [{NAN: 1}])
	_part_values(vectors, "Dictionary-keys-arrays-of-nan", {[NAN]: 1}, {[NAN]: 1})
	_part_values(vectors, "Dictionary-and-Array-empty", {}, [])


func _add_depth(vectors: VectorSet) -> void:
	var one: PackedByteArray = var_to_bytes([1])
	var two: PackedByteArray = var_to_bytes([2])
	var empty: PackedByteArray = var_to_bytes([])
	for levels: int in [2, COMPARED_LEVELS, COMPARED_LEVELS + 1, HASHED_LEVELS]:
		_part(vectors, "ints-at-level-%d" % levels, Wire.nested_arrays(levels, one), Wire.nested_arrays(levels, two))
	for levels: int in [HASHED_LEVELS + 1, 150]:
		_join(vectors, "ints-at-level-%d" % levels, Wire.nested_arrays(levels, one), Wire.nested_arrays(levels, two))
		_join(vectors, "sizes-at-level-%d" % levels, Wire.nested_arrays(levels, one), Wire.nested_arrays(levels, empty))
	var alike: Dictionary[String, Array] = {"nans": [NAN, NAN], "texts": ["a", &"a"], "nil-and-false": [null, false],
			"vectors": [Vector2(), Vector2i()], "int-and-RID": [0, RID()],
			"packed-arrays": [PackedByteArray(), PackedInt64Array()]}
	for case_name: String in alike:
		var first: PackedByteArray = var_to_bytes([alike[case_name][0]])
		var second: PackedByteArray = var_to_bytes([alike[case_name][1]])
		for levels: int in [COMPARED_LEVELS, COMPARED_LEVELS + 1]:
			var label: String = "%s-at-level-%d" % [case_name, levels]
			if levels == COMPARED_LEVELS:
				_part(vectors, label, Wire.nested_arrays(levels, first), Wire.nested_arrays(levels, second))
			else:
				_join(vectors, label, Wire.nested_arrays(levels, first), Wire.nested_arrays(levels, second))
	_part(vectors, "nil-and-Array-at-level-%d" % (HASHED_LEVELS - 1),
			Wire.nested_arrays(HASHED_LEVELS - 1, var_to_bytes([null])),
			Wire.nested_arrays(HASHED_LEVELS - 1, var_to_bytes([[]])))
	_join(vectors, "nil-and-Array-at-level-%d" % HASHED_LEVELS, Wire.nested_arrays(HASHED_LEVELS, var_to_bytes([null])),
			Wire.nested_arrays(HASHED_LEVELS, var_to_bytes([[]])))
	var around: PackedByteArray = Wire.hex("1b000000 01000000 00000000")
	for levels: int in [COMPARED_LEVELS, COMPARED_LEVELS + 1, HASHED_LEVELS, HASHED_LEVELS + 1]:
		var first: PackedByteArray = Wire.repeat(around, levels - 1) + var_to_bytes({1: 1})
		var second: PackedByteArray = Wire.repeat(around, levels - 1) + var_to_bytes({2: 1})
		if levels > HASHED_LEVELS:
			_join(vectors, "dictionary-keys-at-level-%d" % levels, first, second)
		else:
			_part(vectors, "dictionary-keys-at-level-%d" % levels, first, second)


func _add_handles(vectors: VectorSet) -> void:
	var null_object: PackedByteArray = Wire.object_by_id(0)
	var signal_of_7: PackedByteArray = Wire.word(TYPE_SIGNAL) + Wire.text("s") + Wire.wide(7)
	_join(vectors, "null-objects", null_object, null_object)
	_part(vectors, "nil-and-null-object", var_to_bytes(null), null_object)
	_part(vectors, "null-object-and-nil", null_object, var_to_bytes(null))
	_part(vectors, "objects-by-same-id", Wire.object_by_id(7), Wire.object_by_id(7))
	_part(vectors, "arrays-of-objects-by-same-id", Wire.array([Wire.object_by_id(7)]),
			Wire.array([Wire.object_by_id(7)]))
	_join(vectors, "arrays-of-null-objects", Wire.array([null_object]), Wire.array([null_object]))
	_part(vectors, "arrays-of-null-object-and-nil", Wire.array([null_object]), var_to_bytes([null]))
	_join(vectors, "signals", signal_of_7, signal_of_7)
	_part(vectors, "signals-by-object", signal_of_7, Wire.word(TYPE_SIGNAL) + Wire.text("s") + Wire.wide(8))
	_part(vectors, "signals-by-name", signal_of_7, Wire.word(TYPE_SIGNAL) + Wire.text("t") + Wire.wide(7))
	_join(vectors, "arrays-of-callables", Wire.array([Wire.word(TYPE_CALLABLE)]),
			Wire.array([Wire.word(TYPE_CALLABLE)]))


func _add_order(vectors: VectorSet) -> void:
	var a: PackedByteArray = var_to_bytes("a")
	var b: PackedByteArray = var_to_bytes("b")
	var one: PackedByteArray = var_to_bytes(1)
	var two: PackedByteArray = var_to_bytes(2)
	var three: PackedByteArray = var_to_bytes(3)
	vectors.non_canonical("key-again-after-another", Wire.dictionary([a, one, b, two, a, three]), JOINED)
	vectors.non_canonical("key-three-times", Wire.dictionary([a, one, a, two, a, three]), JOINED)
	vectors.non_canonical("key-with-value-nil-last", Wire.dictionary([a, one, a, var_to_bytes(null)]), JOINED)
	vectors.non_canonical("key-twice-in-inner-dictionary", Wire.array([Wire.dictionary([a, one, a, two])]), JOINED)
	vectors.non_canonical("key-is-dictionary-with-key-twice",
			Wire.dictionary([Wire.dictionary([a, one, a, two]), one, var_to_bytes({"a": 2}), three]), JOINED)


func _join_values(vectors: VectorSet, case_name: String, first: Variant, second: Variant) -> void:
	_join(vectors, case_name, var_to_bytes(first), var_to_bytes(second))


func _part_values(vectors: VectorSet, case_name: String, first: Variant, second: Variant) -> void:
	_part(vectors, case_name, var_to_bytes(first), var_to_bytes(second))


func _join(vectors: VectorSet, case_name: String, first: PackedByteArray, second: PackedByteArray) -> void:
	var bytes: PackedByteArray = _pair(first, second)
	vectors.non_canonical("keys-joined-" + case_name, bytes, JOINED)
	vectors.expect(case_name, _key_count(bytes) == 1, "the keys are kept apart")


func _part(vectors: VectorSet, case_name: String, first: PackedByteArray, second: PackedByteArray) -> void:
	var bytes: PackedByteArray = _pair(first, second)
	bytes.encode_u32(0, bytes.decode_u32(0) | 0x80000000)
	vectors.non_canonical("keys-apart-" + case_name, bytes, APART)
	vectors.expect(case_name, _key_count(bytes) == 2, "the keys are joined")


func _key_count(bytes: PackedByteArray) -> int:
	# The engine prints an error for keys that are too deep to compare.
	Engine.print_error_messages = false
	var count: int = bytes_to_var(bytes).size()
	Engine.print_error_messages = true
	return count


func _pair(first: PackedByteArray, second: PackedByteArray) -> PackedByteArray:
	return Wire.dictionary([first, var_to_bytes("first"), second, var_to_bytes("second")])
