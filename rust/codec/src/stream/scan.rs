//! Finds the end of a value while its bytes arrive.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::build::validate::Validator;
use crate::error::{Category, DecodeError, DecodeErrorKind};
use crate::options::ReadOptions;
use crate::path::{Path, Step};
use crate::profile::{ObjectForms, UndefinedPadding};
use crate::read::cursor::Cursor;
use crate::read::machine::Reader;
use crate::types::container::ContainerHeader;
use crate::variant::{Text, element_size};
use crate::wire::{FLAG_OBJECT_ID, FLAG_WIDE, NODE_PATH_MARK, NODE_PATH_PROPERTY, WORD, padding};
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

/// An open container, or a value made of several texts.
#[derive(Debug)]
struct Level {
    kind: Kind,
    /// The number of parts that have been scanned, and of all parts. Keys and values of a dictionary count separately,
    /// as do names and values of properties.
    read: usize,
    count: usize,
    /// The offset of the last key or name.
    start: usize,
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

impl Level {
    /// Returns whether the next part is a key or the name of a property.
    const fn is_at_key(&self) -> bool {
        matches!(self.kind, Kind::Dictionary | Kind::Object) && self.read.is_multiple_of(2)
    }
}

impl Scan {
    /// Starts a scan for the end of a value, or of a member or an entry of a typed container.
    pub(crate) fn new(entry_of: Option<VariantType>, left: Limits) -> Self {
        let (kind, count) = match entry_of {
            Some(VariantType::Dictionary) => (Kind::Dictionary, 2),
            _ => (Kind::Array, 1),
        };
        let levels = Vec::from([Level { kind, read: 0, count, start: 0 }]);
        Self { position: 0, levels, left, reserved_bytes: count * WORD, in_container: entry_of.is_some() }
    }

    /// Returns whether the whole value has been scanned.
    pub(crate) fn is_complete(&self) -> bool {
        self.levels.is_empty()
    }

    /// Continues to the end of `bytes`. They must start at the same position in every call. `most` is the maximum
    /// number of bytes, if it is known. Returns the length of the value, or the number of bytes with which the scan can
    /// continue.
    pub(crate) fn run(
        &mut self,
        bytes: &[u8],
        options: &ReadOptions,
        most: Option<usize>,
    ) -> Result<usize, DecodeError> {
        while let Some(level) = self.levels.last_mut() {
            work::add(1);
            let options = ReadOptions { strict: false, limits: self.left, ..*options };
            let (kind, at_key) = (level.kind, level.is_at_key());
            if at_key {
                level.start = self.position;
            }
            let is_text = matches!(kind, Kind::Strings | Kind::Names) || kind == Kind::Object && at_key;
            let done = if is_text { self.text(kind, bytes, &options) } else { self.value(bytes, &options) };
            let most_left = most.map(|most| most.saturating_sub(self.position));
            let error = match done {
                Ok(()) => {
                    self.reserved_bytes = self.reserved_bytes.saturating_sub(WORD);
                    let Some(available) = most_left.filter(|most| self.reserved_bytes > *most) else { continue };
                    let count = u32::try_from(self.reserved_bytes / WORD).unwrap_or(u32::MAX);
                    DecodeError::new(DecodeErrorKind::CountExceedsInput { count, available }, 0)
                }
                Err(error) => error,
            };
            if error.category() == Category::Truncated {
                let needs = needs(&error);
                match most_left {
                    None => return Ok(self.position.saturating_add(needs)),
                    // Only padding may be missing. The reader decides whether that is an error.
                    Some(most) if needs < most.saturating_add(WORD) && self.reserved_bytes <= most => {
                        return Ok(self.position + needs.min(most));
                    }
                    Some(_) => {}
                }
            }
            let offset = self.position + error.offset();
            return Err(error.with_offset(offset).with_path(self.path(bytes, &options)));
        }
        Ok(self.position)
    }

    /// Scans the name of a property, or a text of a packed array or a path.
    fn text(&mut self, kind: Kind, bytes: &[u8], options: &ReadOptions) -> Result<(), DecodeError> {
        self.with_reader(bytes, options, |reader| match kind {
            Kind::Object => reader.input.read_text_field().map(drop),
            Kind::Strings => reader.input.read_terminated_text_field().map(drop),
            _ => reader.input.read_any_text_field(UndefinedPadding::Strings).map(drop),
        })?;
        self.finish_part();
        Ok(())
    }

