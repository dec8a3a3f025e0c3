extends "res://tests/suite.gd"
## Objects under a policy: listed objects are created and set, everything else is refused before anything is created.

const ITEM: String = "res://tests/fixtures/item.gd"
const DERIVED: String = "res://tests/fixtures/derived_item.gd"
const RECORD: String = "res://tests/fixtures/record.gd"
const NODE: String = "res://tests/fixtures/node.gd"
const Wire := preload("res://conformance/wire.gd")
const Item := preload(ITEM)
const Derived := preload(DERIVED)
const RETYPED: String = "res://tests/fixtures/retyped.gd"
const Retyped := preload(RETYPED)
const Record := preload(RECORD)
const LINKED: String = "res://tests/fixtures/linked.gd"
const Linked := preload(LINKED)
const ABSTRACT: String = "res://tests/fixtures/abstract.gd"
const NEEDS_ARGUMENTS: String = "res://tests/fixtures/needs_arguments.gd"
const NeedsArguments := preload(NEEDS_ARGUMENTS)
## Loaded before anything is counted.
const NodeScript := preload(NODE)


func run() -> bool:
	var item: Resource = Item.new()
	item.title = "sword"
	item.count = 3
	item.parts = [1, "two"]
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": PackedStringArray(["*"])}
	options.allowed_scripts = {ITEM: PackedStringArray(["title", "count", "parts", "watched"])}
	var bytes: PackedByteArray = var_to_bytes_with_objects([item])
	var result: VarBytesResult = VarBytes.decode(bytes, options)
	if check(result.ok, result.message):
		equal(result.value, bytes_to_var_with_objects(bytes), "an allowed object")
	check(VarBytes.encode([item], options).value == bytes, "written under the same policy")

	options.allowed_scripts = {ITEM: PackedStringArray(["title"])}
	_refused(bytes, options, "$[0].", "property", "a property that is not listed")
	var listed: VarBytesResult = VarBytes.decode(VarBytes.encode([item], options).value, options)
	check(listed.ok and listed.value[0].title == "sword" and listed.value[0].count == 0, "only listed properties are written")

	options.allowed_scripts = {}
	_refused(bytes, options, "$[0].script", "script", "a script that is not listed")
	check(VarBytes.encode([item], options).error == VarBytesResult.ErrorKind.NOT_ALLOWED, "nor written")
	options.allowed_classes = {}
	_refused(bytes, options, "$[0]", "class Resource", "a class that is not listed")
	options.allow_objects = false
	_refused(bytes, options, "$[0]", "not allowed", "no objects at all")
	check(VarBytes.encode([item], options).value == var_to_bytes([item]), "without objects they are ids")
	await run_parts([
		_script_that_does_not_fit, _script_taken_away, _second_script, _native_property_of_script_list, _script_alone, _all_of_script,
		_base_script, _all_without_files, _example_of_help, _any_dictionary, _no_such_dictionary, _saved, _many,
		_in_members_that_are_left_out, _after_any_other_packet, _lists_that_are_changed_in_place,
		_listed_by_name, _listed_but_missing, _a_script_that_cannot_be_used, _a_script_that_is_loaded_again, _scripts_without_source_that_are_loaded_again, _another_script_at_a_listed_path, _what_is_not_listed, _refused_before_damage, _scripts_that_type_containers, _what_may_be_meant, _a_chain_of_objects, _refused_before_objects, _listed_but_not_allowed, _properties_that_are_not_accepted, _containers_that_have_other_types_now,
	])
	return true


func _object(class_title: String, properties: Array) -> PackedByteArray:
	var encoded: Array = []
	for index: int in range(0, properties.size(), 2):
		encoded.append_array([properties[index], var_to_bytes(properties[index + 1])])
	return Wire.object_in_full(class_title, encoded)


## The script is for a Node. Its list must not allow a property with the same name of an Image.
func _script_that_does_not_fit() -> bool:
	var options: VarBytesOptions = allowing({"Image": []}, {NODE: ["data", "*"]})
	_refused(_object("Image", ["script", NODE, "data", {"width": 1}]), options, "$.script", "not Image", "a script for nodes on an Image")
	_refused(_object("Image", ["data", {"width": 1}]), options, "$.data", "property data", "its property without it")
	options = allowing({"RefCounted": []}, {ITEM: ["*"]})
	_refused(_object("RefCounted", ["script", ITEM]), options, "$.script", "not RefCounted", "a script for a derived class")
	return true


func _script_taken_away() -> bool:
	var options: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["title"]})
	_refused(_object("Resource", ["script", ITEM, "script", null, "title", "x"]), options, "$.title", "property title", "null takes the list away")
	check(VarBytes.decode(_object("Resource", ["script", ITEM, "title", "x"]), options).ok, "and without null it is there")
	options = allowing({}, {RECORD: ["*"]})
	_refused(_object("RefCounted", ["script", RECORD, "script", null]), options, "$", "listed script", "a class that is only allowed with its script")
	return true


func _second_script() -> bool:
	var options: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["*"], DERIVED: ["*"]})
	_refused(_object("Resource", ["script", ITEM, "script", DERIVED]), options, "$.script", "second", "two scripts")
	_refused(_object("Resource", ["script", ITEM, "script", null, "script", ITEM]), options, "$.script", "second", "a script again")
	return true


func _native_property_of_script_list() -> bool:
	var options: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["resource_name", "title"]})
	_refused(_object("Resource", ["script", ITEM, "resource_name", "x"]), options, "$.resource_name", "property", "a native property")
	_refused(_object("Resource", ["script", ITEM, "no_such", 1]), options, "$.no_such", "property", "a property that does not exist")
	return true


