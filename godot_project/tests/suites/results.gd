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
