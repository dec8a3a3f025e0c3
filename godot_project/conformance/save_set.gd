extends "res://conformance/vector_set.gd"
## Writes the values of all canonical vectors as `store_var` records, each with the engine's description. Full objects
## are left out.

var file: FileAccess
var descriptions: PackedStringArray = []


func canonical(_case_name: String, value: Variant, full_objects: bool = false) -> void:
	if full_objects:
		return
	file.store_var(value)
	descriptions.append(TaggedJson.describe(value, TaggedJson.View.WRITTEN_AS_IDS))


func non_canonical(_case_name: String, _bytes: PackedByteArray, _reason: String, _allow_objects: bool = false) -> void:
	pass


func rejected(_case_name: String, _bytes: PackedByteArray, _reason: String, _allow_objects: bool = false) -> void:
	pass


func refused(_case_name: String, _value: Variant, _full_objects: bool, _reason: String,
		_substitute: String = "") -> void:
	pass
