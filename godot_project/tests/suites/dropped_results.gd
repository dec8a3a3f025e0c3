extends "res://tests/suite.gd"
## Results that no script refers to any more are used again. No script can tell.

## More than are used again.
const MANY := 100

class Held:
	var dropped: Array

	func _init(into: Array) -> void:
		dropped = into

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE:
			dropped.append(VarBytes.decode(var_to_bytes(dropped.size())).value)


class Clearing:
	var meddling: Callable

	func _init(with: Callable) -> void:
		meddling = with

	func _notification(what: int) -> void:
		if what == NOTIFICATION_PREDELETE:
			meddling.call()

var held: Variant
var times: int
var copies: Array


func run() -> bool:
	_many_at_a_time()
	_what_a_result_holds_is_dropped_with_it()
	_a_value_that_uses_the_variable_of_its_result()
	_changes_end_with_the_script_s_last_reference()
	await _what_is_put_into_a_result_is_freed_with_it()
	_the_number_of_objects()
	_found_by_its_id()
	_in_threads()
	_from_files()
	_bytes_are_not_written_over()
	_bytes_that_a_script_made_longer_are_freed()
	return true


func _many_at_a_time() -> void:
	for turn: int in 3:
		var results: Array[VarBytesResult] = []
		var ids := {}
		for number: int in MANY:
			results.append(VarBytes.decode(var_to_bytes(number)))
			ids[results[number].get_instance_id()] = true
		equal(ids.size(), MANY, "results that are kept are different objects")
		for number: int in range(0, MANY, 2):
			results[number] = VarBytes.encode(number)
		for number: int in MANY:
			equal(results[number].value, number if number % 2 else var_to_bytes(number), "a result that is kept")


func _what_a_result_holds_is_dropped_with_it() -> void:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": ["*"]}
	var result: VarBytesResult = VarBytes.decode(var_to_bytes_with_objects([Resource.new()]), options)
	var inner: WeakRef = weakref(result.value[0])
	check(inner.get_ref() != null, "a result keeps its value")
	result = null
	check(inner.get_ref() == null, "the value is freed with the last reference to the result")
	# A notification that runs while the result is dropped uses results.
	var dropped: Array = []
	for number: int in 4:
		result = VarBytes.decode(var_to_bytes([]))
		result.value.append(Held.new(dropped))
		result = null
		equal(dropped, range(number + 1), "a value that uses results while it is freed")
	var bytes: PackedByteArray = var_to_bytes("text".repeat(1000))
	for number: int in MANY:
		check(VarBytes.decode(bytes).ok, "a long packet")
	check(VarBytes.decode(PackedByteArray()).value == null, "an error after a value has no value")
	check(VarBytesResult.new().value == null and not VarBytesResult.new().ok, "a result of the script's own is empty")


## Until the engine has cleared a variable, it still contains the result, whose value is freed meanwhile. The engine does not copy
## an object that is freed.
func _a_value_that_uses_the_variable_of_its_result() -> void:
	for meddling: Callable in [_clear, _fill_and_clear, _copy_and_clear, _copy]:
		for turn: int in MANY:
			var id: int = _hold(Clearing.new(meddling))
			times = 0
			held = null
			equal(times, 1, "the value is freed at once")
			var found: VarBytesResult = instance_from_id(id)
			check(found == null or found.value == null, "the result is empty")
	check(copies.size() == 2 * MANY and copies.all(func(copy: Variant) -> bool: return copy == null), "copies of a result that is dropped")
	copies.clear()
	var results: Array[VarBytesResult] = []
	for number: int in MANY:
		results.append(VarBytes.decode(var_to_bytes(number)))
	for number: int in MANY:
		equal(results[number].value, number, "a later result")


## Returns the id of the result. Not in the loop, where GDScript keeps references to what was used in an expression.
func _hold(member: Clearing) -> int:
	held = VarBytes.decode(var_to_bytes([]))
	held.value.append(member)
	return held.get_instance_id()


func _clear() -> void:
	times += 1
	held = null


func _fill_and_clear() -> void:
	held.decode(var_to_bytes([1, "text"]))
	_clear()


func _copy() -> void:
	times += 1
	copies.append(held)


func _copy_and_clear() -> void:
	copies.append(held)
	_clear()


func _changes_end_with_the_script_s_last_reference() -> void:
	var script := GDScript.new()
	script.source_code = "extends VarBytesResult\nvar mine := 1\n"
	check(script.reload() == OK, "a script for results")
	var called: Array = []
	for turn: int in 4:
		for number: int in MANY:
			var result: VarBytesResult = VarBytes.decode(var_to_bytes(number))
			check(not result.has_meta("mine") and result.get_script() == null, "a new result has nothing of another one")
			check(not result.is_blocking_signals() and result.get_signal_connection_list("script_changed").is_empty(), "a new result has no connections")
			match number % 7:
				1: result.set_meta("mine", number)
				2: result.set_script(script)
				3: result.script_changed.connect(func() -> void: called.append(number))
				4: result.set_block_signals(true)
			equal(result.value, number, "a result with something of a script")
			result.notify_property_list_changed()
	check(called.is_empty(), "no signal of another result arrives")


