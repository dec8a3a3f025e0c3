extends Reference
## Arrays, dictionaries and full objects that the decoder rejects. Each case has one error and is named after it.

const Codec := preload("res://codec.gd")
const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Arrays := preload("res://cases/arrays.gd")

const SHORT: String = "the value ends early"
const MEMBER: String = "a member is rejected"
const NOT_ALLOWED: String = "objects are not allowed"
const PAD: String = "a string needs its padding"
const NEGATIVE: String = "the length is negative"
const TAKEN: String = "missing padding is taken from the next value"
const TOO_DEEP: String = "nested more than 1025 levels deep"

## Name, bytes, reason.
const CASES: Array = [
	["Array-one-of-two", "13000000 02000000 00000000", SHORT],
	["Array-none-of-one", "13000000 01000000", SHORT],
	["Array-count-max", "13000000 ffffff7f 00000000", SHORT],
	["Array-count-minus-one", "13000000 ffffffff 00000000", "bit 31 of the count is ignored, and the rest is too large"],
	["Array-unknown-type-inside", "13000000 01000000 1b000000", MEMBER],
	["Array-bad-after-good", "13000000 03000000 00000000 02000000 01000000 01000000", MEMBER],
	["Array-half-of-header-inside", "13000000 01000000 0000", MEMBER],
	["Array-object-in-full-inside", "13000000 01000000 11000000 00000000", NOT_ALLOWED],
	["Array-bytes-without-pad-before-another", "13000000 02000000 14000000 01000000 01 00000000", TAKEN],
	["Array-bytes-without-pad-and-nothing-after", "13000000 02000000 14000000 01000000 01", SHORT],
	["Array-text-without-pad-inside", "13000000 01000000 04000000 01000000 61", PAD],
	["Array-in-Array-short", "13000000 01000000 13000000 01000000", SHORT],
	["Dictionary-none-of-one", "12000000 01000000", SHORT],
	["Dictionary-key-without-value", "12000000 01000000 02000000 01000000", SHORT],
	["Dictionary-one-of-two", "12000000 02000000 02000000 01000000 00000000", SHORT],
	["Dictionary-count-max", "12000000 ffffff7f 00000000 00000000", SHORT],
	["Dictionary-bad-key", "12000000 01000000 1b000000 00000000", MEMBER],
	["Dictionary-bad-value", "12000000 01000000 00000000 1b000000", MEMBER],
	["Dictionary-object-in-full-as-key", "12000000 01000000 11000000 00000000 00000000", NOT_ALLOWED],
	["Dictionary-object-in-full-as-value", "12000000 01000000 00000000 11000000 00000000", NOT_ALLOWED],
	["Dictionary-bytes-without-pad-as-key", "12000000 01000000 14000000 01000000 01 00000000", TAKEN],
]


func add_to(vectors: VectorSet) -> void:
	for case in CASES:
		vectors.rejected(case[0], Wire.hex(case[1]), case[2])
	_add_objects(vectors)
	if Codec.limits_depth():
		_add_depth(vectors)


func _add_objects(vectors: VectorSet) -> void:
	for native_class in ["NoSuchClass", "reference", "Item", "int", "Reference ", "InputEvent", "Shape2D", "CanvasItem",
			"Physics2DServer", "SceneState", "res://fixtures/bare.gd"]:
		vectors.rejected("Object-of-class-%s" % native_class.get_file().strip_edges(),
				Wire.object_in_full(native_class), "this class cannot be instantiated", true)
	vectors.rejected("Object-header-alone", Wire.hex("11000000"), SHORT, true)
	vectors.rejected("Object-class-length-too-long", Wire.hex("11000000 0c000000 52656665 72656e63"), SHORT, true)
	vectors.rejected("Object-class-length-minus-one", Wire.hex("11000000 ffffffff"), NEGATIVE, true)
	vectors.rejected("Object-class-without-pad", Wire.hex("11000000 09000000 52656665 72656e63 65"), PAD, true)
	var counted: PoolByteArray = Wire.word(TYPE_OBJECT) + Wire.text("Reference")
	vectors.rejected("Object-without-property-count", counted, SHORT, true)
	vectors.rejected("Object-without-property", counted + Wire.word(1), SHORT, true)
	vectors.rejected("Object-property-without-value", counted + Wire.word(1) + Wire.text("a"), SHORT, true)
	vectors.rejected("Object-one-property-of-two", counted + Wire.word(2) + Wire.text("a") + var2bytes(1), SHORT, true)
	vectors.rejected("Object-property-count-max", counted + Wire.word(0x7fffffff) + Wire.text("a") + var2bytes(1),
			SHORT, true)
	vectors.rejected("Object-property-of-unknown-type", counted + Wire.word(1) + Wire.text("a") + Wire.word(27), MEMBER,
			true)
	vectors.rejected("Object-property-name-length-minus-one", counted + Wire.word(1) + Wire.word(0xffffffff), NEGATIVE,
			true)
	vectors.rejected("Object-property-name-utf-8",
			counted + Wire.word(1) + Wire.field(Wire.hex("ff")) + var2bytes(1), "the text is not UTF-8", true)
	vectors.rejected("Object-bad-in-property",
			Wire.object_in_full("Reference", ["a", Wire.object_in_full("NoSuchClass")]), MEMBER, true)
	vectors.rejected("Object-bad-in-Array",
			Wire.array([Wire.object_in_full("Reference"), Wire.object_in_full("NoSuchClass")]), MEMBER, true)
	vectors.rejected("Object-id-half-allowed", Wire.hex("11000100 01000000"), SHORT, true)


func _add_depth(vectors: VectorSet) -> void:
	var array: PoolByteArray = var2bytes([])
	var around_value: PoolByteArray = Wire.hex("12000000 01000000 00000000")
	var around_key: PoolByteArray = Wire.hex("12000000 01000000")
	var limit: int = Arrays.MAX_LEVELS
	vectors.rejected("arrays-too-deep", Wire.nested_arrays(limit + 1, array), TOO_DEEP)
	vectors.rejected("arrays-too-deep-allowed", Wire.nested_arrays(limit + 1, array), TOO_DEEP, true)
	vectors.rejected("nil-in-deepest-array", Wire.nested_arrays(limit, var2bytes([null])), TOO_DEEP)
	vectors.rejected("arrays-far-too-deep", Wire.nested_arrays(2000, array), TOO_DEEP)
	vectors.rejected("arrays-too-deep-and-short", Wire.repeat(Wire.hex("13000000 01000000"), 1500), TOO_DEEP)
	vectors.rejected("dictionary-values-too-deep", Wire.repeat(around_value, limit) + array, TOO_DEEP)
	vectors.rejected("dictionary-keys-too-deep", Wire.repeat(around_key, limit) + Wire.repeat(Wire.word(0), limit + 1),
			TOO_DEEP)
	var object: PoolByteArray = Wire.word(TYPE_OBJECT) + Wire.text("Reference") + Wire.word(1) + Wire.text("a")
	vectors.rejected("objects-too-deep", Wire.repeat(object, limit) + array, TOO_DEEP, true)
