extends SceneTree
## Pings udp_server: `godot --headless --path . --script res://udp_client.gd -- PORT`

var _peer := PacketPeerUDP.new()


func _initialize() -> void:
	_run()


func _run() -> void:
	_peer.connect_to_host("127.0.0.1", OS.get_cmdline_user_args()[0].to_int())
	for number: int in range(1, 101):
		_peer.put_var({"id": number, "sent": number * 0.25})
		while _peer.get_available_packet_count() == 0:
			await process_frame
		var answer: Variant = _peer.get_var()
		if answer != {"id": number, "sent": number * 0.25, "count": number}:
			printerr("unexpected answer: ", answer)
			quit(1)
			return
	print(JSON.stringify({"complete": true}))
	quit()