    /// Scans a value that holds no others, or the header of one that does.
    fn value(&mut self, bytes: &[u8], options: &ReadOptions) -> Result<(), DecodeError> {
        if self.levels.len() - 1 > self.left.depth {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit: self.left.depth }, 0));
        }
        let rest = &bytes[self.position..];
        let word = |index: usize| rest.as_chunks().0.get(index).map(|word| u32::from_le_bytes(*word));
        let header = word(0).unwrap_or(0);
        // If the header is incomplete or its type is unknown, reading a leaf reports that.
        let variant_type = options.profile.type_of_header(header).unwrap_or(VariantType::Nil);
        let (kind, count) = match variant_type {
            VariantType::Object
                if header & FLAG_OBJECT_ID == 0 && options.profile.objects() != ObjectForms::HeaderAlone =>
            {
                let count = self.with_reader(bytes, options, |reader| reader.input.read_object_header())?;
                (Kind::Object, usize::try_from(count).unwrap_or(0))
            }
            VariantType::PackedStringArray => {
                let [_, count] = self.with_reader(bytes, options, |reader| reader.input.words())?;
                (Kind::Strings, usize::try_from(count.cast_signed()).unwrap_or(0))
            }
            // The old form, a single string, is a leaf.
            VariantType::NodePath if word(1).is_none_or(|first| first & NODE_PATH_MARK != 0) => {
                let [_, names, subnames, flags] = self.with_reader(bytes, options, |reader| reader.input.words())?;
                let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
                (Kind::Names, (names & !NODE_PATH_MARK).wrapping_add(subnames).wrapping_add(property) as usize)
            }
            _ => {
                let container = if variant_type.is_container() { ContainerHeader::read(rest, options)? } else { None };
                let Some(container) = container else { return self.leaf(bytes, options, header) };
                self.position += container.length;
                (if container.is_dictionary() { Kind::Dictionary } else { Kind::Array }, container.count)
            }
        };
        self.open(kind, count)
    }

    /// Scans a value that holds no others.
    fn leaf(&mut self, bytes: &[u8], options: &ReadOptions, header: u32) -> Result<(), DecodeError> {
        let limit = self.left.packed_elements;
        self.with_reader(bytes, options, |reader| {
            reader.read_slow_value(0).map(drop).map_err(|error| match *error.kind() {
                // The elements of a packed array.
                DecodeErrorKind::CountExceedsInput { count, .. } if count as usize > limit => {
                    DecodeError::new(DecodeErrorKind::ElementLimit { limit }, error.offset())
                }
                DecodeErrorKind::CountExceedsInput { count, available } => {
                    let wide = header & FLAG_WIDE != 0 && options.profile.has_double_precision();
                    let size = options.profile.type_of_header(header).map_or(0, |packed| element_size(packed, wide));
                    let length = (count as usize).saturating_mul(size);
                    let needed = length.saturating_add(padding(length));
                    DecodeError::new(DecodeErrorKind::Truncated { needed, available }, error.offset() + WORD)
                }
                _ => error,
            })
        })?;
        self.finish_part();
        Ok(())
    }

    /// Enters a container with `count` members, entries, properties or texts, after its header.
    fn open(&mut self, kind: Kind, count: usize) -> Result<(), DecodeError> {
        let (parts, values, elements, memory) = match kind {
            Kind::Array => (count, count, 0, size_of::<Variant>()),
            Kind::Dictionary => (2 * count, 2 * count, 0, 2 * size_of::<Variant>()),
            Kind::Object => (2 * count, count, 0, size_of::<(String, Variant)>()),
            Kind::Strings => (count, 0, count, size_of::<Text>()),
            Kind::Names => (count, 0, 0, size_of::<Text>()),
        };
        let memory = count.saturating_mul(memory);
        let left = &mut self.left;
        let exceeded = if values > left.values {
            DecodeErrorKind::ValueLimit { limit: left.values }
        } else if elements > left.packed_elements {
            DecodeErrorKind::ElementLimit { limit: left.packed_elements }
        } else if memory > left.memory {
            DecodeErrorKind::MemoryLimit { limit: left.memory }
        } else {
            left.values -= values;
            left.packed_elements -= elements;
            left.memory -= memory;
            self.reserved_bytes = self.reserved_bytes.saturating_add(parts.saturating_mul(WORD));
            if parts == 0 {
                self.finish_part();
            } else {
                self.levels.push(Level { kind, read: 0, count: parts, start: 0 });
            }
            return Ok(());
        };
        // The error is at the count.
        self.position -= WORD;
        Err(DecodeError::new(exceeded, 0))
    }

    /// Counts a finished part, and finishes the containers that it completes.
    fn finish_part(&mut self) {
        while let Some(level) = self.levels.last_mut() {
            level.read += 1;
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
        let mut reader = Reader::new(Cursor::new(rest), options, &mut validator);
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
        let step = |level: &Level| {
            let mut validator: Validator = Validator::default();
            let cursor = Cursor::new(bytes.get(level.start..).unwrap_or_default());
            let mut reader = Reader::new(cursor, &options, &mut validator);
            match level.kind {
                Kind::Array => Some(Step::Index(level.read)),
                Kind::Dictionary if level.is_at_key() => Some(Step::Key(level.read / 2)),
                Kind::Dictionary => Some(Step::to_entry(level.read, reader.leaf_at(0).ok().as_ref())),
                Kind::Object if level.is_at_key() => Some(Step::Part("property name")),
                Kind::Object => Some(Step::Property(reader.input.read_text_field().unwrap_or_default().to_owned())),
                Kind::Strings | Kind::Names => None,
            }
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
