@tool
extends RefCounted
## Makes a VarBytesOptions that reads sample packets and refuses objects and sizes that they do not have.
##
## The names come from bytes. Nothing is loaded or created until `options` or `faults` is called. Then scripts of this project that are
## still listed are loaded, and an object of each class that is still listed with one is created, to read its properties.

const PacketTree := preload("packet_tree.gd")

## Limits that are found by trying, and where the search begins.
const MEASURED: Dictionary[StringName, int] = {
	&"max_memory": 1024, &"max_values": 16, &"max_packed_elements": 16, &"max_string_length": 16,
}

## Longer packets are not samples of what a game sends.
const MOST: int = 1 << 22
## More warnings are only counted.
const MOST_WARNINGS: int = 100

## The listed properties by class and by script. Remove what the packets may not contain.
var classes: Dictionary[String, PackedStringArray] = {}
var scripts: Dictionary[String, PackedStringArray] = {}
## What cannot be allowed, and why.
var warnings: PackedStringArray = []
## How many warnings are not in the list.
var more_warnings: int:
	get:
		return _warned.size() - warnings.size()
var samples: Array[PackedByteArray] = []
var depth: int = 0

## All warnings, to find them again.
var _warned: Dictionary[String, bool] = {}
## The listed properties of each class and script that the packet has, to find them again.
var _listed: Dictionary[String, Dictionary] = {}
## For each script, the properties of the classes of its objects that the packets have.
var _of_classes: Dictionary[String, Dictionary] = {}
## The properties of classes.
var _properties: Dictionary[String, Dictionary] = {}


## Adds a whole packet of the running engine. Returns why it cannot be a sample, or an empty text.
func add(packet: PackedByteArray) -> String:
	if PacketTree.is_too_large(packet, ""):
		return "the packet has too many values"
	var tree: PacketTree = PacketTree.of(packet)
	if not tree.problem.is_empty():
		return "the packet is malformed: %s" % tree.problem
	samples.append(packet)
	# Lists can have been changed.
	_listed.clear()
	for part: int in tree.size():
		if tree.roles[part] == PacketTree.Role.PROPERTY:
			continue
		depth = maxi(depth, tree.depth_of(part))
		if tree.texts[part].begins_with("Object of class "):
			_add_object(tree, part)
		elif tree.texts[part].contains("res://"):
			_add_types(tree.type_of(part))
	return ""


## Returns the options, with limits of `headroom` times what the samples need.
func options(headroom: int = 4) -> VarBytesOptions:
	var made := VarBytesOptions.new()
	made.allow_objects = not classes.is_empty() or not scripts.is_empty()
	made.allowed_classes = classes
	made.allowed_scripts = _with_shared()
	made.max_depth = mini(depth + 2, 1024)
	for limit: StringName in MEASURED:
		made.set(limit, _needed(made, limit) * headroom)
	return made


## Returns the scripts with their properties, also those that the class of an object has too, which both must list. Loads scripts.
func _with_shared() -> Dictionary[String, PackedStringArray]:
	var listed: Dictionary[String, PackedStringArray] = scripts.duplicate(true)
	for path: String in scripts:
		var script: Script = load(path) as Script if _of_classes.has(path) and ResourceLoader.exists(path, "Script") else null
		if script != null:
			for property: Dictionary in script.get_script_property_list():
				if _of_classes[path].has(property.name):
					listed[path].append(property.name)
	return listed


## Returns the errors of the samples with these options, one line each.
func faults(with: VarBytesOptions) -> PackedStringArray:
	var lines: PackedStringArray = []
	for number: int in samples.size():
		var result: VarBytesResult = VarBytes.validate(samples[number], with)
		if not result.ok:
			lines.append("sample %d: %s" % [number + 1, result.message])
	return lines


func _add_object(tree: PacketTree, part: int) -> void:
	var title: String = tree.name_of(part)
	if not _may_be_listed(title):
		return
	var script: String = ""
	for value: int in tree.children(part):
		if tree.name_of(tree.keys[value]) == "script" and tree.type_of(value) == "String":
			script = tree.value_of(value)
	if not script.is_empty() and not _is_of_project(script):
		script = ""
	if not _properties.has(title):
		_properties[title] = {}
		for property: Dictionary in ClassDB.class_get_property_list(title):
			_properties[title][property.name] = true
	var own: Dictionary = _properties[title]
	if script.is_empty() and not classes.has(title):
		classes[title] = PackedStringArray()
	if not script.is_empty() and not scripts.has(script):
		scripts[script] = PackedStringArray()
	for value: int in tree.children(part):
		var property: String = tree.name_of(tree.keys[value])
		if property == "script":
			continue
		if own.has(property) or script.is_empty():
			_list(classes, title, property)
			if not script.is_empty():
				_of_classes.get_or_add(script, {})[property] = true
		else:
			_list(scripts, script, property)


## Adds the scripts that are the types of a container.
func _add_types(declared: String) -> void:
	for kind: String in ["Array[", "Dictionary["]:
		if not declared.begins_with(kind):
			continue
		for member: String in declared.trim_prefix(kind).trim_suffix("]").replace(", res://", "\nres://").split("\n"):
			if member.begins_with("res://") and not scripts.has(member) and _is_of_project(member):
				scripts[member] = PackedStringArray()


func _list(lists: Dictionary[String, PackedStringArray], title: String, property: String) -> void:
	if not lists.has(title):
		lists[title] = PackedStringArray()
	# A title is that of a class or of a script.
	if not _listed.has(title):
		_listed[title] = {}
		for listed: String in lists[title]:
			_listed[title][listed] = true
	if not _listed[title].has(property):
		_listed[title][property] = true
		lists[title].append(property)


func _may_be_listed(title: String) -> bool:
	var reason: String = ""
	if not ClassDB.class_exists(title):
		reason = "this engine has no such class"
	elif not ClassDB.is_parent_class(title, "RefCounted"):
		reason = "it is not RefCounted"
	elif ClassDB.is_parent_class(title, "Script"):
		reason = "it is code"
	elif Engine.has_singleton(title):
		reason = "it is a singleton"
	return _warn_if(reason, "class", title)


func _is_of_project(script: String) -> bool:
	var reason: String = ""
	if not script.begins_with("res://") or script.contains(".."):
		reason = "it is outside of this project"
	elif not FileAccess.file_exists(script):
		reason = "the file does not exist"
	return _warn_if(reason, "script", script)


## Adds a warning if there is a reason for one. Returns whether there is none.
func _warn_if(reason: String, kind: String, title: String) -> bool:
	var line: String = "%s %s cannot be allowed: %s" % [kind, VarBytes.to_text(title.left(200)), reason]
	if reason.is_empty() or _warned.has(line):
		return reason.is_empty()
	_warned[line] = true
	if warnings.size() < MOST_WARNINGS:
		warnings.append(line)
	return false


## Returns the least power of two that is enough for all samples.
func _needed(made: VarBytesOptions, limit: StringName) -> int:
	var number: int = MEASURED[limit]
	for sample: PackedByteArray in samples:
		while number < 1 << 40:
			made.set(limit, number)
			if VarBytes.validate(sample, made).error != VarBytesResult.LIMIT:
				break
			number *= 2
	# Another limit is tried later.
	made.set(limit, 0)
	return number
