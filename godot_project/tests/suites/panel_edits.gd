extends "res://tests/panel_suite.gd"
## Edits of values in files, by the panel's logic and in its scene.

const Index := preload(EDITOR + "record_index.gd")
const PacketTree := preload(EDITOR + "packet_tree.gd")
const RecordEdit := preload(EDITOR + "record_edit.gd")
const OutputFile := preload(EDITOR + "output_file.gd")
const PATH: String = "user://panel_edits.dat"
const OTHER: String = "user://panel_edits.other"


func run() -> bool:
	_edits()
	_edits_refused()
	_a_file_has_its_name_until_another_takes_it()
	await _show_panel()
	_a_text_that_the_field_cannot_hold_is_not_edited()
	_an_unchanged_value_is_not_saved()
	_nothing_of_another_value_can_be_undone()
	_a_file_saved_again_in_the_same_second_is_not_edited()
	if OS.get_name() == "Linux":
		_an_edit_through_a_link_changes_its_target()
		_permissions_are_kept()
		_a_protected_file_is_not_edited()
		_paths_lead_where_the_system_goes()
	_a_value_far_in_a_record_stays_selected()
	_numbers_of_64_bits_are_not_narrowed()
	_a_float_of_32_bits_becomes_the_nearest_one()
	await _nothing_loses_an_unsaved_edit()
	await _a_refused_edit_is_kept()
	await _an_edit_of_a_file_that_has_changed_is_kept()
	await _a_search_waits_for_the_answer()
	await _the_field_stays_low()
	panel.free()
	_remove_files("panel_edits.")
	return true


func _edits() -> void:
	for value: Variant in ["Bob", "a much longer name", ""]:
		_write(PATH, [1, {"name": "Ann", "level": 7}, "last"])
		var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
		var index: Index = Index.open(PATH)
		var record: Index.Record = index.record(1)
		var tree: PacketTree = PacketTree.of(index.read(record.start, record.size))
		var part: int = tree.children(0)[0]
		var edit: RecordEdit = RecordEdit.replace(index, record, tree.starts[part], tree.ends[part], var_to_bytes(value), tree.bytes)
		equal(edit.problem, "", "an edit")
		equal(FileAccess.get_file_as_bytes(edit.backup), before, "the backup")
		var file: FileAccess = FileAccess.open(PATH, FileAccess.READ)
		equal([file.get_var(), file.get_var(), file.get_var()], [1, {"name": value, "level": 7}, "last"], "the engine reads the edited file")
		equal(file.get_position(), file.get_length(), "and nothing else")
	write_file(PATH, var_to_bytes([1, 2]))
	var packet: Index = Index.open(PATH)
	var tree: PacketTree = PacketTree.of(packet.read(0, packet.length))
	var edit: RecordEdit = RecordEdit.replace(packet, packet.record(0), tree.starts[1], tree.ends[1], var_to_bytes("one"), tree.bytes)
	equal(edit.problem, "", "an edit of a packet")
	equal(bytes_to_var(FileAccess.get_file_as_bytes(PATH)), ["one", 2], "a packet has no length to change")


func _edits_refused() -> void:
	_write(PATH, [1, 2])
	var index: Index = Index.open(PATH)
	var record: Index.Record = index.record(0)
	_write(PATH, [1, 2, 3])
	var changed: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	check(RecordEdit.replace(index, record, 0, 8, var_to_bytes(9), PackedByteArray()).problem.contains("has changed"), "a file that has changed")
	equal(FileAccess.get_file_as_bytes(PATH), changed, "nothing was written")
	var memory: Index = Index.of_packet(var_to_bytes(1), "pasted")
	check(not RecordEdit.replace(memory, memory.record(0), 0, 8, var_to_bytes(9), PackedByteArray()).problem.is_empty(), "bytes in memory")


## Notes what there is when a file is about to take its place, which then succeeds or fails.
class Watched:
	extends "res://addons/varbytes/editor/output_file.gd"
	var seen: Array = []
	var succeeds: bool = true

	func put_in_place() -> bool:
		seen = [FileAccess.get_file_as_bytes(path), FileAccess.get_file_as_bytes(path + ".backup-1")]
		if not succeeds:
			fail("it failed")
		return super() if succeeds else false


