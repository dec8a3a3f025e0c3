extends Reference
## Collects the vectors. Each case is checked with the engine immediately, and an unexpected answer fails the whole run.

const Codec := preload("res://codec.gd")
const TaggedJson := preload("res://tagged_json.gd")

var failures: int = 0

var _codec: Codec = Codec.new()
var _tagged_json: TaggedJson = TaggedJson.new()
var _lines: Dictionary = {}
var _names: Dictionary = {}


func _init() -> void:
	for type_name in TaggedJson.TYPE_NAMES:
		_lines["canonical/" + type_name] = []
	for kind in ["non_canonical", "rejected", "refused"]:
		_lines[kind] = []


## Returns the files of the set, without extension.
func files() -> Array:
	return _lines.keys()


func lines_of(file: String) -> Array:
	return _lines[file]


func size() -> int:
	var total: int = 0
	for lines in _lines.values():
		total += lines.size()
	return total


## Adds a value and the bytes that the engine writes for it, to the file of the value's type.
func canonical(case_name: String, value, full_objects: bool = false) -> void:
	var bytes: PoolByteArray = _codec.write(value, full_objects)
	var type_name: String = TaggedJson.TYPE_NAMES[typeof(value)]
	var full_name: String = _claim(type_name + "/" + case_name)
	if bytes.size() == 0:
		_fail(full_name, "the encoder refuses it")
		return
	var view: int = TaggedJson.View.WRITTEN_IN_FULL if full_objects else TaggedJson.View.WRITTEN_AS_IDS
	var description: String = _tagged_json.describe(value, view)
	if not (Codec.frees_scripted_references() and "\"script/source\"" in description):
		_check_reading(full_name, bytes, full_objects, description)
	_lines["canonical/" + type_name].append("{\"name\":%s,\"full_objects\":%s,\"hex\":\"%s\",\"value\":%s}" % [
			_tagged_json.quote(full_name), TaggedJson.boolean(full_objects), bytes.hex_encode(), description])


## Adds the same value with its objects as ids and in full.
func canonical_both(case_name: String, value) -> void:
	canonical(case_name + "-as-id", value, false)
	canonical(case_name + "-in-full", value, true)


## Adds bytes that the engine accepts but would not write.
func non_canonical(case_name: String, bytes: PoolByteArray, reason: String, allow_objects: bool = false) -> void:
	var full_name: String = _claim("non_canonical/" + case_name)
	var value = _codec.read(bytes, allow_objects)
	if not _codec.succeeded:
		_fail(full_name, "the decoder rejects it: " + bytes.hex_encode())
		return
	var rewritten: PoolByteArray = _codec.write(value, allow_objects)
	var description: String = _tagged_json.describe(value, TaggedJson.View.DECODED)
	# The padding of a NodePath may hold anything, including these bytes.
	if rewritten == bytes and not "\"NodePath\"" in description:
		_fail(full_name, "it is canonical: " + bytes.hex_encode())
	var used: int = _codec.size_of(bytes, allow_objects, rewritten.size())
	_lines["non_canonical"].append(
			("{\"name\":%s,\"allow_objects\":%s,\"hex\":\"%s\",\"used\":%d,\"value\":%s,\"rewritten\":\"%s\","
			+ "\"reason\":%s}") % [_tagged_json.quote(full_name), TaggedJson.boolean(allow_objects), bytes.hex_encode(),
			used, description, rewritten.hex_encode(), _tagged_json.quote(reason)])
	_codec.release(value)


## Adds bytes that the engine rejects.
func rejected(case_name: String, bytes: PoolByteArray, reason: String, allow_objects: bool = false) -> void:
	var full_name: String = _claim("rejected/" + case_name)
	_codec.release(_codec.read(bytes, allow_objects))
	if _codec.succeeded:
		_fail(full_name, "the decoder accepts it: " + bytes.hex_encode())
		return
	_lines["rejected"].append("{\"name\":%s,\"allow_objects\":%s,\"hex\":\"%s\",\"reason\":%s}" % [
			_tagged_json.quote(full_name), TaggedJson.boolean(allow_objects), bytes.hex_encode(),
			_tagged_json.quote(reason)])


## Adds a value that the encoder refuses. Tagged JSON cannot hold it, or only at absurd length, so `substitute` replaces
## the description: it is more keys for the line, and the first describes the value in words.
func refused(case_name: String, value, full_objects: bool, reason: String, substitute: String) -> void:
	var full_name: String = _claim("refused/" + case_name)
	var bytes: PoolByteArray = _codec.write(value, full_objects)
	if _codec.succeeded:
		_fail(full_name, "the encoder writes it: " + bytes.hex_encode().left(200))
		return
	_lines["refused"].append("{\"name\":%s,\"full_objects\":%s,\"value\":null,%s,\"reason\":%s}" % [
			_tagged_json.quote(full_name), TaggedJson.boolean(full_objects), substitute, _tagged_json.quote(reason)])


## Returns the value that the engine reads, for cases that check it further.
func read(bytes: PoolByteArray, allow_objects: bool = false):
	return _codec.read(bytes, allow_objects)


## Fails unless `holds` is true: for what a case must show beyond being accepted.
func expect(case_name: String, holds: bool, problem: String) -> void:
	if not holds:
		_fail(case_name, problem)


## Returns whether the decoder returns the written value. Decoded objects are different objects, so values with objects
## are only read. The bytes are not compared, because the padding of a NodePath differs each time.
func _check_reading(full_name: String, bytes: PoolByteArray, full_objects: bool, description: String) -> void:
	var decoded = _codec.read(bytes, full_objects)
	if not _codec.succeeded:
		_fail(full_name, "the decoder does not read what the encoder wrote")
		return
	if not "{\"type\":\"Object\"" in description:
		if _tagged_json.describe(decoded, TaggedJson.View.DECODED) != description:
			_fail(full_name, "the decoder reads something else than the encoder wrote")
		if _codec.size_of(bytes, full_objects, bytes.size()) != bytes.size():
			_fail(full_name, "the decoder does not read to the end")
	_codec.release(decoded)


func _claim(full_name: String) -> String:
	if _names.has(full_name):
		_fail(full_name, "there are two cases with this name")
	_names[full_name] = true
	return full_name


func _fail(full_name: String, problem: String) -> void:
	failures += 1
	print(full_name)
	push_error("%s: %s" % [full_name, problem])
