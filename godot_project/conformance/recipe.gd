extends RefCounted
## Builds values from recipes, without the engine's codec.
##
## A recipe is a list of values, each with its type number and content: numbers in their width, text as a count and
## UTF-32 units, packed arrays as a count and elements. A container has the types of its members and the number of
## values before it that become its members. So nothing is recursive, at any depth. The last value is the result.

var _in: StreamPeerBuffer = StreamPeerBuffer.new()
var _made: Array = []


func made(recipe: PackedByteArray) -> Variant:
	_in.data_array = recipe
	_made.clear()
	while _in.get_position() < recipe.size():
		_made.append(_value(_in.get_u8()))
	return _made.pop_back()


func _value(type: int) -> Variant:
	match type:
		TYPE_NIL:
			return null
		TYPE_BOOL:
			return _in.get_u8() != 0
		TYPE_INT:
			return _in.get_64()
		TYPE_FLOAT:
			return _in.get_double()
		TYPE_STRING:
			return _text()
		TYPE_VECTOR2:
			return _vector2()
		TYPE_VECTOR2I:
			return Vector2i(_in.get_32(), _in.get_32())
		TYPE_RECT2:
			return Rect2(_vector2(), _vector2())
		TYPE_RECT2I:
			return Rect2i(_in.get_32(), _in.get_32(), _in.get_32(), _in.get_32())
		TYPE_VECTOR3:
			return _vector3()
		TYPE_VECTOR3I:
			return Vector3i(_in.get_32(), _in.get_32(), _in.get_32())
		TYPE_TRANSFORM2D:
			return Transform2D(_vector2(), _vector2(), _vector2())
		TYPE_VECTOR4:
			return _vector4()
		TYPE_VECTOR4I:
			return Vector4i(_in.get_32(), _in.get_32(), _in.get_32(), _in.get_32())
		TYPE_PLANE:
			return Plane(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())
		TYPE_QUATERNION:
			return Quaternion(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())
		TYPE_AABB:
			return AABB(_vector3(), _vector3())
		TYPE_BASIS:
			return _basis()
		TYPE_TRANSFORM3D:
			return Transform3D(_basis(), _vector3())
		TYPE_PROJECTION:
			return Projection(_vector4(), _vector4(), _vector4(), _vector4())
		TYPE_COLOR:
			return Color(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())
		TYPE_STRING_NAME:
			return StringName(_text())
		TYPE_NODE_PATH:
			return NodePath(_text())
		TYPE_RID:
			return rid_from_int64(_in.get_64())
		TYPE_OBJECT:
			return _object()
		TYPE_CALLABLE:
			return Callable()
		TYPE_SIGNAL:
			return Signal()
		TYPE_DICTIONARY:
			return _dictionary()
		TYPE_ARRAY:
			return _array()
	return _packed(type)


func _packed(type: int) -> Variant:
	match type:
		TYPE_PACKED_BYTE_ARRAY:
			return _bytes(1)
		TYPE_PACKED_INT32_ARRAY:
			return _bytes(4).to_int32_array()
		TYPE_PACKED_INT64_ARRAY:
			return _bytes(8).to_int64_array()
		TYPE_PACKED_FLOAT32_ARRAY:
			return _bytes(4).to_float32_array()
		TYPE_PACKED_FLOAT64_ARRAY:
			return _bytes(8).to_float64_array()
		TYPE_PACKED_STRING_ARRAY:
			var texts: PackedStringArray = []
			for _index: int in _in.get_u32():
				texts.append(_text())
			return texts
		TYPE_PACKED_VECTOR2_ARRAY:
			return _bytes(8).to_vector2_array()
		TYPE_PACKED_VECTOR3_ARRAY:
			return _bytes(12).to_vector3_array()
		TYPE_PACKED_COLOR_ARRAY:
			return _bytes(16).to_color_array()
		TYPE_PACKED_VECTOR4_ARRAY:
			return _bytes(16).to_vector4_array()
	# An unknown recipe must not be treated as valid.
	OS.crash("a recipe of type %d" % type)
	return null


## Reads a count and the bytes of that many elements.
func _bytes(size: int) -> PackedByteArray:
	var count: int = _in.get_u32()
	# An empty read succeeds, but prints an error.
	return _in.get_data(count * size)[1] if count > 0 else PackedByteArray()


func _text() -> String:
	var count: int = _in.get_u32()
	var units: PackedByteArray = _in.get_data(count * 4)[1] if count > 0 else PackedByteArray()
	return units.get_string_from_utf32()


func _vector2() -> Vector2:
	return Vector2(_in.get_float(), _in.get_float())


func _vector3() -> Vector3:
	return Vector3(_in.get_float(), _in.get_float(), _in.get_float())


func _vector4() -> Vector4:
	return Vector4(_in.get_float(), _in.get_float(), _in.get_float(), _in.get_float())


## Reads the basis row by row.
func _basis() -> Basis:
	var columns: Basis = Basis(_vector3(), _vector3(), _vector3())
	return columns.transposed()


## Returns an object by id, or one with metadata as its properties.
func _object() -> RefCounted:
	var count: int = _in.get_32()
	if count < 0:
		var stand_in: EncodedObjectAsID = EncodedObjectAsID.new()
		stand_in.object_id = _in.get_64()
		return stand_in
	var object: RefCounted = RefCounted.new()
	var values: Array = _taken(count)
	for index: int in count:
		object.set_meta("m%d" % index, values[index])
	return object


func _array() -> Array:
	var count: int = _in.get_u32()
	var type: int = _in.get_u8()
	var class_text: StringName = _class(type)
	var elements: Array = _taken(count)
	return elements if type == TYPE_NIL else Array(elements, type, class_text, null)


func _dictionary() -> Dictionary:
	var count: int = _in.get_u32()
	var key_type: int = _in.get_u8()
	var key_class: StringName = _class(key_type)
	var value_type: int = _in.get_u8()
	var value_class: StringName = _class(value_type)
	var members: Array = _taken(count * 2)
	var dictionary: Dictionary = {}
	for index: int in count:
		dictionary[members[index * 2]] = members[index * 2 + 1]
	if key_type == TYPE_NIL and value_type == TYPE_NIL:
		return dictionary
	return Dictionary(dictionary, key_type, key_class, null, value_type, value_class, null)


## Returns the class of a container's members; only objects have one.
func _class(type: int) -> StringName:
	return StringName(_text()) if type == TYPE_OBJECT else &""


## Removes the last values, which become members.
func _taken(count: int) -> Array:
	var members: Array = _made.slice(_made.size() - count)
	_made.resize(_made.size() - count)
	return members
