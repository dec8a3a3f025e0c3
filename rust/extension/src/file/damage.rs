//! Tells a damaged file from one with an incomplete end, before anything is removed from its end.

use varbytes::{Category, Decoder, Limits, Profile};

use super::record::{MAX_LENGTH, MIN_LENGTH, PREFIX, length_of};
use super::record_file::{RecordFile, WholeRecords};
use crate::build::is_container;
use crate::error::{ErrorKind, RecordError, VarBytesError, signed};
use crate::raw::bytes;
use crate::{engine_profile, other_engine};

/// The sizes of all records are multiples of it.
const UNIT: u64 = 4;

/// The number of bytes that are read at once.
pub(super) const CHUNK: u64 = 1 << 20;

/// The number of bytes that show whether a record begins: the length, and the type of the value.
const HEAD: usize = PREFIX + 4;

impl RecordFile {
    /// Checks that what follows the complete records can be an incomplete record. Moves the cursor after them.
    pub(super) fn require_incomplete_end(&mut self) -> Result<(), VarBytesError> {
        let WholeRecords { count, end: start } = self.whole;
        let advice = format!("so nothing was removed: repair(true) moves all bytes from {start} on to another file");
        if self.is_one_value()? {
            let message = format!(
                "this is not a file of records but one value, as VarBytes.encode writes it, {advice} (read the value with \
                 VarBytes.decode)"
            );
            let origin = self.origin;
            return Err(self.error_at(ErrorKind::Malformed, "no_records", message, origin));
        }
        let next = self.records_after_damage()?;
        let may_begin = count > 0 || self.may_begin_at(start)?;
        self.begin_at(start);
        if let Some(next) = next {
            let message = format!(
                "{} is damaged before {next}, but complete records lead from there to the end (seek({next}) and next() read \
                 them), {advice}",
                self.path()
            );
            return Err(VarBytesError::new(ErrorKind::Malformed, "damaged_middle", message).with_offset(signed(next)));
        }
        if may_begin {
            return Ok(());
        }
        let message =
            format!("no record begins here: this is not a file of records, or it has the other byte order, {advice}");
        Err(self.error_at(ErrorKind::Malformed, "no_records", message, start))
    }

    /// Refuses the first record if the file is one value: its type would be taken for a length. Leaves the cursor before the record.
    pub(super) fn require_records(&mut self, start: u64, length: u32) -> Result<(), RecordError> {
        if start != self.origin || !is_container(&length.to_le_bytes()) {
            return Ok(());
        }
        let record = self.copy(start + PREFIX as u64, length.into())?;
        let is_record = checked(*engine_profile::decoder(true), bytes(&record)) == Ok(length as usize);
        let is_value = !is_record && self.is_one_value()?;
        self.begin_at(start);
        if !is_value {
            return Ok(());
        }
        let message = "this is not a file of records but one value, as VarBytes.encode writes it: read its bytes with \
                       VarBytes.decode"
            .to_owned();
        Err(self.incomplete(ErrorKind::Malformed, "no_records", message, start))
    }

    /// Returns whether all bytes are one Array or Dictionary without a length before it: its type is then the length of the first record.
    /// Also if its end is missing, if no engine writes a record of that length. Moves the cursor.
    fn is_one_value(&mut self) -> Result<bool, VarBytesError> {
        /// The bytes of an empty one, which can also be a record followed by zeros.
        const EMPTY: usize = 8;
        let length = self.known_length - self.origin;
        let head = self.copy(self.origin, CHUNK.min(length))?;
        let head = bytes(&head);
        let Some(prefix) = head.first_chunk().filter(|_| is_container(head)) else { return Ok(false) };
        let can_be_record = u64::from(length_of(*prefix, self.is_big_endian())).is_multiple_of(UNIT);
        let is_value = |all: &[u8]| match checked(*engine_profile::decoder(true), all) {
            Ok(size) => size == all.len() && (size > EMPTY || !can_be_record),
            Err(category) => !can_be_record && category == Category::Truncated,
        };
        if head.len() as u64 == length {
            return Ok(is_value(head));
        }
        let is_cut = checked(*engine_profile::decoder(true), head) == Err(Category::Truncated);
        Ok(is_cut && is_value(bytes(&self.copy(self.origin, length)?)))
    }

