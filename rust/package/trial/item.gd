extends Resource
## An object as a game might send it.

@export var title: String = ""
@export var price: int = 0
