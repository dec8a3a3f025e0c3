//! Reads headers, text and containers for serde, and skips values.

use core::marker::PhantomData;

use serde_core::de::Visitor;

use crate::VariantType;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::path::{Step, key_text};
use crate::profile::ObjectForms;
use crate::read::cursor::Cursor;
use crate::read::input::Input;
use crate::read::machine::Reader;
use crate::serde::error::needs_tree;
use crate::serde::leaves::Leaves;
use crate::types::string::{ReadText, complete_field, plain_text};
use crate::wire::{COUNT_SHARED, FLAG_OBJECT_ID, FLAG_WIDE, TYPE_MASK, WORD, padded};

/// The deepest level that is read by calls of `Deserialize`, which recurse.
const MAX_DEPTH: usize = 128;

/// The longest name that is compared as words. The fast path is used only if strings of this length are allowed.
pub(super) const SHORT_NAME: usize = 16;

/// The most floats of a tuple that are read together.
const FLOATS: usize = 16;

/// How text of the input is passed to visitors.
pub(super) trait Mode<'t, 'de> {
    /// Whether the input was written from a tree, in which keys are unique and members have the declared type.
    const IS_TREE: bool;

    fn text<V: Visitor<'de>>(visitor: V, text: &'t str) -> Result<V::Value, DecodeError>;
    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'t [u8]) -> Result<V::Value, DecodeError>;
}

/// Values may borrow from the input.
pub(super) struct Borrowed;

impl<'de> Mode<'de, 'de> for Borrowed {
    const IS_TREE: bool = false;

    #[inline(always)]
    fn text<V: Visitor<'de>>(visitor: V, text: &'de str) -> Result<V::Value, DecodeError> {
        visitor.visit_borrowed_str(text)
    }

    #[inline(always)]
    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'de [u8]) -> Result<V::Value, DecodeError> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

/// Values must not borrow: the input is a copy, written from a tree.
pub(super) struct Rewritten;

impl<'t, 'de> Mode<'t, 'de> for Rewritten {
    const IS_TREE: bool = true;

    fn text<V: Visitor<'de>>(visitor: V, text: &'t str) -> Result<V::Value, DecodeError> {
        visitor.visit_str(text)
    }

    fn bytes<V: Visitor<'de>>(visitor: V, bytes: &'t [u8]) -> Result<V::Value, DecodeError> {
        visitor.visit_bytes(bytes)
    }
}

/// What reading a member changes in the reader.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) position: usize,
    pub(super) memory: usize,
    /// The words reserved for members. Bytes would be copied together with `memory`, as one vector, and the processor
    /// would wait if they had just been written one by one.
    pub(super) reserved_words: usize,
}

/// Whether the keys of structs are their fields, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// They are, as far as has been read.
    Expected,
    /// They are not: what has been read is of no use.
    Unexpected,
    /// Keys are read.
    Any,
}

/// A float in one of its two forms.
pub(super) enum Float {
    Single(f32),
    Double(f64),
}

/// Reads a packet while `Deserialize` asks for its values.
pub(super) struct ValueReader<'t, 'o, M> {
    /// The bytes of the input, or none if the fast path may not be used.
    pub(super) bytes: &'t [u8],
    pub(super) input: Input<'t, 'o, Leaves>,
    /// The number of open containers.
    pub(super) depth: usize,
    /// The deepest level that is read by calls of `Deserialize`.
    depth_limit: usize,
    pub(super) order: Order,
    /// Whether an error has left the position within a value. If a type ignores the error, what comes next is not what follows
    /// the value.
    pub(super) is_lost: bool,
    /// Whether an error told that the packet has to be read by a tree.
    pub(super) wants_tree: bool,
    /// The fields of the struct that is the next value, for the slow path.
    pub(super) names: &'static [&'static str],
    mode: PhantomData<M>,
}

impl<'t, 'o, M> ValueReader<'t, 'o, M> {
    /// Creates the reader. Begin the outermost value before it is read.
    #[inline(always)]
    pub(super) fn new(bytes: &'t [u8], options: &'o ReadOptions, leaves: &'o mut Leaves, order: Order) -> Self {
        let input = Input::new(Cursor::new(bytes), options, leaves);
        let depth_limit = MAX_DEPTH.min(options.greatest_depth());
        let has_fast_path = input.has_fast_path() && options.limits.string_length >= SHORT_NAME;
        let bytes = if has_fast_path { bytes } else { &[] };
        Self {
            bytes,
            input,
            depth: 0,
            depth_limit,
            order,
            is_lost: false,
            wants_tree: false,
            names: &[],
            mode: PhantomData,
        }
    }

