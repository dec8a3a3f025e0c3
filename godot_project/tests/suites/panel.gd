extends "res://tests/suite.gd"
## The panel's logic: the parts of a packet, values as text and policies.

const EDITOR: String = "res://addons/varbytes/editor/"
const Index := preload(EDITOR + "record_index.gd")
const PacketTree := preload(EDITOR + "packet_tree.gd")
const Search := preload(EDITOR + "search.gd")
const Plain := preload(EDITOR + "plain_value.gd")
const Pasted := preload(EDITOR + "pasted.gd")
const PolicyBuilder := preload(EDITOR + "policy_builder.gd")
const Finder := preload(EDITOR + "finder.gd")
const RandomVariants := preload("res://tests/random_variants.gd")
const Item := preload("res://tests/fixtures/item.gd")
const TRAP: String = "res://tests/fixtures/trap.gd"

const PATH: String = "user://panel.dat"

## What Godot 3.6 writes for {"at": Vector2(1, 2), "name": "Ann"}, by hand from its format: Dictionary is 18, Vector2 is 5.
const GODOT_3_SAVE: String = "1200000002000000040000000200000061740000050000000000803f0000004004000000040000006e616d650400000003000000416e6e00"


func run() -> bool:
	_parts()
	_parts_of_random_packets()
	_parts_are_read_in_steps()
	_malformed_packets()
	_hostile_packets()
	_search()
	_a_search_ends_in_a_file_that_became_shorter()
	_plain_values()
	_pasted()
	_policies()
	_policies_of_keys_and_types()
	_policies_of_hostile_packets()
	if OS.has_feature("editor"):
		_check_of_exports()
	for file: String in DirAccess.get_files_at("user://"):
		if file.begins_with("panel."):
			DirAccess.remove_absolute("user://" + file)
	return true


static func write(values: Array, big_endian: bool = false, path: String = PATH) -> void:
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	file.big_endian = big_endian
	for value: Variant in values:
		file.store_var(value, value is Object)


static func write_bytes(bytes: PackedByteArray) -> void:
	FileAccess.open(PATH, FileAccess.WRITE).store_buffer(bytes)


func _parts() -> void:
	var value: Dictionary = {"name": "Ann", 3: [1.5, Vector2(1, 2)], [4]: {&"x": null}}
	var tree: PacketTree = PacketTree.of(var_to_bytes(value))
	equal(tree.problem, "", "no problem")
	equal(Array(tree.children(0)).map(tree.label_of), ["\"name\"", "3", "Array of 1"], "labels")
	var inner: PackedInt32Array = tree.children(tree.children(0)[1])
	equal(tree.path_of(inner[1]), "$[3][1]", "a path")
	var with_key: int = tree.children(0)[2]
	equal(tree.shown_children(with_key).size(), tree.children(with_key).size() + 1, "a key with members is shown once")
	equal(tree.shown_children(with_key).size(), tree.children(with_key).size() + 1, "and also the second time")
	equal(tree.type_of(inner[1]), "Vector2", "a type")
	equal(tree.value_of(inner[1]), Vector2(1, 2), "a value")
	equal(tree.path_of(tree.children(tree.children(0)[2])[0]), "$[entry 2][&\"x\"]", "a path through a key that is an Array")
	equal(bytes_to_var(tree.bytes_of(tree.children(0)[1])), [1.5, Vector2(1, 2)], "the bytes of a part")
	for part: int in tree.size():
		check(tree.roles[tree.part_at(tree.starts[part])] == PacketTree.Role.VALUE, "every byte belongs to a value")
	equal(tree.part_at(tree.bytes.size()), -1, "no part after the end")
	var object: PacketTree = PacketTree.of(var_to_bytes_with_objects([Item.new()]))
	var item: int = object.children(0)[0]
	equal(object.name_of(item), "Resource", "the class of an object")
	var paths: Array = Array(object.children(item)).map(object.path_of)
	check("$[0].resource_name" in paths and "$[0].title" in paths, str(paths))


