extends "res://tests/suite.gd"
## Packets whose keys or names collide in the engine's hash tables. Each must be refused as LIMIT before it takes much
## more time than a harmless packet of the same size. Harmless packets must pass.
##
## The colliding keys come from inverting the engine's hash functions; `hash` verifies that they collide.

const Attacks := preload("res://tests/suites/attacks.gd")
const Vectors := preload("res://tests/suites/vectors.gd")

const RETYPED: String = "res://tests/fixtures/retyped.gd"
const COUNT: int = 20_000
## Returns the capacity of a Dictionary's table for a number of keys.
const PLACES: int = 49157
## How many times as long as a harmless packet of the same size a flood may take. Floods that are read take hundreds of
## times.
const SLOWER: float = 15.0
## How often the times are taken before a flood counts as slower: other processes may have the processor meanwhile.
const ATTEMPTS: int = 10
const LOW: int = 0xFFFFFFFF
const LETTERS: String = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


func run() -> bool:
	_keys_of_one_hash()
	_keys_of_one_place()
	_keys_of_neighbouring_places()
	_keys_among_honest_ones()
	_names_of_one_chain()
	_beside_objects()
	_texts_of_properties()
	_the_same_key_again()
	_large_keys()
	_many_small_dictionaries()
	_packed_arrays_in_small_dictionaries()
	_damage_after_a_flood()
	_paths_as_keys()
	_chosen_texts_below_the_limits()
	_every_entry_point()
	_honest_keys()
	_collisions_that_the_options_allow()
	_built_in_names_are_the_engine_s()
	_patches()
	_many_patches()
	return true


func _keys_of_one_hash() -> void:
	_flood("ints", range(COUNT).map(_int_of_hash.bind(7)), range(COUNT), true)
	var names: Array = range(COUNT).map(_text_of_one_hash)
	var usual: Array = range(COUNT).map(_harmless_text)
	_flood("Strings", names, usual, true)
	_compare("StringNames as keys", _dictionary(names.map(_as_name), true), _dictionary(usual.map(_as_name), true))
	_compare("NodePaths as keys", _dictionary(names.map(_as_path), true), _dictionary(usual.map(_as_path), true))
	_flood("floats", range(COUNT).map(func(index: int) -> float: return _float_of_hash(index)), range(COUNT).map(func(index: int) -> float: return index), true)
	_flood("Vector2is", range(COUNT).map(func(index: int) -> Vector2i: return Vector2i(index, _last_word([index], 7))), range(COUNT).map(func(index: int) -> Vector2i: return Vector2i(index, 1)), true)
	_flood("Vector3is", range(COUNT).map(func(index: int) -> Vector3i: return Vector3i(index, -index, _last_word([index, -index], 7))), range(COUNT).map(func(index: int) -> Vector3i: return Vector3i(index, 1, 2)), true)
	_flood("RIDs", range(COUNT).map(func(index: int) -> RID: return rid_from_int64(_int_of_hash(index, 7))), range(COUNT).map(func(index: int) -> RID: return rid_from_int64(index + 1)), true)
	_flood("Arrays", range(COUNT).map(func(index: int) -> Array: return [_int_of_hash(index, 7)]), range(COUNT).map(func(index: int) -> Array: return [index]), true)
	_flood("Dictionaries", range(COUNT).map(func(index: int) -> Dictionary: return {_int_of_hash(index, 7): 1}), range(COUNT).map(func(index: int) -> Dictionary: return {index: 1}), true)
	_flood("PackedInt32Arrays", range(COUNT).map(func(index: int) -> PackedInt32Array: return [index, _last_word([index], 7)]), range(COUNT).map(func(index: int) -> PackedInt32Array: return [index, 1]), true)


func _keys_of_one_place() -> void:
	_flood("ints of one place", range(COUNT).map(func(index: int) -> int: return _int_of_hash(index, 5 + index * PLACES)), range(COUNT))
	_flood("Strings of one place", range(COUNT).map(_text_of_place.bind(func(_index: int) -> int: return 5, PLACES)), range(COUNT).map(func(index: int) -> String: return str(index)))
	_flood("Vector2is of one place", range(COUNT).map(func(index: int) -> Vector2i: return Vector2i(index, _last_word([index], _unfinished(5 + index * PLACES)))), range(COUNT).map(func(index: int) -> Vector2i: return Vector2i(index, 1)))
	# Collisions for capacities that the table outgrows: 6151 until it holds 4613 keys.
	for places: int in [1543, 6151, 24593]:
		_flood("ints of one place of %d" % places, range(COUNT).map(func(index: int) -> int: return _int_of_hash(index, 5 + index * places)), range(COUNT))
	# Keys that collide only after the table grew.
	_flood("ints of one place of a larger table", range(36_900).map(func(index: int) -> int: return _int_of_hash(index, 5 + index * 98_317)), range(36_900))


