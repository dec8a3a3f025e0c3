extends MainLoop
## Quits while work of `decode_async` runs, without a SceneTree:
## `godot --headless --path godot_project -s res://tests/quitting_loop.gd`. The engine must end. Before Godot 4.5 the program has to wait.

var _tasks: Array[VarBytesTask] = []


func _initialize() -> void:
	var bytes: PackedByteArray = var_to_bytes(range(1_000_000))
	for turn: int in 10:
		_tasks.append(VarBytes.decode_async(bytes))
	if Engine.get_version_info().hex < 0x040500:
		for task: VarBytesTask in _tasks:
			task.wait()
	print("VARBYTES QUITS")


func _process(_delta: float) -> bool:
	return true
