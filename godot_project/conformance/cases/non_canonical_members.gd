extends RefCounted
## Typed containers whose members have another type. Elements and keys are converted if the engine has a strict
## conversion, and are lost otherwise; values of dictionaries are not checked.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const CONVERTED: String = "elements of another type are converted or lost"
const KEYS_CONVERTED: String = "keys of another type are converted, or their entries are lost"


func add_to(vectors: VectorSet) -> void:
	_add_everything(vectors)
	_add_numbers(vectors)
	_add_texts(vectors)
	_add_vectors(vectors)
	_add_transforms(vectors)
	_add_colors(vectors)
	_add_sequences(vectors)
	_add_handles(vectors)
	_add_keys(vectors)
	_add_values(vectors)


## A value of every type in a container of every type.
func _add_everything(vectors: VectorSet) -> void:
	var members: Array[PackedByteArray] = []
	var entries: Array[PackedByteArray] = []
	for type: int in TYPE_MAX:
		var member: PackedByteArray = (
				Wire.object_by_id(7) if type == TYPE_OBJECT else var_to_bytes(Samples.of_type(type)[-1]))
		members.append(member)
		entries.append_array([member, var_to_bytes(type_string(type))])
	for type: int in range(TYPE_BOOL, TYPE_MAX):
		vectors.non_canonical("Array-of-%s-from-every-type" % type_string(type), Wire.typed_array(type, members),
				CONVERTED)
		vectors.non_canonical("Dictionary-of-%s-from-every-type" % type_string(type),
				Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.NONE, Wire.word(type)), KEYS_CONVERTED)
	vectors.non_canonical("Array-of-nil", Wire.typed_array(TYPE_NIL, members), "an array of nil is an untyped array")
	vectors.non_canonical("Dictionary-of-nil", Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
			Wire.word(TYPE_NIL) + Wire.word(TYPE_NIL)), "a dictionary of nil is an untyped dictionary")


func _add_numbers(vectors: VectorSet) -> void:
	var floats: Dictionary[String, float] = Samples.floats()
	for case_name: String in floats:
		_add(vectors, "int-from-float-%s" % case_name, TYPE_INT, [floats[case_name]])
	_add(vectors, "int-from-float-fractions", TYPE_INT, [0.9, -0.9, 1.5, -1.5, 2.5, 4294967295.9, -4294967296.5])
	_add(vectors, "int-from-float-beyond-range", TYPE_INT,
			[9.3e18, -9.3e18, 9223372036854774784.0, -9223372036854775808.0,
			1.8446744073709552e19, 1e300, -1e300, INF, -INF, NAN])
	_add(vectors, "int-from-bool", TYPE_INT, [true, false])
	_add(vectors, "int-from-text", TYPE_INT, ["1", &"2", ^"3"])
	_add(vectors, "int-keeps-what-fits", TYPE_INT, [1, "lost", 2, null, 3, [4], 5])
	_add(vectors, "float-from-int", TYPE_FLOAT, Array(Samples.INTS))
	_add(vectors, "float-from-int-beyond-2-to-53", TYPE_FLOAT, [0x20000000000001, 0x20000000000003, -0x20000000000001,
			Samples.INT_MAX, Samples.INT_MIN, 0x1000001])
	_add(vectors, "float-from-bool", TYPE_FLOAT, [true, false])
	_add(vectors, "bool-from-int", TYPE_BOOL, [0, 1, -1, 2, 0x100000000, Samples.INT_MIN])
	_add(vectors, "bool-from-float", TYPE_BOOL, [0.0, -0.0, 0.1, 1e-300, NAN, INF])
	_add(vectors, "bool-from-empty-values", TYPE_BOOL, [null, "", [], {}, Vector2(), RID()])


func _add_texts(vectors: VectorSet) -> void:
	var paths: Array = [^"", ^"/", ^"a", ^"/a/b:c:d", ^":x", ^"../a", ^"größe"]
	_add(vectors, "String-from-StringName", TYPE_STRING, [&"", &"a", &"größe"])
	_add(vectors, "String-from-NodePath", TYPE_STRING, paths)
	_add(vectors, "String-from-numbers", TYPE_STRING, [1, 1.5, true])
	_add(vectors, "StringName-from-String", TYPE_STRING_NAME, ["", "a", "größe"])
	_add(vectors, "StringName-from-NodePath", TYPE_STRING_NAME, paths)
	_add(vectors, "NodePath-from-String", TYPE_NODE_PATH,
			["", "/", "a", "/a/b:c:d", ":x", "../a", "größe", "a/b/", "a//b", "//a",
			"a:b:", "/:a", "a:b/c", ":", "a:", " ", "%a"])
	_add(vectors, "NodePath-from-String-invalid", TYPE_NODE_PATH, ["a::b", "::", ":a:"])
	_add(vectors, "NodePath-from-StringName", TYPE_NODE_PATH, [&"a/b"])
	vectors.non_canonical("String-from-NodePath-of-odd-names", Wire.typed_array(TYPE_STRING, [
			Wire.hex("16000000 02000080 01000000 01000000 00000000 00000000 00000000"),
			Wire.hex("16000000 01000080 00000000 00000000 03000000 612f6200"),
			Wire.hex("16000000 00000080 00000000 01000000")]), CONVERTED)


