extends SceneTree
## Signs the book of websocket_server: `godot --headless --path . --script res://websocket_client.gd -- PORT`

var _peer := WebSocketPeer.new()


func _initialize() -> void:
	_run()


func _run() -> void:
	_peer.connect_to_url("ws://127.0.0.1:" + OS.get_cmdline_user_args()[0])
	while _peer.get_ready_state() == WebSocketPeer.STATE_CONNECTING:
		await process_frame
		_peer.poll()
	var names := PackedStringArray()
	for number: int in range(1, 51):
		names.append("guest %d é" % number)
		if await _answer({"sign": names[-1]}) != number:
			quit(1)
			return
	if await _answer("list") != names:
		quit(1)
		return
	_peer.close()
	print(JSON.stringify({"complete": true}))
	quit()


func _answer(request: Variant) -> Variant:
	_peer.put_var(request)
	while _peer.get_available_packet_count() == 0 and _peer.get_ready_state() == WebSocketPeer.STATE_OPEN:
		await process_frame
		_peer.poll()
	var answer: Variant = _peer.get_var()
	print(request, " -> ", answer)
	return answer
