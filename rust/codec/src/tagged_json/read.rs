//! Text to values.

use alloc::string::{String, ToString};
use alloc::{borrow::ToOwned, format, vec::Vec};
use core::fmt;

use super::tape::{Members, Part, Tape};
use crate::escape::{PATH_LENGTH, REASON_LENGTH, shortened};
use crate::path::{Path, Step, key_text};
use crate::variant::{
    Array, Color, ContainerType, Dictionary, Image, InputEvent, InputEventKind, Modifiers, NodePath, Object,
    ObjectData, PackedReals, Reals, Signal, Text, Vector2i, Vector3i, Vector4i,
};
use crate::{Variant, VariantType, work};

/// Why a text is not the tagged JSON of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    offset: Option<usize>,
    path: Path,
}

impl Error {
    fn new(message: &str, offset: Option<usize>, path: Path) -> Self {
        Self { message: shortened(message, REASON_LENGTH).to_string(), offset, path }
    }

    /// Where in the text the fault is, in bytes; known where the text is not JSON at all.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The part of the value at fault.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong, without the place: escaped, and at most 200 characters.
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

impl core::error::Error for Error {}

/// The value that a text in tagged JSON describes.
///
/// # Errors
/// An [`Error`] where the text is no JSON, or JSON of another form.
pub fn from_str(text: &str) -> Result<Variant, Error> {
    from_slice(text.as_bytes())
}

/// The same for bytes that should be UTF-8.
///
/// # Errors
/// As [`from_str`].
pub fn from_slice(text: &[u8]) -> Result<Variant, Error> {
    let tape = Tape::parse(text).map_err(|error| {
        let offset = usize::try_from(error.location().start.offset).ok();
        Error::new(&format!("not JSON: {}", error.message()), offset, Path::default())
    })?;
    let mut reader = Reader { tape: &tape, open: Vec::new() };
    reader.read().map_err(|message| Error::new(&message, None, reader.path()))
}

/// What is wrong; the place is added where the containers are known.
type Fault = String;

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

    /// The position of the next value in the innermost container, `None` where there is no more.
    fn next_member(&mut self) -> Result<Option<usize>, Fault> {
        let tape = self.tape;
        match self.open.last_mut() {
            None => Ok(None),
            Some(Open::Array { rest, .. }) => Ok(rest.next()),
            Some(Open::Dictionary { rest, value, .. }) => match rest.next() {
                None => Ok(None),
                Some(entry) => match tape.members(entry).map(Iterator::collect::<Vec<_>>).as_deref() {
                    Some([key_position, value_position]) => {
                        *value = *value_position;
                        Ok(Some(*key_position))
                    }
                    _ => Err("an entry of a Dictionary is a list of a key and a value".to_owned()),
                },
            },
            Some(Open::Object { rest, name, .. }) => match rest.next() {
                None => Ok(None),
                Some(property) => match tape.members(property).map(Iterator::collect::<Vec<_>>).as_deref() {
                    Some([name_position, value_position]) => {
                        text_at(tape, *name_position, "the name of a property")?.clone_into(name);
                        Ok(Some(*value_position))
                    }
                    _ => Err("a property of an Object is a list of a name and a value".to_owned()),
                },
            },
        }
    }

