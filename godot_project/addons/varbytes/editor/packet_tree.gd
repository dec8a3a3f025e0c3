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
## So many lines are read between two looks at the clock.
const LINES_AT_ONCE: int = 256
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
## The annotated text, a remark about all bytes after it, and the line that is read next.
var _lines: PackedStringArray = []
var _remark: String = ""
var _next: int = 0
var _is_read: bool = false
## The open containers: their parts, how many parts each has, and its last key.
var _open: PackedInt32Array = []
var _counts: PackedInt32Array = []
var _last_keys: PackedInt32Array = []
var _is_paired: Array[bool] = []
## The size of the packet, of which `bytes` may only be the first ones.
var _whole: int = 0


## Reads the parts of a packet of an engine; "" is the running one. Malformed packets are read up to the error. `whole` is the
## size of the packet if these are only its first bytes.
static func of(packet: PackedByteArray, engine_name: String = "", whole: int = 0) -> RefCounted:
	var tree: RefCounted = begin(packet, engine_name, whole)
	tree.read(1 << 62)
	return tree


## Begins to read the parts of a packet, as `of` does.
static func begin(packet: PackedByteArray, engine_name: String, whole: int) -> RefCounted:
	var tree := new()
	tree.bytes = packet
	tree.engine = engine_name
	tree._whole = whole
	tree._lines = VarBytes.inspect(packet, tree.options()).split("\n", false)
	# Only the last line can be a remark about all bytes.
	if not tree._lines.is_empty() and not tree._is_part(tree._lines[-1]):
		tree._remark = tree._lines[-1]
		tree._lines.remove_at(tree._lines.size() - 1)
	return tree


## Reads parts until `end`, which is a time of `Time.get_ticks_msec`. Returns whether all are read.
func read(end: int) -> bool:
	while _next < _lines.size():
		_read_line(_lines[_next])
		_next += 1
		if _next % LINES_AT_ONCE == 0 and Time.get_ticks_msec() >= end:
			return false
	if not _is_read:
		_is_read = true
		_end()
	return true


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


func _read_line(line: String) -> void:
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
	_close(depth, offset)
	var part: int = size()
	var parent: int = -1
	var role: Role = Role.VALUE
	var key: int = -1
	var ordinal: int = 0
	if depth > 0:
		parent = _open[depth - 1]
		ordinal = _counts[depth - 1]
		_counts[depth - 1] += 1
		if _is_paired[depth - 1]:
			var is_first: bool = ordinal % 2 == 0
			ordinal = ordinal >> 1
			if is_first:
				role = Role.PROPERTY if meaning.begins_with("property ") else Role.KEY
				_last_keys[depth - 1] = part
			else:
				key = _last_keys[depth - 1]
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
	_open.resize(depth + 1)
	_counts.resize(depth + 1)
	_last_keys.resize(depth + 1)
	_is_paired.resize(depth + 1)
	_open[depth] = part
	_counts[depth] = 0
	_last_keys[depth] = -1
	_is_paired[depth] = meaning.begins_with("Dictionary") or meaning.begins_with("Object of class ")


func _end() -> void:
	if not _remark.is_empty():
		var offset: int = _remark.left(_remark.find(" ")).hex_to_int()
		_close(0, offset)
		_note_remark(_remark.substr(BYTES_AT), offset)
	if bytes.size() < _whole:
		# An error because too few bytes are left may only be that of the part. The path comes from the packet.
		problem = "" if problem.get_slice(", path ", 0).contains(" left") else problem
		note = "only the first %s of %s were read" % [String.humanize_size(bytes.size()), String.humanize_size(_whole)]
	_lines.clear()


## Ends the open parts from a level on.
func _close(depth: int, offset: int) -> void:
	for level: int in range(depth, _open.size()):
		ends[_open[level]] = offset
	if depth < _open.size():
		_open.resize(depth)


## A line of a part has its bytes in hexadecimal, and a remark has words in their place.
func _is_part(line: String) -> bool:
	if line.length() < MEANING_AT:
		return false
	for at: int in range(BYTES_AT, MEANING_AT - 1):
		if not "0123456789abcdef …".contains(line[at]):
			return false
	return true


func _note_remark(remark: String, offset: int) -> void:
	if remark.contains("bytes follow, which are ignored") or remark.begins_with("padding is missing"):
		note = "%s, at offset %d" % [remark, offset]
	else:
		problem = remark
		problem_at = offset
