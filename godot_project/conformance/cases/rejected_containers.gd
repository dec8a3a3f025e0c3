extends RefCounted
## Arrays, dictionaries and full objects that the decoder rejects. Each case has one error and is named after it.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Arrays := preload("res://conformance/cases/arrays.gd")

const BARE_PATH: String = "res://conformance/fixtures/bare.gd"
const SHORT: String = "the value ends early"
const MEMBER: String = "a member is rejected"
const NO_TYPE: String = "no type has this id"
const NO_SCRIPT: String = "the project has no script at this path"
const TOO_DEEP: String = "nested more than 1025 levels deep"


func add_to(vectors: VectorSet) -> void:
	_add_members(vectors)
	_add_types(vectors)
	_add_scripts(vectors)
	_add_objects(vectors)
	_add_depth(vectors)


func _add_members(vectors: VectorSet) -> void:
	var cases: Array[Array] = [
		["Array-one-of-two", "1c000000 02000000 00000000", SHORT],
		["Array-none-of-one", "1c000000 01000000", SHORT],
		["Array-count-max", "1c000000 ffffff7f 00000000", SHORT],
		["Array-count-minus-one", "1c000000 ffffffff 00000000", "bit 31 of the count is ignored, and the rest is too large"],
		["Array-unknown-type-inside", "1c000000 01000000 27000000", MEMBER],
		["Array-bad-after-good", "1c000000 03000000 00000000 02000000 01000000 01000000", MEMBER],
		["Array-half-of-header-inside", "1c000000 01000000 0000", MEMBER],
		["Array-object-in-full-inside", "1c000000 01000000 18000000 00000000", "objects are not allowed"],
		["Array-bytes-without-pad-before-another", "1c000000 02000000 1d000000 01000000 01 00000000",
				"missing padding is taken from the next value"],
		["Array-bytes-without-pad-and-nothing-after", "1c000000 02000000 1d000000 01000000 01", SHORT],
		["Array-text-without-pad-inside", "1c000000 01000000 04000000 01000000 61",
				"a string needs its padding"],
		["Array-in-Array-short", "1c000000 01000000 1c000000 01000000", SHORT],
		["Array-untyped-read-as-typed", "1c000100 01000000", SHORT],
		["Dictionary-none-of-one", "1b000000 01000000", SHORT],
		["Dictionary-key-without-value", "1b000000 01000000 02000000 01000000", SHORT],
		["Dictionary-one-of-two", "1b000000 02000000 02000000 01000000 00000000", SHORT],
		["Dictionary-count-max", "1b000000 ffffff7f 00000000 00000000", SHORT],
		["Dictionary-bad-key", "1b000000 01000000 27000000 00000000", MEMBER],
		["Dictionary-bad-value", "1b000000 01000000 00000000 27000000", MEMBER],
		["Dictionary-object-in-full-as-key", "1b000000 01000000 18000000 00000000 00000000", "objects are not allowed"],
		["Dictionary-object-in-full-as-value", "1b000000 01000000 00000000 18000000 00000000",
				"objects are not allowed"],
		["Dictionary-bytes-without-pad-as-key", "1b000000 01000000 1d000000 01000000 01 00000000",
				"missing padding is taken from the next value"],
	]
	for case: Array in cases:
		vectors.rejected(case[0], Wire.hex(case[1]), case[2])


