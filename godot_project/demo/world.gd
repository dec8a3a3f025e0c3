extends Control
## The game: collect coins with the arrow keys. Another player, Ben, is known through the server alone.

const Server := preload("res://demo/server.gd")
const Attacks := preload("res://demo/attacks.gd")
const Item := preload("res://demo/item.gd")

const SAVE: String = "user://demo.save"
const SPEED: float = 180.0
const REACH: float = 18.0
const COINS: int = 6

var at := Vector2(80, 120)
var coins: int = 0
var lying: Array[Vector2] = []
var item := Item.new()
var server := Server.new()

var _links: Array[VarBytesStream] = []
var _ben := Vector2(260, 60)
var _random := RandomNumberGenerator.new()


func _ready() -> void:
	clip_contents = true
	focus_mode = Control.FOCUS_ALL
	item.title = "lantern"
	item.price = 12
	_random.seed = 7
	add_child(server)
	if server.start() == OK:
		_links = [server.join(), server.join()]
	while lying.size() < COINS:
		lying.append(_anywhere())


func _process(delta: float) -> void:
	var wish: Vector2 = Input.get_vector(&"ui_left", &"ui_right", &"ui_up", &"ui_down") if has_focus() else Vector2.ZERO
	at = (at + wish * SPEED * delta).clamp(Vector2.ONE * REACH, area() - Vector2.ONE * REACH)
	_ben = _ben.move_toward(_nearest(_ben), 0.6 * SPEED * delta)
	_collect()
	for number: int in _links.size():
		_links[number].poll()
		if _links[number].get_queued_bytes() == 0:
			_links[number].send({"player": ["Ann", "Ben"][number], "at": [at, _ben][number]})
	queue_redraw()


## Saves the game. Returns what is wrong, or an empty text.
func save_game() -> String:
	var options: VarBytesOptions = Attacks.policy()
	var file: VarBytesFile = VarBytesFile.open(SAVE, FileAccess.WRITE)
	if file == null:
		return error_string(FileAccess.get_open_error())
	return file.store({"player": "Ann", "at": at, "coins": coins, "item": item}, options).message


## Loads the game. A save that others could have changed is read with the same options. Returns what is wrong, or an empty text.
func load_game() -> String:
	var file: VarBytesFile = VarBytesFile.open(SAVE, FileAccess.READ)
	if file == null:
		return error_string(FileAccess.get_open_error())
	var result: VarBytesResult = file.next(Attacks.policy())
	if not result.ok:
		return result.message
	var state: Variant = result.value
	if not (state is Dictionary and state.get("at") is Vector2 and state.get("coins") is int and state.get("item") is Item):
		return "this is not a save of this game"
	at = state.at
	coins = state.coins
	item = state.item
	return ""


func area() -> Vector2:
	return size.max(Vector2(320, 240))


func _collect() -> void:
	for number: int in lying.size():
		if at.distance_to(lying[number]) < REACH:
			coins += 1
			lying[number] = _anywhere()
		elif _ben.distance_to(lying[number]) < REACH:
			lying[number] = _anywhere()


func _nearest(from: Vector2) -> Vector2:
	var nearest: Vector2 = lying[0]
	for coin: Vector2 in lying:
		if from.distance_to(coin) < from.distance_to(nearest):
			nearest = coin
	return nearest


func _anywhere() -> Vector2:
	return Vector2(_random.randf_range(20, area().x - 20), _random.randf_range(20, area().y - 20))


func _draw() -> void:
	draw_rect(Rect2(Vector2.ZERO, size), Color("20242f"))
	for coin: Vector2 in lying:
		draw_circle(coin, 7, Color("ffd866"))
	for title: String in server.players:
		var place: Vector2 = at if title == "Ann" else server.players[title]
		var color: Color = Color("7fe08a") if title == "Ann" else Color("78a9ff")
		draw_rect(Rect2(place - Vector2(11, 11), Vector2(22, 22)), color)
		draw_string(get_theme_default_font(), place + Vector2(-30, -16), title, HORIZONTAL_ALIGNMENT_CENTER, 60, 14, color)
	draw_string(get_theme_default_font(), Vector2(12, 22), "%d coins" % coins, HORIZONTAL_ALIGNMENT_LEFT, -1, 16, Color.WHITE)
	if has_focus():
		draw_rect(Rect2(Vector2.ONE, size - Vector2(2, 2)), Color("78a9ff"), false)
