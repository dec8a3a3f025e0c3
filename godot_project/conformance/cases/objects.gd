extends RefCounted
## Object, by instance id and in full: classes of the engine, script classes, metadata, objects in objects.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Actor := preload("res://conformance/fixtures/actor.gd")
const Bare := preload("res://conformance/fixtures/bare.gd")
const DerivedItem := preload("res://conformance/fixtures/derived_item.gd")
const Holder := preload("res://conformance/fixtures/holder.gd")
const Item := preload("res://conformance/fixtures/item.gd")

## Classes whose stored properties have the same values on every machine.
const PLAIN_CLASSES: Array[StringName] = [
	&"Object", &"RefCounted", &"Resource", &"EncodedObjectAsID", &"Node", &"Node2D", &"Node3D", &"Control",
	&"Label", &"Timer", &"Sprite2D", &"Camera3D", &"Curve", &"Curve2D", &"Curve3D", &"Gradient",
	&"RectangleShape2D", &"CircleShape2D", &"BoxShape3D", &"ConvexPolygonShape2D", &"InputEventKey",
	&"InputEventMouseButton", &"InputEventMouseMotion", &"InputEventJoypadMotion", &"InputEventAction",
	&"InputEventScreenTouch", &"Animation", &"AnimationLibrary", &"StyleBoxFlat", &"StyleBoxEmpty", &"StyleBoxLine",
	&"Theme", &"PhysicsMaterial", &"LabelSettings", &"FastNoiseLite", &"Translation", &"JSON", &"RegEx",
	&"ConfigFile", &"StreamPeerBuffer", &"PackedScene", &"ButtonGroup", &"Shortcut", &"AudioStreamWAV",
	&"NavigationPolygon", &"PhysicsRayQueryParameters2D",
]


func add_to(vectors: VectorSet) -> void:
	for native_class: StringName in PLAIN_CLASSES:
		var object: Object = ClassDB.instantiate(native_class)
		vectors.canonical("default-%s-in-full" % native_class, object, true)
		_release(object)
	_add_ids(vectors)
	_add_absent(vectors)
	_add_filled_in(vectors)
	_add_scripted(vectors)
	_add_metadata(vectors)


func _add_ids(vectors: VectorSet) -> void:
	for native_class: StringName in [&"Object", &"RefCounted", &"Node", &"Resource"] as Array[StringName]:
		var object: Object = ClassDB.instantiate(native_class)
		vectors.canonical("default-%s-as-id" % native_class, object)
		_release(object)
	var id := EncodedObjectAsID.new()
	for number: int in [0, 1, 1234, 0x7fffffffffffffff, -1, -0x7fffffffffffffff]:
		id.object_id = number
		vectors.canonical("EncodedObjectAsID-of-%d-in-full" % number, id, true)
	vectors.canonical("EncodedObjectAsID-as-id-of-its-own", id)


func _add_absent(vectors: VectorSet) -> void:
	var freed := Node.new()
	freed.free()
	vectors.canonical_both("freed", freed)
	vectors.canonical_both("null", bytes_to_var(Wire.object_by_id(0)))


func _add_filled_in(vectors: VectorSet) -> void:
	var gradient := Gradient.new()
	gradient.offsets = [0.0, 0.25, 1.0]
	gradient.colors = [Color.RED, Color(0.0, 1.0, 0.0, 0.5), Color.BLUE]
	vectors.canonical_both("gradient", gradient)
	var curve := Curve.new()
	curve.add_point(Vector2(0.0, 0.5), 0.0, 1.5)
	curve.add_point(Vector2(1.0, 1.0))
	vectors.canonical_both("curve", curve)
	var key := InputEventKey.new()
	key.keycode = KEY_A
	key.ctrl_pressed = true
	key.pressed = true
	vectors.canonical("key-event-in-full", key, true)
	var pixels: PackedByteArray = [255, 0, 0, 0, 128, 255]
	vectors.canonical("image-in-full", Image.create_from_data(2, 1, false, Image.FORMAT_RGB8, pixels), true)
	vectors.canonical("animation-in-full", _animation(), true)
	var theme := Theme.new()
	theme.set_color("font_color", "Label", Color.ORANGE)
	theme.set_stylebox("normal", "Button", StyleBoxFlat.new())
	vectors.canonical("theme-with-style-box-in-full", theme, true)
	var texture := GradientTexture1D.new()
	texture.gradient = gradient
	vectors.canonical("texture-of-gradient-in-full", texture, true)
	var node := Node2D.new()
	node.position = Vector2(1.0, -2.0)
	node.rotation = 0.5
	var child := Node.new()
	node.add_child(child)
	vectors.canonical_both("node-with-child", node)
	node.free()
	var named := Resource.new()
	named.resource_name = "größe"
	vectors.canonical("resource-with-name-in-full", named, true)
	vectors.canonical("script-in-full", Bare, true)
	vectors.canonical("script-as-id", Bare)


func _add_scripted(vectors: VectorSet) -> void:
	vectors.canonical_both("scripted-without-variables", Bare.new())
	vectors.canonical_both("scripted-default", Item.new())
	var item := Item.new()
	item.title = "sword"
	item.count = 0x100000000
	item.weight = -0.0
	item.seed_value = -1
	item.unstored = "still never written"
	item.tags = ["sharp", "old"]
	item.prices = {"new": 100, "used": 40}
	item.position = Vector2(1.5, -2.5)
	vectors.canonical_both("scripted-filled-in", item)
	var whole := Item.new()
	whole.part = item
	vectors.canonical("scripted-with-part-in-full", whole, true)
	whole.part = Gradient.new()
	whole.parts = [item, null, RectangleShape2D.new(), item]
	vectors.canonical_both("scripted-with-parts", whole)
	vectors.canonical_both("scripted-derived", DerivedItem.new())
	vectors.canonical_both("scripted-with-property-list", Holder.new())
	var actor := Actor.new()
	actor.health = 3
	vectors.canonical_both("scripted-node", actor)
	actor.free()
	var chain := Item.new()
	for _index: int in 20:
		var next := Item.new()
		next.part = chain
		chain = next
	vectors.canonical("scripted-chain-of-parts-in-full", chain, true)


func _add_metadata(vectors: VectorSet) -> void:
	var counted := RefCounted.new()
	counted.set_meta("note", "hello")
	counted.set_meta("a_number", 1)
	counted.set_meta("everything", [1, {"a": ^"b"}, Vector3.ONE])
	vectors.canonical_both("metadata", counted)
	var resource := Resource.new()
	resource.set_meta("gradient", Gradient.new())
	resource.set_meta("nothing", bytes_to_var(Wire.object_by_id(0)))
	vectors.canonical("metadata-of-objects-in-full", resource, true)
	var item := Bare.new()
	item.set_meta("grade", 5)
	vectors.canonical("metadata-after-script-in-full", item, true)


func _animation() -> Animation:
	var animation := Animation.new()
	animation.length = 2.0
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, ^"Sprite2D:position")
	animation.track_insert_key(track, 0.0, Vector2.ZERO)
	animation.track_insert_key(track, 2.0, Vector2(10.0, 5.0))
	return animation


func _release(object: Object) -> void:
	if not object is RefCounted:
		object.free()
