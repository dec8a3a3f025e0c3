extends SceneTree
## Compares the records that conformance/tests/serde writes from Rust types with the values that they should be, and
## writes them back with store_var.
##
## `godot --headless --path godot_project -s res://conformance/serde_shapes.gd -- --input FILE --output FILE`


func _initialize() -> void:
	quit(1)
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var input := FileAccess.open(arguments[arguments.find("--input") + 1], FileAccess.READ)
	var output := FileAccess.open(arguments[arguments.find("--output") + 1], FileAccess.WRITE)
	var count: int = 0
	var groups: Array[Callable] = [_values, _enums, _containers, _packed, _typed, _fields, _math, _names, _objects]
	for group: Callable in groups:
		for expected: Variant in group.call():
			var read: Variant = input.get_var(true)
			count += 1
			# The bytes distinguish what == does not: types, the order of keys, NaN, and the sign of zero.
			if var_to_bytes_with_objects(read) != var_to_bytes_with_objects(expected):
				var place: String = "shape %d, in %s" % [count, group.get_method()]
				printerr("%s, is %s, expected %s" % [place, var_to_str(read), var_to_str(expected)])
				return
			output.store_var(read, true)
	if input.get_position() != input.get_length():
		printerr("more records than shapes")
		return
	output.flush()
	print(JSON.stringify({"complete": true, "shapes": count}))
	quit(0)


func _values() -> Array:
	return [
		[-1, -32768, -2147483648, -9223372036854775807 - 1, -7, 255, 65535, 4294967295, 9223372036854775807, 1048576],
		[2147483648, -2147483649],
		[0.10000000149011612, _float("ffff7f7f"), _float("00008000"), INF, -INF],
		[0.1, _double("ffffffffffffef7f"), _double("0000000000001000"), INF, -INF, 16777217.0, 0.5],
		[NAN, -0.0],
		true,
		"é😀",
		["x", "😀", ""],
		null,
		null,
		7,
		[7, "x"],
		[7, "x"],
		null,
		7,
		{"some": 7, "none": null, "unit": null, "inner": {"name": "axe", "count": 1}},
		{"name": "axe", "count": 1},
		{},
		{
			"maxHealth": 100,
			"größe 😀": 1.5,
			"": true,
			"a name that is longer than the sixteen bytes of two words": [1],
		},
		{"id": 1 << 40, "name": "axe", "count": 1, "single": 0.5, "double": 0.1, "more": [1, null]},
		{
			"field": PackedByteArray([1, 2, 255]),
			"array": PackedByteArray([7, 8, 9]),
			"empty": PackedByteArray(),
			"sequence": [1, 2],
		},
		{"text": "é", "bytes": PackedByteArray([1, 2, 3, 4, 5]), "option": "a text in place"},
		[{"secs": 7, "nanos": 5}, [127, 0, 0, 1], 255, {"start": 1, "end": 3}, "boxed"],
	]


func _float(hex: String) -> float:
	return hex.hex_decode().decode_float(0)


func _double(hex: String) -> float:
	return hex.hex_decode().decode_double(0)


func _enums() -> Array:
	return [
		"Unit",
		{"Newtype": 7},
		{"Tuple": [7, true]},
		{"Struct": {"a": 7}},
		{"übrig": null},
		{"übrig": "Unit"},
		{"type": "Unit"},
		{"type": "Newtype", "name": "axe", "count": 1},
		{"type": "Struct", "a": 7, "b": 0.1},
		{"t": "Unit"},
		{"t": "Newtype", "c": 7},
		{"t": "Tuple", "c": [7, true]},
		{"t": "Struct", "c": {"a": 7}},
		null,
		7,
		"text",
		[7, true],
		{"a": 7},
		[null, 7],
		{
			"external": ["Unit", {"Tuple": [7, true]}],
			"internal": {"type": "Struct", "a": 7, "b": null},
			"adjacent": {"t": "Unit"},
			"untagged": "text",
			"result": {"Err": "none"},
		},
	]


func _containers() -> Array:
	return [
		[],
		{},
		[[1, 2], [3, 4]],
		[[1], [2, 3], [{"name": "axe", "count": 1}]],
		{1: "one", 2: "two"},
		{-9223372036854775807 - 1: 1, 9223372036854775807: 2},
		{false: 0.5, true: 1.0},
		{"a": null, "é": null},
		{"Red": "Blue"},
		{[1, true]: ["a tuple"]},
		{null: 0, 1: 1},
		{Vector2i(1, -2): {"inner": 7}},
	]


