extends "res://tests/suite.gd"
## Packets on which the engine prints errors, read through every entry point that must not print.
## `cargo package-addon --test` runs this suite alone and checks that nothing is printed.

const Wire := preload("res://conformance/wire.gd")
const RandomVariants := preload("res://tests/random_variants.gd")
const DamagedPackets := preload("res://tests/suites/damaged_packets.gd")
const Floods := preload("res://tests/suites/floods.gd")

const ITEM: String = "res://tests/fixtures/item.gd"

## Text with a NUL, encoded by hand, because the engine prints an error for it in a script.
const WITH_NUL: PackedByteArray = [3, 0, 0, 0, 97, 0, 98, 0]


func run() -> bool:
	await run_parts([_members, _keys, _conversions, _names, _too_many_names, _ids_after_byte_order_marks, _damaged])
	return true


## Many members that do not have the type of their container.
func _members() -> bool:
	const COUNT: int = 100_000
	var ints: PackedByteArray = []
	ints.resize(8 * COUNT)
	for index: int in COUNT:
		ints[8 * index] = TYPE_INT
		ints[8 * index + 4] = 7
	for info: PackedByteArray in [Wire.text("Resource"), Wire.text("NoSuchClass"), Wire.text(""), Wire.text("EncodedObjectAsID")]:
		_read(Wire.word(TYPE_ARRAY | 2 << 16) + info + Wire.word(COUNT) + ints, false)
		_read(Wire.word(TYPE_DICTIONARY | 2 << 16) + info + Wire.word(COUNT / 2) + ints, false)
		_read(Wire.word(TYPE_DICTIONARY | 2 << 18) + info + Wire.word(COUNT / 2) + ints, false)
	_read(Wire.word(TYPE_ARRAY | 3 << 16) + Wire.text(ITEM) + Wire.word(COUNT) + ints, false)
	var objects: PackedByteArray = Wire.repeat(Wire.object_in_full("RefCounted"), 1000)
	for info: PackedByteArray in [Wire.text("Resource"), Wire.text("Gradient"), Wire.text("NoSuchClass")]:
		_read(Wire.word(TYPE_ARRAY | 2 << 16) + info + Wire.word(1000) + objects)
		_read(Wire.word(TYPE_DICTIONARY | 2 << 16 | 2 << 18) + info + info + Wire.word(500) + objects)
	for declared: int in range(1, TYPE_MAX):
		_read(Wire.word(TYPE_ARRAY | 1 << 16) + Wire.word(declared) + Wire.word(1000) + Wire.repeat(var_to_bytes({}), 1000))
		_read(Wire.word(TYPE_DICTIONARY | 1 << 16) + Wire.word(declared) + Wire.word(500) + Wire.repeat(var_to_bytes({}), 1000))
	return true


## Keys that are nested deeper than the engine hashes and compares them.
func _keys() -> bool:
	for depth: int in [48, 49, 50, 51, 52, 98, 101, 102, 103, 300]:
		var in_arrays: PackedByteArray = Wire.nested_arrays(depth + 1, var_to_bytes(7))
		var in_dictionaries: PackedByteArray = Wire.repeat(Wire.word(TYPE_DICTIONARY) + Wire.word(1) + var_to_bytes(1), depth) + var_to_bytes(7)
		var in_keys: PackedByteArray = (Wire.repeat(Wire.word(TYPE_DICTIONARY) + Wire.word(1), depth) + var_to_bytes(7)
				+ Wire.repeat(var_to_bytes(1), depth))
		for key: PackedByteArray in [in_arrays, in_dictionaries, in_keys]:
			var value: PackedByteArray = var_to_bytes("value")
			_read(Wire.dictionary([key, value]))
			_read(Wire.dictionary([key, value, key, value]))
			_read(Wire.array([Wire.dictionary([Wire.array([key, key]), value, Wire.array([key, key]), value])]))
			_read(Wire.dictionary([key, value, key, value], Wire.Kind.BUILTIN, Wire.Kind.NONE,
					Wire.word(TYPE_ARRAY if key == in_arrays else TYPE_DICTIONARY)))
	for key: Variant in [^"", &"", "", null, RID(), Callable(), Signal()]:
		for count: int in [1, 1000]:
			var entries: Dictionary = {key: 1}
			for index: int in count:
				entries[index] = index
			_read(var_to_bytes([entries, entries, {[key]: key}]))
	return true