## A listed script allows objects of the class that it extends, if they have that script.
func _script_alone() -> bool:
	var record: RefCounted = Record.new()
	record.note = "kept"
	var options: VarBytesOptions = allowing({}, {RECORD: ["note"]})
	var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects([record]), options)
	check(result.ok and result.value[0].note == "kept", "a script alone: %s" % result.message)
	check(VarBytes.encode([record], options).value == var_to_bytes_with_objects([record]), "and written")
	_refused(_object("RefCounted", []), options, "$", "listed script", "without the script")
	_refused(_object("RefCounted", ["note", "x"]), options, "$.note", "property", "before the script")
	_refused(_object("Resource", ["script", RECORD]), options, "$", "class Resource", "a class that inherits")
	check(VarBytes.encode(RefCounted.new(), options).error == VarBytesResult.NOT_ALLOWED, "nor written without the script")
	return true


## A typed container leaves out what it cannot hold. An object there is still an object of the packet, also after a member that
## is converted.
func _in_members_that_are_left_out() -> bool:
	var options: VarBytesOptions = allowing({"Resource": ["*"]}, {})
	var null_value: PackedByteArray = Wire.word(TYPE_NIL)
	var converted: PackedByteArray = Wire.join([Wire.word(TYPE_BOOL), Wire.word(1)])
	for native_class: String in ["Node", "NoSuchClass", "Resource"]:
		var object: PackedByteArray = Wire.object_in_full(native_class)
		for packet: PackedByteArray in [
			Wire.typed_array(TYPE_INT, [converted, object]),
			Wire.typed_array(TYPE_INT, [object, converted]),
			Wire.dictionary([converted, null_value, object, null_value], Wire.Kind.BUILTIN, Wire.Kind.NONE, Wire.word(TYPE_INT)),
			Wire.dictionary([null_value, converted, object, null_value], Wire.Kind.NONE, Wire.Kind.BUILTIN, Wire.word(TYPE_INT)),
			Wire.dictionary([null_value, converted, null_value, object], Wire.Kind.NONE, Wire.Kind.BUILTIN, Wire.word(TYPE_INT)),
		]:
			if native_class != "Resource":
				_refused(packet, options, "$", "class " + native_class, "an object that would be left out")
				equal(VarBytes.validate(packet, options).error, VarBytesResult.NOT_ALLOWED, "validated alike")
			else:
				var result: VarBytesResult = VarBytes.decode(packet, options)
				check(result.ok and VarBytes.validate(packet, options).ok, "an allowed object: %s" % result.message)
	return true


## Whether the last packet had objects decides how the next one is read. The result is the same.
func _after_any_other_packet() -> bool:
	var options: VarBytesOptions = allowing({"Resource": ["*"]}, {ITEM: ["*"]})
	var of_script: Array[Item] = [null, Item.new()]
	var damaged: PackedByteArray = var_to_bytes_with_objects({"key": Resource.new(), "text": "größer"})
	damaged[damaged.size() - 6] = 0xFF
	var packets: Array[PackedByteArray] = [
		var_to_bytes(7), var_to_bytes({"id": 1, "text": "größer", "path": ^"a/b"}), var_to_bytes(range(300)),
		Wire.typed_array(TYPE_INT, [Wire.join([Wire.word(TYPE_BOOL), Wire.word(1)])]), damaged, Wire.word(TYPE_MAX), PackedByteArray(),
		var_to_bytes_with_objects(Resource.new()), var_to_bytes_with_objects({"key": 1, "item": Item.new()}), var_to_bytes_with_objects(of_script),
		var_to_bytes_with_objects(Gradient.new()), var_to_bytes([Resource.new(), null]), var_to_bytes({"a": [null] as Array[Resource]}),
	]
	var expected: Array[VarBytesResult] = []
	for packet: PackedByteArray in packets:
		check(VarBytes.decode(var_to_bytes([1]), options).ok and VarBytes.decode(var_to_bytes([1]), options).ok, "no objects")
		expected.append(VarBytes.decode(packet, options))
	for before: int in packets.size():
		for index: int in packets.size():
			VarBytes.decode(packets[before], options)
			var result: VarBytesResult = VarBytes.decode(packets[index], options)
			var name: String = "packet %d after packet %d" % [index, before]
			equal([result.error, result.path, result.offset, result.message, result.bytes_used], [
				expected[index].error, expected[index].path, expected[index].offset, expected[index].message, expected[index].bytes_used], name)
			equal(result.value, expected[index].value, name)
			equal(VarBytes.try_decode(packets[index], "refused", options) is String, not result.ok, name)
	return true


## Changes that keep the number of entries or names as well.
func _lists_that_are_changed_in_place() -> bool:
	var packet: PackedByteArray = _object("Resource", ["resource_name", "x"])
	var options: VarBytesOptions = allowing({"Gradient": ["*"], "Resource": ["resource_name"]}, {})
	var changes: Array[Callable] = [
		func() -> void: options.allowed_classes["Resource"] = PackedStringArray(["resource_path"]),
		func() -> void: options.allowed_classes["Resource"] = PackedStringArray(["resource_name"]),
		func() -> void: options.allowed_classes["Resource"].clear(),
		func() -> void: options.allowed_classes["Resource"].append("resource_name"),
		func() -> void: options.allowed_classes.erase("Resource"),
		func() -> void: options.allowed_classes.assign({"Gradient": PackedStringArray(["*"]), "Resource": PackedStringArray(["*"])}),
		func() -> void: options.allowed_classes["Resource"][0] = "resource_path",
		func() -> void: options.allowed_classes["Resource"][0] = "resource_name",
		func() -> void: options.allowed_classes.clear(),
		func() -> void: options.allowed_classes["Resource"] = PackedStringArray(["resource_name"]),
	]
	for step: int in 1 + changes.size():
		for time: int in 3:
			equal(VarBytes.decode(packet, options).ok, step % 2 == 0, "after %d changes" % step)
		if step < changes.size():
			changes[step].call()
	# The engine has one hash for both names.
	var name: String = "resource_local_to_scene"
	var alike: String = name.left(-2) + "oD"
	equal(name.hash(), alike.hash(), "the hash of the names")
	packet = _object("Resource", [name, false])
	options.allowed_classes = {"Resource": [alike]}
	check(not VarBytes.decode(packet, options).ok, "another name is listed")
	options.allowed_classes["Resource"] = PackedStringArray([name])
	check(VarBytes.decode(packet, options).ok, "a name with the same hash as the one before is listed")
	return true


