extends RefCounted
## Extreme numbers and texts, shared by the cases.

const INT_MIN: int = -0x7fffffffffffffff - 1
const INT_MAX: int = 0x7fffffffffffffff

## The limits of every width and their neighbours.
const INTS: PackedInt64Array = [
	0, 1, -1, 2, -2, 42,
	0x7f, 0x80, 0x81, -0x7f, -0x80, -0x81, 0xff, 0x100,
	0x7fff, 0x8000, 0x8001, -0x7fff, -0x8000, -0x8001, 0xffff, 0x10000,
	0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
	-0x7fffffff, -0x80000000, -0x80000001, -0x80000002,
	0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, -0xffffffff, -0x100000000, -0x100000001,
	0x1fffffffffffff, 0x20000000000000, 0x20000000000001, -0x20000000000001,
	0x0123456789abcdef, 0x7ffffffffffffffe, INT_MAX, -INT_MAX, INT_MIN,
]

const INTS_32: PackedInt32Array = [0, 1, -1, 0x7f, -0x80, 0xff, 0x7fff, -0x8000, 0x7ffffffe, 0x7fffffff, -0x7fffffff,
		-0x80000000]


## Named after what is special about each.
static func floats() -> Dictionary[String, float]:
	return {
		"zero": 0.0,
		"minus-zero": -0.0,
		"one": 1.0,
		"minus-one": -1.0,
		"half": 0.5,
		"one-and-a-half": 1.5,
		"engine-test-32-bit": 0.15625,
		"tenth": 0.1,
		"third": 1.0 / 3.0,
		"minus-third": -1.0 / 3.0,
		"pi": PI,
		"tau": TAU,
		"2-to-24": 16777216.0,
		"2-to-24-plus-1": 16777217.0,
		"2-to-24-plus-2": 16777218.0,
		"2-to-31": 2147483648.0,
		"2-to-53": 9007199254740992.0,
		"2-to-53-minus-1": 9007199254740991.0,
		"2-to-63": 9223372036854775808.0,
		"2-to-64": 18446744073709551616.0,
		"1e10": 1e10,
		"1e39": 1e39,
		"minus-1e39": -1e39,
		"1e300": 1e300,
		"next-above-one-in-32-bit": bits_64(0x3ff0000020000000),
		"next-above-one-in-64-bit": bits_64(0x3ff0000000000001),
		"max-in-32-bit": bits_32(0x7f7fffff),
		"min-in-32-bit": bits_32(0xff7fffff),
		"next-above-max-in-32-bit": bits_64(0x47efffffe0000001),
		"rounds-to-max-in-32-bit": bits_64(0x47efffffefffffff),
		"rounds-to-inf-in-32-bit": bits_64(0x47effffff0000000),
		"2-to-128": bits_64(0x47f0000000000000),
		"min-normal-in-32-bit": bits_32(0x00800000),
		"max-subnormal-in-32-bit": bits_32(0x007fffff),
		"min-subnormal-in-32-bit": bits_32(0x00000001),
		"minus-min-subnormal-in-32-bit": bits_32(0x80000001),
		"half-of-min-subnormal-in-32-bit": bits_64(0x3690000000000000),
		"above-half-of-min-subnormal-in-32-bit": bits_64(0x3690000000000001),
		"three-halves-of-min-subnormal-in-32-bit": bits_64(0x36a8000000000000),
		"max-in-64-bit": bits_64(0x7fefffffffffffff),
		"min-in-64-bit": bits_64(-0x10000000000001),
		"min-normal-in-64-bit": bits_64(0x0010000000000000),
		"max-subnormal-in-64-bit": bits_64(0x000fffffffffffff),
		"min-subnormal-in-64-bit": bits_64(0x0000000000000001),
		"minus-min-subnormal-in-64-bit": bits_64(INT_MIN + 1),
		"inf": INF,
		"minus-inf": -INF,
		"nan": bits_64(0x7ff8000000000000),
		"minus-nan": bits_64(-0x8000000000000),
		"nan-with-payload": bits_64(0x7ff80000deadbeef),
		"nan-with-all-bits": bits_64(-1),
		"nan-signalling": bits_64(0x7ff0000000000001),
		"nan-signalling-with-32-bit-payload": bits_64(0x7ff4000000000000),
	}


## Texts with different padding or encoding.
static func texts() -> Dictionary[String, String]:
	return {
		"empty": "",
		"one-byte": "a",
		"two-bytes": "ab",
		"three-bytes": "abc",
		"four-bytes": "abcd",
		"five-bytes": "abcde",
		"eight-bytes": "abcdefgh",
		"two-byte-character": "é",
		"three-byte-character": "€",
		"four-byte-character": "😀",
		"every-width": "aé€😀",
		"first-of-two-bytes": String.chr(0x80),
		"last-of-one-byte": String.chr(0x7f),
		"last-of-two-bytes": String.chr(0x7ff),
		"first-of-three-bytes": String.chr(0x800),
		"below-surrogates": String.chr(0xd7ff),
		"above-surrogates": String.chr(0xe000),
		"replacement-character": String.chr(0xfffd),
		"last-of-three-bytes": String.chr(0xffff),
		"first-of-four-bytes": String.chr(0x10000),
		"last-of-all": String.chr(0x10ffff),
		"combining": "e" + String.chr(0x301) + String.chr(0x323),
		"joined-emoji": "👩‍👩‍👧‍👦🏳️‍🌈",
		"right-to-left": "שלום عليكم",
		"han": "漢字仮名交じり文",
		"line-ends": "a\nb\r\nc\rd",
		"quotes-and-backslash": "\"'\\/`",
		"controls": _control_characters(),
		"line-separators": String.chr(0x2028) + String.chr(0x2029) + String.chr(0x85),
		"byte-order-mark-inside": "a" + String.chr(0xfeff) + "b",
		"byte-order-mark-at-end": "a" + String.chr(0xfeff),
		"space": " ",
		"300-bytes": "0123456789".repeat(30),
		"301-bytes": "0123456789".repeat(30) + "!",
		"5000-bytes": "varbytes ".repeat(555) + "12345",
		"long-of-many-bytes": "añ字😀".repeat(40),
	}


