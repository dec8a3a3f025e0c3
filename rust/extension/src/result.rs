//! The class `VarBytesResult`.

use godot::meta::ClassId;
use godot::prelude::*;

use crate::encode::{STACK, StackSink, Written};
use crate::error::{ErrorKind, KINDS, RecordError, VarBytesError, report, signed, type_name};
use crate::options::VarBytesOptions;
use crate::options_arg::{
    after_fast, can_run_scripts, explained, put_small, put_value, read_fast, read_value, reads_fast,
};
use crate::outcome::{Outcome, Packet};
use crate::raw::{
    self, Called, Guarded, LazyVariant, NewValue, ObjectArgument, PackedNumbers, Type, WireNumbers, scalar,
};

/// The result of a call of [VarBytes] or [VarBytesFile]: a value, or an error.
///
/// Check [member ok] to find out whether the call succeeded. [member value] can be [code]null[/code] after a success as well.
/// ```gdscript
/// var result := VarBytes.decode(packet)
/// if result.ok:
///     use(result.value)
/// else:
///     push_warning(result.message)
/// ```
/// When the last reference to a result is dropped, its value is freed, and a later call can return the same object. So a loop
/// of calls does not create an object each. A [WeakRef] to such a result stays valid; the result is empty then.
#[derive(GodotClass)]
#[class(init, base = RefCounted, tool)]
pub struct VarBytesResult {
    #[init(val = Box::default())]
    content: Box<Guarded<Content>>,
}

/// What a result tells. Messages and the engine's arrays are created when a script reads them.
#[derive(Default)]
pub struct Content {
    value: Variant,
    /// Null, or the short array of bytes of an earlier call, for the next one.
    spare: Variant,
    bytes_used: i64,
    losses: Vec<String>,
    can_continue: bool,
    /// `None` after a success, and before the first call.
    error: Option<VarBytesError>,
    ok: bool,
}

impl Content {
    fn kind(&self) -> ErrorKind {
        self.error.as_ref().map_or(ErrorKind::None, |error| error.kind)
    }

    fn message(&self) -> GString {
        self.error.as_ref().map(|error| error.message()).unwrap_or_default()
    }
}

impl From<Result<Outcome, VarBytesError>> for Content {
    fn from(result: Result<Outcome, VarBytesError>) -> Self {
        match result {
            Ok(Outcome { value, used, losses }) => {
                let bytes_used = signed(used);
                Self { value, bytes_used, losses, can_continue: true, ok: true, ..Self::default() }
            }
            Err(error) => Self { error: Some(error), ..Self::default() },
        }
    }
}

impl From<Result<Outcome, RecordError>> for Content {
    fn from(result: Result<Outcome, RecordError>) -> Self {
        match result {
            Ok(outcome) => Self::from(Ok::<_, VarBytesError>(outcome)),
            Err(RecordError { error, can_continue }) => Self { can_continue, ..Self::from(Err::<Outcome, _>(error)) },
        }
    }
}

#[godot_api]
impl IRefCounted for VarBytesResult {
    fn to_string(&self) -> GString {
        self.read(|content| {
            let shown = if content.ok {
                format!("<VarBytesResult: ok, {}, {} bytes>", type_name(&content.value), content.bytes_used)
            } else if content.error.is_none() {
                "<VarBytesResult: empty>".to_owned()
            } else {
                let kind = KINDS.iter().find(|(_, kind)| *kind == content.kind()).map_or("", |(name, _)| name);
                format!("<VarBytesResult: {kind}, {}>", content.message())
            };
            GString::from(shown.as_str())
        })
    }
}

#[godot_api]
impl VarBytesResult {
    /// Returns [member error] as one of the engine's error codes: [constant @GlobalScope.OK] for [constant NONE],
    /// [constant @GlobalScope.ERR_FILE_EOF] for [constant TRUNCATED], [constant @GlobalScope.ERR_INVALID_DATA] for
    /// [constant MALFORMED], [constant @GlobalScope.ERR_UNAUTHORIZED] for [constant NOT_ALLOWED],
    /// [constant @GlobalScope.ERR_OUT_OF_MEMORY] for [constant LIMIT], [constant @GlobalScope.ERR_UNAVAILABLE] for
    /// [constant UNSUPPORTED], [constant @GlobalScope.ERR_FILE_CANT_READ] for [constant STREAM], and
    /// [constant @GlobalScope.ERR_INVALID_PARAMETER] for [constant INVALID_ARGUMENT].
    /// ```gdscript
    /// print(VarBytes.decode(PackedByteArray()).to_error() == ERR_FILE_EOF) # Prints true
    /// ```
    #[func]
    pub fn to_error(&self) -> godot::global::Error {
        use godot::global::Error;
        match self.read(Content::kind) {
            ErrorKind::None => Error::OK,
            ErrorKind::Truncated => Error::ERR_FILE_EOF,
            ErrorKind::Malformed => Error::ERR_INVALID_DATA,
            ErrorKind::NotAllowed => Error::ERR_UNAUTHORIZED,
            ErrorKind::Limit => Error::ERR_OUT_OF_MEMORY,
            ErrorKind::Unsupported => Error::ERR_UNAVAILABLE,
            ErrorKind::Stream => Error::ERR_FILE_CANT_READ,
            ErrorKind::InvalidArgument => Error::ERR_INVALID_PARAMETER,
        }
    }
}

