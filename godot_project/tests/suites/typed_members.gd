extends "res://tests/suite.gd"
## Every member of a typed container has the declared type: keys, values and elements, of built-in types, classes and
## scripts, nested, through every entry point except the four built-in names. Strict reading refuses other packets;
## otherwise their members are left out or converted as in the engine. Consecutive ids of objects are read as each alone.

const Wire := preload("res://conformance/wire.gd")
const ErrorLog := preload("res://tests/fixtures/error_log.gd")
const Item := preload("res://tests/fixtures/item.gd")
const Derived := preload("res://tests/fixtures/derived_item.gd")

const ITEM: String = "res://tests/fixtures/item.gd"
const DERIVED: String = "res://tests/fixtures/derived_item.gd"

enum Slot { MEMBER, KEY, VALUE }

var _tried: int = 0


func run() -> bool:
	await run_parts([_builtins, _objects, _conversions, _keeps_what_fits, _built_in_names, _nulls, _ids, _in_small_packets, _changed_after])
	return true


## Every pair of built-in types: results have the declared type.
func _builtins() -> bool:
	var samples: Array = [
		true, 7, 0.5, "text", Vector2(), Vector2i(), Rect2(), Rect2i(), Vector3(), Vector3i(), Transform2D(), Vector4(),
		Vector4i(), Plane(), Quaternion(), AABB(), Basis(), Transform3D(), Projection(), Color(), &"name", ^"path", RID(),
		null, Callable(), Signal(), {1: 2}, [3], PackedByteArray([1]), PackedInt32Array([1]), PackedInt64Array([1]),
		PackedFloat32Array([1]), PackedFloat64Array([1]), PackedStringArray(["a"]), PackedVector2Array([Vector2()]),
		PackedVector3Array([Vector3()]), PackedColorArray([Color()]), PackedVector4Array([Vector4()]),
	]
	for declared: int in range(1, TYPE_MAX):
		if declared == TYPE_OBJECT:
			continue
		for sample: Variant in samples:
			for slot: Slot in Slot.values():
				var what: String = "%s for %s as %s" % [type_string(typeof(sample)), type_string(declared), Slot.keys()[slot]]
				var info: PackedByteArray = Wire.word(declared)
				var packet: PackedByteArray = _container(slot, Wire.Kind.BUILTIN, info, [var_to_bytes(sample)])
				for strict: bool in [false, true]:
					_try(packet, false, strict, typeof(sample) == declared, what)
	return true


## What is done with a container later, and the errors of that, are as after the built-in.
func _changed_after() -> bool:
	for declared: int in range(1, TYPE_MAX):
		var one: Variant = null if declared == TYPE_OBJECT else type_convert(1, declared)
		for count: int in [0, 1, 20]:
			var array := Array([], declared, "", null)
			var by_key := Dictionary({}, declared, "", null, TYPE_NIL, "", null)
			var by_number := Dictionary({}, TYPE_INT, "", null, declared, "", null)
			for index: int in count:
				array.append(one)
				by_key[one] = index
				by_number[index] = one
			for container: Variant in [array, by_key, by_number]:
				var bytes: PackedByteArray = var_to_bytes(container)
				var expected: String = _changed(bytes_to_var(bytes))
				for decoded: Variant in [VarBytes.bytes_to_var(bytes), VarBytes.decode(bytes).value, VarBytes.decode(var_to_bytes([container])).value[0]]:
					equal(_changed(decoded), expected, "%d of %s in %s" % [count, type_string(declared), type_string(typeof(container))])
	return true


## Changes a container in several ways, and returns the errors and what is then in it.
func _changed(container: Variant) -> String:
	var errors := ErrorLog.new()
	OS.add_logger(errors)
	if container is Array:
		container.resize(container.size() + 2)
		container.append([])
		container.append_array([{}, 1])
		container.insert(0, Color())
		container.assign([true])
	else:
		container.get_or_add([], 1)
		container.set(7, [])
		container.set({}, {})
		container.merge({1: 2, Vector2(): Vector2()})
		container.assign({true: true})
	OS.remove_logger(errors)
	return "%s\n%s" % [container, "\n".join(errors.messages)]


