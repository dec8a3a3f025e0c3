extends RefCounted
## Nil, bool, int, float, RID, Callable, Signal.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Samples := preload("res://conformance/cases/samples.gd")


func add_to(vectors: VectorSet) -> void:
	vectors.canonical("null", null)
	vectors.canonical("null-with-full-objects", null, true)
	vectors.canonical("false", false)
	vectors.canonical("true", true)
	_add_ints(vectors)
	_add_floats(vectors)
	_add_rids(vectors)
	_add_callables(vectors)
	_add_signals(vectors)


func _add_ints(vectors: VectorSet) -> void:
	for value: int in Samples.INTS:
		vectors.canonical(str(value), value)
	vectors.canonical("engine-test-32-bit", 0x12345678)
	vectors.canonical("engine-test-64-bit", -0xedcba9876543211)


func _add_floats(vectors: VectorSet) -> void:
	var floats: Dictionary[String, float] = Samples.floats()
	for case_name: String in floats:
		vectors.canonical(case_name, floats[case_name])


func _add_rids(vectors: VectorSet) -> void:
	vectors.canonical("empty", RID())
	for id: int in [1, 13, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x0123456789abcdef, Samples.INT_MAX,
			Samples.INT_MIN, -1]:
		vectors.canonical("id-" + String.num_uint64(id), rid_from_int64(id))


func _add_callables(vectors: VectorSet) -> void:
	var local: int = 1
	vectors.canonical("empty", Callable())
	vectors.canonical("method", add_to)
	vectors.canonical("method-with-full-objects", add_to, true)
	vectors.canonical("bound", add_to.bind(1, "two", [3]))
	vectors.canonical("unbound", add_to.unbind(1))
	vectors.canonical("lambda", func() -> void: pass)
	vectors.canonical("lambda-with-capture", func() -> int: return local)
	vectors.canonical("builtin-method", Callable.create([1, 2], "size"))
	vectors.canonical("utility-function", print)
	vectors.canonical("static-method", Wire.word)
	vectors.canonical("missing-method", Callable(self, "no_such_method"))


func _add_signals(vectors: VectorSet) -> void:
	var object := Object.new()
	var counted := RefCounted.new()
	var node := Node.new()
	vectors.canonical("empty", Signal())
	vectors.canonical("object", Signal(object, "script_changed"))
	vectors.canonical("object-with-full-objects", Signal(object, "script_changed"), true)
	vectors.canonical("reference-counted", Signal(counted, "property_list_changed"))
	vectors.canonical("node", node.tree_entered)
	vectors.canonical("missing-signal", Signal(node, "no_such_signal"))
	vectors.canonical("name-empty", Signal(node, ""))
	vectors.canonical("name-padded-by-one", Signal(node, "abc"))
	vectors.canonical("name-not-padded", Signal(node, "abcd"))
	vectors.canonical("name-of-many-scripts", Signal(node, "señal-信号-📶"))
	vectors.canonical("name-long", Signal(node, "signal".repeat(50)))
	object.free()
	node.free()
