extends "res://tests/suite.gd"
## Mistakes of the calling script: setters refuse what cannot be, and errors name the line of the script.

const ErrorLog := preload("res://tests/fixtures/error_log.gd")
const PATH: String = "user://misuse.tres"

var _log: ErrorLog


func run() -> bool:
	_log = ErrorLog.new()
	OS.add_logger(_log)
	await run_parts([_numbers, _engine_name, _lists, _resource_file, _four_calls, _wrong_types, _null_objects, _parts_of_bytes, _suggestions, _misplaced_options, _arrays_as_bytes, _files_of_other_formats, _results_as_values])
	OS.remove_logger(_log)
	DirAccess.remove_absolute(PATH)
	return true


func _numbers() -> bool:
	for wrong: Array in [
		[&"max_depth", [-5, 1025, 99_999]], [&"max_memory", [-1]], [&"max_values", [-1]], [&"max_packed_elements", [-1]],
		[&"max_string_length", [-1]], [&"offset", [-1]], [&"size", [-2]],
	]:
		for number: int in wrong[1]:
			var options := VarBytesOptions.new()
			options.set(wrong[0], 7)
			equal(options.get(wrong[0]), 7, "%s can be set" % wrong[0])
			options.set(wrong[0], number)
			equal(options.get(wrong[0]), 7, "%s keeps its value" % wrong[0])
			_printed("VarBytesOptions.%s must be" % wrong[0], "not %d" % number, "_numbers")
	for right: Array in [[&"max_depth", [0, 1024]], [&"size", [-1, 0]], [&"offset", [0]], [&"max_memory", [0, 1 << 62]]]:
		for number: int in right[1]:
			var options := VarBytesOptions.new()
			options.set(right[0], number)
			equal(options.get(right[0]), number, "%s" % right[0])
	_nothing_printed("numbers in their range")
	var file := VarBytesFile.open(PATH, FileAccess.WRITE)
	file.max_record_size = 7
	file.max_record_size = -1
	equal(file.max_record_size, 7, "max_record_size keeps its value")
	_printed("VarBytesFile.max_record_size must be", "not -1", "_numbers")
	return true


func _engine_name() -> bool:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	options.engine = "unity-6"
	equal(options.engine, "godot-3.6", "an unknown engine changes nothing")
	_printed("VarBytesOptions.engine", "pandemonium-5", "_engine_name")
	options.engine = ""
	equal(options.engine, "", "the running engine")
	_nothing_printed("an empty name")
	return true


func _lists() -> bool:
	var examples: Dictionary[StringName, String] = {
		&"allowed_classes": '{"Resource": ["resource_name"]}', &"allowed_scripts": '{"res://item.gd": ["title"]}',
	}
	for name: StringName in examples:
		var options := VarBytesOptions.new()
		var right: String = "res://item.gd" if name == &"allowed_scripts" else "Gradient"
		options.set(name, {right: []})
		options.set(name, {"Resource": [5]})
		var kept: Dictionary[String, PackedStringArray] = {right: PackedStringArray()}
		equal(options.get(name), kept, "%s keeps its list" % name)
		var message: String = "VarBytesOptions.%s must be a Dictionary[String, PackedStringArray] like %s" % [name, examples[name]]
		_printed(message, 'the list of "Resource" contains a value of type int', "_lists")
	for title: String in ["", "res://item.gd", "uid://b8n5v4fx1"]:
		var options := VarBytesOptions.new()
		options.allowed_classes = {title: ["*"]}
		equal(options.allowed_classes.size(), 0, "%s is not kept" % title)
		_printed("VarBytesOptions.allowed_classes must have names of classes as keys", '"%s"' % title, "_lists")
	for title: String in ["Node", "GDScript", "Script", "Engine", "ResourceUID", "Object"]:
		var options := VarBytesOptions.new()
		options.allowed_classes = {"Resource": [], title: ["*"]}
		equal(options.allowed_classes.size(), 0, "%s is not kept" % title)
		_printed("VarBytesOptions.allowed_classes cannot list what is never allowed", "class %s" % title, "_lists")
	# Another build of the engine can have it.
	allowing({"Unknown": ["*"], "InputEvent": []}, {})
	for path: String in ["Item", "uid://b8n5v4fx1", "user://item.gd", ""]:
		var options := VarBytesOptions.new()
		options.allowed_scripts = {path: ["*"]}
		equal(options.allowed_scripts.size(), 0, "%s is not kept" % path)
		_printed("VarBytesOptions.allowed_scripts must have paths that begin with res://", '"%s"' % path, "_lists")
	var unique: int = ResourceUID.create_id()
	ResourceUID.add_id(unique, "res://item.gd")
	var by_id := VarBytesOptions.new()
	by_id.allowed_scripts = {ResourceUID.id_to_text(unique): ["title"]}
	equal(by_id.allowed_scripts.get("res://item.gd"), PackedStringArray(["title"]), "a unique id stands for its path")
	by_id.allowed_scripts = {ResourceUID.id_to_text(unique): ["title"], "res://item.gd": ["count"], "res://./item.gd": []}
	equal(by_id.allowed_scripts.get("res://item.gd"), PackedStringArray(["title", "count"]), "two lists of one file are one")
	ResourceUID.remove_id(unique)
	_nothing_printed("a unique id")
	return true


