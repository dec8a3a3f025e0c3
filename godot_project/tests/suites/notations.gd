extends "res://tests/suite.gd"
## Values as text, as JSON and as hashes.

const RandomVariants := preload("res://tests/random_variants.gd")
const ErrorLog := preload("res://tests/fixtures/error_log.gd")
const Item := preload("res://tests/fixtures/item.gd")


func run() -> bool:
	await run_parts([_text, _text_reads_back, _text_without_end, _types_without_a_file, _json, _json_reads_back, _json_numbers, _byte_order_marks, _json_refused, _json_objects, _json_of_other_engine, _hash])
	return true


func _text() -> bool:
	var ints: Array[int] = [1, 2]
	var typed: Dictionary[String, Vector2] = {"a": Vector2(1, 2)}
	for shown: Array in [
		[null, "null"], [1, "1"], [1.0, "1.0"], ["a\"b\\\n\u001b\u202e", '"a\\"b\\\\\\n\\u001b\\u202e"'], [&"name", '&"name"'], [^"a/b", 'NodePath("a/b")'],
		[[], "[]"], [{}, "{}"], [[1, "two", &"three"], '[1, "two", &"three"]'], [{"a": 1, 2: null}, '{"a": 1, 2: null}'],
		[ints, "Array[int]([1, 2])"], [typed, 'Dictionary[String, Vector2]({"a": Vector2(1, 2)})'],
		[{"a": [1, {"b": 2}]}, '{\n\t"a": [\n\t\t1,\n\t\t{"b": 2}\n\t]\n}'],
		[range(17), "[\n\t" + ",\n\t".join(range(17)) + "\n]"],
		[["x".repeat(100)], '[\n\t"' + "x".repeat(100) + '"\n]'],
		[["日".repeat(70)], '["' + "日".repeat(70) + '"]'],
	]:
		equal(VarBytes.to_text(shown[0]), shown[1], "the text of %s" % [shown[0]])
	# Half of a surrogate pair, which is not Unicode.
	var half: String = PackedByteArray([0x61, 0, 0xFF, 0xDF, 0x62, 0]).get_string_from_utf16()
	equal(VarBytes.to_text(half), '"a\uFFFDb"', "half of a surrogate pair")
	equal(VarBytes.to_text([StringName(half), PackedStringArray([half])]), '[&"a\uFFFDb", PackedStringArray("a\uFFFDb")]', "in names and packed text")
	check(VarBytes.from_json('{"type":"%s"}' % half).error == VarBytesResult.MALFORMED, "JSON with half of a surrogate pair")
	var object := RefCounted.new()
	equal(VarBytes.to_text([object]), "[<RefCounted#%d>]" % object.get_instance_id(), "an object")
	var node := Node.new()
	var held: Array = [node]
	node.free()
	equal(VarBytes.to_text(held), "[null]", "a freed object")
	return true


func _text_reads_back() -> bool:
	var random := RandomVariants.new()
	random.random.seed = 15
	for turn: int in 2000:
		var value: Variant = random.value()
		# Compared as the engine's text, which sorts the entries. The engine reads some numbers with another last digit, and
		# some names with control characters not at all.
		var expected: String = var_to_str(value)
		if var_to_str(str_to_var(expected)) != expected:
			continue
		var read: Variant = str_to_var(VarBytes.to_text(value))
		# Objects are shown, not written.
		if not VarBytes.to_text(value).contains("<") and not check(var_to_str(read) == expected, "the text of %s" % var_to_str(value)):
			break
	return true


func _text_without_end() -> bool:
	for branches: int in [1, 2, 20]:
		var endless: Array = []
		for branch: int in branches:
			endless.append(endless)
		var text: String = VarBytes.to_text(endless)
		check(text.ends_with("… nested deeper than 1024 levels") and text.length() < 2_000_000, "an array that contains itself: %d characters" % text.length())
		endless.clear()
	var key: Variant = 1
	for level: int in 100:
		key = {key: level}
	check(VarBytes.to_text(key).ends_with("… keys nested deeper than 64 levels"), "keys in keys")
	var keys: Array = [[1], [2]]
	var of_itself: Dictionary = {keys[0]: 1, keys[1]: 2}
	for container: Array in keys:
		container.append(of_itself)
	check(VarBytes.to_text(of_itself).ends_with("64 levels"), "a Dictionary that its keys contain")
	for container: Array in keys:
		container.clear()
	return true


