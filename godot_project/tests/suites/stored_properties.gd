extends "res://tests/suite.gd"
## Which properties of an object are written: those that the engine writes, also if they change from object to object, and if a
## script is loaded again.

const FOLDER: String = "res://tests/fixtures/"

## What a script has. It can be compiled again.
const PLAIN: String = "extends Resource\n@export var one := 1\n"
const LISTING: String = "extends Resource\nvar extra := false\nfunc _get_property_list() -> Array[Dictionary]:\n\tvar list: Array[Dictionary] = [{\"name\": \"more\", \"type\": TYPE_INT, \"usage\": PROPERTY_USAGE_STORAGE}]\n\treturn list.slice(0, int(extra))\n"
const VALIDATING: String = "extends Resource\nvar extra := false\n@export var one := 1\nfunc _validate_property(property: Dictionary) -> void:\n\tif property.name == \"one\" and not extra:\n\t\tproperty.usage = PROPERTY_USAGE_NONE\n"
const COUNTING: String = "extends Resource\nstatic var calls := 0\n@export var one := 1:\n\tget:\n\t\tcalls += 1\n\t\treturn one\n"
# The variable is read first: after `meddle` has taken the script away, the engine would read freed memory.
const MEDDLING: String = "extends Resource\nvar meddle := Callable()\n@export var one := 1:\n\tget:\n\t\tvar value := one\n\t\tif meddle.is_valid():\n\t\t\tmeddle.call()\n\t\treturn value\n@export var two := 2\n"

var made: int = 0


func run() -> bool:
	await run_parts([_metadata, _values_that_decide, _scripts_of_native_objects, _listed_metadata, _small_values, _mixed_arrays, _scripts_that_decide, _scripts_that_are_changed, _many_scripts, _scripts_loaded_again, _scripts_without_source, _bases_within_scripts, _source_that_is_not_compiled, _other_threads, _getters, _policies, _what_only_some_objects_have, _moved_scripts, _names_listed_twice, _titles_of_groups])
	return true


## A script at a path of its own, which packets can name.
func _script(source: String) -> GDScript:
	var script := GDScript.new()
	script.take_over_path(FOLDER + "stored_%d.gd" % made)
	made += 1
	_compile(script, source)
	return script


## A script that is a file, which others can extend.
func _base(source: String) -> GDScript:
	var path: String = "user://stored_base_%d.gd" % made
	made += 1
	write_file(path, source.to_utf8_buffer())
	var script: GDScript = load(path)
	# The engine keeps that of an earlier run.
	_compile(script, source)
	return script


func _compile(script: GDScript, source: String) -> void:
	script.source_code = source
	equal(script.reload(true), OK, "the script")


func _same(value: Variant, what: String) -> void:
	for within: Variant in [value, [value], {"key": value}, [1, {"key": [value, value]}]]:
		equal(VarBytes.var_to_bytes_with_objects(within), var_to_bytes_with_objects(within), what)


func _metadata() -> bool:
	for object: RefCounted in [Resource.new(), RefCounted.new(), _script(PLAIN).new()]:
		var written: PackedByteArray = VarBytes.var_to_bytes_with_objects(object)
		_same(object, "without metadata")
		object.set_meta("note", "something")
		object.set_meta("_hidden", 7)
		equal(VarBytes.var_to_bytes_with_objects(object), var_to_bytes_with_objects(object), "with metadata")
		object.remove_meta("note")
		object.remove_meta("_hidden")
		equal(VarBytes.var_to_bytes_with_objects(object), written, "without it again")
	return true


