extends RefCounted
## Builds bytes by hand, for packets that the encoder never writes.

## The header bit for "64-bit" or "by id"; also the first bit of a container's kind.
const FLAG: int = 1 << 16

enum Kind { NONE, BUILTIN, CLASS, SCRIPT }


## Spaces between words are ignored.
static func hex(digits: String) -> PackedByteArray:
	return digits.replace(" ", "").hex_decode()


static func word(value: int) -> PackedByteArray:
	var bytes: PackedByteArray = []
	bytes.resize(4)
	bytes.encode_u32(0, value)
	return bytes


static func wide(value: int) -> PackedByteArray:
	var bytes: PackedByteArray = []
	bytes.resize(8)
	bytes.encode_s64(0, value)
	return bytes


static func float_32(value: float) -> PackedByteArray:
	return PackedFloat32Array([value]).to_byte_array()


static func float_64(value: float) -> PackedByteArray:
	return PackedFloat64Array([value]).to_byte_array()


## Returns a length, the bytes, and zeros up to the next multiple of four.
static func field(content: PackedByteArray) -> PackedByteArray:
	var bytes: PackedByteArray = word(content.size()) + content
	while bytes.size() % 4 != 0:
		bytes.append(0)
	return bytes


static func text(content: String) -> PackedByteArray:
	return field(content.to_utf8_buffer())


static func join(parts: Array[PackedByteArray]) -> PackedByteArray:
	var bytes: PackedByteArray = []
	for part: PackedByteArray in parts:
		bytes.append_array(part)
	return bytes


static func repeat(part: PackedByteArray, count: int) -> PackedByteArray:
	var bytes: PackedByteArray = []
	for _index: int in count:
		bytes.append_array(part)
	return bytes


## Returns an array of encoded elements; `type_info` belongs to `kind`.
static func array(elements: Array[PackedByteArray], kind: Kind = Kind.NONE,
		type_info: PackedByteArray = []) -> PackedByteArray:
	return word(TYPE_ARRAY | kind << 16) + type_info + word(elements.size()) + join(elements)


static func typed_array(builtin: int, elements: Array[PackedByteArray]) -> PackedByteArray:
	return array(elements, Kind.BUILTIN, word(builtin))


## Returns a dictionary from alternating encoded keys and values; `type_info` belongs to the two kinds.
static func dictionary(entries: Array[PackedByteArray], key_kind: Kind = Kind.NONE, value_kind: Kind = Kind.NONE,
		type_info: PackedByteArray = []) -> PackedByteArray:
	return (word(TYPE_DICTIONARY | key_kind << 16 | value_kind << 18) + type_info + word(entries.size() / 2)
			+ join(entries))


static func object_by_id(id: int) -> PackedByteArray:
	return word(TYPE_OBJECT | FLAG) + wide(id)


## Returns an object from alternating property names and values: a name is a String, a value is encoded.
static func object_in_full(native_class: String, properties: Array = []) -> PackedByteArray:
	var bytes: PackedByteArray = word(TYPE_OBJECT) + text(native_class) + word(properties.size() / 2)
	for index: int in range(0, properties.size(), 2):
		bytes.append_array(text(properties[index]))
		bytes.append_array(properties[index + 1])
	return bytes


## Returns `depth` nested arrays, each the only element of the one around it; `innermost` is the innermost value.
static func nested_arrays(depth: int, innermost: PackedByteArray) -> PackedByteArray:
	return repeat(word(TYPE_ARRAY) + word(1), depth - 1) + innermost