## The tree agrees with the value that the engine reads.
func _parts_of_random_packets() -> void:
	var random := RandomVariants.new()
	random.random.seed = number("seed", 1)
	for count: int in 300:
		var value: Variant = random.value()
		var tree: PacketTree = PacketTree.of(var_to_bytes(value))
		if not check(tree.problem.is_empty() and tree.size() > 0, "a packet of the engine: %s" % tree.problem):
			return
		equal(tree.ends[0], tree.bytes.size(), "the value ends with the packet")
		var members: int = -1
		if value is Array or value is Dictionary:
			members = value.size()
		if members >= 0:
			equal(tree.children(0).size(), members, "the number of members")
		for part: int in tree.size():
			if tree.roles[part] == PacketTree.Role.VALUE and tree.children(part).is_empty() and Plain.is_plain(tree.type_of(part)):
				equal(tree.value_of(part), bytes_to_var(tree.bytes_of(part)), "a plain part")


func _parts_are_read_in_steps() -> void:
	var bytes: PackedByteArray = var_to_bytes({"a": range(2000), "b": {"c": [[], 1, {}]}, "d": range(1000)})
	for size: int in [bytes.size(), bytes.size() - 1, bytes.size() / 2, 0]:
		for whole: int in [0, bytes.size() + 1]:
			var expected: PacketTree = PacketTree.of(bytes.slice(0, size), "", whole)
			var tree: PacketTree = PacketTree.begin(bytes.slice(0, size), "", whole)
			var parts: int = 0
			while not tree.read(0):
				if not check(tree.size() > parts and tree.size() <= parts + PacketTree.LINES_AT_ONCE, "%d parts, then %d" % [parts, tree.size()]):
					return
				parts = tree.size()
			check(size == 0 or parts > 0, "there are several steps")
			for list: String in ["starts", "ends", "roles", "parents", "ordinals", "keys", "texts", "problem", "problem_at", "note"]:
				equal(tree.get(list), expected.get(list), list)
			check(tree.read(0), "it stays read")


func _malformed_packets() -> void:
	var bytes: PackedByteArray = var_to_bytes({"a": [1, 2], "b": "text"})
	var tree: PacketTree = PacketTree.of(bytes.slice(0, bytes.size() - 8))
	check(tree.problem.contains("path $[\"b\"]"), "where and why: %s" % tree.problem)
	equal(tree.children(tree.children(0)[0]).size(), 2, "what was read before")
	for size: int in bytes.size():
		var cut: PacketTree = PacketTree.of(bytes.slice(0, size))
		check(not cut.problem.is_empty() and cut.problem_at <= size, "cut to %d bytes" % size)
	var long: PacketTree = PacketTree.of(var_to_bytes(1) + PackedByteArray([0, 0]))
	check(long.problem.is_empty() and long.note.contains("2 bytes follow"), "bytes after the value: %s" % long.note)


## Texts in a packet can contain what looks like lines of the annotated text, tags or control characters.
func _hostile_packets() -> void:
	Engine.set_meta("trap", 0)
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	for text: String in ["\n00000000  1c000000 02000000                    Array of 2", "[img]res://icon.svg[/img]", "a\tb\u202e\u0007", ". . . .. 9 .. x", " of 3"]:
		var tree: PacketTree = PacketTree.of(var_to_bytes([text, {text: text}, StringName(text), NodePath(text.left(20))]))
		equal(tree.children(0).size(), 4, "members with the text %s" % text.c_escape())
		equal(tree.value_of(tree.children(0)[0]), text, "the text")
		for part: int in tree.size():
			for control: String in ["\n", "\t", "\u202e", "\u0007"]:
				check(not (tree.texts[part] + tree.path_of(part)).contains(control), "control characters are escaped")
	var deep: Array = []
	for level: int in 200:
		deep = [deep]
	var nested: PacketTree = PacketTree.of(var_to_bytes(deep))
	check(nested.size() == 201 and nested.depth_of(200) == 200, "200 levels")
	var named: PackedByteArray = _object("RefCounted", {"script": TRAP}) + _object("OS", {})
	PacketTree.of(named)
	var source: PacketTree = PacketTree.of(_object("GDScript", {"script/source": "static var x = 1"}))
	equal(source.path_of(source.children(0)[0]), "$[\"script/source\"]", "an object is shown")
	check(Engine.get_meta("trap") == 0, "no script ran")
	source = null
	nested = null
	equal(int(Performance.get_monitor(Performance.OBJECT_COUNT)), objects, "no object was created")
	for seed_value: int in 300:
		var damaged: PackedByteArray = var_to_bytes_with_objects([seed_value, {"k": [str(seed_value)]}, Gradient.new(), &"n", ^"a/b"])
		for change: int in 3:
			damaged[(seed_value * 31 + change * 57) % damaged.size()] = (seed_value * 7 + change) % 256
		var tree: PacketTree = PacketTree.of(damaged)
		for part: int in tree.size():
			if not check(tree.ends[part] >= tree.starts[part] and tree.parents[part] < part and not tree.path_of(part).is_empty(), "damaged packet %d" % seed_value):
				break