func _all_of_script() -> bool:
	var item: Resource = Derived.new()
	item.title = "sword"
	item.rarity = 3
	item.parts = [1]
	var options: VarBytesOptions = allowing({"Resource": ["*"]}, {DERIVED: ["*"]})
	var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects(item), options)
	if check(result.ok, "all of a script: %s" % result.message):
		equal(result.value, item, "all of a script")
	_refused(_object("Resource", ["script", DERIVED, "private", 1]), options, "$.private", "property", "a variable that is not stored")
	return true


## The list of a script also covers properties of its base scripts.
func _base_script() -> bool:
	var options: VarBytesOptions = allowing({"Resource": []}, {DERIVED: ["title"]})
	check(VarBytes.decode(_object("Resource", ["script", DERIVED, "title", "x"]), options).ok, "a property of the base script")
	_refused(_object("Resource", ["script", ITEM]), options, "$.script", "is not allowed", "the base script itself")
	return true


## "*" excludes properties that open files, create nodes, run shaders, allow objects or can crash the engine.
func _all_without_files() -> bool:
	for opening: Array in [["PackedScene", "_bundled", {}], ["CompressedTexture2D", "load_path", "res://x.ctex"],
			["CompressedTexture3D", "load_path", "res://x.ctex"], ["Shader", "code", "shader_type sky;"], ["VideoStreamTheora", "file", "res://x.ogv"],
			["AnimationNodeStateMachineTransition", "advance_expression", "get_tree().quit()"], ["VisualShaderNodeGlobalExpression", "expression", "x"],
			["RDShaderSource", "source_compute", "x"], ["RDShaderSPIRV", "bytecode_vertex", PackedByteArray([1])], ["RDShaderFile", "_versions", {}],
			["GLTFState", "base_path", "res://"], ["Translation", "plural_rules_override", "x"], ["UPNPDevice", "igd_control_url", "x"],
			["DPITexture", "_source", "<svg/>"], ["FontFile", "data", PackedByteArray([1])], ["SystemFont", "font_names", PackedStringArray(["Sans"])], ["CameraTexture", "camera_is_active", true],
			["OpenXRInteractionProfile", "bindings", []], ["SceneMultiplayer", "allow_object_decoding", true], ["VarBytesOptions", "allowed_classes", {}]]:
		if not ClassDB.class_exists(opening[0]):
			continue
		var packet: PackedByteArray = _object(opening[0], [opening[1], opening[2]])
		_refused(packet, allowing({opening[0]: ["*"]}, {}), "$." + opening[1], "property", "%s.%s by *" % [opening[0], opening[1]])
	check(VarBytes.decode(_object("Shader", ["code", ""]), allowing({"Shader": ["code"]}, {})).ok, "by name it is allowed")
	return true


## The example in the help of the class, with the script of the tests.
func _example_of_help() -> bool:
	var item: Resource = Item.new()
	item.title = "sword"
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {ITEM: ["*"]}
	options.max_memory = 1_000_000
	var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects(item), options)
	check(result.ok and result.value.title == "sword", "the example of the help: %s" % result.message)
	return true


func _any_form(list: StringName, name: String) -> void:
	var expected: Dictionary[String, PackedStringArray] = {name: PackedStringArray(["title"])}
	var names: Array[StringName] = [&"title"]
	var typed: Dictionary[StringName, Array] = {StringName(name): names}
	for given: Variant in [expected, {name: ["title"]}, {StringName(name): PackedStringArray(["title"])}, typed]:
		var options := VarBytesOptions.new()
		options.set(list, given)
		check(options.get(list) == expected, "%s from %s: %s" % [list, given, options.get(list)])
		check(options.get(list).is_same_typed(expected), "%s is typed" % list)


## Forms of a dictionary of names and lists that GDScript accepts.
func _any_dictionary() -> bool:
	_any_form(&"allowed_classes", "Resource")
	_any_form(&"allowed_scripts", ITEM)
	var untyped: Dictionary = {"Resource": ["title"]}
	var options := VarBytesOptions.new()
	options.allowed_classes = untyped
	check(options.allowed_classes == {"Resource": PackedStringArray(["title"])}, "from a variable")
	options.allowed_classes["Image"] = PackedStringArray()
	check(options.allowed_classes.size() == 2, "and can be added to")
	return true


## Everything else is an error, and changes nothing.
func _no_such_dictionary() -> bool:
	check(NodeScript != null, "all scripts are loaded")
	for wrong: Variant in [{5: ["a"]}, {"Resource": 5}, {"Resource": [5]}, {"Resource": "resource_name"}, {"Resource": null}, [], "Resource"]:
		var options := VarBytesOptions.new()
		options.allowed_classes = {"Image": []}
		quietly(func() -> Array:
			options.set(&"allowed_classes", wrong)
			return [true])
		check(options.allowed_classes == {"Image": PackedStringArray()}, "%s is not a list: %s" % [wrong, options.allowed_classes])
	return true