/// The editor help of the properties.
#[cfg(feature = "editor-help")]
const PROPERTIES_HELP: &str = crate::help::members!(
    r#"
<member name="value" type="Variant" setter="" getter="get_value">The value that was read, or a [PackedByteArray] with the bytes that were written. [code]null[/code] after an error.
[codeblock lang=gdscript]
var result := VarBytes.decode(VarBytes.var_to_bytes([1, 2]))
print(result.value) # Prints [1, 2]
[/codeblock]</member>
<member name="ok" type="bool" setter="" getter="get_ok">If [code]true[/code], the call succeeded. [code]false[/code] before the first call of [method decode] or [method encode].
[codeblock lang=gdscript]
print(VarBytes.encode(null).ok) # Prints true
print(VarBytes.decode([99, 0, 0, 0]).ok) # Prints false
[/codeblock]</member>
<member name="bytes_used" type="int" setter="" getter="get_bytes_used">The number of bytes that the value takes, including padding; 0 after an error.
[codeblock lang=gdscript]
# Two values, one after the other.
var bytes := VarBytes.var_to_bytes(1) + VarBytes.var_to_bytes("two")
var options := VarBytesOptions.new()
options.offset = VarBytes.decode(bytes).bytes_used
print(VarBytes.decode(bytes, options).value) # Prints two
[/codeblock]</member>
<member name="error" type="int" setter="" getter="get_error" enum="VarBytesResult.ErrorKind">The kind of error, or [constant NONE] after a success and before the first call.
[codeblock lang=gdscript]
var result := VarBytes.decode(PackedByteArray())
print(result.error == VarBytesResult.TRUNCATED) # Prints true
[/codeblock]</member>
<member name="fault" type="String" setter="" getter="get_fault">The name of the exact error, such as [code]"count_exceeds_input"[/code]. Empty after a success.
[codeblock lang=gdscript]
print(VarBytes.decode([99, 0, 0, 0]).fault) # Prints unknown_type
[/codeblock]</member>
<member name="message" type="String" setter="" getter="get_message">The error message. Empty after a success. It has at most 500 characters. Text from the bytes is escaped: control characters, line breaks and text direction marks are shown as [code]\u{1b}[/code].
[codeblock lang=gdscript]
var result := VarBytes.decode([99, 0, 0, 0])
print(result.message) # Prints type 99 does not exist in this engine version, at offset 0, path $
[/codeblock]</member>
<member name="offset" type="int" setter="" getter="get_offset">The position of the error in the bytes. -1 after a success, after an error that is not about bytes, and if the bytes of another engine are valid but this engine refuses the value in them.
[codeblock lang=gdscript]
var bytes := VarBytes.var_to_bytes([1, 2])
bytes[16] = 99
print(VarBytes.decode(bytes).offset) # Prints 16
[/codeblock]</member>
<member name="can_continue" type="bool" setter="" getter="get_can_continue">If [code]true[/code], the next record of the file or stream can be read. This is the case after every complete record, even if its value could not be read or is too large. [code]false[/code] if the length of the record is invalid, if bytes are missing, or if a record of a stream is too large. For calls that do not read records, the same as [member ok].
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
while file.has_next():
    var record := file.next()
    if record.ok:
        use(record.value)
    elif not record.can_continue:
        break
[/codeblock]</member>
<member name="path" type="String" setter="" getter="get_path">The part of the value that caused the error, such as [code]$["players"][3].position[/code]. Empty after a success, and if no value was read or written, as for an error of a file. Escaped as in [member message], but never shortened, so it can be long.
[codeblock lang=gdscript]
var bytes := VarBytes.var_to_bytes({"players": [{"name": "Ann"}]})
print(VarBytes.decode(bytes.slice(0, -4)).path) # Prints $["players"][0]["name"]
[/codeblock]</member>
<member name="losses" type="PackedStringArray" setter="" getter="get_losses">The parts of the value that could not be converted exactly from or to [member VarBytesOptions.engine]. Each line names one part by its path and says what it became and why, in at most 500 characters. After 1000 lines, the rest are counted, with one line for each kind of conversion, and one for all others.

When objects are read with a policy, also the properties that their scripts did not accept: those whose type has changed so that the engine cannot convert the value, which keep their defaults, and those that are listed but no longer exist, unless [method Object._set] takes them. These lines name property and script. When objects are written as ids though the options list classes or scripts, because [member VarBytesOptions.allow_objects] is not set, one line says so.

Otherwise empty. Members that do not fit a typed container, and keys that repeat, have no line: [member VarBytesOptions.strict] refuses them.
[codeblock lang=gdscript]
var options := VarBytesOptions.new()
options.engine = "godot-3.6"
for loss in VarBytes.encode([&amp;"lamp"], options).losses:
    print(loss)
# Prints $[0]: StringName becomes String: this engine version has no such type
[/codeblock]</member>
"#
);

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesResult, methods_xml: PROPERTIES_HELP);

