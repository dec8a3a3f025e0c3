extends RefCounted
## The base of all suites: counts checks, compares values, and calls built-ins without their messages.

const SHOWN_FAILURES: int = 10
## Values for records.
const SAMPLES: Array = [null, {"name": "Ann", "level": 7}, "text", [1, 2.5, Vector3(1, 2, 3)]]

var options: Dictionary[String, String] = {}
var checks: int = 0
var failures: int = 0


## Overridden by every suite; returns `true` at its end.
func run() -> bool:
	return false


func check(condition: bool, what: String) -> bool:
	checks += 1
	if not condition:
		fail(what)
	return condition


func equal(found: Variant, expected: Variant, what: String) -> bool:
	if same(found, expected):
		checks += 1
		return true
	return check(false, "%s: found %s, expected %s" % [what, str(found).left(400), str(expected).left(400)])


func fail(what: String) -> void:
	failures += 1
	if failures <= SHOWN_FAILURES:
		print("VARBYTES FAILURE %s" % what)


## Calls the parts of a suite, which return `true` at their end. A script error ends a part early, so it does not return that.
func run_parts(parts: Array[Callable]) -> void:
	for part: Callable in parts:
		check(await part.call() == true, "%s did not finish" % part.get_method())


## Waits until the engine counts another frame.
func next_frame() -> void:
	var frame: int = Engine.get_process_frames()
	while Engine.get_process_frames() == frame:
		await Engine.get_main_loop().process_frame


## Returns a number given after `--`, or the default.
func number(option: String, usual: int) -> int:
	return int(options[option]) if options.has(option) else usual


## Returns options that allow these classes and scripts.
static func allowing(classes: Dictionary, scripts: Dictionary) -> VarBytesOptions:
	var result := VarBytesOptions.new()
	result.allow_objects = true
	result.allowed_classes = classes
	result.allowed_scripts = scripts
	return result


static func write_file(path: String, bytes: PackedByteArray) -> void:
	var file := FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()


## Runs `body` without the engine's messages and returns its result, which is the only member of an Array. A script
## error is silent here too and results in null, so `body` only calls the engine or VarBytes, and no other script.
func quietly(body: Callable) -> Variant:
	Engine.print_error_messages = false
	var result: Variant = body.call()
	Engine.print_error_messages = true
	if not check(result is Array and result.size() == 1, "a script error stopped code that ran without messages"):
		return null
	return result[0]


## Returns whether two values are the same bit for bit: types, order, typed containers, and objects by class, script and
## stored properties. Not recursive, because values nest deeper than GDScript's call stack.
static func same(left: Variant, right: Variant) -> bool:
	var pending: Array = [left, right]
	while not pending.is_empty():
		var second: Variant = pending.pop_back()
		var first: Variant = pending.pop_back()
		if typeof(first) != typeof(second):
			return false
		match typeof(first):
			TYPE_ARRAY:
				if first.size() != second.size() or not first.is_same_typed(second):
					return false
				for index: int in first.size():
					pending.append(first[index])
					pending.append(second[index])
			TYPE_DICTIONARY:
				if first.size() != second.size() or not first.is_same_typed(second):
					return false
				pending.append_array([first.keys(), second.keys(), first.values(), second.values()])
			TYPE_OBJECT:
				if not _same_object(first, second, pending):
					return false
			TYPE_CALLABLE:
				# The built-ins drop the target of a Callable.
				if first.is_null() != second.is_null():
					return false
			_:
				if var_to_bytes(first) != var_to_bytes(second):
					return false
	return true


static func _same_object(left: Object, right: Object, pending: Array) -> bool:
	if left == null or right == null:
		return left == null and right == null
	if left.get_class() != right.get_class() or left.get_script() != right.get_script():
		return false
	if left is EncodedObjectAsID:
		return left.object_id == right.object_id
	for property: Dictionary in left.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE != 0 and property.name != "script":
			pending.append(left.get(property.name))
			pending.append(right.get(property.name))
	return true


## Returns whether every typed container in a value, and in the stored properties of its objects, only has members of
## its type. Not recursive.
static func is_well_typed(value: Variant) -> bool:
	var pending: Array = [value]
	while not pending.is_empty():
		var member: Variant = pending.pop_back()
		match typeof(member):
			TYPE_ARRAY:
				if not _are_of(member, member.get_typed_builtin(), member.get_typed_class_name(), member.get_typed_script()):
					return false
				pending.append_array(member)
			TYPE_DICTIONARY:
				var keys: Array = member.keys()
				var values: Array = member.values()
				if not _are_of(keys, member.get_typed_key_builtin(), member.get_typed_key_class_name(), member.get_typed_key_script()):
					return false
				if not _are_of(values, member.get_typed_value_builtin(), member.get_typed_value_class_name(), member.get_typed_value_script()):
					return false
				pending.append_array(keys + values)
			TYPE_OBJECT:
				if is_instance_valid(member):
					for property: Dictionary in member.get_property_list():
						if property.usage & PROPERTY_USAGE_STORAGE != 0 and property.name != "script":
							pending.append(member.get(property.name))
	return true


static func _are_of(members: Array, builtin: int, class_title: StringName, script: Variant) -> bool:
	if builtin == TYPE_NIL:
		return true
	for member: Variant in members:
		if builtin != TYPE_OBJECT:
			if typeof(member) != builtin:
				return false
		elif typeof(member) != TYPE_NIL:
			if typeof(member) != TYPE_OBJECT:
				return false
			if member != null and not class_title.is_empty() and not member.is_class(class_title):
				return false
			if member != null and script != null and not is_instance_of(member, script):
				return false
	return true


## Calls a function with 0, 1, and so on, in as many threads at the same time. Returns what each call returns.
static func in_threads(count: int, work: Callable) -> Array:
	# Not a group task of WorkerThreadPool: Godot 4.6.3 can hang if it quits soon after one.
	var threads: Array[Thread] = []
	for index: int in count:
		threads.append(Thread.new())
		threads[index].start(work.bind(index))
	return threads.map(func(thread: Thread) -> Variant: return thread.wait_to_finish())


## Frees the objects in a decoded value that are not reference-counted.
static func release(value: Variant) -> void:
	var pending: Array = [value]
	while not pending.is_empty():
		var member: Variant = pending.pop_back()
		match typeof(member):
			TYPE_ARRAY:
				pending.append_array(member)
			TYPE_DICTIONARY:
				pending.append_array(member.keys())
				pending.append_array(member.values())
			TYPE_OBJECT:
				if is_instance_valid(member) and not member is RefCounted:
					member.free()