## What is listed by name is written even if the engine does not store it, or if the script does not declare it.
func _listed_by_name() -> bool:
	var item: Resource = Item.new()
	item.private = 8
	item.title = "sword"
	item.set_meta("level", 3)
	for names: Array in [["title", "private"], ["*", "private"], ["private", "title", "metadata/level"]]:
		var options: VarBytesOptions = allowing({}, {ITEM: names})
		var read: Resource = VarBytes.decode(VarBytes.encode(item, options).value, options).value
		equal([read.title, read.private, read.has_meta("level")], ["sword", 8, names.size() == 3], "the properties of %s" % [names])
	var of_class: VarBytesOptions = allowing({"Resource": ["*", "metadata/level"]}, {})
	var plain := Resource.new()
	plain.set_meta("level", 3)
	equal(VarBytes.decode(VarBytes.encode(plain, of_class).value, of_class).value.get_meta("level"), 3, "metadata")
	check(VarBytes.encode(Resource.new(), allowing({"Resource": ["metadata/level"]}, {})).ok, "metadata that an object need not have")
	check(VarBytes.encode(Linked.new(), allowing({}, {LINKED: ["link", "other"]})).ok, "a property that the script may list for other objects")
	var linked: Resource = Linked.new()
	linked.set(&"undeclared", 5)
	var of_script: VarBytesOptions = allowing({}, {LINKED: ["undeclared"]})
	equal(VarBytes.decode(VarBytes.encode(linked, of_script).value, of_script).value.get(&"undeclared"), 5, "a property that is not declared")
	return true


## A name that is misspelled would lose the property in every save.
func _listed_but_missing() -> bool:
	for lists: Array in [
		[{}, {ITEM: ["titel"]}, "property titel is listed for res://"], [{}, {ITEM: ["title", "resource_name"]}, "one of class Resource"],
		[{"Resource": ["resource_nam"]}, {ITEM: ["title"]}, "property resource_nam is listed for Resource"],
	]:
		var options: VarBytesOptions = allowing(lists[0], lists[1])
		var refused: VarBytesResult = VarBytes.encode([Item.new()], options)
		check(refused.error == VarBytesResult.NOT_ALLOWED and refused.path == "$[0]" and refused.message.contains(lists[2]), refused.message)
		check(VarBytes.decode(_object("Resource", ["script", ITEM, "title", "x"]), options).ok == lists[1][ITEM].has("title"), "what it is read with")
	return true


## The error names the script, not its class, which need not be listed.
func _a_script_that_cannot_be_used() -> bool:
	var bytes: PackedByteArray = _object("RefCounted", ["script", NEEDS_ARGUMENTS, "sum", 3])
	var options: VarBytesOptions = allowing({}, {NEEDS_ARGUMENTS: ["*"]})
	for listed_too: Dictionary in [{}, {"RefCounted": []}]:
		options.allowed_classes = listed_too
		_refused(bytes, options, "$", "_init requires 2 arguments", "a script that needs arguments")
		check(VarBytes.decode(var_to_bytes_with_objects(Array([], TYPE_OBJECT, &"RefCounted", NeedsArguments)), options).ok, "an Array of its type")
		check(VarBytes.validate(bytes, options).message == VarBytes.decode(bytes, options).message, "validate")
		check(VarBytes.encode(NeedsArguments.new(1, 2), options).message.contains("_init requires 2 arguments"), "written")
	# An Array of an abstract script contains objects of others.
	var typed: Array = Array([], TYPE_OBJECT, &"Resource", load(ABSTRACT))
	check(VarBytes.decode(var_to_bytes_with_objects(typed), allowing({}, {ABSTRACT: ["*"]})).ok, "an Array of an abstract script")
	options = allowing({}, {ABSTRACT: ["*"], ITEM: ["*"]})
	_refused(_object("Resource", ["script", ABSTRACT]), options, "$.script", "it is abstract", "an abstract script")
	_refused(_object("Resource", []), allowing({}, {ABSTRACT: ["*"]}), "$", "it is abstract", "its class")
	_refused(bytes, allowing({}, {"res://tests/fixtures/misspelled.gd": ["*"]}), "$", "misspelled.gd does not exist", "a script that does not exist")
	return true


## In the editor, scripts change while a game or a tool uses options.
func _a_script_that_is_loaded_again() -> bool:
	const PATH: String = "res://tests/fixtures/made_again.gd"
	const BASE: String = "user://made_again_base.gd"
	var first: String = "extends RefCounted\n@export var one := 1\n"
	write_file(BASE, first.to_utf8_buffer())
	var base: GDScript = load(BASE)
	var script := GDScript.new()
	script.take_over_path(PATH)
	var options: VarBytesOptions = allowing({}, {PATH: ["*"]})
	var compile: Callable = func(of: GDScript, source: String) -> void:
		of.source_code = source
		equal(of.reload(true), OK, "the script")
	var again: Callable = func(property: String) -> Variant:
		var object: RefCounted = script.new()
		object.set(property, 7)
		var result: VarBytesResult = VarBytes.decode(VarBytes.encode(object, options).value, options)
		return result.value.get(property) if result.ok else result.message
	# The engine keeps the base script of an earlier run.
	compile.call(base, first)
	compile.call(script, "extends '%s'\n@export var two := 2\n" % BASE)
	equal([again.call("one"), again.call("two")], [7, 7], "properties of a script")
	compile.call(script, "extends '%s'\n@export var three := 3\n" % BASE)
	equal(again.call("three"), 7, "a new property")
	compile.call(base, "extends RefCounted\n@export var four := 4\n")
	compile.call(script, "extends '%s'\n@export var three := 3\n" % BASE)
	equal(again.call("four"), 7, "a new property of the base script")
	var bytes: PackedByteArray = VarBytes.encode(script.new(), options).value
	compile.call(script, "extends '%s'\nfunc _init(_needed: int) -> void:\n\tpass\n" % BASE)
	check(VarBytes.decode(bytes, options).message.contains("_init requires an argument"), "a new argument")
	return true