/// The properties.
const PROPERTIES: &[raw::Property<Content>] = &[
    property("value", "get_value", Type::Any, |content, slot| slot.copy(&content.lock().value)),
    property("ok", "get_ok", Type::Bool, |content, slot| slot.put(scalar::bool(content.succeeded()))),
    property("bytes_used", "get_bytes_used", Type::Int, |content, slot| {
        slot.put(scalar::int(content.lock().bytes_used))
    }),
    property("error", "get_error", Type::Enum("VarBytesResult.ErrorKind"), |content, slot| {
        slot.copy(&content.lock().kind().to_variant());
    }),
    property("fault", "get_fault", Type::String, |content, slot| {
        slot.copy(&content.lock().error.as_ref().map_or("", |error| error.name).to_variant());
    }),
    property("message", "get_message", Type::String, |content, slot| slot.copy(&content.lock().message().to_variant())),
    property("offset", "get_offset", Type::Int, |content, slot| {
        slot.put(scalar::int(content.lock().error.as_ref().map_or(-1, |error| error.offset)));
    }),
    property("can_continue", "get_can_continue", Type::Bool, |content, slot| {
        slot.put(scalar::bool(content.lock().can_continue));
    }),
    property("path", "get_path", Type::String, |content, slot| {
        slot.copy(&content.lock().error.as_ref().map_or("", |error| error.path.as_str()).to_variant());
    }),
    property("losses", "get_losses", Type::Strings, |content, slot| {
        slot.copy(&content.lock().losses.iter().map(GString::from).collect::<PackedStringArray>().to_variant());
    }),
];

const fn property(
    name: &'static str,
    getter: &'static str,
    of_type: Type,
    get: fn(&Guarded<Content>, raw::Slot),
) -> raw::Property<Content> {
    raw::Property { name, getter, of_type, get }
}

/// The editor help of the kinds of errors.
#[cfg(feature = "editor-help")]
const KINDS_HELP: &str = r#"
<constant name="NONE" value="0" enum="ErrorKind">No error: the call succeeded.</constant>
<constant name="TRUNCATED" value="1" enum="ErrorKind">The bytes end within the value. For a packet, this is an error like any other. For a file or stream, the rest may arrive later; for connections use [VarBytesStream], which waits only for a limited number of bytes.</constant>
<constant name="MALFORMED" value="2" enum="ErrorKind">The bytes are malformed: no engine reads them, or with [member VarBytesOptions.strict], no engine writes them.</constant>
<constant name="NOT_ALLOWED" value="3" enum="ErrorKind">The bytes or the value contain an object, class, property or script that the options do not allow.</constant>
<constant name="LIMIT" value="4" enum="ErrorKind">A limit of the options or of the engine was reached.</constant>
<constant name="UNSUPPORTED" value="5" enum="ErrorKind">The engine does not support a type, name or container in the value.</constant>
<constant name="STREAM" value="6" enum="ErrorKind">A file or stream could not be read or written.</constant>
<constant name="INVALID_ARGUMENT" value="7" enum="ErrorKind">An argument or an option is invalid, such as an offset outside of the bytes. This is an error of the calling script, not of the bytes.</constant>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesResult, constants_xml: KINDS_HELP);

