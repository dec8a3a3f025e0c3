extends SceneTree
## Writes and reads a save for save_editor: `godot --headless --path . --script res://save.gd -- write|read FILE`


func _initialize() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var player: Dictionary = {"name": "Ada", "hp": 7, "position": Vector3(1, 2, 3)}
	var items: Array[Dictionary] = [{"name": "axe"}]
	if arguments[0] == "write":
		var file := FileAccess.open(arguments[1], FileAccess.WRITE)
		file.store_var("header")
		file.store_var({"player": player, "items": items})
		file.store_var([&"last", 0.1])
		file.close()
	else:
		player["hp"] = 100
		var file := FileAccess.open(arguments[1], FileAccess.READ)
		var read: Array = [file.get_var(), file.get_var(), file.get_var()]
		if read != ["header", {"player": player, "items": items}, [&"last", 0.1]] or not file.get_position() == file.get_length():
			printerr("unexpected save: ", read)
			quit(1)
			return
	print(JSON.stringify({"complete": true}))
	quit()
