extends SceneTree
## Writes saves with `store_var`, and for each a description of its records by this engine.
##
## `godot3-server --path godot_project/godot3 -s res://write_save.gd -- --output DIR`
## `every_type.save` has the values of all canonical vectors without full objects, `objects.save` has full objects.
## The last line of a complete run says so in JSON.

const SaveSet := preload("res://save_set.gd")
const Generator := preload("res://generate_vectors.gd")


func _init() -> void:
	# The exit code if the end is not reached.
	quit(1)
	var arguments: Array = OS.get_cmdline_args()
	var directory: String = arguments[arguments.find("--output") + 1]
	var saves: SaveSet = SaveSet.new()
	saves.open(directory.plus_file("every_type.save"), false)
	for family in Generator.VALUES:
		family.new().add_to(saves)
	_add_nested(saves)
	saves.open(directory.plus_file("objects.save"), true)
	_add_objects(saves)
	var count: int = _describe(saves, directory.plus_file("every_type.jsonl"), false)
	count += _describe(saves, directory.plus_file("objects.jsonl"), true)
	if saves.failures > 0:
		return
	print("{\"complete\": true, \"records\": %d}" % count)
	quit(0)


## A typical game save: nested types, object ids and empty values.
func _add_nested(saves: SaveSet) -> void:
	var player: Dictionary = {
		"name": "Zoë 漢字 😀",
		"position": Vector3(1.5, -2.0, 0.1),
		"inventory": [{"id": 7, "tags": PoolStringArray(["rare", "größe"])}, null, [[], {}]],
		"seen": PoolIntArray([1, -2]),
		"path": NodePath("/root/Level:position:x"),
		"tint": Color(0.1, 0.2, 0.3, 0.4),
		Vector2(1, 2): {3: 0.1, 0.5: true, null: AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))},
	}
	saves.canonical("player", player)
	saves.canonical("players", [player, player.duplicate(true), Transform.IDENTITY, Quat(0.5, 0.5, 0.5, 0.5)])
	var id: EncodedObjectAsID = EncodedObjectAsID.new()
	saves.canonical("object-as-id", {"object": id})


## Objects of classes that Godot 4 has too, some under other names.
func _add_objects(saves: SaveSet) -> void:
	var resource: Resource = Resource.new()
	resource.resource_name = "größe"
	saves.canonical("resource", resource, true)
	saves.canonical("reference", Reference.new(), true)
	var sprite: Sprite = Sprite.new()
	sprite.hframes = 5
	sprite.frame = 3
	sprite.offset = Vector2(1.5, -2.0)
	saves.canonical("sprite", {"hero": sprite}, true)
	sprite.free()
	var box: BoxShape = BoxShape.new()
	box.margin = 0.25
	saves.canonical("shape", [box, resource], true)
	var id: EncodedObjectAsID = EncodedObjectAsID.new()
	id.object_id = 1234
	saves.canonical("id", id, true)


func _describe(saves: SaveSet, path: String, full_objects: bool) -> int:
	var lines: Array = saves.close(full_objects)
	var file: File = File.new()
	if file.open(path, File.WRITE) != OK:
		saves.expect(path, false, "it cannot be written")
		return 0
	file.store_string(PoolStringArray(lines).join("\n") + "\n")
	file.close()
	return lines.size()
