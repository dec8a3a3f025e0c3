extends RefCounted
## Describes a value as one line of tagged JSON, by reading the value's properties, never from encoded bytes.

## What is described: a value before it is written, with objects as ids or in full, or a value that the decoder
## returned. They differ in objects and nulls.
enum View { WRITTEN_AS_IDS, WRITTEN_IN_FULL, DECODED }

## Deeper than anything the codec writes; it ends the description of an object that refers to itself.
const MAX_FRAMES: int = 1100

static var _real_width: int = PackedVector2Array([Vector2.ZERO]).to_byte_array().size() / 2


## An open container. An explicit stack replaces recursion, because values nest deeper than GDScript's call stack.
class Frame:
	var items: Array
	var leads: PackedStringArray
	var closing: String
	var index: int = 0

	func _init(frame_items: Array, frame_leads: PackedStringArray, frame_closing: String) -> void:
		items = frame_items
		leads = frame_leads
		closing = frame_closing


static func describe(value: Variant, view: View) -> String:
	var text: PackedStringArray = []
	var frames: Array[Frame] = [Frame.new([value], [""], "")]
	while not frames.is_empty():
		var frame: Frame = frames[-1]
		if frame.index == frame.items.size():
			text.append(frame.closing)
			frames.pop_back()
			continue
		text.append(frame.leads[frame.index])
		var item: Variant = frame.items[frame.index]
		frame.index += 1
		match typeof(item):
			TYPE_ARRAY:
				text.append("{\"type\":\"Array\",\"value\":[")
				frames.append(_open_array(item, view))
			TYPE_DICTIONARY:
				text.append("{\"type\":\"Dictionary\",\"value\":[")
				frames.append(_open_dictionary(item, view))
			TYPE_OBJECT when _is_in_full(item, view) and frames.size() < MAX_FRAMES:
				text.append("{\"type\":\"Object\",\"value\":{\"class\":%s,\"properties\":[" % quote(item.get_class()))
				frames.append(_open_object(item))
			TYPE_OBJECT:
				text.append(_object_reference(item, view))
			_:
				text.append("{\"type\":\"%s\",\"value\":%s}" % [type_string(typeof(item)), _leaf(item)])
	return "".join(text)


## Returns a JSON string. The engine's own JSON escaping does not escape control characters.
static func quote(text: String) -> String:
	# Not with a RegEx: a build may lack this module.
	if not ("\"" in text or "\\" in text) and text.strip_escapes().length() == text.length():
		return "\"" + text + "\""
	var escaped: String = text.replace("\\", "\\\\").replace("\"", "\\\"")
	for code: int in range(1, 32):
		escaped = escaped.replace(String.chr(code), "\\u%04x" % code)
	return "\"" + escaped + "\""


static func _leaf(value: Variant) -> String:
	match typeof(value):
		TYPE_NIL, TYPE_CALLABLE:
			return "null"
		TYPE_BOOL:
			return "true" if value else "false"
		TYPE_INT:
			return "\"%d\"" % value
		TYPE_FLOAT:
			return _patterns(PackedFloat64Array([value]).to_byte_array(), 8)[0]
		TYPE_STRING, TYPE_STRING_NAME:
			return quote(value)
		TYPE_VECTOR2I:
			return "[%d,%d]" % [value.x, value.y]
		TYPE_RECT2I:
			return "[%d,%d,%d,%d]" % [value.position.x, value.position.y, value.size.x, value.size.y]
		TYPE_VECTOR3I:
			return "[%d,%d,%d]" % [value.x, value.y, value.z]
		TYPE_VECTOR4I:
			return "[%d,%d,%d,%d]" % [value.x, value.y, value.z, value.w]
		TYPE_NODE_PATH:
			return _node_path(value)
		TYPE_RID:
			return "\"%s\"" % String.num_uint64(value.get_id())
		TYPE_SIGNAL:
			return "{\"name\":%s,\"object_id\":\"%d\"}" % [quote(value.get_name()), value.get_object_id()]
		TYPE_COLOR:
			return _list(_patterns(PackedColorArray([value]).to_byte_array(), 4))
	if typeof(value) >= TYPE_PACKED_BYTE_ARRAY:
		return _packed_array(value)
	return _list(_real_components(value))


