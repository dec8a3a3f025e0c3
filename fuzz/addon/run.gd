extends SceneTree
## Hands the process over to libFuzzer, with the arguments after `--`.


func _initialize() -> void:
	# As in the suites: after the engine has finished to start.
	_run.call_deferred()


func _run() -> void:
	quit(VarBytesFuzz.run(OS.get_cmdline_user_args()))
