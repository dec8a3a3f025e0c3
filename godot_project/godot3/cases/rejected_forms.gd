extends Reference
## Single values that the decoder rejects. Each case has one error and is named after it.

const VectorSet := preload("res://vector_set.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")

const SHORT: String = "the value ends early"
const UTF_8: String = "the text is not UTF-8, even by the lenient rules of Godot 3"
const PATH_FORM: String = "since Godot 3.1, NodePath has only one form"
const NEGATIVE: String = "the length is negative"
const PAD: String = "a string needs its padding"
const NO_TYPE: String = "no type has this id"
const NOT_ALLOWED: String = "objects are not allowed"

## Name, bytes, reason.
const CASES: Array = [
	["empty", "", "the header is missing"],
	["header-of-1-byte", "00", "the header is missing"],
	["header-of-2-bytes", "0000", "the header is missing"],
	["header-of-3-bytes", "020000", "the header is missing"],
	["type-27", "1b000000", NO_TYPE],
	["type-27-with-payload", "1b000000 00000000 00000000", NO_TYPE],
	["type-28", "1c000000 00000000", NO_TYPE],
	["type-39", "27000000 00000000", NO_TYPE],
	["type-128", "80000000 00000000", NO_TYPE],
	["type-255", "ff000000 00000000", NO_TYPE],
	["type-255-and-every-bit", "ffffffff 00000000", NO_TYPE],
	["String-length-without-pad", "04000000 03000000 616263", PAD],
	["String-part-of-pad", "04000000 01000000 616200", PAD],
	["String-length-one-too-long", "04000000 05000000 61626364", SHORT],
	["String-length-minus-one", "04000000 ffffffff", NEGATIVE],
	["String-length-minus-one-and-bytes", "04000000 ffffffff 61626364", NEGATIVE],
	["String-length-min", "04000000 00000080 61626364", NEGATIVE],
	["String-length-max", "04000000 ffffff7f 61626364", "the length and its padding do not fit in 31 bits"],
	["String-length-max-but-three", "04000000 fcffff7f 61626364", SHORT],
	["String-length-huge", "04000000 00000040 61626364", SHORT],
	["NodePath-old-form", "0f000000 01000000 61000000", PATH_FORM],
	["NodePath-old-form-empty", "0f000000 00000000", PATH_FORM],
	["NodePath-old-form-long", "0f000000 0c000000 612f622f 632f642f 652f6600", PATH_FORM],
	["NodePath-without-flags", "0f000000 00000080 00000000", SHORT],
	["NodePath-without-name", "0f000000 01000080 00000000 00000000", SHORT],
	["NodePath-one-name-of-two", "0f000000 02000080 00000000 00000000 01000000 61000000", SHORT],
	["NodePath-without-subname", "0f000000 01000080 01000000 00000000 01000000 61000000", SHORT],
	["NodePath-flag-1-without-text", "0f000000 01000080 00000000 02000000 01000000 61000000", SHORT],
	["NodePath-name-without-pad", "0f000000 01000080 00000000 00000000 01000000 61", PAD],
	["NodePath-name-length-minus-one", "0f000000 01000080 00000000 00000000 ffffffff", NEGATIVE],
	["NodePath-count-huge", "0f000000 ffffffff 00000000 00000000 01000000 61000000", SHORT],
	["NodePath-subcount-huge", "0f000000 00000080 ffffffff 00000000 01000000 61000000", SHORT],
	["Object-in-full-not-allowed", "11000000 09000000 52656665 72656e63 65000000 00000000", NOT_ALLOWED],
	["Object-without-class-not-allowed", "11000000 00000000", NOT_ALLOWED],
	["Object-alone-not-allowed", "11000000", NOT_ALLOWED],
	["Object-id-missing", "11000100", SHORT],
	["Object-id-half", "11000100 01000000", SHORT],
	["Object-id-of-7-bytes", "11000100 01000000 000000", SHORT],
	["Object-flag-17-is-not-16", "11000200 d2040000 00000000", NOT_ALLOWED],
	["int-wide-half", "02000100 01000000", SHORT],
	["int-wide-of-7-bytes", "02000100 01000000 000000", SHORT],
	["float-wide-half", "03000100 0000803f", SHORT],
	["float-wide-of-7-bytes", "03000100 0000803f 000000", SHORT],
]
## Bytes that are not valid text even for Godot 3.
const BAD_TEXTS: Dictionary = {
	"overlong-slash-in-2": "c0af",
	"overlong-nul-in-2": "c080",
	"overlong-c1": "c1bf",
	"overlong-in-3": "e08080",
	"overlong-in-3-last": "e0808f",
	"overlong-in-4": "f0808080",
	"overlong-in-4-last": "f08087bf",
	"overlong-in-5": "f880808080",
	"overlong-in-5-last": "f88083bfbf",
	"overlong-in-6": "fc8080808080",
	"overlong-in-6-last": "fc8081bfbfbf",
	"lead-fe": "fe",
	"lead-ff": "ff",
	"lead-fe-and-six": "fe808080808080",
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
	"cut-in-5": "f8888080",
	"cut-in-6": "fc84808080",
	"cut-by-text-in-2": "c361",
	"cut-by-text-in-3": "e28261",
	"cut-by-text-in-4": "f09f9861",
	"cut-by-nul": "c300",
	"cut-by-nul-in-4": "f09f0080",
	"cut-by-lead": "c3c3a9",
	"mark-then-bad": "efbbbfff",
	"mark-cut": "efbb",
	"latin-1": "e9",
}


