@tool
extends RefCounted
## Finds a text or a number in the parts of packets. A packet is not decoded for that.

const PacketTree := preload("packet_tree.gd")
const Plain := preload("plain_value.gd")

## The types whose bytes contain a text or a name.
const WITH_TEXT: PackedStringArray = ["String", "StringName", "NodePath", "PackedStringArray", "Signal", "Object", "property"]
## In the type of vectors: their numbers have 64 bits.
const FLAG_64: int = 1 << 16

var text: String = ""
## The text as a number, or null.
var _number: Variant = null
## Finds the bytes of the text as hexadecimal digits. Each letter can be in upper or lower case.
var _pattern: RegEx


static func of(searched: String) -> RefCounted:
	var search := new()
	search.text = searched
	search._number = Plain.from_edit(searched, 0).value
	if search._number == null:
		search._number = Plain.from_edit(searched, 0.0).value
	var letters: PackedStringArray = []
	for letter: String in searched:
		var forms: Array = [letter, letter.to_lower(), letter.to_upper()].map(func(form: String) -> String: return form.to_utf8_buffer().hex_encode())
		letters.append("(?:%s)" % "|".join(forms))
	search._pattern = RegEx.create_from_string("".join(letters))
	return search


## Returns the next part after `from` whose shown text contains the text, that is a longer text which contains it, or that is a packed
## array with the number, or -1.
func find_in(packet: PacketTree, from: int) -> int:
	if packet.size() == 0 or text.is_empty():
		return -1
	var by_bytes: int = _find_in_texts(packet, from)
	for part: int in range(from + 1, packet.size()):
		if by_bytes >= 0 and part >= by_bytes:
			break
		var shown: String = packet.texts[part]
		if shown.containsn(text) or _number != null and shown.begins_with("Packed") and _has_number(packet, part):
			return packet.part_at(packet.starts[part])
	return by_bytes


## Returns the next part after `from` with a text or a name that contains this, or -1.
func _find_in_texts(packet: PacketTree, from: int) -> int:
	var digits: String = packet.bytes.hex_encode()
	var at: int = find_bytes(digits, packet.starts[from + 1] if from + 1 < packet.size() else packet.ends[0])
	while at >= 0 and at < packet.ends[0]:
		var own: int = packet.starts.bsearch(at, false) - 1
		var type: String = packet.type_of(own)
		var is_text: bool = type in WITH_TEXT
		# Numbers can have the same bytes as a text, also the type and the length before one.
		if is_text and at >= packet.starts[own] + (4 if type == "property" else 8) and packet.part_at(at) > from:
			return packet.part_at(at)
		at = find_bytes(digits, at + 1 if is_text or not packet.children(own).is_empty() else maxi(at + 1, packet.ends[own]))
	return -1


## Returns the position of the text within bytes, which are given as hexadecimal digits, or -1.
func find_bytes(digits: String, from: int) -> int:
	var found: RegExMatch = _pattern.search(digits, 2 * from)
	while found != null and found.get_start() % 2 == 1:
		found = _pattern.search(digits, found.get_start() + 1)
	return found.get_start() >> 1 if found != null else -1


## Returns whether a packed array has the number as a member, or in one, as far as the array was read.
func _has_number(packet: PacketTree, part: int) -> bool:
	var type: String = packet.type_of(part)
	var start: int = packet.starts[part] + 8
	var end: int = packet.ends[part]
	var is_wide: bool = type.contains("64") or packet.bytes.decode_u32(start - 8) & FLAG_64 != 0
	var members: PackedByteArray = packet.bytes.slice(start, end - (end - start) % (8 if is_wide else 4))
	match type.trim_prefix("Packed").left(3):
		"Str":
			return false
		"Byt":
			# Bytes after the last member fill the array up.
			return _has_integer(packet.bytes.slice(start, mini(start + packet.bytes.decode_u32(start - 4), end)))
		"Int":
			return _has_integer(members.to_int64_array()) if is_wide else _has_integer(members.to_int32_array())
	return members.to_float64_array().has(_number) if is_wide else members.to_float32_array().has(_number)


## The engine takes a number that an integer cannot hold for another one.
func _has_integer(members: Variant) -> bool:
	var at: int = members.find(_number)
	return at >= 0 and members[at] == _number
