@tool
extends RefCounted
## A file that is written under another name beside its target, and takes the target's place only when it is whole.

const MOST_LINKS: int = 40

## The target, after links.
var path: String = ""
## The name under which it is written.
var temporary: String = ""
## Why it cannot be written, or empty.
var problem: String = ""

var _file: FileAccess
var _length: int = 0
## Whether an existing target may be replaced.
var _replaces: bool = true


static func beside(target: String, replaces: bool = true) -> RefCounted:
	var output := new()
	output.path = resolved(target)
	output._replaces = replaces
	if output._may_be_put_in_place():
		output._open(unused(output.path + ".part"))
	return output


func _notification(what: int) -> void:
	# No method can be called here any more.
	if what == NOTIFICATION_PREDELETE and not temporary.is_empty():
		_file.close()
		DirAccess.remove_absolute(temporary)


func store(bytes: PackedByteArray) -> void:
	if problem.is_empty() and not bytes.is_empty():
		_length += bytes.size()
		if not _file.store_buffer(bytes):
			fail("%s cannot be written: %s" % [path, error_string(_file.get_error())])


func store_length(length: int, big_endian: bool) -> void:
	var bytes: PackedByteArray = [0, 0, 0, 0]
	bytes.encode_u32(0, length)
	if big_endian:
		bytes.reverse()
	store(bytes)


## Removes what was written.
func fail(why: String) -> void:
	discard()
	problem = why


## Ends writing. Returns whether everything is on the disk, under the temporary name.
func close() -> bool:
	if not problem.is_empty():
		return false
	_file.flush()
	var error: Error = _file.get_error()
	_file.close()
	# A system may report a full disk only when the file is closed, and the engine does not pass that on.
	var written: FileAccess = FileAccess.open(temporary, FileAccess.READ)
	if error != OK or written == null or written.get_length() != _length:
		fail("%s could not be written; the disk may be full" % path)
	return problem.is_empty()


## Ends writing and gives the file its name. Returns whether that succeeded.
func finish() -> bool:
	return close() and put_in_place()


## Gives the closed file its name.
func put_in_place() -> bool:
	if not _may_be_put_in_place():
		discard()
	elif DirAccess.rename_absolute(temporary, path) != OK:
		fail("%s cannot be renamed to %s" % [temporary, path])
	else:
		temporary = ""
	return problem.is_empty()


## Removes what was written, if it is not in place.
func discard() -> void:
	if _file != null:
		_file.close()
	if not temporary.is_empty():
		DirAccess.remove_absolute(temporary)
		temporary = ""


## Returns a path beside `wanted` that no file has.
static func unused(wanted: String) -> String:
	var number: int = 1
	while FileAccess.file_exists("%s-%d" % [wanted, number]):
		number += 1
	return "%s-%d" % [wanted, number]


## Returns whether two paths lead to one file.
static func is_same(path_a: String, path_b: String) -> bool:
	var first: String = resolved(path_a)
	var second: String = resolved(path_b)
	var folder: DirAccess = DirAccess.open(first.get_base_dir())
	return first == second or folder != null and not folder.is_case_sensitive(first) and first.nocasecmp_to(second) == 0


## Returns the absolute path of a file without links.
static func resolved(path_of_file: String) -> String:
	var at: String = ProjectSettings.globalize_path(path_of_file)
	if at.is_relative_path():
		at = DirAccess.open(".").get_current_dir().path_join(at)
	at = at.simplify_path()
	for hop: int in MOST_LINKS:
		var next: String = _without_first_link(at)
		if next == at:
			break
		at = next
	return at


static func _without_first_link(at: String) -> String:
	var folder: DirAccess = DirAccess.open(at.get_base_dir())
	var end: int = 0
	while folder != null and end >= 0:
		end = at.find("/", end + 1)
		var head: String = at.left(end) if end >= 0 else at
		if folder.is_link(head):
			var target: String = folder.read_link(head)
			if target.is_relative_path():
				target = head.get_base_dir().path_join(target)
			return target.path_join(at.substr(head.length() + 1)).trim_suffix("/").simplify_path()
	return at


func _may_be_put_in_place() -> bool:
	if not _replaces and FileAccess.file_exists(path):
		problem = "%s exists already, and is not overwritten" % path
	return problem.is_empty()


func _open(name: String) -> void:
	_file = FileAccess.open(name, FileAccess.WRITE)
	if _file == null:
		problem = "%s cannot be written: %s" % [path, error_string(FileAccess.get_open_error())]
	else:
		temporary = name
