extends SceneTree
## Writes the reference vectors: what this engine writes, accepts, rejects and refuses.
##
## `godot3-server --path godot_project/godot3 -s res://generate_vectors.gd -- --output DIR`
## A relative DIR is relative to the project, because the engine changes its working directory.
##
## The last line of a complete run says so in JSON. Without that line, or if the engine printed SCRIPT ERROR, do not use
## the directory: a script error only ends its function, so cases are missing. The exit code has no meaning. Other
## errors that the engine prints concern bytes that it rejects.

const TaggedJson := preload("res://tagged_json.gd")
const VectorSet := preload("res://vector_set.gd")

## Values that are not objects; saves are made of them too.
const VALUES: Array = [
	preload("res://cases/scalars.gd"),
	preload("res://cases/text.gd"),
	preload("res://cases/math.gd"),
	preload("res://cases/arrays.gd"),
	preload("res://cases/dictionaries.gd"),
	preload("res://cases/packed.gd"),
]
const OTHERS: Array = [
	preload("res://cases/objects.gd"),
	preload("res://cases/object_containers.gd"),
	preload("res://cases/non_canonical_forms.gd"),
	preload("res://cases/non_canonical_text.gd"),
	preload("res://cases/non_canonical_keys.gd"),
	preload("res://cases/non_canonical_objects.gd"),
	preload("res://cases/rejected_forms.gd"),
	preload("res://cases/rejected_containers.gd"),
	preload("res://cases/refused.gd"),
]


func _init() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var arguments: Array = OS.get_cmdline_args()
	var position: int = arguments.find("--output")
	if position < 0 or position + 1 >= arguments.size():
		push_error("the option --output is missing: -- --output DIR")
		return
	var vectors: VectorSet = VectorSet.new()
	for family in VALUES + OTHERS:
		family.new().add_to(vectors)
	if vectors.failures > 0 or not _write(vectors, arguments[position + 1]):
		push_error("the vectors are incomplete")
		return
	# Godot 3 has no double-precision build.
	print("{\"complete\": true, \"cases\": %d, \"engine\": %s, \"double\": false}" % [vectors.size(),
			TaggedJson.new().quote(Engine.get_version_info()["string"])])
	quit(0)


func _write(vectors: VectorSet, directory: String) -> bool:
	var error: int = Directory.new().make_dir_recursive(directory.plus_file("canonical"))
	if error != OK:
		push_error("cannot make \"%s\": error %d" % [directory, error])
		return false
	for file in vectors.files():
		var lines: Array = vectors.lines_of(file)
		# Godot 3.2 refuses nothing: its only limit is the stack.
		if lines.empty() and file != "refused":
			push_error("there is no case for %s" % file)
			return false
		var content: String = "" if lines.empty() else PoolStringArray(lines).join("\n") + "\n"
		if not _write_whole(directory.plus_file(file + ".jsonl"), content):
			return false
		print("%s: %d cases" % [file.get_file(), lines.size()])
	return true


## Writes under another name first, so an existing file is always complete.
func _write_whole(path: String, content: String) -> bool:
	var temporary: String = path + ".part"
	var file: File = File.new()
	var error: int = file.open(temporary, File.WRITE)
	if error == OK:
		file.store_string(content)
		error = file.get_error()
		file.close()
	if error == OK:
		error = Directory.new().rename(temporary, path)
	if error != OK:
		push_error("cannot write \"%s\": error %d" % [path, error])
	return error == OK
