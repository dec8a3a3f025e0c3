extends VBoxContainer
## Shows one packet from top to bottom: its title, its first bytes, and the results of reading it.

const GOOD := Color("7fe08a")
const BAD := Color("ff7b72")
const QUIET := Color("9aa4bf")
const PAPER := Color("262b3a")

const SHOWN_BYTES: int = 112
const BYTES_IN_LINE: int = 16


func show_packet(title: String, note: String, packet: PackedByteArray) -> void:
	size_flags_horizontal = SIZE_EXPAND_FILL
	# Both columns have the same width, independent of their content.
	size_flags_stretch_ratio = 1.0
	add_theme_constant_override(&"separation", 12)
	add_child(_label(title, 26, Color.WHITE))
	add_child(_label(note, 16, QUIET))
	var lines: PackedStringArray = []
	for at: int in range(0, mini(packet.size(), SHOWN_BYTES), BYTES_IN_LINE):
		lines.append(_line(packet.slice(at, at + BYTES_IN_LINE)))
	lines.append("… %d bytes in all" % packet.size())
	var dump: Label = _label("\n".join(lines), 12, QUIET)
	var font := SystemFont.new()
	font.font_names = ["DejaVu Sans Mono", "Consolas", "Menlo", "monospace"]
	dump.add_theme_font_override(&"font", font)
	dump.autowrap_mode = TextServer.AUTOWRAP_OFF
	dump.clip_text = true
	dump.custom_minimum_size.y = 136
	add_child(_card([dump], PAPER))


func show_outcome(call_text: String, text: String, good: bool) -> void:
	var color: Color = GOOD if good else BAD
	var card: PanelContainer = _card([_label(call_text, 16, QUIET), _label(text, 18, color)], color)
	# Cards of both columns have the same height.
	card.custom_minimum_size.y = 148
	add_child(card)


func _line(bytes: PackedByteArray) -> String:
	var hex: PackedStringArray = []
	var text: String = ""
	for byte: int in bytes:
		hex.append("%02x" % byte)
		text += char(byte) if byte >= 32 and byte < 127 else "·"
	return "%s  %s" % [" ".join(hex).rpad(BYTES_IN_LINE * 3 - 1), text]


func _label(text: String, size_of_text: int, color: Color) -> Label:
	var label := Label.new()
	label.text = text
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.add_theme_font_size_override(&"font_size", size_of_text)
	label.add_theme_color_override(&"font_color", color)
	return label


func _card(content: Array[Control], edge: Color) -> PanelContainer:
	var box := StyleBoxFlat.new()
	box.bg_color = PAPER
	box.border_color = edge
	box.border_width_left = 4
	box.set_corner_radius_all(6)
	box.set_content_margin_all(16)
	var rows := VBoxContainer.new()
	rows.add_theme_constant_override(&"separation", 8)
	for row: Control in content:
		rows.add_child(row)
	var card := PanelContainer.new()
	card.add_theme_stylebox_override(&"panel", box)
	card.add_child(rows)
	return card
