extends "res://part.gd"

const Item := preload("res://item.gd")


func about() -> StringName:
	return &"VarBytes"


func run() -> bool:
	var value: Variant = {"name": "Ann", "level": 7, "at": [Vector3(1, 2, 3), null, &"x"]}
	var bytes: PackedByteArray = var_to_bytes(value)
	expect(&"var_to_bytes", VarBytes.var_to_bytes(value) == bytes)
	expect(&"bytes_to_var", VarBytes.bytes_to_var(bytes) == value)
	var item := Item.new()
	item.title = "lantern"
	var whole: PackedByteArray = var_to_bytes_with_objects([item])
	expect(&"var_to_bytes_with_objects", VarBytes.var_to_bytes_with_objects([item]) == whole)
	var back: Variant = VarBytes.bytes_to_var_with_objects(whole)
	expect(&"bytes_to_var_with_objects", back is Array and back[0] is Item and back[0].title == "lantern")
	var decoded: VarBytesResult = VarBytes.decode(bytes)
	expect(&"decode", decoded.ok and decoded.value == value, decoded.message)
	var encoded: VarBytesResult = VarBytes.encode(value)
	expect(&"encode", encoded.ok and encoded.value == bytes, encoded.message)
	expect(&"try_decode", VarBytes.try_decode(bytes) == value and str(VarBytes.try_decode(PackedByteArray([99, 0, 0, 0]), "fallback")) == "fallback")
	expect(&"try_encode", VarBytes.try_encode(value) == bytes and VarBytes.try_encode([item], _refusing()).is_empty())
	var validated: VarBytesResult = VarBytes.validate(bytes)
	expect(&"validate", validated.ok and validated.value == null and validated.bytes_used == bytes.size(), validated.message)
	expect(&"to_text", str_to_var(VarBytes.to_text(value)) == value, VarBytes.to_text(value))
	var json: VarBytesResult = VarBytes.to_json(value)
	expect(&"to_json", json.ok and JSON.parse_string(json.value) is Dictionary, json.message)
	expect(&"from_json", VarBytes.from_json(json.value).value == value)
	expect(&"hash", VarBytes.hash(value) == VarBytes.hash(decoded.value) and VarBytes.hash(value) != VarBytes.hash(bytes))
	var changes: Array[Dictionary] = VarBytes.diff(value, {"name": "Ann", "level": 8, "at": value.at})
	expect(&"diff", changes.size() == 1 and changes[0].path == '$["level"]' and changes[0].to == 8, changes)
	expect(&"patch", VarBytes.patch(value, changes).value == {"name": "Ann", "level": 8, "at": value.at})
	expect(&"byte_size", VarBytes.byte_size(value) == bytes.size())
	expect(&"encode_async", VarBytes.encode_async(value).wait().value == bytes)
	expect(&"decode_async", VarBytes.decode_async(bytes).wait().value == value)
	expect(&"engine_report", not VarBytes.engine_report().is_empty())
	# By name, so that this script compiles even if the library was built without this method.
	if ClassDB.class_has_method(&"VarBytes", &"inspect"):
		var text: Variant = ClassDB.class_call_static(&"VarBytes", &"inspect", bytes)
		expect(&"inspect", str(text).contains("Ann"), text)
	return true


func _refusing() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	return options
