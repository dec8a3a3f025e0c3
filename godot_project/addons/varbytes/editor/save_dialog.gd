@tool
extends FileDialog
## Asks for the name of a new file.

var _then: Callable


func _ready() -> void:
	file_selected.connect(_answer)
	canceled.connect(func() -> void: _then = Callable())


## Calls `then` with the path that the user chooses. A proposal with a folder begins there.
func ask(asked: String, proposed: String, then: Callable) -> void:
	_then = then
	title = asked
	if not proposed.get_base_dir().is_empty():
		current_dir = proposed.get_base_dir()
	current_file = proposed.get_file()
	popup_centered()


## What was asked for is forgotten first, because it keeps the file open.
func _answer(path: String) -> void:
	var then: Callable = _then
	_then = Callable()
	then.call(path)
