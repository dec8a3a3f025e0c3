extends PanelContainer
## Shows what one way to read a packet did.

const Readers := preload("res://demo/readers.gd")

const GOOD := Color("7fe08a")
const BAD := Color("ff7b72")
const QUIET := Color("9aa4bf")

var _box := StyleBoxFlat.new()
var _call := Label.new()
var _text := Label.new()
var _time := Label.new()


func _init() -> void:
	size_flags_horizontal = SIZE_EXPAND_FILL
	size_flags_stretch_ratio = 1.0
	_box.bg_color = Color("262b3a")
	_box.border_width_left = 4
	_box.set_corner_radius_all(6)
	_box.set_content_margin_all(14)
	add_theme_stylebox_override(&"panel", _box)
	var rows := VBoxContainer.new()
	add_child(rows)
	for label: Label in [_call, _text, _time]:
		label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		rows.add_child(label)
	_text.size_flags_vertical = SIZE_EXPAND_FILL
	_text.add_theme_font_size_override(&"font_size", 17)
	_call.add_theme_color_override(&"font_color", QUIET)
	_time.add_theme_color_override(&"font_color", QUIET)


func show_outcome(call_text: String, outcome: Readers.Outcome) -> void:
	var color: Color = GOOD if outcome.damage.is_empty() else BAD
	_box.border_color = color
	_call.text = call_text
	_text.text = outcome.text
	_text.add_theme_color_override(&"font_color", color)
	_time.text = "%.1f ms" % outcome.milliseconds