func _add_vectors(vectors: VectorSet) -> void:
	var ints: PackedInt32Array = [0x1000001, -0x1000001, 0x7fffffff, -0x80000000]
	_add(vectors, "Vector2-from-Vector2i", TYPE_VECTOR2,
			[Vector2i(1, -2), Vector2i(ints[0], ints[1]), Vector2i(ints[2], ints[3])])
	_add(vectors, "Vector3-from-Vector3i", TYPE_VECTOR3, [Vector3i(ints[0], ints[2], ints[3])])
	_add(vectors, "Vector4-from-Vector4i", TYPE_VECTOR4, [Vector4i(ints[0], ints[1], ints[2], ints[3])])
	_add(vectors, "Rect2-from-Rect2i", TYPE_RECT2, [Rect2i(ints[0], ints[1], ints[2], ints[3])])
	var floats: Array = [0.9, -0.9, 1.5, -1.5, 2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 4294967296.0,
			1e20, -1e20, INF, -INF, NAN]
	for value: float in floats:
		_add(vectors, "Vector2i-from-%s" % value, TYPE_VECTOR2I, [Vector2(value, 1.0)])
	_add(vectors, "Vector3i-from-Vector3", TYPE_VECTOR3I, [Vector3(1.9, -1.9, 1e20), Vector3(NAN, INF, -INF)])
	_add(vectors, "Vector4i-from-Vector4", TYPE_VECTOR4I, [Vector4(1.9, -1.9, 1e20, NAN)])
	_add(vectors, "Rect2i-from-Rect2", TYPE_RECT2I, [Rect2(1.9, -1.9, -2.5, 1e20), Rect2(NAN, INF, -INF, -0.0)])
	_add(vectors, "Vector2-from-other-sizes", TYPE_VECTOR2, [Vector3(), Vector4(), Vector3i(), Rect2()])


func _add_transforms(vectors: VectorSet) -> void:
	var turned := Quaternion(0.5, 0.5, 0.5, 0.5)
	var oblique := Quaternion(0.1, -0.2, 0.3, 0.9)
	var stretched := Basis(Vector3(1.0, 2.0, 3.0), Vector3(-4.0, 5.0, 6.0), Vector3(7.0, 8.0, 10.0))
	var rotation := Basis(Vector3(1.0, 2.0, 3.0).normalized(), 0.7)
	_add(vectors, "Basis-from-Quaternion", TYPE_BASIS, [Quaternion.IDENTITY, turned])
	_add(vectors, "Basis-from-Quaternion-not-of-unit-length", TYPE_BASIS, [oblique, Quaternion(2.0, 0.0, 0.0, 0.0)])
	_add(vectors, "Basis-from-Quaternion-zero-and-nan", TYPE_BASIS,
			[Quaternion(0.0, 0.0, 0.0, 0.0), Quaternion(NAN, 0.0, 0.0, 1.0)])
	_add(vectors, "Quaternion-from-Basis", TYPE_QUATERNION, [Basis.IDENTITY, Basis.FLIP_X, Basis(turned)])
	_add(vectors, "Quaternion-from-Basis-rotated", TYPE_QUATERNION,
			[rotation, Basis(Vector3.UP, PI), Basis(Vector3.RIGHT, 3.0)])
	_add(vectors, "Quaternion-from-Basis-not-orthogonal", TYPE_QUATERNION,
			[stretched, Basis.from_scale(Vector3(2.0, 3.0, 4.0))])
	_add(vectors, "Transform3D-from-Basis", TYPE_TRANSFORM3D, [rotation, stretched])
	_add(vectors, "Transform3D-from-Quaternion", TYPE_TRANSFORM3D, [turned, oblique])
	_add(vectors, "Transform3D-from-Transform2D", TYPE_TRANSFORM3D,
			[Transform2D(Vector2(1.0, 2.0), Vector2(3.0, 4.0), Vector2(5.0, 6.0))])
	_add(vectors, "Transform3D-from-Projection", TYPE_TRANSFORM3D, [Projection(Vector4(1.0, 2.0, 3.0, 4.0),
			Vector4(5.0, 6.0, 7.0, 8.0), Vector4(9.0, 10.0, 11.0, 12.0), Vector4(13.0, 14.0, 15.0, 16.0))])
	_add(vectors, "Transform2D-from-Transform3D", TYPE_TRANSFORM2D, [Transform3D(stretched, Vector3(1.0, 2.0, 3.0))])
	_add(vectors, "Projection-from-Transform3D", TYPE_PROJECTION, [Transform3D(stretched, Vector3(-1.0, 2.0, 3.0))])
	_add(vectors, "Basis-from-transforms", TYPE_BASIS, [Transform3D(), Transform2D(), Vector3(1.0, 2.0, 3.0)])


