//! The class `VarBytesFile`.

mod record;
mod record_file;
mod repair;
mod stream;
mod writing;

use godot::classes::file_access::ModeFlags;
use godot::classes::{FileAccess, StreamPeer};
use godot::prelude::*;

use crate::chosen_options::ChosenOptions;
use crate::failure::Failure;
use crate::result::{Outcome, VarBytesResult};
pub(crate) use record::RecordFailure;
use record::{PREFIX, SizeLimit, answer, decode_payload, encode_record};
use record_file::RecordFile;

/// Values one after another in a file or a stream, as the engine's own methods write and read them, with answers.
///
/// A record is what [method FileAccess.store_var] and [method StreamPeer.put_var] write: the length of the value's
/// bytes in 4 bytes, then these bytes. Either side can be the engine's own method.
///
/// Only one record is in memory at a time, and no more is allocated for it than the file still holds. A record whose
/// value cannot be read costs that record alone: the next call to [method next] reads the one after it.
///
/// To add records to a file, open it with [constant FileAccess.READ_WRITE] and call [method repair], which goes to its
/// end. Where a crash left half a record there, it is moved to another file first.
///
/// For network and serial connections there are [method put] and [method take], which need no instance.
/// ```gdscript
/// var file := VarBytesFile.open("user://events.dat", FileAccess.WRITE)
/// file.store({"event": "start", "time": 0.0})
/// file.store({"event": "jump", "time": 1.5})
/// file.close()
///
/// file = VarBytesFile.open("user://events.dat", FileAccess.READ)
/// while file.has_next():
///     var record := file.next()
///     if record.ok:
///         print(record.value["event"])
///     else:
///         push_warning(record.message)
///
/// file = VarBytesFile.open("user://events.dat", FileAccess.READ_WRITE)
/// var repaired := file.repair()
/// if repaired.ok:
///     file.store({"event": "end", "time": 2.0})
/// else:
///     push_warning(repaired.message)
/// ```
#[derive(GodotClass)]
#[class(no_init, base = RefCounted, tool)]
pub struct VarBytesFile {
    /// Whether the length before each value is big-endian, as [member FileAccess.big_endian]. The value itself is
    /// little-endian in any case. [code]false[/code] when a file is opened.
    #[var(get = is_big_endian, set = set_big_endian)]
    big_endian: PhantomVar<bool>,
    /// The most bytes that the value of a record may have when it is read; longer ones are passed over, with
    /// [constant VarBytesResult.LIMIT]. 0, as it is when a file is opened, means that the length of the file is the only
    /// limit, which is no limit for a compressed file from someone else.
    #[var]
    pub max_record_size: i64,
    /// If [code]false[/code], as it is when a file is opened, [method store] answers when the record is in the file,
    /// where it survives a crash of the game. If [code]true[/code], records are gathered in memory first: twice as fast
    /// for small ones, but that they could not be written, and are lost, is only known from [method flush] or
    /// [method close].
    #[var]
    pub buffered: bool,
    records: RecordFile,
    base: Base<RefCounted>,
}

#[godot_api]
impl VarBytesFile {
    /// Opens a file, as [method FileAccess.open] does: with a path that begins with [code]res://[/code] or
    /// [code]user://[/code], or an absolute one. [code]null[/code] where it cannot be opened; then
    /// [method FileAccess.get_open_error] says why. To add to a file that exists, open it with
    /// [constant FileAccess.READ_WRITE] and call [method repair].
    #[func]
    pub fn open(path: GString, flags: ModeFlags) -> Option<Gd<Self>> {
        FileAccess::open(&path, flags).map(Self::over)
    }

    /// Reads and writes records in a file that is open already, such as one from [method FileAccess.open_compressed]
    /// or [method FileAccess.open_encrypted_with_pass]. The two share one cursor, and the first record begins where it
    /// is now. [code]null[/code] where [param file] is [code]null[/code] or closed.
    #[func]
    pub fn from_file_access(file: Option<Gd<FileAccess>>) -> Option<Gd<Self>> {
        file.filter(|file| file.is_open()).map(Self::over)
    }

    /// Writes a value at the cursor. All of the record is written or nothing: a value that cannot be encoded changes
    /// nothing, and where a record did not fit on the disk, the file is what it was before.
    /// [member VarBytesResult.value] is [code]null[/code], [member VarBytesResult.bytes_used] the size of the value,
    /// without the 4 bytes of its length. Options are used as in [method VarBytes.encode].
    ///
    /// Nothing is written over what might be data: where the end of the file is no whole record, the fault is
    /// [code]"incomplete_end"[/code], and [method repair] helps; a record before the end can only be replaced by one of
    /// the same length.
    #[func(gd_self)]
    pub fn store(
        mut this: Gd<Self>,
        value: Variant,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let big_endian = this.bind().is_big_endian();
        // Nothing is borrowed here: getters of scripts run, and may use this very file.
        let stored = encode_record(&value, &options, big_endian).and_then(|record| {
            let mut this = this.bind_mut();
            let settled = !this.buffered;
            this.records.put(&record.bytes, settled).map(|()| answer(record))
        });
        VarBytesResult::of(stored)
    }