func _a_file_has_its_name_until_another_takes_it() -> void:
	for succeeds: bool in [true, false]:
		_remove_files("panel_edits.")
		_write(PATH, ["Ann"])
		var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
		var kept: OutputFile = OutputFile.beside(PATH + ".backup-1", false, PATH)
		kept.store(before)
		var output := Watched.new()
		output.succeeds = succeeds
		output.path = OutputFile.resolved(PATH)
		output._open(OutputFile.unused(output.path + ".part"), output.path)
		output.store(var_to_bytes("Bob"))
		check(kept.close() and output.close(), "both files are whole")
		var edit := RecordEdit.new()
		edit._exchange(output, kept)
		equal(output.seen, [before, before], "the file as it was, and its copy")
		equal([edit.problem, edit.backup], ["", output.path + ".backup-1"] if succeeds else ["it failed", ""], "the edit")
		equal(FileAccess.get_file_as_bytes(PATH), var_to_bytes("Bob") if succeeds else before, "the file")
		equal(FileAccess.file_exists(PATH + ".backup-1"), succeeds, "only an edited file has a backup")


func _a_text_that_the_field_cannot_hold_is_not_edited() -> void:
	_write(PATH, [{"text": "one\r\ntwo", "plain": "two\nlines\t"}])
	panel.open_file(PATH)
	_select("$[\"text\"]")
	_is_not_edited()
	_select("$[\"plain\"]")
	check(panel.get_node("%Edit").editable, "another text can be edited")
	# Half of a surrogate pair, which only Godot 3 can hold, and a text after whose end more follows.
	for packet: String in ["0400000006000000efbbbfeda0800000", "040000000400000061006263"]:
		write_file(PATH, packet.hex_decode())
		panel.open_file(PATH)
		_choose("godot-3.6")
		_is_not_edited()


func _is_not_edited() -> void:
	var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	panel.apply_edit()
	equal(FileAccess.get_file_as_bytes(PATH), before, "the file is as it was")
	check(not panel.get_node("%Edit").editable and panel.get_node("%Apply").disabled, "%s cannot be edited" % panel.get_node("%Edit").text.c_escape())
	check(panel.status.text.contains("cannot be edited"), panel.status.text)


func _an_unchanged_value_is_not_saved() -> void:
	_write(PATH, [1.5])
	panel.open_file(PATH)
	panel.get_node("%Apply").pressed.emit()
	check(panel.status.text.contains("has not been changed"), panel.status.text)


func _nothing_of_another_value_can_be_undone() -> void:
	_write(PATH, [{"a": "Ann", "b": "secret"}])
	panel.open_file(PATH)
	_select("$[\"b\"]")
	_select("$[\"a\"]")
	panel.get_node("%Edit").undo()
	equal(panel.get_node("%Edit").text, "Ann", "the text after Undo")


func _a_file_saved_again_in_the_same_second_is_not_edited() -> void:
	_write(PATH, ["aaaa", {"gold": 1}, "bbbb"])
	var index: Index = Index.open(PATH)
	var record: Index.Record = index.record(1)
	var seen: PackedByteArray = index.read(record.start, record.size)
	var length: int = index.length
	_write(PATH, [{"hp": 7}, "bbbbbbbbbbbb", null])
	equal(FileAccess.get_file_as_bytes(PATH).size(), length, "the length is the same")
	var edit: RecordEdit = RecordEdit.replace(index, record, 20, 28, var_to_bytes(12345678901), seen)
	check(edit.problem.contains("has changed"), "refused: %s" % edit.problem)
	equal(_read(PATH), [{"hp": 7}, "bbbbbbbbbbbb", null], "the file is as it was")


func _an_edit_through_a_link_changes_its_target() -> void:
	var folder: String = OS.get_user_data_dir()
	_write(PATH, [{"a": "Ann"}])
	OS.execute("ln", ["-sfn", ".", folder + "/panel_edits.folder"])
	OS.execute("ln", ["-sf", "panel_edits.folder/panel_edits.dat", folder + "/panel_edits.link"])
	panel.open_file("user://panel_edits.link")
	_select("$[\"a\"]")
	_type("Bob")
	check(DirAccess.open("user://").is_link("user://panel_edits.link"), "the link is a link")
	equal(_read(PATH), [{"a": "Bob"}], "its target is edited")
	var backup: String = panel.status.text.trim_prefix("Saved. The file as it was is ")
	check(not DirAccess.open("user://").is_link(backup), "the backup is a file: %s" % backup)
	equal(_read(backup), [{"a": "Ann"}], "as it was")
	DirAccess.remove_absolute(folder + "/panel_edits.folder")


func _permissions_are_kept() -> void:
	_write(PATH, ["Ann"])
	FileAccess.set_unix_permissions(PATH, 0x180)
	panel.open_file(PATH)
	var output: OutputFile = OutputFile.beside(PATH)
	equal(FileAccess.get_unix_permissions(output.temporary), 0x180, "and the copy, before anything is written")
	output.discard()
	_type("Bob")
	for path: String in [PATH, panel.status.text.trim_prefix("Saved. The file as it was is ")]:
		equal(FileAccess.get_unix_permissions(path), 0x180, "only the owner can read %s" % path)


