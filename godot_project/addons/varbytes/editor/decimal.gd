@tool
extends RefCounted
## Decimal numbers as the nearest binary ones, exactly. The engine's `to_float` can be wrong in the last bits.
##
## Whole numbers of any size are arrays of digits of 28 bits, the lowest first.

const DIGIT_BITS: int = 28
const DIGIT_MASK: int = (1 << DIGIT_BITS) - 1
## Longer texts are not read.
const MOST: int = 400


static func is_decimal(text: String) -> bool:
	# The engine also takes an exponent without digits.
	return text.is_valid_float() and text.length() <= MOST and text.right(1) not in ["e", "E", "+", "-"]


## Returns the bytes of the nearest number of 4 or 8 bytes, or none if the text is larger than all of them.
static func nearest(text: String, size: int) -> PackedByteArray:
	var lower: String = text.to_lower()
	var number: String = lower.get_slice("e", 0).trim_prefix("+").trim_prefix("-")
	var fraction: String = number.get_slice(".", 1) if number.contains(".") else ""
	var digits: String = (number.get_slice(".", 0) + fraction).lstrip("0")
	var power: int = (_exponent(lower.get_slice("e", 1)) if lower.contains("e") else 0) - fraction.length()
	var mantissa_bits: int = 52 if size == 8 else 23
	var infinite: int = (1 << (8 * size - 1)) - (1 << mantissa_bits)
	var bits: int = 0
	if not digits.is_empty() and digits.length() + power > MOST:
		bits = infinite
	elif not digits.is_empty() and digits.length() + power > -MOST:
		bits = _nearest_bits(digits, power, mantissa_bits, infinite)
	var bytes: PackedByteArray = []
	if bits < infinite:
		bytes.resize(8)
		bytes.encode_s64(0, bits | 1 << (8 * size - 1) if text.begins_with("-") else bits)
	return bytes.slice(0, size)


## Returns an exponent; no text of this length needs more than 9 digits of it.
static func _exponent(text: String) -> int:
	var digits: String = text.trim_prefix("+").trim_prefix("-").lstrip("0")
	var size: int = digits.to_int() if digits.length() < 10 else 1 << 30
	return -size if text.begins_with("-") else size


## The bits of positive numbers have the order of the numbers, up to those of the infinite one.
static func _nearest_bits(digits: String, power: int, mantissa_bits: int, infinite: int) -> int:
	var whole: PackedInt64Array = _times(_read(digits), 10, power)
	var below: int = 0
	var above: int = infinite
	while above - below > 1:
		var between: int = below + ((above - below) >> 1)
		if _compare(whole, power, between, mantissa_bits, 0) < 0:
			above = between
		else:
			below = between
	# Of two that are equally near, the even one is taken.
	var half: int = _compare(whole, power, below, mantissa_bits, 1)
	return below + 1 if half > 0 or half == 0 and below & 1 == 1 else below


## Compares a decimal number with a binary one, plus `halves` halves of its last bit.
static func _compare(whole: PackedInt64Array, power: int, bits: int, mantissa_bits: int, halves: int) -> int:
	var exponent: int = bits >> mantissa_bits
	var mantissa: int = bits & ((1 << mantissa_bits) - 1) | (1 << mantissa_bits if exponent > 0 else 0)
	var bias: int = (1 << (10 if mantissa_bits == 52 else 7)) - 1 + mantissa_bits
	var binary: int = maxi(exponent, 1) - bias - 1
	var left: PackedInt64Array = _times(whole, 2, -binary)
	var right: PackedInt64Array = _times(_times(_of(2 * mantissa + halves), 2, binary), 10, -power)
	if left.size() != right.size():
		return signi(left.size() - right.size())
	for place: int in range(left.size() - 1, -1, -1):
		if left[place] != right[place]:
			return signi(left[place] - right[place])
	return 0


static func _of(number: int) -> PackedInt64Array:
	var made: PackedInt64Array = []
	var left: int = number
	while left > 0:
		made.append(left & DIGIT_MASK)
		left >>= DIGIT_BITS
	return made


static func _read(digits: String) -> PackedInt64Array:
	var made: PackedInt64Array = []
	for digit: String in digits:
		made = _multiply(made, 10, int(digit))
	return made


## Returns a number times `base` to the power of `count`, or itself if that is negative.
static func _times(number: PackedInt64Array, base: int, count: int) -> PackedInt64Array:
	var at_once: int = 8 if base == 10 else 27
	var made: PackedInt64Array = number
	for done: int in range(0, count, at_once):
		made = _multiply(made, roundi(pow(base, mini(at_once, count - done))), 0)
	return made


static func _multiply(number: PackedInt64Array, factor: int, added: int) -> PackedInt64Array:
	var made: PackedInt64Array = []
	var carry: int = added
	for digit: int in number:
		carry += digit * factor
		made.append(carry & DIGIT_MASK)
		carry >>= DIGIT_BITS
	if carry > 0:
		made.append(carry)
	return made
