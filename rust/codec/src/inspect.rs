//! Shows a packet as annotated text: offset, bytes, meaning.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

use crate::build::builder::{Builder, DuplicateKeys};
use crate::build::leaf::Leaf;
use crate::coerce::EngineBuild;
use crate::escape::{PATH_LENGTH, beginning, shortened};
use crate::variant::{ContainerType, Image, Reals, Text};
use crate::{DecodeError, DecodeErrorKind, Decoded, Decoder, MemberCoercion, Variant, VariantType, work};

/// Bytes shown in a line. Longer parts are cut.
const BYTES_SHOWN: usize = 16;

/// Levels of nesting that are shown by one mark each.
const DEPTH_SHOWN: usize = 48;

/// Characters of a meaning that are shown. With offset, bytes and depth marks, a line stays below 300 characters.
const TEXT_SHOWN: usize = 100;

/// Describes each part of `bytes` on a line of its own, as `decoder` reads it.
///
/// The text shows the wire, not the result: a duplicate key appears twice, and a member that a typed container drops
/// appears too. If the bytes cannot be decoded, the last line is the error.
///
/// ```
/// use varbytes::{Decoder, inspect};
///
/// let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0];
/// assert_eq!(inspect(&Decoder::new(), &bytes), "\
/// 00000000  1c000000 02000000                    Array of 2
/// 00000008  02000000 07000000                    . int 7
/// 00000014  needs 4 bytes, 0 are left, path $[1]
/// ");
/// ```
#[must_use]
pub fn inspect(decoder: &Decoder, bytes: &[u8]) -> String {
    let mut text = String::new();
    // The text contains the error.
    let _ = inspect_to(decoder, bytes, &mut text);
    text
}

/// Writes the same text as [`inspect`] while reading, and returns the result of reading. Writing stops if `output`
/// fails.
///
/// ```
/// use varbytes::{Decoder, inspect_to};
///
/// let mut text = String::new();
/// let inspected = inspect_to(&Decoder::new(), &[2, 0, 0, 0, 7, 0, 0, 0], &mut text)?;
/// assert_eq!(text, "00000000  02000000 07000000                    int 7\n");
/// assert_eq!(inspected.consumed, 8);
/// # Ok::<(), varbytes::DecodeError>(())
/// ```
///
/// # Errors
/// The same as [`Decoder::decode`]. The text then contains all lines up to the fault, and the error as its last line.
pub fn inspect_to(decoder: &Decoder, bytes: &[u8], output: &mut impl Write) -> Result<Decoded<()>, DecodeError> {
    let mut builder = InspectBuilder::new(bytes, output);
    let mut outcome = decoder.decode_prefix_with(bytes, &mut builder);
    if outcome.as_ref().is_err_and(DecodeError::needs_tree) {
        // Strict decoding checks for duplicate keys. If there are none, reading continues after the lines already
        // written.
        outcome = match decoder.decode_prefix(bytes) {
            Err(error) => Err(error),
            Ok(_) => {
                let InspectBuilder { output, has_failed, lines: skipped, .. } = builder;
                builder = InspectBuilder { has_failed, skipped, ..InspectBuilder::new(bytes, output) };
                decoder.engine_exact().decode_prefix_with(bytes, &mut builder)
            }
        };
    }
    let outcome = outcome.and_then(|decoded| decoder.refuse_trailing(bytes, decoded));
    match &outcome {
        Ok(decoded) if decoded.used > bytes.len() => {
            builder.write_line(format_args!("{:08x}  padding is missing, which is accepted here", bytes.len()));
        }
        Ok(Decoded { consumed, .. }) if *consumed < bytes.len() => {
            let count = bytes.len() - consumed;
            builder.write_line(format_args!("{consumed:08x}  {count} bytes follow, which are ignored"));
        }
        Ok(_) => {}
        Err(error) => {
            let path = shortened(error.path(), PATH_LENGTH);
            builder.write_line(format_args!("{:08x}  {}, path {path}", error.offset(), error.kind()));
        }
    }
    outcome
}

