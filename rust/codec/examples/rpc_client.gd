extends SceneTree
## Calls functions of rpc: `godot --headless --path . --script res://rpc_client.gd -- PORT`


class Calculator extends Node:
	signal answered(value: Variant)

	@rpc("any_peer")
	func add(_left: Variant, _right: Variant) -> void:
		pass

	@rpc("authority")
	func result(value: Variant) -> void:
		answered.emit(value)


func _initialize() -> void:
	_run()


func _run() -> void:
	await process_frame
	var calculator := Calculator.new()
	calculator.name = "Calculator"
	root.add_child(calculator)
	var peer := WebSocketMultiplayerPeer.new()
	peer.create_client("ws://127.0.0.1:" + OS.get_cmdline_user_args()[0])
	var multiplayer: MultiplayerAPI = get_multiplayer()
	multiplayer.multiplayer_peer = peer
	await multiplayer.connected_to_server
	for pair: Array in [[1, 2, 3], [-100, -200, -300], [70_000, 1 << 40, (1 << 40) + 70_000], [(1 << 63) - 1, 1, null]]:
		calculator.add.rpc_id(1, pair[0], pair[1])
		var sum: Variant = await calculator.answered
		print(pair, " -> ", sum)
		if typeof(sum) != typeof(pair[2]) or sum != pair[2]:
			quit(1)
			return
	calculator.add.rpc_id(1, true, {"a": [1.5]})
	var refused: Variant = await calculator.answered
	if not (refused is String and refused.contains("cannot add")):
		printerr("unexpected answer: ", refused)
		quit(1)
		return
	peer.close()
	print(JSON.stringify({"complete": true}))
	quit()
