extends "res://tests/suite.gd"
## `validate` returns what `decode` returns, except the value, and creates nothing.

const Item := preload("res://tests/fixtures/item.gd")
const Wire := preload("res://conformance/wire.gd")


func run() -> bool:
	await run_parts([_same_as_decode, _converted_near_the_limit, _damaged, _nothing_created, _options, _other_engine, _collisions])
	return true


static func _all_options() -> Array[VarBytesOptions]:
	var all: Array[VarBytesOptions] = [null, VarBytesOptions.new()]
	for setting: Array in [[&"strict", true], [&"max_memory", 300], [&"max_depth", 1], [&"max_values", 3], [&"max_packed_elements", 2], [&"max_string_length", 2], [&"offset", 4], [&"size", 12]]:
		all.append(VarBytesOptions.new())
		all[-1].set(setting[0], setting[1])
	all.append(VarBytesOptions.new())
	all[-1].allow_objects = true
	all[-1].allowed_classes = {"Resource": ["resource_name"]}
	all[-1].max_memory = 2000
	return all


func _same(bytes: PackedByteArray, options: VarBytesOptions, what: String) -> void:
	var decoded: VarBytesResult = VarBytes.decode(bytes, options)
	var validated: VarBytesResult = VarBytes.validate(bytes, options)
	check(validated.value == null and validated.losses == decoded.losses, "%s: no value" % what)
	for field: StringName in [&"ok", &"error", &"fault", &"message", &"offset", &"path", &"bytes_used", &"can_continue"]:
		equal(validated.get(field), decoded.get(field), "%s: %s" % [what, field])


static func _values() -> Array:
	var typed: Dictionary[String, int] = {"a": 1}
	var ints: Array[int] = [1, 2, 3]
	return [
		null, true, 7, 0.5, "text", &"name", ^"a/b:c", Vector3(1, 2, 3), [], {}, [[["deep"]]], {"key": [1, "two"]}, typed, ints,
		PackedByteArray([1, 2, 3]), PackedStringArray(["a", "bcd"]), PackedVector3Array([Vector3.ONE]), [Resource.new()], range(50),
	]


func _same_as_decode() -> bool:
	for value: Variant in _values():
		for bytes: PackedByteArray in [var_to_bytes(value), var_to_bytes_with_objects(value)]:
			for options: VarBytesOptions in _all_options():
				_same(bytes, options, "%s" % [value])
				_same(bytes + PackedByteArray([0]), options, "%s and a byte" % [value])
	for level: int in [50, 51]:
		var deep: PackedByteArray = Wire.dictionary([Wire.nested_arrays(level, var_to_bytes(7)), var_to_bytes(1)])
		for options: VarBytesOptions in _all_options():
			_same(deep, options, "a key of %d levels" % level)
			_same(Wire.array([deep, deep]), options, "two of them")
	# A member of another type, which is converted, and one that cannot be.
	var floats: PackedByteArray = var_to_bytes([1.5, 2])
	floats[2] = 1
	for type: int in [TYPE_INT, TYPE_FLOAT, TYPE_STRING]:
		var bytes: PackedByteArray = floats.slice(0, 4) + PackedByteArray([type, 0, 0, 0]) + floats.slice(4)
		for options: VarBytesOptions in _all_options():
			_same(bytes, options, "converted to %s" % type_string(type))
	return true


## How much memory a conversion takes shows only when it is done.
func _converted_near_the_limit() -> bool:
	var members: Array = [1.5, "text", "größe", &"name", ^"a/b:c", Vector2i(1, 2), range(20), ["a", 2], PackedInt32Array(range(20)), PackedStringArray(["a", "bcd"])]
	var all: Array[VarBytesOptions] = []
	for memory: int in range(100, 1500, 50):
		for has_objects: bool in [false, true]:
			all.append(VarBytesOptions.new())
			all[-1].max_memory = memory
			all[-1].allow_objects = has_objects
	for type: int in range(TYPE_BOOL, TYPE_MAX):
		if type == TYPE_OBJECT:
			continue
		for member: Variant in members:
			var bytes: PackedByteArray = var_to_bytes([member, [member], member])
			bytes[2] = 1
			bytes = bytes.slice(0, 4) + PackedByteArray([type, 0, 0, 0]) + bytes.slice(4)
			for options: VarBytesOptions in all:
				_same(bytes, options, "%s as %s with %d bytes" % [member, type_string(type), options.max_memory])
	return true


func _damaged() -> bool:
	seed(15)
	var strict := VarBytesOptions.new()
	strict.strict = true
	for value: Variant in _values():
		var bytes: PackedByteArray = var_to_bytes_with_objects(value)
		for turn: int in 200:
			var damaged: PackedByteArray = bytes.slice(0, randi_range(bytes.size() / 2, bytes.size()))
			if not damaged.is_empty():
				damaged[randi() % damaged.size()] = [randi() % 256, randi() % 40, 0, 255].pick_random()
			for options: VarBytesOptions in [null, strict, _all_options()[-1]]:
				_same(damaged, options, damaged.hex_encode())
	return true


func _nothing_created() -> bool:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {"res://tests/fixtures/item.gd": ["*"]}
	var item: Resource = Item.new()
	item.watched = 7
	var bytes: PackedByteArray = var_to_bytes_with_objects([item, item])
	VarBytes.validate(bytes, options)
	var made: Array = [Item.made, Item.setter_calls, int(Performance.get_monitor(Performance.OBJECT_COUNT))]
	var result: VarBytesResult = VarBytes.validate(bytes, options)
	check(result.ok and result.bytes_used == bytes.size(), "allowed objects pass: %s" % result.message)
	result = null
	equal([Item.made, Item.setter_calls, int(Performance.get_monitor(Performance.OBJECT_COUNT))], made, "no object is created and no code runs")
	options.allowed_scripts = {"res://tests/fixtures/item.gd": ["title"]}
	_same(bytes, options, "a property that is not listed")
	return true


func _options() -> bool:
	var bytes: PackedByteArray = var_to_bytes(1) + var_to_bytes("two")
	var options := VarBytesOptions.new()
	options.offset = 8
	check(VarBytes.validate(bytes, options).bytes_used == 12, "from an offset on")
	options.offset = 100
	check(VarBytes.validate(bytes, options).error == VarBytesResult.INVALID_ARGUMENT, "an offset outside")
	return true


func _other_engine() -> bool:
	var options := VarBytesOptions.new()
	for engine: String in ["godot-3.6", "godot-4.0", "godot-2.1", "godot-4.6"]:
		options.engine = engine
		for value: Variant in _values():
			var written: VarBytesResult = VarBytes.encode(value, options)
			if written.ok:
				_same(written.value, options, "%s of %s" % [value, engine])
				_same(written.value.slice(0, -3), options, "a part of %s of %s" % [value, engine])
	return true


## The help says what can still be refused.
func _collisions() -> bool:
	var keys: Dictionary = {}
	for index: int in 1024:
		var key: String = ""
		for bit: int in 10:
			key += "aa" if index >> bit & 1 else "b@"
		keys[key] = index
	var bytes: PackedByteArray = var_to_bytes(keys)
	check(VarBytes.decode(bytes).error == VarBytesResult.LIMIT and VarBytes.validate(bytes).ok, "keys that collide")
	return true
