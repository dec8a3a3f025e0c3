extends "res://tests/suite.gd"
## Messages with text from a packet: no hidden characters, and bounded length.

const LENGTH: int = 500
## Control characters, line ends, direction marks, zero-width characters, tags.
const HOSTILE: Array[int] = [
	0x01, 0x07, 0x09, 0x0a, 0x0d, 0x1b, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
	0x2066, 0x2069, 0xe000, 0xfeff, 0xe0041]

const ErrorLog := preload("res://tests/fixtures/error_log.gd")

var _log: ErrorLog = ErrorLog.new()


func run() -> bool:
	for code: int in HOSTILE:
		_names("a%sb" % String.chr(code))
	_names(("a%s" % String.chr(0x1b)).repeat(100_000))
	_deep_keys()
	_keys_with_many_levels()
	_no_value()
	_many_losses()
	return true


func _names(name: String) -> void:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	for packet: PackedByteArray in [_object(name, "a"), _object("Resource", name), _object("Resource", "script", name)]:
		_refused(packet, null)
		for classes: Dictionary in [{}, {"Resource": PackedStringArray([])}]:
			options.allowed_classes = classes
			_refused(packet, options)
	var nested: PackedByteArray = var_to_bytes({name: {StringName(name): "x"}})
	_refused(nested.slice(0, nested.size() - 4), null)
	var converted := VarBytesOptions.new()
	converted.engine = "godot-3.6"
	var result: VarBytesResult = VarBytes.encode({name: [Callable(), StringName(name)]}, converted)
	check(result.ok and not result.losses.is_empty(), "losses of a conversion")
	for loss: String in result.losses:
		_shown(loss, "a loss")
	OS.add_logger(_log)
	converted.engine = name
	OS.remove_logger(_log)
	if check(_log.messages.size() == 1, "an unknown engine is an error"):
		_shown(_log.messages[0], "the error for an unknown engine")
	_log.messages.clear()
	var array: Array = [name, StringName(name), NodePath("a/b:" + name.left(1000)), {name: 1}, PackedStringArray([name])]
	for packet: PackedByteArray in [var_to_bytes(array), _object(name, name)]:
		for line: String in VarBytes.inspect(packet).split("\n"):
			_shown(line, "a line of inspect")


func _refused(packet: PackedByteArray, options: VarBytesOptions) -> void:
	var result: VarBytesResult = VarBytes.decode(packet, options)
	if check(not result.ok, "it is refused"):
		_shown(result.message, "a message")
		_clean(result.path, "a path")


func _deep_keys() -> void:
	var key: String = "k".repeat(40)
	var value: Variant = "text"
	for level: int in 500:
		value = {key: value}
	var packet: PackedByteArray = var_to_bytes(value)
	var result: VarBytesResult = VarBytes.decode(packet.slice(0, packet.size() - 4))
	_shown(result.message, "the message of deep keys")
	check(result.message.ends_with('["%s"]' % key), "the end of the path is there: %s" % result.message)
	equal(result.path, "$" + ('["%s"]' % key).repeat(500), "the path is whole")
	var endless: Array = [[]]
	endless[0].append(endless)
	check(VarBytes.encode(endless).message.begins_with("nested deeper than 1024 levels (a container or an object may contain itself), path $[0][0]"), "a container that contains itself: %s" % VarBytes.encode(endless).message.left(120))
	endless.clear()
	for long: Array in [["k".repeat(50), '$["%s"…]'], [StringName("k".repeat(50)), '$[&"%s"…]']]:
		var refused := VarBytesOptions.new()
		refused.allow_objects = true
		equal(VarBytes.encode({long[0]: Resource.new()}, refused).path, long[1] % key, "the path of a value that is written")
		equal(VarBytes.decode(var_to_bytes_with_objects({long[0]: Resource.new()})).path, long[1] % key, "of one that is read")


func _keys_with_many_levels() -> void:
	var key: Variant = 1
	for level: int in 51:
		key = [key]
	var result: VarBytesResult = VarBytes.decode(var_to_bytes([{key: 1}]))
	equal(result.error, VarBytesResult.LIMIT, "a key that the engine cannot compare")
	check(result.message.begins_with("key nested deeper than 50 levels"), result.message)


## An error that is not about a value has no path.
func _no_value() -> void:
	var file: VarBytesFile = VarBytesFile.open("user://messages.dat", FileAccess.WRITE)
	file.close()
	equal(file.store(1).path, "", "a closed file")
	equal(VarBytes.decode(PackedByteArray()).path, "$", "no bytes of a value")
	DirAccess.remove_absolute("user://messages.dat")


func _many_losses() -> void:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	var callables: Array = []
	callables.resize(5000)
	callables.fill(Callable())
	var losses: PackedStringArray = VarBytes.encode(callables, options).losses
	equal(losses.size(), 1001, "losses are listed up to a number")
	check(losses[-1].begins_with("4000 more of the kind dropped"), losses[-1])


func _shown(text: String, what: String) -> void:
	check(text.length() <= LENGTH, "%s of %d characters" % [what, text.length()])
	_clean(text, what)


func _clean(text: String, what: String) -> void:
	for code: int in HOSTILE:
		if not check(not text.contains(String.chr(code)), "%s has U+%04X in it" % [what, code]):
			return


## Returns an object of a class with one property.
static func _object(of_class: String, property: String, value: String = "x") -> PackedByteArray:
	return PackedByteArray([24, 0, 0, 0]) + _text(of_class) + PackedByteArray([1, 0, 0, 0]) + _text(property) + var_to_bytes(value)


static func _text(text: String) -> PackedByteArray:
	var bytes: PackedByteArray = text.to_utf8_buffer()
	var length: PackedByteArray = [0, 0, 0, 0]
	length.encode_u32(0, bytes.size())
	while bytes.size() % 4 != 0:
		bytes.append(0)
	return length + bytes
