extends "res://tests/suite.gd"
## Handlers of the signals of a VarBytesStream that use the stream.

const LocalConnection := preload("res://tests/local_connection.gd")
const StreamLog := preload("res://tests/stream_log.gd")


func run() -> bool:
	await run_parts([
		_a_handler_that_polls, _a_handler_that_closes, _a_handler_that_drops, _a_handler_that_keeps_its_stream, _a_handler_that_disconnects,
		_a_handler_that_stops_in_the_middle, _a_handler_that_answers, _options_apply_to_the_next_value,
	])
	return true


func _a_handler_that_polls() -> bool:
	var buffer := StreamLog.buffer(10)
	var ours := StreamLog.new(buffer)
	var depths: Array[int] = [0, 0]
	ours.stream.received.connect(func(_result: VarBytesResult) -> void:
		depths[0] += 1
		depths[1] = maxi(depths[1], depths[0])
		ours.stream.poll()
		depths[0] -= 1)
	ours.stream.poll()
	equal([ours.values, depths[1]], [range(10), 1], "the values, and how deep the calls were")
	ours.release()
	return true


func _a_handler_that_closes() -> bool:
	var ours := StreamLog.new(StreamLog.buffer(10))
	ours.stream.received.connect(func(result: VarBytesResult) -> void:
		if result.value == 3:
			ours.stream.close())
	ours.stream.poll()
	ours.stream.poll()
	equal([ours.values, ours.ends.size(), ours.stream.is_open()], [range(4), 0, false], "what is received before close()")
	ours.release()
	return true


## The only reference to a stream is dropped while it emits.
func _a_handler_that_drops() -> bool:
	for at_the_end: bool in [false, true]:
		var buffer: StreamPeerBuffer = StreamLog.buffer(3)
		if at_the_end:
			buffer.data_array = StreamLog.NO_LENGTH
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


## A server with several clients binds the stream to its handlers. The stream is freed when nothing more is emitted.
func _a_handler_that_keeps_its_stream() -> bool:
	for is_closed: bool in [false, true]:
		var buffer: StreamPeerBuffer = StreamLog.buffer(1)
		buffer.data_array += StreamLog.NO_LENGTH
		var stream: VarBytesStream = VarBytesStream.over(buffer)
		var ends: Array = []
		var handle: Callable = func(result: VarBytesResult, of: VarBytesStream) -> void:
			ends.append(of.is_open())
			if is_closed and result.ok:
				of.close()
		_connect_to_itself(stream, handle)
		stream.poll()
		equal(ends, [true] if is_closed else [true, false], "what the handler saw")
		var kept: WeakRef = weakref(stream)
		stream = null
		check(kept.get_ref() == null, "the stream is freed, closed %s" % is_closed)
	return true


## A function of its own, because GDScript keeps what was used in an expression until the function ends.
func _connect_to_itself(stream: VarBytesStream, handle: Callable) -> void:
	var bound: Callable = handle.bind(stream)
	for turn: int in 2:
		stream.received.connect(bound, Object.CONNECT_REFERENCE_COUNTED)
	stream.broken.connect(bound)


func _a_handler_that_disconnects() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	ours.stream.received.connect(func(_result: VarBytesResult) -> void: ends[0].disconnect_from_host())
	ends[1].put_data(StreamLog.record(1) + StreamLog.record(2) + StreamLog.record(3))
	check(ours.until(1, 1), "one value and the end")
	equal([ours.values, ours.faults()], [[1], ["disconnected"]], "what is received")
	return true


## No more is received than was emitted: the rest is for `take`, another stream, or the methods of the peer.
func _a_handler_that_stops_in_the_middle() -> bool:
	for is_buffer: bool in [false, true]:
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		var bytes: PackedByteArray = StreamLog.record(1) + StreamLog.record(2) + StreamLog.record(3) + StreamLog.record(4)
		var peer: StreamPeer = ends[0]
		if is_buffer:
			peer = StreamPeerBuffer.new()
			peer.data_array = bytes
		else:
			ends[1].put_data(bytes)
			LocalConnection.wait_until(func() -> bool: return peer.get_available_bytes() == bytes.size())
		equal(_first_of(peer), 1, "the first value")
		equal(VarBytesFile.take(peer).value, 2, "what take() receives next")
		equal(_first_of(peer), 3, "what another stream receives next")
		equal(peer.get_var(), 4, "what the peer receives next")
	return true


## Returns what a stream receives that its handler closes.
func _first_of(peer: StreamPeer) -> Variant:
	var ours := StreamLog.new(peer)
	ours.stream.received.connect(func(_result: VarBytesResult) -> void: ours.stream.close())
	ours.stream.poll()
	ours.release()
	return ours.values[0] if ours.values.size() == 1 else ours.values


func _a_handler_that_answers() -> bool:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	var ours := StreamLog.new(ends[0])
	ours.stream.received.connect(func(result: VarBytesResult) -> void: ours.stream.send([result.value]))
	for turn: int in 5:
		ends[1].put_var(turn)
	check(ours.until(5), "five values")
	for turn: int in 5:
		equal(ends[1].get_var(), [turn], "the answer")
	ours.release()
	return true


func _options_apply_to_the_next_value() -> bool:
	var buffer := StreamPeerBuffer.new()
	for turn: int in 3:
		buffer.put_var("text")
	buffer.seek(0)
	var ours := StreamLog.new(buffer)
	ours.stream.received.connect(func(result: VarBytesResult) -> void:
		var options := VarBytesOptions.new()
		options.max_string_length = 3 if result.ok else 4
		ours.stream.options = options)
	ours.stream.poll()
	equal(ours.results.map(func(result: VarBytesResult) -> bool: return result.ok), [true, false, true], "the results")
	ours.release()
	return true
