extends RefCounted
## The measured values. The group of a case decides its targets; they stand in `rust/package/src/benchmark.rs`.

const Unit := preload("res://benchmark/unit.gd")

const MILLION: int = 1_000_000


class Case:
	var name: String
	var group: String
	var make: Callable
	## Whether objects are written in full.
	var objects: bool
	## Whether it is one of the cases that are checked at each change.
	var is_fixed: bool

	func _init(case_name: String, case_group: String, case_make: Callable) -> void:
		name = case_name
		group = case_group
		make = case_make
		objects = case_group == "whole objects"


static func all() -> Array[Case]:
	var cases: Array[Case] = [
		Case.new("int", "small", func() -> Variant: return 7),
		Case.new("String of 12", "small", func() -> Variant: return "twelve chars"),
		Case.new("Vector2", "small", func() -> Variant: return Vector2(1.5, 0)),
		Case.new("{move: Vector2}", "small", func() -> Variant: return {"move": Vector2(1, 0)}),
		Case.new("[id, x, y, flags]", "small", func() -> Variant: return [17, 1.5, -2.5, 3]),
		Case.new("packet of 5 keys", "small", _packet),
		Case.new("chat message", "small", _chat),
		Case.new("synchronized properties", "small", synchronized),
		Case.new("Dictionary of 200", "dictionaries", _dictionary.bind(200)),
		Case.new("100 Dictionaries", "dictionaries", dictionaries.bind(100)),
		Case.new("50,000 Dictionaries", "dictionaries", dictionaries.bind(50_000)),
		Case.new("Dictionary of 100,000", "dictionaries", _dictionary.bind(100_000)),
		Case.new("Dictionary of 100,000 int to int", "dictionaries", _numbers.bind(100_000)),
		Case.new("Dictionary of 20,000 random int to float", "dictionaries", _random_numbers),
		Case.new("Dictionary[StringName, Vector3] of 1,000", "dictionaries", _typed_dictionary),
		Case.new("Dictionary[int, float] of 5,000", "dictionaries", _typed_numbers),
		Case.new("Dictionary[Vector2i, Rect2i] of 200", "dictionaries", _typed_cells),
		Case.new("8 cells by Vector3i", "dictionaries", _cells),
		Case.new("paths by id, Dictionary[int, PackedVector3Array] of 20", "dictionaries", _paths),
		Case.new("party, Array[Dictionary] of 12", "dictionaries", _party),
		Case.new("stacks, 100 Dictionary[int, int] of 2", "dictionaries", _array.bind(100, func(index: int) -> Variant: return _stack(index))),
		Case.new("lanes, 100 Array[int] of 4", "fixed-size types", _array.bind(100, func(index: int) -> Variant: return _lane(index))),
		Case.new("trails, 100 PackedVector2Array of 4", "packed arrays", _array.bind(100, func(index: int) -> Variant: return PackedVector2Array([Vector2(index, 0), Vector2(index, 1), Vector2(index, 2), Vector2(index, 3)]))),
		Case.new("grid, Array[Array] of 16", "mixed", _grid),
		Case.new("messages, Array[PackedByteArray] of 30", "mixed", _messages),
		Case.new("inventory with StringName keys", "dictionaries", _inventory),
		Case.new("snapshot of 100 [Vector3, Quaternion, int]", "dictionaries", _snapshot),
		Case.new("rollback state", "dictionaries", _rollback),
		Case.new("quest log", "dictionaries", _quests),
		Case.new("leaderboard", "dictionaries", _leaderboard),
		Case.new("item with tags", "dictionaries", func() -> Variant: return {"id": 7, "title": "Flaming sword", "tags": PackedStringArray(["fire", "sword", "rare"]), "icon": ^"Items/Sword"}),
		Case.new("settings", "dictionaries", settings),
		Case.new("Array of 200,000 int", "fixed-size types", _array.bind(200_000, func(index: int) -> Variant: return index)),
		Case.new("Array of 200,000 float", "fixed-size types", _array.bind(200_000, func(index: int) -> Variant: return index * 0.1)),
		Case.new("Array[int] of 200,000", "fixed-size types", _typed_array.bind(200_000, TYPE_INT, func(index: int) -> Variant: return index)),
		Case.new("Array[bool] of 10,000", "fixed-size types", _typed_array.bind(10_000, TYPE_BOOL, func(index: int) -> Variant: return index % 3 == 0)),
		Case.new("10,000 nulls", "fixed-size types", _array.bind(10_000, func(_index: int) -> Variant: return null)),
		Case.new("10,000 RID", "fixed-size types", _array.bind(10_000, func(_index: int) -> Variant: return RID())),
		Case.new("mixed Array of 2,000", "mixed", _mixed),
		Case.new("tile map, 16 PackedInt32Array of 4,096", "packed arrays", _tile_map),
		Case.new("path, PackedVector2Array of 12", "packed arrays", func() -> Variant: return PackedVector2Array(range(12).map(func(index: int) -> Vector2: return Vector2(index, 0.5)))),
		Case.new("voice, PackedByteArray of 960", "packed arrays", func() -> Variant: return PackedByteArray(range(960))),
		Case.new("map layer", "packed arrays", _map_layer),
		Case.new("voxel chunk", "packed arrays", _voxels),
		Case.new("chunk of 4,096 voxels", "packed arrays", func() -> Variant: return {"position": Vector3i(4, 0, -2), "blocks": _blocks(4_096)}),
		Case.new("world, 64 compressed chunks by Vector2i", "packed arrays", _world),
		Case.new("replay of 10 minutes", "packed arrays", _replay),
		Case.new("Array[StringName] of 2,000", "text", _typed_array.bind(2_000, TYPE_STRING_NAME, func(index: int) -> Variant: return StringName("name_%d" % index))),
		Case.new("Array of 10,000 repeated StringName", "text", _array.bind(10_000, func(index: int) -> Variant: return StringName("tag_%d" % (index % 20)))),
		Case.new("Array[NodePath] of 100", "text", _typed_array.bind(100, TYPE_NODE_PATH, func(index: int) -> Variant: return NodePath("Room%d/Door:position" % (index % 20)))),
		Case.new("watched properties, 50 NodePath", "text", _array.bind(50, func(index: int) -> Variant: return NodePath("World/Player%d:position" % index))),
		Case.new("tags, 100 PackedStringArray of 2", "text", _array.bind(100, func(index: int) -> Variant: return PackedStringArray(["tag_%d" % (index % 20), "rare"]))),
		Case.new("200,000 String, ASCII", "text", _array.bind(200_000, func(index: int) -> Variant: return "plain text " + str(index))),
		Case.new("PackedStringArray of 2,000", "text", _packed_strings.bind(2_000)),
		Case.new("PackedStringArray of 1 M", "text", _packed_strings.bind(MILLION)),
		Case.new("word lists, 4 PackedStringArray of 500", "text", _word_lists),
		Case.new("200,000 String, not ASCII", "text beyond ASCII", _array.bind(200_000, func(index: int) -> Variant: return "日本語 Größe " + str(index))),
		Case.new("chat message, German", "text beyond ASCII", func() -> Variant: return {"from": "Jörg", "channel": 3, "text": "Trefft mich an der alten Mühle, bringt für alle Fälle ein Seil mit. Größere Säcke auch!"}),
		Case.new("100 stats by StringName, German", "text beyond ASCII", _array.bind(100, func(index: int) -> Variant: return {&"stärke": index, &"rüstung": 3, &"größe": 1.5})),
		Case.new("long Unicode string", "text beyond ASCII", func() -> Variant: return "Größe 日本語 😀 ".repeat(10_000)),
		Case.new("dialogue, Cyrillic", "text beyond ASCII", _array.bind(2_000, func(index: int) -> Variant: return "Привет, путник! Что привело тебя сюда? " + str(index))),
		Case.new("dialogue, English in typographic quotes", "text beyond ASCII", _array.bind(500, func(index: int) -> Variant: return "“Don’t touch the lever,” said guard %d – and did." % index)),
		Case.new("1,000 levels", "mixed", _nested),
		Case.new("2,000 objects by id", "objects by id", _by_id),
		Case.new("one Resource", "whole objects", func() -> Variant: return _resources()[7]),
		Case.new("2,000 Resources", "whole objects", _resources),
		Case.new("200 scripted objects", "whole objects", _scripted),
		Case.new("one scripted object", "whole objects", func() -> Variant: return {"slot": 3, "unit": _scripted()[7]}),
		Case.new("squad, Array[Unit] of 40", "whole objects", func() -> Variant: return Array(_scripted().slice(0, 40), TYPE_OBJECT, &"Resource", Unit)),
		Case.new("army, 300 units by name", "whole objects", func() -> Variant: return _by_name(_scripted() + _scripted().slice(0, 100))),
		Case.new("40 items with a Resource each", "whole objects", _items),
		Case.new("100 scripted objects after a Gradient", "whole objects", func() -> Variant: return [Gradient.new()] + _scripted().slice(0, 100)),
		Case.new("50 Gradient", "whole objects", func() -> Variant: return _array(50, func(_index: int) -> Variant: return Gradient.new())),
		Case.new("slot with a screenshot, an Image", "whole objects", func() -> Variant: return {"slot": 3, "image": Image.create_empty(256, 256, false, Image.FORMAT_RGBA8)}),
		Case.new("5 InputEventKey by name", "whole objects", _bindings),
		Case.new("world of 500 Dictionaries, then a player", "whole objects", func() -> Variant: return {"world": _array(500, func(index: int) -> Variant: return {"id": index, "hp": 0.5 * index}), "player": _scripted()[3]}),
		Case.new("save with scripted objects", "whole objects", func() -> Variant: return {"player": _scripted()[3], "party": _scripted().slice(0, 4), "gold": 120, "flags": {"met": true}}),
	]
	for type: int in [TYPE_VECTOR2, TYPE_VECTOR2I, TYPE_RECT2, TYPE_VECTOR3, TYPE_VECTOR3I, TYPE_TRANSFORM2D, TYPE_VECTOR4, TYPE_PLANE, TYPE_QUATERNION, TYPE_AABB, TYPE_BASIS, TYPE_TRANSFORM3D, TYPE_PROJECTION, TYPE_COLOR]:
		var zero: Variant = type_convert(null, type)
		var count: int = 200_000 if type in [TYPE_VECTOR2, TYPE_VECTOR3] else 10_000
		cases.append(Case.new("Array of %d %s" % [count, type_string(type)], "fixed-size types", _array.bind(count, func(_index: int) -> Variant: return zero)))
	cases.append(Case.new("Array[Vector2i] of 10,000", "fixed-size types", _typed_array.bind(10_000, TYPE_VECTOR2I, func(index: int) -> Variant: return Vector2i(index, -index))))
	cases.append(Case.new("Array[Transform3D] of 2,000", "fixed-size types", _typed_array.bind(2_000, TYPE_TRANSFORM3D, func(index: int) -> Variant: return Transform3D(Basis(), Vector3(index, 0, 1)))))
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		if type != TYPE_PACKED_STRING_ARRAY:
			cases.append(Case.new("%s of %s" % [type_string(type), "16 MB" if type == TYPE_PACKED_BYTE_ARRAY else "1 M"], "packed arrays", packed.bind(type)))
	const FIXED: Array[String] = ["{move: Vector2}", "packet of 5 keys", "100 Dictionaries", "Dictionary of 20,000 random int to float",
			"Array of 10000 Vector2i", "Array of 10000 Transform3D", "mixed Array of 2,000", "voxel chunk", "PackedStringArray of 2,000", "dialogue, Cyrillic"]
	for case: Case in cases:
		case.is_fixed = case.name in FIXED
	return cases


