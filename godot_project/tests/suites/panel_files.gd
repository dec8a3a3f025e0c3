extends "res://tests/suite.gd"
## How the panel finds the records of files, also of damaged, compressed and long ones.

const EDITOR: String = "res://addons/varbytes/editor/"
const Index := preload(EDITOR + "record_index.gd")
const PacketTree := preload(EDITOR + "packet_tree.gd")
const Helpers := preload("res://tests/suites/panel.gd")
const PATH: String = "user://panel_files.dat"


func run() -> bool:
	_records()
	_damaged_files()
	_large_file()
	_packets_and_compressed_files()
	_damaged_headers_of_compressed_files()
	_damaged_packets_are_shown_as_packets()
	_damaged_records_are_shown_as_records()
	for file: String in DirAccess.get_files_at("user://"):
		if file.begins_with("panel_files."):
			DirAccess.remove_absolute("user://" + file)
	return true


func _records() -> void:
	var values: Array = range(1000).map(func(number: int) -> Variant: return "text".repeat(number % 40))
	for big_endian: bool in [false, true]:
		Helpers.write(values, big_endian, PATH)
		var index: Index = Index.open(PATH)
		index.has_lengths = true
		index.big_endian = big_endian
		index.restart()
		check(index.found == 0 and not index.complete, "nothing is read before it is asked for")
		for number: int in [0, 1, 63, 64, 65, 999, 500, 128]:
			var record: Index.Record = index.record(number)
			equal(bytes_to_var(index.read(record.start, record.size)), values[number], "record %d" % number)
		check(index.record(1000) == null and index.complete and index.found == 1000, "the end")
		equal(index.problem, "", "no problem")


func _damaged_files() -> void:
	Helpers.write([1, "two", 3], false, PATH)
	var whole: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
	for cut: int in range(1, 11):
		write_file(PATH, whole.slice(0, whole.size() - cut))
		var index: Index = Index.open(PATH)
		index.find(1 << 30)
		equal(index.found, 2, "records before the cut")
		equal(index.problem_at, whole.size() - 12, "where the incomplete record begins")
		check(index.problem.contains("the file ends within"), index.problem)
	write_file(PATH, whole + PackedByteArray([255, 255, 255, 255, 0, 0]))
	var encrypted: FileAccess = FileAccess.open_encrypted_with_pass("user://panel_files.encrypted", FileAccess.WRITE, "key")
	encrypted.store_var(1)
	encrypted.close()
	check(Index.open("user://panel_files.encrypted").problem.contains("encrypted"), "an encrypted file")
	var negative: Index = Index.open(PATH)
	negative.find(1 << 30)
	check(negative.found == 3 and negative.problem.contains("4294967295"), negative.problem)
	write_file(PATH, PackedByteArray())
	var empty: Index = Index.open(PATH)
	check(empty.record(0) == null and empty.problem.is_empty(), "an empty file")
	check(Index.open("user://panel_files.none") == null, "no file")


func _large_file() -> void:
	# 1 GiB with a few bytes on the disk: two records with a long gap of one record between them, and a million short ones.
	const LONG: int = 1 << 30
	var file: FileAccess = FileAccess.open(PATH, FileAccess.WRITE)
	file.store_var("first")
	file.store_32(LONG)
	file.store_buffer(var_to_bytes(PackedByteArray()).slice(0, 4))
	file.store_32(LONG - 8)
	file.seek(file.get_position() + LONG - 8)
	var short: PackedByteArray = [8, 0, 0, 0]
	short += var_to_bytes(5)
	var many: PackedByteArray = []
	for count: int in 1000:
		many.append_array(short)
	for count: int in 100:
		file.store_buffer(many)
	file.close()
	var index: Index = Index.open(PATH)
	check(index.length > LONG, "the file is longer than 1 GiB")
	equal(index.record(1).size, LONG, "a long record")
	var last: Index.Record = index.record(2)
	equal(bytes_to_var(index.read(last.start, last.size)), 5, "a record after 1 GiB")
	check(index.found < 100, "only what was asked for is found")
	var long: Index.Record = index.record(1)
	var tree: PacketTree = PacketTree.of(index.read(long.start, 4096))
	check(tree.size() == 0 and tree.problem.contains("count is %d, which " % (LONG - 8)), tree.problem)
	check(not index.find(1 << 30, 5) or index.complete, "it stops in time")
	index.find(1 << 30)
	equal(index.found, 100_002, "all records")
	equal(index.record(100_001).start, index.length - 8, "the last record")


