extends RefCounted
## Generates random values of every type. The same seed generates the same values.

const FLOATS: Array[float] = [0.0, -0.0, 1.0, -1.5, 0.1, INF, -INF, NAN, 1e300, 1e-310, 3.4028234e38, 1.17549435e-38, 16777217.0]
const INTS: Array[int] = [0, 1, -1, 255, 65536, 2147483647, 2147483648, -2147483648, -2147483649, 9223372036854775807, -9223372036854775808]
const TEXTS: Array[String] = ["", "a", "abc", "abcd", "name", "é", "日本語", "😀", "a/b:c", "with space", "%d\n\t", "0123456789abcdef"]
const MEMBER_TYPES: Array[int] = [TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_STRING_NAME, TYPE_VECTOR3, TYPE_ARRAY, TYPE_DICTIONARY, TYPE_PACKED_BYTE_ARRAY, TYPE_NODE_PATH, TYPE_TRANSFORM3D]
const ITEM_SCRIPT: String = "res://tests/fixtures/item.gd"

var random := RandomNumberGenerator.new()
var with_objects: bool = false
var _item: GDScript = load(ITEM_SCRIPT)


func value(depth: int = 0) -> Variant:
	var types: int = TYPE_MAX if depth < 4 else TYPE_DICTIONARY
	# Containers are more frequent than other types, or else most values would be leaves.
	if depth < 4 and random.randf() < 0.3:
		return of_type(TYPE_ARRAY if random.randf() < 0.5 else TYPE_DICTIONARY, depth)
	return of_type(random.randi() % types, depth)


func of_type(type: int, depth: int = 0) -> Variant:
	match type:
		TYPE_NIL: return null
		TYPE_BOOL: return random.randf() < 0.5
		TYPE_INT: return whole()
		TYPE_FLOAT: return real()
		TYPE_STRING: return text()
		TYPE_STRING_NAME: return StringName(text())
		TYPE_NODE_PATH: return NodePath(["", "/", ".", "../a", "/root/é/c:d:e", ":x", "a//b", text()][random.randi() % 8])
		TYPE_VECTOR2: return Vector2(real(), real())
		TYPE_VECTOR2I: return Vector2i(whole(), whole())
		TYPE_RECT2: return Rect2(real(), real(), real(), real())
		TYPE_RECT2I: return Rect2i(whole(), whole(), whole(), whole())
		TYPE_VECTOR3: return vector3()
		TYPE_VECTOR3I: return Vector3i(whole(), whole(), whole())
		TYPE_TRANSFORM2D: return Transform2D(Vector2(real(), real()), Vector2(real(), real()), Vector2(real(), real()))
		TYPE_VECTOR4: return Vector4(real(), real(), real(), real())
		TYPE_VECTOR4I: return Vector4i(whole(), whole(), whole(), whole())
		TYPE_PLANE: return Plane(real(), real(), real(), real())
		TYPE_QUATERNION: return Quaternion(real(), real(), real(), real())
		TYPE_AABB: return AABB(vector3(), vector3())
		TYPE_BASIS: return Basis(vector3(), vector3(), vector3())
		TYPE_TRANSFORM3D: return Transform3D(vector3(), vector3(), vector3(), vector3())
		TYPE_PROJECTION: return Projection(of_type(TYPE_VECTOR4), of_type(TYPE_VECTOR4), of_type(TYPE_VECTOR4), of_type(TYPE_VECTOR4))
		TYPE_COLOR: return Color(real(), real(), real(), real())
		TYPE_RID: return rid_from_int64(random.randi())
		TYPE_OBJECT: return object(depth)
		TYPE_CALLABLE: return Callable()
		TYPE_SIGNAL: return Signal() if random.randf() < 0.2 else Signal(self, text())
		TYPE_DICTIONARY: return dictionary(depth)
		TYPE_ARRAY: return array(depth)
	return packed(type)


func whole() -> int:
	return INTS[random.randi() % INTS.size()] if random.randf() < 0.3 else random.randi() - (1 << 31)


func real() -> float:
	return FLOATS[random.randi() % FLOATS.size()] if random.randf() < 0.3 else random.randfn() * 1000.0


func vector3() -> Vector3:
	return Vector3(real(), real(), real())


func text() -> String:
	if random.randf() < 0.7:
		return TEXTS[random.randi() % TEXTS.size()]
	var result: String = ""
	for index: int in random.randi() % 40:
		result += String.chr([random.randi_range(1, 127), random.randi_range(128, 0x7FF), random.randi_range(0x800, 0xD7FF), random.randi_range(0x10000, 0x10FFFF)][random.randi() % 4])
	return result


