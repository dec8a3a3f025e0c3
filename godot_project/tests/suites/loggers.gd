extends "res://tests/suite.gd"
## A script that logs errors drops the last reference to the object that is called.

const PATH: String = "user://logged.dat"

# Members, because a call of a local variable or of a member of another object has a reference of its own.
var _options: VarBytesOptions
var _stream: VarBytesStream
var _file: VarBytesFile
var _packet: PackedByteArray


class Dropping extends Logger:
	var drop: Callable
	var count: int = 0

	func _log_error(_function: String, _file: String, _line: int, _code: String, _rationale: String, _editor_notify: bool, _error_type: int, _script_backtraces: Array[ScriptBacktrace]) -> void:
		count += 1
		drop.call()


func run() -> bool:
	var logger := Dropping.new()
	logger.drop = func() -> void:
		_options = null
		_stream = null
		_file = null
	OS.add_logger(logger)
	for change: Callable in [
		func() -> void: _options.max_depth = -1,
		func() -> void: _options.max_memory = -1,
		func() -> void: _options.engine = "no engine",
		func() -> void: _options.allowed_classes = {"Resource": 5},
		func() -> void: _options.set("max_values", -1),
	]:
		_options = VarBytesOptions.new()
		_drops(logger, _options.get_instance_id(), change)
	_stream = VarBytesStream.over(StreamPeerBuffer.new())
	_drops(logger, _stream.get_instance_id(), func() -> void: _stream.idle_timeout = -1.0)
	_file = VarBytesFile.open(PATH, FileAccess.WRITE)
	_drops(logger, _file.get_instance_id(), func() -> void: _file.max_record_size = -1)
	var compressed: FileAccess = FileAccess.open_compressed(PATH, FileAccess.WRITE)
	for value: int in 5:
		compressed.store_var(value)
	compressed.close()
	for store: Callable in [
		func() -> void: _file.store(7),
		func() -> void: _file.try_store(7),
		func() -> void: _file.store_many([7, 8]),
	]:
		_file = VarBytesFile.from_file_access(FileAccess.open_compressed(PATH, FileAccess.READ))
		_file.seek(24)
		_drops(logger, _file.get_instance_id(), store)
	for take: Callable in [
		func() -> void: _file.next(),
		func() -> void: _file.try_next(),
		func() -> void: _file.next_many(2),
		func() -> void: _file.next_into(VarBytesResult.new()),
		func() -> void: _file.skip(),
	]:
		_file = VarBytesFile.from_file_access(FileAccess.open_compressed(PATH + ".new", FileAccess.WRITE))
		_file.store(1)
		_file.seek(0)
		_drops(logger, _file.get_instance_id(), take)
	OS.remove_logger(logger)
	_uses_the_same_file()
	_differences_of_endless_keys()
	_changes_the_packet()
	_changes_an_object()
	for name: String in [PATH, PATH + ".new"]:
		DirAccess.remove_absolute(name)
	return true


## A Logger that uses the file that is being read gets an error from each call, and goes on.
func _uses_the_same_file() -> void:
	const REASON: String = "this code runs while another call uses the same file"
	var file := VarBytesFile.from_file_access(FileAccess.open_compressed(PATH + ".new", FileAccess.WRITE))
	file.store(1)
	file.seek(0)
	var messages: Array[String] = []
	var others: Array = []
	var logger := Dropping.new()
	logger.drop = func() -> void:
		if not messages.is_empty():
			return
		for result: VarBytesResult in [
				file.next(), file.skip(), file.seek(0), file.seek_end(), file.repair(), file.flush(), file.close(), file.store(7)]:
			messages.append(result.message)
		file.buffered = true
		file.max_record_size = 5
		file.big_endian = true
		others.append_array([file.get_position(), file.get_length(), file.get_path(), file.is_open(), file.has_next(),
				file.buffered, file.max_record_size, file.big_endian])
	OS.add_logger(logger)
	file.next()
	OS.remove_logger(logger)
	check(messages.size() == 8 and messages.all(func(message: String) -> bool: return message.begins_with(REASON)),
			"every result is the error: %s" % [messages])
	check(others == [-1, -1, "", true, false, false, 0, false], "the other calls return defaults: %s" % [others])
	check(file.get_position() == 0 and not file.buffered, "nothing was changed")


