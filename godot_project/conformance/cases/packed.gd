extends RefCounted
## The ten packed arrays: every small length, a long one, and extreme elements.

const VectorSet := preload("res://conformance/vector_set.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const LENGTHS: PackedInt32Array = [0, 1, 2, 3, 4, 5, 7, 1000]


func add_to(vectors: VectorSet) -> void:
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		for length: int in LENGTHS:
			var elements: Array = []
			for index: int in length:
				elements.append(_element(type, index))
			vectors.canonical("length-%d" % length, type_convert(elements, type))
	_add_numbers(vectors)
	_add_texts(vectors)
	_add_vectors(vectors)


func _element(type: int, index: int) -> Variant:
	match type:
		TYPE_PACKED_BYTE_ARRAY:
			return (index * 37 + 1) % 256
		TYPE_PACKED_INT32_ARRAY:
			return (index + 1) * -1234567
		TYPE_PACKED_INT64_ARRAY:
			return (index + 1) * -1234567890123
		TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY:
			return (index + 1) / 3.0
		TYPE_PACKED_STRING_ARRAY:
			return "x".repeat(index % 6)
		TYPE_PACKED_VECTOR2_ARRAY:
			return Vector2(index, -index / 4.0)
		TYPE_PACKED_VECTOR3_ARRAY:
			return Vector3(index, -index / 4.0, index / 3.0)
		TYPE_PACKED_COLOR_ARRAY:
			return Color(index / 8.0, 0.5, index / 3.0, 1.0)
		_:
			return Vector4(index, -index / 4.0, index / 3.0, 1.0)


func _add_numbers(vectors: VectorSet) -> void:
	vectors.canonical("every-byte", PackedByteArray(range(256)))
	vectors.canonical("zeros", PackedByteArray([0, 0, 0, 0, 0, 0]))
	vectors.canonical("encoded-value", var_to_bytes("inside"))
	for value: int in [0, 0x7f, 0x80, 0xff]:
		vectors.canonical("byte-%d" % value, PackedByteArray([value]))
	vectors.canonical("edges", Samples.INTS_32)
	vectors.canonical("wrapped", PackedInt32Array([0x80000000, 0xffffffff, 0x100000000]))
	vectors.canonical("edges", Samples.INTS)
	var edges: Array = Samples.floats().values()
	vectors.canonical("edges", PackedFloat64Array(edges))
	vectors.canonical("edges", PackedFloat32Array(edges))
	var signalling: PackedInt32Array = [0x7f800001, 0x7fbfffff, -0x7fffff]
	vectors.canonical("signalling-nans", signalling.to_byte_array().to_float32_array())
	vectors.canonical("nan-payloads", PackedInt32Array([0x7fc00001, 0x7fffffff, -1]).to_byte_array().to_float32_array())
	vectors.canonical("nan-payloads", PackedInt64Array(
			[0x7ff0000000000001, 0x7ff8000000000001, -1]).to_byte_array().to_float64_array())
	for case_name: String in Samples.floats():
		var value: float = Samples.floats()[case_name]
		vectors.canonical("only-" + case_name, PackedFloat32Array([value]))


func _add_texts(vectors: VectorSet) -> void:
	var texts: Dictionary[String, String] = Samples.texts()
	vectors.canonical("every-text", PackedStringArray(texts.values()))
	for case_name: String in texts:
		vectors.canonical("only-" + case_name, PackedStringArray([texts[case_name]]))
	vectors.canonical("empty-texts", PackedStringArray(["", "", ""]))
	vectors.canonical("same-text", PackedStringArray(["same", "same", "same"]))


func _add_vectors(vectors: VectorSet) -> void:
	var edges: PackedFloat64Array = Samples.floats().values()
	var pairs: PackedVector2Array = []
	var triples: PackedVector3Array = []
	var quadruples: PackedVector4Array = []
	var colors: PackedColorArray = []
	for index: int in edges.size():
		var next: float = edges[(index + 1) % edges.size()]
		pairs.append(Vector2(edges[index], next))
		triples.append(Vector3(edges[index], next, -edges[index]))
		quadruples.append(Vector4(edges[index], next, -edges[index], -next))
		colors.append(Color(edges[index], next, -edges[index], -next))
	vectors.canonical("edges", pairs)
	vectors.canonical("edges", triples)
	vectors.canonical("edges", quadruples)
	vectors.canonical("edges", colors)
