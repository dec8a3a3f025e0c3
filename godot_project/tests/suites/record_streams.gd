extends "res://tests/suite.gd"
## Records in streams: the same bytes as the engine's methods, in both directions, in memory and over a real connection.
## Missing and malformed data are returned as errors.

const LocalConnection := preload("res://tests/local_connection.gd")
const RandomVariants := preload("res://tests/random_variants.gd")


func run() -> bool:
	await run_parts([
		_same_stream.bind(false), _same_stream.bind(true), _broken_streams, _nothing_is_consumed_of_half_a_record,
		_a_record_that_comes_byte_by_byte, _a_record_larger_than_what_a_connection_holds, _compressed, _ciphered,
		_connection, _a_connection_that_is_made_again,
	])
	return true


func _same_stream(big_endian: bool) -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1) + 2 + int(big_endian)
	var ours := StreamPeerBuffer.new()
	var theirs := StreamPeerBuffer.new()
	ours.big_endian = big_endian
	theirs.big_endian = big_endian
	for index: int in 500:
		var value: Variant = variants.value()
		theirs.put_var(value)
		check(VarBytesFile.put(ours, value).ok, "put")
	check(ours.data_array == theirs.data_array, "the streams are the same")
	ours.seek(0)
	theirs.seek(0)
	for index: int in 500:
		var expected: Variant = ours.get_var()
		var found: VarBytesResult = VarBytesFile.take(theirs)
		check(found.ok, "take: %s" % found.message)
		equal(found.value, expected, "a record of a stream")
	return true


func _broken_streams() -> bool:
	var peer := StreamPeerBuffer.new()
	var whole: PackedByteArray = [8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]
	for size: int in whole.size():
		peer.data_array = whole.slice(0, size)
		peer.seek(0)
		var short: VarBytesResult = VarBytesFile.take(peer)
		check(short.error == VarBytesResult.TRUNCATED and short.fault == &"record_truncated", "%d: %s" % [size, short.message])
		check(not short.can_continue, "%d bytes: the rest is missing" % size)
	for length: int in [-1, 0x7FFF_FFFF, 8 << 20 | 1]:
		peer.data_array = whole
		peer.seek(0)
		peer.put_32(length)
		peer.seek(0)
		var wrong: VarBytesResult = VarBytesFile.take(peer)
		var expected: VarBytesResult.ErrorKind = VarBytesResult.MALFORMED if length < 0 else VarBytesResult.LIMIT
		check(wrong.error == expected and wrong.offset == 0 and not wrong.can_continue, wrong.message)
	peer.data_array = whole + whole
	peer.seek(0)
	check(VarBytesFile.take(peer, null, 7).error == VarBytesResult.LIMIT, "a smaller limit")
	peer.data_array[4] = 99
	peer.data_array = PackedByteArray([8, 0, 0, 0, 99, 0, 0, 0, 5, 0, 0, 0]) + whole
	peer.seek(0)
	var damaged: VarBytesResult = VarBytesFile.take(peer)
	check(damaged.error == VarBytesResult.MALFORMED and damaged.offset == 4, "a damaged record: %s" % damaged.message)
	check(damaged.can_continue, "the record was whole")
	equal(VarBytesFile.take(peer).value, 5, "the record after")
	peer.data_array = [0, 0, 0, 0]
	peer.seek(0)
	check(VarBytesFile.take(peer).error == VarBytesResult.MALFORMED, "an empty record")
	for size: int in [0, -1]:
		check(VarBytesFile.take(peer, null, size).error == VarBytesResult.INVALID_ARGUMENT, "a max_size of %d" % size)
	check(VarBytesFile.take(null).fault == &"argument" and VarBytesFile.put(null, 1).fault == &"argument", "no stream")
	var unconnected := StreamPeerTCP.new()
	check(VarBytesFile.put(unconnected, 1).error == VarBytesResult.STREAM, "not connected, put")
	check(VarBytesFile.take(unconnected).error == VarBytesResult.STREAM, "not connected, take")
	var endless: Array = []
	endless.append(endless)
	peer.clear()
	check(VarBytesFile.put(peer, endless).error == VarBytesResult.LIMIT and peer.get_size() == 0, "nothing is sent")
	endless.clear()
	return true


func _nothing_is_consumed_of_half_a_record() -> bool:
	var peer := StreamPeerBuffer.new()
	peer.put_var("before")
	peer.put_var({"name": "Ann"})
	var whole: PackedByteArray = peer.data_array
	for wait: bool in [false, true]:
		for size: int in range(20, whole.size()):
			peer.data_array = whole.slice(0, size)
			peer.seek(0)
			check(VarBytesFile.take(peer).ok, "the record before")
			for attempt: int in 2:
				var short: VarBytesResult = VarBytesFile.take(peer, null, 1000, wait)
				check(short.error == VarBytesResult.TRUNCATED and peer.get_position() == 20, "%d: %s" % [size, short.message])
			peer.data_array = whole
			peer.seek(20)
			equal(VarBytesFile.take(peer).value, {"name": "Ann"}, "the record when all of it is there")
	return true