    /// Returns an error that leaves the position within a value.
    #[cold]
    pub(super) fn lost(&mut self, error: DecodeError) -> DecodeError {
        self.is_lost = true;
        self.wants_tree |= error.needs_tree();
        error
    }

    /// Returns a result whose error leaves the position within a value.
    #[inline]
    pub(super) fn or_lost<T>(&mut self, result: Result<T, DecodeError>) -> Result<T, DecodeError> {
        match result {
            Ok(value) => Ok(value),
            Err(error) => Err(self.lost(error)),
        }
    }

    /// Moves after a value that has been read, if its type has ignored an error in it. `start` is the state of the reader before
    /// the value.
    #[inline(always)]
    pub(super) fn find_end(&mut self, start: State, depth: usize) -> Result<(), DecodeError> {
        if self.is_lost { self.skip_again(start, depth) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn skip_again(&mut self, start: State, depth: usize) -> Result<(), DecodeError> {
        self.is_lost = false;
        self.depth = depth;
        self.set_state(start);
        self.skip()
    }

    /// Charges the outermost value.
    pub(super) fn begin(&mut self) -> Result<(), DecodeError> {
        self.input.charge(Leaves::COSTS.value, 0)
    }

    #[inline(always)]
    pub(super) fn state(&self) -> State {
        let Input { memory, reserved_bytes, .. } = self.input;
        State { position: self.position(), memory, reserved_words: reserved_bytes / WORD }
    }

    #[inline(always)]
    pub(super) fn set_state(&mut self, state: State) {
        self.input.cursor.move_to(state.position);
        (self.input.memory, self.input.reserved_bytes) = (state.memory, state.reserved_words * WORD);
    }

    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.input.cursor.position()
    }

    /// Returns the rest of the input, if the fast path may be used.
    #[inline(always)]
    fn rest(&self) -> Option<&'t [u8]> {
        self.bytes.get(self.position()..)
    }