    /// The value at `position` if it holds no others; opens a container otherwise.
    fn read_value(&mut self, position: usize) -> Result<Option<Variant>, Fault> {
        let tape = self.tape;
        let known = ["type", "value", "element_type", "key_type", "value_type", "shared"];
        let [type_position, value, element_type, key_type, value_type, shared] = Fields::of(tape, position, &known)?.0;
        let name = text_at(tape, type_position.ok_or("`type` is missing")?, "`type`")?;
        let variant_type = VariantType::from_name(name).ok_or_else(|| format!("no type is named {name:?}"))?;
        let value = value.ok_or_else(|| format!("`value` of a {variant_type} is missing"))?;
        let misplaced = match variant_type {
            VariantType::Array => key_type.or(value_type),
            VariantType::TypedArray | VariantType::PackedTypedArray => key_type.or(value_type).or(shared),
            VariantType::Dictionary => element_type,
            _ => element_type.or(key_type).or(value_type).or(shared),
        };
        if misplaced.is_some() {
            return Err(format!("a label that a {variant_type} does not have"));
        }
        let container_type =
            |position: Option<usize>| position.map(|position| container_type(tape, position)).transpose();
        let members = || tape.members(value).ok_or_else(|| format!("`value` of a {variant_type} is a list"));
        match variant_type {
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                let rest = members()?;
                let element_type = container_type(element_type)?;
                let shared = is_true(tape, shared)?;
                self.open.push(Open::Array { rest, variant_type, element_type, shared, elements: Vec::new() });
                Ok(None)
            }
            VariantType::Dictionary => {
                let rest = members()?;
                let types = (container_type(key_type)?, container_type(value_type)?);
                let shared = is_true(tape, shared)?;
                self.open.push(Open::Dictionary { rest, types, shared, entries: Vec::new(), key: None, value: 0 });
                Ok(None)
            }
            VariantType::Object => match object(tape, value)? {
                ObjectForm::Leaf(object) => Ok(Some(Variant::Object(object))),
                ObjectForm::Data(class, properties) => {
                    let rest = tape.members(properties).ok_or("`properties` is a list")?;
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
            Open::Dictionary { entries, key: Some(key), .. } => Step::Value(entries.len(), key_text(key)),
            Open::Dictionary { entries, .. } => Step::Key(entries.len()),
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

/// The positions of the values of an object's known keys.
struct Fields<const N: usize>([Option<usize>; N]);

impl<const N: usize> Fields<N> {
    fn of(tape: &Tape<'_>, position: usize, known: &[&str; N]) -> Result<Self, Fault> {
        let fields = tape.fields(position).ok_or_else(|| format!("expected an object with {}", known.join(", ")))?;
        let mut found = [None; N];
        for (key, value) in fields {
            let Some(index) = known.iter().position(|known| *known == key) else {
                return Err(format!("unknown key {key:?}"));
            };
            if found[index].replace(value).is_some() {
                return Err(format!("key {key:?} comes twice"));
            }
        }
        Ok(Self(found))
    }
}

fn container_type(tape: &Tape<'_>, position: usize) -> Result<ContainerType, Fault> {
    match Fields::of(tape, position, &["builtin", "class", "script", "unknown"])?.0 {
        [Some(builtin), None, None, None] => {
            let name = text_at(tape, builtin, "`builtin`")?;
            let builtin = VariantType::from_name(name).ok_or_else(|| format!("no type is named {name:?}"))?;
            Ok(ContainerType::Builtin(builtin))
        }
        [None, Some(class), None, None] => Ok(ContainerType::Class(text_at(tape, class, "`class`")?.to_owned())),
        [None, None, Some(script), None] => Ok(ContainerType::Script(text_at(tape, script, "`script`")?.to_owned())),
        [None, None, None, Some(number)] => {
            let number = text_at(tape, number, "`unknown`")?;
            let number = number.parse().map_err(|_| format!("{number:?} is not a number of 32 bits"))?;
            Ok(ContainerType::Unknown(number))
        }
        _ => Err("a container type has just one of `builtin`, `class`, `script` and `unknown`".to_owned()),
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
    match Fields::of(tape, position, &["id", "class", "properties"])?.0 {
        [Some(id), None, None] => Ok(ObjectForm::Leaf(Object::Id(object_id(tape, id)?))),
        [None, Some(class), Some(properties)] => {
            Ok(ObjectForm::Data(text_at(tape, class, "`class`")?.to_owned(), properties))
        }
        _ => Err("an Object is null, or has `id`, or `class` and `properties`".to_owned()),
    }
}

/// An instance id, which scripts see as signed and the wire has as unsigned.
fn object_id(tape: &Tape<'_>, position: usize) -> Result<u64, Fault> {
    let digits = text_at(tape, position, "an instance id")?;
    let signed = digits.parse::<i64>().map(i64::cast_unsigned);
    signed.or_else(|_| digits.parse()).map_err(|_| format!("{digits:?} is no 64-bit instance id"))
}

fn leaf(tape: &Tape<'_>, variant_type: VariantType, position: usize) -> Result<Variant, Fault> {
    let wrong = || format!("`value` of a {variant_type} is of another form");
    if variant_type.real_components() > 0 {
        return match reals(tape, position)? {
            Numbers::Single(components) => Variant::from_reals(variant_type, Reals::Single(&components)),
            Numbers::Double(components) => Variant::from_reals(variant_type, Reals::Double(&components)),
        }
        .ok_or_else(|| format!("a {variant_type} has {} components", variant_type.real_components()));
    }
    if variant_type.integer_components() > 0 {
        let components = list(tape, position, integer)?;
        return Variant::from_integers(variant_type, &components)
            .ok_or_else(|| format!("a {variant_type} has {} components", variant_type.integer_components()));
    }
    Ok(match (variant_type, tape.part(position)) {
        (VariantType::Nil, Part::Null) => Variant::Nil,
        (VariantType::Callable, Part::Null) => Variant::Callable,
        (VariantType::Bool, Part::Bool(value)) => Variant::Bool(*value),
        (VariantType::Int, _) => Variant::Int(decimal(tape, position)?),
        (VariantType::Float, Part::Text(digits)) => Variant::Float(f64::from_bits(hex_bits(digits, 16)?)),
        (VariantType::String, _) => Variant::String(any_text(tape, position)?),
        (VariantType::StringName, _) => Variant::StringName(any_text(tape, position)?.into()),
        (VariantType::Color, _) => Variant::Color(color(tape, position)?),
        (VariantType::NodePath, _) => {
            let fields = Fields::of(tape, position, &["absolute", "names", "subnames", "property"])?.0;
            let [Some(absolute), Some(names), Some(subnames), property] = fields else { return Err(wrong()) };
            let Part::Bool(absolute) = *tape.part(absolute) else { return Err(wrong()) };
            Variant::from(NodePath {
                absolute,
                names: list(tape, names, any_text)?,
                subnames: list(tape, subnames, any_text)?,
                property: property.map(|property| any_text(tape, property)).transpose()?,
            })
        }
        (VariantType::RID, Part::Text(digits)) => {
            Variant::RID(digits.parse().map_err(|_| format!("{digits:?} is no unsigned 64-bit number"))?)
        }
        (VariantType::Signal, _) => {
            let [Some(name), Some(id)] = Fields::of(tape, position, &["name", "object_id"])?.0 else {
                return Err(wrong());
            };
            Variant::from(Signal { name: owned(tape, name)?, object_id: object_id(tape, id)? })
        }
        (VariantType::PackedByteArray, Part::Text(digits)) => hex_bytes(digits)?.into(),
        (VariantType::PackedInt32Array, _) => list(tape, position, integer)?.into(),
        (VariantType::PackedInt64Array, _) => list(tape, position, decimal)?.into(),
        (VariantType::PackedFloat32Array, _) => list(tape, position, single)?.into(),
        (VariantType::PackedFloat64Array, _) => list(tape, position, double)?.into(),
        (VariantType::PackedStringArray, _) => list(tape, position, any_text)?.into(),
        (VariantType::PackedVector2Array, _) => Variant::PackedVector2Array(vectors(tape, position)?),
        (VariantType::PackedVector3Array, _) => Variant::PackedVector3Array(vectors(tape, position)?),
        (VariantType::PackedVector4Array, _) => Variant::PackedVector4Array(vectors(tape, position)?),
        (VariantType::PackedColorArray, _) => list(tape, position, color)?.into(),
        (VariantType::PackedVector2iArray, _) => integer_vectors::<2, Vector2i>(tape, position)?.into(),
        (VariantType::PackedVector3iArray, _) => integer_vectors::<3, Vector3i>(tape, position)?.into(),
        (VariantType::PackedVector4iArray, _) => integer_vectors::<4, Vector4i>(tape, position)?.into(),
        (VariantType::Image, _) => image(tape, position)?.into(),
        (VariantType::InputEvent, _) => input_event(tape, position)?.into(),
        _ => return Err(wrong()),
    })
}

fn is_true(tape: &Tape<'_>, position: Option<usize>) -> Result<bool, Fault> {
    match position.map(|position| tape.part(position)) {
        None => Ok(false),
        Some(Part::Bool(value)) => Ok(*value),
        Some(_) => Err("`shared` is true or false".to_owned()),
    }
}

/// A string, or the units of text that is not Unicode.
fn any_text(tape: &Tape<'_>, position: usize) -> Result<Text, Fault> {
    if let Part::Text(text) = tape.part(position) {
        work::add_bytes(text.len());
        return Ok(Text::from(&**text));
    }
    match Fields::of(tape, position, &["code_units"])?.0 {
        [Some(units)] => Ok(Text::from_units(&list(tape, units, unsigned)?)),
        [None] => Err("a string, or an object with `code_units`".to_owned()),
    }
}

fn integer_vectors<const N: usize, T: From<[i32; N]>>(tape: &Tape<'_>, position: usize) -> Result<Vec<T>, Fault> {
    list(tape, position, |tape, vector| {
        let components = list(tape, vector, integer)?;
        let components = <[i32; N]>::try_from(components).map_err(|_| format!("each vector has {N} components"))?;
        Ok(components.into())
    })
}

fn image(tape: &Tape<'_>, position: usize) -> Result<Image, Fault> {
    let fields = Fields::of(tape, position, &["format", "mipmaps", "width", "height", "data"])?.0;
    let [Some(format), Some(mipmaps), Some(width), Some(height), Some(data)] = fields else {
        return Err("an Image has `format`, `mipmaps`, `width`, `height` and `data`".to_owned());
    };
    Ok(Image {
        format: unsigned(tape, format)?,
        mipmaps: unsigned(tape, mipmaps)?,
        width: unsigned(tape, width)?,
        height: unsigned(tape, height)?,
        data: hex_bytes(text_at(tape, data, "`data`")?)?,
    })
}

fn input_event(tape: &Tape<'_>, position: usize) -> Result<InputEvent, Fault> {
    let known = ["event", "device", "modifiers", "scancode", "button_index", "axis", "value", "index", "kind"];
    let [event, device, modifiers, scancode, button_index, axis, value, index, kind] =
        Fields::of(tape, position, &known)?.0;
    let required = |name: &str, position: Option<usize>| position.ok_or_else(|| format!("`{name}` is missing"));
    let number = |name: &str, position| unsigned(tape, required(name, position)?);
    let name = text_at(tape, required("event", event)?, "`event`")?;
    let kind = match name {
        "key" => {
            let mut held = Modifiers::default();
            for position in tape.members(required("modifiers", modifiers)?).ok_or("`modifiers` is a list")? {
                match text_at(tape, position, "a modifier")? {
                    "shift" => held.shift = true,
                    "alt" => held.alt = true,
                    "meta" => held.meta = true,
                    "control" => held.control = true,
                    other => return Err(format!("no modifier is named {other:?}")),
                }
            }
            InputEventKind::Key { modifiers: held, scancode: number("scancode", scancode)? }
        }
        "mouse_motion" => InputEventKind::MouseMotion,
        "mouse_button" => InputEventKind::MouseButton { button_index: number("button_index", button_index)? },
        "joy_motion" => {
            InputEventKind::JoyMotion { axis: number("axis", axis)?, value: single(tape, required("value", value)?)? }
        }
        "joy_button" => InputEventKind::JoyButton { button_index: number("button_index", button_index)? },
        "screen_touch" => InputEventKind::ScreenTouch { index: number("index", index)? },
        "screen_drag" => InputEventKind::ScreenDrag,
        "action" => InputEventKind::Action,
        "other" => InputEventKind::Other(number("kind", kind)?),
        other => return Err(format!("no event is named {other:?}")),
    };
    Ok(InputEvent { device: number("device", device)?, kind })
}

fn text_at<'p>(tape: &'p Tape<'_>, position: usize, what: &str) -> Result<&'p str, Fault> {
    match tape.part(position) {
        Part::Text(text) => Ok(text),
        _ => Err(format!("{what} is text")),
    }
}

fn owned(tape: &Tape<'_>, position: usize) -> Result<String, Fault> {
    text_at(tape, position, "a string").map(ToOwned::to_owned)
}

fn list<T>(
    tape: &Tape<'_>,
    position: usize,
    member: impl Fn(&Tape<'_>, usize) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let members = tape.members(position).ok_or("expected a list")?;
    members.map(|position| member(tape, position)).collect()
}

/// A 64-bit integer as a decimal string, or as a JSON number where someone wrote it by hand.
fn decimal(tape: &Tape<'_>, position: usize) -> Result<i64, Fault> {
    match tape.part(position) {
        Part::Text(digits) | Part::Number(digits) => {
            digits.parse().map_err(|_| format!("{digits:?} is no 64-bit integer"))
        }
        _ => Err("a 64-bit integer is a decimal string".to_owned()),
    }
}

fn integer(tape: &Tape<'_>, position: usize) -> Result<i32, Fault> {
    match tape.part(position) {
        Part::Number(digits) => digits.parse().map_err(|_| format!("{digits} is no 32-bit integer")),
        _ => Err("a 32-bit integer is a number".to_owned()),
    }
}

fn unsigned(tape: &Tape<'_>, position: usize) -> Result<u32, Fault> {
    match tape.part(position) {
        Part::Number(digits) => digits.parse().map_err(|_| format!("{digits} is no unsigned 32-bit integer")),
        _ => Err("an unsigned 32-bit integer is a number".to_owned()),
    }
}

fn single(tape: &Tape<'_>, position: usize) -> Result<f32, Fault> {
    let bits = hex_bits(text_at(tape, position, "a real")?, 8)?;
    u32::try_from(bits).map(f32::from_bits).map_err(|_| "expected 8 digits".to_owned())
}

fn double(tape: &Tape<'_>, position: usize) -> Result<f64, Fault> {
    hex_bits(text_at(tape, position, "a real")?, 16).map(f64::from_bits)
}

enum Numbers {
    Single(Vec<f32>),
    Double(Vec<f64>),
}

/// Components, at the precision that the number of digits of the first one tells.
fn reals(tape: &Tape<'_>, position: usize) -> Result<Numbers, Fault> {
    let first = tape.members(position).ok_or("expected a list of components")?.next();
    let is_double = first.is_some_and(|first| matches!(tape.part(first), Part::Text(digits) if digits.len() == 16));
    if is_double {
        list(tape, position, double).map(Numbers::Double)
    } else {
        list(tape, position, single).map(Numbers::Single)
    }
}

fn color(tape: &Tape<'_>, position: usize) -> Result<Color, Fault> {
    let components = list(tape, position, single)?;
    let components = <[f32; 4]>::try_from(components).map_err(|_| "a Color has 4 components")?;
    Ok(components.into())
}

fn vectors<const N: usize>(tape: &Tape<'_>, position: usize) -> Result<PackedReals<N>, Fault> {
    let wrong = || format!("each vector has {N} components, all of one precision");
    let mut vectors = tape.members(position).ok_or("expected a list of vectors")?.map(|vector| reals(tape, vector));
    let Some(first) = vectors.next() else { return Ok(PackedReals::default()) };
    let all = core::iter::once(first).chain(vectors);
    let mut single = Vec::new();
    let mut double = Vec::new();
    for vector in all {
        match vector? {
            Numbers::Single(vector) => single.push(<[f32; N]>::try_from(vector).map_err(|_| wrong())?),
            Numbers::Double(vector) => double.push(<[f64; N]>::try_from(vector).map_err(|_| wrong())?),
        }
    }
    match (single.is_empty(), double.is_empty()) {
        (false, true) => Ok(single.into()),
        (true, false) => Ok(double.into()),
        _ => Err(wrong()),
    }
}

fn hex_bits(digits: &str, expected: usize) -> Result<u64, Fault> {
    let wrong = || format!("{digits:?} is not {expected} hexadecimal digits");
    if digits.len() != expected || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    u64::from_str_radix(digits, 16).map_err(|_| wrong())
}

fn hex_bytes(digits: &str) -> Result<Vec<u8>, Fault> {
    let wrong = || "expected an even number of hexadecimal digits".to_owned();
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    if !rest.is_empty() {
        return Err(wrong());
    }
    pairs.iter().map(|pair| byte(pair).ok_or_else(wrong)).collect()
}
