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
	return true


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
