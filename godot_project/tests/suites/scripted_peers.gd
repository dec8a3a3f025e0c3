extends "res://tests/suite.gd"
## VarBytesStream over a peer that is a script, which may do anything while it is called.

const Peer := preload("res://tests/fixtures/peer.gd")


func run() -> bool:
	await run_parts([
		_values_go_both_ways, _a_peer_that_calls_back, _a_peer_that_closes, _a_peer_that_closes_while_the_stream_closes, _a_refused_packet_ends_nothing,
		_an_error_is_that_of_its_own_value,
	])
	return true


func _values_go_both_ways() -> bool:
	var peer := Peer.new()
	var stream := VarBytesStream.over(peer)
	var values: Array = []
	stream.received.connect(func(result: VarBytesResult) -> void: values.append(result.value))
	for value: Variant in SAMPLES:
		peer.incoming.append(var_to_bytes(value))
		check(stream.send(value).ok, "sent")
	stream.poll()
	equal(values, SAMPLES, "the values of the peer")
	equal(stream.sender, 5, "who sent them")
	equal(peer.outgoing, peer_packets(), "the packets for the peer")
	return true


func peer_packets() -> Array[PackedByteArray]:
	var packets: Array[PackedByteArray] = []
	packets.assign(SAMPLES.map(func(value: Variant) -> PackedByteArray: return var_to_bytes(value)))
	return packets


## Each value is received and sent once, in whatever method the peer polls and sends.
func _a_peer_that_calls_back() -> bool:
	var peer := Peer.new()
	var stream := VarBytesStream.over(peer)
	var values: Array = []
	stream.received.connect(func(result: VarBytesResult) -> void: values.append(result.value))
	var sent: Array[int] = [0]
	peer.meddle = func() -> void:
		stream.poll()
		if sent[0] < 20:
			sent[0] += 1
			stream.send(sent[0])
	peer.incoming = peer_packets()
	for frame: int in 10:
		stream.poll()
	peer.meddle = Callable()
	stream.poll()
	check(values.size() == SAMPLES.size(), "%d values were received" % values.size())
	for value: Variant in SAMPLES:
		check(values.any(same.bind(value)), "%s is received" % [value])
	equal(peer.outgoing.size(), 20, "the values that were sent")
	for number: int in range(1, 21):
		check(peer.outgoing.count(var_to_bytes(number)) == 1, "%d is sent once" % number)
	return true


func _a_peer_that_closes() -> bool:
	for closes: String in ["the stream", "the peer", "both", "and drops all"]:
		var peers: Array = [Peer.new()]
		var streams: Array = [VarBytesStream.over(peers[0])]
		var ends: Array[VarBytesResult] = []
		streams[0].broken.connect(ends.append)
		peers[0].incoming = peer_packets()
		peers[0].meddle = func() -> void:
			match closes:
				"the stream": streams[0].close()
				"the peer": peers[0].close()
				"both":
					streams[0].close()
					peers[0].close()
				"and drops all":
					streams.clear()
					peers.clear()
		streams[0].poll()
		check(ends.size() == int(closes == "the peer"), "%s: %s" % [closes, ends])
		check(closes == "and drops all" or not streams[0].is_open(), "%s is closed" % closes)
		for peer: Peer in peers:
			peer.meddle = Callable()
	return true


## What is waiting is sent before the stream closes, and a peer can close the stream again then.
func _a_peer_that_closes_while_the_stream_closes() -> bool:
	var peer := Peer.new()
	var stream := VarBytesStream.over(peer)
	peer.is_busy = true
	check(stream.send(1).ok and stream.get_queued_bytes() > 0, "it waits")
	peer.is_busy = false
	peer.meddles_within = true
	peer.meddle = stream.close
	stream.close()
	peer.meddle = Callable()
	check(not stream.is_open() and peer.outgoing.size() <= 1, "%d packets" % peer.outgoing.size())
	return true


func _a_refused_packet_ends_nothing() -> bool:
	var peer := Peer.new()
	var stream := VarBytesStream.over(peer)
	var ends: Array[VarBytesResult] = []
	stream.broken.connect(ends.append)
	peer.refused = [var_to_bytes("refused")]
	var direct: VarBytesResult = stream.send("refused")
	equal([direct.error, direct.fault, stream.get_queued_bytes()], [VarBytesResult.STREAM, "stream", 0], "sent directly")
	peer.is_busy = true
	for value: String in ["first", "refused", "last"]:
		check(stream.send(value).ok, "%s waits" % value)
	peer.is_busy = false
	stream.poll()
	equal(peer.outgoing.map(bytes_to_var), ["first", "last"], "the others are sent")
	check(stream.is_open() and ends.is_empty(), "the connection goes on: %s" % [ends])
	return true


func _an_error_is_that_of_its_own_value() -> bool:
	var peer := Peer.new()
	var stream := VarBytesStream.over(peer)
	peer.refused = [var_to_bytes("refused")]
	peer.is_busy = true
	check(stream.send("refused").ok, "it waits")
	peer.is_busy = false
	check(stream.send("next").ok, "the value after it")
	equal(peer.outgoing.map(bytes_to_var) + [stream.get_queued_bytes()], ["next", 0], "which is sent")
	return true
