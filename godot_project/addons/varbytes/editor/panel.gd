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
const PolicyTree := preload("policy_tree.gd")
const Finder := preload("finder.gd")

## How many bytes of a record are read for the tree at first, and how many times as many each time that more are wanted.
const WINDOW: int = 1 << 18
const GROWTH: int = 8
const MOST: int = 1 << 24
## Longer texts are not offered for editing.
const EDITED: int = 1 << 16

var index: Index
var record: Index.Record
var packet: PacketTree
var part: int = -1
## The engine that wrote the bytes; "" is the running one.
var engine: String = ""

var _window: int = WINDOW
var _job: Job
var _finder: Finder
var _builder: PolicyBuilder
var _on_path: Callable

@onready var records: RecordList = %Records
@onready var tree: ValueTree = %Tree
@onready var bytes: ByteView = %Bytes
@onready var status: Label = %Status


func _ready() -> void:
	_list_engines()
	records.record_selected.connect(_show_record)
	tree.part_selected.connect(_select_part)
	bytes.byte_selected.connect(_select_byte)
	%OpenDialog.current_dir = ProjectSettings.globalize_path("user://")
	%Open.pressed.connect(func() -> void: %OpenDialog.popup_centered())
	%OpenDialog.file_selected.connect(open_file)
	%Paste.pressed.connect(func() -> void: %PasteDialog.popup_centered())
	%PasteDialog.confirmed.connect(func() -> void: open_pasted(%Pasted.text))
	%Engine.item_selected.connect(_choose_engine)
	%Lengths.toggled.connect(_set_lengths)
	%BigEndian.toggled.connect(_set_lengths)
	%Search.text_submitted.connect(func(_text: String) -> void: find_next())
	%FindNext.pressed.connect(find_next)
	%Cancel.pressed.connect(_cancel)
	%Export.get_popup().id_pressed.connect(_export)
	%Convert.pressed.connect(_convert)
	%Policy.pressed.connect(_add_to_policy)
	%More.pressed.connect(_read_more)
	%CopyPath.pressed.connect(func() -> void: DisplayServer.clipboard_set(%Path.text))
	%Apply.pressed.connect(apply_edit)
	%SaveDialog.file_selected.connect(func(path: String) -> void: _on_path.call(path))
	%Verify.pressed.connect(_check_policy)
	%PolicyDialog.canceled.connect(func() -> void: _builder = null)
	%PolicyDialog.confirmed.connect(func() -> void: _ask_path("Save the Policy", "policy.tres", _save_policy))
	_show_buttons()


func _process(_delta: float) -> void:
	%Cancel.visible = _job != null or _finder != null
	if _job != null:
		status.text = "%d %%" % roundi(100 * _job.progress())
		if _job.step():
			var ended: Job = _job
			_job = null
			_job_ended(ended)
	if _finder != null:
		status.text = "Searching record %d…" % _finder.number
		if _finder.step():
			var ended: Finder = _finder
			_finder = null
			_found(ended)


## Files can be dropped from the editor's file system.
func _can_drop_data(_at: Vector2, data: Variant) -> bool:
	return data is Dictionary and data.get("type") == "files"


func _drop_data(_at: Vector2, data: Variant) -> void:
	open_file(data.files[0])


## Ends a search, an export or a conversion.
func _cancel() -> void:
	if _job != null:
		_job.stop("canceled")
	if _finder != null:
		_finder = null
		status.text = "Canceled."


## Opens a file of records, or of one packet.
func open_file(path: String) -> void:
	var opened: Index = Index.open(path)
	if opened == null:
		status.text = "%s cannot be opened: %s" % [path, error_string(FileAccess.get_open_error())]
		return
	_show_index(opened)


## Shows a packet in hexadecimal or base64.
func open_pasted(text: String) -> void:
	var pasted: PackedByteArray = Pasted.bytes_of(text)
	if pasted.is_empty():
		status.text = "The text is neither hexadecimal nor base64."
		return
	_show_index(Index.of_packet(pasted, "the pasted packet"))


func select_record(number: int) -> void:
	records.select(number)


## Selects a value in the tree and its bytes.
func select_part(number: int) -> void:
	tree.select_part(number)
	_select_part(number)


