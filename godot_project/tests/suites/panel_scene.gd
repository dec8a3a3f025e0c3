extends "res://tests/panel_suite.gd"
## The panel's scene, driven as by a person: clicks, typed text and files.

const Helpers := preload("res://tests/suites/panel.gd")
const PATH: String = "user://panel_scene.dat"


func run() -> bool:
	await _show_panel()
	_nothing_is_open()
	_selection_is_linked()
	_malformed_files()
	_no_more_parts_are_read_than_fit_into_memory()
	_hostile_texts()
	_long_containers()
	await _deep_values()
	_parts_that_are_not_there()
	_a_file_that_has_changed_is_not_shown()
	await _a_record_that_cannot_be_read_is_not_shown()
	_a_chosen_engine_stays()
	_edit()
	await _search()
	await _a_search_finds_the_selected_value()
	await _what_a_search_has_read_is_shown()
	await _a_search_ends_if_the_file_grows()
	await _large_file()
	await _a_click_ends_the_way_to_the_last_record()
	_pasted()
	_policy()
	_no_policy_replaces_the_opened_file()
	_what_was_unticked_stays_so()
	await _damaged_files()
	panel.free()
	_remove_files("panel_scene.")
	return true


func _nothing_is_open() -> void:
	check(panel.get_node("%Export").disabled and panel.get_node("%Convert").disabled and panel.get_node("%Policy").disabled, "nothing can be done without a file")
	panel.open_file("user://panel_scene.none")
	check(panel.status.text.contains("cannot be opened"), panel.status.text)
	panel.find_next()
	_click(panel.records, 3, 0)
	_click(panel.bytes, 3, 12)
	check(panel.index == null, "nothing is open")


func _selection_is_linked() -> void:
	_write(PATH, [1, {"name": "Ann", "items": ["lamp", Vector2(1, 2)]}, "last"])
	panel.open_file(PATH)
	equal(panel.records.row_count, 3, "records")
	_click(panel.records, 1, 2)
	equal(panel.record.number, 1, "a click on a record shows it")
	var vector: int = Helpers.Search.of("Vector2").find_in(panel.packet, -1)
	panel.select_part(vector)
	equal(panel.get_node("%Path").text, "$[\"items\"][1]", "the path of the selected value")
	equal(panel.bytes.marked, Vector2i(panel.packet.starts[vector], panel.packet.ends[vector]), "its bytes are marked")
	# A click in the hexadecimal digits and one in the text, on the first byte of "Ann".
	var at: int = panel.packet.starts[panel.packet.children(0)[0]] + 8
	for column: int in [panel.bytes._column(at % panel.bytes.in_row), panel.bytes._first_text(panel.bytes.in_row) + at % panel.bytes.in_row]:
		panel.select_part(vector)
		panel.bytes.first_row = 0
		_click(panel.bytes, floori(float(at) / panel.bytes.in_row), column)
		equal(panel.tree.selected_part(), panel.packet.children(0)[0], "a click on a byte selects its value")
		equal(panel.get_node("%Path").text, "$[\"name\"]", "and shows its path")
	var item: TreeItem = panel.tree.get_selected()
	equal([item.get_text(0), item.get_text(1), item.get_text(2)], ["\"name\"", "\"Ann\"", "String"], "the columns of the tree")
	panel.tree._items[0].select(0)
	equal(panel.get_node("%Path").text, "$", "a selection in the tree shows the path")


func _malformed_files() -> void:
	var good: PackedByteArray = var_to_bytes({"a": [1, 2], "b": 3})
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var("first")
	file.store_32(good.size() - 4)
	file.store_buffer(good.slice(0, -4))
	file.store_buffer([1, 2, 3])
	file.close()
	panel.open_file(PATH)
	equal(panel.records.row_count, 3, "two records and why no more follow")
	panel.select_record(1)
	check(panel.status.text.contains("malformed at offset") and panel.status.text.contains("path $[\"b\"]"), panel.status.text)
	check(Helpers.Search.of("int 2").find_in(panel.packet, -1) > 0, "what was read before is shown")
	check(panel.bytes.wrong >= 0, "the error is marked")
	write_file(PATH, good.slice(0, -4))
	panel.open_file(PATH)
	check(panel.records.row_count == 1 and panel.status.text.contains("malformed at offset"), panel.status.text)
	check(Helpers.Search.of("int 2").find_in(panel.packet, -1) > 0, "what was read of a packet without its end")


