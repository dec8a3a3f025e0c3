@tool
extends VBoxContainer
## Shows files of values and packets: records on the left, the values of one record in the middle, its bytes on the right.
##
## Everything in a file is shown as plain text. No object of a packet is created.

const Index := preload("record_index.gd")
const RecordList := preload("record_list.gd")
const PacketTree := preload("packet_tree.gd")
const ValueTree := preload("value_tree.gd")
const ByteView := preload("byte_view.gd")
const Plain := preload("plain_value.gd")
const Pasted := preload("pasted.gd")
const RecordEdit := preload("record_edit.gd")
const Job := preload("job.gd")
const ExportJob := preload("export_job.gd")
const Conversion := preload("conversion.gd")
const PolicyBuilder := preload("policy_builder.gd")
const OutputFile := preload("output_file.gd")
const Finder := preload("finder.gd")

## How many bytes of a record are read for the tree at first, and how many times as many each time that more are wanted.
const WINDOW: int = 1 << 18
const GROWTH: int = 8
const MOST: int = 1 << 24
## More lines of a report are only counted: the editor would wait seconds for them.
const MOST_REPORTED: int = 1000
## Longer texts are not offered for editing.
const EDITED: int = 1 << 16

var index: Index
var record: Index.Record
var packet: PacketTree
var part: int = -1
## The engine that wrote the bytes; "" is the running one.
var engine: String = ""

## Whether the engine was chosen by the user.
var _is_chosen: bool = false
var _window: int = WINDOW
var _job: Job
var _finder: Finder
## The text that was found last, and where.
var _found_last: Array = []
## Why something was refused while a job runs.
var _refusal: String = ""
## What the user wants to do, while the dialog asks about an unsaved edit.
var _wanted: Callable

@onready var records: RecordList = %Records
@onready var tree: ValueTree = %Tree
@onready var bytes: ByteView = %Bytes
@onready var status: Label = %Status


func _ready() -> void:
	records.record_selected.connect(_after_edit(_show_record))
	tree.part_selected.connect(_after_edit(_select_part))
	bytes.byte_selected.connect(_select_byte)
	%OpenDialog.current_dir = ProjectSettings.globalize_path("user://")
	%Open.pressed.connect(func() -> void: %OpenDialog.popup_centered())
	%OpenDialog.file_selected.connect(open_file)
	%Paste.pressed.connect(func() -> void: %PasteDialog.popup_centered())
	%PasteDialog.confirmed.connect(func() -> void: open_pasted(%Pasted.text))
	%Engine.item_selected.connect(_after_edit(_choose_engine))
	%Lengths.toggled.connect(_set_lengths)
	%BigEndian.toggled.connect(_set_lengths)
	%Search.text_submitted.connect(func(_text: String) -> void: find_next())
	%FindNext.pressed.connect(find_next)
	%Cancel.pressed.connect(_cancel)
	%Export.get_popup().id_pressed.connect(_export)
	%Convert.pressed.connect(_convert)
	%Policy.pressed.connect(_add_to_policy)
	%More.pressed.connect(func() -> void: _leave_edit(_read_more))
	%CopyPath.pressed.connect(func() -> void: DisplayServer.clipboard_set(%Path.text))
	%Apply.pressed.connect(apply_edit)
	%Unsaved.answered.connect(_go_on)
	%PolicyDialog.confirmed.connect(func() -> void: %SaveDialog.ask("Save the Policy", "policy.tres", func(path: String) -> void: status.text = %PolicyDialog.save(path, index.path)))
	_show_buttons()


func _process(_delta: float) -> void:
	%Cancel.visible = _job != null or _finder != null
	if _job != null:
		status.text = "%d %%%s" % [roundi(100 * _job.progress()), _refusal]
		if _job.step():
			var ended: Job = _job
			_job = null
			_show_buttons()
			_job_ended(ended)
	if _finder != null and not %Unsaved.visible:
		status.text = "Searching record %d…" % _finder.number
		if _finder.step():
			var ended: Finder = _finder
			_finder = null
			_found(ended)


## The thread of a job must not go on without the panel.
func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _job != null:
		_job.stop("the panel was closed")


## Files can be dropped from the editor's file system.
func _can_drop_data(_at: Vector2, data: Variant) -> bool:
	return data is Dictionary and data.get("type") == "files"


