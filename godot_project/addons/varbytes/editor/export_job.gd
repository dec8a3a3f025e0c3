@tool
extends "job.gd"
## Writes records to a text file: as JSON, an Array of values in the form of `VarBytes.to_json`, or as text for people. Objects
## are never created; a record with an object is an error in JSON, and annotated bytes in text.

var as_json: bool = true
var engine: String = ""
## Of a record that cannot be read as a value, so many bytes are written as annotated text.
const ANNOTATED: int = 1 << 20

## The number of records that could not be read as values.
var unreadable: int = 0
## The number of records with bytes after the value, or with text that is not Unicode, which the file does not have.
var incomplete: int = 0

var _first: int = 0


## Begins to write the records from `from` to `to`, or to the end for -1.
static func of(records: Index, engine_name: String, path: String, json: bool, from: int = 0, to: int = -1) -> RefCounted:
	var job := new()
	job.engine = engine_name
	job.as_json = json
	job.at = from
	job.last = to
	job._first = from
	job._begin(records, path, true)
	if job.output != null and json:
		job._store("[")
	return job


func report() -> PackedStringArray:
	var lines: PackedStringArray = super()
	if lines.is_empty() and unreadable > 0:
		lines.append("%d records could not be read as values; their errors are in the file." % unreadable)
	if problem.is_empty() and incomplete > 0:
		lines.append("%d records have bytes after the value, or text that is not Unicode, which the file does not have." % incomplete)
	return lines


func _work(record: Index.Record, bytes: PackedByteArray) -> void:
	_store(_separator() + _json_of(record, bytes) if as_json else _text_of(record, bytes))


func _finish() -> void:
	if last < 0 and not index.problem.is_empty():
		unreadable += 1
		var fault: Dictionary = {"error": index.problem, "offset": index.problem_at}
		_store(_separator() + JSON.stringify(fault) if as_json else "# At offset %d: %s\n" % [index.problem_at, index.problem])
	if as_json:
		_store("\n]\n")


func _separator() -> String:
	return "\n" if at == _first else ",\n"


func _store(text: String) -> void:
	output.store(text.to_utf8_buffer())


func _json_of(record: Index.Record, bytes: PackedByteArray) -> String:
	var decoded: VarBytesResult = _decoded(record, bytes)
	var json: VarBytesResult = VarBytes.to_json(decoded.value) if decoded.ok else decoded
	if json.ok:
		return json.value
	unreadable += 1
	return JSON.stringify({"error": json.message, "offset": record.start + maxi(json.offset, 0), "path": json.path})


func _text_of(record: Index.Record, bytes: PackedByteArray) -> String:
	var decoded: VarBytesResult = _decoded(record, bytes)
	var head: String = "# Record %d, %d bytes from offset %d on\n" % [record.number, record.size, record.start]
	if decoded.ok:
		return head + VarBytes.to_text(decoded.value) + "\n\n"
	unreadable += 1
	if bytes.size() > ANNOTATED:
		head += "# The first %d bytes:\n" % ANNOTATED
	return "%s# %s\n%s\n" % [head, decoded.message, VarBytes.inspect(bytes.slice(0, ANNOTATED), _options(record))]


func _decoded(record: Index.Record, bytes: PackedByteArray) -> VarBytesResult:
	var decoded: VarBytesResult = VarBytes.decode(bytes, _options(record))
	if decoded.ok and (decoded.bytes_used < record.size or not decoded.losses.is_empty()):
		incomplete += 1
	return decoded


func _options(record: Index.Record) -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.engine = engine
	options.max_memory = MOST_MEMORY
	options.allow_hash_collisions = record.size <= MOST_COLLIDING
	return options