func _add_colors(vectors: VectorSet) -> void:
	_add(vectors, "Color-from-int", TYPE_COLOR, [0, 1, 0xff8040ff, -1, 0x1ffffffff, Samples.INT_MIN])
	_add(vectors, "Color-from-String-digits", TYPE_COLOR,
			["#f00", "#f008", "#ff8040", "#ff804020", "ff8040", "F00", "0F08", "#FFF"])
	_add(vectors, "Color-from-String-names", TYPE_COLOR,
			["red", "Red", "ALICE_BLUE", "alice blue", "aliceblue", "alice-blue",
			"transparent", "web_gray", "rebeccapurple"])
	_add(vectors, "Color-from-String-invalid", TYPE_COLOR, ["", "#", "nonsense", "#ff", "#12345", "#xyzxyz", "red "])
	_add(vectors, "Color-from-StringName", TYPE_COLOR, [&"red"])
	_add(vectors, "Color-from-float-and-Vector4", TYPE_COLOR, [1.0, Vector4()])


func _add_sequences(vectors: VectorSet) -> void:
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		var type_name: String = type_string(type)
		_add(vectors, "Array-from-%s" % type_name, TYPE_ARRAY, [type_convert([], type), Samples.of_type(type)[-1]])
		_add(vectors, "%s-from-Array-empty" % type_name, type, [[]])
		_add(vectors, "%s-from-Array-of-int" % type_name, type, [[0, 1, -1, 256, 0x100000001]])
		_add(vectors, "%s-from-Array-of-float" % type_name, type, [[0.0, -0.0, 1.9, -1.9, 0.1]])
		_add(vectors, "%s-from-Array-of-bool-and-nil" % type_name, type, [[true, false, null]])
		_add(vectors, "%s-from-Array-of-text" % type_name, type, [["", "7", "-1.5", "x", "red"]])
		_add(vectors, "%s-from-Array-of-names" % type_name, type, [[&"7", ^"a/b:c"]])
		_add(vectors, "%s-from-Array-of-vectors" % type_name, type, [[Vector2(1.5, 2.0), Vector3(1.0, 2.0, 3.0),
				Vector4(1.0, 2.0, 3.0, 4.0), Color(0.5, 0.25, 1.0, 0.0)]])
		_add(vectors, "%s-from-Array-of-integer-vectors" % type_name, type,
				[[Vector2i(1, 2), Vector3i(1, 2, 3), Vector4i(1, 2, 3, 4)]])
		_add(vectors, "%s-from-Array-of-containers" % type_name, type, [[[], {}, [1], {1: 2}, PackedByteArray([1])]])
	_add(vectors, "PackedFloat32Array-from-Array-rounded", TYPE_PACKED_FLOAT32_ARRAY, [Samples.floats().values()])
	_add(vectors, "PackedInt32Array-from-Array-of-floats", TYPE_PACKED_INT32_ARRAY,
			[[1e10, -1e10, NAN, INF, 2147483648.5, -0.5]])
	_add(vectors, "PackedByteArray-from-Array-of-floats", TYPE_PACKED_BYTE_ARRAY, [[255.9, 256.0, -1.0, 300.5]])
	_add(vectors, "PackedStringArray-from-Array-of-floats", TYPE_PACKED_STRING_ARRAY,
			[[1.0, 0.1, 1e20, -0.0, NAN, INF, 1e-7, 123456789.125]])
	_add(vectors, "PackedVector2Array-from-typed-Array", TYPE_PACKED_VECTOR2_ARRAY,
			[Array([Vector2.ONE], TYPE_VECTOR2, &"", null)])
	_add(vectors, "PackedInt64Array-from-packed", TYPE_PACKED_INT64_ARRAY, [PackedInt32Array([1]), PackedByteArray([1]),
			PackedInt64Array([2])])
	_add(vectors, "Array-from-Dictionary", TYPE_ARRAY, [{}, {1: 2}])


