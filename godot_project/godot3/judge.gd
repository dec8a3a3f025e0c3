extends SceneTree
## Writes the engine's verdict on each packet as a JSON line, to compare another implementation with it.
##
## `godot3-server --path godot_project/godot3 -s res://judge.gd -- --input FILE --output FILE [--no-values]`
## The input has a line for each packet: `0 HEX`, or `1 HEX` if objects are allowed. The hex may be empty.
## The last line of a complete output says so. The exit code has no meaning.

const Codec := preload("res://codec.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Wire := preload("res://wire.gd")

var _codec: Codec = Codec.new()
var _tagged_json: TaggedJson = TaggedJson.new()
var _with_values: bool = true


func _init() -> void:
	# The exit code if the end is not reached: a script error ends this function, not the run.
	quit(1)
	var arguments: Array = OS.get_cmdline_args()
	_with_values = not arguments.has("--no-values")
	var input: File = _opened(_option(arguments, "--input"), File.READ)
	var output: File = _opened(_option(arguments, "--output"), File.WRITE)
	if input == null or output == null:
		return
	var count: int = 0
	var packet: String = input.get_line()
	# The last line may lack a newline.
	while not (packet.empty() and input.eof_reached()):
		count += 1
		packet = packet.strip_edges()
		if not (packet == "0" or packet == "1" or packet.begins_with("0 ") or packet.begins_with("1 ")):
			push_error("line %d is not a packet: %s" % [count, packet.left(40)])
			return
		output.store_line(_verdict(Wire.hex(packet.substr(2, packet.length())), packet[0] == "1"))
		packet = input.get_line()
	output.store_line("{\"complete\":true,\"cases\":%d}" % count)
	if output.get_error() != OK:
		push_error("cannot write the verdicts: error %d" % output.get_error())
		return
	output.close()
	quit(0)


func _verdict(bytes: PoolByteArray, allow_objects: bool) -> String:
	var value = _codec.read(bytes, allow_objects)
	if not _codec.succeeded:
		return "{\"used\":0}"
	var rewritten: PoolByteArray = _codec.write(value, allow_objects)
	var used: int = _codec.size_of(bytes, allow_objects, rewritten.size())
	var verdict: String = "{\"used\":%d,\"rewritten\":\"%s\"" % [used, rewritten.hex_encode()]
	if _with_values:
		verdict += ",\"value\":" + _tagged_json.describe(value, TaggedJson.View.DECODED)
	_codec.release(value)
	return verdict + "}"


func _option(arguments: Array, name: String) -> String:
	var position: int = arguments.find(name)
	return arguments[position + 1] if position >= 0 and position + 1 < arguments.size() else ""


func _opened(path: String, mode: int) -> File:
	var file: File = File.new()
	var error: int = file.open(path, mode)
	if error != OK:
		push_error("cannot open \"%s\": error %d" % [path, error])
		return null
	return file
