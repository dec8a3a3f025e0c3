extends "res://tests/other_engine.gd"
## Records of other engines, and values that they cannot hold exactly.


func run() -> bool:
	_records()
	_streams()
	_encode()
	return true


## A file with every type of Godot 3, as its `store_var` writes it.
func _records() -> void:
	var chosen: VarBytesOptions = of("godot-3.6")
	var lines: PackedStringArray = []
	for line: String in canonical_lines("godot-3.6"):
		# Except objects, inexact values, and values with padding that Godot 3 leaves undefined.
		var exact: bool = VarBytes.decode(bytes_of(line), chosen).losses.is_empty()
		if exact and not line.contains('"type":"Object"') and not line.contains('"type":"NodePath"'):
			lines.append(line)
	var file := FileAccess.open(PATH, FileAccess.WRITE)
	for line: String in lines:
		_store(file, bytes_of(line))
	var end: int = file.get_position()
	_store(file, SAVE.hex_decode().slice(0, -4))
	_store(file, SAVE.hex_decode())
	file.close()
	var written := VarBytesFile.open(PATH + ".again", FileAccess.WRITE)
	var records := VarBytesFile.open(PATH, FileAccess.READ)
	for line: String in lines:
		var record: VarBytesResult = records.next(chosen)
		check(record.ok and record.bytes_used == bytes_of(line).size(), "%s: %s" % [name_of(line), record.message])
		equal(record.value, VarBytes.decode(bytes_of(line), chosen).value, name_of(line))
		check(written.store(record.value, chosen).ok, "stored again")
	var damaged: VarBytesResult = records.next(chosen)
	check(damaged.error == VarBytesResult.MALFORMED and damaged.can_continue and damaged.path == "$[2]" and damaged.offset == end + 4 + 36, damaged.message)
	var last: VarBytesResult = records.next(chosen)
	equal(last.value, [7, PackedInt32Array([99]), "\U01F600"], "the record after a damaged one")
	lost(last, ["$[2]: text "], "a record")
	check(not records.has_next(), "all is read")
	var stored: VarBytesResult = written.store([Vector2i(1, 2)], chosen)
	check(stored.ok and stored.value == null and stored.bytes_used == 20, "a record with a loss: %s" % stored.message)
	lost(stored, ["$[0]: Vector2i [1, 2] becomes Vector2"], "a record that is stored")
	written.close()
	var theirs: PackedByteArray = FileAccess.get_file_as_bytes(PATH).slice(0, end)
	var ours: PackedByteArray = FileAccess.get_file_as_bytes(PATH + ".again").slice(0, end)
	check(ours == theirs, "records as Godot 3 wrote them")
	var plain := FileAccess.open(PATH, FileAccess.READ)
	equal(VarBytes.decode(plain.get_buffer(plain.get_32()), chosen).value, VarBytes.decode(bytes_of(lines[0]), chosen).value, "as the help shows it")
	for path: String in [PATH, PATH + ".again"]:
		DirAccess.remove_absolute(path)


func _streams() -> void:
	var chosen: VarBytesOptions = of("godot-3.6")
	var stream := StreamPeerBuffer.new()
	lost(VarBytesFile.put(stream, {"at": Vector3i(1, 2, 3)}, chosen), ['$["at"]: Vector3i [1, 2, 3] becomes Vector3'], "a record that is sent")
	check(VarBytesFile.put(stream, [PackedColorArray([Color.RED])], chosen).losses.is_empty(), "a record that is sent whole")
	stream.put_u32(SAVE.length() / 2)
	stream.put_data(SAVE.hex_decode())
	stream.seek(0)
	equal(VarBytesFile.take(stream, chosen).value, {"at": Vector3(1, 2, 3)}, "a record that is taken")
	equal(VarBytesFile.take(stream, chosen).value, [PackedColorArray([Color.RED])], "another")
	var last: VarBytesResult = VarBytesFile.take(stream, chosen)
	check(last.ok and last.value[2] == "\U01F600", last.message)
	lost(last, ["$[2]: text "], "a record that is taken")


func _encode() -> void:
	var chosen: VarBytesOptions = of("godot-3.6")
	var typed: Array[int] = [1]
	var value: Dictionary = {"typed": typed, "name": &"ann", "wide": PackedInt64Array([1 << 40]), "call": print, "rid": rid_from_int64(7)}
	var result: VarBytesResult = VarBytes.encode(value, chosen)
	lost(result, [
			'$["typed"]: element type', '$["name"]: StringName becomes String: ', '$["wide"]: PackedInt64Array becomes Array: ',
			'$["call"]: Callable', '$["rid"]: RID(7) becomes RID(0): '], "what Godot 3 does not have")
	equal(VarBytes.decode(result.value, chosen).value,
			{"typed": [1], "name": "ann", "wide": [1 << 40], "call": null, "rid": RID()}, "and what became of it")
	lost(VarBytes.encode([1 << 40], of("godot-2.1")), ["$[0]: int 1099511627776 becomes float "], "Godot 2 has 32 bits")
	lost(VarBytes.encode(["\uFEFFtext"], chosen), ["$[0]: "], "text that no engine reads as it is")
	lost(VarBytes.encode([Vector4(1, 2, 3, 4), 7], of("pandemonium-5")), ["$: "], "what an engine reads otherwise")
	var full: VarBytesResult = VarBytes.encode([1, "two"], of(""))
	check(full.value == var_to_bytes([1, "two"]) and full.losses.is_empty(), "without a name it is the running engine")
	var same: VarBytesOptions = of("godot-%d.%d" % [Engine.get_version_info().major, Engine.get_version_info().minor])
	check(VarBytes.encode(value, same).value == var_to_bytes(value) and VarBytes.encode(value, same).losses.is_empty(), "nor with its own")
	var deep: Array = []
	for level: int in 1100:
		deep = [deep]
	check(VarBytes.encode(deep, chosen).error == VarBytesResult.LIMIT and VarBytes.byte_size(deep, chosen) == -1, "too deep")


static func _store(file: FileAccess, bytes: PackedByteArray) -> void:
	file.store_32(bytes.size())
	file.store_buffer(bytes)