static func _packet() -> Dictionary:
	return {"id": 1234, "name": "player_one", "pos": Vector3(1.5, 2.5, -3.0), "hp": 97.5, "alive": true}


static func _chat() -> Dictionary:
	return {"from": "Ann", "channel": 3, "text": "Meet me at the old mill, bring rope.", "time": 1_700_000_000}


static func synchronized() -> Array:
	return [Vector3(10.5, 0.25, -7.0), Quaternion(0, 0.7071, 0, 0.7071), Vector3(0.1, 0, 2.5), &"run", 0.75, true, 42]


static func _dictionary(count: int) -> Dictionary:
	var result: Dictionary = {}
	for index: int in count:
		result["key_%d" % index] = index
	return result


static func dictionaries(count: int) -> Array:
	var result: Array = []
	for index: int in count:
		result.append({"id": index, "name": "unit %d" % index, "health": index * 0.5})
	return result


static func _numbers(count: int) -> Dictionary:
	var result: Dictionary = {}
	for index: int in count:
		result[index] = index * 3
	return result


static func _paths() -> Dictionary[int, PackedVector3Array]:
	var result: Dictionary[int, PackedVector3Array] = {}
	for index: int in 20:
		result[index] = PackedVector3Array([Vector3(index, 0, 1), Vector3(index, 0, 9), Vector3(index + 4, 0, 9)])
	return result