## A file with values that cannot be loads with the others.
func _resource_file() -> bool:
	var options := VarBytesOptions.new()
	options.max_depth = 12
	options.max_values = 34
	ResourceSaver.save(options, PATH)
	var text: String = FileAccess.get_file_as_string(PATH)
	FileAccess.open(PATH, FileAccess.WRITE).store_string(text.replace("max_depth = 12", "max_depth = 9999"))
	var loaded: VarBytesOptions = ResourceLoader.load(PATH, "", ResourceLoader.CACHE_MODE_IGNORE)
	equal([loaded.max_depth, loaded.max_values], [1024, 34], "a limit out of range in a file")
	_printed("VarBytesOptions.max_depth must be", "not 9999", "_resource_file")
	return true


## The four built-in names print errors, as the engine's functions do.
func _four_calls() -> bool:
	VarBytes.bytes_to_var(PackedByteArray([99, 0, 0, 0]))
	_printed("VarBytes: type 99", "at offset 0", "_four_calls")
	VarBytes.bytes_to_var_with_objects(PackedByteArray([99, 0, 0, 0]))
	_printed("VarBytes: type 99", "at offset 0", "_four_calls")
	VarBytes.bytes_to_var(VarBytes.var_to_bytes_with_objects(RefCounted.new()))
	_printed("VarBytes: full objects are not allowed: use decode with VarBytesOptions, or", "at offset 0, path $", "_four_calls")
	var endless: Array = []
	endless.append(endless)
	VarBytes.var_to_bytes(endless)
	_printed("VarBytes: nested deeper", "$[0]", "_four_calls")
	VarBytes.var_to_bytes_with_objects(endless)
	_printed("VarBytes: nested deeper", "$[0]", "_four_calls")
	endless.clear()
	return true


## Each argument of each method, with a value of a wrong type: the engine's own message, which names no file of the bindings.
func _wrong_types() -> bool:
	var wrong: int = 0
	# Not a mistake.
	var none: Variant = FileAccess.open("user://no such file", FileAccess.READ)
	for title: StringName in [&"VarBytes", &"VarBytesOptions", &"VarBytesResult", &"VarBytesFile", &"VarBytesStream", &"VarBytesTask"]:
		var object: Object = VarBytesOptions.new() if title == &"VarBytesOptions" else VarBytesResult.new() if title == &"VarBytesResult" else null
		if title == &"VarBytesFile":
			object = VarBytesFile.open(PATH, FileAccess.WRITE)
		elif title == &"VarBytesStream":
			object = VarBytesStream.over(StreamPeerBuffer.new())
		for method: Dictionary in ClassDB.class_get_method_list(title, true):
			var is_static: bool = method.flags & METHOD_FLAG_STATIC
			if method.name.begins_with("_") or (object == null and not is_static):
				continue
			var arguments: Array = []
			for argument: Dictionary in method.args:
				var mistakes: Array = [] if argument.type == TYPE_NIL else [Plane(1, 2, 3, 4)]
				if argument.type == TYPE_OBJECT and argument.class_name != &"RefCounted":
					mistakes.append(RefCounted.new())
				if argument.type == TYPE_OBJECT:
					mistakes.append(none)
				for mistake: Variant in mistakes:
					var given: Array = arguments + [mistake]
					for other: Dictionary in method.args.slice(given.size(), method.args.size() - method.default_args.size()):
						given.append(_null_of(other.type))
					if is_static:
						ClassDB.callv(&"class_call_static", [title, method.name] + given)
					else:
						object.callv(method.name, given)
					wrong += 1
					var text: String = "\n".join(_log.messages + _log.files)
					var what: String = "%s.%s, argument %d, %s: %s" % [title, method.name, arguments.size() + 1, type_string(typeof(mistake)), text]
					var is_mistake: bool = typeof(mistake) != TYPE_OBJECT or mistake != null
					equal(text.contains("Cannot convert argument %d from" % (arguments.size() + 1)), is_mistake, what)
					check(not text.contains("godot-rust") and not text.contains(".rs"), what)
					_log.clear()
				arguments.append(_null_of(argument.type))
	check(wrong > 40, "%d mistakes" % wrong)
	return true


