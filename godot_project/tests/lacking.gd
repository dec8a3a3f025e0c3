extends SceneTree
## Prints whether the addon is loaded and works, in an engine that lacks a function. `cargo package-addon --test` runs
## it once for each function that the library uses.


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var classes: PackedStringArray = []
	for title: String in ["VarBytes", "VarBytesOptions", "VarBytesResult", "VarBytesFile", "VarBytesStream", "VarBytesTask"]:
		if ClassDB.class_exists(title):
			classes.append(title)
	if classes.is_empty():
		print("VARBYTES ABSENT")
	elif classes.size() == 6 and _works():
		print("VARBYTES WORKS")
	else:
		print("VARBYTES BROKEN: %s" % classes)
	print("VARBYTES LACKING END")
	quit()


func _works() -> bool:
	var value: Variant = {"a": [1, 2.5, "text"], Vector3(1, 2, 3): PackedByteArray([1, 2])}
	var bytes: PackedByteArray = var_to_bytes(value)
	var options: Object = ClassDB.instantiate("VarBytesOptions")
	options.set("allow_objects", true)
	options.set("allowed_classes", {"Resource": ["*"]})
	var result: Object = ClassDB.class_call_static("VarBytes", "decode", var_to_bytes_with_objects([Resource.new()]), options)
	return (ClassDB.class_call_static("VarBytes", "var_to_bytes", value) == bytes
			and ClassDB.class_call_static("VarBytes", "bytes_to_var", bytes) == value
			and ClassDB.class_call_static("VarBytes", "decode", bytes).get("value") == value
			and result.get("ok"))