## The values of an object can decide which properties its class lists. Each property is set to several values.
func _values_that_decide() -> bool:
	const FAMILIES: Array[StringName] = [
		&"BaseMaterial3D", &"BitMap", &"CameraAttributes", &"CanvasItemMaterial", &"Curve", &"Curve2D", &"Curve3D", &"Environment", &"FogMaterial",
		&"Gradient", &"Image", &"InputEvent", &"LabelSettings", &"NavigationPolygon", &"Noise", &"OccluderPolygon2D", &"PanoramaSkyMaterial",
		&"ParticleProcessMaterial", &"PhysicalSkyMaterial", &"PhysicsMaterial", &"PrimitiveMesh", &"ProceduralSkyMaterial", &"Shape2D", &"Shape3D",
		&"Shortcut", &"Sky", &"SpriteFrames", &"StyleBox", &"Texture2D",
	]
	# The engine prints what a property does not accept.
	Engine.print_error_messages = false
	for name: StringName in ClassDB.get_class_list():
		var is_in: Callable = func(family: StringName) -> bool: return ClassDB.is_parent_class(name, family)
		if not ClassDB.can_instantiate(name) or ClassDB.class_get_api_type(name) != ClassDB.API_CORE or not FAMILIES.any(is_in):
			continue
		var object: Object = ClassDB.instantiate(name)
		for time: int in 2:
			for property: Dictionary in object.get_property_list():
				if property.name == "script" or property.usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR) == 0:
					continue
				for value: Variant in _some_values(property):
					object.set(property.name, value)
					var written: PackedByteArray = VarBytes.var_to_bytes_with_objects(object)
					if not equal(written, var_to_bytes_with_objects(object), "%s with %s %s" % [name, property.name, value]):
						break
	Engine.print_error_messages = true
	return true


## A script can have variables with the names of properties of the class, if it extends another one.
func _scripts_of_native_objects() -> bool:
	var script: GDScript = _script("extends Resource\n@export var offsets := \"text\"\n@export var command_or_control_autoremap := true\n@export var own := 1\n")
	for object: Object in [Gradient.new(), InputEventKey.new(), RectangleShape2D.new(), Image.create_empty(2, 2, false, Image.FORMAT_L8)]:
		_same(object, "without a script")
		object.set_script(script)
		_same(object, "with one")
		for remaps: bool in [false, true]:
			object.set("command_or_control_autoremap", remaps)
			_same(object, "with another value")
		object.set_meta("note", 1)
		_same(object, "with metadata")
		object.set_script(null)
		_same(object, "without it again")
		object.set("command_or_control_autoremap", true)
		_same(object, "with another value of its own")
	return true


func _some_values(property: Dictionary) -> Array:
	match property.type:
		TYPE_BOOL:
			return [true, false]
		TYPE_INT:
			return range(-1, 8)
		TYPE_FLOAT:
			return [0.0, 0.5, 2.0, -1.0]
		TYPE_STRING:
			return ["text", ""]
		TYPE_OBJECT:
			for name: String in property.hint_string.split(","):
				if ClassDB.can_instantiate(name) and ClassDB.is_parent_class(name, "RefCounted"):
					return [ClassDB.instantiate(name), null]
			return [null]
		TYPE_PACKED_FLOAT32_ARRAY:
			return [PackedFloat32Array([0.0, 0.5, 1.0])]
		TYPE_PACKED_VECTOR2_ARRAY:
			return [PackedVector2Array([Vector2(0, 1), Vector2(1, 1), Vector2(3, 3)])]
		TYPE_PACKED_COLOR_ARRAY:
			return [PackedColorArray([Color.RED, Color.BLUE, Color.RED])]
		TYPE_ARRAY, TYPE_PACKED_INT32_ARRAY:
			return [[1, 2, 3], []]
	return []