func _add_handles(vectors: VectorSet) -> void:
	var null_object: PackedByteArray = Wire.object_by_id(0)
	var object: PackedByteArray = Wire.object_by_id(7)
	var elements: Array[PackedByteArray] = [var_to_bytes(null), null_object, object, var_to_bytes(1), object]
	for allow_objects: bool in [false, true] as Array[bool]:
		var suffix: String = "-allowed" if allow_objects else ""
		vectors.non_canonical("Array-of-Object" + suffix, Wire.typed_array(TYPE_OBJECT, elements), CONVERTED,
				allow_objects)
		vectors.non_canonical("Array-of-class" + suffix, Wire.array(elements, Wire.Kind.CLASS, Wire.text("Resource")),
				CONVERTED, allow_objects)
		vectors.non_canonical("Array-of-RID-from-objects" + suffix, Wire.typed_array(TYPE_RID, elements), CONVERTED,
				allow_objects)
	_add(vectors, "RID-from-int", TYPE_RID, [7, null])
	vectors.non_canonical("Array-of-Callable-from-Signal",
			Wire.typed_array(TYPE_CALLABLE, [var_to_bytes(Signal()), var_to_bytes(null)]),
			CONVERTED)


func _add_keys(vectors: VectorSet) -> void:
	_add_dictionary(vectors, "int-joins-floats", TYPE_INT, [1, 1.0, 1.9, true])
	_add_dictionary(vectors, "int-from-edges", TYPE_INT, [NAN, INF, -INF, 1e300, -1e300, -0.9])
	_add_dictionary(vectors, "int-loses", TYPE_INT, ["1", null, Vector2(), 5])
	_add_dictionary(vectors, "float-joins-ints", TYPE_FLOAT, [1, 1.0, 9007199254740993, 9007199254740992.0])
	_add_dictionary(vectors, "float-joins-nans", TYPE_FLOAT, [NAN, Samples.bits_64(-1)])
	_add_dictionary(vectors, "bool-joins-numbers", TYPE_BOOL, [1, 0.5, 0, null, ""])
	_add_dictionary(vectors, "String-joins-names", TYPE_STRING, [&"a", "a", ^"a", ^"/x:y", 5])
	_add_dictionary(vectors, "StringName-joins-String", TYPE_STRING_NAME, ["a", &"a", ^"a"])
	_add_dictionary(vectors, "NodePath-joins-String", TYPE_NODE_PATH, ["a", &"a", ^"a"])
	_add_dictionary(vectors, "Vector2i-joins-Vector2", TYPE_VECTOR2I,
			[Vector2(1.5, -1.5), Vector2i(1, -1), Vector2(NAN, INF)])
	_add_dictionary(vectors, "Array-joins-packed", TYPE_ARRAY, [PackedInt32Array([1]), [1], PackedFloat32Array([1.0])])
	_add_dictionary(vectors, "packed-joins-Array", TYPE_PACKED_INT32_ARRAY,
			[[1], [1.9], PackedInt32Array([1]), PackedInt64Array([1])])


func _add_values(vectors: VectorSet) -> void:
	var entries: Array[PackedByteArray] = [var_to_bytes(1), var_to_bytes("text"), var_to_bytes(2.5), var_to_bytes(2.5),
			var_to_bytes(3), var_to_bytes(null)]
	var unchecked: PackedByteArray = Wire.dictionary(entries, Wire.Kind.NONE, Wire.Kind.BUILTIN, Wire.word(TYPE_INT))
	unchecked.encode_u32(0, unchecked.decode_u32(0) | 0x80000000)
	vectors.non_canonical("values-are-not-looked-at", unchecked,
			"values of any type are kept, and an ignored bit makes this non-canonical")
	vectors.non_canonical("keys-converted-and-values-kept", Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
			Wire.word(TYPE_INT) + Wire.word(TYPE_INT)), KEYS_CONVERTED)
	var one: PackedByteArray = var_to_bytes(1)
	vectors.non_canonical("foreign-values-after-a-key-again", Wire.dictionary([one, one, one, var_to_bytes("text")],
			Wire.Kind.NONE, Wire.Kind.BUILTIN, Wire.word(TYPE_INT)),
			"the later value replaces the earlier, of whatever type")


func _add(vectors: VectorSet, case_name: String, type: int, elements: Array) -> void:
	var encoded: Array[PackedByteArray] = []
	for element: Variant in elements:
		encoded.append(var_to_bytes(element))
	vectors.non_canonical("Array-of-" + case_name, Wire.typed_array(type, encoded), CONVERTED)


func _add_dictionary(vectors: VectorSet, case_name: String, type: int, keys: Array) -> void:
	var entries: Array[PackedByteArray] = []
	for index: int in keys.size():
		entries.append_array([var_to_bytes(keys[index]), var_to_bytes(index)])
	vectors.non_canonical("Dictionary-of-" + case_name,
			Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.NONE, Wire.word(type)), KEYS_CONVERTED)
