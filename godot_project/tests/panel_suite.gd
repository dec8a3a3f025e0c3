extends "res://tests/suite.gd"
## The base of suites that drive the panel's scene as a person does.

const EDITOR: String = "res://addons/varbytes/editor/"
const ValuePanel := preload(EDITOR + "panel.gd")

var panel: ValuePanel


func _show_panel() -> void:
	var root: Window = Engine.get_main_loop().root
	panel = load(EDITOR + "panel.tscn").instantiate()
	root.size = Vector2i(1600, 900)
	panel.size = Vector2(1400, 420)
	root.add_child(panel)
	await _frames(2)


func _remove_files(beginning: String) -> void:
	for file: String in DirAccess.get_files_at("user://"):
		if file.begins_with(beginning):
			DirAccess.remove_absolute("user://" + file)


## Selects the value with a path.
func _select(path: String) -> void:
	for part: int in panel.packet.size():
		if panel.packet.roles[part] == panel.PacketTree.Role.VALUE and panel.packet.path_of(part) == path:
			panel.select_part(part)


func _choose(engine: String) -> void:
	for item: int in panel.get_node("%Engine").item_count:
		if panel.get_node("%Engine").engine_of(item) == engine:
			panel.get_node("%Engine").select(item)
			panel._choose_engine(item)


func _type(text: String) -> void:
	panel.get_node("%Edit").text = text
	panel.get_node("%Apply").pressed.emit()


## Answers the question about an unsaved edit: presses a button of the dialog.
func _answer(button: String) -> void:
	var dialog: ConfirmationDialog = panel.get_node("%Unsaved")
	check(dialog.visible, "the dialog is shown")
	for found: Button in dialog.find_children("*", "Button", true, false):
		if found.text == button:
			found.pressed.emit()
	# The engine hides a canceled dialog later.
	await _frames(1)
	check(not dialog.visible, "%s closes the dialog" % button)


func _read(path: String) -> Array:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	var values: Array = []
	while file.get_position() < file.get_length():
		values.append(file.get_var())
	return values


func _frames(count: int) -> void:
	for frame: int in count:
		await Engine.get_main_loop().process_frame


func _until_done() -> void:
	await _frames(1)
	while panel._job != null or panel._finder != null:
		await _frames(1)


func _write(path: String, values: Array) -> void:
	var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
	for value: Variant in values:
		file.store_var(value)


## Clicks on a row of a list, at a column of characters.
func _click(rows: Control, row: int, column: int) -> void:
	var click := InputEventMouseButton.new()
	click.button_index = MOUSE_BUTTON_LEFT
	click.pressed = true
	click.position = Vector2(6 + (column + 0.5) * rows.cell(), (row - rows.first_row + 0.5) * rows.row_height())
	rows._gui_input(click)
