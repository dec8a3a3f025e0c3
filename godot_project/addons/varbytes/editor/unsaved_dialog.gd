@tool
extends ConfirmationDialog
## Asks what becomes of an unsaved edit: it is saved, discarded, or goes on.

## The answer is `save`, `discard` or `cancel`.
signal answered(answer: StringName)


func _ready() -> void:
	var discard: Button = add_button("Discard", DisplayServer.get_swap_cancel_ok())
	discard.pressed.connect(_discard)
	confirmed.connect(func() -> void: answered.emit(&"save"))
	canceled.connect(func() -> void: answered.emit(&"cancel"))


func ask(title_of_file: String) -> void:
	dialog_text = "The edited value is not saved. Save it to %s?" % title_of_file
	if not visible:
		popup_centered()


func _discard() -> void:
	hide()
	answered.emit(&"discard")