func _a_protected_file_is_not_edited() -> void:
	_write(PATH, ["Ann"])
	FileAccess.set_unix_permissions(PATH, 0x100)
	panel.open_file(PATH)
	_type("Bob")
	check(panel.status.text.contains("protected against writing"), panel.status.text)
	panel._show_value()
	equal(_read(PATH), ["Ann"], "the file is as it was")
	FileAccess.set_unix_permissions(PATH, 0x180)


func _paths_lead_where_the_system_goes() -> void:
	var folder: String = OS.get_user_data_dir() + "/panel_edits"
	for made: String in ["real/sub", "hidden"]:
		DirAccess.make_dir_recursive_absolute(folder.path_join(made))
	write_file(folder + "/real/file", PackedByteArray())
	var links: Dictionary[String, String] = {"link": "real/sub", "far": "link/../file", "hidden/file": "../real/file"}
	for link: String in links:
		OS.execute("ln", ["-sfn", links[link], folder.path_join(link)])
	for path: String in ["link/../file", "./real//sub/../file", "far", "hidden/file", "real/sub/../../far"]:
		equal(OutputFile.resolved(folder.path_join(path)), folder + "/real/file", path)
	OS.execute("rm", ["-r", folder])


func _a_value_far_in_a_record_stays_selected() -> void:
	_write(PATH, [{"first": range(40000), "last": "end"}])
	panel.open_file(PATH)
	panel.get_node("%More").pressed.emit()
	_select("$[\"last\"]")
	_type("END")
	equal([panel.get_node("%Path").text, panel.get_node("%Edit").text], ["$[\"last\"]", "END"], "the edited value")
	check(panel.status.text.begins_with("Saved."), panel.status.text)


## Builds with double precision write vectors of 64 bits, which this engine reads and writes with 32.
func _numbers_of_64_bits_are_not_narrowed() -> void:
	var bytes: PackedByteArray = "0500010000000000".hex_decode()
	bytes.resize(20)
	bytes.encode_double(4, 0.1)
	bytes.encode_double(12, 0.2)
	write_file(PATH, bytes)
	panel.open_file(PATH)
	check(not panel.get_node("%Edit").editable, "a Vector2 of 64 bits")
	panel.apply_edit()
	equal(FileAccess.get_file_as_bytes(PATH), bytes, "the file is as it was")


## Godot 2 writes every float with 32 bits. Rounded to 64 bits first, the second would be 1.
func _a_float_of_32_bits_becomes_the_nearest_one() -> void:
	var known: Dictionary[String, String] = {"0.1": "cdcccc3d", "1.000000059604644776": "0100803f", "-inf": "000080ff", "16777217": "0000804b"}
	for text: String in known:
		write_file(PATH, "030000000000c03f".hex_decode())
		panel.open_file(PATH)
		_choose("godot-2.1")
		_type(text)
		equal(FileAccess.get_file_as_bytes(PATH).hex_encode(), "03000000" + known[text], "%s: %s" % [text, panel.status.text])
		equal(panel.get_node("%Edit").text, panel.Plain.to_edit(known[text].hex_decode().decode_float(0)), "what the engine stores is shown")
	_type("1e39")
	check(panel.status.text.contains("too large for a number of 32 bits"), panel.status.text)
	panel._show_value()


## What would lose an edit, and what is then shown.
func _losing() -> Dictionary[String, Array]:
	var search: Callable = func() -> void:
		panel.get_node("%Search").text = "last"
		panel.find_next()
	var choose: Callable = func() -> void:
		panel.get_node("%Engine").select(1)
		panel.get_node("%Engine").item_selected.emit(1)
	var is_read: Callable = func() -> bool: return panel.packet.bytes.size() > panel.WINDOW
	return {
		"a record": [_click.bind(panel.records, 1, 2), func() -> int: return panel.records.selected, 1],
		"a value": [func() -> void: panel.tree._items[0].select(0), func() -> String: return panel.get_node("%Path").text, "$"],
		"a byte": [func() -> void: panel.bytes.byte_selected.emit(panel.packet.ends[2]), func() -> int: return panel.tree.selected_part(), 3],
		"a search": [search, func() -> Array: return [panel.record.number, panel.records.selected], [1, 1]],
		"an engine": [choose, func() -> String: return panel.get_node("%Engine").engine_of(panel.get_node("%Engine").selected), panel.get_node("%Engine").engine_of(1)],
		"lengths": [func() -> void: panel.get_node("%Lengths").button_pressed = false, func() -> Array: return [panel.index.has_lengths, panel.get_node("%Lengths").button_pressed], [false, false]],
		"byte order": [func() -> void: panel.get_node("%BigEndian").button_pressed = true, func() -> Array: return [panel.index.big_endian, panel.get_node("%BigEndian").button_pressed], [true, true]],
		"more": [func() -> void: panel.get_node("%More").pressed.emit(), is_read, true],
		"the file again": [func() -> void: panel.open_file(PATH), func() -> String: return panel.get_node("%Path").text, "$"],
		"another file": [func() -> void: panel._drop_data(Vector2.ZERO, {"type": "files", "files": [OTHER]}), func() -> String: return panel.index.path, OTHER],
		"a pasted packet": [func() -> void: panel.open_pasted("00000000"), func() -> String: return panel.index.path, ""],
	}