## Small packets are read in another way. The result is that of the same value beside long text.
func _in_small_packets() -> bool:
	var seven: PackedByteArray = var_to_bytes(7)
	var text: PackedByteArray = var_to_bytes("größer")
	for count: int in [1, 7, 8, 9, 12, 16, 17, 40]:
		for other: PackedByteArray in [seven, text, Wire.hex("0100000001000000"), Wire.word(TYPE_NIL), Wire.array([seven]), Wire.object_by_id(9), Wire.hex("0400000002000000ffff0000")]:
			for place: int in [0, count / 2, count - 1]:
				var members: Array[PackedByteArray] = []
				members.resize(count)
				members.fill(seven)
				members[place] = other
				for inner: PackedByteArray in [
					Wire.array(members), Wire.typed_array(TYPE_INT, members), Wire.array([seven, Wire.typed_array(TYPE_INT, members)]),
					Wire.array(members + ([Wire.typed_array(TYPE_INT, [other])] as Array[PackedByteArray])),
				]:
					for packet: PackedByteArray in [inner, Wire.array([text, inner, seven]), Wire.dictionary([text, inner, seven, text])]:
						_small_as_large(packet)
	return true


func _small_as_large(packet: PackedByteArray) -> void:
	if packet.size() > 1000:
		return
	var large: PackedByteArray = Wire.array([packet, var_to_bytes("x".repeat(1000))])
	var small_result: VarBytesResult = VarBytes.decode(packet)
	var large_result: VarBytesResult = VarBytes.decode(large)
	var what: String = packet.hex_encode()
	if check(small_result.error == large_result.error, "%s: %s, and beside text: %s" % [what, small_result.message, large_result.message]) and small_result.ok:
		equal(small_result.value, large_result.value[0], what)
		check(small_result.bytes_used == packet.size(), what)
	var read: Variant = VarBytes.bytes_to_var(large)
	equal(VarBytes.bytes_to_var(packet), read[0] if read is Array else null, what)


## Containers typed by classes and scripts, with members that do not fit.
func _objects() -> bool:
	var item := Item.new()
	item.title = "kept"
	var fits: Dictionary = {
		"Resource": [Resource.new(), Curve.new(), item, null],
		"Curve": [Curve.new(), null],
		"RefCounted": [RefCounted.new(), item, null],
		"": [RefCounted.new(), item, Curve.new(), null],
		"Node": [null],
		"NoSuchClass": [null],
		ITEM: [item, Derived.new(), null],
		DERIVED: [Derived.new(), null],
	}
	var others: Array = [7, "text", [], {}, RefCounted.new(), Resource.new(), Curve.new(), item, Derived.new(), Gradient.new()]
	for declared: String in fits:
		var kind: Wire.Kind = Wire.Kind.SCRIPT if declared.begins_with("res://") else Wire.Kind.CLASS
		var info: PackedByteArray = Wire.text(declared)
		if declared.is_empty():
			kind = Wire.Kind.BUILTIN
			info = Wire.word(TYPE_OBJECT)
		for slot: Slot in Slot.values():
			for sample: Variant in fits[declared] + others:
				var packet: PackedByteArray = _container(slot, kind, info, [var_to_bytes_with_objects(sample)])
				var what: String = "%s for %s as %s" % [sample, declared, Slot.keys()[slot]]
				var is_fit: bool = _fits(sample, declared)
				for strict: bool in [false, true]:
					_try(packet, true, strict, is_fit, what)
			# An object given by id is an EncodedObjectAsID.
			var by_id: PackedByteArray = _container(slot, kind, info, [Wire.object_by_id(1234567)])
			for strict: bool in [false, true]:
				_try(by_id, true, strict, declared in ["", "RefCounted"], "an id for %s as %s" % [declared, Slot.keys()[slot]])
	# If objects are refused, only their ids fit a container of objects.
	for slot: Slot in Slot.values():
		for sample: PackedByteArray in [var_to_bytes(7), var_to_bytes("text"), var_to_bytes([1]), var_to_bytes({})]:
			for class_title: String in ["EncodedObjectAsID", "Resource", "Node"]:
				var packet: PackedByteArray = _container(slot, Wire.Kind.CLASS, Wire.text(class_title), [sample])
				for strict: bool in [false, true]:
					_try(packet, false, strict, false, "%s for %s" % [sample.hex_encode(), class_title])
	return true