func _keys_of_neighbouring_places() -> void:
	for width: int in [64, 1000, 10_000]:
		_flood("ints of %d places" % width, range(COUNT).map(func(index: int) -> int: return _int_of_hash(index, index % width + index * PLACES)), range(COUNT))
		_flood("Strings of %d places" % width, range(COUNT).map(_text_of_place.bind(func(index: int) -> int: return index % width, PLACES)), range(COUNT).map(func(index: int) -> String: return str(index)))


func _keys_among_honest_ones() -> void:
	var one_hash: Array = range(COUNT).map(_int_of_hash.bind(7))
	var honest: Array = range(-COUNT, 0)
	var mixed: Array = []
	for index: int in COUNT:
		mixed.append_array([honest[index], one_hash[index]])
	_flood("every other int of one hash", mixed, range(2 * COUNT))
	mixed = range(-200_000, 0)
	var large: Array = range(220_000)
	_flood("ints of one hash after honest ones", mixed + one_hash, large)
	# The capacity of the table by then.
	_flood("ints of one place after honest ones", mixed + range(10_000).map(func(index: int) -> int: return _int_of_hash(index, 5 + index * 393_241)), large)
	# 250 keys of each of 80 hashes, in turn.
	_flood("ints of 80 hashes", range(COUNT).map(func(index: int) -> int: return _int_of_hash(index, index % 80 * 0x1234567)), range(COUNT))
	_flood("Strings and ints of one hash", one_hash + range(COUNT).map(_text_of_one_hash), range(2 * COUNT))


func _names_of_one_chain() -> void:
	equal(_as_name("name"), var_to_bytes(&"name"), "the bytes of a StringName")
	equal(_path(["a", "name"], ["x"]), var_to_bytes(^"a/name:x"), "the bytes of a NodePath")
	var whole: Array = range(COUNT).map(_text_of_one_hash)
	var low: Array = range(COUNT).map(_text_of_place.bind(func(_index: int) -> int: return 5, 65536))
	var honest: Array = range(COUNT).map(_harmless_text)
	for chosen: Array in [whole, low]:
		var kind: String = "one hash" if chosen == whole else "one chain"
		_compare("StringNames of %s in an Array" % kind, _array(chosen.map(_as_name), true), _array(honest.map(_as_name), true))
		# Keys that repeat are kept from one packet to the next.
		_compare("StringNames of %s, each a key of eight Dictionaries" % kind, _array(chosen.map(_as_repeated_key), true), _array(honest.map(_as_repeated_key), true))
		_compare("NodePaths of %s" % kind, _array(chosen.map(_as_path), true), _array(honest.map(_as_path), true))
		_compare("subnames of %s" % kind, _array(chosen.map(_as_subname), true), _array(honest.map(_as_subname), true))
		_compare("signals of %s" % kind, _array(chosen.map(_as_signal), true), _array(honest.map(_as_signal), true))
		_compare("classes of %s" % kind, _array(chosen.map(_as_typed), true), _array(honest.map(_as_typed), true), true, _policy())
		_compare("Strings that become StringNames, of %s" % kind, _array(chosen, false, TYPE_STRING_NAME), _array(honest, false, TYPE_STRING_NAME))
	_compare("one NodePath", _path(whole, []), _path(honest, []))
	# A repeated name counts once.
	_passes("1,000 names, each 1,000 times", _array(range(1_000_000).map(func(index: int) -> StringName: return honest[index % 1000])))


## Packets of objects are checked in another way, once the names of their classes and properties are known.
func _beside_objects() -> void:
	var object: PackedByteArray = var_to_bytes_with_objects(Resource.new())
	var policy: VarBytesOptions = _policy()
	_passes("an object", object, policy)
	var names: Array = range(COUNT).map(_text_of_one_hash)
	var harmless: Array = range(COUNT).map(_harmless_text)
	# A letter that is not ASCII, and after it the names of one hash, which are of one hash then too.
	var foreign: Array = names.map(func(name: String) -> String: return "é" + name)
	var in_ints: Callable = func(keys: Array) -> PackedByteArray: return _dictionary(keys)
	var in_array: Callable = func(texts: Array) -> PackedByteArray: return _array(texts.map(_as_name), true)
	var in_entries: Callable = func(texts: Array) -> PackedByteArray: return _array(texts.map(func(name: String) -> PackedByteArray: return _dictionary([_as_name(name)], true)), true)
	var in_paths: Callable = func(texts: Array) -> PackedByteArray: return _array(texts.map(_as_path), true)
	var packed_keys: Array = range(COUNT).map(func(index: int) -> PackedInt32Array: return [index, _last_word([index], 7)])
	var usual_packed_keys: Array = range(COUNT).map(func(index: int) -> PackedInt32Array: return [index, 1])
	for case: Array in [
		["keys", in_ints, range(COUNT).map(_int_of_hash.bind(7)), range(COUNT)],
		["packed arrays as keys", in_ints, packed_keys, usual_packed_keys],
		["StringNames", in_array, names, harmless],
		["StringNames that are not ASCII", in_array, foreign, harmless],
		["keys of Dictionaries of one entry", in_entries, names, harmless],
		["NodePaths", in_paths, names, harmless],
	]:
		var around: Callable = func(values: Array) -> PackedByteArray: return _array([object, case[1].call(values), object], true)
		_compare("%s beside objects" % case[0], around.call(case[2]), around.call(case[3]), true, policy)


