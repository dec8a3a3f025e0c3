//! The class `VarBytesResult`.

use godot::global::type_string;
use godot::prelude::*;

use crate::failure::{ErrorKind, Failure, KINDS};
use crate::file::RecordFailure;

/// What [VarBytes] gives back: a value, or why there is none.
///
/// [code]null[/code] is a value like any other: ask [member ok], not [member value], whether it worked.
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
    /// The value that was read, or the bytes that were written as a [PackedByteArray]; [code]null[/code] after an error.
    #[var(no_set)]
    pub value: Variant,
    /// Whether it worked.
    #[var(no_set)]
    pub ok: bool,
    /// How many bytes the value takes, all of its padding counted; 0 after an error.
    #[var(no_set)]
    pub bytes_used: i64,
    /// What went wrong: what a script branches on. [constant NONE] where nothing did.
    // Through a getter of our own: of the one that the bindings make, the engine learns no more than `int`.
    #[var(get = get_error, no_set)]
    pub error: ErrorKind,
    /// The exact fault, as a name in lower case such as [code]"count_exceeds_input"[/code]; empty where there is none.
    #[var(no_set)]
    pub fault: GString,
    /// What went wrong, for people; empty where nothing did. It has at most 500 characters, and what comes from the bytes
    /// is escaped in it: control characters, line ends and marks of direction stand as [code]\u{1b}[/code].
    #[var(no_set)]
    pub message: GString,
    /// Where in the bytes the field at fault begins; -1 where nothing went wrong, or nothing was read, or where bytes of
    /// another engine are good and it is this engine that refuses what they hold.
    #[var(no_set)]
    #[init(val = -1)]
    pub offset: i64,
    /// Whether the next record of a file or stream can be read after this one: [code]true[/code] where the record was
    /// whole, even if its value could not be read; [code]false[/code] where its length is invalid or too great, or where
    /// bytes are missing. Where nothing was read from a file or stream, the same as [member ok].
    #[var(no_set)]
    pub can_continue: bool,
    /// The part of the value at fault, such as [code]$["players"][3].position[/code]; empty where there is none. It is
    /// escaped as [member message] is, and whole: deep in a value it can be long.
    #[var(no_set)]
    pub path: GString,
    /// What is not there as it was, where [member VarBytesOptions.engine] names another engine: a line for each part
    /// with its path, what became of it, and why, at most 500 characters each. Beyond 1000 of them the others
    /// are counted, a line for each kind. Empty where everything was carried over exactly, and always where no
    /// engine is named.
    #[var(get = get_losses, no_set)]
    losses: PhantomVar<PackedStringArray>,
    /// The same. The engine's array is made when it is asked for: most results have none.
    lost: Vec<String>,
    base: Base<RefCounted>,
}

/// What there is where it worked.
pub(crate) struct Outcome {
    pub(crate) value: Variant,
    pub(crate) used: usize,
    pub(crate) losses: Vec<String>,
}

impl From<(Variant, usize)> for Outcome {
    fn from((value, used): (Variant, usize)) -> Self {
        Self { value, used, losses: Vec::new() }
    }
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

    /// Whether it worked, as the engine's own error codes: [constant @GlobalScope.OK],
    /// [constant @GlobalScope.ERR_FILE_EOF] for truncated bytes, [constant @GlobalScope.ERR_INVALID_DATA] for malformed
    /// ones, [constant @GlobalScope.ERR_UNAUTHORIZED] for what is not allowed, [constant @GlobalScope.ERR_OUT_OF_MEMORY]
    /// for a limit, [constant @GlobalScope.ERR_UNAVAILABLE] for what this engine lacks or no
    /// engine is known as, [constant @GlobalScope.ERR_FILE_CANT_READ] for a file or stream that failed, and
    /// [constant @GlobalScope.ERR_INVALID_PARAMETER] for an invalid argument or option.
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

/// What the editor's help says of the kinds of errors.
#[cfg(feature = "editor-help")]
const KINDS_HELP: &str = r#"
<constant name="NONE" value="0" enum="ErrorKind">No error: the value is there, even where it is [code]null[/code].</constant>
<constant name="TRUNCATED" value="1" enum="ErrorKind">The bytes end too early; more of them might make it right.</constant>
<constant name="MALFORMED" value="2" enum="ErrorKind">The bytes are not what an engine writes or reads.</constant>
<constant name="NOT_ALLOWED" value="3" enum="ErrorKind">The bytes or the value hold an object, class, property or script that the options do not allow.</constant>
<constant name="LIMIT" value="4" enum="ErrorKind">A limit of the options or of the engine was reached.</constant>
<constant name="UNSUPPORTED" value="5" enum="ErrorKind">The engine has no such type or container, or there is no engine of the name in [member VarBytesOptions.engine].</constant>
<constant name="STREAM" value="6" enum="ErrorKind">A file or stream could not be read or written.</constant>
<constant name="INVALID_ARGUMENT" value="7" enum="ErrorKind">An argument or an option makes no sense, such as an offset outside of the bytes: the calling script is at fault, not the bytes.</constant>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesResult, constants_xml: KINDS_HELP);

impl VarBytesResult {
    /// The result of something that worked or did not.
    pub(crate) fn of(result: Result<Outcome, Failure>) -> Gd<Self> {
        Gd::from_init_fn(|base| match result {
            Ok(Outcome { value, used, losses }) => Self {
                value,
                ok: true,
                can_continue: true,
                bytes_used: i64::try_from(used).unwrap_or(i64::MAX),
                error: ErrorKind::None,
                fault: GString::new(),
                message: GString::new(),
                offset: -1,
                path: GString::new(),
                losses: PhantomVar::default(),
                lost: losses,
                base,
            },
            Err(failure) => Self {
                value: Variant::nil(),
                ok: false,
                can_continue: false,
                bytes_used: 0,
                error: failure.kind,
                fault: GString::from(failure.name),
                message: failure.message(),
                offset: failure.offset,
                path: GString::from(failure.path.as_str()),
                losses: PhantomVar::default(),
                lost: Vec::new(),
                base,
            },
        })
    }

    /// The result of reading a record.
    pub(crate) fn of_record(result: Result<Outcome, RecordFailure>) -> Gd<Self> {
        let (result, can_continue) = match result {
            Ok(outcome) => (Ok(outcome), true),
            Err(RecordFailure { failure, can_continue }) => (Err(failure), can_continue),
        };
        let mut result = Self::of(result);
        if can_continue {
            result.bind_mut().can_continue = true;
        }
        result
    }

    /// Registers the kinds of errors as an enum of the class, with their part of the editor's help.
    pub(crate) fn register_error_kinds() {
        use godot::obj::GodotClass;
        use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};
        let enumerators = KINDS.iter().map(|(name, kind)| IntegerConstant::new(name, *kind as i64)).collect();
        let kind = ConstantKind::Enum { name: "ErrorKind".into(), enumerators };
        ExportConstant::new(Self::class_id(), kind).register();
    }
}