## Conversions have the same result as the engine's conversion in an Array of that type.
func _conversions() -> bool:
	for pair: Array in [[TYPE_INT, 2.9], [TYPE_FLOAT, 3], [TYPE_STRING, &"name"], [TYPE_COLOR, "red"], [TYPE_VECTOR2I, Vector2(1.5, -2.5)],
			[TYPE_ARRAY, PackedInt32Array([1, 2])], [TYPE_PACKED_STRING_ARRAY, ["a", "b"]]]:
		var engine: Array = Array([], pair[0], &"", null)
		engine.push_back(pair[1])
		for slot: Slot in Slot.values():
			var packet: PackedByteArray = _container(slot, Wire.Kind.BUILTIN, Wire.word(pair[0]), [var_to_bytes(pair[1])])
			for result: VarBytesResult in _results(packet, false, false).values():
				if check(result.ok, result.message):
					equal(_members(result.value, slot), Array(engine, TYPE_NIL, &"", null), "converted")
	# A text that is not a colour becomes black, and the rest of the packet is unaffected.
	var colors: VarBytesResult = VarBytes.decode(Wire.typed_array(TYPE_COLOR, [var_to_bytes("no colour"), var_to_bytes(Color.RED)]))
	check(colors.ok and colors.value == [Color(0, 0, 0, 1), Color.RED], "a text that is not a colour: %s" % [colors.value])
	return true


func _keeps_what_fits() -> bool:
	var item := Item.new()
	item.title = "kept"
	var item_bytes: PackedByteArray = var_to_bytes_with_objects(item)
	var resource: PackedByteArray = var_to_bytes_with_objects(Resource.new())
	var array: PackedByteArray = Wire.array([resource, item_bytes, var_to_bytes(1), item_bytes], Wire.Kind.SCRIPT, Wire.text(ITEM))
	for result: VarBytesResult in _results(array, true, false).values():
		if check(result.ok, result.message):
			check(result.value.size() == 2 and result.value[0].title == "kept", "two of four are kept: %s" % [result.value])
			check(result.value.get_typed_script() == Item and result.value.get_typed_class_name() == &"Resource", "typed by script")
	var dictionary: PackedByteArray = Wire.dictionary([
		var_to_bytes(1), resource, var_to_bytes(2), item_bytes, var_to_bytes("key"), item_bytes],
		Wire.Kind.BUILTIN, Wire.Kind.SCRIPT, Wire.word(TYPE_INT) + Wire.text(ITEM))
	for result: VarBytesResult in _results(dictionary, true, false).values():
		if check(result.ok, result.message):
			check(result.value.keys() == [2] and result.value[2].title == "kept", "one of three is kept: %s" % [result.value])
			check(result.value.get_typed_value_script() == Item and result.value.get_typed_key_builtin() == TYPE_INT, "typed")
	# A value that is left out does not remove an earlier one, as in `Dictionary.set`.
	var twice: PackedByteArray = Wire.dictionary([var_to_bytes(1), item_bytes, var_to_bytes(1), resource],
		Wire.Kind.NONE, Wire.Kind.SCRIPT, Wire.text(ITEM))
	var kept: VarBytesResult = VarBytes.decode(twice, _options(true, false))
	check(kept.ok and kept.value.size() == 1 and kept.value[1].title == "kept", "the earlier value stays")
	return true


## The built-in names return exactly what the engine returns, as their help says.
func _built_in_names() -> bool:
	var packet: PackedByteArray = Wire.dictionary([var_to_bytes(0), var_to_bytes("hello")], Wire.Kind.BUILTIN, Wire.Kind.BUILTIN,
		Wire.word(TYPE_INT) + Wire.word(TYPE_INT))
	equal(VarBytes.bytes_to_var(packet), bytes_to_var(packet), "a value of another type in a typed dictionary")
	return true


