extends RefCounted
## Runs the suites, in a game or in the editor.
##
## Options after `--`: `--suite name,name` runs only these suites, `--except name,name` all others, `--vectors folder` sets the folder of
## the running engine's vectors, `--corpus folder` the folder of the inputs of the fuzz target `addon`, `--values n` and `--packets n` the
## number of random values and damaged packets, `--files n` that of damaged files, `--seed n` their seed. The suites
## `full_disk`, `killed` and `paths` need more options and only run by name.

const Suite := preload("res://tests/suite.gd")

const SUITES: Array[String] = [
	"results", "dropped_results", "vectors", "depth", "random_values", "damaged_packets", "damaged_objects", "stored_properties", "attacks", "floods", "memory", "policy", "shadowed_properties", "misuse", "validation", "differences", "small_stack", "notations",
	"typed_members", "changed_meanwhile", "silence", "records",
	"append", "several_writers", "loggers", "following", "many_records", "record_streams", "connections", "stream_handlers", "packet_peers", "scripted_peers", "tasks", "other_engines", "other_records", "inspection", "messages", "readme", "examples", "threads",
	"panel", "panel_edits", "panel_files", "panel_jobs", "panel_scene", "warnings", "in_rust",
]


## Returns whether all checks passed.
static func run(options: Dictionary[String, String], suites: Array[String] = SUITES) -> bool:
	print(VarBytes.engine_report())
	var failures: int = 0
	var checks: int = 0
	var began: int = Time.get_ticks_msec()
	var chosen: Array[String] = suites.duplicate()
	if options.has("suite"):
		chosen.assign(options.suite.split(","))
	if options.has("except"):
		for left_out: String in options.except.split(","):
			assert(left_out in chosen)
			chosen.erase(left_out)
	for suite_name: String in chosen:
		var path: String = "res://tests/suites/%s.gd" % suite_name
		var script: GDScript = load(path)
		if script == null or not script.can_instantiate():
			print("VARBYTES FAILURE %s: the suite does not compile" % suite_name)
			failures += 1
			continue
		var suite: Suite = script.new()
		suite.options = options
		var suite_began: int = Time.get_ticks_msec()
		# A script error ends a suite early, so it does not return true.
		if not await suite.run():
			suite.fail("%s did not finish" % suite_name)
		if suite.checks == 0:
			suite.fail("the suite checks nothing")
		print("%-16s %8d checks, %d failures, %.1f s" % [
				suite_name, suite.checks, suite.failures, (Time.get_ticks_msec() - suite_began) / 1000.0])
		failures += suite.failures
		checks += suite.checks
	print("%-16s %8d checks, %d failures, %.1f s" % ["all", checks, failures, (Time.get_ticks_msec() - began) / 1000.0])
	return failures == 0 and checks > 0


## Returns the options after `--`.
static func given_options() -> Dictionary[String, String]:
	var options: Dictionary[String, String] = {}
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	for index: int in range(0, arguments.size() - 1, 2):
		options[arguments[index].trim_prefix("--")] = arguments[index + 1]
	return options
