extends "res://part.gd"

const PATH: String = "user://trial.dat"


func about() -> StringName:
	return &"VarBytesFile"


func run() -> bool:
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE_READ)
	expect(&"store_var", VarBytesFile.store_var(file, {"a": 1}).ok and VarBytesFile.store_var(file, [2]).ok)
	file.seek(0)
	expect(&"store_var", file.get_var() == {"a": 1}, "for the engine")
	file.seek(0)
	expect(&"skip_var", VarBytesFile.skip_var(file).ok)
	expect(&"get_var", VarBytesFile.get_var(file).value == [2])
	expect(&"get_var", VarBytesFile.get_var(file).error == VarBytesResult.TRUNCATED, "at the end")
	var peer := StreamPeerBuffer.new()
	expect(&"put_var", VarBytesFile.put_var(peer, "hello").ok)
	peer.seek(0)
	expect(&"take_var", VarBytesFile.take_var(peer).value == "hello")
	return true
