//! Finds the end of a value while its bytes arrive.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::build::validate::Validator;
use crate::error::{Category, DecodeError, DecodeErrorKind};
use crate::options::ReadOptions;
use crate::path::{Path, Step, key_text};
use crate::profile::ObjectForms;
use crate::read::machine::Reader;
use crate::types::container::ContainerHeader;
use crate::variant::{Text, element_size};
use crate::wire::{FLAG_OBJECT_ID, FLAG_WIDE, NODE_PATH_MARK, NODE_PATH_PROPERTY, TYPE_MASK, WORD, padding};
use crate::{Limits, Variant, VariantType, work};

/// Fields of at most this many bytes are not checked against the memory limit: they are headers and numbers.
const SMALL_FIELD: usize = 256;

/// An incremental scan for the end of a value. It reads each byte once and builds nothing.
#[derive(Debug)]
pub(crate) struct Scan {
    /// The number of bytes that have been scanned.
    position: usize,
    /// The open containers. The first one is a pseudo-container that holds the value.
    levels: Vec<Level>,
    /// What is left of the limits.
    left: Limits,
    /// The minimum number of bytes of all parts that have not been started.
    reserved_bytes: usize,
    /// Whether the first level is a container with one member or entry, which is a step of paths.
    in_container: bool,
}

/// The result of a scan.
pub(crate) enum Progress {
    /// The value is complete, with this length in bytes.
    Complete(usize),
    /// The scan can continue when this many bytes are available, counted from the start of the value.
    Needs(usize),
}

/// An open container, or a value made of several texts.
#[derive(Debug)]
struct Level {
    kind: Kind,
    /// The number of members, keys and values, properties or texts that have been scanned.
    read: usize,
    count: usize,
    /// The offset of the last key or name.
    start: usize,
    /// Whether the name of the next property has been read.
    is_named: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Array,
    Dictionary,
    Object,
    /// The strings of a `PackedStringArray`.
    Strings,
    /// The names of a `NodePath`.
    Names,
}

impl Scan {
    /// Starts a scan for the end of a value, or of a member or an entry of a typed container.
    pub(crate) fn new(entry_of: Option<VariantType>, left: Limits) -> Self {
        let (kind, count) = match entry_of {
            Some(VariantType::Dictionary) => (Kind::Dictionary, 2),
            _ => (Kind::Array, 1),
        };
        let first = Level { kind, read: 0, count, start: 0, is_named: false };
        Self {
            position: 0,
            levels: Vec::from([first]),
            left,
            reserved_bytes: count * WORD,
            in_container: entry_of.is_some(),
        }
    }

    /// Continues to the end of `bytes`. They must start at the same position in every call. `most` is the maximum
    /// number of bytes, if it is known.
    pub(crate) fn run(
        &mut self,
        bytes: &[u8],
        options: &ReadOptions,
        most: Option<usize>,
    ) -> Result<Progress, DecodeError> {
        while let Some(level) = self.levels.last() {
            work::add(1);
            let options = ReadOptions { strict: false, limits: self.left, ..*options };
            let begins_name = level.kind == Kind::Object && !level.is_named;
            let done = match level.kind {
                Kind::Strings | Kind::Names => self.text(bytes, &options),
                Kind::Object if begins_name => self.name(bytes, &options),
                _ => self.value(bytes, &options),
            };
            let most_left = most.map(|most| most.saturating_sub(self.position));
            let error = match done {
                Ok(()) => match most_left {
                    Some(most_left) if self.reserved_bytes > most_left => {
                        let count = u32::try_from(self.reserved_bytes / WORD).unwrap_or(u32::MAX);
                        DecodeError::new(DecodeErrorKind::CountExceedsInput { count, available: most_left }, 0)
                    }
                    _ => continue,
                },
                Err(error) => error,
            };
            if error.category() == Category::Truncated {
                let needs = needs(&error);
                match most_left {
                    None => return Ok(Progress::Needs(self.position + needs)),
                    // Only padding may be missing. The reader decides whether that is an error.
                    Some(most) if needs < most + WORD && self.reserved_bytes <= most => {
                        return Ok(Progress::Needs(self.position + needs.min(most)));
                    }
                    Some(_) => {}
                }
            }
            let offset = self.position + error.offset();
            return Err(error.with_offset(offset).with_path(self.path(bytes, &options)));
        }
        Ok(Progress::Complete(self.position))
    }

    /// Scans a text of a packed array or a path.
    fn text(&mut self, bytes: &[u8], options: &ReadOptions) -> Result<(), DecodeError> {
        let is_terminated = self.levels.last().is_some_and(|level| level.kind == Kind::Strings);
        self.with_reader(bytes, options, |reader| {
            if is_terminated { reader.input.read_terminated_text_field() } else { reader.input.read_any_text_field() }
                .map(drop)
        })?;
        self.reserved_bytes = self.reserved_bytes.saturating_sub(WORD);
        self.finish_part();
        Ok(())
    }

