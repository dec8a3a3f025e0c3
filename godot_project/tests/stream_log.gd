extends RefCounted
## Records what a VarBytesStream emits.

const LocalConnection := preload("res://tests/local_connection.gd")

const NO_LENGTH: PackedByteArray = [0xFF, 0xFF, 0xFF, 0xFF]

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


## A function that refers to the stream, connected to it, keeps it.
func release() -> void:
	for connection: Dictionary in stream.received.get_connections():
		stream.received.disconnect(connection.callable)


## Returns the record of a value.
static func record(value: Variant) -> PackedByteArray:
	var written := StreamPeerBuffer.new()
	written.put_var(value)
	return written.data_array


## Returns a stream with the numbers below `count`.
static func buffer(count: int) -> StreamPeerBuffer:
	var written := StreamPeerBuffer.new()
	for value: int in count:
		written.put_var(value)
	written.seek(0)
	return written
