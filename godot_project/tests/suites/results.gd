extends "res://tests/suite.gd"
## The results of `decode`, `encode` and `byte_size`; null is a value.

const StreamLog := preload("res://tests/stream_log.gd")


func run() -> bool:
	var null_bytes: PackedByteArray = var_to_bytes(null)
	var result: VarBytesResult = VarBytes.decode(null_bytes)
	check(result.ok and result.value == null and result.error == VarBytesResult.ErrorKind.NONE, "null is a value")
	check(result.bytes_used == 4 and result.offset == -1 and result.message.is_empty(), "a result without error")
	check(result.to_error() == OK, "no error is OK")

	var cut: VarBytesResult = VarBytes.decode(var_to_bytes({"players": [1, 2, {"name": "Ann"}]}).slice(0, -4))
	check(not cut.ok and cut.value == null and cut.bytes_used == 0, "a cut packet has no value")
	check(cut.error == VarBytesResult.ErrorKind.TRUNCATED and cut.to_error() == ERR_FILE_EOF, "a cut packet is truncated: %s" % cut.message)
	check(cut.path == '$["players"][2]["name"]' and cut.offset > 0, "the path of the cut is %s" % cut.path)

	check(VarBytes.decode(PackedByteArray([99, 0, 0, 0])).error == VarBytesResult.ErrorKind.MALFORMED, "no such type")
	check(VarBytes.decode(PackedByteArray([99, 0, 0, 0])).fault == "unknown_type", "the exact fault")
	var full: PackedByteArray = var_to_bytes_with_objects([Resource.new()])
	var refused: VarBytesResult = VarBytes.decode(full)
	check(refused.error == VarBytesResult.ErrorKind.NOT_ALLOWED and refused.path == "$[0]" and refused.offset == 8, "objects are refused: %s" % refused.message)

	for records: PackedByteArray in [StreamLog.record({"a": 1}), StreamLog.record([1, 2, 3, 4]) + StreamLog.record(1.5)]:
		var misread: VarBytesResult = VarBytes.decode(records)
		check(misread.message.contains("VarBytesFile"), "a file of records: %s" % misread.message)
	check(not VarBytes.decode(var_to_bytes({"a": 1}).slice(0, -4)).message.contains("VarBytesFile"), "a value that is cut")

	var options := VarBytesOptions.new()
	options.offset = 8
	var inner: VarBytesResult = VarBytes.decode(var_to_bytes([7]), options)
	check(inner.ok and inner.value == 7 and inner.bytes_used == 8, "an offset")
	options.offset = 100
	var outside: VarBytesResult = VarBytes.decode(null_bytes, options)
	check(outside.error == VarBytesResult.INVALID_ARGUMENT and outside.fault == &"argument", "an offset of 100: %s" % outside.message)
	check(outside.to_error() == ERR_INVALID_PARAMETER and not outside.can_continue, "an invalid argument")
	options.offset = 4
	check(VarBytes.decode(null_bytes, options).error == VarBytesResult.TRUNCATED, "an offset at the end")
	check(result.can_continue and not cut.can_continue, "without records, it is the same as ok")
	equal(str(result), "<VarBytesResult: ok, Nil, 4 bytes>", "a result as text")
	equal(str(cut), "<VarBytesResult: TRUNCATED, %s>" % cut.message, "an error as text")
	equal(str(VarBytesResult.new()), "<VarBytesResult: empty>", "a new result as text")
	equal(str(VarBytes.encode("four")), "<VarBytesResult: ok, PackedByteArray, 12 bytes>", "bytes as text")

	var strict := VarBytesOptions.new()
	strict.strict = true
	check(VarBytes.decode(var_to_bytes([1, 0.5]), strict).ok, "strict accepts what the engine writes")
	check(VarBytes.decode(null_bytes + PackedByteArray([0])).ok, "bytes after a value are ignored")
	check(VarBytes.decode(null_bytes + PackedByteArray([0]), strict).fault == "trailing_bytes", "strict refuses bytes after it")
	check(VarBytes.decode(PackedByteArray([1, 0, 0, 0, 2, 0, 0, 0]), strict).fault == "not_canonical", "strict refuses a bool of 2")

	var twice: PackedByteArray = var_to_bytes({"a": 1, "b": 2})
	twice[36] = twice[16]
	check(VarBytes.decode(twice).ok and VarBytes.decode(twice).value == bytes_to_var(twice), "a duplicate key")
	check(VarBytes.decode(twice, strict).fault == "not_canonical", "strict refuses it: %s" % VarBytes.decode(twice, strict).message)

	_limits()
	_without_a_new_result()
	_options_that_change()
	_several_results()
	_vectors_in_place_of_others()
	_packed_arrays_in_place_of_others()
	_packed_arrays_that_are_not_read_in_place()
	_packed_arrays_are_written()
	_properties()
	_arguments()
	var encoded: VarBytesResult = VarBytes.encode([1, "two"])
	check(encoded.ok and encoded.value == var_to_bytes([1, "two"]) and encoded.bytes_used == encoded.value.size(), "encode")
	check(VarBytes.byte_size([1, "two"]) == encoded.value.size(), "byte_size")
	return true


