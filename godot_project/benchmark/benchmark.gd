extends SceneTree
## Times VarBytes against the built-ins: `godot --headless --path godot_project -s res://benchmark/benchmark.gd`, or as an
## exported game, with `--benchmark` after `--`.
##
## Everything that is compared runs alternately in one process. Prints the medians in microseconds, one line of JSON for each
## case. Options after `--`: `--rounds n`, `--case text` for cases whose name contains the text, and `--fixed` for the
## cases that are checked at each change. For a profiler, `--only decode/1` repeats one call of the cases, and nothing else, for
## `--seconds n`: `encode`, `decode`, `store` or `read`, and its index in the arrays that the benchmark prints.

const Cases := preload("res://benchmark/cases.gd")
const Files := preload("res://benchmark/files.gd")

## The minimum duration of a measurement in microseconds, so that the clock's resolution does not matter.
const WINDOW: int = 1000
## The time after which no more rounds of a case begin, in microseconds.
const PATIENCE: int = 3_000_000
const FEWEST_ROUNDS: int = 5

## Whether the options allow objects. If they do, objects by id are written in full, which takes other and longer bytes.
static var allows_objects: bool = true


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	run()
	quit()


static func run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var rounds: int = _argument(arguments, "--rounds", "21").to_int()
	var wanted: String = _argument(arguments, "--case", "")
	var only: String = _argument(arguments, "--only", "")
	if not only.is_empty():
		_repeat(wanted, only.get_slice("/", 0), only.get_slice("/", 1).to_int(), _argument(arguments, "--seconds", "3").to_float())
		print("VARBYTES BENCHMARK DONE")
		return
	print(VarBytes.engine_report())
	for case: Cases.Case in Cases.all():
		if not wanted.is_empty() and not case.name.contains(wanted) or arguments.has("--fixed") and not case.is_fixed:
			continue
		allows_objects = case.group != "objects by id"
		var value: Variant = case.make.call()
		var bytes: PackedByteArray = var_to_bytes_with_objects(value) if case.objects else var_to_bytes(value)
		var same: bool = bytes == (VarBytes.var_to_bytes_with_objects(value) if case.objects else VarBytes.var_to_bytes(value))
		same = same and not VarBytes.try_encode(value, _options()).is_empty() and VarBytes.decode(bytes, _options()).ok
		print("CASE ", JSON.stringify({
			"name": case.name,
			"group": case.group,
			"bytes": bytes.size(),
			"same": same,
			"encode": _medians(rounds, _encoders(case.objects), value),
			"decode": _medians(rounds, _decoders(case.objects), bytes),
		}))
	if not arguments.has("--fixed"):
		_run_files(rounds, wanted)
	print("VARBYTES BENCHMARK DONE")


## Repeats one call of the case with that name.
static func _repeat(name: String, direction: String, index: int, seconds: float) -> void:
	var timed: Callable
	var argument: Variant
	for case: Cases.Case in Cases.all():
		if case.name == name and direction in ["encode", "decode"]:
			allows_objects = case.group != "objects by id"
			argument = case.make.call()
			timed = _encoders(case.objects)[index]
			if direction == "decode":
				argument = var_to_bytes_with_objects(argument) if case.objects else var_to_bytes(argument)
				timed = _decoders(case.objects)[index]
	for case: Files.Case in Files.all():
		if case.name == name and direction in ["store", "read"]:
			argument = case
			timed = (Files.writers() if direction == "store" else Files.readers())[index]
			if not Files.is_same(case):
				push_error("the bytes differ from those of the built-in")
	var repeats: int = 1
	while repeats < 100_000 and timed.call(argument, repeats) < WINDOW:
		repeats *= 2
	var end: int = Time.get_ticks_usec() + int(seconds * 1_000_000)
	while Time.get_ticks_usec() < end:
		timed.call(argument, repeats)
	Files.clear()


static func _run_files(rounds: int, wanted: String) -> void:
	for case: Files.Case in Files.all():
		if wanted.is_empty() or case.name.contains(wanted):
			print("FILE ", JSON.stringify({
				"name": case.name,
				"records": case.records,
				"bytes": var_to_bytes(case.value).size(),
				"same": Files.is_same(case),
				"store": _per_record(case, _medians(rounds, Files.writers(), case)),
				"read": _per_record(case, _medians(rounds, Files.readers(), case)),
			}))
	Files.clear()


static func _per_record(case: Files.Case, times: Array[float]) -> Array[float]:
	times.assign(times.map(func(time: float) -> float: return time / case.records))
	return times


