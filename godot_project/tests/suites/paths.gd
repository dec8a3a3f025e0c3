extends "res://tests/suites/in_rust.gd"
## Writes the results of reading every vector and damaged packets to the file `--results`. `cargo package-addon --test` runs
## this with the fast path and without it, and compares the files.


func run() -> bool:
	if not check(options.has("results"), "`cargo package-addon --test` runs this suite with `--results`"):
		return true
	var folder: String = options.get("vectors", Vectors.usual_folder())
	_part("record_results", [folder, number("seed", 1), number("packets", 20_000), options.results])
	return true
