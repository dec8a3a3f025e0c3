@tool
extends RefCounted
## Replaces one value in a file. The file as it was stays beside it, as `name.backup-1`, `name.backup-2` and so on.

const Index := preload("record_index.gd")
const OutputFile := preload("output_file.gd")
const PacketTree := preload("packet_tree.gd")
const Plain := preload("plain_value.gd")
const BLOCK: int = 1 << 22
const NEVER: String = "only values in files can be edited, and not long texts, keys, or compressed files"

## Where the old file is now.
var backup: String = ""
## Why nothing was changed, or empty.
var problem: String = ""


## Returns why a part cannot be edited, or an empty text.
static func refusal(index: Index, packet: PacketTree, part: int) -> String:
	if not index.editable or packet.roles[part] != PacketTree.Role.VALUE:
		return NEVER
	return "" if packet.is_canonical(part) else "written again, bytes that were not changed would be others too"


## Replaces the value of a part by one that is given as text.
static func replace_value(index: Index, record: Index.Record, packet: PacketTree, part: int, text: String) -> RefCounted:
	# Godot 2 writes every float with 32 bits.
	var float_size: int = 8 if VarBytes.encode(0.1, packet.options()).losses.is_empty() else 4
	var outcome: Plain.Outcome = Plain.from_edit(text, packet.value_of(part), float_size)
	var encoded: VarBytesResult = VarBytes.encode(outcome.value, packet.options())
	var edit := new()
	edit.problem = outcome.problem
	if edit.problem.is_empty() and not encoded.ok:
		edit.problem = encoded.message
	elif edit.problem.is_empty() and not encoded.losses.is_empty():
		edit.problem = encoded.losses[0]
	if edit.problem.is_empty():
		edit._replace(index, record, packet.starts[part], packet.ends[part], encoded.value, packet.bytes)
	return edit


## Replaces the bytes from `start` to `end` of a record, counted from the start of its value. `seen` is what was read of the
## record, and must still be in the file.
static func replace(index: Index, record: Index.Record, start: int, end: int, bytes: PackedByteArray, seen: PackedByteArray) -> RefCounted:
	var edit := new()
	edit._replace(index, record, start, end, bytes, seen)
	return edit


func _replace(index: Index, record: Index.Record, start: int, end: int, bytes: PackedByteArray, seen: PackedByteArray) -> void:
	var path: String = OutputFile.resolved(index.path)
	var size: int = record.size + bytes.size() - (end - start)
	if not index.editable:
		problem = "only files can be edited, and not if they are compressed"
	elif not _is_unchanged(path, index, record, seen):
		problem = Index.CHANGED
	elif size > 0x7FFFFFFF:
		problem = "the record would be longer than 2147483647 bytes"
	if not problem.is_empty():
		return
	var output: OutputFile = OutputFile.beside(path)
	var kept: OutputFile = OutputFile.beside(OutputFile.unused(path + ".backup"), false, path)
	problem = output.problem if not output.problem.is_empty() else kept.problem
	if not problem.is_empty():
		return
	var old: FileAccess = FileAccess.open(path, FileAccess.READ)
	_copy(old, output, 0, record.start - (Index.LENGTH_SIZE if index.has_lengths else 0))
	if index.has_lengths:
		output.store_length(size, index.big_endian)
	_copy(old, output, record.start, record.start + start)
	output.store(bytes)
	_copy(old, output, record.start + end, index.length)
	_copy(old, kept, 0, index.length)
	if old != null:
		old.close()
	if output.close() and kept.close() and not _is_unchanged(path, index, record, seen):
		output.fail(Index.CHANGED)
	problem = output.problem if not output.problem.is_empty() else kept.problem
	if problem.is_empty():
		index.exchange(_exchange.bind(output, kept))


## Puts the new file in the place of the old one, of which there is a copy then. If the editor ends meanwhile, the name has one of them.
func _exchange(output: OutputFile, kept: OutputFile) -> void:
	if not kept.put_in_place():
		problem = kept.problem
	elif output.put_in_place():
		backup = kept.path
	elif FileAccess.file_exists(output.path):
		problem = output.problem
		DirAccess.remove_absolute(kept.path)
	else:
		problem = "%s; the file as it was is now %s" % [output.problem, kept.path]


## Returns whether the record is still where it was found. A file can be saved twice in the second that its time tells.
static func _is_unchanged(path: String, index: Index, record: Index.Record, seen: PackedByteArray) -> bool:
	var file: FileAccess = FileAccess.open(path, FileAccess.READ)
	if file == null or index.has_changed():
		return false
	if index.has_lengths:
		file.big_endian = index.big_endian
		file.seek(record.start - Index.LENGTH_SIZE)
		if file.get_32() != record.size:
			return false
	file.seek(record.start)
	return file.get_buffer(seen.size()) == seen


static func _copy(from: FileAccess, to: OutputFile, start: int, end: int) -> void:
	if from == null:
		to.fail(Index.CHANGED)
		return
	from.seek(start)
	var left: int = end - start
	while left > 0 and to.problem.is_empty():
		var block: PackedByteArray = from.get_buffer(mini(left, BLOCK))
		if block.size() < mini(left, BLOCK):
			to.fail(Index.CHANGED)
		to.store(block)
		left -= block.size()
