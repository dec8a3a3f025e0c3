extends RefCounted
## Collects the vectors. Each case is checked with the engine immediately, and an unexpected answer fails the whole run.

const Decoded := preload("res://conformance/decoded.gd")
const TaggedJson := preload("res://conformance/tagged_json.gd")

var failures: int = 0

var _lines: Dictionary[String, PackedStringArray] = {}
var _names: Dictionary[String, bool] = {}


func _init() -> void:
	for type: int in TYPE_MAX:
		_lines["canonical/" + type_string(type)] = []
	for kind: String in ["non_canonical", "rejected", "refused"]:
		_lines[kind] = []


## Returns the files of the set, without extension.
func files() -> PackedStringArray:
	return _lines.keys()


func lines_of(file: String) -> PackedStringArray:
	return _lines[file]


func size() -> int:
	var total: int = 0
	for lines: PackedStringArray in _lines.values():
		total += lines.size()
	return total


## Adds a value and the bytes that the engine writes for it, to the file of the value's type.
func canonical(case_name: String, value: Variant, full_objects: bool = false) -> void:
	var bytes: PackedByteArray = Decoded.write(value, full_objects)
	var type_name: String = type_string(typeof(value))
	var full_name: String = _claim(type_name + "/" + case_name)
	if bytes.is_empty():
		_fail(full_name, "the encoder refuses it")
		return
	# Some classes print errors about their own property values.
	Engine.print_error_messages = false
	var decoded: Variant = Decoded.read(bytes, full_objects)
	Engine.print_error_messages = true
	if decoded == null and bytes != var_to_bytes(null):
		_fail(full_name, "the decoder does not read what the encoder wrote")
		return
	Decoded.release(decoded)
	var view: TaggedJson.View = (
			TaggedJson.View.WRITTEN_IN_FULL if full_objects else TaggedJson.View.WRITTEN_AS_IDS)
	var description: String = TaggedJson.describe(value, view)
	# A decoded object is a different object, so only values without objects return the same bytes.
	if not full_objects and not description.contains("{\"type\":\"Object\""):
		if Decoded.size_of(bytes, false) != bytes.size() or var_to_bytes(bytes_to_var(bytes)) != bytes:
			_fail(full_name, "the bytes change when they are decoded and encoded again")
	_lines["canonical/" + type_name].append("{\"name\":%s,\"full_objects\":%s,\"hex\":\"%s\",\"value\":%s}" % [
			TaggedJson.quote(full_name), full_objects, bytes.hex_encode(), description])


## Adds the same value with its objects as ids and in full.
func canonical_both(case_name: String, value: Variant) -> void:
	canonical(case_name + "-as-id", value, false)
	canonical(case_name + "-in-full", value, true)


## Adds bytes that the engine accepts but would not write.
func non_canonical(case_name: String, bytes: PackedByteArray, reason: String, allow_objects: bool = false) -> void:
	var full_name: String = _claim("non_canonical/" + case_name)
	Engine.print_error_messages = false
	var used: int = Decoded.size_of(bytes, allow_objects)
	var value: Variant = Decoded.read(bytes, allow_objects)
	var rewritten: PackedByteArray = Decoded.write(value, allow_objects)
	Engine.print_error_messages = true
	if used == 0:
		_fail(full_name, "the decoder rejects it: " + bytes.hex_encode())
		return
	if rewritten == bytes:
		_fail(full_name, "it is canonical: " + bytes.hex_encode())
	_lines["non_canonical"].append(
			("{\"name\":%s,\"allow_objects\":%s,\"hex\":\"%s\",\"used\":%d,\"value\":%s,\"rewritten\":\"%s\","
			+ "\"reason\":%s}") % [TaggedJson.quote(full_name), allow_objects, bytes.hex_encode(), used,
			TaggedJson.describe(value, TaggedJson.View.DECODED), rewritten.hex_encode(), TaggedJson.quote(reason)])
	Decoded.release(value)


## Adds bytes that the engine rejects.
func rejected(case_name: String, bytes: PackedByteArray, reason: String, allow_objects: bool = false) -> void:
	var full_name: String = _claim("rejected/" + case_name)
	Engine.print_error_messages = false
	var used: int = Decoded.size_of(bytes, allow_objects)
	var accepted: bool = not bytes.is_empty() and bytes.has_encoded_var(0, allow_objects)
	Engine.print_error_messages = true
	if used != 0 or accepted:
		_fail(full_name, "the decoder accepts it: " + bytes.hex_encode())
		return
	_lines["rejected"].append("{\"name\":%s,\"allow_objects\":%s,\"hex\":\"%s\",\"reason\":%s}" % [
			TaggedJson.quote(full_name), allow_objects, bytes.hex_encode(), TaggedJson.quote(reason)])


## Adds a value that the encoder refuses. If tagged JSON cannot hold it, or only at absurd length, `substitute` replaces
## the description: it is more keys for the line, and the first describes the value in words.
func refused(case_name: String, value: Variant, full_objects: bool, reason: String, substitute: String = "") -> void:
	var full_name: String = _claim("refused/" + case_name)
	Engine.print_error_messages = false
	var bytes: PackedByteArray = Decoded.write(value, full_objects)
	Engine.print_error_messages = true
	if not bytes.is_empty():
		_fail(full_name, "the encoder writes it: " + bytes.hex_encode().left(200))
		return
	var description: String = "null," + substitute
	if substitute.is_empty():
		description = TaggedJson.describe(value,
				TaggedJson.View.WRITTEN_IN_FULL if full_objects else TaggedJson.View.WRITTEN_AS_IDS)
	_lines["refused"].append("{\"name\":%s,\"full_objects\":%s,\"value\":%s,\"reason\":%s}" % [
			TaggedJson.quote(full_name), full_objects, description, TaggedJson.quote(reason)])


## Fails unless `holds` is true: for what a case must show beyond being accepted.
func expect(case_name: String, holds: bool, problem: String) -> void:
	if not holds:
		_fail(case_name, problem)


func _claim(full_name: String) -> String:
	if _names.has(full_name):
		_fail(full_name, "there are two cases with this name")
	_names[full_name] = true
	return full_name


func _fail(full_name: String, problem: String) -> void:
	failures += 1
	print(full_name)
	push_error("%s: %s" % [full_name, problem])
