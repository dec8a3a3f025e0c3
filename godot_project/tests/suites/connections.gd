extends "res://tests/suite.gd"
## VarBytesStream over connections of bytes: values arrive whatever the pieces are, and malicious or failing peers cannot block,
## crash or print. `cargo package-addon --test` also checks that this suite prints nothing.

const LocalConnection := preload("res://tests/local_connection.gd")
const StreamLog := preload("res://tests/stream_log.gd")

var _counted: int = 0


func run() -> bool:
	await run_parts([
		_values_go_both_ways.bind(false), _values_go_both_ways.bind(true), _one_byte_a_frame, _a_length_that_no_engine_writes,
		_a_record_that_is_too_long, _silence_within_a_record, _silence_between_records, _slow_bytes_are_no_silence,
		_the_peer_closes_within_a_record, _the_peer_closes_between_records,
		_what_has_arrived_is_received_after_a_reset, _a_last_value_before_closing, _what_has_arrived_is_received_while_this_side_sends,
		_a_peer_that_is_connected_again.bind(false), _a_peer_that_is_connected_again.bind(true), _a_backlog_does_not_stop_sending, _a_budget_for_a_frame, _small_values_count_more,
		_a_record_larger_than_the_budget, _no_memory_for_bytes_that_are_announced,
		_a_malformed_value_in_a_whole_record, _nothing_after_broken, _a_queue_for_a_slow_reader, _values_wait_for_the_connection,
		_a_value_that_cannot_be_encoded, _a_value_that_is_encoded_already, _buffers, _compressed, _encrypted, _two_threads, _closed_by_another_thread, _not_connected,
		_a_connection_that_is_not_made,
		_a_connection_that_is_refused, _no_peer, _properties,
	])
	return true


func _values_go_both_ways(big_endian: bool) -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	for end: StreamPeerTCP in ends:
		end.big_endian = big_endian
	var ours := StreamLog.new(ends[0])
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
	var ours := StreamLog.new(ends[0])
	var complete: int = 0
	for value: Variant in SAMPLES:
		var record: PackedByteArray = StreamLog.record(value)
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
	var ours := StreamLog.new(ends[0])
	ends[1].put_data(StreamLog.record("before") + StreamLog.NO_LENGTH + StreamLog.record("after"))
	check(ours.until(1, 1), "one value and the end")
	equal([ours.values, ours.faults(), ours.ends[0].error], [["before"], ["record_length"], VarBytesResult.MALFORMED], "the end")
	equal(ends[0].get_status(), StreamPeerTCP.STATUS_CONNECTED, "the peer is not closed")
	return true


func _a_record_that_is_too_long() -> bool:
	for size: int in [65_536, 65_540]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := StreamLog.new(ends[0])
		var value: String = "x".repeat(size - 8)
		ends[1].put_var(value)
		check(ours.until(int(size == 65_536), int(size != 65_536)), "%d bytes" % size)
		equal(ours.faults(), [] if size == 65_536 else ["record_too_long"], "a record of %d bytes" % size)
	for sent: PackedByteArray in [PackedByteArray([0, 0, 0, 12]), "GET / HTTP/1.1".to_ascii_buffer()]:
		var pair: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := StreamLog.new(pair[0])
		pair[1].put_data(sent)
		var reason: String = "it has 12 bytes in the other byte order" if sent[0] == 0 else "begin with the text \"GET \""
		check(ours.until(0, 1) and ours.ends[0].message.contains(reason), str(ours.ends))
	var options := VarBytesOptions.new()
	options.max_memory = 100
	var pair: Array[StreamPeerTCP] = LocalConnection.tcp()
	var limited := StreamLog.new(pair[0], options)
	pair[1].put_32(10_000)
	check(limited.until(0, 1) and limited.ends[0].message.contains("max_memory"), "the options limit it too")
	return true


func _silence_within_a_record() -> bool:
	for size: int in [1, 3, 4, 9]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := StreamLog.new(ends[0])
		ours.stream.idle_timeout = 0.05
		ends[1].put_data(StreamLog.record("a text").slice(0, size))
		LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() > 0)
		ours.stream.poll()
		check(ours.ends.is_empty(), "not at once")
		OS.delay_msec(60)
		ours.stream.poll()
		equal(ours.faults(), ["timed_out"], "after %d bytes" % size)
	return true


