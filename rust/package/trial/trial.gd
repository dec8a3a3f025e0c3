extends SceneTree
## Calls every method of every class of the addon, in a project that contains only the addon.

const PARTS: PackedStringArray = ["var_bytes", "var_bytes_options", "var_bytes_result", "var_bytes_file", "var_bytes_stream", "var_bytes_task"]

const Part := preload("res://part.gd")


func _initialize() -> void:
	# After the engine has started, like the scripts of a game.
	_run.call_deferred()


func _run() -> void:
	var failures: PackedStringArray = []
	var calls: int = 0
	for part_name: String in PARTS:
		var part: Part = load("res://%s.gd" % part_name).new()
		# A script error ends a part early, so it does not return true.
		if not await part.run():
			part.failures.append("%s did not finish" % part_name)
		part.compare_with_class()
		calls += part.tried.size()
		failures.append_array(part.failures)
	for failure: String in failures:
		print("VARBYTES FAILURE %s" % failure)
	print("%d calls, properties and constants of %d classes" % [calls, PARTS.size()])
	print("VARBYTES TRIAL %s" % ("PASSED" if failures.is_empty() else "FAILED"))
	quit(0 if failures.is_empty() else 1)
