extends "res://part.gd"


func about() -> StringName:
	return &"VarBytesStream"


func run() -> bool:
	var peer := StreamPeerBuffer.new()
	var options := VarBytesOptions.new()
	var stream: VarBytesStream = VarBytesStream.over(peer, options)
	expect(&"over", stream != null and VarBytesStream.over(null) == null)
	expect(&"peer", stream.peer == peer)
	expect(&"options", stream.options == options)
	expect(&"sender", stream.sender == 0)
	expect(&"idle_timeout", stream.idle_timeout == 0.0)
	stream.bytes_per_poll = 1000
	expect(&"bytes_per_poll", stream.bytes_per_poll == 1000)
	stream.max_queued_bytes = 100
	expect(&"max_queued_bytes", stream.send("x".repeat(100)).error == VarBytesResult.LIMIT)
	expect(&"send", stream.send("hello").ok and stream.send([1]).ok)
	expect(&"send_encoded", stream.send_encoded(var_to_bytes(2)).ok)
	expect(&"get_queued_bytes", stream.get_queued_bytes() == 0)
	peer.put_32(1000)
	peer.seek(0)
	stream.max_record_size = 100
	var values: Array = []
	var faults: PackedStringArray = []
	stream.received.connect(func(result: VarBytesResult) -> void: values.append(result.value))
	stream.broken.connect(func(result: VarBytesResult) -> void: faults.append(result.fault))
	stream.poll()
	expect(&"poll", values == ["hello", [1], 2], values)
	expect(&"received", values.size() == 3)
	expect(&"broken", faults == PackedStringArray(["record_too_long"]), faults)
	expect(&"max_record_size", stream.max_record_size == 100)
	expect(&"is_open", not stream.is_open() and VarBytesStream.over(peer).is_open())
	var other: VarBytesStream = VarBytesStream.over(peer)
	other.close()
	expect(&"close", not other.is_open() and not other.send(1).ok)
	return true
