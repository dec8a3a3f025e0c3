extends "res://tests/other_engine.gd"
## `VarBytesOptions.engine`: reads what other engine versions wrote, and writes it for them again.

const TaggedJSON := preload("res://conformance/tagged_json.gd")

## The engines with their own vectors.
const GENERATIONS: Array[String] = ["godot-3.6", "godot-3.2"]
## The number of Object in Godot 3.
const OBJECT: int = 17


func run() -> bool:
	for engine: String in GENERATIONS:
		_canonical(engine)
	_text()
	_godot_2()
	_names()
	_errors()
	_objects()
	_limits()
	_damaged()
	_inspect()
	return true


## Every vector is read as the engine's description says, and written again as the same bytes.
func _canonical(engine: String) -> void:
	var chosen: VarBytesOptions = of(engine)
	var lossy: PackedStringArray = []
	var compared: int = 0
	for line: String in canonical_lines(engine):
		var name: String = name_of(line)
		var bytes: PackedByteArray = bytes_of(line)
		var result: VarBytesResult = VarBytes.decode(bytes, chosen)
		if not result.ok and line.contains('"value":{"class":"'):
			check(result.fault == "object_not_allowed", "%s: %s" % [name, result.message])
			check(bytes.decode_u8(result.offset) == OBJECT, "%s: no object stands at %d" % [name, result.offset])
			continue
		if not check(result.ok, "%s: %s" % [name, result.message]):
			continue
		check(result.bytes_used == bytes.size(), "%s: %d bytes used of %d" % [name, result.bytes_used, bytes.size()])
		if not result.losses.is_empty():
			lossy.append(name)
			continue
		# The deepest values are too deep for the engine's JSON parser, so the text is compared.
		var expected: String = line.substr(line.find('"value":') + 8).trim_suffix("}")
		var found: String = TaggedJSON.describe(result.value, TaggedJSON.View.DECODED)
		check(found == expected, "%s: found %s, expected %s" % [name, found.left(400), expected.left(400)])
		compared += 1
		_write_again(name, line, result.value, chosen)
	equal(lossy, PackedStringArray(["Dictionary/keys-dictionary-by-reference"]), "%s: what is not exact" % engine)
	check(compared > 600, "%s: only %d values were compared" % [engine, compared])


func _write_again(name: String, line: String, value: Variant, chosen: VarBytesOptions) -> void:
	var bytes: PackedByteArray = bytes_of(line)
	var written: VarBytesResult = VarBytes.encode(value, chosen)
	if not check(written.ok and written.losses.is_empty(), "%s: %s %s" % [name, written.message, written.losses]):
		return
	check(written.bytes_used == bytes.size() and VarBytes.byte_size(value, chosen) == bytes.size(), "%s: its size" % name)
	if line.contains('"value":{"id":'):
		# An id is read as an object, and the engine writes that object's own id.
		return
	if line.contains('"type":"NodePath"'):
		# Godot 3 leaves its padding undefined.
		equal(VarBytes.decode(written.value, chosen).value, value, name)
		return
	check(written.value == bytes, "%s: written as %s instead of %s" % [
			name, written.value.hex_encode().left(400), bytes.hex_encode().left(400)])