## The engine writes small values with native objects as a whole, except those that it writes in another way, or with a message.
func _small_values() -> bool:
	var no_text: String = PackedByteArray([0x41, 0, 0, 0xD8]).get_string_from_utf16()
	var packed: PackedStringArray = [no_text]
	var options: VarBytesOptions = allowing({"Gradient": ["*"]}, {})
	for part: Variant in [no_text, StringName(no_text), NodePath(no_text), Signal(self, no_text), packed]:
		for value: Variant in [[part, Gradient.new()], {"part": part, "gradient": Gradient.new()}, {part: Gradient.new()}]:
			var bytes: PackedByteArray = VarBytes.var_to_bytes_with_objects(value)
			check(VarBytes.validate(bytes, options).ok, "%s: %s" % [type_string(typeof(part)), VarBytes.validate(bytes, options).message])
	for part: Variant in [null, 7, 0.1, "text", &"name", Vector3.ONE, [1, [2]], {"a": {}}]:
		_same([part, Gradient.new()], "%s beside a native object" % [part])
		equal(VarBytes.try_encode({"part": part, "gradient": Gradient.new()}, options), var_to_bytes_with_objects({"part": part, "gradient": Gradient.new()}), "with a policy")
	return true


## The properties of an earlier object are used, with or without metadata, and with the metadata that the lists name.
func _listed_metadata() -> bool:
	var script: GDScript = _script(PLAIN)
	var names: Array = ["note", "level", "zone", "_hidden"]
	var all: Array = ["*"] + names.map(func(name: String) -> String: return "metadata/" + name)
	var everything: VarBytesOptions = allowing({"Resource": all, "RefCounted": all}, {script.resource_path: ["*"]})
	var some: VarBytesOptions = allowing({"Resource": ["*", "metadata/zone"]}, {script.resource_path: ["*", "metadata/level"]})
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for time: int in 200:
		var object: RefCounted = [Resource, RefCounted, script][random.randi() % 3].new()
		for name: String in names:
			if random.randf() < 0.4:
				object.set_meta(name, [time, "text", [Resource.new()], {"a": script.new()}][random.randi() % 4])
		equal(VarBytes.encode(object, everything).value, var_to_bytes_with_objects(object), "all are listed")
		_same(object, "without a policy")
		if object is Resource:
			var read: VarBytesResult = VarBytes.decode(VarBytes.encode([object], some).value, some)
			var expected: Array = object.get_meta_list().filter(func(name: StringName) -> bool: return name == &"zone" or name == &"level" and object.get_script() != null)
			equal(read.value[0].get_meta_list() if read.ok else read.message, expected, "some are listed")
	return true


## The engine writes some of these objects, several at a time, and VarBytes the others. With a policy, metadata is left out.
func _mixed_arrays() -> bool:
	var script: GDScript = _script(PLAIN)
	var deciding: GDScript = _script(VALIDATING)
	var options: VarBytesOptions = allowing(
			{"Resource": ["*"], "Gradient": ["*"]}, {script.resource_path: ["*"], deciding.resource_path: ["*"]})
	var random := RandomNumberGenerator.new()
	random.seed = 7
	for time: int in 300:
		var objects: Array = []
		var marked: Array[Resource] = []
		# A kind repeats, as in most Arrays.
		var kind: int = 0
		for index: int in random.randi_range(1, 120):
			if random.randf() < 0.2:
				kind = random.randi_range(0, 5)
			var object: Resource = [Resource, Gradient, script, deciding, Gradient, deciding][kind].new()
			object.resource_name = "x".repeat(random.randi_range(0, 20))
			if random.randf() < 0.05:
				marked.append(object)
			objects.append(null if random.randf() < 0.05 else object)
		if time % 3 == 0:
			objects = Array(objects, TYPE_OBJECT, &"Resource", null)
		var expected: PackedByteArray = var_to_bytes_with_objects(objects)
		equal(VarBytes.try_encode(objects, options), expected, "with a policy")
		for object: Resource in marked:
			object.set_meta("note", time)
		equal(VarBytes.try_encode(objects, options), expected, "with a policy, without metadata")
		_same(objects, "with metadata")
	return true