## Selects the next value that contains the searched text, in this record or a later one.
func find_next() -> void:
	if packet == null or %Search.text.is_empty():
		return
	_finder = Finder.new()
	_finder.index = index
	_finder.engine = engine
	_finder.text = %Search.text
	_finder.number = record.number
	_finder.from = part
	_finder.packet = packet


## Writes the edited value into the file, and opens the file again.
func apply_edit() -> void:
	if part < 0 or not %Edit.editable:
		return
	var outcome: Plain.Outcome = Plain.from_edit(%Edit.text, packet.value_of(part))
	var options := VarBytesOptions.new()
	options.engine = engine
	var encoded: VarBytesResult = VarBytes.encode(outcome.value, options)
	var problem: String = outcome.problem
	if problem.is_empty() and not encoded.ok:
		problem = encoded.message
	if problem.is_empty() and not encoded.losses.is_empty():
		problem = encoded.losses[0]
	var edit: RecordEdit
	if problem.is_empty():
		edit = RecordEdit.replace(index, record, packet.starts[part], packet.ends[part], encoded.value)
		problem = edit.problem
	if not problem.is_empty():
		status.text = "Not saved: %s" % problem
		return
	var number: int = record.number
	var edited: int = part
	var opened: Index = Index.open(index.path)
	if opened == null:
		status.text = "%s cannot be opened: %s" % [index.path, error_string(FileAccess.get_open_error())]
		return
	opened.has_lengths = index.has_lengths
	opened.big_endian = index.big_endian
	opened.restart()
	var engine_before: String = engine
	_show_index(opened, engine_before)
	select_record(number)
	select_part(edited)
	status.text = "Saved. The file as it was is %s" % edit.backup


func _show_index(opened: Index, of_engine: Variant = null) -> void:
	_job = null
	_finder = null
	index = opened
	record = null
	packet = null
	part = -1
	%Lengths.set_pressed_no_signal(index.has_lengths)
	%BigEndian.set_pressed_no_signal(index.big_endian)
	var first: Index.Record = index.record(0)
	engine = of_engine if of_engine is String else _engine_of(first)
	_select_engine()
	records.show_index(index)
	var facts: PackedStringArray = [index.title, String.humanize_size(index.length)]
	if not index.editable:
		facts.append("read only")
	if not engine.is_empty():
		facts.append("written by %s" % engine)
	if first != null:
		select_record(0)
	else:
		tree.clear()
		bytes.show_bytes(index.length, func(at: int, count: int) -> PackedByteArray: return index.read(at, count))
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


func _show_packet() -> void:
	var shown: Index.Record = record
	packet = PacketTree.of(index.read(record.start, mini(record.size, _window)), engine, record.size)
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
	_window *= GROWTH
	_show_packet()


func _select_part(number: int) -> void:
	part = number
	var value: Variant = packet.value_of(part) if part >= 0 else null
	var fits: bool = part >= 0 and packet.ends[part] - packet.starts[part] <= EDITED
	%Edit.editable = value != null and fits and index.editable and packet.roles[part] == PacketTree.Role.VALUE
	%Edit.text = Plain.to_edit(value) if value != null and fits else ""
	%Apply.disabled = not %Edit.editable
	%Path.text = packet.path_of(part) if part >= 0 else ""
	%CopyPath.disabled = part < 0
	if part < 0:
		bytes.mark(-1, -1)
		return
	var key: int = packet.keys[part]
	if key >= 0:
		bytes.mark(packet.starts[part], packet.ends[part], packet.starts[key], packet.ends[key])
	else:
		bytes.mark(packet.starts[part], packet.ends[part])


func _select_byte(offset: int) -> void:
	if packet == null:
		return
	var found: int = packet.part_at(offset)
	if found >= 0:
		tree.select_part(found)
		_select_part(found)


func _list_engines() -> void:
	%Engine.clear()
	%Engine.add_item("this engine")
	# The same list as in the inspector, which begins with the running engine.
	for property: Dictionary in ClassDB.class_get_property_list("VarBytesOptions"):
		if property.name == "engine":
			for title: String in String(property.hint_string).split(",", false):
				%Engine.add_item(title)


func _select_engine() -> void:
	for item: int in %Engine.item_count:
		if %Engine.get_item_text(item) == engine or item == 0 and engine.is_empty():
			%Engine.select(item)


func _choose_engine(item: int) -> void:
	engine = "" if item == 0 else %Engine.get_item_text(item)
	if record != null:
		_show_packet()
	_show_buttons()