/// Writes a line for each part as it is read.
struct InspectBuilder<'i, W> {
    bytes: &'i [u8],
    output: &'i mut W,
    has_failed: bool,
    /// The number of lines so far. The first `skipped` ones are not written.
    lines: usize,
    skipped: usize,
    /// The meaning of the part being read. Its bytes are known when it has been read.
    meaning: String,
    depth: usize,
    /// The number of containers opened by the part being read. Its own line is not indented by them.
    opened: usize,
}

impl<'i, W: Write> InspectBuilder<'i, W> {
    const fn new(bytes: &'i [u8], output: &'i mut W) -> Self {
        Self { bytes, output, has_failed: false, lines: 0, skipped: 0, meaning: String::new(), depth: 0, opened: 0 }
    }

    fn write_line(&mut self, line: fmt::Arguments<'_>) {
        self.lines += 1;
        if self.lines > self.skipped && !self.has_failed {
            self.has_failed = writeln!(self.output, "{line}").is_err();
        }
    }

    /// Sets the meaning of the part being read, escaped and cut.
    fn mean(&mut self, meaning: fmt::Arguments<'_>) {
        self.meaning = beginning(meaning, TEXT_SHOWN);
    }

    fn open(&mut self, meaning: fmt::Arguments<'_>) {
        self.mean(meaning);
        self.depth += 1;
        self.opened = 1;
    }
}

fn type_name(container_type: &ContainerType) -> String {
    match container_type {
        ContainerType::Builtin(builtin) => format!("{builtin}"),
        ContainerType::Class(class) => class.clone(),
        ContainerType::Script(path) => path.clone(),
        ContainerType::Unknown(number) => format!("unknown type {number}"),
    }
}

