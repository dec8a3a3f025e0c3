extends "res://tests/suite.gd"
## Records in streams: the same bytes as the engine's own methods, read by them and reading theirs, in memory and over
## a real connection; and what is not there or not to be believed is an answer.

const RandomVariants := preload("res://tests/random_variants.gd")

const SAMPLES: Array = [null, {"name": "Ann", "level": 7}, "text", [1, 2.5, Vector3(1, 2, 3)]]


func run() -> bool:
	for part: Callable in [_same_stream.bind(false), _same_stream.bind(true), _broken_streams, _connection]:
		# A script error ends a part early, and its answer with it.
		check(part.call() == true, "%s did not come to its end" % part.get_method())
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
	for length: int in [-1, 0x7FFF_FFFF, 8 << 20 | 1]:
		peer.data_array = whole
		peer.seek(0)
		peer.put_32(length)
		peer.seek(0)
		var wrong: VarBytesResult = VarBytesFile.take(peer)
		var expected: VarBytesResult.ErrorKind = VarBytesResult.MALFORMED if length < 0 else VarBytesResult.LIMIT
		check(wrong.error == expected and wrong.offset == 0, wrong.message)
	peer.data_array = whole + whole
	peer.seek(0)
	check(VarBytesFile.take(peer, null, 7).error == VarBytesResult.LIMIT, "a smaller limit")
	peer.data_array[4] = 99
	peer.data_array = PackedByteArray([8, 0, 0, 0, 99, 0, 0, 0, 5, 0, 0, 0]) + whole
	peer.seek(0)
	var damaged: VarBytesResult = VarBytesFile.take(peer)
	check(damaged.error == VarBytesResult.MALFORMED and damaged.offset == 4, "a damaged record: %s" % damaged.message)
	equal(VarBytesFile.take(peer).value, 5, "the record after")
	peer.data_array = [0, 0, 0, 0]
	peer.seek(0)
	check(VarBytesFile.take(peer).error == VarBytesResult.TRUNCATED, "an empty record")
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


## A real connection, to the engine's own methods at the other end.
func _connection() -> bool:
	var server := TCPServer.new()
	if not check(server.listen(0, "127.0.0.1") == OK, "no port for a server"):
		return false
	var client := StreamPeerTCP.new()
	client.connect_to_host("127.0.0.1", server.get_local_port())
	for attempt: int in 1000:
		client.poll()
		if client.get_status() == StreamPeerTCP.STATUS_CONNECTED and server.is_connection_available():
			break
		OS.delay_msec(1)
	var other: StreamPeerTCP = server.take_connection()
	if not check(other != null and client.get_status() == StreamPeerTCP.STATUS_CONNECTED, "no connection"):
		return false
	for value: Variant in SAMPLES:
		check(VarBytesFile.put(client, value).ok, "put")
		equal(other.get_var(), value, "the engine takes what was put")
		other.put_var(value)
		equal(VarBytesFile.take(client).value, value, "taken from the engine")
	other.put_32(100)
	other.put_32(0)
	other.disconnect_from_host()
	var ended: VarBytesResult = VarBytesFile.take(client)
	check(ended.error == VarBytesResult.TRUNCATED, "the connection ends within a record: %s" % ended.message)
	return true