## The engine makes names of Strings if that is the type of a property, or of the members of its container.
func _texts_of_properties() -> void:
	var policy: VarBytesOptions = _policy()
	policy.allowed_classes["InputEventAction"] = ["action"]
	policy.allowed_scripts = {RETYPED: ["*"]}
	var names: Array = range(COUNT).map(_text_of_one_hash)
	var low: Array = range(COUNT).map(_text_of_place.bind(func(_index: int) -> int: return 5, 65536))
	var harmless: Array = range(COUNT).map(_harmless_text)
	var retyped: Callable = func(property: String, values: Array) -> PackedByteArray:
		return _array(values.map(func(value: Variant) -> PackedByteArray: return Attacks.object("Resource", {"script": RETYPED, property: value})), true)
	var by_hundreds: Callable = func(texts: Array) -> Array: return range(0, COUNT, 100).map(func(begin: int) -> Array: return texts.slice(begin, begin + 100))
	var paths: Callable = func(texts: Array) -> Array: return by_hundreds.call(texts).map(func(names_of_path: Array) -> String: return "/".join(names_of_path))
	var kinds: Dictionary[String, Callable] = {
		"StringNames of the engine's class": func(texts: Array) -> PackedByteArray: return _array(texts.map(func(text: String) -> PackedByteArray: return Attacks.object("InputEventAction", {"action": text})), true),
		"StringNames of a script": func(texts: Array) -> PackedByteArray: return retyped.call("tag", texts),
		"members of Arrays": func(texts: Array) -> PackedByteArray: return retyped.call("tags", by_hundreds.call(texts)),
		"members of one Array": func(texts: Array) -> PackedByteArray: return retyped.call("tags", [texts]),
		"members of PackedStringArrays": func(texts: Array) -> PackedByteArray: return retyped.call("tags", by_hundreds.call(texts).map(func(part: Array) -> PackedStringArray: return PackedStringArray(part))),
		"names of paths": func(texts: Array) -> PackedByteArray: return retyped.call("path", paths.call(texts)),
	}
	for kind: String in kinds:
		_passes("harmless %s" % kind, kinds[kind].call(harmless), policy)
		for chosen: Array in [names, low]:
			_compare("Strings that become %s" % kind, kinds[kind].call(chosen), kinds[kind].call(harmless), true, policy)
	var result: VarBytesResult = VarBytes.decode(kinds["StringNames of a script"].call(names), policy)
	check(result.path.ends_with("].tag") and result.offset > 0, "the place: %s" % result)
	for text: Callable in [
			func(index: int) -> String: return "%08x" % index,
			func(index: int) -> String: return "%d,%d" % [index / 1000, index % 1000],
			func(index: int) -> String: return "%02d:%02d:%02d" % [index / 3600, index / 60 % 60, index % 60]]:
		_passes("ordinary Strings as in %s" % text.call(12345), retyped.call("title", range(50_000).map(text)), policy)


func _the_same_key_again() -> void:
	var entry: PackedByteArray = var_to_bytes("key") + var_to_bytes(1)
	var packet: PackedByteArray = Attacks.word(27) + Attacks.word(COUNT)
	for index: int in COUNT:
		packet.append_array(entry)
	_passes("%d entries of one key" % COUNT, packet)
	for keys: int in [1, 8]:
		var few: PackedByteArray = Attacks.word(27) + Attacks.word(300)
		for index: int in 300:
			few.append_array(var_to_bytes(index % keys) + var_to_bytes(index))
		_passes("300 entries of %d keys" % keys, few)
	var large: PackedByteArray = Attacks.word(27) + Attacks.word(200)
	var key: PackedByteArray = var_to_bytes(range(1000))
	for index: int in 200:
		large.append_array(key + var_to_bytes(1))
	_compare("the same large key", large, _dictionary(range(200).map(func(index: int) -> Array: return range(index, index + 1000))))


func _large_keys() -> void:
	# Dictionaries in keys of dictionaries: each is hashed again for every level around it.
	var nested: PackedByteArray = var_to_bytes(range(5000))
	for level: int in 90:
		nested = Attacks.word(27) + Attacks.word(1) + nested + var_to_bytes(1)
	_compare("nested keys", nested, _dictionary([range(5000)]))
	# Small ones, but many.
	var keys: Array = range(2000)
	var values: Array = range(2000)
	for level: int in 45:
		keys = keys.map(func(key: Variant) -> Dictionary: return {key: 1})
		values = values.map(func(value: Variant) -> Dictionary: return {1: value})
	_compare("many nested keys", var_to_bytes(keys), var_to_bytes(values))
	# Each is compared with all earlier ones up to the last characters.
	var long: String = "x".repeat(2000)
	_compare("long keys of one hash", _dictionary(range(2000).map(func(index: int) -> String: return long + _text_of_one_hash(index))),
			_dictionary(range(2000).map(func(index: int) -> String: return str(index) + long.left(2028 - str(index).length()))))