func _nothing_loses_an_unsaved_edit() -> void:
	write_file(OTHER, var_to_bytes(1))
	for title: String in _losing():
		for button: String in ["Cancel", "Discard", "Save"]:
			_write(PATH, [{"a": "Ann", "long": "x".repeat(300_000)}, "last"])
			panel.open_file(PATH)
			_select("$[\"a\"]")
			var selected: int = panel.part
			var shown: Array = _losing().values().map(func(losing: Array) -> Variant: return losing[1].call())
			panel.get_node("%Edit").text = "Barbara"
			var losing: Array = _losing()[title]
			losing[0].call()
			while panel._finder != null:
				await _frames(1)
			equal([panel.get_node("%Edit").text, panel.index.path, panel.record.number, panel.part], ["Barbara", PATH, 0, selected], "nothing is lost yet by %s" % title)
			await _answer(button)
			equal(_read(PATH)[0]["a"], "Barbara" if button == "Save" else "Ann", "%s after %s" % [button, title])
			if button != "Cancel":
				equal(losing[1].call(), losing[2], "%s is shown after %s" % [title, button])
				continue
			equal(panel.get_node("%Edit").text, "Barbara", "the edit is kept")
			equal(_losing().values().map(func(other: Array) -> Variant: return other[1].call()), shown, "what is shown after %s is canceled" % title)
			panel._show_value()


func _a_refused_edit_is_kept() -> void:
	_write(PATH, [1, 2])
	panel.open_file(PATH)
	panel.get_node("%Edit").text = "one"
	panel.select_record(1)
	await _answer("Save")
	equal([panel.get_node("%Edit").text, panel.record.number, panel.records.selected, _read(PATH)], ["one", 0, 0, [1, 2]], "the refused edit")
	check(panel.status.text.contains("one is not a value of type int"), panel.status.text)
	panel.select_record(1)
	await _answer("Discard")
	equal([panel.get_node("%Edit").text, panel.record.number], ["2", 1], "the other record")
	panel.select_record(0)
	check(not panel.get_node("%Unsaved").visible, "nothing is asked without an edit")


func _an_edit_of_a_file_that_has_changed_is_kept() -> void:
	_write(PATH, ["Ann", "last"])
	panel.open_file(PATH)
	panel.get_node("%Edit").text = "Barbara"
	_write(PATH, ["other"])
	panel.get_node("%Search").text = "last"
	for action: Callable in [panel.find_next, panel._add_to_policy]:
		action.call()
		equal(panel.get_node("%Edit").text, "Barbara", "the edit")
		check(panel.status.text.contains("has changed"), panel.status.text)
	panel.select_record(1)
	await _answer("Save")
	equal([panel.get_node("%Edit").text, _read(PATH)], ["Barbara", ["other"]], "the edit and the file")
	panel.select_record(1)
	await _answer("Discard")
	check(panel.packet == null and panel.status.text.contains("has changed"), panel.status.text)


func _a_search_waits_for_the_answer() -> void:
	_write(PATH, ["Ann", "second", "last"])
	panel.open_file(PATH)
	panel.get_node("%Search").text = "last"
	panel.find_next()
	panel.get_node("%Edit").text = "Barbara"
	panel.select_record(1)
	panel._process(0)
	equal([panel._finder != null, panel.record.number, panel.get_node("%Edit").text], [true, 0, "Barbara"], "while the question is shown")
	await _answer("Discard")
	await _until_done()
	equal(panel.record.number, 2, "the search goes on")


func _the_field_stays_low() -> void:
	var height: float = panel.get_combined_minimum_size().y
	_write(PATH, ["line\n".repeat(400)])
	panel.open_file(PATH)
	await _frames(3)
	equal(panel.get_combined_minimum_size().y, height, "the height of the panel with a long text")