## Members whose conversion makes the engine print an error or a warning.
func _conversions() -> bool:
	var texts: Array = ["no colour", "#12", "", "a::b", ":", "//", "a/b:c:", "res://x", "1e999", "😀"]
	var deep: Array = []
	for level: int in 200:
		deep = [deep]
	var values: Array = texts + [
		&"no colour", ^"a/b:c", 7, -1, NAN, INF, Basis(Vector3(), Vector3(), Vector3()), Basis() * 3.0, Quaternion(0, 0, 0, 0),
		Quaternion(1, 2, 3, 4), Transform3D(Basis(Vector3(), Vector3(), Vector3()), Vector3()), Projection(Vector4(), Vector4(), Vector4(), Vector4()),
		Vector2(NAN, INF), Vector3(INF, NAN, 1e30), texts, deep, [deep, {}, null, Callable()], [[texts]], PackedByteArray([1, 2]), PackedStringArray(texts),
		{}, null, Callable(), Signal(), RID(),
	]
	var members: Array[PackedByteArray] = [
		Wire.object_by_id(12345), Wire.word(TYPE_STRING) + WITH_NUL, Wire.word(TYPE_STRING_NAME) + WITH_NUL,
		Wire.word(TYPE_PACKED_STRING_ARRAY) + Wire.word(1) + WITH_NUL,
	]
	for value: Variant in values:
		members.append(var_to_bytes(value))
	for declared: int in range(1, TYPE_MAX):
		for member: PackedByteArray in members:
			var info: PackedByteArray = Wire.word(declared)
			_read(Wire.array([member], Wire.Kind.BUILTIN, info), false)
			_read(Wire.dictionary([member, member], Wire.Kind.BUILTIN, Wire.Kind.BUILTIN, info + info), false)
	for value: PackedByteArray in [Wire.object_in_full("Resource"), Wire.object_in_full("Gradient"), Wire.object_in_full("Node")]:
		for declared: int in [TYPE_RID, TYPE_STRING, TYPE_PACKED_STRING_ARRAY, TYPE_ARRAY, TYPE_COLOR]:
			_read(Wire.typed_array(declared, [value]))
			_read(Wire.typed_array(declared, [Wire.array([value])]))
	return true


## Invalid names of classes, scripts, properties and nodes.
func _names() -> bool:
	var long: String = "x".repeat(100_000)
	for title: String in ["NoSuchClass", "Object", "Node", "OS", "GDScript", "Texture2D", "Item", "", " ", "res://a.gd", "a\u001b[31m", long]:
		_read(Wire.object_in_full(title))
		_read(Wire.array([], Wire.Kind.CLASS, Wire.text(title)))
		_read(Wire.dictionary([], Wire.Kind.CLASS, Wire.Kind.CLASS, Wire.text(title) + Wire.text(title)))
	for path: String in ["res://no_such.gd", "no_such.gd", "", "res://", "res://project.godot", "user://x.gd", "res://tests/fixtures/trap.gd", ITEM, long]:
		for title: String in ["Resource", "RefCounted", "Gradient", "Node"]:
			_read(Wire.object_in_full(title, ["script", var_to_bytes(path)]))
			_read(Wire.object_in_full(title, ["script", var_to_bytes(&"x")]))
		_read(Wire.array([var_to_bytes(7)], Wire.Kind.SCRIPT, Wire.text(path)))
		_read(Wire.dictionary([var_to_bytes(7), var_to_bytes(7)], Wire.Kind.SCRIPT, Wire.Kind.SCRIPT, Wire.text(path) + Wire.text(path)))
	for property: String in ["no_such", "resource_path", "metadata/a", "metadata/", "title:x", "", ":", "script/source", long]:
		for value: Variant in [1, "x", null, [], {}, Color()]:
			_read(Wire.object_in_full("Resource", [property, var_to_bytes(value)]))
			_read(Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM), property, var_to_bytes(value)]))
	for value: Variant in [1, "x", null, [], {}, Color(), PackedColorArray([Color()]), PackedFloat32Array([1, 2, 3, NAN])]:
		for property: String in ["offsets", "colors", "interpolation_mode", "resource_name", "resource_local_to_scene"]:
			_read(Wire.object_in_full("Gradient", [property, var_to_bytes(value)]))
		for property: String in ["title", "count", "parts", "watched"]:
			_read(Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM), property, var_to_bytes(value)]))
	for path: NodePath in [^"", ^"/", ^"a/b:c", ^":a:b"]:
		_read(var_to_bytes(path))
	# Names that a path from text cannot have.
	var names: Array[PackedByteArray] = [WITH_NUL]
	for part: String in ["", ":", "/", "a/b", "..", "%x"]:
		names.append(Wire.text(part))
	for name: PackedByteArray in names:
		_read(Wire.word(TYPE_NODE_PATH) + Wire.word(0x80000000 | 1) + Wire.word(1) + Wire.word(1) + name + name)
	return true


