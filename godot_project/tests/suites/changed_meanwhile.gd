extends "res://tests/suite.gd"
## Setters and getters that clear the packet, the container or the variable being read or written. The result has the
## old or the new content, never freed memory.
##
## With MALLOC_PERTURB_ set, Godot 4.6.3 aborts after this suite while it shuts down. That is a fault of the engine,
## without the addon too: a script with a static variable, used at run time, whose base script another one preloads as a
## constant.

const Wire := preload("res://conformance/wire.gd")
const MEDDLER: String = "res://tests/fixtures/meddler.gd"
const Meddler := preload(MEDDLER)

const FILE: String = "user://changed_meanwhile.dat"

## The variables that scripts change.
static var container: Variant
static var garbage: Array
static var result: VarBytesResult
static var file: VarBytesFile
## GDScript keeps a reference to what a static variable has while it calls a method of it. Of others, it keeps none.
var own: VarBytesResult
var own_untyped: Variant
var own_peer: StreamPeerBuffer
var own_options: VarBytesOptions
var own_value: Variant


func run() -> bool:
	await run_parts([_packets, _streams, _containers, _while_a_script_is_loaded, _scripts_for_checked_members, _longer_the_second_time, _fonts, _objects_that_are_called])
	Meddler.meddling = Callable()
	container = null
	garbage = []
	return true


func _packets() -> bool:
	var first: Resource = Meddler.new()
	var value: Array = [first]
	for index: int in 200:
		value.append("text %d, long enough to be recognized" % index)
	var expected: Array = value.slice(1)
	for entry: String in ["bytes_to_var_with_objects", "decode", "decode for an engine"]:
		for by_name: bool in [false, true]:
			for meddling: String in ["clear", "shrink", "fill", "replace"]:
				var found: Variant = _read(entry, by_name, var_to_bytes_with_objects(value), meddling)
				var what: String = "%s, by name %s, with %s" % [entry, by_name, meddling]
				if check(found is Array and found.size() == value.size(), "%s: %s" % [what, str(found).left(200)]):
					check(found.slice(1) == expected, "%s returns other texts" % what)
	return true


## Reads a packet that only this function and a setter share, so the setter's changes affect the same array.
func _read(entry: String, by_name: bool, packet: PackedByteArray, meddling: String) -> Variant:
	var shared: Array = [packet]
	Meddler.meddling = func() -> void:
		match meddling:
			"clear": packet.clear()
			"shrink": packet.resize(4)
			"fill": packet.fill(0xFF)
			"replace": shared[0] = null
		_make_garbage()
	var options: VarBytesOptions = _options("godot-4.6" if entry == "decode for an engine" else "")
	var found: Variant
	if entry == "bytes_to_var_with_objects":
		found = ClassDB.class_call_static("VarBytes", entry, packet) if by_name else VarBytes.bytes_to_var_with_objects(packet)
	elif meddling == "replace":
		packet = []
		found = VarBytes.decode(shared[0], options).value
	else:
		found = (ClassDB.class_call_static("VarBytes", "decode", packet, options) if by_name else VarBytes.decode(packet, options)).value
	Meddler.meddling = Callable()
	return found


## Files and streams, where the engine creates the array being read.
func _streams() -> bool:
	var value: Array = [Meddler.new(), "a text that is long enough to be recognized"]
	var bytes: PackedByteArray = var_to_bytes_with_objects(value)
	var file: VarBytesFile = VarBytesFile.open(FILE, FileAccess.WRITE_READ)
	check(file.store(value, _options()).ok, "stored")
	check(file.seek(0).ok, "at the start")
	Meddler.meddling = func() -> void:
		file.close()
		_make_garbage()
	var read: VarBytesResult = file.next(_options())
	Meddler.meddling = Callable()
	check(read.ok and read.value[1] == value[1], "next, of a file that a setter closes: %s" % read.message)
	file = VarBytesFile.open(FILE, FileAccess.WRITE_READ)
	check(file.store_many([value, value, value], _options()).ok and file.seek(0).ok, "stored again")
	own_options = _options()
	own_options.strict = true
	Meddler.meddling = func() -> void:
		own_options = null
		# Options that were used last are known, also after they were freed.
		VarBytes.decode(bytes, VarBytesOptions.new())
		VarBytesOptions.new().max_depth = 1
	read = file.next_many(3, own_options)
	Meddler.meddling = Callable()
	check(read.ok and read.value.size() == 3, "next_many, with options that a setter drops: %s" % read.message)
	file.seek(0)
	Meddler.meddling = file.close
	read = file.next_many(3, _options())
	Meddler.meddling = Callable()
	check(read.ok and read.value.size() == 1 and read.value[0][1] == value[1], "next_many, of a file that a setter closes: %s" % read.message)
	equal(file.next_many(3, _options()).error, VarBytesResult.STREAM, "next_many, after that")
	var peer := StreamPeerBuffer.new()
	peer.put_32(bytes.size())
	peer.put_data(bytes)
	peer.seek(0)
	Meddler.meddling = func() -> void:
		peer.clear()
		_make_garbage()
	read = VarBytesFile.take(peer, _options())
	Meddler.meddling = Callable()
	check(read.ok and read.value[1] == value[1], "take, of a buffer that a setter clears: %s" % read.message)
	return true


