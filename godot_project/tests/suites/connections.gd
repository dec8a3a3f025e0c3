extends "res://tests/suite.gd"
## VarBytesStream over real connections: values arrive whatever the pieces are, and malicious or failing peers cannot block,
## crash or print. `cargo package-addon --test` also checks that this suite prints nothing.

const LocalConnection := preload("res://tests/local_connection.gd")

const SAMPLES: Array = [null, {"name": "Ann", "level": 7}, "text", [1, 2.5, Vector3(1, 2, 3)]]
const NO_LENGTH: PackedByteArray = [0xFF, 0xFF, 0xFF, 0xFF]


## Records what a stream emits.
class Log:
	var stream: VarBytesStream
	var results: Array[VarBytesResult] = []
	var ends: Array[VarBytesResult] = []
	var values: Array:
		get:
			return results.filter(func(result: VarBytesResult) -> bool: return result.ok).map(
					func(result: VarBytesResult) -> Variant: return result.value)

	func _init(peer: RefCounted, options: VarBytesOptions = null) -> void:
		stream = VarBytesStream.over(peer, options)
		stream.received.connect(results.append)
		stream.broken.connect(ends.append)

	func faults() -> Array:
		return ends.map(func(result: VarBytesResult) -> String: return result.fault)

	## Polls until there are that many results and ends. Returns whether there are exactly as many.
	func until(count: int, end_count: int = 0) -> bool:
		LocalConnection.wait_until(func() -> bool:
			stream.poll()
			return results.size() >= count and ends.size() >= end_count)
		return results.size() == count and ends.size() == end_count


func run() -> bool:
	for part: Callable in [
		_values_go_both_ways.bind(false), _values_go_both_ways.bind(true), _one_byte_a_frame, _a_length_that_no_engine_writes,
		_a_record_that_is_too_long, _silence_within_a_record, _silence_between_records, _slow_bytes_are_no_silence,
		_the_peer_closes_within_a_record, _the_peer_closes_between_records, _a_budget_for_a_frame, _small_values_count_more,
		_a_record_larger_than_the_budget, _no_memory_for_bytes_that_are_announced, _a_malformed_value_in_a_whole_record,
		_options_apply_to_the_next_value, _nothing_after_broken, _a_handler_that_polls, _a_handler_that_closes, _a_handler_that_drops,
		_a_handler_that_disconnects, _a_handler_that_answers, _a_queue_for_a_slow_reader, _values_wait_for_the_connection,
		_a_value_that_cannot_be_encoded, _buffers, _compressed, _encrypted, _not_connected, _udp, _udp_of_anyone, _packet_streams,
		_web_sockets, _senders_in_multiplayer, _no_peer, _properties,
	]:
		# A script error ends a part early, so it does not return true.
		check(part.call() == true, "%s did not finish" % part.get_method())
	return true


func _values_go_both_ways(big_endian: bool) -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	for end: StreamPeerTCP in ends:
		end.big_endian = big_endian
	var ours := Log.new(ends[0])
	for value: Variant in SAMPLES:
		ends[1].put_var(value)
		check(ours.stream.send(value).ok, "sent")
	check(ours.until(SAMPLES.size()), "all values arrive")
	equal(ours.values, SAMPLES, "the engine's values")
	for value: Variant in SAMPLES:
		equal(ends[1].get_var(), value, "a value for the engine")
	var sent: VarBytesResult = ours.stream.send("text")
	equal([sent.value, sent.bytes_used], [null, 12], "the result of sending")
	return true


func _one_byte_a_frame() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	var complete: int = 0
	for value: Variant in SAMPLES:
		var record: PackedByteArray = _record(value)
		for index: int in record.size():
			ends[1].put_u8(record[index])
			LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() > 0)
			equal(ours.results.size(), complete, "values before byte %d" % index)
			ours.stream.poll()
		complete += 1
	equal(ours.values, SAMPLES, "the values")
	check(ours.ends.is_empty() and ours.stream.is_open(), "the connection stays")
	return true


func _a_length_that_no_engine_writes() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ends[1].put_data(_record("before") + NO_LENGTH + _record("after"))
	check(ours.until(1, 1), "one value and the end")
	equal([ours.values, ours.faults(), ours.ends[0].error], [["before"], ["record_length"], VarBytesResult.MALFORMED], "the end")
	equal(ends[0].get_status(), StreamPeerTCP.STATUS_CONNECTED, "the peer is not closed")
	return true