## Its base is a class within another script, which has no source code of its own. Noticed in the next frame.
func _scripts_without_source_that_are_loaded_again() -> bool:
	# The editor does not run such a script: its objects hold only what the source code declares.
	if Engine.is_editor_hint():
		return true
	const PATH: String = "res://tests/fixtures/made_without_source.gd"
	const OUTER: String = "user://made_outer.gd"
	const INNER: String = "class Inner:\n\textends RefCounted\n\t@export var one := 1\n"
	write_file(OUTER, INNER.to_utf8_buffer())
	var outer: GDScript = load(OUTER)
	outer.source_code = INNER
	equal(outer.reload(true), OK, "the outer script")
	var script := GDScript.new()
	script.take_over_path(PATH)
	var compile: Callable = func() -> void:
		script.source_code = "extends '%s'.Inner\n" % OUTER
		equal(script.reload(true), OK, "the script")
		script.source_code = ""
	compile.call()
	var options: VarBytesOptions = allowing({}, {PATH: ["*"]})
	var before: PackedByteArray = VarBytes.encode(script.new(), options).value
	check(VarBytes.decode(before, options).ok, "before")
	outer.source_code = INNER + "\t@export var two := 2\n"
	equal(outer.reload(true), OK, "the outer script again")
	compile.call()
	await next_frame()
	# Another thread does not notice it, and does not keep the main thread from it.
	WorkerThreadPool.wait_for_task_completion(WorkerThreadPool.add_task(func() -> void: VarBytes.decode(before, options)))
	var object: RefCounted = script.new()
	object.set("two", 7)
	var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects(object), options)
	equal(result.value.get("two") if result.ok else result.message, 7, "a new property")
	return true


func _another_script_at_a_listed_path() -> bool:
	const PATH: String = "res://tests/fixtures/made_elsewhere.gd"
	var options: VarBytesOptions = allowing({}, {PATH: ["*"]})
	var scripts: Array[GDScript] = []
	for property: String in ["one", "two"]:
		var script := GDScript.new()
		script.take_over_path(PATH)
		script.source_code = "extends RefCounted\n@export var %s := 1\n" % property
		equal(script.reload(), OK, "the script")
		# Held, so that the first one is not freed.
		scripts.append(script)
		await next_frame()
		var object: RefCounted = script.new()
		object.set(property, 7)
		var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects(object), options)
		equal(result.value.get(property) if result.ok else result.message, 7, "property %s" % property)
	return true


func _what_is_not_listed() -> bool:
	var record: Resource = load("res://tests/fixtures/error_log.gd")
	var file: VarBytesResult = VarBytes.encode([Image.new(), record], allowing({"Image": ["*"]}, {}))
	check(file.message.contains("is the file res://tests/fixtures/error_log.gd: to load it again, store its path"), file.message)
	var options: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["title"]})
	_refused(_object("Resource", ["script", ITEM, "count", 1]), options, "$.count", "allowed_scripts does not list it for res://", "a property of the script")
	_refused(_object("Resource", ["script", ITEM, "resource_name", ""]), options, "$.resource_name", "allowed_classes does not list it for Resource", "one of the class")
	_refused(_object("Resource", ["resource_name", ""]), options, "$.resource_name", "allowed_classes does not list it for Resource", "without a script")
	_refused(_object("Resource", []), null, "$", "VarBytesOptions.allow_objects", "without options")
	var source := GDScript.new()
	source.source_code = "extends Resource"
	source.reload()
	check(VarBytes.encode(source.new(), options).message.contains("without a path"), "a script that is no file")
	return true


## What follows an object is checked before the object is created. The packets are too long for the way of small ones, or not.
func _refused_before_objects() -> bool:
	var deep: Variant = 1
	for level: int in 60:
		deep = [deep]
	var many: Array = range(20_000)
	var strict: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["title"]})
	strict.strict = true
	var small: VarBytesOptions = allowing({"Resource": []}, {ITEM: ["title"]})
	small.max_memory = 5000
	var item: PackedByteArray = _object("Resource", ["script", ITEM, "title", "x"])
	var deep_key: PackedByteArray = Wire.dictionary([var_to_bytes(deep), var_to_bytes(1)])
	for kind: Array in [
		["trailing bytes", item + var_to_bytes(1), strict],
		["a key that is nested too deep", Wire.array([item, deep_key]), allowing({"Resource": []}, {ITEM: ["title"]})],
		["the same in a long packet", Wire.array([item, var_to_bytes(many), deep_key]), allowing({"Resource": []}, {ITEM: ["title"]})],
		["too much memory", Wire.array([item, var_to_bytes(many)]), small],
	]:
		var made: int = Item.made
		check(not VarBytes.decode(kind[1], kind[2]).ok, "%s: refused" % kind[0])
		equal(Item.made, made, "%s: objects created" % kind[0])
	return true


## What is refused first is reported, also in a long packet that is damaged behind it.
func _refused_before_damage() -> bool:
	var long: PackedByteArray = []
	long.resize(2000)
	var packet: PackedByteArray = Wire.word(28) + Wire.word(3) + var_to_bytes(long) + _object("Gradient", []) + Wire.word(99)
	_refused(packet, allowing({"Resource": ["*"]}, {}), "$[1]", "class Gradient is not allowed", "a class before damage")
	_refused(packet, null, "$[1]", "full objects are not allowed", "an object before damage")
	return true


