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
use crate::read::window::{Alphabet, alphabet, nul_in};
use crate::serde::leaves::{Leaves, Number};
use crate::types::string::plain_text;
use crate::variant::HIGHEST_BITS;
use crate::wire::{BYTE_ORDER_MARK, COUNT_SHARED, FLAG_OBJECT_ID, FLAG_WIDE, TYPE_MASK, WORD, padding};

/// The deepest level that is read by calls of `Deserialize`, which recurse.
const MAX_DEPTH: usize = 128;

/// The number of levels of a skipped value that are skipped by recursion.
const SKIPPED_LEVELS: usize = 32;

/// The number of names that the next text is compared with.
const EXPECTED_NAMES: usize = 8;

/// The most floats of a tuple that are read together.
const FLOATS: usize = 16;

/// Returns whether text of the input is this name, of the same length, and is read unchanged: it has no NUL and no byte
/// order mark.
#[inline(always)]
fn is_same(text: &[u8], name: &str) -> bool {
    let name = name.as_bytes();
    let is_equal = match text.len() {
        0..4 => text.iter().zip(name).all(|(byte, expected)| byte == expected && *byte != 0),
        4..8 => are_equal(ends(text).map(u32::from_le_bytes), ends(name).map(u32::from_le_bytes)),
        8..=16 => are_equal(ends(text).map(u64::from_le_bytes), ends(name).map(u64::from_le_bytes)),
        _ => text == name && alphabet(text) != Alphabet::WithNul,
    };
    is_equal && !text.starts_with(BYTE_ORDER_MARK)
}

/// Returns the first and the last `N` bytes, which may overlap.
#[inline(always)]
fn ends<const N: usize>(text: &[u8]) -> [[u8; N]; 2] {
    [text.first_chunk(), text.last_chunk()].map(|end| *end.unwrap_or(&[0; N]))
}

/// Returns whether words are equal and have no byte 0.
#[inline(always)]
fn are_equal<T: Into<u64> + Copy + PartialEq>(found: [T; 2], expected: [T; 2]) -> bool {
    let high = HIGHEST_BITS >> (64 - 8 * size_of::<T>());
    found == expected && found.map(|word| nul_in(word.into()) & high) == [0, 0]
}

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

/// Reads a packet while `Deserialize` asks for its values.
pub(super) struct ValueReader<'t, 'o, M> {
    /// The bytes of the input, or none if the fast path may not be used.
    bytes: &'t [u8],
    pub(super) input: Input<'t, 'o, Leaves>,
    /// The number of open containers.
    depth: usize,
    /// The deepest level that is read by calls of `Deserialize`.
    depth_limit: usize,
    mode: PhantomData<M>,
}

impl<'t, 'o, M> ValueReader<'t, 'o, M> {
    /// Creates the reader. Begin the outermost value before it is read.
    #[inline(always)]
    pub(super) fn new(bytes: &'t [u8], options: &'o ReadOptions, leaves: &'o mut Leaves) -> Self {
        let input = Input::new(Cursor::new(bytes), options, leaves);
        let depth_limit = MAX_DEPTH.min(options.greatest_depth());
        let bytes = if input.has_fast_path() { bytes } else { &[] };
        Self { bytes, input, depth: 0, depth_limit, mode: PhantomData }
    }

