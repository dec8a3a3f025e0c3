extends "res://tests/suite.gd"
## The results of `decode`, `encode` and `byte_size`; null is a value.


func run() -> bool:
	var null_bytes: PackedByteArray = var_to_bytes(null)
	var result: VarBytesResult = VarBytes.decode(null_bytes)
	check(result.ok and result.value == null and result.error == VarBytesResult.ErrorKind.NONE, "null is a value")
	check(result.bytes_used == 4 and result.offset == -1 and result.message.is_empty(), "a result without error")
	check(result.to_error() == OK, "no error is OK")

	var cut: VarBytesResult = VarBytes.decode(var_to_bytes({"players": [1, 2, {"name": "Ann"}]}).slice(0, -4))
	check(not cut.ok and cut.value == null and cut.bytes_used == 0, "a cut packet has no value")
	check(cut.error == VarBytesResult.ErrorKind.TRUNCATED and cut.to_error() == ERR_FILE_EOF, "a cut packet is truncated: %s" % cut.message)
	check(cut.path == '$["players"][2]["name"]' and cut.offset > 0, "the path of the cut is %s" % cut.path)

	check(VarBytes.decode(PackedByteArray([99, 0, 0, 0])).error == VarBytesResult.ErrorKind.MALFORMED, "no such type")
	check(VarBytes.decode(PackedByteArray([99, 0, 0, 0])).fault == "unknown_type", "the exact fault")
	var full: PackedByteArray = var_to_bytes_with_objects([Resource.new()])
	var refused: VarBytesResult = VarBytes.decode(full)
	check(refused.error == VarBytesResult.ErrorKind.NOT_ALLOWED and refused.path == "$[0]" and refused.offset == 8, "objects are refused: %s" % refused.message)

	var options := VarBytesOptions.new()
	options.offset = 8
	var inner: VarBytesResult = VarBytes.decode(var_to_bytes([7]), options)
	check(inner.ok and inner.value == 7 and inner.bytes_used == 8, "an offset")
	options.offset = 100
	var outside: VarBytesResult = VarBytes.decode(null_bytes, options)
	check(outside.error == VarBytesResult.INVALID_ARGUMENT and outside.fault == &"argument", "an offset of 100: %s" % outside.message)
	check(outside.to_error() == ERR_INVALID_PARAMETER and not outside.can_continue, "an invalid argument")
	options.offset = 4
	check(VarBytes.decode(null_bytes, options).error == VarBytesResult.TRUNCATED, "an offset at the end")
	check(result.can_continue and not cut.can_continue, "without records, it is the same as ok")
	equal(str(result), "<VarBytesResult: ok, Nil, 4 bytes>", "a result as text")
	equal(str(cut), "<VarBytesResult: TRUNCATED, %s>" % cut.message, "an error as text")
	equal(str(VarBytes.encode("four")), "<VarBytesResult: ok, PackedByteArray, 12 bytes>", "bytes as text")

	var strict := VarBytesOptions.new()
	strict.strict = true
	check(VarBytes.decode(var_to_bytes([1, 0.5]), strict).ok, "strict accepts what the engine writes")
	check(VarBytes.decode(null_bytes + PackedByteArray([0])).ok, "bytes after a value are ignored")
	check(VarBytes.decode(null_bytes + PackedByteArray([0]), strict).fault == "trailing_bytes", "strict refuses bytes after it")
	check(VarBytes.decode(PackedByteArray([1, 0, 0, 0, 2, 0, 0, 0]), strict).fault == "not_canonical", "strict refuses a bool of 2")

	var twice: PackedByteArray = var_to_bytes({"a": 1, "b": 2})
	twice[36] = twice[16]
	check(VarBytes.decode(twice).ok and VarBytes.decode(twice).value == bytes_to_var(twice), "a duplicate key")
	check(VarBytes.decode(twice, strict).fault == "not_canonical", "strict refuses it: %s" % VarBytes.decode(twice, strict).message)

	_limits()
	_without_a_new_result()
	_options_that_change()
	var encoded: VarBytesResult = VarBytes.encode([1, "two"])
	check(encoded.ok and encoded.value == var_to_bytes([1, "two"]) and encoded.bytes_used == encoded.value.size(), "encode")
	check(VarBytes.byte_size([1, "two"]) == encoded.value.size(), "byte_size")
	return true


