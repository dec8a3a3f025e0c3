extends "res://tests/suite.gd"
## The scripts of the addon and of the demo have no warnings, and every declaration has a type. Those of the benchmark compile.

const FOLDERS: Array[String] = ["res://addons/varbytes/", "res://addons/varbytes/editor/", "res://demo/"]
const BENCHMARK: String = "res://benchmark/"
const SETTING: String = "debug/gdscript/warnings/"
const ERROR: int = 2

## Warnings that are off in a new project and stay off: names of types that nodes of a scene get from their scripts.
const OFF: Array[String] = ["inferred_declaration", "unsafe_property_access", "unsafe_method_access", "unsafe_cast", "unsafe_call_argument", "return_value_discarded", "missing_await"]


func run() -> bool:
	var before: Dictionary[String, Variant] = {}
	for property: Dictionary in ProjectSettings.get_property_list():
		var title: String = property.name
		if title.begins_with(SETTING) and property.type == TYPE_INT and title.trim_prefix(SETTING) not in OFF:
			before[title] = ProjectSettings.get_setting(title)
			ProjectSettings.set_setting(title, ERROR)
	before[SETTING + "directory_rules"] = ProjectSettings.get_setting(SETTING + "directory_rules")
	ProjectSettings.set_setting(SETTING + "directory_rules", {})
	await _settings_are_read()
	check(before.size() > 30, "the engine has warnings: %d" % before.size())
	check(quietly(func() -> Array: return [_compiles("func f(a):\n\treturn a\n", "")]) == false, "a warning is an error here")
	for folder: String in FOLDERS:
		for file: String in DirAccess.get_files_at(folder):
			# Scripts that only the editor's build knows cannot be compiled in others.
			if file.ends_with(".gd") and (OS.has_feature("editor") or file not in ["plugin.gd", "export_check.gd"]):
				check(_compiles(FileAccess.get_file_as_string(folder + file), folder + file), file)
	for title: String in before:
		ProjectSettings.set_setting(title, before[title])
	await _settings_are_read()
	check(_compiles("func f(a):\n\treturn 1 / 2\n", ""), "the settings of the other suites are as before")
	# Most of them run only when somebody measures.
	for file: String in DirAccess.get_files_at(BENCHMARK):
		if file.ends_with(".gd"):
			check(_compiles(FileAccess.get_file_as_string(BENCHMARK + file), BENCHMARK + file), file)
	return true


## The parser reads the settings in the next frame.
func _settings_are_read() -> void:
	await Engine.get_main_loop().process_frame
	await Engine.get_main_loop().process_frame


## Compiles a script. Its path is in another file of the same folder, so that the script itself is not in use.
func _compiles(source: String, path: String) -> bool:
	var script := GDScript.new()
	script.source_code = source
	if not path.is_empty():
		script.resource_path = path + ".checked.gd"
	return script.reload() == OK