func _a_record_that_is_too_long() -> bool:
	for size: int in [65_536, 65_540]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := Log.new(ends[0])
		var value: String = "x".repeat(size - 8)
		ends[1].put_var(value)
		check(ours.until(int(size == 65_536), int(size != 65_536)), "%d bytes" % size)
		equal(ours.faults(), [] if size == 65_536 else ["record_too_long"], "a record of %d bytes" % size)
	var options := VarBytesOptions.new()
	options.max_memory = 100
	var pair: Array[StreamPeerTCP] = LocalConnection.tcp()
	var limited := Log.new(pair[0], options)
	pair[1].put_32(10_000)
	check(limited.until(0, 1) and limited.ends[0].message.contains("max_memory"), "the options limit it too")
	return true


func _silence_within_a_record() -> bool:
	for size: int in [1, 3, 4, 9]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := Log.new(ends[0])
		ours.stream.idle_timeout = 0.05
		ends[1].put_data(_record("a text").slice(0, size))
		LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() > 0)
		ours.stream.poll()
		check(ours.ends.is_empty(), "not at once")
		OS.delay_msec(60)
		ours.stream.poll()
		equal(ours.faults(), ["timed_out"], "after %d bytes" % size)
	return true


func _silence_between_records() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.idle_timeout = 0.02
	for turn: int in 3:
		OS.delay_msec(30)
		ours.stream.poll()
		ends[1].put_var(turn)
		check(ours.until(turn + 1), "value %d" % turn)
	check(ours.ends.is_empty(), "silence between values is allowed")
	return true


func _slow_bytes_are_no_silence() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.idle_timeout = 0.5
	# Even if this side does not poll for longer than the time-out.
	ends[1].put_data(_record("a text").slice(0, 5))
	LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() > 0)
	ours.stream.poll()
	ends[1].put_u8(0)
	OS.delay_msec(600)
	ours.stream.poll()
	check(ours.ends.is_empty(), "bytes that waited are progress")
	return true


func _the_peer_closes_within_a_record() -> bool:
	for size: int in [1, 4, 9]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := Log.new(ends[0])
		ends[1].put_data(_record("before") + _record("after").slice(0, size))
		ends[1].disconnect_from_host()
		check(ours.until(1, 1), "one value and the end")
		equal([ours.values, ours.faults(), ours.ends[0].error], [["before"], ["stream_ended"], VarBytesResult.TRUNCATED], "the end")
	return true


func _the_peer_closes_between_records() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	for value: Variant in SAMPLES:
		ends[1].put_var(value)
	ends[1].disconnect_from_host()
	check(ours.until(SAMPLES.size(), 1), "all values and the end")
	equal([ours.values, ours.faults(), ours.ends[0].error], [SAMPLES, ["disconnected"], VarBytesResult.STREAM], "the end")
	return true


func _a_budget_for_a_frame() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.bytes_per_poll = 10_000
	var value: String = "x".repeat(988)
	for turn: int in 100:
		ends[1].put_var(value)
	var most: int = 0
	LocalConnection.wait_until(func() -> bool:
		var before: int = ours.results.size()
		ours.stream.poll()
		most = maxi(most, ours.results.size() - before)
		return ours.results.size() == 100)
	equal(ours.values.count(value), 100, "all values")
	check(ours.results.size() == 100, "all results")
	return check(_most_in_a_poll(value, 100, 10_000) <= 10, "at most 10 values in a poll")


func _small_values_count_more() -> bool:
	return check(_most_in_a_poll(null, 1000, 6400) <= 100, "at most 100 nulls in a poll")


## Returns the largest number of values in one poll.
func _most_in_a_poll(value: Variant, count: int, budget: int) -> int:
	var buffer := StreamPeerBuffer.new()
	for turn: int in count:
		buffer.put_var(value)
	buffer.seek(0)
	var ours := Log.new(buffer)
	ours.stream.bytes_per_poll = budget
	var most: int = 0
	for poll: int in count:
		var before: int = ours.results.size()
		ours.stream.poll()
		most = maxi(most, ours.results.size() - before)
	equal(ours.results.size(), count, "all values")
	return most


func _a_record_larger_than_the_budget() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.bytes_per_poll = 1000
	ours.stream.idle_timeout = 1.0
	var value: String = "y".repeat(50_000)
	ends[1].put_var(value)
	ends[1].put_var("after")
	check(ours.until(2), "two values")
	equal(ours.values, [value, "after"], "the values")
	return true