func _no_more_parts_are_read_than_fit_into_memory() -> void:
	var nulls: Array = []
	nulls.resize(1_000_000)
	_write(PATH, [nulls])
	panel.open_file(PATH)
	for click: int in 3:
		if panel.get_node("%More").visible:
			panel.get_node("%More").pressed.emit()
	check(panel.packet.size() < 1000 and not panel.get_node("%More").visible, "%d parts" % panel.packet.size())
	check(panel.status.text.contains("more than 524288 values"), panel.status.text)


## Texts of a file are shown as they are: no control of the panel reads tags.
func _hostile_texts() -> void:
	var tag: String = "[url=x]a[/url]\n[img]res://icon.svg[/img]"
	_write(PATH, [{tag: tag}])
	panel.open_file(PATH)
	panel.select_part(panel.packet.children(0)[0])
	equal(panel.tree.get_selected().get_text(1), VarBytes.to_text(tag), "a text with tags")
	equal(panel.get_node("%Edit").text, tag, "the text in the editor")
	equal(panel.find_children("*", "RichTextLabel", true, false).size(), 0, "no control interprets tags")


func _long_containers() -> void:
	_write(PATH, [range(5000)])
	panel.open_file(PATH)
	var items: int = panel.tree._items.size()
	check(items < 300, "items are created when they are opened: %d" % items)
	var part: int = panel.packet.children(0)[4321]
	panel.select_part(part)
	equal(panel.tree.get_selected().get_text(0), "[4321]", "a part deep in a long array")
	check(panel.tree._items.size() < 600, "only its group is created")


## The engine draws and frees the levels of a tree within each other. Godot 2 reads values of any depth, and its Array is 21.
func _deep_values() -> void:
	for nulls: int in [0, 600]:
		var bytes: PackedByteArray = []
		var empty: PackedByteArray = []
		empty.resize(4 * nulls)
		for level: int in 100 if nulls > 0 else 32_000:
			bytes.append_array([21, 0, 0, 0, (nulls + 1) & 255, (nulls + 1) >> 8, 0, 0])
			bytes.append_array(empty)
		bytes.append_array([0, 0, 0, 0])
		write_file(PATH, bytes)
		panel.open_file(PATH)
		_choose("godot-2.1")
		check(panel.packet.problem.is_empty() and panel.packet.size() > 30_000, "%d parts" % panel.packet.size())
		panel._select_byte(panel.packet.bytes.size() - 10)
		await _frames(2)
		check(panel.tree.get_selected() != null, "an item is selected")
		var levels: int = panel.tree._levels.values().max()
		equal(levels, 100 if nulls > 0 else panel.tree.LEVELS, "the levels of the tree")
		check(nulls > 0 or panel.tree.get_selected().get_text(1).contains("not shown"), panel.tree.get_selected().get_text(1))
	panel.open_pasted("00000000")


func _parts_that_are_not_there() -> void:
	_write(PATH, [[1, 2]])
	panel.open_file(PATH)
	panel.select_part(1)
	for number_value: int in [3, 1000, -1]:
		panel.select_part(number_value)
		panel.tree.select_part(number_value)
		equal(panel.get_node("%Path").text, "$[0]", "the selection stays")


func _a_file_that_has_changed_is_not_shown() -> void:
	_write(PATH, [1, {"a": "Ann"}, "last"])
	panel.open_file(PATH)
	_write(PATH, [{"other": 1}, 2, 3, 4])
	for action: Callable in [panel.select_record.bind(1), panel.find_next, panel._add_to_policy, panel._choose_engine.bind(1)]:
		_write(PATH, [1, {"a": "Ann"}, "last"])
		panel.open_file(PATH)
		panel.get_node("%Search").text = "Ann"
		_write(PATH, [{"other": 1}, 2, 3, 4])
		action.call()
		check(panel.status.text.contains("open it again"), "%s: %s" % [action.get_method(), panel.status.text])
		check(panel.packet == null and panel._finder == null, "nothing is shown")
	panel.get_node("%Export").get_popup().id_pressed.emit(0)
	equal(panel.status.text, "No record is selected.", "an export of one record")


func _a_record_that_cannot_be_read_is_not_shown() -> void:
	_write(PATH, ["first", "second", "x".repeat(70_000), "last"])
	panel.open_file(PATH)
	# The value of the second record, and the lengths after it, cannot be read.
	write_file("user://panel_scene.short", FileAccess.get_file_as_bytes(PATH).slice(0, 30))
	panel.index._file = FileAccess.open("user://panel_scene.short", FileAccess.READ)
	panel.index._block.clear()
	panel.get_node("%Search").text = "last"
	panel.find_next()
	await _until_done()
	check(panel.status.text.contains("Record 1 cannot be searched"), panel.status.text)
	for number_value: int in [1, 3]:
		panel.select_record(number_value)
		check(panel.packet == null and panel.status.text.contains("cannot be read"), panel.status.text)
		panel.select_record(0)
		equal(panel.get_node("%Edit").text, "first", "another record")
		await _frames(2)


