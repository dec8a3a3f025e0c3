extends "res://tests/suite.gd"
## Random values of every type, with and without objects: the same bytes as the built-ins, and the same value back.

const RandomVariants := preload("res://tests/random_variants.gd")
const Vectors := preload("res://tests/suites/vectors.gd")


func run() -> bool:
	var variants := RandomVariants.new()
	variants.random.seed = number("seed", 1)
	for index: int in number("values", 50_000):
		var objects: bool = index % 4 == 3
		variants.with_objects = objects
		var value: Variant = variants.value()
		compare_value(value, objects, "value %d of seed %d" % [index, number("seed", 1)])
	_around_512_bytes()
	return true


## Up to 512 bytes are written elsewhere first. Each kind of value is written at each place around the end of that.
func _around_512_bytes() -> void:
	var kinds: Array = [
		null, true, 1 << 40, 1.5, 0.1, "ASCII", "größer", "日本".repeat(30), &"name", ^"a/b:c", Vector2.ONE, Vector3i.ONE, Color.RED,
		Transform3D.IDENTITY, Projection.IDENTITY, RID(), Callable(), PackedByteArray([1, 2, 3]), PackedInt32Array([1, 2]),
		PackedStringArray(["a", "é"]), [], [[]], {}, {"key": {"key": 1}}, [1, 2, 3] as Array[int], [Vector2.ONE, Vector2.ONE],
		{"key": 1} as Dictionary[String, int], "long".repeat(2000), PackedFloat64Array(range(3000)), Array(range(3000)),
	]
	for kind: Variant in kinds:
		for length: int in range(380, 530, 4):
			var text: String = "x".repeat(length)
			compare_value([text, kind, kind, "after"], false, "%s after %d characters" % [type_string(typeof(kind)), length])
			compare_value({text: kind, "after": kind}, false, "%s as the value of %d characters" % [type_string(typeof(kind)), length])


func compare_value(value: Variant, objects: bool, name: String) -> void:
	var written: PackedByteArray = var_to_bytes_with_objects(value) if objects else var_to_bytes(value)
	var found: PackedByteArray = VarBytes.var_to_bytes_with_objects(value) if objects else VarBytes.var_to_bytes(value)
	if not check(found == written, "%s, bytes: found %s, expected %s" % [name, found.hex_encode().left(600), written.hex_encode().left(600)]):
		return
	if not objects:
		check(VarBytes.byte_size(value) == written.size(), "%s: byte_size %d of %d" % [name, VarBytes.byte_size(value), written.size()])
	var expected: Variant = bytes_to_var_with_objects(written) if objects else bytes_to_var(written)
	var read: Variant = VarBytes.bytes_to_var_with_objects(written) if objects else VarBytes.bytes_to_var(written)
	equal(read, expected, "%s, value of %s" % [name, written.hex_encode().left(600)])
	var options: VarBytesOptions = VarBytesOptions.new()
	options.strict = true
	if not objects:
		var strict: VarBytesResult = VarBytes.decode(written, options)
		# If the built-ins change a value when they read their own bytes, strict reading refuses those bytes.
		if strict.ok:
			equal(strict.value, expected, "%s, strict" % name)
			check(strict.bytes_used == written.size(), "%s, strict: %d bytes used" % [name, strict.bytes_used])
		else:
			check(var_to_bytes(expected) != written, "the engine writes %s, but it is refused: %s" % [name, strict.message])
