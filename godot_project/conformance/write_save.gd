extends SceneTree
## Writes a save with `store_var`, and a description of its records by this engine.
##
## `godot --headless --path godot_project -s res://conformance/write_save.gd -- --output DIR`
## The last line of a complete run says so in JSON.

const SaveSet := preload("res://conformance/save_set.gd")
const Generator := preload("res://conformance/generate_vectors.gd")


func _initialize() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var directory: String = arguments[arguments.find("--output") + 1]
	var saves := SaveSet.new()
	saves.file = FileAccess.open(directory.path_join("every_type.save"), FileAccess.WRITE)
	for family: GDScript in Generator.VALUES:
		family.new().add_to(saves)
	saves.file.close()
	var lines: FileAccess = FileAccess.open(directory.path_join("every_type.jsonl"), FileAccess.WRITE)
	if saves.failures > 0 or not lines.store_string("\n".join(saves.descriptions) + "\n"):
		return
	lines.close()
	print("{\"complete\": true, \"records\": %d}" % saves.descriptions.size())
	quit(0)