func _add_types(vectors: VectorSet) -> void:
	for id: int in [39, 40, 255, 256, 0x10002, 0x7fffffff, 0x80000000, 0xffffffff]:
		vectors.rejected("Array-of-type-%x" % id, Wire.typed_array(id, []), NO_TYPE)
		vectors.rejected("Dictionary-of-key-type-%x" % id,
				Wire.dictionary([], Wire.Kind.BUILTIN, Wire.Kind.NONE, Wire.word(id)), NO_TYPE)
		vectors.rejected("Dictionary-of-value-type-%x" % id,
				Wire.dictionary([], Wire.Kind.NONE, Wire.Kind.BUILTIN, Wire.word(id)), NO_TYPE)
	vectors.rejected("Array-of-type-39-allowed", Wire.typed_array(39, []), NO_TYPE, true)
	vectors.rejected("Dictionary-of-second-type-39", Wire.dictionary([], Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
			Wire.word(TYPE_INT) + Wire.word(39)), NO_TYPE)
	for kind: int in [Wire.Kind.BUILTIN, Wire.Kind.CLASS, Wire.Kind.SCRIPT]:
		var names: PackedStringArray = ["", "builtin", "class", "script"]
		vectors.rejected("Array-of-%s-without-type" % names[kind], Wire.word(TYPE_ARRAY | kind << 16), SHORT)
		vectors.rejected("Array-of-%s-without-count" % names[kind],
				Wire.word(TYPE_ARRAY | kind << 16) + (Wire.word(TYPE_INT) if kind == 1 else Wire.text("Node")), SHORT)
		vectors.rejected("Dictionary-of-key-%s-without-type" % names[kind], Wire.word(TYPE_DICTIONARY | kind << 16),
				SHORT)
		vectors.rejected("Dictionary-of-value-%s-without-type" % names[kind], Wire.word(TYPE_DICTIONARY | kind << 18),
				SHORT)
	vectors.rejected("Dictionary-of-two-types-without-second", Wire.hex("1b000500 02000000"), SHORT)
	vectors.rejected("Dictionary-of-two-types-without-count", Wire.hex("1b000500 02000000 02000000"), SHORT)
	vectors.rejected("Array-of-class-length-minus-one", Wire.hex("1c000200 ffffffff 00000000"),
			"the length is negative")
	vectors.rejected("Array-of-class-without-pad", Wire.hex("1c000200 01000000 41"),
			"a string needs its padding")
	vectors.rejected("Array-of-script-length-too-long", Wire.hex("1c000300 10000000 72657300 00000000"), SHORT)


func _add_scripts(vectors: VectorSet) -> void:
	var paths: Dictionary[String, String] = {"missing": "res://missing.gd", "nowhere": "", "no-path": "nonsense",
			"outside": "user://fixture.gd", "no-script": "res://project.godot", "folder": "res://conformance"}
	for case_name: String in paths:
		var path: PackedByteArray = Wire.text(paths[case_name])
		vectors.rejected("Array-of-script-%s" % case_name, Wire.array([], Wire.Kind.SCRIPT, path), NO_SCRIPT, true)
		vectors.rejected("Dictionary-of-key-script-%s" % case_name,
				Wire.dictionary([], Wire.Kind.SCRIPT, Wire.Kind.NONE, path), NO_SCRIPT, true)
		vectors.rejected("Dictionary-of-value-script-%s" % case_name,
				Wire.dictionary([], Wire.Kind.NONE, Wire.Kind.SCRIPT, path), NO_SCRIPT, true)
		vectors.rejected("Object-with-script-%s" % case_name,
				Wire.object_in_full("RefCounted", ["script", var_to_bytes(paths[case_name])]), NO_SCRIPT, true)