func _silence_between_records() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
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
	var ours := StreamLog.new(ends[0])
	ours.stream.idle_timeout = 0.5
	# Even if this side does not poll for longer than the time-out.
	ends[1].put_data(StreamLog.record("a text").slice(0, 5))
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
		var ours := StreamLog.new(ends[0])
		ends[1].put_data(StreamLog.record("before") + StreamLog.record("after").slice(0, size))
		ends[1].disconnect_from_host()
		check(ours.until(1, 1), "one value and the end")
		equal([ours.values, ours.faults(), ours.ends[0].error], [["before"], ["stream_ended"], VarBytesResult.TRUNCATED], "the end")
	return true


func _the_peer_closes_between_records() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	for value: Variant in SAMPLES:
		ends[1].put_var(value)
	ends[1].disconnect_from_host()
	check(ours.until(SAMPLES.size(), 1), "all values and the end")
	equal([ours.values, ours.faults(), ours.ends[0].error], [SAMPLES, ["disconnected"], VarBytesResult.STREAM], "the end")
	return true


## The other side closes without reading, so its system resets the connection.
func _what_has_arrived_is_received_after_a_reset() -> bool:
	for sends_after: bool in [false, true]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var ours := StreamLog.new(ends[0])
		if not sends_after:
			ours.stream.send("unread")
			LocalConnection.wait_until(func() -> bool: return ends[1].get_available_bytes() > 0)
		ends[1].put_var("kicked")
		ends[1].disconnect_from_host()
		LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() > 0)
		for turn: int in 3 * int(sends_after):
			ours.stream.send("too late")
			OS.delay_msec(2)
		check(ours.until(1, 1), "one value and the end")
		equal([ours.values, ours.faults()], [["kicked"], ["disconnected"]], "sends after it %s" % sends_after)
	return true


## Bytes that have arrived and were not read make a value wait, which a handler cannot change.
func _a_last_value_before_closing() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	var theirs := StreamLog.new(ends[1])
	for value: String in ["first", "second"]:
		ours.stream.send(value)
	LocalConnection.wait_until(func() -> bool: return ends[1].get_available_bytes() == 2 * StreamLog.record("first").size() + 4)
	check(theirs.stream.send("kicked").ok and theirs.stream.get_queued_bytes() > 0, "it waits")
	theirs.stream.close()
	ends[1].disconnect_from_host()
	check(ours.until(1, 1), "one value and the end")
	equal(ours.values, ["kicked"], "what was sent before closing")
	return true


## More has arrived than the budget allows, and this side sends in each frame to a connection that is closed.
func _what_has_arrived_is_received_while_this_side_sends() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	var value: String = "x".repeat(4992)
	for turn: int in 30:
		ends[1].put_var(value)
	LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() == 30 * 5004)
	ends[1].disconnect_from_host()
	LocalConnection.wait_until(func() -> bool:
		ours.stream.poll()
		ours.stream.send("answer")
		return not ours.ends.is_empty())
	equal([ours.results.size(), ours.faults()], [30, ["disconnected"]], "the values and the end")
	return true


## The bytes of one connection are not continued with those of the next one.
func _a_peer_that_is_connected_again(polls_meanwhile: bool) -> bool:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var client := StreamPeerTCP.new()
	var other: StreamPeerTCP = LocalConnection.to_server(client, server)
	var ours := StreamLog.new(client)
	other.put_data(StreamLog.record("a text").slice(0, 6))
	LocalConnection.wait_until(func() -> bool: return client.get_available_bytes() == 6)
	ours.stream.poll()
	client.disconnect_from_host()
	if polls_meanwhile:
		client.connect_to_host("127.0.0.1", server.get_local_port())
		ours.stream.poll()
		equal(ours.faults(), ["stream_ended"], "the fault while it connects")
		client.disconnect_from_host()
		server.take_connection()
	other = LocalConnection.to_server(client, server)
	other.put_var("after")
	check(ours.until(0, 1), "broken")
	equal([ours.faults(), ours.stream.send(1).error], [["stream_ended"], VarBytesResult.STREAM], "the fault")
	var next := StreamLog.new(client)
	check(next.until(1), "a new stream")
	equal(next.values, ["after"], "receives the value")
	return true


## The other side sends more in each frame than this side receives.
func _a_backlog_does_not_stop_sending() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	ours.stream.bytes_per_poll = 500
	var value: String = "x".repeat(992)
	for turn: int in 100:
		ends[1].put_var(value)
	LocalConnection.wait_until(func() -> bool: return ends[0].get_available_bytes() == 100 * 1004)
	check(ours.stream.send("answer").ok, "sent")
	for turn: int in 20:
		ours.stream.poll()
	check(ends[0].get_available_bytes() > 0, "more is there")
	LocalConnection.wait_until(func() -> bool: return ends[1].get_available_bytes() > 0)
	equal(ends[1].get_var(), "answer", "what this side sends")
	return true