    /// Returns where complete records begin, after damage, of which the last one ends with the file: at least two, or one after a value
    /// that is whole. Reads all bytes at most four times. Moves the cursor.
    fn records_after_damage(&mut self) -> Result<Option<u64>, VarBytesError> {
        let mut damage = self.whole.end;
        let mut leads = self.records_to_the_end(self.origin)?;
        if leads.first.is_some_and(|first| first < damage) {
            // A value can contain bytes that look like records.
            damage = self.first_damage()?;
            leads = self.records_to_the_end(damage)?;
        }
        self.first_whole_record(&leads, damage)
    }

    /// Returns the first of these places at which a record begins, and not bytes of the damaged record that look like one.
    fn first_whole_record(&mut self, leads: &Leads, damage: u64) -> Result<Option<u64>, VarBytesError> {
        if !leads.contains(damage)
            && let Some(next) = self.value_end(damage + PREFIX as u64)?
            && leads.contains(next)
        {
            // Only the length is damaged.
            return Ok(Some(next));
        }
        /// The most places that are tried: in bytes that an attacker wrote, all could be wrong.
        const TRIED: usize = 4096;
        let Some(first) = leads.first else { return Ok(None) };
        // They could also all lead to the end.
        let mut most = self.known_length + CHUNK;
        for place in leads.iter().take(TRIED) {
            let length = self.length_at(place)?;
            let Some(left) = most.checked_sub(length.into()) else { break };
            most = left;
            let value = self.access.read(place + PREFIX as u64, length as usize);
            let is_filled = filled(self.access.part(value)) == Some(length as usize);
            self.access.drop_long_block();
            if is_filled {
                return Ok(Some(place));
            }
        }
        Ok(Some(first))
    }

    /// Returns where the value ends that begins at `start`, if it is not long.
    fn value_end(&mut self, start: u64) -> Result<Option<u64>, VarBytesError> {
        if start >= self.known_length {
            return Ok(None);
        }
        let value = self.copy(start, CHUNK.min(self.known_length - start))?;
        Ok(checked(*engine_profile::decoder(true), bytes(&value)).ok().map(|size| start + size as u64))
    }

    /// Returns where the first value ends that does not fill its record, or where the first record begins whose value cannot be read, or
    /// else where the complete records end. Moves the cursor.
    fn first_damage(&mut self) -> Result<u64, VarBytesError> {
        let mut start = self.origin;
        while start < self.whole.end
            && let Some(length) = self.whole_record_at(start)?
        {
            let body = start + PREFIX as u64;
            let value = self.access.read(body, length as usize);
            if value.len() < length as usize {
                return Err(self.unreadable(body + value.len() as u64));
            }
            match filled(self.access.part(value)) {
                Some(size) if size == length as usize => start = body + size as u64,
                Some(size) => return Ok(body + size as u64),
                None => break,
            }
            self.access.drop_long_block();
        }
        Ok(start)
    }

    /// Returns the places after `start` from which complete records lead to the end of the file. Reads the bytes once, from the end on.
    fn records_to_the_end(&mut self, start: u64) -> Result<Leads, VarBytesError> {
        let start = start + (self.known_length - start) % UNIT;
        let (length, big_endian) = (self.known_length - start, self.is_big_endian());
        let mut leads = Leads { start, all: Bits::new(length / UNIT), first: None };
        let mut chunk_end = length;
        while chunk_end > 0 {
            let chunk_start = chunk_end.saturating_sub(CHUNK);
            let chunk = self.copy(start + chunk_start, CHUNK.min(length - chunk_start) + UNIT)?;
            let chunk = bytes(&chunk);
            for place in (chunk_start / UNIT..chunk_end / UNIT).rev() {
                let head = chunk.get((place * UNIT - chunk_start) as usize..).and_then(<[u8]>::first_chunk);
                let Some(size) = head.and_then(|head| record_size(head, big_endian)) else { continue };
                let end = place + size / UNIT;
                if end == length / UNIT {
                    leads.all.set(place);
                } else if leads.all.get(end) {
                    leads.all.set(place);
                    leads.first = Some(start + place * UNIT);
                }
            }
            chunk_end = chunk_start;
        }
        Ok(leads)
    }

