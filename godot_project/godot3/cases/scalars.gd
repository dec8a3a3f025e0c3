extends Reference
## Nil, bool, int, float, RID.

const VectorSet := preload("res://vector_set.gd")
const Samples := preload("res://cases/samples.gd")


func add_to(vectors: VectorSet) -> void:
	vectors.canonical("null", null)
	vectors.canonical("null-with-full-objects", null, true)
	vectors.canonical("false", false)
	vectors.canonical("true", true)
	for value in Samples.INTS:
		vectors.canonical(str(value), value)
	vectors.canonical("engine-test-32-bit", 0x12345678)
	vectors.canonical("engine-test-64-bit", -0xedcba9876543211)
	var floats: Dictionary = Samples.floats()
	for case_name in floats:
		vectors.canonical(case_name, floats[case_name])
	_add_rids(vectors)


## The resource of a RID is not written.
func _add_rids(vectors: VectorSet) -> void:
	vectors.canonical("empty", RID())
	vectors.canonical("empty-with-full-objects", RID(), true)
	var shape: CircleShape2D = CircleShape2D.new()
	vectors.canonical("of-shape", shape.get_rid())
	vectors.canonical("of-shape-with-full-objects", shape.get_rid(), true)