func _limits() -> void:
	var bytes: PackedByteArray = var_to_bytes([[["text"]], PackedInt32Array([1, 2, 3])])
	for limit: String in ["max_depth", "max_memory", "max_values", "max_packed_elements", "max_string_length"]:
		var options := VarBytesOptions.new()
		options.set(limit, 2)
		var result: VarBytesResult = VarBytes.decode(bytes, options)
		check(result.error == VarBytesResult.ErrorKind.LIMIT, "%s of 2: %s" % [limit, result.message])
		options.set(limit, 1000)
		check(VarBytes.decode(bytes, options).ok, "%s of 1000" % limit)


func _without_a_new_result() -> void:
	var again := VarBytesResult.new()
	for bytes: PackedByteArray in [var_to_bytes(7), PackedByteArray([99, 0, 0, 0]), var_to_bytes({"a": [1]}), PackedByteArray(), var_to_bytes(null)]:
		var expected: VarBytesResult = VarBytes.decode(bytes)
		equal(again.decode(bytes), expected.ok, "a result that is used again")
		for property: String in ["ok", "value", "bytes_used", "error", "fault", "message", "offset", "can_continue", "path", "losses"]:
			equal(again.get(property), expected.get(property), "%s of a result that is used again" % property)
		equal(VarBytes.try_decode(bytes, "fallback"), expected.value if expected.ok else "fallback", "try_decode")
	var endless: Array = []
	endless.append(endless)
	check(not again.encode(endless) and again.error == VarBytesResult.LIMIT, "a value that cannot be written")
	check(again.encode(endless.size()) and again.value == var_to_bytes(1), "a value after one that cannot be written")
	check(VarBytes.try_encode(endless).is_empty() and VarBytes.try_encode([1]) == var_to_bytes([1]), "try_encode")
	endless.clear()
	# By name, with Variants in place of values of the declared types.
	equal(ClassDB.class_call_static(&"VarBytes", &"try_decode", var_to_bytes("a"), null, null), "a", "try_decode by name")
	equal(again.call("decode", var_to_bytes("b")), true, "decode by name")