static func _party() -> Array[Dictionary]:
	var result: Array[Dictionary] = []
	for index: int in 12:
		result.append({"id": index, "level": 3, "at": Vector2i(index, 7)})
	return result


static func _stack(index: int) -> Dictionary[int, int]:
	return {index: 12, index + 100: 1}


static func _lane(index: int) -> Array[int]:
	return [index, index + 1, index + 4, index + 9]


static func _grid() -> Array[Array]:
	var result: Array[Array] = []
	for row: int in 16:
		result.append(range(16))
	return result


static func _messages() -> Array[PackedByteArray]:
	var result: Array[PackedByteArray] = []
	for index: int in 30:
		result.append(PackedByteArray([7, index, 0, 1, 200, 12]))
	return result


static func _random_numbers() -> Dictionary:
	var random := RandomNumberGenerator.new()
	random.seed = 7
	var result: Dictionary = {}
	for index: int in 20_000:
		result[random.randi() | random.randi() << 32] = random.randf()
	return result


static func _typed_dictionary() -> Dictionary[StringName, Vector3]:
	var result: Dictionary[StringName, Vector3] = {}
	for index: int in 1_000:
		result[StringName("bone_%d" % index)] = Vector3(index, 1.0, 2.0)
	return result


static func _cells() -> Dictionary:
	var result: Dictionary = {}
	for index: int in 8:
		result[Vector3i(index, 1, 2)] = Quaternion(0, 0, 0, 1)
	return result


