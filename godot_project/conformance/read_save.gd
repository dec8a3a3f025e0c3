extends SceneTree
## Reads a save with `get_var` and describes each record as this engine sees it.
##
## `godot --headless --path godot_project -s res://conformance/read_save.gd -- --input SAVE --output LINES [--objects]`

const Decoded := preload("res://conformance/decoded.gd")
const TaggedJson := preload("res://conformance/tagged_json.gd")


func _initialize() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var save: FileAccess = FileAccess.open(arguments[arguments.find("--input") + 1], FileAccess.READ)
	var descriptions: FileAccess = FileAccess.open(arguments[arguments.find("--output") + 1], FileAccess.WRITE)
	if save == null or descriptions == null:
		return
	var count: int = 0
	while save.get_position() < save.get_length():
		var value: Variant = save.get_var("--objects" in arguments)
		descriptions.store_line(TaggedJson.describe(value, TaggedJson.View.DECODED))
		Decoded.release(value)
		count += 1
	descriptions.close()
	print("{\"complete\": true, \"records\": %d}" % count)
	quit(0)