## Variables hold the only references to the objects that are called and passed, and scripts that run meanwhile clear them.
func _objects_that_are_called() -> bool:
	var value: Array = [Meddler.new(), "text"]
	var bytes: PackedByteArray = var_to_bytes_with_objects(value)
	var clear := func() -> void:
		result = null
		file = null
		own = null
		own_untyped = null
		own_peer = null
		own_options = null
		own_value = null
		_make_garbage()
	var calls: Dictionary[String, Callable] = {
		"decode": func() -> bool: return result.decode(bytes, _options()),
		"encode": func() -> bool: return result.encode(value, _options()),
		"decode of a member": func() -> bool: return own.decode(bytes, _options()),
		"encode of a member": func() -> bool: return own.encode(value, _options()),
		"decode of an untyped member": func() -> bool: return own_untyped.decode(bytes, _options()),
		"encode of an untyped member": func() -> bool: return own_untyped.encode(value, _options()),
		"next": func() -> bool: return file.next(_options()).ok,
		"next_into": func() -> bool: return file.next_into(result, _options()),
		"try_next": func() -> bool: return file.try_next(null, _options()) != null,
		"next_many": func() -> bool: return file.next_many(9, _options()).ok,
		"store": func() -> bool: return file.store(value, _options()).ok,
		"store_many": func() -> bool: return file.store_many([value], _options()).ok,
		"try_store": func() -> bool: return file.try_store(value, _options()),
		"put": func() -> bool: return VarBytesFile.put(own_peer, own_value, own_options).ok,
		"take": func() -> bool: return VarBytesFile.take(own_peer, own_options).ok,
		"decode by its name": func() -> bool: return result.call("decode", bytes, _options()),
		"next_into by its name": func() -> bool: return file.call("next_into", result, _options()),
		"try_next by its name": func() -> bool: return file.call("try_next", null, _options()) != null,
		"next_many by its name": func() -> bool: return file.call("next_many", 9, _options()).ok,
		"store_many by its name": func() -> bool: return file.call("store_many", [value], _options()).ok,
		"try_store by its name": func() -> bool: return file.call("try_store", value, _options()),
	}
	for entry: String in calls:
		result = VarBytesResult.new()
		own = VarBytesResult.new()
		own_untyped = VarBytesResult.new()
		file = VarBytesFile.open(FILE, FileAccess.WRITE_READ)
		file.store(value, _options())
		file.seek(0)
		own_peer = StreamPeerBuffer.new()
		own_options = _options()
		own_value = [Meddler.new(), "text"]
		own_peer.data_array = FileAccess.get_file_as_bytes(FILE)
		Meddler.meddling = clear
		var ok: bool = calls[entry].call()
		Meddler.meddling = Callable()
		check(ok and result == null and file == null, "%s, when a script drops the objects" % entry)
	return true


