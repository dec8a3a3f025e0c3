@tool
extends EditorPlugin
## Adds the panel to the editor, and the check of exports. The folder of this file is not part of exported games.

const ExportCheck := preload("export_check.gd")
const MISSING: String = "The panel cannot be shown. %s"

var _panel: Control
var _check: EditorExportPlugin


func _enter_tree() -> void:
	_check = ExportCheck.new()
	add_export_plugin(_check)
	if not ClassDB.class_exists(&"VarBytes"):
		push_error(MISSING % preload("../guard.gd").explanation())
		return
	# Loaded late: without the library it does not compile.
	var scene: PackedScene = load(get_script().resource_path.get_base_dir().path_join("panel.tscn"))
	_panel = scene.instantiate()
	add_control_to_bottom_panel(_panel, "VarBytes")


func _exit_tree() -> void:
	remove_export_plugin(_check)
	if _panel != null:
		remove_control_from_bottom_panel(_panel)
		_panel.queue_free()
