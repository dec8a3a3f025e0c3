extends SceneTree
## Answers questions about packets and values in batches until the other end closes the connection.
##
## `godot --headless --path godot_project -s res://conformance/answer.gd -- PORT`
## The other end listens at that port of 127.0.0.1. In both directions a message is a length and bytes. A batch has the
## number of questions, then for each question its kind (a byte), a guess that only Godot 3 needs, a length and bytes.
## The answer has for each question the bytes used (0 if rejected), a length, and the bytes written for the value. All
## numbers have 32 bits.

enum Question { READ, READ_WITH_OBJECTS, WRITE, WRITE_FULL_OBJECTS }

const Decoded := preload("res://conformance/decoded.gd")
const Recipe := preload("res://conformance/recipe.gd")

var _recipe: Recipe = Recipe.new()


func _initialize() -> void:
	# The exit code if the end is not reached: a script error ends this function, not the run.
	quit(1)
	var port: int = OS.get_cmdline_user_args()[0].to_int()
	var peer: StreamPeerTCP = StreamPeerTCP.new()
	if peer.connect_to_host("127.0.0.1", port) != OK:
		push_error("cannot connect to port %d" % port)
		return
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		var _polled: Error = peer.poll()
		OS.delay_msec(1)
	peer.set_no_delay(true)
	# Rejected packets may print thousands of lines.
	Engine.print_error_messages = false
	while true:
		var heading: Array = peer.get_data(4)
		if heading[0] != OK:
			break
		var length: PackedByteArray = heading[1]
		var message: Array = peer.get_data(length.decode_u32(0))
		if message[0] != OK:
			break
		var answers: PackedByteArray = _answers(message[1])
		peer.put_u32(answers.size())
		if peer.put_data(answers) != OK:
			break
	quit(0)


func _answers(questions: PackedByteArray) -> PackedByteArray:
	var answers: StreamPeerBuffer = StreamPeerBuffer.new()
	var offset: int = 4
	for _index: int in questions.decode_u32(0):
		var question: int = questions[offset]
		var start: int = offset + 9
		offset = start + questions.decode_u32(offset + 5)
		var bytes: PackedByteArray = questions.slice(start, offset)
		if question == Question.READ:
			var used: int = 0 if bytes.is_empty() else bytes.decode_var_size(0)
			var rewritten: PackedByteArray = var_to_bytes(bytes_to_var(bytes)) if used > 0 else PackedByteArray()
			_put(answers, used, rewritten)
		elif question == Question.READ_WITH_OBJECTS:
			var used: int = Decoded.size_of(bytes, true)
			if used == 0:
				_put(answers, 0, PackedByteArray())
				continue
			var value: Variant = Decoded.read(bytes, true)
			_put(answers, used, Decoded.write(value, true))
			Decoded.release(value)
		else:
			var value: Variant = _recipe.made(bytes)
			var written: PackedByteArray = Decoded.write(value, question == Question.WRITE_FULL_OBJECTS)
			_put(answers, written.size(), written)
	return answers.data_array


func _put(answers: StreamPeerBuffer, used: int, bytes: PackedByteArray) -> void:
	answers.put_u32(used)
	answers.put_u32(bytes.size())
	if not bytes.is_empty():
		answers.put_data(bytes)
