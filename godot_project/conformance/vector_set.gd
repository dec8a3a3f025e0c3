extends RefCounted
## The vectors as they are collected: every case is put to the engine at once, and a case that the engine answers
## otherwise than expected is a failure of the whole run.

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


## The files of the set, without their extension.
func files() -> PackedStringArray:
	return _lines.keys()


func lines_of(file: String) -> PackedStringArray:
	return _lines[file]


func size() -> int:
	var total: int = 0
	for lines: PackedStringArray in _lines.values():
		total += lines.size()
	return total


## A value and the bytes that the engine writes for it. The case is filed under the type of the value.
func canonical(case_name: String, value: Variant, full_objects: bool = false) -> void:
	var bytes: PackedByteArray = Decoded.write(value, full_objects)
	var type_name: String = type_string(typeof(value))
	var full_name: String = _claim(type_name + "/" + case_name)
	if bytes.is_empty():
		_fail(full_name, "the encoder refuses it")
		return
	# Some classes complain about the very values that they gave for their properties.
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
	# A decoded object is another object, so only values without any come back as the same bytes.
	if not full_objects and not description.contains("{\"type\":\"Object\""):
		if Decoded.size_of(bytes, false) != bytes.size() or var_to_bytes(bytes_to_var(bytes)) != bytes:
			_fail(full_name, "the bytes change when they are decoded and encoded again")
	_lines["canonical/" + type_name].append("{\"name\":%s,\"full_objects\":%s,\"hex\":\"%s\",\"value\":%s}" % [
			TaggedJson.quote(full_name), full_objects, bytes.hex_encode(), description])


## The same value with its objects as ids and in full.
func canonical_both(case_name: String, value: Variant) -> void:
	canonical(case_name + "-as-id", value, false)
	canonical(case_name + "-in-full", value, true)


## Bytes that the engine accepts but would not write.
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


## Bytes that the engine does not accept.
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


## A value that the encoder does not write. Where tagged JSON cannot hold it, or holds it only at absurd length,
## `substitute` takes the place of the description: more keys for the line, the first of which says it in words.
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


## A failure unless `holds`: for what a case is there to show, beyond being accepted.
func expect(case_name: String, holds: bool, problem: String) -> void:
	if not holds:
		_fail(case_name, problem)


func _claim(full_name: String) -> String:
	if _names.has(full_name):
		_fail(full_name, "there are two cases of this name")
	_names[full_name] = true
	return full_name


func _fail(full_name: String, problem: String) -> void:
	failures += 1
	print(full_name)
	push_error("%s: %s" % [full_name, problem])
