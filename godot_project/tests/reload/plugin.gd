@tool
extends EditorPlugin
## Lets a running editor reload the addon's library twice, and runs the suites each time: first a copy of the same
## build, then another build. Engines started without `--editor` cannot reload.
##
## Options after `--`: `--library path` is the file that the engine loads, `--other path` the other build, and the rest
## is for the suites. The last line is `VARBYTES RELOAD PASSED` or `VARBYTES RELOAD FAILED`; the exit code is 0 or 1.

const Runner := preload("res://tests/runner.gd")
const EXTENSION: String = "res://addons/varbytes/varbytes.gdextension"
const MEMORY: int = 4321

## The suites that apply in the editor. The editor keeps written files separate until they are closed, and itself sets
## the property that an attack on `OS` sets. Random values are those of `in_rust`: scripts take much longer in the editor.
const SUITES: Array[String] = [
	"results", "vectors", "depth", "damaged_packets", "damaged_objects", "policy", "inspection",
	"threads", "tasks", "in_rust",
]

var failures: int = 0


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	var options: Dictionary[String, String] = Runner.given_options()
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	# The editor's log records messages even if they are not printed, and takes milliseconds for each after the first few.
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
	# Lets suites that have waited for a frame end, with their objects.
	await get_tree().process_frame
	# The running library keeps its file under another name.
	var before: String = library + ".before"
	_check(_is_mapped(library), "%s is not in memory" % library)
	_check(DirAccess.rename_absolute(library, before) == OK, "%s cannot be renamed" % library)
	_check(DirAccess.copy_absolute(before if next == library else next, library) == OK, "%s cannot be copied" % next)
	_check(_is_mapped(before), "the system does not report which file is in memory")
	# Some of it has not begun when the library is unloaded.
	for turn: int in 4:
		VarBytes.decode_async(var_to_bytes(range(100_000)))
		VarBytes.encode_async(range(100_000))
	var status: int = GDExtensionManager.reload_extension(EXTENSION)
	_check(status == GDExtensionManager.LOAD_STATUS_OK, "the editor could not reload %s: %d" % [next, status])
	await get_tree().process_frame
	_check(not _is_mapped(before), "the old library is still in memory")
	_check(_is_mapped(library), "the new library is not in memory")
	_check(kept.max_memory == MEMORY, "options created before the reload are lost")
	_check(DirAccess.remove_absolute(before) == OK, "%s cannot be removed" % before)
	print("Reloaded: %s" % next.get_file())
	_check(await Runner.run(options, SUITES), "suites failed after %s was reloaded" % next)


## Returns whether a file is mapped into this process, according to Linux.
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
