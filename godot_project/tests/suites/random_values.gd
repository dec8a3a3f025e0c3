extends "res://tests/suite.gd"
## Random values of every type, with and without objects: the same bytes as the built-ins, and the same value back.

const RandomVariants := preload("res://tests/random_variants.gd")

var _strict := VarBytesOptions.new()


func run() -> bool:
	_strict.strict = true
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1)
	for index: int in number("values", 20_000):
		var objects: bool = index % 4 == 3
		variants.with_objects = objects
		var value: Variant = variants.value()
		compare_value(value, objects, "value %d of seed %d" % [index, number("seed", 1)])
	_around_4096_bytes()
	_long_values()
	_rare_members_of_small_containers()
	_damaged_text_in_small_containers()
	_keys_that_repeat()
	_paths_that_repeat()
	_numbers_in_dictionaries()
	_small_containers()
	_typed_containers_of_containers()
	_long_packets_of_few_values()
	_packed_strings()
	_names_of_each_length()
	_dictionaries_of_each_capacity()
	return true


## Up to 4096 bytes are written elsewhere first. Each kind of value is written at each place around the end of that.
func _around_4096_bytes() -> void:
	var kinds: Array = [
		null, true, 1 << 40, 1.5, 0.1, "ASCII", "größer", "日本".repeat(30), &"name", ^"a/b:c", Vector2.ONE, Vector3i.ONE, Color.RED,
		Transform3D.IDENTITY, Projection.IDENTITY, RID(), Callable(), PackedByteArray([1, 2, 3]), PackedInt32Array([1, 2]),
		PackedStringArray(["a", "é"]), PackedStringArray(Array(range(257)).map(str)), [], [[]], {}, {"key": {"key": 1}}, [1, 2, 3] as Array[int], [Vector2.ONE, Vector2.ONE],
		{"key": 1} as Dictionary[String, int], "long".repeat(2000), PackedFloat64Array(range(3000)), Array(range(3000)),
	]
	for kind: Variant in kinds:
		for length: int in range(3964, 4114, 4):
			var text: String = "x".repeat(length)
			compare_value([text, kind, kind, "after"], false, "%s after %d characters" % [type_string(typeof(kind)), length])
			compare_value({text: kind, "after": kind}, false, "%s as the value of %d characters" % [type_string(typeof(kind)), length])


## Arrays of 8 KiB or more are created in another way, and more than 64 KiB are written in parts.
func _long_values() -> void:
	var lengths: Array = [1023, 1024, 1025, 4095, 4096, 8179, 8180, 8183, 8184, 8185, 8192, 65_519, 65_527, 65_528, 65_535, 65_536, 65_537, 200_001]
	for length: int in lengths.filter(func(length: int) -> bool: return _is_for_this_run(length / 40)):
		var bytes := PackedByteArray()
		bytes.resize(length)
		for index: int in range(0, length, 7):
			bytes[index] = index
		var text: String = "abcdefg".repeat(length / 7 + 1).left(length)
		var words: Array = Array(text.split("f"))
		for value: Variant in [
			bytes, text, text + "ö", "日ö".repeat(length / 5), bytes.slice(0, length / 8 * 8).to_int32_array(), bytes.slice(0, length / 8 * 8).to_float64_array(),
			words, PackedStringArray(words),
		]:
			compare_value(value, false, "%s of %d bytes" % [type_string(typeof(value)), length])
			compare_value([1, value, "after", value, {}], false, "%s of %d bytes in an Array" % [type_string(typeof(value)), length])
			compare_value({"key": value, "after": 1}, true, "%s of %d bytes in a Dictionary" % [type_string(typeof(value)), length])