## Text in Godot 3 may hold any numbers; in Godot 4 it is Unicode.
func _text() -> void:
	var lines: Dictionary[String, String] = lines_of("godot-3.6/non_canonical.jsonl")
	var pair: VarBytesResult = read("godot-3.6", lines["non_canonical/String-surrogate-pair"])
	check(pair.ok and pair.value == "\U01F600", "a surrogate pair is joined: %s" % pair.value)
	lost(pair, ["$: text "], "halves of a character")
	check(pair.losses[0].ends_with("this engine version supports only valid Unicode"), pair.losses[0])
	var half: VarBytesResult = read("godot-3.6", lines["non_canonical/String-surrogate-high-then-text"])
	check(half.ok and half.value == "\uFFFDa", "a single surrogate: %s" % half.value)
	lost(half, ["$: text "], "half a character")
	var beyond: VarBytesResult = read("godot-3.6", lines["non_canonical/String-beyond-in-text"])
	check(beyond.ok and beyond.value == "a\uFFFDb", "a number beyond Unicode: %s" % beyond.value)
	lost(beyond, ["$: text "], "a number beyond Unicode")
	var strings: VarBytesResult = read("godot-3.6", lines["non_canonical/PackedStringArray-pair"])
	equal(strings.value, PackedStringArray(["\U01F600"]), "text in a packed array")
	var path: VarBytesResult = read("godot-3.6", lines["non_canonical/NodePath-pair"])
	equal(path.value, NodePath("\U01F600"), "text in a path")
	var key: VarBytesResult = read("godot-3.6", lines["non_canonical/key-pair"])
	equal(key.value, {"\U01F600": null}, "text as a key")
	lost(key, ["$[key 0]: text "], "text as a key")
	var save: VarBytesResult = read_hex("godot-3.6", SAVE)
	equal(save.value, [7, PackedInt32Array([99]), "\U01F600"], "a save")
	lost(save, ["$[2]: text "], "a save")


## A type that only Godot 2 has becomes a Dictionary of its parts.
func _godot_2() -> void:
	var seen: int = 0
	var lines: Dictionary[String, String] = lines_of("derived/godot-2.1.jsonl")
	for name: String in lines:
		var type: String = name.get_slice("-", 0)
		# Some lines are values that cannot be written, others are bytes that cannot be read.
		if not (type == "Image" or type == "InputEvent") or not lines[name].contains('"hex":') or not lines[name].contains('"value":{'):
			continue
		seen += 1
		var fields: Dictionary = JSON.parse_string(lines[name]).value.value
		var result: VarBytesResult = read("godot-2.1", lines[name])
		if not check(result.ok and result.value is Dictionary, "%s: %s" % [name, result.message]):
			continue
		var value: Dictionary = result.value
		for field: String in fields:
			match field:
				"modifiers":
					check(not value.shift and not value.alt and not value.meta and not value.control, name)
				"data":
					equal(value.data, str(fields.data).hex_decode(), name)
				"value":
					equal(value.value, 0.5, name)
				_:
					check(value[field] == fields[field], "%s: %s" % [name, value])
		lost(result, ["$: %s becomes Dictionary: this engine version has no such type" % type], name)
	check(seen >= 10, "images and events of Godot 2")


func _names() -> void:
	var offered: PackedStringArray = []
	for property: Dictionary in VarBytesOptions.new().get_property_list():
		if property.name == "engine":
			offered = property.hint_string.split(",")
	for name: String in offered + PackedStringArray(["godot-3.6.2", "3.2.3", "mole", "redot-26.1"]):
		var chosen: VarBytesOptions = of(name)
		var value: Array = [null, true, 7, 0.5, "text", Vector2(1, 2), {"key": PackedByteArray([1, 2])}]
		var written: VarBytesResult = VarBytes.encode(value, chosen)
		if check(written.ok and written.losses.is_empty(), "%s: %s" % [name, written.losses]):
			var read: VarBytesResult = VarBytes.decode(written.value, chosen)
			equal(read.value, value, name)
			check(read.losses.is_empty() and read.bytes_used == written.bytes_used, "%s: %s" % [name, read.losses])


