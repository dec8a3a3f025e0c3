extends RefCounted
## Arrays and dictionaries that hold objects, or are typed with a class or a script.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Actor := preload("res://conformance/fixtures/actor.gd")
const Bare := preload("res://conformance/fixtures/bare.gd")
const DerivedItem := preload("res://conformance/fixtures/derived_item.gd")
const Item := preload("res://conformance/fixtures/item.gd")


func add_to(vectors: VectorSet) -> void:
	_add_untyped(vectors)
	_add_arrays(vectors)
	_add_dictionaries(vectors)


func _add_untyped(vectors: VectorSet) -> void:
	var counted := RefCounted.new()
	var node := Node.new()
	var freed := Node.new()
	freed.free()
	var absent: Variant = bytes_to_var(Wire.object_by_id(0))
	vectors.canonical_both("holding-objects", [counted, 1, node])
	vectors.canonical_both("holding-same-object-twice", [counted, counted])
	vectors.canonical_both("holding-freed-and-null-objects", [freed, absent, null])
	vectors.canonical_both("holding-objects-in-depth", [[{"a": [counted]}], [[counted]]])
	vectors.canonical_both("value-objects", {"counted": counted, "node": node})
	vectors.canonical_both("value-freed-and-null-objects", {"freed": freed, "absent": absent})
	vectors.canonical_both("key-object", {counted: 1})
	vectors.canonical_both("key-and-value-object", {counted: counted})
	vectors.canonical_both("key-null-object", {absent: 1})
	var doomed := Node.new()
	var by_doomed: Dictionary = {doomed: "was freed"}
	doomed.free()
	vectors.canonical_both("key-freed-object", by_doomed)
	var id := EncodedObjectAsID.new()
	id.object_id = 99
	vectors.canonical_both("holding-EncodedObjectAsID", [id])
	var signals: Array[Signal] = [Signal(node, "renamed")]
	vectors.canonical_both("of-Signal-of-node", signals)
	node.free()


func _add_arrays(vectors: VectorSet) -> void:
	var nodes: Array[Node] = []
	vectors.canonical_both("of-Node-empty", nodes)
	vectors.canonical_both("of-Object-empty", Array([], TYPE_OBJECT, &"Object", null))
	vectors.canonical_both("of-class-unknown-empty", Array([], TYPE_OBJECT, &"NoSuchClass", null))
	var resources: Array[Resource] = [Gradient.new(), null, Item.new()]
	vectors.canonical_both("of-Resource", resources)
	var counted: Array[RefCounted] = [RefCounted.new()]
	vectors.canonical_both("of-RefCounted", counted)
	var ids: Array[EncodedObjectAsID] = [EncodedObjectAsID.new()]
	vectors.canonical_both("of-EncodedObjectAsID", ids)
	var items: Array[Item] = []
	vectors.canonical_both("of-script-empty", items)
	items = [Item.new(), DerivedItem.new(), null]
	vectors.canonical_both("of-script", items)
	var bare: Array[Bare] = [Bare.new()]
	vectors.canonical_both("of-script-of-RefCounted", bare)
	var actors: Array[Actor] = [Actor.new()]
	vectors.canonical_both("of-script-of-node", actors)
	var several: Array = [nodes, resources, items]
	vectors.canonical_both("holding-arrays-of-objects", several)
	actors[0].free()


func _add_dictionaries(vectors: VectorSet) -> void:
	var item := Item.new()
	var gradient := Gradient.new()
	var by_class: Dictionary[Resource, int] = {gradient: 1}
	vectors.canonical_both("class-to-int", by_class)
	var to_class: Dictionary[String, Resource] = {"gradient": gradient, "item": item, "none": null}
	vectors.canonical_both("String-to-class", to_class)
	var class_to_class: Dictionary[Resource, RefCounted] = {gradient: item}
	vectors.canonical_both("class-to-class", class_to_class)
	var by_script: Dictionary[Item, String] = {item: "item"}
	vectors.canonical_both("script-to-String", by_script)
	var to_script: Dictionary[int, Item] = {1: item, 2: null}
	vectors.canonical_both("int-to-script", to_script)
	var script_to_script: Dictionary[Item, Bare] = {item: Bare.new()}
	vectors.canonical_both("script-to-script", script_to_script)
	var class_to_script: Dictionary[Resource, Item] = {gradient: item}
	vectors.canonical_both("class-to-script", class_to_script)
	var script_to_class: Dictionary[Item, Resource] = {item: gradient}
	vectors.canonical_both("script-to-class", script_to_class)
	var only_key: Dictionary[Node, Variant] = {}
	vectors.canonical_both("only-key-class-empty", only_key)
	var only_value: Dictionary[Variant, Node] = {}
	vectors.canonical_both("only-value-class-empty", only_value)
	var only_key_script: Dictionary[Item, Variant] = {}
	vectors.canonical_both("only-key-script-empty", only_key_script)
	var only_value_script: Dictionary[Variant, Item] = {}
	vectors.canonical_both("only-value-script-empty", only_value_script)