func _types_without_a_file() -> bool:
	var log := ErrorLog.new()
	OS.add_logger(log)
	var array: Array[Inner] = [null]
	var values: Dictionary[String, Inner] = {"a": null}
	var keys: Dictionary[Inner, int] = {}
	var items: Dictionary[Inner, Item] = {}
	for shown: Array in [
		[array, "Array[RefCounted]([null])"], [values, 'Dictionary[String, RefCounted]({"a": null})'], [keys, "Dictionary[RefCounted, int]({})"],
		[items, 'Dictionary[RefCounted, Resource("res://tests/fixtures/item.gd")]({})'],
	]:
		equal(VarBytes.to_text(shown[0]), shown[1], "the text")
		var options := VarBytesOptions.new()
		options.allow_objects = true
		options.allowed_scripts = {"res://tests/fixtures/item.gd": ["*"]}
		for refused: VarBytesResult in [VarBytes.encode(shown[0], options), VarBytes.encode(VarBytes.to_json(shown[0], options).value, null)]:
			if refused.ok:
				continue
			equal([refused.error, refused.fault], [VarBytesResult.NOT_ALLOWED, "invalid_script_path"], refused.message)
			check(refused.message.contains("without a file, such as an inner class"), refused.message)
		check(VarBytes.encode(shown[0]).ok, "as ids")
	OS.remove_logger(log)
	equal(log.messages, PackedStringArray(), "messages")
	return true


class Inner:
	extends RefCounted


func _json() -> bool:
	equal(VarBytes.to_json([7, 0.5]).value, '{"type":"Array","value":[{"type":"int","value":"7"},{"type":"float","value":"3fe0000000000000"}]}', "the JSON of an array")
	check(JSON.parse_string(VarBytes.to_json({"a": [NAN, &"b"]}).value) is Dictionary, "the engine reads the JSON")
	var endless: Array = []
	endless.append(endless)
	equal(VarBytes.to_json(endless).error, VarBytesResult.LIMIT, "an array that contains itself")
	endless.clear()
	return true


func _json_reads_back() -> bool:
	var random := RandomVariants.new()
	random.random.seed = 16
	var control: RegEx = RegEx.create_from_string("[\\x00-\\x1f]|\\\\v")
	var through_engine: int = 0
	for turn: int in 2000:
		var value: Variant = random.value()
		var json: VarBytesResult = VarBytes.to_json(value)
		if not check(json.ok, "the JSON of %s: %s" % [var_to_str(value), json.message]):
			break
		var read: VarBytesResult = VarBytes.from_json(json.value)
		if not check(read.ok and same(read.value, VarBytes.decode(var_to_bytes(value)).value), "%s: %s" % [json.value, read.message]):
			break
		var text: String = JSON.stringify(JSON.parse_string(json.value))
		# The engine does not escape all control characters, which is not JSON.
		if control.search(text) != null:
			continue
		through_engine += 1
		var by_engine: VarBytesResult = VarBytes.from_json(text)
		if not check(by_engine.ok and same(by_engine.value, read.value), "through JSON: %s: %s" % [json.value, by_engine.message]):
			break
	check(through_engine > 500, "%d values through JSON" % through_engine)
	return true


## The engine writes whole numbers that it read with a decimal point, and people do not write reals in hexadecimal.
func _json_numbers() -> bool:
	for shown: Array in [
		["Vector2i", "[3.0, -4e0]", Vector2i(3, -4)], ["int", "3.0", 3], ["PackedInt32Array", "[3.0]", PackedInt32Array([3])], ["float", "-0.0", -0.0],
		["float", "1.5", 1.5], ["Vector2", "[1.5, 2]", Vector2(1.5, 2)], ["PackedVector3Array", "[[1, 2, 0.1]]", PackedVector3Array([Vector3(1, 2, 0.1)])],
	]:
		var result: VarBytesResult = VarBytes.from_json('{"type":"%s","value":%s}' % [shown[0], shown[1]])
		check(same(result.value, shown[2]), "%s: %s %s" % [shown[2], result.value, result.message])
	return true


## The engine drops one when it reads text. Two keys would be the same.
func _byte_order_marks() -> bool:
	const MARK: String = "\ufeff"
	var value: Variant = [
		MARK + "a", MARK, MARK + MARK + "a", StringName(MARK + "a"), NodePath(MARK + "a/" + MARK + MARK + "b:" + MARK + "c"),
		PackedStringArray([MARK + "a", "b", MARK]), {MARK + "a": 1, "a": 2}, Signal(self, MARK + "größer"),
	]
	for options: VarBytesOptions in [null, allowing({}, {})]:
		var result: VarBytesResult = VarBytes.from_json(VarBytes.to_json(value, options).value, options)
		check(result.ok and var_to_bytes(result.value) == var_to_bytes(value), "%s is %s" % [result.value, value])
		options = VarBytesOptions.new() if options == null else options
		options.strict = true
		check(VarBytes.from_json(VarBytes.to_json(value).value, options).ok, "in strict reading")
	return true