static func _object(title: String, properties: Dictionary) -> PackedByteArray:
	return preload("res://tests/suites/attacks.gd").object(title, properties)


func _find(tree: PacketTree, text: String, from: int) -> int:
	return Search.of(text).find_in(tree, from)


func _search() -> void:
	var long: String = "x".repeat(300) + "needle"
	var tree: PacketTree = PacketTree.of(var_to_bytes({"first": 77, "needle": [long, 77.5], "last": &"needle"}))
	var found: PackedStringArray = []
	var at: int = _find(tree, "needle", -1)
	while at >= 0:
		found.append(tree.path_of(at))
		at = _find(tree, "needle", at)
	equal(found, PackedStringArray(["$[\"needle\"]", "$[\"needle\"][0]", "$[\"last\"]"]), "every part with a text")
	equal(tree.path_of(_find(tree, "77.5", -1)), "$[\"needle\"][1]", "a number")
	equal(_find(tree, "nothing", -1), -1, "what is not there")
	# The bytes of 100 are those of "d", also where it is the length of a text.
	var numbers: PacketTree = PacketTree.of(var_to_bytes([100, [100], "x".repeat(100), "d"]))
	equal(numbers.path_of(_find(numbers, "d", -1)), "$[3]", "numbers with the bytes of a text do not count")
	var many: Array = range(50_000)
	many.fill(100)
	equal(_find(PacketTree.of(var_to_bytes(many)), "d", -1), -1, "a long array of such numbers")
	equal(Search.of("4").find_bytes("1234234134", 2), 4, "bytes are found at whole bytes")
	equal(Search.of("#").find_bytes("1234", 0), -1, "half bytes do not count")
	_search_ignores_case()
	_search_finds_numbers_in_packed_arrays()


func _search_ignores_case() -> void:
	var long: String = "x".repeat(300)
	for text: String in ["Needle", "nEEDLE", "Ärger 7", "ärGER 7", "δΕΛΤΑ", "𐐀𐐨", "a.(b|c)[d]*", "A.(B|C)[D]*"]:
		for value: Variant in [long + text, StringName(long + text), NodePath(long + "/" + text), PackedStringArray([long, "", long + text]), {long + text: 1}]:
			var tree: PacketTree = PacketTree.of(var_to_bytes([null, value, 2]))
			for searched: String in [text, text.to_lower(), text.to_upper()]:
				check(tree.path_of(_find(tree, searched, -1)).begins_with("$[1]"), "%s in %s" % [searched, type_string(typeof(value))])
			equal(_find(tree, text + "z", -1), -1, "another text")


func _search_finds_numbers_in_packed_arrays() -> void:
	var many: Array = [0] + range(1000, 1100)
	for last: Variant in [77, 0.1]:
		var arrays: Array = [PackedFloat32Array(many + [last]), PackedFloat64Array(many + [last]), PackedVector2Array([Vector2(1000, last)]), PackedVector3Array([Vector3(1, last, 2)]), PackedVector4Array([Vector4(1, 2, last, 3)]), PackedColorArray([Color(1, last, 2, 3)])]
		if last is int:
			arrays.append_array([PackedInt32Array(many + [last]), PackedInt64Array(many + [last]), PackedByteArray([0, 2, last]), PackedStringArray(["x".repeat(300), "77"])])
		for array: Variant in arrays:
			var tree: PacketTree = PacketTree.of(var_to_bytes([array, 2]))
			equal(_find(tree, str(last), -1), 1, "%s in %s" % [last, type_string(typeof(array))])
			for other: String in ["78", "0.25", "333", "4294967373", "18446744073709551693", "-1"]:
				equal(_find(tree, other, -1), -1, "%s is not in %s" % [other, type_string(typeof(array))])
			var cut: PackedByteArray = tree.bytes.slice(0, tree.bytes.size() - 9)
			check(_find(PacketTree.of(cut, "", tree.bytes.size()), "78", -1) < 0, "an array that is not whole")
	var wide: PackedByteArray = "2300010001000000".hex_decode() + PackedFloat64Array([2.5, 0.1]).to_byte_array()
	equal(_find(PacketTree.of(wide), "0.1", -1), 0, "a vector of 64 bits")
	equal(_find(PacketTree.of(var_to_bytes(PackedInt64Array([9223372036854775807]))), "9223372036854775806", -1), -1, "integers are exact")


