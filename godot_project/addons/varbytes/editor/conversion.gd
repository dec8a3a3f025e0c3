@tool
extends "job.gd"
## Converts a save of another engine into a new file for the running engine. The old file stays as it is.

## What was lost or left out, one line each.
var losses: PackedStringArray = []
var converted: int = 0
var left_out: int = 0

## More lines than these are counted only.
const MOST_LOSSES: int = 10000

var not_listed: int = 0
var _options := VarBytesOptions.new()
var _file: FileAccess


## Begins to convert the records that `engine` wrote. The target must not exist.
static func of(records: Index, engine: String, path: String) -> RefCounted:
	var job := new()
	job.index = records
	job._options.engine = engine
	job._options.max_memory = MOST_MEMORY
	if FileAccess.file_exists(path):
		job.stop("%s exists already, and is not overwritten" % path)
		return job
	job._file = FileAccess.open(path, FileAccess.WRITE)
	if job._file == null:
		job.stop("%s cannot be written: %s" % [path, error_string(FileAccess.get_open_error())])
	else:
		job._file.big_endian = records.big_endian
	return job


func _work(record: Index.Record) -> bool:
	var decoded: VarBytesResult = VarBytes.decode(index.read(record.start, record.size), _options)
	var encoded: VarBytesResult = VarBytes.encode(decoded.value) if decoded.ok else decoded
	if not encoded.ok:
		left_out += 1
		_note("record %d is left out: %s" % [record.number, encoded.message])
		return true
	for loss: String in decoded.losses:
		_note("record %d: %s" % [record.number, loss])
	if index.has_lengths:
		_file.store_32(encoded.value.size())
	if not _file.store_buffer(encoded.value):
		problem = "the file cannot be written: %s" % error_string(_file.get_error())
		return false
	converted += 1
	return true


func _finish() -> void:
	if not index.problem.is_empty():
		_note("the bytes from offset %d on are left out: %s" % [index.problem_at, index.problem])
	_file.close()


func _note(line: String) -> void:
	if losses.size() < MOST_LOSSES:
		losses.append(line)
	else:
		not_listed += 1
