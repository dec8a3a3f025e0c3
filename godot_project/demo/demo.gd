extends Control
## Shows a safe packet and a malicious one side by side, read by the built-in function and by VarBytes.
##
## Run it with [code]godot --path godot_project res://demo/demo.tscn[/code]. With [code]--headless[/code] or [code]--
## --check[/code] it prints the results and quits, with exit code 0 if VarBytes read the safe packet and refused the
## malicious one.

const Packets := preload("res://demo/packets.gd")
const Column := preload("res://demo/column.gd")

const BUILT_IN: String = "bytes_to_var_with_objects(packet)"
const VAR_BYTES: String = "VarBytes.decode(packet, policy)"
const SAFE_NOTE: String = "From a player of the game: a Dictionary with an item in it."
const MALICIOUS_NOTE: String = "From an attacker: the same, but the item is a script, with its source."


func _ready() -> void:
	var safe: PackedByteArray = Packets.safe()
	var malicious: PackedByteArray = Packets.malicious()
	var outcomes: Array[Packets.Outcome] = [
		Packets.by_built_in(safe), Packets.by_var_bytes(safe),
		Packets.by_built_in(malicious), Packets.by_var_bytes(malicious),
	]
	if DisplayServer.get_name() == "headless" or "--check" in OS.get_cmdline_user_args():
		_print(outcomes)
		# The built-in must run the code, or else the demo proves nothing.
		var as_told: bool = outcomes[0].read and outcomes[1].read and outcomes[2].code_ran and outcomes[3].refused
		var named: bool = outcomes[3].text.contains('$["items"][0]')
		print("VARBYTES DEMO %s" % ("PASSED" if as_told and named else "FAILED"))
		get_tree().quit(0 if as_told and named else 1)
		return
	_show(safe, malicious, outcomes)


func _print(outcomes: Array[Packets.Outcome]) -> void:
	for side: int in 2:
		print("A safe packet" if side == 0 else "A malicious packet")
		for row: int in 2:
			var outcome: Packets.Outcome = outcomes[2 * side + row]
			print("  %-34s %s" % [[BUILT_IN, VAR_BYTES][row], outcome.text.replace("\n", " ")])


func _show(safe: PackedByteArray, malicious: PackedByteArray, outcomes: Array[Packets.Outcome]) -> void:
	var ground := ColorRect.new()
	ground.color = Color("1a1d27")
	var margin := MarginContainer.new()
	for side: String in ["left", "top", "right", "bottom"]:
		margin.add_theme_constant_override("margin_%s" % side, 28)
	var columns := HBoxContainer.new()
	columns.add_theme_constant_override(&"separation", 28)
	for control: Control in [ground, margin]:
		control.set_anchors_preset(PRESET_FULL_RECT)
		add_child(control)
	margin.add_child(columns)
	for side: int in 2:
		var column := Column.new()
		columns.add_child(column)
		if side == 0:
			column.show_packet("A safe packet", SAFE_NOTE, safe)
		else:
			column.show_packet("A malicious packet", MALICIOUS_NOTE, malicious)
		column.show_outcome(BUILT_IN, outcomes[2 * side].text, not outcomes[2 * side].code_ran)
		column.show_outcome(VAR_BYTES, outcomes[2 * side + 1].text, not outcomes[2 * side + 1].code_ran)
