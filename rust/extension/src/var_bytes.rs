//! The class `VarBytes`.

use godot::prelude::*;

use crate::builder::Members;
use crate::chosen_options::ChosenOptions;
use crate::decode::{ReadObjects, ReadOptions, decode};
use crate::encode::{WriteObjects, encode};
use crate::failure::Failure;
use crate::limits::Asked;
use crate::other_engine;
use crate::result::{Outcome, VarBytesResult};

/// The engine's binary format for values, faster and with answers.
///
/// Four methods are the engine's own [method @GlobalScope.var_to_bytes],
/// [method @GlobalScope.var_to_bytes_with_objects], [method @GlobalScope.bytes_to_var] and
/// [method @GlobalScope.bytes_to_var_with_objects]: the same bytes and the same values. [method decode] and
/// [method encode] say what went wrong and where, and keep to limits and to a list of allowed objects.
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
    /// The value of bytes, or what is wrong with them. Nothing is printed. Without options, objects are refused and
    /// memory is limited by the length of the packet. Keys and names chosen to collide in the engine's hash tables are
    /// refused, [constant VarBytesResult.LIMIT], and so are keys of more than 50 containers in one another.
    ///
    /// Members, keys and values of typed containers are of the declared type: others are converted or left out, as
    /// [method Dictionary.set] does, or refused with [member VarBytesOptions.strict].
    ///
    /// Where objects are refused, the bytes can still name objects by their ids, as [EncodedObjectAsID] and in a [Signal]:
    /// the id of any object of this game that its sender guesses. Use neither before it is known whose object it is.
    #[func]
    pub fn decode(
        bytes: PackedByteArray,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        VarBytesResult::of(options.read(bytes.as_slice(), 0))
    }

    /// The bytes of a value as [member VarBytesResult.value], or why there are none. Nothing is printed. Without
    /// options, objects are written as their ids; with [member VarBytesOptions.allow_objects], whole, as far as the
    /// options allow: properties that are not listed are left out, and any other class or script is an error.
    #[func]
    pub fn encode(value: Variant, #[opt(default = ChosenOptions::NONE)] options: ChosenOptions) -> Gd<VarBytesResult> {
        let written = options.write(&value);
        VarBytesResult::of(written.map(|written| Outcome {
            value: written.bytes.to_variant(),
            used: written.bytes.len(),
            losses: written.losses,
        }))
    }

    /// The number of bytes that [method encode] would give; -1 where it would fail.
    #[func]
    pub fn byte_size(value: Variant, #[opt(default = ChosenOptions::NONE)] options: ChosenOptions) -> i64 {
        options.written_len(&value).map_or(-1, |length| i64::try_from(length).unwrap_or(-1))
    }

    /// The bytes as annotated text, for people: a line for each value with its offset, its bytes and its meaning. Bytes
    /// that cannot be read are shown up to where it fails, and why. Objects are shown as data, and none is made. Of the
    /// options, [member VarBytesOptions.engine] and [member VarBytesOptions.offset] are used; the offsets in the text are
    /// counted from there.
    #[func]
    pub fn inspect(bytes: PackedByteArray, #[opt(default = ChosenOptions::NONE)] options: ChosenOptions) -> GString {
        let (engine, start) = match options.inspecting(bytes.as_slice()) {
            Ok(found) => found,
            Err(failure) => return failure.message(),
        };
        let decoder = match engine {
            None => crate::running::decoder(true),
            Some(engine) => other_engine::decoder(engine, true),
        };
        GString::from(varbytes::inspect(&decoder, &bytes.as_slice()[start..]).as_str())
    }

    /// What this library found out about the engine's memory when it was loaded: which of its fast ways are in use.
    #[func]
    pub fn engine_report() -> GString {
        GString::from(crate::raw::report().as_str())
    }
}

/// What the editor's help says of the methods that are registered apart from the others.
#[cfg(feature = "editor-help")]
const BUILT_INS: &str = r#"
<method name="var_to_bytes" qualifiers="static">
  <return type="PackedByteArray" />
  <param index="0" name="value" type="Variant" />
  <description>The bytes of a value, as [method @GlobalScope.var_to_bytes] gives them; objects are written as their ids. An empty array, and one error message, where the value cannot be written.</description>
</method>
<method name="var_to_bytes_with_objects" qualifiers="static">
  <return type="PackedByteArray" />
  <param index="0" name="value" type="Variant" />
  <description>The bytes of a value with whole objects, as [method @GlobalScope.var_to_bytes_with_objects] gives them. An empty array, and one error message, where the value cannot be written.</description>
</method>
<method name="bytes_to_var" qualifiers="static">
  <return type="Variant" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <description>The value of bytes, as [method @GlobalScope.bytes_to_var] gives it. [code]null[/code], and one error message, where the bytes cannot be read or hold an object. Bytes from elsewhere can take long: 20,000 keys chosen to collide in the engine's hash tables take seconds here, as in the engine. [method decode] refuses them. As in the engine, values of a typed [Dictionary] are whatever the bytes hold, and GDScript that trusts the declared type then works with memory that is none of it: for bytes from elsewhere there is [method decode].</description>
</method>
<method name="bytes_to_var_with_objects" qualifiers="static">
  <return type="Variant" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <description>The value of bytes with whole objects, as [method @GlobalScope.bytes_to_var_with_objects] gives it. [b]Whoever wrote the bytes can run code of their choice.[/b] For bytes from elsewhere there is [method decode] with [VarBytesOptions]. Values of a typed [Dictionary] are not checked, as in [method bytes_to_var].</description>
</method>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytes, methods_xml: BUILT_INS);

/// `var_to_bytes` and its sister.
#[inline]
pub(crate) fn write_printing(value: &Variant, objects: bool) -> PackedByteArray {
    printed(encode(value, if objects { WriteObjects::Full } else { WriteObjects::AsIds }))
}

/// `bytes_to_var` and its sister.
pub(crate) fn read_printing(bytes: &[u8], objects: bool) -> Variant {
    let objects = if objects { ReadObjects::All } else { ReadObjects::Refused };
    let options = ReadOptions { objects, members: Members::AsEngine, limits: Asked::NONE, ..ReadOptions::DEFAULT };
    printed(decode(bytes, &options, 0).map(|(value, _)| value))
}

/// What there is, or else one message and what stands for nothing.
fn printed<T: Default>(result: Result<T, Failure>) -> T {
    result.unwrap_or_else(|failure| {
        // Not the macro of the bindings, which points at a line of this file.
        godot::global::push_error(&[format!("VarBytes: {}", failure.message()).to_variant()]);
        T::default()
    })
}
