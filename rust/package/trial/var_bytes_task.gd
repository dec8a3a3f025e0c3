extends "res://part.gd"


func about() -> StringName:
	return &"VarBytesTask"


func run() -> bool:
	var task: VarBytesTask = VarBytes.encode_async([1, "two"])
	expect(&"result", task.result == null)
	expect(&"wait", task.wait().value == var_to_bytes([1, "two"]))
	expect(&"result", task.result == task.wait())
	expect(&"finished", await task.finished == task.result)
	var decoded: VarBytesResult = await VarBytes.decode_async(task.result.value).finished
	expect(&"finished", decoded.value == [1, "two"], decoded)
	var later: VarBytesTask = VarBytes.encode_async(1)
	expect(&"awaitable", (await later.awaitable() as VarBytesResult).ok and (await later.awaitable() as VarBytesResult) == later.result)
	return true
