//! The class `VarBytes`.

use godot::prelude::*;

use crate::build::MistypedMembers;
use crate::build::{decode_fast, seems_to_have_objects};
use crate::decode::{ReadObjects, ReadOptions, decode};
use crate::encode::{WriteObjects, encode};
use crate::engine_profile;
use crate::error::{VarBytesError, report};
use crate::limits::LimitOptions;
use crate::options_arg::OptionsArg;
use crate::other_engine;
use crate::outcome::Packet;
use crate::raw::{self, NewValue};

/// Converts values to bytes and back, in the binary format of [method @GlobalScope.var_to_bytes].
///
/// [method var_to_bytes], [method var_to_bytes_with_objects], [method bytes_to_var] and
/// [method bytes_to_var_with_objects] replace the built-in functions of the same names and are usually faster: they return
/// the same bytes and the same values. [method decode] and [method encode] also report what went wrong and where, apply
/// limits, and create only the objects that you allow. Use [method decode] for bytes that you do not trust.
/// ```gdscript
/// var bytes := VarBytes.var_to_bytes({"name": "Ann", "level": 7})
/// var result := VarBytes.decode(bytes)
/// if result.ok:
///     print(result.value["name"])
/// else:
///     print(result.message)
/// ```
#[derive(GodotClass)]
#[class(no_init, base = Object, tool)]
pub struct VarBytes {
    base: Base<Object>,
}

#[godot_api]
impl VarBytes {
    /// Returns the number of bytes that [method encode] would return, or -1 if it would fail.
    /// ```gdscript
    /// print(VarBytes.byte_size({"level": 7})) # Prints 32
    /// ```
    #[func]
    pub fn byte_size(value: Variant, #[opt(default = OptionsArg::NULL)] options: OptionsArg) -> i64 {
        options.written_len(&value).map_or(-1, |length| i64::try_from(length).unwrap_or(-1))
    }

    /// Returns a description of the bytes for debugging: one line for each value with its offset, its bytes and its
    /// meaning. Malformed bytes are described up to the error, which is the last line. Objects are described, not created.
    ///
    /// Only [member VarBytesOptions.engine], [member VarBytesOptions.offset] and [member VarBytesOptions.size] of the options
    /// are used. Offsets in the text are counted from [member VarBytesOptions.offset].
    /// ```gdscript
    /// print(VarBytes.inspect(VarBytes.var_to_bytes([7])))
    /// # Prints 00000000  1c000000 01000000                    Array of 1
    /// # 00000008  02000000 07000000                    . int 7
    /// ```
    #[func]
    pub fn inspect(bytes: PackedByteArray, #[opt(default = OptionsArg::NULL)] options: OptionsArg) -> GString {
        let (engine, part) = match options.inspecting(bytes.as_slice()) {
            Ok(found) => found,
            Err(error) => return error.message(),
        };
        let decoder = match engine {
            None => *engine_profile::decoder(true),
            Some(engine) => other_engine::decoder(engine, true),
        };
        GString::from(varbytes::inspect(&decoder, &bytes.as_slice()[part]).as_str())
    }

    /// Returns which fast paths of this library are in use in the running engine. For tests and bug reports.
    /// ```gdscript
    /// print(VarBytes.engine_report())
    /// ```
    #[func]
    pub fn engine_report() -> GString {
        let report = format!("{}, fast path: {}", raw::assumptions(), !engine_profile::slow_path_only());
        GString::from(report.as_str())
    }
}

/// The editor help of the methods that [`raw::register_built_ins`] and [`raw::register_result_methods`] register.
#[cfg(feature = "editor-help")]
const BUILT_INS: &str = r#"
<method name="var_to_bytes" qualifiers="static">
  <return type="PackedByteArray" />
  <param index="0" name="value" type="Variant" />
  <description>Returns the bytes of a value, the same as [method @GlobalScope.var_to_bytes]. Objects are written as their ids. If the value cannot be written, prints an error and returns an empty array.

