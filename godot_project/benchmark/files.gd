extends RefCounted
## Times `VarBytesFile` against `store_var` and `get_var` of `FileAccess`.
##
## Each pass is timed from opening the file to closing it, so that all records are in the file at its end. Files are in
## `user://`.

const Cases := preload("res://benchmark/cases.gd")

const PATH: String = "user://benchmark.dat"

## How many records `store_many` and `next_many` get.
const BATCH: int = 64


class Case:
	var name: String
	var value: Variant
	var records: int

	func _init(case_name: String, case_value: Variant, case_records: int) -> void:
		name = case_name
		value = case_value
		records = case_records


static func all() -> Array[Case]:
	return [
		Case.new("file of int", 7, 10_000),
		Case.new("file of chat lines", "Ann: Meet me at the old mill, bring rope.", 10_000),
		Case.new("file of events", {"event": "jump", "time": 1.5}, 10_000),
		Case.new("file of replay frames", Cases.synchronized(), 10_000),
		Case.new("file of saves, 2 KB", Cases.settings(), 500),
		Case.new("file of saves, 8 KB", Cases.dictionaries(100), 200),
		Case.new("file of saves, 1 MB", Cases.dictionaries(12_500), 3),
		Case.new("file of packed arrays, 4 MB", Cases.packed(TYPE_PACKED_FLOAT32_ARRAY), 3),
	]


static func writers() -> Array[Callable]:
	return [_store_var, _store_var_and_flush, _store, _store_buffered, _try_store, _try_store_buffered, _store_many]


static func readers() -> Array[Callable]:
	return [_get_var, _next, _next_into, _try_next, _next_many]


## Returns whether both write the same file, which is left for reading.
static func is_same(case: Case) -> bool:
	_store_var(case, 1)
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	for writer: Callable in [_store, _store_buffered, _try_store, _try_store_buffered, _store_many]:
		writer.call(case, 1)
		if FileAccess.get_file_as_bytes(PATH) != bytes:
			return false
	return true


static func clear() -> void:
	DirAccess.remove_absolute(PATH)


static func _store_var(case: Case, passes: int) -> int:
	var value: Variant = case.value
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := FileAccess.open(PATH, FileAccess.WRITE)
		for index: int in case.records:
			file.store_var(value)
		file.close()
	return Time.get_ticks_usec() - began


static func _store_var_and_flush(case: Case, passes: int) -> int:
	var value: Variant = case.value
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := FileAccess.open(PATH, FileAccess.WRITE)
		for index: int in case.records:
			file.store_var(value)
			file.flush()
		file.close()
	return Time.get_ticks_usec() - began


static func _store(case: Case, passes: int) -> int:
	return _store_with(case, passes, false)


static func _store_buffered(case: Case, passes: int) -> int:
	return _store_with(case, passes, true)


static func _store_with(case: Case, passes: int, buffered: bool) -> int:
	var value: Variant = case.value
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.WRITE)
		file.buffered = buffered
		for index: int in case.records:
			file.store(value)
		file.close()
	return Time.get_ticks_usec() - began


static func _try_store(case: Case, passes: int) -> int:
	return _try_store_with(case, passes, false)


static func _try_store_buffered(case: Case, passes: int) -> int:
	return _try_store_with(case, passes, true)


static func _try_store_with(case: Case, passes: int, buffered: bool) -> int:
	var value: Variant = case.value
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.WRITE)
		file.buffered = buffered
		for index: int in case.records:
			if not file.try_store(value):
				push_error("not stored")
		file.close()
	return Time.get_ticks_usec() - began


static func _store_many(case: Case, passes: int) -> int:
	var value: Variant = case.value
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.WRITE)
		var values: Array = []
		for index: int in case.records:
			values.append(value)
			if values.size() == BATCH or index == case.records - 1:
				if not file.store_many(values).ok:
					push_error("not stored")
				values.clear()
		file.close()
	return Time.get_ticks_usec() - began


static func _get_var(case: Case, passes: int) -> int:
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := FileAccess.open(PATH, FileAccess.READ)
		for index: int in case.records:
			var _value: Variant = file.get_var()
		file.close()
	return Time.get_ticks_usec() - began


static func _next(case: Case, passes: int) -> int:
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		for index: int in case.records:
			var record: VarBytesResult = file.next()
			if record.ok:
				var _value: Variant = record.value
		file.close()
	return Time.get_ticks_usec() - began


static func _next_into(case: Case, passes: int) -> int:
	var record := VarBytesResult.new()
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		for index: int in case.records:
			if file.next_into(record):
				var _value: Variant = record.value
		file.close()
	return Time.get_ticks_usec() - began


static func _try_next(case: Case, passes: int) -> int:
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		for index: int in case.records:
			var _value: Variant = file.try_next()
		file.close()
	return Time.get_ticks_usec() - began


static func _next_many(case: Case, passes: int) -> int:
	var began: int = Time.get_ticks_usec()
	for one: int in passes:
		var file := VarBytesFile.open(PATH, FileAccess.READ)
		while file.has_next():
			var records: VarBytesResult = file.next_many(BATCH)
			if records.ok:
				for value: Variant in records.value:
					var _value: Variant = value
		file.close()
	return Time.get_ticks_usec() - began
