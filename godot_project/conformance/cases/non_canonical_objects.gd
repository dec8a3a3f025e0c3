extends RefCounted
## Objects, and classes and scripts of containers, in accepted forms that change when they are written again.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")

const BARE_PATH: String = "res://conformance/fixtures/bare.gd"
const ITEM_PATH: String = "res://conformance/fixtures/item.gd"
const ABSENT: String = "a null object is written as nil"
const FORGOTTEN: String = "an object that is not allowed is kept as its id"
const IGNORED: String = "properties that the object does not accept are ignored"


func add_to(vectors: VectorSet) -> void:
	_add_absent(vectors)
	_add_full(vectors)
	_add_scripted(vectors)
	_add_array_types(vectors)
	_add_dictionary_types(vectors)


func _add_absent(vectors: VectorSet) -> void:
	vectors.non_canonical("object-id-0", Wire.object_by_id(0), ABSENT)
	vectors.non_canonical("object-id-0-allowed", Wire.object_by_id(0), ABSENT, true)
	vectors.non_canonical("object-without-class", Wire.hex("18000000 00000000"), ABSENT, true)
	vectors.non_canonical("object-without-class-and-more", Wire.hex("18000000 00000000 01000000"), ABSENT, true)
	vectors.non_canonical("object-class-cut-to-nothing", Wire.hex("18000000 01000000 00000000"), ABSENT, true)
	vectors.non_canonical("object-class-only-mark", Wire.hex("18000000 03000000 efbbbf00"), ABSENT, true)
	vectors.non_canonical("object-id-0-in-Array", Wire.array([Wire.object_by_id(0), var_to_bytes(1)]), ABSENT)
	vectors.non_canonical("object-id-0-as-value", Wire.dictionary([var_to_bytes(1), Wire.object_by_id(0)]), ABSENT)
	vectors.non_canonical("object-without-class-in-Array", Wire.array([Wire.hex("18000000 00000000"), var_to_bytes(1)]),
			ABSENT, true)
	for id: int in [1, 1234, -1, 0x7fffffffffffffff]:
		vectors.non_canonical("object-id-%d-allowed" % id, Wire.object_by_id(id),
				"an id becomes an EncodedObjectAsID in full", true)


func _add_full(vectors: VectorSet) -> void:
	var more: String = "every stored property is written, not only those that were read"
	vectors.non_canonical("object-without-properties", Wire.object_in_full("RefCounted"), more, true)
	vectors.non_canonical("object-property-count-negative",
			Wire.word(TYPE_OBJECT) + Wire.text("RefCounted") + Wire.word(0xffffffff),
			"a negative count is read as zero", true)
	vectors.non_canonical("object-unknown-property", Wire.object_in_full("RefCounted", ["no_such", var_to_bytes(1)]),
			IGNORED, true)
	vectors.non_canonical("object-property-without-name", Wire.object_in_full("RefCounted", ["", var_to_bytes(1)]),
			IGNORED, true)
	vectors.non_canonical("object-property-of-wrong-type", Wire.object_in_full("Gradient",
			["offsets", var_to_bytes("text"), "interpolation_mode", var_to_bytes(2)]), IGNORED, true)
	vectors.non_canonical("object-property-converted", Wire.object_in_full("CircleShape2D", ["radius", var_to_bytes(3)]),
			"a property converts its value", true)
	vectors.non_canonical("object-property-twice", Wire.object_in_full("CircleShape2D",
			["radius", var_to_bytes(3.0), "radius", var_to_bytes(4.0)]), "the later value replaces the earlier", true)
	vectors.non_canonical("object-script-nil-twice", Wire.object_in_full("RefCounted",
			["script", var_to_bytes(null), "script", var_to_bytes(null)]), more, true)
	vectors.non_canonical("object-metadata", Wire.object_in_full("RefCounted", ["metadata/a", var_to_bytes([1])]), more,
			true)
	vectors.non_canonical("object-in-property", Wire.object_in_full("Resource",
			["metadata/in", Wire.object_in_full("Resource", ["resource_name", var_to_bytes("inner")])]), more, true)
	vectors.non_canonical("object-id-in-property",
			Wire.object_in_full("RefCounted", ["metadata/id", Wire.object_by_id(7)]), more, true)
	vectors.non_canonical("object-node", Wire.object_in_full("Node", ["process_priority", var_to_bytes(3)]), more, true)
	vectors.non_canonical("object-EncodedObjectAsID",
			Wire.object_in_full("EncodedObjectAsID", ["object_id", var_to_bytes(7)]), more, true)
	vectors.non_canonical("object-flag-in-other-header-bits",
			Wire.hex("18ff0efe 0a000000 52656643 6f756e74 65640000 00000000"), more, true)
	vectors.non_canonical("object-class-padded", Wire.hex("18000000 0a000000 52656643 6f756e74 6564ffff 00000000"),
			"padding is ignored", true)
	vectors.non_canonical("objects-in-Array", Wire.array([Wire.object_in_full("RefCounted"),
			Wire.object_in_full("Resource")]), more, true)


func _add_scripted(vectors: VectorSet) -> void:
	var more: String = "every stored property is written, not only those that were read"
	vectors.non_canonical("object-with-script", Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM_PATH),
			"title", var_to_bytes("sword"), "unstored", var_to_bytes("set")]), more, true)
	vectors.non_canonical("object-property-before-script", Wire.object_in_full("Resource",
			["title", var_to_bytes("lost"), "script", var_to_bytes(ITEM_PATH)]), IGNORED, true)
	vectors.non_canonical("object-script-as-StringName-is-no-String", Wire.object_in_full("RefCounted",
			["metadata/script", var_to_bytes(&"x")]), more, true)
	vectors.non_canonical("object-script-of-another-base",
			Wire.object_in_full("RefCounted", ["script", var_to_bytes(ITEM_PATH)]),
			"a script that does not fit the class is not attached", true)


