extends Node
## The server of the game: receives the states of players, and never waits for one.

const Attacks := preload("res://demo/attacks.gd")

## The positions of players by their names.
var players: Dictionary[String, Vector2] = {}
## The packets that were refused.
var refused: int = 0

var _server := TCPServer.new()
var _streams: Array[VarBytesStream] = []


func start() -> Error:
	return _server.listen(0, "127.0.0.1")


## Returns a connection to this server.
func join() -> VarBytesStream:
	var peer := StreamPeerTCP.new()
	peer.connect_to_host("127.0.0.1", _server.get_local_port())
	return VarBytesStream.over(peer)


func _process(_delta: float) -> void:
	while _server.is_connection_available():
		var stream: VarBytesStream = VarBytesStream.over(_server.take_connection(), Attacks.policy())
		stream.idle_timeout = 5.0
		stream.received.connect(_received)
		stream.broken.connect(func(_result: VarBytesResult) -> void: _streams.erase(stream))
		_streams.append(stream)
	for stream: VarBytesStream in _streams.duplicate():
		stream.poll()


func _received(result: VarBytesResult) -> void:
	var state: Variant = result.value
	# The types of values are checked; whether they are a state of this game is not.
	if result.ok and state is Dictionary and state.get("player") is String and state.get("at") is Vector2:
		players[state.player] = state.at
	else:
		refused += 1
