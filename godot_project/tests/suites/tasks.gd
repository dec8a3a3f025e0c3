extends "res://tests/suite.gd"
## `decode_async` and `encode_async`: the results of `decode` and `encode`, in the main thread, whoever keeps what.

const ErrorLog := preload("res://tests/fixtures/error_log.gd")
const RandomVariants := preload("res://tests/random_variants.gd")


func run() -> bool:
	await run_parts([
		_a_result_can_be_awaited, _a_callback, _the_same_as_without_threads, _many_at_once, _errors, _full_objects_are_refused,
		_options_are_those_of_the_call, _bytes_are_those_of_the_call, _a_task_that_nobody_keeps, _a_callback_that_keeps_its_task, _wait, _wait_in_two_threads, _awaited_in_any_order, _finished_comes_once,
		_a_function_whose_object_is_freed, _options_with_a_script, _nothing_happens_in_the_call, _started_in_another_thread, _large_values, _private_methods,
	])
	return true


func _a_result_can_be_awaited() -> bool:
	var value: Variant = {"name": "Ann", "at": [Vector3(1, 2, 3), null]}
	var encoded: VarBytesResult = await VarBytes.encode_async(value).finished
	check(encoded.ok and encoded.value == var_to_bytes(value) and encoded.bytes_used == encoded.value.size(), "encoded")
	var decoded: VarBytesResult = await VarBytes.decode_async(encoded.value).finished
	check(decoded.ok and decoded.bytes_used == encoded.bytes_used, "decoded")
	equal(decoded.value, value, "the value")
	return true


func _a_callback() -> bool:
	var seen: Array[Variant] = []
	VarBytes.decode_async(var_to_bytes(7)).finished.connect(func(result: VarBytesResult) -> void:
		seen.append(result.value)
		seen.append(OS.get_thread_caller_id() == OS.get_main_thread_id()))
	await _until(func() -> bool: return not seen.is_empty())
	equal(seen, [7, true], "the value, and whether the callback runs in the main thread")
	return true


func _the_same_as_without_threads() -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1) + 7
	var tasks: Array[VarBytesTask] = []
	var values: Array = []
	for index: int in 300:
		values.append(variants.value())
		tasks.append(VarBytes.encode_async(values[index]))
	for index: int in 300:
		var encoded: VarBytesResult = tasks[index].wait()
		check(encoded.ok and encoded.value == VarBytes.encode(values[index]).value, "encoded")
		equal(VarBytes.decode_async(encoded.value).wait().value, VarBytes.decode(encoded.value).value, "decoded")
	await _frame()
	return true


func _many_at_once() -> bool:
	var found: Array = []
	for index: int in 200:
		VarBytes.decode_async(var_to_bytes(index)).finished.connect(func(result: VarBytesResult) -> void: found.append(result.value))
	await _until(func() -> bool: return found.size() == 200)
	found.sort()
	equal(found, range(200), "the values")
	return true


func _errors() -> bool:
	var cut: VarBytesResult = await VarBytes.decode_async(var_to_bytes("text").slice(0, 8)).finished
	check(cut.error == VarBytesResult.TRUNCATED and cut.message == VarBytes.decode(var_to_bytes("text").slice(0, 8)).message, "cut")
	var endless: Array = []
	endless.append(endless)
	var deep: VarBytesResult = await VarBytes.encode_async(endless).finished
	equal(deep.error, VarBytesResult.LIMIT, "an endless value")
	endless.clear()
	var full: VarBytesResult = await VarBytes.decode_async(var_to_bytes_with_objects(Resource.new())).finished
	equal(full.error, VarBytesResult.NOT_ALLOWED, "an object")
	return true


func _full_objects_are_refused() -> bool:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	for task: VarBytesTask in [VarBytes.decode_async(var_to_bytes(1), options), VarBytes.encode_async(1, options)]:
		check(task.result == null, "not in the call")
		var refused: VarBytesResult = await task.finished
		check(refused.error == VarBytesResult.INVALID_ARGUMENT and refused.message.contains("allow_objects"), refused.message)
	return true