## A forgotten allow_objects loses the objects, so it is said wherever a result is returned.
func _listed_but_not_allowed() -> bool:
	var options := VarBytesOptions.new()
	options.allowed_scripts = {ITEM: ["*"]}
	var value: Dictionary = {"items": [Item.new(), Item.new()], "signal": Signal(self, &"x")}
	var without: Array = [1, {"a": null}, "text"]
	var path: String = "user://not_allowed.dat"
	for engine: String in ["", "godot-4.6"]:
		options.engine = engine
		for written: Variant in [value, [value, "x".repeat(10_000)], value.items[0]]:
			# Ids that were written before do not count.
			VarBytes.var_to_bytes(written)
			var reused := VarBytesResult.new()
			var file: VarBytesFile = VarBytesFile.open(path, FileAccess.WRITE)
			for encode: Callable in [
					func(encoded: Variant) -> VarBytesResult: return VarBytes.encode(encoded, options),
					func(encoded: Variant) -> VarBytesResult: return [reused, reused.encode(encoded, options)][0],
					func(encoded: Variant) -> VarBytesResult: return file.store(encoded, options)]:
				equal(encode.call(without).losses, PackedStringArray(), "no objects")
				var result: VarBytesResult = encode.call(written)
				check(result.ok and result.losses.size() == 1 and result.losses[0].contains("allow_objects is not"), "%s with engine \"%s\": %s" % [written, engine, result.losses])
				check(result.value == null or result.value == var_to_bytes(written), "the bytes are those without options")
				equal(encode.call(without).losses, PackedStringArray(), "no objects, after some")
			equal(VarBytes.try_encode(written, options), var_to_bytes(written), "without a result")
	options.allowed_scripts = {}
	equal(VarBytes.encode(value, options).losses, PackedStringArray(), "no list")
	DirAccess.remove_absolute(path)
	return true


## Their types have changed, or they were removed.
func _properties_that_are_not_accepted() -> bool:
	var parts: String = "property parts of %s did not accept a value of type String" % ITEM
	var gone: String = "property gone of %s does not exist, and _set did not accept a value of type int" % ITEM
	var options: VarBytesOptions = allowing({"Resource": ["*"], "Gradient": ["*"]}, {ITEM: ["*", "gone"]})
	var item: PackedByteArray = _object("Resource", ["script", ITEM, "title", "lamp", "parts", "none", "gone", 5, "count", 2.5])
	# The engine's own properties: release builds convert every value, and debug builds say that they do not.
	var gradient: PackedByteArray = _object("Gradient", ["offsets", "none"])
	var of_item: PackedByteArray = _object("Resource", ["script", ITEM, "resource_local_to_scene", "yes", "gone", null])
	for made: Array in [
		[item, PackedStringArray([gone, parts])],
		[Wire.array([item, var_to_bytes(null), item]), PackedStringArray([gone + " (2 times)", parts + " (2 times)"])],
		[gradient, PackedStringArray()],
		[of_item, PackedStringArray()],
		[_object("Resource", ["script", ITEM, "title", "lamp", "count", 2.5]), PackedStringArray()],
	]:
		var record: PackedByteArray = PackedByteArray()
		record.resize(4)
		record.encode_u32(0, made[0].size())
		write_file("user://rejected.dat", record + made[0])
		for memory: int in [0, 1_000_000]:
			options.max_memory = memory
			for engine: String in ["", "godot-4.6"]:
				options.engine = engine
				var reused := VarBytesResult.new()
				reused.decode(made[0], options)
				for result: VarBytesResult in [
						VarBytes.decode(made[0], options), reused, VarBytesFile.open("user://rejected.dat", FileAccess.READ).next(options)]:
					check(result.ok, result.message)
					equal(result.losses, made[1], "with max_memory %d and engine \"%s\"" % [memory, engine])
			options.engine = ""
		var read: Variant = VarBytes.try_decode(made[0], null, options)
		if read is Item and not read.title.is_empty():
			equal([read.title, read.parts, read.count], ["lamp", [], 2], "what was accepted")
	DirAccess.remove_absolute("user://rejected.dat")
	return true


