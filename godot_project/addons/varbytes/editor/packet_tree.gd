@tool
extends RefCounted
## The parts of one packet, from the annotated text of `VarBytes.inspect`: no value and no object is created.
##
## A part is a value, a key of a Dictionary, or the name of a property. Parts are numbered in the order of their bytes; part 0 is
## the packet's value. All texts are escaped and at most 100 characters long.

enum Role { VALUE, KEY, PROPERTY }

const Plain := preload("plain_value.gd")

## The column of the annotated text at which the meaning begins, after offset and bytes.
const MEANING_AT: int = 47
const BYTES_AT: int = 10
const MOST_PARTS: int = 1 << 19
## The size of the smallest part.
const LEAST_SIZE: int = 4

var bytes: PackedByteArray = []
var engine: String = ""
## The position of the first byte of each part, and of the first byte after it and its members.
var starts: PackedInt32Array = []
var ends: PackedInt32Array = []
var roles: PackedByteArray = []
## The part that contains each part, or -1.
var parents: PackedInt32Array = []
var _depths: PackedInt32Array = []
## The index of each part in its parent; a key or name has the index of its value.
var ordinals: PackedInt32Array = []
## The key or name of each value, or -1.
var keys: PackedInt32Array = []
var texts: PackedStringArray = []
## What is wrong with the packet and where, or empty.
var problem: String = ""
var problem_at: int = -1
## A remark about bytes after the value, or empty.
var note: String = ""
var _children: Dictionary[int, PackedInt32Array] = {}
## The value of each key or name.
var _values: Dictionary[int, int] = {}


## Reads the parts of a packet of an engine; "" is the running one. Malformed packets are read up to the error. `whole` is the
## size of the packet if these are only its first bytes.
static func of(packet: PackedByteArray, engine_name: String = "", whole: int = 0) -> RefCounted:
	var tree := new()
	tree.bytes = packet
	tree.engine = engine_name
	tree._parse(VarBytes.inspect(packet, tree.options()))
	if packet.size() < whole:
		# An error because too few bytes are left may only be that of the part. The path comes from the packet.
		tree.problem = "" if tree.problem.get_slice(", path ", 0).contains(" left") else tree.problem
		tree.note = "only the first %s of %s were read" % [String.humanize_size(packet.size()), String.humanize_size(whole)]
	return tree


## Returns whether a packet may have more parts than fit into memory. Objects are not counted, and could have them.
static func is_too_large(packet: PackedByteArray, engine_name: String) -> bool:
	var counting := VarBytesOptions.new()
	counting.engine = engine_name
	counting.max_values = MOST_PARTS
	return packet.size() > LEAST_SIZE * MOST_PARTS \
			and VarBytes.validate(packet, counting).error in [VarBytesResult.LIMIT, VarBytesResult.NOT_ALLOWED]


func size() -> int:
	return starts.size()


## Returns the values in a container, and a key or name at its end that has no value because the packet ends there.
func children(part: int) -> PackedInt32Array:
	return _children.get(part, PackedInt32Array())


## Returns the part to which a byte belongs, a value if there is one: a key stands for its value. Returns -1 for none.
func part_at(offset: int) -> int:
	var part: int = starts.bsearch(offset, false) - 1
	if part < 0 or offset >= ends[0]:
		return -1
	return _values.get(part, part)


## Returns what is shown below a part: its key if that has members, and the values in it.
func shown_children(part: int) -> PackedInt32Array:
	var shown: PackedInt32Array = children(part).duplicate()
	if keys[part] >= 0 and _children.has(keys[part]):
		shown.insert(0, keys[part])
	return shown


## Returns the part below which a part is shown, or -1.
func shown_parent(part: int) -> int:
	return _values.get(part, parents[part])


## Returns the type, such as `Array[int]`.
func type_of(part: int) -> String:
	var text: String = texts[part]
	if roles[part] == Role.PROPERTY:
		return "property"
	if text.begins_with("Array") or text.begins_with("Dictionary"):
		return text.left(text.rfind(" of "))
	return text.get_slice(" ", 0)


## Returns the meaning without the type.
func summary_of(part: int) -> String:
	var summary: String = texts[part].trim_prefix(type_of(part)).strip_edges()
	var count: String = summary.trim_prefix("of ")
	return "%s members" % count if count != summary and count.is_valid_int() else summary


## Returns how a part is called in its container: its key, the name of its property, or its index.
func label_of(part: int) -> String:
	if parents[part] < 0:
		return "value"
	if roles[part] == Role.KEY:
		return "key" if _values.has(part) else "key without a value"
	if roles[part] == Role.PROPERTY:
		return summary_of(part)
	if keys[part] < 0:
		return "[%d]" % ordinals[part]
	var key: int = keys[part]
	return summary_of(key) if Plain.is_plain(type_of(key)) or roles[key] == Role.PROPERTY else texts[key]


## Returns the path to a part, such as `$["items"][0].price`.
func path_of(part: int) -> String:
	var steps: PackedStringArray = []
	var at: int = part
	while at > 0:
		steps.append(_step_of(at))
		at = parents[at]
	steps.append("$")
	steps.reverse()
	return "".join(steps)


