extends Reference
## Accepted texts that the encoder never writes: byte order marks, NULs, and the lenient UTF-8 of Godot 3.

const VectorSet := preload("res://vector_set.gd")
const Wire := preload("res://wire.gd")

const MARK: String = "a byte order mark at the start is dropped"
const NUL: String = "a NUL ends the text"
const NO_NUL: String = "the NUL may be missing"
const OVERLONG: String = "overlong UTF-8 is accepted unless certain leading bits are zero"
const SURROGATE: String = "surrogates are accepted"
const BEYOND: String = "numbers beyond Unicode are accepted and written again"

## Name, bytes, reason.
const CASES: Array = [
	["String-mark", "04000000 03000000 efbbbf00", MARK],
	["String-mark-and-text", "04000000 06000000 efbbbf61 62630000", MARK],
	["String-two-marks", "04000000 07000000 efbbbfef bbbf6100", "one byte order mark is dropped"],
	["String-mark-and-nul", "04000000 05000000 efbbbf00 61000000", NUL],
	["String-nul-alone", "04000000 01000000 00000000", NUL],
	["String-nul-at-end", "04000000 04000000 61626300", NUL],
	["String-nul-inside", "04000000 04000000 61006263", NUL],
	["String-nul-before-bad-bytes", "04000000 04000000 6100ff80", "bytes after a NUL are ignored"],
	["NodePath-mark", "0f000000 01000080 00000000 00000000 04000000 efbbbf61", MARK],
	["NodePath-nul-inside", "0f000000 01000080 00000000 00000000 03000000 61006200", NUL],
	["PackedStringArray-mark", "17000000 01000000 05000000 efbbbf61 00000000", MARK],
	["PackedStringArray-nul-inside", "17000000 01000000 04000000 61006200", NUL],
	["PackedStringArray-two-nuls", "17000000 01000000 02000000 00000000", NUL],
	["PackedStringArray-without-nul", "17000000 01000000 03000000 61626300", NO_NUL],
	["PackedStringArray-length-zero", "17000000 01000000 00000000", NO_NUL],
	["PackedStringArray-some-without-nul", "17000000 03000000 01000000 61000000 02000000 62000000 00000000", NO_NUL],
	["NodePath-overlong-name", "0f000000 01000080 00000000 00000000 03000000 e0818000", OVERLONG],
	["PackedStringArray-overlong", "17000000 01000000 04000000 e0818000", OVERLONG],
	["Dictionary-keys-joined-overlong-and-not",
			"12000000 02000000 04000000 01000000 40000000 00000000 04000000 03000000 e0818000 00000000", OVERLONG],
]
## Bytes of texts by name. The first of a length is the one after the last rejected.
const OVERLONG_TEXTS: Dictionary = {
	"first-in-3": "e08090",
	"ascii-in-3": "e080bf",
	"ascii-in-3-and-text": "e0818061",
	"last-in-3": "e09fbf",
	"first-in-4": "f0808880",
	"middle-in-4": "f0818080",
	"last-in-4": "f08fbfbf",
	"first-in-5": "f880848080",
	"last-in-5": "f887bfbfbf",
	"first-in-6": "fc8082808080",
	"last-in-6": "fc83bfbfbfbf",
}
## Engines that know surrogates write these as a space or join them into one character. Other engines write them
## unchanged, so they are canonical there. A byte order mark before them makes them non-canonical everywhere.
const SURROGATES: Dictionary = {
	"high-first": "eda080",
	"high-last": "edafbf",
	"low-first": "edb080",
	"low-last": "edbfbf",
	"high-then-text": "eda08061",
	"low-then-high": "edb880eda0bd",
	"high-high-low": "eda0bdeda0bdedb880",
	"pair": "eda0bdedb880",
	"pair-last": "edafbfedbfbf",
	"pair-in-text": "61eda0bdedb88062",
}
## These are written unchanged; the byte order mark makes them non-canonical.
const BEYOND_UNICODE: Dictionary = {
	"first": "f4908080",
	"lead-f5": "f5808080",
	"last-in-4": "f7bfbfbf",
	"first-in-5": "f888808080",
	"last-in-5": "fbbfbfbfbf",
	"first-in-6": "fc8480808080",
	"last-in-6": "fdbfbfbfbfbf",
	"in-text": "61f490808062",
}


func add_to(vectors: VectorSet) -> void:
	for case in CASES:
		vectors.non_canonical(case[0], Wire.hex(case[1]), case[2])
	for case_name in OVERLONG_TEXTS:
		vectors.non_canonical("String-overlong-" + case_name, _text("", OVERLONG_TEXTS[case_name]), OVERLONG)
	for case_name in SURROGATES:
		vectors.non_canonical("String-surrogate-" + case_name, _text("efbbbf", SURROGATES[case_name]), SURROGATE)
	for case_name in BEYOND_UNICODE:
		vectors.non_canonical("String-beyond-" + case_name, _text("efbbbf", BEYOND_UNICODE[case_name]), BEYOND)
	for case in [["surrogate", "eda080", SURROGATE], ["pair", "eda0bdedb880", SURROGATE], ["beyond", "f5808080", BEYOND]]:
		var marked: PoolByteArray = Wire.field(Wire.hex("efbbbf" + case[1]))
		vectors.non_canonical("PackedStringArray-" + case[0],
				Wire.word(TYPE_STRING_ARRAY) + Wire.word(1) + marked, case[2])
		vectors.non_canonical("NodePath-" + case[0], Wire.hex("0f000000 01000080 00000000 00000000") + marked, case[2])
		vectors.non_canonical("key-" + case[0], Wire.dictionary([Wire.word(TYPE_STRING) + marked, Wire.word(0)]), case[2])


func _text(mark: String, content: String) -> PoolByteArray:
	return Wire.word(TYPE_STRING) + Wire.field(Wire.hex(mark + content))
