extends "res://part.gd"

const Item := preload("res://item.gd")


func about() -> StringName:
	return &"VarBytesOptions"


func run() -> bool:
	var item := Item.new()
	item.title = "lantern"
	var packet: PackedByteArray = var_to_bytes_with_objects({"item": item})
	var options := VarBytesOptions.new()
	expect(&"allow_objects", VarBytes.decode(packet, options).error == VarBytesResult.NOT_ALLOWED, "refuses at first")
	options.allow_objects = true
	var refused: VarBytesResult = VarBytes.decode(packet, options)
	expect(&"allow_objects", refused.error == VarBytesResult.NOT_ALLOWED, refused.message)
	options.allowed_classes = {"Resource": ["*"]}
	refused = VarBytes.decode(packet, options)
	expect(&"allowed_classes", refused.error == VarBytesResult.NOT_ALLOWED and refused.path.contains("item"), refused.message)
	options.allowed_scripts = {"res://item.gd": ["title", "price"]}
	var decoded: VarBytesResult = VarBytes.decode(packet, options)
	expect(&"allowed_scripts", decoded.ok and decoded.value["item"].title == "lantern", decoded.message)

	expect(&"max_depth", _with(&"max_depth", 1, [[[]]]).error == VarBytesResult.LIMIT)
	expect(&"max_memory", _with(&"max_memory", 100, range(100)).error == VarBytesResult.LIMIT)
	expect(&"max_values", _with(&"max_values", 10, range(100)).error == VarBytesResult.LIMIT)
	expect(&"max_packed_elements", _with(&"max_packed_elements", 10, PackedByteArray(range(100))).error == VarBytesResult.LIMIT)
	expect(&"max_string_length", _with(&"max_string_length", 3, "long").error == VarBytesResult.LIMIT)

	# Strings with the same hash in the engine.
	var keys: Dictionary = {}
	for index: int in 1024:
		var key: String = ""
		for bit: int in 10:
			key += "aa" if index >> bit & 1 else "b@"
		keys[key] = index
	var colliding := VarBytesOptions.new()
	expect(&"allow_hash_collisions", VarBytes.decode(var_to_bytes(keys), colliding).error == VarBytesResult.LIMIT)
	colliding.allow_hash_collisions = true
	expect(&"allow_hash_collisions", VarBytes.decode(var_to_bytes(keys), colliding).value == keys)

	var second := VarBytesOptions.new()
	second.offset = var_to_bytes(1).size()
	decoded = VarBytes.decode(var_to_bytes(1) + var_to_bytes("two"), second)
	expect(&"offset", decoded.ok and decoded.value == "two", decoded.message)
	var strict := VarBytesOptions.new()
	strict.strict = true
	expect(&"strict", not VarBytes.decode(var_to_bytes(1) + var_to_bytes("two"), strict).ok)
	expect(&"strict", VarBytes.decode(var_to_bytes(1), strict).ok)

	# A PoolIntArray as Godot 3 writes it. In Godot 4 its type number means another type.
	var other := VarBytesOptions.new()
	other.engine = "godot-3.6"
	decoded = VarBytes.decode([21, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0], other)
	expect(&"engine", decoded.ok and decoded.value == PackedInt32Array([99]), decoded.message)
	var part := VarBytesOptions.new()
	part.size = 8
	expect(&"size", VarBytes.decode(var_to_bytes("longer"), part).error == VarBytesResult.TRUNCATED)
	return true


func _with(setting: StringName, number: int, value: Variant) -> VarBytesResult:
	var options := VarBytesOptions.new()
	if not VarBytes.decode(var_to_bytes(value), options).ok:
		failures.append("%s: the value is refused even without the limit" % setting)
	options.set(setting, number)
	return VarBytes.decode(var_to_bytes(value), options)
