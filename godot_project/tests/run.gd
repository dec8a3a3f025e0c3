extends SceneTree
## Runs the suites of the addon: `godot --headless --path godot_project -s res://tests/run.gd`, with the options that
## `runner.gd` knows. The last line is `VARBYTES TESTS PASSED` or `VARBYTES TESTS FAILED`; the exit code is 0 or 1.

const Runner := preload("res://tests/runner.gd")


func _initialize() -> void:
	# The suites are entered after the engine has finished to start, as a game's own scripts are.
	_run.call_deferred()


func _run() -> void:
	var passed: bool = Runner.run(Runner.given_options())
	print("VARBYTES TESTS %s" % ("PASSED" if passed else "FAILED"))
	quit(0 if passed else 1)