func _a_search_ends_in_a_file_that_became_shorter() -> void:
	write([{"text": "x".repeat(2000)}, 2])
	var index: Index = Index.open(PATH)
	var record: Index.Record = index.record(0)
	var beginning: PacketTree = PacketTree.of(index.read(record.start, 100), "", record.size)
	var finder: Finder = Finder.of(index, "", "needle", 0, beginning, -1)
	write([1])
	for step: int in 10:
		if finder.step():
			check(finder.part < 0, "nothing is found")
			return
	check(false, "the search does not end")


func _plain_values() -> void:
	var values: Array = [
		true, -9223372036854775808, 0.1, INF, -0.0, "two\nlines", &"name", ^"/root/a:b", Vector2(0.1, -2), Vector2i(-1, 2147483647),
		Rect2(1, 2, 3, 4), Vector3(1e-30, 2, NAN), Vector3i(1, 2, 3), Transform2D(0.3, Vector2.ONE), Vector4(1, 2, 3, 4), Vector4i(),
		Plane(0, 1, 0, 5), Quaternion(), AABB(), Basis(Vector3.UP, 0.7), Transform3D(), Projection(), Color(0.2, 0.4, 0.6), Rect2i(1, 2, 3, 4),
	]
	for value: Variant in values:
		var type: String = type_string(typeof(value))
		check(Plain.is_plain(type), type)
		equal(Plain.from_edit(Plain.to_edit(value), value).value, value, "unchanged %s" % type)
	var odd: Vector3 = Vector3(0.1, 1.0 / 3.0, 7)
	var edited: Plain.Outcome = Plain.from_edit(Plain.to_edit(odd).replace("7", "8"), odd)
	equal(edited.value, Vector3(0.1, 1.0 / 3.0, 8), "the other numbers keep their bits")
	equal(Plain.from_edit("-5", 3).value, -5, "an int")
	equal(Plain.from_edit("1e3", 3.0).value, 1000.0, "a float")
	equal(Plain.from_edit("nan, inf, -1", odd).value, Vector3(NAN, INF, -1), "numbers that are not finite")
	equal(Plain.from_edit("Object(OS)", "text").value, "Object(OS)", "text is never read as code")
	_decimal_numbers()
	for wrong: Array in [["1e400", 1.0], ["1.5e9223372036854775807", 1.0], ["1e99999999999999999999", 1.0], ["1e", 1.0], ["1e-", 1.0], ["-1e39, 1, 1", odd], ["e5", 1.0], ["9".repeat(500), 1.0], ["x", 3], ["9223372036854775808", 3], ["1.5", 3], ["", 1.0], ["1, 2", odd], ["1, 2, x", odd], ["yes", true], ["1, 2147483648", Vector2i()], ["Resource()", 1.5]]:
		var outcome: Plain.Outcome = Plain.from_edit(wrong[0], wrong[1])
		check(outcome.value == null and not outcome.problem.is_empty(), "%s as %s" % [wrong[0], type_string(typeof(wrong[1]))])
	for type: String in ["Array", "Object", "PackedByteArray", "Callable", "RID", "Nil"]:
		check(not Plain.is_plain(type), type)