## Consecutive ids of objects are read together: in whole Arrays, in parts of them, and in more than one step.
func _ids() -> bool:
	for count: int in [1, 2, 1023, 1024, 1025, 2500]:
		var ids: Array[PackedByteArray] = []
		for index: int in count:
			ids.append(Wire.object_by_id(index + 1))
		var number: Array[PackedByteArray] = [var_to_bytes(7)]
		var null_object: Array[PackedByteArray] = [Wire.object_by_id(0)]
		var array: PackedByteArray = Wire.array(ids)
		for packet: PackedByteArray in [
			array, Wire.array(number + ids), Wire.array(ids + number), Wire.array(ids + null_object + ids), Wire.array(null_object + ids),
			Wire.array([array, array]), Wire.dictionary([var_to_bytes(1), array]), Wire.dictionary([array, var_to_bytes(1)]),
			Wire.typed_array(TYPE_OBJECT, ids), Wire.array(ids, Wire.Kind.CLASS, Wire.text("EncodedObjectAsID")),
		]:
			var expected: Variant = bytes_to_var(packet)
			equal(VarBytes.bytes_to_var(packet), expected, "%d ids, bytes_to_var" % count)
			equal(VarBytes.bytes_to_var_with_objects(packet), bytes_to_var_with_objects(packet), "%d ids, with objects" % count)
			var results: Dictionary = _results(packet, false, false)
			# A tree is read there, and each id is created alone. A null object is null.
			results.erase("engine")
			for entry: String in results:
				var result: VarBytesResult = results[entry]
				if check(result.ok, result.message):
					equal(result.value, expected, "%d ids, %s" % [count, entry])
			# The last id is cut off.
			var short: PackedByteArray = Wire.array(ids).slice(0, -4)
			check(VarBytes.decode(short).error == VarBytesResult.TRUNCATED, "%d ids, the last one cut off" % count)
		# A reader at an offset, and one that has only a part of the bytes.
		var options := VarBytesOptions.new()
		options.offset = 4
		options.size = array.size()
		var within: VarBytesResult = VarBytes.decode(Wire.word(99) + array + Wire.word(99), options)
		if check(within.ok and within.bytes_used == array.size(), within.message):
			equal(within.value, bytes_to_var(array), "%d ids at an offset" % count)
	return true


func _fits(sample: Variant, declared: String) -> bool:
	if sample == null:
		return true
	if typeof(sample) != TYPE_OBJECT:
		return false
	match declared:
		"": return true
		ITEM: return is_instance_of(sample, Item)
		DERIVED: return is_instance_of(sample, Derived)
		_: return sample.is_class(declared)


## Returns a container with members in that slot, in containers and in the property of an object.
func _container(slot: Slot, kind: Wire.Kind, info: PackedByteArray, members: Array[PackedByteArray]) -> PackedByteArray:
	var entries: Array[PackedByteArray] = []
	for index: int in members.size():
		var other: PackedByteArray = var_to_bytes(index)
		entries.append_array([members[index], other] if slot == Slot.KEY else [other, members[index]])
	match slot:
		Slot.MEMBER: return Wire.array(members, kind, info)
		Slot.KEY: return Wire.dictionary(entries, kind, Wire.Kind.NONE, info)
	return Wire.dictionary(entries, Wire.Kind.NONE, kind, info)


## Returns the members in that slot.
func _members(container: Variant, slot: Slot) -> Array:
	if slot == Slot.MEMBER:
		return Array(container, TYPE_NIL, &"", null)
	var members: Array = container.keys() if slot == Slot.KEY else container.values()
	return Array(members, TYPE_NIL, &"", null)


