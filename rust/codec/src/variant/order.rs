//! The total order of values, which agrees with `==`.

use alloc::format;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use super::compare::{COMPARED_LEVELS, HASHED_LEVELS, normalized};
use super::godot2::InputEventKind;
use super::math::Reals;
use super::owned::{Array, Dictionary, Object, Variant};
use super::text::Text;
use super::view::View;
use super::walk::{Visit, Walk};
use crate::{VariantType, work};

impl Eq for Variant {}
impl Eq for Array {}
impl Eq for Dictionary {}

/// Values of different types have the order of [`VariantType`]. Numbers are in the order of numbers, and NaN is the last;
/// text is in the order of its characters, arrays and vectors are in the order of their members, and dictionaries in that
/// of their entries, sorted by key.
///
/// ```
/// use varbytes::variant;
///
/// let mut scores = vec![variant!([7, "Bob"]), variant!([9, "Ada"]), variant!([7, "Ada"])];
/// scores.sort();
/// assert_eq!(scores, [variant!([7, "Ada"]), variant!([7, "Bob"]), variant!([9, "Ada"])]);
/// ```
impl Ord for Variant {
    fn cmp(&self, other: &Self) -> Ordering {
        self.variant_type().cmp(&other.variant_type()).then_with(|| match (self.view(), other.view()) {
            (View::Int(left), View::Int(right)) => left.cmp(&right),
            (View::Float(left), View::Float(right)) => ordered(left).cmp(&ordered(right)),
            (View::Text(left), View::Text(right)) => left.cmp(right),
            _ => Bytes::of_value(self).cmp(&Bytes::of_value(other)),
        })
    }
}

/// The same as [`Ord`].
impl PartialOrd for Variant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Precedes each member of a sequence.
const MEMBER: u8 = 1;
/// Follows the last member.
const END: u8 = 0;

/// The three forms of an object.
const NULL: u8 = 0;
const ID: u8 = 1;
const DATA: u8 = 2;

