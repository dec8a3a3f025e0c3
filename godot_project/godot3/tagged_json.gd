extends Reference
## Describes a value as one line of tagged JSON, by reading the value's properties, never from encoded bytes.

## What is described: a value before it is written, with objects as ids or in full, or a value that the decoder
## returned. They differ in objects and nulls.
enum View { WRITTEN_AS_IDS, WRITTEN_IN_FULL, DECODED }

## Deeper than anything the codec writes; it ends the description of an object that refers to itself.
const MAX_FRAMES: int = 1100

## The type names of Godot 4.
const TYPE_NAMES: Array = [
	"Nil", "bool", "int", "float", "String", "Vector2", "Rect2", "Vector3", "Transform2D", "Plane", "Quaternion", "AABB",
	"Basis", "Transform3D", "Color", "NodePath", "RID", "Object", "Dictionary", "Array", "PackedByteArray",
	"PackedInt32Array", "PackedFloat32Array", "PackedStringArray", "PackedVector2Array", "PackedVector3Array",
	"PackedColorArray",
]

var _odd_character: RegEx = RegEx.new()
var _bits: StreamPeerBuffer = StreamPeerBuffer.new()


## An open container. An explicit stack replaces recursion, because values nest deeper than GDScript's call stack.
class Frame:
	var items: Array
	var leads: Array
	var closing: String
	var index: int = 0

	func _init(frame_items: Array, frame_leads: Array, frame_closing: String) -> void:
		items = frame_items
		leads = frame_leads
		closing = frame_closing


func _init() -> void:
	# Control characters, quotes, backslashes, surrogates, and code points beyond Unicode.
	var _error: int = _odd_character.compile(
			"[^\\x{20}\\x{21}\\x{23}-\\x{5b}\\x{5d}-\\x{d7ff}\\x{e000}-\\x{10ffff}]")


func describe(value, view: int) -> String:
	var text: Array = []
	var frames: Array = [Frame.new([value], [""], "")]
	while not frames.empty():
		var frame: Frame = frames.back()
		if frame.index == frame.items.size():
			text.append(frame.closing)
			frames.pop_back()
			continue
		text.append(frame.leads[frame.index])
		var item = frame.items[frame.index]
		frame.index += 1
		match typeof(item):
			TYPE_ARRAY:
				text.append("{\"type\":\"Array\",\"value\":[")
				frames.append(_open_array(item))
			TYPE_DICTIONARY:
				text.append("{\"type\":\"Dictionary\",\"value\":[")
				frames.append(_open_dictionary(item, view))
			TYPE_OBJECT:
				if _is_in_full(item, view) and frames.size() < MAX_FRAMES:
					text.append("{\"type\":\"Object\",\"value\":{\"class\":%s,\"properties\":[" % quote(item.get_class()))
					frames.append(_open_object(item))
				else:
					text.append(_object_reference(item, view))
			_:
				text.append("{\"type\":\"%s\",\"value\":%s}" % [TYPE_NAMES[typeof(item)], _leaf(item)])
	return PoolStringArray(text).join("")


## Returns a JSON string. Godot 3 also reads text that is not Unicode, with surrogates or larger numbers; it becomes an
## object with its units, `{"code_units":[...]}`.
func quote(text: String) -> String:
	if _odd_character.search(text) == null:
		return "\"" + text + "\""
	var characters: Array = []
	for index in text.length():
		var code: int = text.ord_at(index)
		if code > 0x10ffff or _is_in(code, 0xd800, 0xdfff):
			return _code_units(text)
		if code < 32:
			characters.append("\\u%04x" % code)
		elif code == 34 or code == 92:
			characters.append("\\" + text[index])
		else:
			characters.append(text[index])
	return "\"" + PoolStringArray(characters).join("") + "\""


## Returns the JSON literal for a boolean, which Godot 3 prints as a name.
static func boolean(value: bool) -> String:
	return "true" if value else "false"


func _leaf(value) -> String:
	match typeof(value):
		TYPE_NIL:
			return "null"
		TYPE_BOOL:
			return boolean(value)
		TYPE_INT:
			return "\"%s\"" % str(value)
		TYPE_REAL:
			_bits.clear()
			_bits.put_double(value)
			_bits.seek(0)
			var low: int = _bits.get_u32()
			return "\"%08x%08x\"" % [_bits.get_u32(), low]
		TYPE_STRING:
			return quote(value)
		TYPE_NODE_PATH:
			return _node_path(value)
		TYPE_RID:
			# It has no payload.
			return "\"0\""
		TYPE_RAW_ARRAY:
			return "\"%s\"" % value.hex_encode()
		TYPE_INT_ARRAY:
			return "[" + PoolStringArray(Array(value)).join(",") + "]"
		TYPE_STRING_ARRAY:
			return _quoted_list(value)
		TYPE_REAL_ARRAY:
			return _list(_patterns(Array(value), value, 8))
		TYPE_VECTOR2_ARRAY:
			return _grouped(_patterns(_flattened(value), value, 8), 2)
		TYPE_VECTOR3_ARRAY:
			return _grouped(_patterns(_flattened(value), value, 8), 3)
		TYPE_COLOR_ARRAY:
			return _grouped(_patterns(_flattened(value), value, 8), 4)
	return _list(_patterns(_components(value), value, 4))


