//! Reads values from tagged JSON.

use alloc::string::{String, ToString};
use alloc::{borrow::ToOwned, format, vec::Vec};
use core::fmt;

use json_event_parser::JsonSyntaxError;

use super::leaf::leaf;
use super::tape::{Fault, Json, Members, Part, parse};
use crate::escape::{PATH_LENGTH, REASON_LENGTH, shortened};
use crate::path::{Path, Step};
use crate::variant::{Array, ContainerType, Dictionary, Object, ObjectData, in_pairs};
use crate::variant_type::{Number, Shape};
use crate::{Variant, VariantType};

/// Why text is not valid tagged JSON.
///
/// ```
/// use varbytes::tagged_json;
///
/// let error = tagged_json::from_str(r#"{"type":"Array","value":[{"type":"text"}]}"#).unwrap_err();
/// assert_eq!((error.path().to_string().as_str(), error.offset()), ("$[0]", None));
/// assert_eq!(error.to_string(), format!("{}, path $[0]", error.message()));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    offset: Option<usize>,
    /// The line and the column, in characters, if the error is not in the first line.
    line: Option<(usize, usize)>,
    path: Path,
}

impl Error {
    fn new(message: &str, path: Path) -> Self {
        Self { message: shortened(message, REASON_LENGTH).to_string(), offset: None, line: None, path }
    }

    fn in_text(message: &str, text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map(|end| end + 1);
        let line = line_start.map(|start| {
            let lines = before.iter().filter(|byte| **byte == b'\n').count();
            // Without the bytes that continue a character.
            let columns = before[start..].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
            (lines + 1, columns + 1)
        });
        Self { offset: Some(offset), line, ..Self::new(message, Path::default()) }
    }

    /// Returns the byte offset of the error in the text, if the text is not valid JSON.
    ///
    /// [`Error`] has an example.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Returns the path to the part of the value at fault.
    ///
    /// [`Error`] has an example.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what is wrong, without the location, escaped and in at most 200 characters.
    ///
    /// [`Error`] has an example.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match (self.offset, self.line) {
            (Some(offset), Some((line, column))) => {
                write!(formatter, ", at byte {offset} of the text, line {line}, column {column}")
            }
            (Some(offset), None) => write!(formatter, ", at byte {offset} of the text"),
            (None, _) => write!(formatter, ", path {}", shortened(&self.path, PATH_LENGTH)),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Error({self})")
    }
}

impl core::error::Error for Error {}

/// Reads a value from tagged JSON.
///
/// ```
/// let value = varbytes::tagged_json::from_str(r#"{"type":"int","value":"7"}"#)?;
/// assert_eq!(value, 7);
/// # Ok::<(), varbytes::tagged_json::Error>(())
/// ```
///
/// # Errors
/// Returns an [`Error`] if the text is not JSON or not tagged JSON.
pub fn from_str(text: &str) -> Result<Variant, Error> {
    from_slice(text.as_bytes())
}

/// Reads a value from tagged JSON in UTF-8.
///
/// ```
/// let value = varbytes::tagged_json::from_slice(br#"{"type":"int","value":"7"}"#)?;
/// assert_eq!(value, 7);
/// # Ok::<(), varbytes::tagged_json::Error>(())
/// ```
///
/// # Errors
/// The same as [`from_str`]; also if the bytes are not UTF-8.
pub fn from_slice(text: &[u8]) -> Result<Variant, Error> {
    let tape = parse(text).map_err(|error| {
        let (error, base) = error_in_string(text, &error).unwrap_or((error, 0));
        Error::in_text(&format!("not JSON: {}", error.message()), text, base + offset(&error))
    })?;
    let mut open = Vec::new();
    let value = read(Json { tape: &tape, position: 0 }, &mut open);
    value.map_err(|message| Error::new(&message, open.iter().map(Open::step).collect()))
}