func _drop_data(_at: Vector2, data: Variant) -> void:
	open_file(data.files[0])


## Ends a search, an export or a conversion.
func _cancel() -> void:
	if _job != null:
		_job.cancel("canceled")
	if _finder != null:
		_finder = null
		status.text = "Canceled."


## Returns whether a job runs, which must end before anything else is opened or written.
func is_busy() -> bool:
	if _job != null:
		_refusal = ". Cancel this, or wait for its end, before you open, paste, save, export or convert."
	return _job != null


func begin(job: Job) -> void:
	_job = job
	_refusal = ""
	_show_buttons()


## Opens a file of records, or of one packet.
func open_file(path: String) -> void:
	if not is_busy():
		_leave_edit(_open.bind(path))


func _open(path: String) -> void:
	var opened: Index = Index.open(path)
	if opened == null:
		status.text = "%s cannot be opened: %s" % [path, error_string(FileAccess.get_open_error())]
		return
	_show_index(opened)


## Shows a packet in hexadecimal, base64, or a list of numbers.
func open_pasted(text: String) -> void:
	if is_busy():
		return
	var pasted: PackedByteArray = Pasted.bytes_of(text)
	if pasted.is_empty():
		status.text = "The text is neither hexadecimal nor base64. Put a list of decimal numbers in brackets: [28, 0, 0, 0]"
		return
	_leave_edit(_show_index.bind(Index.of_packet(pasted, "the pasted packet")))


func select_record(number: int) -> void:
	records.select(number)


## Selects a value in the tree and its bytes.
func select_part(number: int) -> void:
	if packet != null and number >= 0 and number < packet.size():
		tree.select_part(number)
		_select_part(number)


## Selects the next value that contains the searched text, in this record or a later one.
func find_next() -> void:
	if packet == null or %Search.text.is_empty() or is_busy() or not _is_current():
		return
	# The selected value is searched too, unless it is what was found last.
	var is_next: bool = _found_last == [%Search.text, index, record.number, part]
	_finder = Finder.of(index, engine, %Search.text, record.number, packet, part if is_next else part - 1)


## Writes the edited value into the file, and opens the file again.
func apply_edit() -> void:
	if part < 0 or not %Edit.editable or is_busy():
		return
	if not %Edit.is_changed():
		status.text = "Not saved: the value has not been changed."
		return
	var edit: RecordEdit = RecordEdit.replace_value(index, record, packet, part, %Edit.text)
	if not edit.problem.is_empty():
		status.text = "Not saved: %s" % edit.problem
		return
	_open_again(_window)
	if record != null:
		status.text = "Saved. The file as it was is %s" % edit.backup


## Does what would lose an unsaved edit: at once if there is none, or when the user has saved or discarded it.
func _leave_edit(wanted: Callable) -> void:
	if %Edit.is_changed():
		_wanted = wanted
		%Unsaved.ask(index.title)
	else:
		wanted.call()


## Returns a handler of a signal that leaves an edit.
func _after_edit(handler: Callable) -> Callable:
	return func(chosen: Variant) -> void: _leave_edit(handler.bind(chosen))


func _go_on(answer: StringName) -> void:
	var wanted: Callable = _wanted
	_wanted = Callable()
	if answer == &"save":
		apply_edit()
	elif answer == &"discard":
		_show_value()
	# An edit that was refused or goes on is kept.
	if not %Edit.is_changed():
		wanted.call()
	# Lists and buttons show what was clicked, which is not selected then, and what was selected before the file was opened again.
	_show_buttons()
	if record != null:
		records.mark(record.number)
	tree.select_part(part)


## Opens the file again and selects the same value.
func _open_again(window: int) -> void:
	var number: int = record.number
	var selected: int = part
	var opened: Index = Index.open(index.path)
	if opened == null:
		status.text = "%s cannot be opened: %s" % [index.path, error_string(FileAccess.get_open_error())]
		return
	opened.has_lengths = index.has_lengths
	opened.big_endian = index.big_endian
	opened.restart()
	_show_index(opened, engine)
	select_record(number)
	if record != null and window > _window:
		_window = window
		_show_packet()
	select_part(selected)