func _scripts_that_decide() -> bool:
	for source: String in [LISTING, VALIDATING]:
		for script: GDScript in [_script(source), _script("extends '%s'\n@export var own := 3\n" % _base(source).resource_path)]:
			for extra: bool in [false, true, false]:
				var object: Resource = script.new()
				object.extra = extra
				_same(object, "%s with %s" % [source.get_slice("\n", 2), extra])
	return true


func _scripts_that_are_changed() -> bool:
	var object := Resource.new()
	var other: GDScript = _script(PLAIN + "@export var two := [1, 2]\n")
	for script: GDScript in [null, _script(PLAIN), other, null, other]:
		object.set_script(script)
		_same(object, "the script %s" % script)
	return true


## More than are kept.
func _many_scripts() -> bool:
	var objects: Array = []
	for index: int in 200:
		objects.append(_script(PLAIN + "@export var property_%d := %d\n" % [index, index]).new())
	for turn: int in 2:
		equal(VarBytes.var_to_bytes_with_objects(objects), var_to_bytes_with_objects(objects), "objects of 200 scripts")
	return true


func _scripts_loaded_again() -> bool:
	var base: GDScript = _base(PLAIN)
	var script: GDScript = _script("extends '%s'\n@export var two := 2\n" % base.resource_path)
	_same(script.new(), "at first")
	_compile(script, "extends '%s'\n@export var three := 3\n" % base.resource_path)
	_same(script.new(), "loaded again")
	_compile(base, PLAIN + "@export var four := 4\n")
	_compile(script, "extends '%s'\n@export var three := 3\n" % base.resource_path)
	_same(script.new(), "with its base script")
	script.take_over_path(FOLDER + "stored_elsewhere.gd")
	_same(script.new(), "at another path")
	return true


## As in an exported game, until a modification sets one.
func _scripts_without_source() -> bool:
	var script: GDScript = _script(PLAIN)
	script.source_code = ""
	_same(script.new(), "without source code")
	_compile(script, PLAIN + "@export var two := 2\n")
	_same(script.new(), "with other source code")
	return true


## A class within a script has no source code of its own. Noticed in the next frame.
func _bases_within_scripts() -> bool:
	const INNER: String = "class Inner:\n\textends Resource\n\t@export var one := 1\n"
	var outer: GDScript = _base(INNER)
	var script: GDScript = _script("extends '%s'.Inner\n@export var own := 3\n" % outer.resource_path)
	var object: Resource = script.new()
	_same(object, "at first")
	_compile(outer, INNER + "\t@export var two := 2\n")
	await next_frame()
	_same(object, "an object from before")
	_same(script.new(), "with another base")
	return true


func _source_that_is_not_compiled() -> bool:
	var script: GDScript = _script(PLAIN)
	_same(script.new(), "at first")
	_compile(script, PLAIN + "@export var two := 2\n")
	script.source_code = PLAIN
	await next_frame()
	_same(script.new(), "the source code is that of the first time, but was not compiled")
	return true


## Another thread cannot notice that a script is loaded again.
func _other_threads() -> bool:
	var script: GDScript = _script(PLAIN)
	_same(script.new(), "at first")
	_compile(script, PLAIN + "@export var two := 2\n")
	var object: Resource = script.new()
	var written: Array = []
	var task: int = WorkerThreadPool.add_task(func() -> void: written.append(VarBytes.var_to_bytes_with_objects(object)))
	WorkerThreadPool.wait_for_task_completion(task)
	equal(written[0], var_to_bytes_with_objects(object), "in another thread, after it was loaded again")
	return true