fn offset(error: &JsonSyntaxError) -> usize {
    usize::try_from(error.location().start.offset).unwrap_or(usize::MAX)
}

/// Returns the error of an escape in a string for which the parser reported the end of the text, and the offset of the string:
/// it reads digits beyond the end of a string.
fn error_in_string(text: &[u8], error: &JsonSyntaxError) -> Option<(JsonSyntaxError, usize)> {
    let start = offset(error);
    let string = text.get(start..).filter(|_| error.message() == "Unexpected end of file")?;
    let has_end = string.strip_prefix(b"\"")?.contains(&b'"');
    // With as many characters as it reads, the parser comes to the end of the string and reports the escape.
    let longer = has_end.then(|| [string, b"      \""].concat())?;
    Some((parse(&longer).err()?, start))
}

/// A container whose members are being read.
struct Open<'p, 't> {
    kind: Kind,
    shared: bool,
    rest: Members<'p, 't>,
    /// The members so far; keys and values alternate.
    members: Vec<Variant>,
    /// The value of the key that was read last.
    value: Option<Json<'p, 't>>,
    /// The names of the properties so far.
    names: Vec<String>,
}

enum Kind {
    Array(VariantType, Option<ContainerType>),
    Dictionary(Option<ContainerType>, Option<ContainerType>),
    Object(String),
}

/// Reads a value without recursion. After an error, `open` has the containers around the part at fault.
fn read<'p, 't>(mut next: Json<'p, 't>, open: &mut Vec<Open<'p, 't>>) -> Result<Variant, Fault> {
    loop {
        let mut finished = read_value(next, open)?;
        next = loop {
            if let Some(value) = finished.take() {
                let Some(container) = open.last_mut() else { return Ok(value) };
                container.members.push(value);
            }
            match open.last_mut().map_or(Ok(None), Open::next_member)? {
                Some(member) => break member,
                None => finished = open.pop().map(Open::close),
            }
        };
    }
}

/// Returns the value if it contains no others, and opens a container otherwise.
fn read_value<'p, 't>(json: Json<'p, 't>, open: &mut Vec<Open<'p, 't>>) -> Result<Option<Variant>, Fault> {
    let known = ["type", "value", "element_type", "key_type", "value_type", "shared", "precision"];
    let not_tagged = |fault| format!("{fault}: in tagged JSON, each value is an object with the keys type and value");
    let fields = json.fields(&known).map_err(not_tagged)?;
    let [variant_type, value, element_type, key_type, value_type, shared, precision] = fields;
    let variant_type = type_named(variant_type.ok_or("`type` is missing")?, "`type`")?;
    let value = value.ok_or_else(|| format!("`value` of type {variant_type} is missing"))?;
    let misplaced = match variant_type {
        VariantType::Array => key_type.or(value_type),
        VariantType::TypedArray | VariantType::PackedTypedArray => key_type.or(value_type).or(shared),
        VariantType::Dictionary => element_type,
        _ => element_type.or(key_type).or(value_type).or(shared),
    };
    let has_reals = matches!(variant_type.shape(), Shape::Fixed(Number::Real, _) | Shape::Packed(Number::Real, _));
    if misplaced.or(precision.filter(|_| !has_reals)).is_some() {
        return Err(format!("{} does not have this label", variant_type.with_article()));
    }
    let members = || value.members().ok_or_else(|| format!("`value` of type {variant_type} must be a list"));
    let container_type = |json: Option<Json<'_, '_>>| json.map(container_type).transpose();
    let (rest, kind) = match variant_type {
        VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
            (members()?, Kind::Array(variant_type, container_type(element_type)?))
        }
        VariantType::Dictionary => {
            (members()?, Kind::Dictionary(container_type(key_type)?, container_type(value_type)?))
        }
        VariantType::Object if matches!(value.part(), Part::Null) => {
            return Ok(Some(Variant::Object(Object::Null)));
        }
        VariantType::Object => match value.fields(&["id", "class", "properties"])? {
            [Some(id), None, None] => return Ok(Some(Variant::Object(Object::Id(id.object_id()?)))),
            [None, Some(class), Some(properties)] => {
                let class = class.string("`class`")?.to_owned();
                (properties.members().ok_or("`properties` must be a list")?, Kind::Object(class))
            }
            _ => return Err("an Object must be null, or have `id`, or have `class` and `properties`".to_owned()),
        },
        _ => {
            let precision = precision.map(|precision| precision.string("`precision`")).transpose()?;
            return leaf(variant_type, value, precision).map(Some);
        }
    };
    let shared = match shared.map(Json::part) {
        None => false,
        Some(Part::Bool(shared)) => *shared,
        Some(_) => return Err("`shared` must be true or false".to_owned()),
    };
    open.push(Open { kind, shared, rest, members: Vec::new(), value: None, names: Vec::new() });
    Ok(None)
}

