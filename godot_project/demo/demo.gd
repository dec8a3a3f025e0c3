extends Control
## A small game with a save and a server, and attacks on both. Choose an attack, and see what it does to the built-in functions and to
## VarBytes.
##
## With [code]--headless[/code] or [code]-- --check[/code] it plays, saves, loads, tries every attack on save and server, prints
## the outcomes and quits, with exit code 0 if every outcome is as announced.

const Attacks := preload("res://demo/attacks.gd")
const Readers := preload("res://demo/readers.gd")
const World := preload("res://demo/world.gd")
const Card := preload("res://demo/card.gd")

const CALLS: Array[Array] = [
	["FileAccess.get_var(true)", "VarBytesFile.next(policy)"], ["StreamPeer.get_var(true)", "VarBytesStream, with a policy"],
]

var attacks: Array[Attacks.Attack] = Attacks.all()

var _world := World.new()
var _list := ItemList.new()
var _note := Label.new()
var _said := Label.new()
var _cards: Array[Card] = [Card.new(), Card.new()]


func _ready() -> void:
	_lay_out()
	for attack: Attacks.Attack in attacks:
		_list.add_item(attack.title)
	choose(0, false)
	if DisplayServer.get_name() == "headless" or "--check" in OS.get_cmdline_user_args():
		_check.call_deferred()


## Tries an attack: shows what it does to the built-in function and to VarBytes.
func choose(number: int, by_server: bool) -> void:
	_list.select(number)
	_note.text = attacks[number].note
	_cards[0].show_outcome(CALLS[int(by_server)][0], Readers.built_in(attacks[number], by_server))
	_cards[1].show_outcome(CALLS[int(by_server)][1], Readers.var_bytes(attacks[number], by_server))


func _check() -> void:
	var failures: PackedStringArray = await _play()
	for by_server: bool in [false, true]:
		print("Sent to a server" if by_server else "As a save")
		for attack: Attacks.Attack in attacks:
			var built_in: Readers.Outcome = Readers.built_in(attack, by_server)
			var var_bytes: Readers.Outcome = Readers.var_bytes(attack, by_server)
			print("  %s\n    %-30s %s\n    %-30s %s" % [
					attack.title, CALLS[int(by_server)][0], built_in.text, CALLS[int(by_server)][1], var_bytes.text])
			# The built-in must take damage, or else the demo proves nothing.
			if built_in.damage.is_empty() != (attack == attacks[0]):
				failures.append("%s: the built-in says %s" % [attack.title, built_in.text])
			if not var_bytes.damage.is_empty() or var_bytes.error != attack.answer:
				failures.append("%s: VarBytes says %s" % [attack.title, var_bytes.text])
	for failure: String in failures:
		print("VARBYTES FAILURE %s" % failure)
	print("VARBYTES DEMO %s" % ("PASSED" if failures.is_empty() else "FAILED"))
	get_tree().quit(0 if failures.is_empty() else 1)


## Plays for a moment, saves and loads. Returns what is wrong.
func _play() -> PackedStringArray:
	var failures: PackedStringArray = []
	var end: int = Time.get_ticks_msec() + Readers.PATIENCE
	while _world.server.players.size() < 2 and Time.get_ticks_msec() < end:
		await get_tree().process_frame
	if _world.server.players.size() != 2 or _world.server.refused > 0:
		failures.append("the server knows the players %s" % _world.server.players)
	_world.coins = 3
	var place: Vector2 = _world.at
	failures.append(_world.save_game())
	_world.coins = 0
	_world.at = Vector2.ZERO
	failures.append(_world.load_game())
	if _world.coins != 3 or _world.at != place or _world.item.title != "lantern":
		failures.append("the loaded game is another one")
	# A save that an attacker has changed.
	FileAccess.open(World.SAVE, FileAccess.WRITE).store_var(["no save"])
	if _world.load_game().is_empty() or _world.coins != 3:
		failures.append("a changed save was loaded")
	DirAccess.remove_absolute(World.SAVE)
	return PackedStringArray(Array(failures).filter(func(line: String) -> bool: return not line.is_empty()))


func _lay_out() -> void:
	var ground := ColorRect.new()
	ground.color = Color("1a1d27")
	var margin := MarginContainer.new()
	for side: String in ["left", "top", "right", "bottom"]:
		margin.add_theme_constant_override("margin_%s" % side, 20)
	for control: Control in [ground, margin]:
		control.set_anchors_preset(PRESET_FULL_RECT)
		add_child(control)
	var columns := HBoxContainer.new()
	columns.add_theme_constant_override(&"separation", 20)
	margin.add_child(columns)
	columns.add_child(_game())
	columns.add_child(_attacks())


func _game() -> Control:
	var column := VBoxContainer.new()
	column.custom_minimum_size.x = 380
	_world.size_flags_vertical = SIZE_EXPAND_FILL
	var buttons := HBoxContainer.new()
	buttons.add_child(_button("Save", func() -> void: _say(_world.save_game(), "Saved.")))
	buttons.add_child(_button("Load", func() -> void: _say(_world.load_game(), "Loaded.")))
	_said.text = "Click into the game, and move with the arrow keys."
	_said.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	for control: Control in [_title("A game with a save and a server"), _world, buttons, _said]:
		column.add_child(control)
	return column


func _attacks() -> Control:
	var column := VBoxContainer.new()
	column.size_flags_horizontal = SIZE_EXPAND_FILL
	_list.auto_height = true
	_list.item_selected.connect(func(number: int) -> void: choose(number, false))
	_note.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_note.custom_minimum_size.y = 46
	var buttons := HBoxContainer.new()
	for by_server: bool in [false, true]:
		buttons.add_child(_button("Send to the server" if by_server else "Load as a save", func() -> void: choose(_list.get_selected_items()[0], by_server)))
	var cards := HBoxContainer.new()
	cards.add_theme_constant_override(&"separation", 14)
	cards.size_flags_vertical = SIZE_EXPAND_FILL
	for card: Card in _cards:
		cards.add_child(card)
	for control: Control in [_title("Attacks"), _list, _note, buttons, cards]:
		column.add_child(control)
	return column


func _say(problem: String, otherwise: String) -> void:
	_said.text = problem if not problem.is_empty() else otherwise


func _title(text: String) -> Label:
	var label := Label.new()
	label.text = text
	label.add_theme_font_size_override(&"font_size", 22)
	return label


func _button(text: String, pressed: Callable) -> Button:
	var button := Button.new()
	button.text = text
	button.custom_minimum_size = Vector2(120, 34)
	button.pressed.connect(pressed)
	return button
