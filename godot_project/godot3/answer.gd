extends SceneTree
## Answers questions about packets and values in batches until the other end closes the connection.
##
## `godot3-server --path godot_project/godot3 -s res://answer.gd -- PORT`
## The messages are those of `answer.gd` for Godot 4. Full objects are never asked about here.

enum Question { READ, READ_WITH_OBJECTS, WRITE, WRITE_FULL_OBJECTS }

const Codec := preload("res://codec.gd")
const Recipe := preload("res://recipe.gd")

var _codec: Codec = Codec.new()
var _recipe: Recipe = Recipe.new()


func _init() -> void:
	# The exit code if the end is not reached: a script error ends this function, not the run.
	quit(1)
	var arguments: Array = OS.get_cmdline_args()
	var port: int = int(arguments.back())
	var peer: StreamPeerTCP = StreamPeerTCP.new()
	if peer.connect_to_host("127.0.0.1", port) != OK:
		push_error("cannot connect to port %d" % port)
		return
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	peer.set_no_delay(true)
	# Rejected packets may print thousands of lines.
	_codec.stay_quiet()
	while true:
		var heading: Array = peer.get_data(4)
		if heading[0] != OK:
			break
		var length: StreamPeerBuffer = StreamPeerBuffer.new()
		length.data_array = heading[1]
		var message: Array = peer.get_data(length.get_u32())
		if message[0] != OK:
			break
		var answers: PoolByteArray = _answers(message[1])
		peer.put_u32(answers.size())
		if peer.put_data(answers) != OK:
			break
	quit(0)


func _answers(questions: PoolByteArray) -> PoolByteArray:
	var input: StreamPeerBuffer = StreamPeerBuffer.new()
	input.data_array = questions
	var answers: StreamPeerBuffer = StreamPeerBuffer.new()
	for _index in input.get_u32():
		var question: int = input.get_u8()
		var guess: int = input.get_u32()
		var size: int = input.get_u32()
		var bytes: PoolByteArray = input.get_data(size)[1] if size > 0 else PoolByteArray()
		if question == Question.READ or question == Question.READ_WITH_OBJECTS:
			_read(answers, bytes, question == Question.READ_WITH_OBJECTS, guess)
		else:
			var written: PoolByteArray = _codec.write(_recipe.made(bytes), question == Question.WRITE_FULL_OBJECTS)
			_put(answers, written.size(), written)
	return answers.data_array


func _read(answers: StreamPeerBuffer, bytes: PoolByteArray, allow_objects: bool, guess: int) -> void:
	var value = _codec.read(bytes, allow_objects)
	if not _codec.succeeded:
		_put(answers, 0, PoolByteArray())
		return
	var rewritten: PoolByteArray = _codec.write(value, allow_objects)
	_put(answers, _codec.size_of(bytes, allow_objects, guess), rewritten)
	if allow_objects:
		_codec.release(value)


func _put(answers: StreamPeerBuffer, used: int, bytes: PoolByteArray) -> void:
	answers.put_u32(used)
	answers.put_u32(bytes.size())
	if bytes.size() > 0:
		var _error: int = answers.put_data(bytes)