impl<'p, 't> Open<'p, 't> {
    /// Returns the next value in the container; `None` at its end.
    fn next_member(&mut self) -> Result<Option<Json<'p, 't>>, Fault> {
        if let Some(value) = self.value.take() {
            return Ok(Some(value));
        }
        let Some(member) = self.rest.next() else { return Ok(None) };
        Ok(Some(match self.kind {
            Kind::Array(..) => member,
            Kind::Dictionary(..) => {
                let pair = member.pair().ok_or("an entry of a Dictionary must be a list of a key and a value")?;
                self.value = Some(pair.1);
                pair.0
            }
            Kind::Object(_) => {
                let pair = member.pair().ok_or("a property of an Object must be a list of a name and a value")?;
                self.names.push(pair.0.string("the name of a property")?.to_owned());
                pair.1
            }
        }))
    }

    fn close(self) -> Variant {
        let Self { kind, shared, members, names, .. } = self;
        match kind {
            Kind::Array(variant_type, element_type) => {
                Variant::from_array(variant_type, Array::with_type_unchecked(element_type, members).with_shared(shared))
            }
            Kind::Dictionary(key_type, value_type) => {
                Dictionary::with_types_unchecked(key_type, value_type, in_pairs(members)).with_shared(shared).into()
            }
            Kind::Object(class) => ObjectData { class, properties: names.into_iter().zip(members).collect() }.into(),
        }
    }

    /// Returns the step to the next member.
    fn step(&self) -> Step {
        match self.kind {
            Kind::Array(..) => Step::Index(self.members.len()),
            Kind::Dictionary(..) => Step::to_entry(self.members.len(), self.members.last()),
            Kind::Object(_) => Step::Property(self.names.get(self.members.len()).cloned().unwrap_or_default()),
        }
    }
}

fn type_named(json: Json<'_, '_>, what: &str) -> Result<VariantType, Fault> {
    let name = json.string(what)?;
    VariantType::from_name(name).ok_or_else(|| {
        let similar = VariantType::ALL.iter().find(|known| known.name().eq_ignore_ascii_case(name));
        let advice = similar.map(|known| format!(": did you mean {known}?")).unwrap_or_default();
        format!("unknown type {name:?}{advice}")
    })
}

fn container_type(json: Json<'_, '_>) -> Result<ContainerType, Fault> {
    match json.fields(&["builtin", "class", "script", "unknown"])? {
        [Some(builtin), None, None, None] => type_named(builtin, "`builtin`").map(ContainerType::Builtin),
        [None, Some(class), None, None] => Ok(ContainerType::Class(class.string("`class`")?.to_owned())),
        [None, None, Some(script), None] => Ok(ContainerType::Script(script.string("`script`")?.to_owned())),
        [None, None, None, Some(number)] => number.decimal("an unsigned 32-bit integer").map(ContainerType::Unknown),
        _ => Err("a container type must have exactly one of `builtin`, `class`, `script` and `unknown`".to_owned()),
    }
}