func _no_memory_for_bytes_that_are_announced() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.max_record_size = 1 << 30
	ends[1].put_32(1 << 30)
	ends[1].put_32(4)
	LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() == 8)
	var before: int = OS.get_static_memory_usage()
	ours.stream.poll()
	check(ours.ends.is_empty() and OS.get_static_memory_usage() - before < 1 << 20, "memory for 8 bytes")
	return true


func _a_malformed_value_in_a_whole_record() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ends[1].put_data([8, 0, 0, 0, 28, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0])
	ends[1].put_var("after")
	check(ours.until(3), "three results")
	equal(ours.results.map(func(result: VarBytesResult) -> int: return result.error),
			[VarBytesResult.MALFORMED, VarBytesResult.MALFORMED, VarBytesResult.NONE], "the errors")
	check(ours.results[0].can_continue, "the next one can be read")
	equal(ours.values, ["after"], "the value after")
	return true


func _options_apply_to_the_next_value() -> bool:
	var buffer := StreamPeerBuffer.new()
	for turn: int in 3:
		buffer.put_var("text")
	buffer.seek(0)
	var ours := Log.new(buffer)
	ours.stream.received.connect(func(result: VarBytesResult) -> void:
		var options := VarBytesOptions.new()
		options.max_string_length = 3 if result.ok else 4
		ours.stream.options = options)
	ours.stream.poll()
	equal(ours.results.map(func(result: VarBytesResult) -> bool: return result.ok), [true, false, true], "the results")
	_release(ours)
	return true


func _nothing_after_broken() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ends[1].put_data(NO_LENGTH)
	check(ours.until(0, 1), "broken")
	ends[1].put_var("after")
	OS.delay_msec(5)
	for turn: int in 3:
		ours.stream.poll()
	check(not ours.stream.is_open() and ours.results.is_empty() and ours.ends.size() == 1, "broken only once")
	check(ours.stream.send(1).error == VarBytesResult.STREAM, "nothing is sent")
	equal(ends[1].get_available_bytes(), 0, "bytes that were sent")
	return true


func _a_handler_that_polls() -> bool:
	var buffer := _buffer(10)
	var ours := Log.new(buffer)
	var depths: Array[int] = [0, 0]
	ours.stream.received.connect(func(_result: VarBytesResult) -> void:
		depths[0] += 1
		depths[1] = maxi(depths[1], depths[0])
		ours.stream.poll()
		depths[0] -= 1)
	ours.stream.poll()
	equal([ours.values, depths[1]], [range(10), 1], "the values, and how deep the calls were")
	_release(ours)
	return true


func _a_handler_that_closes() -> bool:
	var ours := Log.new(_buffer(10))
	ours.stream.received.connect(func(result: VarBytesResult) -> void:
		if result.value == 3:
			ours.stream.close())
	ours.stream.poll()
	ours.stream.poll()
	equal([ours.values, ours.ends.size(), ours.stream.is_open()], [range(4), 0, false], "what is received before close()")
	_release(ours)
	return true


## The only reference to a stream is dropped while it emits.
func _a_handler_that_drops() -> bool:
	for at_the_end: bool in [false, true]:
		var buffer: StreamPeerBuffer = _buffer(3)
		if at_the_end:
			buffer.data_array = NO_LENGTH
			buffer.seek(0)
		var held: Array[VarBytesStream] = [VarBytesStream.over(buffer)]
		var seen: Array[int] = [0]
		var drop: Callable = func(_result: VarBytesResult) -> void:
			held.clear()
			seen[0] += 1
		held[0].received.connect(drop)
		held[0].broken.connect(drop)
		var kept: WeakRef = weakref(held[0])
		held[0].poll()
		check(seen[0] >= 1, "the handler ran")
		check(kept.get_ref() == null, "the stream is freed")
	return true


func _a_handler_that_disconnects() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.received.connect(func(_result: VarBytesResult) -> void: ends[0].disconnect_from_host())
	ends[1].put_data(_record(1) + _record(2) + _record(3))
	check(ours.until(1, 1), "one value and the end")
	equal([ours.values, ours.faults()], [[1], ["disconnected"]], "what is received")
	return true