/// The editor help of the methods that [`raw::register_result_methods`] registers.
#[cfg(feature = "editor-help")]
const METHODS_HELP: &str = r#"
<method name="decode">
  <return type="bool" />
  <param index="0" name="bytes" type="PackedByteArray" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Reads a value from bytes into this result, as [method VarBytes.decode] does into a new one. Returns [member ok]. Using one result for many packets saves creating an object for each:
[codeblock lang=gdscript]
var result := VarBytesResult.new()
for bytes in [VarBytes.var_to_bytes(1), VarBytes.var_to_bytes("two")]:
    if result.decode(bytes):
        use(result.value)
[/codeblock]</description>
</method>
<method name="encode">
  <return type="bool" />
  <param index="0" name="value" type="Variant" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes a value into this result, as [method VarBytes.encode] does into a new one. Returns [member ok]. The bytes are [member value]:
[codeblock lang=gdscript]
var result := VarBytesResult.new()
for item in [1, "two"]:
    if result.encode(item):
        connection.put_data(result.value)
[/codeblock]</description>
</method>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesResult, methods_xml: METHODS_HELP);

impl raw::HasContent for VarBytesResult {
    const NUMBER: usize = 0;
    type Content = Guarded<Content>;

    fn content(&self) -> &Guarded<Content> {
        &self.content
    }
}

impl raw::HasPool for VarBytesResult {
    type State = Content;

    fn pool() -> &'static raw::Pool<Self> {
        static POOL: raw::Pool<VarBytesResult> = raw::Pool::new();
        &POOL
    }
}

impl raw::State for Content {
    fn empty(&mut self) -> LazyVariant {
        let Self { value, spare, bytes_used, losses, can_continue, error, ok } = self;
        // What was a short array when the call returned. Its size is not read: another thread can change it if a script has it.
        if raw::is_reusable(value) && *bytes_used <= signed(STACK) {
            std::mem::swap(value, spare);
        }
        (*bytes_used, *losses, *can_continue, *error, *ok) = (0, Vec::new(), false, None, false);
        scalar::nil().replace(value)
    }

    fn value(&self) -> &Variant {
        &self.value
    }

    fn succeeded(&self) -> bool {
        self.ok
    }
}

impl raw::ReusedResult for VarBytesResult {
    type Options = VarBytesOptions;
    type Buffer = StackSink;
    type Outcome = Result<Outcome, VarBytesError>;
    const PROPERTIES: &'static [raw::Property<Content>] = PROPERTIES;

    #[inline(always)]
    fn reads_fast(options: &ObjectArgument<VarBytesOptions>, packet: &[u8]) -> bool {
        reads_fast(options, packet)
    }

    #[inline(always)]
    fn decode_fast(
        bytes: &PackedByteArray,
        options: &ObjectArgument<VarBytesOptions>,
        used: &mut usize,
    ) -> Option<NewValue> {
        read_fast(options, Packet::whole(bytes), used)
    }