func _add_objects(vectors: VectorSet) -> void:
	for native_class: String in ["NoSuchClass", "refcounted", "Item", "int", "RefCounted ", "InputEvent", "Shape2D",
			"CanvasItem",
			"PhysicsServer2D", "SceneState", BARE_PATH]:
		vectors.rejected("Object-of-class-%s" % native_class.get_file().trim_suffix(" "),
				Wire.object_in_full(native_class), "this class cannot be instantiated", true)
	vectors.rejected("Object-header-alone", Wire.hex("18000000"), SHORT, true)
	vectors.rejected("Object-class-length-too-long", Wire.hex("18000000 0b000000 52656643 6f756e74"), SHORT, true)
	vectors.rejected("Object-class-length-minus-one", Wire.hex("18000000 ffffffff"), "the length is negative", true)
	vectors.rejected("Object-class-without-pad", Wire.hex("18000000 0a000000 52656643 6f756e74 6564"),
			"a string needs its padding", true)
	var counted: PackedByteArray = Wire.word(TYPE_OBJECT) + Wire.text("RefCounted")
	vectors.rejected("Object-without-property-count", counted, SHORT, true)
	vectors.rejected("Object-without-property", counted + Wire.word(1), SHORT, true)
	vectors.rejected("Object-property-without-value", counted + Wire.word(1) + Wire.text("a"), SHORT, true)
	vectors.rejected("Object-one-property-of-two", counted + Wire.word(2) + Wire.text("a") + var_to_bytes(1), SHORT,
			true)
	vectors.rejected("Object-property-count-max", counted + Wire.word(0x7fffffff) + Wire.text("a") + var_to_bytes(1),
			SHORT, true)
	vectors.rejected("Object-property-of-unknown-type", counted + Wire.word(1) + Wire.text("a") + Wire.word(39), MEMBER,
			true)
	vectors.rejected("Object-property-name-length-minus-one", counted + Wire.word(1) + Wire.word(0xffffffff),
			"the length is negative", true)
	vectors.rejected("Object-property-name-utf-8",
			counted + Wire.word(1) + Wire.field(Wire.hex("ff")) + var_to_bytes(1),
			"the text is not UTF-8", true)
	for value: Variant in [1, false, &"res://conformance/fixtures/bare.gd", [], ^"a"]:
		vectors.rejected("Object-script-of-type-%s" % type_string(typeof(value)),
				Wire.object_in_full("RefCounted",
				["script", var_to_bytes(value)]), "a script is named by a String", true)
	vectors.rejected("Object-script-null-object", Wire.object_in_full("RefCounted", ["script", Wire.object_by_id(0)]),
			"a script is named by a String", true)
	vectors.rejected("Object-bad-in-property", Wire.object_in_full("Resource",
			["metadata/in", Wire.object_in_full("NoSuchClass")]), MEMBER, true)
	vectors.rejected("Object-bad-in-Array", Wire.array([Wire.object_in_full("RefCounted"),
			Wire.object_in_full("NoSuchClass")]),
			MEMBER, true)
	vectors.rejected("Object-id-half-allowed", Wire.hex("18000100 01000000"), SHORT, true)


func _add_depth(vectors: VectorSet) -> void:
	var array: PackedByteArray = var_to_bytes([])
	var around_value: PackedByteArray = Wire.hex("1b000000 01000000 00000000")
	var around_key: PackedByteArray = Wire.hex("1b000000 01000000")
	var limit: int = Arrays.MAX_LEVELS
	vectors.rejected("arrays-too-deep", Wire.nested_arrays(limit + 1, array), TOO_DEEP)
	vectors.rejected("arrays-too-deep-allowed", Wire.nested_arrays(limit + 1, array), TOO_DEEP, true)
	vectors.rejected("nil-in-deepest-array", Wire.nested_arrays(limit, var_to_bytes([null])), TOO_DEEP)
	vectors.rejected("arrays-far-too-deep", Wire.nested_arrays(2000, array), TOO_DEEP)
	vectors.rejected("arrays-too-deep-and-short", Wire.repeat(Wire.hex("1c000000 01000000"), 1500), TOO_DEEP)
	vectors.rejected("typed-arrays-too-deep", Wire.repeat(Wire.hex("1c000100 1c000000 01000000"), limit) + array,
			TOO_DEEP)
	vectors.rejected("dictionary-values-too-deep", Wire.repeat(around_value, limit) + array, TOO_DEEP)
	vectors.rejected("dictionary-keys-too-deep", Wire.repeat(around_key, limit) + Wire.repeat(Wire.word(0), limit + 1),
			TOO_DEEP)
	var object: PackedByteArray = (
			Wire.word(TYPE_OBJECT) + Wire.text("RefCounted") + Wire.word(1) + Wire.text("metadata/a"))
	vectors.rejected("objects-too-deep", Wire.repeat(object, limit) + array, TOO_DEEP, true)
