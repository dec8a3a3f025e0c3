@tool
extends RefCounted
## Where each record is, in a file of `store_var` records or in a single packet.
##
## Reads the lengths of records only as far as they are asked for, and keeps every 64th position, so that a file of 1 GB opens
## at once. Never reads a value.

const STEP: int = 64
const BLOCK: int = 65536
const LENGTH_SIZE: int = 4
const CHANGED: String = "the file has changed since it was opened, or cannot be read: open it again"

const CompressedHeader := preload("compressed_header.gd")

## The position and size of one value, in bytes from the start of the file.
class Record:
	var number: int
	var start: int
	var size: int

## The file, or the name of what was pasted.
var title: String = ""
## Empty for bytes in memory.
var path: String = ""
## Whether the lengths before values are big-endian.
var big_endian: bool = false
## Whether there is a length before each value. Otherwise everything is one value.
var has_lengths: bool = true
## Whether the file can be edited in place: not if it is compressed, or in memory.
var editable: bool = false
## The length of the file.
var length: int = 0
## The number of records found so far.
var found: int = 0
## Whether the end was reached.
var complete: bool = false
## Why the records end before the end of the file, and where. Empty if they do not.
var problem: String = ""
var problem_at: int = 0
## Whether the length of a record could not be read, so that records are missing.
var failed: bool = false
## Why nothing in the file can be read, or empty.
var refusal: String = ""

var _file: FileAccess
var _bytes: PackedByteArray
## What the file was when it was opened.
var _state: Array = []
var _checkpoints: PackedInt64Array = []
var _next: int = 0
var _block: PackedByteArray = []
var _block_at: int = 0
## The record that was asked for last, and the position of its length.
var _last: int = -1
var _last_at: int = 0


## Opens a file. Returns null if that fails; `FileAccess.get_open_error` then returns the reason.
static func open(file_path: String) -> RefCounted:
	var file: FileAccess = FileAccess.open(file_path, FileAccess.READ)
	if file == null:
		return null
	var head: PackedByteArray = file.get_buffer(BLOCK)
	var magic: String = head.slice(0, 4).get_string_from_ascii()
	var index := new()
	index.path = file_path
	index.title = file_path.get_file()
	index._state = _state_of(file_path)
	if head.size() < mini(BLOCK, file.get_length()):
		index.refusal = CHANGED
	elif magic == "GDEC":
		index.refusal = "the file is encrypted by FileAccess, and can only be read with its key"
	elif magic == "GCPF":
		index.refusal = CompressedHeader.problem_of(file)
		if index.refusal.is_empty():
			# Compressed by FileAccess, which finds the mode in the file.
			file = FileAccess.open_compressed(file_path, FileAccess.READ)
			if file == null:
				return null
	index._file = file
	index.length = file.get_length()
	index.editable = magic not in ["GDEC", "GCPF"]
	index.has_lengths = not index.refusal.is_empty() or index._seems_to_have_lengths()
	index.restart()
	return index


## Shows bytes as one packet.
static func of_packet(bytes: PackedByteArray, named: String) -> RefCounted:
	var index := new()
	index._bytes = bytes
	index.title = named
	index.length = bytes.size()
	index.has_lengths = false
	index.restart()
	return index


## Forgets what was found, after `has_lengths` or `big_endian` have changed.
func restart() -> void:
	found = 0
	complete = false
	failed = false
	problem = ""
	_next = 0
	_last = -1
	_checkpoints.clear()
	_block.clear()
	if not refusal.is_empty():
		_end(refusal)
	elif not has_lengths:
		found = 1
		complete = true


## Returns whether the file is no longer what was opened, as far as its time, length, first and last bytes tell.
func has_changed() -> bool:
	return not path.is_empty() and _state_of(path) != _state


static func _state_of(file_path: String) -> Array:
	var file: FileAccess = FileAccess.open(file_path, FileAccess.READ)
	if file == null:
		return []
	var size: int = file.get_length()
	var first: PackedByteArray = file.get_buffer(BLOCK)
	file.seek(maxi(size - BLOCK, 0))
	return [FileAccess.get_modified_time(file_path), size, first, file.get_buffer(BLOCK)]


## Finds records until there are `count`, or until `milliseconds` have passed. Returns whether there are as many.
func find(count: int, milliseconds: int = 1 << 30) -> bool:
	var end: int = Time.get_ticks_msec() + milliseconds
	while found < count and not complete:
		if found % STEP == STEP - 1 and Time.get_ticks_msec() > end:
			break
		_find_next()
	return found >= count


## Returns a record, or null if there are fewer or it cannot be read.
func record(number: int) -> Record:
	if number < 0 or not find(number + 1):
		return null
	var at := Record.new()
	at.number = number
	if not has_lengths:
		at.size = length
		return at
	var near: int = number - number % STEP
	var start: int = _checkpoints[floori(float(number) / STEP)]
	if _last > near and _last <= number:
		near = _last
		start = _last_at
	at.size = _length_at(start)
	while near < number and at.size >= 0:
		start += LENGTH_SIZE + at.size
		at.size = _length_at(start)
		near += 1
	if at.size < 0:
		return null
	at.start = start + LENGTH_SIZE
	_last = number
	_last_at = start
	return at