static func _packed_array(value: Variant) -> String:
	match typeof(value):
		TYPE_PACKED_BYTE_ARRAY:
			return "\"%s\"" % value.hex_encode()
		TYPE_PACKED_INT32_ARRAY:
			return _list(Array(value).map(func(element: int) -> String: return str(element)))
		TYPE_PACKED_INT64_ARRAY:
			return _list(Array(value).map(func(element: int) -> String: return "\"%d\"" % element))
		TYPE_PACKED_STRING_ARRAY:
			return _list(Array(value).map(quote))
		TYPE_PACKED_FLOAT32_ARRAY:
			return _list(_patterns(value.to_byte_array(), 4))
		TYPE_PACKED_FLOAT64_ARRAY:
			return _list(_patterns(value.to_byte_array(), 8))
		TYPE_PACKED_VECTOR2_ARRAY:
			return _grouped(_patterns(value.to_byte_array(), _real_width), 2)
		TYPE_PACKED_VECTOR3_ARRAY:
			return _grouped(_patterns(value.to_byte_array(), _real_width), 3)
		TYPE_PACKED_VECTOR4_ARRAY:
			return _grouped(_patterns(value.to_byte_array(), _real_width), 4)
		_:
			return _grouped(_patterns(value.to_byte_array(), 4), 4)


## Components go through packed arrays because a GDScript float has 64 bits: reading `vector.x` would turn a signalling
## NaN into a quiet one.
static func _real_components(value: Variant) -> PackedStringArray:
	match typeof(value):
		TYPE_VECTOR2:
			return _patterns(PackedVector2Array([value]).to_byte_array(), _real_width)
		TYPE_RECT2:
			return _patterns(PackedVector2Array([value.position, value.size]).to_byte_array(), _real_width)
		TYPE_VECTOR3:
			return _patterns(PackedVector3Array([value]).to_byte_array(), _real_width)
		TYPE_TRANSFORM2D:
			return _patterns(PackedVector2Array([value.x, value.y, value.origin]).to_byte_array(), _real_width)
		TYPE_VECTOR4:
			return _patterns(PackedVector4Array([value]).to_byte_array(), _real_width)
		TYPE_AABB:
			return _patterns(PackedVector3Array([value.position, value.size]).to_byte_array(), _real_width)
		TYPE_BASIS:
			return _basis_rows(value)
		TYPE_TRANSFORM3D:
			return _basis_rows(value.basis) + _real_components(value.origin)
		TYPE_PROJECTION:
			return _patterns(PackedVector4Array([value.x, value.y, value.z, value.w]).to_byte_array(), _real_width)
		_:
			return _unaddressable_components(value)


## Plane and Quaternion return their components only as 64-bit floats. If one is NaN, only the encoder has its exact
## bits.
static func _unaddressable_components(value: Variant) -> PackedStringArray:
	var parts: Vector4
	if value is Plane:
		parts = Vector4(value.normal.x, value.normal.y, value.normal.z, value.d)
	else:
		parts = Vector4(value.x, value.y, value.z, value.w)
	if is_nan(parts.x) or is_nan(parts.y) or is_nan(parts.z) or is_nan(parts.w):
		return _patterns(var_to_bytes(value).slice(4), _real_width)
	return _real_components(parts)


static func _basis_rows(basis: Basis) -> PackedStringArray:
	var columns: PackedStringArray = _patterns(
			PackedVector3Array([basis.x, basis.y, basis.z]).to_byte_array(), _real_width)
	var rows: PackedStringArray = []
	for row: int in 3:
		for column: int in 3:
			rows.append(columns[column * 3 + row])
	return rows


static func _node_path(path: NodePath) -> String:
	var names: PackedStringArray = []
	for index: int in path.get_name_count():
		names.append(quote(path.get_name(index)))
	var subnames: PackedStringArray = []
	for index: int in path.get_subname_count():
		subnames.append(quote(path.get_subname(index)))
	return "{\"absolute\":%s,\"names\":%s,\"subnames\":%s}" % [
			"true" if path.is_absolute() else "false", _list(names), _list(subnames)]