## Checks a container alone and inside others: in an Array, as a value, as a key, in a property.
func _try(container: PackedByteArray, objects: bool, strict: bool, fits: bool, what: String) -> void:
	var packets: Array[PackedByteArray] = [
		container, Wire.array([container]), Wire.dictionary([var_to_bytes(1), container]), Wire.dictionary([container, var_to_bytes(1)])]
	if objects:
		packets.append(Wire.object_in_full("Resource", ["script", var_to_bytes(ITEM), "parts", Wire.array([container])]))
	for packet: PackedByteArray in packets:
		# All entry points use the same code, so each is only checked with the container alone.
		var results: Dictionary = {"decode": VarBytes.decode(packet, _options(objects, strict))}
		if packet == container and _tried % 7 == 0:
			results = _results(packet, objects, strict)
		_tried += 1
		for entry: String in results:
			var result: VarBytesResult = results[entry]
			var shown: String = "%s, %s, strict %s: %s" % [what, entry, strict, result.message]
			if strict:
				check(result.ok == fits or fits, shown)
				check(fits or result.error == VarBytesResult.MALFORMED, "%s, error %d" % [shown, result.error])
			else:
				check(result.ok, shown)
			check(not result.ok or is_well_typed(result.value), "%s holds a member of another type: %s" % [shown, result.value])


## Reads the packet through every entry point that is not a built-in name.
func _results(packet: PackedByteArray, objects: bool, strict: bool) -> Dictionary:
	var options: VarBytesOptions = _options(objects, strict)
	var results: Dictionary = {"decode": VarBytes.decode(packet, options)}
	if not objects and not strict:
		results["decode without options"] = VarBytes.decode(packet)
	var file := FileAccess.open("user://typed_members.dat", FileAccess.WRITE)
	file.store_32(packet.size())
	file.store_buffer(packet)
	file.close()
	results["next"] = VarBytesFile.open("user://typed_members.dat", FileAccess.READ).next(options)
	var peer := StreamPeerBuffer.new()
	peer.put_32(packet.size())
	peer.put_data(packet)
	peer.seek(0)
	results["take"] = VarBytesFile.take(peer, options)
	var other: VarBytesOptions = _options(objects, strict)
	other.engine = "godot-4.6"
	results["engine"] = VarBytes.decode(packet, other)
	return results


func _options(objects: bool, strict: bool) -> VarBytesOptions:
	var options := VarBytesOptions.new()
	options.allow_objects = objects
	options.strict = strict
	for class_title: String in ["RefCounted", "Resource", "Curve", "Gradient"]:
		options.allowed_classes[class_title] = PackedStringArray(["*"])
	options.allowed_classes["Curve"].append("point_count")
	options.allowed_scripts = {ITEM: PackedStringArray(["*"]), DERIVED: PackedStringArray(["*"])}
	return options


## Consecutive nulls, which are read together, are members of untyped Arrays and of Arrays of objects.
func _nulls() -> bool:
	var options := VarBytesOptions.new()
	options.allow_objects = true
	options.allowed_classes = {"Curve": ["*"]}
	for count: int in [1, 2, 3, 100]:
		var curves: Array[Curve] = []
		curves.resize(count)
		curves.append(Curve.new())
		curves.resize(2 * count + 1)
		var nulls: Array = []
		nulls.resize(count)
		var value: Array = [nulls, 0, null, curves] + nulls + ["end", null]
		var bytes: PackedByteArray = var_to_bytes_with_objects(value)
		for read: Variant in [VarBytes.decode(bytes, options).value, VarBytes.bytes_to_var_with_objects(bytes)]:
			check(read is Array and read.size() == value.size() and read[0] == nulls and read.slice(4) == value.slice(4), "%d nulls" % count)
			var typed: Array = read[3]
			check(typed.is_typed() and typed.size() == 2 * count + 1 and typed[count] is Curve, "an Array of objects with %d nulls" % count)
			equal(typed.count(null), 2 * count, "the nulls of an Array of objects")
		var plain: PackedByteArray = var_to_bytes([nulls, 0, null])
		for length: int in plain.size():
			check(VarBytes.decode(plain.slice(0, length)).error == VarBytesResult.TRUNCATED, "%d nulls cut at %d" % [count, length])
	return true