    /// Charges the outermost value.
    pub(super) fn begin(&mut self) -> Result<(), DecodeError> {
        self.input.charge(Leaves::COSTS.value, 0)
    }

    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.input.cursor.position()
    }

    /// Returns the next `N` bytes.
    #[inline(always)]
    fn ahead<const N: usize>(&self) -> Option<&'t [u8; N]> {
        let start = self.position();
        self.bytes.get(start..start.wrapping_add(N))?.first_chunk()
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
        let is_null = match self.peek()? {
            (VariantType::Nil, _) => true,
            (VariantType::Object, flags) => !self.is_object(flags),
            _ => false,
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

    /// Reads the next value if it is a `float` or an `int` in the usual form.
    #[inline(always)]
    pub(super) fn take_number(&mut self) -> Option<Number> {
        let headers = self.input.plain_headers;
        let (header, payload) = self.two_words()?;
        let (number, words) = if header == headers.float {
            (Number::Single(f32::from_bits(payload)), 2)
        } else if header == headers.float | FLAG_WIDE && headers.has_wide {
            (Number::Double(f64::from_le_bytes(self.wide()?)), 3)
        } else {
            return self.take_int().map(Number::Int);
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
        let text = plain_text(text, length)?;
        input.memory = input.memory.checked_sub(Leaves::COSTS.text(length) + Leaves::COSTS.string)?;
        input.cursor.advance(2 * WORD + length + padding(length));
        Some(text)
    }

    /// Reads the next value if it is a `String` in the usual form, most quickly if it is the first of the expected names.
    /// Removes the names up to the one that is read.
    #[inline(always)]
    pub(super) fn take_name(&mut self, names: &mut &'static [&'static str]) -> Option<&'t str> {
        if let Some((name, rest)) = names.split_first()
            && self.take_expected(name).is_some()
        {
            *names = rest;
            return Some(name);
        }
        self.take_other_name(names)
    }

    #[inline(never)]
    fn take_other_name(&mut self, names: &mut &'static [&'static str]) -> Option<&'t str> {
        let (_, announced) = self.two_words()?;
        for (index, name) in names.iter().enumerate().take(EXPECTED_NAMES).skip(1) {
            if name.len() == announced as usize && self.take_expected(name).is_some() {
                *names = names.get(index + 1..)?;
                return Some(name);
            }
        }
        self.take_text()
    }

    /// Reads the next value if it is this text. It needs no check then.
    #[inline(always)]
    fn take_expected(&mut self, name: &str) -> Option<()> {
        let length = name.len();
        let (start, padded) = (self.position(), length + padding(length));
        let (head, text) = self.bytes.get(start..start + 2 * WORD + padded)?.split_first_chunk()?;
        let input = &mut self.input;
        if u64::from_le_bytes(*head) != (length as u64) << 32 | u64::from(input.plain_headers.string)
            || length > input.options.limits.string_length
            || !is_same(text.get(..length)?, name)
        {
            return None;
        }
        input.memory = input.memory.checked_sub(Leaves::COSTS.text(length) + Leaves::COSTS.string)?;
        input.cursor.advance(2 * WORD + padded);
        Some(())
    }

    /// Reads the next value if it is an array of `count` floats of 4 bytes, and returns their headers and values. None of
    /// them needs a check then.
    #[inline(always)]
    pub(super) fn take_floats(&mut self, count: usize) -> Option<&'t [[u8; 2 * WORD]]> {
        let start = self.position();
        let (head, floats) = self.bytes.get(start..)?.split_first_chunk()?;
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
        self.input.take_members(count, Leaves::COSTS.value, length)?;
        self.input.cursor.advance(length);
        Some(floats)
    }

    /// Moves to a value before the position.
    pub(super) fn move_to(&mut self, position: usize) {
        self.input.cursor = self.input.cursor.at(position);
    }

    /// Opens an array or a dictionary without types. Returns the number of its members.
    #[inline(always)]
    pub(super) fn take_plain_container(
        &mut self,
        header: u32,
        words: usize,
        cost: usize,
    ) -> Result<Option<usize>, DecodeError> {
        let Some((found, count)) = self.two_words() else { return Ok(None) };
        if found != header || count & COUNT_SHARED != 0 {
            return Ok(None);
        }
        let start = self.position();
        self.input.cursor.advance(2 * WORD);
        let members = self.input.begin_members((count, words), (cost, 0), words, start)?;
        Ok(Some(members.count))
    }

    /// Begins the members of a container.
    #[inline(always)]
    pub(super) fn enter(&mut self, count: usize) -> Result<(), DecodeError> {
        self.depth += 1;
        if self.depth > self.depth_limit && count > 0 { Err(self.too_deep()) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&self) -> DecodeError {
        DecodeError::new(DecodeErrorKind::DepthLimit { limit: self.depth_limit }, self.position())
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

    /// Returns whether the next value has the type that its container declares.
    #[inline(always)]
    pub(super) fn fits(&self, member: Member, is_key: bool) -> Result<bool, DecodeError> {
        if member == Member::Any { Ok(true) } else { self.fits_type(member, is_key) }
    }

    #[inline(never)]
    fn fits_type(&self, member: Member, is_key: bool) -> Result<bool, DecodeError> {
        let (mut found, flags) = self.peek()?;
        if found == VariantType::StringName && is_key && !self.input.options.profile.keeps_name_keys() {
            found = VariantType::String;
        }
        let is_object_id = found == VariantType::Object && flags & FLAG_OBJECT_ID != 0 && self.is_object(flags);
        Ok(member.fit(found, is_object_id) == Fit::Fits)
    }

    /// Returns the step to the value of an entry whose key starts at `key_start`.
    #[cold]
    pub(super) fn step_to_value(&self, entry: usize, key_start: usize) -> Step {
        let options = ReadOptions { limits: Limits::NONE, ..*self.input.options };
        let mut leaves = Leaves;
        let reader = Reader::new(self.input.cursor.at(key_start), &options, &mut leaves);
        Step::Value(entry, reader.leaf_at(key_start).ok().as_ref().and_then(key_text))
    }

    /// Checks the value of the property `script` of an object, which is next.
    pub(super) fn check_script(&self) -> Result<(), DecodeError> {
        if !self.input.options.profile.script_as_path() {
            return Ok(());
        }
        let (found, _) = self.peek()?;
        let kind = match found {
            VariantType::Nil => return Ok(()),
            VariantType::String => {
                let options = ReadOptions { limits: Limits::NONE, ..*self.input.options };
                let mut leaves = Leaves;
                let reader = Reader::new(self.input.cursor.at(self.position()), &options, &mut leaves);
                match reader.leaf_at(self.position())? {
                    crate::Variant::String(path) if path.starts_with(crate::wire::SCRIPT_PATH_PREFIX) => return Ok(()),
                    other => DecodeErrorKind::InvalidScriptPath {
                        path: other.as_text().map(|text| text.as_str().into()).unwrap_or_default(),
                    },
                }
            }
            found => DecodeErrorKind::ScriptNotPath { found },
        };
        Err(DecodeError::new(kind, self.position()))
    }

    /// Skips the next value, which is checked like any other.
    #[inline]
    pub(super) fn skip(&mut self) -> Result<(), DecodeError> {
        self.skip_at(self.depth)
    }

    fn skip_at(&mut self, depth: usize) -> Result<(), DecodeError> {
        let start = self.position();
        let limit = self.input.options.greatest_depth();
        if depth > limit {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit }, start));
        }
        if self.take_text().is_some() {
            return Ok(());
        }
        let (variant_type, flags) = self.peek()?;
        if depth >= self.depth + SKIPPED_LEVELS && variant_type.is_container() {
            return self.skip_deep(limit - depth);
        }
        self.input.cursor.advance(WORD);
        match variant_type {
            VariantType::PackedStringArray => {
                let count = self.input.read_string_count()?;
                (0..count).try_for_each(|_| self.input.read_terminated_text_field().map(|_| ()))
            }
            VariantType::NodePath => self.input.skip_node_path(),
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                let frame = self.input.open_array(variant_type, flags, start, None)?;
                (0..frame.members.count).try_for_each(|index| {
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(Step::Index(index)))
                })
            }
            VariantType::Dictionary => {
                let frame = self.input.open_dictionary(flags, start, None)?;
                (0..frame.members.count).try_for_each(|index| {
                    let key_start = self.position();
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(Step::Key(index)))?;
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(self.step_to_value(index, key_start)))
                })
            }
            _ => {
                if self.input.read_leaf(variant_type, flags, start)?.is_some() {
                    return Ok(());
                }
                let count = self.input.open_object(start, None)?.map_or(0, |frame| frame.members.count);
                (0..count).try_for_each(|_| {
                    self.begin_member();
                    let name =
                        self.input.read_text_field().map_err(|error| error.within(Step::Part("property name")))?;
                    self.begin_member();
                    let script = if name == crate::wire::SCRIPT_PROPERTY { self.check_script() } else { Ok(()) };
                    script
                        .and_then(|()| self.skip_at(depth + 1))
                        .map_err(|error| error.within(Step::Property(name.into())))
                })
            }
        }
    }

    /// Skips a value without recursion, if it has no more than `levels` levels.
    #[cold]
    fn skip_deep(&mut self, levels: usize) -> Result<(), DecodeError> {
        let limits = Limits { depth: levels, ..self.input.limits_left() };
        let options = ReadOptions { limits, ..*self.input.options };
        let mut leaves = Leaves;
        let mut reader = Reader::new(self.input.cursor.at(self.position()), &options, &mut leaves);
        let (_, end) = reader.read().map_err(|error| self.with_whole_limit(error.reverse_path()))?;
        let left = reader.input.limits_left();
        self.input.set_limits_left(left);
        self.input.cursor = self.input.cursor.at(end);
        Ok(())
    }

    /// Names the limit of the packet in an error, instead of the part of it that was left.
    #[cold]
    fn with_whole_limit(&self, error: DecodeError) -> DecodeError {
        let limits = self.input.options.limits;
        let kind = match error.kind() {
            DecodeErrorKind::DepthLimit { .. } => {
                DecodeErrorKind::DepthLimit { limit: self.input.options.greatest_depth() }
            }
            DecodeErrorKind::MemoryLimit { .. } => DecodeErrorKind::MemoryLimit { limit: limits.memory },
            DecodeErrorKind::ValueLimit { .. } => DecodeErrorKind::ValueLimit { limit: limits.values },
            DecodeErrorKind::ElementLimit { .. } => DecodeErrorKind::ElementLimit { limit: limits.packed_elements },
            _ => return error,
        };
        DecodeError::new(kind, error.offset()).with_path(error.path().clone())
    }

    /// Skips the next value and returns its bytes.
    pub(super) fn take_encoded(&mut self) -> Result<&'t [u8], DecodeError> {
        let start = self.position();
        let rest = self.input.cursor.rest(0);
        self.skip()?;
        Ok(&rest[..rest.len().min(self.position() - start)])
    }
}