func _getters() -> bool:
	var script: GDScript = _script(COUNTING)
	VarBytes.var_to_bytes_with_objects(script.new())
	script.calls = 0
	VarBytes.var_to_bytes_with_objects([script.new(), script.new()])
	equal(script.calls, 2, "calls of a getter, for two objects")
	# What a getter does to its object meanwhile.
	var object: Resource = _script(MEDDLING).new()
	_same(object, "a getter that does nothing")
	var inner: Array = []
	object.meddle = func() -> void:
		object.meddle = Callable()
		inner.append(VarBytes.var_to_bytes_with_objects([object, Resource.new()]))
	VarBytes.var_to_bytes_with_objects(object)
	equal(inner[0], var_to_bytes_with_objects([object, Resource.new()]), "a getter that writes its object")
	object.meddle = func() -> void: object.set_script(null)
	var written: PackedByteArray = VarBytes.var_to_bytes_with_objects([object])
	equal(bytes_to_var_with_objects(written)[0].two, 2, "a property whose script was taken away is the initial one")
	_same(object, "without its script")
	return true


## Options decide which of the properties are written, and others decide otherwise.
func _policies() -> bool:
	var script: GDScript = _script(PLAIN + "@export var two := 2\n")
	var object: Resource = script.new()
	object.resource_name = "name"
	object.one = 11
	object.two = 22
	var lists: Array[VarBytesOptions] = [
		allowing({"Resource": ["*"]}, {script.resource_path: ["*"]}),
		allowing({"Resource": ["resource_name"]}, {script.resource_path: ["one"]}),
		allowing({}, {script.resource_path: ["two"]}),
		allowing({"Resource": ["*"]}, {}),
	]
	for turn: int in 2:
		var found: Array = []
		for options: VarBytesOptions in lists:
			var written: VarBytesResult = VarBytes.encode({"key": object}, options)
			if not written.ok:
				found.append(written.error)
				continue
			var read: Resource = VarBytes.decode(written.value, options).value.key
			found.append([read.resource_name, read.one, read.two])
		equal(found, [["name", 11, 22], ["name", 11, 2], ["", 1, 22], VarBytesResult.NOT_ALLOWED], "what four options let through")
	object.set_meta("note", 7)
	equal(VarBytes.decode(VarBytes.encode(object, lists[0]).value, lists[0]).value.has_meta("note"), false, "metadata is not listed")
	_what_an_object_does_not_store()
	return true


## `"*"` does not cover what `_validate_property` takes out of storage, whoever writes the object; a name does.
func _what_an_object_does_not_store() -> void:
	var script: GDScript = _script(VALIDATING)
	for classes: Dictionary in [{"Resource": ["*"]}, {"Resource": ["resource_name"]}, {}]:
		for note: Variant in [null, 7]:
			var object: Resource = script.new()
			object.one = 11
			object.set_meta("note", note)
			var written: Array = []
			for list: Array in [["*"], ["one"], ["*", "one"]]:
				var bytes: PackedByteArray = VarBytes.encode([object], allowing(classes, {script.resource_path: list})).value
				written.append(VarBytes.inspect(bytes).contains("property \"one\""))
			equal(written, [false, true, true], "a property that is not stored, for %s and note %s" % [classes, note])


## The path of the script decides, also if the object was written before.
func _moved_scripts() -> bool:
	var script: GDScript = _script(PLAIN)
	var listed: String = script.resource_path
	var object: Resource = script.new()
	var options: VarBytesOptions = allowing({}, {listed: ["*"]})
	equal(VarBytes.encode([object], options).ok, true, "with a listed path")
	script.take_over_path(FOLDER + "stored_unlisted.gd")
	equal(VarBytes.encode([object], options).error, VarBytesResult.NOT_ALLOWED, "with another path")
	script.take_over_path(listed)
	equal(VarBytes.encode([object], options).ok, true, "with the listed path again")
	return true


