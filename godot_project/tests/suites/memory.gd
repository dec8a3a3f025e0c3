extends "res://tests/suite.gd"
## Measures the memory of values in the engine, and checks `max_memory` against it within a factor of two: every packet
## is read with twice the memory that its value takes, and refused with half of it. Without options, everything that an
## engine writes is read, and conversions that multiply memory are refused.
##
## The engine counts memory only in builds with its checks, for example in the editor.

const Attacks := preload("res://tests/suites/attacks.gd")
const Benchmark := preload("res://benchmark/memory.gd")

const COUNT: int = 20_000

## Measurements: a name, the packet, its options, the bytes of memory, the result.
var _measured: Array[Array] = []


func run() -> bool:
	if not check(OS.get_static_memory_usage() > 0, "this engine does not count memory"):
		return true
	var cases: Dictionary[String, Callable] = _cases()
	for what: String in cases:
		# All members are freed before the packet is read, so that the engine has neither their names nor free space in its
		# pools.
		_measure(what, _array(range(COUNT).map(func(index: int) -> PackedByteArray: return _bytes(cases[what].call(index)))))
	for entries: int in [1, 4, 17, 18, 72, 73, 1157, 1158, 20_000]:
		var one: Dictionary = {}
		for key: int in entries:
			one[key] = key
		var packets: Array = []
		for index: int in maxi(COUNT / entries, 1):
			packets.append(var_to_bytes(one))
		_measure("Dictionaries of %d" % entries, _array(packets))
	_objects()
	_conversions()
	_hold()
	_refused_without_options()
	_other_engines()
	_honest()
	if OS.get_name() == "Linux":
		_counts_that_are_too_large()
		_conversions_within_other_containers()
	return true


func _cases() -> Dictionary[String, Callable]:
	return {
		"null": func(_index: int) -> Variant: return null,
		"bool": func(index: int) -> bool: return index % 2 == 0,
		"int": func(index: int) -> int: return index << 40,
		"float": func(index: int) -> float: return index / 3.0,
		"String of none": func(_index: int) -> String: return "",
		"String of 1": func(_index: int) -> String: return "a",
		"String of 8": func(index: int) -> String: return "%08d" % index,
		"String of 1,000": func(index: int) -> String: return "%01000d" % index,
		"String of 100 CJK": func(index: int) -> String: return char(0x4E00 + index % 20_000).repeat(100),
		"StringName of 5": func(index: int) -> StringName: return "a%04d" % (index % 10_000) if index < 10_000 else "b%04d" % (index % 10_000),
		"StringName of 100": func(index: int) -> StringName: return "%0100d" % index,
		"NodePath of a name": func(index: int) -> NodePath: return NodePath("n%07d" % index),
		"NodePath of 5 names": func(index: int) -> NodePath: return NodePath("p%d/q%d/r%d/s%d:t%d" % [index, index, index, index, index]),
		"Vector2": func(index: int) -> Vector2: return Vector2(index, 1),
		"Vector2i": func(index: int) -> Vector2i: return Vector2i(index, 1),
		"Rect2": func(index: int) -> Rect2: return Rect2(index, 1, 2, 3),
		"Rect2i": func(index: int) -> Rect2i: return Rect2i(index, 1, 2, 3),
		"Vector3": func(index: int) -> Vector3: return Vector3(index, 1, 2),
		"Vector3i": func(index: int) -> Vector3i: return Vector3i(index, 1, 2),
		"Transform2D": func(index: int) -> Transform2D: return Transform2D(index, Vector2.ONE),
		"Vector4": func(index: int) -> Vector4: return Vector4(index, 1, 2, 3),
		"Vector4i": func(index: int) -> Vector4i: return Vector4i(index, 1, 2, 3),
		"Plane": func(index: int) -> Plane: return Plane(1, 0, 0, index),
		"Quaternion": func(index: int) -> Quaternion: return Quaternion(index, 0, 0, 1),
		"AABB": func(index: int) -> AABB: return AABB(Vector3(index, 0, 0), Vector3.ONE),
		"Basis": func(index: int) -> Basis: return Basis.from_scale(Vector3(index + 1, 1, 1)),
		"Transform3D": func(index: int) -> Transform3D: return Transform3D(Basis(), Vector3(index, 0, 0)),
		"Projection": func(index: int) -> Projection: return Projection(Transform3D(Basis(), Vector3(index, 0, 0))),
		"Color": func(index: int) -> Color: return Color(index, 0, 0),
		"RID": func(index: int) -> RID: return rid_from_int64(index + 1),
		"Object by its id": func(index: int) -> PackedByteArray: return Attacks.word(0x10018) + var_to_bytes((1 << 40) + index).slice(4),
		"null object": func(_index: int) -> PackedByteArray: return Attacks.word(0x10018) + var_to_bytes(1 << 40).slice(4, 4) + PackedByteArray([0, 0, 0, 0, 0, 0, 0, 0]),
		"Callable": func(_index: int) -> PackedByteArray: return Attacks.word(25),
		"Signal": func(index: int) -> PackedByteArray: return Attacks.word(26) + Attacks.text("s%07d" % index) + var_to_bytes(1 << 40).slice(4),
		"empty Dictionary": func(_index: int) -> Dictionary: return {},
		"empty Array": func(_index: int) -> Array: return [],
		"Array of 1": func(index: int) -> Array: return [index],
		"Array of 100": func(index: int) -> Array: return range(index, index + 100),
		"Array[int] of 5": func(index: int) -> Array[int]: return [index, 1, 2, 3, 4],
		"empty typed Dictionary": func(_index: int) -> Dictionary[int, int]: return {},
		"empty PackedByteArray": func(_index: int) -> PackedByteArray: return var_to_bytes(PackedByteArray()),
		"PackedByteArray of 100": func(_index: int) -> PackedByteArray: return var_to_bytes(PackedByteArray(range(100))),
		"PackedInt32Array of 10": func(index: int) -> PackedInt32Array: return range(index, index + 10),
		"PackedInt64Array of 10": func(index: int) -> PackedInt64Array: return range(index, index + 10),
		"PackedFloat32Array of 10": func(index: int) -> PackedFloat32Array: return range(index, index + 10),
		"PackedFloat64Array of 10": func(index: int) -> PackedFloat64Array: return range(index, index + 10),
		"PackedStringArray of 10": func(index: int) -> PackedStringArray: return range(index, index + 10).map(func(number: int) -> String: return str(number)),
		"PackedVector2Array of 2": func(index: int) -> PackedVector2Array: return [Vector2(index, 1), Vector2.ONE],
		"PackedVector3Array of 2": func(index: int) -> PackedVector3Array: return [Vector3(index, 1, 2), Vector3.ONE],
		"PackedColorArray of 2": func(_index: int) -> PackedColorArray: return [Color.RED, Color.BLUE],
		"PackedVector4Array of 2": func(_index: int) -> PackedVector4Array: return [Vector4.ONE, Vector4.ONE],
	}


