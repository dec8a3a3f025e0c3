extends "res://vector_set.gd"
## Writes the values of all canonical vectors as `store_var` records, each with the engine's description. Full objects
## go to a second file.

var _files: Dictionary = {}
var _descriptions: Dictionary = {}


## A file that cannot be opened counts as a failure.
func open(path: String, full_objects: bool) -> void:
	var file: File = File.new()
	if file.open(path, File.WRITE) != OK:
		_fail(path, "it cannot be written")
		return
	_files[full_objects] = file
	_descriptions[full_objects] = []


func canonical(_case_name: String, value, full_objects: bool = false) -> void:
	if not _files.has(full_objects):
		return
	_files[full_objects].store_var(value, full_objects)
	var view: int = TaggedJson.View.WRITTEN_IN_FULL if full_objects else TaggedJson.View.WRITTEN_AS_IDS
	_descriptions[full_objects].append(_tagged_json.describe(value, view))


func non_canonical(_case_name: String, _bytes: PoolByteArray, _reason: String, _allow_objects: bool = false) -> void:
	pass


func rejected(_case_name: String, _bytes: PoolByteArray, _reason: String, _allow_objects: bool = false) -> void:
	pass


func refused(_case_name: String, _value, _full_objects: bool, _reason: String, _substitute: String) -> void:
	pass


## The descriptions, one line per record.
func close(full_objects: bool) -> Array:
	_files[full_objects].close()
	return _descriptions[full_objects]
