extends Reference
## Accepted forms that the encoder never writes: stray header bits, wide numbers, padding, unusual counts.

const Codec := preload("res://codec.gd")
const VectorSet := preload("res://vector_set.gd")
const TaggedJson := preload("res://tagged_json.gd")
const Wire := preload("res://wire.gd")
const Samples := preload("res://cases/samples.gd")
const Arrays := preload("res://cases/arrays.gd")

const HEADER: String = "these bits of the header are ignored"
const NARROW: String = "the number fits in 32 bits"
const WORD: String = "any non-zero word is true"
const PAD: String = "padding is ignored"
const NO_PAD: String = "the padding of bytes may be missing"
const TRAILING: String = "bytes after the value are ignored"
const COUNT: String = "bit 31 of the count is ignored"

## Name, bytes, reason.
const CASES: Array = [
	["bool-2", "01000000 02000000", WORD],
	["bool-bit-31", "01000000 00000080", WORD],
	["bool-all-bits", "01000000 ffffffff", WORD],
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
	["trailing-byte", "00000000 ff", TRAILING],
	["trailing-value", "02000000 01000000 02000000 02000000", TRAILING],
	["trailing-after-Array", "13000000 00000000 0000", TRAILING],
	["trailing-after-String", "04000000 01000000 61000000 616263", TRAILING],
	["trailing-after-RID", "10000000 07000000 00000000", TRAILING],
	["trailing-after-wide-int", "02000100 01000000 00000000 00000000 00000000 00000000 00000000 00000000", TRAILING],
	["String-pad-of-one", "04000000 03000000 616263ff", PAD],
	["String-pad-of-three", "04000000 01000000 61ffffff", PAD],
	["NodePath-pad", "0f000000 01000080 01000000 00000000 01000000 61fefdfc 02000000 6263ffff", PAD],
	["PackedByteArray-pad", "14000000 01000000 01ffffff", PAD],
	["PackedStringArray-pad", "17000000 01000000 02000000 6100ffff", PAD],
	["PackedByteArray-without-pad", "14000000 03000000 010203", NO_PAD],
	["PackedByteArray-with-part-of-pad", "14000000 01000000 01ff", NO_PAD],
	["PackedByteArray-without-pad-of-three", "14000000 05000000 0102030405", NO_PAD],
	["PackedByteArray-without-pad-last-in-Array", "13000000 02000000 00000000 14000000 01000000 01", NO_PAD],
	["PackedByteArray-without-pad-last-in-Dictionary", "12000000 01000000 00000000 14000000 02000000 0102", NO_PAD],
	["PackedByteArray-without-pad-in-depth", "13000000 01000000 13000000 01000000 14000000 01000000 01", NO_PAD],
	["PackedStringArray-count-minus-one", "17000000 ffffffff", "a negative count is read as zero"],
	["PackedStringArray-count-min", "17000000 00000080 01000000 61000000", "a negative count is read as zero"],
	["NodePath-absolute-without-names", "0f000000 00000080 00000000 01000000", "a path without names is not absolute"],
	["NodePath-flag-1-with-subname", "0f000000 01000080 00000000 02000000 01000000 61000000 01000000 62000000",
			"flag bit 1 adds one subname"],
	["NodePath-flag-1-without-names", "0f000000 00000080 00000000 02000000 01000000 61000000",
			"flag bit 1 adds one subname"],
	["NodePath-flags-0-and-1",
			"0f000000 01000080 01000000 03000000 01000000 61000000 01000000 62000000 01000000 63000000",
			"flag bit 1 adds one subname"],
	["NodePath-unknown-flags", "0f000000 01000080 00000000 fcffffff 01000000 61000000", "unknown flags are ignored"],
	["NodePath-every-flag", "0f000000 00000080 00000000 ffffffff 01000000 61000000", "unknown flags are ignored"],
	["NodePath-counts-wrap-to-none", "0f000000 ffffffff 01000080 00000000", "the sum of the counts has 32 bits"],
	["NodePath-counts-wrap-to-one", "0f000000 ffffffff 02000080 01000000 01000000 61000000",
			"the sum of the counts has 32 bits"],
	["Array-count-bit-31", "13000000 01000080 00000000", COUNT],
	["Array-count-only-bit-31", "13000000 00000080", COUNT],
	["Dictionary-count-bit-31", "12000000 01000080 02000000 01000000 00000000", COUNT],
	["Dictionary-count-only-bit-31", "12000000 00000080", COUNT],
]


func add_to(vectors: VectorSet) -> void:
	_add_headers(vectors)
	for case in CASES:
		vectors.non_canonical(case[0], Wire.hex(case[1]), case[2])
	var wide_one: PoolByteArray = Wire.hex("02000100 01000000 00000000")
	vectors.non_canonical("int-wide-in-Array", Wire.array([wide_one]), NARROW)
	vectors.non_canonical("int-wide-as-key-and-value", Wire.dictionary([wide_one, wide_one]), NARROW)
	vectors.non_canonical("bool-2-in-Array", Wire.array([Wire.hex("01000000 02000000")]), WORD)
	vectors.non_canonical("count-bit-31-in-deepest",
			Wire.repeat(Wire.hex("13000000 01000080"), Arrays.deepest() - 1) + Wire.hex("13000000 00000080"), COUNT)
	vectors.non_canonical("trailing-after-deepest",
			Wire.nested_arrays(Arrays.deepest(), Wire.hex("13000000 00000000")) + Wire.hex("00000000 00000000"), TRAILING)


func _add_headers(vectors: VectorSet) -> void:
	for type in TYPE_MAX:
		if type == TYPE_OBJECT:
			continue
		var type_name: String = TaggedJson.TYPE_NAMES[type]
		var bytes: PoolByteArray = var2bytes(Samples.one_of_type(type))
		vectors.non_canonical("header-bits-8-to-15-%s" % type_name, Wire.with_header_bits(bytes, 0xff00), HEADER)
		vectors.non_canonical("header-bits-17-to-31-%s" % type_name, Wire.with_header_bits(bytes, 0xfffe0000), HEADER)
		if type != TYPE_INT and type != TYPE_REAL:
			vectors.non_canonical("header-bit-16-%s" % type_name, Wire.with_header_bits(bytes, 0x10000), HEADER)
	var by_id: PoolByteArray = Wire.object_by_id(1234)
	vectors.non_canonical("header-bits-8-to-15-Object", Wire.with_header_bits(by_id, 0xff00), HEADER)
	vectors.non_canonical("header-bits-17-to-31-Object", Wire.with_header_bits(by_id, 0xfffe0000), HEADER)