## Each text is read as the nearest number, of those whose bits are known.
func _decimal_numbers() -> void:
	var known: Dictionary[String, String] = {
		"182.46629834213394": "4066ceebea80349e", "0.1": "3fb999999999999a", "-0.0": "8000000000000000", "5e-324": "0000000000000001",
		"2.47032822920623272e-324": "0000000000000000", "2.4703282292062328e-324": "0000000000000001", "1.7976931348623157e308": "7fefffffffffffff",
		"2.2250738585072011e-308": "000fffffffffffff", "2.2250738585072014E-308": "0010000000000000", "9007199254740993": "4340000000000000",
		"9007199254740995.0": "4340000000000002", "9007199254740993.00000001": "4340000000000001", "+1.": "3ff0000000000000", "-.5": "bfe0000000000000",
		"1e23": "44b52d02c7e14af6", "0e999": "0000000000000000", "1e-999": "0000000000000000",
		"1e-99999999999999999999": "0000000000000000", "1e+0000000000002": "4059000000000000",
	}
	for text: String in known:
		var bits: PackedByteArray = []
		bits.resize(8)
		bits.encode_double(0, Plain.from_edit(text, 7.0).value)
		bits.reverse()
		equal(bits.hex_encode(), known[text], text)
	var random := RandomNumberGenerator.new()
	random.seed = number("seed", 1)
	for count: int in 200:
		var real: float = random.randf() * 1000 if count % 2 == 0 else random.randfn() * pow(10, random.randi_range(-300, 300))
		equal(Plain.from_edit(Plain.to_edit(real), 7.5).value, real, "what is shown is read as the same")
	# Rounded to 64 bits first, the first would be 1.
	equal(var_to_bytes(Plain.from_edit("1.000000059604644776, -0.0", Vector2.ZERO).value).hex_encode(), "05000000" + "0100803f" + "00000080", "numbers of 32 bits")


func _pasted() -> void:
	var bytes: PackedByteArray = var_to_bytes({"name": "Ann"})
	var hex: String = bytes.hex_encode()
	equal(Pasted.bytes_of(hex.to_upper()), bytes, "hexadecimal")
	equal(Pasted.bytes_of("0x1c, 0x00\n00 00"), PackedByteArray([28, 0, 0, 0]), "hexadecimal with signs between")
	for text: String in ["1c:00:ff", "\\x1c\\x00\\xff", "1C 00 FF", "0X1C 0X0 0XFF"]:
		equal(Pasted.bytes_of(text), PackedByteArray([28, 0, 255]), text)
	equal(Pasted.bytes_of(Marshalls.raw_to_base64(bytes)), bytes, "base64")
	equal(Pasted.bytes_of(Marshalls.raw_to_base64(bytes).replace("=", "")), bytes, "base64 without padding")
	equal(Pasted.bytes_of("-_-_\n-_-_"), PackedByteArray([0xfb, 0xff, 0xbf, 0xfb, 0xff, 0xbf]), "base64 for addresses")
	for text: String in [str(bytes), var_to_str(bytes), " %s\n" % bytes]:
		equal(Pasted.bytes_of(text), bytes, "a list in brackets: %s" % text.left(30))
	equal(Pasted.bytes_of("0x1c,0x0,0x0"), PackedByteArray([28, 0, 0]), "bytes of one digit")
	for text: String in ["", "  ", "hello world!", "abcde", "[]", "[1, 256]", "[1, -2]", "[1.5]", "PackedByteArray(1, x)"]:
		check(Pasted.bytes_of(text).is_empty(), "%s is neither" % text)
	for text: String in ["27, 0, 0, 0, 1", "28, 10", "1,2"]:
		check(Pasted.bytes_of(text).is_empty(), "%s can be decimal or hexadecimal" % text)


