extends "res://tests/suite.gd"
## Eight threads at once, each with its own values.

const RandomVariants := preload("res://tests/random_variants.gd")


func run() -> bool:
	var threads: Array[Thread] = []
	for index: int in 8:
		var thread := Thread.new()
		thread.start(_compare_many.bind(index))
		threads.append(thread)
	for thread: Thread in threads:
		var differences: int = thread.wait_to_finish()
		check(differences == 0, "%d values differ in a thread" % differences)
	return true


func _compare_many(seed_number: int) -> int:
	var variants := RandomVariants.new()
	variants.random.seed = seed_number
	var differences: int = 0
	for index: int in 2000:
		var value: Variant = variants.value()
		var bytes: PackedByteArray = VarBytes.var_to_bytes(value)
		var result: VarBytesResult = VarBytes.decode(bytes)
		if bytes != var_to_bytes(value) or not result.ok or not same(result.value, bytes_to_var(bytes)):
			differences += 1
	return differences