## Values that the fast path for small packets does not know, before and after such that it does.
func _rare_members_of_small_containers() -> void:
	var id := EncodedObjectAsID.new()
	id.object_id = 1 << 40
	for rare: Variant in [
		PackedStringArray(["a", "é"]), PackedStringArray(), ^"a/b:c", ^"", Signal(), Signal(ProjectSettings, "changed"), Signal(self, "größer"), Callable(), RID(), PackedByteArray([1]), PackedByteArray(), PackedVector3Array([Vector3.ONE]), PackedColorArray(),
		&"größer", "ö".repeat(200), "\ufeffa", range(20), [[[[[[[[[1]]]]]]]]], id, [id, id], EncodedObjectAsID.new(),
	]:
		for value: Variant in [
			[rare], [1, rare, "after", rare], {"key": rare}, {"before": "é", "key": rare, "after": [rare, {}]}, {"a": {"b": {"c": rare}}}, {rare: 1}, {1: "before", rare: [rare], "after": rare}, {[rare]: 1, {rare: rare}: 2},
		]:
			compare_value(value, false, "%s in a small container" % type_string(typeof(rare)))
		for value: Variant in [rare, [rare, "after"], {"key": rare}]:
			_damaged_members(value)


## Text is checked while it is read, in small packets after values that were created before it.
func _damaged_text_in_small_containers() -> void:
	for text: String in ["öé", "ö".repeat(30), "日本".repeat(40), "a".repeat(70) + "é"]:
		for value: Variant in [text, [1, text], {"key": "before", "text": text, "after": ["after"]}, {text: text}, [[[[[[[[[text]]]]]]]]]]:
			var written: PackedByteArray = var_to_bytes(value)
			for index: int in range(8, written.size()):
				if written[index] < 0x80:
					continue
				var damaged: PackedByteArray = written.duplicate()
				damaged[index] = 0xFF
				_reads_the_same(damaged, "byte %d of %s is FF" % [index, written.hex_encode()])
				equal(VarBytes.bytes_to_var(written), value, "the packet after byte %d of %s was FF" % [index, written.hex_encode()])


## A key is found by its text from the second time on, if it is short. A String and a StringName can have the same text, and there are
## more keys than places for them.
func _keys_that_repeat() -> void:
	for turn: int in 4:
		for length: int in 30:
			for key: Variant in ["k".repeat(length), StringName("k".repeat(length)), "k".repeat(length) + "ö"]:
				for value: Variant in [{key: turn}, [{key: turn}, {key: [key]}, {1: key}], {"before": {key: key}, key: "after"}]:
					compare_value(value, false, "a key of %d characters, turn %d" % [length, turn])
		for index: int in 600:
			compare_value({"key %d" % index: index, StringName("name %d" % index): turn}, false, "keys %d, turn %d" % [index, turn])


## A path is found by its bytes from the third time on. There are more of them than places for them.
func _paths_that_repeat() -> void:
	var paths: Array = [^"", ^"/", ^"a", ^"/a", ^":a", ^"a:b", ^"a/b", ^"/a/b", ^"größe/日本:x", NodePath("/".join(range(40))), NodePath("x".repeat(64)), NodePath("x".repeat(100))]
	# Byte order marks, of which the engine drops one in each name.
	paths.append_array([NodePath("\ufeffa"), NodePath("\ufeff\ufeffa"), NodePath("/b/\ufeff\ufeffa:\ufeff\ufeffc"), NodePath(":\ufeff\ufeffa"), NodePath("\ufeff\ufeffa/" + "x".repeat(100))])
	for index: int in 150:
		paths.append(NodePath("World/Node%d:position" % index))
	for turn: int in 4:
		for path: NodePath in paths:
			for value: Variant in [path, [path, 1, path], {"path": path, path: "after"}, [path] as Array[NodePath], {path: path} as Dictionary[NodePath, NodePath]]:
				compare_value(value, false, "%s, turn %d" % [path, turn])
		compare_value(paths, false, "paths, turn %d" % turn)
		compare_value(paths + paths, false, "paths, each twice, turn %d" % turn)
	# Each word of a known path is changed. Where a name of it ends, a part of the next one may begin.
	var known: PackedByteArray = var_to_bytes(^"/ab/cd:ef")
	for turn: int in 3:
		VarBytes.bytes_to_var(known)
		for offset: int in range(8, known.size()):
			for change: int in [1, 2, 3, 4, 0x20]:
				var other: PackedByteArray = known.duplicate()
				other[offset] ^= change
				if bytes_to_var(other) != null:
					_reads_the_same(other, "byte %d of a path is changed by %d" % [offset, change])
			var cut: PackedByteArray = known.slice(0, offset)
			_reads_the_same(cut, "a path of %d bytes" % offset)


