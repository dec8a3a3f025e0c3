extends RefCounted
## Tests one class of the addon.

var tried: Dictionary[StringName, bool] = {}
var failures: PackedStringArray = []


## Returns the name of the class. Overridden by each part.
func about() -> StringName:
	return &""


## Runs the tests. Returns `true` at its end. Overridden by each part.
func run() -> bool:
	return false


## Checks the result of calling or reading `what`.
func expect(what: StringName, condition: bool, detail: Variant = "") -> void:
	tried[what] = true
	if not condition:
		failures.append("%s.%s %s" % [about(), what, detail])


## Checks that every member of the class was tested, and that every tested member exists.
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
		# The engine calls methods that begin with an underscore.
		if not accessors.has(method.name) and not method.name.begins_with("_"):
			there[method.name] = true
	for sent: Dictionary in ClassDB.class_get_signal_list(about(), true):
		there[sent.name] = true
	for constant: String in ClassDB.class_get_integer_constant_list(about(), true):
		there[constant] = true
	if there.is_empty():
		failures.append("the class %s has no members: was the library loaded?" % about())
	for member: StringName in there:
		if not tried.has(member):
			failures.append("%s.%s was not tested" % [about(), member])
	for member: StringName in tried:
		if not there.has(member):
			failures.append("%s.%s was tested, but the class has no such member" % [about(), member])