    /// Returns the next `N` bytes.
    #[inline(always)]
    fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        self.rest()?.first_chunk()
    }

    /// Returns the next two words.
    #[inline(always)]
    pub(super) fn two_words(&self) -> Option<(u32, u32)> {
        let head = u64::from_le_bytes(*self.ahead()?);
        Some(((head & 0xFFFF_FFFF) as u32, (head >> 32) as u32))
    }

    /// Returns the two words after the next one.
    #[inline(always)]
    fn wide(&self) -> Option<[u8; 8]> {
        let [_, _, _, _, wide @ ..] = *self.ahead::<{ 3 * WORD }>()?;
        Some(wide)
    }

    /// Returns the type and the flags of the next value.
    pub(super) fn peek(&self) -> Result<(VariantType, u32), DecodeError> {
        let Some(header) = self.input.cursor.rest(0).first_chunk() else {
            return Err(self.input.cursor.truncated(WORD));
        };
        let header = u32::from_le_bytes(*header);
        let profile = self.input.options.profile;
        match profile.type_of_header(header) {
            Some(variant_type) => Ok((variant_type, header & !TYPE_MASK)),
            None => {
                let id = if profile.masks_header() { header & TYPE_MASK } else { header };
                Err(DecodeError::new(DecodeErrorKind::UnknownType { id }, self.position()))
            }
        }
    }

    /// Returns the type of the next key if it cannot be the name of a field.
    pub(super) fn key_without_name(&self) -> Option<VariantType> {
        use VariantType::{NodePath, PackedByteArray, String, StringName};
        let (found, _) = self.peek().ok()?;
        (!matches!(found, String | StringName | NodePath | PackedByteArray)).then_some(found)
    }

    /// Reads the next value if it is null: `Nil`, or an object that is null.
    #[inline(always)]
    pub(super) fn take_null(&mut self) -> Result<bool, DecodeError> {
        if let Some((header, _)) = self.two_words()
            && !self.input.plain_headers.may_be_null(header)
        {
            return Ok(false);
        }
        self.take_any_null()
    }

    #[inline(never)]
    fn take_any_null(&mut self) -> Result<bool, DecodeError> {
        let is_null = match self.peek() {
            Ok((VariantType::Nil, _)) => true,
            Ok((VariantType::Object, flags)) => !self.is_object(flags) || self.has_empty_class(flags),
            Ok(_) => false,
            Err(error) => return Err(self.lost(error)),
        };
        if is_null {
            self.skip()?;
        }
        Ok(is_null)
    }

    /// Returns whether the next value, which is of type `Object`, is not null.
    fn is_object(&self, flags: u32) -> bool {
        let window = self.input.cursor.window();
        match flags & FLAG_OBJECT_ID {
            _ if self.input.options.profile.objects() == ObjectForms::HeaderAlone => false,
            0 => window.payload() != 0,
            _ => window.wide() != 0,
        }
    }

    /// Returns the class of the full object that is the next value.
    pub(super) fn class_text(&mut self) -> Result<ReadText<'t>, DecodeError> {
        let start = self.position() + WORD;
        let mut cursor = self.input.cursor.at(start);
        let length = cursor.u32()? as usize;
        self.input.decode_any_text(cursor.take(length)?, start + WORD)
    }

    /// Returns whether the next value, which is of type `Object`, has a class that is read as empty text: a NUL ends it.
    fn has_empty_class(&mut self, flags: u32) -> bool {
        flags & FLAG_OBJECT_ID == 0 && self.class_text().is_ok_and(|class| class.into_text().is_empty())
    }

    /// Reads the next value if it is a `bool` in the usual form.
    #[inline(always)]
    pub(super) fn take_bool(&mut self) -> Option<bool> {
        let (header, payload) = self.two_words()?;
        if header != self.input.plain_headers.bool {
            return None;
        }
        self.input.cursor.advance(2 * WORD);
        Some(payload != 0)
    }

    /// Reads the next value if it is an `int` in the usual form.
    #[inline(always)]
    pub(super) fn take_int(&mut self) -> Option<i64> {
        let headers = self.input.plain_headers;
        let (header, payload) = self.two_words()?;
        let (value, words) = if header == headers.int {
            (payload.cast_signed().into(), 2)
        } else if header == headers.int | FLAG_WIDE && headers.has_wide {
            (i64::from_le_bytes(self.wide()?), 3)
        } else {
            return None;
        };
        self.input.cursor.advance(words * WORD);
        Some(value)
    }

    /// Reads the next value if it is a `float` in the usual form.
    #[inline(always)]
    pub(super) fn take_float(&mut self) -> Option<Float> {
        let headers = self.input.plain_headers;
        let (header, payload) = self.two_words()?;
        let (number, words) = if header == headers.float {
            (Float::Single(f32::from_bits(payload)), 2)
        } else if header == headers.float | FLAG_WIDE && headers.has_wide {
            (Float::Double(f64::from_le_bytes(self.wide()?)), 3)
        } else {
            return None;
        };
        self.input.cursor.advance(words * WORD);
        Some(number)
    }

    /// Reads the next value if it is a `String` in the usual form.
    #[inline(always)]
    pub(super) fn take_text(&mut self) -> Option<&'t str> {
        let (header, length) = self.two_words()?;
        let length = length as usize;
        let text = self.bytes.get(self.position() + 2 * WORD..)?;
        let input = &mut self.input;
        if header != input.plain_headers.string || length > input.options.limits.string_length {
            return None;
        }
        let text = plain_text(complete_field(text, length)?)?;
        input.memory = input.memory.checked_sub(Leaves::COSTS.text(length) + Leaves::COSTS.string)?;
        input.cursor.advance(2 * WORD + padded(length));
        Some(text)
    }

    /// Reads the next value if it is an array of `count` floats of 4 bytes, and returns their headers and values. None of
    /// them needs a check then.
    #[inline(always)]
    pub(super) fn take_floats(&mut self, count: usize) -> Option<&'t [[u8; 2 * WORD]]> {
        let rest = self.rest()?;
        let (head, floats) = rest.split_first_chunk()?;
        let head = u64::from_le_bytes(*head);
        let headers = self.input.plain_headers;
        if count > FLOATS || head != (count as u64) << 32 | u64::from(headers.array) || self.depth >= self.depth_limit {
            return None;
        }
        let (floats, _) = floats.as_chunks().0.split_at_checked(count)?;
        let is_float = |float: &[u8; 2 * WORD]| float.first_chunk() == Some(&headers.float.to_le_bytes());
        if !floats.iter().all(is_float) {
            return None;
        }
        let length = 2 * WORD * (1 + count);
        self.input.take_members(count, count * Leaves::COSTS.value, length, rest.len())?;
        self.input.cursor.advance(length);
        Some(floats)
    }

    /// Moves to a value before the position.
    pub(super) fn move_to(&mut self, position: usize) {
        self.input.cursor.move_to(position);
    }

    /// Opens an array or a dictionary without types. Each member has `words` words at least, and `cost` is charged for it.
    /// Returns the number of members, or reads nothing if that exceeds a limit or the input.
    #[inline(always)]
    pub(super) fn take_plain_container(&mut self, header: u32, words: usize, cost: usize) -> Option<usize> {
        let rest = self.rest()?;
        let (found, count) = self.two_words()?;
        let count = (found == header && count & COUNT_SHARED == 0).then_some(count as usize)?;
        let length = count.checked_mul(words * WORD)?;
        self.input.take_members(words * count, count.checked_mul(cost)?, length, rest.len() - 2 * WORD)?;
        self.input.reserved_bytes += length;
        self.input.cursor.advance(2 * WORD);
        Some(count)
    }

    /// Begins the members of a container.
    #[inline(always)]
    pub(super) fn enter(&mut self, count: usize) -> Result<(), DecodeError> {
        if self.depth >= self.depth_limit {
            self.refuse_members(count)?;
        }
        self.depth += 1;
        Ok(())
    }

    /// Only containers without members may be one level deeper than the limit.
    #[cold]
    fn refuse_members(&mut self, count: usize) -> Result<(), DecodeError> {
        if count == 0 {
            return Ok(());
        }
        let error = DecodeError::new(DecodeErrorKind::DepthLimit { limit: self.depth_limit }, self.position());
        Err(self.lost(error))
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the bytes reserved for members of outer containers, in a container that has `words` members.
    #[inline(always)]
    pub(super) fn outer(&self, words: usize) -> usize {
        self.input.reserved_bytes.saturating_sub(words * WORD)
    }

    /// Returns the number of members that the innermost container still has. Keys and values count separately.
    #[inline(always)]
    pub(super) fn words_left(&self, outer: usize) -> usize {
        self.input.reserved_bytes.saturating_sub(outer) / WORD
    }

    /// Begins a member of the innermost container, if there is one left.
    #[inline(always)]
    pub(super) fn begin_member_after(&mut self, outer: usize) -> bool {
        let reserved = self.input.reserved_bytes;
        if reserved <= outer {
            return false;
        }
        self.input.reserved_bytes = reserved - WORD;
        true
    }

    /// Begins a member, a key or a value.
    #[inline(always)]
    pub(super) fn begin_member(&mut self) {
        self.input.reserved_bytes = self.input.reserved_bytes.saturating_sub(WORD);
    }

    /// Refuses a member, the next value, that does not have the type that its container declares: it needs a tree.
    #[inline(always)]
    pub(super) fn require_type(&self, member: Member, is_key: bool) -> Result<(), DecodeError> {
        if matches!(member, Member::Any) { Ok(()) } else { self.require_declared(member, is_key) }
    }

    #[inline(never)]
    fn require_declared(&self, member: Member, is_key: bool) -> Result<(), DecodeError> {
        let (mut found, flags) = self.peek()?;
        if found == VariantType::StringName && is_key && !self.input.options.profile.keeps_name_keys() {
            found = VariantType::String;
        }
        let is_object_id = found == VariantType::Object && flags & FLAG_OBJECT_ID != 0 && self.is_object(flags);
        if member.fit(found, is_object_id) == Fit::Fits { Ok(()) } else { Err(needs_tree()) }
    }

    /// Returns the step to the value of an entry whose key starts at `key_start`.
    #[cold]
    pub(super) fn step_to_value(&self, entry: usize, key_start: usize) -> Step {
        let options = ReadOptions { limits: Limits::NONE, ..*self.input.options };
        let mut leaves = Leaves;
        let reader = Reader::new(self.input.cursor.at(key_start), &options, &mut leaves);
        Step::Value(entry, reader.leaf_at(key_start).ok().as_ref().and_then(key_text))
    }
}
