extends RefCounted
## Connections between two ends in this process.

## How many milliseconds a connection may take.
const PATIENCE: int = 2000


## Returns the two ends of a TCP connection, or nothing if it fails.
static func tcp() -> Array[StreamPeerTCP]:
	var server := TCPServer.new()
	if server.listen(0, "127.0.0.1") != OK:
		return []
	var client := StreamPeerTCP.new()
	var other: StreamPeerTCP = to_server(client, server)
	if other == null:
		return []
	return [client, other]


## Connects a client. Returns the other end, or null if it fails.
static func to_server(client: StreamPeerTCP, server: TCPServer) -> StreamPeerTCP:
	client.connect_to_host("127.0.0.1", server.get_local_port())
	var connected: Callable = func() -> bool:
		client.poll()
		return client.get_status() == StreamPeerTCP.STATUS_CONNECTED and server.is_connection_available()
	return server.take_connection() if wait_until(connected) else null


## Calls `condition` until it returns `true`. Returns `false` if that takes too long.
static func wait_until(condition: Callable) -> bool:
	for attempt: int in PATIENCE:
		if condition.call():
			return true
		OS.delay_msec(1)
	return false