func _objects() -> void:
	for kind: String in ["RefCounted", "Resource", "Gradient"]:
		var options := VarBytesOptions.new()
		options.allow_objects = true
		options.allowed_classes = {kind: PackedStringArray(["*"])}
		var one: PackedByteArray = Attacks.object(kind, {} if kind == "RefCounted" else {"resource_name": "name"})
		var packets: Array = []
		for index: int in COUNT:
			packets.append(one)
		_measure(kind, _array(packets), options)


func _conversions() -> void:
	var zeroes := PackedByteArray()
	zeroes.resize(COUNT)
	# A PackedByteArray in an Array of Arrays: each byte becomes a value.
	_measure("bytes that become values", _typed_array(TYPE_ARRAY, 1, func(_index: int) -> PackedByteArray: return zeroes), _free())
	var name_of: Callable = func(index: int) -> String: return "name%05d" % index
	_measure("Strings that become StringNames", _typed_array(TYPE_STRING_NAME, COUNT, name_of))
	var cases: Dictionary[String, Array] = {
		"Arrays as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [range(index, index + 20)]],
		"nested Arrays as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [[[[index, "text"], [null, true]], {index: [0.5]}]]],
		"Dictionaries as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [{index: "value", "key": index}]],
		"PackedFloat64Arrays as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [PackedFloat64Array([index / 3.0, 1e300, 0.1])]],
		"Transform3Ds as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [Transform3D(Basis(), Vector3(index, 0.1, 0.2))]],
		"ints as text": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [index << 40]],
		"NodePaths that become Strings": [TYPE_STRING, func(index: int) -> NodePath: return NodePath("p%d/q:r" % index)],
		"Strings that become NodePaths": [TYPE_NODE_PATH, func(index: int) -> String: return "p%d/q%d:r" % [index, index]],
		"Arrays that become PackedVector3Arrays": [TYPE_PACKED_VECTOR3_ARRAY, func(index: int) -> Array: return [Vector3(index, 1, 2), Vector3.ONE]],
		"Arrays that become PackedStringArrays": [TYPE_PACKED_STRING_ARRAY, func(index: int) -> Array: return [str(index), "text"]],
		"PackedStringArrays that become Arrays": [TYPE_ARRAY, func(index: int) -> PackedStringArray: return [str(index), "text"]],
		"PackedColorArrays that become Arrays": [TYPE_ARRAY, func(index: int) -> PackedColorArray: return [Color(index, 0, 0), Color.RED]],
		"Transform2Ds that become Transform3Ds": [TYPE_TRANSFORM3D, func(index: int) -> Transform2D: return Transform2D(index, Vector2.ONE)],
		"bools that become floats": [TYPE_FLOAT, func(index: int) -> bool: return index % 2 == 0],
	}
	for what: String in cases:
		_measure(what, _typed_array(cases[what][0], COUNT / 4, cases[what][1]), _free())


