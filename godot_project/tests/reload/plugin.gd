@tool
extends EditorPlugin
## Has a running editor load the addon's library anew, twice, and runs the suites each time: first another file of the
## same build, then another build. Engines that were not started with `--editor` reload nothing.
##
## After `--`: `--library path` is the file that the engine loads, `--other path` the other build, and the rest is for
## the suites. The last line is `VARBYTES RELOAD PASSED` or `VARBYTES RELOAD FAILED`; the exit code is 0 or 1.

const Runner := preload("res://tests/runner.gd")
const EXTENSION: String = "res://addons/varbytes/varbytes.gdextension"
const MEMORY: int = 4321

## Those whose question is the same in the editor. It keeps files that are being written apart until they are closed, and
## sets by itself what an attack on `OS` would.
const SUITES: Array[String] = [
	"results", "vectors", "depth", "random_values", "damaged_packets", "damaged_objects", "policy", "inspection",
	"threads", "in_rust",
]

var failures: int = 0


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	var options: Dictionary[String, String] = Runner.given_options()
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	# The editor's own log takes messages whether they are printed or not, and milliseconds for each beyond a few.
	EditorInterface.get_editor_settings().set_setting("run/output/max_lines", 100)
	await get_tree().create_timer(1.0).timeout
	# A resource that is open in the editor stays open.
	var kept := VarBytesOptions.new()
	kept.max_memory = MEMORY
	await _reload(options.library, options.library, kept, options)
	await _reload(options.library, options.other, kept, options)
	print("VARBYTES RELOAD %s" % ("PASSED" if failures == 0 else "FAILED"))
	get_tree().quit(0 if failures == 0 else 1)


func _reload(library: String, next: String, kept: VarBytesOptions, options: Dictionary[String, String]) -> void:
	# The running library keeps its file, under another name.
	var before: String = library + ".before"
	_check(_is_mapped(library), "%s is not in memory" % library)
	_check(DirAccess.rename_absolute(library, before) == OK, "%s cannot be renamed" % library)
	_check(DirAccess.copy_absolute(before if next == library else next, library) == OK, "%s cannot be copied" % next)
	_check(_is_mapped(before), "the system does not tell which file is in memory")
	var status: int = GDExtensionManager.reload_extension(EXTENSION)
	_check(status == GDExtensionManager.LOAD_STATUS_OK, "the editor could not load %s again: %d" % [next, status])
	await get_tree().process_frame
	_check(not _is_mapped(before), "the library before is still in memory")
	_check(_is_mapped(library), "the library put in its place is not in memory")
	_check(kept.max_memory == MEMORY, "options that were made before are lost")
	_check(DirAccess.remove_absolute(before) == OK, "%s cannot be removed" % before)
	print("Loaded anew: %s" % next.get_file())
	_check(Runner.run(options, SUITES), "suites failed after %s was loaded" % next)


## Whether a file is in the memory of this process, by what Linux says of it.
func _is_mapped(path: String) -> bool:
	var maps: FileAccess = FileAccess.open("/proc/self/maps", FileAccess.READ)
	while not maps.eof_reached():
		if maps.get_line().ends_with(path):
			return true
	return false


func _check(condition: bool, what: String) -> void:
	if not condition:
		failures += 1
		print("VARBYTES FAILURE reload: %s" % what)