func _limits() -> void:
	var bytes: PackedByteArray = var_to_bytes([[["text"]], PackedInt32Array([1, 2, 3])])
	for limit: String in ["max_depth", "max_memory", "max_values", "max_packed_elements", "max_string_length"]:
		var options := VarBytesOptions.new()
		options.set(limit, 2)
		var result: VarBytesResult = VarBytes.decode(bytes, options)
		check(result.error == VarBytesResult.ErrorKind.LIMIT, "%s of 2: %s" % [limit, result.message])
		options.set(limit, 1000)
		check(VarBytes.decode(bytes, options).ok, "%s of 1000" % limit)


func _without_a_new_result() -> void:
	var again := VarBytesResult.new()
	for bytes: PackedByteArray in [var_to_bytes(7), PackedByteArray([99, 0, 0, 0]), var_to_bytes({"a": [1]}), PackedByteArray(), var_to_bytes(null)]:
		var expected: VarBytesResult = VarBytes.decode(bytes)
		equal(again.decode(bytes), expected.ok, "a result that is used again")
		for property: String in ["ok", "value", "bytes_used", "error", "fault", "message", "offset", "can_continue", "path", "losses"]:
			equal(again.get(property), expected.get(property), "%s of a result that is used again" % property)
		equal(VarBytes.try_decode(bytes, "fallback"), expected.value if expected.ok else "fallback", "try_decode")
	var endless: Array = []
	endless.append(endless)
	check(not again.encode(endless) and again.error == VarBytesResult.LIMIT, "a value that cannot be written")
	check(again.encode(endless.size()) and again.value == var_to_bytes(1), "a value after one that cannot be written")
	check(VarBytes.try_encode(endless).is_empty() and VarBytes.try_encode([1]) == var_to_bytes([1]), "try_encode")
	endless.clear()
	# By name, with Variants in place of values of the declared types.
	equal(ClassDB.class_call_static(&"VarBytes", &"try_decode", var_to_bytes("a"), null, null), "a", "try_decode by name")
	equal(again.call("decode", var_to_bytes("b")), true, "decode by name")


func _options_that_change() -> void:
	var options := VarBytesOptions.new()
	var bytes: PackedByteArray = var_to_bytes([1]) + PackedByteArray([0])
	equal(VarBytes.try_decode(bytes, null, options), [1], "options before they change")
	options.strict = true
	equal(VarBytes.try_decode(bytes, null, options), null, "strict is noticed")
	options.strict = false
	options.offset = 8
	equal(VarBytes.try_decode(bytes, null, options), 1, "an offset is noticed")
	options.size = 4
	equal(VarBytes.try_decode(bytes, "refused", options), "refused", "a size is noticed")
	options.size = -1
	options.offset = 0
	options.max_values = 1
	equal(VarBytes.try_decode(var_to_bytes([1, 2]), "refused", options), "refused", "a limit is noticed")
	options.max_values = 0
	var object: PackedByteArray = var_to_bytes_with_objects(RefCounted.new())
	equal(VarBytes.try_decode(object, "refused", options), "refused", "an object without options for it")
	options.allow_objects = true
	equal(VarBytes.try_decode(object, "refused", options), "refused", "an object that is not listed")
	options.allowed_classes["RefCounted"] = PackedStringArray(["*"])
	check(VarBytes.try_decode(object, null, options) is RefCounted, "a class that is added to the list in place")
	options.allowed_classes.erase("RefCounted")
	equal(VarBytes.try_decode(object, "refused", options), "refused", "a class that is removed from the list in place")
	options.engine = "godot-3.6"
	equal(VarBytes.try_decode(var_to_bytes(7), null, options), 7, "an engine is noticed")
	equal(VarBytes.try_encode([&"name"], options), VarBytes.encode([&"name"], options).value, "an engine is noticed by try_encode")
	var other := VarBytesOptions.new()
	other.strict = true
	equal(VarBytes.try_decode(bytes, null, other), null, "other options")