func _packed() -> Array:
	return [
		PackedByteArray([1, 2, 3]),
		PackedInt32Array([1, -2]),
		PackedInt32Array([-128]),
		PackedInt32Array([-32768]),
		PackedInt32Array([65535]),
		PackedInt64Array([1 << 40]),
		PackedInt64Array([4294967295]),
		PackedFloat32Array([0.5, INF]),
		PackedFloat64Array([0.1, -INF]),
		PackedStringArray(["a", "é"]),
		PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]),
		PackedVector4Array([Vector4(1, 2, 3, 4)]),
		PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]),
		PackedVector4Array([Vector4(1, 2, 3, 4)]),
		PackedColorArray([Color(1, 0.5, 0.25, 1)]),
		PackedVector2Array([Vector2(1, 2), Vector2()]),
		PackedVector3Array([Vector3(1, 2, 3)]),
		PackedVector3Array([Vector3(1, 2, 3)]),
		PackedFloat32Array([0.5, 0.5]),
		[PackedInt32Array([1]), null],
		PackedVector2Array([Vector2(1, 2), Vector2(0.5, -0.5)]),
		[PackedByteArray(), PackedInt32Array(), PackedInt64Array()],
		[PackedFloat32Array(), PackedFloat64Array(), PackedStringArray()],
		[PackedVector2Array(), PackedVector3Array(), PackedColorArray()],
	]


func _typed() -> Array:
	var bools: Array[bool] = [true]
	var ints: Array[int] = [1, 2, 3]
	var floats: Array[float] = [0.5]
	var strings: Array[String] = ["a"]
	var items: Array[Dictionary] = [{"name": "axe", "count": 1}]
	var arrays: Array[Array] = [[1], []]
	var dictionaries: Array[Dictionary] = [{"a": 1}]
	var boxed: Array[Array] = [[1]]
	var vectors: Array[Vector2i] = [Vector2i(1, -2)]
	var colors: Array[Color] = [Color(1, 0.5, 0.25, 1)]
	var empty: Array[int] = []
	var scores: Dictionary[String, int] = {"Ada": 7}
	var names: Dictionary[int, String] = {7: "Ada"}
	var tiles: Dictionary[Vector2i, Array] = {Vector2i(1, -2): [true]}
	var flags: Dictionary[bool, Dictionary] = {true: {"name": "axe", "count": 1}}
	var nested: Dictionary[String, Dictionary] = {"inner": {1: 2}}
	var none: Dictionary[String, Vector3] = {}
	var points: Array[Vector3] = [Vector3(1, 2, 3)]
	var places: Dictionary[String, Vector2i] = {"home": Vector2i(4, 2)}
	var anything: Dictionary[String, Variant] = {"any": Vector3(1, 2, 3)}
	var paths: Array[NodePath] = [NodePath("a/b:c")]
	var packed: Array[PackedInt32Array] = [PackedInt32Array([1, 2])]
	var unique: Array[int] = [1, 2]
	return [
		bools, ints, floats, strings, strings, items, arrays, dictionaries, boxed, vectors, colors, empty, scores,
		names, tiles, flags, nested, none, points, places, anything, paths, packed, unique,
	]


func _fields() -> Array:
	var items: Array[Dictionary] = [{"name": "axe", "count": 1}]
	var scores: Dictionary[String, float] = {"Ada": 0.1}
	var deep: Dictionary = {"inner": null}
	for _level: int in 127:
		deep = {"inner": deep}
	return [
		{
			"points": PackedVector3Array([Vector3(1, 2, 3)]),
			"items": items,
			"scores": scores,
			"none": PackedStringArray(),
		},
		deep,
	]


