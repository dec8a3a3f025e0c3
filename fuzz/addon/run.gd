extends SceneTree
## Hands the process over to libFuzzer, with the arguments after `--`.


func _initialize() -> void:
	# After the engine has finished to start, as in the suites, and with no script waiting for the end: of every error
	# the engine notes which scripts are running, whether it is printed or not.
	ClassDB.class_call_static.call_deferred(&"VarBytesFuzz", &"run", OS.get_cmdline_user_args())