## A few values of each type that needs no live object; they fit in a container of that type.
static func of_type(type: int) -> Array:
	match type:
		TYPE_NIL:
			return [null, null]
		TYPE_BOOL:
			return [true, false]
		TYPE_INT:
			return [1, -1, INT_MAX]
		TYPE_FLOAT:
			return [0.5, 0.1, -0.0, NAN]
		TYPE_STRING:
			return ["", "abc", "añ"]
		TYPE_VECTOR2:
			return [Vector2(1.0, 2.0), Vector2.INF]
		TYPE_VECTOR2I:
			return [Vector2i(1, 2), Vector2i.MIN]
		TYPE_RECT2:
			return [Rect2(1.0, 2.0, 3.0, 4.0)]
		TYPE_RECT2I:
			return [Rect2i(1, 2, 3, 4)]
		TYPE_VECTOR3:
			return [Vector3(1.0, 2.0, 3.0)]
		TYPE_VECTOR3I:
			return [Vector3i(1, 2, 3)]
		TYPE_TRANSFORM2D:
			return [Transform2D(Vector2(1.0, 2.0), Vector2(3.0, 4.0), Vector2(5.0, 6.0))]
		TYPE_VECTOR4:
			return [Vector4(1.0, 2.0, 3.0, 4.0)]
		TYPE_VECTOR4I:
			return [Vector4i(1, 2, 3, 4)]
		TYPE_PLANE:
			return [Plane(1.0, 2.0, 3.0, 4.0)]
		TYPE_QUATERNION:
			return [Quaternion(0.5, 0.5, 0.5, 0.5)]
		TYPE_AABB:
			return [AABB(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0))]
		TYPE_BASIS:
			return [Basis(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0), Vector3(7.0, 8.0, 9.0))]
		TYPE_TRANSFORM3D:
			return [Transform3D(Basis.IDENTITY, Vector3(1.0, 2.0, 3.0))]
		TYPE_PROJECTION:
			return [Projection.IDENTITY]
		TYPE_COLOR:
			return [Color(0.25, 0.5, 0.75, 1.0)]
		TYPE_STRING_NAME:
			return [&"", &"name"]
		TYPE_NODE_PATH:
			return [^"", ^"/a/b:c"]
		TYPE_RID:
			return [RID(), rid_from_int64(7)]
		TYPE_OBJECT:
			return [null]
		TYPE_CALLABLE:
			return [Callable(), print]
		TYPE_SIGNAL:
			return [Signal()]
		TYPE_DICTIONARY:
			return [{}, {1: "one"}]
		TYPE_ARRAY:
			return [[], [1, "two"]]
		TYPE_PACKED_BYTE_ARRAY:
			return [PackedByteArray(), PackedByteArray([1, 2, 255])]
		TYPE_PACKED_INT32_ARRAY:
			return [PackedInt32Array([1, -1])]
		TYPE_PACKED_INT64_ARRAY:
			return [PackedInt64Array([1, INT_MIN])]
		TYPE_PACKED_FLOAT32_ARRAY:
			return [PackedFloat32Array([0.5, 0.1])]
		TYPE_PACKED_FLOAT64_ARRAY:
			return [PackedFloat64Array([0.5, 0.1])]
		TYPE_PACKED_STRING_ARRAY:
			return [PackedStringArray(["", "abc"])]
		TYPE_PACKED_VECTOR2_ARRAY:
			return [PackedVector2Array([Vector2(1.0, 2.0)])]
		TYPE_PACKED_VECTOR3_ARRAY:
			return [PackedVector3Array([Vector3(1.0, 2.0, 3.0)])]
		TYPE_PACKED_COLOR_ARRAY:
			return [PackedColorArray([Color.RED])]
		_:
			return [PackedVector4Array([Vector4(1.0, 2.0, 3.0, 4.0)])]


static func bits_32(pattern: int) -> float:
	var bytes: PackedByteArray = []
	bytes.resize(4)
	bytes.encode_u32(0, pattern)
	return bytes.decode_float(0)


static func bits_64(pattern: int) -> float:
	var bytes: PackedByteArray = []
	bytes.resize(8)
	bytes.encode_s64(0, pattern)
	return bytes.decode_double(0)


static func _control_characters() -> String:
	var text: String = ""
	for code: int in range(1, 32):
		text += String.chr(code)
	return text
