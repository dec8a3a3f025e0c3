extends "res://tests/suite.gd"
## Writes to a full disk: a record stored with `ok` is in the file, a file never ends with half a record, and the panel leaves no
## file that is not whole.
##
## `--file-limit bytes` is the system's limit on file sizes; `--large-file path` names a file above the limit: one
## record, and an incomplete one that is longer than the limit.

const PATH: String = "user://full_disk.dat"


func run() -> bool:
	if not check(options.has("file-limit") and options.has("large-file"), "no limit was given"):
		return true
	await run_parts([
		_fill_up, _a_record_that_cannot_be_replaced_stays, _many_records_that_do_not_fit_are_all_removed,
		_a_repair_that_finds_no_room_changes_nothing, _the_close_of_a_compressed_or_encrypted_file,
		_the_panel_leaves_no_file_that_did_not_fit, _a_policy_that_did_not_fit_replaces_nothing,
	])
	DirAccess.remove_absolute(PATH)
	return true


func _fill_up() -> bool:
	for size: int in [10, 1000, 30_000]:
		for buffered: bool in [false, true]:
			var file := VarBytesFile.open(PATH, FileAccess.WRITE)
			file.buffered = buffered
			var stored: int = 0
			var settled: int = 0
			var failed: VarBytesResult = null
			while failed == null and stored < 100_000:
				var result: VarBytesResult = file.store("x".repeat(size))
				if result.ok:
					stored += 1
				else:
					failed = result
				if buffered and stored % 10 == 0 and failed == null:
					result = file.flush()
					if result.ok:
						settled = stored
					else:
						failed = result
			if not check(failed != null and failed.error == VarBytesResult.STREAM, "the disk was never full"):
				return true
			var expected: int = settled if buffered else stored
			var length: int = expected * (4 + var_to_bytes("x".repeat(size)).size())
			equal([file.get_position(), file.get_length()], [length, length], "the cursor and the end of whole records")
			# This one fits.
			if size > 1000:
				check(file.store(7).ok and file.flush().ok, "a record that fits")
				expected += 1
			check(file.close().ok, "close")
			var found: int = 0
			file = VarBytesFile.open(PATH, FileAccess.READ)
			check(file.seek_end().ok and file.seek(0).ok, "the file ends with a whole record")
			while file.has_next() and check(file.next().ok, "half a record was left"):
				found += 1
			equal(found, expected, "records of %d" % size)
	return true


func _a_record_that_cannot_be_replaced_stays() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store("first")
	var position: int = file.get_position()
	file.store("x".repeat(1000))
	var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	file.seek(position)
	var failed: VarBytesResult = file.store("y".repeat(number("file-limit", 0)))
	check(failed.error == VarBytesResult.STREAM and failed.message.contains("disk full"), failed.message)
	equal(FileAccess.get_file_as_bytes(PATH), before, "the record that was to be replaced")
	equal(file.get_position(), position, "the cursor")
	file.seek_end()
	check(file.store("last").ok and file.close().ok, "the file goes on")
	return true


func _many_records_that_do_not_fit_are_all_removed() -> bool:
	var file := VarBytesFile.open(PATH, FileAccess.WRITE_READ)
	file.store("first")
	var before: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	var failed: VarBytesResult = file.store_many(["small", "y".repeat(number("file-limit", 0)), "small"])
	check(failed.error == VarBytesResult.STREAM and failed.message.contains("disk full"), failed.message)
	equal(FileAccess.get_file_as_bytes(PATH), before, "the file is as it was")
	check(file.store_many(["a", "b"]).ok and file.close().ok, "the file goes on")
	equal(VarBytesFile.open(PATH, FileAccess.READ).next_many(9).value, ["first", "a", "b"], "the records")
	return true


func _a_repair_that_finds_no_room_changes_nothing() -> bool:
	var path: String = options["large-file"]
	var folder: String = path.get_base_dir()
	var names: PackedStringArray = DirAccess.get_files_at(folder)
	var before: String = FileAccess.get_md5(path)
	var file := VarBytesFile.open(path, FileAccess.READ_WRITE)
	var failed: VarBytesResult = file.repair()
	check(failed.error == VarBytesResult.STREAM and failed.message.contains("incomplete end of"), "it does not fit: %s" % failed.message)
	file.close()
	equal(FileAccess.get_md5(path), before, "the file is as it was")
	equal(DirAccess.get_files_at(folder), names, "no other file was left")
	return true