func _drops(logger: Dropping, number: int, call: Callable) -> void:
	logger.count = 0
	call.call()
	check(logger.count > 0 and not is_instance_id_valid(number), "%d errors were logged, and the object is freed" % logger.count)


## The engine prints errors about keys that contain themselves, so they are not looked up: a Logger could change what is compared.
func _differences_of_endless_keys() -> void:
	var values: Array[Array] = []
	for side: int in 2:
		var key: Array = []
		var dictionary: Dictionary = {key: 5}
		key.append(key)
		values.append([dictionary, ["x"], ["y"]])
	var logger := Dropping.new()
	logger.drop = func() -> void: values.clear()
	OS.add_logger(logger)
	var changes: Array[Dictionary] = VarBytes.diff(values[0], values[1])
	OS.remove_logger(logger)
	equal(changes.map(func(change: Dictionary) -> String: return change.kind), ["removed", "added"], "the changes")
	equal(logger.count, 0, "no errors are printed")
	for value: Array in values:
		value[0].keys()[0].clear()


## The engine prints errors about keys that are nested deep, while a packet is read whose variable a Logger changes.
func _changes_the_packet() -> void:
	var key: Variant = 1
	for level: int in 150:
		key = [key]
	var value: Array = [{key: 1}, "x".repeat(2_000_000), range(1000).map(str), "end"]
	var logger := Dropping.new()
	logger.drop = func() -> void:
		if logger.count % 2 == 1:
			_packet.clear()
		else:
			_packet = PackedByteArray()
	OS.add_logger(logger)
	for read: Callable in [
		func() -> Variant: return VarBytes.bytes_to_var(_packet),
		func() -> Variant: return VarBytes.bytes_to_var_with_objects(_packet),
	]:
		for turn: int in 2:
			_packet = var_to_bytes(value)
			logger.count = turn
			var found: Variant = read.call()
			check(logger.count > turn and found is Array and found.size() == 4 and found[3] == "end", "a whole value: %s" % type_string(typeof(found)))
	OS.remove_logger(logger)
	# It refers to the logger.
	logger.drop = Callable()


## Without images in memory, the engine prints an error each time it reads those of an ImageTexture3D: the first time to compute sizes. If it
## wrote a gradient with it that grows meanwhile, it would write past the end of its memory.
func _changes_an_object() -> void:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Gradient": ["*"], "ImageTexture3D": ["*"]}
	var images: Array[Image] = [Image.create_empty(4, 4, false, Image.FORMAT_RGBA8), Image.create_empty(4, 4, false, Image.FORMAT_RGBA8)]
	var held: Array[Gradient] = []
	var logger := Dropping.new()
	# Which error of a call changes the gradient.
	var number: Array[int] = [0]
	logger.drop = func() -> void:
		if logger.count == number[0]:
			var colors := PackedColorArray()
			colors.resize(20_000)
			held[0].colors = colors
	OS.add_logger(logger)
	for turn: int in 100:
		var texture := ImageTexture3D.new()
		texture.create(Image.FORMAT_RGBA8, 4, 4, 2, false, images)
		for value: Callable in [func() -> Variant: return {"gradient": held[0], "texture": texture}, func() -> Variant: return [held[0], texture]]:
			held.assign([Gradient.new()])
			logger.count = 0
			number[0] = 1 + turn % 4
			var result: VarBytesResult = VarBytes.encode(value.call(), options)
			check(result.ok and VarBytes.validate(result.value, options).ok, "turn %d: %s" % [turn, result.message])
	OS.remove_logger(logger)
	logger.drop = Callable()
