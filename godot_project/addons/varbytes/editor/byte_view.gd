@tool
extends "rows_view.gd"
## The bytes of a record in hexadecimal and as text. Only the visible ones are read.

signal byte_selected(offset: int)

const WIDTHS: Array[int] = [32, 16, 8]
const FIRST_CELL: int = 10

## How many bytes are in a row: as many as fit.
var in_row: int = 16
var length: int = 0
## The selected bytes, those of their key, and the one at which the error is, or -1.
var marked := Vector2i(-1, -1)
var marked_key := Vector2i(-1, -1)
var wrong: int = -1

## Takes a position and a size, and returns bytes.
var _read: Callable


func show_bytes(count: int, read: Callable) -> void:
	length = count
	_read = read
	marked = Vector2i(-1, -1)
	marked_key = Vector2i(-1, -1)
	wrong = -1
	first_row = 0
	_fit()


func mark(start: int, end: int, key_start: int = -1, key_end: int = -1) -> void:
	marked = Vector2i(start, end)
	marked_key = Vector2i(key_start, key_end)
	if start >= 0:
		show_byte(start if key_start < 0 else key_start)
	queue_redraw()


func show_byte(offset: int) -> void:
	show_row(floori(float(offset) / in_row))


func _notification(what: int) -> void:
	if what == NOTIFICATION_RESIZED:
		_fit()


func _fit() -> void:
	var top: int = first_row * in_row
	in_row = WIDTHS[-1]
	for count: int in WIDTHS:
		if MARGIN + (_first_text(count) + count) * cell() + 16 <= size.x:
			in_row = count
			break
	row_count = ceili(float(length) / in_row)
	first_row = floori(float(top) / in_row)


func _draw_row(row: int, y: int) -> void:
	var start: int = row * in_row
	var bytes: PackedByteArray = _read.call(start, in_row)
	put("%08x" % start, 0, y, text_color() * Color(1, 1, 1, 0.5))
	var text: String = ""
	for place: int in bytes.size():
		var back: Color = _back_of(start + place)
		if back.a > 0:
			# The gap after a byte has its color too if the next byte is marked as well.
			var joins: bool = place + 1 < bytes.size() and _back_of(start + place + 1) == back
			_fill(_column(place), _column(place + 1) - _column(place) if joins else 2, y, back)
			_fill(_first_text(in_row) + place, 1, y, back)
		put("%02x" % bytes[place], _column(place), y, text_color())
		text += char(bytes[place]) if bytes[place] >= 32 and bytes[place] < 127 else "·"
	put(text, _first_text(in_row), y, text_color() * Color(1, 1, 1, 0.8))


func _fill(column: int, columns: int, y: int, back: Color) -> void:
	draw_rect(Rect2(MARGIN + column * cell(), y, columns * cell(), row_height()), back)


## Returns the column of a byte: there is a gap after every eight.
static func _column(place: int) -> int:
	return FIRST_CELL + 3 * place + (place >> 3)


static func _first_text(count: int) -> int:
	return _column(count) + 1


func _back_of(offset: int) -> Color:
	if offset == wrong:
		return color(&"error_color", Color("ff7b72")) * Color(1, 1, 1, 0.8)
	if offset >= marked.x and offset < marked.y:
		return color(&"accent_color", Color("569eff")) * Color(1, 1, 1, 0.4)
	if offset >= marked_key.x and offset < marked_key.y:
		return color(&"warning_color", Color("ffde66")) * Color(1, 1, 1, 0.3)
	return Color.TRANSPARENT


func _row_clicked(row: int, x: float) -> void:
	var column: int = floori((x - MARGIN) / cell())
	var place: int = column - _first_text(in_row)
	if place < 0:
		place = 0
		while place < in_row - 1 and _column(place + 1) <= column:
			place += 1
	var offset: int = row * in_row + mini(place, in_row - 1)
	if offset < length:
		byte_selected.emit(offset)


func _moved(rows: int) -> void:
	first_row += rows
