//! The class `VarBytesResult`.

use godot::global::type_string;
use godot::meta::ClassId;
use godot::prelude::*;

use crate::error::{ErrorKind, KINDS, RecordError, VarBytesError};
use crate::options::VarBytesOptions;
use crate::options_arg::{read_late, write_late};
use crate::outcome::{Outcome, Packet};
use crate::raw::{self, ObjectArgument};

/// The result of a call of [VarBytes] or [VarBytesFile]: a value, or an error.
///
/// Check [member ok] to find out whether the call succeeded. [member value] can be [code]null[/code] after a success as well.
/// ```gdscript
/// var result := VarBytes.decode(packet)
/// if result.ok:
///     use(result.value)
/// elif result.error == VarBytesResult.TRUNCATED:
///     wait_for_more()
/// else:
///     push_warning(result.message)
/// ```
#[derive(GodotClass)]
#[class(init, base = RefCounted, tool)]
pub struct VarBytesResult {
    /// The value that was read, or a [PackedByteArray] with the bytes that were written. [code]null[/code] after an error.
    /// ```gdscript
    /// var result := VarBytes.decode(VarBytes.var_to_bytes([1, 2]))
    /// print(result.value) # Prints [1, 2]
    /// ```
    #[var(no_set)]
    pub value: Variant,
    /// If [code]true[/code], the call succeeded.
    /// ```gdscript
    /// print(VarBytes.encode(null).ok) # Prints true
    /// print(VarBytes.decode([99, 0, 0, 0]).ok) # Prints false
    /// ```
    #[var(no_set)]
    pub ok: bool,
    /// The number of bytes that the value takes, including padding; 0 after an error.
    /// ```gdscript
    /// # Two values, one after the other.
    /// var bytes := VarBytes.var_to_bytes(1) + VarBytes.var_to_bytes("two")
    /// var options := VarBytesOptions.new()
    /// options.offset = VarBytes.decode(bytes).bytes_used
    /// print(VarBytes.decode(bytes, options).value) # Prints two
    /// ```
    #[var(no_set)]
    pub bytes_used: i64,
    /// The kind of error, or [constant NONE] after a success.
    /// ```gdscript
    /// var result := VarBytes.decode(PackedByteArray())
    /// print(result.error == VarBytesResult.TRUNCATED) # Prints true
    /// ```
    // Has its own getter: the one that the bindings generate is declared as `int`.
    #[var(get = get_error, no_set)]
    pub error: ErrorKind,
    /// The name of the exact error, such as [code]"count_exceeds_input"[/code]. Empty after a success.
    /// ```gdscript
    /// print(VarBytes.decode([99, 0, 0, 0]).fault) # Prints unknown_type
    /// ```
    #[var(no_set)]
    pub fault: GString,
    /// The error message. Empty after a success. It has at most 500 characters. Text from the bytes is escaped: control
    /// characters, line breaks and text direction marks are shown as [code]\u{1b}[/code].
    /// ```gdscript
    /// var result := VarBytes.decode([99, 0, 0, 0])
    /// print(result.message) # Prints type 99 does not exist in this engine version, at offset 0, path $
    /// ```
    #[var(no_set)]
    pub message: GString,
    /// The position of the error in the bytes. -1 after a success, after an error that is not about bytes, and if the bytes
    /// of another engine are valid but this engine refuses the value in them.
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes([1, 2])
    /// bytes[16] = 99
    /// print(VarBytes.decode(bytes).offset) # Prints 16
    /// ```
    #[var(no_set)]
    #[init(val = -1)]
    pub offset: i64,
    /// If [code]true[/code], the next record of the file or stream can be read. This is the case after every complete
    /// record, even if its value could not be read. [code]false[/code] if the length of the record is invalid or too large,
    /// or if bytes are missing. For calls that do not read records, the same as [member ok].
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// while file.has_next():
    ///     var record := file.next()
    ///     if record.ok:
    ///         use(record.value)
    ///     elif not record.can_continue:
    ///         break
    /// ```
    #[var(no_set)]
    pub can_continue: bool,
    /// The part of the value that caused the error, such as [code]$["players"][3].position[/code]. Empty after a success.
    /// Escaped as in [member message], but never shortened, so it can be long.
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes({"players": [{"name": "Ann"}]})
    /// print(VarBytes.decode(bytes.slice(0, -4)).path) # Prints $["players"][0]["name"]
    /// ```
    #[var(no_set)]
    pub path: GString,
    /// The parts of the value that could not be converted exactly from or to [member VarBytesOptions.engine]. Each line
    /// names one part by its path and says what it became and why, in at most 500 characters. After 1000 lines, the rest are
    /// counted, with one line for each kind. Empty if everything was converted exactly or no engine is named.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.engine = "godot-3.6"
    /// for loss in VarBytes.encode([&"lamp"], options).losses:
    ///     print(loss)
    /// # Prints $[0]: StringName becomes String: this engine version has no such type
    /// ```
    #[var(get = get_losses, no_set)]
    losses: PhantomVar<PackedStringArray>,
    /// The content of `losses`. The engine's array is created when a script reads it: most results have no losses.
    lost: Vec<String>,
    base: Base<RefCounted>,
}