func _refused_without_options() -> void:
	var zeroes := PackedByteArray()
	zeroes.resize(10_000_000)
	var bytes: PackedByteArray = _typed_array(TYPE_ARRAY, 1, func(_index: int) -> PackedByteArray: return zeroes)
	check(VarBytes.decode(bytes).error == VarBytesResult.LIMIT, "ten million bytes become values without a limit")
	var path: String = "user://memory.dat"
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_32(bytes.size())
	file.store_buffer(bytes)
	file.close()
	check(VarBytesFile.open(path, FileAccess.READ).next().error == VarBytesResult.LIMIT, "the same as a record")
	var stream := StreamPeerBuffer.new()
	stream.data_array = FileAccess.get_file_as_bytes(path)
	check(VarBytesFile.take(stream).error == VarBytesResult.LIMIT, "the same from a stream")
	DirAccess.remove_absolute(path)


## The limit also applies to values converted from another engine.
func _other_engines() -> void:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	var ids: PackedByteArray = "13000000e8030000".hex_decode() + "110001000700000000000000".repeat(1000).hex_decode()
	check(VarBytes.decode(ids, options).ok, "a thousand ids of Godot 3")
	options.max_memory = 100_000
	check(VarBytes.decode(ids, options).error == VarBytesResult.LIMIT, "a thousand ids of Godot 3 in 100 KB")
	options.max_memory = 1_000_000
	check(VarBytes.decode(ids, options).ok, "a thousand ids of Godot 3 in 1 MB")


## Every type of value, as dense as an engine can write it, is read without options and with default options.
func _honest() -> void:
	var cases: Dictionary[String, Callable] = _cases()
	for what: String in cases:
		for count: int in [1, 1000]:
			var packet: PackedByteArray = _array(range(count).map(func(index: int) -> PackedByteArray: return _bytes(cases[what].call(index))))
			for options: VarBytesOptions in [null, VarBytesOptions.new()]:
				var result: VarBytesResult = VarBytes.decode(packet, options)
				check(result.ok, "%d of %s are refused by default: %s" % [count, what, result.message])
	for entry: Dictionary in [{null: null}, {true: false}, {&"": ""}, {"": {}}, {[]: []}]:
		var packets: Array = []
		for index: int in 1000:
			packets.append(var_to_bytes(entry))
		check(VarBytes.decode(_array(packets)).ok, "Dictionaries like %s" % entry)


## No space for members that the rest of the packet cannot hold together. Only Linux resets and tells the highest memory of a process.
func _counts_that_are_too_large() -> void:
	const SIZE: int = 1 << 22
	var first: Dictionary[String, PackedByteArray] = {"an int": var_to_bytes(1), "an Array": var_to_bytes([]), "nothing": []}
	for container: int in [TYPE_ARRAY, TYPE_DICTIONARY, TYPE_PACKED_STRING_ARRAY]:
		for before: String in first:
			# The fast path reads 15 levels, and leaves deeper ones to the decoder.
			for levels: int in [1, 2, 12, 15, 16, 40]:
				var outside: int = TYPE_ARRAY if container == TYPE_PACKED_STRING_ARRAY else container
				var packet: PackedByteArray = []
				for level: int in levels:
					var is_last: bool = level == levels - 1
					packet.append_array(Attacks.word(container if is_last else outside))
					var least: int = 4 if outside == TYPE_ARRAY and not (is_last and container == TYPE_PACKED_STRING_ARRAY) else 8
					packet.append_array(Attacks.word((SIZE - packet.size() - 4) / least))
					if not is_last:
						packet.append_array(first[before])
						if outside == TYPE_DICTIONARY and before == "nothing":
							packet.append_array(var_to_bytes(level))
				packet.resize(SIZE)
				packet[SIZE - 4] = 255
				for call: Callable in [VarBytes.bytes_to_var, VarBytes.try_decode, VarBytes.validate]:
					var taken: int = _peak(func() -> void: quietly(func() -> Array: return [call.call(packet)]))
					check(taken < 16 * SIZE, "%s takes %d bytes for %d levels of type %d after %s" % [call.get_method(), taken, levels, container, before])