impl<'a, W: Write> Builder<'a> for InspectBuilder<'_, W> {
    type Value = ();
    type Array = ();
    type Dictionary = ();
    type Object = ();
    type Strings = ();

    // The text shows the wire, not the result.
    const DUPLICATE_KEYS: DuplicateKeys = DuplicateKeys::Ignored;
    const FAST_PATH: bool = false;
    const WANTS_SPANS: bool = true;

    fn span(&mut self, start: usize, end: usize) {
        let held = self.bytes.get(start..end.min(self.bytes.len())).unwrap_or_default();
        let shown = &held[..held.len().min(BYTES_SHOWN)];
        let mut hex = String::new();
        for (index, byte) in shown.iter().enumerate() {
            let gap = if index > 0 && index % 4 == 0 { " " } else { "" };
            let _ = write!(hex, "{gap}{byte:02x}");
        }
        if shown.len() < held.len() {
            hex.push('…');
        }
        let depth = self.depth - self.opened;
        let indent = if depth > DEPTH_SHOWN { format!(".. {depth} .. ") } else { ". ".repeat(depth) };
        work::add_bytes(hex.len() + indent.len() + self.meaning.len());
        let whole = core::mem::take(&mut self.meaning);
        let meaning = whole.trim_end();
        let cut = meaning.char_indices().nth(TEXT_SHOWN).map(|(end, _)| end);
        // The meaning may already end with a `…`.
        let (meaning, rest) = cut.map_or((meaning, ""), |end| (&meaning[..end], "…"));
        self.write_line(format_args!("{start:08x}  {hex:<36} {indent}{meaning}{rest}"));
        self.meaning = whole;
        self.opened = 0;
    }

    fn leaf(&mut self, leaf: Leaf<'_, 'a>) {
        let name = leaf.variant_type();
        match leaf {
            Leaf::String(text) | Leaf::StringName(text) => self.mean(format_args!("{name} {text:?}")),
            Leaf::OwnedText(_, text) => self.mean(format_args!("{name} {text:?}")),
            Leaf::Reals(_, Reals::Single(components)) => self.mean(format_args!("{name} {components:?}")),
            Leaf::Reals(_, Reals::Double(components)) => {
                self.mean(format_args!("{name} {components:?} in 8 bytes each"));
            }
            Leaf::Integers(_, components) => self.mean(format_args!("{name} {components:?}")),
            Leaf::Color(components) => self.mean(format_args!("{name} {components:?}")),
            Leaf::Nil | Leaf::Callable => self.mean(format_args!("{name}")),
            Leaf::NullObject => self.mean(format_args!("{name} null")),
            Leaf::ObjectId(id) => self.mean(format_args!("{name} known by its id {id}")),
            Leaf::RID(id) => self.mean(format_args!("{name} {id}")),
            Leaf::Signal { name: signal, object_id } => {
                self.mean(format_args!("{name} {signal:?} of object {object_id}"));
            }
            Leaf::PackedBytes(bytes) => self.mean(format_args!("{name} of {}", bytes.len())),
            Leaf::PackedNumbers(numbers) => self.mean(format_args!("{name} of {}", numbers.len())),
            Leaf::Image(Image { format, mipmaps, width, height, data }) => self.mean(format_args!(
                "{name} of {width} by {height}, format {format}, {mipmaps} mip maps, {} bytes",
                data.len()
            )),
            Leaf::InputEvent(event) => self.mean(format_args!("{name} of device {}: {:?}", event.device, event.kind)),
            other => match other.into_variant() {
                Variant::NodePath(path) => self.mean(format_args!("{name} {path}")),
                value => self.mean(format_args!("{name} {value:?}")),
            },
        }
    }

    fn begin_strings(&mut self, count: usize) {
        self.mean(format_args!("PackedStringArray of {count}"));
    }

    fn push_string(&mut self, (): &mut (), text: &'a str) {
        if self.meaning.len() < TEXT_SHOWN {
            self.meaning.push_str(&beginning(format_args!(" {text:?}"), TEXT_SHOWN));
        }
    }

    fn push_owned_string(&mut self, (): &mut (), text: &Text) {
        if self.meaning.len() < TEXT_SHOWN {
            self.meaning.push_str(&beginning(format_args!(" {text:?}"), TEXT_SHOWN));
        }
    }

    fn end_strings(&mut self, (): ()) {}

    fn begin_array(&mut self, count: usize, element_type: Option<ContainerType>) -> Result<(), DecodeErrorKind> {
        let named = element_type.map_or(String::new(), |element_type| format!("[{}]", type_name(&element_type)));
        self.open(format_args!("Array{named} of {count}"));
        Ok(())
    }

    fn begin_typed_array(
        &mut self,
        variant_type: VariantType,
        count: usize,
        element_type: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        let named = element_type.as_ref().map_or("Nil".into(), type_name);
        self.open(format_args!("{variant_type}[{named}] of {count}"));
        Ok(())
    }

    fn push_element(&mut self, (): &mut (), (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_array(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.depth -= 1;
        Ok(())
    }

    fn begin_dictionary(
        &mut self,
        count: usize,
        key_type: Option<ContainerType>,
        value_type: Option<ContainerType>,
    ) -> Result<(), DecodeErrorKind> {
        let name = |named: &Option<ContainerType>| named.as_ref().map_or("Variant".into(), type_name);
        let is_typed = key_type.is_some() || value_type.is_some();
        let named = if is_typed { format!("[{}, {}]", name(&key_type), name(&value_type)) } else { String::new() };
        self.open(format_args!("Dictionary{named} of {count}"));
        Ok(())
    }

    fn push_entry(&mut self, (): &mut (), (): (), (): (), _: Option<usize>) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_dictionary(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.depth -= 1;
        Ok(())
    }

    fn begin_object(&mut self, class: &'a str, count: usize) -> Result<(), DecodeErrorKind> {
        self.open(format_args!("Object of class {class} with {count} properties"));
        Ok(())
    }

    fn begin_property(&mut self, (): &mut (), name: &'a str) -> Result<(), DecodeErrorKind> {
        self.mean(format_args!("property {name:?}"));
        Ok(())
    }

    fn push_property(&mut self, (): &mut (), _: &'a str, (): ()) -> Result<(), DecodeErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, (): ()) -> Result<(), DecodeErrorKind> {
        self.depth -= 1;
        Ok(())
    }

    fn coerce(&mut self, (): (), _: VariantType, _: MemberCoercion, _: EngineBuild) -> Result<(), DecodeErrorKind> {
        Ok(())
    }
}
