extends Reference
## The seven pool arrays (packed arrays in tagged JSON): every small length, a long one, and extreme elements.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")

const LENGTHS: Array = [0, 1, 2, 3, 4, 5, 7, 1000]


func add_to(vectors: VectorSet) -> void:
	for type in range(TYPE_RAW_ARRAY, TYPE_MAX):
		for length in LENGTHS:
			var elements: Array = []
			for index in length:
				elements.append(_element(type, index))
			vectors.canonical("length-%d" % length, convert(elements, type))
	_add_numbers(vectors)
	_add_texts(vectors)
	_add_vectors(vectors)


func _element(type: int, index: int):
	match type:
		TYPE_RAW_ARRAY:
			return (index * 37 + 1) % 256
		TYPE_INT_ARRAY:
			return (index + 1) * -1234567
		TYPE_REAL_ARRAY:
			return (index + 1) / 3.0
		TYPE_STRING_ARRAY:
			return Samples.repeat("x", index % 6)
		TYPE_VECTOR2_ARRAY:
			return Vector2(index, -index / 4.0)
		TYPE_VECTOR3_ARRAY:
			return Vector3(index, -index / 4.0, index / 3.0)
		_:
			return Color(index / 8.0, 0.5, index / 3.0, 1.0)


func _add_numbers(vectors: VectorSet) -> void:
	vectors.canonical("every-byte", PoolByteArray(range(256)))
	vectors.canonical("zeros", PoolByteArray([0, 0, 0, 0, 0, 0]))
	vectors.canonical("encoded-value", var2bytes("inside"))
	for value in [0, 0x7f, 0x80, 0xff]:
		vectors.canonical("byte-%d" % value, PoolByteArray([value]))
	vectors.canonical("edges", PoolIntArray(Samples.INTS_32))
	vectors.canonical("wrapped", PoolIntArray([0x80000000, 0xffffffff, 0x100000000]))
	var floats: Dictionary = Samples.floats()
	vectors.canonical("edges", PoolRealArray(floats.values()))
	for case_name in floats:
		vectors.canonical("only-" + case_name, PoolRealArray([floats[case_name]]))
	# Elements that a script could not have set.
	vectors.canonical("signalling-nans", vectors.read(Wire.hex("16000000 03000000 0100807f ffffbf7f 010080ff")))
	vectors.canonical("nan-payloads", vectors.read(Wire.hex("16000000 03000000 0100c07f ffffff7f ffffffff")))


func _add_texts(vectors: VectorSet) -> void:
	var texts: Dictionary = Samples.texts()
	vectors.canonical("every-text", PoolStringArray(texts.values()))
	for case_name in texts:
		vectors.canonical("only-" + case_name, PoolStringArray([texts[case_name]]))
	vectors.canonical("empty-texts", PoolStringArray(["", "", ""]))
	vectors.canonical("same-text", PoolStringArray(["same", "same", "same"]))


func _add_vectors(vectors: VectorSet) -> void:
	var edges: Array = Samples.floats().values()
	var pairs: PoolVector2Array = PoolVector2Array()
	var triples: PoolVector3Array = PoolVector3Array()
	var colors: PoolColorArray = PoolColorArray()
	for index in edges.size():
		var next: float = edges[(index + 1) % edges.size()]
		pairs.append(Vector2(edges[index], next))
		triples.append(Vector3(edges[index], next, -edges[index]))
		colors.append(Color(edges[index], next, -edges[index], -next))
	vectors.canonical("edges", pairs)
	vectors.canonical("edges", triples)
	vectors.canonical("edges", colors)
	vectors.canonical("signalling-nans", vectors.read(Wire.hex("18000000 01000000 0100807f ffffbf7f")))
	vectors.canonical("signalling-nans", vectors.read(Wire.hex("19000000 01000000 0100807f ffffbf7f 010080ff")))
	vectors.canonical("signalling-nans", vectors.read(Wire.hex("1a000000 01000000 0100807f ffffbf7f 010080ff 0000803f")))
