@tool
extends "rows_view.gd"
## The records of a file. More are looked for when the end of those that are known comes into view.

signal record_selected(number: int)

const Index := preload("record_index.gd")

## How many records are looked for at a time.
const AHEAD: int = 1000
const MILLISECONDS: int = 10

var index: Index
var selected: int = -1

## Whether to go to the last record once it is known.
var _goes_to_end: bool = false


func show_index(records: Index) -> void:
	index = records
	selected = -1
	_goes_to_end = false
	first_row = 0
	_look_ahead()


func select(number: int) -> void:
	if index == null or number < 0 or not index.find(number + 1):
		return
	mark(number)
	record_selected.emit(number)


## Shows that a record is selected. Does not emit `record_selected`.
func mark(number: int) -> void:
	_goes_to_end = false
	_look_ahead()
	selected = number
	show_row(number)
	queue_redraw()


func _process(_delta: float) -> void:
	if index == null:
		return
	# Exports and searches find records too.
	if row_count != _rows():
		row_count = _rows()
		queue_redraw()
	if index.complete:
		return
	if _goes_to_end or first_row + 2 * visible_rows() >= row_count:
		_look_ahead()


func _look_ahead() -> void:
	index.find(1 << 62 if _goes_to_end else index.found + AHEAD, MILLISECONDS)
	row_count = _rows()
	if _goes_to_end and index.complete:
		_goes_to_end = false
		select(index.found - 1)


## Returns the number of rows. One more than records says that more follow, or why none do.
func _rows() -> int:
	return index.found + (1 if not index.complete or not index.problem.is_empty() else 0)


func _draw_row(row: int, y: int) -> void:
	if row >= index.found:
		var text: String = "…" if not index.complete else "%08x  %s" % [index.problem_at, index.problem]
		put(text, 0, y, color(&"error_color", Color("ff7b72")) if index.complete else text_color())
		return
	var record: Index.Record = index.record(row)
	if row == selected:
		draw_rect(Rect2(0, y, size.x, row_height()), color(&"accent_color", Color("569eff")) * Color(1, 1, 1, 0.35))
	put("%d" % row, 0, y, text_color())
	if record != null:
		put("%08x  %s" % [record.start, String.humanize_size(record.size)], 9, y, text_color() * Color(1, 1, 1, 0.6))


func _row_clicked(row: int, _x: float) -> void:
	select(row)


func _moved(rows: int) -> void:
	if index == null:
		return
	if rows >= row_count:
		_goes_to_end = true
		_look_ahead()
	else:
		select(clampi(selected + rows, 0, maxi(index.found - 1, 0)))