func _json_refused() -> bool:
	var broken: VarBytesResult = VarBytes.from_json('{"type": "int"')
	check(broken.error == VarBytesResult.MALFORMED and broken.fault == "tagged_json" and broken.offset > 0, "not JSON: %s at %d" % [broken.message, broken.offset])
	var wrong: VarBytesResult = VarBytes.from_json('{"type":"Array","value":[{"type":"int","value":"x"}]}')
	var other: VarBytesResult = VarBytes.from_json(JSON.stringify({"level": 7}))
	check(other.error == VarBytesResult.MALFORMED and other.message.contains("JSON.parse_string"), "other JSON: %s" % other.message)
	var misspelled: VarBytesResult = VarBytes.from_json('{"type":"Vec2","value":["0","0"]}')
	check(misspelled.error == VarBytesResult.MALFORMED and not misspelled.message.contains("JSON.parse_string"), misspelled.message)
	check(wrong.error == VarBytesResult.MALFORMED and wrong.path == "$[0]" and wrong.offset == -1, "not tagged JSON: %s" % wrong.message)
	for text: String in ['{"type":"String","value":"\\ud800"}', '{"type":"Array","element_type":{"script":""},"value":[]}']:
		var message: String = VarBytes.from_json(text, allowing({}, {})).message
		check(message.contains("surrogate") or message.contains("has no path"), message)
	var options := VarBytesOptions.new()
	options.max_memory = 100
	options.offset = 1000
	equal(VarBytes.from_json('{"type":"int","value":"7"}', options).value, 7, "the offset is about bytes")
	for levels: int in [1025, 1026, 20_000, 100_000]:
		var deep: VarBytesResult = VarBytes.from_json('{"type":"Array","value":['.repeat(levels) + "]}".repeat(levels))
		check(deep.ok == (levels == 1025) and (deep.ok or not deep.message.is_empty()), "%d levels: %s" % [levels, deep.message])
	check(VarBytes.from_json("[".repeat(1_000_000)).error == VarBytesResult.MALFORMED, "a million brackets")
	equal(VarBytes.from_json(VarBytes.to_json(range(100)).value, options).error, VarBytesResult.LIMIT, "limits hold")
	return true


func _json_objects() -> bool:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {"res://tests/fixtures/item.gd": ["*"]}
	var item: Resource = Item.new()
	item.title = "lamp"
	var json: VarBytesResult = VarBytes.to_json([item], options)
	check(json.ok and json.value.contains('"title"'), "an object in full: %s" % json.message)
	var read: VarBytesResult = VarBytes.from_json(json.value, options)
	check(read.ok and read.value[0].title == "lamp", "and read back: %s" % read.message)
	equal(VarBytes.from_json(json.value).error, VarBytesResult.NOT_ALLOWED, "objects are refused without options")
	options.allowed_scripts = {}
	equal(VarBytes.from_json(json.value, options).error, VarBytesResult.NOT_ALLOWED, "and if their script is not listed")
	check(VarBytes.to_json(item).value.contains('"id"'), "without options, objects are ids")
	return true


func _json_of_other_engine() -> bool:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	var json: VarBytesResult = VarBytes.to_json([&"name", 7], options)
	check(json.ok and json.losses.size() == 1 and json.value.contains('"String"'), "converted: %s" % json.value)
	equal(VarBytes.from_json(json.value, options).value, ["name", 7], "and back")
	return true


func _hash() -> bool:
	# From the reference implementation of XXH3, for the bytes of `var_to_bytes`.
	for known: Array in [
		[null, 5238470482016868669], [7, 2977162158640970908], ["text", 6370511172496385042], [{"level": 7}, 7569708795496789402],
		[[1.5, Vector2(1, 2), ^"a/b"], -5259202564850878058], [range(1000), -2506160726460692748], ["x".repeat(100_000), 2811113722137678915],
	]:
		equal(VarBytes.hash(known[0]), known[1], "the hash of %s" % [str(known[0]).left(50)])
	for different: Array in [[1, 1.0], ["a", &"a"], [[1, 2], [2, 1]], [{"a": 1, "b": 2}, {"b": 2, "a": 1}]]:
		check(VarBytes.hash(different[0]) != VarBytes.hash(different[1]), "%s and %s" % different)
	var endless: Array = []
	endless.append(endless)
	equal(quietly(func() -> Array: return [VarBytes.hash(endless)]), 0, "an array that contains itself")
	endless.clear()
	return true
