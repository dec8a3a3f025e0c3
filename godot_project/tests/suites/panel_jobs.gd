extends "res://tests/panel_suite.gd"
## Exports and conversions, by the panel's logic and in its scene.

const Helpers := preload("res://tests/suites/panel.gd")
const Index := preload(EDITOR + "record_index.gd")
const ExportJob := preload(EDITOR + "export_job.gd")
const Conversion := preload(EDITOR + "conversion.gd")
const PATH: String = "user://panel_jobs.dat"
const TARGET: String = "user://panel_jobs.json"


func run() -> bool:
	_exports()
	_conversion()
	_no_export_replaces_the_opened_file()
	_colliding_keys_are_exported_and_converted()
	_an_error_without_a_place_is_that_of_its_record()
	_bytes_after_a_value_are_listed_as_left_out()
	_what_an_export_leaves_out_is_told()
	_a_file_that_cannot_be_read_is_not_written_in_part()
	if OS.get_name() == "Linux":
		_an_export_keeps_the_permissions_of_its_target()
		_nothing_is_written_through_a_link()
	await _show_panel()
	await _records_that_a_job_has_found_are_in_the_list()
	await _exports_of_the_scene()
	await _conversion_of_the_scene()
	_another_name_beside_the_opened_file_is_proposed()
	await _the_save_dialog_does_not_keep_a_file_open()
	await _a_running_export_is_not_dropped()
	await _a_canceled_job_leaves_no_file()
	await _a_closed_panel_leaves_no_file()
	_long_records_are_worked_on_in_another_thread()
	_cancel_does_not_wait_for_another_thread()
	_a_file_that_has_changed_is_not_exported()
	_remove_files("panel_jobs.")
	return true


func _exports() -> void:
	Helpers.write([{"at": Vector2(1, 2)}, Resource.new(), "last"], false, PATH)
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	write_file(PATH, bytes + PackedByteArray([9, 0]))
	var job: ExportJob = ExportJob.of(Index.open(PATH), "", "user://panel_jobs.json", true)
	while not job.step(1):
		pass
	equal([job.problem, job.unreadable], ["", 2], "an object and the end are unreadable")
	var read: Array = JSON.parse_string(FileAccess.get_file_as_string("user://panel_jobs.json"))
	equal(read.size(), 4, "one element for each record, and one for the error at the end")
	equal(VarBytes.from_json(JSON.stringify(read[0])).value, {"at": Vector2(1, 2)}, "a record as JSON")
	check(read[1].error.contains("not allowed") and read[1].offset > 0 and read[3].offset == bytes.size(), str(read))
	var text_job: ExportJob = ExportJob.of(Index.open(PATH), "", "user://panel_jobs.txt", false)
	while not text_job.step(1):
		pass
	var text: String = FileAccess.get_file_as_string("user://panel_jobs.txt")
	for part: String in ["{\"at\": Vector2(1, 2)}", "Object of class Resource", "\"last\"", "the file ends within"]:
		check(text.contains(part), "%s is in the text" % part)
	var one: ExportJob = ExportJob.of(Index.open(PATH), "", "user://panel_jobs.json", true, 2, 2)
	while not one.step(1):
		pass
	equal(JSON.parse_string(FileAccess.get_file_as_string("user://panel_jobs.json")).size(), 1, "a single record")
	var nowhere: ExportJob = ExportJob.of(Index.open(PATH), "", "user://none/panel.json", true)
	check(nowhere.done and nowhere.problem.contains("cannot be written"), "a folder that does not exist")