func _show_index(opened: Index, of_engine: Variant = null) -> void:
	index = opened
	_show_nothing()
	var first: Index.Record = index.record(0)
	_is_chosen = _is_chosen and of_engine is String
	engine = of_engine if of_engine is String else _engine_of(first)
	records.show_index(index)
	var facts: PackedStringArray = [index.title, String.humanize_size(index.length)]
	if not index.editable:
		facts.append("read only")
	if not engine.is_empty():
		facts.append("written by %s" % engine)
	if first != null:
		select_record(0)
		if packet == null or not packet.problem.is_empty():
			facts.append(status.text)
	else:
		bytes.show_bytes(index.length, func(at: int, count: int) -> PackedByteArray: return opened.read(at, count))
		facts.append(index.problem if not index.problem.is_empty() else "empty")
	status.text = ", ".join(facts)
	_show_buttons()


## Guesses which engine wrote a record: the running one, if it can read it.
func _engine_of(first: Index.Record) -> String:
	if first == null:
		return ""
	var head: PackedByteArray = index.read(first.start, mini(first.size, Index.BLOCK))
	for guess: String in ["", "godot-3.6"]:
		if Index.readable_as(head, first.size, guess):
			return guess
	return ""


func _show_record(number: int) -> void:
	record = index.record(number)
	_window = WINDOW
	_show_packet()


## Returns whether the file is still what was opened, and was read. Otherwise positions and bytes would not belong together, and only
## an unsaved edit stays.
func _is_current(is_read: bool = true) -> bool:
	var is_current: bool = is_read and not index.has_changed()
	if not is_current:
		if not %Edit.is_changed():
			_show_nothing()
		status.text = "%s cannot be shown: %s" % [index.title, Index.CHANGED]
	return is_current


func _show_nothing() -> void:
	_finder = null
	_found_last.clear()
	record = null
	packet = null
	part = -1
	tree.show_packet(PacketTree.new())
	bytes.show_bytes(0, Callable())
	%More.hide()
	_show_value()


## Shows the beginning of the record, of which the parts may be read already.
func _show_packet(parts: PacketTree = null) -> void:
	var head: Variant = index.first_bytes(record, _window)
	if not _is_current(head != null):
		return
	var shown: Index.Record = record
	packet = parts if parts != null else PacketTree.of(head, engine, record.size)
	part = -1
	tree.show_packet(packet)
	bytes.show_bytes(record.size, func(at: int, count: int) -> PackedByteArray: return index.read(shown.start + at, mini(count, shown.size - at)))
	%More.visible = record.size > _window and _window < MOST
	if not packet.problem.is_empty():
		bytes.wrong = clampi(packet.problem_at, 0, maxi(record.size - 1, 0))
		bytes.show_byte(bytes.wrong)
		status.text = "Record %d is malformed at offset %d: %s" % [record.number, packet.problem_at, packet.problem]
	else:
		status.text = "Record %d, %s" % [record.number, packet.note] if not packet.note.is_empty() else "Record %d" % record.number
	_select_part(0 if packet.size() > 0 and packet.problem.is_empty() else -1)


func _read_more() -> void:
	if PacketTree.is_too_large(index.read(record.start, mini(record.size, GROWTH * _window)), engine):
		%More.hide()
		status.text = "No more is read: that would be more than %d values, or objects." % PacketTree.MOST_PARTS
		return
	_window *= GROWTH
	_show_packet()


func _select_part(number: int) -> void:
	part = number
	_show_value()
	if part < 0:
		bytes.mark(-1, -1)
		return
	var key: int = packet.keys[part]
	if key >= 0:
		bytes.mark(packet.starts[part], packet.ends[part], packet.starts[key], packet.ends[key])
	else:
		bytes.mark(packet.starts[part], packet.ends[part])


## Shows the path of the selected value, and the value for editing.
func _show_value() -> void:
	var value: Variant = packet.value_of(part) if part >= 0 else null
	var fits: bool = value != null and packet.ends[part] - packet.starts[part] <= EDITED
	var refusal: String = %Edit.show_text(Plain.to_edit(value) if fits else "", RecordEdit.refusal(index, packet, part) if fits else RecordEdit.NEVER)
	if refusal not in ["", RecordEdit.NEVER]:
		status.text = "The value cannot be edited: %s" % refusal
	%Apply.disabled = not %Edit.editable
	%Path.text = packet.path_of(part) if part >= 0 else ""
	%CopyPath.disabled = part < 0


