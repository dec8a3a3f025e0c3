extends RefCounted
## Accepted forms that the encoder never writes: stray header bits, wide numbers, padding, unusual strings and counts.

const VectorSet := preload("res://conformance/vector_set.gd")
const Wire := preload("res://conformance/wire.gd")
const Samples := preload("res://conformance/cases/samples.gd")

const HEADER: String = "these bits of the header are ignored"
const NARROW: String = "the number fits in 32 bits"
const WIDTH: String = "both widths of components are read"
const PAD: String = "padding is ignored"

## Types for which bit 16 of the header has no meaning.
const TYPES_WITHOUT_FLAG: PackedInt32Array = [TYPE_NIL, TYPE_BOOL, TYPE_STRING, TYPE_VECTOR2I, TYPE_RECT2I,
		TYPE_VECTOR3I, TYPE_VECTOR4I, TYPE_COLOR, TYPE_STRING_NAME, TYPE_NODE_PATH, TYPE_RID, TYPE_CALLABLE,
		TYPE_SIGNAL, TYPE_PACKED_BYTE_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY, TYPE_PACKED_FLOAT32_ARRAY,
		TYPE_PACKED_FLOAT64_ARRAY, TYPE_PACKED_STRING_ARRAY, TYPE_PACKED_COLOR_ARRAY]
