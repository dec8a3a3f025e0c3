extends SceneTree
## Runs the suites of the addon: `godot --headless --path godot_project -s res://tests/run.gd`, with the options of
## `runner.gd`. The last line is `VARBYTES TESTS PASSED` or `VARBYTES TESTS FAILED`; the exit code is 0 or 1.

const Runner := preload("res://tests/runner.gd")


func _initialize() -> void:
	# The suites start after the engine has started, like a game's own scripts.
	_run.call_deferred()


func _run() -> void:
	var passed: bool = await Runner.run(Runner.given_options())
	print("VARBYTES TESTS %s" % ("PASSED" if passed else "FAILED"))
	quit(0 if passed else 1)