static func _open_array(array: Array, view: View) -> Frame:
	var leads: PackedStringArray = []
	leads.resize(array.size())
	leads.fill(",")
	if not array.is_empty():
		leads[0] = ""
	var closing: String = "]}"
	if array.is_typed():
		closing = "],\"element_type\":%s}" % _container_type(array.get_typed_builtin(), array.get_typed_class_name(),
				array.get_typed_script(), view)
	return Frame.new(array, leads, closing)


static func _open_dictionary(dictionary: Dictionary, view: View) -> Frame:
	# A freed object cannot be looked up as a key, so keys and values are read in parallel.
	var keys: Array = dictionary.keys()
	var values: Array = dictionary.values()
	var items: Array = []
	var leads: PackedStringArray = []
	for index: int in keys.size():
		items.append(keys[index])
		leads.append("[" if index == 0 else "],[")
		items.append(values[index])
		leads.append(",")
	var closing: String = "]" if items.is_empty() else "]]"
	if dictionary.is_typed_key():
		closing += ",\"key_type\":" + _container_type(dictionary.get_typed_key_builtin(),
				dictionary.get_typed_key_class_name(), dictionary.get_typed_key_script(), view)
	if dictionary.is_typed_value():
		closing += ",\"value_type\":" + _container_type(dictionary.get_typed_value_builtin(),
				dictionary.get_typed_value_class_name(), dictionary.get_typed_value_script(), view)
	return Frame.new(items, leads, closing + "}")


static func _open_object(object: Object) -> Frame:
	var items: Array = []
	var leads: PackedStringArray = []
	for property: Dictionary in object.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE == 0:
			continue
		leads.append(("[%s," if items.is_empty() else "],[%s,") % quote(property["name"]))
		items.append(_script_path(object) if property["name"] == "script" else object.get(property["name"]))
	return Frame.new(items, leads, "]}}" if items.is_empty() else "]]}}")


static func _script_path(object: Object) -> Variant:
	var script: Script = object.get_script()
	return null if script == null else script.resource_path


static func _is_in_full(object: Variant, view: View) -> bool:
	if view == View.WRITTEN_AS_IDS or not is_instance_valid(object):
		return false
	return view == View.WRITTEN_IN_FULL or not object is EncodedObjectAsID


static func _object_reference(object: Variant, view: View) -> String:
	if not is_instance_valid(object):
		# The encoder writes null and freed objects as nil; only a decoder returns a null that is still an Object.
		return "{\"type\":\"%s\",\"value\":null}" % ("Object" if view == View.DECODED else "Nil")
	var is_decoded_id: bool = view == View.DECODED and object is EncodedObjectAsID
	return "{\"type\":\"Object\",\"value\":{\"id\":\"%d\"}}" % [
			object.object_id if is_decoded_id else object.get_instance_id()]


static func _container_type(builtin: int, native_class: StringName, script: Variant, view: View) -> String:
	if builtin != TYPE_OBJECT or (native_class == &"" and script == null):
		return "{\"builtin\":\"%s\"}" % type_string(builtin)
	if view == View.WRITTEN_AS_IDS:
		return "{\"class\":\"EncodedObjectAsID\"}"
	if script != null:
		return "{\"script\":%s}" % quote(script.resource_path)
	return "{\"class\":%s}" % quote(native_class)


static func _patterns(bytes: PackedByteArray, width: int) -> PackedStringArray:
	var patterns: PackedStringArray = []
	for offset: int in range(0, bytes.size(), width):
		if width == 4:
			patterns.append("\"%08x\"" % bytes.decode_u32(offset))
		else:
			patterns.append("\"%08x%08x\"" % [bytes.decode_u32(offset + 4), bytes.decode_u32(offset)])
	return patterns


static func _grouped(patterns: PackedStringArray, size: int) -> String:
	var groups: PackedStringArray = []
	for start: int in range(0, patterns.size(), size):
		groups.append(_list(patterns.slice(start, start + size)))
	return _list(groups)


static func _list(parts: PackedStringArray) -> String:
	return "[" + ",".join(parts) + "]"
