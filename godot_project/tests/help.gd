extends SceneTree
## Reads the addon's pages in the editor's own help, as they stand there when F1 is pressed:
## `godot --headless --editor --path godot_project -s res://tests/help.gd`.
##
## Every method, property, constant and signal that the engine knows of a class must be described on its page, and the
## text must be as it was meant: no tag that was not understood, no code block that lost its lines.
## `-- --prepare` only has the editor make its help: on the very first start of an engine version, when it writes its own
## pages into its cache, Godot 4.6.3 shows extensions' pages without any description.
## The last line is `VARBYTES HELP PASSED` or `VARBYTES HELP FAILED`; the exit code is 0 or 1.

const CLASSES: Array[StringName] = [&"VarBytes", &"VarBytesOptions", &"VarBytesResult", &"VarBytesFile"]
## What the editor writes where a description is missing.
const NOTHING: String = "There is currently no description"
## How long the editor may take to make a page, in frames.
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
	for name: StringName in CLASSES:
		var page: String = await _page(name)
		if _check(not page.is_empty(), "%s has no page" % name):
			_read(name, page)
	var passed: bool = failures == 0 and checks > 0
	print("%-16s %8d checks, %d failures" % ["help", checks, failures])
	print("VARBYTES HELP %s" % ("PASSED" if passed else "FAILED"))
	quit(0 if passed else 1)


## The text of a page, as the editor shows it; empty where it shows none.
func _page(name: StringName) -> String:
	# Loaded by name: there is no such class where the editor is not compiled in, and this script must be readable there.
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
	_check(not page.contains(NOTHING), "%s: something has no description" % name)
	var tag: RegExMatch = RegEx.create_from_string("\\[/?(br|b|i|code|codeblock|method|member|constant|enum|param)\\b.*?\\]").search(page)
	_check(tag == null, "%s: a tag is shown as it stands: %s" % [name, tag.get_string() if tag != null else ""])
	for line: String in lines:
		_check(line.count(" := ") < 2, "%s: code lost its lines: %s" % [name, line])
	var accessors: PackedStringArray = []
	for property: Dictionary in ClassDB.class_get_property_list(name, true):
		if property.usage & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_CATEGORY) == 0:
			accessors.append_array([ClassDB.class_get_property_getter(name, property.name), ClassDB.class_get_property_setter(name, property.name)])
			_described(name, lines, "^● .*%s( \\[|[sg]et_|is_|$)" % property.name, "property %s" % property.name)
	for method: Dictionary in ClassDB.class_get_method_list(name, true):
		# What a property reads and writes through is described there.
		if not accessors.has(method.name):
			_described(name, lines, "^● .* %s\\(" % method.name, "method %s" % method.name)
	for constant: String in ClassDB.class_get_integer_constant_list(name, true):
		_described(name, lines, "^\\s*●.%s\\b" % constant, "constant %s" % constant)
	for sent: Dictionary in ClassDB.class_get_signal_list(name, true):
		_described(name, lines, "^\\s*●.*\\b%s\\(" % sent.name, "signal %s" % sent.name)


## Whether there is an entry, and text behind it before the next.
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
