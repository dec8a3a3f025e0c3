extends RefCounted
## Values that the encoder refuses.

const VectorSet := preload("res://conformance/vector_set.gd")
const Arrays := preload("res://conformance/cases/arrays.gd")
const Dictionaries := preload("res://conformance/cases/dictionaries.gd")

const TOO_DEEP: String = "nested more than 1025 levels deep"
const NO_PATH: String = "the script is not a file of the project"


class Inner:
	extends RefCounted


func add_to(vectors: VectorSet) -> void:
	_add_depth(vectors)
	_add_cycles(vectors)
	_add_scripts(vectors)
	_add_abstract(vectors)


func _add_depth(vectors: VectorSet) -> void:
	vectors.refused("arrays-too-deep", Arrays.nested(Arrays.MAX_LEVELS + 1, null), false, TOO_DEEP,
			_nest("arrays, each the only element of the next", "Array", Arrays.MAX_LEVELS + 1, "null"))
	vectors.refused("arrays-too-deep-with-full-objects", Arrays.nested(Arrays.MAX_LEVELS + 1, null), true, TOO_DEEP,
			_nest("arrays, each the only element of the next", "Array", Arrays.MAX_LEVELS + 1, "null"))
	vectors.refused("int-in-deepest-array", Arrays.nested(Arrays.MAX_LEVELS, 1), false, TOO_DEEP,
			_nest("arrays, each the only element of the next, the innermost holding an int", "Array", Arrays.MAX_LEVELS,
			"{\"type\":\"int\",\"value\":\"1\"}"))
	vectors.refused("dictionaries-too-deep", Dictionaries.nested(Arrays.MAX_LEVELS + 1), false, TOO_DEEP,
			_nest("dictionaries, each the only value of the next under the key \"in\"", "Dictionary",
			Arrays.MAX_LEVELS + 1, "null"))
	vectors.refused("arrays-far-too-deep", Arrays.nested(5000, null), false, TOO_DEEP,
			_nest("arrays, each the only element of the next", "Array", 5000, "null"))


func _nest(words: String, container: String, levels: int, innermost: String) -> String:
	return "\"expression\":\"%s\",\"nest\":%d,\"container\":\"%s\",\"innermost\":%s" % [
			words.c_escape(), levels, container, innermost]


func _expression(words: String) -> String:
	return "\"expression\":\"%s\"" % words.c_escape()


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
	var resource := Resource.new()
	resource.set_meta("self", resource)
	vectors.refused("object-in-itself", resource, true, TOO_DEEP,
			_expression("a Resource whose metadata \"self\" is that Resource"))
	resource.remove_meta("self")


func _add_scripts(vectors: VectorSet) -> void:
	var unnamed: GDScript = _script("")
	var outside: GDScript = _script("user://made_up.gd")
	vectors.refused("script-without-path", unnamed.new(), true, NO_PATH)
	vectors.refused("script-outside-of-project", outside.new(), true, NO_PATH)
	vectors.refused("script-of-inner-class", Inner.new(), true, NO_PATH)
	vectors.refused("script-without-path-in-array", [1, unnamed.new()], true, NO_PATH)
	vectors.refused("script-without-path-in-dictionary-value", {"a": unnamed.new()}, true, NO_PATH)
	vectors.refused("script-without-path-in-dictionary-key", {unnamed.new(): "a"}, true, NO_PATH)
	var holder := Resource.new()
	holder.set_meta("part", unnamed.new())
	vectors.refused("script-without-path-in-property", holder, true, NO_PATH)
	var scripts: Dictionary[String, GDScript] = {
		"without-path": unnamed, "outside-of-project": outside, "of-inner-class": Inner}
	for where: String in scripts:
		var script: GDScript = scripts[where]
		vectors.refused("array-of-script-" + where, Array([], TYPE_OBJECT, &"RefCounted", script), true, NO_PATH)
		vectors.refused("dictionary-key-script-" + where,
				Dictionary({}, TYPE_OBJECT, &"RefCounted", script, TYPE_INT, &"", null), true, NO_PATH)
		vectors.refused("dictionary-value-script-" + where,
				Dictionary({}, TYPE_INT, &"", null, TYPE_OBJECT, &"RefCounted", script), true, NO_PATH)


func _script(path: String) -> GDScript:
	var script := GDScript.new()
	script.source_code = "extends RefCounted"
	script.reload()
	if not path.is_empty():
		script.take_over_path(path)
	return script


## Tagged JSON cannot express these classes, so the line describes them in words.
func _add_abstract(vectors: VectorSet) -> void:
	var class_reason: String = "the class cannot be instantiated"
	for singleton: StringName in [&"RenderingServer", &"PhysicsServer2D", &"IP"] as Array[StringName]:
		var object: Object = Engine.get_singleton(singleton)
		if not ClassDB.can_instantiate(object.get_class()):
			vectors.refused("singleton-" + singleton, object, true, class_reason,
					_expression("the singleton " + singleton))
	vectors.refused("scene-state", PackedScene.new().get_state(), true, class_reason,
			_expression("PackedScene.new().get_state()"))
	vectors.refused("scene-state-in-array", [PackedScene.new().get_state()], true, class_reason,
			_expression("[PackedScene.new().get_state()]"))
