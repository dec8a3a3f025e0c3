extends "res://tests/suite.gd"
## The annotated text: every byte belongs to a line, with its meaning, and errors are at their offset.


func run() -> bool:
	var text: String = VarBytes.inspect(var_to_bytes({"name": "Ann", 3: [1.5, Vector2(1, 2)]}))
	for part: String in ["00000000  1b000000 02000000", "Dictionary of 2", 'String "name"', 'String "Ann"', "int 3", "float 1.5", "Vector2 [1.0, 2.0]"]:
		check(text.contains(part), "%s is not in\n%s" % [part, text])
	var objects: String = VarBytes.inspect(var_to_bytes_with_objects(Resource.new()))
	check(objects.contains("Resource") and objects.contains("resource_name"), objects)
	var cut: String = VarBytes.inspect(var_to_bytes(["text"]).slice(0, 14))
	check(cut.contains("needs") and cut.contains("path $[0]") and cut.contains("Array of 1"), cut)
	check(VarBytes.inspect(PackedByteArray()).contains("needs 4 bytes, 0 are left"), "an empty packet")
	check(VarBytes.inspect(PackedByteArray([0, 0, 0, 0, 1])).contains("1 bytes follow"), "what follows")
	var options := VarBytesOptions.new()
	options.offset = 8
	equal(VarBytes.inspect(var_to_bytes(["text"]), options), VarBytes.inspect(var_to_bytes("text")), "from an offset on")
	options.offset = 100
	check(VarBytes.inspect(var_to_bytes(1), options).contains("offset 100 is outside"), "an offset outside")
	for index: int in 300:
		var bytes: PackedByteArray = var_to_bytes([index, str(index)])
		bytes[index % bytes.size()] = index * 7 % 256
		check(not VarBytes.inspect(bytes).is_empty(), "damaged bytes")
	return true
