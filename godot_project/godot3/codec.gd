extends Reference
## Calls the engine's encoder and decoder so that a refusal is a result.
##
## If called directly, `var2bytes` and `bytes2var` end the calling function when they fail. An Expression that calls
## them only reports the failure.

## Appended to a packet to find where its value ends. It does not occur in packets by chance.
const SENTINEL: int = 0x5ca1ab1e0ddba115

## Whether the last `read` or `write` succeeded.
var succeeded: bool = true

var _reader: Expression = Expression.new()
var _writer: Expression = Expression.new()
var _can_be_quiet: bool = "print_error_messages" in Engine
var _array_of_two: PoolByteArray = PoolByteArray([TYPE_ARRAY, 0, 0, 0, 2, 0, 0, 0])
var _sentinel: PoolByteArray = var2bytes(SENTINEL)


func _init() -> void:
	var _reader_error: int = _reader.parse("bytes2var(bytes, allow_objects)", ["bytes", "allow_objects"])
	var _writer_error: int = _writer.parse("var2bytes(value, full_objects)", ["value", "full_objects"])


## Encoders and decoders since Godot 3.4 have a depth limit; earlier ones overflow the stack.
static func limits_depth() -> bool:
	return Engine.get_version_info()["hex"] >= 0x030400


## Arrays of floats with the same NaN are duplicate keys in Godot 3.6, but not in 3.2.
static func compares_nan_in_packed_arrays() -> bool:
	return Engine.get_version_info()["hex"] >= 0x030600


## The decoder of Godot 3.6 frees a reference-counted object when it attaches a script to it, and returns the freed
## object. Sometimes it crashes immediately.
static func frees_scripted_references() -> bool:
	return Engine.get_version_info()["hex"] >= 0x030600


## Stops the engine's messages about rejected bytes, if the engine has a setting for it.
func stay_quiet() -> void:
	_set_quiet(true)
	_can_be_quiet = false


## Returns the value at the start of `bytes`, or null if the engine rejects it.
func read(bytes: PoolByteArray, allow_objects: bool):
	_set_quiet(true)
	var value = _reader.execute([bytes, allow_objects], null, false)
	_set_quiet(false)
	succeeded = not _reader.has_execute_failed()
	return value


## Returns the bytes for `value`, or no bytes if the engine refuses it.
func write(value, full_objects: bool) -> PoolByteArray:
	_set_quiet(true)
	var bytes = _writer.execute([value, full_objects], null, false)
	_set_quiet(false)
	succeeded = not _writer.has_execute_failed()
	return bytes if succeeded else PoolByteArray()


## Returns the bytes that the value at the start of `bytes` takes. The engine must accept it. Missing padding counts.
##
## The engine does not report this. So the value and another one are placed in an array: the other value is only found
## if it starts where the first one ends. `rewritten_size` is a guess.
func size_of(bytes: PoolByteArray, allow_objects: bool, rewritten_size: int) -> int:
	# Any bytes may follow the value, even an object with a script, which crashes an engine that frees such objects. So
	# objects are only allowed if the value itself has some.
	if allow_objects:
		release(read(bytes, false))
		allow_objects = not succeeded
	var padded_size: int = _padded(bytes.size())
	if _ends_at(bytes, padded_size, allow_objects):
		return padded_size
	if rewritten_size < padded_size and _ends_at(bytes, rewritten_size, allow_objects):
		return rewritten_size
	# Both guesses are wrong, or the value is so deeply nested that an array around it is too deep. The size of a value is
	# a multiple of four, and every shorter prefix is rejected, unless only the padding of bytes is missing.
	var too_short: int = 0
	var long_enough: int = bytes.size()
	var middle: int = padded_size - 4
	while long_enough - too_short > 1:
		release(read(bytes.subarray(0, middle - 1), allow_objects))
		if succeeded:
			long_enough = middle
		elif middle == padded_size - 4:
			break
		else:
			too_short = middle
		middle = (too_short + long_enough) / 2
	succeeded = true
	return _padded(long_enough)


## Frees the objects in a decoded value that are not reference-counted.
func release(value) -> void:
	var pending: Array = [value]
	var doomed: Array = []
	while not pending.empty():
		var item = pending.pop_back()
		match typeof(item):
			TYPE_ARRAY:
				pending += item
			TYPE_DICTIONARY:
				pending += item.keys() + item.values()
			TYPE_OBJECT:
				if is_instance_valid(item) and not item is Reference:
					doomed.append(item)
	for object in doomed:
		if is_instance_valid(object):
			object.free()


func _ends_at(bytes: PoolByteArray, size: int, allow_objects: bool) -> bool:
	var element: PoolByteArray = bytes if size >= bytes.size() else bytes.subarray(0, size - 1)
	while element.size() < size:
		element.append(0)
	var pair = read(_array_of_two + element + _sentinel, allow_objects)
	if not succeeded:
		succeeded = true
		return false
	var ends: bool = typeof(pair[1]) == TYPE_INT and pair[1] == SENTINEL
	release(pair)
	return ends


## Rejected bytes may print thousands of lines. Engines before 3.5 cannot be silenced.
func _set_quiet(quiet: bool) -> void:
	if _can_be_quiet:
		Engine.set("print_error_messages", not quiet)


func _padded(size: int) -> int:
	return (size + 3) / 4 * 4