    /// Reads the value at the cursor and moves the cursor after its record, even if the value cannot be read.
    /// Where the file ends within the record, that is [constant VarBytesResult.TRUNCATED] and the cursor stays: once the
    /// rest was written, the same call reads it. After a length that no engine writes, which is
    /// [constant VarBytesResult.MALFORMED] with the fault [code]"record_length"[/code], the cursor stays too;
    /// [member VarBytesResult.can_continue] tells. [member VarBytesResult.offset] is counted from the beginning of the
    /// file, [member VarBytesOptions.offset] from the beginning of the value.
    ///
    /// A record is refused with [constant VarBytesResult.LIMIT] by its length alone where it has more bytes than
    /// [member max_record_size] or more than 8 times [member VarBytesOptions.max_memory].
    #[func(gd_self)]
    pub fn next(
        mut this: Gd<Self>,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        let taken = {
            let mut this = this.bind_mut();
            let limit = match u64::try_from(this.max_record_size) {
                Ok(0) => SizeLimit::NONE,
                bytes => SizeLimit { bytes: bytes.unwrap_or(0), name: "max_record_size" },
            };
            this.records.take(limit.and(&options))
        };
        // Nothing is borrowed here: setters of scripts run, and may use this very file.
        VarBytesResult::of_record(taken.and_then(|record| {
            decode_payload(record.payload.as_slice(), &options, record.start + PREFIX as u64)
                .map_err(|failure| failure.in_record(record.start, this.bind().records.place()))
        }))
    }

    /// Whether anything follows the cursor: a record, or something else that [method next] has not reported yet. So a
    /// loop over a file ends at an incomplete record, which is reported once, until more has been written.
    #[func]
    pub fn has_next(&mut self) -> bool {
        self.records.has_next()
    }

    /// Moves the cursor after the next record without reading its value. [member VarBytesResult.bytes_used] is the
    /// size of that value. Where the record is not whole, it answers as [method next] does.
    #[func]
    pub fn skip(&mut self) -> Gd<VarBytesResult> {
        VarBytesResult::of_record(self.records.skip().map(|length| Outcome::from((Variant::nil(), length))))
    }

    /// Where the cursor is, in bytes from the beginning of the file; -1 where the file is closed. Between calls it is
    /// where a record begins, so it can be kept for [method seek].
    #[func]
    pub fn get_position(&self) -> i64 {
        self.number(|file| file.get_position())
    }

    /// The length of the file in bytes; -1 where it is closed.
    #[func]
    pub fn get_length(&self) -> i64 {
        self.number(|file| file.get_length())
    }

    /// The path that the file was opened with.
    #[func]
    pub fn get_path(&self) -> GString {
        GString::from(self.records.place())
    }

    /// Moves the cursor to a position from [method get_position].
    #[func]
    pub fn seek(&mut self, position: i64) -> Gd<VarBytesResult> {
        Self::answer(self.records.seek(position))
    }

    /// Moves the cursor after the last whole record, where new ones belong. Where bytes follow that are no whole record,
    /// as a crash or a power cut leaves them, that is [constant VarBytesResult.TRUNCATED] with the fault
    /// [code]"incomplete_end"[/code], and [method store] refuses to write over them; [method repair] does the same and
    /// moves them out of the way. The lengths of all records are read the first time.
    #[func]
    pub fn seek_end(&mut self) -> Gd<VarBytesResult> {
        Self::answer(self.records.seek_end())
    }

    /// Removes what follows the last whole record and moves the cursor there, so that records can be added. The removed
    /// bytes are kept in a new file beside this one, [code]events.dat.incomplete-1[/code] for one. This file is only
    /// shortened once that one is on the disk, so no byte is lost if the game ends meanwhile.
    ///
    /// [member VarBytesResult.value] is a [Dictionary]: [code]records[/code], the number of whole records;
    /// [code]offset[/code], where they end; [code]dropped[/code], the number of bytes removed, 0 where there was nothing
    /// to repair; and [code]kept_in[/code], the path of the file that has them, empty where there is none.
    ///
    /// [constant VarBytesResult.STREAM] where the file is not open for reading and writing, or is compressed or
    /// encrypted. Set [member big_endian] before: records of the other byte order are no records.
    #[func]
    pub fn repair(&mut self) -> Gd<VarBytesResult> {
        VarBytesResult::of(self.records.repair().map(|found| Outcome::from((found.to_variant(), 0))))
    }