func _policies() -> void:
	var item := Item.new()
	var packet: PackedByteArray = var_to_bytes_with_objects({"items": [item, Gradient.new()], "text": "x".repeat(100)})
	var builder := PolicyBuilder.new()
	equal(builder.add(packet), "", "a sample")
	check(builder.classes.has("Gradient") and "colors" in builder.classes.Gradient, str(builder.classes))
	check(builder.scripts.has("res://tests/fixtures/item.gd") and "title" in builder.scripts["res://tests/fixtures/item.gd"], str(builder.scripts))
	var options: VarBytesOptions = builder.options()
	equal(builder.faults(options), PackedStringArray(), "the sample passes")
	# The script has variables with names of properties of the class.
	var shadowing := Gradient.new()
	shadowing.set_script(load("res://tests/fixtures/shadowing.gd"))
	var of_both := PolicyBuilder.new()
	of_both.add(var_to_bytes_with_objects(shadowing))
	equal(of_both.faults(of_both.options()), PackedStringArray(), "properties of both")
	check(VarBytes.decode(packet, options).ok, "and can be read")
	check(not VarBytes.decode(var_to_bytes_with_objects(Curve.new()), options).ok, "another class is refused")
	equal(VarBytes.decode(var_to_bytes("x".repeat(10_000)), options).error, VarBytesResult.LIMIT, "a longer text is refused")
	equal(VarBytes.decode(var_to_bytes([[[[[[1]]]]]]), options).error, VarBytesResult.LIMIT, "a deeper value is refused")
	ResourceSaver.save(options, "user://panel.tres")
	var saved: VarBytesOptions = ResourceLoader.load("user://panel.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(VarBytes.decode(packet, saved).ok and saved.max_memory == options.max_memory, "the saved resource")
	builder.classes.erase("Gradient")
	equal(builder.faults(builder.options()).size(), 1, "without a class that the sample needs")
	builder.add(packet)
	equal(builder.faults(builder.options()), PackedStringArray(), "a sample that lists the class again")
	check(builder.add(packet.slice(0, 20)).contains("malformed"), "a malformed sample")


func _policies_of_keys_and_types() -> void:
	var items: Array[Item] = []
	var named: Dictionary[String, Item] = {}
	for value: Variant in [{Gradient.new(): 1}, [items, Gradient.new()], [named, Gradient.new()]]:
		var builder := PolicyBuilder.new()
		equal(builder.add(var_to_bytes_with_objects(value)), "", "a sample")
		equal(builder.faults(builder.options()), PackedStringArray(), "the sample passes: %s" % VarBytes.to_text(value))


func _policies_of_hostile_packets() -> void:
	Engine.set_meta("trap", 0)
	var builder := PolicyBuilder.new()
	for title: String in ["GDScript", "OS", "Node", "Nothing", "x\ny"]:
		builder.add(_object(title, {"a": 1}))
	for script: String in ["res://../trap.gd", "res://none.gd"]:
		equal(builder.add(_object("RefCounted", {"script": script})), "", script)
	check(builder.add(_object("RefCounted", {"script": "user://trap.gd"})).contains("does not begin with res://"), "a script outside of the project")
	check(builder.scripts.is_empty() and builder.classes.keys() == ["RefCounted"], "%s %s" % [builder.classes, builder.scripts])
	equal(builder.warnings.size(), 7, "a warning for each: %s" % builder.warnings)
	for warning: String in builder.warnings:
		check(not warning.contains("\n"), "warnings are one line each")
	builder.add(_object("RefCounted", {"script": TRAP}))
	check(Engine.get_meta("trap") == 0, "no script was loaded")
	var many: PackedByteArray = [28, 0, 0, 0, 0, 0, 0, 0]
	many.encode_u32(4, 3000)
	for index: int in 3000:
		many.append_array(_object("Nothing%d" % index, {}))
	equal(builder.add(many), "", "many unknown classes")
	equal([builder.warnings.size(), builder.more_warnings], [PolicyBuilder.MOST_WARNINGS, 3007 - PolicyBuilder.MOST_WARNINGS], "more warnings are counted")


## The libraries of the running platform are in the addon. The others are only in the zip of a release.
func _check_of_exports() -> void:
	var export_check: GDScript = load(EDITOR + "export_check.gd")
	var here: PackedStringArray = [OS.get_name().to_lower(), Engine.get_architecture_name(), "release", "template"]
	equal(export_check.missing(here), PackedStringArray(), "the library for this platform is there")
	for target: Array in [["linux", "x86_32"], ["haiku", "x86_64"], ["web", "wasm32"]]:
		var lines: PackedStringArray = export_check.missing(PackedStringArray(target + ["release"]))
		check(lines.size() == 1 and lines[0].contains("has no library for") and lines[0].contains(target[1]), "%s: %s" % [target, lines])
	var both: PackedStringArray = export_check.missing(PackedStringArray(["haiku", "release", "x86_64", "arm64"]))
	equal(both.size(), 2, "a line for each architecture")
