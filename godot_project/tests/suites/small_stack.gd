extends "res://tests/suite.gd"
## The deepest values, in a thread with a small stack, as other systems give it: an overflow ends the process.
## `cargo package-addon --test` runs this suite with 256 KiB.

const DEEPEST: int = 1024


func run() -> bool:
	var thread := Thread.new()
	thread.start(_deepest)
	thread.wait_to_finish()
	return true


func _deepest() -> void:
	var before: Variant = 1
	var after: Variant = 2
	for level: int in DEEPEST:
		before = {"in": before} if level % 2 == 1 else [before]
		after = {"in": after} if level % 2 == 1 else [after]
	var bytes: PackedByteArray = VarBytes.encode(after).value
	var changes: Array[Dictionary] = VarBytes.diff(before, after)
	check(changes.size() == 1 and changes[0].keys.size() == DEEPEST, "the change is found")
	var patched: VarBytesResult = VarBytes.patch(before, changes)
	check(patched.ok and VarBytes.encode(patched.value).value == bytes, "patched: %s" % patched.message)
	check(VarBytes.patch(before, changes + changes.slice(0, 1)).ok, "and twice")
	changes[0].keys[-1] = 7
	check(VarBytes.patch(before, changes).error == VarBytesResult.INVALID_ARGUMENT, "a patch that does not fit")
	var decoded: VarBytesResult = VarBytes.decode(bytes)
	check(decoded.ok and VarBytes.encode(decoded.value).value == bytes and VarBytes.validate(bytes).ok, "decoded")
	check(VarBytes.hash(decoded.value) == VarBytes.hash(after), "hashed")
