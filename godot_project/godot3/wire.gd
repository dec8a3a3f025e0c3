extends Reference
## Builds bytes by hand, for packets that the encoder never writes.

## The header bit for "64-bit" or "by id".
const FLAG: int = 1 << 16


## Spaces between words are ignored.
static func hex(digits: String) -> PoolByteArray:
	digits = digits.replace(" ", "")
	var buffer: StreamPeerBuffer = StreamPeerBuffer.new()
	buffer.big_endian = true
	var paired_size: int = digits.length() / 4 * 4
	for index in range(0, paired_size, 4):
		buffer.put_u16(("0x" + digits.substr(index, 4)).hex_to_int())
	if paired_size < digits.length():
		buffer.put_u8(("0x" + digits.substr(paired_size, 2)).hex_to_int())
	return buffer.data_array


static func word(value: int) -> PoolByteArray:
	var buffer: StreamPeerBuffer = StreamPeerBuffer.new()
	buffer.put_u32(value)
	return buffer.data_array


static func wide(value: int) -> PoolByteArray:
	var buffer: StreamPeerBuffer = StreamPeerBuffer.new()
	buffer.put_64(value)
	return buffer.data_array


## Returns a length, the bytes, and zeros up to the next multiple of four.
static func field(content: PoolByteArray) -> PoolByteArray:
	var bytes: PoolByteArray = word(content.size()) + content
	while bytes.size() % 4 != 0:
		bytes.append(0)
	return bytes


static func text(content: String) -> PoolByteArray:
	return field(content.to_utf8())


## `parts` are byte arrays.
static func join(parts: Array) -> PoolByteArray:
	var bytes: PoolByteArray = PoolByteArray()
	for part in parts:
		bytes.append_array(part)
	return bytes


static func repeat(part: PoolByteArray, count: int) -> PoolByteArray:
	var bytes: PoolByteArray = PoolByteArray()
	for _index in count:
		bytes.append_array(part)
	return bytes


## Returns the first bytes; a negative count removes bytes from the end.
static func cut(bytes: PoolByteArray, size: int) -> PoolByteArray:
	if size < 0:
		size += bytes.size()
	return bytes.subarray(0, size - 1) if size > 0 else PoolByteArray()


## Returns an array of encoded elements.
static func array(elements: Array) -> PoolByteArray:
	return word(TYPE_ARRAY) + word(elements.size()) + join(elements)


## Returns a dictionary from alternating encoded keys and values.
static func dictionary(entries: Array) -> PoolByteArray:
	return word(TYPE_DICTIONARY) + word(entries.size() / 2) + join(entries)


static func object_by_id(id: int) -> PoolByteArray:
	return word(TYPE_OBJECT | FLAG) + wide(id)


## Returns an object from alternating property names and values: a name is a String, a value is encoded.
static func object_in_full(native_class: String, properties: Array = []) -> PoolByteArray:
	var bytes: PoolByteArray = word(TYPE_OBJECT) + text(native_class) + word(properties.size() / 2)
	for index in range(0, properties.size(), 2):
		bytes += text(properties[index]) + properties[index + 1]
	return bytes


## Returns the same bytes with more header bits set.
static func with_header_bits(bytes: PoolByteArray, bits: int) -> PoolByteArray:
	var header: int = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24
	return word(header | bits) + (bytes.subarray(4, -1) if bytes.size() > 4 else PoolByteArray())


## Returns `depth` nested arrays, each the only element of the one around it; `innermost` is the innermost value.
static func nested_arrays(depth: int, innermost: PoolByteArray) -> PoolByteArray:
	return repeat(word(TYPE_ARRAY) + word(1), depth - 1) + innermost