## One small Dictionary costs little whatever its keys are. Many in one packet must not cost much together.
func _many_small_dictionaries() -> void:
	for size: int in [64, 90, 140, 290, 570]:
		_many("%d keys of one hash" % size, range(size).map(_text_of_one_hash), range(size).map(_harmless_text), size > 64)
	# Capacities of the tables by the number of keys.
	var places: Dictionary[int, int] = {90: 193, 140: 193, 250: 389, 570: 769, 1150: 1543}
	for size: int in places:
		_many("%d ints of one place" % size, range(size).map(func(index: int) -> int: return _int_of_hash(index, 5 + index * places[size])), range(size), true)


func _many(what: String, chosen: Array, usual: Array, is_refused: bool) -> void:
	var packets: Array[PackedByteArray] = []
	for keys: Array in [chosen, usual]:
		var dictionary: PackedByteArray = _dictionary(keys)
		var packet: PackedByteArray = Attacks.word(28) + Attacks.word(300)
		for index: int in 300:
			packet.append_array(dictionary)
		packets.append(packet)
	if is_refused:
		_limit(VarBytes.decode(packets[0]), "300 Dictionaries of " + what)
	_passes("300 harmless Dictionaries beside those of " + what, packets[1])
	_check_time("300 Dictionaries of %s" % what, packets[0], packets[1])


## Each is compared with all earlier ones up to its last elements, so they are counted in every Dictionary.
func _packed_arrays_in_small_dictionaries() -> void:
	for kind: Array in [[64, 250, 1], [20, 800, 1], [64, 60, 100]]:
		var zeros: Array = range(int(kind[1]) - 2).map(func(_index: int) -> int: return 0)
		var keys: Array = range(int(kind[0])).map(func(index: int) -> PackedByteArray:
			return PackedInt32Array(zeros + [index, _last_word(zeros + [index], 7)]).to_byte_array())
		var harmless: Array = range(int(kind[0])).map(func(index: int) -> PackedByteArray: return PackedInt32Array(zeros + [index, 1]).to_byte_array())
		for type: int in [TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_BYTE_ARRAY]:
			var as_type: Callable = func(key: PackedByteArray) -> Variant:
				match type:
					TYPE_PACKED_INT32_ARRAY: return key.to_int32_array()
					TYPE_PACKED_FLOAT32_ARRAY: return key.to_float32_array()
					_: return key
			if type == TYPE_PACKED_INT32_ARRAY:
				check(keys.all(func(key: PackedByteArray) -> bool: return hash(key.to_int32_array()) == hash((keys[0] as PackedByteArray).to_int32_array())), "the keys do not collide")
			elif type == TYPE_PACKED_BYTE_ARRAY:
				keys = range(int(kind[0])).map(func(_index: int) -> PackedByteArray: return "same".repeat(int(kind[1])).to_utf8_buffer())
			var repeated: Array = range(int(kind[2]))
			var packets: Array = [keys, harmless].map(func(list: Array) -> PackedByteArray:
				var dictionary: PackedByteArray = _dictionary(list.map(as_type))
				return _array(repeated.map(func(_index: int) -> PackedByteArray: return dictionary), true))
			if type == TYPE_PACKED_INT32_ARRAY:
				_limit(VarBytes.decode(packets[0]), "%d packed arrays of %d elements in %d Dictionaries" % kind)
			_passes("harmless packed arrays", packets[1])
			equal(VarBytes.decode(packets[0]).error, VarBytes.decode(packets[0], Vectors.without_fast_path()).error, "type %d: the error of the fast path" % type)


## A packet that is damaged behind them is refused for the keys, as they come first.
func _damage_after_a_flood() -> void:
	var flood: PackedByteArray = _dictionary(range(COUNT).map(_int_of_hash.bind(7)))
	var damaged: PackedByteArray = Attacks.word(28) + Attacks.word(2) + flood + Attacks.word(99)
	_limit(VarBytes.decode(damaged), "a flood before damage")
	equal(VarBytes.decode(damaged).path, VarBytes.decode(damaged, Vectors.without_fast_path()).path, "the path of the error")