## Values of several numbers are written where they belong, over what is there: null, the initial value of a typed Dictionary, or the
## value of a duplicate key before it.
func _numbers_in_dictionaries() -> void:
	var numbers: Array = [
		Vector2(1, NAN), Vector2i(1, -2), Rect2(1, 2, 3, INF), Rect2i(1, 2, 3, -4), Vector3(1, 2, 3), Vector3i(1, 2, -3), Transform2D(1, Vector2(2, 3)),
		Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, -4), Plane(1, 2, 3, 4), Quaternion(1, 2, 3, 4), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Transform3D(Basis(), Vector3(1, 2, 3)), Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(), Vector4.ONE),
		Color(1, 2, 3, 0.5), RID(), null,
	]
	for count: int in [3, 60]:
		var mixed: Dictionary = {}
		for number: Variant in numbers:
			var plain: Dictionary = {}
			var typed := Dictionary({}, TYPE_STRING, &"", null, typeof(number), &"", null)
			var by_number: Dictionary = {}
			for index: int in count:
				plain["key %d" % index if index % 2 else index] = number
				typed["key %d" % index] = number
				by_number[Vector2i(index, 1) if index % 2 else Vector3i(index, 1, 2)] = number
				mixed["%s %d" % [type_string(typeof(number)), index]] = number
			by_number[number] = number
			for value: Dictionary in [plain, typed, by_number]:
				compare_value(value, false, "Dictionary of %d %s" % [count, type_string(typeof(number))])
				compare_value([value, "after"], false, "Dictionary of %d %s in an Array" % [count, type_string(typeof(number))])
				compare_value({"key": value, "text": "x".repeat(1000)}, true, "Dictionary of %d %s in a long packet" % [count, type_string(typeof(number))])
			_replaces(number, count)
			_ends_early(plain)
		compare_value(mixed, false, "Dictionary of %d of each" % count)


## An entry whose key was there before, with a value of another type and of the same.
func _replaces(number: Variant, count: int) -> void:
	for before: Variant in ["text", [1], {}, Transform3D(), PackedInt32Array([1]), ^"path", number, null]:
		var entries := PackedByteArray()
		for value: Variant in [before, number, before]:
			for index: int in count:
				entries += var_to_bytes(index) + var_to_bytes(value)
		for header: PackedByteArray in [var_to_bytes({}), var_to_bytes({} as Dictionary[int, Variant])]:
			header.encode_u32(header.size() - 4, 3 * count)
			_reads_the_same(header + entries, "%s over %s and below it" % [number, before])


## The last value is cut, or of a type that does not exist.
func _ends_early(dictionary: Dictionary) -> void:
	var whole: PackedByteArray = var_to_bytes(dictionary)
	var last: int = whole.size() - var_to_bytes(dictionary.values()[-1]).size()
	for header: int in [0xFFFFFFFF, 0x7FFFFFFF, 0x1000C, 39, 0xFFFF]:
		var other: PackedByteArray = whole.duplicate()
		other.encode_u32(last, header)
		if quietly(func() -> Array: return [bytes_to_var(other)]) == null:
			_refuses(other, "a value with the header %x" % header)
	for length: int in range(last, whole.size(), 4):
		_refuses(whole.slice(0, length), "%d of %d bytes" % [length, whole.size()])


func _refuses(packet: PackedByteArray, what: String) -> void:
	var result: VarBytesResult = VarBytes.decode(packet)
	check(result != null and not result.ok, "%s: not refused" % what)