func _options_are_those_of_the_call() -> bool:
	var options := VarBytesOptions.new()
	options.offset = 8
	options.engine = "godot-3.6"
	var reading: VarBytesTask = VarBytes.decode_async(VarBytes.encode([7]).value, options)
	options.offset = 0
	var writing: VarBytesTask = VarBytes.encode_async([&"name"], options)
	options.engine = ""
	equal(reading.wait().value, 7, "the offset")
	check(writing.wait().losses.size() == 1, "the engine")
	await _frame()
	return true


func _bytes_are_those_of_the_call() -> bool:
	var bytes: PackedByteArray = var_to_bytes("x".repeat(1_000_000))
	var task: VarBytesTask = VarBytes.decode_async(bytes)
	bytes.fill(0xFF)
	check(task.wait().value == "x".repeat(1_000_000), "the value")
	await _frame()
	return true


func _a_task_that_nobody_keeps() -> bool:
	var kept: WeakRef = weakref(VarBytes.decode_async(var_to_bytes("x".repeat(1_000_000))))
	check(kept.get_ref() != null, "it is kept until it is finished")
	await _until(func() -> bool: return kept.get_ref() == null)
	check(kept.get_ref() == null, "and freed then")
	return true


func _a_callback_that_keeps_its_task() -> bool:
	var task: VarBytesTask = VarBytes.decode_async(var_to_bytes(7))
	var seen: Array = []
	task.finished.connect(func(_result: VarBytesResult) -> void: seen.append(task.result.value))
	var kept: WeakRef = weakref(task)
	task = null
	await _until(func() -> bool: return kept.get_ref() == null)
	equal(seen, [7], "the callback was called")
	check(kept.get_ref() == null, "the task is freed")
	return true


func _wait() -> bool:
	var task: VarBytesTask = VarBytes.encode_async(7)
	check(task.result == null, "no result yet")
	equal(task.wait().value, var_to_bytes(7), "the result")
	check(task.wait() == task.result, "the same result again")
	check(await task.finished == task.result, "and in the signal")
	check(task.wait() == task.result, "and after it")
	return true


func _wait_in_two_threads() -> bool:
	for turn: int in 10:
		var task: VarBytesTask = VarBytes.encode_async(range(30_000))
		var threads: Array[Thread] = []
		for index: int in 2:
			threads.append(Thread.new())
			threads[index].start(func() -> VarBytesResult: return task.wait())
		var results: Array = [task.wait()] + threads.map(func(thread: Thread) -> VarBytesResult: return thread.wait_to_finish())
		check(results.all(func(result: VarBytesResult) -> bool: return result != null and result == task.result), "the result in every thread")
	await _frame()
	return true


func _awaited_in_any_order() -> bool:
	var short: VarBytesTask = VarBytes.encode_async(1)
	var long: VarBytesTask = VarBytes.encode_async(range(200_000))
	check((await long.awaitable() as VarBytesResult).ok, "the long one")
	await _until(func() -> bool: return short.result != null)
	for turn: int in 2:
		equal((await short.awaitable() as VarBytesResult).value, var_to_bytes(1), "the short one")
	return true


func _finished_comes_once() -> bool:
	var count: Array[int] = [0]
	var task: VarBytesTask = VarBytes.encode_async(7)
	task.finished.connect(func(_result: VarBytesResult) -> void: count[0] += 1)
	task.wait()
	for frame: int in 5:
		await _frame()
	equal(count[0], 1, "signals")
	return true


## The engine frees the variables of such a function only if something refers to its state.
func _a_function_whose_object_is_freed() -> bool:
	for method: StringName in [&"load_at_once", &"load_later", &"load_twice"]:
		var waiting := Waiting.new()
		waiting.call(method, var_to_bytes("x".repeat(10_000_000)))
		await _frame()
		await _frame()
		waiting.free()
		await _until(func() -> bool: return Waiting.tasks.all(func(task: WeakRef) -> bool: return task.get_ref() == null))
		check(Waiting.tasks.all(func(task: WeakRef) -> bool: return task.get_ref() == null), "%s: the tasks are freed" % method)
		equal(Waiting.continued, 0, "%s: functions that continued" % method)
		Waiting.tasks.clear()
	return true


