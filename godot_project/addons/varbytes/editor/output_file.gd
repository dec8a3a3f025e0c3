@tool
extends RefCounted
## A file that is written under another name beside its target, and takes the target's place only when it is whole.

const MOST_LINKS: int = 40
const OPENED: String = "%s is the opened file; choose another name"
## The permissions of owner, group and others to write.
const WRITE_PERMISSIONS: int = 0x92

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


## Begins to write a file with the permissions of `like`, or of the target that it replaces.
static func beside(target: String, replaces: bool = true, like: String = "") -> RefCounted:
	var output := new()
	output.path = resolved(target)
	output._replaces = replaces
	if output._may_be_put_in_place():
		output._open(unused(output.path + ".part"), output.path if like.is_empty() else like)
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


## Gives the closed file its name: in one step, except that on Windows the engine first removes an existing file of this name.
func put_in_place() -> bool:
	if not _may_be_put_in_place():
		discard()
	elif DirAccess.open("user://").is_link(temporary) or DirAccess.rename_absolute(temporary, path) != OK:
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


## Returns a path beside `wanted` that no file and no link has.
static func unused(wanted: String) -> String:
	var folder: DirAccess = DirAccess.open("user://")
	var number: int = 1
	var name: String = "%s-%d" % [wanted, number]
	# A file could be written through a link, also one that leads to nothing.
	while FileAccess.file_exists(name) or folder.is_link(name):
		number += 1
		name = "%s-%d" % [wanted, number]
	return name


## Returns whether two paths lead to one file.
static func is_same(path_a: String, path_b: String) -> bool:
	var first: String = resolved(path_a)
	var second: String = resolved(path_b)
	var folder: DirAccess = DirAccess.open("user://")
	return first == second or not folder.is_case_sensitive(first) and first.nocasecmp_to(second) == 0


## Returns the absolute path of a file without links.
static func resolved(path_of_file: String) -> String:
	var at: String = ProjectSettings.globalize_path(path_of_file).replace("\\", "/")
	if at.is_relative_path():
		at = DirAccess.open(".").get_current_dir().path_join(at)
	if OS.get_name() == "Windows":
		# There, `..` is applied before links are followed.
		at = at.simplify_path()
	# Only absolute paths are asked for, also in folders that cannot be listed.
	var folder: DirAccess = DirAccess.open("user://")
	var head: String = _root_of(at)
	var left: PackedStringArray = at.substr(head.length()).split("/", false)
	left.reverse()
	var hops: int = 0
	while not left.is_empty():
		var step: String = left[-1]
		left.resize(left.size() - 1)
		var next: String = head.path_join(step)
		if step == "..":
			head = head.left(maxi(head.rfind("/"), _root_of(head).length()))
		elif step != "." and hops < MOST_LINKS and folder.is_link(next):
			hops += 1
			var target: String = folder.read_link(next)
			if target.is_absolute_path():
				head = _root_of(target)
				target = target.substr(head.length())
			var steps: PackedStringArray = target.split("/", false)
			steps.reverse()
			left.append_array(steps)
		elif step != ".":
			head = next
	return head


## Returns the beginning of an absolute path that no `..` leaves: `/`, `C:/` or `//`.
static func _root_of(at: String) -> String:
	return at.left(at.find("/") + 1) if not at.begins_with("//") else "//"


func _may_be_put_in_place() -> bool:
	if not _replaces and FileAccess.file_exists(path):
		problem = "%s exists already, and is not overwritten" % path
	elif FileAccess.file_exists(path) and not _is_writable(path):
		problem = "%s is protected against writing" % path
	return problem.is_empty()


static func _is_writable(at: String) -> bool:
	var permissions: int = FileAccess.get_unix_permissions(at)
	var file: FileAccess = FileAccess.open(at, FileAccess.READ_WRITE)
	# An administrator can open every file.
	return file != null and (permissions == 0 or permissions & WRITE_PERMISSIONS != 0)


func _open(name: String, like: String) -> void:
	# With WRITE, the editor writes under a third name until the file is closed, and others may read that.
	_file = FileAccess.open(name, FileAccess.WRITE_READ)
	if _file == null:
		problem = "%s cannot be written: %s" % [path, error_string(FileAccess.get_open_error())]
		return
	temporary = name
	# Windows has no such permissions, which are 0 then.
	var permissions: int = FileAccess.get_unix_permissions(like) if FileAccess.file_exists(like) else 0
	if permissions not in [0, FileAccess.get_unix_permissions(name)] and FileAccess.set_unix_permissions(name, permissions) != OK:
		fail("%s has permissions that the system does not give to a new file; choose another folder" % path)