## Containers that are cleared by a getter of one of their members. The bytes must be readable.
func _containers() -> bool:
	var entries: Dictionary[String, Callable] = {
		"var_to_bytes_with_objects": func() -> PackedByteArray: return VarBytes.var_to_bytes_with_objects(container),
		"the same by its name": func() -> PackedByteArray: return ClassDB.class_call_static("VarBytes", "var_to_bytes_with_objects", container),
		"encode": func() -> PackedByteArray: return VarBytes.encode(container, _options()).value,
		"encode for an engine": func() -> PackedByteArray: return VarBytes.encode(container, _options("godot-4.6")).value,
		"store": func() -> PackedByteArray:
			var file: VarBytesFile = VarBytesFile.open(FILE, FileAccess.WRITE_READ)
			file.store(container, _options())
			file.close()
			return FileAccess.get_file_as_bytes(FILE).slice(4),
		"put": func() -> PackedByteArray:
			var peer := StreamPeerBuffer.new()
			VarBytesFile.put(peer, container, _options())
			return peer.data_array.slice(4),
	}
	for entry: String in entries:
		for made: Callable in [_array, _dictionary, _nested, _typed]:
			for meddling: Callable in [_clear_container, _replace_container]:
				container = made.call()
				Meddler.meddling = meddling
				var bytes: PackedByteArray = entries[entry].call()
				Meddler.meddling = Callable()
				var read: VarBytesResult = VarBytes.decode(bytes, _options())
				check(read.ok and read.bytes_used == bytes.size(), "%s of %s with %s: %s" % [
						entry, made.get_method(), meddling.get_method(), read.message])
	container = _array()
	Meddler.meddling = _clear_container
	check(VarBytes.byte_size(container, _options()) > 0, "byte_size")
	Meddler.meddling = Callable()
	return true


## An Array that is cleared by a script that the policy loads, because an object has another script with the same path.
func _while_a_script_is_loaded() -> bool:
	const LATE: String = "res://tests/fixtures/loaded_late.gd"
	check(not ResourceLoader.has_cached(LATE), "the script is not loaded yet")
	var other := GDScript.new()
	other.source_code = "extends Resource\n@export var number: int = 1\nfunc _validate_property(_property: Dictionary) -> void: pass\n"
	check(other.reload() == OK, "the other script")
	other.set_path_cache(LATE)
	# Objects of a class that the engine writes several at a time, and then those.
	container = _objects(func(index: int) -> Resource: return CanvasItemMaterial.new() if index < 8 else other.new())
	var options: VarBytesOptions = _options()
	options.allowed_classes = {"Resource": ["*"], "CanvasItemMaterial": ["*"]}
	options.allowed_scripts[LATE] = PackedStringArray(["*"])
	# Other Arrays of objects reuse the memory.
	Meddler.meddling = func() -> void:
		container.clear()
		for copy: int in 40:
			garbage.append(_objects(func(_index: int) -> Resource: return Resource.new()))
	var result: VarBytesResult = VarBytes.encode(container, options)
	Meddler.meddling = Callable()
	check(container.is_empty(), "the script was loaded")
	check(result.ok, "encode: %s" % result.message)
	var read: VarBytesResult = VarBytes.decode(result.value, options)
	check(read.ok and read.value.size() == 28, "the bytes can be read: %s" % read.message)
	check(read.value.all(func(member: Variant) -> bool: return member == null or member.is_class("CanvasItemMaterial") or member.get_script() != null),
			"no object of another Array was written")
	return true


## Members that were looked up get a script whose getter returns longer text the second time, when a later one is looked up.
func _scripts_for_checked_members() -> bool:
	const LATE: String = "res://tests/fixtures/loaded_within_array.gd"
	check(not ResourceLoader.has_cached(LATE), "the script is not loaded yet")
	var growing := GDScript.new()
	growing.source_code = "extends CanvasItemMaterial\nvar times := 0\n@export var text: String:\n\tget:\n\t\ttimes += 1\n\t\treturn \"x\".repeat(10 if times % 2 == 1 else 1_000_000)\n"
	# Without a path, the engine would refuse it before it reads the variable.
	growing.take_over_path("res://tests/fixtures/growing.gd")
	check(growing.reload() == OK, "the growing script")
	var members: Array = range(40).map(func(_index: int) -> Resource: return CanvasItemMaterial.new())
	members[25] = Gradient.new()
	var options: VarBytesOptions = _options()
	options.allowed_classes = {"CanvasItemMaterial": ["*"]}
	options.allowed_scripts = {LATE: ["*"]}
	Meddler.meddling = func() -> void:
		for member: Resource in members.slice(0, 25):
			member.set_script(growing)
	var written: VarBytesResult = VarBytes.encode([members, 1], options)
	Meddler.meddling = Callable()
	for member: Resource in members.slice(0, 25):
		check(member.get_script() == growing and member.get("times") == 0, "the engine has not written it")
	check(written.error == VarBytesResult.NOT_ALLOWED, "%s" % written)
	members.clear()
	return true


