extends RefCounted
## One class of the addon: what was tried of it, and what was wrong.

var tried: Dictionary[StringName, bool] = {}
var failures: PackedStringArray = []


## Overridden: the name of the class.
func about() -> StringName:
	return &""


## Overridden: `true` says that it came to its end.
func run() -> bool:
	return false


## What calling or reading `what` has given.
func expect(what: StringName, condition: bool, detail: Variant = "") -> void:
	tried[what] = true
	if not condition:
		failures.append("%s.%s %s" % [about(), what, detail])


## Everything that the class has was tried, and nothing was tried that it has not.
func compare_with_class() -> void:
	var there: Dictionary[StringName, bool] = {}
	var accessors: Dictionary[StringName, bool] = {}
	for property: Dictionary in ClassDB.class_get_property_list(about(), true):
		if property.usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) != 0:
			continue
		there[property.name] = true
		accessors[ClassDB.class_get_property_getter(about(), property.name)] = true
		accessors[ClassDB.class_get_property_setter(about(), property.name)] = true
	for method: Dictionary in ClassDB.class_get_method_list(about(), true):
		if not accessors.has(method.name):
			there[method.name] = true
	for constant: String in ClassDB.class_get_integer_constant_list(about(), true):
		there[constant] = true
	if there.is_empty():
		failures.append("the class %s has nothing: was the library loaded?" % about())
	for member: StringName in there:
		if not tried.has(member):
			failures.append("%s.%s was not tried" % [about(), member])
	for member: StringName in tried:
		if not there.has(member):
			failures.append("%s.%s was tried, and the class has no such member" % [about(), member])