func _a_chosen_engine_stays() -> void:
	write_file(PATH, Helpers.GODOT_3_SAVE.hex_decode())
	panel.open_file(PATH)
	var item: int = panel.get_node("%Engine").item_count - 1
	panel._choose_engine(item)
	for box: String in ["%BigEndian", "%Lengths", "%BigEndian", "%Lengths"]:
		panel.get_node(box).button_pressed = not panel.get_node(box).button_pressed
		equal(panel.engine, panel.get_node("%Engine").engine_of(item), "the engine after a change of %s" % box)
	panel.open_file(PATH)
	equal(panel.engine, "godot-3.6", "another file has its own")


func _a_click_ends_the_way_to_the_last_record() -> void:
	var bytes: PackedByteArray = []
	bytes.resize(8_000_000)
	write_file(PATH, bytes)
	panel.open_file(PATH)
	panel.records._moved(panel.records.row_count)
	check(not panel.index.complete, "the last record is not known yet")
	panel.select_record(5)
	panel.index.find(1 << 62)
	await _frames(3)
	equal(panel.record.number, 5, "the record that was clicked")


func _what_was_unticked_stays_so() -> void:
	var gradient: String = var_to_bytes_with_objects([Gradient.new()]).hex_encode()
	for is_kept: bool in [true, false]:
		panel.open_pasted(gradient)
		panel.get_node("%Policy").pressed.emit()
		var listed: TreeItem = panel.get_node("%Listed").get_root().get_child(0)
		equal([listed.is_checked(0), listed.get_child(0).is_checked(0)], [true, true], "everything is ticked at first")
		listed.set_checked(0, false)
		listed.get_child(0).set_checked(0, false)
		if not is_kept:
			panel.get_node("%PolicyDialog").canceled.emit()
		panel.open_pasted(var_to_bytes_with_objects([Curve.new(), Gradient.new()]).hex_encode())
		panel.get_node("%Policy").pressed.emit()
		for item: TreeItem in panel.get_node("%Listed").get_root().get_children():
			var is_ticked: bool = not is_kept or item.get_text(0) != "class \"Gradient\""
			equal([item.is_checked(0), item.get_child(0).is_checked(0)], [is_ticked, is_ticked], item.get_text(0))
		panel.get_node("%PolicyDialog").canceled.emit()
		panel.get_node("%PolicyDialog").hide()


func _edit() -> void:
	_write(PATH, [1, {"name": "Ann"}])
	panel.open_file(PATH)
	panel.select_record(1)
	panel.select_part(0)
	check(not panel.get_node("%Edit").editable and panel.get_node("%Apply").disabled, "a Dictionary cannot be edited")
	panel.select_part(panel.packet.children(0)[0])
	panel.get_node("%Edit").text = "Barbara"
	panel.get_node("%Apply").pressed.emit()
	check(panel.status.text.contains(".backup-"), panel.status.text)
	var file: FileAccess = FileAccess.open(PATH, FileAccess.READ)
	equal([file.get_var(), file.get_var()], [1, {"name": "Barbara"}], "the engine reads the edited file")
	file.close()
	equal([panel.record.number, panel.get_node("%Path").text, panel.get_node("%Edit").text], [1, "$[\"name\"]", "Barbara"], "the same value is selected")
	panel.select_record(0)
	panel.select_part(0)
	panel.get_node("%Edit").text = "one"
	panel.get_node("%Apply").pressed.emit()
	check(panel.status.text.contains("one is not a value of type int"), panel.status.text)
	panel._show_value()


func _search() -> void:
	_write(PATH, range(3000).map(func(number_value: int) -> Variant: return {"number": number_value, "text": "needle" if number_value in [40, 2900] else "hay"}))
	panel.open_file(PATH)
	panel.get_node("%Search").text = "needle"
	for found: int in [40, 2900]:
		panel.get_node("%FindNext").pressed.emit()
		await _until_done()
		equal([panel.record.number, panel.get_node("%Path").text], [found, "$[\"text\"]"], "a text in a later record")
	panel.find_next()
	await _until_done()
	check(panel.status.text.contains("Not found"), panel.status.text)
	panel.find_next()
	panel.get_node("%Cancel").pressed.emit()
	check(panel._finder == null and panel.status.text == "Canceled.", "a search is canceled")


