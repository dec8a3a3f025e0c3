extends Node
## Ends the game with an explanation if the library of VarBytes is not loaded. For a project, add this file as the first autoload.
##
## Does not name a class of the library, so that it always compiles.

const MANIFEST: String = "res://addons/varbytes/varbytes.gdextension"


func _enter_tree() -> void:
	var missing: String = explanation()
	if not missing.is_empty():
		push_error(missing)
		if DisplayServer.get_name() != "headless":
			OS.alert(missing, "VarBytes")
		get_tree().quit(1)


## Returns an empty text if the library is loaded, and otherwise what is missing and what to do.
static func explanation() -> String:
	if ClassDB.class_exists(&"VarBytes"):
		return ""
	var build: String = "%s %s %s" % [OS.get_name(), Engine.get_architecture_name(), "debug" if OS.is_debug_build() else "release"]
	var listed: Dictionary[String, String] = libraries()
	for tags: String in listed:
		if not Array(tags.split(".")).all(OS.has_feature):
			continue
		var path: String = listed[tags]
		var folder: String = path.get_base_dir() if OS.has_feature("editor") else exported_folder()
		if FileAccess.file_exists(folder.path_join(path.get_file())):
			var cause: String = "The first error in the log says why."
			if OS.has_feature("editor"):
				cause = "Run `godot --headless --import` in the project once. If it was imported already, the first error in the log says why."
			return "VarBytes is not loaded: %s exists, but the engine has not loaded it. %s" % [path.get_file(), cause]
		return "VarBytes is not loaded: %s is missing, the library for %s. Copy it from the zip of the addon to %s." % [
				path.get_file(), build, folder.trim_prefix("res://")]
	return "VarBytes is not loaded: it has no library for %s, only for %s. Build one as the repository of the addon describes." % [build, ", ".join(listed.keys())]


## Returns the folder of the libraries of an exported game: beside the program, or `Contents/Frameworks` in an app of macOS.
static func exported_folder() -> String:
	var program: String = OS.get_executable_path().get_base_dir()
	return program.path_join("../Frameworks").simplify_path() if OS.has_feature("macos") else program


## Returns the paths of the libraries by their features, such as `linux.release.x86_64`.
static func libraries() -> Dictionary[String, String]:
	var listed: Dictionary[String, String] = {}
	var manifest := ConfigFile.new()
	if manifest.load(MANIFEST) == OK and manifest.has_section("libraries"):
		for tags: String in manifest.get_section_keys("libraries"):
			var path: String = manifest.get_value("libraries", tags)
			listed[tags] = path if path.contains("://") else MANIFEST.get_base_dir().path_join(path)
	return listed