    fn name(&mut self, bytes: &[u8], options: &ReadOptions) -> Result<(), DecodeError> {
        let start = self.position;
        self.with_reader(bytes, options, |reader| reader.input.read_text_field().map(drop))?;
        self.reserved_bytes = self.reserved_bytes.saturating_sub(WORD);
        if let Some(level) = self.levels.last_mut() {
            (level.start, level.is_named) = (start, true);
        }
        Ok(())
    }

    /// Scans a value that holds no others, or the header of one that does.
    fn value(&mut self, bytes: &[u8], options: &ReadOptions) -> Result<(), DecodeError> {
        let rest = &bytes[self.position..];
        if self.levels.len() - 1 > self.left.depth {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit: self.left.depth }, 0));
        }
        let header = rest.first_chunk().map_or(0, |header| u32::from_le_bytes(*header));
        let flags = header & !TYPE_MASK;
        let start = self.position;
        // If the header is incomplete or its type is unknown, reading a leaf reports that.
        let variant_type = options.profile.type_of_header(header).unwrap_or(VariantType::Nil);
        let opened = match variant_type {
            VariantType::Array | VariantType::Dictionary | VariantType::TypedArray | VariantType::PackedTypedArray => {
                match ContainerHeader::read(rest, options)? {
                    Some(ContainerHeader { count, length, .. }) => {
                        self.position += length;
                        let is_dictionary = variant_type == VariantType::Dictionary;
                        let (kind, each) = if is_dictionary { (Kind::Dictionary, 2) } else { (Kind::Array, 1) };
                        Some((kind, count, each * WORD, each * size_of::<Variant>()))
                    }
                    None => None,
                }
            }
            VariantType::Object
                if flags & FLAG_OBJECT_ID == 0 && options.profile.objects() != ObjectForms::HeaderAlone =>
            {
                let count = self.with_reader(bytes, options, |reader| {
                    reader.input.read_object_header().map(|count| usize::try_from(count).unwrap_or(0))
                })?;
                Some((Kind::Object, count, 2 * WORD, size_of::<(alloc::string::String, Variant)>()))
            }
            VariantType::PackedStringArray => {
                let count = self.with_reader(bytes, options, |reader| {
                    reader.input.cursor.u32()?;
                    Ok(reader.input.cursor.u32()?.cast_signed())
                })?;
                Some((Kind::Strings, usize::try_from(count).unwrap_or(0), WORD, size_of::<Text>()))
            }
            VariantType::NodePath => {
                let count = self.with_reader(bytes, options, |reader| {
                    let [_, first] = [reader.input.cursor.u32()?, reader.input.cursor.u32()?];
                    if first & NODE_PATH_MARK == 0 {
                        return Ok(None);
                    }
                    let [subnames, flags] = [reader.input.cursor.u32()?, reader.input.cursor.u32()?];
                    let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
                    Ok(Some((first & !NODE_PATH_MARK).wrapping_add(subnames).wrapping_add(property)))
                })?;
                if count.is_none() {
                    // The old form, a single string, is a leaf.
                    self.position = start;
                }
                count.map(|count| (Kind::Names, count as usize, WORD, size_of::<Text>()))
            }
            _ => None,
        };
        match opened {
            Some((kind, count, least, memory)) => self.open(kind, count, least, memory, start)?,
            None => self.leaf(bytes, options, variant_type, flags)?,
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        bytes: &[u8],
        options: &ReadOptions,
        variant_type: VariantType,
        flags: u32,
    ) -> Result<(), DecodeError> {
        let start = self.position;
        let left = self.left.packed_elements;
        self.with_reader(bytes, options, |reader| match reader.read_slow_value(0) {
            Err(error) => match *error.kind() {
                // The elements of a packed array.
                DecodeErrorKind::CountExceedsInput { count, available } => {
                    if count as usize > left {
                        return Err(DecodeError::new(DecodeErrorKind::ElementLimit { limit: left }, error.offset()));
                    }
                    let wide = flags & FLAG_WIDE != 0 && options.profile.has_double_precision();
                    let length = (count as usize).saturating_mul(element_size(variant_type, wide));
                    let needed = length.saturating_add(padding(length));
                    Err(DecodeError::new(DecodeErrorKind::Truncated { needed, available }, error.offset() + WORD))
                }
                _ => Err(error),
            },
            Ok(_) => Ok(()),
        })?;
        self.record_start(start);
        self.finish_part();
        Ok(())
    }

    /// Enters a container. Each of its parts takes at least `least` bytes of input and `memory` bytes of memory.
    fn open(&mut self, kind: Kind, count: usize, least: usize, memory: usize, start: usize) -> Result<(), DecodeError> {
        let length = self.position - start;
        match self.left_after(kind, count, memory) {
            Ok(left) => self.left = left,
            Err(kind) => {
                self.position = start;
                return Err(DecodeError::new(kind, length - WORD));
            }
        }
        self.record_start(start);
        if count == 0 {
            self.finish_part();
            return Ok(());
        }
        self.reserved_bytes = self.reserved_bytes.saturating_add(count.saturating_mul(least));
        let count = if kind == Kind::Dictionary { 2 * count } else { count };
        self.levels.push(Level { kind, read: 0, count, start: 0, is_named: false });
        Ok(())
    }

    /// Returns what is left of the limits after `count` parts.
    fn left_after(&self, kind: Kind, count: usize, memory: usize) -> Result<Limits, DecodeErrorKind> {
        let left = self.left;
        let (values, packed) = match kind {
            Kind::Array | Kind::Object => (count, 0),
            Kind::Dictionary => (2 * count, 0),
            Kind::Strings => (0, count),
            Kind::Names => (0, 0),
        };
        let (limit, values) = (left.values, left.values.checked_sub(values));
        let values = values.ok_or(DecodeErrorKind::ValueLimit { limit })?;
        let (limit, packed_elements) = (left.packed_elements, left.packed_elements.checked_sub(packed));
        let packed_elements = packed_elements.ok_or(DecodeErrorKind::ElementLimit { limit })?;
        let (limit, memory) = (left.memory, left.memory.checked_sub(count.saturating_mul(memory)));
        let memory = memory.ok_or(DecodeErrorKind::MemoryLimit { limit })?;
        Ok(Limits { memory, values, packed_elements, ..left })
    }

    /// Records that a value starts at `start`.
    fn record_start(&mut self, start: usize) {
        self.reserved_bytes = self.reserved_bytes.saturating_sub(WORD);
        if let Some(level) = self.levels.last_mut()
            && level.kind == Kind::Dictionary
            && level.read.is_multiple_of(2)
        {
            level.start = start;
        }
    }

    /// Counts a finished value or text, and finishes the containers that it completes.
    fn finish_part(&mut self) {
        while let Some(level) = self.levels.last_mut() {
            level.read += 1;
            level.is_named = false;
            if level.read < level.count {
                return;
            }
            self.levels.pop();
        }
    }

    /// Reads at the position of the scan, and moves the position after what was read.
    fn with_reader<'a, T>(
        &mut self,
        bytes: &'a [u8],
        options: &ReadOptions,
        read: impl FnOnce(&mut Reader<'a, '_, Validator>) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        let rest = &bytes[self.position..];
        let mut validator = Validator::default();
        let mut reader = Reader::new(rest, options, &mut validator);
        let found = read(&mut reader).map_err(|error| match *error.kind() {
            // A length that exceeds the memory limit is refused before its bytes are awaited.
            DecodeErrorKind::Truncated { needed, .. } if needed > SMALL_FIELD && needed - WORD > self.left.memory => {
                DecodeError::new(DecodeErrorKind::MemoryLimit { limit: self.left.memory }, error.offset())
            }
            _ => error,
        })?;
        let length = reader.input.cursor.position();
        if length > rest.len() {
            // Padding may be missing only at the end of the input.
            let kind = DecodeErrorKind::Truncated { needed: length - rest.len(), available: 0 };
            return Err(DecodeError::new(kind, rest.len()));
        }
        self.left = reader.input.limits_left();
        self.position += length;
        Ok(found)
    }

    /// Returns the path to the position of the scan.
    #[cold]
    fn path(&self, bytes: &[u8], options: &ReadOptions) -> Path {
        let options = ReadOptions { limits: Limits::NONE, ..*options };
        let from = |start: usize| bytes.get(start..).unwrap_or_default();
        let step = |level: &Level| match level.kind {
            Kind::Array => Some(Step::Index(level.read)),
            Kind::Dictionary if level.read.is_multiple_of(2) => Some(Step::Key(level.read / 2)),
            Kind::Dictionary => {
                let mut validator: Validator = Validator::default();
                let key = Reader::new(from(level.start), &options, &mut validator).leaf_at(0);
                Some(Step::Value(level.read / 2, key.ok().as_ref().and_then(key_text)))
            }
            Kind::Object if !level.is_named => Some(Step::Part("property name")),
            Kind::Object => {
                let mut validator: Validator = Validator::default();
                let name = Reader::new(from(level.start), &options, &mut validator).input.read_text_field();
                Some(Step::Property(name.unwrap_or_default().to_owned()))
            }
            Kind::Strings | Kind::Names => None,
        };
        self.levels.iter().skip(usize::from(!self.in_container)).filter_map(step).collect()
    }
}

/// Returns the number of bytes that are needed to continue after a truncation error.
pub(crate) fn needs(error: &DecodeError) -> usize {
    match *error.kind() {
        DecodeErrorKind::Truncated { needed, .. } => error.offset().saturating_add(needed),
        _ => error.offset().saturating_add(WORD),
    }
}