func _a_search_finds_the_selected_value() -> void:
	_write(PATH, ["needle", "needle"])
	panel.open_file(PATH)
	panel.get_node("%Search").text = "needle"
	for found: int in [0, 1]:
		panel.find_next()
		await _until_done()
		equal([panel.status.text, panel.record.number], ["Found in record %d." % found, found], "where it is found")


## To read a long record takes a second, so it is not read again.
func _what_a_search_has_read_is_shown() -> void:
	_write(PATH, [range(50_000) + ["needle"], 2, range(60_000) + ["needle"]])
	panel.open_file(PATH)
	panel.get_node("%Search").text = "needle"
	for found: int in [0, 2]:
		panel.find_next()
		var finder: RefCounted = panel._finder
		await _until_done()
		equal([panel.record.number, panel.records.selected, panel.get_node("%Edit").text, panel.status.text], [found, found, "needle", "Found in record %d." % found], "what was found")
		check(panel.packet == finder.packet and not panel.get_node("%More").visible, "all that was read is shown")


func _large_file() -> void:
	# 1 GiB, of which only a few bytes are on the disk.
	const LONG: int = 1 << 30
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var("first")
	file.store_32(LONG)
	var head: PackedByteArray = var_to_bytes(PackedByteArray([1]))
	head.encode_u32(4, LONG - 8)
	file.store_buffer(head.slice(0, 8))
	file.seek(file.get_position() + LONG - 8)
	file.store_var("last")
	file.close()
	panel.open_file(PATH)
	panel.select_record(1)
	check(panel.get_node("%More").visible and panel.packet.bytes.size() < 1_000_000, "only the beginning of a long record is read")
	check(panel.packet.problem.is_empty() and panel.status.text.contains("were read"), panel.status.text)
	for click: int in 2:
		panel.get_node("%More").pressed.emit()
	check(not panel.get_node("%More").visible, "no more than 16 MiB of a record are read for the tree")
	panel.get_node("%Policy").pressed.emit()
	check(panel.get_node("%Found").text.contains("longer than"), "a long record is no sample")
	panel.get_node("%PolicyDialog").hide()
	panel.get_node("%PolicyDialog").end()
	panel.bytes.first_row = panel.bytes.row_count
	equal(panel.bytes.row_count, floori(float(LONG) / panel.bytes.in_row), "all its bytes can be shown")
	panel.records._moved(1 << 30)
	await _frames(3)
	equal(panel.record.number, 2, "the end key goes to the last record")


func _a_search_ends_if_the_file_grows() -> void:
	_write(PATH, [range(60000) + ["needle"]])
	panel.open_file(PATH)
	panel.get_node("%Search").text = "needle"
	panel.find_next()
	var file: FileAccess = FileAccess.open(PATH, FileAccess.READ_WRITE)
	file.seek_end()
	file.store_var(1)
	file.close()
	await _until_done()
	check(panel.status.text.contains("has changed"), panel.status.text)


func _no_policy_replaces_the_opened_file() -> void:
	const OPENED: String = "user://panel_scene.tres"
	_write(OPENED, [{"a": 1}])
	var before: PackedByteArray = FileAccess.get_file_as_bytes(OPENED)
	panel.open_file(OPENED)
	panel.get_node("%Policy").pressed.emit()
	panel.get_node("%PolicyDialog").hide()
	for target: String in [OPENED, "user://panel_scene.unknown", "user://panel_scene.2.tres"]:
		panel.get_node("%PolicyDialog").confirmed.emit()
		panel.get_node("%SaveDialog").hide()
		panel.get_node("%SaveDialog").file_selected.emit(target)
		check(panel.status.text.contains(["is the opened file", "End the name with .tres", "Saved"][["", "unknown", "2.tres"].find(target.trim_prefix(OPENED.get_basename() + ".").trim_prefix("tres"))]), panel.status.text)
	equal(FileAccess.get_file_as_bytes(OPENED), before, "the file is as it was")
	check(load("user://panel_scene.2.tres") is VarBytesOptions, "the policy")


func _pasted() -> void:
	panel.open_pasted(var_to_bytes([1, "two"]).hex_encode())
	equal(panel.packet.path_of(2), "$[1]", "a pasted packet")
	panel.select_part(2)
	check(not panel.get_node("%Edit").editable, "it cannot be edited")
	panel.open_pasted("neither!")
	check(panel.status.text.contains("neither hexadecimal nor base64"), panel.status.text)


