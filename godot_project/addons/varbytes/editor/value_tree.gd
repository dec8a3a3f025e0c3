@tool
extends Tree
## The values of a packet. Items are created when they come into view: long containers are shown in groups.

signal part_selected(part: int)

const PacketTree := preload("packet_tree.gd")

const GROUP: int = 256
## The engine draws and frees each level within the last one, and would run out of memory for that.
const LEVELS: int = 1000

var packet: PacketTree
var _items: Dictionary[int, TreeItem] = {}
## The level of each part that has an item.
var _levels: Dictionary[int, int] = {}
## Whether a selection comes from the program and not from a person.
var _quiet: bool = false


func _init() -> void:
	columns = 4
	column_titles_visible = true
	hide_root = true
	select_mode = Tree.SELECT_ROW
	for column: int in columns:
		set_column_title(column, ["Name", "Value", "Type", "Size"][column])
		set_column_title_alignment(column, HORIZONTAL_ALIGNMENT_LEFT)
		set_column_clip_content(column, true)
		set_column_expand_ratio(column, [6, 8, 5, 3][column])
	item_collapsed.connect(_collapsed)
	item_selected.connect(_selected)


func show_packet(shown: PacketTree) -> void:
	clear()
	_items.clear()
	_levels.clear()
	packet = shown
	var root: TreeItem = create_item()
	if packet.size() > 0:
		var item: TreeItem = _add(root, 0)
		item.collapsed = false
	for line: String in [packet.problem, packet.note]:
		if not line.is_empty():
			var item: TreeItem = create_item(root)
			item.set_text(0, "error" if line == packet.problem else "note")
			item.set_text(1, line)
			item.set_tooltip_text(1, line)
			item.set_metadata(0, null)
			if line == packet.problem:
				item.set_custom_color(0, Color("ff7b72"))
				item.set_custom_color(1, Color("ff7b72"))


## Selects a part and shows its item. Does not emit `part_selected`.
func select_part(part: int) -> void:
	var item: TreeItem = _item_of(part)
	if item == null:
		return
	_quiet = true
	item.select(0)
	scroll_to_item(item)
	_quiet = false


func selected_part() -> int:
	var item: TreeItem = get_selected()
	return item.get_metadata(0).x if item != null and item.get_metadata(0) is Vector3i and item.get_metadata(0).y < 0 else -1


func _selected() -> void:
	if not _quiet:
		part_selected.emit(selected_part())


func _add(parent: TreeItem, part: int) -> TreeItem:
	var item: TreeItem = create_item(parent)
	item.set_text(0, packet.label_of(part))
	item.set_text(1, packet.summary_of(part))
	item.set_text(2, packet.type_of(part))
	item.set_text(3, String.humanize_size(packet.ends[part] - packet.starts[part]))
	item.set_tooltip_text(1, packet.texts[part])
	item.set_metadata(0, Vector3i(part, -1, -1))
	_items[part] = item
	_levels[part] = _levels.get(packet.shown_parent(part), -1) + 1
	if packet.shown_children(part).is_empty():
		return item
	if _levels[part] < LEVELS:
		_close(item)
	else:
		item.set_text(1, "%s, not shown: they are more than %d levels deep" % [packet.summary_of(part), LEVELS])
	return item


## Collapses an item that has members. Its items are created when it is opened.
func _close(item: TreeItem) -> void:
	create_item(item)
	item.collapsed = true


func _collapsed(item: TreeItem) -> void:
	if item.collapsed or not item.get_metadata(0) is Vector3i:
		return
	var at: Vector3i = item.get_metadata(0)
	if item.get_child_count() != 1 or item.get_child(0).get_metadata(0) != null:
		return
	item.get_child(0).free()
	var members: PackedInt32Array = packet.shown_children(at.x)
	if at.y >= 0:
		members = members.slice(at.y, at.z)
	if members.size() <= GROUP:
		for member: int in members:
			_add(item, member)
		return
	for first: int in range(0, members.size(), GROUP):
		var group: TreeItem = create_item(item)
		var last: int = mini(first + GROUP, members.size())
		group.set_text(0, "%d to %d" % [first, last - 1])
		group.set_metadata(0, Vector3i(at.x, first, last))
		_close(group)


## Opens everything above a part. Returns its item, that of the last level above it, or null.
func _item_of(part: int) -> TreeItem:
	if packet == null or part < 0 or part >= packet.size():
		return null
	var way: PackedInt32Array = []
	var at: int = part
	while at >= 0 and not _items.has(at):
		way.append(at)
		at = packet.shown_parent(at)
	way.reverse()
	if at >= 0 and _levels[at] + way.size() > LEVELS:
		way.resize(LEVELS - _levels[at])
	var shown: int = way[-1] if not way.is_empty() else at
	for step: int in way:
		var parent: int = packet.shown_parent(step)
		if parent < 0:
			return null
		var item: TreeItem = _items[parent]
		item.collapsed = false
		if not _items.has(step):
			var place: int = packet.shown_children(parent).find(step)
			if place < 0:
				return null
			item.get_child(floori(float(place) / GROUP)).collapsed = false
	for above: TreeItem in _above(_items.get(shown)):
		above.collapsed = false
	return _items.get(shown)


func _above(item: TreeItem) -> Array[TreeItem]:
	var above: Array[TreeItem] = []
	var at: TreeItem = item.get_parent() if item != null else null
	while at != null:
		above.append(at)
		at = at.get_parent()
	return above
