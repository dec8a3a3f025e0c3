@tool
extends RefCounted
## Plain values as text that can be edited: truth values, numbers, texts, and types that consist of numbers.

const Decimal := preload("decimal.gd")
const SPECIAL: Dictionary[String, float] = {"inf": INF, "-inf": -INF, "nan": NAN}
const NUMBERS: PackedStringArray = ["bool", "int", "float"]
const TEXTS: PackedStringArray = ["String", "StringName", "NodePath"]
const INTEGERS: PackedStringArray = ["Vector2i", "Vector3i", "Vector4i", "Rect2i"]
const REALS: PackedStringArray = [
	"Vector2", "Vector3", "Vector4", "Rect2", "Plane", "Quaternion", "AABB", "Basis", "Transform2D", "Transform3D",
	"Projection", "Color",
]

## The result of reading text: a value, or what is wrong.
class Outcome:
	var value: Variant
	var problem: String = ""


static func is_plain(type: String) -> bool:
	return type in NUMBERS or type in TEXTS or type in INTEGERS or type in REALS


## Returns a plain value as text: a text without quotation marks, and several numbers with commas.
static func to_edit(value: Variant) -> String:
	var type: String = type_string(typeof(value))
	if type in INTEGERS:
		return ", ".join(_numbers(value).map(func(number: Variant) -> String: return str(int(number))))
	if type in REALS:
		return ", ".join(_numbers(value).map(_shown))
	return _text_of(value) if value is float else str(value)


## Reads the text of a value of the same type as `old`. A number whose text has not changed keeps all its bits. A float becomes
## the nearest one of `float_size` bytes.
static func from_edit(text: String, old: Variant, float_size: int = 8) -> Outcome:
	var outcome := Outcome.new()
	var type: String = type_string(typeof(old))
	if text == to_edit(old):
		outcome.value = old
		return outcome
	match type:
		"String":
			outcome.value = text
		"StringName":
			outcome.value = StringName(text)
		"NodePath":
			outcome.value = NodePath(text)
		"bool":
			if text.strip_edges() in ["true", "false"]:
				outcome.value = text.strip_edges() == "true"
			else:
				outcome.problem = "a bool is true or false"
		"int":
			_from_json(outcome, {"type": "int", "value": text.strip_edges()}, _is_integer(text))
		"float":
			var bits: PackedByteArray = _bits(outcome, text, float_size)
			if outcome.problem.is_empty():
				outcome.value = bits.decode_double(0) if float_size == 8 else bits.decode_float(0)
		_:
			_from_numbers(outcome, type, text, old)
	return outcome


static func _from_numbers(outcome: Outcome, type: String, text: String, old: Variant) -> void:
	var before: Array = _numbers(old)
	var parts: PackedStringArray = text.split(",")
	if parts.size() != before.size():
		outcome.problem = "%s has %d numbers with commas between them, and this text has %d" % [type, before.size(), parts.size()]
		return
	var after: Array = []
	for index: int in parts.size():
		var part: String = parts[index].strip_edges()
		if type in INTEGERS:
			if not _is_integer(part) or part.length() > 11 or int(part) < -2147483648 or int(part) > 2147483647:
				outcome.problem = "%s is not an integer of 32 bits" % part.left(40)
				return
			after.append(int(part))
		elif part == _shown(before[index]):
			after.append(before[index])
		else:
			var bits: PackedByteArray = _bits(outcome, part, str(before[index]).length() >> 1)
			if not outcome.problem.is_empty():
				return
			bits.reverse()
			after.append(bits.hex_encode())
	_from_json(outcome, {"type": type, "value": after}, true)


static func _from_json(outcome: Outcome, tagged: Dictionary, valid: bool) -> void:
	var result: VarBytesResult = VarBytes.from_json(JSON.stringify(tagged)) if valid else null
	if result != null and result.ok:
		outcome.value = result.value
	else:
		outcome.problem = "%s is not a value of type %s" % [str(tagged.value).left(40), tagged.type]


## Returns the numbers of a value: reals as their bits in hexadecimal.
static func _numbers(value: Variant) -> Array:
	var tagged: Dictionary = JSON.parse_string(VarBytes.to_json(value).value)
	return tagged.value


static func _shown(bits: Variant) -> String:
	var raw: PackedByteArray = str(bits).hex_decode()
	raw.reverse()
	if raw.size() == 8:
		return _text_of(raw.decode_double(0))
	# Of a number that 32 bits can hold, the engine writes as many digits as those need.
	var number: float = raw.decode_float(0)
	return var_to_str(number) if is_finite(number) and number != 0 else _text_of(number)


## Returns the text of a number of 64 bits.
static func _text_of(number: float) -> String:
	# The engine does not write the sign of 0.
	var text: String = "-0" if number == 0 and 1 / number < 0 else String.num_scientific(number)
	return text + ".0" if text.is_valid_int() else text


## Returns the bytes of a real number of a size.
static func _bits(outcome: Outcome, text: String, size: int) -> PackedByteArray:
	var number: String = text.strip_edges()
	var bits: PackedByteArray = []
	if number in SPECIAL:
		bits.resize(size)
		if size == 4:
			bits.encode_float(0, SPECIAL[number])
		else:
			bits.encode_double(0, SPECIAL[number])
	elif Decimal.is_decimal(number):
		bits = Decimal.nearest(number, size)
		if bits.is_empty():
			outcome.problem = "%s is too large for a number of %d bits; write inf if you mean that" % [number.left(40), 8 * size]
	else:
		outcome.problem = "%s is not a number" % text.left(40)
	return bits


static func _is_integer(text: String) -> bool:
	return text.strip_edges().is_valid_int()
