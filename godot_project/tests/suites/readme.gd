extends "res://tests/suite.gd"
## The samples of the addon's README: all of them compile, those that need nothing else run, and the one for connections
## is run against malicious peers.

const PAGE: String = "res://addons/varbytes/README.md"
## The script around a sample: functions that it may call.
const AROUND: String = "extends RefCounted\n\nvar connection: StreamPeerTCP\nvar packet: PackedByteArray = var_to_bytes(7)\nvar item := Resource.new()\nvar used: Array = []\n\nfunc use(value: Variant) -> void:\n\tused.append(value)\n\n"


func run() -> bool:
	await run_parts([_all_compile, _files, _connections, _large_saves])
	DirAccess.remove_absolute("user://events.dat")
	return true


func _all_compile() -> bool:
	var page: PackedStringArray = FileAccess.get_file_as_string(PAGE).split("\n## ")
	var samples: int = 0
	for section: String in page:
		for sample: String in _samples(section):
			samples += 1
			check(_object_of(sample) != null, "a sample of %s does not compile" % section.get_slice("\n", 0))
	check(samples >= 7, "the page has %d samples" % samples)
	return true


## An incomplete record at the end, as after a crash, and then the sample that appends to the file.
func _files() -> bool:
	var samples: PackedStringArray = _samples(_section("Files"))
	var writer := FileAccess.open("user://events.dat", FileAccess.WRITE)
	writer.store_var("before")
	writer.store_buffer([100, 0, 0, 0, 1, 2, 3])
	writer.close()
	_object_of(samples[1]).sample()
	var kept: String = "user://events.dat.incomplete-1"
	equal(FileAccess.get_file_as_bytes(kept), PackedByteArray([100, 0, 0, 0, 1, 2, 3]), "the half record")
	DirAccess.remove_absolute(kept)
	var reader := VarBytesFile.open("user://events.dat", FileAccess.READ)
	equal([reader.next().value, reader.next().value, reader.has_next()], ["before", {"event": "start"}, false], "the file")
	return true


func _connections() -> bool:
	var whole := StreamPeerBuffer.new()
	whole.put_var({"move": Vector2(1, 0)})
	var message: PackedByteArray = whole.data_array
	var wrong_count: PackedByteArray = [8, 0, 0, 0, 28, 0, 0, 0, 100, 0, 0, 0]
	var expected: Dictionary = {"move": Vector2(1, 0)}
	# What a peer sends, the used values, and whether the connection stays open.
	for sent: Array in [
		[message, [expected], true], [message + message, [expected, expected], true],
		[PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF]), [], false], [message + PackedByteArray([0xFF, 0xFF, 0xFF, 0xFF]) + message, [expected], false],
		[PackedByteArray([0, 0, 1, 1]), [], false], [PackedByteArray([1, 0, 1, 0]), [], false],
		[message.slice(0, 9), [], true], [message.slice(0, 3), [], true], [PackedByteArray(), [], true],
		[wrong_count + message, [expected], true], [PackedByteArray([0, 0, 0, 0]) + message, [expected], true],
	]:
		for one_at_a_time: bool in [false, true]:
			_one_connection(sent[0], sent[1], sent[2], one_at_a_time)
	return true


func _one_connection(sent: PackedByteArray, used: Array, stays: bool, one_at_a_time: bool) -> void:
	var server := TCPServer.new()
	if not check(server.listen(0, "127.0.0.1") == OK, "no port for a server"):
		return
	var peer := StreamPeerTCP.new()
	peer.connect_to_host("127.0.0.1", server.get_local_port())
	for attempt: int in 1000:
		peer.poll()
		if peer.get_status() == StreamPeerTCP.STATUS_CONNECTED and server.is_connection_available():
			break
		OS.delay_msec(1)
	var game: RefCounted = _object_of(_samples(_section("Connections"))[0])
	game.connection = server.take_connection()
	game._ready()
	for piece: PackedByteArray in _pieces(sent, one_at_a_time):
		peer.put_data(piece)
		for attempt: int in 100:
			if game.connection.get_status() != StreamPeerTCP.STATUS_CONNECTED or game.connection.get_available_bytes() > 0:
				break
			OS.delay_usec(100)
		game._process(0.0)
	var what: String = "%s, %s" % [sent, "byte by byte" if one_at_a_time else "at once"]
	for attempt: int in 3:
		game._process(0.0)
	equal(game.used, used, "what is used of %s" % what)
	equal(game.connection.get_status() == StreamPeerTCP.STATUS_CONNECTED, stays, "whether the connection stays after %s" % what)
	# If the other side disconnects, so does this one.
	peer.disconnect_from_host()
	for attempt: int in 100:
		game._process(0.0)
		if game.connection.get_status() == StreamPeerTCP.STATUS_NONE:
			break
		OS.delay_msec(1)
	equal(game.connection.get_status(), StreamPeerTCP.STATUS_NONE, "the connection has ended after %s" % what)


func _large_saves() -> bool:
	var game: RefCounted = _object_of(_samples(_section("Large saves"))[0])
	var state: Dictionary = {"level": 7, "items": range(1000)}
	await game.save_game(state)
	await game.load_game()
	equal(game.used, [state], "what is saved and loaded")
	DirAccess.remove_absolute("user://save.dat")
	return true


static func _pieces(bytes: PackedByteArray, one_at_a_time: bool) -> Array[PackedByteArray]:
	if not one_at_a_time:
		return [bytes]
	var pieces: Array[PackedByteArray] = []
	for byte: int in bytes:
		pieces.append(PackedByteArray([byte]))
	return pieces


func _section(title: String) -> String:
	var page: String = FileAccess.get_file_as_string(PAGE)
	check(page.contains("\n## %s\n" % title), "the page has no section %s" % title)
	return page.get_slice("\n## %s\n" % title, 1).get_slice("\n## ", 0)


static func _samples(section: String) -> PackedStringArray:
	var samples: PackedStringArray = []
	for part: String in section.split("```gdscript\n").slice(1):
		samples.append(part.get_slice("```", 0))
	return samples


## Returns an object whose method `sample` has these lines, or which has these methods.
static func _object_of(sample: String) -> RefCounted:
	var script := GDScript.new()
	script.source_code = AROUND + (sample if sample.begins_with("func ") or sample.contains("\nfunc ") else "func sample() -> void:\n" + sample.indent("\t"))
	return script.new() if script.reload() == OK else null
