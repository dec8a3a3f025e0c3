extends Resource
## A reward that the server of this game gives. Its constructor pays it out, so only the game itself may create one.

@export var reason: String

static var paid: int = 0


func _init() -> void:
	paid += 1000
