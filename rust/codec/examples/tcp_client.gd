extends SceneTree
## Moves a player on tcp_server: `godot --headless --path . --script res://tcp_client.gd -- PORT`

var _peer := StreamPeerTCP.new()


func _initialize() -> void:
	_run()


func _run() -> void:
	_peer.connect_to_host("127.0.0.1", OS.get_cmdline_user_args()[0].to_int())
	while _peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		await process_frame
		_peer.poll()
	for number: int in range(1, 101):
		_peer.put_var({"name": "Ada", "step": Vector2(1, -0.5)})
		# Part of a record may have arrived: get_var waits for the rest.
		while _peer.get_available_bytes() == 0 and _peer.get_status() == StreamPeerTCP.STATUS_CONNECTED:
			await process_frame
			_peer.poll()
		var answer: Variant = _peer.get_var()
		if answer != {"name": "Ada", "position": Vector2(number, -0.5 * number), "steps": number}:
			printerr("unexpected answer: ", answer)
			quit(1)
			return
	_peer.disconnect_from_host()
	print(JSON.stringify({"complete": true}))
	quit()