    /// Returns whether a record can begin at `start`, of which only a part is in the file.
    fn may_begin_at(&mut self, start: u64) -> Result<bool, VarBytesError> {
        let big_endian = self.is_big_endian();
        let head = self.copy(start, HEAD as u64)?;
        let Some(head) = bytes(&head).first_chunk() else { return Ok(true) };
        // Zeros are the place of bytes that were not written before a power cut.
        Ok(*head == [0; HEAD] || record_size(head, big_endian).is_some() && !self.is_whole_in_other_order(start)?)
    }

    /// Returns whether only complete records follow if the byte order is the other one.
    fn is_whole_in_other_order(&mut self, start: u64) -> Result<bool, VarBytesError> {
        let big_endian = !self.is_big_endian();
        let mut at = start;
        while at < self.known_length {
            let head = self.copy(at, HEAD as u64)?;
            let Some(size) = bytes(&head).first_chunk().and_then(|head| record_size(head, big_endian)) else {
                return Ok(false);
            };
            at += size;
        }
        Ok(at == self.known_length)
    }
}

/// Returns how many of the bytes a value takes, with zeros after it, with which other programs fill up records. Returns `None` if no
/// engine can read a value that takes all of them.
fn filled(bytes: &[u8]) -> Option<usize> {
    let all = Some(bytes.len());
    let fills = |engine: &Profile| checked(other_engine::decoder(*engine, true), bytes) == Ok(bytes.len());
    match checked(*engine_profile::decoder(true), bytes) {
        Ok(size) if bytes[size..].iter().any(|byte| *byte != 0) => Some(size),
        Ok(_) => all,
        Err(_) => all.filter(|_| Profile::ALL.iter().any(fills)),
    }
}

/// Returns how many of the bytes a value takes, or the kind of error if it cannot be read.
fn checked(decoder: Decoder, bytes: &[u8]) -> Result<usize, Category> {
    let checked = decoder.limits(Limits::untrusted(bytes.len())).check(bytes);
    checked.map(|checked| checked.consumed).map_err(|error| error.kind().category())
}

/// Returns the size of the record that begins with these bytes. Returns `None` if no record begins with them.
fn record_size(head: &[u8; HEAD], big_endian: bool) -> Option<u64> {
    /// The bits of the first number of a value that are not its type, and are 0 for all types.
    const UNUSED: u32 = 0xFFF0_FF00;
    let (prefix, value) = head.split_first_chunk()?;
    let length = length_of(*prefix, big_endian);
    let header = u32::from_le_bytes(*value.first_chunk()?);
    let is_valid = (MIN_LENGTH..=MAX_LENGTH).contains(&length)
        && u64::from(length) % UNIT == 0
        && header & UNUSED == 0
        && Profile::NEWEST.types().get((header & 0xFF) as usize).is_some();
    is_valid.then_some(PREFIX as u64 + u64::from(length))
}

/// The places from which complete records lead to the end of a file.
struct Leads {
    start: u64,
    /// All places, as numbers of words after `start`.
    all: Bits,
    /// The first one with at least two records.
    first: Option<u64>,
}

impl Leads {
    fn iter(&self) -> impl Iterator<Item = u64> {
        self.all.iter().map(|place| self.start + place * UNIT)
    }

    fn contains(&self, place: u64) -> bool {
        place.checked_sub(self.start).is_some_and(|after| after % UNIT == 0 && self.all.get(after / UNIT))
    }
}

/// A bit for each place.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: u64) -> Self {
        Self(vec![0; (count / 64 + 1) as usize])
    }

    fn set(&mut self, place: u64) {
        self.0[(place / 64) as usize] |= 1 << (place % 64);
    }

    /// Returns whether the bit is set. Returns `false` for a place after the last one.
    fn get(&self, place: u64) -> bool {
        self.0.get((place / 64) as usize).is_some_and(|bits| bits >> (place % 64) & 1 != 0)
    }
    /// Returns the places whose bits are set, the first one first.
    fn iter(&self) -> impl Iterator<Item = u64> {
        let words = (0..).zip(&self.0).filter(|(_, bits)| **bits != 0);
        words.flat_map(|(word, bits)| (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| word * 64 + bit))
    }
}
