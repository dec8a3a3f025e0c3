"""Makes playgodot answer lines. It is for Godot 4."""

import json
import struct
import sys
import threading

from playgodot.variant import VariantDecoder, VariantEncoder

NAMES = (
    "Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane "
    "Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array "
    "PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray "
    "PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array"
).split()
OBJECT = 24

# The translation may recurse deeply; the codec has Python's ordinary limit.
DEEP, ORDINARY = 200_000, 1000


def single(number):
    try:
        return struct.pack(">f", number).hex()
    except OverflowError:
        return "7f800000" if number > 0 else "ff800000"


def double(number):
    return struct.pack(">d", number).hex()


def described(value, name=None):
    """The tagged JSON of a value; `name` is its type, if the header says it."""
    if value is None:
        return {"type": "Nil", "value": None}
    if isinstance(value, bool):
        return {"type": "bool", "value": value}
    if isinstance(value, int):
        return {"type": "int", "value": str(value)}
    if isinstance(value, float):
        return {"type": "float", "value": double(value)}
    if isinstance(value, bytes):
        return {"type": "PackedByteArray", "value": value.hex()}
    if isinstance(value, str):
        if name == "NodePath":
            path, *subnames = value.split(":")
            absolute = path.startswith("/")
            names = [part for part in path.lstrip("/").split("/") if part]
            return {"type": name, "value": {"absolute": absolute, "names": names, "subnames": subnames}}
        return {"type": "StringName" if name == "StringName" else "String", "value": value}
    if isinstance(value, dict) and value.get("_type") == "RID":
        return {"type": "RID", "value": str(value["id"])}
    if isinstance(value, dict) and "_type" in value:
        components = [part for key, part in value.items() if key != "_type"]
        if value["_type"].endswith("i"):
            return {"type": value["_type"], "value": components}
        return {"type": value["_type"], "value": [single(part) for part in components]}
    if isinstance(value, dict):
        return {"type": "Dictionary", "value": [[described(key), described(member)] for key, member in value.items()]}
    if name == "PackedInt32Array" or name == "PackedStringArray":
        return {"type": name, "value": value}
    if name == "PackedInt64Array":
        return {"type": name, "value": [str(number) for number in value]}
    if name == "PackedFloat32Array":
        return {"type": name, "value": [single(number) for number in value]}
    if name == "PackedFloat64Array":
        return {"type": name, "value": [double(number) for number in value]}
    return {"type": "Array", "value": [described(member) for member in value]}


class Skip(Exception):
    pass


def native(tagged):
    """The value for the codec; raises Skip if the codec does not write this type."""
    name, value = tagged["type"], tagged["value"]
    if name in ("Nil", "bool", "String"):
        return value
    if name == "int":
        return int(value)
    if name == "float":
        return struct.unpack(">d", bytes.fromhex(value))[0]
    if name == "PackedByteArray":
        return bytes.fromhex(value)
    if name == "Array" and "element_type" not in tagged:
        return [native(member) for member in value]
    if name == "Dictionary" and "key_type" not in tagged and "value_type" not in tagged:
        entries = [(native(key), native(member)) for key, member in value]
        try:
            made = dict(entries)
        except TypeError:
            raise Skip("keys that Python cannot hash") from None
        if len(made) != len(entries):
            raise Skip("keys that are equal in Python")
        return made
    raise Skip(f"{name} is not written" if name not in ("Array", "Dictionary") else "typed containers are not written")


def decode(line):
    data = bytes.fromhex(line)
    kind = data[0] if len(data) >= 4 else None
    if kind == OBJECT:
        return {"skip": "Object is not read"}
    sys.setrecursionlimit(ORDINARY)
    try:
        value, used = VariantDecoder().decode(data)
    except Exception as error:
        if str(error) == f"Unsupported variant type: {kind}" and kind < len(NAMES):
            return {"skip": f"{NAMES[kind]} is not read"}
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        sys.setrecursionlimit(DEEP)
    return {"ok": described(value, NAMES[kind]), "used": used}


def encode(line):
    try:
        value = native(json.loads(line))
    except Skip as skip:
        return {"skip": str(skip)}
    sys.setrecursionlimit(ORDINARY)
    try:
        return {"ok": VariantEncoder().encode(value).hex()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        sys.setrecursionlimit(DEEP)


def main():
    answer = decode if sys.argv[1] == "decode" else encode
    for line in sys.stdin:
        print(json.dumps(answer(line.strip())))


sys.setrecursionlimit(DEEP)
threading.stack_size(512 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
