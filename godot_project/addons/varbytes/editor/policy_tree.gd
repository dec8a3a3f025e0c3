@tool
extends RefCounted
## The classes, scripts and properties of a policy as a tree with boxes to tick.

const PolicyBuilder := preload("policy_builder.gd")


## Fills a tree. Names are shown escaped. What was unticked stays so.
static func show(tree: Tree, builder: PolicyBuilder) -> void:
	var unticked: Array = _unticked(tree)
	tree.clear()
	var root: TreeItem = tree.create_item()
	for is_script: bool in [false, true]:
		var lists: Dictionary[String, PackedStringArray] = builder.scripts if is_script else builder.classes
		for title: String in lists:
			var item: TreeItem = _add(root, ("script " if is_script else "class ") + VarBytes.to_text(title), [is_script, title])
			item.set_checked(0, item.get_metadata(0) not in unticked)
			for property: String in lists[title]:
				_add(item, VarBytes.to_text(property), property).set_checked(0, [is_script, title, property] not in unticked)


## Returns a builder with the ticked entries.
static func chosen(tree: Tree, builder: PolicyBuilder) -> PolicyBuilder:
	var ticked := PolicyBuilder.new()
	ticked.samples = builder.samples
	ticked.depth = builder.depth
	for item: TreeItem in tree.get_root().get_children():
		if not item.is_checked(0):
			continue
		var properties: PackedStringArray = []
		for property: TreeItem in item.get_children():
			if property.is_checked(0):
				properties.append(property.get_metadata(0))
		var title: String = item.get_metadata(0)[1]
		if item.get_metadata(0)[0]:
			ticked.scripts[title] = properties
		else:
			ticked.classes[title] = properties
	return ticked


## Returns `[is_script, title]` of each unticked class and script, and `[is_script, title, property]` of each unticked property.
static func _unticked(tree: Tree) -> Array:
	var unticked: Array = []
	for item: TreeItem in tree.get_root().get_children() if tree.get_root() != null else []:
		if not item.is_checked(0):
			unticked.append(item.get_metadata(0))
		for property: TreeItem in item.get_children():
			if not property.is_checked(0):
				unticked.append(item.get_metadata(0) + [property.get_metadata(0)])
	return unticked


static func _add(parent: TreeItem, text: String, key: Variant) -> TreeItem:
	var item: TreeItem = parent.create_child()
	item.set_cell_mode(0, TreeItem.CELL_MODE_CHECK)
	item.set_text(0, text)
	item.set_checked(0, true)
	item.set_editable(0, true)
	item.set_metadata(0, key)
	return item
