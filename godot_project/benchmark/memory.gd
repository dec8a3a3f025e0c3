extends SceneTree
## Measures the memory that a call takes beyond its result. `cargo package-addon --memory` runs this script in a
## separate process for each measurement, so that none reuses the memory of another.
##
## Options after `--`: `--prepare` writes the packets of all cases and lists them; `--measure n`, `--direction
## encode|decode` and `--by built-in|VarBytes` measure one call. Only on Linux: the numbers are the kernel's, in KiB.

const Cases := preload("res://benchmark/cases.gd")


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	if arguments.has("--prepare"):
		_prepare()
	else:
		_measure(arguments[arguments.find("--measure") + 1].to_int(), arguments.has("decode"), arguments.has("VarBytes"))
	print("VARBYTES MEMORY DONE")
	quit()


static func _cases() -> Array[Cases.Case]:
	var cases: Array[Cases.Case] = Cases.all()
	# The timing case has too few objects for a memory measurement.
	cases.append(Cases.Case.new("50,000 Resources", "whole objects", _resources.bind(50_000)))
	return cases


static func _resources(count: int) -> Array:
	var result: Array = []
	for index: int in count:
		var resource := Resource.new()
		resource.resource_name = "resource %d" % index
		result.append(resource)
	return result


func _prepare() -> void:
	var cases: Array[Cases.Case] = _cases()
	for index: int in cases.size():
		var value: Variant = cases[index].make.call()
		var bytes: PackedByteArray = var_to_bytes_with_objects(value) if cases[index].objects else var_to_bytes(value)
		FileAccess.open(_path(index), FileAccess.WRITE).store_buffer(bytes)
		print("CASE %d %d %s" % [index, bytes.size(), cases[index].name])


func _path(index: int) -> String:
	return "res://benchmark/memory_%d.bin" % index


func _measure(index: int, decodes: bool, by_var_bytes: bool) -> void:
	var objects: bool = _cases()[index].objects
	_warm_up()
	var bytes: PackedByteArray = FileAccess.get_file_as_bytes(_path(index))
	var value: Variant = null
	if not decodes:
		value = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
		bytes = PackedByteArray()
	# Resets the kernel's peak to the memory in use now.
	FileAccess.open("/proc/self/clear_refs", FileAccess.WRITE).store_string("5")
	var before: int = kibibytes("VmRSS")
	if decodes and by_var_bytes:
		value = VarBytes.bytes_to_var_with_objects(bytes) if objects else VarBytes.bytes_to_var(bytes)
	elif decodes:
		value = bytes_to_var_with_objects(bytes) if objects else bytes_to_var(bytes)
	elif by_var_bytes:
		bytes = VarBytes.var_to_bytes_with_objects(value) if objects else VarBytes.var_to_bytes(value)
	else:
		bytes = var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var highest: int = kibibytes("VmHWM")
	var after: int = kibibytes("VmRSS")
	assert(value != null and not bytes.is_empty())
	print("MEASURED %d %d" % [highest - before, after - before])


## Loads the code of both sides before anything is measured.
static func _warm_up() -> void:
	var members: Array = [1, 0.5, "text", "größer", &"name", Vector3.ONE, {"key": 1, 2: "value"}, [1, 2, 3], Resource.new()]
	for type: int in range(TYPE_PACKED_BYTE_ARRAY, TYPE_MAX):
		var packed: Variant = type_convert([], type)
		packed.resize(100)
		members.append(packed)
	# A packet that is a single value takes another way.
	for member: Variant in members:
		var _value: Variant = VarBytes.bytes_to_var(VarBytes.var_to_bytes(member))
	for objects: bool in [false, true]:
		var bytes: PackedByteArray = var_to_bytes_with_objects(members) if objects else var_to_bytes(members)
		var same: PackedByteArray = VarBytes.var_to_bytes_with_objects(members) if objects else VarBytes.var_to_bytes(members)
		assert(same == bytes)
		var _values: Array = [bytes_to_var_with_objects(bytes), VarBytes.bytes_to_var_with_objects(bytes)] if objects \
				else [bytes_to_var(bytes), VarBytes.bytes_to_var(bytes)]
	kibibytes("VmRSS")


## Returns a value of `/proc/self/status`.
static func kibibytes(name: String) -> int:
	var status: FileAccess = FileAccess.open("/proc/self/status", FileAccess.READ)
	while not status.eof_reached():
		var line: String = status.get_line()
		if line.begins_with(name + ":"):
			return line.to_int()
	push_error("the kernel does not tell %s" % name)
	return 0
