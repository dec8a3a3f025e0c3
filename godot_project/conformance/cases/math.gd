extends RefCounted
## Vectors, rectangles, transforms and colors: components in order, and each component at its extreme values.

const VectorSet := preload("res://conformance/vector_set.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const REAL_TYPES: PackedInt32Array = [TYPE_VECTOR2, TYPE_RECT2, TYPE_VECTOR3, TYPE_TRANSFORM2D, TYPE_VECTOR4,
		TYPE_PLANE, TYPE_QUATERNION, TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_PROJECTION, TYPE_COLOR]
const INT_TYPES: PackedInt32Array = [TYPE_VECTOR2I, TYPE_RECT2I, TYPE_VECTOR3I, TYPE_VECTOR4I]


func add_to(vectors: VectorSet) -> void:
	for type: int in REAL_TYPES:
		var size: int = component_count(type)
		vectors.canonical("default", type_convert(null, type))
		vectors.canonical("ascending", of_reals(type, _ascending(size)))
		vectors.canonical("negative-fractions", of_reals(type, _negative_fractions(size)))
		var floats: Dictionary[String, float] = _edges()
		for case_name: String in floats:
			vectors.canonical("all-" + case_name, of_reals(type, _filled(size, floats[case_name])))
		vectors.canonical("edges-in-turn", of_reals(type, _in_turn(size, floats.values())))
	for type: int in INT_TYPES:
		var size: int = component_count(type)
		vectors.canonical("default", type_convert(null, type))
		vectors.canonical("ascending", of_ints(type, PackedInt32Array(Array(_ascending(size)))))
		for value: int in Samples.INTS_32:
			vectors.canonical("all-%d" % value, of_ints(type, _filled_ints(size, value)))
		var in_turn: PackedInt32Array = []
		for index: int in size:
			in_turn.append(Samples.INTS_32[-1 - index])
		vectors.canonical("edges-in-turn", of_ints(type, in_turn))
	_add_constants(vectors)
	_add_signalling_nans(vectors)


static func component_count(type: int) -> int:
	match type:
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return 2
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return 3
		TYPE_TRANSFORM2D, TYPE_AABB:
			return 6
		TYPE_BASIS:
			return 9
		TYPE_TRANSFORM3D:
			return 12
		TYPE_PROJECTION:
			return 16
		_:
			return 4


## The components in the order in which scripts name them: a matrix by columns.
static func of_reals(type: int, c: PackedFloat64Array) -> Variant:
	match type:
		TYPE_VECTOR2:
			return Vector2(c[0], c[1])
		TYPE_RECT2:
			return Rect2(c[0], c[1], c[2], c[3])
		TYPE_VECTOR3:
			return Vector3(c[0], c[1], c[2])
		TYPE_TRANSFORM2D:
			return Transform2D(Vector2(c[0], c[1]), Vector2(c[2], c[3]), Vector2(c[4], c[5]))
		TYPE_VECTOR4:
			return Vector4(c[0], c[1], c[2], c[3])
		TYPE_PLANE:
			return Plane(c[0], c[1], c[2], c[3])
		TYPE_QUATERNION:
			return Quaternion(c[0], c[1], c[2], c[3])
		TYPE_AABB:
			return AABB(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]))
		TYPE_BASIS:
			return Basis(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]), Vector3(c[6], c[7], c[8]))
		TYPE_TRANSFORM3D:
			return Transform3D(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]), Vector3(c[6], c[7], c[8]),
					Vector3(c[9], c[10], c[11]))
		TYPE_PROJECTION:
			return Projection(Vector4(c[0], c[1], c[2], c[3]), Vector4(c[4], c[5], c[6], c[7]),
					Vector4(c[8], c[9], c[10], c[11]), Vector4(c[12], c[13], c[14], c[15]))
		_:
			return Color(c[0], c[1], c[2], c[3])


