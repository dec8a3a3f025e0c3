extends SceneTree
## Writes the reference vectors: what this engine writes, accepts, rejects and refuses.
##
## `godot --headless --path godot_project -s res://conformance/generate_vectors.gd -- --output DIR`
## A relative DIR is relative to the project, because the engine changes its working directory.
## The last line of a complete run says so in JSON. Without that line, do not use the directory.

const TaggedJson := preload("res://conformance/tagged_json.gd")
const VectorSet := preload("res://conformance/vector_set.gd")

## Values that are not objects; saves are made of them too.
const VALUES: Array[GDScript] = [
	preload("res://conformance/cases/scalars.gd"),
	preload("res://conformance/cases/text.gd"),
	preload("res://conformance/cases/math.gd"),
	preload("res://conformance/cases/arrays.gd"),
	preload("res://conformance/cases/dictionaries.gd"),
	preload("res://conformance/cases/packed.gd"),
]
const OTHERS: Array[GDScript] = [
	preload("res://conformance/cases/objects.gd"),
	preload("res://conformance/cases/object_containers.gd"),
	preload("res://conformance/cases/non_canonical_forms.gd"),
	preload("res://conformance/cases/non_canonical_keys.gd"),
	preload("res://conformance/cases/non_canonical_members.gd"),
	preload("res://conformance/cases/non_canonical_objects.gd"),
	preload("res://conformance/cases/rejected_forms.gd"),
	preload("res://conformance/cases/rejected_containers.gd"),
	preload("res://conformance/cases/refused.gd"),
]


## Counts script errors: a script error only ends its function, so cases would be missing silently.
class ScriptErrorCount:
	extends Logger

	var count: int = 0

	func _log_error(_function: String, _file: String, _line: int, _code: String, _rationale: String,
			_editor_notify: bool,
			error_type: int, _script_backtraces: Array[ScriptBacktrace]) -> void:
		if error_type == ERROR_TYPE_SCRIPT:
			count += 1


func _initialize() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var script_errors := ScriptErrorCount.new()
	OS.add_logger(script_errors)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var position: int = arguments.find("--output")
	if position < 0 or position + 1 >= arguments.size():
		push_error("the option --output is missing: -- --output DIR")
		return
	var vectors := VectorSet.new()
	for family: GDScript in VALUES + OTHERS:
		family.new().add_to(vectors)
	if vectors.failures > 0 or script_errors.count > 0 or not _write(vectors, arguments[position + 1]):
		push_error("the vectors are incomplete")
		return
	print("{\"complete\": true, \"cases\": %d, \"engine\": %s, \"double\": %s}" % [vectors.size(),
			TaggedJson.quote(Engine.get_version_info()["string"]), OS.has_feature("double")])
	quit(0)


func _write(vectors: VectorSet, directory: String) -> bool:
	var error: Error = DirAccess.make_dir_recursive_absolute(directory.path_join("canonical"))
	if error != OK:
		push_error("cannot create \"%s\": %s" % [directory, error_string(error)])
		return false
	for file: String in vectors.files():
		var lines: PackedStringArray = vectors.lines_of(file)
		if lines.is_empty():
			push_error("there is no case for %s" % file)
			return false
		if not _write_whole(directory.path_join(file + ".jsonl"), "\n".join(lines) + "\n"):
			return false
		print("%s: %d cases" % [file.get_file(), lines.size()])
	return true


## Writes under another name first, so an existing file is always complete.
func _write_whole(path: String, content: String) -> bool:
	var temporary: String = path + ".part"
	var file: FileAccess = FileAccess.open(temporary, FileAccess.WRITE)
	if file == null:
		push_error("cannot write \"%s\": %s" % [path, error_string(FileAccess.get_open_error())])
		return false
	var stored: bool = file.store_string(content)
	file.close()
	var error: Error = DirAccess.rename_absolute(temporary, path) if stored else ERR_FILE_CANT_WRITE
	if error != OK:
		push_error("cannot write \"%s\": %s" % [path, error_string(error)])
		return false
	return true
