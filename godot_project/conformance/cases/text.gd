extends RefCounted
## String, StringName, NodePath.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Samples := preload("res://conformance/cases/samples.gd")


func add_to(vectors: VectorSet) -> void:
	var texts: Dictionary[String, String] = Samples.texts()
	for case_name: String in texts:
		vectors.canonical(case_name, texts[case_name])
		vectors.canonical(case_name, StringName(texts[case_name]))
	vectors.canonical("default", StringName())
	_add_node_paths(vectors)


func _add_node_paths(vectors: VectorSet) -> void:
	var paths: Dictionary[String, NodePath] = {
		"empty": ^"",
		"root": ^"/",
		"here": ^".",
		"above": ^"..",
		"above-twice": ^"../..",
		"name": ^"a",
		"name-not-padded": ^"abcd",
		"names": ^"a/bc/def/ghij/klmno",
		"absolute-name": ^"/a",
		"absolute-names": ^"/root/Level/Player",
		"subname": ^":x",
		"subnames": ^":position:x",
		"name-and-subname": ^"a:b",
		"name-and-subnames": ^"a:b:c:d",
		"names-and-subnames": ^"Path2D/PathFollow2D/Sprite:position:x",
		"absolute-names-and-subname": ^"/a/b:c",
		"absolute-above": ^"/../a",
		"unique-name": ^"%Player/Sprite",
		"slash-at-end": ^"a/b/",
		"slash-twice": ^"a//b",
		"slash-twice-at-start": ^"//a",
		"slash-alone-with-subname": ^"/:a",
		"colon-at-end": ^"a:b:",
		"subname-with-slash": ^"a:b/c",
		"subname-with-slashes": ^"a:shader_parameter/albedo:r",
		"space": ^" /a b: c",
		"of-many-scripts": ^"/señor/漢字/😀:größe:ширина",
		"at-sign": ^"@Node@2/@Sprite2D@3",
		"byte-order-mark-inside": NodePath("a" + String.chr(0xfeff) + "/b"),
		"long-name": NodePath("N".repeat(300)),
		"hundred-names": NodePath("/".join(_numbered(100))),
		"hundred-subnames": NodePath("a:" + ":".join(_numbered(100))),
	}
	for case_name: String in paths:
		vectors.canonical(case_name, paths[case_name])
	# No text parses to these paths, but the decoder reads them and the encoder writes them.
	var unparsed: Dictionary[String, String] = {
		"empty-name": "16000000 01000080 00000000 00000000 00000000",
		"empty-names-and-subname": "16000000 02000080 01000000 01000000 00000000 00000000 00000000",
		"slash-in-name": "16000000 01000080 00000000 00000000 03000000 612f6200",
		"colon-in-name": "16000000 01000080 00000000 00000000 03000000 613a6200",
	}
	for case_name: String in unparsed:
		vectors.canonical(case_name, bytes_to_var(Wire.hex(unparsed[case_name])))


func _numbered(count: int) -> PackedStringArray:
	var names: PackedStringArray = []
	for index: int in count:
		names.append("n%d" % index)
	return names
