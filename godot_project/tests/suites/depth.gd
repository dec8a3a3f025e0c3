extends "res://tests/suite.gd"
## The same depth limit as the engine, in both directions; values that hold themselves.

const DEEPEST: int = 1025


func run() -> bool:
	for kind: String in ["arrays", "dictionaries", "objects", "pairs of objects"]:
		for levels: int in [1, 2, 100, DEEPEST - 1, DEEPEST, DEEPEST + 1]:
			_compare(kind, levels)
	var circle: Array = [1]
	circle.append({"self": circle})
	check(quietly(func() -> Array: return [VarBytes.var_to_bytes(circle)]).is_empty(), "a value that holds itself is refused")
	var result: VarBytesResult = VarBytes.encode(circle)
	check(result.error == VarBytesResult.ErrorKind.LIMIT and result.path.begins_with('$[1]["self"][1]["self"]'), "and says so: %s" % result.message.left(80))
	circle.clear()
	return true


func _compare(kind: String, levels: int) -> void:
	var objects: bool = kind.ends_with("objects")
	var value: Variant = _nested(kind, levels)
	Engine.print_error_messages = false
	var expected: PackedByteArray = var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var found: PackedByteArray = VarBytes.var_to_bytes_with_objects(value) if objects else VarBytes.var_to_bytes(value)
	Engine.print_error_messages = true
	check(found == expected, "%d %s: %d bytes, the engine writes %d" % [levels, kind, found.size(), expected.size()])
	if kind == "arrays":
		var bytes: PackedByteArray = []
		for level: int in levels:
			bytes.append_array(PackedByteArray([28, 0, 0, 0, 1 if level < levels - 1 else 0, 0, 0, 0]))
		check(VarBytes.decode(bytes).ok == bytes.has_encoded_var(0), "decoding %d %s" % [levels, kind])


func _nested(kind: String, levels: int) -> Variant:
	var value: Variant = {} if kind == "dictionaries" else []
	for level: int in levels - 1:
		match kind:
			"arrays": value = [value]
			"dictionaries": value = {"in": value}
			"objects":
				value = _holding(value) if level % 2 == 0 else [value]
			"pairs of objects":
				if level % 2 == 1:
					value = [Resource.new(), _holding(value)]
				elif level == levels - 2:
					value = [value]
	return value


func _holding(value: Variant) -> Resource:
	var resource := Resource.new()
	resource.set_meta("in", value)
	return resource
