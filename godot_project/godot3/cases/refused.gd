extends Reference
## Values that the encoder refuses. Engines without a depth limit overflow their stack on them.

const Codec := preload("res://codec.gd")
const VectorSet := preload("res://vector_set.gd")
const Arrays := preload("res://cases/arrays.gd")
const Dictionaries := preload("res://cases/dictionaries.gd")

const TOO_DEEP: String = "nested more than 1025 levels deep"


func add_to(vectors: VectorSet) -> void:
	if Codec.limits_depth():
		_add_depth(vectors)
		_add_cycles(vectors)


func _add_depth(vectors: VectorSet) -> void:
	var alone: String = "arrays, each the only element of the next"
	for full_objects in [false, true]:
		vectors.refused("arrays-too-deep" + ("-with-full-objects" if full_objects else ""),
				Arrays.nested(Arrays.MAX_LEVELS + 1), full_objects, TOO_DEEP,
				_nest(alone, "Array", Arrays.MAX_LEVELS + 1, "null"))
	vectors.refused("int-in-deepest-array", Arrays.nested(Arrays.MAX_LEVELS, 1), false, TOO_DEEP,
			_nest(alone + ", the innermost holding an int", "Array", Arrays.MAX_LEVELS,
			"{\"type\":\"int\",\"value\":\"1\"}"))
	vectors.refused("dictionaries-too-deep", Dictionaries.nested(Arrays.MAX_LEVELS + 1), false, TOO_DEEP,
			_nest("dictionaries, each the only value of the next under the key \"in\"", "Dictionary",
			Arrays.MAX_LEVELS + 1, "null"))
	vectors.refused("arrays-far-too-deep", Arrays.nested(5000), false, TOO_DEEP, _nest(alone, "Array", 5000, "null"))


func _add_cycles(vectors: VectorSet) -> void:
	var array: Array = []
	array.append(array)
	vectors.refused("array-in-itself", array, false, TOO_DEEP, _expression("an array that is its own only element"))
	array.clear()
	var dictionary: Dictionary = {}
	dictionary["self"] = dictionary
	vectors.refused("dictionary-in-itself", dictionary, false, TOO_DEEP,
			_expression("a dictionary that is its own value under \"self\""))
	dictionary.clear()
	var resource: Resource = Resource.new()
	resource.set_meta("self", resource)
	vectors.refused("object-in-itself", resource, true, TOO_DEEP,
			_expression("a Resource whose metadata \"self\" is that Resource"))
	resource.remove_meta("self")


func _nest(words: String, container: String, levels: int, innermost: String) -> String:
	return "%s,\"nest\":%d,\"container\":\"%s\",\"innermost\":%s" % [_expression(words), levels, container, innermost]


func _expression(words: String) -> String:
	return "\"expression\":\"%s\"" % words.c_escape()