func _math() -> Array:
	var basis := Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))
	var basis_of_rows := Basis(Vector3(1, 4, 7), Vector3(2, 5, 8), Vector3(3, 6, 9))
	var flat := Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6))
	var transform := Transform3D(basis, Vector3(10, 11, 12))
	var rotation := Quaternion(0.5, -0.5, 0.5, 0.5)
	var projection := Projection(
		Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)
	)
	return [
		{
			"vec2": Vector2(1, 2),
			"vec3": Vector3(1, 2, 3),
			"vec3a": Vector3(1, 2, 3),
			"vec4": Vector4(1, 2, 3, 4),
			"ivec2": Vector2i(1, -2),
			"ivec3": Vector3i(1, -2, 3),
			"ivec4": Vector4i(1, -2, 3, -4),
			"quat": rotation,
			"affine2": flat,
			"mat3": basis,
			"mat3a": basis,
			"affine3": transform,
			"mat4": projection,
		},
		{
			"vec2": Vector2(1, 2),
			"vec3": Vector3(1, 2, 3),
			"vec4": Vector4(1, 2, 3, 4),
			"quat": rotation,
			"affine2": flat,
			"mat3": basis,
			"affine3": transform,
			"mat4": projection,
		},
		{
			"list": [Vector2(1, 2)],
			"array": [Vector2i(0, 0), Vector2i(1, 1)],
			"some": Vector3(1, 2, 3),
			"none": null,
			"tuple": [Quaternion(0, 0, 0, 1), [1, 2]],
			"keys": {Vector2i(1, -2): Vector3(1, 2, 3)},
			"map": {"a": [Vector4(1, 2, 3, 4)]},
		},
		{"type": "Circle", "center": Vector2(1, 2), "radius": 0.5},
		{
			"vector2": Vector2(1, 2),
			"point2": Vector2i(1, -2),
			"vector3": Vector3i(1, -2, 3),
			"point3": Vector3(1, 2, 3),
			"vector4": Vector4(1, 2, 3, 4),
			"quaternion": rotation,
			"columns2": flat,
			"columns3": basis,
			"rows3": basis_of_rows,
			"columns3x4": transform,
			"columns4": projection,
			"some": Vector2(1, 2),
			"none": null,
			"list": [Vector4i(1, -2, 3, -4)],
			"keys": {Vector3i(1, -2, 3): Vector3(1, 2, 3)},
		},
		{Vector2i(1, -2): 7},
		{
			"vector2": Vector2(1, 2),
			"vector2i": Vector2i(1, -2),
			"rect2": Rect2(1, 2, 3, 4),
			"rect2i": Rect2i(1, 2, 3, 4),
			"vector3": Vector3(1, 2, 3),
			"vector3i": Vector3i(1, -2, 3),
			"transform2d": flat,
			"vector4": Vector4(1, 2, 3, 4),
			"vector4i": Vector4i(1, -2, 3, -4),
			"plane": Plane(1, 2, 3, 4),
			"quaternion": rotation,
			"aabb": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
			"basis": basis_of_rows,
			"transform3d": Transform3D(basis_of_rows, Vector3(10, 11, 12)),
			"projection": projection,
			"color": Color(1, 0.5, 0.25, 1),
		},
	]


func _names() -> Array:
	var deep: Array = [7]
	for _level: int in 999:
		deep = [deep]
	return [
		{&"name": "axe", &"count": 1},
		&"Idle",
		{
			&"items": [{&"name": "axe", &"count": 1}],
			&"state": {&"Walking": {&"speed": 1.5}},
			&"keys": {"left": {&"Walking": {&"speed": 1.5}}},
		},
		{&"hp": 7},
		[&"name", ^"/root/A:b", Rect2i(1, 2, 3, 4)],
		{
			"value": Vector3(1, 2, 3),
			"values": [null, PackedInt32Array([1]), 0.1],
			"array": [1, 2],
			"dictionary": {^"/root/A:b": [true]},
			"text": "é",
			"name": "plain",
		},
		deep,
	]


func _objects() -> Array:
	var material := PhysicsMaterial.new()
	material.resource_name = "ice"
	material.friction = 0.1
	material.rough = true
	material.bounce = 0.25
	var gradient := Gradient.new()
	gradient.interpolation_mode = Gradient.GRADIENT_INTERPOLATE_CONSTANT
	gradient.interpolation_color_space = Gradient.GRADIENT_COLOR_SPACE_OKLAB
	gradient.offsets = PackedFloat32Array([0, 0.5])
	gradient.colors = PackedColorArray([Color(1, 0.5, 0.25, 1), Color(0, 0, 0, 1)])
	var texture := GradientTexture1D.new()
	texture.resource_local_to_scene = true
	texture.resource_name = "sky"
	texture.gradient = gradient
	texture.width = 64
	texture.use_hdr = true
	var materials: Array[PhysicsMaterial] = [material]
	return [
		material,
		RefCounted.new(),
		texture,
		materials,
		{"materials": [material], "by_name": {"one": RefCounted.new()}},
	]
