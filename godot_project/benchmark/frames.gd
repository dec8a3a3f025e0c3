extends SceneTree
## Measures how long frames take while a large save is written and read in other threads:
## `godot --headless --path godot_project -s res://benchmark/frames.gd`.
##
## The main loop does a fixed amount of work in every frame. Each round compares its longest frame, while a save is encoded,
## written to a file, read and decoded, with that of as many frames without a save. The last row does the same in the main
## thread. Options after `--`: `--rounds n`, `--megabytes n` for the size of the save, `--work n` for the milliseconds of work in
## a frame, and `--fps n` for the frames per second, with 0 for as many as possible. The last line is `VARBYTES FRAMES DONE`.

const PATH: String = "user://frames.dat"
## How many times longer than without a save the longest frame may be.
const TARGET: float = 2.0

var _save: Array = []
var _amount: int = 1000


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	_make_save(int(_argument(arguments, "--megabytes", "20")) * 1_000_000)
	# Without a window the engine sleeps in every frame.
	OS.low_processor_usage_mode_sleep_usec = 1
	Engine.max_fps = int(_argument(arguments, "--fps", "60"))
	_calibrate(float(_argument(arguments, "--work", "4")) * 1000.0)
	print("a save of %.1f MB, %s ms of work in frames of %.1f ms" % [
			VarBytes.byte_size(_save) / 1e6, _argument(arguments, "--work", "4"), _median(await _frames(100)) / 1000.0])
	print("%-22s %10s %10s %10s %10s" % ["", "frames", "median ms", "longest", "without"])
	var ratios: PackedFloat64Array = []
	for turn: int in int(_argument(arguments, "--rounds", "5")):
		ratios.append(await _round("in other threads", _save_in_threads))
	await _round("in the main thread", _save_here)
	ratios.sort()
	var ratio: float = ratios[ratios.size() / 2]
	print("the longest frame is %.2f times as long as without a save (median of %d rounds), target at most %.1f%s" % [
			ratio, ratios.size(), TARGET, "" if ratio <= TARGET else " <"])
	DirAccess.remove_absolute(PATH)
	print("VARBYTES FRAMES DONE")
	quit()


## Prints a row, and returns how many times longer than without a save the longest frame was.
func _round(name: String, save: Callable) -> float:
	# Kept until the measurement is over. Freeing a value takes time in any thread.
	var loaded: Array = []
	var times: PackedInt64Array = []
	save.call(loaded)
	var before: int = Time.get_ticks_usec()
	while loaded.is_empty():
		await process_frame
		_work()
		var now: int = Time.get_ticks_usec()
		times.append(now - before)
		before = now
	var idle: PackedInt64Array = await _frames(maxi(times.size(), 100))
	if not loaded[0] is Array or loaded[0].hash() != _save.hash():
		printerr("the save is not what was loaded")
	# Here, and not at the end, which may come during the next measurement.
	loaded.clear()
	times.sort()
	print("%-22s %10d %10.2f %10.2f %10.2f" % [name, times.size(), _median(times) / 1000.0, times[-1] / 1000.0, idle[-1] / 1000.0])
	return float(times[-1]) / idle[-1]


func _save_in_threads(loaded: Array) -> void:
	var encoded: VarBytesResult = await VarBytes.encode_async(_save).finished
	var write: Callable = func() -> PackedByteArray:
		FileAccess.open(PATH, FileAccess.WRITE).store_buffer(encoded.value)
		return FileAccess.get_file_as_bytes(PATH)
	var bytes: PackedByteArray = await _in_thread(write)
	var decoded: VarBytesResult = await VarBytes.decode_async(bytes).finished
	loaded.append(decoded.value)


func _save_here(loaded: Array) -> void:
	await process_frame
	FileAccess.open(PATH, FileAccess.WRITE).store_buffer(VarBytes.encode(_save).value)
	loaded.append(VarBytes.decode(FileAccess.get_file_as_bytes(PATH)).value)


## Calls a function in another thread, and returns what it returns.
func _in_thread(work: Callable) -> Variant:
	var returned: Array = []
	var task: int = WorkerThreadPool.add_task(func() -> void: returned.append(work.call()))
	while not WorkerThreadPool.is_task_completed(task):
		await process_frame
	WorkerThreadPool.wait_for_task_completion(task)
	return returned[0]


## Returns the times of frames without a save, in microseconds, sorted.
func _frames(count: int) -> PackedInt64Array:
	var times: PackedInt64Array = []
	var before: int = Time.get_ticks_usec()
	for frame: int in count:
		await process_frame
		_work()
		var now: int = Time.get_ticks_usec()
		times.append(now - before)
		before = now
	times.sort()
	return times


## What a game does in a frame.
func _work() -> void:
	var position := Vector2()
	for step: int in _amount:
		position = (position + Vector2(step & 7, 1)).limit_length(100.0)


## Finds the amount of work that takes that many microseconds.
func _calibrate(wanted: float) -> void:
	for attempt: int in 5:
		var times: PackedInt64Array = []
		for turn: int in 21:
			var before: int = Time.get_ticks_usec()
			_work()
			times.append(Time.get_ticks_usec() - before)
		times.sort()
		_amount = maxi(1, int(_amount * wanted / maxf(1.0, _median(times))))


func _make_save(size: int) -> void:
	while VarBytes.byte_size(_save) < size:
		for index: int in 1000:
			_save.append({
				"id": _save.size(), "name": "entity %d" % index, "at": Vector3(index, 0.5, -index), "health": 0.75 * index,
				"alive": true, "items": ["sword", index, {"count": 3, "tags": PackedInt32Array([1, 2, 3])}],
			})


static func _median(times: PackedInt64Array) -> float:
	return times[times.size() / 2]


static func _argument(arguments: PackedStringArray, name: String, usual: String) -> String:
	var index: int = arguments.find(name)
	return arguments[index + 1] if index >= 0 and index + 1 < arguments.size() else usual