func _select_byte(offset: int) -> void:
	# Numbers of parts stay when an edit is saved, and offsets do not.
	_leave_edit(select_part.bind(packet.part_at(offset) if packet != null else -1))


func _choose_engine(item: int) -> void:
	engine = %Engine.engine_of(item)
	_is_chosen = true
	_finder = null
	if record != null:
		_show_packet()
	_show_buttons()


func _set_lengths(_on: bool) -> void:
	if index != null:
		_leave_edit(_find_records.bind(%Lengths.button_pressed, %BigEndian.button_pressed))


func _find_records(has_lengths: bool, big_endian: bool) -> void:
	index.has_lengths = has_lengths
	index.big_endian = big_endian
	index.restart()
	var kept: Variant = null
	if _is_chosen:
		kept = engine
	_show_index(index, kept)


func _show_buttons() -> void:
	if index != null:
		%Lengths.set_pressed_no_signal(index.has_lengths)
		%BigEndian.set_pressed_no_signal(index.big_endian)
		%Engine.select_engine(engine)
	for button: BaseButton in [%Open, %Paste]:
		button.disabled = _job != null
	for button: BaseButton in [%FindNext, %Export, %Lengths, %BigEndian]:
		button.disabled = index == null or _job != null
	%Convert.disabled = index == null or engine.is_empty() or _job != null
	%Convert.tooltip_text = "Choose the engine that wrote the file first" if engine.is_empty() else "Write a new file for this engine, and list what is lost"
	%Policy.disabled = index == null or not engine.is_empty()


func _found(ended: Finder) -> void:
	if ended.failed:
		status.text = "Record %d cannot be searched: %s" % [ended.number, Index.CHANGED]
	elif ended.part < 0:
		status.text = "Not found after the selection. Of each record, the first %s were searched." % String.humanize_size(Finder.MOST)
	else:
		_leave_edit(_show_found.bind(ended))


func _show_found(ended: Finder) -> void:
	if ended.number != record.number or ended.packet.bytes.size() > packet.bytes.size():
		records.mark(ended.number)
		record = index.record(ended.number)
		# A long record is shown as far as the search has read it. If an edit was saved meanwhile, the bytes are others now.
		_window = maxi(WINDOW, ended.packet.bytes.size())
		_show_packet(ended.packet if ended.index == index else null)
	if packet == null:
		return
	select_part(ended.part)
	_found_last = [ended.search.text, index, record.number, part]
	status.text = "Found in record %d." % record.number


func _export(item: int) -> void:
	var json: bool = item % 2 == 0
	var one: int = record.number if item < 2 and record != null else -1
	if item < 2 and record == null:
		status.text = "No record is selected."
		return
	var from: Index = index
	var then: Callable = func(path: String) -> void:
		if not is_busy():
			begin(ExportJob.of(from, engine, path, json, maxi(one, 0), one))
	%SaveDialog.ask("Export", _beside("export.json" if json else "export.txt"), then)


func _convert() -> void:
	var from: Index = index
	var then: Callable = func(path: String) -> void:
		if not is_busy():
			begin(Conversion.of(from, engine, path))
	%SaveDialog.ask("Convert to This Engine", _beside("converted." + index.title.get_extension()), then)


## Returns the path of a new file beside the opened one.
func _beside(ending: String) -> String:
	var file: String = "%s.%s" % [index.title.get_basename().validate_filename(), ending.trim_suffix(".")]
	return file if index.path.is_empty() else OutputFile.resolved(index.path).get_base_dir().path_join(file)


func _job_ended(ended: Job) -> void:
	var lines: PackedStringArray = ended.report()
	status.text = lines[0] if not lines.is_empty() else "Done."
	if lines.size() > 1 or not ended.problem.is_empty():
		%Report.title = "Conversion" if ended is Conversion else "Export"
		if lines.size() > MOST_REPORTED:
			lines = lines.slice(0, MOST_REPORTED) + PackedStringArray(["… and %d more lines" % (lines.size() - MOST_REPORTED)])
		%ReportText.text = "\n".join(lines)
		%Report.popup_centered()


func _add_to_policy() -> void:
	var sample: Variant = index.first_bytes(record, PolicyBuilder.MOST) if record != null else null
	if record != null and _is_current(sample != null):
		%PolicyDialog.add(sample, record.size)
