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


## Begins to convert the records that `engine` wrote. The target must not exist.
static func of(records: Index, engine: String, path: String) -> RefCounted:
	var job := new()
	job._options.engine = engine
	job._options.max_memory = MOST_MEMORY
	job._begin(records, path, false)
	return job


func report() -> PackedStringArray:
	var lines: PackedStringArray = super()
	if lines.is_empty():
		lines.append("%d records converted, %d left out. The old file is unchanged." % [converted, left_out])
	lines.append_array(losses)
	if not_listed > 0:
		lines.append("… and %d more" % not_listed)
	return lines


func _work(record: Index.Record, bytes: PackedByteArray) -> void:
	_options.allow_hash_collisions = record.size <= MOST_COLLIDING
	var decoded: VarBytesResult = VarBytes.decode(bytes, _options)
	var encoded: VarBytesResult = VarBytes.encode(decoded.value) if decoded.ok else decoded
	if not encoded.ok:
		left_out += 1
		_note("record %d is left out: %s" % [record.number, encoded.message])
		return
	if decoded.bytes_used < record.size:
		_note("record %d: the %d bytes after the value are left out" % [record.number, record.size - decoded.bytes_used])
	for loss: String in decoded.losses:
		_note("record %d: %s" % [record.number, loss])
	if index.has_lengths:
		output.store_length(encoded.value.size(), index.big_endian)
	output.store(encoded.value)
	converted += 1


func _finish() -> void:
	if not index.problem.is_empty():
		_note("the bytes from offset %d on are left out: %s" % [index.problem_at, index.problem])


func _note(line: String) -> void:
	if losses.size() < MOST_LOSSES:
		losses.append(line)
	else:
		not_listed += 1
