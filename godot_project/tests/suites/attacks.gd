extends "res://tests/suite.gd"
## Real attack packets. Each first succeeds with the built-in. Then VarBytes must refuse it by default and under a
## policy, name the cause, create nothing and leak nothing.

const ITEM: String = "res://tests/fixtures/item.gd"
const TRAP: String = "res://tests/fixtures/trap.gd"
const Item := preload(ITEM)
const ErrorLog := preload("res://tests/fixtures/error_log.gd")

## A GDScript with its source in the packet.
const SOURCE: String = "static func _static_init():\n\tEngine.set_meta(\"attacked\", true)\n"


func run() -> bool:
	_source_in_packet()
	_script_by_path()
	_singleton()
	_setter()
	_node()
	_many_objects()
	_typed_by_script()
	_half_good()
	_half_good_of_known_names()
	return true


## Returns a full object of a class, from alternating property names and values.
static func object(class_title: String, properties: Dictionary) -> PackedByteArray:
	var bytes: PackedByteArray = word(24) + text(class_title) + word(properties.size())
	for property: String in properties:
		bytes += text(property) + var_to_bytes_with_objects(properties[property])
	return bytes


static func word(number_value: int) -> PackedByteArray:
	var bytes: PackedByteArray = [0, 0, 0, 0]
	bytes.encode_u32(0, number_value)
	return bytes


static func text(value: String) -> PackedByteArray:
	return var_to_bytes(value).slice(4)


func _source_in_packet() -> void:
	var packet: PackedByteArray = object("GDScript", {"script/source": SOURCE})
	var built: Variant = quietly(func() -> Array: return [bytes_to_var_with_objects(packet)])
	check(built is GDScript and built.source_code == SOURCE, "the built-in makes a GDScript from source in a packet")
	built = null
	_refused(packet, "class GDScript", "$", "source in a packet")
	_refused(var_to_bytes([1]).slice(0, 4) + word(1) + packet, "class GDScript", "$[0]", "the same in an array")


func _script_by_path() -> void:
	var packet: PackedByteArray = object("RefCounted", {"script": TRAP})
	Engine.set_meta("trap", 0)
	var built: Variant = bytes_to_var_with_objects(packet)
	check(built != null and Engine.get_meta("trap") == 1, "the built-in runs a script that a packet names")
	built = null
	Engine.set_meta("trap", 0)
	_refused(packet, "trap.gd", "$.script", "a script by path")
	check(Engine.get_meta("trap") == 0, "the script did not run")


func _singleton() -> void:
	var packet: PackedByteArray = object("OS", {"low_processor_usage_mode": true})
	var before: bool = OS.low_processor_usage_mode
	var built: Variant = quietly(func() -> Array: return [bytes_to_var_with_objects(packet)])
	check(built is Object and built.get_class() == "OS" and OS.low_processor_usage_mode != before, "the built-in makes an OS, which is the engine's own")
	built.free()
	OS.low_processor_usage_mode = before
	_refused(packet, "class OS", "$", "an OS object")
	check(OS.low_processor_usage_mode == before, "nothing was set")


func _setter() -> void:
	var packet: PackedByteArray = object("Resource", {"script": ITEM, "watched": 5})
	var calls: int = Item.setter_calls
	var built: Variant = bytes_to_var_with_objects(packet)
	check(built != null and Item.setter_calls == calls + 1, "the built-in runs a setter")
	calls = Item.setter_calls
	_refused(packet, "watched", "$.watched", "a property that runs a setter")
	check(Item.setter_calls == calls, "the setter did not run")


func _node() -> void:
	var packet: PackedByteArray = object("HTTPRequest", {"download_file": "user://x"})
	var built: Variant = bytes_to_var_with_objects(packet)
	check(built is Node, "the built-in creates a node that nothing frees")
	built.free()
	_refused(packet, "class HTTPRequest", "$", "a node")


func _many_objects() -> void:
	var count: int = 1_000_000
	var one: PackedByteArray = object("RefCounted", {})
	var packet: PackedByteArray = word(28) + word(count)
	for index: int in count:
		packet.append_array(one)
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	var built: Variant = bytes_to_var_with_objects(packet)
	check(built is Array and Performance.get_monitor(Performance.OBJECT_COUNT) == objects + count, "the built-in makes a million objects")
	built = null
	var options: VarBytesOptions = _policy()
	options.max_memory = 1_000_000
	_check_refused(packet, options, VarBytesResult.ErrorKind.LIMIT, "memory", "a million objects with a limit")
	_check_refused(packet, null, VarBytesResult.ErrorKind.NOT_ALLOWED, "not allowed", "a million objects")