#[godot_api]
impl IRefCounted for VarBytesResult {
    fn to_string(&self) -> GString {
        let shown = if self.ok {
            let kind = type_string(i64::from(self.value.get_type().ord()));
            format!("<VarBytesResult: ok, {kind}, {} bytes>", self.bytes_used)
        } else {
            let kind = KINDS.iter().find(|(_, kind)| *kind == self.error).map_or("", |(name, _)| name);
            format!("<VarBytesResult: {kind}, {}>", self.message)
        };
        GString::from(shown.as_str())
    }
}

#[godot_api]
impl VarBytesResult {
    /// See [member error].
    #[func]
    pub fn get_error(&self) -> ErrorKind {
        self.error
    }

    /// See [member losses].
    #[func]
    pub fn get_losses(&self) -> PackedStringArray {
        self.lost.iter().map(GString::from).collect()
    }

    /// Returns [member error] as one of the engine's error codes: [constant @GlobalScope.OK] for [constant NONE],
    /// [constant @GlobalScope.ERR_FILE_EOF] for [constant TRUNCATED], [constant @GlobalScope.ERR_INVALID_DATA] for
    /// [constant MALFORMED], [constant @GlobalScope.ERR_UNAUTHORIZED] for [constant NOT_ALLOWED],
    /// [constant @GlobalScope.ERR_OUT_OF_MEMORY] for [constant LIMIT], [constant @GlobalScope.ERR_UNAVAILABLE] for
    /// [constant UNSUPPORTED], [constant @GlobalScope.ERR_FILE_CANT_READ] for [constant STREAM], and
    /// [constant @GlobalScope.ERR_INVALID_PARAMETER] for [constant INVALID_ARGUMENT].
    /// ```gdscript
    /// if VarBytes.decode(packet).to_error() == ERR_FILE_EOF:
    ///     wait_for_more()
    /// ```
    #[func]
    pub fn to_error(&self) -> godot::global::Error {
        use godot::global::Error;
        match self.error {
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

/// The editor help of the kinds of errors.
#[cfg(feature = "editor-help")]
const KINDS_HELP: &str = r#"
<constant name="NONE" value="0" enum="ErrorKind">No error: the call succeeded.</constant>
<constant name="TRUNCATED" value="1" enum="ErrorKind">The bytes end within the value. The call can succeed with more bytes.</constant>
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

impl raw::ReusedResult for VarBytesResult {
    type Options = VarBytesOptions;
    type Content = Result<Outcome, VarBytesError>;

    fn decode(bytes: &PackedByteArray, options: &ObjectArgument<VarBytesOptions>) -> Self::Content {
        read_late(options, Packet::whole(bytes))
    }

    fn encode(value: &Variant, options: &ObjectArgument<VarBytesOptions>) -> Self::Content {
        write_late(options, value).map(Outcome::from)
    }

    fn replace(&mut self, content: Self::Content) -> (bool, Variant) {
        let old = std::mem::take(&mut self.value);
        self.assign(content);
        (self.ok, old)
    }

    fn value(content: Self::Content) -> Option<Variant> {
        content.ok().map(|outcome| outcome.value)
    }
}

impl VarBytesResult {
    /// Returns the result of a call.
    pub(crate) fn of(result: Result<Outcome, VarBytesError>) -> Gd<Self> {
        let mut made = Self::new_gd();
        made.bind_mut().assign(result);
        made
    }

    /// Registers the methods that read or write into a result, and those of `class` that need none.
    pub(crate) fn register_methods(class: ClassId) {
        raw::register_result_methods::<Self>(class);
    }

    fn assign(&mut self, result: Result<Outcome, VarBytesError>) {
        let was_error = self.error != ErrorKind::None;
        self.ok = result.is_ok();
        self.can_continue = self.ok;
        match result {
            Ok(Outcome { value, used, losses }) => {
                self.value = value;
                self.bytes_used = i64::try_from(used).unwrap_or(i64::MAX);
                self.lost = losses;
                if was_error {
                    self.error = ErrorKind::None;
                    self.offset = -1;
                    self.fault = GString::new();
                    self.message = GString::new();
                    self.path = GString::new();
                }
            }
            Err(error) => {
                self.value = Variant::nil();
                self.bytes_used = 0;
                self.lost = Vec::new();
                self.error = error.kind;
                self.offset = error.offset;
                self.fault = GString::from(error.name);
                self.message = error.message();
                self.path = GString::from(error.path.as_str());
            }
        }
    }

    /// Returns the result of reading a record.
    pub(crate) fn of_record(result: Result<Outcome, RecordError>) -> Gd<Self> {
        let (result, can_continue) = match result {
            Ok(outcome) => (Ok(outcome), true),
            Err(RecordError { error, can_continue }) => (Err(error), can_continue),
        };
        let mut result = Self::of(result);
        if can_continue {
            result.bind_mut().can_continue = true;
        }
        result
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
