extends SceneTree
## Measures `VarBytesStream`, and `put` and `take` of `VarBytesFile`, beside `put_var` and `get_var`:
## `godot --headless --path godot_project -s res://benchmark/connections.gd`.
##
## Each round sends as many values as a frame of a busy game, and then receives them, once with each. The numbers are medians
## in microseconds per value. The option `--rounds n` comes after `--`. The last line is `VARBYTES CONNECTIONS DONE`.

const Cases := preload("res://benchmark/cases.gd")
const LocalConnection := preload("res://tests/local_connection.gd")

## How many values are sent in a round. A socket of UDP has room for as many.
const VALUES: int = 40

var _received: int = 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var rounds: int = int(arguments[1]) if arguments.size() == 2 and arguments[0] == "--rounds" else 200
	print("%-40s %10s %10s %6s %10s %10s %6s" % ["", "put_var", "send", "ratio", "get_var", "received", "ratio"])
	var values: Dictionary[String, Variant] = {"int": 7, "synchronized properties": Cases.synchronized(), "settings": Cases.settings()}
	for name: String in values:
		_measure("TCP, %s" % name, LocalConnection.tcp(), LocalConnection.tcp(), values[name], rounds)
		_measure("UDP, %s" % name, _udp(), _udp(), values[name], rounds)
	print("\n%-40s %10s %10s %6s %10s %10s %6s" % ["", "put_var", "put", "ratio", "get_var", "take", "ratio"])
	for name: String in values:
		_measure_calls("StreamPeerBuffer, %s" % name, StreamPeerBuffer.new(), StreamPeerBuffer.new(), values[name], rounds)
		var ends: Array[StreamPeerTCP] = LocalConnection.tcp()
		_measure_calls("TCP, %s" % name, ends[0], ends[1], values[name], rounds)
	print("VARBYTES CONNECTIONS DONE")
	quit()


## Measures one value with the built-ins and, over another connection, with streams.
func _measure(name: String, built_in: Array, ours: Array, value: Variant, rounds: int) -> void:
	var streams: Array = ours.map(func(peer: RefCounted) -> VarBytesStream: return VarBytesStream.over(peer))
	var sender: VarBytesStream = streams[0]
	var receiver: VarBytesStream = streams[1]
	receiver.bytes_per_poll = 1 << 24
	receiver.received.connect(_on_received)
	var times: Array[PackedFloat64Array] = [[], [], [], []]
	for turn: int in rounds:
		var began: int = Time.get_ticks_usec()
		for index: int in VALUES:
			built_in[0].put_var(value)
		times[0].append(Time.get_ticks_usec() - began)
		began = Time.get_ticks_usec()
		for index: int in VALUES:
			sender.send(value)
		times[1].append(Time.get_ticks_usec() - began)
		OS.delay_usec(500)
		began = Time.get_ticks_usec()
		var count: int = _receive(built_in[1])
		times[2].append(Time.get_ticks_usec() - began)
		_received = 0
		began = Time.get_ticks_usec()
		receiver.poll()
		times[3].append(Time.get_ticks_usec() - began)
		if count != VALUES or _received != VALUES or sender.get_queued_bytes() > 0:
			printerr("%s: %d and %d values arrived" % [name, count, _received])
	_print(name, times)
	receiver.close()


## Measures one value with the built-ins and with the static methods of `VarBytesFile`, over the same connection.
func _measure_calls(name: String, sender: StreamPeer, receiver: StreamPeer, value: Variant, rounds: int) -> void:
	var times: Array[PackedFloat64Array] = [[], [], [], []]
	var count: int = 0
	for turn: int in rounds:
		for ours: int in 2:
			_rewind(sender)
			var began: int = Time.get_ticks_usec()
			if ours == 0:
				for index: int in VALUES:
					sender.put_var(value)
			else:
				for index: int in VALUES:
					count += int(VarBytesFile.put(sender, value).ok)
			times[ours].append(Time.get_ticks_usec() - began)
			OS.delay_usec(500)
			if sender is StreamPeerBuffer:
				(receiver as StreamPeerBuffer).data_array = (sender as StreamPeerBuffer).data_array
			began = Time.get_ticks_usec()
			if ours == 0:
				for index: int in VALUES:
					var _value: Variant = receiver.get_var()
			else:
				for index: int in VALUES:
					count += int(VarBytesFile.take(receiver).ok)
			times[2 + ours].append(Time.get_ticks_usec() - began)
	if count != 2 * VALUES * rounds:
		printerr("%s: %d calls succeeded" % [name, count])
	_print(name, times)


static func _rewind(peer: StreamPeer) -> void:
	if peer is StreamPeerBuffer:
		(peer as StreamPeerBuffer).seek(0)


static func _print(name: String, times: Array[PackedFloat64Array]) -> void:
	var medians: Array = times.map(_median)
	print("%-40s %10.2f %10.2f %6.2f %10.2f %10.2f %6.2f" % [
			name, medians[0], medians[1], medians[0] / medians[1], medians[2], medians[3], medians[2] / medians[3]])


## Receives what has arrived with the built-ins. Returns how many values there were.
static func _receive(peer: RefCounted) -> int:
	var count: int = 0
	if peer is StreamPeerTCP:
		var stream: StreamPeerTCP = peer
		stream.poll()
		while stream.get_available_bytes() >= 4:
			var _value: Variant = stream.get_var()
			count += 1
	else:
		var packets: PacketPeerUDP = peer
		while packets.get_available_packet_count() > 0:
			var _value: Variant = packets.get_var()
			count += 1
	return count


func _on_received(result: VarBytesResult) -> void:
	if result.ok:
		var _value: Variant = result.value
		_received += 1


## Returns two ends that send to each other.
static func _udp() -> Array[PacketPeerUDP]:
	var ends: Array[PacketPeerUDP] = [PacketPeerUDP.new(), PacketPeerUDP.new()]
	for end: PacketPeerUDP in ends:
		end.bind(0, "127.0.0.1", 1 << 20)
	for index: int in 2:
		ends[index].set_dest_address("127.0.0.1", ends[1 - index].get_local_port())
	return ends


## Returns the median time of one value.
static func _median(times: PackedFloat64Array) -> float:
	times.sort()
	return times[times.size() / 2] / VALUES