func _typed_by_script() -> void:
	var packet: PackedByteArray = word(0x3001C) + text(TRAP) + word(0)
	var built: Variant = bytes_to_var_with_objects(packet)
	check(built is Array and built.get_typed_script() == load(TRAP), "the built-in loads a script to type an array")
	_check_refused(packet, _policy(), VarBytesResult.ErrorKind.NOT_ALLOWED, "trap.gd", "an array typed by a script")
	# Without objects, neither reads the path.
	equal(VarBytes.bytes_to_var(packet), bytes_to_var(packet), "an array typed by a script, without objects")


## The forbidden object comes last: no object before it may be created.
func _half_good() -> void:
	var good: PackedByteArray = object("Resource", {"resource_name": "good"})
	var packet: PackedByteArray = word(28) + word(3) + good + good + object("GDScript", {})
	_refused(packet, "class GDScript", "$[2]", "two good objects and a bad one")
	var cut: PackedByteArray = word(28) + word(2) + good + good.slice(0, -8)
	_check_refused(cut, _policy(), VarBytesResult.ErrorKind.TRUNCATED, "needs", "a good object and half of one")
	var nodes: PackedByteArray = word(28) + word(2) + object("Node", {}) + object("Node", {}).slice(0, -2)
	var orphans: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	check(quietly(func() -> Array: return [VarBytes.bytes_to_var_with_objects(nodes)]) == null, "a damaged packet with nodes")
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == orphans, "leaves no node, unlike the built-in")


## Small packets of classes and properties that packets have named before are read in another way.
func _half_good_of_known_names() -> void:
	var item: PackedByteArray = object("Resource", {"script": ITEM, "title": "good"})
	var missing: PackedByteArray = word(27) + word(1) + var_to_bytes("unit") + object("Resource", {"resource_name": "x", "script": "res://none.gd"})
	var packet: PackedByteArray = word(28) + word(3) + object("Node", {"name": "x"}) + item + missing
	var offset: int = packet.size() - var_to_bytes("res://none.gd").size()
	var log := ErrorLog.new()
	OS.add_logger(log)
	for time: int in 3:
		var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
		log.clear()
		check(VarBytes.bytes_to_var_with_objects(packet) == null, "a script that does not exist")
		equal(log.messages.size(), 1, "the number of errors")
		var found: String = "\n".join(log.messages)
		var expected: String = "script res://none.gd does not exist (if it was moved or removed, leave one there), at offset %d, path $[2][\"unit\"].script" % offset
		check(found.contains(expected), "%s, not %s" % [found, expected])
		check(Performance.get_monitor(Performance.OBJECT_COUNT) == objects, "the node and the item are freed")
		var made: int = Item.made
		for size: int in packet.size() - missing.size():
			check(quietly(func() -> Array: return [VarBytes.bytes_to_var_with_objects(packet.slice(0, size))]) == null, "a packet that ends after %d bytes" % size)
		check(Item.made == made, "no object is created from a part of a packet")
	OS.remove_logger(log)
	var read: Array = VarBytes.bytes_to_var_with_objects(word(28) + word(2) + item + item)
	equal([read[0].title, read[1].title, read[0].get_script()], ["good", "good", Item], "whole packets of these names")


## The most permissive policy for the attacked classes.
func _policy() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"RefCounted": PackedStringArray(), "Resource": PackedStringArray(["resource_name"])}
	# The setter refuses these.
	for title: String in ["GDScript", "OS", "HTTPRequest"]:
		options.allowed_classes[title] = PackedStringArray(["*"])
	options.allowed_scripts = {ITEM: PackedStringArray(["title"])}
	return options


func _refused(packet: PackedByteArray, offender: String, path: String, what: String) -> void:
	_check_refused(packet, null, VarBytesResult.ErrorKind.NOT_ALLOWED, "", what)
	_check_refused(packet, _policy(), VarBytesResult.ErrorKind.NOT_ALLOWED, offender, what, path)
	check(quietly(func() -> Array: return [VarBytes.bytes_to_var(packet)]) == null, "%s by bytes_to_var" % what)


func _check_refused(packet: PackedByteArray, options: VarBytesOptions, kind: int, offender: String, what: String, path: String = "$") -> void:
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	var resources: int = Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT)
	var result: VarBytesResult = VarBytes.decode(packet, options)
	check(not result.ok and result.value == null and result.error == kind, "%s: %s" % [what, result.message])
	check(offender.is_empty() or result.message.contains(offender), "%s does not name %s: %s" % [what, offender, result.message])
	check(options == null or result.path.begins_with(path), "%s: path %s, not %s" % [what, result.path, path])
	result = null
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == objects, "%s: objects were left" % what)
	check(Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT) == resources, "%s: resources were left" % what)