func _add_array_types(vectors: VectorSet) -> void:
	var one: PackedByteArray = Wire.object_by_id(7)
	vectors.non_canonical("Array-of-class-not-allowed", Wire.array([], Wire.Kind.CLASS, Wire.text("Node")), FORGOTTEN)
	vectors.non_canonical("Array-of-unknown-class-not-allowed",
			Wire.array([one], Wire.Kind.CLASS, Wire.text("NoSuchClass")), FORGOTTEN)
	vectors.non_canonical("Array-of-unknown-class",
			Wire.array([var_to_bytes(null), one], Wire.Kind.CLASS, Wire.text("NoSuchClass")),
			"the class does not exist, so no element fits it", true)
	vectors.non_canonical("Array-of-class-without-name-not-allowed", Wire.array([], Wire.Kind.CLASS, Wire.text("")),
			FORGOTTEN)
	vectors.non_canonical("Array-of-class-without-name", Wire.array([], Wire.Kind.CLASS, Wire.text("")),
			"an empty class name allows any object", true)
	vectors.non_canonical("Array-of-Object-empty-not-allowed", Wire.typed_array(TYPE_OBJECT, []), FORGOTTEN)
	vectors.non_canonical("Array-of-script-not-allowed", Wire.array([one], Wire.Kind.SCRIPT, Wire.text(BARE_PATH)),
			FORGOTTEN)
	vectors.non_canonical("Array-of-missing-script-not-allowed",
			Wire.array([], Wire.Kind.SCRIPT, Wire.text("res://missing.gd")), FORGOTTEN)
	vectors.non_canonical("Array-of-nonsense-script-not-allowed", Wire.array([], Wire.Kind.SCRIPT, Wire.text("nonsense")),
			FORGOTTEN)
	vectors.non_canonical("Array-of-script-without-path-not-allowed", Wire.array([], Wire.Kind.SCRIPT, Wire.text("")),
			FORGOTTEN)
	vectors.non_canonical("Array-of-class-of-other-members", Wire.array([Wire.object_in_full("RefCounted"),
			Wire.object_in_full("Resource"), var_to_bytes(1)], Wire.Kind.CLASS, Wire.text("Resource")),
			"elements of another class are lost", true)
	vectors.non_canonical("Array-of-script-of-other-members", Wire.array([Wire.object_in_full("RefCounted"),
			Wire.object_in_full("RefCounted", ["script", var_to_bytes(BARE_PATH)])],
			Wire.Kind.SCRIPT, Wire.text(BARE_PATH)), "elements of another script are lost", true)
	vectors.non_canonical("Array-of-class-name-padded", Wire.hex("1c000200 01000000 41ffffff 00000000"),
			"padding is ignored")
	vectors.non_canonical("Array-type-info-and-stray-bits", Wire.hex("1cff05ff 02000000 01000000 02000000 05000000"),
			"these bits of the header are ignored")


func _add_dictionary_types(vectors: VectorSet) -> void:
	var entries: Array[PackedByteArray] = [var_to_bytes(1), var_to_bytes(2), var_to_bytes(null), var_to_bytes(null),
			Wire.object_by_id(5), var_to_bytes("z")]
	var infos: Array[PackedByteArray] = [[], Wire.word(TYPE_INT), Wire.text("Resource"), Wire.text(BARE_PATH)]
	var names: PackedStringArray = ["Variant", "int", "class", "script"]
	for key_kind: int in 4:
		for value_kind: int in 4:
			# Without bit 31 these would be canonical.
			var bytes: PackedByteArray = Wire.dictionary(entries, key_kind, value_kind,
					infos[key_kind] + infos[value_kind])
			bytes.encode_u32(0, bytes.decode_u32(0) | 0x80000000)
			var case_name: String = "Dictionary-of-%s-to-%s" % [names[key_kind], names[value_kind]]
			vectors.non_canonical(case_name + "-not-allowed", bytes, FORGOTTEN)
			vectors.non_canonical(case_name + "-allowed", bytes,
					"the engine confuses the scripts of keys and values" if 3 in [key_kind, value_kind]
					else "entries whose key does not fit are lost; values are not checked", true)
	vectors.non_canonical("Dictionary-of-missing-script-not-allowed",
			Wire.dictionary([], Wire.Kind.SCRIPT, Wire.Kind.SCRIPT,
			Wire.text("res://missing.gd") + Wire.text("")), FORGOTTEN)
	vectors.non_canonical("Dictionary-of-Object-not-allowed", Wire.dictionary([], Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
			Wire.word(TYPE_OBJECT) + Wire.word(TYPE_OBJECT)), FORGOTTEN)
	vectors.non_canonical("Dictionary-of-class-without-name", Wire.dictionary([], Wire.Kind.CLASS, Wire.Kind.CLASS,
			Wire.text("") + Wire.text("")), "an empty class name allows any object", true)
	vectors.non_canonical("Dictionary-of-nil-to-int", Wire.dictionary([], Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
			Wire.word(TYPE_NIL) + Wire.word(TYPE_INT)), "a key of type nil is untyped")
	vectors.non_canonical("Dictionary-of-nil-to-nothing", Wire.dictionary([], Wire.Kind.BUILTIN, Wire.Kind.NONE,
			Wire.word(TYPE_NIL)), "a key of type nil is untyped")