func _conversion() -> void:
	var save: PackedByteArray = Helpers.GODOT_3_SAVE.hex_decode()
	check(Index.readable_as(save, save.size(), "godot-3.6") and not Index.readable_as(save, save.size(), ""), "the engine can be told apart")
	# A text with half of a surrogate pair, which only Godot 3 can hold.
	var lossy: PackedByteArray = "0400000006000000efbbbfeda0800000".hex_decode()
	var object: PackedByteArray = Helpers._object("Reference", {})
	object[0] = 17
	var bytes: PackedByteArray = []
	for value: PackedByteArray in [save, object, PackedByteArray([4, 0]), lossy]:
		bytes.append_array([value.size(), 0, 0, 0])
		bytes.append_array(value)
	write_file(PATH, bytes)
	DirAccess.remove_absolute("user://panel_jobs.godot4")
	var job: Conversion = Conversion.of(Index.open(PATH), "godot-3.6", "user://panel_jobs.godot4")
	while not job.step(1):
		pass
	equal([job.problem, job.left_out, job.converted], ["", 2, 2], "records that cannot be converted")
	var file: FileAccess = FileAccess.open("user://panel_jobs.godot4", FileAccess.READ)
	equal(file.get_var(), {"at": Vector2(1, 2), "name": "Ann"}, "a save of Godot 3")
	check("record 1 is left out" in job.losses[0] and "record 2 is left out" in job.losses[1] and "record 3: $: text" in job.losses[2], str(job.losses))
	equal(FileAccess.get_file_as_bytes(PATH), bytes, "the old file is as it was")
	check(Conversion.of(Index.open(PATH), "godot-3.6", "user://panel_jobs.godot4").problem.contains("not overwritten"), "an existing file is kept")


func _exports_of_the_scene() -> void:
	_write(PATH, [1, {"a": 2}])
	panel.open_file(PATH)
	panel.select_record(1)
	for item: int in 4:
		panel.get_node("%Export").get_popup().id_pressed.emit(item)
		panel.get_node("%SaveDialog").hide()
		var target: String = "user://panel_jobs.%d" % item
		panel.get_node("%SaveDialog").file_selected.emit(target)
		await _until_done()
		var text: String = FileAccess.get_file_as_string(target)
		var json := JSON.new()
		equal(json.parse(text) == OK, item % 2 == 0, "export %d: %s" % [item, text])
		equal(json.data.size() if item % 2 == 0 else text.count("# Record"), 1 if item < 2 else 2, "one record or all")


func _conversion_of_the_scene() -> void:
	FileAccess.open(PATH, FileAccess.WRITE).store_buffer(Helpers.GODOT_3_SAVE.hex_decode())
	panel.open_file(PATH)
	equal(panel.engine, "godot-3.6", "a packet of Godot 3 is recognized")
	check(not panel.get_node("%Convert").disabled, "and can be converted")
	panel.get_node("%Convert").pressed.emit()
	panel.get_node("%SaveDialog").hide()
	panel.get_node("%SaveDialog").file_selected.emit("user://panel_jobs.converted")
	await _until_done()
	equal(bytes_to_var(FileAccess.get_file_as_bytes("user://panel_jobs.converted")), {"at": Vector2(1, 2), "name": "Ann"}, "the converted save")
	check(panel.status.text.begins_with("1 records converted, 0 left out"), panel.status.text)


func _no_export_replaces_the_opened_file() -> void:
	_write(PATH, [1, {"a": 2}])
	var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	var paths: PackedStringArray = [PATH, ProjectSettings.globalize_path(PATH)]
	if OS.get_name() == "Linux":
		paths.append(OS.get_user_data_dir() + "/panel_jobs.link")
		OS.execute("ln", ["-sf", "panel_jobs.dat", paths[2]])
	for path: String in paths:
		for job: RefCounted in [ExportJob.of(Index.open(PATH), "", path, true), Conversion.of(Index.open(PATH), "godot-3.6", path)]:
			check(job.done and job.problem.contains("is the opened file"), "%s: %s" % [path, job.problem])
	equal(FileAccess.get_file_as_bytes(PATH), before, "the file is as it was")


func _another_name_beside_the_opened_file_is_proposed() -> void:
	for opened: String in ["user://panel_jobs.json", "user://panel_jobs.txt"]:
		_write(opened, [1])
		panel.open_file(opened)
		for item: int in 4:
			panel.get_node("%Export").get_popup().id_pressed.emit(item)
			check(panel.get_node("%SaveDialog").current_file not in ["", opened.get_file()], panel.get_node("%SaveDialog").current_file)
			equal(panel.get_node("%SaveDialog").current_dir, OS.get_user_data_dir(), "the folder")
			panel.get_node("%SaveDialog").hide()


