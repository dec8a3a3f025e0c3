extends Reference
## Builds values from recipes, without the engine's codec. The recipes are those of `recipe.gd` for Godot 4, with the
## types of Godot 3.

var _in: StreamPeerBuffer = StreamPeerBuffer.new()
var _made: Array = []


func made(recipe: PoolByteArray):
	_in.data_array = recipe
	_made.clear()
	while _in.get_position() < recipe.size():
		_made.append(_value(_in.get_u8()))
	return _made.pop_back()


func _value(type: int):
	match type:
		TYPE_NIL:
			return null
		TYPE_BOOL:
			return _in.get_u8() != 0
		TYPE_INT:
			return _in.get_64()
		TYPE_REAL:
			return _in.get_double()
		TYPE_STRING:
			return _text()
		TYPE_VECTOR2:
			return _vector2()
		TYPE_RECT2:
			return Rect2(_vector2(), _vector2())
		TYPE_VECTOR3:
			return _vector3()
		TYPE_TRANSFORM2D:
			return Transform2D(_vector2(), _vector2(), _vector2())
		TYPE_PLANE:
			return Plane(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())
		TYPE_QUAT:
			return Quat(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())
		TYPE_AABB:
			return AABB(_vector3(), _vector3())
		TYPE_BASIS:
			return _basis()
		TYPE_TRANSFORM:
			return Transform(_basis(), _vector3())
		TYPE_COLOR:
			return _color()
		TYPE_NODE_PATH:
			return NodePath(_text())
		TYPE_RID:
			var _no_id: int = _in.get_64()
			return RID()
		TYPE_OBJECT:
			return _object()
		TYPE_DICTIONARY:
			return _dictionary()
		TYPE_ARRAY:
			return _array()
	return _packed(type)


func _packed(type: int):
	var count: int = _in.get_u32()
	var elements
	match type:
		TYPE_RAW_ARRAY:
			return _in.get_data(count)[1] if count > 0 else PoolByteArray()
		TYPE_INT_ARRAY:
			elements = PoolIntArray()
			for _index in count:
				elements.append(_in.get_32())
		TYPE_REAL_ARRAY:
			elements = PoolRealArray()
			for _index in count:
				elements.append(_in.get_float())
		TYPE_STRING_ARRAY:
			elements = PoolStringArray()
			for _index in count:
				elements.append(_text())
		TYPE_VECTOR2_ARRAY:
			elements = PoolVector2Array()
			for _index in count:
				elements.append(_vector2())
		TYPE_VECTOR3_ARRAY:
			elements = PoolVector3Array()
			for _index in count:
				elements.append(_vector3())
		TYPE_COLOR_ARRAY:
			elements = PoolColorArray()
			for _index in count:
				elements.append(_color())
		_:
			# An unknown recipe must not be treated as valid.
			OS.crash("a recipe of type %d" % type)
	return elements


func _text() -> String:
	var text: String = ""
	for _index in _in.get_u32():
		text += char(_in.get_u32())
	return text


func _vector2() -> Vector2:
	return Vector2(_in.get_float(), _in.get_float())


func _vector3() -> Vector3:
	return Vector3(_in.get_float(), _in.get_float(), _in.get_float())


func _color() -> Color:
	return Color(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())


## Reads the basis row by row.
func _basis() -> Basis:
	return Basis(_vector3(), _vector3(), _vector3()).transposed()


## Returns an object by id. Other objects are not made here.
func _object() -> Reference:
	var _no_properties: int = _in.get_32()
	var stand_in: EncodedObjectAsID = EncodedObjectAsID.new()
	stand_in.object_id = _in.get_64()
	return stand_in


func _array() -> Array:
	var count: int = _in.get_u32()
	var _untyped: int = _in.get_u8()
	return _taken(count)


func _dictionary() -> Dictionary:
	var count: int = _in.get_u32()
	var _untyped: int = _in.get_u16()
	var members: Array = _taken(count * 2)
	var dictionary: Dictionary = {}
	for index in count:
		dictionary[members[index * 2]] = members[index * 2 + 1]
	return dictionary


## Removes the last values, which become members.
func _taken(count: int) -> Array:
	if count == 0:
		return []
	var members: Array = _made.slice(_made.size() - count, _made.size() - 1)
	_made.resize(_made.size() - count)
	return members