## Name, bytes, reason.
const CASES: Array[Array] = [
	["bool-2", "01000000 02000000", "any non-zero word is true"],
	["bool-bit-31", "01000000 00000080", "any non-zero word is true"],
	["bool-all-bits", "01000000 ffffffff", "any non-zero word is true"],
	["int-wide-zero", "02000100 00000000 00000000", NARROW],
	["int-wide-one", "02000100 01000000 00000000", NARROW],
	["int-wide-minus-one", "02000100 ffffffff ffffffff", NARROW],
	["int-wide-max-of-32-bit", "02000100 ffffff7f 00000000", NARROW],
	["int-wide-min-of-32-bit", "02000100 00000080 ffffffff", NARROW],
	["float-wide-zero", "03000100 00000000 00000000", NARROW],
	["float-wide-minus-zero", "03000100 00000000 00000080", NARROW],
	["float-wide-half", "03000100 00000000 0000e03f", NARROW],
	["float-wide-inf", "03000100 00000000 0000f07f", NARROW],
	["float-wide-min-subnormal-in-32-bit", "03000100 00000000 0000a036", NARROW],
	["float-narrow-nan", "03000000 0000c07f", "NaN is written in 64 bits"],
	["float-narrow-minus-nan", "03000000 0000c0ff", "NaN is written in 64 bits"],
	["float-narrow-nan-with-payload", "03000000 efbeed7f", "NaN is written in 64 bits"],
	["float-narrow-nan-signalling", "03000000 0100807f", "a signalling NaN becomes a quiet one"],
	["float-narrow-minus-nan-signalling", "03000000 ffffbfff", "a signalling NaN becomes a quiet one"],
	["trailing-byte", "00000000 ff", "bytes after the value are ignored"],
	["trailing-value", "02000000 01000000 02000000 02000000", "bytes after the value are ignored"],
	["trailing-after-Array", "1c000000 00000000 0000", "bytes after the value are ignored"],
	["trailing-after-String", "04000000 01000000 61000000 616263", "bytes after the value are ignored"],
	["String-pad-of-one", "04000000 03000000 616263ff", PAD],
	["String-pad-of-three", "04000000 01000000 61ffffff", PAD],
	["StringName-pad", "15000000 02000000 6162c080", PAD],
	["NodePath-pad", "16000000 01000080 01000000 00000000 01000000 61fefdfc 02000000 6263ffff", PAD],
	["Signal-pad", "1a000000 01000000 73aabbcc d2040000 00000000", PAD],
	["PackedByteArray-pad", "1d000000 01000000 01ffffff", PAD],
	["PackedStringArray-pad", "22000000 01000000 02000000 6100ffff", PAD],
	["PackedByteArray-without-pad", "1d000000 03000000 010203", "the padding of bytes may be missing"],
	["PackedByteArray-with-part-of-pad", "1d000000 01000000 01ff", "the padding of bytes may be missing"],
	["PackedByteArray-without-pad-of-three", "1d000000 05000000 0102030405", "the padding of bytes may be missing"],
	["PackedByteArray-without-pad-last-in-Array", "1c000000 02000000 00000000 1d000000 01000000 01",
			"the padding of bytes may be missing"],
	["PackedByteArray-without-pad-last-in-Dictionary", "1b000000 01000000 00000000 1d000000 02000000 0102",
			"the padding of bytes may be missing"],
	["PackedByteArray-without-pad-in-depth", "1c000000 01000000 1c000000 01000000 1d000000 01000000 01",
			"the padding of bytes may be missing"],
	["String-mark", "04000000 03000000 efbbbf00", "a byte order mark at the start is dropped"],
	["String-mark-and-text", "04000000 06000000 efbbbf61 62630000", "a byte order mark at the start is dropped"],
	["String-two-marks", "04000000 07000000 efbbbfef bbbf6100", "one byte order mark is dropped"],
	["StringName-mark", "15000000 04000000 efbbbf61", "a byte order mark at the start is dropped"],
	["NodePath-mark", "16000000 01000080 00000000 00000000 04000000 efbbbf61",
			"a byte order mark at the start is dropped"],
	["PackedStringArray-mark", "22000000 01000000 05000000 efbbbf61 00000000",
			"a byte order mark at the start is dropped"],
	["Signal-mark", "1a000000 04000000 efbbbf73 01000000 00000000", "a byte order mark at the start is dropped"],
	["String-nul-alone", "04000000 01000000 00000000", "a NUL ends the text"],
	["String-nul-at-end", "04000000 04000000 61626300", "a NUL ends the text"],
	["String-nul-inside", "04000000 04000000 61006263", "a NUL ends the text"],
	["String-nul-before-bad-bytes", "04000000 04000000 6100ff80", "bytes after a NUL are ignored"],
	["String-nul-after-mark", "04000000 05000000 efbbbf00 61000000", "a NUL ends the text"],
	["StringName-nul-inside", "15000000 03000000 61006200", "a NUL ends the text"],
	["NodePath-nul-inside", "16000000 01000080 00000000 00000000 03000000 61006200", "a NUL ends the text"],
	["Signal-nul-inside", "1a000000 03000000 73007400 01000000 00000000", "a NUL ends the text"],
	["PackedStringArray-nul-inside", "22000000 01000000 04000000 61006200", "a NUL ends the text"],
	["PackedStringArray-without-nul", "22000000 01000000 03000000 61626300", "the NUL may be missing"],
	["PackedStringArray-length-zero", "22000000 01000000 00000000", "the NUL may be missing"],
	["PackedStringArray-some-without-nul", "22000000 03000000 01000000 61000000 02000000 62000000 00000000",
			"the NUL may be missing"],
	["PackedStringArray-two-nuls", "22000000 01000000 02000000 00000000", "a NUL ends the text"],
	["PackedStringArray-count-minus-one", "22000000 ffffffff", "a negative count is read as zero"],
	["PackedStringArray-count-min", "22000000 00000080 01000000 61000000", "a negative count is read as zero"],
	["NodePath-flag-1-with-subname", "16000000 01000080 00000000 02000000 01000000 61000000 01000000 62000000",
			"flag bit 1 adds one subname"],
	["NodePath-flag-1-without-names", "16000000 00000080 00000000 02000000 01000000 61000000",
			"flag bit 1 adds one subname"],
	["NodePath-flags-0-and-1",
			"16000000 01000080 01000000 03000000 01000000 61000000 01000000 62000000 01000000 63000000",
			"flag bit 1 adds one subname"],
	["NodePath-unknown-flags", "16000000 01000080 00000000 fcffffff 01000000 61000000", "unknown flags are ignored"],
	["NodePath-every-flag", "16000000 00000080 00000000 ffffffff 01000000 61000000", "unknown flags are ignored"],
	["NodePath-counts-wrap-to-none", "16000000 ffffffff 01000080 00000000", "the sum of the counts has 32 bits"],
	["NodePath-counts-wrap-to-one", "16000000 ffffffff 02000080 01000000 01000000 61000000",
			"the sum of the counts has 32 bits"],
	["Array-count-bit-31", "1c000000 01000080 00000000", "bit 31 of the count is ignored"],
	["Array-count-only-bit-31", "1c000000 00000080", "bit 31 of the count is ignored"],
	["Array-typed-count-bit-31", "1c000100 02000000 01000080 02000000 05000000", "bit 31 of the count is ignored"],
	["Dictionary-count-bit-31", "1b000000 01000080 02000000 01000000 00000000", "bit 31 of the count is ignored"],
	["Dictionary-count-only-bit-31", "1b000000 00000080", "bit 31 of the count is ignored"],
	["Dictionary-typed-count-bit-31", "1b000500 02000000 02000000 01000080 02000000 01000000 02000000 01000000",
			"bit 31 of the count is ignored"],
]


func add_to(vectors: VectorSet) -> void:
	_add_headers(vectors)
	for case: Array in CASES:
		vectors.non_canonical(case[0], Wire.hex(case[1]), case[2])
	_add_other_width(vectors)
	_add_widths_in_depth(vectors)


