extends RefCounted
## The attacks of the demo: packets that a player can put into a save, or send to a server.

## The metadata in which the code of a packet leaves its message.
const MARK: StringName = &"message_from_packet"
const Item := preload("res://demo/item.gd")
const Reward := preload("res://demo/reward.gd")

const REWARD: String = "res://demo/reward.gd"
const NODES: int = 2000
const KEYS: int = 8192

## The attacker's code. Nobody calls it: a static variable is initialized when the script is compiled, and the script is compiled
## while the packet is read.
const SOURCE: String = """static var begun: bool = begin()

static func begin() -> bool:
	Engine.set_meta(&"message_from_packet", "code from the packet ran on your %s, with all rights of the game" % OS.get_name())
	return true
"""


## One entry of the list.
class Attack:
	var title: String
	var note: String
	var packet: PackedByteArray
	## Returns the damage that a read value has done, or an empty text. Undoes it.
	var damage: Callable
	## What VarBytes is expected to answer: an error, or NONE for a packet that it reads without damage.
	var answer: VarBytesResult.ErrorKind

	func _init(named: String, noted: String, bytes: PackedByteArray, harm: Callable, expected: VarBytesResult.ErrorKind) -> void:
		title = named
		note = noted
		packet = bytes
		damage = harm
		answer = expected


static func all() -> Array[Attack]:
	var attacks: Array[Attack] = [
		Attack.new("An honest state", "No attack: a player with a lantern, as the game writes it.",
				_state(_lantern()), func(_value: Variant, _taken: float) -> String: return "", VarBytesResult.NONE),
		Attack.new("A script with its source", "The item is a script. Its code runs while the packet is read.",
				_state(_script()), _code_ran, VarBytesResult.NOT_ALLOWED),
		Attack.new("A script of the game", "The item names a script of the game whose constructor pays out a reward.",
				_state(_object("Resource", {"script": REWARD})), _paid, VarBytesResult.NOT_ALLOWED),
		Attack.new("The engine itself", "The item is the OS singleton, with a property that changes how the game runs.",
				_state(_object("OS", {"low_processor_usage_mode": true})), _engine_changed, VarBytesResult.NOT_ALLOWED),
		Attack.new("%d nodes" % NODES, "The items are nodes, which nothing frees.",
				_state(_nodes()), _nodes_leaked, VarBytesResult.NOT_ALLOWED),
		Attack.new("Keys that collide", "All %d keys have the same hash, so each one is compared with all before it." % KEYS,
				_state(var_to_bytes(_colliding())), _took_long, VarBytesResult.LIMIT),
		Attack.new("A number that is a text", "A Dictionary[String, int] holds a text where the game counts on a number.",
				_state(_mistyped()), _is_mistyped, VarBytesResult.NONE),
		Attack.new("Half a packet", "Not even an attack: the connection or the power was cut.",
				_state(_lantern()).slice(0, 100), _no_reason, VarBytesResult.MALFORMED),
	]
	return attacks


## The objects that this game allows: its items.
static func policy() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	options.allowed_scripts = {"res://demo/item.gd": ["*"]}
	return options


## Returns a player's state with an item, whose bytes are given.
static func _state(item: PackedByteArray) -> PackedByteArray:
	return _word(27) + _word(3) + var_to_bytes("player") + var_to_bytes("Eve") + var_to_bytes("at") + var_to_bytes(Vector2(120, 80)) + var_to_bytes("item") + item


static func _lantern() -> PackedByteArray:
	var item := Item.new()
	item.title = "lantern"
	item.price = 12
	return var_to_bytes_with_objects(item)


static func _script() -> PackedByteArray:
	var script := GDScript.new()
	script.source_code = SOURCE
	return var_to_bytes_with_objects(script)


static func _nodes() -> PackedByteArray:
	var one: PackedByteArray = _object("Node", {})
	var bytes: PackedByteArray = _word(28) + _word(NODES)
	for count: int in NODES:
		bytes.append_array(one)
	return bytes


## The hash of a text is 33 times the hash of its prefix, plus the last character: "aa" and "b@" are the same to it.
static func _colliding() -> Dictionary[String, int]:
	var keys: Dictionary[String, int] = {}
	for number: int in KEYS:
		var key: String = ""
		for bit: int in 13:
			key += "aa" if number >> bit & 1 else "b@"
		keys[key] = number
	return keys


static func _mistyped() -> PackedByteArray:
	var coins: Dictionary[String, int] = {}
	return var_to_bytes(coins).slice(0, 12) + _word(1) + var_to_bytes("coins") + var_to_bytes("a million")


## Returns a full object of a class.
static func _object(title: String, properties: Dictionary) -> PackedByteArray:
	var bytes: PackedByteArray = _word(24) + var_to_bytes(title).slice(4) + _word(properties.size())
	for property: String in properties:
		bytes += var_to_bytes(property).slice(4) + var_to_bytes(properties[property])
	return bytes


static func _word(number: int) -> PackedByteArray:
	var bytes: PackedByteArray = [0, 0, 0, 0]
	bytes.encode_u32(0, number)
	return bytes


static func _code_ran(_value: Variant, _taken: float) -> String:
	var message: String = Engine.get_meta(MARK, "")
	Engine.set_meta(MARK, null)
	return message


static func _paid(_value: Variant, _taken: float) -> String:
	var paid: int = Reward.paid
	Reward.paid = 0
	return "the constructor ran, and paid %d coins" % paid if paid > 0 else ""


static func _engine_changed(value: Variant, _taken: float) -> String:
	var changed: bool = OS.low_processor_usage_mode
	OS.low_processor_usage_mode = false
	if value is Dictionary and value.get("item") is Object:
		value.item.free()
	return "the packet changed a setting of the engine: OS.low_processor_usage_mode" if changed else ""


static func _nodes_leaked(value: Variant, _taken: float) -> String:
	var count: int = 0
	if value is Dictionary and value.get("item") is Array:
		for node: Variant in value.item:
			if node is Node:
				node.free()
				count += 1
	return "%d nodes were created, and stay in memory until the game ends" % count if count > 0 else ""


static func _took_long(value: Variant, taken: float) -> String:
	return "the game stood still for %d ms, for a packet of %s" % [roundi(taken), String.humanize_size(KEYS * 44)] if value is Dictionary else ""


static func _is_mistyped(value: Variant, _taken: float) -> String:
	if value is Dictionary and value.get("item") is Dictionary and value.item.is_typed_value() and typeof(value.item.get("coins")) == TYPE_STRING:
		return "a Dictionary[String, int] holds a String; a script that adds to it uses memory of another type"
	return ""


static func _no_reason(value: Variant, _taken: float) -> String:
	return "null, and nothing says why" if value == null else ""
