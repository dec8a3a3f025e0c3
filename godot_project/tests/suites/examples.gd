extends "res://tests/suite.gd"
## The examples in the editor help: every call and property has one, all of them run, and they print what they say.

## Written from the sources of the extension when the project is copied.
const EXAMPLES: String = "res://tests/help_examples.json"
const FILES: Array[String] = ["user://events.dat", "user://save.dat", "user://replay.dat", "user://log.dat"]
const CLASSES: Array[StringName] = [&"VarBytes", &"VarBytesOptions", &"VarBytesResult", &"VarBytesFile"]
## Their examples only have to compile.
const CLASSES_WITH_FUNCTIONS: Array[StringName] = [&"VarBytesStream", &"VarBytesTask"]
const Item := preload("res://tests/fixtures/item.gd")
## What an example may use. `print` is replaced by `say`.
const AROUND: String = """extends RefCounted

var packet: PackedByteArray
var connection := StreamPeerBuffer.new()
var used: Array = []
var said: PackedStringArray = []

func use(value: Variant) -> void:
	used.append(value)

func wait_for_more() -> void:
	pass

func say(first: Variant, second: Variant = "", third: Variant = "", fourth: Variant = "", fifth: Variant = "") -> void:
	said.append(str(first, second, third, fourth, fifth))

func sample() -> Variant:
"""

var _examples: Array


func run() -> bool:
	_examples = JSON.parse_string(FileAccess.get_file_as_string(EXAMPLES))
	await run_parts([_every_member, _all_run, _objects_of_the_engine])
	for path: String in FILES:
		DirAccess.remove_absolute(path)
	return true


func _every_member() -> bool:
	for name: StringName in CLASSES + CLASSES_WITH_FUNCTIONS:
		var members: PackedStringArray = [""]
		var accessors: PackedStringArray = []
		for property: Dictionary in ClassDB.class_get_property_list(name, true):
			if property.usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY) == 0:
				members.append(property.name)
				accessors.append_array([ClassDB.class_get_property_getter(name, property.name), ClassDB.class_get_property_setter(name, property.name)])
		for method: Dictionary in ClassDB.class_get_method_list(name, true):
			if not accessors.has(method.name) and not method.name.begins_with("_"):
				members.append(method.name)
		for signal_of_class: Dictionary in ClassDB.class_get_signal_list(name, true):
			members.append(signal_of_class.name)
		for member: String in members:
			check(not _of(name, member).is_empty(), "%s.%s has no example" % [name, member])
		for example: Dictionary in _examples:
			check(example["class"] != name or members.has(example.member), "%s.%s does not exist" % [name, example.member])
	return true


func _of(name: String, member: String) -> Array:
	return _examples.filter(func(example: Dictionary) -> bool: return example["class"] == name and example.member == member)


func _all_run() -> bool:
	for example: Dictionary in _examples:
		var what: String = "the example of %s.%s" % [example["class"], example.member]
		if not _runs(example):
			check(_compiles(example.code), "%s does not compile" % what)
			continue
		var object: RefCounted = _object_of(example.code, var_to_bytes({"level": 7}))
		if not check(object != null, "%s does not compile" % what):
			continue
		object.sample()
		var expected: String = _expected(example.code)
		if not expected.is_empty():
			equal("\n".join(object.said).replace("\t", "    ").strip_edges(), expected, what)
	return true


## The example of VarBytesOptions reads what the engine writes for an object of a script.
func _objects_of_the_engine() -> bool:
	var item: Resource = Item.new()
	item.title = "lamp"
	item.resource_name = "a lamp"
	var bytes: PackedByteArray = var_to_bytes_with_objects(item)
	for stored: String in ["resource_local_to_scene", "resource_name", "script", "title", "count", "parts", "watched"]:
		check(bytes.get_string_from_ascii().contains(stored) or _contains(bytes, stored), "the engine writes %s" % stored)
	var object: RefCounted = _object_of(_of("VarBytesOptions", "")[0].code + "return result\n", bytes)
	var result: VarBytesResult = object.sample()
	if check(result.ok, result.message):
		equal(result.value, item, "the object")
	return true


## Returns whether an example runs at once. Those with functions, and those that need a connection, only have to compile; the
## suites `connections` and `tasks` test their calls.
static func _runs(example: Dictionary) -> bool:
	return example["class"] in CLASSES and not example.code.contains("func ")


static func _compiles(code: String) -> bool:
	var script := GDScript.new()
	var lines: String = code.replace("    ", "\t")
	var begins_with_members: bool = lines.begins_with("func ") or lines.contains("\nfunc ")
	var stream: String = "" if lines.begins_with("var stream: ") else "var stream: VarBytesStream\n"
	var members: String = "extends Node\n\nvar connection: Variant\nvar streams: Array\n%s\n" % stream
	script.source_code = members + (lines if begins_with_members else "func sample() -> void:\n" + lines.indent("\t"))
	return script.reload() == OK


static func _contains(bytes: PackedByteArray, text: String) -> bool:
	return bytes.hex_encode().contains(text.to_ascii_buffer().hex_encode())


## Returns what an example says that it prints. Lines of a comment after `# Prints` belong to it.
static func _expected(code: String) -> String:
	var expected: PackedStringArray = []
	var continues: bool = false
	for line: String in code.split("\n"):
		if line.contains("# Prints "):
			expected.append(line.get_slice("# Prints ", 1))
			continues = line.begins_with("#")
		elif continues and line.begins_with("# "):
			expected.append(line.trim_prefix("# "))
		else:
			continues = false
	return "\n".join(expected).strip_edges()


## Returns an object whose method `sample` is the example, or null if it does not compile. The files of the examples exist.
static func _object_of(code: String, packet: PackedByteArray) -> RefCounted:
	for path: String in FILES:
		var file := VarBytesFile.open(path, FileAccess.WRITE)
		for number: int in 2:
			file.store(number)
		file.close()
	var script := GDScript.new()
	var lines: String = code.replace("print(", "say(").replace("res://items/item.gd", "res://tests/fixtures/item.gd")
	# The help indents by spaces, as the editor shows it.
	script.source_code = AROUND + (lines.replace("    ", "\t") + "return null\n").indent("\t")
	if script.reload() != OK:
		return null
	var object: RefCounted = script.new()
	object.packet = packet
	object.connection.put_var(7)
	object.connection.seek(0)
	return object
