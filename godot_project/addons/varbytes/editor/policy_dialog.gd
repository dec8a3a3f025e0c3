@tool
extends ConfirmationDialog
## Makes a policy from sample packets, of which the user can untick classes, scripts and properties.

const PolicyBuilder := preload("policy_builder.gd")
const OutputFile := preload("output_file.gd")
const PolicyTree := preload("policy_tree.gd")

var builder: PolicyBuilder


func _ready() -> void:
	canceled.connect(end)
	%Verify.pressed.connect(_check)


## Adds a packet of this size as a sample, or shows why it is none.
func add(packet: PackedByteArray, size_of_packet: int) -> void:
	if builder == null:
		builder = PolicyBuilder.new()
	var why: String = "the record is longer than %s" % String.humanize_size(PolicyBuilder.MOST)
	if packet.size() == size_of_packet:
		why = builder.add(packet)
	PolicyTree.show(%Listed, builder)
	var lines: PackedStringArray = ["%d packets. Add more records with the same button." % builder.samples.size()]
	if not why.is_empty():
		lines.append(why)
	lines.append_array(builder.warnings)
	if builder.more_warnings > 0:
		lines.append("… and %d more" % builder.more_warnings)
	%Found.text = "\n".join(lines)
	popup_centered()


## Saves the policy, not over the opened file. Returns what to tell about it.
func save(path: String, opened: String) -> String:
	if not opened.is_empty() and OutputFile.is_same(path, opened):
		return OutputFile.OPENED % path
	var output: OutputFile = OutputFile.beside(path)
	if not output.problem.is_empty():
		return output.problem
	var made: FileAccess = FileAccess.create_temp(FileAccess.WRITE_READ, "policy", path.get_extension(), true)
	if made == null:
		return "No temporary file can be made: %s" % error_string(FileAccess.get_open_error())
	var draft: String = made.get_path_absolute()
	made.close()
	var chosen: VarBytesOptions = _chosen()
	var error: Error = ResourceSaver.save(chosen, draft)
	# Scenes of the project find a policy by this number. Not every version of Godot can set it.
	var uid: int = ResourceLoader.get_resource_uid(ProjectSettings.localize_path(path)) if FileAccess.file_exists(path) else -1
	if error == OK and uid != -1 and ResourceSaver.has_method(&"set_uid"):
		error = ResourceSaver.call(&"set_uid", draft, uid)
	# The engine does not notice that a file was not written completely.
	if error == OK and _stored(ResourceLoader.load(draft, "", ResourceLoader.CACHE_MODE_IGNORE)) == _stored(chosen):
		output.store(FileAccess.get_file_as_bytes(draft))
	elif error == ERR_FILE_UNRECOGNIZED:
		output.fail("%s cannot be written: %s. End the name with .tres or .res" % [path, error_string(error)])
	else:
		output.fail("%s cannot be written; the disk of temporary files may be full: %s" % [path, draft.get_base_dir()])
	DirAccess.remove_absolute(draft)
	if not output.finish():
		return output.problem
	if Engine.is_editor_hint():
		Engine.get_singleton(&"EditorInterface").get_resource_filesystem().update_file(ProjectSettings.localize_path(path))
	end()
	return "Saved %s" % path


## Forgets the samples and what was unticked.
func end() -> void:
	builder = null
	%Listed.clear()


## Returns the names and values that are saved of a resource.
static func _stored(resource: Resource) -> Dictionary:
	var values: Dictionary = {}
	for property: Dictionary in resource.get_property_list() if resource != null else []:
		if property.usage & PROPERTY_USAGE_STORAGE:
			values[property.name] = resource.get(property.name)
	return values


func _check() -> void:
	var faults: PackedStringArray = builder.faults(_chosen())
	%Found.text = "All packets can be read with this policy. Collisions of keys are not checked." if faults.is_empty() else "\n".join(faults)


func _chosen() -> VarBytesOptions:
	return PolicyTree.chosen(%Listed, builder).options(int(%Headroom.value))
