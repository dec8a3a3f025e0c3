@tool
extends RefCounted
## Replaces one value in a file. The file as it was stays beside it, as `name.backup-1`, `name.backup-2` and so on.

const Index := preload("record_index.gd")
const BLOCK: int = 1 << 22

## Where the old file is now.
var backup: String = ""
## Why nothing was changed, or empty.
var problem: String = ""


## Replaces the bytes from `start` to `end` of a record, counted from the start of its value.
static func replace(index: Index, record: Index.Record, start: int, end: int, bytes: PackedByteArray) -> RefCounted:
	var edit := new()
	edit._replace(index, record, start, end, bytes)
	return edit


func _replace(index: Index, record: Index.Record, start: int, end: int, bytes: PackedByteArray) -> void:
	if not index.editable:
		problem = "only files can be edited, and not if they are compressed"
		return
	var old: FileAccess = FileAccess.open(index.path, FileAccess.READ)
	if old == null or old.get_length() != index.length or FileAccess.get_modified_time(index.path) != index.modified:
		problem = "the file has changed since it was opened; open it again"
		return
	var size: int = record.size + bytes.size() - (end - start)
	if size > 0x7FFFFFFF:
		problem = "the record would be longer than 2147483647 bytes"
		return
	var new_path: String = _unused(index.path + ".edited")
	var file: FileAccess = FileAccess.open(new_path, FileAccess.WRITE)
	if file == null:
		problem = "%s cannot be written: %s" % [new_path, error_string(FileAccess.get_open_error())]
		return
	var written: bool = _copy(old, file, 0, record.start - (Index.LENGTH_SIZE if index.has_lengths else 0))
	if index.has_lengths:
		file.big_endian = index.big_endian
		written = file.store_32(size) and written
	written = _copy(old, file, record.start, record.start + start) and written
	written = (bytes.is_empty() or file.store_buffer(bytes)) and written
	written = _copy(old, file, record.start + end, index.length) and written
	file.flush()
	written = written and file.get_error() == OK and file.get_length() == index.length + size - record.size
	file.close()
	old.close()
	if not written:
		DirAccess.remove_absolute(new_path)
		problem = "the edited file could not be written; the disk may be full"
		return
	index.exchange(_exchange.bind(index.path, new_path))


## Puts the new file in the place of the old one.
func _exchange(path: String, new_path: String) -> void:
	backup = _unused(path + ".backup")
	if DirAccess.rename_absolute(path, backup) != OK:
		DirAccess.remove_absolute(new_path)
		problem = "%s cannot be renamed to %s" % [path, backup]
		backup = ""
	elif DirAccess.rename_absolute(new_path, path) != OK:
		DirAccess.rename_absolute(backup, path)
		problem = "%s cannot be renamed to %s" % [new_path, path]
		backup = ""


func _copy(from: FileAccess, to: FileAccess, start: int, end: int) -> bool:
	from.seek(start)
	var left: int = end - start
	while left > 0:
		var block: PackedByteArray = from.get_buffer(mini(left, BLOCK))
		if block.is_empty() or not to.store_buffer(block):
			return false
		left -= block.size()
	return true


static func _unused(path: String) -> String:
	var number: int = 1
	while FileAccess.file_exists("%s-%d" % [path, number]):
		number += 1
	return "%s-%d" % [path, number]