static func _typed_cells() -> Dictionary[Vector2i, Rect2i]:
	var result: Dictionary[Vector2i, Rect2i] = {}
	for index: int in 200:
		result[Vector2i(index % 20, index / 20)] = Rect2i(16 * index, 0, 16, 16)
	return result


static func _typed_numbers() -> Dictionary[int, float]:
	var result: Dictionary[int, float] = {}
	for index: int in 5_000:
		result[index] = index * 0.25
	return result


static func _inventory() -> Array:
	var result: Array = []
	for index: int in 200:
		result.append({&"id": &"iron_sword", &"count": index, &"slot": Vector2i(index % 10, index / 10), &"durability": 0.5, &"tags": [&"weapon", &"melee"]})
	return result


static func _snapshot() -> Dictionary:
	var result: Dictionary = {}
	for index: int in 100:
		result[1000 + index] = [Vector3(index, 1, 2), Quaternion(0, 0, 0, 1), index]
	return result


static func _rollback() -> Dictionary:
	var players: Array = []
	for index: int in 4:
		players.append({"position": Vector2(index, 3), "velocity": Vector2(1, -1), "state": 5, "frame": 812, "facing": true, "health": 88, "inputs": [1, 0, 2, 2, 1]})
	return {"frame": 812, "random": 123456789012, "players": players, "projectiles": [Rect2(1, 2, 3, 4), Rect2(5, 6, 7, 8)]}


static func _quests() -> Dictionary:
	var result: Dictionary = {}
	for index: int in 60:
		result["quest_%d" % index] = {"stage": index % 5, "done": index % 2 == 0, "notes": "Talk to the smith about the broken gate.", "goals": [{"kind": "kill", "count": 3, "of": 10}, {"kind": "collect", "count": 1, "of": 5}]}
	return result


static func _leaderboard() -> Array:
	var result: Array = []
	for index: int in 1_000:
		result.append({"name": "player_%d" % (index * 7919), "score": 1_000_000 - index * 137, "time": 60.5 + index})
	return result


static func settings() -> Dictionary:
	var result: Dictionary = {}
	for section: String in ["video", "audio", "input", "game"]:
		var values: Dictionary = {}
		for index: int in 12:
			values["%s_option_%d" % [section, index]] = [true, 0.8, 3, "high"][index % 4]
		result[section] = values
	return result


static func _mixed() -> Array:
	return _array(2_000, func(index: int) -> Variant: return [index, index * 0.5, "text %d" % index, Vector2(index, 1), true, null, Color.RED, [index]][index % 8])


static func _tile_map() -> Dictionary:
	var result: Dictionary = {}
	for layer: int in 16:
		var cells := PackedInt32Array()
		cells.resize(4_096)
		for index: int in cells.size():
			cells[index] = index * layer
		result["layer_%d" % layer] = cells
	return result