func _options_that_change() -> void:
	var options := VarBytesOptions.new()
	var bytes: PackedByteArray = var_to_bytes([1]) + PackedByteArray([0])
	equal(VarBytes.try_decode(bytes, null, options), [1], "options before they change")
	options.strict = true
	equal(VarBytes.try_decode(bytes, null, options), null, "strict is noticed")
	options.strict = false
	options.offset = 8
	equal(VarBytes.try_decode(bytes, null, options), 1, "an offset is noticed")
	options.size = 4
	equal(VarBytes.try_decode(bytes, "refused", options), "refused", "a size is noticed")
	options.size = -1
	options.offset = 0
	options.max_values = 1
	equal(VarBytes.try_decode(var_to_bytes([1, 2]), "refused", options), "refused", "a limit is noticed")
	options.max_values = 0
	var object: PackedByteArray = var_to_bytes_with_objects(RefCounted.new())
	equal(VarBytes.try_decode(object, "refused", options), "refused", "an object without options for it")
	options.allow_objects = true
	equal(VarBytes.try_decode(object, "refused", options), "refused", "an object that is not listed")
	options.allowed_classes["RefCounted"] = PackedStringArray(["*"])
	check(VarBytes.try_decode(object, null, options) is RefCounted, "a class that is added to the list in place")
	options.allowed_classes.erase("RefCounted")
	equal(VarBytes.try_decode(object, "refused", options), "refused", "a class that is removed from the list in place")
	options.engine = "godot-3.6"
	equal(VarBytes.try_decode(var_to_bytes(7), null, options), 7, "an engine is noticed")
	equal(VarBytes.try_encode([&"name"], options), VarBytes.encode([&"name"], options).value, "an engine is noticed by try_encode")
	var other := VarBytesOptions.new()
	other.strict = true
	equal(VarBytes.try_decode(bytes, null, other), null, "other options")


## Each result has its own content, whichever was used last, and in whichever thread.
func _several_results() -> void:
	var results: Array[VarBytesResult] = []
	for index: int in 20:
		results.append(VarBytesResult.new())
	for round: int in 3:
		for index: int in results.size():
			check(results[index].decode(var_to_bytes(index + round)), "results in turn")
			equal(results[index].value, index + round, "a result in turn")
	for index: int in results.size():
		equal(results[index].value, index + 2, "a result after the others were used")
	# The memory of a freed result is used for the next one.
	for index: int in 100:
		var result := VarBytesResult.new()
		check(not result.ok and result.value == null and result.offset == -1 and result.error == VarBytesResult.NONE, "a result without a call")
		check(result.decode(var_to_bytes(index)) and result.value == index, "a result in the memory of another")
	var shared := VarBytesResult.new()
	check(shared.decode(var_to_bytes("here")), "a result for threads")
	var thread := Thread.new()
	thread.start(func() -> Array: return [shared.value, shared.decode(var_to_bytes("there")), shared.value])
	equal(thread.wait_to_finish(), ["here", true, "there"], "a result in another thread")
	equal(shared.value, "there", "a result after another thread used it")
	for wrong: int in in_threads(4, func(index: int) -> int: return _decode_often(shared, index)):
		equal(wrong, 0, "a result that threads use at the same time")
	var extended := Extended.new()
	check(extended.decode(var_to_bytes(7)) and extended.twice() == 14, "a script that extends the class")


## Values of a fixed size are written and read without the codec, in each call, over values that own memory and over others.
func _vectors_in_place_of_others() -> void:
	var text := "text ".repeat(10)
	var values: Array = [
		Vector2(1.5, -0.0), Vector2i(-1, 1 << 30), Rect2(1, 2, 3, INF), Rect2i(1, -2, 3, 4), Vector3(1, 2, NAN), Vector3i(1, 2, -3), Transform2D(0.5, Vector2(1, 2)),
		Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, -4), Plane(1, 2, 3, 4), Quaternion(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis(Vector3(1, 2, 3), 0.5),
		Transform3D(Basis(), Vector3(7, 8, 9)), Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)), Color(0.1, 2, 3, 0.5),
	]
	var again := VarBytesResult.new()
	var strict := VarBytesOptions.new()
	strict.strict = true
	for value: Variant in values:
		var bytes: PackedByteArray = var_to_bytes(value)
		var what: String = type_string(typeof(value))
		check(again.encode(value) and again.value == bytes and again.bytes_used == bytes.size(), "encode of a used result, " + what)
		equal([VarBytes.var_to_bytes(value), VarBytes.encode(value).value, VarBytes.try_encode(value), VarBytes.byte_size(value)], [bytes, bytes, bytes, bytes.size()], what)
		for before: Variant in [null, text, [text], Projection(), Resource.new()] + values:
			check(again.decode(var_to_bytes(before)) and again.decode(bytes) and same(again.value, value) and again.bytes_used == bytes.size(), "decode after %s, %s" % [before, what])
			check(again.ok and again.can_continue and again.message == "" and again.losses.is_empty(), "after %s, %s" % [before, what])
		check(not again.decode(bytes.slice(0, -1)) and again.error == VarBytesResult.TRUNCATED and again.value == null, "cut, " + what)
		check(not again.decode(bytes + PackedByteArray([0]), strict) and again.fault == &"trailing_bytes", "strict, " + what)
		check(again.decode(bytes, strict) and same(again.value, value), "strict, " + what)


