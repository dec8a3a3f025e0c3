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
use crate::read::window::{Alphabet, alphabet};
use crate::serde::leaves::Leaves;
use crate::wire::{BYTE_ORDER_MARK, COUNT_SHARED, FLAG_OBJECT_ID, TYPE_MASK, WORD, padding};

/// The deepest level that is read by calls of `Deserialize`, which recurse.
const MAX_DEPTH: usize = 128;

/// The number of levels of a skipped value that are skipped by recursion.
const SKIPPED_LEVELS: usize = 32;

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
    pub(super) input: Input<'t, 'o, Leaves>,
    /// The number of open containers.
    depth: usize,
    /// The deepest level that is read by calls of `Deserialize`.
    depth_limit: usize,
    mode: PhantomData<M>,
}

impl<'t, 'o, M> ValueReader<'t, 'o, M> {
    pub(super) fn new(bytes: &'t [u8], options: &'o ReadOptions, leaves: &'o mut Leaves) -> Result<Self, DecodeError> {
        let mut input = Input::new(Cursor::new(bytes), options, leaves);
        input.charge(Leaves::COSTS.value, 0)?;
        let depth_limit = MAX_DEPTH.min(options.greatest_depth());
        Ok(Self { input, depth: 0, depth_limit, mode: PhantomData })
    }

    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.input.cursor.position()
    }

    /// Returns the next two words, and the input after the first of them.
    #[inline(always)]
    pub(super) fn two_words(&self) -> Option<(u32, u32, &'t [u8])> {
        let rest = self.input.cursor.rest(0);
        let head = u64::from_le_bytes(*rest.first_chunk()?);
        Some(((head & 0xFFFF_FFFF) as u32, (head >> 32) as u32, &rest[WORD..]))
    }

    /// Returns the type and the flags of the next value.
    pub(super) fn peek(&self) -> Result<(VariantType, u32), DecodeError> {
        let mut cursor = self.input.cursor.at(self.position());
        let header = cursor.u32()?;
        let profile = self.input.options.profile;
        match profile.type_of_header(header) {
            Some(variant_type) => Ok((variant_type, header & !TYPE_MASK)),
            None => {
                let id = if profile.masks_header() { header & TYPE_MASK } else { header };
                Err(DecodeError::new(DecodeErrorKind::UnknownType { id }, self.position()))
            }
        }
    }

    /// Returns whether the next value is null: `Nil`, or an object that is null.
    pub(super) fn is_null(&self) -> Result<bool, DecodeError> {
        let headers = self.input.plain_headers;
        if let Some((header, ..)) = self.two_words()
            && [headers.string, headers.int, headers.float, headers.dictionary, headers.array].contains(&header)
        {
            return Ok(false);
        }
        Ok(match self.peek()? {
            (VariantType::Nil, _) => true,
            (VariantType::Object, flags) => !self.is_object(flags),
            _ => false,
        })
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

    /// Reads the next value if it is a `String` in the usual form.
    #[inline(always)]
    pub(super) fn take_text(&mut self) -> Option<&'t str> {
        let input = &mut self.input;
        if !input.has_fast_path() {
            return None;
        }
        let (head, text) = input.cursor.rest(0).split_first_chunk::<{ 2 * WORD }>()?;
        let head = u64::from_le_bytes(*head);
        let length = (head >> 32) as usize;
        if head & 0xFFFF_FFFF != u64::from(input.plain_headers.string) || length > input.options.limits.string_length {
            return None;
        }
        let bytes = text.get(..length).filter(|_| text.len() >= length + padding(length))?;
        match alphabet(bytes) {
            Alphabet::Ascii => {}
            Alphabet::Other if !bytes.starts_with(BYTE_ORDER_MARK) => {}
            Alphabet::Other | Alphabet::WithNul => return None,
        }
        let text = str::from_utf8(bytes).ok()?;
        input.memory = input.memory.checked_sub(Leaves::COSTS.text(length) + Leaves::COSTS.string)?;
        input.cursor.advance(2 * WORD + length + padding(length));
        Some(text)
    }

    /// Opens an array or a dictionary without types. Returns the number of its members.
    #[inline(always)]
    pub(super) fn take_plain_container(
        &mut self,
        header: u32,
        words: usize,
        cost: usize,
    ) -> Result<Option<usize>, DecodeError> {
        let Some((found, count, _)) = self.two_words() else { return Ok(None) };
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
