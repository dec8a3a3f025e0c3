extends Reference
## String, NodePath.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")


func add_to(vectors: VectorSet) -> void:
	var texts: Dictionary = Samples.texts()
	for case_name in texts:
		vectors.canonical(case_name, texts[case_name])
	_add_node_paths(vectors)


## Without the path "/", which is read back as an empty path.
func _add_node_paths(vectors: VectorSet) -> void:
	var paths: Dictionary = {
		"empty": "",
		"here": ".",
		"above": "..",
		"above-twice": "../..",
		"name": "a",
		"name-not-padded": "abcd",
		"names": "a/bc/def/ghij/klmno",
		"absolute-name": "/a",
		"absolute-names": "/root/Level/Player",
		"subname": ":x",
		"subnames": ":position:x",
		"name-and-subname": "a:b",
		"name-and-subnames": "a:b:c:d",
		"names-and-subnames": "Path2D/PathFollow2D/Sprite:position:x",
		"absolute-names-and-subname": "/a/b:c",
		"absolute-above": "/../a",
		"unique-name": "%Player/Sprite",
		"slash-at-end": "a/b/",
		"slash-twice": "a//b",
		"slash-twice-at-start": "//a",
		"slash-alone-with-subname": "/:a",
		"colon-at-end": "a:b:",
		"subname-with-slash": "a:b/c",
		"subname-with-slashes": "a:shader_param/albedo:r",
		"space": " /a b: c",
		"of-many-scripts": "/señor/漢字/😀:größe:ширина",
		"at-sign": "@Node@2/@Sprite@3",
		"byte-order-mark-inside": "a" + char(0xfeff) + "/b",
		"long-name": Samples.repeat("N", 300),
		"hundred-names": _numbered(100).join("/"),
		"hundred-subnames": "a:" + _numbered(100).join(":"),
	}
	for case_name in paths:
		vectors.canonical(case_name, NodePath(paths[case_name]))
	# No text parses to these paths, but the decoder reads them and the encoder writes them.
	var unparsed: Dictionary = {
		"empty-name": "0f000000 01000080 00000000 00000000 00000000",
		"empty-names-and-subname": "0f000000 02000080 01000000 01000000 00000000 00000000 00000000",
		"slash-in-name": "0f000000 01000080 00000000 00000000 03000000 612f6200",
		"colon-in-name": "0f000000 01000080 00000000 00000000 03000000 613a6200",
	}
	for case_name in unparsed:
		vectors.canonical(case_name, vectors.read(Wire.hex(unparsed[case_name])))


func _numbered(count: int) -> PoolStringArray:
	var names: PoolStringArray = PoolStringArray()
	for index in count:
		names.append("n%d" % index)
	return names