func _errors() -> void:
	var chosen: VarBytesOptions = of("godot-3.6")
	var save: PackedByteArray = SAVE.hex_decode()
	for size: int in save.size():
		var cut: VarBytesResult = VarBytes.decode(save.slice(0, size), chosen)
		check(cut.error == VarBytesResult.TRUNCATED and cut.offset <= size and cut.losses.is_empty(), "cut at %d" % size)
	var cut: VarBytesResult = VarBytes.decode(save.slice(0, -4), chosen)
	check(cut.path == "$[2]" and cut.offset == 36, "%s at %d" % [cut.path, cut.offset])
	chosen.offset = 8
	cut = VarBytes.decode(save.slice(0, 8) + save.slice(0, -4), chosen)
	check(cut.path == "$[2]" and cut.offset == 44, "%s at %d after 8 bytes" % [cut.path, cut.offset])
	# The number of StringName here is the number of RID there.
	check(VarBytes.decode("15000000".hex_decode(), of("godot-3.6")).error == VarBytesResult.TRUNCATED, "a type of Godot 3")
	check(VarBytes.decode("1b000000".hex_decode(), of("godot-3.6")).fault == "unknown_type", "not a type of Godot 3")
	for engine: String in GENERATIONS:
		var seen: int = 0
		for line: String in lines_of("%s/rejected.jsonl" % engine).values():
			if line.contains('"allow_objects":false'):
				seen += 1
				var result: VarBytesResult = read(engine, line)
				check(not result.ok and result.offset >= 0 and result.offset <= bytes_of(line).size() and result.path.begins_with("$"), "%s: %s" % [name_of(line), result.message])
		check(seen >= 200, "%s rejects" % engine)
	# A listed script that does not exist is refused at its name.
	var allowing: VarBytesOptions = of("godot-4.4")
	allowing.allow_objects = true
	allowing.allowed_scripts = {"res://no.gd": []}
	var typed: VarBytesResult = VarBytes.decode("1c0003000b0000007265733a2f2f6e6f2e67640000000000".hex_decode(), allowing)
	check(typed.error == VarBytesResult.NOT_ALLOWED and typed.path == "$" and typed.message.contains("res://no.gd"), typed.message)
	# The bytes are valid, but this engine refuses a key that is nested deeper than it compares keys.
	var deep_key: String = "1b00000001000000" + "1c00000001000000".repeat(51) + "02000000070000000200000001000000"
	var deep: VarBytesResult = VarBytes.decode(deep_key.hex_decode(), allowing)
	check(deep.error == VarBytesResult.LIMIT and deep.path.begins_with("$") and deep.offset == -1, deep.message)
	check(deep.message.ends_with("(in the bytes converted from those of godot-4.4)"), deep.message)
	var strict: VarBytesOptions = of("godot-3.6")
	strict.strict = true
	check(VarBytes.decode("0200000007000000".hex_decode(), strict).ok, "strict accepts what that engine writes")
	check(VarBytes.decode("020000000700000000".hex_decode(), strict).fault == "trailing_bytes", "and nothing after it")
	check(VarBytes.decode(save, strict).fault == "not_canonical", "nor non-canonical bytes")
	check(read_hex("godot-3.6", "020000000700000000").ok, "others take it")


## Damaged bytes return a value, or an error with its offset.
func _damaged() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = number("seed", 1)
	var lines: PackedStringArray = canonical_lines("godot-3.6")
	var refused: int = 0
	for index: int in number("packets", 5000):
		var bytes: PackedByteArray = bytes_of(lines[random.randi() % lines.size()]).slice(0, 4000)
		for damage: int in random.randi_range(1, 3):
			bytes[random.randi() % bytes.size()] = random.randi() % 256
		var result: VarBytesResult = VarBytes.decode(bytes, of("godot-3.6"))
		check(result.ok or (result.offset >= 0 and result.offset <= bytes.size() and result.path.begins_with("$")), "%s: %s" % [
				bytes.hex_encode().left(400), result.message])
		refused += 0 if result.ok else 1
	check(refused > 0, "none of the damaged packets is refused")


