extends Reference
## Objects in accepted forms that change when they are written again.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")

const ABSENT: String = "a null object is written as nil"
const MORE: String = "every stored property is written, not only those that were read"
const IGNORED: String = "properties that the object does not accept are ignored"


func add_to(vectors: VectorSet) -> void:
	_add_absent(vectors)
	_add_ids(vectors)
	_add_full(vectors)
	_add_properties(vectors)


func _add_absent(vectors: VectorSet) -> void:
	vectors.non_canonical("object-id-0", Wire.object_by_id(0), ABSENT)
	vectors.non_canonical("object-id-0-allowed", Wire.object_by_id(0), ABSENT, true)
	vectors.non_canonical("object-without-class", Wire.hex("11000000 00000000"), ABSENT, true)
	vectors.non_canonical("object-without-class-and-more", Wire.hex("11000000 00000000 01000000"), ABSENT, true)
	vectors.non_canonical("object-class-cut-to-nothing", Wire.hex("11000000 01000000 00000000"), ABSENT, true)
	vectors.non_canonical("object-class-only-mark", Wire.hex("11000000 03000000 efbbbf00"), ABSENT, true)
	vectors.non_canonical("object-id-0-in-Array", Wire.array([Wire.object_by_id(0), var2bytes(1)]), ABSENT)
	vectors.non_canonical("object-id-0-as-key", Wire.dictionary([Wire.object_by_id(0), var2bytes(1)]), ABSENT)
	vectors.non_canonical("object-id-0-as-value", Wire.dictionary([var2bytes(1), Wire.object_by_id(0)]), ABSENT)
	vectors.non_canonical("object-without-class-in-Array", Wire.array([Wire.hex("11000000 00000000"), var2bytes(1)]),
			ABSENT, true)


func _add_ids(vectors: VectorSet) -> void:
	for id in [1, 1234, -1, 0x7fffffffffffffff]:
		vectors.non_canonical("object-id-%d" % id, Wire.object_by_id(id), "the object that holds the id has its own id")
		vectors.non_canonical("object-id-%d-allowed" % id, Wire.object_by_id(id),
				"an id becomes an EncodedObjectAsID in full", true)
	vectors.non_canonical("object-ids-in-containers",
			Wire.array([Wire.object_by_id(1), Wire.dictionary([Wire.object_by_id(2), Wire.object_by_id(3)])]),
			"the objects that hold the ids have their own ids")


func _add_full(vectors: VectorSet) -> void:
	vectors.non_canonical("object-without-properties", Wire.object_in_full("Reference"), MORE, true)
	vectors.non_canonical("object-property-count-negative",
			Wire.word(TYPE_OBJECT) + Wire.text("Reference") + Wire.word(0xffffffff), "a negative count is read as zero", true)
	vectors.non_canonical("object-node", Wire.object_in_full("Node", ["process_priority", var2bytes(3)]), MORE, true)
	vectors.non_canonical("object-in-tree-of-none", Wire.object_in_full("Spatial", ["visible", var2bytes(false)]), MORE,
			true)
	vectors.non_canonical("object-EncodedObjectAsID", Wire.object_in_full("EncodedObjectAsID", ["object_id", var2bytes(7)]),
			MORE, true)
	vectors.non_canonical("object-flag-in-other-header-bits",
			Wire.hex("11fffefe 09000000 52656665 72656e63 65000000 00000000"), MORE, true)
	vectors.non_canonical("object-class-padded", Wire.hex("11000000 09000000 52656665 72656e63 65ffffff 00000000"),
			"padding is ignored", true)
	vectors.non_canonical("object-class-cut-by-nul", Wire.hex("11000000 0c000000 52656665 72656e63 65004142 00000000"),
			"a NUL ends the text", true)
	vectors.non_canonical("objects-in-Array", Wire.array([Wire.object_in_full("Reference"),
			Wire.object_in_full("Resource")]), MORE, true)
	vectors.non_canonical("object-as-key", Wire.dictionary([Wire.object_in_full("Reference"), var2bytes(1)]), MORE, true)
	vectors.non_canonical("trailing-after-object", Wire.object_in_full("Reference") + Wire.hex("00000000 00"),
			"bytes after the value are ignored", true)


func _add_properties(vectors: VectorSet) -> void:
	vectors.non_canonical("object-unknown-property", Wire.object_in_full("Reference", ["no_such", var2bytes(1)]), IGNORED,
			true)
	vectors.non_canonical("object-property-without-name", Wire.object_in_full("Reference", ["", var2bytes(1)]), IGNORED,
			true)
	vectors.non_canonical("object-property-of-wrong-type", Wire.object_in_full("Gradient", ["offsets", var2bytes("text")]),
			IGNORED, true)
	vectors.non_canonical("object-property-converted", Wire.object_in_full("CircleShape2D", ["radius", var2bytes(3)]),
			"a property converts its value", true)
	vectors.non_canonical("object-property-twice", Wire.object_in_full("CircleShape2D",
			["radius", var2bytes(3.0), "radius", var2bytes(4.0)]), "the later value replaces the earlier", true)
	vectors.non_canonical("object-property-name-cut-by-nul",
			Wire.word(TYPE_OBJECT) + Wire.text("CircleShape2D") + Wire.word(1)
			+ Wire.field(Wire.hex("726164697573 0041")) + var2bytes(3.0), "a NUL ends the text", true)
	vectors.non_canonical("object-script-nil-twice", Wire.object_in_full("Reference",
			["script", var2bytes(null), "script", var2bytes(null)]), MORE, true)
	for value in [1, "res://fixtures/bare.gd", [], NodePath("name")]:
		vectors.non_canonical("object-script-of-type-%d" % typeof(value),
				Wire.object_in_full("Reference", ["script", var2bytes(value)]),
				"a value that is not a script has no effect", true)
	vectors.non_canonical("object-script-null-object", Wire.object_in_full("Reference", ["script", Wire.object_by_id(0)]),
			ABSENT, true)
	vectors.non_canonical("object-script-id", Wire.object_in_full("Reference", ["script", Wire.object_by_id(7)]),
			"a value that is not a script has no effect", true)
	vectors.non_canonical("object-metadata", Wire.object_in_full("Reference", ["__meta__", var2bytes({"a": [1]})]), MORE,
			true)
	vectors.non_canonical("object-metadata-empty", Wire.object_in_full("Reference", ["__meta__", var2bytes({})]), MORE,
			true)
	vectors.non_canonical("object-metadata-no-dictionary", Wire.object_in_full("Reference", ["__meta__", var2bytes(1)]),
			IGNORED, true)
	vectors.non_canonical("object-in-property", Wire.object_in_full("Resource", ["__meta__", Wire.dictionary(
			[var2bytes("in"), Wire.object_in_full("Resource", ["resource_name", var2bytes("inner")])])]), MORE, true)
	vectors.non_canonical("object-id-in-property", Wire.object_in_full("Reference", ["__meta__", Wire.dictionary(
			[var2bytes("id"), Wire.object_by_id(7)])]), MORE, true)