func _a_handler_that_answers() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	ours.stream.received.connect(func(result: VarBytesResult) -> void: ours.stream.send([result.value]))
	for turn: int in 5:
		ends[1].put_var(turn)
	check(ours.until(5), "five values")
	for turn: int in 5:
		equal(ends[1].get_var(), [turn], "the answer")
	_release(ours)
	return true


## The other side reads nothing: values wait up to a limit, and arrive whole and in order once it reads.
func _a_queue_for_a_slow_reader() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := Log.new(ends[0])
	var theirs := Log.new(ends[1])
	theirs.stream.max_record_size = 1 << 20
	theirs.stream.bytes_per_poll = 1 << 20
	var sent: Array = []
	var result: VarBytesResult = null
	for turn: int in 1000:
		var value: Array = [turn, "z".repeat(100_000 + turn)]
		result = ours.stream.send(value)
		if not result.ok:
			break
		sent.append(value)
	check(result.error == VarBytesResult.LIMIT and result.fault == &"queue_full", "the queue is full: %s" % result.message)
	var queued: int = ours.stream.get_queued_bytes()
	check(queued > 800_000 and queued <= 1 << 20, "%d bytes are waiting" % queued)
	LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		theirs.stream.poll()
		return theirs.results.size() == sent.size())
	equal(ours.stream.get_queued_bytes(), 0, "the bytes that are still waiting")
	check(theirs.values == sent, "%d values arrive in order" % sent.size())
	check(ours.stream.is_open() and ours.stream.send("after").ok, "the connection can still be used")
	return true


func _values_wait_for_the_connection() -> bool:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var client := StreamPeerTCP.new()
	client.connect_to_host("127.0.0.1", server.get_local_port())
	var ours := Log.new(client)
	check(ours.stream.send("first").ok, "sent before the connection is there")
	var other: Array[StreamPeerTCP] = []
	LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		if server.is_connection_available():
			other.append(server.take_connection())
		return not other.is_empty() and ours.stream.get_queued_bytes() == 0)
	equal(other[0].get_var(), "first", "the value")
	check(ours.ends.is_empty(), "a connection that is not there yet is not broken")
	return true


func _a_value_that_cannot_be_encoded() -> bool:
	var buffer := StreamPeerBuffer.new()
	var stream: VarBytesStream = VarBytesStream.over(buffer)
	var endless: Array = []
	endless.append(endless)
	check(stream.send(endless).error == VarBytesResult.LIMIT and buffer.get_size() == 0, "nothing is sent")
	endless.clear()
	return true


func _buffers() -> bool:
	var buffer := StreamPeerBuffer.new()
	var stream: VarBytesStream = VarBytesStream.over(buffer)
	for value: Variant in SAMPLES:
		stream.send(value)
	buffer.seek(0)
	var ours := Log.new(buffer)
	for turn: int in 3:
		ours.stream.poll()
	equal(ours.values, SAMPLES, "the values")
	check(ours.ends.is_empty(), "the end of a buffer is not the end of the stream")
	return true


func _compressed() -> bool:
	var packer := StreamPeerGZIP.new()
	packer.start_compression(false, 1 << 20)
	var sender: VarBytesStream = VarBytesStream.over(packer)
	for value: Variant in SAMPLES:
		check(sender.send(value).ok, "sent")
	packer.finish()
	var packed: PackedByteArray = packer.get_data(packer.get_available_bytes())[1]
	var opener := StreamPeerGZIP.new()
	opener.start_decompression(false, 1 << 20)
	var ours := Log.new(opener)
	for byte: int in packed:
		opener.put_u8(byte)
		ours.stream.poll()
	for turn: int in 3:
		ours.stream.poll()
	equal(ours.values, SAMPLES, "the values")
	check(ours.ends.is_empty(), "more may come")
	return true


func _encrypted() -> bool:
	var crypto := Crypto.new()
	var key: CryptoKey = crypto.generate_rsa(2048)
	var certificate: X509Certificate = crypto.generate_self_signed_certificate(key, "CN=localhost")
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var theirs := StreamPeerTLS.new()
	var ours := StreamPeerTLS.new()
	theirs.accept_stream(ends[1], TLSOptions.server(key, certificate))
	ours.connect_to_stream(ends[0], "localhost", TLSOptions.client_unsafe(certificate))
	var first := Log.new(ours)
	var second := Log.new(theirs)
	for value: Variant in SAMPLES:
		check(first.stream.send(value).ok and second.stream.send(value).ok, "sent before the handshake")
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return first.results.size() == SAMPLES.size() and second.results.size() == SAMPLES.size())
	equal([first.values, second.values], [SAMPLES, SAMPLES], "the values of both sides")
	theirs.disconnect_from_stream()
	second.stream.poll()
	equal(second.faults(), ["disconnected"], "this side has closed it")
	check(first.until(SAMPLES.size(), 1), "the other side notices")
	return true


