@tool
extends RefCounted
## Work on all records of a file, done in steps so that the editor goes on.

const Index := preload("record_index.gd")

const STEP_MILLISECONDS: int = 30
## The most memory that a value of a record may take, in bytes.
const MOST_MEMORY: int = 1 << 31

var index: Index
var done: bool = false
## Why the work ended early, or empty.
var problem: String = ""
## The number of records that are done.
var at: int = 0


## Works for a short time. Returns whether the work has ended.
func step(milliseconds: int = STEP_MILLISECONDS) -> bool:
	var end: int = Time.get_ticks_msec() + milliseconds
	while not done:
		var record: Index.Record = index.record(at) if index.find(at + 1) else null
		if record == null:
			_finish()
			done = true
		elif _work(record):
			at += 1
		else:
			done = true
		if Time.get_ticks_msec() >= end:
			break
	return done


## Ends the work early.
func stop(why: String) -> void:
	problem = why
	done = true


## Returns which part of the file is done, from 0 to 1.
func progress() -> float:
	var record: Index.Record = index.record(at - 1) if at > 0 else null
	return 1.0 if done else float(record.start + record.size) / maxi(index.length, 1) if record != null else 0.0


## Overridden: works on one record. Returns whether to go on.
func _work(_record: Index.Record) -> bool:
	return false


## Overridden: called after the last record.
func _finish() -> void:
	pass