## A packet whose members are converted beyond the limit takes no more memory where it is read on the fast path first. Only Linux resets
## and tells the highest memory of a process.
func _conversions_within_other_containers() -> void:
	const SIZE: int = 1 << 21
	var floats := PackedFloat64Array()
	floats.resize(SIZE / 8)
	floats.fill(-1.7e308)
	var bytes := PackedByteArray()
	bytes.resize(SIZE)
	var typed: Dictionary[String, PackedByteArray] = {
		"numbers as text": Attacks.word(0x1001C) + Attacks.word(TYPE_PACKED_STRING_ARRAY) + Attacks.word(1) + Attacks.word(28) + Attacks.word(1) + var_to_bytes(floats),
		"bytes as Array": Attacks.word(0x1001C) + Attacks.word(TYPE_ARRAY) + Attacks.word(1) + var_to_bytes(bytes),
	}
	for kind: String in typed:
		var packet: PackedByteArray = typed[kind]
		var members: Array = range(33).map(func(index: int) -> PackedByteArray: return packet if index == 32 else var_to_bytes(1))
		var deep: PackedByteArray = packet
		for level: int in 16:
			deep = _array([deep])
		var alone: int = _highest(packet)
		for within: PackedByteArray in [_array([_array(members)]), deep]:
			var taken: int = _highest(within)
			check(taken < alone + 8 * SIZE, "%s: %d bytes within other containers, %d alone" % [kind, taken, alone])


## Returns how much memory the process takes at most to refuse a packet.
func _highest(packet: PackedByteArray) -> int:
	return _peak(func() -> void: equal(VarBytes.decode(packet).error, VarBytesResult.LIMIT, "the error"))


## Returns how much memory the process takes at most during a call, beyond what it has.
static func _peak(call: Callable) -> int:
	FileAccess.open("/proc/self/clear_refs", FileAccess.WRITE).store_string("5")
	var memory: int = Benchmark.kibibytes("VmRSS")
	call.call()
	return (Benchmark.kibibytes("VmHWM") - memory) << 10


## Measures the memory of a packet's value. The value is kept, so that the engine's pools do not reuse counted memory.
func _measure(what: String, packet: PackedByteArray, options: VarBytesOptions = VarBytesOptions.new()) -> void:
	options.max_memory = 1 << 40
	var before: int = OS.get_static_memory_usage()
	var result: VarBytesResult = VarBytes.decode(packet, options)
	var used: int = OS.get_static_memory_usage() - before
	if check(result.ok, "%s: %s" % [what, result.message]):
		_measured.append([what, packet, options, used, result])


func _hold() -> void:
	for measured: Array in _measured:
		var packet: PackedByteArray = measured[1]
		var options: VarBytesOptions = measured[2]
		var used: int = measured[3]
		print("  %-32s %9d bytes take %9d" % [measured[0], packet.size(), used])
		options.max_memory = used * 2
		var result: VarBytesResult = VarBytes.decode(packet, options)
		check(result.ok, "%s take %d, and are refused under twice that: %s" % [measured[0], used, result.message])
		options.max_memory = used / 2
		check(VarBytes.decode(packet, options).error == VarBytesResult.LIMIT, "%s take %d, and are read under half of that" % [measured[0], used])
	_measured.clear()


## Returns options with only a memory limit.
static func _free() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.max_values = 1 << 40
	options.max_packed_elements = 1 << 40
	return options


static func _bytes(member: Variant) -> PackedByteArray:
	return member if member is PackedByteArray else var_to_bytes(member)


static func _array(members: Array) -> PackedByteArray:
	var packet: PackedByteArray = Attacks.word(28) + Attacks.word(members.size())
	for member: PackedByteArray in members:
		packet.append_array(member)
	return packet


## Returns an Array with an element type, and with the members that a function returns. There is never more than one of
## them, because the engine keeps the memory of freed values for new ones.
static func _typed_array(type: int, count: int, member: Callable) -> PackedByteArray:
	var packet: PackedByteArray = Attacks.word(0x1001C) + Attacks.word(type) + Attacks.word(count)
	for index: int in count:
		packet.append_array(var_to_bytes(member.call(index)))
	return packet