    /// Has all records that are still in memory written; see [member buffered]. Where that fails, none of those
    /// stored since the last time it worked is in the file, and the cursor is where the first of them began.
    #[func]
    pub fn flush(&mut self) -> Gd<VarBytesResult> {
        Self::answer(self.records.settle())
    }

    /// Closes the file after [method flush], and answers as it does. It closes by itself when nothing refers to this
    /// object any more, but then without an answer.
    #[func]
    pub fn close(&mut self) -> Gd<VarBytesResult> {
        Self::answer(self.records.close())
    }

    /// Whether the file is open.
    #[func]
    pub fn is_open(&self) -> bool {
        self.records.file().is_some()
    }

    /// Sends a value as [method StreamPeer.put_var] does, in one piece: a value that cannot be encoded sends nothing,
    /// where the built-in sends a broken record. The byte order is that of [member StreamPeer.big_endian]. Answers as
    /// [method store] does.
    #[func]
    pub fn put(
        peer: Option<Gd<StreamPeer>>,
        value: Variant,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
    ) -> Gd<VarBytesResult> {
        VarBytesResult::of(some_stream(peer).and_then(|mut peer| stream::put(&mut peer, &value, &options)))
    }

    /// Takes the next value of a stream, as [method StreamPeer.get_var] does, but does not wait for it: where the record
    /// is not all there yet, that is [constant VarBytesResult.TRUNCATED], what there is of it is kept with the stream,
    /// and a later call takes the rest. Until then use no other method to read from the stream. With [param wait] it
    /// blocks until the whole record is there or the connection ends, as the engine's method does.
    ///
    /// A length above [param max_size] (8 MiB, unless you say otherwise), or above 8 times
    /// [member VarBytesOptions.max_memory], is refused with [constant VarBytesResult.LIMIT] before anything is allocated
    /// or waited for, and memory is only used for bytes that have arrived. [member VarBytesResult.offset] is counted
    /// from the beginning of the record, whose first 4 bytes are its length.
    ///
    /// Where [member VarBytesResult.can_continue] is [code]false[/code] and the error is not
    /// [constant VarBytesResult.TRUNCATED], nothing more can be read: close the connection. When the other side has
    /// closed it within a record, that is [constant VarBytesResult.TRUNCATED] with the fault
    /// [code]"stream_ended"[/code] once, and [constant VarBytesResult.STREAM] from then on.
    /// ```gdscript
    /// var received := VarBytesFile.take(connection)
    /// if received.ok:
    ///     use(received.value)
    /// elif not received.can_continue and received.error != VarBytesResult.TRUNCATED:
    ///     connection.disconnect_from_host()
    /// ```
    #[func]
    pub fn take(
        peer: Option<Gd<StreamPeer>>,
        #[opt(default = ChosenOptions::NONE)] options: ChosenOptions,
        // As much as the engine's own packets may have, unless told otherwise.
        #[opt(default = 8 << 20)] max_size: i64,
        #[opt(default = false)] wait: bool,
    ) -> Gd<VarBytesResult> {
        let taken = some_stream(peer).map_err(RecordFailure::from);
        VarBytesResult::of_record(taken.and_then(|mut peer| stream::take(&mut peer, &options, max_size, wait)))
    }

    /// See [member big_endian].
    #[func]
    pub fn is_big_endian(&self) -> bool {
        self.records.file().is_some_and(|file| file.is_big_endian())
    }

    /// See [member big_endian].
    #[func]
    pub fn set_big_endian(&mut self, big_endian: bool) {
        self.records.set_big_endian(big_endian);
    }
}

impl VarBytesFile {
    fn over(file: Gd<FileAccess>) -> Gd<Self> {
        Gd::from_init_fn(|base| Self {
            big_endian: PhantomVar::default(),
            max_record_size: 0,
            buffered: false,
            records: RecordFile::new(file),
            base,
        })
    }

    fn number(&self, ask: impl FnOnce(&FileAccess) -> u64) -> i64 {
        self.records.file().map_or(-1, |file| i64::try_from(ask(&file)).unwrap_or(i64::MAX))
    }

    /// The answer of something that gives no value.
    fn answer(result: Result<(), Failure>) -> Gd<VarBytesResult> {
        VarBytesResult::of(result.map(|()| Outcome::from((Variant::nil(), 0))))
    }
}

fn some_stream(peer: Option<Gd<StreamPeer>>) -> Result<Gd<StreamPeer>, Failure> {
    peer.ok_or_else(|| Failure::argument("the stream is null: give a StreamPeer".to_owned()))
}