func _a_budget_for_a_frame() -> bool:
	check(_most_in_a_poll("x".repeat(988), 100, 10_000) <= 10, "at most 10 values in a poll")
	return true


func _small_values_count_more() -> bool:
	check(_most_in_a_poll(null, 1000, 6400) <= 100, "at most 100 nulls in a poll")
	return true


## Returns the largest number of values in one poll.
func _most_in_a_poll(value: Variant, count: int, budget: int) -> int:
	var buffer := StreamPeerBuffer.new()
	for turn: int in count:
		buffer.put_var(value)
	buffer.seek(0)
	var ours := StreamLog.new(buffer)
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
	var ours := StreamLog.new(ends[0])
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
	var ours := StreamLog.new(ends[0])
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
	var ours := StreamLog.new(ends[0])
	ends[1].put_data([8, 0, 0, 0, 28, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0])
	ends[1].put_var("after")
	check(ours.until(3), "three results")
	equal(ours.results.map(func(result: VarBytesResult) -> int: return result.error),
			[VarBytesResult.MALFORMED, VarBytesResult.MALFORMED, VarBytesResult.NONE], "the errors")
	check(ours.results[0].can_continue, "the next one can be read")
	equal(ours.values, ["after"], "the value after")
	return true


func _nothing_after_broken() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	ends[1].put_data(StreamLog.NO_LENGTH)
	check(ours.until(0, 1), "broken")
	ends[1].put_var("after")
	OS.delay_msec(5)
	for turn: int in 3:
		ours.stream.poll()
	check(not ours.stream.is_open() and ours.results.is_empty() and ours.ends.size() == 1, "broken only once")
	check(ours.stream.send(1).error == VarBytesResult.STREAM, "nothing is sent")
	equal(ends[1].get_available_bytes(), 0, "bytes that were sent")
	return true


## The other side reads nothing: values wait up to a limit, and arrive whole and in order once it reads.
func _a_queue_for_a_slow_reader() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	var theirs := StreamLog.new(ends[1])
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
	var ours := StreamLog.new(client)
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


func _a_value_that_is_encoded_already() -> bool:
	for big_endian: bool in [false, true]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		for end: StreamPeerTCP in ends:
			end.big_endian = big_endian
		var stream := VarBytesStream.over(ends[0])
		for value: Variant in SAMPLES:
			var sent: VarBytesResult = stream.send_encoded(var_to_bytes(value))
			check(sent.ok and sent.value == null and sent.bytes_used == var_to_bytes(value).size(), "%s" % sent)
			equal(ends[1].get_var(), value, "a value for the engine")
		equal(stream.send_encoded(PackedByteArray([1, 0, 0])).error, VarBytesResult.INVALID_ARGUMENT, "no value")
		stream.max_queued_bytes = 20
		var refused: VarBytesResult = stream.send_encoded(var_to_bytes("a long text"))
		check(refused.fault == &"queue_full" and refused.message.contains("raise it"), "%s" % refused)
		stream.close()
		equal(stream.send_encoded(var_to_bytes(1)).error, VarBytesResult.STREAM, "closed")
	return true


func _buffers() -> bool:
	var buffer := StreamPeerBuffer.new()
	var stream: VarBytesStream = VarBytesStream.over(buffer)
	for value: Variant in SAMPLES:
		stream.send(value)
	buffer.seek(0)
	var ours := StreamLog.new(buffer)
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
	var ours := StreamLog.new(opener)
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
	var first := StreamLog.new(ours)
	var second := StreamLog.new(theirs)
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


## One thread polls, the other one sends and reads the properties. Not in the editor, where only one thread may create results.
func _two_threads() -> bool:
	if Engine.is_editor_hint():
		return true
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	var theirs := StreamLog.new(ends[1])
	var stop: Array[bool] = [false]
	var thread := Thread.new()
	thread.start(func() -> void:
		while not stop[0]:
			ours.stream.poll())
	for turn: int in 500:
		check(ours.stream.send(turn).ok, "sent")
		ours.stream.max_record_size = 1000 + turn
		check(ours.stream.get_queued_bytes() >= 0 and ours.stream.max_record_size == 1000 + turn, "a property")
		check(theirs.stream.send(-turn).ok, "sent by the other side")
		theirs.stream.poll()
	LocalConnection.wait_until(func() -> bool:
		theirs.stream.poll()
		return theirs.results.size() == 500)
	stop[0] = true
	thread.wait_to_finish()
	check(ours.until(500), "all values")
	equal([theirs.values, ours.values], [range(500), range(0, -500, -1)], "the values of both sides")
	ends[1].put_var("after")
	check(ours.until(501) and ours.stream.send(1).ok, "this thread can use it alone")
	return true