## A getter that returns longer text each time. The engine computes sizes first, and then writes past the end of them.
func _longer_the_second_time() -> bool:
	for base: String in ["Gradient", "Resource", "ArrayMesh", "AudioStreamWAV", "VisualShaderNodeFloatConstant"]:
		var script := GDScript.new()
		script.source_code = "extends %s\nstatic var calls := 0\n@export var text := \"\":\n\tget:\n\t\tcalls += 1\n\t\treturn \"x\".repeat(calls * 1000)\n" % base
		var path: String = "res://tests/fixtures/longer_%s.gd" % base.to_lower()
		script.take_over_path(path)
		check(script.reload() == OK, "the script")
		var options: VarBytesOptions = _options()
		options.allowed_classes = {"Resource": ["*"], "Gradient": ["*"], "GradientTexture1D": ["*"], "MeshLibrary": ["item/0/mesh"], "AudioStreamRandomizer": ["stream_0/stream"],
				"VisualShader": ["*"]}
		options.allowed_scripts[path] = PackedStringArray(["*"])
		var values: Array = [script.new(), [script.new(), script.new()], {"in": [Gradient.new(), script.new()]}]
		# In native objects, some of which have a property for each of their parts.
		var holder: Resource = null
		match base:
			"Gradient":
				holder = GradientTexture1D.new()
				holder.gradient = script.new()
			"ArrayMesh":
				holder = MeshLibrary.new()
				holder.create_item(0)
				holder.set_item_mesh(0, script.new())
			"AudioStreamWAV":
				holder = AudioStreamRandomizer.new()
				holder.add_stream(0, script.new())
			"VisualShaderNodeFloatConstant":
				holder = VisualShader.new()
				holder.add_node(VisualShader.TYPE_FRAGMENT, script.new(), Vector2.ZERO, 2)
		if holder != null:
			values.append_array([holder, {"in": holder}])
		for value: Variant in values:
			script.calls = 0
			var result: VarBytesResult = VarBytes.encode(value, options)
			check(result.error == VarBytesResult.NOT_ALLOWED or result.ok and VarBytes.validate(result.value, options).ok, "%s: %s" % [base, result.message])
			check(script.calls <= (2 if value is Array else 1), "each getter is called once, not %d times" % script.calls)
	return true


## A font has more properties once its first ones were read. The engine, which computes sizes first, writes past the end of them: after a
## few calls, it finds that its memory is damaged.
func _fonts() -> bool:
	var options: VarBytesOptions = _options()
	options.allowed_classes = {"FontFile": ["*", "cache/0/variation_coordinates"], "Theme": ["*"], "FontVariation": ["*"], "LabelSettings": ["*"]}
	for listed: bool in [true, false]:
		if not listed:
			options.allowed_classes.erase("FontFile")
		for call: int in 50:
			var theme := Theme.new()
			theme.set_font(&"font", &"Label", FontFile.new())
			var variation := FontVariation.new()
			variation.base_font = FontFile.new()
			var settings := LabelSettings.new()
			settings.font = variation
			for value: Variant in [FontFile.new(), [FontFile.new(), FontFile.new()], theme, variation, {"in": settings}]:
				var result: VarBytesResult = VarBytes.encode(value, options)
				check(result.error == VarBytesResult.NOT_ALLOWED or listed and VarBytes.validate(result.value, options).ok, "%s, call %d: %s" % [value, call, result.message])
	return true


static func _objects(create: Callable) -> Array:
	var objects: Array = []
	objects.resize(28)
	for index: int in objects.size():
		objects[index] = create.call(index)
	return objects


func _options(engine: String = "") -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {MEDDLER: ["*"]}
	options.engine = engine
	return options


static func _clear_container() -> void:
	if container is Array or container is Dictionary:
		container.clear()
	_make_garbage()


static func _replace_container() -> void:
	container = "something else"
	_make_garbage()


## Reuses the memory that was just freed.
static func _make_garbage() -> void:
	garbage = []
	for size: int in [64, 1000, 4000, 8000, 12_000, 16_000, 20_000]:
		for copy: int in 4:
			var bytes: PackedByteArray = []
			bytes.resize(size)
			bytes.fill(0xEE)
			garbage.append(bytes)


static func _array() -> Array:
	return [Meddler.new(), "after it", [1, 2, 3], {"a": PackedStringArray(["b"])}, Meddler.new()]


static func _dictionary() -> Dictionary:
	return {"first": Meddler.new(), "second": "after it", "third": [1, 2, {"x": "y"}]}


static func _nested() -> Array:
	return [[{"in": [Meddler.new(), PackedByteArray([1, 2, 3])]}, "after"], "and after"]


static func _typed() -> Array:
	return Array([Meddler.new(), Meddler.new()], TYPE_OBJECT, &"Resource", Meddler)