static func _map_layer() -> Dictionary:
	var cells := PackedInt32Array()
	cells.resize(128 * 128)
	for index: int in cells.size():
		cells[index] = index % 11
	return {"width": 128, "cells": cells}


static func _voxels() -> Dictionary:
	var blocks: PackedByteArray = _blocks(32 * 32 * 32)
	return {"position": Vector3i(4, 0, -2), "blocks": blocks, "light": blocks.slice(0, 16_384), "entities": []}


static func _blocks(count: int) -> PackedByteArray:
	var blocks := PackedByteArray()
	blocks.resize(count)
	for index: int in count:
		blocks[index] = index % 7
	return blocks


static func _world() -> Dictionary:
	var chunks: Dictionary = {}
	for index: int in 64:
		chunks[Vector2i(index % 8, index / 8)] = _blocks(1_000 + index * 60)
	return {"seed": 99, "chunks": chunks}


static func _replay() -> Dictionary:
	var inputs := PackedByteArray()
	inputs.resize(36_000 * 4)
	var positions := PackedVector2Array()
	positions.resize(36_000)
	for index: int in positions.size():
		inputs[index * 4] = index & 15
		positions[index] = Vector2(index, index * 0.5)
	return {"map": "harbour", "seed": 99, "inputs": inputs, "positions": positions, "events": dictionaries(40)}


static func _array(count: int, member: Callable) -> Array:
	var result: Array = []
	result.resize(count)
	for index: int in count:
		result[index] = member.call(index)
	return result


static func _typed_array(count: int, type: int, member: Callable) -> Array:
	return Array(_array(count, member), type, &"", null)


static func packed(type: int) -> Variant:
	var result: Variant = type_convert([], type)
	result.resize(16 * MILLION if type == TYPE_PACKED_BYTE_ARRAY else MILLION)
	for index: int in MILLION:
		match type:
			TYPE_PACKED_BYTE_ARRAY: result[index] = index & 0xFF
			TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY: result[index] = index
			TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY: result[index] = index * 0.1
			TYPE_PACKED_VECTOR2_ARRAY: result[index] = Vector2(index, 1.0)
			TYPE_PACKED_VECTOR3_ARRAY: result[index] = Vector3(index, 1.0, 2.0)
			TYPE_PACKED_VECTOR4_ARRAY: result[index] = Vector4(index, 1.0, 2.0, 3.0)
			TYPE_PACKED_COLOR_ARRAY: result[index] = Color(index, 1.0, 0.5, 0.25)
	return result


static func _word_lists() -> Dictionary:
	var result: Dictionary = {}
	for language: String in ["en", "de", "fr", "es"]:
		var words := PackedStringArray()
		for index: int in 500:
			words.append("%s_word_%d" % [language, index])
		result[language] = words
	return result


static func _packed_strings(count: int) -> PackedStringArray:
	var result := PackedStringArray()
	result.resize(count)
	for index: int in count:
		result[index] = "text %d" % index
	return result


static func _nested() -> Array:
	var result: Array = []
	for level: int in 999:
		result = [result]
	return result


## Objects by id whose objects do not live here, as in a packet of another game.
static func _by_id() -> Array:
	return _array(2_000, func(index: int) -> Variant:
		var object := EncodedObjectAsID.new()
		object.object_id = 1_000_000 + index
		return object)


static func _resources() -> Array:
	return _array(2_000, func(index: int) -> Variant:
		var resource := Resource.new()
		resource.resource_name = "resource %d" % index
		return resource)


static func _items() -> Array:
	var icons: Array = _resources()
	return _array(40, func(index: int) -> Variant: return {"id": index, "name": "item %d" % index, "icon": icons[index], "price": 1.5, "at": Vector2i(index, 1)})


static func _bindings() -> Dictionary:
	var result: Dictionary = {}
	for action: String in ["left", "right", "jump", "use", "menu"]:
		var key := InputEventKey.new()
		key.keycode = KEY_A + result.size() as Key
		result[action] = key
	return result


static func _by_name(values: Array) -> Dictionary:
	var by_name: Dictionary = {}
	for index: int in values.size():
		by_name["unit_%03d" % index] = {"unit": values[index], "squad": index % 7}
	return by_name


static func _scripted() -> Array:
	return _array(200, func(index: int) -> Variant:
		var unit := Unit.new()
		unit.title = "unit %d" % index
		unit.position = Vector2(index, 2)
		return unit)