Text that contains a surrogate, which only functions such as [method PackedByteArray.get_string_from_utf16] can make from invalid text, is written with U+FFFD in its place. The built-in function writes bytes that the engine itself cannot read.
[codeblock lang=gdscript]
print(VarBytes.var_to_bytes(7).size()) # Prints 8
[/codeblock]</description>
</method>
<method name="var_to_bytes_with_objects" qualifiers="static">
  <return type="PackedByteArray" />
  <param index="0" name="value" type="Variant" />
  <description>Returns the bytes of a value, the same as [method @GlobalScope.var_to_bytes_with_objects]. Objects are written in full. If the value cannot be written, prints an error and returns an empty array.

Calls each getter of scripts that extend [Resource] or [RefCounted] once; the built-in calls it twice and writes what it returns the second time. So the bytes differ if a getter returns something else each time, or changes a property that comes before its own. Other objects, and those whose script has [method Object._validate_property] or [method Object._get_property_list], are written by the engine itself, which writes past the end of its memory if a getter returns a longer value the second time, or if they have a [FontFile]: use [method encode] for them.
[codeblock lang=gdscript]
var bytes := VarBytes.var_to_bytes_with_objects(Gradient.new())
print(bytes.size() > 100) # Prints true
[/codeblock]</description>
</method>
<method name="bytes_to_var" qualifiers="static">
  <return type="Variant" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <description>Returns the value in the bytes, the same as [method @GlobalScope.bytes_to_var]. If the bytes cannot be read or contain a full object, prints an error and returns [code]null[/code].
[b]Warning:[/b] Use [method decode] for bytes that you do not trust. This method has two weaknesses of the built-in function. Values of a typed [Dictionary] can have another type than it declares; GDScript that relies on the declared type can then read invalid memory. Dictionary keys chosen to collide in the engine's hash tables take long to read: seconds for 20,000 keys.
[codeblock lang=gdscript]
var bytes := VarBytes.var_to_bytes({"level": 7})
print(VarBytes.bytes_to_var(bytes)["level"]) # Prints 7
[/codeblock]</description>
</method>
<method name="bytes_to_var_with_objects" qualifiers="static">
  <return type="Variant" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <description>Returns the value in the bytes, the same as [method @GlobalScope.bytes_to_var_with_objects]. Full objects are created. If the bytes cannot be read, prints an error and returns [code]null[/code].
[b]Warning:[/b] The bytes can contain objects with code that runs in your game. Never use this method for bytes that you do not trust. Use [method decode] with [VarBytesOptions] instead. The weaknesses of [method bytes_to_var] apply as well. Of a [Dictionary] that is typed by a script, the engine reads the scripts of keys and values wrongly; [method decode] reads both.
[codeblock lang=gdscript]
var bytes := VarBytes.var_to_bytes_with_objects(Gradient.new())
print(VarBytes.bytes_to_var_with_objects(bytes) is Gradient) # Prints true
[/codeblock]</description>
</method>
<method name="decode" qualifiers="static">
  <return type="VarBytesResult" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Reads a value from bytes. Returns the value or the error; nothing is printed.
Without [param options], full objects (with class and properties) are refused, and memory is limited by the number of bytes. Some bytes that the engine reads are refused with [constant VarBytesResult.LIMIT]: dictionary keys and names chosen to collide in the engine's hash tables, which would make reading very slow, keys nested more than 50 levels deep, and large keys within keys.
Members of a typed [Array] and keys and values of a typed [Dictionary] always have the declared type. Others are converted or left out, as [method Dictionary.set] does. With [member VarBytesOptions.strict] they are an error.
Even if full objects are refused, the bytes can contain object ids: an [EncodedObjectAsID], or a [Signal] of an object. The sender can guess the id of any object in your game. Check which object it is before you use it.
[codeblock lang=gdscript]
var result := VarBytes.decode(packet)
if result.ok:
    use(result.value)