    #[inline(always)]
    fn decode(bytes: &PackedByteArray, options: &ObjectArgument<VarBytesOptions>) -> Called<'static, Self::Outcome> {
        match read_value(options, after_fast(options, Packet::whole(bytes))) {
            Ok((value, used)) => Called::Succeeded(value, used),
            Err(other) => Called::Other(other.map_err(|error| explained(options, raw::bytes(bytes), error))),
        }
    }

    #[inline(always)]
    fn encode<'b>(
        value: &Variant,
        options: &ObjectArgument<VarBytesOptions>,
        buffer: &'b mut StackSink,
    ) -> Called<'b, Self::Outcome> {
        let mut bytes = LazyVariant::new(scalar::null());
        match put_small(options, value, &mut bytes, buffer) {
            Ok(Written::InBuffer) => Called::Wrote(buffer.bytes().unwrap_or_default()),
            Ok(Written::InArray(length)) => {
                Called::Succeeded(std::mem::replace(&mut *bytes, scalar::null()).into(), length)
            }
            Err(other) => Called::Other(other),
        }
    }

    fn try_decode(bytes: &PackedByteArray, options: &ObjectArgument<VarBytesOptions>) -> Option<NewValue> {
        match read_value(options, after_fast(options, Packet::whole(bytes))) {
            Ok((value, _)) => Some(value),
            Err(other) => other.ok().map(|outcome| outcome.value.into()),
        }
    }

    #[inline(always)]
    fn try_encode(value: &Variant, options: &ObjectArgument<VarBytesOptions>, out: &mut Variant) {
        if let Err(other) = put_value(options, value, out) {
            *out = other.map_or_else(|_| PackedByteArray::new().to_variant(), |outcome| outcome.value);
        }
    }

    fn report_misplaced_options(method: &str) {
        report(&format!("{method}: the options were passed as the fallback: pass the fallback before them"));
    }

    fn can_run_scripts(options: &ObjectArgument<VarBytesOptions>) -> bool {
        can_run_scripts(options)
    }

    fn with_content(content: Box<Guarded<Content>>) -> Gd<Self> {
        Gd::from_object(Self { content })
    }

    // Inlined, so that the old value is not moved.
    #[inline(always)]
    fn succeed(content: &mut Content, value: NewValue, length: usize) -> LazyVariant {
        let Content { value: old, spare, bytes_used, losses, can_continue, error, ok } = content;
        if raw::is_reusable(spare) {
            drop_if_long(spare);
        }
        (*bytes_used, *losses, *can_continue, *error, *ok) = (signed(length), Vec::new(), true, None, true);
        value.replace(old)
    }

    #[inline(always)]
    fn succeed_with_bytes(content: &mut Content, bytes: &[u8]) -> LazyVariant {
        let Content { value, spare, bytes_used, losses, can_continue, error, ok } = content;
        (*bytes_used, *losses, *can_continue, *error, *ok) = (signed(bytes.len()), Vec::new(), true, None, true);
        if raw::overwrite(value, bytes) {
            return LazyVariant::new(scalar::null());
        }
        let new = if raw::overwrite(spare, bytes) {
            std::mem::replace(spare, scalar::null()).into()
        } else {
            raw::packed(bytes.len(), |target| target.copy_from_slice(bytes))
        };
        new.replace(value)
    }

    #[inline(always)]
    fn succeed_with_numbers(content: &mut Content, numbers: &WireNumbers<'_>) -> LazyVariant {
        let Content { value, spare, bytes_used, losses, can_continue, error, ok } = content;
        if raw::is_reusable(spare) {
            drop_if_long(spare);
        }
        (*bytes_used, *losses, *can_continue, *error, *ok) = (signed(numbers.length()), Vec::new(), true, None, true);
        numbers.replace(value)
    }

    #[inline(always)]
    fn succeed_with_packed(content: &mut Content, packed: &PackedNumbers<'_>) -> LazyVariant {
        let Content { value, spare, bytes_used, losses, can_continue, error, ok } = content;
        (*bytes_used, *losses, *can_continue, *error, *ok) = (signed(packed.length), Vec::new(), true, None, true);
        if packed.overwrite(value) {
            return LazyVariant::new(scalar::null());
        }
        let new = if packed.overwrite(spare) {
            Some(std::mem::replace(spare, scalar::null()).into())
        } else {
            packed.create()
        };
        let Some(new) = new else {
            (*bytes_used, *can_continue, *error, *ok) = (0, false, Some(VarBytesError::out_of_memory()), false);
            return scalar::nil().replace(value);
        };
        new.replace(value)
    }
}

/// Frees an array of bytes that a script has made longer since it was kept, if no script has it any more.
#[inline(never)]
fn drop_if_long(spare: &mut Variant) {
    if raw::size_of_own_bytes(spare).is_some_and(|size| size > STACK) {
        *spare = scalar::null();
    }
}

impl VarBytesResult {
    /// Returns the result of a call.
    pub(crate) fn of<E>(result: Result<Outcome, E>) -> Gd<Self>
    where
        Content: From<Result<Outcome, E>>,
    {
        Self::new_variant(result).to()
    }

    /// Returns the result of a call, without the checks of the bindings.
    pub(crate) fn new_variant<E>(result: Result<Outcome, E>) -> Variant
    where
        Content: From<Result<Outcome, E>>,
    {
        raw::new_result::<Self>(Content::from(result))
    }

    fn read<T>(&self, what: impl FnOnce(&Content) -> T) -> T {
        what(&self.content.lock())
    }

    /// Registers the properties, and the methods that read or write into a result, and those of `class` that need none or
    /// return a new one.
    pub(crate) fn register_members(class: ClassId) {
        raw::register_properties::<Self>();
        raw::register_result_methods::<Self>(class);
    }

    /// Registers the kinds of errors as an enum of the class.
    pub(crate) fn register_error_kinds() {
        use godot::obj::GodotClass;
        use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};
        let enumerators = KINDS.iter().map(|(name, kind)| IntegerConstant::new(name, *kind as i64)).collect();
        let kind = ConstantKind::Enum { name: "ErrorKind".into(), enumerators };
        ExportConstant::new(Self::class_id(), kind).register();
    }
}