func _count(_result: VarBytesResult) -> void:
	_counted += 1


## The engine does not lock the signals of this class: to disconnect a function while another thread emits would end the process.
func _closed_by_another_thread() -> bool:
	if Engine.is_editor_hint():
		return true
	var bytes: PackedByteArray = StreamLog.buffer(300).data_array
	var begin := Semaphore.new()
	var end := Semaphore.new()
	var shared: Array[VarBytesStream] = [null]
	var thread := Thread.new()
	thread.start(func() -> void:
		begin.wait()
		while shared[0] != null:
			shared[0].poll()
			end.post()
			begin.wait())
	var connected: int = 0
	for turn: int in 2000:
		var buffer := StreamPeerBuffer.new()
		buffer.data_array = bytes
		var stream: VarBytesStream = VarBytesStream.over(buffer)
		stream.received.connect(_count)
		shared[0] = stream
		begin.post()
		OS.delay_usec(randi() % 150)
		stream.close()
		end.wait()
		connected += stream.received.get_connections().size()
	shared[0] = null
	begin.post()
	thread.wait_to_finish()
	equal(connected, 0, "functions that are still connected")
	return true


func _not_connected() -> bool:
	for peer: RefCounted in [
		StreamPeerTCP.new(), StreamPeerTLS.new(), PacketPeerUDP.new(), PacketPeerDTLS.new(), WebSocketPeer.new(),
		ENetMultiplayerPeer.new(), WebSocketMultiplayerPeer.new(),
	]:
		var ours := StreamLog.new(peer)
		var sent: VarBytesResult = ours.stream.send(1)
		check(sent.error == VarBytesResult.STREAM and sent.message.contains("connect or bind it first"), "%s: %s" % [peer.get_class(), sent])
		ours.stream.poll()
		ours.stream.poll()
		equal(ours.faults(), ["disconnected"], peer.get_class())
	return true


## A TCP server accepts the connection and says nothing, so the handshake does not end.
func _a_connection_that_is_not_made() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var secure := StreamPeerTLS.new()
	secure.connect_to_stream(ends[0], "localhost")
	var ours := StreamLog.new(secure)
	ours.stream.poll()
	check(ours.ends.is_empty(), "no time-out at first")
	ours.stream.idle_timeout = 0.02
	check(ours.until(0, 1), "the end")
	equal([ours.faults(), ours.stream.is_open()], [["timed_out"], false], "the fault")
	check(ours.ends[0].message.contains("no connection after 0."), ours.ends[0].message)
	return true


func _a_connection_that_is_refused() -> bool:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var port: int = server.get_local_port()
	server.stop()
	var peer := StreamPeerTCP.new()
	peer.connect_to_host("127.0.0.1", port)
	var ours := StreamLog.new(peer)
	check(ours.until(0, 1), "the end")
	equal([ours.faults(), ours.ends[0].message], [["disconnected"], "the peer could not connect, or was disconnected before the next poll"], "the error")
	ours = StreamLog.new(StreamPeerTCP.new())
	check(ours.until(0, 1), "the end")
	equal([ours.faults(), ours.ends[0].message], [["disconnected"], "the peer was not connected: connect or bind it first"], "the error")
	return true


func _no_peer() -> bool:
	equal(VarBytesStream.over(null), null, "over nothing")
	return true


func _properties() -> bool:
	var buffer := StreamPeerBuffer.new()
	var options := VarBytesOptions.new()
	var stream: VarBytesStream = VarBytesStream.over(buffer, options)
	check(stream.peer == buffer and stream.options == options, "the arguments")
	for property: String in ["bytes_per_poll", "max_record_size", "max_queued_bytes"]:
		stream.set(property, 5)
		quietly(func() -> Array:
			stream.set(property, 0)
			return [true])
		equal(stream.get(property), 5, property)
	for seconds: float in [NAN, INF, -1.0]:
		quietly(func() -> Array:
			stream.idle_timeout = seconds
			return [true])
		equal(stream.idle_timeout, 0.0, "a time-out that is no time changes nothing")
	return true
