extends RefCounted
## Single values that the decoder rejects. Each case has one error and is named after it.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Maths := preload("res://conformance/cases/math.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const SHORT: String = "the value ends early"
const UTF_8: String = "the text is not UTF-8"
const PATH_FORM: String = "since Godot 3.1, NodePath has only one form"

## Name, bytes, reason.
const CASES: Array[Array] = [
	["empty", "", "the header is missing"],
	["header-of-1-byte", "00", "the header is missing"],
	["header-of-2-bytes", "0000", "the header is missing"],
	["header-of-3-bytes", "020000", "the header is missing"],
	["type-39", "27000000", "no type has this id"],
	["type-39-with-payload", "27000000 00000000 00000000", "no type has this id"],
	["type-40", "28000000 00000000", "no type has this id"],
	["type-128", "80000000 00000000", "no type has this id"],
	["type-255", "ff000000 00000000", "no type has this id"],
	["type-255-and-every-bit", "ffffffff 00000000", "no type has this id"],
	["String-length-without-pad", "04000000 03000000 616263", "a string needs its padding"],
	["String-part-of-pad", "04000000 01000000 616200", "a string needs its padding"],
	["String-length-one-too-long", "04000000 05000000 61626364", SHORT],
	["String-length-minus-one", "04000000 ffffffff", "the length is negative"],
	["String-length-minus-one-and-bytes", "04000000 ffffffff 61626364", "the length is negative"],
	["String-length-min", "04000000 00000080 61626364", "the length is negative"],
	["String-length-max", "04000000 ffffff7f 61626364", "the length and its padding do not fit in 31 bits"],
	["String-length-max-but-three", "04000000 fcffff7f 61626364", SHORT],
	["String-length-huge", "04000000 00000040 61626364", SHORT],
	["StringName-length-without-pad", "15000000 01000000 61", "a string needs its padding"],
	["StringName-length-minus-one", "15000000 ffffffff", "the length is negative"],
	["Signal-without-id", "1a000000 01000000 73000000", SHORT],
	["Signal-half-of-id", "1a000000 01000000 73000000 01000000", SHORT],
	["Signal-name-without-pad", "1a000000 01000000 73", "a string needs its padding"],
	["Signal-name-length-minus-one", "1a000000 ffffffff 00000000 00000000", "the length is negative"],
	["NodePath-old-form", "16000000 01000000 61000000", PATH_FORM],
	["NodePath-old-form-empty", "16000000 00000000", PATH_FORM],
	["NodePath-old-form-long", "16000000 0c000000 612f622f 632f642f 652f6600", PATH_FORM],
	["NodePath-without-flags", "16000000 00000080 00000000", SHORT],
	["NodePath-without-name", "16000000 01000080 00000000 00000000", SHORT],
	["NodePath-one-name-of-two", "16000000 02000080 00000000 00000000 01000000 61000000", SHORT],
	["NodePath-without-subname", "16000000 01000080 01000000 00000000 01000000 61000000", SHORT],
	["NodePath-flag-1-without-text", "16000000 01000080 00000000 02000000 01000000 61000000", SHORT],
	["NodePath-name-without-pad", "16000000 01000080 00000000 00000000 01000000 61",
			"a string needs its padding"],
	["NodePath-name-length-minus-one", "16000000 01000080 00000000 00000000 ffffffff", "the length is negative"],
	["NodePath-count-huge", "16000000 ffffffff 00000000 00000000 01000000 61000000", SHORT],
	["NodePath-subcount-huge", "16000000 00000080 ffffffff 00000000 01000000 61000000", SHORT],
	["Object-in-full-not-allowed", "18000000 0a000000 52656643 6f756e74 65640000 00000000", "objects are not allowed"],
	["Object-without-class-not-allowed", "18000000 00000000", "objects are not allowed"],
	["Object-alone-not-allowed", "18000000", "objects are not allowed"],
	["Object-id-missing", "18000100", SHORT],
	["Object-id-half", "18000100 01000000", SHORT],
	["Object-id-of-7-bytes", "18000100 01000000 000000", SHORT],
	["Object-flag-17-is-not-16", "18000200 d2040000 00000000", "objects are not allowed"],
	["int-wide-half", "02000100 01000000", SHORT],
	["int-wide-of-7-bytes", "02000100 01000000 000000", SHORT],
	["float-wide-half", "03000100 0000803f", SHORT],
	["RID-half", "17000000 01000000", SHORT],
]
## Bytes that are not valid text, with the reason.
const BAD_TEXTS: Dictionary[String, String] = {
	"overlong-slash-in-2": "c0af",
	"overlong-nul-in-2": "c080",
	"overlong-c1": "c1bf",
	"overlong-in-3": "e08080",
	"overlong-in-3-last": "e09fbf",
	"overlong-in-4": "f0808080",
	"overlong-in-4-last": "f08fbfbf",
	"surrogate-first": "eda080",
	"surrogate-last": "edbfbf",
	"surrogate-pair": "eda0bdedb880",
	"beyond-last": "f4908080",
	"lead-f5": "f5808080",
	"lead-f7": "f7bfbfbf",
	"lead-of-5-bytes": "f888808080",
	"lead-of-6-bytes": "fc8480808080",
	"lead-fe": "fe",
	"lead-ff": "ff",
	"continuation-alone": "80",
	"continuation-last-alone": "bf",
	"continuation-after-text": "6180",
	"continuation-too-many": "c3a9a9",
	"cut-in-2": "c3",
	"cut-in-3-after-1": "e2",
	"cut-in-3-after-2": "e282",
	"cut-in-4-after-1": "f0",
	"cut-in-4-after-2": "f09f",
	"cut-in-4-after-3": "f09f98",
	"cut-by-text-in-2": "c361",
	"cut-by-text-in-3": "e28261",
	"cut-by-text-in-4": "f09f9861",
	"cut-by-nul": "c300",
	"cut-by-lead": "c3c3a9",
	"mark-then-bad": "efbbbfff",
	"mark-cut": "efbb",
	"latin-1": "e9",
}


