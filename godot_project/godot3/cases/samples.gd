extends Reference
## Extreme numbers and texts, shared by the cases.

const INT_MAX: int = 0x7fffffffffffffff
const INT_MIN: int = -0x7fffffffffffffff - 1

## The limits of every width and their neighbours.
const INTS: Array = [
	0, 1, -1, 2, -2, 42,
	0x7f, 0x80, 0x81, -0x7f, -0x80, -0x81, 0xff, 0x100,
	0x7fff, 0x8000, 0x8001, -0x7fff, -0x8000, -0x8001, 0xffff, 0x10000,
	0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
	-0x7fffffff, -0x80000000, -0x80000001, -0x80000002,
	0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, -0xffffffff, -0x100000000, -0x100000001,
	0x1fffffffffffff, 0x20000000000000, 0x20000000000001, -0x20000000000001,
	0x0123456789abcdef, 0x7ffffffffffffffe, INT_MAX, -INT_MAX, INT_MIN,
]

const INTS_32: Array = [0, 1, -1, 0x7f, -0x80, 0xff, 0x7fff, -0x8000, 0x7ffffffe, 0x7fffffff, -0x7fffffff, -0x80000000]


## Named after what is special about each.
static func floats() -> Dictionary:
	return {
		"zero": 0.0,
		"minus-zero": bits_64(INT_MIN),
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
		"2-to-63": bits_64(0x43e0000000000000),
		"2-to-64": bits_64(0x43f0000000000000),
		"1e10": 1e10,
		"1e39": bits_64(0x48078287f49c4a1d),
		"minus-1e39": -bits_64(0x48078287f49c4a1d),
		"1e300": bits_64(0x7e37e43c8800759c),
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
static func texts() -> Dictionary:
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
		"first-of-two-bytes": char(0x80),
		"last-of-one-byte": char(0x7f),
		"last-of-two-bytes": char(0x7ff),
		"first-of-three-bytes": char(0x800),
		"below-surrogates": char(0xd7ff),
		"above-surrogates": char(0xe000),
		"replacement-character": char(0xfffd),
		"last-of-three-bytes": char(0xffff),
		"first-of-four-bytes": char(0x10000),
		"last-of-all": char(0x10ffff),
		"combining": "e" + char(0x301) + char(0x323),
		"joined-emoji": "👩‍👩‍👧‍👦🏳️‍🌈",
		"right-to-left": "שלום عليكم",
		"han": "漢字仮名交じり文",
		"line-ends": "a\nb\r\nc\rd",
		"quotes-and-backslash": "\"'\\/`",
		"controls": _control_characters(),
		"line-separators": char(0x2028) + char(0x2029) + char(0x85),
		"byte-order-mark-inside": "a" + char(0xfeff) + "b",
		"byte-order-mark-at-end": "a" + char(0xfeff),
		"space": " ",
		"300-bytes": repeat("0123456789", 30),
		"301-bytes": repeat("0123456789", 30) + "!",
		"5000-bytes": repeat("varbytes ", 555) + "12345",
		"long-of-many-bytes": repeat("añ字😀", 40),
	}


## A few values of each type that does not need a live object.
static func of_type(type: int) -> Array:
	match type:
		TYPE_NIL:
			return [null, null]
		TYPE_BOOL:
			return [true, false]
		TYPE_INT:
			return [1, -1, INT_MAX]
		TYPE_REAL:
			return [0.5, 0.1, bits_64(INT_MIN), bits_64(0x7ff8000000000000)]
		TYPE_STRING:
			return ["", "abc", "añ"]
		TYPE_VECTOR2:
			return [Vector2(INF, INF), Vector2(1.0, 2.0)]
		TYPE_RECT2:
			return [Rect2(1.0, 2.0, 3.0, 4.0)]
		TYPE_VECTOR3:
			return [Vector3(1.0, 2.0, 3.0)]
		TYPE_TRANSFORM2D:
			return [Transform2D(Vector2(1.0, 2.0), Vector2(3.0, 4.0), Vector2(5.0, 6.0))]
		TYPE_PLANE:
			return [Plane(1.0, 2.0, 3.0, 4.0)]
		TYPE_QUAT:
			return [Quat(0.5, 0.5, 0.5, 0.5)]
		TYPE_AABB:
			return [AABB(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0))]
		TYPE_BASIS:
			return [Basis(Vector3(1.0, 2.0, 3.0), Vector3(4.0, 5.0, 6.0), Vector3(7.0, 8.0, 9.0))]
		TYPE_TRANSFORM:
			return [Transform(Basis(), Vector3(1.0, 2.0, 3.0))]
		TYPE_COLOR:
			return [Color(0.25, 0.5, 0.75, 1.0)]
		TYPE_NODE_PATH:
			# Without padding, which would differ each time.
			return [NodePath(), NodePath("/name/next:prop")]
		TYPE_RID:
			return [RID()]
		TYPE_OBJECT:
			return [null]
		TYPE_DICTIONARY:
			return [{}, {1: "one"}]
		TYPE_ARRAY:
			return [[], [1, "two"]]
		TYPE_RAW_ARRAY:
			return [PoolByteArray(), PoolByteArray([1, 2, 255])]
		TYPE_INT_ARRAY:
			return [PoolIntArray([1, -1])]
		TYPE_REAL_ARRAY:
			return [PoolRealArray([0.5, 0.1])]
		TYPE_STRING_ARRAY:
			return [PoolStringArray(["", "abc"])]
		TYPE_VECTOR2_ARRAY:
			return [PoolVector2Array([Vector2(1.0, 2.0)])]
		TYPE_VECTOR3_ARRAY:
			return [PoolVector3Array([Vector3(1.0, 2.0, 3.0)])]
		_:
			return [PoolColorArray([Color(1.0, 0.0, 0.0, 1.0)])]


## Returns the last one.
static func one_of_type(type: int):
	return of_type(type).back()


static func bits_32(pattern: int) -> float:
	var buffer: StreamPeerBuffer = StreamPeerBuffer.new()
	buffer.put_u32(pattern)
	buffer.seek(0)
	return buffer.get_float()


static func bits_64(pattern: int) -> float:
	var buffer: StreamPeerBuffer = StreamPeerBuffer.new()
	buffer.put_64(pattern)
	buffer.seek(0)
	return buffer.get_double()


static func repeat(part: String, count: int) -> String:
	var parts: Array = []
	for _index in count:
		parts.append(part)
	return PoolStringArray(parts).join("")


static func _control_characters() -> String:
	var text: String = ""
	for code in range(1, 32):
		text += char(code)
	return text
