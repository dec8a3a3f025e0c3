extends "res://tests/suite.gd"
## The suite in Rust, a separate extension that `cargo package-addon --test` builds and adds to the project: vectors,
## the corpus of the fuzz target `addon`, random values and damaged packets from an extension, in one thread and in
## several.

const Vectors := preload("res://tests/suites/vectors.gd")
const PARITY: StringName = &"VarBytesParity"


func run() -> bool:
	if not check(ClassDB.class_exists(PARITY), "the suite in Rust is missing; `cargo package-addon --test` builds and runs it"):
		return true
	var folder: String = options.get("vectors", Vectors.usual_folder())
	var random_seed: int = number("seed", 1)
	var values: int = number("values", 20_000)
	var packets: int = number("packets", 20_000)
	_part("vectors", [folder])
	_part("corpus", [options.get("corpus", ProjectSettings.globalize_path("res://").path_join("../fuzz/corpus/addon"))])
	_part("random_values", [random_seed, values])
	_part("damaged_packets", [folder, random_seed, packets])
	_part("damaged_objects", [random_seed, packets])
	_part("in_threads", [random_seed, mini(values, packets) / 20])
	return true


func _part(part: String, arguments: Array) -> void:
	var began: int = Time.get_ticks_msec()
	var report: Variant = ClassDB.callv("class_call_static", [PARITY, part] + arguments)
	if not check(report is Dictionary and report.checks > 0, "%s in Rust did not finish" % part):
		return
	checks += report.checks
	failures += report.failures
	for failure: String in report.shown:
		print("VARBYTES FAILURE %s" % failure)
	print("  %-14s %8d checks, %d failures, %.1f s" % [part, report.checks, report.failures, (Time.get_ticks_msec() - began) / 1000.0])