## To hash a path, the engine creates a StringName of all its names, and another one of all its subnames.
func _paths_as_keys() -> void:
	var chosen: Array = range(8000).map(_names_of_one_chain_together)
	equal(chosen.all(func(names: Array) -> bool: return hash("/".join(names)) & 0xFFFF == 5), true, "the names belong to one chain together")
	var honest: Array = range(8000).map(func(index: int) -> Array: return [_harmless_text(index).left(4), _harmless_text(index).right(4)])
	# The subnames are joined by another character.
	var subnames: Array = range(8000).map(_names_of_one_chain_together.bind(":"))
	for kind: Array in [["names", chosen, _path.bind([])], ["subnames", subnames, func(names: Array) -> PackedByteArray: return _path(["a"], names)]]:
		var packets: Array[Array] = [kind[1].map(kind[2]), honest.map(kind[2])]
		var one: Array = packets.map(func(paths: Array) -> PackedByteArray: return _dictionary(paths, true))
		_compare("%s of paths in one Dictionary" % kind[0], one[0], one[1])
		var small: Array = packets.map(_in_small_dictionaries)
		_compare("%s of paths in small Dictionaries" % kind[0], small[0], small[1])
		var within: Array = packets.map(func(paths: Array) -> PackedByteArray: return _in_small_dictionaries(paths.map(func(path: PackedByteArray) -> PackedByteArray: return _array([_dictionary([path], true)], true))))
		_compare("%s of paths in keys" % kind[0], within[0], within[1])
		var in_arrays: Array = packets.map(func(paths: Array) -> PackedByteArray: return _dictionary(paths.map(func(path: PackedByteArray) -> PackedByteArray: return _array([path], true)), true))
		_compare("%s of paths in Arrays as keys" % kind[0], in_arrays[0], in_arrays[1])
	var texts: Array = [chosen, honest].map(func(paths: Array) -> PackedByteArray: return _in_small_dictionaries(paths.map(func(names: Array) -> PackedByteArray: return var_to_bytes("/".join(names))), TYPE_NODE_PATH))
	_compare("Strings that become paths as keys", texts[0], texts[1])
	# No key of a Dictionary, so the engine does not hash them.
	_passes("paths in an Array", _array(chosen.map(_path.bind([])), true))


static func _in_small_dictionaries(keys: Array, key_type: int = TYPE_NIL) -> PackedByteArray:
	var dictionaries: Array = []
	for start: int in range(0, keys.size(), 60):
		dictionaries.append(_dictionary(keys.slice(start, start + 60), true, key_type))
	return _array(dictionaries, true)


## Keys that take more steps than texts of games, but far fewer than those of one place.
func _chosen_texts_below_the_limits() -> void:
	var chosen: Array = range(3200).map(_text_of_place.bind(func(index: int) -> int: return index % 3 * 1000, 6151))
	_limit(VarBytes.decode(_dictionary(chosen)), "3,200 texts of 3 places")
	_passes("2,000 base62 ids of two letters", _dictionary(range(2000).map(func(index: int) -> String: return LETTERS[index / 62] + LETTERS[index % 62])))


func _every_entry_point() -> void:
	var packet: PackedByteArray = _dictionary(range(2000).map(_int_of_hash.bind(7)))
	var names: PackedByteArray = _array(range(2000).map(_text_of_one_hash).map(_as_name), true)
	var policy: VarBytesOptions = _policy()
	var strict := VarBytesOptions.new()
	strict.strict = true
	var converting := VarBytesOptions.new()
	converting.engine = "godot-4.4"
	for flood: PackedByteArray in [packet, names]:
		for given: VarBytesOptions in [null, policy, strict, converting]:
			_limit(VarBytes.decode(flood, given), "decode")
			var path: String = "user://flood.dat"
			var written := FileAccess.open(path, FileAccess.WRITE)
			written.store_32(flood.size())
			written.store_buffer(flood)
			written.close()
			_limit(VarBytesFile.open(path, FileAccess.READ).next(given), "next")
			DirAccess.remove_absolute(path)
			var stream := StreamPeerBuffer.new()
			stream.put_32(flood.size())
			stream.put_data(flood)
			stream.seek(0)
			_limit(VarBytesFile.take(stream, given), "take")