func _not_connected() -> bool:
	for peer: RefCounted in [
		StreamPeerTCP.new(), StreamPeerTLS.new(), PacketPeerUDP.new(), PacketPeerDTLS.new(), WebSocketPeer.new(),
		ENetMultiplayerPeer.new(), WebSocketMultiplayerPeer.new(),
	]:
		var ours := Log.new(peer)
		check(ours.stream.send(1).error == VarBytesResult.STREAM, "%s: send" % peer.get_class())
		ours.stream.poll()
		ours.stream.poll()
		equal(ours.faults(), ["disconnected"], peer.get_class())
	return true


func _udp() -> bool:
	var theirs := PacketPeerUDP.new()
	var ours := PacketPeerUDP.new()
	check(theirs.bind(0, "127.0.0.1") == OK and ours.bind(0, "127.0.0.1") == OK, "bound")
	theirs.set_dest_address("127.0.0.1", ours.get_local_port())
	ours.set_dest_address("127.0.0.1", theirs.get_local_port())
	var receiver := Log.new(ours)
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
	var ours := Log.new(udp)
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
	var ours := Log.new(packets)
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
	var first := Log.new(client)
	var second := Log.new(accepted)
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
	LocalConnection.wait_until(func() -> bool:
		first.stream.poll()
		second.stream.poll()
		return not first.ends.is_empty() and not second.ends.is_empty())
	equal([first.faults(), second.faults()], [["disconnected"], ["disconnected"]], "both ends")
	return true


func _senders_in_multiplayer() -> bool:
	var server := ENetMultiplayerPeer.new()
	var port: int = 0
	for attempt: int in 20:
		port = randi_range(20_000, 60_000)
		if server.create_server(port) == OK:
			break
	var ours := Log.new(server)
	var senders: Array = []
	ours.stream.received.connect(func(_result: VarBytesResult) -> void: senders.append(ours.stream.sender))
	var clients: Array[ENetMultiplayerPeer] = []
	var logs: Array[Log] = []
	for index: int in 2:
		var client := ENetMultiplayerPeer.new()
		client.create_client("127.0.0.1", port)
		client.set_target_peer(MultiplayerPeer.TARGET_PEER_SERVER)
		clients.append(client)
		logs.append(Log.new(client))
		logs[index].stream.send(client.get_unique_id())
	LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		for client: Log in logs:
			client.stream.poll()
		return ours.results.size() == 2)
	equal(senders, ours.values, "each value is the id of its sender")
	check(senders.size() == 2 and senders[0] != senders[1], "two senders")
	for client: ENetMultiplayerPeer in clients:
		client.close()
	server.close()
	_release(ours)
	return true


func _no_peer() -> bool:
	equal(VarBytesStream.over(null), null, "over nothing")
	equal(VarBytesStream.over(RefCounted.new()), null, "over something else")
	return true


func _properties() -> bool:
	var buffer := StreamPeerBuffer.new()
	var options := VarBytesOptions.new()
	var stream: VarBytesStream = VarBytesStream.over(buffer, options)
	check(stream.peer == buffer and stream.options == options, "the arguments")
	for property: String in ["bytes_per_poll", "max_record_size", "max_queued_bytes"]:
		stream.set(property, -5)
		equal(stream.get(property), 1, property)
	for seconds: float in [NAN, INF, -1.0]:
		stream.idle_timeout = seconds
		stream.poll()
	check(stream.is_open(), "a time-out that is no time is none")
	return true


static func _record(value: Variant) -> PackedByteArray:
	var buffer := StreamPeerBuffer.new()
	buffer.put_var(value)
	return buffer.data_array


## Returns a stream with the numbers below `count`.
static func _buffer(count: int) -> StreamPeerBuffer:
	var buffer := StreamPeerBuffer.new()
	for value: int in count:
		buffer.put_var(value)
	buffer.seek(0)
	return buffer


## A function that refers to the stream, connected to it, keeps it.
static func _release(ours: Log) -> void:
	for connection: Dictionary in ours.stream.received.get_connections():
		ours.stream.received.disconnect(connection.callable)
