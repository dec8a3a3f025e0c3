extends "res://tests/suite.gd"
## VarBytesStream over peers of packets. `cargo package-addon --test` also checks that this suite prints nothing.

const LocalConnection := preload("res://tests/local_connection.gd")
const StreamLog := preload("res://tests/stream_log.gd")


func run() -> bool:
	await run_parts([
		_udp, _udp_of_anyone, _packet_streams, _web_sockets,
		_a_packet_that_is_too_long_for_the_other_side, _senders_in_multiplayer, _a_slow_server_of_web_sockets,
		_a_packet_that_is_too_long_for_dtls,
	])
	return true


func _udp() -> bool:
	var theirs := PacketPeerUDP.new()
	var ours := PacketPeerUDP.new()
	check(theirs.bind(0, "127.0.0.1") == OK and ours.bind(0, "127.0.0.1") == OK, "bound")
	theirs.set_dest_address("127.0.0.1", ours.get_local_port())
	ours.set_dest_address("127.0.0.1", theirs.get_local_port())
	var receiver := StreamLog.new(ours)
	receiver.stream.max_record_size = 1000
	for value: Variant in SAMPLES:
		theirs.put_var(value)
	theirs.put_packet([99, 0, 0, 0])
	theirs.put_packet([4, 0, 0, 0, 9, 0, 0, 0])
	theirs.put_packet(var_to_bytes("x".repeat(1000)))
	theirs.put_var("after")
	check(receiver.until(SAMPLES.size() + 4), "all packets")
	equal(receiver.values, SAMPLES + ["after"], "the values")
	equal(receiver.results.slice(SAMPLES.size(), -1).map(func(result: VarBytesResult) -> int: return result.error),
			[VarBytesResult.MALFORMED, VarBytesResult.MALFORMED, VarBytesResult.LIMIT], "the errors of the others")
	var sent: VarBytesResult = receiver.stream.send("answer")
	check(sent.ok and sent.bytes_used == 16, "sent")
	LocalConnection.wait_until(func() -> bool: return theirs.get_available_packet_count() > 0)
	equal(theirs.get_var(), "answer", "the answer")
	ours.close()
	receiver.stream.poll()
	equal(receiver.faults(), ["disconnected"], "closed")
	return true


## Nobody listens at the other end, which the system reports. That is not the end: somebody may listen later.
func _udp_of_anyone() -> bool:
	var free := PacketPeerUDP.new()
	free.bind(0, "127.0.0.1")
	var port: int = free.get_local_port()
	free.close()
	var udp := PacketPeerUDP.new()
	udp.connect_to_host("127.0.0.1", port)
	var ours := StreamLog.new(udp)
	for turn: int in 4:
		ours.stream.send(turn)
		OS.delay_msec(2)
		ours.stream.poll()
	check(ours.ends.is_empty(), "not broken: %s" % [ours.faults()])
	return true


func _packet_streams() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var theirs := PacketPeerStream.new()
	theirs.stream_peer = ends[1]
	var packets := PacketPeerStream.new()
	packets.stream_peer = ends[0]
	var ours := StreamLog.new(packets)
	for value: Variant in SAMPLES:
		theirs.put_var(value)
		ours.stream.send(value)
	check(ours.until(SAMPLES.size()), "all values")
	equal(ours.values, SAMPLES, "the values")
	for value: Variant in SAMPLES:
		LocalConnection.wait_until(func() -> bool: return theirs.get_available_packet_count() > 0)
		equal(theirs.get_var(), value, "a value for the engine")
	return true


## Returns the client and the server of a connection, which is not open yet.
func _web_socket_ends(client: WebSocketPeer) -> Array[StreamLog]:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	client.connect_to_url("ws://127.0.0.1:%d" % server.get_local_port())
	LocalConnection.wait_until(func() -> bool:
		client.poll()
		return server.is_connection_available())
	var accepted := WebSocketPeer.new()
	accepted.accept_stream(server.take_connection())
	return [StreamLog.new(client), StreamLog.new(accepted)]


func _web_sockets() -> bool:
	var ends: Array[StreamLog] = _web_socket_ends(WebSocketPeer.new())
	var first: StreamLog = ends[0]
	var second: StreamLog = ends[1]
	var long: String = "l".repeat(40_000)
	var values: Array = SAMPLES + [long, long, long]
	for value: Variant in values:
		check(first.stream.send(value).ok, "sent before the connection is there")
	var too_long: VarBytesResult = first.stream.send(long + long)
	check(too_long.fault == "packet_too_long", "longer than the peer's buffer: %s" % too_long.message)
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return second.results.size() >= values.size())
	equal(second.values, values, "the values")
	check(second.stream.send("answer").ok, "answered")
	check(first.until(1), "the answer arrives")
	var accepted: WebSocketPeer = second.stream.peer
	accepted.close()
	second.stream.poll()
	equal(accepted.get_ready_state(), WebSocketPeer.STATE_CLOSING, "it is closing")
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return not first.ends.is_empty() and not second.ends.is_empty())
	equal([first.faults(), second.faults()], [["disconnected"], ["disconnected"]], "both ends")
	# While it is closing, the peer has no connection either.
	check((first.ends + second.ends).all(func(end: VarBytesResult) -> bool: return end.message == "the connection has ended"), str(first.ends))
	return true


