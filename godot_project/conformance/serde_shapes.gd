extends SceneTree
## Compares the records that conformance/tests/serde.rs writes from Rust types with the values that they should be, and
## writes them back with store_var.
##
## `godot --headless --path godot_project -s res://conformance/serde_shapes.gd -- --input FILE --output FILE`


func _initialize() -> void:
	quit(1)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var input := FileAccess.open(arguments[arguments.find("--input") + 1], FileAccess.READ)
	var output := FileAccess.open(arguments[arguments.find("--output") + 1], FileAccess.WRITE)
	var shapes: Array = _shapes()
	for index: int in shapes.size():
		var read: Variant = input.get_var()
		var shown: String = var_to_str(read)
		if typeof(read) != typeof(shapes[index]) or shown != var_to_str(shapes[index]):
			printerr("shape %d is %s, expected %s" % [index, shown, var_to_str(shapes[index])])
			return
		output.store_var(read)
	if input.get_position() != input.get_length():
		printerr("more records than shapes")
		return
	output.flush()
	print(JSON.stringify({"complete": true, "shapes": shapes.size()}))
	quit(0)


func _shapes() -> Array:
	var ints: Array[int] = [1, 2, 3]
	var items: Array[Dictionary] = [{"name": "axe", "count": 1}]
	var scores: Dictionary[String, int] = {"Ada": 7}
	var tiles: Dictionary[Vector2i, Array] = {Vector2i(1, -2): [true]}
	return [
		{"name": "axe", "count": 1},
		null,
		7,
		[7, "x"],
		[],
		{},
		true,
		-9223372036854775807 - 1,
		0.1,
		1.5,
		"é😀",
		"Unit",
		{"Newtype": 7},
		{"Tuple": [7, true]},
		{"Struct": {"a": 7}},
		{"type": "Unit"},
		{"type": "Struct", "a": 7},
		{"t": "Newtype", "c": 7},
		7,
		"text",
		{1: "one", 2: "two"},
		{Vector2i(1, -2): [Vector3(1, 2, 3)]},
		PackedByteArray([1, 2, 3]),
		PackedInt32Array([1, -2]),
		PackedInt64Array([1 << 40]),
		PackedFloat32Array([0.5]),
		PackedFloat64Array([0.1]),
		PackedStringArray(["a", "é"]),
		PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array(),
		PackedColorArray([Color(1, 0.5, 0.25, 1)]),
		ints,
		items,
		scores,
		tiles,
		Vector2(1, 2),
		Vector3i(1, 2, 3),
		Quaternion(0, 0, 0, 1),
		Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(10, 11, 12)),
		Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		Vector3(1, 2, 3),
		Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		Color(1, 0.5, 0.25, 1),
		[&"name", ^"/root/A:b", Rect2i(1, 2, 3, 4)],
	]