func _packets_and_compressed_files() -> void:
	write_file(PATH, var_to_bytes({"a": [1, 2, 3]}))
	var packet: Index = Index.open(PATH)
	check(not packet.has_lengths and packet.record(0).size == packet.length and packet.record(1) == null, "a file of one value without a length")
	var compressed: FileAccess = FileAccess.open_compressed(PATH, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
	compressed.store_var("first")
	compressed.store_var({"second": 2})
	compressed.close()
	var index: Index = Index.open(PATH)
	var record: Index.Record = index.record(1)
	equal(bytes_to_var(index.read(record.start, record.size)), {"second": 2}, "a record of a compressed file")
	check(not index.editable, "a compressed file cannot be edited")
	write_file(PATH, Helpers.GODOT_3_SAVE.hex_decode())
	check(not Index.open(PATH).has_lengths, "a packet of Godot 3")


## The engine trusts these headers: wrong ones end it or take gigabytes.
func _damaged_headers_of_compressed_files() -> void:
	for mode: int in [FileAccess.COMPRESSION_FASTLZ, FileAccess.COMPRESSION_DEFLATE, FileAccess.COMPRESSION_ZSTD, FileAccess.COMPRESSION_GZIP]:
		for text: String in ["", "x".repeat(4096 - 12), "x".repeat(10_000)]:
			var file: FileAccess = FileAccess.open_compressed(PATH, FileAccess.WRITE, mode)
			file.store_var(text)
			file.close()
			var index: Index = Index.open(PATH)
			check(index.problem.is_empty() and index.record(0) != null, "mode %d, %d bytes: %s" % [mode, text.length(), index.problem])
	var sizes: PackedByteArray = []
	sizes.resize(64)
	for header: Array in [[9, 4096, 100], [2, 0, 100], [2, 0x7FFFFFFF, 100], [2, 4096, 0xFFFFFFFF], [2, 1, 0xFFFFFFFF], [2, 4096, 0], [2, 4096, 40000]]:
		for fill: int in [0, 0x7F, 0xFF]:
			var bytes: PackedByteArray = "GCPF".to_ascii_buffer()
			bytes.resize(16)
			for number: int in 3:
				bytes.encode_u32(4 + 4 * number, header[number])
			sizes.fill(fill)
			write_file(PATH, bytes + sizes)
			var index: Index = Index.open(PATH)
			check(index.problem.contains("header of the compressed file is damaged") and index.record(0) == null, "%s: %s" % [header, index.problem])
			index.restart()
			check(not index.problem.is_empty(), "and still after a restart")
	for size: int in range(4, 16):
		write_file(PATH, "GCPF".to_ascii_buffer() + sizes.slice(0, size - 4))
		check(not Index.open(PATH).problem.is_empty(), "a header of %d bytes" % size)


func _damaged_packets_are_shown_as_packets() -> void:
	var whole: PackedByteArray = var_to_bytes({"name": "Ann", "items": ["lamp", "rope"], "hp": 7})
	for cut: int in [4, 12, 30]:
		write_file(PATH, whole.slice(0, -cut))
		var index: Index = Index.open(PATH)
		check(not index.has_lengths and index.record(0).size == whole.size() - cut, "a packet without its last %d bytes" % cut)
	write_file(PATH, whole + PackedByteArray([1, 2, 3, 4]))
	check(not Index.open(PATH).has_lengths, "a packet with bytes after it")


func _damaged_records_are_shown_as_records() -> void:
	for value: Variant in [1, "a text of 20 bytes", [1, 2, 3], {"a": {"b": [1, 2]}}, Vector3(1, 2, 3)]:
		Helpers.write([value], false, PATH)
		var whole: PackedByteArray = FileAccess.get_file_as_bytes(PATH)
		write_file(PATH, whole.slice(0, -4))
		check(Index.open(PATH).has_lengths, "%s in one record without its last bytes" % str(value))
		Helpers.write([value, value], false, PATH)
		whole = FileAccess.get_file_as_bytes(PATH)
		whole[4] = 200
		write_file(PATH, whole)
		check(Index.open(PATH).has_lengths, "%s in a record of an unknown type before another" % str(value))
