@tool
extends EditorExportPlugin
## Warns, or fails the export, if the library for the target is missing: then every script of the game that names a class of
## VarBytes does not compile.

const Guard := preload("../guard.gd")
const MISSING: String = "res://addons/varbytes/bin/the library of this platform"
const OPTION: StringName = &"varbytes/missing_library"
const ARCHITECTURES: PackedStringArray = ["x86_64", "x86_32", "arm64", "arm32", "rv64", "ppc64", "loongarch64", "wasm32"]

enum Then { WARN, FAIL, IGNORE }


func _get_name() -> String:
	return "VarBytes"


func _supports_platform(_platform: EditorExportPlatform) -> bool:
	return true


func _get_export_options(_platform: EditorExportPlatform) -> Array[Dictionary]:
	var option: Dictionary = {
		"name": OPTION, "type": TYPE_INT, "hint": PROPERTY_HINT_ENUM, "hint_string": "Warn,Fail the export,Ignore",
		"usage": PROPERTY_USAGE_DEFAULT,
	}
	return [{"option": option, "default_value": Then.WARN}]


func _export_begin(features: PackedStringArray, _is_debug: bool, _path: String, _flags: int) -> void:
	var then: int = get_option(OPTION) if get_option(OPTION) is int else Then.WARN
	var kind: EditorExportPlatform.ExportMessageType = EditorExportPlatform.EXPORT_MESSAGE_ERROR if then == Then.FAIL else EditorExportPlatform.EXPORT_MESSAGE_WARNING
	for line: String in missing(features) if then != Then.IGNORE else PackedStringArray():
		get_export_platform().add_message(kind, "VarBytes", line)
		if then == Then.FAIL:
			# The engine has no call that fails an export. It fails if a library that is added cannot be copied.
			add_shared_object(MISSING, PackedStringArray(), "")


## Returns what is missing for an export with these features, one line for each architecture.
static func missing(features: PackedStringArray) -> PackedStringArray:
	var lines: PackedStringArray = []
	var architectures: Array = Array(ARCHITECTURES).filter(func(title: String) -> bool: return title in features)
	if "universal" in features:
		architectures = ["x86_64", "arm64"]
	for architecture: String in architectures if not architectures.is_empty() else [""]:
		var line: String = _missing_for(features, architecture)
		if not line.is_empty():
			lines.append(line)
	return lines


static func _missing_for(features: PackedStringArray, architecture: String) -> String:
	var listed: Dictionary[String, String] = Guard.libraries()
	for tags: String in listed:
		if Array(tags.split(".")).all(func(tag: String) -> bool: return tag == architecture or tag in features and tag not in ARCHITECTURES):
			return "" if FileAccess.file_exists(listed[tags]) else "%s is missing, the library for %s. Copy it from the zip of the addon." % [listed[tags], tags]
	var target: PackedStringArray = []
	for title: String in ["linux", "windows", "macos", "android", "ios", "web", "debug", "release"]:
		if title in features:
			target.append(title)
	target.append(architecture)
	return "%s has no library for %s, only for %s. Without it, no script that names VarBytes compiles in the exported game." % [
			Guard.MANIFEST, ".".join(target), ", ".join(listed.keys())]
