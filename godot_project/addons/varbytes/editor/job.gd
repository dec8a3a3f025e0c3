@tool
extends RefCounted
## Work on all records of a file that writes another file, done in steps so that the editor goes on.

const Index := preload("record_index.gd")
const OutputFile := preload("output_file.gd")

const STEP_MILLISECONDS: int = 30
## The most memory that a value of a record may take, in bytes.
const MOST_MEMORY: int = 1 << 31
## Longer records are worked on in another thread, because each is one step.
const LONG: int = 1 << 16
## How long to wait for that thread between two looks, in microseconds.
const PAUSE: int = 200
## Of records up to this size, keys may collide: if all do, the work takes a second.
const MOST_COLLIDING: int = 1 << 18

var index: Index
## The file that is written. It gets its name when everything is written.
var output: OutputFile
var done: bool = false
## Why the work ended early and wrote nothing, or empty.
var problem: String = ""
## The number of the next record, and of the last one, or -1 for all.
var at: int = 0
var last: int = -1
## Works on the record `at`, or null.
var _thread: Thread
## Why the work is to end when that thread has ended, or empty.
var _canceled: String = ""


## Works for a short time. Returns whether the work has ended.
func step(milliseconds: int = STEP_MILLISECONDS) -> bool:
	var end: int = Time.get_ticks_msec() + milliseconds
	while not done:
		var is_left: bool = last < 0 or at <= last
		var record: Index.Record = index.record(at) if is_left else null
		if _thread != null and _thread.is_alive():
			OS.delay_usec(PAUSE)
		elif _thread != null:
			_wait()
			at += 1
			if not _canceled.is_empty():
				stop(_canceled)
		elif record == null and not (is_left and index.failed):
			_finish()
			_end()
		else:
			_begin_work(record, index.first_bytes(record))
		if _thread == null and not output.problem.is_empty():
			stop(output.problem)
		if Time.get_ticks_msec() >= end:
			break
	return done


## Ends the work early, in a later step if another thread works. Nothing is written then.
func cancel(why: String) -> void:
	if _thread == null:
		stop(why)
	_canceled = why


## Ends the work early, and waits for a thread that works. Nothing is written then.
func stop(why: String) -> void:
	_wait()
	problem = why
	done = true
	if output != null:
		output.discard()


## Returns which part of the file is done, from 0 to 1.
func progress() -> float:
	var record: Index.Record = index.record(at - 1) if at > 0 else null
	return 1.0 if done else float(record.start + record.size) / maxi(index.length, 1) if record != null else 0.0


## Returns what to tell about the work, one line each.
func report() -> PackedStringArray:
	return PackedStringArray() if problem.is_empty() else PackedStringArray(["Ended early: %s. Nothing was written." % problem])


## Works on the record `at`, of which the bytes are null if it cannot be read. They are not read in a thread, because the list of
## records reads the file too.
func _begin_work(record: Index.Record, bytes: Variant) -> void:
	if bytes == null:
		stop(Index.CHANGED)
		return
	if record.size > LONG:
		_thread = Thread.new()
		if _thread.start(_work.bind(record, bytes)) == OK:
			return
		_thread = null
	_work(record, bytes)
	at += 1


func _wait() -> void:
	if _thread != null:
		_thread.wait_to_finish()
	_thread = null


func _begin(records: Index, path: String, replaces: bool) -> void:
	index = records
	if OutputFile.is_same(path, index.path) and not index.path.is_empty():
		stop(OutputFile.OPENED % path)
	elif index.has_changed():
		stop(Index.CHANGED)
	elif not index.refusal.is_empty():
		stop(index.refusal)
	else:
		output = OutputFile.beside(path, replaces)
		if not output.problem.is_empty():
			stop(output.problem)


func _end() -> void:
	if index.has_changed():
		stop(Index.CHANGED)
	elif output.finish():
		done = true


## Overridden: works on one record and its bytes, perhaps in another thread. Must not read the file.
func _work(_record: Index.Record, _bytes: PackedByteArray) -> void:
	pass


## Overridden: called after the last record.
func _finish() -> void:
	pass