func _honest_keys() -> void:
	var count: int = number("keys", 20_000)
	var random := RandomNumberGenerator.new()
	random.seed = 1
	var text: Callable = func(letters: int, from: Callable) -> String:
		var made: PackedStringArray = []
		for index: int in letters:
			made.append(from.call())
		return "".join(made)
	var kinds: Dictionary[String, Callable] = {
		"rising ints": func(index: int) -> int: return index,
		"falling ints": func(index: int) -> int: return -index,
		"ints in steps": func(index: int) -> int: return index << 32,
		"ints in steps of 1000": func(index: int) -> int: return index * 1000,
		"random ints": func(_index: int) -> int: return random.randi() << 31 ^ random.randi(),
		"numbered texts": func(index: int) -> String: return "item_%d" % index,
		"padded numbers": func(index: int) -> String: return "item_%08d" % index,
		"places as text": func(index: int) -> String: return "%d,%d" % [index % 1000, index / 1000],
		"hexadecimal numbers": func(index: int) -> String: return "%08x" % index,
		"UUIDs": func(_index: int) -> String: return "%08x-%04x-4%03x-%04x-%012x" % [random.randi(), random.randi() & 0xFFFF, random.randi() & 0xFFF, random.randi() & 0x3FFF | 0x8000, random.randi() << 16 ^ random.randi()],
		"hashes": func(index: int) -> String: return str(index).sha1_text(),
		"base62 ids": func(_index: int) -> String: return text.call(6, func() -> String: return LETTERS[random.randi() % 62]),
		"CJK words": func(_index: int) -> String: return text.call(3, func() -> String: return char(0x4E00 + random.randi() % 20_000)),
		"StringNames": func(index: int) -> StringName: return "name_%d" % index,
		"NodePaths": func(index: int) -> NodePath: return "World/Node%d:position:x" % index,
		"Vector2is": func(index: int) -> Vector2i: return Vector2i(index % 1000, index / 1000),
		"Vector3is": func(index: int) -> Vector3i: return Vector3i(index % 50, index / 50 % 50, index / 2500),
		"Vector2s": func(index: int) -> Vector2: return Vector2(index % 1000, index / 1000) / 8,
		"floats": func(index: int) -> float: return index / 10.0,
		"Arrays": func(index: int) -> Array: return [index % 1000, index / 1000],
		"Colors": func(index: int) -> Color: return Color.hex(index * 2654435761 & LOW),
	}
	for kind: String in kinds:
		_passes("%d %s" % [count, kind], _dictionary(range(count).map(kinds[kind])))
	var nested: Array = []
	for index: int in 10:
		var key: Variant = [index]
		for level: int in 45:
			key = {key: 1}
		nested.append(key)
	_passes("keys nested 45 levels", var_to_bytes(nested))
	# The same keys in each of many Dictionaries.
	var common: Array = range(40).map(func(index: int) -> Array: return [index, 0])
	var repeated: PackedByteArray = Attacks.word(28) + Attacks.word(1000)
	for index: int in 1000:
		repeated.append_array(_dictionary(common))
	_passes("1,000 Dictionaries of the same Arrays as keys", repeated)
	# Strings that the engine's hash puts close together; the more there are, the closer.
	for format: String in ["%x", "k%x", "%06X"]:
		_passes("150,000 %s" % format, _dictionary(range(150_000).map(func(index: int) -> String: return format % index)))
	_passes("80,000 places", _dictionary(range(80_000).map(func(index: int) -> String: return "%d,%d" % [index / 1000, index % 1000])))


func _collisions_that_the_options_allow() -> void:
	var ids: Array = range(COUNT).map(func(index: int) -> String: return "%s%s%s" % [LETTERS[index / 3844], LETTERS[index / 62 % 62], LETTERS[index % 62]])
	var names: PackedByteArray = _array(range(2000).map(_text_of_one_hash).map(_as_name), true)
	var allowing := VarBytesOptions.new()
	allowing.allow_hash_collisions = true
	for packet: PackedByteArray in [_dictionary(ids), _dictionary(range(2000).map(_int_of_hash.bind(7))), names]:
		var refused: VarBytesResult = VarBytes.decode(packet)
		_limit(refused, "without the option")
		check(refused.message.contains("allow_hash_collisions"), "the message does not name the option: %s" % refused.message)
		var result: VarBytesResult = VarBytes.decode(packet, allowing)
		check(result.ok and var_to_bytes(result.value) == packet, "allow_hash_collisions: %s" % result.message)


func _built_in_names_are_the_engine_s() -> void:
	var packet: PackedByteArray = _dictionary(range(2000).map(_int_of_hash.bind(7)))
	check(VarBytes.bytes_to_var(packet).size() == 2000, "bytes_to_var returns all keys, as the engine does")
	check(VarBytes.bytes_to_var_with_objects(packet).size() == 2000, "bytes_to_var_with_objects returns all keys, as the engine does")


## To a packet with changes, the keys are no keys of a Dictionary.
func _patches() -> void:
	for kind: Array in [[_int_of_hash.bind(7), "ints"], [_text_of_one_hash, "Strings"], [func(index: int) -> Array: return [_int_of_hash(index, 7)], "Arrays"]]:
		var changes: Array = range(COUNT).map(func(index: int) -> Dictionary: return {"keys": [kind[0].call(index)], "kind": "added", "to": index})
		changes = VarBytes.decode(var_to_bytes(changes)).value
		_limit(VarBytes.patch({}, changes), "a patch that adds %s" % kind[1])
		_limit(VarBytes.patch([{}], changes.map(func(change: Dictionary) -> Dictionary: return change.merged({"keys": [0] + change.keys}, true))), "the same, deeper")
	for usual: Callable in [func(index: int) -> int: return index, func(index: int) -> String: return "item_%d" % index, func(index: int) -> Array: return [index % 100, index / 100]]:
		var after: Dictionary = {}
		for index: int in COUNT:
			after[usual.call(index)] = index
		var result: VarBytesResult = VarBytes.patch({}, VarBytes.diff({}, after))
		check(result.ok and result.value == after, "a patch that adds usual keys: %s" % result)


