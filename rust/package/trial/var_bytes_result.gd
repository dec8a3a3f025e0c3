extends "res://part.gd"


func about() -> StringName:
	return &"VarBytesResult"


func run() -> bool:
	var good: VarBytesResult = VarBytes.decode(var_to_bytes(null))
	expect(&"ok", good.ok)
	var again := VarBytesResult.new()
	expect(&"decode", again.decode(var_to_bytes(7)) and again.value == 7 and again.bytes_used == 8)
	expect(&"decode", not again.decode([9]) and not again.ok and again.value == null and not again.message.is_empty())
	expect(&"encode", again.encode("two") and again.value == var_to_bytes("two") and again.message.is_empty() and again.error == VarBytesResult.NONE)
	expect(&"value", good.value == null)
	expect(&"bytes_used", good.bytes_used == 4, good.bytes_used)
	expect(&"error", good.error == VarBytesResult.NONE)
	expect(&"to_error", good.to_error() == OK)
	var whole: PackedByteArray = var_to_bytes([1, "two"])
	var cut: VarBytesResult = VarBytes.decode(whole.slice(0, whole.size() - 4))
	expect(&"ok", not cut.ok and cut.value == null)
	expect(&"fault", not cut.fault.is_empty() and cut.fault == cut.fault.to_lower(), cut.fault)
	expect(&"message", cut.message.contains("offset"), cut.message)
	expect(&"offset", cut.offset > 0 and cut.offset < whole.size(), cut.offset)
	expect(&"path", cut.path == "$[1]", cut.path)
	expect(&"to_error", cut.to_error() == ERR_FILE_EOF)
	expect(&"NONE", VarBytesResult.NONE == 0)
	expect(&"TRUNCATED", cut.error == VarBytesResult.TRUNCATED)
	expect(&"MALFORMED", VarBytes.decode([99, 0, 0, 0]).error == VarBytesResult.MALFORMED)
	expect(&"NOT_ALLOWED", VarBytes.decode(var_to_bytes_with_objects(Resource.new())).error == VarBytesResult.NOT_ALLOWED)
	var endless: Array = []
	endless.append(endless)
	expect(&"LIMIT", VarBytes.encode(endless).error == VarBytesResult.LIMIT)
	endless.clear()
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	var other: VarBytesResult = VarBytes.encode([&"name"], options)
	expect(&"losses", other.ok and other.losses.size() == 1 and other.losses[0].begins_with("$[0]"), other.losses)
	expect(&"losses", good.losses.is_empty())
	options.engine = ""
	options.offset = 1000
	expect(&"INVALID_ARGUMENT", VarBytes.decode(whole, options).error == VarBytesResult.INVALID_ARGUMENT)
	expect(&"can_continue", good.can_continue and not cut.can_continue)
	# A class name that is not Unicode.
	var name: PackedByteArray = [17, 0, 0, 0, 3, 0, 0, 0, 0xED, 0xA0, 0x80, 0, 0, 0, 0, 0]
	options.engine = "godot-3.6"
	options.offset = 0
	options.allow_objects = true
	var unsupported: VarBytesResult = VarBytes.decode(name, options)
	expect(&"UNSUPPORTED", unsupported.error == VarBytesResult.UNSUPPORTED, unsupported)
	# Disk errors cannot be produced everywhere, so only the name is checked.
	expect(&"STREAM", VarBytesResult.STREAM == 6)
	return true
