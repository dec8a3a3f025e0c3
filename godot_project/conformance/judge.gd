extends SceneTree
## Writes the engine's verdict on each packet as a JSON line, to compare another implementation with it.
##
## `godot --headless --path godot_project -s res://conformance/judge.gd -- --input FILE --output FILE [--no-values]`
## The input has a line for each packet: `0 HEX`, or `1 HEX` if objects are allowed. The hex may be empty.

const Decoded := preload("res://conformance/decoded.gd")
const TaggedJson := preload("res://conformance/tagged_json.gd")

var _with_values: bool = true


func _initialize() -> void:
	# The exit code if the end is not reached: a script error ends this function, not the run.
	quit(1)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	_with_values = not arguments.has("--no-values")
	var input_path: String = _option(arguments, "--input")
	var output_path: String = _option(arguments, "--output")
	var input: FileAccess = FileAccess.open(input_path, FileAccess.READ)
	if input == null:
		_fail("cannot read \"%s\": %s" % [input_path, error_string(FileAccess.get_open_error())])
		return
	var output: FileAccess = FileAccess.open(output_path, FileAccess.WRITE)
	if output == null:
		_fail("cannot write \"%s\": %s" % [output_path, error_string(FileAccess.get_open_error())])
		return
	var packets: PackedStringArray = input.get_as_text().split("\n")
	# The last line may lack a newline.
	if packets[-1].is_empty():
		packets.remove_at(packets.size() - 1)
	for index: int in packets.size():
		var packet: String = packets[index].strip_edges()
		if not (packet == "0" or packet == "1" or packet.begins_with("0 ") or packet.begins_with("1 ")):
			_fail("line %d is not a packet: %s" % [index + 1, packet.left(40)])
			return
		output.store_line(_verdict(packet.substr(2).hex_decode(), packet[0] == "1"))
	output.store_line("{\"complete\":true,\"cases\":%d}" % packets.size())
	output.flush()
	if output.get_error() != OK:
		_fail("cannot write \"%s\": %s" % [output_path, error_string(output.get_error())])
		return
	quit(0)


func _verdict(bytes: PackedByteArray, allow_objects: bool) -> String:
	# Rejected packets may print thousands of lines.
	Engine.print_error_messages = false
	var used: int = Decoded.size_of(bytes, allow_objects)
	if used == 0:
		Engine.print_error_messages = true
		return "{\"used\":0}"
	var value: Variant = Decoded.read(bytes, allow_objects)
	var rewritten: String = Decoded.write(value, allow_objects).hex_encode()
	var verdict: String = "{\"used\":%d,\"rewritten\":\"%s\"" % [used, rewritten]
	if _with_values:
		verdict += ",\"value\":" + TaggedJson.describe(value, TaggedJson.View.DECODED)
	Decoded.release(value)
	Engine.print_error_messages = true
	return verdict + "}"


func _option(arguments: PackedStringArray, name: String) -> String:
	var position: int = arguments.find(name)
	return arguments[position + 1] if position >= 0 and position + 1 < arguments.size() else ""


func _fail(message: String) -> void:
	Engine.print_error_messages = true
	push_error(message)
