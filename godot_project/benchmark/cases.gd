extends RefCounted
## The measured values, each with its target for the ratio built-in/VarBytes.

const PACKED: float = 2.0
const STRINGS: float = 1.5
const DICTIONARIES: float = 1.3
const SMALL: float = 1.0
const SCALARS: float = 0.6
const OBJECTS: float = 0.7
const MILLION: int = 1_000_000


class Case:
	var name: String
	var target: float
	var make: Callable
	var objects: bool

	func _init(case_name: String, case_target: float, case_make: Callable, case_objects: bool = false) -> void:
		name = case_name
		target = case_target
		make = case_make
		objects = case_objects


static func all() -> Array[Case]:
	var cases: Array[Case] = [
		Case.new("int", SCALARS, func() -> Variant: return 7),
		Case.new("String of 16 characters", SCALARS, func() -> Variant: return "sixteen letters!"),
		Case.new("packet of 5 keys", SMALL, _packet),
		Case.new("Dictionary of 200", DICTIONARIES, _dictionary.bind(200)),
		Case.new("100 Dictionaries", DICTIONARIES, _dictionaries.bind(100)),
		Case.new("50,000 Dictionaries", DICTIONARIES, _dictionaries.bind(50_000)),
		Case.new("Array of 200,000 int", PACKED, _array.bind(TYPE_NIL, TYPE_INT)),
		Case.new("Array of 200,000 float", PACKED, _array.bind(TYPE_NIL, TYPE_FLOAT)),
		Case.new("Array[int] of 200,000", PACKED, _array.bind(TYPE_INT, TYPE_INT)),
		Case.new("Array of 200,000 Vector2", PACKED, _array.bind(TYPE_NIL, TYPE_VECTOR2)),
		Case.new("Array of 200,000 Vector3", PACKED, _array.bind(TYPE_NIL, TYPE_VECTOR3)),
		Case.new("Dictionary of 100,000", DICTIONARIES, _dictionary.bind(100_000)),
	]
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		var is_text: bool = type == TYPE_PACKED_STRING_ARRAY
		cases.append(Case.new("%s of %s" % [type_string(type), "16 MB" if type == TYPE_PACKED_BYTE_ARRAY else "1 M"], STRINGS if is_text else PACKED, _packed.bind(type)))
	cases.append_array([
		Case.new("200,000 String, ASCII", STRINGS, _strings.bind("plain text ")),
		Case.new("200,000 String, not ASCII", STRINGS, _strings.bind("日本語 Größe ")),
		Case.new("1,000 levels", DICTIONARIES, _nested),
		Case.new("2,000 Resources", OBJECTS, _resources, true),
	] as Array[Case])
	return cases


static func _packet() -> Dictionary:
	return {"id": 1234, "name": "player_one", "pos": Vector3(1.5, 2.5, -3.0), "hp": 97.5, "alive": true}


static func _dictionary(count: int) -> Dictionary:
	var result: Dictionary = {}
	for index: int in count:
		result["key_%d" % index] = index
	return result


static func _dictionaries(count: int) -> Array:
	var result: Array = []
	for index: int in count:
		result.append({"id": index, "name": "unit %d" % index, "health": index * 0.5})
	return result


static func _array(member_type: int, type: int) -> Array:
	var result: Array = Array([], member_type, &"", null)
	result.resize(200_000)
	for index: int in result.size():
		match type:
			TYPE_INT: result[index] = index
			TYPE_FLOAT: result[index] = index * 0.1
			TYPE_VECTOR2: result[index] = Vector2(index, 1.0)
			TYPE_VECTOR3: result[index] = Vector3(index, 1.0, 2.0)
	return result


static func _packed(type: int) -> Variant:
	var result: Variant = type_convert([], type)
	result.resize(16 * MILLION if type == TYPE_PACKED_BYTE_ARRAY else MILLION)
	for index: int in MILLION:
		match type:
			TYPE_PACKED_BYTE_ARRAY: result[index] = index & 0xFF
			TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY: result[index] = index
			TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY: result[index] = index * 0.1
			TYPE_PACKED_STRING_ARRAY: result[index] = "text %d" % index
			TYPE_PACKED_VECTOR2_ARRAY: result[index] = Vector2(index, 1.0)
			TYPE_PACKED_VECTOR3_ARRAY: result[index] = Vector3(index, 1.0, 2.0)
			TYPE_PACKED_VECTOR4_ARRAY: result[index] = Vector4(index, 1.0, 2.0, 3.0)
			TYPE_PACKED_COLOR_ARRAY: result[index] = Color(index, 1.0, 0.5, 0.25)
	return result


static func _strings(text: String) -> Array:
	var result: Array = []
	result.resize(200_000)
	for index: int in result.size():
		result[index] = text + str(index)
	return result


static func _nested() -> Array:
	var result: Array = []
	for level: int in 999:
		result = [result]
	return result


static func _resources() -> Array:
	var result: Array = []
	for index: int in 2000:
		var resource := Resource.new()
		resource.resource_name = "resource %d" % index
		result.append(resource)
	return result
