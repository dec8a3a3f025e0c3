extends Node
## Runs the suites, or with `--benchmark` the benchmark, as the main scene of an exported game, which cannot run a script by name.

const Runner := preload("res://tests/runner.gd")
const Benchmark := preload("res://benchmark/benchmark.gd")


func _ready() -> void:
	_run.call_deferred()


func _run() -> void:
	if OS.get_cmdline_user_args().has("--benchmark"):
		Benchmark.run()
		get_tree().quit()
		return
	# Release builds do not count memory. The panel and warnings are for the editor.
	var suites: Array[String] = Runner.SUITES.filter(func(suite: String) -> bool: return suite not in ["memory", "panel", "panel_edits", "panel_files", "panel_jobs", "panel_scene", "warnings"])
	var passed: bool = not OS.is_debug_build() and await Runner.run(Runner.given_options(), suites)
	print("VARBYTES TESTS %s" % ("PASSED" if passed else "FAILED"))
	get_tree().quit(0 if passed else 1)
