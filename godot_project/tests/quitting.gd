extends SceneTree
## Quits while work of `decode_async` and `encode_async` runs, and while some has not begun:
## `godot --headless --path godot_project -s res://tests/quitting.gd`. With `-- --later` it quits in the next frame. The engine
## must end without a crash and without leaks, also of the variables of a function that awaits, and of functions in results.

static var kept: VarBytesResult = _with_function()


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var save: Array = range(1_000_000)
	var bytes: PackedByteArray = var_to_bytes(save)
	for turn: int in 10:
		VarBytes.decode_async(bytes)
		VarBytes.encode_async(save).finished.connect(func(result: VarBytesResult) -> void: print(result))
	_with_function()
	var saver := Saver.new()
	root.add_child(saver)
	saver.save(save)
	if OS.get_cmdline_user_args().has("--later"):
		await process_frame
	print("VARBYTES QUITS")
	quit()


static func _with_function() -> VarBytesResult:
	var result: VarBytesResult = VarBytes.decode(var_to_bytes(5))
	result.set_meta("function", func() -> void: pass)
	result.script_changed.connect(func() -> void: pass)
	return result


class Saver:
	extends Node

	func save(value: Array) -> void:
		var result: VarBytesResult = await VarBytes.encode_async(value).finished
		print(result)