func _the_save_dialog_does_not_keep_a_file_open() -> void:
	for is_canceled: bool in [false, true]:
		_write(PATH, [1])
		panel.open_file(PATH)
		var kept: WeakRef = weakref(panel.index)
		panel.get_node("%Export").get_popup().id_pressed.emit(2)
		panel.get_node("%SaveDialog").hide()
		if is_canceled:
			panel.get_node("%SaveDialog").canceled.emit()
		else:
			panel.get_node("%SaveDialog").file_selected.emit(TARGET)
		await _until_done()
		panel.open_pasted("00000000")
		check(kept.get_ref() == null, "nothing holds the file")


func _an_export_keeps_the_permissions_of_its_target() -> void:
	_write(PATH, [1])
	for permissions: int in [0x180, 0x100]:
		write_file(TARGET, "old".to_utf8_buffer())
		FileAccess.set_unix_permissions(TARGET, permissions)
		var job: ExportJob = ExportJob.of(Index.open(PATH), "", TARGET, true)
		while not job.step(1):
			pass
		equal(FileAccess.get_unix_permissions(TARGET), permissions, "the permissions")
		var is_protected: bool = permissions == 0x100
		equal([job.problem.contains("protected against writing"), FileAccess.get_file_as_string(TARGET) == "old"], [is_protected, is_protected], job.problem)
		DirAccess.remove_absolute(TARGET)


func _nothing_is_written_through_a_link() -> void:
	const VICTIM: String = "user://panel_jobs.victim"
	_write(PATH, [1])
	DirAccess.remove_absolute(TARGET)
	DirAccess.open("user://").create_link(ProjectSettings.globalize_path(VICTIM), TARGET + ".part-1")
	var job: ExportJob = ExportJob.of(Index.open(PATH), "", TARGET, true)
	while not job.step(1):
		pass
	equal([job.problem, FileAccess.file_exists(TARGET), FileAccess.file_exists(VICTIM)], ["", true, false], "a link that leads to nothing")
	check(not DirAccess.open("user://").is_link(TARGET), "the target is a file")
	DirAccess.remove_absolute(TARGET + ".part-1")


func _what_an_export_leaves_out_is_told() -> void:
	Helpers.write([1], false, PATH)
	var file: FileAccess = FileAccess.open(PATH, FileAccess.READ_WRITE)
	file.seek_end()
	file.store_32(12)
	file.store_buffer(var_to_bytes(7) + PackedByteArray([1, 2, 3, 4]))
	file.close()
	for as_json: bool in [true, false]:
		var job: ExportJob = ExportJob.of(Index.open(PATH), "", TARGET, as_json)
		while not job.step(1):
			pass
		check(job.incomplete == 1 and job.report()[0].contains("bytes after the value"), str(job.report()))


## Lengths and values that are beyond the end of what can be read, also in a record that another thread would work on.
func _a_file_that_cannot_be_read_is_not_written_in_part() -> void:
	_write(PATH, range(100) + ["x".repeat(100_000), 7])
	var whole: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	for readable: int in [0, 2, 6, 14, 12 * 99 + 5, 12 * 100 + 1, 12 * 100 + 5, whole.size() - 10, whole.size() - 1]:
		write_file("user://panel_jobs.short", whole.slice(0, readable))
		for is_found: bool in [false, true]:
			for as_json: bool in [true, false]:
				DirAccess.remove_absolute(TARGET)
				var index: Index = Index.open(PATH)
				if is_found:
					index.find(1 << 30)
				index._file = FileAccess.open("user://panel_jobs.short", FileAccess.READ)
				index._block.clear()
				var job: RefCounted = ExportJob.of(index, "", TARGET, true) if as_json else Conversion.of(index, "", TARGET)
				while not job.step(1):
					pass
				check(job.problem.contains("cannot be read") and not _has_files("panel_jobs.json"), "%d bytes: %s" % [readable, job.report()])
	var encrypted: FileAccess = FileAccess.open_encrypted_with_pass(PATH, FileAccess.WRITE, "key")
	encrypted.store_var(1)
	encrypted.close()
	var refused: Conversion = Conversion.of(Index.open(PATH), "", TARGET)
	check(refused.done and refused.problem.contains("encrypted"), "an encrypted file: %s" % refused.problem)