func add_to(vectors: VectorSet) -> void:
	for case: Array in CASES:
		vectors.rejected(case[0], Wire.hex(case[1]), case[2])
	_add_short(vectors)
	_add_bad_texts(vectors)
	_add_counts(vectors)


## Every type with a payload, without the payload and without its last word.
func _add_short(vectors: VectorSet) -> void:
	for type: int in range(TYPE_BOOL, TYPE_MAX):
		if type == TYPE_OBJECT or type == TYPE_CALLABLE:
			continue
		var type_name: String = type_string(type)
		var bytes: PackedByteArray = var_to_bytes(Samples.of_type(type)[-1])
		vectors.rejected("%s-header-alone" % type_name, bytes.slice(0, 4), SHORT)
		vectors.rejected("%s-short-by-a-word" % type_name, bytes.slice(0, -4), SHORT)
		if type != TYPE_PACKED_BYTE_ARRAY:
			vectors.rejected("%s-short-by-a-byte" % type_name, bytes.slice(0, -1), SHORT)
	for type: int in [TYPE_VECTOR2, TYPE_RECT2, TYPE_VECTOR3, TYPE_TRANSFORM2D, TYPE_VECTOR4, TYPE_PLANE,
			TYPE_QUATERNION,
			TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_PROJECTION] as Array[int]:
		var narrow: PackedByteArray = Wire.repeat(Wire.word(0), Maths.component_count(type))
		vectors.rejected("%s-narrow-but-flagged" % type_string(type), Wire.word(type | Wire.FLAG) + narrow, SHORT)


func _add_bad_texts(vectors: VectorSet) -> void:
	for case_name: String in BAD_TEXTS:
		var content: PackedByteArray = BAD_TEXTS[case_name].hex_decode()
		vectors.rejected("String-utf-8-" + case_name, Wire.word(TYPE_STRING) + Wire.field(content), UTF_8)
	var bad: PackedByteArray = Wire.field(Wire.hex("61ff"))
	vectors.rejected("StringName-utf-8", Wire.word(TYPE_STRING_NAME) + bad, UTF_8)
	vectors.rejected("NodePath-utf-8-in-name", Wire.hex("16000000 01000080 00000000 00000000") + bad, UTF_8)
	vectors.rejected("NodePath-utf-8-in-subname", Wire.hex("16000000 00000080 01000000 00000000") + bad, UTF_8)
	vectors.rejected("Signal-utf-8", Wire.word(TYPE_SIGNAL) + bad + Wire.wide(1), UTF_8)
	vectors.rejected("PackedStringArray-utf-8", Wire.word(TYPE_PACKED_STRING_ARRAY) + Wire.word(1) + bad, UTF_8)
	vectors.rejected("PackedStringArray-utf-8-in-second",
			Wire.word(TYPE_PACKED_STRING_ARRAY) + Wire.word(2) + Wire.text("a") + bad, UTF_8)
	vectors.rejected("Object-utf-8-in-class", Wire.word(TYPE_OBJECT) + bad + Wire.word(0), UTF_8, true)
	vectors.rejected("Array-utf-8-in-class", Wire.array([], Wire.Kind.CLASS, bad), UTF_8)
	vectors.rejected("Array-utf-8-in-script", Wire.array([], Wire.Kind.SCRIPT, bad), UTF_8)


## Counts that are larger than the bytes after them, or than any bytes.
func _add_counts(vectors: VectorSet) -> void:
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		var type_name: String = type_string(type)
		var some: PackedByteArray = Wire.repeat(Wire.word(0), 8)
		for count: int in [0x7fffffff, 0x40000000, 0x20000000, 0x10000001]:
			vectors.rejected("%s-count-%x" % [type_name, count], Wire.word(type) + Wire.word(count) + some,
					"the count is more than the bytes hold")
		if type != TYPE_PACKED_STRING_ARRAY:
			vectors.rejected("%s-count-minus-one" % type_name, Wire.word(type) + Wire.word(0xffffffff) + some,
					"the count is negative")
			vectors.rejected("%s-count-min" % type_name, Wire.word(type) + Wire.word(0x80000000) + some,
					"the count is negative")
	vectors.rejected("PackedByteArray-one-too-few", Wire.hex("1d000000 05000000 01020304"), SHORT)
	vectors.rejected("PackedInt64Array-count-of-8-bytes", Wire.hex("1f000000 01000000 00000000"),
			"the count has 4 bytes")
	vectors.rejected("PackedStringArray-one-of-two", Wire.hex("22000000 02000000 02000000 61000000"), SHORT)
	vectors.rejected("PackedStringArray-without-pad", Wire.hex("22000000 01000000 02000000 6100"),
			"a string needs its padding")
	vectors.rejected("PackedStringArray-length-minus-one", Wire.hex("22000000 01000000 ffffffff"),
			"the length is negative")
	vectors.rejected("PackedVector2Array-narrow-but-flagged", Wire.hex("23000100 01000000 0000803f 00000040"), SHORT)
	vectors.rejected("PackedVector3Array-narrow-but-flagged", Wire.hex("24000100 01000000 0000803f 00000040 00004040"),
			SHORT)
	vectors.rejected("PackedVector4Array-narrow-but-flagged",
			Wire.hex("26000100 01000000 0000803f 00000040 00004040 00008040"), SHORT)
