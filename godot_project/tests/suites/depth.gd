extends "res://tests/suite.gd"
## The same depth limit as the engine, in both directions; values that hold themselves.

const Attacks := preload("res://tests/suites/attacks.gd")

const DEEPEST: int = 1025


func run() -> bool:
	for kind: String in ["arrays", "dictionaries", "objects", "pairs of objects"]:
		for levels: int in [1, 2, 100, DEEPEST - 1, DEEPEST, DEEPEST + 1]:
			_compare(kind, levels)
	_arrays_of_their_own()
	_deep_members()
	_deep_keys()
	_limits_of_the_options()
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


## To change an Array changes no other one, of the same packet or of another.
func _arrays_of_their_own() -> void:
	for levels: int in [7, 9, 17, 73, 200, DEEPEST]:
		var packet: PackedByteArray = var_to_bytes(_nested("arrays", levels))
		var values: Array[Array] = [VarBytes.bytes_to_var(packet), VarBytes.decode(packet).value, VarBytes.try_decode(packet)]
		for index: int in values.size():
			for array: Array in _levels(values[index]):
				array.append(index)
		for index: int in values.size():
			var found: Array[Array] = _levels(values[index])
			equal(found.size(), levels, "levels of value %d" % index)
			for level: int in levels:
				var size: int = 1 if level == levels - 1 else 2
				check(found[level].size() == size and found[level].back() == index, "level %d of %d in value %d" % [level, levels, index])


func _levels(value: Array) -> Array[Array]:
	var result: Array[Array] = [value]
	while not result.back().is_empty() and result.back()[0] is Array:
		result.append(result.back()[0])
	return result


## Levels within an Array or a Dictionary, before and after others, in packets that are short or long.
func _deep_members() -> void:
	for kind: String in ["arrays", "dictionaries"]:
		for levels: int in [13, 14, 15, 16, 30, DEEPEST - 2, DEEPEST - 1, DEEPEST]:
			var deep: PackedByteArray = var_to_bytes(_nested(kind, levels))
			for others: int in [0, 40, 1000]:
				var before: PackedByteArray = []
				for index: int in others:
					before.append_array(var_to_bytes([index]))
				_read(Attacks.word(28) + Attacks.word(others + 2) + before + deep + var_to_bytes(7), "%d %s after %d Arrays" % [levels, kind, others])
				_read(Attacks.word(27) + Attacks.word(1) + var_to_bytes(range(others)) + deep, "%d %s by %d ints" % [levels, kind, others])


func _read(packet: PackedByteArray, what: String) -> void:
	Engine.print_error_messages = false
	var expected: Variant = bytes_to_var(packet)
	var found: Variant = VarBytes.bytes_to_var(packet)
	Engine.print_error_messages = true
	check(var_to_bytes(found) == var_to_bytes(expected), "bytes_to_var of %s" % what)
	var result: VarBytesResult = VarBytes.decode(packet)
	check(result.ok == (expected != null) and var_to_bytes(result.value) == var_to_bytes(expected), "decode of %s: %s" % [what, result.message])
	if not result.ok:
		check(result.error == VarBytesResult.LIMIT and result.message.contains("1024"), "the error of %s: %s" % [what, result.message])


func _limits_of_the_options() -> void:
	var options := VarBytesOptions.new()
	for limit: int in [1, 2, 8, 14, 15, 16, 17, 20, 40]:
		options.max_depth = limit
		# The outermost Array has level 0, so the innermost one of so many has the level before.
		for levels: int in [limit - 1, limit, limit + 1, limit + 2, limit + 30]:
			for others: int in [0, 400]:
				var packet: PackedByteArray = Attacks.word(28) + Attacks.word(others + 1)
				for index: int in others:
					packet.append_array(var_to_bytes([]))
				packet.append_array(var_to_bytes(_nested("arrays", levels)))
				var what: String = "max_depth %d, %d levels after %d Arrays" % [limit, levels + 1, others]
				var result: VarBytesResult = VarBytes.decode(packet, options)
				check(result.ok == (maxi(levels, 1) <= limit), "%s: %s" % [what, result])
				check(result.ok or result.fault == "depth_limit", "%s: %s" % [what, result.fault])
				check((VarBytes.try_decode(packet, null, options) != null) == result.ok, "try_decode, " + what)
				check(VarBytes.validate(packet, options).ok == result.ok, "validate, " + what)
				if limit >= 8:
					_limits_beside_an_object(limit, levels, others)


## Values without objects are read in another way where objects are allowed.
func _limits_beside_an_object(limit: int, levels: int, others: int) -> void:
	var options := VarBytesOptions.new()
	options.max_depth = limit
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	var ints: PackedByteArray = Attacks.word(28) + Attacks.word(others + 1)
	for index: int in others:
		ints.append_array(var_to_bytes(index))
	ints.append_array(var_to_bytes(_nested("arrays", levels - 1)))
	var packet: PackedByteArray = Attacks.word(28) + Attacks.word(2) + var_to_bytes_with_objects(Resource.new()) + ints
	for turn: int in 2:
		var result: VarBytesResult = VarBytes.decode(packet, options)
		check(result.ok == (levels <= limit) and (result.ok or result.fault == "depth_limit"), "max_depth %d, %d levels after %d ints beside an object: %s" % [limit, levels, others, result])


## Keys of more than 50 levels, which the engine cannot compare.
func _deep_keys() -> void:
	for levels: int in [20, 50, 51, 100]:
		for outside: int in [0, 1, 14, 15, 20]:
			for others: int in [0, 400]:
				var members: PackedByteArray = []
				for index: int in others:
					members.append_array(var_to_bytes(index))
				var packet: PackedByteArray = Attacks.word(28) + Attacks.word(others + 1) + members
				for level: int in outside:
					packet.append_array(Attacks.word(28) + Attacks.word(1))
				packet.append_array(Attacks.word(27) + Attacks.word(1) + var_to_bytes(_nested("arrays", levels)) + var_to_bytes(1))
				var result: VarBytesResult = VarBytes.decode(packet)
				var what: String = "a key of %d levels, %d levels deep, after %d ints: %s" % [levels, outside, others, result.message]
				check(result.ok == (levels <= 50), what)
				check(result.ok == (VarBytes.try_decode(packet) != null) and result.ok == VarBytes.validate(packet).ok, what)


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
