extends Resource
## What the game of the demo sends.

@export var title: String
@export var price: int