func _set_lengths(_on: bool) -> void:
	if index == null:
		return
	index.has_lengths = %Lengths.button_pressed
	index.big_endian = %BigEndian.button_pressed
	index.restart()
	_show_index(index)


func _show_buttons() -> void:
	for button: BaseButton in [%FindNext, %Export, %Lengths, %BigEndian]:
		button.disabled = index == null
	%Convert.disabled = index == null or engine.is_empty()
	%Convert.tooltip_text = "Choose the engine that wrote the file first" if engine.is_empty() else "Write a new file for this engine, and list what is lost"
	%Policy.disabled = index == null or not engine.is_empty()


func _found(ended: Finder) -> void:
	if ended.part < 0:
		status.text = "Not found after the selection. Of each record, the first %s were searched." % String.humanize_size(Finder.MOST)
		return
	if ended.number != record.number:
		select_record(ended.number)
	# A long record is read as far as the search has read it.
	if ended.packet.bytes.size() > packet.bytes.size():
		_window = ended.packet.bytes.size()
		_show_packet()
	select_part(ended.part)
	status.text = "Found in record %d." % record.number


func _export(item: int) -> void:
	var json: bool = item % 2 == 0
	var one: int = record.number if item < 2 and record != null else -1
	var first: int = maxi(one, 0)
	var begin: Callable = func(path: String) -> void:
		_job = ExportJob.of(index, engine, path, json, first, one)
	_ask_path("Export", index.title.get_basename() + (".json" if json else ".txt"), begin)


func _convert() -> void:
	var begin: Callable = func(path: String) -> void:
		_job = Conversion.of(index, engine, path)
	_ask_path("Convert to This Engine", "%s.converted.%s" % [index.title.get_basename(), index.title.get_extension()], begin)


func _ask_path(title: String, proposed: String, then: Callable) -> void:
	_on_path = then
	%SaveDialog.title = title
	%SaveDialog.current_file = proposed.validate_filename()
	%SaveDialog.popup_centered()


func _job_ended(ended: Job) -> void:
	var lines: PackedStringArray = []
	if not ended.problem.is_empty():
		lines.append("Ended early: %s" % ended.problem)
	var conversion := ended as Conversion
	var export := ended as ExportJob
	if conversion != null:
		lines.append("%d records converted, %d left out. The old file is unchanged." % [conversion.converted, conversion.left_out])
		lines.append_array(conversion.losses)
		if conversion.not_listed > 0:
			lines.append("… and %d more" % conversion.not_listed)
	elif export != null and export.unreadable > 0:
		lines.append("%d records could not be read as values; their errors are in the file." % export.unreadable)
	status.text = lines[0] if not lines.is_empty() else "Done."
	if lines.size() > 1 or not ended.problem.is_empty():
		%Report.title = "Conversion" if conversion != null else "Export"
		%ReportText.text = "\n".join(lines)
		%Report.popup_centered()


func _add_to_policy() -> void:
	if record == null:
		return
	if _builder == null:
		_builder = PolicyBuilder.new()
	var problem: String = "the record is longer than %s" % String.humanize_size(PolicyBuilder.MOST)
	if record.size <= PolicyBuilder.MOST:
		problem = _builder.add(index.read(record.start, record.size))
	PolicyTree.show(%Listed, _builder)
	var lines: PackedStringArray = ["%d packets. Add more records with the same button." % _builder.samples.size()]
	if not problem.is_empty():
		lines.append(problem)
	lines.append_array(_builder.warnings)
	%Found.text = "\n".join(lines)
	%PolicyDialog.popup_centered()


func _check_policy() -> void:
	var chosen: PolicyBuilder = PolicyTree.chosen(%Listed, _builder)
	var faults: PackedStringArray = chosen.faults(chosen.options(int(%Headroom.value)))
	%Found.text = "All packets can be read with this policy." if faults.is_empty() else "\n".join(faults)


func _save_policy(path: String) -> void:
	var chosen: PolicyBuilder = PolicyTree.chosen(%Listed, _builder)
	var error: Error = ResourceSaver.save(chosen.options(int(%Headroom.value)), path)
	status.text = "Saved %s" % path if error == OK else "%s cannot be written: %s" % [path, error_string(error)]
	if error == OK:
		_builder = null