## The engine writes them only when they close. If that succeeds, all records can be read.
func _the_close_of_a_compressed_or_encrypted_file() -> bool:
	var limit: int = number("file-limit", 0)
	var crypto := Crypto.new()
	for open: Callable in [
		func(flags: FileAccess.ModeFlags) -> FileAccess: return FileAccess.open_encrypted_with_pass(PATH, flags, "secret"),
		func(flags: FileAccess.ModeFlags) -> FileAccess: return FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_ZSTD),
		func(flags: FileAccess.ModeFlags) -> FileAccess: return FileAccess.open_compressed(PATH, flags, FileAccess.COMPRESSION_FASTLZ),
		func(flags: FileAccess.ModeFlags) -> FileAccess: return FileAccess.open(PATH, flags),
	]:
		var whole: int = 0
		for size: int in [0, 100, 4096 * 8 - 12, limit - 20_000] + range(limit - 1200, limit + 200, 17) + [limit * 2]:
			var value: PackedByteArray = crypto.generate_random_bytes(size)
			var file := VarBytesFile.from_file_access(open.call(FileAccess.WRITE))
			var stored: VarBytesResult = file.store(value)
			var closed: VarBytesResult = file.close()
			if stored.ok and closed.ok:
				whole += 1
				equal(VarBytesFile.from_file_access(open.call(FileAccess.READ)).next().value, value, "%d bytes" % size)
			else:
				# The engine may crash if it reads a compressed file like this.
				equal(FileAccess.get_file_as_bytes(PATH).size() if stored.ok else limit, limit, "%d bytes that failed fill the disk" % size)
				check(closed.ok != stored.ok and (closed.ok or closed.error == VarBytesResult.STREAM and closed.message.contains("disk full")), closed.message)
		check(whole >= 4 and whole < 80, "%d were whole" % whole)
	return true


func _the_panel_leaves_no_file_that_did_not_fit() -> bool:
	const EDITOR: String = "res://addons/varbytes/editor/"
	var limit: int = number("file-limit", 0)
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	# It is longer as JSON.
	file.store_var("\u0001".repeat(limit - 1000))
	file.close()
	var index: RefCounted = load(EDITOR + "record_index.gd").open(PATH)
	var names: PackedStringArray = DirAccess.get_files_at("user://")
	for size: int in [1, 1000]:
		var output: RefCounted = load(EDITOR + "output_file.gd").beside(PATH + ".new")
		for count: int in floori(float(limit) / size) + 1:
			output.store(PackedByteArray([7]) if size == 1 else "x".repeat(1000).to_utf8_buffer())
		check(not output.finish() and output.problem.contains("written"), "%d bytes at a time: %s" % [size, output.problem])
	var job: RefCounted = load(EDITOR + "export_job.gd").of(index, "", PATH + ".json", true)
	while not job.step(1000):
		pass
	check(job.problem.contains("written"), "an export: %s" % job.problem)
	var record: RefCounted = index.record(0)
	var edit: RefCounted = load(EDITOR + "record_edit.gd").replace(index, record, 0, record.size, var_to_bytes("x".repeat(limit)), index.read(record.start, record.size))
	check(edit.problem.contains("written"), "an edit: %s" % edit.problem)
	equal(DirAccess.get_files_at("user://"), names, "no other file was left")
	return true


## The engine saves it as a temporary file first, and does not notice that it is not whole.
func _a_policy_that_did_not_fit_replaces_nothing() -> bool:
	const EDITOR: String = "res://addons/varbytes/editor/"
	const POLICY: String = "user://full_disk.tres"
	var panel: Control = load(EDITOR + "panel.tscn").instantiate()
	Engine.get_main_loop().root.add_child(panel)
	var dialog: ConfirmationDialog = panel.get_node("%PolicyDialog")
	for count: int in [1, 2]:
		dialog.builder = load(EDITOR + "policy_builder.gd").new()
		# The second one is a little longer than the limit.
		for property: int in floori(number("file-limit", 0) / 1000.0) * (count - 1) + 1:
			dialog.builder.classes.get_or_add("Gradient", PackedStringArray()).append("%d" % property + "x".repeat(1000))
		load(EDITOR + "policy_tree.gd").show(panel.get_node("%Listed"), dialog.builder)
		var told: String = dialog.save(POLICY, "")
		check(told.contains(["Saved", "disk of temporary files may be full"][count - 1]), told)
	equal(load(POLICY).allowed_classes["Gradient"].size(), 1, "the policy")
	panel.free()
	DirAccess.remove_absolute(POLICY)
	return true