func _records_that_a_job_has_found_are_in_the_list() -> void:
	_write(PATH, range(5000))
	panel.open_file(PATH)
	panel.index.find(1 << 62, 10_000)
	await Engine.get_main_loop().process_frame
	await Engine.get_main_loop().process_frame
	equal([panel.index.complete, panel.records.row_count], [true, 5000], "the rows")


func _colliding_keys_are_exported_and_converted() -> void:
	var keys: Dictionary = _colliding_keys(5000)
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	write_file(PATH, VarBytes.encode(keys, options).value)
	check(not VarBytes.decode(FileAccess.get_file_as_bytes(PATH), options).ok, "they are refused without the option")
	DirAccess.remove_absolute("user://panel_jobs.godot4")
	var job: Conversion = Conversion.of(Index.open(PATH), "godot-3.6", "user://panel_jobs.godot4")
	var export: ExportJob = ExportJob.of(Index.open(PATH), "godot-3.6", TARGET, true)
	while not job.step(1) or not export.step(1):
		pass
	equal([job.converted, job.left_out, export.unreadable], [1, 0, 0], str(job.losses))


func _an_error_without_a_place_is_that_of_its_record() -> void:
	var options := VarBytesOptions.new()
	options.engine = "godot-3.6"
	_write(PATH, [1])
	var file: FileAccess = FileAccess.open(PATH, FileAccess.READ_WRITE)
	file.seek_end()
	var long: PackedByteArray = VarBytes.encode(_colliding_keys(20000), options).value
	file.store_32(long.size())
	file.store_buffer(long)
	file.close()
	var job: ExportJob = ExportJob.of(Index.open(PATH), "godot-3.6", TARGET, true)
	while not job.step(1):
		pass
	equal(JSON.parse_string(FileAccess.get_file_as_string(TARGET))[1].get("offset"), 16.0, "the start of the record")


## Consecutive numbers in base62, of which many have the same hash.
func _colliding_keys(count: int) -> Dictionary:
	var keys: Dictionary = {}
	for number_of_key: int in count:
		var text: String = ""
		var left: int = number_of_key
		for place: int in 4:
			text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[left % 62] + text
			left /= 62
		keys[text] = 0
	return keys


func _bytes_after_a_value_are_listed_as_left_out() -> void:
	write_file(PATH, Helpers.GODOT_3_SAVE.hex_decode() + PackedByteArray([1, 2, 3, 4]))
	DirAccess.remove_absolute("user://panel_jobs.godot4")
	var index: Index = Index.open(PATH)
	index.has_lengths = false
	index.restart()
	var job: Conversion = Conversion.of(index, "godot-3.6", "user://panel_jobs.godot4")
	while not job.step(1):
		pass
	check(job.losses.size() == 1 and job.losses[0].contains("4 bytes after the value are left out"), str(job.losses))


## Notes which thread works on each record.
class Watched:
	extends "res://addons/varbytes/editor/job.gd"
	var threads: Dictionary[int, int] = {}
	var goes_on: bool = true

	func _work(record: Index.Record, bytes: PackedByteArray) -> void:
		threads[record.number] = OS.get_thread_caller_id()
		while not goes_on:
			OS.delay_msec(1)
		output.store(bytes)


func _long_records_are_worked_on_in_another_thread() -> void:
	var values: Array = [1, "x".repeat(100_000), "last"]
	_write(PATH, values)
	for stopped: bool in [true, false]:
		DirAccess.remove_absolute(TARGET)
		var job := Watched.new()
		job._begin(Index.open(PATH), TARGET, true)
		while not job.step(0):
			if stopped and job._thread != null:
				job.stop("canceled")
		if stopped:
			equal([job._thread, _has_files("panel_jobs.json")], [null, false], "a canceled job")
			continue
		equal(range(3).map(func(number_value: int) -> bool: return job.threads[number_value] == OS.get_main_thread_id()), [true, false, true], "which records the editor's thread worked on")
		equal(FileAccess.get_file_as_bytes(TARGET), var_to_bytes(1) + var_to_bytes(values[1]) + var_to_bytes("last"), "the order")
	DirAccess.remove_absolute(TARGET)


