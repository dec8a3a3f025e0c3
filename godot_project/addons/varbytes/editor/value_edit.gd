@tool
extends TextEdit
## The field in which a value is edited. It can be edited only if it holds exactly what is shown.

var _shown: String = ""


## Shows the text of a value, which can be edited if there is no `refusal`. Returns why it cannot be, or an empty text.
func show_text(shown: String, refusal: String) -> String:
	text = shown
	# Otherwise the last step that can be undone leads to the text of another value.
	clear_undo_history()
	_shown = shown
	var why: String = refusal
	if why.is_empty() and text != shown:
		why = "the text has characters that the field cannot hold, such as \\r"
	editable = why.is_empty()
	tooltip_text = why
	return why


func is_changed() -> bool:
	return editable and text != _shown