## The components in the order in which they are written.
func _components(value) -> Array:
	match typeof(value):
		TYPE_VECTOR2:
			return [value.x, value.y]
		TYPE_RECT2:
			return _components(value.position) + _components(value.size)
		TYPE_VECTOR3:
			return [value.x, value.y, value.z]
		TYPE_TRANSFORM2D:
			return _components(value.x) + _components(value.y) + _components(value.origin)
		TYPE_PLANE:
			return [value.normal.x, value.normal.y, value.normal.z, value.d]
		TYPE_QUAT:
			return [value.x, value.y, value.z, value.w]
		TYPE_AABB:
			return _components(value.position) + _components(value.size)
		TYPE_BASIS:
			return [value.x.x, value.y.x, value.z.x, value.x.y, value.y.y, value.z.y, value.x.z, value.y.z, value.z.z]
		TYPE_TRANSFORM:
			return _components(value.basis) + _components(value.origin)
		_:
			return [value.r, value.g, value.b, value.a]


func _flattened(vectors) -> Array:
	var components: Array = []
	for vector in vectors:
		components += _components(vector)
	return components


## The components' bits. Scripts get them as 64-bit floats, which turns a signalling NaN into a quiet one. So if one is
## NaN, only the encoder has the exact bits; it writes them at `offset`.
func _patterns(components: Array, value, offset: int) -> Array:
	_bits.clear()
	for component in components:
		if is_nan(component):
			_bits.data_array = var2bytes(value)
			break
		_bits.put_float(component)
	_bits.seek(offset if _bits.get_size() == offset + components.size() * 4 else 0)
	var patterns: Array = []
	for _index in components.size():
		patterns.append("\"%08x\"" % _bits.get_u32())
	return patterns


func _node_path(path: NodePath) -> String:
	var names: Array = []
	for index in path.get_name_count():
		names.append(path.get_name(index))
	var subnames: Array = []
	for index in path.get_subname_count():
		subnames.append(path.get_subname(index))
	return "{\"absolute\":%s,\"names\":%s,\"subnames\":%s}" % [
			boolean(path.is_absolute()), _quoted_list(names), _quoted_list(subnames)]


func _open_array(array: Array) -> Frame:
	var leads: Array = []
	for index in array.size():
		leads.append("," if index > 0 else "")
	return Frame.new(array, leads, "]}")


func _open_dictionary(dictionary: Dictionary, view: int) -> Frame:
	var keys: Array = dictionary.keys()
	var values: Array = dictionary.values()
	var items: Array = []
	var leads: Array = []
	for index in keys.size():
		# The encoder looks up every value by its key, and writes a text if it is not found, for example for an array that
		# changed after it became a key.
		var is_found: bool = view == View.DECODED or dictionary.has(keys[index])
		items.append(keys[index] if is_found else "[Deleted Object]")
		leads.append("[" if index == 0 else "],[")
		items.append(values[index] if is_found else null)
		leads.append(",")
	return Frame.new(items, leads, "]}" if items.empty() else "]]}")


func _open_object(object: Object) -> Frame:
	var items: Array = []
	var leads: Array = []
	for property in object.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE != 0:
			leads.append(("[%s," if items.empty() else "],[%s,") % quote(property["name"]))
			items.append(object.get(property["name"]))
	return Frame.new(items, leads, "]}}" if items.empty() else "]]}}")


func _is_in_full(object, view: int) -> bool:
	if view == View.WRITTEN_AS_IDS or not is_instance_valid(object):
		return false
	return view == View.WRITTEN_IN_FULL or not object is EncodedObjectAsID


func _object_reference(object, view: int) -> String:
	if not is_instance_valid(object):
		# The encoder writes null and freed objects as nil; only a decoder returns a null that is still an Object.
		return "{\"type\":\"%s\",\"value\":null}" % ("Object" if view == View.DECODED else "Nil")
	var is_decoded_id: bool = view == View.DECODED and object is EncodedObjectAsID
	return "{\"type\":\"Object\",\"value\":{\"id\":\"%s\"}}" % str(
			object.object_id if is_decoded_id else object.get_instance_id())


func _code_units(text: String) -> String:
	var units: Array = []
	for index in text.length():
		units.append(str(text.ord_at(index)))
	return "{\"code_units\":%s}" % _list(units)


func _quoted_list(texts) -> String:
	var quoted: Array = []
	for text in texts:
		quoted.append(quote(text))
	return _list(quoted)


func _grouped(patterns: Array, size: int) -> String:
	var groups: Array = []
	for start in range(0, patterns.size(), size):
		groups.append(_list(patterns.slice(start, start + size - 1)))
	return _list(groups)


static func _list(parts: Array) -> String:
	return "[" + PoolStringArray(parts).join(",") + "]"


static func _is_in(code: int, first: int, last: int) -> bool:
	return code >= first and code <= last