## Containers in small packets are read in another way, a few values at a time, up to a number of members and levels.
func _small_containers() -> void:
	for count: int in 36:
		for place: int in range(-1, count):
			var nested: Variant = [{"place": place}, []] if place % 2 else {"place": [place], place: {}}
			var members: Array = range(count)
			var entries: Dictionary = {}
			for index: int in count:
				entries[index if index % 3 else "key %d" % index] = nested if index == place else [null, 1.5, "text", Color.RED][index % 4]
			if place >= 0:
				members[place] = nested
			for value: Variant in [members, entries, [members, entries], {"members": members, "entries": entries}]:
				compare_value(value, false, "%d members and a container at %d" % [count, place])
	var deep: Variant = 1
	var typed: Variant = [1] as Array[int]
	for level: int in 20:
		deep = [deep] if level % 2 else {"level": deep, level: [level]}
		typed = [typed] as Array[Array] if level % 2 == 0 else [[typed]] as Array[Array]
		compare_value(deep, false, "%d levels" % level)
		compare_value(typed, false, "%d typed levels" % level)


## Typed containers whose members take memory. Up to eight members, packets of 1 KiB, and longer ones are read in different ways.
func _typed_containers_of_containers() -> void:
	var typed_member: Array[int] = [1]
	for count: int in [0, 1, 8, 9, 17, 70, 300]:
		for members: Array in [
			range(count).map(func(index: int) -> Array: return [index, "text"]), range(count).map(func(index: int) -> Dictionary: return {"id": index}),
			range(count).map(func(index: int) -> PackedByteArray: return PackedByteArray([index])), range(count).map(func(index: int) -> PackedStringArray: return PackedStringArray(["é", str(index)])),
			range(count).map(func(index: int) -> String: return str(index)), range(count).map(func(index: int) -> StringName: return StringName(str(index))),
			range(count).map(func(index: int) -> NodePath: return NodePath("a/%d" % index)), range(count).map(func(_index: int) -> Callable: return Callable()),
			range(count).map(func(index: int) -> Variant: return typed_member if index == count / 2 else [index, [[{"key": []}]]]), range(count).map(func(index: int) -> Transform3D: return Transform3D(Basis(), Vector3(index, 0, 0))),
		]:
			var type: int = typeof(members[0]) if count > 0 else TYPE_ARRAY
			var array := Array(members, type, &"", null)
			var by_index := Dictionary({}, TYPE_INT, &"", null, type, &"", null)
			var by_name := Dictionary({}, TYPE_NIL, &"", null, type, &"", null)
			for index: int in count:
				by_index[index] = members[index]
				by_name["name %d" % index if index % 3 else index] = members[index]
			for value: Variant in [array, by_index, by_name, [array, by_index], {"key": array, "after": by_name}]:
				compare_value(value, false, "%s of %d %s" % [type_string(typeof(value)), count, type_string(type)])
			if count == 9:
				_damaged_members(array)
				_damaged_members(by_index)