## Without another call.
func _what_is_put_into_a_result_is_freed_with_it() -> void:
	var freed: Array[WeakRef] = []
	for bytes: PackedByteArray in [var_to_bytes(5), var_to_bytes([]), PackedByteArray()]:
		_put_into(VarBytes.decode(bytes), freed)
	await Engine.get_main_loop().process_frame
	await Engine.get_main_loop().process_frame
	for object: WeakRef in freed:
		check(object.get_ref() == null, "a changed result, and what was put into it")


func _put_into(result: VarBytesResult, freed: Array[WeakRef]) -> void:
	var inner := RefCounted.new()
	result.set_meta("inner", inner)
	result.script_changed.connect(func() -> void: check(inner == null, "no call"))
	freed.append_array([weakref(inner), weakref(result)])


func _the_number_of_objects() -> void:
	# Results that a script has changed are not used again, and are replaced one by one.
	var kept: Array = range(MANY).map(func(number: int) -> VarBytesResult: return VarBytes.decode(var_to_bytes(number)))
	kept.clear()
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	for number: int in MANY:
		check(VarBytes.decode(var_to_bytes(number)).ok, "a result")
	kept = range(MANY).map(func(number: int) -> VarBytesResult: return VarBytes.decode(var_to_bytes(number)))
	check(kept[0].value == 0, "kept results")
	kept.clear()
	equal(int(Performance.get_monitor(Performance.OBJECT_COUNT)), objects, "the number of objects after results were dropped")


func _found_by_its_id() -> void:
	var result: VarBytesResult = VarBytes.decode(var_to_bytes("first"))
	var id: int = result.get_instance_id()
	result = null
	var found := instance_from_id(id) as VarBytesResult
	if found != null:
		check(found.value == null and not found.ok, "a dropped result that is found by its id is empty")
		check(found.decode(var_to_bytes("found")), "it can be used")
	var others: Array[VarBytesResult] = []
	for number: int in MANY:
		others.append(VarBytes.decode(var_to_bytes(number)))
	check(found == null or found.value == "found", "no other call uses it meanwhile")
	for number: int in MANY:
		equal(others[number].value, number, "the others")


func _in_threads() -> void:
	var kept: Array = range(4).map(func(_number: int) -> Array: return [])
	var right: Array = [0, 0, 0, 0]
	in_threads(4, func(task: int) -> void:
		for number: int in 2000:
			var result: VarBytesResult = VarBytes.decode(var_to_bytes([task, number]))
			right[task] += int(result.value == [task, number])
			if number % 100 == 0:
				kept[task].append(result))
	equal(right, [2000, 2000, 2000, 2000], "results in four threads")
	for task: int in 4:
		for index: int in kept[task].size():
			equal(kept[task][index].value, [task, index * 100], "a result of another thread")
	kept.clear()
	equal(VarBytes.decode(var_to_bytes(1)).value, 1, "after results were dropped in another thread")


func _from_files() -> void:
	var path := "user://dropped_results.dat"
	var file: VarBytesFile = VarBytesFile.open(path, FileAccess.WRITE)
	for number: int in MANY:
		check(file.store(number).ok, "a record")
	file.close()
	file = VarBytesFile.open(path, FileAccess.READ)
	var last: VarBytesResult = null
	for number: int in MANY:
		var result: VarBytesResult = file.next()
		equal(result.value, number, "a record")
		check(last == null or last.value == number - 1, "the record before")
		last = result
	file.close()
	DirAccess.remove_absolute(path)


## A later call uses the array of a dropped result again if nothing else has it.
func _bytes_are_not_written_over() -> void:
	var kept: Dictionary[int, PackedByteArray] = {}
	var streams: Dictionary[int, StreamPeerBuffer] = {}
	var reused := VarBytesResult.new()
	for number: int in 10 * MANY:
		var value: Array = [number, "x".repeat(number % 700)]
		var result: VarBytesResult = VarBytes.encode(value)
		equal(result.value, var_to_bytes(value), "the bytes of a value")
		check(reused.encode(value) and reused.value == result.value, "the same in a result that is used again")
		match number % 5:
			0: kept[number] = result.value
			1: kept[number] = reused.value
			2:
				# The engine's own objects share the elements, but not the array.
				streams[number] = StreamPeerBuffer.new()
				streams[number].data_array = result.value if number % 2 else reused.value
			3:
				result.value.append(1)
				reused.value.fill(0)
	for number: int in kept:
		equal(kept[number], var_to_bytes([number, "x".repeat(number % 700)]), "bytes that a script keeps")
	for number: int in streams:
		equal(streams[number].data_array, var_to_bytes([number, "x".repeat(number % 700)]), "bytes that the engine keeps")
	check(reused.encode(1) and reused.encode(reused.value), "a result that encodes its own bytes")
	equal(bytes_to_var(reused.value), var_to_bytes(1), "its own bytes")


func _bytes_that_a_script_made_longer_are_freed() -> void:
	for uses_bytes: bool in [false, true]:
		var before: int = OS.get_static_memory_usage()
		_make_longer(20_000_000)
		check((VarBytes.encode(2) if uses_bytes else VarBytes.decode(var_to_bytes(2))).ok, "a call after that")
		# Always 0 in an exported game.
		check(OS.get_static_memory_usage() < before + 1_000_000, "the array is freed with the next call")


func _make_longer(size: int) -> void:
	var result: VarBytesResult = VarBytes.encode(1)
	var bytes: PackedByteArray = result.value
	result = null
	bytes.resize(size)