## Each adds fewer keys than are counted in a packet.
func _many_patches() -> void:
	for kind: Array in [
		[_int_of_hash.bind(7), true], [func(index: int) -> Array: return [_int_of_hash(index, 7)], true], [func(index: int) -> int: return index, false],
		[func(index: int) -> NodePath: return "/".join(_names_of_one_chain_together(index)), true],
	]:
		var state: Dictionary = {}
		var result: VarBytesResult
		for number: int in 100:
			var changes: Array = range(60).map(func(index: int) -> Dictionary: return {"keys": [kind[0].call(60 * number + index)], "kind": "added", "to": 1})
			result = VarBytes.patch(state, changes)
			if not result.ok:
				break
			state = result.value
		if kind[1]:
			_limit(result, "many patches that add keys of one hash")
			check(state.size() < 1000, "%d such keys were added" % state.size())
		else:
			equal(state.size(), 6000, "usual keys: %s" % result)


func _policy() -> VarBytesOptions:
	var policy := VarBytesOptions.new()
	policy.allow_objects = true
	policy.allowed_classes = {"Resource": ["*"]}
	return policy


func _flood(kind: String, keys: Array, honest: Array, one_hash: bool = false) -> void:
	if one_hash:
		check(keys.all(func(key: Variant) -> bool: return hash(key) == hash(keys[0])), "the %s do not collide" % kind)
	_compare("%s as keys" % kind, _dictionary(keys), _dictionary(honest))


## Checks that a flood is refused in little more time than a harmless packet takes, and that the harmless packet is
## read.
func _compare(what: String, flood: PackedByteArray, honest: PackedByteArray, passes: bool = true, options: VarBytesOptions = null) -> void:
	_limit(VarBytes.decode(flood, options), what)
	if passes:
		_passes("honest beside %s" % what, honest, options)
	_check_time(what, flood, honest, options)


func _limit(result: VarBytesResult, what: String) -> void:
	check(not result.ok and result.value == null and result.error == VarBytesResult.LIMIT, "%s: %s" % [what, "accepted" if result.ok else result.message])


func _passes(what: String, packet: PackedByteArray, options: VarBytesOptions = null) -> void:
	var result: VarBytesResult = VarBytes.decode(packet, options)
	check(result.ok, "%s: %s" % [what, result.message])


## Checks that a byte of the flood takes little more time than one of a harmless packet.
func _check_time(what: String, flood: PackedByteArray, honest: PackedByteArray, options: VarBytesOptions = null) -> void:
	var shortest: Array[float] = [INF, INF]
	var ratio: float = INF
	for attempt: int in ATTEMPTS:
		for index: int in 2:
			shortest[index] = minf(shortest[index], _time([flood, honest][index], options))
		ratio = shortest[0] / flood.size() / (shortest[1] / honest.size())
		if ratio < SLOWER:
			break
	check(ratio < SLOWER, "%s took %.1f times as long as harmless ones" % [what, ratio])


## Returns the microseconds that it takes to decode a packet.
static func _time(packet: PackedByteArray, options: VarBytesOptions) -> float:
	var began: int = Time.get_ticks_usec()
	VarBytes.decode(packet, options)
	return maxf(Time.get_ticks_usec() - began, 1.0)


static func _dictionary(keys: Array, are_bytes: bool = false, key_type: int = TYPE_NIL) -> PackedByteArray:
	var packet: PackedByteArray = Attacks.word(27)
	if key_type != TYPE_NIL:
		packet = Attacks.word(0x1001B) + Attacks.word(key_type)
	packet.append_array(Attacks.word(keys.size()))
	var value: PackedByteArray = var_to_bytes(1)
	for key: Variant in keys:
		packet.append_array(key if are_bytes else var_to_bytes(key))
		packet.append_array(value)
	return packet


static func _array(members: Array, are_bytes: bool = false, type: int = TYPE_NIL) -> PackedByteArray:
	var packet: PackedByteArray = Attacks.word(28)
	if type != TYPE_NIL:
		packet = Attacks.word(0x1001C) + Attacks.word(type)
	packet.append_array(Attacks.word(members.size()))
	for member: Variant in members:
		packet.append_array(member if are_bytes else var_to_bytes(member))
	return packet


static func _as_repeated_key(name: String) -> PackedByteArray:
	var dictionaries: PackedByteArray = var_to_bytes([])
	dictionaries.encode_u32(4, 8)
	for index: int in 8:
		dictionaries.append_array(Attacks.word(27) + Attacks.word(1) + _as_name(name) + var_to_bytes(1))
	return dictionaries


## Names are written as bytes: in the engine, each would be compared with all of its chain.
static func _as_name(text: String) -> PackedByteArray:
	return Attacks.word(TYPE_STRING_NAME) + Attacks.text(text)


static func _as_path(text: String) -> PackedByteArray:
	return _path([text], [])


static func _as_subname(text: String) -> PackedByteArray:
	return _path(["a"], [text])


