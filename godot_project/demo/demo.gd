extends Control
## A safe and a malicious packet side by side: what the built-in makes of them, and what VarBytes does.
##
## Run headless with `-- --check`, it prints what it shows and quits with 0 where the malicious packet was refused.

const ITEM: String = "res://demo/item.gd"

@onready var _safe: RichTextLabel = %Safe
@onready var _malicious: RichTextLabel = %Malicious


func _ready() -> void:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Resource": PackedStringArray(["*"])}
	options.allowed_scripts = {ITEM: PackedStringArray(["title", "price"])}
	var item: Resource = load(ITEM).new()
	item.title = "lantern"
	item.price = 12
	var safe: PackedByteArray = var_to_bytes_with_objects({"player": "Ann", "item": item})
	var malicious: PackedByteArray = var_to_bytes_with_objects({"player": "Eve", "item": _script_with_source()})
	_safe.text = _shown(safe, options)
	_malicious.text = _shown(malicious, options)
	if OS.get_cmdline_user_args().has("--check"):
		print(_safe.text, "\n", _malicious.text)
		var good: bool = VarBytes.decode(safe, options).ok and not VarBytes.decode(malicious, options).ok
		print("VARBYTES DEMO %s" % ("PASSED" if good else "FAILED"))
		get_tree().quit(0 if good else 1)


func _shown(packet: PackedByteArray, options: VarBytesOptions) -> String:
	var built: Dictionary = bytes_to_var_with_objects(packet)
	var lines: PackedStringArray = ["%d bytes" % packet.size(), "", "bytes_to_var_with_objects makes"]
	lines.append("    a %s" % built.item.get_class())
	if built.item is GDScript:
		lines.append("    with the source %s" % built.item.source_code.c_escape())
	lines.append_array(["", "VarBytes.decode with a list of what is allowed"])
	var result: VarBytesResult = VarBytes.decode(packet, options)
	if result.ok:
		lines.append("    %s for %d" % [result.value.item.title, result.value.item.price])
	else:
		lines.append("    refuses it: %s" % result.message)
	return "\n".join(lines)


## What an attacker would send: code instead of an item.
func _script_with_source() -> GDScript:
	var script := GDScript.new()
	script.source_code = "func _init(): OS.execute(\"rm\", [])"
	return script