## Otherwise the editor stands still until the record is done.
func _cancel_does_not_wait_for_another_thread() -> void:
	_write(PATH, ["x".repeat(100_000), 1])
	var job := Watched.new()
	job.goes_on = false
	job._begin(Index.open(PATH), TARGET, true)
	check(not job.step(0) and job._thread != null, "another thread works")
	job.cancel("canceled")
	check(not job.step(0), "it still works")
	job.goes_on = true
	while not job.step(1):
		pass
	equal([job.problem, job.threads.size(), _has_files("panel_jobs.json")], ["canceled", 1, false], "the end")


func _start_long_export(values: Array = range(50000)) -> void:
	_write(PATH, values)
	panel.open_file(PATH)
	DirAccess.remove_absolute(TARGET)
	panel.get_node("%Export").get_popup().id_pressed.emit(2)
	panel.get_node("%SaveDialog").hide()
	panel.get_node("%SaveDialog").file_selected.emit(TARGET)
	await _frames(2)
	check(panel._job != null, "the export runs")


func _a_running_export_is_not_dropped() -> void:
	await _start_long_export()
	for button: String in ["%Open", "%Paste", "%Export", "%Convert", "%Lengths", "%BigEndian"]:
		check(panel.get_node(button).disabled, "%s is disabled" % button)
	panel.open_pasted("00000000")
	panel.open_file(PATH)
	panel._drop_data(Vector2.ZERO, {"type": "files", "files": [PATH]})
	_type("5")
	panel._show_value()
	panel.find_next()
	await _frames(1)
	check(panel.status.text.contains("Cancel this, or wait"), panel.status.text)
	await _until_done()
	equal(panel.status.text, "Done.", "the end")
	equal(JSON.parse_string(FileAccess.get_file_as_string(TARGET)).size(), 50000, "every record is exported")
	check(not panel.get_node("%Open").disabled, "the buttons can be used again")


func _a_canceled_job_leaves_no_file() -> void:
	await _start_long_export()
	panel.get_node("%Cancel").pressed.emit()
	await _until_done()
	check(panel.status.text.contains("canceled. Nothing was written"), panel.status.text)
	panel.get_node("%Report").hide()
	check(not _has_files("panel_jobs.json"), "no file is left")
	write_file(PATH, Helpers.GODOT_3_SAVE.hex_decode())
	for is_canceled: bool in [true, false]:
		var job: Conversion = Conversion.of(Index.open(PATH), "godot-3.6", TARGET)
		if is_canceled:
			job.stop("canceled")
		while not job.step(1):
			pass
		equal([job.problem, FileAccess.file_exists(TARGET)], ["canceled", false] if is_canceled else ["", true], "a conversion after a canceled one")


func _a_closed_panel_leaves_no_file() -> void:
	await _start_long_export()
	panel.free()
	check(not _has_files("panel_jobs.json"), "no file is left")
	await _show_panel()
	await _start_long_export([range(1_000_000)])
	check(panel._job._thread != null, "another thread works")
	panel.free()
	check(not _has_files("panel_jobs.json"), "no file is left by another thread")


func _a_file_that_has_changed_is_not_exported() -> void:
	for is_late: bool in [false, true]:
		_write(PATH, range(100))
		var index: Index = Index.open(PATH)
		var job: ExportJob = ExportJob.of(index, "", TARGET, true) if is_late else null
		_write(PATH, range(100, 0, -1))
		if job == null:
			job = ExportJob.of(index, "", TARGET, true)
		while not job.step(1):
			pass
		check(job.problem.contains("open it again") and not _has_files("panel_jobs.json"), "changed: %s" % job.problem)


func _has_files(beginning: String) -> bool:
	return Array(DirAccess.get_files_at("user://")).any(func(file: String) -> bool: return file.begins_with(beginning))
