extends SceneTree
## Times VarBytes against the built-ins: `godot --headless --path godot_project -s res://benchmark/benchmark.gd`.
##
## Built-in and VarBytes run alternately in one process. Prints the medians and the ratio built-in/VarBytes. Options
## after `--`: `--rounds n`, and `--case text` for cases whose name contains the text.

const Cases := preload("res://benchmark/cases.gd")

## The minimum duration of a measurement in microseconds, so that the clock's resolution does not matter.
const WINDOW: int = 2000


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var rounds: int = _argument(arguments, "--rounds", "15").to_int()
	var wanted: String = _argument(arguments, "--case", "")
	print(VarBytes.engine_report())
	print("%-32s %10s | %10s %10s %6s | %10s %10s %6s | %6s" % ["case", "bytes", "encode us", "VarBytes", "ratio", "decode us", "VarBytes", "ratio", "target"])
	var misses: PackedStringArray = []
	for case: Cases.Case in Cases.all():
		if not wanted.is_empty() and not case.name.contains(wanted):
			continue
		var value: Variant = case.make.call()
		var bytes: PackedByteArray = var_to_bytes_with_objects(value) if case.objects else var_to_bytes(value)
		var same: bool = bytes == (VarBytes.var_to_bytes_with_objects(value) if case.objects else VarBytes.var_to_bytes(value))
		if not same:
			misses.append("%s: the bytes differ" % case.name)
		var encode: Array[float] = _measure(rounds, _encoder(false, case.objects), _encoder(true, case.objects), value)
		var decode: Array[float] = _measure(rounds, _decoder(false, case.objects), _decoder(true, case.objects), bytes)
		print("%-32s %10d | %10.2f %10.2f %6.2f | %10.2f %10.2f %6.2f | %6.1f%s" % [case.name, bytes.size(),
				encode[0], encode[1], encode[0] / encode[1], decode[0], decode[1], decode[0] / decode[1], case.target,
				"" if minf(encode[0] / encode[1], decode[0] / decode[1]) >= case.target else " <"])
		if encode[0] / encode[1] < case.target:
			misses.append("%s, encode: %.2f of %.1f" % [case.name, encode[0] / encode[1], case.target])
		if decode[0] / decode[1] < case.target:
			misses.append("%s, decode: %.2f of %.1f" % [case.name, decode[0] / decode[1], case.target])
	print("under target: %s" % ("none" if misses.is_empty() else "\n  " + "\n  ".join(misses)))
	print("VARBYTES BENCHMARK DONE")
	quit()


func _argument(arguments: PackedStringArray, name: String, usual: String) -> String:
	var index: int = arguments.find(name)
	return arguments[index + 1] if index >= 0 and index + 1 < arguments.size() else usual


## Returns the medians of both, in microseconds per call.
func _measure(rounds: int, built_in: Callable, ours: Callable, argument: Variant) -> Array[float]:
	var repeats: int = 1
	while repeats < 100_000 and built_in.call(argument, repeats) < WINDOW:
		repeats *= 2
	ours.call(argument, repeats)
	var times: Array[PackedFloat64Array] = [PackedFloat64Array(), PackedFloat64Array()]
	for turn: int in rounds:
		times[0].append(float(built_in.call(argument, repeats)) / repeats)
		times[1].append(float(ours.call(argument, repeats)) / repeats)
	var medians: Array[float] = []
	for series: PackedFloat64Array in times:
		series.sort()
		medians.append(series[series.size() / 2])
	return medians


func _encoder(ours: bool, objects: bool) -> Callable:
	if objects:
		return _time_var_bytes_encode_objects if ours else _time_encode_objects
	return _time_var_bytes_encode if ours else _time_encode


func _decoder(ours: bool, objects: bool) -> Callable:
	if objects:
		return _time_var_bytes_decode_objects if ours else _time_decode_objects
	return _time_var_bytes_decode if ours else _time_decode


static func _time_encode(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = var_to_bytes(value)
	return Time.get_ticks_usec() - began


static func _time_var_bytes_encode(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.var_to_bytes(value)
	return Time.get_ticks_usec() - began


static func _time_decode(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = bytes_to_var(bytes)
	return Time.get_ticks_usec() - began


static func _time_var_bytes_decode(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.bytes_to_var(bytes)
	return Time.get_ticks_usec() - began


static func _time_encode_objects(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = var_to_bytes_with_objects(value)
	return Time.get_ticks_usec() - began


static func _time_var_bytes_encode_objects(value: Variant, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _bytes: PackedByteArray = VarBytes.var_to_bytes_with_objects(value)
	return Time.get_ticks_usec() - began


static func _time_decode_objects(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = bytes_to_var_with_objects(bytes)
	return Time.get_ticks_usec() - began


static func _time_var_bytes_decode_objects(bytes: PackedByteArray, repeats: int) -> int:
	var began: int = Time.get_ticks_usec()
	for index: int in repeats:
		var _value: Variant = VarBytes.bytes_to_var_with_objects(bytes)
	return Time.get_ticks_usec() - began
