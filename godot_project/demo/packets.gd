extends RefCounted
## Two packets that look the same to a game, and the result of reading each with the built-in function and VarBytes.

const Item := preload("res://demo/item.gd")

## The metadata in which the code of the malicious packet stores its message.
const MARK: StringName = &"message_from_packet"

## The attacker's code. Nobody calls it: a static variable is initialized when the script is compiled, and the script is
## compiled while the packet is read.
const SOURCE: String = """static var begun: bool = begin()

static func begin() -> bool:
	Engine.set_meta(&"message_from_packet", "the code in the packet runs on your %s, with all rights of the game" % OS.get_name())
	return true
"""


## The result of reading a packet.
class Outcome:
	## Whether an item was read.
	var read: bool = false
	## Whether the packet was refused.
	var refused: bool = false
	## Whether code from the packet ran.
	var code_ran: bool = false
	## A description for the screen.
	var text: String = ""


static func safe() -> PackedByteArray:
	var item := Item.new()
	item.title = "lantern"
	item.price = 12
	return var_to_bytes_with_objects({"player": "Ann", "items": [item]})


static func malicious() -> PackedByteArray:
	var script := GDScript.new()
	script.source_code = SOURCE
	return var_to_bytes_with_objects({"player": "Eve", "items": [script]})


## The objects that this game allows in packets: its items, with the stored properties of the engine and the script.
static func policy() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": PackedStringArray(["*"])}
	options.allowed_scripts = {"res://demo/item.gd": PackedStringArray(["title", "price"])}
	return options


static func by_built_in(packet: PackedByteArray) -> Outcome:
	Engine.remove_meta(MARK)
	return _outcome(bytes_to_var_with_objects(packet))


static func by_var_bytes(packet: PackedByteArray) -> Outcome:
	Engine.remove_meta(MARK)
	var result: VarBytesResult = VarBytes.decode(packet, policy())
	var outcome: Outcome = _outcome(result.value)
	if not result.ok and not outcome.code_ran:
		outcome.refused = true
		# Starts a new line, so that the path is not broken between lines.
		var reason: String = result.message.replace(", path ", ",\npath ")
		outcome.text = "refused: %s\nNothing was made, and no code ran." % reason
	return outcome


static func _outcome(value: Variant) -> Outcome:
	var outcome := Outcome.new()
	if Engine.has_meta(MARK):
		outcome.code_ran = true
		outcome.text = "CODE RAN: %s" % Engine.get_meta(MARK)
		Engine.remove_meta(MARK)
	elif value is Dictionary and value.items[0] is Item:
		outcome.read = true
		outcome.text = "%s sends a %s for %d" % [value.player, value.items[0].title, value.items[0].price]
	else:
		outcome.text = "no item was read"
	return outcome
