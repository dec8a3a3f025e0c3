extends "res://tests/suites/damaged_packets.gd"
## Damaged packets with full objects: the same verdict as the built-ins, and the same class, script and stored
## properties.


func run() -> bool:
	var variants := RandomVariants.new()
	variants.with_objects = true
	random.seed = number("seed", 1)
	variants.random.seed = random.seed + 1
	for index: int in number("packets", 20_000):
		var packet: PackedByteArray = damaged(var_to_bytes_with_objects(variants.object(2)))
		Vectors.compare_packet(self, packet, true, "objects %d of seed %d" % [index, number("seed", 1)])
	return true