/// Returns an integer with the order of the numbers. NaN is the greatest, and both zeros are the same.
fn ordered(number: f64) -> u64 {
    let bits = normalized(number);
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Bytes that have the order of the values that they were made of, and are equal if the values are.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Bytes(Vec<u8>);

/// What is still to be added.
enum Pending<'v> {
    Value(&'v Variant),
    Text(&'v str),
    Bytes(Bytes),
}

impl Bytes {
    /// Not recursive: values can be nested too deep for a thread's stack.
    fn of_value(value: &Variant) -> Self {
        let mut bytes = Self::default();
        let mut pending = alloc::vec![Pending::Value(value)];
        while let Some(next) = pending.pop() {
            work::add(1);
            let value = match next {
                Pending::Value(value) => value,
                Pending::Text(text) => {
                    bytes.0.push(MEMBER);
                    bytes.text(text.as_bytes());
                    continue;
                }
                Pending::Bytes(other) => {
                    bytes.0.extend(other.0);
                    continue;
                }
            };
            bytes.0.extend([MEMBER, value.variant_type() as u8]);
            match value.view() {
                View::Array(array) => {
                    pending.push(Pending::Bytes(Self::of_label(value)));
                    pending.extend(array.iter().rev().map(Pending::Value));
                }
                View::Dictionary(dictionary) => {
                    pending.push(Pending::Bytes(Self::of_label(value)));
                    let keys = dictionary.keys().enumerate().map(|(position, key)| Self::of_key(key, position));
                    let mut entries: Vec<_> = keys.zip(dictionary.values()).collect();
                    entries.sort_by(|(left, _), (right, _)| right.cmp(left));
                    pending.extend(
                        entries.into_iter().flat_map(|(key, value)| [Pending::Value(value), Pending::Bytes(key)]),
                    );
                }
                View::Object(Object::Data(data)) => {
                    bytes.0.push(DATA);
                    pending.push(Pending::Bytes(Self::of_label(value)));
                    let properties = data.properties.iter().rev();
                    pending.extend(properties.flat_map(|(name, value)| [Pending::Value(value), Pending::Text(name)]));
                }
                _ => bytes.leaf(value),
            }
        }
        bytes
    }

    /// Returns the end of a container, with what it has besides its members.
    fn of_label(container: &Variant) -> Self {
        let mut bytes = Self(alloc::vec![END]);
        match container.view() {
            View::Array(array) => bytes.debug(&(array.element_type(), array.is_shared())),
            View::Dictionary(dictionary) => {
                bytes.debug(&(dictionary.key_type(), dictionary.value_type(), dictionary.is_shared()));
            }
            View::Object(Object::Data(data)) => bytes.text(data.class.as_bytes()),
            _ => {}
        }
        bytes
    }

    /// Returns the bytes of a dictionary key. A key that equals no other, because an object or a NaN is in it, is the same
    /// only at the same position.
    fn of_key(key: &Variant, position: usize) -> Self {
        let mut bytes = Self(alloc::vec![MEMBER, 0]);
        if bytes.key(key, true) {
            return bytes;
        }
        bytes.0 = alloc::vec![MEMBER, 1];
        bytes.0.extend((position as u64).to_be_bytes());
        bytes.key(key, false);
        bytes
    }

    /// Adds a key with its contents in wire order, as keys are compared or as values are. Returns whether another key can
    /// be equal.
    fn key(&mut self, key: &Variant, as_key: bool) -> bool {
        let mut walk = Walk::new(key);
        loop {
            let level = walk.depth();
            let Some(visit) = walk.next() else { return true };
            work::add(1);
            let is_hollow = as_key && level + 1 >= HASHED_LEVELS;
            match visit {
                Visit::Enter(_) if is_hollow => {
                    walk.pass_over();
                    self.0.extend([MEMBER, VariantType::Nil as u8]);
                }
                Visit::Enter(Variant::Object(_)) if as_key => return false,
                Visit::Leaf(Variant::Object(Object::Id(_)) | Variant::Image(_)) if as_key => return false,
                Visit::Leaf(Variant::Float(number))
                    if as_key && number.is_nan() && (1..COMPARED_LEVELS).contains(&level) && !walk.is_at_key() =>
                {
                    return false;
                }
                Visit::Leaf(value) => {
                    let is_inside = (1..COMPARED_LEVELS).contains(&level) && !walk.is_at_key();
                    let variant_type = match value.variant_type() {
                        VariantType::StringName if as_key && !is_inside => VariantType::String,
                        other => other,
                    };
                    self.0.extend([MEMBER, variant_type as u8]);
                    self.leaf(value);
                }
                Visit::Enter(container) => {
                    self.0.extend([MEMBER, container.variant_type() as u8]);
                    self.leaf(container);
                }
                Visit::Name(name) => {
                    self.0.push(MEMBER);
                    self.text(name.as_bytes());
                }
                Visit::Leave(_) if as_key => self.0.push(END),
                Visit::Leave(container) => self.0.extend(Self::of_label(container).0),
            }
        }
    }

    /// Adds the content of a value that contains no others.
    fn leaf(&mut self, leaf: &Variant) {
        match leaf.view() {
            View::Nothing | View::Array(_) | View::Dictionary(_) => {}
            View::Bool(value) => self.0.push(u8::from(value)),
            View::Int(value) => self.int(value),
            View::Float(value) => self.float(value),
            View::Text(text) => self.any_text(text),
            View::NodePath(path) => {
                self.0.push(u8::from(path.absolute));
                self.members(&path.names, Self::any_text);
                self.members(&path.subnames, Self::any_text);
                self.members(path.property.as_slice(), Self::any_text);
            }
            View::Rid(id) => self.0.extend(id.to_be_bytes()),
            View::Object(Object::Id(id)) => {
                self.0.push(ID);
                self.0.extend(id.to_be_bytes());
            }
            View::Object(Object::Null) => self.0.push(NULL),
            View::Object(Object::Data(_)) => self.0.push(DATA),
            View::Signal(signal) => {
                self.text(signal.name.as_bytes());
                self.0.extend(signal.object_id.to_be_bytes());
            }
            View::Reals(reals) => self.reals(reals),
            View::Integers(integers) => integers.as_slice().iter().for_each(|integer| self.int((*integer).into())),
            View::Color(color) => self.reals(Reals::Single(&color.to_array())),
            View::PackedBytes(elements) => self.text(elements),
            View::PackedInt64s(elements) => self.members(elements, |bytes, element| bytes.int(*element)),
            View::PackedIntegers(elements) => {
                elements.for_each(|element| {
                    self.0.push(MEMBER);
                    element.iter().for_each(|integer| self.int((*integer).into()));
                });
                self.0.push(END);
            }
            View::PackedReals(reals, _) => {
                (0..reals.len()).for_each(|index| {
                    self.0.push(MEMBER);
                    self.float(reals.at(index));
                });
                self.0.push(END);
            }
            View::PackedColors(elements) => {
                self.members(elements, |bytes, color| bytes.reals(Reals::Single(&color.to_array())));
            }
            View::PackedTexts(elements) => self.members(elements, Self::any_text),
            View::Image(image) => {
                for number in [image.format, image.mipmaps, image.width, image.height] {
                    self.0.extend(number.to_be_bytes());
                }
                self.text(&image.data);
            }
            View::InputEvent(event) => match event.kind {
                InputEventKind::JoyMotion { axis, value } => {
                    self.debug(&("JoyMotion", event.device, axis));
                    self.float(value.into());
                }
                _ => self.debug(event),
            },
        }
    }

    fn members<T>(&mut self, members: &[T], mut add: impl FnMut(&mut Self, &T)) {
        for member in members {
            self.0.push(MEMBER);
            add(self, member);
        }
        self.0.push(END);
    }

    fn int(&mut self, int: i64) {
        self.0.extend((int ^ i64::MIN).to_be_bytes());
    }

    fn float(&mut self, number: f64) {
        self.0.extend(ordered(number).to_be_bytes());
    }

    fn reals(&mut self, reals: Reals<'_>) {
        (0..reals.len()).for_each(|index| self.float(reals.at(index)));
    }

    /// Adds bytes so that none are the beginning of others.
    fn text(&mut self, text: &[u8]) {
        for byte in text {
            self.0.push(*byte);
            if *byte == 0 {
                self.0.push(u8::MAX);
            }
        }
        self.0.extend([0, 0]);
    }

    fn any_text(&mut self, text: &Text) {
        self.text(text.as_bytes());
        match text.units() {
            None => self.0.push(END),
            Some(units) => {
                self.0.push(MEMBER);
                self.members(units, |bytes, unit| bytes.0.extend(unit.to_be_bytes()));
            }
        }
    }

    fn debug(&mut self, part: &dyn fmt::Debug) {
        self.text(format!("{part:?}").as_bytes());
    }
}