func _policy() -> void:
	panel.open_pasted(var_to_bytes_with_objects([Gradient.new()]).hex_encode())
	panel.get_node("%Policy").pressed.emit()
	panel.get_node("%Verify").pressed.emit()
	check(panel.get_node("%Found").text.begins_with("All packets can be read"), panel.get_node("%Found").text)
	var listed: TreeItem = panel.get_node("%Listed").get_root().get_child(0)
	equal(listed.get_text(0), "class \"Gradient\"", "the class is listed")
	listed.get_child(0).set_checked(0, false)
	panel.get_node("%Verify").pressed.emit()
	check(panel.get_node("%Found").text.contains("sample 1"), panel.get_node("%Found").text)
	listed.get_child(0).set_checked(0, true)
	panel.get_node("%PolicyDialog").hide()
	panel.get_node("%PolicyDialog").confirmed.emit()
	panel.get_node("%SaveDialog").hide()
	panel.get_node("%SaveDialog").file_selected.emit("user://panel_scene.tres")
	var options: VarBytesOptions = ResourceLoader.load("user://panel_scene.tres", "", ResourceLoader.CACHE_MODE_IGNORE)
	check(VarBytes.decode(var_to_bytes_with_objects([Gradient.new()]), options).ok, "the saved policy")


## Files of random bytes, of damaged records of both engines, and of hostile packets: whatever is done with them, nothing fails.
func _damaged_files() -> void:
	var random := RandomNumberGenerator.new()
	random.seed = number("seed", 1)
	Engine.set_meta("trap", 0)
	var sources: Array[PackedByteArray] = [
		Helpers.GODOT_3_SAVE.hex_decode(), var_to_bytes_with_objects([Gradient.new(), {"k": [1, "two"]}, &"n", ^"a/b:c", PackedStringArray(["x"])]),
		var_to_bytes({"a": {Vector2i(1, 2): [1.5, Color.RED]}, ["key"]: null, "s": Signal(), "c": Callable(), "i": panel}),
		Helpers._object("RefCounted", {"script": Helpers.TRAP}), Helpers._object("GDScript", {"script/source": "static var x = 1"}),
	]
	for round_number: int in number("files", 8):
		var bytes: PackedByteArray = []
		for count: int in random.randi_range(1, 4):
			var packet: PackedByteArray = sources[random.randi() % sources.size()].duplicate()
			for change: int in random.randi_range(0, 3):
				packet[random.randi() % packet.size()] = [random.randi() % 256, 0, 255, 27, 24][random.randi() % 5]
			if round_number % 3 != 0:
				bytes.append_array([packet.size() % 256, packet.size() >> 8, 0, 0])
			bytes.append_array(packet)
		FileAccess.open(PATH, FileAccess.WRITE).store_buffer(bytes.slice(0, random.randi_range(1, bytes.size())))
		panel.open_file(PATH)
		await _use(random)
	check(Engine.get_meta("trap") == 0, "no script ran")
	check(panel.status != null, "the panel is still there")


func _use(random: RandomNumberGenerator) -> void:
	panel._choose_engine(random.randi() % panel.get_node("%Engine").item_count)
	panel.get_node("%Lengths").button_pressed = random.randf() < 0.5
	panel.get_node("%BigEndian").button_pressed = random.randf() < 0.2
	for row: int in 4:
		_click(panel.records, row, 1)
		if panel.packet == null:
			return
		for part: int in panel.packet.size():
			panel.select_part(part)
			var path: String = panel.get_node("%Path").text
			if not check(path.begins_with("$") and not path.contains("\n") and panel.tree.get_selected() != null, "part %d has a path and an item: %s" % [part, path]):
				return
		for offset: int in mini(panel.record.size, 64):
			panel._select_byte(offset)
		panel.get_node("%Search").text = ["e", "Vector", "1"][row % 3]
		panel.find_next()
		await _until_done()
		if panel.get_node("%Edit").editable:
			panel.get_node("%Edit").text += "1"
			panel.apply_edit()
			# A refused edit would be asked about.
			panel._show_value()
		if not panel.get_node("%Policy").disabled:
			panel._add_to_policy()
			panel.get_node("%PolicyDialog").hide()
	for json: bool in [true, false]:
		panel.begin(panel.ExportJob.of(panel.index, panel.engine, "user://panel_scene.export", json))
		await _until_done()
		if json:
			check(JSON.new().parse(FileAccess.get_file_as_string("user://panel_scene.export")) == OK, "the export is JSON")
	DirAccess.remove_absolute("user://panel_scene.godot4")
	panel.begin(panel.Conversion.of(panel.index, panel.engine, "user://panel_scene.godot4"))
	await _until_done()
	panel.get_node("%Report").hide()
	panel.get_node("%PolicyDialog").end()
