extends Reference
## Vectors, rectangles, transforms and colors: components in order, and each component at its extreme values.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")

## Types with their number of components.
const COMPONENTS: Dictionary = {TYPE_VECTOR2: 2, TYPE_RECT2: 4, TYPE_VECTOR3: 3, TYPE_TRANSFORM2D: 6, TYPE_PLANE: 4,
		TYPE_QUAT: 4, TYPE_AABB: 6, TYPE_BASIS: 9, TYPE_TRANSFORM: 12, TYPE_COLOR: 4}
const EDGES: Array = ["minus-zero", "tenth", "third", "2-to-24-plus-1", "1e39", "max-in-32-bit", "min-normal-in-32-bit",
		"min-subnormal-in-32-bit", "inf", "minus-inf", "nan", "minus-nan"]


func add_to(vectors: VectorSet) -> void:
	var floats: Dictionary = Samples.floats()
	for value in [Vector2(), Rect2(), Vector3(), Transform2D(), Plane(), Quat(), AABB(), Basis(), Transform(), Color()]:
		vectors.canonical("default", value)
	for type in COMPONENTS:
		var size: int = COMPONENTS[type]
		var ascending: Array = []
		var negative_fractions: Array = []
		var in_turn: Array = []
		for index in size:
			ascending.append(index + 1.0)
			negative_fractions.append(-(index + 1) / 3.0)
			in_turn.append(floats[EDGES[index % EDGES.size()]])
		vectors.canonical("ascending", of_reals(type, ascending))
		vectors.canonical("negative-fractions", of_reals(type, negative_fractions))
		vectors.canonical("edges-in-turn", of_reals(type, in_turn))
		for case_name in EDGES:
			vectors.canonical("all-" + case_name, of_reals(type, _filled(size, floats[case_name])))
		_add_signalling_nans(vectors, type, size)
	_add_constants(vectors)


## The components in the order in which scripts name them: a matrix by columns.
static func of_reals(type: int, c: Array):
	match type:
		TYPE_VECTOR2:
			return Vector2(c[0], c[1])
		TYPE_RECT2:
			return Rect2(c[0], c[1], c[2], c[3])
		TYPE_VECTOR3:
			return Vector3(c[0], c[1], c[2])
		TYPE_TRANSFORM2D:
			return Transform2D(Vector2(c[0], c[1]), Vector2(c[2], c[3]), Vector2(c[4], c[5]))
		TYPE_PLANE:
			return Plane(c[0], c[1], c[2], c[3])
		TYPE_QUAT:
			return Quat(c[0], c[1], c[2], c[3])
		TYPE_AABB:
			return AABB(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]))
		TYPE_BASIS:
			return Basis(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]), Vector3(c[6], c[7], c[8]))
		TYPE_TRANSFORM:
			return Transform(Vector3(c[0], c[1], c[2]), Vector3(c[3], c[4], c[5]), Vector3(c[6], c[7], c[8]),
					Vector3(c[9], c[10], c[11]))
		_:
			return Color(c[0], c[1], c[2], c[3])


func _add_constants(vectors: VectorSet) -> void:
	vectors.canonical("inf-constant", Vector2.INF)
	vectors.canonical("forward", Vector3.FORWARD)
	vectors.canonical("flipped", Transform2D.FLIP_X)
	vectors.canonical("rotated", Transform2D(0.5, Vector2(3.0, 4.0)))
	vectors.canonical("yz", Plane.PLANE_YZ)
	vectors.canonical("turned", Quat(Vector3.UP, 1.0))
	vectors.canonical("turned", Basis(Vector3.UP, 1.0))
	vectors.canonical("flipped", Basis.FLIP_Z)
	vectors.canonical("looking", Transform().looking_at(Vector3(1.0, 2.0, 3.0), Vector3.UP))
	vectors.canonical("named", ColorN("cornflower"))
	vectors.canonical("from-hex", Color("#12345678"))
	vectors.canonical("overbright", Color(4.0, -0.5, 1e10, 2.0))
	vectors.canonical("size-negative", Rect2(1.0, 2.0, -3.0, -4.0))
	vectors.canonical("size-negative", AABB(Vector3.ONE, -Vector3.ONE))


## A NaN stays signalling only if it was never handled as a 64-bit float, so these come from the decoder.
func _add_signalling_nans(vectors: VectorSet, type: int, size: int) -> void:
	var bytes: PoolByteArray = Wire.word(type) + Wire.repeat(Wire.word(0x7f812345), size)
	vectors.canonical("signalling-nan", vectors.read(bytes))


func _filled(size: int, value: float) -> Array:
	var components: Array = []
	for _index in size:
		components.append(value)
	return components