## `"*"` does not cover them: no list of the engine has them, or they are code. They must not be left out without an error.
func _what_only_some_objects_have() -> bool:
	var animation := Animation.new()
	animation.add_track(Animation.TYPE_VALUE)
	animation.add_marker("hit", 0.5)
	var theme := Theme.new()
	theme.set_color("font_color", "Label", Color.RED)
	var shader := Shader.new()
	equal(VarBytes.encode([shader], allowing({"Shader": ["*"]}, {})).ok, true, "a new Shader, in which only the default is left out")
	shader.code = "shader_type spatial;"
	for object: Resource in [animation, theme, TileMapPattern.new(), AudioBusLayout.new(), shader]:
		var title: String = object.get_class()
		if title == "TileMapPattern":
			object.set_cell(Vector2i.ZERO, 1)
		object.set_meta("note", "left out, as the help says")
		var options: VarBytesOptions = allowing({title: ["*"]}, {})
		var refused: VarBytesResult = VarBytes.encode([object], options)
		equal(refused.error, VarBytesResult.NOT_ALLOWED, title)
		check("\"*\" for %s does not cover it" % title in refused.message, refused.message)
		object.remove_meta("note")
		var stored: Array = object.get_property_list().filter(func(property: Dictionary) -> bool: return property.usage & PROPERTY_USAGE_STORAGE)
		options = allowing({title: stored.map(func(property: Dictionary) -> String: return property.name)}, {})
		equal(VarBytes.encode([object], options).value, var_to_bytes_with_objects([object]), title)
	return true


## A name can be that of a variable and in `_get_property_list`, or that of a group or category and of a property.
func _names_listed_twice() -> bool:
	var listing: String = "extends Resource\nvar kind := 3\nfunc _get_property_list() -> Array[Dictionary]:\n\treturn [{\"name\": \"kind\", \"type\": TYPE_INT, \"usage\": PROPERTY_USAGE_DEFAULT}]\n"
	var grouped: String = "extends Resource\n@export_group(\"health\")\n@export var health := 3\n"
	for case: Array in [[listing, ["*", "kind"]], [grouped, ["health"]], [grouped, ["*", "health"]], [grouped, ["*"]]]:
		var script: GDScript = _script(case[0])
		var object: Resource = script.new()
		var options: VarBytesOptions = allowing({"Resource": ["*"]}, {script.resource_path: case[1]})
		var written: VarBytesResult = VarBytes.encode(object, options)
		equal(written.value if written.ok else written.message, var_to_bytes_with_objects(object), "%s" % [case])
	# The engine's bytes name the script twice then, which no object can have.
	var of_script: GDScript = _script("extends Resource\nfunc _get_property_list() -> Array[Dictionary]:\n\treturn [{\"name\": \"script\", \"type\": TYPE_OBJECT, \"usage\": PROPERTY_USAGE_STORAGE}]\n")
	var with_script: VarBytesOptions = allowing({"Resource": ["*"]}, {of_script.resource_path: ["*"]})
	var once: VarBytesResult = VarBytes.encode(of_script.new(), with_script)
	check(once.ok and VarBytes.decode(once.value, with_script).ok, "the script is written once: %s" % once.message)
	var titled: GDScript = _script("extends Resource\n@export_category(\"title\")\n@export var one := 1\n")
	var refused: VarBytesResult = VarBytes.encode(titled.new(), allowing({}, {titled.resource_path: ["one", "title"]}))
	check(refused.message.contains("property title is listed") and refused.message.contains("does not have it"), refused.message)
	return true


## A title in the engine's list of a class is not one of its properties.
func _titles_of_groups() -> bool:
	var script: GDScript = _script("extends TextMesh\n@export var BiDi := 5\n")
	var options: VarBytesOptions = allowing({"TextMesh": ["*"]}, {script.resource_path: ["*"]})
	var object: TextMesh = script.new()
	object.set("BiDi", 7)
	for bytes: PackedByteArray in [VarBytes.encode(object, options).value, var_to_bytes_with_objects(object)]:
		var read: VarBytesResult = VarBytes.decode(bytes, options)
		equal(read.value.get("BiDi") if read.ok else read.message, 7, "a variable with the name of a group")
	var refused: VarBytesResult = VarBytes.encode(Resource.new(), allowing({"Resource": ["Resource"]}, {}))
	check(refused.message.contains("does not have it"), refused.message)
	return true