## Names that are left out, because too many of them collide, in places where they make the engine print an error.
func _too_many_names() -> bool:
	var names: Array = range(2000).map(Floods._text_of_one_hash)
	var paths: PackedByteArray = []
	for text: String in names:
		paths.append_array(Floods._as_path(text))
	for key: PackedByteArray in [Floods._as_name("k"), Floods._as_path("k"), Floods._as_signal("k")]:
		var entries: Array[PackedByteArray] = []
		for text: String in names:
			entries.append_array([key, Floods._as_path(text)])
		for index: int in 1000:
			entries.append_array([key, var_to_bytes(Vector2.ONE if index % 2 else null)])
		_read(Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.NONE, key.slice(0, 4)))
	for declared: int in [TYPE_STRING_NAME, TYPE_NODE_PATH]:
		var small: Array[PackedByteArray] = []
		for start: int in range(0, 2000, 50):
			var entries: Array[PackedByteArray] = []
			for text: String in names.slice(start, start + 50):
				entries.append_array([var_to_bytes(text), var_to_bytes(null)])
			small.append(Wire.dictionary(entries, Wire.Kind.BUILTIN, Wire.Kind.NONE, Wire.word(declared)))
		_read(Wire.array(small))
	for property: String in ["title", "count", "parts"]:
		_read(Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM), property, Floods._path(names, [])]))
	_read(Wire.word(TYPE_ARRAY) + Wire.word(2001) + paths + Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM)]))
	return true


## The engine reads the ids of objects in small packets. What is before them must not matter.
func _ids_after_byte_order_marks() -> bool:
	var id := EncodedObjectAsID.new()
	id.object_id = 7
	for before: Variant in ["a\ufeff", "\ufeff", -0x4044110000000000, PackedByteArray([0, 0xEF, 0xBB, 0xBF]), ^"a\ufeff", PackedStringArray(["a\ufeff"])]:
		for value: Variant in [[before, id], {before: id}, [[before, id], id]]:
			_read(var_to_bytes(value))
	return true


func _damaged() -> bool:
	var variants := RandomVariants.new()
	var damage: DamagedPackets = DamagedPackets.new()
	damage.random.seed = number("seed", 1) + 5
	variants.random.seed = damage.random.seed + 1
	var count: int = mini(number("packets", 10_000), 10_000)
	for index: int in count:
		_read(damage.damaged(var_to_bytes(variants.value())), index % 10 == 0)
	variants.with_objects = true
	for index: int in count:
		_read(damage.damaged(var_to_bytes_with_objects(variants.object(2))), index % 10 == 0)
	return true


## Reads a packet through every entry point that must not print; the built-in names do print.
func _read(packet: PackedByteArray, everywhere: bool = true) -> void:
	checks += 1
	for objects: bool in [false, true]:
		for strict: bool in [false, true]:
			var options := VarBytesOptions.new()
			options.allow_objects = objects
			options.strict = strict
			if objects:
				options.allowed_classes = {
					"Resource": ["*", "no_such", "resource_path", "metadata/a", "title:x", ""], "RefCounted": [], "Gradient": ["*"],
					"NoSuchClass": ["*"], "EncodedObjectAsID": ["*"], "PlaceholderTexture2D": ["*"],
				}
				options.allowed_scripts = {ITEM: ["*"], "res://no_such.gd": ["*"]}
			VarBytes.decode(packet, options)
			if not everywhere:
				continue
			var file := FileAccess.open("user://silence.dat", FileAccess.WRITE)
			file.store_32(packet.size())
			file.store_buffer(packet)
			file.close()
			VarBytesFile.open("user://silence.dat", FileAccess.READ).next(options)
			var peer := StreamPeerBuffer.new()
			peer.put_32(packet.size())
			peer.put_data(packet)
			peer.seek(0)
			VarBytesFile.take(peer, options)
			options.engine = "godot-4.6"
			VarBytes.decode(packet, options)
			VarBytes.inspect(packet, options)