## A script that has typed its containers since then, or one whose items have moved to another script, gets all members.
func _containers_that_have_other_types_now() -> bool:
	var options: VarBytesOptions = allowing({"Resource": ["*"]}, {RETYPED: ["*"], ITEM: ["*"], DERIVED: ["*"], RECORD: ["*"]})
	var items: Array = [Item.new(), Derived.new(), null]
	items[0].title = "lamp"
	var derived: Array = Array([Derived.new()], TYPE_OBJECT, &"Resource", Derived)
	var old := Record.new()
	# A packet could choose numbers that collide after they were converted, so long ones are not.
	var texts: Array = range(257).map(func(number: int) -> String: return "t%d" % number)
	var places: Dictionary = {}
	for number: int in 257:
		places[number] = "p"
	for made: Array in [
		["tags", texts, texts.map(func(text: String) -> StringName: return StringName(text))],
		["tags", PackedStringArray(texts), texts.map(func(text: String) -> StringName: return StringName(text))],
		["by_place", places, null],
		["items", items, [Item, Derived, null]],
		["items", derived, [Derived]],
		["by_id", {1: items[0], 2: null}, [Item, null]],
		["by_id", Dictionary({7: Derived.new()}, TYPE_INT, &"", null, TYPE_OBJECT, &"Resource", Derived), [Derived]],
		["names", ["a", &"b"], ["a", "b"]],
		["names", PackedStringArray(["a", "b"]), ["a", "b"]],
		["tags", ["a", &"b"], [&"a", &"b"]],
		["weights", [1, 2.5] as Array, [1.0, 2.5]],
		["weights", [3] as Array[int], [3.0]],
		["weights", PackedFloat32Array([0.5]), null],
		["items", [items[0], old], null],
		["items", {1: items[0]}, null],
		["by_id", {"1": items[0]}, null],
		["by_place", {1: "a", 2.5: "b"}, ["a", "b"]],
		["by_place", {1: "a", 1.0: "b"}, null],
		["by_id", {1: old}, null],
		["names", ["a", 1], null],
		["weights", [(1 << 53) + 1], null],
	]:
		var what: String = "%s = %s" % [made[0], made[1]]
		var empty := Retyped.new()
		var packet: PackedByteArray = var_to_bytes_with_objects(empty)
		var name: PackedByteArray = var_to_bytes(made[0]).slice(4)
		var before: PackedByteArray = name + var_to_bytes_with_objects(empty.get(made[0]))
		var value: PackedByteArray = var_to_bytes_with_objects(made[1])
		packet = packet.hex_encode().replace(before.hex_encode(), (name + value).hex_encode()).hex_decode()
		for memory: int in [0, 1_000_000]:
			options.max_memory = memory
			var read: VarBytesResult = VarBytes.decode(packet, options)
			if not check(read.ok, read.message):
				continue
			var found: Variant = read.value.get(made[0])
			var members: Array = found if found is Array else found.values()
			if made[2] == null:
				check(members.is_empty() and read.losses.size() == 1 and read.losses[0].contains("property %s of" % made[0]), "%s: %s" % [what, read.losses])
				continue
			equal(read.losses, PackedStringArray(), what)
			check(found.is_same_typed(empty.get(made[0])), "the type of %s" % what)
			equal(members.map(func(member: Variant) -> Variant: return member.get_script() if member is Object else member), made[2], what)
	return true


## A container that is written can be read with the same options, whether it has members or not.
func _scripts_that_type_containers() -> bool:
	var containers: Array = [
		Item.list(),
		Dictionary({}, TYPE_STRING, &"", null, TYPE_OBJECT, &"Resource", Item),
		Dictionary({}, TYPE_OBJECT, &"Resource", Item, TYPE_INT, &"", null),
		{"in": [Item.list()]},
	]
	# A script that a listed script extends is loaded with it.
	var base: VarBytesOptions = allowing({"Resource": ["*"]}, {DERIVED: ["*"]})
	var other: VarBytesOptions = allowing({"Resource": ["*"]}, {RECORD: ["*"]})
	for container: Variant in containers:
		var written: VarBytesResult = VarBytes.encode(container, base)
		if check(written.ok, written.message):
			check(written.value == var_to_bytes_with_objects(container), "the bytes of the engine")
			equal(VarBytes.decode(written.value, base).value, container, "read with the same options")
		for result: VarBytesResult in [VarBytes.encode(container, other), VarBytes.to_json(container, other), VarBytes.decode(var_to_bytes_with_objects(container), other)]:
			equal(result.error, VarBytesResult.NOT_ALLOWED, "the error")
			check(result.message.contains("it is the type of an Array or Dictionary, at" if result.offset >= 0 else "it is the type of an Array or Dictionary, path"), result.message)
		check(VarBytes.try_encode(container, other).is_empty() and VarBytes.encode(container).ok, "without full objects, it is written")
	var derived: Resource = Derived.new()
	derived.parts = [Item.list()]
	var saved: VarBytesResult = VarBytes.encode(derived, base)
	check(saved.ok and VarBytes.decode(saved.value, base).ok, "in a property: %s" % saved)
	var file := VarBytesFile.open("user://typed.dat", FileAccess.WRITE)
	equal(file.store(Item.list(), other).error, VarBytesResult.NOT_ALLOWED, "in a file")
	file.close()
	DirAccess.remove_absolute("user://typed.dat")
	return true


## A message names what a list probably means.
func _what_may_be_meant() -> bool:
	var gradient: PackedByteArray = _object("Gradient", [])
	_refused(gradient, allowing({"Resource": ["*"]}, {}), "$", "class Gradient is not allowed: allowed_classes does not list it, at", "a class")
	_refused(gradient, allowing({"Gradeint": ["*"]}, {}), "$", "does not list it, but Gradeint, which is not a class of this engine", "a misspelled class")
	var item: PackedByteArray = _object("Resource", ["script", ITEM])
	var misspelled: String = ITEM.replace("item", "Item")
	_refused(item, allowing({"Resource": []}, {misspelled: ["*"]}), "$.script", "does not list it, but %s, where there is no script" % misspelled, "a misspelled path")
	_refused(item, allowing({"Resource": []}, {ITEM + "::GDScript_1": ["*"]}), "$.script", "does not list it", "a built-in script")
	var in_place: VarBytesOptions = allowing({"Resource": [], "Item": ["*"]}, {})
	_refused(item, in_place, "$.script", "and allowed_classes lists Item, which is not a class", "a name of a script")
	in_place.allowed_scripts["tests/fixtures/item.gd"] = PackedStringArray(["*"])
	_refused(item, in_place, "$.script", "does not list it, but tests/fixtures/item.gd, which is no path", "a path without its beginning")
	in_place.allowed_scripts["res://tests//fixtures/item.gd"] = PackedStringArray(["*"])
	check(VarBytes.decode(item, in_place).ok, "a path that was added in place")
	write_file("user://no_script.txt", [1])
	var text: String = "res://tests/fixtures/no_script.txt"
	if not OS.has_feature("template"):
		DirAccess.copy_absolute("user://no_script.txt", text)
		_refused(_object("Resource", ["script", text]), allowing({"Resource": []}, {text: ["*"]}), "$.script", "is not a script", "a file that is not a script")
		DirAccess.remove_absolute(text)
	DirAccess.remove_absolute("user://no_script.txt")
	var built_in: PackedByteArray = _object("Resource", ["script", ITEM + "::GDScript_1"])
	_refused(built_in, allowing({"Resource": []}, {ITEM + "::GDScript_1": ["*"]}), "$.script", "is built into a file that is not loaded", "a script of a file that is not loaded")
	check(VarBytes.decode(item, allowing({}, {ITEM.replace("tests/", "tests//fixtures/../"): ["*"]})).ok, "a path that is not the shortest")
	_refused(item, allowing({"Resource": []}, {DERIVED: ["*"]}), "$.script", "allowed_scripts does not list it, at", "another script")
	_refused(_object("Node", ["script", NODE]), allowing({}, {NODE: ["*"]}), "$", "class Node is not RefCounted and is never allowed", "a script of a Node")
	_refused(_object("Resource", ["script", ITEM, "lost", 1]), allowing({"Resource": []}, {ITEM: ["*"]}), "$.lost", "for %s, which does not declare it: list it by name" % ITEM, "a lost property")
	_refused(_object("Resource", ["metadata/level", 1]), allowing({"Resource": ["*"]}, {}), "$", 'and "*" does not cover it: list it by name', "metadata")
	return true


