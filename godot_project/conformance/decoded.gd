extends RefCounted
## Reads and writes values with the engine's codec.


## Returns the bytes that the first value in `bytes` takes, or 0 if the engine rejects it. Missing padding counts.
static func size_of(bytes: PackedByteArray, allow_objects: bool) -> int:
	if bytes.is_empty():
		return 0
	if not allow_objects:
		return bytes.decode_var_size(0)
	# Asking for the size builds the value and drops it, which leaks its nodes.
	var orphans: Array[int] = Node.get_orphan_node_ids()
	var size: int = bytes.decode_var_size(0, true)
	for id: int in Node.get_orphan_node_ids():
		if not orphans.has(id) and is_instance_id_valid(id):
			instance_from_id(id).free()
	return size


static func read(bytes: PackedByteArray, allow_objects: bool) -> Variant:
	return bytes_to_var_with_objects(bytes) if allow_objects else bytes_to_var(bytes)


static func write(value: Variant, full_objects: bool) -> PackedByteArray:
	return var_to_bytes_with_objects(value) if full_objects else var_to_bytes(value)


## Frees the objects in a decoded value that are not reference-counted.
static func release(value: Variant) -> void:
	var pending: Array = [value]
	var doomed: Array[Object] = []
	while not pending.is_empty():
		var item: Variant = pending.pop_back()
		match typeof(item):
			TYPE_ARRAY:
				pending.append_array(item)
			TYPE_DICTIONARY:
				pending.append_array(item.keys())
				pending.append_array(item.values())
			TYPE_OBJECT:
				if is_instance_valid(item) and not item is RefCounted:
					doomed.append(item)
	for object: Variant in doomed:
		if is_instance_valid(object):
			object.free()
