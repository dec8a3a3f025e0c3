extends "res://tests/suite.gd"
## Damaged random packets: the same verdict and the same value as the built-ins.

const RandomVariants := preload("res://tests/random_variants.gd")
const Vectors := preload("res://tests/suites/vectors.gd")

## Header words and counts with a meaning in many places.
const WORDS: Array[int] = [0, 1, 2, 4, 24, 27, 28, 29, 34, 38, 39, 0x10002, 0x10018, 0x1001C, 0x2001C, 0x3001C, 0x5001B, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]

var random := RandomNumberGenerator.new()


func run() -> bool:
	var variants := RandomVariants.new()
	random.seed = number("seed", 1)
	variants.random.seed = random.seed + 1
	for index: int in number("packets", 20_000):
		# Objects are not damaged here: the built-in would create an object of any class that a damaged name matches.
		var packet: PackedByteArray = damaged(var_to_bytes(variants.value()))
		Vectors.compare_packet(self, packet, false, "packet %d of seed %d" % [index, number("seed", 1)])
	return true


func damaged(packet: PackedByteArray) -> PackedByteArray:
	var result: PackedByteArray = packet.duplicate()
	for damage: int in 1 + random.randi() % 3:
		if result.is_empty():
			break
		var at: int = random.randi() % result.size()
		match random.randi() % 6:
			0: result[at] = random.randi() % 256
			1: result[at] = result[at] ^ (1 << (random.randi() % 8))
			2: result.resize(at)
			3: result.insert(at, random.randi() % 256)
			4: result.append_array(result.slice(0, at))
			5:
				var word: int = at & ~3
				if word + 4 <= result.size():
					result.encode_u32(word, WORDS[random.randi() % WORDS.size()])
	return result