## A result reads a short packed array into the one of the call before, but only if nothing else has that one.
func _packed_arrays_in_place_of_others() -> void:
	for whole: Variant in _packed_arrays(40):
		for count: int in [0, 1, 2, 7, 40]:
			for next: int in [0, 1, 2, 8, 40]:
				var first: Variant = whole.slice(0, count)
				var second: Variant = whole.slice(40 - next)
				var what: String = "%d, then %d of %s" % [count, next, type_string(typeof(whole))]
				var result := VarBytesResult.new()
				check(result.decode(var_to_bytes(first)) and same(result.value, first), what)
				check(result.decode(var_to_bytes(second)) and same(result.value, second), "again, " + what)
				equal(result.bytes_used, var_to_bytes(second).size(), "bytes used, " + what)
				var kept: Variant = result.value
				check(result.decode(var_to_bytes(first)) and same(result.value, first), "while another has the old one, " + what)
				equal(kept, second, "the old one, " + what)
				if count == 40:
					var copy: Variant = result.value.duplicate()
					kept = result.value
					kept.resize(3)
					check(result.decode(var_to_bytes(second)) and result.decode(var_to_bytes(first)), "twice, " + what)
					equal([kept, copy], [first.slice(0, 3), first], "what a script has copied, " + what)
	# Variables of the type share only the elements.
	var again := VarBytesResult.new()
	again.decode(var_to_bytes(PackedInt32Array([1, 2, 3])))
	var typed: PackedInt32Array = again.value
	var second_typed: PackedInt32Array = typed
	check(again.decode(var_to_bytes(PackedInt32Array([4, 5, 6]))), "a typed variable")
	equal([typed, second_typed, again.value], [PackedInt32Array([1, 2, 3]), PackedInt32Array([1, 2, 3]), PackedInt32Array([4, 5, 6])], "typed variables")
	# A packet that is the value of the result itself.
	var inner: PackedByteArray = var_to_bytes(PackedByteArray(range(100)))
	check(again.decode(var_to_bytes(inner)) and again.decode(again.value), "a packet in a packet")
	equal(again.value, PackedByteArray(range(100)), "a packet in a packet")
	var packet: Variant = var_to_bytes(inner)
	packet = VarBytes.bytes_to_var(packet)
	packet = VarBytes.bytes_to_var(packet)
	equal(packet, PackedByteArray(range(100)), "a variable that is read into itself")
	var same_size: PackedByteArray = var_to_bytes(PackedByteArray(range(16)))
	again.decode(var_to_bytes(same_size))
	check(again.decode(again.value) and again.value == PackedByteArray(range(16)), "a packet of the same size")
	# What was written before is kept for the next call, too.
	again.encode([1, 2, 3])
	var written: PackedByteArray = again.value
	check(again.decode(var_to_bytes(PackedByteArray(range(7)))) and again.value == PackedByteArray(range(7)), "after a value was written")
	equal(written, var_to_bytes([1, 2, 3]), "the bytes that were written")
	check(again.encode("text") and again.value == var_to_bytes("text"), "a value is written after an array was read")


