extends Reference
## Object, by instance id and in full: classes of the engine, script classes, metadata, objects in objects.
##
## A script is an ordinary property: the GDScript is embedded as an object, with its source.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Actor := preload("res://fixtures/actor.gd")
const Bare := preload("res://fixtures/bare.gd")
const DerivedItem := preload("res://fixtures/derived_item.gd")
const Holder := preload("res://fixtures/holder.gd")
const Item := preload("res://fixtures/item.gd")

## Classes whose stored properties have the same values on every machine.
const PLAIN_CLASSES: Array = [
	"Object", "Reference", "Resource", "EncodedObjectAsID", "Node", "Node2D", "Spatial", "Control", "Label", "Timer",
	"Sprite", "Camera", "Curve", "Curve2D", "Curve3D", "Gradient", "RectangleShape2D", "CircleShape2D", "BoxShape",
	"InputEventKey", "InputEventMouseButton", "InputEventMouseMotion", "InputEventJoypadMotion",
	"InputEventAction", "InputEventScreenTouch", "Animation", "StyleBoxFlat", "StyleBoxEmpty", "StyleBoxLine", "Theme",
	"PhysicsMaterial", "OpenSimplexNoise", "Translation", "RegEx", "ConfigFile", "StreamPeerBuffer", "PackedScene",
	"ButtonGroup", "ShortCut", "AudioStreamSample", "NavigationPolygon", "GDScript",
]


## A class with its own script, which is not a file of the project.
class Inner:
	extends Reference

	export var number: int = 5


func add_to(vectors: VectorSet) -> void:
	for native_class in PLAIN_CLASSES:
		var object: Object = ClassDB.instance(native_class)
		vectors.canonical("default-%s-in-full" % native_class, object, true)
		_release(object)
	_add_ids(vectors)
	_add_absent(vectors)
	_add_filled_in(vectors)
	_add_scripted(vectors)
	_add_metadata(vectors)


func _add_ids(vectors: VectorSet) -> void:
	for native_class in ["Object", "Reference", "Node", "Resource"]:
		var object: Object = ClassDB.instance(native_class)
		vectors.canonical("default-%s-as-id" % native_class, object)
		_release(object)
	var id: EncodedObjectAsID = EncodedObjectAsID.new()
	for number in [0, 1, 1234, 0x7fffffffffffffff, -1, -0x7fffffffffffffff]:
		id.object_id = number
		vectors.canonical("EncodedObjectAsID-of-%d-in-full" % number, id, true)
	vectors.canonical("EncodedObjectAsID-as-id-of-its-own", id)


func _add_absent(vectors: VectorSet) -> void:
	var freed: Node = Node.new()
	freed.free()
	vectors.canonical_both("freed", freed)
	vectors.canonical_both("null", vectors.read(Wire.object_by_id(0)))


func _add_filled_in(vectors: VectorSet) -> void:
	var gradient: Gradient = Gradient.new()
	gradient.offsets = PoolRealArray([0.0, 0.25, 1.0])
	gradient.colors = PoolColorArray([Color(1.0, 0.0, 0.0), Color(0.0, 1.0, 0.0, 0.5), Color(0.0, 0.0, 1.0)])
	vectors.canonical_both("gradient", gradient)
	var curve: Curve = Curve.new()
	var _first: int = curve.add_point(Vector2(0.0, 0.5), 0.0, 1.5)
	var _second: int = curve.add_point(Vector2(1.0, 1.0))
	vectors.canonical_both("curve", curve)
	var key: InputEventKey = InputEventKey.new()
	key.scancode = KEY_A
	key.control = true
	key.pressed = true
	vectors.canonical("key-event-in-full", key, true)
	var image: Image = Image.new()
	image.create_from_data(2, 1, false, Image.FORMAT_RGB8, PoolByteArray([255, 0, 0, 0, 128, 255]))
	vectors.canonical("image-in-full", image, true)
	vectors.canonical("animation-in-full", _animation(), true)
	var theme: Theme = Theme.new()
	theme.set_color("font_color", "Label", Color(1.0, 0.5, 0.0))
	theme.set_stylebox("normal", "Button", StyleBoxFlat.new())
	vectors.canonical("theme-with-style-box-in-full", theme, true)
	var node: Node2D = Node2D.new()
	node.position = Vector2(1.0, -2.0)
	node.rotation = 0.5
	node.add_child(Node.new())
	vectors.canonical_both("node-with-child", node)
	node.free()
	var named: Resource = Resource.new()
	named.resource_name = "größe"
	vectors.canonical("resource-with-name-in-full", named, true)
	vectors.canonical("script-in-full", Bare, true)
	vectors.canonical("script-as-id", Bare)


func _add_scripted(vectors: VectorSet) -> void:
	vectors.canonical_both("scripted-without-variables", Bare.new())
	vectors.canonical_both("scripted-default", Item.new())
	var item: Item = Item.new()
	item.title = "sword"
	item.count = 0x100000000
	item.weight = -0.0
	item.unstored = "still never written"
	item.tags = ["sharp", "old"]
	item.prices = {"new": 100, "used": 40}
	item.position = Vector2(1.5, -2.5)
	vectors.canonical_both("scripted-filled-in", item)
	var whole: Item = Item.new()
	whole.part = item
	vectors.canonical("scripted-with-part-in-full", whole, true)
	whole.part = Gradient.new()
	whole.parts = [item, null, RectangleShape2D.new(), item]
	vectors.canonical_both("scripted-with-parts", whole)
	vectors.canonical_both("scripted-derived", DerivedItem.new())
	vectors.canonical_both("scripted-with-property-list", Holder.new())
	vectors.canonical_both("scripted-by-inner-class", Inner.new())
	var made_up: GDScript = GDScript.new()
	made_up.source_code = "extends Reference\nexport var size = 1.5\n"
	var _error: int = made_up.reload()
	vectors.canonical("scripted-by-no-file-in-full", made_up.new(), true)
	var actor: Actor = Actor.new()
	actor.health = 3
	vectors.canonical_both("scripted-node", actor)
	actor.free()
	var chain: Item = Item.new()
	for _index in 5:
		var next: Item = Item.new()
		next.part = chain
		chain = next
	vectors.canonical("scripted-chain-of-parts-in-full", chain, true)


func _add_metadata(vectors: VectorSet) -> void:
	var counted: Reference = Reference.new()
	counted.set_meta("note", "hello")
	counted.set_meta("a_number", 1)
	counted.set_meta("everything", [1, {"a": NodePath("name")}, Vector3.ONE])
	vectors.canonical_both("metadata", counted)
	var resource: Resource = Resource.new()
	resource.set_meta("gradient", Gradient.new())
	resource.set_meta("freed", _freed())
	vectors.canonical("metadata-of-objects-in-full", resource, true)
	var chain: Reference = Reference.new()
	for _index in 20:
		var next: Reference = Reference.new()
		next.set_meta("next", chain)
		chain = next
	vectors.canonical("metadata-chain-in-full", chain, true)
	var item: Bare = Bare.new()
	item.set_meta("grade", 5)
	vectors.canonical("metadata-after-script-in-full", item, true)


func _animation() -> Animation:
	var animation: Animation = Animation.new()
	animation.length = 2.0
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("Node:position"))
	animation.track_insert_key(track, 0.0, Vector2.ZERO)
	animation.track_insert_key(track, 2.0, Vector2(10.0, 5.0))
	return animation


func _freed() -> Object:
	var node: Node = Node.new()
	node.free()
	return node


func _release(object: Object) -> void:
	if not object is Reference:
		object.free()
