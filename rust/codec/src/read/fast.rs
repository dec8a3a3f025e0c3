//! The quick way to read what most packets are made of: null, numbers, ordinary text, and containers of such.
//!
//! Whatever else comes, and everything that is not in order, is left to the general way, which says what is wrong
//! with it.

use crate::build::ascii::Ascii;
use crate::build::builder::Builder;
use crate::coerce::member::{Fit, Member};
use crate::error::DecodeError;
use crate::float::widen;
use crate::options::ReadOptions;
use crate::path::{Step, key_text};
use crate::read::destination::{Element, Entry, Given, Place, PlainKey};
use crate::read::duplicate_keys::{KeySet, NO_RANK, Rank, rank_of_int, rank_of_text};
use crate::read::machine::{Frame, Item, Reader};
use crate::read::window::{Ahead, Alphabet, alphabet};
use crate::types::array::ArrayFrame;
use crate::types::dictionary::{DictionaryFrame, Pending};
use crate::variant::{KeyHasher, ShortText};
use crate::wire::{BYTE_ORDER_MARK, COUNT_SHARED, FLAG_WIDE, WORD, padding};
use crate::{VariantType, work};

/// Levels of containers that are read by recursion. Each costs less than a thousand bytes of stack.
pub(crate) const RECURSIVE_LEVELS: usize = 8;

