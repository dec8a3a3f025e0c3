extends Resource
## An object with a script, for the benchmark.

@export var title: String
@export var position: Vector2
@export var health: int = 100
@export var tags: PackedStringArray = ["a", "b"]
