@tool
extends RefCounted
## Bytes from text that a person pastes: hexadecimal or base64.

## Returns the bytes, or an empty array if the text is neither. Hexadecimal digits can have spaces, commas, colons, `0x` and `\x`
## between them.
static func bytes_of(text: String) -> PackedByteArray:
	var compact: String = ""
	for part: String in text.replace(",", " ").replace(":", " ").replace("\\x", " ").replace("\n", " ").replace("\t", " ").replace("\r", " ").split(" ", false):
		compact += part
	var digits: String = compact.replace("0x", "")
	if digits.length() % 2 == 0 and _consists_of(digits, "0123456789abcdefABCDEF"):
		return digits.hex_decode()
	compact = compact.replace("-", "+").replace("_", "/").trim_suffix("=").trim_suffix("=")
	if compact.length() % 4 == 1 or not _consists_of(compact, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):
		return PackedByteArray()
	return Marshalls.base64_to_raw(compact + "=".repeat((4 - compact.length() % 4) % 4))


static func _consists_of(text: String, allowed: String) -> bool:
	var pattern := RegEx.create_from_string("^[%s]+$" % allowed)
	return pattern.search(text) != null
