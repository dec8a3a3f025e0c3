@tool
extends RefCounted
## Bytes from text that a person pastes: hexadecimal, base64, or a list of decimal numbers in brackets.

const SEPARATORS: String = ",;:\n\t\r"


## Returns the bytes, or an empty array if the text is neither or can be both hexadecimal and a list of decimal numbers.
## Hexadecimal digits can have spaces, commas, colons, `0x` and `\x` between them.
static func bytes_of(text: String) -> PackedByteArray:
	var list: String = text.strip_edges().trim_prefix("PackedByteArray").strip_edges()
	for brackets: String in ["[]", "()"]:
		if list.begins_with(brackets[0]) and list.ends_with(brackets[1]):
			return _decimal(list.substr(1, list.length() - 2).strip_edges())
	var spaced: String = text.replace("\\x", " 0x")
	for separator: String in SEPARATORS:
		spaced = spaced.replace(separator, " ")
	var parts: PackedStringArray = spaced.split(" ", false)
	if text.contains(",") and parts.size() > 1 and _may_be_decimal(parts):
		return PackedByteArray()
	var bare: PackedStringArray = []
	for part: String in parts:
		bare.append(part.substr(2).lpad(2, "0") if part.left(2).to_lower() == "0x" else part)
	var digits: String = "".join(bare)
	if digits.length() % 2 == 0 and _consists_of(digits, "0123456789abcdefABCDEF"):
		return digits.hex_decode()
	var compact: String = "".join(parts).replace("-", "+").replace("_", "/").trim_suffix("=").trim_suffix("=")
	if compact.length() % 4 == 1 or not _consists_of(compact, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):
		return PackedByteArray()
	return Marshalls.base64_to_raw(compact + "=".repeat((4 - compact.length() % 4) % 4))


## Returns the bytes of a list as `str` and `var_to_str` write it, which can itself be in brackets.
static func _decimal(list: String) -> PackedByteArray:
	var bytes: PackedByteArray = []
	for part: String in list.trim_prefix("[").trim_suffix("]").split(","):
		if not _consists_of(part.strip_edges(), "0123456789") or int(part) > 255:
			return PackedByteArray()
		bytes.append(int(part))
	return bytes


## Every packet has bytes that are 0, which are `00` in hexadecimal.
static func _may_be_decimal(parts: PackedStringArray) -> bool:
	return not "00" in parts and Array(parts).all(func(part: String) -> bool: return _consists_of(part, "0123456789") and int(part) < 256)


static func _consists_of(text: String, allowed: String) -> bool:
	var pattern := RegEx.create_from_string("^[%s]+$" % allowed)
	return pattern.search(text) != null
