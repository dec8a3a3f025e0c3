@tool
extends Control
## A list of rows of text of which only the visible ones are read and drawn.

const MARGIN: int = 6

var row_count: int = 0:
	set(count):
		row_count = count
		_update_bar()
## The first visible row.
var first_row: int:
	get:
		return int(_bar.value)
	set(row):
		_bar.value = row
var font: Font
var font_size: int = 14

var _bar := VScrollBar.new()


func _init() -> void:
	focus_mode = Control.FOCUS_ALL
	clip_contents = true
	_bar.step = 1
	_bar.value_changed.connect(_scrolled)
	add_child(_bar)


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_READY, NOTIFICATION_THEME_CHANGED:
			_choose_font()
			_update_bar()
		NOTIFICATION_RESIZED:
			_update_bar()
		NOTIFICATION_FOCUS_ENTER, NOTIFICATION_FOCUS_EXIT:
			queue_redraw()


func row_height() -> int:
	return ceili(font.get_height(font_size)) + 2 if font != null else 18


func visible_rows() -> int:
	return maxi(1, floori(size.y / row_height()))


func show_row(row: int) -> void:
	if row < first_row or row >= first_row + visible_rows():
		first_row = row - floori(visible_rows() / 3.0)


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, size), Color(0, 0, 0, 0.15))
	for row: int in range(first_row, mini(first_row + visible_rows() + 1, row_count)):
		_draw_row(row, (row - first_row) * row_height())
	if has_focus():
		draw_rect(Rect2(Vector2.ONE, size - Vector2(2, 2)), color(&"accent_color", Color("569eff")), false)


## Draws text of one row at a column of characters.
func put(text: String, column: int, y: int, with: Color) -> void:
	var at := Vector2(MARGIN + column * cell(), y + font.get_ascent(font_size) + 1)
	draw_string(font, at, text, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size, with)


## Returns the width of a character.
func cell() -> float:
	return font.get_char_size(48, font_size).x if font != null else 8.0


## Returns a color of the editor, or another one outside of the editor.
func color(title: StringName, otherwise: Color) -> Color:
	return get_theme_color(title, &"Editor") if has_theme_color(title, &"Editor") else otherwise


func text_color() -> Color:
	return color(&"font_color", Color(0.88, 0.88, 0.88))


func _gui_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed:
		match button.button_index:
			MOUSE_BUTTON_WHEEL_UP:
				first_row -= 3
			MOUSE_BUTTON_WHEEL_DOWN:
				first_row += 3
			MOUSE_BUTTON_LEFT:
				grab_focus()
				_row_clicked(first_row + floori(button.position.y / row_height()), button.position.x)
			_:
				return
		accept_event()
	for action: StringName in _steps():
		if event.is_action_pressed(action, true):
			_moved(_steps()[action])
			accept_event()


## Returns how many rows each key moves.
func _steps() -> Dictionary[StringName, int]:
	return {
		&"ui_up": -1, &"ui_down": 1, &"ui_page_up": -visible_rows(), &"ui_page_down": visible_rows(),
		&"ui_home": -row_count, &"ui_end": row_count,
	}


func _scrolled(_row: float) -> void:
	queue_redraw()


func _update_bar() -> void:
	_bar.size = Vector2(_bar.get_combined_minimum_size().x, size.y)
	_bar.position = Vector2(size.x - _bar.size.x, 0)
	_bar.max_value = maxi(row_count, 1)
	_bar.page = visible_rows()
	_bar.visible = row_count > visible_rows()
	queue_redraw()


func _choose_font() -> void:
	if has_theme_font(&"source", &"EditorFonts"):
		font = get_theme_font(&"source", &"EditorFonts")
		font_size = get_theme_font_size(&"source_size", &"EditorFonts")
	else:
		var system := SystemFont.new()
		system.font_names = ["DejaVu Sans Mono", "Consolas", "Menlo", "monospace"]
		font = system


## Overridden: draws a row.
func _draw_row(_row: int, _y: int) -> void:
	pass


## Overridden: a row was clicked, which may be after the last one.
func _row_clicked(_row: int, _x: float) -> void:
	pass


## Overridden: the selection moves by some rows.
func _moved(_rows: int) -> void:
	pass
