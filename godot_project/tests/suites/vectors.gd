extends "res://tests/suite.gd"
## Every vector of the running engine: VarBytes returns the same value, size and bytes as the built-ins, and refuses
## what they refuse.

const Suite := preload("res://tests/suite.gd")

## The header of an Array with one member, which comes next.
const ARRAY_OF_ONE: PackedByteArray = [TYPE_ARRAY, 0, 0, 0, 1, 0, 0, 0]


func run() -> bool:
	var folder: String = options.get("vectors", usual_folder())
	var names: PackedStringArray = _files(folder)
	if not check(names.size() >= 40, "no vectors in %s" % folder):
		return false
	for file_name: String in names:
		var lines: PackedStringArray = FileAccess.get_file_as_string(folder.path_join(file_name)).split("\n", false)
		for line: String in lines:
			_compare(line)
	_surrogates()
	return true


## The one difference: the engine cannot read what it writes.
func _surrogates() -> void:
	Engine.print_error_messages = false
	var text: String = PackedByteArray([0x61, 0, 0xFF, 0xDF, 0x62, 0]).get_string_from_utf16()
	var unreadable: Variant = bytes_to_var(var_to_bytes(text))
	Engine.print_error_messages = true
	check(unreadable == null, "the engine reads a surrogate now: %s" % unreadable)
	equal(bytes_to_var(VarBytes.var_to_bytes(text)), "a\uFFFDb", "a surrogate is written as U+FFFD")


static func usual_folder() -> String:
	var version: Dictionary = Engine.get_version_info()
	var project: String = ProjectSettings.globalize_path("res://").simplify_path()
	return project.path_join("../conformance/vectors/godot-%d.%d" % [version.major, version.minor])


func _files(folder: String) -> PackedStringArray:
	var names: PackedStringArray = []
	for file_name: String in DirAccess.get_files_at(folder):
		if file_name.ends_with(".jsonl"):
			names.append(file_name)
	for file_name: String in DirAccess.get_files_at(folder.path_join("canonical")):
		names.append("canonical".path_join(file_name))
	return names


## The engine's JSON parser refuses the deepest vectors, so only the fields before the value are read.
func _compare(line: String) -> void:
	if not line.contains('"hex":"'):
		return
	var bytes: PackedByteArray = line.get_slice('"hex":"', 1).get_slice('"', 0).hex_decode()
	var objects: bool = line.contains('_objects":true,"hex"')
	compare_packet(self, bytes, objects, line.get_slice('"name":"', 1).get_slice('"', 0))


## Compares both ways to read a packet, and both ways to write the value.
static func compare_packet(suite: Object, bytes: PackedByteArray, objects: bool, name: String) -> void:
	# Null is a value, and also the result for refused bytes; in an Array of one member the two differ.
	var wrapped: PackedByteArray = ARRAY_OF_ONE + bytes
	# Only these calls run without the engine's messages, because a script error would be silent too.
	Engine.print_error_messages = false
	var expected: Variant = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
	var found: Variant = VarBytes.bytes_to_var_with_objects(bytes) if objects else VarBytes.bytes_to_var(bytes)
	var accepted: bool = expected != null or (bytes_to_var_with_objects(wrapped) if objects else bytes_to_var(wrapped)) != null
	var found_accepted: bool = found != null or (VarBytes.bytes_to_var_with_objects(wrapped) if objects else VarBytes.bytes_to_var(wrapped)) != null
	var written: PackedByteArray = var_to_bytes_with_objects(expected) if objects else var_to_bytes(expected)
	var rewritten: PackedByteArray = VarBytes.var_to_bytes_with_objects(expected) if objects else VarBytes.var_to_bytes(expected)
	var result: VarBytesResult = VarBytes.decode(bytes)
	# Keys and names are counted in longer packets.
	var before: PackedByteArray = _before_second_member()
	var in_long: VarBytesResult = VarBytes.decode(before + bytes)
	# With a member after it that no engine reads.
	var damaged: PackedByteArray = before + bytes.slice(0, result.bytes_used if result.ok else bytes.size()) + PackedByteArray([99, 0, 0, 0])
	damaged.encode_u32(4, 3)
	var errors: Array[VarBytesResult] = [VarBytes.decode(damaged), VarBytes.decode(damaged, without_fast_path())]
	var size: int = bytes.decode_var_size(0) if result.ok else 0
	Engine.print_error_messages = true
	suite.check(accepted == found_accepted, "%s: the engine accepts: %s, and VarBytes does not agree: %s" % [
			name, accepted, bytes.hex_encode().left(400)])
	var what: String = "%s, value of %s" % [name, bytes.hex_encode().left(400)]
	if Suite.same(found, expected) or not objects:
		suite.equal(found, expected, what)
	else:
		# A property that is set to another object can become that object's new id, so the engine itself reads such a
		# packet as a different value every time.
		var again: Variant = suite.quietly(func() -> Array: return [bytes_to_var_with_objects(bytes)])
		suite.check(not Suite.same(again, expected), what)
		suite.release(again)
	suite.check(rewritten == written, "%s, bytes: found %s, expected %s" % [
			name, rewritten.hex_encode().left(400), written.hex_encode().left(400)])
	if result.fault != "depth_limit" and in_long.fault != "depth_limit":
		suite.check(in_long.ok == result.ok and in_long.fault == result.fault, "%s, in a long packet: %s, alone: %s" % [name, in_long, result])
		if result.ok and suite.check(in_long.bytes_used == before.size() + result.bytes_used, "%s, in a long packet: the bytes used" % name):
			suite.equal(in_long.value[1], result.value, "%s, in a long packet" % name)
		elif not result.ok:
			suite.equal(in_long.offset, before.size() + result.offset, "%s, in a long packet: the offset of the error" % name)
	var told: Array = errors.map(func(error: VarBytesResult) -> Array: return [error.fault, error.offset, error.path])
	suite.equal(told[0], told[1], "%s, the error of the fast path and of the decoder" % name)
	if not objects and not _is_refused_knowingly(result, bytes):
		suite.check(result.ok == accepted, "%s: ok is %s, the engine accepts: %s, %s" % [
				name, result.ok, accepted, result.message])
		suite.check(not result.ok or result.bytes_used == size, "%s: %d bytes used, the engine says %d" % [name, result.bytes_used, size])
		# The engine does not check the values of typed dictionaries; `typed_members.gd` tests them.
		if Suite.is_well_typed(expected):
			suite.equal(result.value, expected, "%s, decode" % name)
		else:
			suite.check(Suite.is_well_typed(result.value), "%s, decode: a typed dictionary holds another type" % name)
	suite.release(expected)
	suite.release(found)


## Returns options without a limit, with which packets are not read on the fast path.
static func without_fast_path() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.max_string_length = 1 << 40
	return options


## Returns the bytes of an Array of two members up to the second one, more than 1 KiB.
static func _before_second_member() -> PackedByteArray:
	var first: PackedByteArray = []
	first.resize(1 << 10)
	var packet: PackedByteArray = var_to_bytes([first])
	packet.encode_u32(4, 2)
	return packet


## Returns whether `decode` refuses what the engine reads: a key that is nested deeper than the engine can compare
## without errors in its log, which no packet of fewer bytes can hold, or a member whose conversion only the engine
## knows, such as the text of an object.
static func _is_refused_knowingly(result: VarBytesResult, bytes: PackedByteArray) -> bool:
	return (result.fault == "unsupported_conversion"
			or result.fault == "depth_limit" and result.message.contains("50") and bytes.size() > 8 * 50)
