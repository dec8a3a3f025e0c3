extends RefCounted
## Two packets that look alike to a game, and what becomes of each: in the built-in function, and in VarBytes.

const Item := preload("res://demo/item.gd")

## Where the code in the malicious packet leaves its message.
const MARK: StringName = &"message_from_packet"

## The code an attacker sends. Nobody calls it: a static variable is initialized when the script is compiled, and it is
## compiled while the packet is read.
const SOURCE: String = """static var begun: bool = begin()

static func begin() -> bool:
	Engine.set_meta(&"message_from_packet", "the code in the packet runs on your %s, with all rights of the game" % OS.get_name())
	return true
"""


## What was made of a packet.
class Outcome:
	## Whether an item of the game was read.
	var read: bool = false
	## Whether nothing was made of it.
	var refused: bool = false
	## Whether code in it ran.
	var code_ran: bool = false
	## What happened, for people.
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


## What this game lets packets make: its items, with what the engine and their script store of them.
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
		# A path that is broken between two lines is hard to read.
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
