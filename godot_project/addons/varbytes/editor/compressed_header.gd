@tool
extends RefCounted
## The header of a file that FileAccess has compressed. The engine trusts it: a wrong one ends the engine or takes all memory.
##
## After the magic come the mode, the size of a block, the size of all blocks, and the compressed size of each.

const START: int = 16
const SIZE_OF_SIZE: int = 4
## The engine writes blocks of 4096 bytes.
const MOST_BLOCK: int = 1 << 24
const MODES: int = 5


## Returns what is wrong with the header, or an empty text.
static func problem_of(file: FileAccess) -> String:
	file.seek(4)
	var mode: int = file.get_32()
	var block: int = file.get_32()
	var whole: int = file.get_32()
	if file.get_length() < START or mode >= MODES or block == 0 or block > MOST_BLOCK:
		return _damaged("mode %d, blocks of %d bytes" % [mode, block])
	var count: int = floori(float(whole) / block) + 1
	var at: int = START + SIZE_OF_SIZE * count
	if at > file.get_length():
		return _damaged("%d blocks are announced, and the file has no room for their sizes" % count)
	var sizes: PackedByteArray = file.get_buffer(SIZE_OF_SIZE * count)
	for number: int in count:
		var size: int = sizes.decode_u32(SIZE_OF_SIZE * number)
		at += size
		if size == 0 or at > file.get_length():
			return _damaged("block %d of %d bytes does not fit into the file" % [number, size])
	return ""


static func _damaged(why: String) -> String:
	return "the header of the compressed file is damaged: %s" % why