func array(depth: int) -> Array:
	if random.randf() < 0.3:
		var type: int = MEMBER_TYPES[random.randi() % MEMBER_TYPES.size()]
		var typed: Array = Array([], type, &"", null)
		for index: int in random.randi() % 6:
			typed.append(of_type(type, depth + 1))
		return typed
	if with_objects and random.randf() < 0.1:
		var script: Script = _item if random.randf() < 0.7 else null
		var items: Array = Array([], TYPE_OBJECT, &"Resource", script)
		for index: int in random.randi() % 3:
			items.append(_member(depth, script))
		return items
	var result: Array = []
	for index: int in random.randi() % 6:
		result.append(value(depth + 1))
	for index: int in _additional(33):
		result.append(value(4))
	return result


func dictionary(depth: int) -> Dictionary:
	var result: Dictionary = {}
	if random.randf() < 0.3:
		var types: Array[int] = [MEMBER_TYPES[random.randi() % MEMBER_TYPES.size()], MEMBER_TYPES[random.randi() % MEMBER_TYPES.size()]]
		if random.randf() < 0.3:
			types[random.randi() % 2] = TYPE_NIL
		result = Dictionary({}, types[0], &"", null, types[1], &"", null)
		for index: int in random.randi() % 6:
			var key: Variant = value(depth + 1) if types[0] == TYPE_NIL else of_type(types[0], depth + 1)
			result[key] = value(depth + 1) if types[1] == TYPE_NIL else of_type(types[1], depth + 1)
		return result
	if with_objects and random.randf() < 0.1:
		var script: Script = _item if random.randf() < 0.7 else null
		var key_type: int = [TYPE_NIL, TYPE_INT, TYPE_STRING, TYPE_VECTOR2I][random.randi() % 4]
		result = Dictionary({}, key_type, &"", null, TYPE_OBJECT, &"Resource", script)
		for index: int in random.randi() % 3:
			result[text() if key_type == TYPE_NIL else of_type(key_type, depth + 1)] = _member(depth, script)
		return result
	for index: int in random.randi() % 6:
		result[text() if random.randf() < 0.5 else value(depth + 1)] = value(depth + 1)
	for index: int in _additional(65):
		result[index if random.randf() < 0.9 else value(4)] = value(4)
	return result


## Returns how many more members a container has. Those with many are read in another way.
func _additional(many: int) -> int:
	return many + random.randi() % many if random.randf() < 0.02 else 0


## A member of a container of resources with a script, or of any.
func _member(depth: int, script: Script) -> Resource:
	if random.randf() < 0.2:
		return null
	return _new_item(depth) if script != null or random.randf() < 0.5 else Resource.new()


## Objects of classes whose setters are fast with any value, because packets with them are damaged too. A Curve2D would
## take a thousand times as long, and a LabelSettings might never return.
func object(depth: int) -> Object:
	if not with_objects:
		return null if random.randf() < 0.3 else RefCounted.new()
	match random.randi() % 5:
		0: return null
		1: return _new_item(depth)
		2:
			var image_texture := PlaceholderTexture2D.new()
			image_texture.size = Vector2(real(), real())
			return image_texture
		3:
			var gradient := Gradient.new()
			gradient.resource_name = text()
			gradient.set_color(0, of_type(TYPE_COLOR))
			return gradient
	var resource := Resource.new()
	resource.resource_name = text()
	resource.set_meta("note", value(depth + 1))
	return resource


func _new_item(depth: int) -> Resource:
	var item: Resource = _item.new()
	item.title = text()
	item.count = whole()
	item.parts = array(depth + 1) if depth < 3 else []
	return item


func packed(type: int) -> Variant:
	var result: Variant = type_convert([], type)
	for index: int in random.randi() % 8:
		match type:
			TYPE_PACKED_BYTE_ARRAY: result.append(random.randi() % 256)
			TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY: result.append(whole())
			TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY: result.append(real())
			TYPE_PACKED_STRING_ARRAY: result.append(text())
			TYPE_PACKED_VECTOR2_ARRAY: result.append(Vector2(real(), real()))
			TYPE_PACKED_VECTOR3_ARRAY: result.append(vector3())
			TYPE_PACKED_VECTOR4_ARRAY: result.append(of_type(TYPE_VECTOR4))
			TYPE_PACKED_COLOR_ARRAY: result.append(Color(real(), real(), real(), real()))
	return result
