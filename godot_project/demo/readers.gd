extends RefCounted
## Reads a packet from a save and from a connection, with the built-in functions and with VarBytes.

const Attacks := preload("res://demo/attacks.gd")

const SAVE: String = "user://demo_attack.save"
## How many milliseconds a connection may take.
const PATIENCE: int = 10_000
## How many milliseconds the server waits for the whole packet before it begins to read.
const ARRIVAL: int = 200
## The longest packet that the server of the game receives, in bytes.
const LONGEST: int = 1 << 20


## The result of reading a packet.
class Outcome:
	## The damage, or an empty text.
	var damage: String = ""
	var value: Variant
	## The error of VarBytes.
	var error: VarBytesResult.ErrorKind = VarBytesResult.NONE
	## A description for the screen.
	var text: String = ""
	var milliseconds: float = 0.0


static func built_in(attack: Attacks.Attack, by_server: bool) -> Outcome:
	var read: Callable = _get_var_from_peer if by_server else _get_var_from_file
	var outcome: Outcome = _measured(attack, read)
	_judge(outcome, attack)
	return outcome


static func var_bytes(attack: Attacks.Attack, by_server: bool) -> Outcome:
	var read: Callable = _stream if by_server else _next
	var outcome: Outcome = _measured(attack, read)
	var result: VarBytesResult = outcome.value
	outcome.error = result.error
	if result.ok:
		outcome.value = result.value
		_judge(outcome, attack)
		return outcome
	outcome.damage = attack.damage.call(result, outcome.milliseconds)
	outcome.text = "refused: %s" % result.message if outcome.damage.is_empty() else outcome.damage
	return outcome


static func _measured(attack: Attacks.Attack, read: Callable) -> Outcome:
	var outcome := Outcome.new()
	_write_save(attack.packet)
	var ends: Array[StreamPeerTCP] = _connected()
	# The built-in functions print errors for some attacks, and those of code in packets.
	Engine.print_error_messages = false
	var sender := Thread.new()
	sender.start(_send.bind(ends[1], attack.packet))
	var end: int = Time.get_ticks_msec() + ARRIVAL
	while ends[0].get_available_bytes() < attack.packet.size() + 4 and Time.get_ticks_msec() < end:
		OS.delay_msec(1)
	var began: int = Time.get_ticks_usec()
	outcome.value = read.call(ends[0])
	outcome.milliseconds = (Time.get_ticks_usec() - began) / 1000.0
	ends[0].disconnect_from_host()
	sender.wait_to_finish()
	Engine.print_error_messages = true
	DirAccess.remove_absolute(SAVE)
	return outcome


static func _judge(outcome: Outcome, attack: Attacks.Attack) -> void:
	outcome.damage = attack.damage.call(outcome.value, outcome.milliseconds)
	if not outcome.damage.is_empty():
		outcome.text = outcome.damage
	elif outcome.value is Dictionary and outcome.value.get("item") is Attacks.Item:
		outcome.text = "%s has a %s for %d coins" % [outcome.value.player, outcome.value.item.title, outcome.value.item.price]
	elif outcome.value is Dictionary:
		outcome.text = "read, with every value of its declared type: %s" % VarBytes.to_text(outcome.value.get("item")).left(200)
	else:
		outcome.text = "nothing was read"


static func _write_save(packet: PackedByteArray) -> void:
	var file: FileAccess = FileAccess.open(SAVE, FileAccess.WRITE)
	file.store_32(packet.size())
	file.store_buffer(packet)


## Returns the ends of a connection: the server's and the attacker's.
static func _connected() -> Array[StreamPeerTCP]:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var client := StreamPeerTCP.new()
	client.connect_to_host("127.0.0.1", server.get_local_port())
	var end: int = Time.get_ticks_msec() + PATIENCE
	while (client.get_status() != StreamPeerTCP.STATUS_CONNECTED or not server.is_connection_available()) and Time.get_ticks_msec() < end:
		client.poll()
		OS.delay_msec(1)
	return [server.take_connection(), client]


## The attacker sends from another thread: the packet may be longer than what the system keeps for the server.
static func _send(client: StreamPeerTCP, packet: PackedByteArray) -> void:
	client.put_32(packet.size())
	client.put_data(packet)


static func _get_var_from_file(_peer: StreamPeerTCP) -> Variant:
	return FileAccess.open(SAVE, FileAccess.READ).get_var(true)


static func _get_var_from_peer(peer: StreamPeerTCP) -> Variant:
	return peer.get_var(true)


static func _next(_peer: StreamPeerTCP) -> VarBytesResult:
	return VarBytesFile.open(SAVE, FileAccess.READ).next(Attacks.policy())


static func _stream(peer: StreamPeerTCP) -> VarBytesResult:
	var stream: VarBytesStream = VarBytesStream.over(peer, Attacks.policy())
	stream.max_record_size = LONGEST
	var results: Array[VarBytesResult] = []
	stream.received.connect(results.append)
	stream.broken.connect(results.append)
	var end: int = Time.get_ticks_msec() + PATIENCE
	while results.is_empty() and Time.get_ticks_msec() < end:
		stream.poll()
	return results[0]