## Returns the bytes of a part with its members.
func bytes_of(part: int) -> PackedByteArray:
	return bytes.slice(starts[part], ends[part])


## Returns the plain value of a part, or null.
func value_of(part: int) -> Variant:
	if roles[part] != Role.VALUE and roles[part] != Role.KEY or not Plain.is_plain(type_of(part)):
		return null
	return VarBytes.try_decode(bytes_of(part), null, options())


## Returns whether the engine writes the value of a part with these bytes. Numbers are written anew as a whole.
func is_canonical(part: int) -> bool:
	return type_of(part) in Plain.NUMBERS or VarBytes.encode(value_of(part), options()).value == bytes_of(part)


## Returns the options with which the packet is read.
func options() -> VarBytesOptions:
	var made := VarBytesOptions.new()
	made.engine = engine
	return made


## Returns the exact name of a property, or of an object's class: text of any length with its length before it.
func name_of(part: int) -> String:
	var at: int = starts[part] + (0 if roles[part] == Role.PROPERTY else 4)
	var length: int = bytes.decode_u32(at)
	return bytes.slice(at + 4, at + 4 + length).get_string_from_utf8()


## Returns the level of a part; the packet's value is at level 0.
func depth_of(part: int) -> int:
	return _depths[part]


func _step_of(part: int) -> String:
	var key: int = keys[part] if roles[part] == Role.VALUE else part
	if key < 0:
		return "[%d]" % ordinals[part]
	if roles[key] == Role.PROPERTY:
		var property: String = name_of(key)
		return ".%s" % property if property.is_valid_ascii_identifier() else "[%s]" % VarBytes.to_text(property)
	if Plain.is_plain(type_of(key)):
		return "[%s]" % VarBytes.to_text(value_of(key))
	return "[entry %d]" % ordinals[part]


func _parse(text: String) -> void:
	# The open containers: their parts, how many parts each has, and its last key.
	var open: PackedInt32Array = []
	var counts: PackedInt32Array = []
	var last_keys: PackedInt32Array = []
	var is_paired: Array[bool] = []
	var lines: PackedStringArray = text.split("\n", false)
	# Only the last line can be a remark about all bytes.
	var remark: String = lines[-1] if not lines.is_empty() and not _is_part(lines[-1]) else ""
	if not remark.is_empty():
		lines.remove_at(lines.size() - 1)
	for line: String in lines:
		var offset: int = line.left(line.find(" ")).hex_to_int()
		var meaning: String = line.substr(MEANING_AT)
		var depth: int = 0
		if meaning.begins_with(".. "):
			depth = meaning.get_slice(" ", 1).to_int()
			meaning = meaning.substr(meaning.find(" .. ") + 4)
		else:
			while meaning.unicode_at(2 * depth) == 46 and meaning.unicode_at(2 * depth + 1) == 32:
				depth += 1
			meaning = meaning.substr(2 * depth)
		_close(open, depth, offset)
		var part: int = size()
		var parent: int = -1
		var role: Role = Role.VALUE
		var key: int = -1
		var ordinal: int = 0
		if depth > 0:
			parent = open[depth - 1]
			ordinal = counts[depth - 1]
			counts[depth - 1] += 1
			if is_paired[depth - 1]:
				var is_first: bool = ordinal % 2 == 0
				ordinal = ordinal >> 1
				if is_first:
					role = Role.PROPERTY if meaning.begins_with("property ") else Role.KEY
					last_keys[depth - 1] = part
				else:
					key = last_keys[depth - 1]
					_values[key] = part
					_children[parent].remove_at(_children[parent].size() - 1)
			if not _children.has(parent):
				_children[parent] = PackedInt32Array()
			_children[parent].append(part)
		starts.append(offset)
		ends.append(bytes.size())
		roles.append(role)
		parents.append(parent)
		_depths.append(depth)
		ordinals.append(ordinal)
		keys.append(key)
		texts.append(meaning)
		open.resize(depth + 1)
		counts.resize(depth + 1)
		last_keys.resize(depth + 1)
		is_paired.resize(depth + 1)
		open[depth] = part
		counts[depth] = 0
		last_keys[depth] = -1
		is_paired[depth] = meaning.begins_with("Dictionary") or meaning.begins_with("Object of class ")
	if not remark.is_empty():
		var offset: int = remark.left(remark.find(" ")).hex_to_int()
		_close(open, 0, offset)
		_remark(remark.substr(BYTES_AT), offset)


## Ends the open parts from a level on.
func _close(open: PackedInt32Array, depth: int, offset: int) -> void:
	for level: int in range(depth, open.size()):
		ends[open[level]] = offset
	if depth < open.size():
		open.resize(depth)


## A line of a part has its bytes in hexadecimal, and a remark has words in their place.
func _is_part(line: String) -> bool:
	if line.length() < MEANING_AT:
		return false
	for at: int in range(BYTES_AT, MEANING_AT - 1):
		if not "0123456789abcdef …".contains(line[at]):
			return false
	return true


func _remark(remark: String, offset: int) -> void:
	if remark.contains("bytes follow, which are ignored") or remark.begins_with("padding is missing"):
		note = "%s, at offset %d" % [remark, offset]
	else:
		problem = remark
		problem_at = offset
