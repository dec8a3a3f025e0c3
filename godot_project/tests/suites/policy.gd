extends "res://tests/suite.gd"
## Objects under a policy: what is listed is built and set, everything else is refused before anything is made.

const ITEM: String = "res://tests/fixtures/item.gd"
const Item := preload(ITEM)


func run() -> bool:
	var item: Resource = Item.new()
	item.title = "sword"
	item.count = 3
	item.parts = [1, "two"]
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": PackedStringArray(["*"])}
	options.allowed_scripts = {ITEM: PackedStringArray(["title", "count", "parts", "watched"])}
	var bytes: PackedByteArray = var_to_bytes_with_objects([item])
	var result: VarBytesResult = VarBytes.decode(bytes, options)
	if check(result.ok, result.message):
		equal(result.value, bytes_to_var_with_objects(bytes), "an allowed object")
	check(VarBytes.encode([item], options).value == bytes, "written under the same policy")

	options.allowed_scripts = {ITEM: PackedStringArray(["title"])}
	_refused(bytes, options, "$[0].", "property", "a property that is not listed")
	var part: VarBytesResult = VarBytes.decode(VarBytes.encode([item], options).value, options)
	check(part.ok and part.value[0].title == "sword" and part.value[0].count == 0, "only listed properties are written")

	options.allowed_scripts = {}
	_refused(bytes, options, "$[0].script", "script", "a script that is not listed")
	check(VarBytes.encode([item], options).error == VarBytesResult.ErrorKind.NOT_ALLOWED, "nor written")
	options.allowed_classes = {}
	_refused(bytes, options, "$[0]", "class Resource", "a class that is not listed")
	options.allow_objects = false
	_refused(bytes, options, "$[0]", "not allowed", "no objects at all")
	check(VarBytes.encode([item], options).value == var_to_bytes([item]), "without objects they are ids")
	_saved()
	return true


func _refused(bytes: PackedByteArray, options: VarBytesOptions, path: String, message: String, what: String) -> void:
	var made: int = Item.made
	var objects: int = Performance.get_monitor(Performance.OBJECT_COUNT)
	var result: VarBytesResult = VarBytes.decode(bytes, options)
	check(result.error == VarBytesResult.ErrorKind.NOT_ALLOWED, "%s: %s" % [what, result.message])
	check(result.path.begins_with(path) and result.message.contains(message), "%s: %s" % [what, result.message])
	# The result itself is an object.
	check(Performance.get_monitor(Performance.OBJECT_COUNT) == objects + 1 and Item.made == made, "%s: something was made" % what)


## Options are a resource like any other.
func _saved() -> void:
	var path: String = "user://varbytes_options.tres"
	var options := VarBytesOptions.new()
	options.max_memory = 4096
	options.strict = true
	options.allowed_classes = {"Resource": PackedStringArray(["resource_name"])}
	check(ResourceSaver.save(options, path) == OK, "options can be saved")
	var loaded: VarBytesOptions = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	check(loaded.max_memory == 4096 and loaded.strict and loaded.allowed_classes == options.allowed_classes, "and loaded")
	DirAccess.remove_absolute(path)