func add_to(vectors: VectorSet) -> void:
	for case in CASES:
		vectors.rejected(case[0], Wire.hex(case[1]), case[2])
	_add_short(vectors)
	_add_bad_texts(vectors)
	_add_counts(vectors)


## Every type with a payload, without the payload and without its last word.
func _add_short(vectors: VectorSet) -> void:
	for type in range(TYPE_BOOL, TYPE_MAX):
		if type == TYPE_OBJECT or type == TYPE_RID:
			continue
		var type_name: String = TaggedJson.TYPE_NAMES[type]
		var bytes: PoolByteArray = var2bytes(Samples.one_of_type(type))
		vectors.rejected("%s-header-alone" % type_name, Wire.cut(bytes, 4), SHORT)
		vectors.rejected("%s-short-by-a-word" % type_name, Wire.cut(bytes, -4), SHORT)
		if type != TYPE_RAW_ARRAY:
			vectors.rejected("%s-short-by-a-byte" % type_name, Wire.cut(bytes, -1), SHORT)


func _add_bad_texts(vectors: VectorSet) -> void:
	for case_name in BAD_TEXTS:
		vectors.rejected("String-utf-8-" + case_name,
				Wire.word(TYPE_STRING) + Wire.field(Wire.hex(BAD_TEXTS[case_name])), UTF_8)
	var bad: PoolByteArray = Wire.field(Wire.hex("61ff"))
	vectors.rejected("NodePath-utf-8-in-name", Wire.hex("0f000000 01000080 00000000 00000000") + bad, UTF_8)
	vectors.rejected("NodePath-utf-8-in-subname", Wire.hex("0f000000 00000080 01000000 00000000") + bad, UTF_8)
	vectors.rejected("PackedStringArray-utf-8", Wire.word(TYPE_STRING_ARRAY) + Wire.word(1) + bad, UTF_8)
	vectors.rejected("PackedStringArray-utf-8-in-second",
			Wire.word(TYPE_STRING_ARRAY) + Wire.word(2) + Wire.text("a") + bad, UTF_8)
	vectors.rejected("Object-utf-8-in-class", Wire.word(TYPE_OBJECT) + bad + Wire.word(0), UTF_8, true)


## Counts that are larger than the bytes after them, or than any bytes.
func _add_counts(vectors: VectorSet) -> void:
	var some: PoolByteArray = Wire.repeat(Wire.word(0), 8)
	for type in range(TYPE_RAW_ARRAY, TYPE_MAX):
		var type_name: String = TaggedJson.TYPE_NAMES[type]
		for count in [0x7fffffff, 0x40000000, 0x20000000, 0x10000001]:
			vectors.rejected("%s-count-%x" % [type_name, count], Wire.word(type) + Wire.word(count) + some,
					"the count is more than the bytes hold")
		if type != TYPE_STRING_ARRAY:
			vectors.rejected("%s-count-minus-one" % type_name, Wire.word(type) + Wire.word(0xffffffff) + some,
					"the count is negative")
			vectors.rejected("%s-count-min" % type_name, Wire.word(type) + Wire.word(0x80000000) + some,
					"the count is negative")
	vectors.rejected("PackedByteArray-one-too-few", Wire.hex("14000000 05000000 01020304"), SHORT)
	vectors.rejected("PackedStringArray-one-of-two", Wire.hex("17000000 02000000 02000000 61000000"), SHORT)
	vectors.rejected("PackedStringArray-without-pad", Wire.hex("17000000 01000000 02000000 6100"), PAD)
	vectors.rejected("PackedStringArray-length-minus-one", Wire.hex("17000000 01000000 ffffffff"), NEGATIVE)