## What the decoder refuses or reads in another way is refused and read as by the built-in.
func _packed_arrays_that_are_not_read_in_place() -> void:
	var again := VarBytesResult.new()
	for whole: Variant in _packed_arrays(3):
		var bytes: PackedByteArray = var_to_bytes(whole)
		check(again.decode(bytes + PackedByteArray([1, 2, 3])) and same(again.value, whole) and again.bytes_used == bytes.size(), "bytes after it")
		# Padding may be missing.
		for size: int in range(1, bytes.size() - (1 if whole is PackedByteArray else 0)):
			var cut: PackedByteArray = bytes.slice(0, size)
			equal(VarBytes.try_decode(cut, "refused"), "refused", "%d of %d bytes" % [size, bytes.size()])
			check(not again.decode(cut) and again.error == VarBytesResult.TRUNCATED and again.value == null, "%d of %d bytes: %s" % [size, bytes.size(), again])
		for place: int in range(8):
			var damaged: PackedByteArray = bytes.duplicate()
			damaged[place] ^= 0x40
			var expected: VarBytesResult = VarBytes.decode(damaged)
			equal(again.decode(damaged), expected.ok, "byte %d damaged" % place)
			equal([again.value, again.fault, again.message], [expected.value, expected.fault, expected.message], "byte %d damaged" % place)
		for property: String in ["max_memory", "max_packed_elements", "size"]:
			var options := VarBytesOptions.new()
			options.set(property, 2)
			var fault: StringName = VarBytes.decode(bytes, options).fault
			check(not again.decode(bytes, options) and again.fault == fault and fault != &"", "%s: %s" % [property, again])
			equal(VarBytes.try_decode(bytes, "refused", options), "refused", property)
		var strict := VarBytesOptions.new()
		strict.strict = true
		check(again.decode(bytes, strict) and same(again.value, whole), "strict")
		check(not again.decode(bytes + PackedByteArray([0]), strict) and again.fault == &"trailing_bytes", "strict, with a byte after it")
		var slice := VarBytesOptions.new()
		slice.offset = 4
		check(again.decode(PackedByteArray([9, 0, 0, 0]) + bytes, slice) and same(again.value, whole), "an offset")
	check(again.decode(PackedByteArray([29, 0, 0, 0, 1, 0, 0, 0, 7])) and again.value == PackedByteArray([7]), "without padding")


## Short ones are written without the codec, up to the size of the buffer in which results collect bytes.
func _packed_arrays_are_written() -> void:
	var again := VarBytesResult.new()
	var file := VarBytesFile.open("user://packed.dat", FileAccess.WRITE_READ)
	var values: Array = []
	for whole: Variant in _packed_arrays(4200):
		var size: int = (var_to_bytes(whole.slice(0, 4)).size() - 8) / 4
		for around: int in [0, 1, 2, 3, 5, 8, 2048, 4084, 4088, 4092, 4096, 4100]:
			values.append_array(range(maxi(0, around / size - 1), around / size + 2).map(func(count: int) -> Variant: return whole.slice(0, count)))
	for value: Variant in values:
		var bytes: PackedByteArray = var_to_bytes(value)
		var what: String = "%d of %s" % [value.size(), type_string(typeof(value))]
		check(again.encode(value) and again.value == bytes and again.bytes_used == bytes.size(), "a result, " + what)
		equal([VarBytes.var_to_bytes(value), VarBytes.try_encode(value), VarBytes.encode(value).value], [bytes, bytes, bytes], what)
		check(file.try_store(value), "a file, " + what)
		check(again.decode(bytes) and same(again.value, value), "read, " + what)
	check(file.seek(0).ok, "the start of the file")
	equal(file.next_many(values.size()).value, values, "the file")
	file.close()


func _packed_arrays(count: int) -> Array:
	var numbers: Array = range(1, 1 + count)
	return [
		PackedByteArray(numbers), PackedInt32Array(numbers), PackedInt64Array(numbers), PackedFloat32Array(numbers),
		PackedFloat64Array(numbers), PackedVector2Array(numbers.map(func(x: int) -> Vector2: return Vector2(x, -x))),
		PackedVector3Array(numbers.map(func(x: int) -> Vector3: return Vector3(x, -x, 0.5))), PackedColorArray(numbers.map(func(x: int) -> Color: return Color(x, 2, 3, 0.5))),
		PackedVector4Array(numbers.map(func(x: int) -> Vector4: return Vector4(x, -x, 0.5, 2))),
	]


