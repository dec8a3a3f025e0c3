//! The fast path: null, numbers, vectors, common text and names, and the members of containers of these types.
//!
//! Anything else, malformed input included, falls back to the slow path, which reports the error. Some rules of the
//! format are implemented here a second time, for example short and long ints; the property `paths` of the fuzz targets
//! checks that both paths agree.

use crate::VariantType;
use crate::build::ascii::Ascii;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::{DecodeError, DecodeErrorKind};
use crate::float::widen;
use crate::read::destination::{Destination, Element, Entry, FastKey, Return};
use crate::read::duplicate_keys::{KeySet, NO_RANK, Rank, rank_of_int, rank_of_text};
use crate::read::frame::Frame;
use crate::read::input::Input;
use crate::read::window::Window;
use crate::types::container::{Members, TypedContainer};
use crate::types::dictionary::{DictionaryFrame, Entries, Pending};
use crate::types::object::ObjectFrame;
use crate::variant::{KeyHasher, ShortText};
use crate::wire::{
    COUNT_SHARED, FIRST_KIND_SHIFT, FLAG_WIDE, KIND_BUILTIN, SCRIPT_PATH_PREFIX, SCRIPT_PROPERTY, SECOND_KIND_SHIFT,
    TYPE_MASK, WORD, padded,
};
use crate::work;

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Returns whether the next value is an array, and its count, if it is an untyped array or dictionary.
    #[inline(always)]
    pub(crate) fn next_plain_container(&self) -> Option<(bool, u32)> {
        let window = self.cursor.window();
        let (header, count) = (window.header(), window.payload());
        let is_array = header == self.plain_headers.array;
        let is_plain = is_array || header == self.plain_headers.dictionary;
        (is_plain && window.has(2 * WORD) && count & COUNT_SHARED == 0).then_some((is_array, count))
    }

    /// Returns the beginning of the next value, if it is an array or dictionary whose types are built-in ones other than `Object`.
    #[inline(always)]
    pub(crate) fn next_typed_container(&self) -> Option<TypedContainer> {
        const FIRST: u32 = KIND_BUILTIN << FIRST_KIND_SHIFT;
        const SECOND: u32 = KIND_BUILTIN << SECOND_KIND_SHIFT;
        const BOTH: u32 = FIRST | SECOND;
        let (window, headers, profile) = (self.cursor.window(), self.plain_headers, self.options.profile);
        let words = window.three();
        let type_at = |index: usize| {
            let found = profile.type_of_id(u8::try_from(words[index]).ok()?);
            found.filter(|found| !matches!(found, VariantType::Nil | VariantType::Object))
        };
        let is_array = window.header() == headers.array | FIRST && profile.types_arrays();
        let (types, count_at) = match window.header() ^ headers.dictionary {
            _ if is_array => ([Some(type_at(0)?), None], 1),
            FIRST | SECOND | BOTH if !profile.types_dictionaries() => return None,
            FIRST => ([Some(type_at(0)?), None], 1),
            SECOND => ([None, Some(type_at(0)?)], 1),
            BOTH => ([Some(type_at(0)?), Some(type_at(1)?)], 2),
            _ => return None,
        };
        let is_complete = window.has((count_at + 2) * WORD) && words[count_at] & COUNT_SHARED == 0;
        is_complete.then_some(TypedContainer { is_array, types, count: words[count_at] })
    }

    /// Reads members of an open container until one needs the slow path.
    #[inline(never)]
    pub(crate) fn read_fast_members_of(&mut self, frame: &mut Frame<'a, B>) -> Result<(), DecodeError> {
        match frame {
            Frame::Array(frame) => self.read_fast_elements(&mut frame.array, &mut frame.members, frame.member),
            Frame::Dictionary(frame) => self.read_fast_typed_entries(frame),
            Frame::Object(frame) => self.read_fast_properties(frame),
        }
    }

    /// Reads elements until one needs the slow path.
    #[inline(always)]
    pub(crate) fn read_fast_elements(
        &mut self,
        array: &mut B::Array,
        members: &mut Members,
        member: Member,
    ) -> Result<(), DecodeError> {
        let before = members.read;
        while !members.is_complete() && self.next_fits(member) {
            if B::WANTS_RUNS && self.cursor.window().may_be_nulls() && self.read_run(array, members, member)? {
                continue;
            }
            work::add(1);
            let start = self.cursor.position();
            let pushed = if let Ok(pushed) = self.read_fast_value(Element(&mut *array)) {
                pushed
            } else if B::WANTS_RUNS && self.next_may_be_run() && self.read_run(array, members, member)? {
                continue;
            } else if let Some(value) = self.read_simple_leaf() {
                self.builder.push_element(array, value)
            } else {
                break;
            };
            pushed.map_err(DecodeError::at(start))?;
            work::count_fast_value();
            members.read += 1;
        }
        members.memory_left = self.memory_for_values();
        self.reserved_bytes = self.reserved_bytes.saturating_sub((members.read - before) * WORD);
        Ok(())
    }

    /// Reads entries of a dictionary that may be typed.
    #[inline(never)]
    pub(crate) fn read_fast_typed_entries(&mut self, frame: &mut DictionaryFrame<'a, B>) -> Result<(), DecodeError> {
        if frame.pending.is_some() {
            return Ok(());
        }
        let types = (frame.key_member, frame.value_member);
        let mut pending = None;
        let read = self.read_fast_entries::<true, false>(frame.entries(), types, |builder, key, key_start| {
            let key = key.build(builder);
            pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
        });
        frame.members.memory_left = self.memory_for_values();
        frame.pending = pending;
        read
    }

    /// Reads keys and values until one needs the slow path. A key whose value needs it is passed to `keep`, with its offset.
    /// A key that may be a duplicate is not read. `DEEP` says that most values are containers.
    #[inline(always)]
    pub(crate) fn read_fast_entries<const TYPED: bool, const DEEP: bool>(
        &mut self,
        mut entries: Entries<'_, B::Dictionary>,
        (key_member, value_member): (Member, Member),
        keep: impl FnOnce(&mut B, FastKey<'a, B::Value>, usize),
    ) -> Result<(), DecodeError> {
        let mut headers_read = 0;
        while !entries.members.is_complete() && (!TYPED || self.next_fits(key_member)) {
            work::add(2);
            let key_start = self.cursor.position();
            let Some(key) = self.read_fast_key(&mut entries) else { break };
            headers_read += 1;
            let start = self.cursor.position();
            if DEEP && self.next_plain_container().is_some() {
                keep(self.builder, key, key_start);
                break;
            }
            let fits = !TYPED || self.next_fits(value_member);
            // Before anything else: to pass the key on and take it back takes longer than to compare a header.
            let numbers = if B::WANTS_RUNS && fits { self.take_numbers_of_last_type() } else { None };
            if let Some(numbers) = numbers {
                self.push_numbers(entries.dictionary, key, numbers).map_err(DecodeError::at(start))?;
            } else {
                let entry = Entry { dictionary: &mut *entries.dictionary, key };
                match if fits { self.read_fast_value(entry) } else { Err(entry) } {
                    Ok(pushed) => pushed.map_err(DecodeError::at(start))?,
                    Err(Entry { dictionary, key }) => {
                        if let Some(numbers) = if B::WANTS_RUNS && fits { self.take_numbers() } else { None } {
                            self.push_numbers(dictionary, key, numbers).map_err(DecodeError::at(start))?;
                        } else if let Some(value) = if fits { self.read_simple_leaf() } else { None } {
                            Entry { dictionary, key }.put(self.builder, value).map_err(DecodeError::at(start))?;
                        } else {
                            keep(self.builder, key, key_start);
                            break;
                        }
                    }
                }
            }
            headers_read += 1;
            work::count_fast_value();
            entries.members.read += 1;
            if !entries.members.is_complete() {
                self.builder.begin_entry();
            }
        }
        self.reserved_bytes = self.reserved_bytes.saturating_sub(headers_read * WORD);
        Ok(())
    }

    #[inline(always)]
    fn push_numbers(
        &mut self,
        dictionary: &mut B::Dictionary,
        key: FastKey<'a, B::Value>,
        (variant_type, numbers): (VariantType, &'a [u8]),
    ) -> Result<(), DecodeErrorKind> {
        let key = key.build(self.builder);
        self.builder.push_numbers(dictionary, key, variant_type, numbers)
    }

    /// Reads values and names of properties until one needs the slow path.
    #[inline]
    pub(crate) fn read_fast_properties(&mut self, frame: &mut ObjectFrame<'a, B>) -> Result<(), DecodeError> {
        while let Some(name) = frame.name {
            let start = self.cursor.position();
            // The slow path reports a value that a script cannot have.
            if name == SCRIPT_PROPERTY && !self.next_is_script() {
                break;
            }
            let value = match self.read_fast_value(Return) {
                Ok(value) => value,
                Err(_) => match self.read_simple_leaf() {
                    Some(value) => value,
                    None => break,
                },
            };
            work::add(1);
            work::count_fast_value();
            self.reserved_bytes = self.reserved_bytes.saturating_sub(WORD);
            frame.add_property(self, name, value, start)?;
        }
        Ok(())
    }

    /// Returns whether the next value is one of those that a property `script` can have: null, or a path in the project.
    fn next_is_script(&self) -> bool {
        let window = self.cursor.window();
        let text = self.cursor.rest(2 * WORD).get(..window.payload() as usize);
        window.header() == self.plain_headers.nil
            || window.header() == self.plain_headers.string
                && text.is_some_and(|text| text.starts_with(SCRIPT_PATH_PREFIX.as_bytes()))
    }

    /// Returns whether the next value is an object that is not in the id form.
    #[inline(always)]
    pub(crate) fn next_is_full_object(&self) -> bool {
        Some(self.cursor.window().header()) == self.plain_headers.object
    }

    /// Returns whether the next value may be one of those that [`read_run`](Self::read_run) reads. Every engine numbers them before
    /// the containers.
    #[inline(always)]
    fn next_may_be_run(&self) -> bool {
        self.cursor.window().header() & TYPE_MASK < self.plain_headers.dictionary && !self.next_is_full_object()
    }

    /// Returns whether the type of the next value fits the declared type.
    #[inline(always)]
    fn next_fits(&self, member: Member) -> bool {
        member == Member::Any || self.next_is_exactly(member) || self.next_fits_type(member)
    }

    /// Returns whether the type of the next value is the declared type.
    #[inline(always)]
    pub(crate) fn next_is_exactly(&self, member: Member) -> bool {
        let (Member::Exactly(wanted) | Member::Builtin(wanted, _)) = member else { return false };
        self.options.profile.is_header_of(wanted, self.cursor.window().header())
    }

    #[inline(never)]
    fn next_fits_type(&self, member: Member) -> bool {
        let found = self.options.profile.type_of_header(self.cursor.window().header());
        found.is_some_and(|found| member.fit(found, false) == Fit::Fits)
    }

    /// Reads a key that is text, a name or an int, unless it may be a duplicate.
    #[inline(always)]
    fn read_fast_key(&mut self, entries: &mut Entries<'_, B::Dictionary>) -> Option<FastKey<'a, B::Value>> {
        let window = self.cursor.window();
        if window.header() == self.plain_headers.string {
            let Some(short) = window.short_text().filter(ShortText::is_ascii_without_nul) else {
                return self.read_fast_long_key(&window, entries).map(FastKey::Built);
            };
            let memory_left = self.memory_without_text(short.length)?;
            self.record_key(entries, || rank_of_text(short), |hasher| hasher.short_text_key(short))?;
            self.memory = memory_left;
            let text = self.take_short_text(short);
            return Some(self.build_key_if_ordered(FastKey::Text(text)));
        }
        if window.header() == self.plain_headers.int && window.has(2 * WORD) {
            let number = i64::from(window.payload().cast_signed());
            self.record_key(entries, || rank_of_int(number), |hasher| hasher.int(number))?;
            self.cursor.advance(2 * WORD);
            return Some(self.build_key_if_ordered(FastKey::Int(number)));
        }
        if self.plain_headers.has_wide && window.header() == self.plain_headers.int | FLAG_WIDE && window.has(3 * WORD)
        {
            let number = window.wide().cast_signed();
            self.record_key(entries, || rank_of_int(number), |hasher| hasher.int(number))?;
            self.cursor.advance(3 * WORD);
            return Some(self.build_key_if_ordered(FastKey::Int(number)));
        }
        if Some(window.header()) == self.plain_headers.string_name {
            // A name that may equal the text of another key, or that is read as text, takes the slow path.
            if !matches!(entries.seen, KeySet::Untracked) || !self.options.profile.keeps_name_keys() {
                return None;
            }
            return self.read_fast_name(&window).map(FastKey::Built);
        }
        // Duplicates of other types are found by the slow path.
        if matches!(entries.seen, KeySet::Untracked) { self.read_other_key().map(FastKey::Built) } else { None }
    }

    /// Reads a key of another type. Cells of a map are the usual ones.
    #[inline(never)]
    fn read_other_key(&mut self) -> Option<B::Value> {
        let window = self.cursor.window();
        let is_of = |variant_type| self.options.profile.is_header_of(variant_type, window.header());
        if is_of(VariantType::Vector2i) && window.has(3 * WORD) {
            let [x, y, _] = window.three().map(u32::cast_signed);
            self.cursor.advance(3 * WORD);
            return Some(self.builder.integers(VariantType::Vector2i, &[x, y]));
        }
        if is_of(VariantType::Vector3i) && window.has(4 * WORD) {
            let cell = window.three().map(u32::cast_signed);
            self.cursor.advance(4 * WORD);
            return Some(self.builder.integers(VariantType::Vector3i, &cell));
        }
        self.read_simple_leaf()
    }

    /// Builds the key now if the builder needs the order of the packet. Otherwise it is built with its value.
    #[inline(always)]
    fn build_key_if_ordered(&mut self, key: FastKey<'a, B::Value>) -> FastKey<'a, B::Value> {
        if B::WANTS_ORDER { FastKey::Built(key.build(self.builder)) } else { key }
    }

    #[inline(never)]
    fn read_fast_long_key(&mut self, window: &Window, entries: &mut Entries<'_, B::Dictionary>) -> Option<B::Value> {
        let text = self.checked_long_text(window)?;
        let memory_left = self.memory_without_text(text.bytes.len())?;
        self.record_key(entries, || NO_RANK, |hasher| hasher.text_key(text.bytes))?;
        self.memory = memory_left;
        let length = text.bytes.len();
        self.cursor.advance(2 * WORD + padded(length));
        Some(match text.unicode {
            None => self.builder.ascii_string(Ascii::new(text.bytes, length, None)),
            Some(text) => self.builder.string(text),
        })
    }

    /// Records a key, or returns `None` if it may be a duplicate. For keys in ascending order, one comparison suffices.
    #[inline(always)]
    fn record_key(
        &mut self,
        entries: &mut Entries<'_, B::Dictionary>,
        rank: impl Fn() -> Rank,
        hash: impl Fn(&mut KeyHasher) -> u64,
    ) -> Option<()> {
        if matches!(entries.seen, KeySet::Untracked) || entries.seen.is_next_ascending(rank) {
            return Some(());
        }
        entries.search::<B>(&mut self.hasher);
        let hash = hash(&mut self.hasher);
        entries.seen.add_new(hash).then_some(())
    }

    /// Reads the next value and writes it to its destination. If the value needs the slow path, nothing is read and the
    /// destination is returned.
    #[inline(always)]
    pub(crate) fn read_fast_value<P: Destination<'a, B>>(&mut self, destination: P) -> Result<P::Done, P> {
        let window = self.cursor.window();
        let header = window.header();
        let headers = self.plain_headers;
        if header == headers.int && window.has(2 * WORD) {
            let value = i64::from(window.payload().cast_signed());
            return Ok(self.put(2, destination, |builder| builder.int(value)));
        }
        if header == headers.string {
            let Some(short) = window.short_text().filter(ShortText::is_ascii_without_nul) else {
                return match self.read_fast_long_text(&window) {
                    Some(value) => Ok(destination.put(self.builder, value)),
                    None => Err(destination),
                };
            };
            let Some(memory_left) = self.memory_without_text(short.length) else { return Err(destination) };
            self.memory = memory_left;
            let text = self.take_short_text(short);
            return Ok(self.put(0, destination, |builder| builder.ascii_string(text)));
        }
        if header == headers.float && window.has(2 * WORD) {
            let value = widen(f32::from_bits(window.payload()));
            return Ok(self.put(2, destination, |builder| builder.float(value)));
        }
        if header == headers.bool && window.has(2 * WORD) {
            return Ok(self.put(2, destination, |builder| builder.bool(window.payload() != 0)));
        }
        if header == headers.nil && window.has(WORD) {
            return Ok(self.put(1, destination, B::nil));
        }
        if header == headers.vector3 && window.has(4 * WORD) {
            return Ok(self.put(4, destination, |builder| builder.vector3(window.three().map(f32::from_bits))));
        }
        if header == headers.vector2 && window.has(3 * WORD) {
            let [x, y, _] = window.three().map(f32::from_bits);
            return Ok(self.put(3, destination, |builder| builder.vector2([x, y])));
        }
        if Some(header) == headers.string_name {
            return match self.read_fast_name(&window) {
                Some(value) => Ok(destination.put(self.builder, value)),
                None => Err(destination),
            };
        }
        if !headers.has_wide || !window.has(3 * WORD) {
            return Err(destination);
        }
        if header == headers.float | FLAG_WIDE {
            return Ok(self.put(3, destination, |builder| builder.float(f64::from_bits(window.wide()))));
        }
        if header == headers.int | FLAG_WIDE {
            return Ok(self.put(3, destination, |builder| builder.int(window.wide().cast_signed())));
        }
        Err(destination)
    }

    /// Moves past a value of `words` words, builds it and writes it to its destination.
    #[inline(always)]
    fn put<P: Destination<'a, B>>(&mut self, words: usize, to: P, build: impl FnOnce(&mut B) -> B::Value) -> P::Done {
        self.cursor.advance(words * WORD);
        let value = build(self.builder);
        to.put(self.builder, value)
    }

    /// Reads the next value, which is short text.
    #[inline(always)]
    fn take_short_text(&mut self, short: ShortText) -> Ascii<'a> {
        let text = Ascii::new(self.cursor.rest(2 * WORD), short.length, Some(short));
        self.cursor.advance(2 * WORD + padded(short.length));
        text
    }

    /// Reads text that is longer or not ASCII.
    #[inline(never)]
    fn read_fast_long_text(&mut self, window: &Window) -> Option<B::Value> {
        let (bytes, is_ascii) = self.long_text(window)?;
        let memory_left = self.memory_without_text(bytes.len())?;
        let value = match is_ascii {
            true => self.builder.ascii_string(Ascii::new(bytes, bytes.len(), None)),
            false => self.builder.checked_string(bytes)?,
        };
        self.memory = memory_left;
        self.cursor.advance(2 * WORD + padded(bytes.len()));
        Some(value)
    }

    /// Reads a `StringName`.
    #[inline(never)]
    fn read_fast_name(&mut self, window: &Window) -> Option<B::Value> {
        let text = self.checked_long_text(window)?;
        let length = text.bytes.len();
        let cost = const { B::COSTS }.text(length).saturating_add(const { B::COSTS.string_name });
        self.memory = self.memory.checked_sub(cost).filter(|_| length <= self.options.limits.string_length)?;
        self.cursor.advance(2 * WORD + padded(length));
        Some(match text.unicode {
            None => self.builder.ascii_string_name(Ascii::new(text.bytes, length, None)),
            Some(text) => self.builder.string_name(text),
        })
    }

    /// Returns the bytes of the next text as [`Window::long_text`] does. Does not move.
    #[inline(always)]
    fn long_text(&self, window: &Window) -> Option<(&'a [u8], bool)> {
        window.long_text(self.cursor.rest(2 * WORD))
    }

    /// Returns the next text as [`long_text`](Self::long_text) does, if it is valid UTF-8.
    #[inline(always)]
    fn checked_long_text(&self, window: &Window) -> Option<LongText<'a>> {
        let (bytes, is_ascii) = self.long_text(window)?;
        let unicode = if is_ascii { None } else { Some(str::from_utf8(bytes).ok()?) };
        Some(LongText { bytes, unicode })
    }

    /// Returns the memory that is left after text of this length, or `None` if a limit is exceeded.
    #[inline(always)]
    fn memory_without_text(&self, length: usize) -> Option<usize> {
        let cost = const { B::COSTS }.text(length).saturating_add(const { B::COSTS.string });
        self.memory.checked_sub(cost).filter(|_| length <= self.options.limits.string_length)
    }
}

#[derive(Clone, Copy)]
struct LongText<'a> {
    bytes: &'a [u8],
    /// The same as text, unless it is ASCII.
    unicode: Option<&'a str>,
}