## Packets of more than 1 KiB that are a few values that hold no others, or a Dictionary without Strings as keys, are read as small ones.
## Those of more than 64 KiB are not.
func _long_packets_of_few_values() -> void:
	var long: Array = [PackedByteArray(range(1500)), PackedVector3Array(range(90).map(func(index: int) -> Vector3: return Vector3(index, 0, 1))), "ASCII".repeat(300), "größer".repeat(200)]
	for value: Variant in [
		[7, long[0]], [long[1], long[1], long[1]], {"id": 7, "data": long[0]}, {"text": long[2], 3: long[3]}, {long[2]: null, long[0]: 1, Vector2i(1, 2): long[1]},
		[long[0], [1]], [long[1], PackedStringArray(["a"])], {"data": long[1], "after": {"id": 1}}, [long[0], 1, 2, 3, 4, 5, 6, 7], [long[0], 1, 2, 3, 4, 5, 6, 7, 8],
		[long[0], long[0]] as Array[PackedByteArray], {1: long[1], 2: long[1]} as Dictionary[int, PackedVector3Array], {&"a": long[2]} as Dictionary[StringName, String],
	]:
		compare_value(value, false, "a long packet of %s" % [value])
		compare_value([[value]], false, "a long packet of %s in others" % [value])
	_damaged_members({7: PackedInt32Array(range(300)), &"name": PackedByteArray([1, 2, 3]), "text": "é", Vector2(1, 2): 0.1})
	for count: int in [9, 70, 700, 9000].filter(_is_for_this_run):
		for key: Callable in [
			func(index: int) -> Variant: return index, func(index: int) -> Variant: return StringName("name %d" % index), func(index: int) -> Variant: return Vector2i(index, 1),
			func(index: int) -> Variant: return index if index % 2 == 0 else "key %d" % index, func(index: int) -> Variant: return index % 5 + 0.5,
		]:
			for member: Callable in [
				func(index: int) -> Variant: return PackedInt32Array(range(30)) if index < 100 else PackedInt32Array([index]), func(index: int) -> Variant: return [index, "text", {"id": index}],
				func(index: int) -> Variant: return {"id": index, "range": range(20)} if index == 5 else index * 0.5, func(index: int) -> Variant: return "é".repeat(index % 90),
			]:
				var entries: Dictionary = {}
				for index: int in count:
					entries[key.call(index)] = member.call(index)
				compare_value(entries, false, "%d entries from %s: %s" % [count, key.call(0), member.call(0)])
				if count == 9 and member.call(0) is PackedInt32Array and key.call(0) is int:
					_damaged_members(entries)


## Strings are read as they are if each ends with its only NUL and has its padding. All others are read in another way.
func _packed_strings() -> void:
	for strings: PackedStringArray in [
		PackedStringArray(), PackedStringArray([""]), PackedStringArray(["", "a", "ab", "abc", "abcd"]), PackedStringArray(["größe", "\ufeffa", "日本", "x".repeat(70)]),
		PackedStringArray(range(400).map(func(index: int) -> String: return "text %d" % index)),
	]:
		for value: Variant in [strings, [strings], {"strings": strings, "after": strings}, [strings, strings] as Array[PackedStringArray], {strings: strings}]:
			compare_value(value, false, "%d strings in %s" % [strings.size(), type_string(typeof(value))])
		if strings.size() in range(1, 6):
			_damaged_members([strings])
			_damaged_bytes(strings)
			_damaged_bytes({"strings": strings, "after": "text"})


## Names of up to 255 characters are read without a String.
func _names_of_each_length() -> void:
	for length: int in [0, 1, 2, 62, 63, 64, 127, 128, 254, 255, 256, 257, 300, 5000]:
		var name := StringName("n".repeat(length))
		for value: Variant in [name, [name], {name: name}, [name, name] as Array[StringName], {name: 1} as Dictionary[StringName, int]]:
			compare_value(value, false, "a name of %d characters in %s" % [length, type_string(typeof(value))])


func _damaged_bytes(value: Variant) -> void:
	var written: PackedByteArray = var_to_bytes(value)
	var shown: String = str(value).left(400)
	for offset: int in range(4, written.size()):
		for byte: int in [0, 1, 0x41, 0xC3, 0xFF]:
			var damaged: PackedByteArray = written.duplicate()
			damaged[offset] = byte
			_reads_the_same(damaged, "byte %d is %d in %s" % [offset, byte, shown])


## The packet ends at each word, and each word becomes other types and lengths.
func _damaged_members(value: Variant) -> void:
	var written: PackedByteArray = var_to_bytes(value)
	var shown: String = str(value).left(400)
	for offset: int in range(0, written.size(), 4):
		var cut: PackedByteArray = written.slice(0, offset)
		_reads_the_same(cut, "%d bytes of %s" % [offset, shown])
		for word: int in [0, TYPE_INT, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_PACKED_BYTE_ARRAY]:
			var damaged: PackedByteArray = written.duplicate()
			damaged.encode_u32(offset, word)
			_reads_the_same(damaged, "word %d is %d in %s" % [offset, word, shown])


