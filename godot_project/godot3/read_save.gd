extends SceneTree
## Reads a save with `get_var` and describes each record as this engine sees it.
##
## `godot3-server --path godot_project/godot3 -s res://read_save.gd -- --input SAVE --output LINES`

const TaggedJson := preload("res://tagged_json.gd")


func _init() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var arguments: Array = OS.get_cmdline_args()
	var save: File = File.new()
	var descriptions: File = File.new()
	if save.open(arguments[arguments.find("--input") + 1], File.READ) != OK:
		return
	if descriptions.open(arguments[arguments.find("--output") + 1], File.WRITE) != OK:
		return
	var tagged_json: TaggedJson = TaggedJson.new()
	var count: int = 0
	while save.get_position() < save.get_len():
		descriptions.store_line(tagged_json.describe(save.get_var(), TaggedJson.View.DECODED))
		count += 1
	descriptions.close()
	print("{\"complete\": true, \"records\": %d}" % count)
	quit(0)
