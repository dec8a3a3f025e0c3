extends "res://tests/suite.gd"
## Files after the process was killed while it wrote: `--part write`, `write_buffered` and `repair` run until the system
## kills them because a file becomes too large. `--part check` then checks the files. All are in the folder of
## `--large-file path`, which has a record and an incomplete one.

const VALUE: String = "a record of some hundred bytes: "


func run() -> bool:
	var path: String = options["large-file"]
	var part: String = options["part"]
	match part:
		"write", "write_buffered":
			var file := VarBytesFile.open(_written(part), FileAccess.WRITE)
			file.buffered = part == "write_buffered"
			for index: int in 100_000:
				file.store(VALUE.repeat(10) + str(index))
		"repair":
			VarBytesFile.open(path, FileAccess.READ_WRITE).repair()
		"check":
			_check_written("write")
			_check_written("write_buffered")
			_check_repair(path)
	return true


func _check_written(part: String) -> void:
	var path: String = _written(part)
	var before: PackedByteArray = FileAccess.get_file_as_bytes(path)
	var file := VarBytesFile.open(path, FileAccess.READ_WRITE)
	check(file.seek_end().fault == &"incomplete_end", "%s: it was killed within a record" % part)
	var repaired: VarBytesResult = file.repair()
	if not check(repaired.ok and repaired.value.records > 100, "%s: %s" % [part, repaired.message]):
		return
	check(FileAccess.get_file_as_bytes(path) + FileAccess.get_file_as_bytes(repaired.value.kept_in) == before, "no byte is lost")
	check(file.store("new").ok and file.seek(0).ok, "the file goes on")
	for index: int in repaired.value.records:
		equal(file.next().value, VALUE.repeat(10) + str(index), "a record before the kill")
	equal([file.next().value, file.has_next()], ["new", false], "the record after it")


## The file is unchanged, and next to it is an incomplete copy of its end.
func _check_repair(path: String) -> void:
	var before: PackedByteArray = FileAccess.get_file_as_bytes(path)
	check(FileAccess.file_exists(path + ".incomplete-1"), "killed while it copied")
	var file := VarBytesFile.open(path, FileAccess.READ_WRITE)
	var repaired: VarBytesResult = file.repair()
	if not check(repaired.ok and repaired.value.kept_in == path + ".incomplete-2", repaired.message):
		return
	check(FileAccess.get_file_as_bytes(path) + FileAccess.get_file_as_bytes(repaired.value.kept_in) == before, "no byte is lost")


func _written(part: String) -> String:
	return str(options["large-file"]).get_base_dir().path_join(part + ".dat")
