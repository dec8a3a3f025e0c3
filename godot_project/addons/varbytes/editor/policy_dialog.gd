@tool
extends ConfirmationDialog
## Makes a policy from sample packets, of which the user can untick classes, scripts and properties.

const PolicyBuilder := preload("policy_builder.gd")
const PolicyTree := preload("policy_tree.gd")

var builder: PolicyBuilder


func _ready() -> void:
	canceled.connect(end)
	%Verify.pressed.connect(_check)


## Adds a packet of this size as a sample, or shows why it is none.
func add(packet: PackedByteArray, size_of_packet: int) -> void:
	if builder == null:
		builder = PolicyBuilder.new()
	var why: String = "the record is longer than %s" % String.humanize_size(PolicyBuilder.MOST)
	if packet.size() == size_of_packet:
		why = builder.add(packet)
	PolicyTree.show(%Listed, builder)
	var lines: PackedStringArray = ["%d packets. Add more records with the same button." % builder.samples.size()]
	if not why.is_empty():
		lines.append(why)
	lines.append_array(builder.warnings)
	%Found.text = "\n".join(lines)
	popup_centered()


## Saves the policy. Returns what to tell about it.
func save(path: String) -> String:
	var error: Error = ResourceSaver.save(_chosen(), path)
	if error != OK:
		return "%s cannot be written: %s" % [path, error_string(error)]
	end()
	return "Saved %s" % path


## Forgets the samples and what was unticked.
func end() -> void:
	builder = null
	%Listed.clear()


func _check() -> void:
	var faults: PackedStringArray = builder.faults(_chosen())
	%Found.text = "All packets can be read with this policy." if faults.is_empty() else "\n".join(faults)


func _chosen() -> VarBytesOptions:
	return PolicyTree.chosen(%Listed, builder).options(int(%Headroom.value))
