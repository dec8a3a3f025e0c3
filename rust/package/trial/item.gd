extends Resource
## What a game might put into a packet.

@export var title: String = ""
@export var price: int = 0