else:
    push_warning(result.message)
[/codeblock]</description>
</method>
<method name="encode" qualifiers="static">
  <return type="VarBytesResult" />
  <param index="0" name="value" type="Variant" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes a value as bytes. Returns them in [member VarBytesResult.value], or the error; nothing is printed.
Without [param options], objects are written as their ids. If [member VarBytesOptions.allow_objects] is [code]true[/code], they are written in full with the properties that the options list. An object whose class or script is not listed is an error. As the engine does, a [Callable] is written without its object and method, and a [Signal] with the id of its object, which means nothing in another run.
Only the engine prints something itself, if it cannot write an object: because objects contain each other, or because the script of an object in a property is not a file of the project.
[codeblock lang=gdscript]
var result := VarBytes.encode({"level": 7})
if result.ok:
    print(result.value.size()) # Prints 32
else:
    push_warning(result.message)
[/codeblock]</description>
</method>
<method name="try_decode" qualifiers="static">
  <return type="Variant" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <param index="1" name="fallback" type="Variant" default="null" />
  <param index="2" name="options" type="VarBytesOptions" default="null" />
  <description>Reads a value as [method decode] does, without an object for the result. Returns the value, or [param fallback] if the bytes cannot be read. Nothing is printed. This is the fastest way to read small packets that you do not trust. If [code]null[/code] can be a value, pass something else as [param fallback]. [method decode] tells what is wrong with the bytes. The options are the third argument: passing them as [param fallback] prints an error and reads nothing.
[codeblock lang=gdscript]
var state: Variant = VarBytes.try_decode(packet)
if state is Dictionary:
    print(state.get("level", 1)) # Prints 7
[/codeblock]</description>
</method>
<method name="try_encode" qualifiers="static">
  <return type="PackedByteArray" />
  <param index="0" name="value" type="Variant" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes a value as [method encode] does, without an object for the result. Returns the bytes, or an empty array if the value cannot be written. Prints nothing itself, as [method encode]:
[codeblock lang=gdscript]
var bytes := VarBytes.try_encode({"move": Vector2(1, 0)})
print(bytes.size()) # Prints 32
[/codeblock]</description>
</method>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytes, methods_xml: BUILT_INS);

impl VarBytes {
    /// Registers the replacements of the engine's built-ins.
    pub(crate) fn register_built_ins() {
        use godot::obj::GodotClass;
        raw::register_built_ins::<Self>(Self::class_id());
    }
}

impl raw::BuiltIns for VarBytes {
    #[inline(always)]
    fn read_fast(bytes: &PackedByteArray, objects: bool, used: &mut usize) -> Option<NewValue> {
        if objects && seems_to_have_objects(raw::bytes(bytes)) {
            return None;
        }
        decode_fast(raw::bytes(bytes), Some(bytes), usize::MAX, true, used)
    }

    fn read(bytes: &PackedByteArray, objects: bool) -> Option<NewValue> {
        let objects = if objects { ReadObjects::All } else { ReadObjects::Refused };
        let mistyped = MistypedMembers::AsEngine;
        let options = ReadOptions { objects, mistyped, limits: LimitOptions::NONE, ..ReadOptions::DEFAULT };
        match decode(Packet { is_tried: true, ..Packet::whole(bytes) }, &options) {
            Ok((value, _)) => Some(value),
            Err(error) => {
                log(&error.without_options());
                None
            }
        }
    }

    #[inline]
    fn write(value: &Variant, objects: bool, out: &mut Variant) {
        let objects = if objects { WriteObjects::Full } else { WriteObjects::AsIds };
        if let Err(error) = encode(value, objects, out) {
            log(&error);
            *out = PackedByteArray::new().to_variant();
        }
    }
}

fn log(error: &VarBytesError) {
    report(&format!("VarBytes: {}", error.message()));
}