static func of_ints(type: int, c: PackedInt32Array) -> Variant:
	match type:
		TYPE_VECTOR2I:
			return Vector2i(c[0], c[1])
		TYPE_RECT2I:
			return Rect2i(c[0], c[1], c[2], c[3])
		TYPE_VECTOR3I:
			return Vector3i(c[0], c[1], c[2])
		_:
			return Vector4i(c[0], c[1], c[2], c[3])


func _add_constants(vectors: VectorSet) -> void:
	vectors.canonical("inf-constant", Vector2.INF)
	vectors.canonical("model-left", Vector3.MODEL_LEFT)
	vectors.canonical("max-constant", Vector2i.MAX)
	vectors.canonical("min-constant", Vector3i.MIN)
	vectors.canonical("flipped", Transform2D.FLIP_X)
	vectors.canonical("rotated", Transform2D(0.5, Vector2(3, 4)))
	vectors.canonical("yz", Plane.PLANE_YZ)
	vectors.canonical("turned", Quaternion(Vector3.UP, 1.0))
	vectors.canonical("turned", Basis(Vector3.UP, 1.0))
	vectors.canonical("flipped", Basis.FLIP_Z)
	vectors.canonical("looking", Transform3D().looking_at(Vector3(1, 2, 3)))
	vectors.canonical("perspective", Projection.create_perspective(60.0, 1.5, 0.1, 100.0))
	vectors.canonical("zero", Projection.ZERO)
	vectors.canonical("named", Color.CORNFLOWER_BLUE)
	vectors.canonical("from-hex", Color("#12345678"))
	vectors.canonical("overbright", Color(4.0, -0.5, 1e10, 2.0))
	vectors.canonical("size-negative", Rect2(1.0, 2.0, -3.0, -4.0))
	vectors.canonical("size-negative", Rect2i(1, 2, -3, -4))
	vectors.canonical("size-negative", AABB(Vector3.ONE, -Vector3.ONE))


## A signalling NaN stays signalling only if its bits are never handled as a 64-bit float.
func _add_signalling_nans(vectors: VectorSet) -> void:
	var real_width: int = PackedVector2Array([Vector2.ZERO]).to_byte_array().size() / 2
	var pattern: PackedByteArray = PackedInt32Array([0x7f812345]).to_byte_array()
	var component: PackedByteArray = pattern
	if real_width == 8:
		component = PackedInt64Array([0x7ff0000012345678]).to_byte_array()
	vectors.canonical("signalling-nan", (component + component).to_vector2_array()[0])
	vectors.canonical("signalling-nan", (component + component + component).to_vector3_array()[0])
	vectors.canonical("signalling-nan", (component + component + component + component).to_vector4_array()[0])
	vectors.canonical("signalling-nan", (pattern + pattern + pattern + pattern).to_color_array()[0])


func _edges() -> Dictionary[String, float]:
	var all: Dictionary[String, float] = Samples.floats()
	var edges: Dictionary[String, float] = {}
	for case_name: String in ["minus-zero", "tenth", "third", "2-to-24-plus-1", "1e39", "max-in-32-bit",
			"min-normal-in-32-bit", "min-subnormal-in-32-bit", "inf", "minus-inf", "nan", "minus-nan"]:
		edges[case_name] = all[case_name]
	return edges


func _ascending(size: int) -> PackedFloat64Array:
	var components: PackedFloat64Array = []
	for index: int in size:
		components.append(index + 1)
	return components


func _negative_fractions(size: int) -> PackedFloat64Array:
	var components: PackedFloat64Array = []
	for index: int in size:
		components.append(-(index + 1) / 3.0)
	return components


func _in_turn(size: int, values: Array) -> PackedFloat64Array:
	var components: PackedFloat64Array = []
	for index: int in size:
		components.append(values[index % values.size()])
	return components


func _filled(size: int, value: float) -> PackedFloat64Array:
	var components: PackedFloat64Array = []
	components.resize(size)
	components.fill(value)
	return components


func _filled_ints(size: int, value: int) -> PackedInt32Array:
	var components: PackedInt32Array = []
	components.resize(size)
	components.fill(value)
	return components