class Waiting:
	extends Object
	static var tasks: Array[WeakRef] = []
	static var continued: int = 0

	func load_at_once(bytes: PackedByteArray) -> void:
		var task := VarBytes.decode_async(bytes)
		tasks.append(weakref(task))
		await task.finished
		continued += 1

	func load_later(bytes: PackedByteArray) -> void:
		var task := VarBytes.decode_async(bytes)
		tasks.append(weakref(task))
		await (Engine.get_main_loop() as SceneTree).process_frame
		await task.awaitable()
		continued += 1

	func load_twice(bytes: PackedByteArray) -> void:
		load_at_once(bytes)
		load_at_once(bytes)


## The other thread gets the options, and not an object with their script, which would call its _init.
func _options_with_a_script() -> bool:
	# The suite may run twice in one editor.
	Tight.created = 0
	var options := Tight.new(100)
	options.max_values = 10
	var log := ErrorLog.new()
	OS.add_logger(log)
	var short: VarBytesResult = await VarBytes.decode_async(var_to_bytes(range(10)), options).finished
	var long: VarBytesResult = await VarBytes.decode_async(var_to_bytes(range(11)), options).finished
	OS.remove_logger(log)
	check(short.ok and long.error == VarBytesResult.LIMIT, "with its limit: %s, %s" % [short, long])
	equal([log.messages, Tight.created], [PackedStringArray(), 1], "messages, and objects of the script")
	return true


class Tight:
	extends VarBytesOptions
	static var created: int = 0

	func _init(most: int) -> void:
		max_values = most
		created += 1


func _nothing_happens_in_the_call() -> bool:
	var seen: Array[int] = [0]
	var task: VarBytesTask = VarBytes.encode_async(7)
	task.finished.connect(func(_result: VarBytesResult) -> void: seen[0] += 1)
	OS.delay_msec(20)
	equal(seen[0], 0, "signals before the frame ends")
	await task.finished
	return true


func _started_in_another_thread() -> bool:
	var seen: Array[bool] = []
	var done: Callable = func(result: VarBytesResult) -> void: seen.append(result.ok and OS.get_thread_caller_id() == OS.get_main_thread_id())
	var thread := Thread.new()
	thread.start(func() -> void:
		for turn: int in 50:
			VarBytes.encode_async("text").finished.connect(done))
	thread.wait_to_finish()
	for turn: int in 20:
		await _frame()
	# A task can be finished before a thread other than the main one connects its signal.
	check(not seen.has(false), "in the main thread")
	return true


func _large_values() -> bool:
	var save: Array = []
	for index: int in 20_000:
		save.append({"id": index, "name": "item %d" % index, "at": Vector3(index, 0, 1)})
	var encoded: VarBytesResult = await VarBytes.encode_async(save).finished
	var decoded: VarBytesResult = await VarBytes.decode_async(encoded.value).finished
	check(decoded.ok and decoded.value == save, "a save of %d bytes" % encoded.bytes_used)
	return true


## The methods that the engine calls by name do nothing if a script calls them.
func _private_methods() -> bool:
	var count: Array[int] = [0]
	var task: VarBytesTask = VarBytes.encode_async(7)
	task.finished.connect(func(_result: VarBytesResult) -> void: count[0] += 1)
	for turn: int in 3:
		task.call("_run")
	task.wait()
	await task.finished
	for turn: int in 3:
		task.call("_run")
		task.call("_finish")
		await _frame()
	equal([count[0], task.result.value], [1, var_to_bytes(7)], "signals, and the result")
	return true


func _frame() -> void:
	await (Engine.get_main_loop() as SceneTree).process_frame


func _until(condition: Callable) -> void:
	for frame: int in 2000:
		if condition.call():
			return
		await _frame()
		OS.delay_usec(500)
