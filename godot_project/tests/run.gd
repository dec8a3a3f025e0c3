extends SceneTree
## Runs the suites of the addon: `godot --headless --path godot_project -s res://tests/run.gd`.
##
## After `--`: `--suite name` runs one suite, `--vectors folder` says where the vectors of the running engine are,
## `--values n` and `--packets n` how many random values and damaged packets to compare, `--seed n` which ones.
## The last line is `VARBYTES TESTS PASSED` or `VARBYTES TESTS FAILED`; the exit code is 0 or 1.

const Suite := preload("res://tests/suite.gd")

const SUITES: Array[String] = [
	"results", "vectors", "depth", "random_values", "damaged_packets", "attacks", "policy", "records", "record_streams", "inspection", "threads",
]


func _initialize() -> void:
	# The suites are entered after the engine has finished to start, as a game's own scripts are.
	_run.call_deferred()


func _run() -> void:
	var options: Dictionary[String, String] = _options()
	print(VarBytes.engine_report())
	var failures: int = 0
	var checks: int = 0
	var began: int = Time.get_ticks_msec()
	for suite_name: String in SUITES:
		if options.get("suite", suite_name) != suite_name:
			continue
		var path: String = "res://tests/suites/%s.gd" % suite_name
		var script: GDScript = load(path)
		if script == null or not script.can_instantiate():
			print("VARBYTES FAILURE %s: the suite does not compile" % suite_name)
			failures += 1
			continue
		var suite: Suite = script.new()
		suite.options = options
		# A script error ends a suite early, and its answer with it.
		if not suite.run():
			suite.fail("%s did not come to its end" % suite_name)
		if suite.checks == 0:
			suite.fail("the suite checks nothing")
		print("%-16s %8d checks, %d failures" % [suite_name, suite.checks, suite.failures])
		failures += suite.failures
		checks += suite.checks
	print("%d checks in %.1f s" % [checks, (Time.get_ticks_msec() - began) / 1000.0])
	print("VARBYTES TESTS %s" % ("PASSED" if failures == 0 and checks > 0 else "FAILED"))
	quit(0 if failures == 0 and checks > 0 else 1)


func _options() -> Dictionary[String, String]:
	var options: Dictionary[String, String] = {}
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	for index: int in range(0, arguments.size() - 1, 2):
		options[arguments[index].trim_prefix("--")] = arguments[index + 1]
	return options
