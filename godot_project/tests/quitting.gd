extends SceneTree
## Quits while work of `decode_async` and `encode_async` runs, and while some has not begun:
## `godot --headless --path godot_project -s res://tests/quitting.gd`. With `-- --later` it quits in the next frame. The engine
## must end without a crash and without leaks, also of the variables of a function that awaits.


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var save: Array = range(1_000_000)
	var bytes: PackedByteArray = var_to_bytes(save)
	for turn: int in 10:
		VarBytes.decode_async(bytes)
		VarBytes.encode_async(save).finished.connect(func(result: VarBytesResult) -> void: print(result))
	var saver := Saver.new()
	root.add_child(saver)
	saver.save(save)
	if OS.get_cmdline_user_args().has("--later"):
		await process_frame
	print("VARBYTES QUITS")
	quit()


class Saver:
	extends Node

	func save(value: Array) -> void:
		var result: VarBytesResult = await VarBytes.encode_async(value).finished
		print(result)