func _add_headers(vectors: VectorSet) -> void:
	for type: int in TYPE_MAX:
		if type == TYPE_OBJECT:
			continue
		var type_name: String = type_string(type)
		var bytes: PackedByteArray = var_to_bytes(Samples.of_type(type)[-1])
		vectors.non_canonical("header-bits-8-to-15-%s" % type_name, _with_header_bits(bytes, 0xff00), HEADER)
		vectors.non_canonical("header-bits-20-to-31-%s" % type_name, _with_header_bits(bytes, 0xfff00000), HEADER)
		if TYPES_WITHOUT_FLAG.has(type):
			vectors.non_canonical("header-bit-16-%s" % type_name, _with_header_bits(bytes, 0x10000), HEADER)
		if type == TYPE_ARRAY:
			vectors.non_canonical("header-bits-18-and-19-Array", _with_header_bits(bytes, 0xc0000), HEADER)
		elif type != TYPE_DICTIONARY:
			vectors.non_canonical("header-bits-17-to-19-%s" % type_name, _with_header_bits(bytes, 0xe0000), HEADER)
	var by_id: PackedByteArray = Wire.object_by_id(1234)
	vectors.non_canonical("header-bits-8-to-15-Object", _with_header_bits(by_id, 0xff00), HEADER)
	vectors.non_canonical("header-bits-17-to-31-Object", _with_header_bits(by_id, 0xfffe0000), HEADER)


func _with_header_bits(bytes: PackedByteArray, bits: int) -> PackedByteArray:
	var changed: PackedByteArray = bytes.duplicate()
	changed.encode_u32(0, bytes.decode_u32(0) | bits)
	return changed


## Components in the width that this build does not write: a single-precision build rounds 64-bit components, and a
## double-precision build widens 32-bit components.
func _add_other_width(vectors: VectorSet) -> void:
	var counts: Dictionary[int, int] = {TYPE_VECTOR2: 2, TYPE_RECT2: 4, TYPE_VECTOR3: 3, TYPE_TRANSFORM2D: 6,
			TYPE_VECTOR4: 4, TYPE_PLANE: 4, TYPE_QUATERNION: 4, TYPE_AABB: 6, TYPE_BASIS: 9, TYPE_TRANSFORM3D: 12,
			TYPE_PROJECTION: 16}
	for type: int in counts:
		var exact: PackedFloat64Array = []
		var inexact: PackedFloat64Array = []
		for index: int in counts[type]:
			exact.append(index + 1)
			inexact.append((index + 1) / 3.0)
		vectors.non_canonical("width-of-%s" % type_string(type), _other_header(type) + _components(exact), WIDTH)
		vectors.non_canonical("width-of-%s-rounded" % type_string(type), _other_header(type) + _components(inexact), WIDTH)
	var floats: Dictionary[String, float] = Samples.floats()
	for case_name: String in floats:
		var pair: PackedFloat64Array = [floats[case_name], -floats[case_name]]
		vectors.non_canonical("width-of-Vector2-%s" % case_name, _other_header(TYPE_VECTOR2) + _components(pair), WIDTH)
	var edges: PackedFloat64Array = floats.values()
	edges.resize(edges.size() / 12 * 12)
	var sizes: Dictionary[int, int] = {TYPE_PACKED_VECTOR2_ARRAY: 2, TYPE_PACKED_VECTOR3_ARRAY: 3,
			TYPE_PACKED_VECTOR4_ARRAY: 4}
	for type: int in sizes:
		vectors.non_canonical("width-of-%s-empty" % type_string(type), _other_header(type) + Wire.word(0), WIDTH)
		vectors.non_canonical("width-of-%s-edges" % type_string(type),
				_other_header(type) + Wire.word(edges.size() / sizes[type]) + _components(edges), WIDTH)
	var stray: PackedByteArray = _other_header(TYPE_VECTOR3)
	stray.encode_u32(0, stray.decode_u32(0) | 0xfffeff00)
	vectors.non_canonical("width-and-every-other-bit-Vector3", stray + _components([1.0, 2.0, 3.0]), WIDTH)


func _other_header(type: int) -> PackedByteArray:
	return Wire.word(type if OS.has_feature("double") else type | Wire.FLAG)


func _components(components: PackedFloat64Array) -> PackedByteArray:
	if OS.has_feature("double"):
		return PackedFloat32Array(Array(components)).to_byte_array()
	return components.to_byte_array()


func _add_widths_in_depth(vectors: VectorSet) -> void:
	var wide_one: PackedByteArray = Wire.hex("02000100 01000000 00000000")
	vectors.non_canonical("int-wide-in-Array", Wire.array([wide_one]), NARROW)
	vectors.non_canonical("int-wide-in-Array-of-int", Wire.typed_array(TYPE_INT, [wide_one]), NARROW)
	vectors.non_canonical("int-wide-as-key-and-value", Wire.dictionary([wide_one, wide_one]), NARROW)
	vectors.non_canonical("bool-2-in-Array", Wire.array([Wire.hex("01000000 02000000")]), "any non-zero word is true")
	vectors.non_canonical("count-bit-31-to-the-limit",
			Wire.repeat(Wire.hex("1c000000 01000080"), 1024) + Wire.hex("1c000000 00000080"),
			"bit 31 of the count is ignored")