static func _path(names: Array, subnames: Array) -> PackedByteArray:
	var packet: PackedByteArray = Attacks.word(TYPE_NODE_PATH) + Attacks.word(names.size() | 0x80000000) + Attacks.word(subnames.size()) + Attacks.word(0)
	for name: String in names + subnames:
		packet.append_array(Attacks.text(name))
	return packet


static func _as_signal(text: String) -> PackedByteArray:
	return Attacks.word(26) + Attacks.text(text) + var_to_bytes(1 << 40).slice(4)


static func _as_typed(text: String) -> PackedByteArray:
	return Attacks.word(0x2001C) + Attacks.text(text) + Attacks.word(0)


static func _harmless_text(index: int) -> String:
	return str(index).sha1_text().left(30)


## Strings with the same hash: the hash is 33 times the hash of the prefix, plus the last character.
static func _text_of_one_hash(index: int) -> String:
	var made: PackedStringArray = []
	for bit: int in 15:
		made.append("aa" if index >> bit & 1 else "b@")
	return "".join(made)


## Two names that belong to one chain of the table of names when they are joined.
static func _names_of_one_chain_together(index: int, separator: String = "/") -> Array:
	var first: String = "%06d" % index
	var begin: int = hash(first + separator)
	# Three printable characters reach each remainder after some more dots.
	while true:
		var missing: int = 5 - begin * 35937 & 0xFFFF
		for turns: int in 3:
			var sum: int = missing + turns * 0x10000
			var a: int = clampi((sum - 33 * 60 - 80) / 1089, 59, 122)
			var b: int = clampi((sum - a * 1089 - 80) / 33, 60, 122)
			var c: int = sum - a * 1089 - b * 33
			if c > 64 and c < 127:
				return [first, char(a) + char(b) + char(c)]
		first += "."
		begin = hash(first + separator)
	return []


## Returns a string that hashes to a given slot.
static func _text_of_place(index: int, place: Callable, places: int) -> String:
	var begin: String = "%06d" % index
	while true:
		var last: int = posmod(place.call(index) - (hash(begin) * 33 & LOW), places)
		# The sum must stay below 2^32, and a character must not be a surrogate or NUL.
		if last + (hash(begin) * 33 & LOW) <= LOW and last > 31 and (last < 0xD800 or last > 0xE000):
			return begin + char(last)
		begin += "."
	return ""


## Returns the int with that hash whose upper half, before the last step, is `upper`.
static func _int_of_hash(upper: int, wanted: int) -> int:
	var value: int = upper << 32 | wanted & LOW
	value = _unshifted(value, 22)
	value *= _inverse(65)
	value = _unshifted(value, 11)
	value *= _inverse(21)
	value = _unshifted(value, 31)
	return (value + 1) * _inverse((1 << 18) - 1)


## Inverts `x ^ x >> bits`.
static func _unshifted(value: int, bits: int) -> int:
	var found: int = value
	for step: int in 64 / bits:
		found = value ^ (found >> bits & (1 << 64 - bits) - 1)
	return found


## Returns the inverse of an odd number modulo 2^64.
static func _inverse(odd: int) -> int:
	var inverse: int = odd
	for step: int in 6:
		inverse *= 2 - odd * inverse
	return inverse


## Returns a float with a given hash and given lower bits.
static func _float_of_hash(lower: int) -> float:
	var bytes: PackedByteArray = Attacks.word(lower)
	var upper: int = _last_word([lower], 0x1234567)
	# Neither infinite nor NaN.
	while upper >> 20 & 0x7FF == 0x7FF:
		lower += COUNT
		bytes = Attacks.word(lower)
		upper = _last_word([lower], 0x1234567)
	return (bytes + Attacks.word(upper)).decode_double(0)


## Returns the last word for which MurmurHash3, without its finalizer, returns `wanted`.
static func _last_word(before: Array, wanted: int) -> int:
	var hash_before: int = 0x7F07C65
	for word: int in before:
		var mixed: int = _rotated((word & LOW) * 0xCC9E2D51 & LOW, 15) * 0x1B873593 & LOW
		hash_before = (_rotated(hash_before ^ mixed, 13) * 5 + 0xE6546B64) & LOW
	var mixed: int = _rotated((wanted - 0xE6546B64) * _inverse(5) & LOW, 19) ^ hash_before
	return _rotated(mixed * _inverse(0x1B873593) & LOW, 17) * _inverse(0xCC9E2D51) & LOW


## Inverts the finalizer of MurmurHash3.
static func _unfinished(hash_wanted: int) -> int:
	var found: int = hash_wanted & LOW
	found ^= found >> 16
	found = found * _inverse(0xC2B2AE35) & LOW
	found ^= found >> 13 ^ found >> 26
	found = found * _inverse(0x85EBCA6B) & LOW
	return found ^ found >> 16


static func _rotated(word: int, bits: int) -> int:
	return (word << bits | word >> 32 - bits) & LOW