## Returns the first bytes of a record, or null if there is no record or they cannot be read.
func first_bytes(of: Record, most: int = 1 << 62) -> Variant:
	if of == null:
		return null
	var bytes: PackedByteArray = read(of.start, mini(of.size, most))
	if bytes.size() < mini(of.size, most):
		return null
	return bytes


## Returns bytes of the file, fewer if it ends before or cannot be read.
func read(start: int, size: int) -> PackedByteArray:
	if path.is_empty():
		return _bytes.slice(start, start + size)
	if _file == null:
		# It was removed while it was exchanged.
		return PackedByteArray()
	_file.seek(start)
	return _file.get_buffer(clampi(size, 0, maxi(length - start, 0)))


## Closes the file while it is exchanged, which Windows refuses for open files, and opens it again.
func exchange(body: Callable) -> void:
	_file.close()
	body.call()
	_file = FileAccess.open(path, FileAccess.READ)


func _find_next() -> void:
	if _next == length:
		complete = true
		return
	var size: int = _length_at(_next) if length - _next >= LENGTH_SIZE else 0
	if length - _next < LENGTH_SIZE:
		_end("the file ends within the length of a record: %d of %d bytes" % [length - _next, LENGTH_SIZE])
	elif size < 0:
		_end(CHANGED)
	elif size > 0x7FFFFFFF:
		_end("the length of the record is %d, and at most 2147483647 is valid" % size)
	elif size > length - _next - LENGTH_SIZE:
		_end("the file ends within the record: %d of %d bytes" % [length - _next - LENGTH_SIZE, size])
	else:
		if found % STEP == 0:
			_checkpoints.append(_next)
		found += 1
		_next += LENGTH_SIZE + size


func _end(why: String) -> void:
	problem = why
	problem_at = _next
	complete = true


## Returns the length at a position, or -1 if it cannot be read.
func _length_at(at: int) -> int:
	if at < _block_at or at + LENGTH_SIZE > _block_at + _block.size():
		# After a long record, the next length is in another block too.
		_block = read(at, BLOCK if at - _block_at <= 2 * BLOCK else LENGTH_SIZE)
		_block_at = at
		if _block.size() < LENGTH_SIZE:
			failed = true
			return -1
	var size: int = _block.decode_u32(at - _block_at)
	if big_endian:
		size = (size & 0xFF) << 24 | (size & 0xFF00) << 8 | (size >> 8) & 0xFF00 | size >> 24
	return size


## A packet begins with its type, which is a small number like a length. If the first length leads to a readable value, the file
## has lengths. Otherwise it is a packet if it is readable as one, or as the beginning of one, or as one with bytes after it.
func _seems_to_have_lengths() -> bool:
	var head: PackedByteArray = read(0, BLOCK)
	if head.size() < mini(BLOCK, length):
		refusal = CHANGED
	if head.size() < 2 * LENGTH_SIZE:
		return true
	var size: int = head.decode_u32(0)
	var first: PackedByteArray = head.slice(LENGTH_SIZE, LENGTH_SIZE + size)
	if size > 0 and size <= length - LENGTH_SIZE and _is_readable(first, size):
		return true
	if _is_readable(head, length):
		return false
	# The first record may be cut itself. The lengths can be right although it is not readable.
	return _is_readable(first, size) or _lengths_reach_the_end() or not _begins_with_packet(head)


## Returns whether the lengths lead to the end of the file, as far as can be found in a short time.
func _lengths_reach_the_end() -> bool:
	has_lengths = true
	restart()
	find(1 << 62, 20)
	return problem.is_empty() or failed


## Returns whether there is a value, or all that is there is the beginning of one.
static func _begins_with_packet(head: PackedByteArray) -> bool:
	for engine: String in ["", "godot-3.6"]:
		var options := VarBytesOptions.new()
		options.engine = engine
		var result: VarBytesResult = VarBytes.validate(head, options)
		if result.ok or result.error == VarBytesResult.TRUNCATED:
			return true
	return false


static func _is_readable(head: PackedByteArray, size: int) -> bool:
	for engine: String in ["", "godot-3.6"]:
		if readable_as(head, size, engine):
			return true
	return false


## Returns whether an engine wrote a value of `size` bytes that begins with `head`.
static func readable_as(head: PackedByteArray, size: int, engine: String) -> bool:
	var options := VarBytesOptions.new()
	options.engine = engine
	var result: VarBytesResult = VarBytes.validate(head, options)
	if result.ok:
		return result.bytes_used == size
	# The rest of a long value was not read. An object was found where one can be.
	return result.error == VarBytesResult.TRUNCATED and head.size() < size or result.error == VarBytesResult.NOT_ALLOWED