## Space for the entries of a Dictionary is reserved from the second one of its capacity on. A Dictionary grows after three quarters of
## these capacities.
func _dictionaries_of_each_capacity() -> void:
	for capacity: int in [23, 47, 97, 193, 389, 769, 1543, 3079, 12289].filter(_is_for_this_run):
		for count: int in range(capacity * 3 / 4 - 1, capacity * 3 / 4 + 3):
			var plain: Dictionary = {}
			var typed: Dictionary[int, String] = {}
			for index: int in count:
				plain["key %d" % (index * 7919)] = index
				typed[-index] = str(index)
			for value: Dictionary in [plain, typed, {"plain": plain, "typed": typed, 1: plain}]:
				for turn: int in 2:
					compare_value(value, false, "Dictionary of %d, turn %d" % [count, turn])
			_grows_further(typed)
			_has_duplicates(count)


## A Dictionary that was read can be changed like any other.
func _grows_further(typed: Dictionary[int, String]) -> void:
	var read: Dictionary = VarBytes.bytes_to_var(var_to_bytes(typed))
	var expected: Dictionary = typed.duplicate()
	for index: int in typed.size() * 2:
		read[index] = "new"
		expected[index] = "new"
		read.erase(-index * 2)
		expected.erase(-index * 2)
	equal(read, expected, "a Dictionary of %d that changes" % typed.size())
	read.clear()
	equal(read, {} as Dictionary[int, String], "a Dictionary of %d that was cleared" % typed.size())


## The count of a packet can be greater than the number of different keys.
func _has_duplicates(count: int) -> void:
	var values: Dictionary = {}
	for index: int in count:
		values[index] = index
	var bytes: PackedByteArray = var_to_bytes(values)
	for index: int in count:
		bytes.encode_s32(8 + 16 * index + 4, index % 5)
	for turn: int in 2:
		_reads_the_same(bytes, "%d entries with 5 keys" % count)


## The largest values take most of the time, so a short run has none of them.
func _is_for_this_run(size: int) -> bool:
	return size < number("values", 20_000)


func _reads_the_same(packet: PackedByteArray, what: String) -> void:
	var read: Array = quietly(func() -> Array: return [[VarBytes.bytes_to_var(packet), bytes_to_var(packet)]])
	equal(read[0], read[1], what)


func compare_value(value: Variant, objects: bool, name: String) -> void:
	var written: PackedByteArray = var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var found: PackedByteArray = VarBytes.var_to_bytes_with_objects(value) if objects else VarBytes.var_to_bytes(value)
	if found != written:
		check(false, "%s, bytes: found %s, expected %s" % [name, found.slice(0, 300).hex_encode(), written.slice(0, 300).hex_encode()])
		return
	checks += 1
	if not objects:
		check(VarBytes.byte_size(value) == written.size(), name + ", byte_size")
	var expected: Variant = bytes_to_var_with_objects(written) if objects else bytes_to_var(written)
	var read: Variant = VarBytes.bytes_to_var_with_objects(written) if objects else VarBytes.bytes_to_var(written)
	var long: bool = written.size() > 1024
	_equal_value(read, expected, long, name + ", value")
	if not objects:
		var result: VarBytesResult = VarBytes.decode(written, _strict)
		# If the built-ins change a value when they read their own bytes, strict reading refuses those bytes.
		if result.ok:
			_equal_value(result.value, expected, long, name + ", strict")
			check(result.bytes_used == written.size(), name + ", strict: bytes_used")
		else:
			check(var_to_bytes(expected) != written, "%s: the engine writes these bytes, but they are refused: %s" % [name, result.message])


## Long values are compared by the engine first, in a fraction of the time. The bytes without objects show null objects, those with
## objects the classes and ids. Neither shows whether a Callable is null, which short values show.
func _equal_value(found: Variant, expected: Variant, long: bool, what: String) -> void:
	if long and var_to_bytes(found) == var_to_bytes(expected) and var_to_bytes_with_objects(found) == var_to_bytes_with_objects(expected):
		check(true, what)
	else:
		equal(found, expected, what)
