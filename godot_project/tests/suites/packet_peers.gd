extends "res://tests/suite.gd"
## VarBytesStream over peers of packets. `cargo package-addon --test` also checks that this suite prints nothing.

const LocalConnection := preload("res://tests/local_connection.gd")
const StreamLog := preload("res://tests/stream_log.gd")


func run() -> bool:
	await run_parts([
		_udp, _udp_of_anyone, _packet_streams, _web_sockets, _senders_in_multiplayer,
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
	equal(VarBytesStream.over(PacketPeerStream.new()), null, "without a stream")
	return true


func _web_sockets() -> bool:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var client := WebSocketPeer.new()
	client.connect_to_url("ws://127.0.0.1:%d" % server.get_local_port())
	LocalConnection.wait_until(func() -> bool:
		client.poll()
		return server.is_connection_available())
	var accepted := WebSocketPeer.new()
	accepted.accept_stream(server.take_connection())
	var first := StreamLog.new(client)
	var second := StreamLog.new(accepted)
	var long: String = "l".repeat(40_000)
	var values: Array = SAMPLES + [long, long, long]
	for value: Variant in values:
		check(first.stream.send(value).ok, "sent before the connection is there")
	var too_long: VarBytesResult = first.stream.send(long + long)
	check(too_long.fault == &"packet_too_long", "longer than the peer's buffer: %s" % too_long.message)
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return second.results.size() >= values.size())
	equal(second.values, values, "the values")
	check(second.stream.send("answer").ok, "answered")
	check(first.until(1), "the answer arrives")
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
