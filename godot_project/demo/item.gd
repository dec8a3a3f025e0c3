extends Resource
## An item that the game of the demo sends.

@export var title: String
@export var price: int