/// Reads a packet that is one plain value, and says how many bytes it took.
#[inline(always)]
pub(crate) fn read_alone<'a, B: Builder<'a>>(
    bytes: &'a [u8],
    options: &ReadOptions,
    builder: &mut B,
) -> Option<(B::Value, usize)> {
    let mut reader = Reader::new(bytes, options, builder);
    if !reader.reads_plain() {
        return None;
    }
    reader.charge(const { B::COSTS.value }, 0).ok()?;
    let value = reader.read_plain(Given).ok()?;
    work::count_fast_value();
    Some((value, reader.cursor.position()))
}

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// Whether values may be read in the quick way at all.
    #[inline(always)]
    pub(crate) fn reads_plain(&self) -> bool {
        B::FAST_PATH && self.fast_path
    }

    /// Reads members of the innermost open container as long as they are plain. Gives the container where that
    /// finished it.
    #[inline]
    pub(crate) fn read_plain_members(&mut self) -> Result<Option<Item<B::Value>>, DecodeError> {
        let may_be_plain = match self.frames.last() {
            Some(Frame::Array(frame)) => frame.hash.is_none(),
            Some(Frame::Dictionary(frame)) => frame.hash.is_none(),
            Some(Frame::Object(_)) | None => false,
        };
        if !may_be_plain
            || !self.reads_plain()
            || !self.plain_headers.may_be_plain(self.cursor.ahead().header())
            || self.check_depth(0).is_err()
        {
            return Ok(None);
        }
        // Out of the list, so that reading can change both.
        let Some(mut frame) = self.frames.pop() else { return Ok(None) };
        let (read, finished) = match &mut frame {
            Frame::Array(frame) => (self.read_plain_elements(frame), frame.read == frame.count),
            Frame::Dictionary(frame) => {
                let untyped = frame.key_member == Member::Any && frame.value_member == Member::Any;
                let read = match untyped {
                    true => self.read_plain_entries::<false>(frame),
                    false => self.read_typed_entries(frame),
                };
                (read, frame.read == frame.count)
            }
            Frame::Object(_) => (Ok(()), false),
        };
        match frame {
            Frame::Array(frame) if finished && read.is_ok() => self.close_array(frame).map(Some),
            Frame::Dictionary(frame) if finished && read.is_ok() => self.close_dictionary(frame).map(Some),
            frame => {
                self.frames.push(frame);
                read.map(|()| None)
            }
        }
    }

    /// Reads elements as long as they are plain.
    #[inline(always)]
    fn read_plain_elements(&mut self, frame: &mut ArrayFrame<'a, B>) -> Result<(), DecodeError> {
        let before = frame.read;
        while frame.read < frame.count && self.comes_fit(frame.member) {
            work::add(1);
            let start = self.cursor.position();
            let Ok(pushed) = self.read_plain(Element(&mut frame.array)) else { break };
            pushed.map_err(|kind| DecodeError::new(kind, start))?;
            work::count_fast_value();
            frame.read += 1;
        }
        frame.memory_left = self.memory;
        self.owed = self.owed.saturating_sub((frame.read - before) * WORD);
        Ok(())
    }

    #[inline(never)]
    fn read_typed_entries(&mut self, frame: &mut DictionaryFrame<'a, B>) -> Result<(), DecodeError> {
        let read = self.read_plain_entries::<true>(frame);
        frame.memory_left = self.memory;
        read
    }

    /// Reads keys and values as long as they are plain. A key whose value is not is kept; a key that may have come
    /// before is not read, because the general way can look at it.
    #[inline(always)]
    fn read_plain_entries<const TYPED: bool>(&mut self, frame: &mut DictionaryFrame<'a, B>) -> Result<(), DecodeError> {
        if frame.pending.is_some() {
            return Ok(());
        }
        let mut headers_read = 0;
        while frame.read < frame.count && (!TYPED || self.comes_fit(frame.key_member)) {
            work::add(2);
            let key_start = self.cursor.position();
            let Some(key) = self.read_plain_key(frame) else { break };
            headers_read += 1;
            if TYPED && !self.comes_fit(frame.value_member) {
                let key = key.made(self.builder);
                frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                break;
            }
            let start = self.cursor.position();
            match self.read_plain(Entry { dictionary: &mut frame.dictionary, key }) {
                Ok(pushed) => pushed.map_err(|kind| DecodeError::new(kind, start))?,
                Err(Entry { key, .. }) => {
                    let key = key.made(self.builder);
                    frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                    break;
                }
            }
            headers_read += 1;
            work::count_fast_value();
            frame.read += 1;
            if frame.read < frame.count {
                self.builder.begin_entry();
            }
        }
        self.owed = self.owed.saturating_sub(headers_read * WORD);
        Ok(())
    }

    /// Whether the type that comes next is one that a container asks for.
    #[inline(always)]
    fn comes_fit(&self, member: Member) -> bool {
        member == Member::Any || self.comes_fit_typed(member)
    }

    #[inline(never)]
    fn comes_fit_typed(&self, member: Member) -> bool {
        let found = self.options.profile.type_of_header(self.cursor.ahead().header());
        found.is_some_and(|found| member.fit(found, false) == Fit::Fits)
    }

    /// Reads a key that is a short number or text, as nearly all are, unless it may have come before.
    #[inline(always)]
    fn read_plain_key(&mut self, frame: &mut DictionaryFrame<'a, B>) -> Option<PlainKey<'a, B::Value>> {
        let ahead = self.cursor.ahead();
        if ahead.header() == self.plain_headers.string {
            let Some(short) = ahead.short_text().filter(ShortText::is_ascii_without_nul) else {
                return self.read_longer_key(&ahead, frame).map(PlainKey::Made);
            };
            let memory_left = self.memory_without_text(short.length)?;
            self.note_key(frame, || rank_of_text(short), |hasher| hasher.short_text_key(short))?;
            self.memory = memory_left;
            let text = self.take_short_text(short);
            return Some(self.key_to_be_made(PlainKey::Text(text)));
        }
        if ahead.header() == self.plain_headers.int && ahead.has(2 * WORD) {
            let number = i64::from(ahead.payload().cast_signed());
            self.note_key(frame, || rank_of_int(number), |hasher| hasher.int(number))?;
            self.cursor.advance(2 * WORD);
            return Some(self.key_to_be_made(PlainKey::Int(number)));
        }
        None
    }

    /// A key that is made together with its value, or now where the order matters.
    #[inline(always)]
    fn key_to_be_made(&mut self, key: PlainKey<'a, B::Value>) -> PlainKey<'a, B::Value> {
        if B::WANTS_ORDER { PlainKey::Made(key.made(self.builder)) } else { key }
    }

    #[inline(never)]
    fn read_longer_key(&mut self, ahead: &Ahead, frame: &mut DictionaryFrame<'a, B>) -> Option<B::Value> {
        let text = self.longer_text(ahead)?;
        let memory_left = self.memory_without_text(text.length())?;
        self.note_key(frame, || NO_RANK, |hasher| hasher.text_key(text.as_bytes()))?;
        self.memory = memory_left;
        Some(self.longer_text_made(text))
    }

    /// Takes note of a key that is read, unless an earlier one may be equal. Keys that rise need no more than a look at
    /// the one before.
    #[inline(always)]
    fn note_key(
        &mut self,
        frame: &mut DictionaryFrame<'a, B>,
        rank: impl Fn() -> Rank,
        hash: impl Fn(&mut KeyHasher) -> u64,
    ) -> Option<()> {
        if matches!(frame.seen, KeySet::Unasked) || frame.seen.rises_to(rank) {
            return Some(());
        }
        frame.search(&mut self.hasher);
        let hash = hash(&mut self.hasher);
        frame.seen.add_new(hash).then_some(())
    }

    /// Reads the outermost value, whatever it is.
    #[inline(always)]
    pub(crate) fn read_any(&mut self) -> Result<B::Value, DecodeError> {
        if let Some(container) = self.read_shallow() {
            return container.map(|item| item.value);
        }
        match self.read_plain(Given) {
            Ok(value) => {
                work::count_fast_value();
                Ok(value)
            }
            Err(Given) => self.read_whole().map(|item| item.value),
        }
    }

    fn read_not_plain(&mut self) -> Result<B::Value, DecodeError> {
        match self.read_shallow() {
            Some(container) => container.map(|item| item.value),
            None => self.read_whole().map(|item| item.value),
        }
    }

    /// Reads an untyped container by recursion, where one comes next and is not deep.
    #[inline]
    pub(crate) fn read_shallow(&mut self) -> Option<Result<Item<B::Value>, DecodeError>> {
        let ahead = self.cursor.ahead();
        let (header, count) = (ahead.header(), ahead.payload());
        let is_array = header == self.plain_headers.array;
        if !is_array && header != self.plain_headers.dictionary
            || !ahead.has(2 * WORD)
            || count & COUNT_SHARED != 0
            || self.depth() >= self.recursive_levels
        {
            return None;
        }
        if self.depth() > 0 {
            self.owed = self.owed.saturating_sub(WORD);
        }
        let start = self.cursor.position();
        self.cursor.advance(2 * WORD);
        Some(if is_array { self.read_shallow_array(count, start) } else { self.read_shallow_dictionary(count, start) })
    }

    fn read_shallow_array(&mut self, count: u32, start: usize) -> Result<Item<B::Value>, DecodeError> {
        let mut frame = self.begin_array_of(VariantType::Array, None, Member::Any, (count, false), start)?;
        self.recursive += 1;
        while frame.read < frame.count {
            self.read_plain_elements(&mut frame).map_err(|error| error.within(Step::Index(frame.read)))?;
            if frame.read == frame.count {
                break;
            }
            let member = self.cursor.position();
            let read = self.read_not_plain().and_then(|value| {
                let pushed = self.builder.push_element(&mut frame.array, value);
                pushed.map_err(|kind| DecodeError::new(kind, member))
            });
            read.map_err(|error| error.within(Step::Index(frame.read)))?;
            frame.read += 1;
        }
        self.recursive -= 1;
        self.close_array(frame)
    }

    fn read_shallow_dictionary(&mut self, count: u32, start: usize) -> Result<Item<B::Value>, DecodeError> {
        let mut frame = self.begin_dictionary_of((None, None), (Member::Any, Member::Any), (count, false), start)?;
        self.recursive += 1;
        while frame.read < frame.count {
            self.read_plain_entries::<false>(&mut frame).map_err(|error| error.within(Step::Key(frame.read)))?;
            if frame.read == frame.count {
                break;
            }
            let Some(pending) = frame.pending.take() else {
                // A key that is not plain, or may have come before.
                self.recursive -= 1;
                return self.read_rest_of(Frame::Dictionary(frame));
            };
            let member = self.cursor.position();
            let read = self.read_not_plain().and_then(|value| {
                let pushed = self.builder.push_entry(&mut frame.dictionary, pending.key, value, None);
                pushed.map_err(|kind| DecodeError::new(kind, member))
            });
            read.map_err(|error| {
                let key = self.leaf_at(pending.key_start).ok();
                error.within(Step::Value(frame.read, key.as_ref().and_then(key_text)))
            })?;
            frame.read += 1;
            if frame.read < frame.count {
                self.builder.begin_entry();
            }
        }
        self.recursive -= 1;
        self.close_dictionary(frame)
    }

    /// Reads the next value and puts it into its place, where it is plain; nothing is read otherwise, and the place is
    /// given back.
    #[inline(always)]
    fn read_plain<P: Place<'a, B>>(&mut self, place: P) -> Result<P::Done, P> {
        let ahead = self.cursor.ahead();
        let header = ahead.header();
        let headers = self.plain_headers;
        if header == headers.int && ahead.has(2 * WORD) {
            self.cursor.advance(2 * WORD);
            let value = self.builder.int(i64::from(ahead.payload().cast_signed()));
            return Ok(place.put(self.builder, value));
        }
        if header == headers.string {
            let Some(short) = ahead.short_text().filter(ShortText::is_ascii_without_nul) else {
                return match self.read_longer_text(&ahead) {
                    Some(value) => Ok(place.put(self.builder, value)),
                    None => Err(place),
                };
            };
            let Some(memory_left) = self.memory_without_text(short.length) else { return Err(place) };
            self.memory = memory_left;
            let text = self.take_short_text(short);
            let value = self.builder.ascii_string(text);
            return Ok(place.put(self.builder, value));
        }
        if header == headers.float && ahead.has(2 * WORD) {
            self.cursor.advance(2 * WORD);
            let value = self.builder.float(widen(f32::from_bits(ahead.payload())));
            return Ok(place.put(self.builder, value));
        }
        if header == headers.bool && ahead.has(2 * WORD) {
            self.cursor.advance(2 * WORD);
            let value = self.builder.bool(ahead.payload() != 0);
            return Ok(place.put(self.builder, value));
        }
        if header == headers.nil && ahead.has(WORD) {
            self.cursor.advance(WORD);
            let value = self.builder.nil();
            return Ok(place.put(self.builder, value));
        }
        if header == headers.vector3 && ahead.has(4 * WORD) {
            self.cursor.advance(4 * WORD);
            let value = self.builder.vector3(ahead.three().map(f32::from_bits));
            return Ok(place.put(self.builder, value));
        }
        if header == headers.vector2 && ahead.has(3 * WORD) {
            self.cursor.advance(3 * WORD);
            let [x, y, _] = ahead.three().map(f32::from_bits);
            let value = self.builder.vector2([x, y]);
            return Ok(place.put(self.builder, value));
        }
        if !headers.has_wide || !ahead.has(3 * WORD) {
            return Err(place);
        }
        if header == headers.float | FLAG_WIDE {
            self.cursor.advance(3 * WORD);
            let value = self.builder.float(f64::from_bits(ahead.wide()));
            return Ok(place.put(self.builder, value));
        }
        if header == headers.int | FLAG_WIDE {
            self.cursor.advance(3 * WORD);
            let value = self.builder.int(ahead.wide().cast_signed());
            return Ok(place.put(self.builder, value));
        }
        Err(place)
    }

    /// The short text that comes next.
    #[inline(always)]
    fn take_short_text(&mut self, short: ShortText) -> Ascii<'a> {
        let text = Ascii::new(self.cursor.rest(2 * WORD), short.length, Some(short));
        self.cursor.advance(2 * WORD + short.length + padding(short.length));
        text
    }

    /// The bytes of the text that comes next, where they and their padding are all there.
    #[inline(always)]
    fn text_ahead(&self, ahead: &Ahead) -> Option<&'a [u8]> {
        let length = usize::try_from(ahead.payload().cast_signed()).ok()?;
        self.cursor.peek_at(2 * WORD, length, padding(length))
    }

    /// Text that is longer or not ASCII.
    #[inline(never)]
    fn read_longer_text(&mut self, ahead: &Ahead) -> Option<B::Value> {
        let text = self.longer_text(ahead)?;
        self.memory = self.memory_without_text(text.length())?;
        Some(self.longer_text_made(text))
    }

    /// The text that comes next: all there, UTF-8, and taken as it stands. Nothing is read.
    #[inline(always)]
    fn longer_text(&self, ahead: &Ahead) -> Option<LongerText<'a>> {
        let bytes = self.text_ahead(ahead)?;
        work::add_bytes(bytes.len());
        match alphabet(bytes) {
            Alphabet::Ascii => Some(LongerText::Ascii(bytes)),
            Alphabet::Other if !bytes.starts_with(BYTE_ORDER_MARK) => {
                str::from_utf8(bytes).ok().map(LongerText::Unicode)
            }
            Alphabet::Other | Alphabet::WithNul => None,
        }
    }

    #[inline(always)]
    fn longer_text_made(&mut self, text: LongerText<'a>) -> B::Value {
        self.cursor.advance(2 * WORD + text.length() + padding(text.length()));
        match text {
            LongerText::Ascii(bytes) => self.builder.ascii_string(Ascii::new(bytes, bytes.len(), None)),
            LongerText::Unicode(text) => self.builder.string(text),
        }
    }

    /// The memory that is left when text of that length is kept, unless a limit is in the way.
    #[inline(always)]
    fn memory_without_text(&self, length: usize) -> Option<usize> {
        let cost = const { B::COSTS }.text(length).saturating_add(const { B::COSTS.string });
        self.memory.checked_sub(cost).filter(|_| length <= self.options.limits.string_length)
    }
}

#[derive(Clone, Copy)]
enum LongerText<'a> {
    Ascii(&'a [u8]),
    Unicode(&'a str),
}

impl<'a> LongerText<'a> {
    #[inline]
    fn as_bytes(self) -> &'a [u8] {
        match self {
            Self::Ascii(bytes) => bytes,
            Self::Unicode(text) => text.as_bytes(),
        }
    }

    #[inline]
    fn length(self) -> usize {
        self.as_bytes().len()
    }
}