## What a function returns for a file that does not exist is a null object in an untyped variable, which is not the same as `null`.
func _null_objects() -> bool:
	var none: Variant = FileAccess.open("user://no such file", FileAccess.READ)
	equal(VarBytesFile.from_file_access(none), null, "from_file_access")
	equal(VarBytesStream.over(none), null, "over")
	_nothing_printed("a null object")
	equal(VarBytesStream.over(TCPServer.new()), null, "over what is not a connection")
	_printed("VarBytesStream.over: TCPServer is not a StreamPeer", "TCPServer.take_connection", "_null_objects")
	equal(VarBytesStream.over(PacketPeerStream.new()), null, "over packets without a stream")
	_printed("VarBytesStream.over: PacketPeerStream", "has no stream", "_null_objects")
	var stream: VarBytesStream = VarBytesStream.over(StreamPeerBuffer.new(), none)
	stream.options = none
	equal(stream.options, null, "options of a stream")
	check(VarBytes.validate(var_to_bytes(7), none).ok, "validate")
	check(VarBytes.encode_async(7, none).wait().ok, "encode_async")
	_nothing_printed("null objects")
	return true


func _null_of(type: int) -> Variant:
	return null if type in [TYPE_OBJECT, TYPE_NIL] else type_convert(null, type)


## What setters cannot see is an error of the call.
func _parts_of_bytes() -> bool:
	var bytes: PackedByteArray = var_to_bytes(1) + var_to_bytes("two") + var_to_bytes(3)
	var two := VarBytesOptions.new()
	two.offset = 8
	two.size = 12
	var part: VarBytesResult = VarBytes.decode(bytes, two)
	check(part.ok and part.value == "two" and part.bytes_used == 12, "a part of the bytes: %s" % part.message)
	two.strict = true
	check(VarBytes.decode(bytes, two).ok, "nothing follows in the part")
	var record := StreamPeerBuffer.new()
	record.put_u32(bytes.size())
	record.put_data(bytes)
	record.seek(0)
	equal(VarBytesFile.take(record, two).value, "two", "a part of a record")
	equal(VarBytes.inspect(bytes, two), VarBytes.inspect(var_to_bytes("two")), "the part is described")
	two.size = 11
	var cut: VarBytesResult = VarBytes.decode(bytes, two)
	check(cut.error == VarBytesResult.TRUNCATED and cut.offset == 16, "a part that ends within the value: %s" % cut.message)
	two.size = 0
	check(VarBytes.decode(bytes, two).error == VarBytesResult.TRUNCATED, "0 means no bytes")
	two.size = -1
	equal(VarBytes.decode(bytes, two).fault, "trailing_bytes", "-1 means all bytes")
	for outside: Array in [[8, 21], [28, 1], [29, -1], [29, 0], [0, 1 << 62], [1 << 62, 1 << 62]]:
		two.offset = outside[0]
		two.size = outside[1]
		var result: VarBytesResult = VarBytes.decode(bytes, two)
		check(result.error == VarBytesResult.INVALID_ARGUMENT and result.message.contains("outside of the 28 bytes"), "%s: %s" % [outside, result.message])
		check(VarBytes.inspect(bytes, two).contains("outside of the 28 bytes"), "%s is not described" % [outside])
	for whole: Array in [[28, 0], [28, -1]]:
		two.offset = whole[0]
		two.size = whole[1]
		check(VarBytes.decode(bytes, two).error == VarBytesResult.TRUNCATED, "%s: nothing is there" % [whole])
	return true


## The fallback can be anything, also the options that were meant for the next argument.
func _misplaced_options() -> bool:
	var options := VarBytesOptions.new()
	options.max_values = 1
	var bytes: PackedByteArray = var_to_bytes([1, 2, 3])
	equal(VarBytes.try_decode(bytes, options), options, "nothing is read")
	_printed("VarBytes.try_decode: the options were passed as the fallback", "before them", "_misplaced_options")
	equal(ClassDB.class_call_static(&"VarBytes", &"try_decode", bytes, options, null), options, "nothing is read by name")
	_printed("VarBytes.try_decode: the options were passed as the fallback", "before them", "_misplaced_options")
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store(7)
	file.seek(0)
	equal(file.try_next(options), options, "nothing is read from a file")
	_printed("VarBytesFile.try_next: the options were passed as the fallback", "before them", "_misplaced_options")
	equal(file.get_position(), 0, "the cursor stays")
	var resource := Resource.new()
	equal([VarBytes.try_decode(bytes, resource, options), VarBytes.try_decode([1], resource)], [resource, resource], "another object is a fallback")
	equal([VarBytes.try_decode(bytes, options, options), file.try_next(options, VarBytesOptions.new())], [options, 7], "with options of the call")
	_nothing_printed("other fallbacks")
	return true


