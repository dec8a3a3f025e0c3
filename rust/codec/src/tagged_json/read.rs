//! Reads values from tagged JSON.

use alloc::string::{String, ToString};
use alloc::{borrow::ToOwned, format, vec::Vec};
use core::fmt;

use super::leaf::{leaf, object_id};
use super::parts::{Fault, boolean, fields, string_at};
use super::tape::{Members, Part, Tape};
use crate::escape::{PATH_LENGTH, REASON_LENGTH, shortened};
use crate::path::{Path, Step};
use crate::variant::{Array, ContainerType, Dictionary, Object, ObjectData};
use crate::{Variant, VariantType};

/// Why text is not valid tagged JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    offset: Option<usize>,
    path: Path,
}

impl Error {
    fn new(message: &str, offset: Option<usize>, path: Path) -> Self {
        Self { message: shortened(message, REASON_LENGTH).to_string(), offset, path }
    }

    /// Returns the byte offset of the error in the text, if the text is not valid JSON.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Returns the path to the part of the value at fault.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what is wrong, without the location, escaped and in at most 200 characters.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match self.offset {
            Some(offset) => write!(formatter, ", at byte {offset} of the text"),
            None => write!(formatter, ", path {}", shortened(&self.path, PATH_LENGTH)),
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
/// # Errors
/// Returns an [`Error`] if the text is not JSON or not tagged JSON.
pub fn from_str(text: &str) -> Result<Variant, Error> {
    from_slice(text.as_bytes())
}

/// Reads a value from tagged JSON in UTF-8.
///
/// # Errors
/// The same as [`from_str`]; also if the bytes are not UTF-8.
pub fn from_slice(text: &[u8]) -> Result<Variant, Error> {
    let tape = Tape::parse(text).map_err(|error| {
        let offset = usize::try_from(error.location().start.offset).ok();
        Error::new(&format!("not JSON: {}", error.message()), offset, Path::default())
    })?;
    let mut reader = Reader { tape: &tape, open: Vec::new() };
    reader.read().map_err(|message| Error::new(&message, None, reader.path()))
}

struct Reader<'p, 't> {
    tape: &'p Tape<'t>,
    open: Vec<Open<'p, 't>>,
}

/// A container whose members are being read.
enum Open<'p, 't> {
    Array {
        rest: Members<'p, 't>,
        variant_type: VariantType,
        element_type: Option<ContainerType>,
        shared: bool,
        elements: Vec<Variant>,
    },
    Dictionary {
        rest: Members<'p, 't>,
        types: (Option<ContainerType>, Option<ContainerType>),
        shared: bool,
        entries: Vec<(Variant, Variant)>,
        key: Option<Variant>,
        value: usize,
    },
    Object {
        rest: Members<'p, 't>,
        class: String,
        properties: Vec<(String, Variant)>,
        name: String,
    },
}

impl Reader<'_, '_> {
    fn read(&mut self) -> Result<Variant, Fault> {
        let mut next = 0;
        loop {
            let mut finished = self.read_value(next)?;
            loop {
                if let Some(value) = finished.take() {
                    match self.open.last_mut() {
                        None => return Ok(value),
                        Some(Open::Array { elements, .. }) => elements.push(value),
                        Some(Open::Dictionary { entries, key, value: value_position, .. }) => match key.take() {
                            Some(key) => entries.push((key, value)),
                            None => {
                                *key = Some(value);
                                next = *value_position;
                                break;
                            }
                        },
                        Some(Open::Object { properties, name, .. }) => properties.push((core::mem::take(name), value)),
                    }
                }
                match self.next_member()? {
                    Some(position) => {
                        next = position;
                        break;
                    }
                    None => finished = self.open.pop().map(Open::close),
                }
            }
        }
    }

    /// Returns the position of the next value in the innermost container, `None` at its end.
    fn next_member(&mut self) -> Result<Option<usize>, Fault> {
        let tape = self.tape;
        match self.open.last_mut() {
            None => Ok(None),
            Some(Open::Array { rest, .. }) => Ok(rest.next()),
            Some(Open::Dictionary { rest, value, .. }) => match rest.next() {
                None => Ok(None),
                Some(entry) => {
                    let pair =
                        pair(tape, entry).ok_or("an entry of a Dictionary must be a list of a key and a value")?;
                    *value = pair.1;
                    Ok(Some(pair.0))
                }
            },
            Some(Open::Object { rest, name, .. }) => match rest.next() {
                None => Ok(None),
                Some(property) => {
                    let pair =
                        pair(tape, property).ok_or("a property of an Object must be a list of a name and a value")?;
                    string_at(tape, pair.0, "the name of a property")?.clone_into(name);
                    Ok(Some(pair.1))
                }
            },
        }
    }