## The engine's attempt to write objects that it refuses is made once, not once for each object.
func _a_chain_of_objects() -> bool:
	const DEPTH: int = 1200
	var first: Resource = null
	for turn: int in DEPTH:
		var next: Resource = Linked.new()
		next.link = first
		first = next
	Linked.getter_calls = 0
	var seen: Array = quietly(func() -> Array: return [[VarBytes.var_to_bytes_with_objects(first), VarBytes.encode(first, allowing({}, {LINKED: ["*"]}))]])
	check(seen[0].is_empty() and seen[1].error == VarBytesResult.LIMIT, "too deep")
	check(Linked.getter_calls < 6 * DEPTH, "%d getter calls" % Linked.getter_calls)
	return true


func _refused(bytes: PackedByteArray, options: VarBytesOptions, path: String, message: String, what: String) -> void:
	var made: int = Item.made
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	var result: VarBytesResult = VarBytes.decode(bytes, options)
	check(result.error == VarBytesResult.ErrorKind.NOT_ALLOWED, "%s: %s" % [what, result.message])
	check(result.path.begins_with(path) and result.message.contains(message), "%s: %s" % [what, result.message])
	result = null
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == objects and Item.made == made, "%s: an object was created" % what)


## Options are an ordinary Resource.
func _saved() -> bool:
	var path: String = "user://varbytes_options.tres"
	var options := VarBytesOptions.new()
	options.max_memory = 4096
	options.strict = true
	options.allowed_classes = {"Resource": PackedStringArray(["resource_name"])}
	check(ResourceSaver.save(options, path) == OK, "options can be saved")
	var loaded: VarBytesOptions = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.max_memory == 4096 and loaded.strict and loaded.allowed_classes == options.allowed_classes, "and loaded")
	DirAccess.remove_absolute(path)
	return true


## Many objects are written as the engine writes them, in any order with other members.
func _many() -> bool:
	var options: VarBytesOptions = allowing({"Resource": ["*"], "Gradient": ["*"]}, {ITEM: ["*"], RECORD: ["*"]})
	var members: Array = []
	var freed := Object.new()
	var make: Array[Callable] = [
		func(index: int) -> Variant: return index,
		func(index: int) -> Resource:
			var item: Resource = Item.new()
			item.title = "item %d" % index
			item.parts = [Resource.new(), Gradient.new()]
			return item,
		func(_index: int) -> Resource: return Gradient.new(),
		func(index: int) -> Resource:
			var named := Resource.new()
			named.resource_name = "x".repeat(index * 100)
			return named,
		func(_index: int) -> RefCounted: return Record.new(),
		func(_index: int) -> Variant: return null,
		func(_index: int) -> Variant: return [Resource.new(), Resource.new(), {1: Gradient.new()}],
	]
	var mixture := RandomNumberGenerator.new()
	mixture.seed = 15
	for index: int in 300:
		members.append(make[mixture.randi_range(0, make.size() - 1)].call(index) if index % 50 < 10 else make[index / 50].call(index))
	members.append_array([freed, Resource.new(), freed])
	freed.free()
	var expected: PackedByteArray = var_to_bytes_with_objects(members)
	equal(VarBytes.encode(members, options).value, expected, "many objects under a policy")
	equal(VarBytes.var_to_bytes_with_objects(members), expected, "many objects")
	for refused: Object in [Curve.new(), Derived.new(), Node.new()]:
		var with_refused: Array = members.duplicate()
		with_refused.insert(157, refused)
		var result: VarBytesResult = VarBytes.encode(with_refused, options)
		check(result.error == VarBytesResult.NOT_ALLOWED and result.path == "$[157]", "the 158th is a %s: %s" % [refused.get_class(), result.message])
		if refused is Node:
			refused.free()
	# "*" does not cover code. The same objects are refused and written in any order.
	var shaders: Array = [Gradient.new(), Shader.new(), Shader.new(), Gradient.new(), Shader.new()]
	shaders[2].code = "shader_type sky;"
	options.allowed_classes = {"Gradient": ["*"], "Shader": ["*"]}
	var with_code: VarBytesResult = VarBytes.encode(shaders, options)
	check(with_code.error == VarBytesResult.NOT_ALLOWED and with_code.path == "$[2]", "a Shader with code: %s" % with_code)
	shaders[2].code = ""
	var read: VarBytesResult = VarBytes.decode(VarBytes.encode(shaders, options).value, options)
	equal(read.ok and read.value[2] is Shader, true, "without code: %s" % read)
	return true
