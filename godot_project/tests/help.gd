extends SceneTree
## Checks the addon's pages in the editor's help, as F1 shows them:
## `godot --headless --editor --path godot_project -s res://tests/help.gd`.
##
## The page of a class must describe every method, property, constant and signal that the engine knows, without unknown
## tags and without code blocks that lost their lines. `-- --prepare` only lets the editor create its help: on the very
## first start of an engine version, Godot 4.6.3 shows extensions' pages without descriptions.
## The last line is `VARBYTES HELP PASSED` or `VARBYTES HELP FAILED`; the exit code is 0 or 1.

const CLASSES: Array[StringName] = [
	&"VarBytes", &"VarBytesOptions", &"VarBytesResult", &"VarBytesFile", &"VarBytesStream", &"VarBytesTask"]
## The editor's text for a missing description.
const NOTHING: String = "There is currently no description"
## How many frames the editor may take to create a page.
const PATIENCE: int = 600

var checks: int = 0
var failures: int = 0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	if OS.get_cmdline_user_args().has("--prepare"):
		var prepared: bool = not (await _page(CLASSES[0])).is_empty()
		print("VARBYTES HELP %s" % ("PREPARED" if prepared else "FAILED"))
		quit(0 if prepared else 1)
		return
	_inspector()
	for name: StringName in CLASSES:
		var page: String = await _page(name)
		if _check(not page.is_empty(), "%s has no page" % name):
			_read(name, page)
	var passed: bool = failures == 0 and checks > 0
	print("%-16s %8d checks, %d failures" % ["help", checks, failures])
	print("VARBYTES HELP %s" % ("PASSED" if passed else "FAILED"))
	quit(0 if passed else 1)


## The inspector's list of engines begins with the empty name, for the running engine.
func _inspector() -> void:
	var options := VarBytesOptions.new()
	for property: Dictionary in options.get_property_list():
		if property.name == "engine":
			# Called by name, as below.
			var editor: Node = ClassDB.class_call_static(&"EditorInspector", &"instantiate_property_editor",
					options, property.type, property.name, property.hint, property.hint_string, property.usage)
			var list: OptionButton = editor.find_children("*", "OptionButton", true, false)[0]
			_check(list.get_item_text(0).is_empty() and list.item_count > 30, "the inspector offers %d engines" % list.item_count)
			editor.free()


## Returns the text of a page as the editor shows it, or an empty text.
func _page(name: StringName) -> String:
	# Found by name, because builds without the editor lack this class and must still compile this script.
	var editor: Object = Engine.get_singleton(&"EditorInterface")
	for frame: int in PATIENCE:
		await process_frame
		var scripts: Node = editor.call(&"get_script_editor")
		if scripts == null:
			continue
		if frame % 60 == 30:
			scripts.call(&"goto_help", "class_name:%s" % name)
		for help: Node in scripts.find_children(str(name), "EditorHelp", true, false):
			for label: RichTextLabel in help.find_children("*", "RichTextLabel", true, false):
				if label.get_parsed_text().contains("Description"):
					return label.get_parsed_text()
	return ""


func _read(name: StringName, page: String) -> void:
	var lines: PackedStringArray = page.split("\n")
	_check(not page.contains(NOTHING), "%s: a description is missing" % name)
	var tag: RegExMatch = RegEx.create_from_string("\\[/?(br|b|i|code|codeblock|method|member|constant|enum|param)\\b.*?\\]").search(page)
	_check(tag == null, "%s: an unknown tag: %s" % [name, tag.get_string() if tag != null else ""])
	for line: String in lines:
		_check(line.count(" := ") < 2, "%s: a code block lost its line breaks: %s" % [name, line])
	var accessors: PackedStringArray = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		if property.usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY) == 0:
			accessors.append_array([ClassDB.class_get_property_getter(name, property.name), ClassDB.class_get_property_setter(name, property.name)])
			_described(name, lines, "^● .*%s( \\[|[sg]et_|is_|$)" % property.name, "property %s" % property.name)
	for method: Dictionary in ClassDB.class_get_method_list(name, true):
		# Getters and setters are described with their property. The help hides names that begin with an underscore.
		if not accessors.has(method.name) and not method.name.begins_with("_"):
			_described(name, lines, "^● .* %s\\(" % method.name, "method %s" % method.name)
	for constant: String in ClassDB.class_get_integer_constant_list(name, true):
		_described(name, lines, "^\\s*●.%s\\b" % constant, "constant %s" % constant)
	for sent: Dictionary in ClassDB.class_get_signal_list(name, true):
		_described(name, lines, "^\\s*●.*\\b%s\\(" % sent.name, "signal %s" % sent.name)


## Checks that there is an entry, with text before the next one.
func _described(name: StringName, lines: PackedStringArray, entry: String, what: String) -> void:
	var pattern: RegEx = RegEx.create_from_string(entry)
	for index: int in lines.size():
		if pattern.search(lines[index]) == null:
			continue
		var text: String = ""
		for line: String in lines.slice(index + 1):
			text = line.strip_edges()
			if not text.is_empty():
				break
		_check(not text.is_empty() and not text.begins_with("●") and not text.begins_with(NOTHING), "%s: %s is not described" % [name, what])
		return
	_check(false, "%s: %s is not on the page" % [name, what])


func _check(condition: bool, what: String) -> bool:
	checks += 1
	if not condition:
		failures += 1
		print("VARBYTES FAILURE %s" % what)
	return condition