func _decode_often(result: VarBytesResult, index: int) -> int:
	var wrong: int = 0
	for count: int in 1000:
		if not result.decode(var_to_bytes([index, count])) or not result.value is Array:
			wrong += 1
	return wrong


class Extended extends VarBytesResult:
	func twice() -> int:
		return 2 * value


func _properties() -> void:
	var types: Dictionary[String, int] = {
		"value": TYPE_NIL, "ok": TYPE_BOOL, "bytes_used": TYPE_INT, "error": TYPE_INT, "fault": TYPE_STRING, "message": TYPE_STRING,
		"offset": TYPE_INT, "can_continue": TYPE_BOOL, "path": TYPE_STRING, "losses": TYPE_PACKED_STRING_ARRAY,
	}
	var found: Dictionary[String, int] = {}
	for property: Dictionary in ClassDB.class_get_property_list(&"VarBytesResult", true):
		if property.usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP) == 0:
			found[property.name] = property.type
			check(property.usage & PROPERTY_USAGE_STORAGE == 0, "%s is not stored" % property.name)
			equal(property.name == "error", property.class_name == &"VarBytesResult.ErrorKind", "the enum of %s" % property.name)
	equal(found, types, "the properties and their types")
	# Calls with arguments and results of the declared types, and the same by name.
	var cut: VarBytesResult = VarBytes.decode(var_to_bytes(["a"]).slice(0, -2))
	var ok: bool = cut.get_ok()
	var used: int = cut.get_bytes_used()
	var kind: VarBytesResult.ErrorKind = cut.get_error()
	var fault: String = cut.get_fault()
	var message: String = cut.get_message()
	var offset: int = cut.get_offset()
	var more: bool = cut.get_can_continue()
	var path: String = cut.get_path()
	var losses: PackedStringArray = cut.get_losses()
	var typed: Array = [cut.get_value(), ok, used, kind, fault, message, offset, more, path, losses]
	for index: int in types.size():
		var name: String = types.keys()[index]
		equal(typed[index], cut.get(name), "%s by its getter" % name)
		equal(typed[index], cut.call("get_" + name), "%s by the name of its getter" % name)
	equal(cut.get_path(), "$[0]", "a path by its getter")
	var untyped: Variant = cut
	untyped.set("ok", true)
	check(not cut.ok, "a property cannot be set")
	var old: VarBytesOptions = VarBytesOptions.new()
	old.engine = "godot-3.6"
	var lossy: PackedStringArray = VarBytes.encode([&"name"], old).losses
	check(lossy.size() == 1 and VarBytes.encode([&"name"], old).get_losses() == lossy, "losses: %s" % lossy)


## Arguments of other types are converted or refused as for the engine's own methods.
func _arguments() -> void:
	var bytes: PackedByteArray = var_to_bytes(7)
	equal(VarBytes.decode(Array(bytes)).value, 7, "an Array of bytes")
	equal(VarBytes.try_decode(Array(bytes)), 7, "an Array of bytes for try_decode")
	equal(ClassDB.class_call_static(&"VarBytes", &"decode", bytes).value, 7, "decode by name")
	equal(ClassDB.class_call_static(&"VarBytes", &"encode", 7, null).value, bytes, "encode by name")
	equal(ClassDB.class_call_static(&"VarBytes", &"try_encode", 7, VarBytesOptions.new()), bytes, "try_encode by name")
	var options := VarBytesOptions.new()
	options.strict = true
	var id: int = options.get_instance_id()
	equal(VarBytes.try_decode(bytes + PackedByteArray([0]), null, options), null, "options by their id")
	options = null
	check(not is_instance_id_valid(id), "options are not kept")
	equal(VarBytes.try_decode(bytes + PackedByteArray([0]), null, options), 7, "null after options")