## The engine converts an Array that a script passes in an untyped variable.
func _arrays_as_bytes() -> bool:
	for bytes: PackedByteArray in [var_to_bytes(7), var_to_bytes({"a": 1}), var_to_bytes("text")]:
		var array: Variant = Array(bytes)
		equal(VarBytes.bytes_to_var(array), bytes_to_var(array), "bytes_to_var")
		equal(VarBytes.bytes_to_var_with_objects(array), bytes_to_var_with_objects(array), "bytes_to_var_with_objects")
		equal(VarBytes.decode(array).value, bytes_to_var(array), "decode")
	return true


func _files_of_other_formats() -> bool:
	for case: Array in [
		["{\"level\": 7}", "begin with the text \"{\\\"le\""], ["[audio]\nvolume=1\n", "the text \"[aud\""], ["\n\nlevel", "the text"],
		["[gd_resource type=\"Resource\"]", "ResourceLoader"], ["RSRC....", "ResourceLoader"],
		["GCPF....", "FileAccess.open_compressed"], ["GDEC....", "FileAccess.open_encrypted_with_pass"],
	]:
		var bytes: PackedByteArray = case[0].to_ascii_buffer()
		for result: VarBytesResult in [VarBytes.decode(bytes), VarBytes.validate(bytes)]:
			check(not result.ok and result.message.contains(case[1]), "%s" % result)
		write_file(PATH, bytes)
		var record: VarBytesResult = VarBytesFile.open(PATH, FileAccess.READ).next()
		check(not record.ok and record.message.contains(case[1]), "%s" % record)
		var stream := StreamPeerBuffer.new()
		stream.put_u32(bytes.size())
		stream.put_data(bytes)
		stream.seek(0)
		var taken: VarBytesResult = VarBytesFile.take(stream)
		check(taken.can_continue and taken.message.contains(case[1]), "%s" % taken)
	return true


## A script that forgets `.value` would write an id that means nothing.
func _results_as_values() -> bool:
	var file: VarBytesFile = VarBytesFile.open(PATH, FileAccess.WRITE)
	var task: VarBytesTask = VarBytes.encode_async(1)
	var options := VarBytesOptions.new()
	var other := VarBytesOptions.new()
	other.engine = "godot-3.6"
	for value: RefCounted in [VarBytes.encode(1), task]:
		for result: VarBytesResult in [VarBytes.encode(value), VarBytes.encode(value, options), VarBytes.encode(value, other), file.store(value), file.store_many([1, value])]:
			check(result.error == VarBytesResult.INVALID_ARGUMENT and result.message.contains(value.get_class()), "%s" % result)
		equal([VarBytes.try_encode(value), VarBytes.byte_size(value), file.try_store(value)], [PackedByteArray(), -1, false], "without a result")
		equal(VarBytes.var_to_bytes(value), var_to_bytes(value), "the built-in")
	await task.awaitable()
	equal(VarBytes.encode([RefCounted.new()]).ok, true, "other objects")
	return true


## The inspector offers the running engine, which has no name, and every release.
func _suggestions() -> bool:
	var offered: PackedStringArray = []
	for property: Dictionary in VarBytesOptions.new().get_property_list():
		if property.name == "engine":
			check(property.hint == PROPERTY_HINT_ENUM_SUGGESTION, "names are offered, and others can be typed")
			offered = property.hint_string.split(",")
	equal(offered[0], "", "the running engine is first")
	for name: String in ["godot-1.0", "godot-2.1.5", "godot-3.6", "godot-4.1", "godot-4.5", "godot-4.6.3", "godot-4.7", "redot-26.1", "blazium-4.3", "pandemonium-5.3", "mole"]:
		equal(offered.count(name), 1, "%s is offered" % name)
	for name: String in offered:
		var options := VarBytesOptions.new()
		options.engine = name
		equal(options.engine, name, "what is offered can be set")
	_nothing_printed("what is offered")
	return true


## Checks the one error that was printed since the last check.
func _printed(beginning: String, part: String, function: String) -> void:
	if check(_log.messages.size() == 1, "one error, not %s" % _log.messages):
		check(_log.messages[0].begins_with(beginning) and _log.messages[0].contains(part), _log.messages[0])
		check(not _log.files[0].ends_with(".rs"), "it names %s" % _log.files[0])
		# Release builds do not know the calling line.
		if OS.is_debug_build():
			equal(_log.lines[0], "res://tests/suites/misuse.gd %s" % function, "it names the calling line")
	_log.clear()


func _nothing_printed(what: String) -> void:
	check(_log.messages.is_empty(), "%s: %s" % [what, _log.messages])