    /// Returns the value at `position` if it contains no others, and opens a container otherwise.
    fn read_value(&mut self, position: usize) -> Result<Option<Variant>, Fault> {
        let tape = self.tape;
        let known = ["type", "value", "element_type", "key_type", "value_type", "shared"];
        let [type_position, value, element_type, key_type, value_type, shared] = fields(tape, position, &known)?;
        let name = string_at(tape, type_position.ok_or("`type` is missing")?, "`type`")?;
        let variant_type = VariantType::from_name(name).ok_or_else(|| format!("unknown type {name:?}"))?;
        let value = value.ok_or_else(|| format!("`value` of a {variant_type} is missing"))?;
        let misplaced = match variant_type {
            VariantType::Array => key_type.or(value_type),
            VariantType::TypedArray | VariantType::PackedTypedArray => key_type.or(value_type).or(shared),
            VariantType::Dictionary => element_type,
            _ => element_type.or(key_type).or(value_type).or(shared),
        };
        if misplaced.is_some() {
            return Err(format!("a {variant_type} does not have this label"));
        }
        let container_type =
            |position: Option<usize>| position.map(|position| container_type(tape, position)).transpose();
        let members = || tape.members(value).ok_or_else(|| format!("`value` of a {variant_type} must be a list"));
        match variant_type {
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                let rest = members()?;
                let element_type = container_type(element_type)?;
                let shared = boolean(tape, shared, "shared")?;
                self.open.push(Open::Array { rest, variant_type, element_type, shared, elements: Vec::new() });
                Ok(None)
            }
            VariantType::Dictionary => {
                let rest = members()?;
                let types = (container_type(key_type)?, container_type(value_type)?);
                let shared = boolean(tape, shared, "shared")?;
                self.open.push(Open::Dictionary { rest, types, shared, entries: Vec::new(), key: None, value: 0 });
                Ok(None)
            }
            VariantType::Object => match object(tape, value)? {
                ObjectForm::Leaf(object) => Ok(Some(Variant::Object(object))),
                ObjectForm::Data(class, properties) => {
                    let rest = tape.members(properties).ok_or("`properties` must be a list")?;
                    self.open.push(Open::Object { rest, class, properties: Vec::new(), name: String::new() });
                    Ok(None)
                }
            },
            _ => leaf(tape, variant_type, value).map(Some),
        }
    }

    fn path(&self) -> Path {
        let step = |open: &Open<'_, '_>| match open {
            Open::Array { elements, .. } => Step::Index(elements.len()),
            Open::Dictionary { entries, key, .. } => {
                Step::to_entry(2 * entries.len() + usize::from(key.is_some()), key.as_ref())
            }
            Open::Object { name, .. } => Step::Property(name.clone()),
        };
        self.open.iter().map(step).collect()
    }
}

impl Open<'_, '_> {
    fn close(self) -> Variant {
        match self {
            Self::Array { variant_type, element_type, shared, elements, .. } => {
                let array = Array::with_type(element_type, elements).with_shared(shared);
                Variant::from_array(variant_type, array)
            }
            Self::Dictionary { types: (key_type, value_type), shared, entries, .. } => {
                Dictionary::with_types(key_type, value_type, entries).with_shared(shared).into()
            }
            Self::Object { class, properties, .. } => ObjectData { class, properties }.into(),
        }
    }
}

/// Returns the positions of the two members of a list.
fn pair(tape: &Tape<'_>, position: usize) -> Option<(usize, usize)> {
    let mut members = tape.members(position)?;
    let pair = (members.next()?, members.next()?);
    members.next().is_none().then_some(pair)
}

fn container_type(tape: &Tape<'_>, position: usize) -> Result<ContainerType, Fault> {
    match fields(tape, position, &["builtin", "class", "script", "unknown"])? {
        [Some(builtin), None, None, None] => {
            let name = string_at(tape, builtin, "`builtin`")?;
            let builtin = VariantType::from_name(name).ok_or_else(|| format!("unknown type {name:?}"))?;
            Ok(ContainerType::Builtin(builtin))
        }
        [None, Some(class), None, None] => Ok(ContainerType::Class(string_at(tape, class, "`class`")?.to_owned())),
        [None, None, Some(script), None] => Ok(ContainerType::Script(string_at(tape, script, "`script`")?.to_owned())),
        [None, None, None, Some(number)] => {
            let number = string_at(tape, number, "`unknown`")?;
            let number = number.parse().map_err(|_| format!("{number:?} is not an unsigned 32-bit integer"))?;
            Ok(ContainerType::Unknown(number))
        }
        _ => Err("a container type must have exactly one of `builtin`, `class`, `script` and `unknown`".to_owned()),
    }
}

enum ObjectForm {
    Leaf(Object),
    Data(String, usize),
}

fn object(tape: &Tape<'_>, position: usize) -> Result<ObjectForm, Fault> {
    if matches!(tape.part(position), Part::Null) {
        return Ok(ObjectForm::Leaf(Object::Null));
    }
    match fields(tape, position, &["id", "class", "properties"])? {
        [Some(id), None, None] => Ok(ObjectForm::Leaf(Object::Id(object_id(tape, id)?))),
        [None, Some(class), Some(properties)] => {
            Ok(ObjectForm::Data(string_at(tape, class, "`class`")?.to_owned(), properties))
        }
        _ => Err("an Object must be null, or have `id`, or have `class` and `properties`".to_owned()),
    }
}
