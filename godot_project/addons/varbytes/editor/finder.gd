@tool
extends RefCounted
## Searches records for a text or a number, in steps so that the editor goes on.

const Index := preload("record_index.gd")
const PacketTree := preload("packet_tree.gd")
const Search := preload("search.gd")

## Of a long record, so many bytes are searched.
const MOST: int = 1 << 20
const MILLISECONDS: int = 30

var index: Index
var engine: String = ""
var search: Search
## The record and the part after which the search goes on, and then where the text was found.
var number: int = 0
var from: int = -1
var packet: PacketTree
var part: int = -1
## Whether the record could not be read.
var failed: bool = false


## Begins a search in a record after a part, and goes on in the records after it.
static func of(records: Index, engine_name: String, searched: String, first: int, shown: PacketTree, after: int) -> RefCounted:
	var finder := new()
	finder.index = records
	finder.engine = engine_name
	finder.search = Search.of(searched)
	finder.number = first
	finder.packet = shown
	finder.from = maxi(after, -1)
	return finder


## Searches for a short time. Returns whether the search has ended. `part` is then where the text was found, or -1.
func step() -> bool:
	var end: int = Time.get_ticks_msec() + MILLISECONDS
	while packet.read(end):
		part = search.find_in(packet, from)
		if part >= 0:
			return true
		var record: Index.Record = index.record(number)
		if record != null and packet.bytes.size() >= mini(record.size, MOST):
			number += 1
			from = -1
			record = index.record(number)
		var bytes: Variant = index.first_bytes(record, MOST)
		if bytes == null:
			failed = record != null or index.failed
			return true
		packet = PacketTree.begin(bytes, engine, record.size)
		if Time.get_ticks_msec() >= end:
			break
	return false