## A Resource of Godot 3, as far as it is allowed.
func _objects() -> void:
	var lines: Dictionary[String, String] = lines_of("godot-3.6/canonical/Object.jsonl")
	var bytes: PackedByteArray = bytes_of(lines["Object/resource-with-name-in-full"])
	var chosen: VarBytesOptions = of("godot-3.6")
	chosen.allow_objects = true
	_refused(bytes, chosen, 0, "$", "class Resource is not allowed")
	chosen.allowed_classes = {"Resource": ["resource_name"]}
	_refused(bytes, chosen, 20, "$.resource_local_to_scene", "property resource_local_to_scene is not allowed")
	chosen.allowed_classes = {"Resource": ["*"]}
	var result: VarBytesResult = VarBytes.decode(bytes, chosen)
	if check(result.ok and result.value is Resource, result.message):
		check(result.value.resource_name == "gr\u00F6\u00DFe" and result.losses.is_empty(), "a Resource of Godot 3")
		chosen.allowed_classes = {"Resource": ["resource_local_to_scene", "resource_name"]}
		check(VarBytes.encode(result.value, chosen).value == bytes, "is written for Godot 3 as it was")
	chosen.allowed_classes = {"Resource": ["*"], "Reference": ["*"]}
	_refused(bytes_of(lines["Object/default-Reference-in-full"]), chosen, 0, "$", "class Reference does not exist in this engine")
	_refused(bytes_of(lines["Object/scripted-default-in-full"]), chosen, -1, "$.script", "class GDScript can carry code")
	chosen.allow_objects = false
	_refused(bytes, chosen, 0, "$", "not allowed")
	var id: VarBytesResult = read_hex("godot-3.6", "1100010007000000000000")
	check(id.error == VarBytesResult.TRUNCATED, id.message)
	id = read_hex("godot-3.6", "110001000700000000000000")
	check(id.ok and id.value is EncodedObjectAsID and id.value.object_id == 7, "an id of Godot 3")


func _refused(bytes: PackedByteArray, chosen: VarBytesOptions, offset: int, path: String, message: String) -> void:
	var objects: int = int(Performance.get_monitor(Performance.OBJECT_COUNT))
	var result: VarBytesResult = VarBytes.decode(bytes, chosen)
	check(result.error == VarBytesResult.NOT_ALLOWED and result.message.contains(message), "%s: %s" % [message, result.message])
	check(result.path == path and (offset < 0 or result.offset == offset), "%s: %s at %d" % [message, result.path, result.offset])
	result = null
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == objects, "%s: an object was created" % message)


func _limits() -> void:
	var bytes: PackedByteArray = VarBytes.encode([[["text"]], PackedInt32Array([1, 2, 3])], of("godot-3.6")).value
	for limit: String in ["max_depth", "max_memory", "max_values", "max_packed_elements", "max_string_length"]:
		var chosen: VarBytesOptions = of("godot-3.6")
		chosen.set(limit, 2)
		var result: VarBytesResult = VarBytes.decode(bytes, chosen)
		check(result.error == VarBytesResult.LIMIT and result.offset >= 0, "%s of 2: %s" % [limit, result.message])
		chosen.set(limit, 1000)
		check(VarBytes.decode(bytes, chosen).ok, "%s of 1000" % limit)
	# Godot 3.2 has no depth limit; here the limit is still 1024.
	for depth: int in [1024, 1025, 50_000]:
		var deep: PackedByteArray = "1300000001000000".repeat(depth).hex_decode() + PackedByteArray([0, 0, 0, 0])
		var result: VarBytesResult = VarBytes.decode(deep, of("godot-3.2"))
		check(result.ok == (depth == 1024) and (result.ok or result.error == VarBytesResult.LIMIT), "%d levels: %s" % [depth, result.message])
	_many_losses()


## Losses deep inside have long paths; the total size stays small.
func _many_losses() -> void:
	const COUNT: int = 5000
	var deep: PackedByteArray = "1300000001000000".repeat(1000).hex_decode()
	deep += "1300000088130000".hex_decode() + "0400000006000000efbbbfeda0800000".repeat(COUNT).hex_decode()
	var losses: PackedStringArray = VarBytes.decode(deep, of("godot-3.6")).losses
	# The first thousand are listed, the others counted.
	check(losses.size() == 1001 and losses[0].begins_with("$[0][0]"), "a thousand losses: %d" % losses.size())
	check(losses[-1].begins_with("4000 more of the kind ") and "".join(losses).length() < 1_000_000, "and a count: %s" % losses[-1])


func _inspect() -> void:
	var text: String = VarBytes.inspect(SAVE.hex_decode(), of("godot-3.6"))
	for part: String in ["Array of 3", ". int 7", "PackedInt32Array"]:
		check(text.contains(part), "%s is not in\n%s" % [part, text])
