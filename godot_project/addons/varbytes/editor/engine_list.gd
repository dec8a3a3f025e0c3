@tool
extends OptionButton
## The engines that may have written the bytes; "" is the running one.


func _ready() -> void:
	clear()
	add_item("this engine")
	# The same list as in the inspector, which begins with the running engine.
	for property: Dictionary in ClassDB.class_get_property_list("VarBytesOptions"):
		if property.name == "engine":
			for listed: String in String(property.hint_string).split(",", false):
				add_item(listed)


func engine_of(item: int) -> String:
	return "" if item == 0 else get_item_text(item)


func select_engine(engine: String) -> void:
	for item: int in item_count:
		if engine_of(item) == engine:
			select(item)
