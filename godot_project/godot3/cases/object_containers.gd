extends Reference
## Arrays and dictionaries that hold objects.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Actor := preload("res://fixtures/actor.gd")
const Bare := preload("res://fixtures/bare.gd")
const Item := preload("res://fixtures/item.gd")


func add_to(vectors: VectorSet) -> void:
	_add_values(vectors)
	_add_keys(vectors)
	_add_scripted(vectors)


func _add_values(vectors: VectorSet) -> void:
	var counted: Reference = Reference.new()
	var node: Node = Node.new()
	var freed: Node = Node.new()
	freed.free()
	var absent = vectors.read(Wire.object_by_id(0))
	vectors.canonical_both("holding-objects", [counted, 1, node])
	vectors.canonical_both("holding-same-object-twice", [counted, counted])
	vectors.canonical_both("holding-freed-and-null-objects", [freed, absent, null])
	vectors.canonical_both("holding-objects-in-depth", [[{"a": [counted]}], [[counted]]])
	vectors.canonical_both("holding-resources", [Gradient.new(), null, Resource.new()])
	vectors.canonical_both("value-objects", {"counted": counted, "node": node})
	vectors.canonical_both("value-freed-and-null-objects", {"freed": freed, "absent": absent})
	var id: EncodedObjectAsID = EncodedObjectAsID.new()
	id.object_id = 99
	vectors.canonical_both("holding-EncodedObjectAsID", [id])
	node.free()


func _add_keys(vectors: VectorSet) -> void:
	var counted: Reference = Reference.new()
	vectors.canonical_both("key-object", {counted: 1})
	vectors.canonical_both("key-and-value-object", {counted: counted})
	vectors.canonical_both("key-objects-in-arrays", {[counted]: 1, [Reference.new()]: 2})
	vectors.canonical_both("key-null-object", {vectors.read(Wire.object_by_id(0)): 1})
	# Godot 3.6 finds the value of a freed object as a key, 3.2 does not.
	var doomed: Node = Node.new()
	var by_doomed: Dictionary = {"before": 1, doomed: "was freed", "after": 2}
	doomed.free()
	vectors.canonical_both("key-freed-object", by_doomed)


func _add_scripted(vectors: VectorSet) -> void:
	var actor: Actor = Actor.new()
	vectors.canonical_both("holding-scripted", [Item.new(), Bare.new(), actor])
	vectors.canonical_both("value-scripted", {"item": Item.new()})
	vectors.canonical_both("key-scripted", {Bare.new(): 1})
	actor.free()