## The engine closes a connection whose buffer is too small for a packet.
func _a_packet_that_is_too_long_for_the_other_side() -> bool:
	var client := WebSocketPeer.new()
	client.outbound_buffer_size = 1 << 20
	var ends: Array[StreamLog] = _web_socket_ends(client)
	var first: StreamLog = ends[0]
	var second: StreamLog = ends[1]
	check(first.stream.send_encoded(var_to_bytes("l".repeat(200_000))).ok, "sent")
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return not first.ends.is_empty() and not second.ends.is_empty())
	for end: VarBytesResult in first.ends + second.ends:
		check(end.fault == &"disconnected" and end.message.contains("WebSocket close code 1009"), "%s" % end)
	return true


func _senders_in_multiplayer() -> bool:
	var server := ENetMultiplayerPeer.new()
	var port: int = 0
	for attempt: int in 20:
		port = randi_range(20_000, 60_000)
		if server.create_server(port) == OK:
			break
	var ours := StreamLog.new(server)
	var senders: Array = []
	ours.stream.received.connect(func(_result: VarBytesResult) -> void: senders.append(ours.stream.sender))
	var clients: Array[ENetMultiplayerPeer] = []
	var logs: Array[StreamLog] = []
	for index: int in 2:
		var client := ENetMultiplayerPeer.new()
		client.create_client("127.0.0.1", port)
		client.set_target_peer(MultiplayerPeer.TARGET_PEER_SERVER)
		clients.append(client)
		logs.append(StreamLog.new(client))
		logs[index].stream.send(client.get_unique_id())
	LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		for client: StreamLog in logs:
			client.stream.poll()
		return ours.results.size() == 2)
	equal(senders, ours.values, "each value is the id of its sender")
	check(senders.size() == 2 and senders[0] != senders[1], "two senders")
	for client: ENetMultiplayerPeer in clients:
		client.close()
	server.close()
	ours.release()
	return true


## The client's values wait until the server reads. One that the peer cannot take at all is refused.
func _a_slow_server_of_web_sockets() -> bool:
	var server := WebSocketMultiplayerPeer.new()
	var port: int = 0
	for attempt: int in 20:
		port = randi_range(20_000, 60_000)
		if server.create_server(port) == OK:
			break
	var client := WebSocketMultiplayerPeer.new()
	client.create_client("ws://127.0.0.1:%d" % port)
	client.set_target_peer(MultiplayerPeer.TARGET_PEER_SERVER)
	var ours := StreamLog.new(client)
	var theirs := StreamLog.new(server)
	var value: String = "x".repeat(40_000)
	check(ours.stream.send(value).ok, "sent before the connection is there")
	check(_until_received(ours, theirs, 1), "it arrives")
	var sent: int = 1
	var result: VarBytesResult = null
	for turn: int in 400:
		result = ours.stream.send(value)
		if not result.ok:
			break
		sent += 1
	equal(result.fault, "queue_full", "the fault")
	check(_until_received(ours, theirs, sent), "%d of %d values arrive" % [theirs.values.size(), sent])
	for stream: VarBytesStream in [ours.stream, theirs.stream]:
		result = stream.send("x".repeat(70_000))
		equal([result.error, result.fault], [VarBytesResult.LIMIT, "packet_too_long"], "a long value: %s" % result.message)
	client.close()
	server.close()
	return true


func _until_received(ours: StreamLog, theirs: StreamLog, count: int) -> bool:
	return LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		theirs.stream.poll()
		return theirs.values.size() == count)


func _a_packet_that_is_too_long_for_dtls() -> bool:
	var crypto := Crypto.new()
	var key: CryptoKey = crypto.generate_rsa(2048)
	var certificate: X509Certificate = crypto.generate_self_signed_certificate(key, "CN=localhost")
	var server := UDPServer.new()
	server.listen(0, "127.0.0.1")
	var secure := DTLSServer.new()
	secure.setup(TLSOptions.server(key, certificate))
	var udp := PacketPeerUDP.new()
	udp.connect_to_host("127.0.0.1", server.get_local_port())
	var peer := PacketPeerDTLS.new()
	peer.connect_to_peer(udp, "localhost", TLSOptions.client_unsafe(certificate))
	var others: Array[PacketPeerDTLS] = []
	var connected: bool = LocalConnection.wait_until(func() -> bool:
		peer.poll()
		server.poll()
		if server.is_connection_available():
			var other: PacketPeerDTLS = secure.take_connection(server.take_connection())
			if other.get_status() == PacketPeerDTLS.STATUS_HANDSHAKING:
				others.append(other)
		for other: PacketPeerDTLS in others:
			other.poll()
		return peer.get_status() == PacketPeerDTLS.STATUS_CONNECTED)
	if not check(connected, "no connection"):
		return true
	var stream := VarBytesStream.over(peer)
	var bytes := PackedByteArray()
	bytes.resize(16_384 - 4)
	var refused: VarBytesResult = stream.send(bytes)
	equal([refused.error, refused.fault], [VarBytesResult.LIMIT, "packet_too_long"], "one more than fits: %s" % refused.message)
	bytes.resize(16_384 - 8)
	check(stream.send(bytes).ok and stream.send("after").ok, "as many as fit, and a value after it")
	check(stream.is_open() and peer.get_status() == PacketPeerDTLS.STATUS_CONNECTED, "the connection stays")
	return true
