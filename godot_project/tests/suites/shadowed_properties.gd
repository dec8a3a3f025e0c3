extends "res://tests/suite.gd"
## A script can have a variable with the name of a property of the class that its object is of, if it extends another class. The engine
## sets one or the other, depending on the value. So a list of one of them does not allow the other.

const SHADOWING: String = "res://tests/fixtures/shadowing.gd"
const Shadowing := preload(SHADOWING)
const Wire := preload("res://conformance/wire.gd")


func run() -> bool:
	await run_parts([
		_a_script_does_not_allow_a_property_of_the_class, _a_class_does_not_allow_a_variable_of_the_script,
		_neither_is_written, _both_lists_allow_both, _the_name_of_all, _a_name_that_the_script_no_longer_has,
	])
	return true


func _a_script_does_not_allow_a_property_of_the_class() -> bool:
	var offsets := PackedFloat32Array([0.25])
	_refused("Gradient", "offsets", offsets, {"Gradient": []}, {SHADOWING: ["*"]}, "allowed_classes does not list it for Gradient")
	_refused("Gradient", "offsets", offsets, {}, {SHADOWING: ["offsets"]}, "class Gradient")
	_refused("Shader", "code", "shader_type spatial;", {"Shader": ["*"]}, {SHADOWING: ["*"]}, "\"*\" does not cover it")
	_refused("Resource", "resource_path", "res://taken.tres", {"Resource": ["*"]}, {SHADOWING: ["*"]}, "\"*\" does not cover it")
	_refused("Skin", "bind_count", 1000, {"Skin": []}, {SHADOWING: ["*"]}, "allowed_classes does not list it for Skin")
	_refused("Animation", "markers", [], {"Animation": []}, {SHADOWING: ["markers"]}, "allowed_classes does not list it for Animation")
	return true


func _a_class_does_not_allow_a_variable_of_the_script() -> bool:
	Shadowing.calls = 0
	_refused("Gradient", "colors", "text", {"Gradient": ["*"]}, {SHADOWING: ["*"]}, "allowed_scripts does not list it")
	_refused("Gradient", "colors", "text", {"Gradient": ["colors"]}, {SHADOWING: []}, "the class and the script both have it")
	_refused("Animation", "markers", [], {"Animation": ["*", "markers"]}, {SHADOWING: []}, "the class and the script both have it")
	for lists: Array in [[["*"], []], [["interpolation_mode"], ["*"]]]:
		_refused("Gradient", "interpolation_mode", 1, {"Gradient": lists[0]}, {SHADOWING: lists[1]}, "allowed_scripts does not list it")
	equal([Shadowing.calls, Shadowing.interpolation_mode], [0, 77], "no setter was called")
	return true


func _neither_is_written() -> bool:
	for lists: Array in [[{"Gradient": ["*"]}, {SHADOWING: []}], [{"Gradient": []}, {SHADOWING: ["*"]}]]:
		var gradient: Gradient = _gradient()
		var written: VarBytesResult = VarBytes.encode(gradient, allowing(lists[0], lists[1]))
		if check(written.ok, written.message):
			var text: String = var_to_str(VarBytes.inspect(written.value, allowing(lists[0], lists[1])))
			check("offsets" not in text and "colors" not in text, "%s %s" % [lists, text])
	return true


func _both_lists_allow_both() -> bool:
	var options: VarBytesOptions = allowing({"Gradient": ["*"]}, {SHADOWING: ["offsets", "colors"]})
	var written: VarBytesResult = VarBytes.encode(_gradient(), options)
	if check(written.ok, written.message):
		var read: Variant = VarBytes.decode(written.value, options).value
		equal([read.offsets, read.colors], ["text", "private"], "those of the script")
	var bytes: PackedByteArray = _object("Gradient", "offsets", PackedFloat32Array([0.25]))
	var native: Gradient = VarBytes.decode(bytes, options).value
	equal(native.get_offset(0), bytes_to_var_with_objects(bytes).get_offset(0), "that of the class")
	options = allowing({"Gradient": []}, {SHADOWING: ["resource_name"]})
	var refused: VarBytesResult = VarBytes.encode(_gradient(), options)
	check("list it there" in refused.message, refused.message)
	options = allowing({"Gradient": ["colors"]}, {SHADOWING: []})
	refused = VarBytes.encode(_gradient(), options)
	check("list it for both" in refused.message, refused.message)
	return true


## "*" stands for others, and is not a name itself.
func _the_name_of_all() -> bool:
	Shadowing.names.clear()
	_refused("RefCounted", "*", 1, {"RefCounted": ["*"]}, {SHADOWING: ["*"]}, "property * is not allowed")
	equal(Shadowing.names, [] as Array[StringName], "_set was not called")
	return true


func _a_name_that_the_script_no_longer_has() -> bool:
	_refused("Gradient", "interpolation_color_space", 1, {"Gradient": []}, {SHADOWING: ["*", "interpolation_color_space"]}, "allowed_classes does not list it")
	check(VarBytes.decode(_object("Gradient", "removed", 1), allowing({"Gradient": []}, {SHADOWING: ["removed"]})).ok, "of no class")
	return true


func _gradient() -> Gradient:
	var gradient := Gradient.new()
	gradient.set_script(Shadowing)
	gradient.set("offsets", "text")
	return gradient


func _object(class_title: String, property: String, value: Variant) -> PackedByteArray:
	return Wire.object_in_full(class_title, ["script", var_to_bytes(SHADOWING), property, var_to_bytes(value)])


func _refused(class_title: String, property: String, value: Variant, classes: Dictionary, scripts: Dictionary, reason: String) -> void:
	var bytes: PackedByteArray = _object(class_title, property, value)
	var options: VarBytesOptions = allowing(classes, scripts)
	var result: VarBytesResult = VarBytes.decode(bytes, options)
	equal(result.error, VarBytesResult.NOT_ALLOWED, "%s.%s with %s and %s" % [class_title, property, classes, scripts])
	check(reason in result.message, result.message)
	equal(VarBytes.validate(bytes, options).message, result.message, "validate")