func _a_record_that_comes_byte_by_byte() -> bool:
	var ends: Array[StreamPeerTCP] = _connected()
	if ends.is_empty():
		return false
	var bytes := StreamPeerBuffer.new()
	for value: Variant in SAMPLES:
		bytes.put_var(value)
	var values: Array = []
	for byte: int in bytes.data_array:
		check(VarBytesFile.take(ends[0], null, 1000).error == VarBytesResult.TRUNCATED, "not before it is there")
		ends[1].put_u8(byte)
		while ends[0].get_available_bytes() == 0:
			OS.delay_usec(10)
		var result: VarBytesResult = VarBytesFile.take(ends[0], null, 1000)
		if result.ok:
			values.append(result.value)
		else:
			check(result.error == VarBytesResult.TRUNCATED, result.message)
			ends[0].poll()
	equal(values, SAMPLES, "all values")
	return true


## The sender cannot continue before the receiver has taken the beginning.
func _a_record_larger_than_what_a_connection_holds() -> bool:
	var ends: Array[StreamPeerTCP] = _connected()
	if ends.is_empty():
		return false
	var bytes := StreamPeerBuffer.new()
	bytes.put_var("x".repeat(6 << 20))
	var sent: int = 0
	var result: VarBytesResult = null
	var calls: int = 0
	while calls < 100_000 and (result == null or not result.ok):
		if sent < bytes.get_size():
			sent += ends[1].put_partial_data(bytes.data_array.slice(sent, sent + (1 << 20)))[1]
		result = VarBytesFile.take(ends[0])
		if not check(result.ok or result.error == VarBytesResult.TRUNCATED, result.message):
			return true
		calls += 1
	check(result.ok and result.value == "x".repeat(6 << 20) and calls > 1, "a large record after %d calls" % calls)
	return true


func _compressed() -> bool:
	var values: Array = SAMPLES + ["y".repeat(200_000)]
	var packer := StreamPeerGZIP.new()
	packer.start_compression(false, 1 << 20)
	for value: Variant in values:
		packer.put_var(value)
	packer.finish()
	var packed: PackedByteArray = packer.get_data(packer.get_available_bytes())[1]
	var opener := StreamPeerGZIP.new()
	opener.start_decompression(false, 1 << 20)
	for value: Variant in values:
		var result: VarBytesResult = VarBytesFile.take(opener)
		while result.error == VarBytesResult.TRUNCATED and not packed.is_empty():
			opener.put_data(packed.slice(0, 7))
			packed = packed.slice(7)
			result = VarBytesFile.take(opener)
		check(result.ok, result.message)
		equal(result.value, value, "a record of a compressed stream")
	for attempt: int in 2:
		check(VarBytesFile.take(opener).error == VarBytesResult.TRUNCATED, "the end of a compressed stream")
	return true


## An encrypted stream that is not connected is not read at all, because that would print an error.
func _ciphered() -> bool:
	check(VarBytesFile.take(StreamPeerTLS.new()).error == VarBytesResult.STREAM, "not connected, take")
	check(VarBytesFile.put(StreamPeerTLS.new(), 1).error == VarBytesResult.STREAM, "not connected, put")
	return true


## A real connection, with the engine's methods at the other end.
func _connection() -> bool:
	var ends: Array[StreamPeerTCP] = _connected()
	if ends.is_empty():
		return false
	for value: Variant in SAMPLES:
		check(VarBytesFile.put(ends[0], value).ok, "put")
		equal(ends[1].get_var(), value, "the engine takes what was put")
		ends[1].put_var(value)
		equal(VarBytesFile.take(ends[0], null, 1000, true).value, value, "taken from the engine")
	ends[1].put_32(100)
	ends[1].put_32(0)
	ends[1].disconnect_from_host()
	var ended: VarBytesResult = _taken(ends[0])
	check(ended.error == VarBytesResult.TRUNCATED and ended.fault == &"stream_ended", "the connection ends within a record: %s" % ended.message)
	check(not ended.can_continue and VarBytesFile.take(ends[0]).error == VarBytesResult.STREAM, "and is closed then")
	return true


## The bytes of the first connection are not part of a record of the second one.
func _a_connection_that_is_made_again() -> bool:
	var server := TCPServer.new()
	server.listen(0, "127.0.0.1")
	var client := StreamPeerTCP.new()
	for turn: int in 2:
		var other: StreamPeerTCP = LocalConnection.to_server(client, server)
		other.put_var("value %d" % turn)
		other.put_data([100, 0, 0, 0, 4, 0])
		equal(_taken(client).value, "value %d" % turn, "a record")
		LocalConnection.wait_until(func() -> bool: return client.get_available_bytes() == 6)
		equal(VarBytesFile.take(client).fault, "record_truncated", "the beginning of another one")
		client.disconnect_from_host()
	return true


## Returns the two ends of a connection, or nothing if it fails.
func _connected() -> Array[StreamPeerTCP]:
	var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
	check(not ends.is_empty(), "no connection")
	return ends


## Waits until a record can be taken or the connection has ended.
func _taken(peer: StreamPeerTCP) -> VarBytesResult:
	var result: VarBytesResult = VarBytesFile.take(peer)
	for attempt: int in 1000:
		if result.error != VarBytesResult.TRUNCATED or result.fault == &"stream_ended":
			break
		OS.delay_msec(1)
		result = VarBytesFile.take(peer)
	return result