static func _argument(arguments: PackedStringArray, name: String, usual: String) -> String:
	var index: int = arguments.find(name)
	return arguments[index + 1] if index >= 0 and index + 1 < arguments.size() else usual


## Returns the median of each, in microseconds per call. The first one is the built-in.
static func _medians(rounds: int, timed: Array[Callable], argument: Variant) -> Array[float]:
	var repeats: int = 1
	# Twice: a call that was only interrupted for so long would be measured alone, which the clock is too coarse for.
	while repeats < 100_000 and (timed[0].call(argument, repeats) < WINDOW or timed[0].call(argument, repeats) < WINDOW):
		repeats *= 2
	var times: Array[PackedFloat64Array] = []
	for one: Callable in timed:
		one.call(argument, repeats)
		times.append(PackedFloat64Array())
	var began: int = Time.get_ticks_usec()
	for turn: int in rounds:
		if turn >= FEWEST_ROUNDS and Time.get_ticks_usec() - began > PATIENCE:
			break
		for index: int in timed.size():
			times[index].append(float(timed[index].call(argument, repeats)) / repeats)
	var medians: Array[float] = []
	for series: PackedFloat64Array in times:
		series.sort()
		medians.append(series[series.size() / 2])
	return medians


## The built-in, the replacement of the same name, the call with safe defaults, the same with options and a policy, and the
## call that creates a result.
static func _encoders(objects: bool) -> Array[Callable]:
	if objects:
		return [_encode_objects, _var_bytes_encode_objects, _try_encode_options, _try_encode_options, _encode_new_options]
	return [_encode, _var_bytes_encode, _try_encode, _try_encode_options, _encode_new]


static func _decoders(objects: bool) -> Array[Callable]:
	if objects:
		return [_decode_objects, _var_bytes_decode_objects, _try_decode_options, _try_decode_options, _decode_new_options]
	return [_decode, _var_bytes_decode, _try_decode, _try_decode_options, _decode_new]


static func _options() -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = allows_objects
	options.allowed_classes = {"Resource": ["*"], "RefCounted": ["*"], "Gradient": ["*"], "InputEventKey": ["*"], "Image": ["*"]}
	options.allowed_scripts = {"res://benchmark/unit.gd": ["*"]}
	return options


static func _encode(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = var_to_bytes(value)
	return Time.get_ticks_usec() - began


static func _var_bytes_encode(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.var_to_bytes(value)
	return Time.get_ticks_usec() - began


static func _try_encode(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.try_encode(value)
	return Time.get_ticks_usec() - began


static func _try_encode_options(value: Variant, repeats: int) -> int:
	var options: VarBytesOptions = _options()
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.try_encode(value, options)
	return Time.get_ticks_usec() - began


static func _encode_new(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var result: VarBytesResult = VarBytes.encode(value)
		if result.ok:
			var _bytes: PackedByteArray = result.value
	return Time.get_ticks_usec() - began


static func _encode_new_options(value: Variant, repeats: int) -> int:
	var options: VarBytesOptions = _options()
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var result: VarBytesResult = VarBytes.encode(value, options)
		if result.ok:
			var _bytes: PackedByteArray = result.value
	return Time.get_ticks_usec() - began


static func _decode(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = bytes_to_var(bytes)
	return Time.get_ticks_usec() - began


static func _var_bytes_decode(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.bytes_to_var(bytes)
	return Time.get_ticks_usec() - began


static func _try_decode(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.try_decode(bytes)
	return Time.get_ticks_usec() - began


static func _try_decode_options(bytes: PackedByteArray, repeats: int) -> int:
	var options: VarBytesOptions = _options()
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.try_decode(bytes, null, options)
	return Time.get_ticks_usec() - began


static func _decode_new(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var result: VarBytesResult = VarBytes.decode(bytes)
		if result.ok:
			var _value: Variant = result.value
	return Time.get_ticks_usec() - began


static func _decode_new_options(bytes: PackedByteArray, repeats: int) -> int:
	var options: VarBytesOptions = _options()
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var result: VarBytesResult = VarBytes.decode(bytes, options)
		if result.ok:
			var _value: Variant = result.value
	return Time.get_ticks_usec() - began


static func _encode_objects(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = var_to_bytes_with_objects(value)
	return Time.get_ticks_usec() - began


static func _var_bytes_encode_objects(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.var_to_bytes_with_objects(value)
	return Time.get_ticks_usec() - began


static func _decode_objects(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = bytes_to_var_with_objects(bytes)
	return Time.get_ticks_usec() - began


static func _var_bytes_decode_objects(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.bytes_to_var_with_objects(bytes)
	return Time.get_ticks_usec() - began
