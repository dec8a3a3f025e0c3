//! The class `VarBytesFile`.

mod access;
mod closed;
mod collected;
mod damage;
mod many;
mod medium;
mod one;
pub(crate) mod record;
mod record_access;
mod record_file;
mod repair;
mod state;
pub(crate) mod stream;
mod writing;

use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::prelude::*;

use crate::error::{VarBytesError, report, signed};
use crate::outcome::Outcome;
use crate::result::VarBytesResult;
use record::SizeLimit;
use record_file::RecordFile;
use state::{OpenFile, State};

/// Reads and writes several values in one file, in the format of [method FileAccess.store_var], and reports errors.
///
/// Each value is stored as a record: 4 bytes with the length of the value's bytes, then these bytes. The format is the same as
/// that of [method FileAccess.store_var] and [method StreamPeer.put_var], so you can use [method FileAccess.get_var] to read
/// what this class writes, and the other way round.
///
/// Only one long record, or a block of short ones, is in memory at a time. If the value of a record cannot be read,
/// [method next] reports the error, and the next call reads the record after it.
///
/// To add records to an existing file, open it with [constant FileAccess.READ_WRITE] and call [method repair]. It moves the
/// cursor to the end of the file. If a crash has left an incomplete record there, it first moves that to another file.
///
/// For connections, use [VarBytesStream], or the static methods [method put] and [method take].
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
    /// If [code]true[/code], the length before each value is big-endian, as with [member FileAccess.big_endian]. The value
    /// itself is always little-endian. [code]false[/code] when a file is opened.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// file.big_endian = true # Written with FileAccess.big_endian.
    /// ```
    #[var(get = is_big_endian, set = set_big_endian)]
    big_endian: PhantomVar<bool>,
    /// The largest value that [method next] reads, in bytes. Longer records are skipped with
    /// [constant VarBytesResult.LIMIT]. 0, the default, means no limit but the length of the file. Set a limit for compressed
    /// files that you do not trust: they can be much longer than their size on the disk. Assigning a negative number prints an
    /// error and changes nothing.
    /// ```gdscript
    /// var file := VarBytesFile.from_file_access(FileAccess.open_compressed("user://mod.dat", FileAccess.READ))
    /// if file != null:
    ///     file.max_record_size = 1_000_000
    /// ```
    #[var(get = get_max_record_size, set = set_max_record_size)]
    max_record_size: PhantomVar<i64>,
    /// If [code]false[/code], the default, [method store] returns after the record is flushed to the operating system, so it
    /// survives a crash of the game, unless the file is compressed or encrypted: see [method from_file_access]. If
    /// [code]true[/code], records are collected in memory first. This is five to eight times as fast for the smallest records, but
    /// a record can be lost after [method store] has succeeded: a later call reports that, at the latest [method flush] or
    /// [method close]. Assigning [code]false[/code]
    /// writes what was collected, and prints an error if that fails.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://replay.dat", FileAccess.WRITE)
    /// file.buffered = true
    /// for frame in 600:
    ///     file.store(frame)
    /// if not file.close().ok:
    ///     push_warning("the replay is not complete")
    /// ```
    #[var(get = is_buffered, set = set_buffered)]
    buffered: PhantomVar<bool>,
    state: Box<State>,
}

#[godot_api]
impl VarBytesFile {
    /// Opens a file like [method FileAccess.open]. [param path] begins with [code]res://[/code] or [code]user://[/code], or is
    /// absolute. Returns [code]null[/code] if the file cannot be opened; [method FileAccess.get_open_error] then returns the
    /// reason. To add records to an existing file, use [constant FileAccess.READ_WRITE] and call [method repair]; if there is no file yet,
    /// use [constant FileAccess.WRITE_READ]. Also returns [code]null[/code] and prints an error if [param path] is a pipe: see [method from_file_access].
    ///
    /// [constant FileAccess.WRITE] empties an existing file at once. To replace a save, write a new file and rename it, as in the
    /// example of [method close].
    ///
    /// Only one program may write to a file at a time. If another one has added records where the file ended for this object,
    /// [method store] fails with [member VarBytesResult.fault] [code]"file_grew"[/code]: call [method seek_end]. But if two add
    /// records at the same moment, they can overwrite each other's, though both calls succeed. Other programs may read meanwhile.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://none.dat", FileAccess.READ)
    /// if file == null:
    ///     print(error_string(FileAccess.get_open_error())) # Prints File not found
    /// ```
    #[func]
    pub fn open(path: GString, flags: ModeFlags) -> Option<Gd<Self>> {
        if is_pipe(&path) {
            return Self::refuse_pipe("open");
        }
        FileAccess::open(&path, flags).map(|file| Self::over(RecordFile::owned(file, flags)))
    }

    /// Reads and writes records in an open file, such as one from [method FileAccess.open_compressed] or
    /// [method FileAccess.open_encrypted_with_pass]. Both objects share one cursor. The first record begins at its current
    /// position. Returns [code]null[/code] if [param file] is [code]null[/code] or closed. Also returns [code]null[/code] and
    /// prints an error if it is a pipe, as that of [method OS.execute_with_pipe], which has no length and no cursor.
    ///
    /// A compressed or encrypted file is open either for reading or for writing. If it is open for reading, [method store] fails, and the
    /// engine prints an error. The engine empties the file when it opens it for writing, keeps all records in memory, and writes them only
    /// when the file is closed. Until then they do not survive a crash, and only [method close] reports that the disk is full. So write a
    /// new file, and rename it if [method close] succeeds.
    ///
    /// If other programs add records to the file too, call [method seek_end] before each [method store]: otherwise it can replace theirs.
    /// With [member buffered], the engine keeps the records in its own buffer, and they can be overwritten in any case.
    /// ```gdscript
    /// var opened := FileAccess.open_encrypted_with_pass("user://save.new", FileAccess.WRITE, "secret")
    /// var file := VarBytesFile.from_file_access(opened)
    /// if file != null and file.store({"level": 7}).ok and file.close().ok:
    ///     DirAccess.rename_absolute("user://save.new", "user://save.dat")
    /// else:
    ///     push_warning("the save before it is still there")
    /// ```
    #[func]
    pub fn from_file_access(file: Option<Gd<FileAccess>>) -> Option<Gd<Self>> {
        let file = file.filter(|file| file.is_open())?;
        let path = file.get_path();
        if path.is_empty() || is_pipe(&path) {
            return Self::refuse_pipe("from_file_access");
        }
        Some(Self::over(RecordFile::shared(file)))
    }

    /// Returns the length of the file in bytes, or -1 if it is closed.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// print(file.get_position() < file.get_length()) # Prints true
    /// ```
    #[func]
    pub fn get_length(&self) -> i64 {
        self.state.number(RecordFile::current_length)
    }

    /// Returns the path that the file was opened with.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// print(file.get_path()) # Prints user://events.dat
    /// ```
    #[func]
    pub fn get_path(&self) -> GString {
        self.state.run_or(GString::new(), |open| GString::from(open.records.path()))
    }

    /// Moves the cursor after the last complete record, to add records there. The first call reads the lengths of all records.
    ///
    /// If an incomplete record follows, for example after a crash or power cut, this fails with
    /// [constant VarBytesResult.TRUNCATED] and [member VarBytesResult.fault] [code]"incomplete_end"[/code], and
    /// [method store] does not overwrite it. Use [method repair] instead, which moves it to another file unless the file is damaged.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ_WRITE)
    /// if file.seek_end().ok:
    ///     file.store("at the end")
    /// ```
    #[func]
    pub fn seek_end(&self) -> Gd<VarBytesResult> {
        Self::result(self.state.run(|open| open.records.seek_end()))
    }

    /// Removes everything after the last complete record and moves the cursor there, to add records. The removed bytes are
    /// copied to a new file beside this one, such as [code]events.dat.incomplete-1[/code]. The file is shortened only after the
    /// copy is on the disk, so no bytes are lost if the game ends meanwhile.
    ///
    /// [member VarBytesResult.value] is a [Dictionary] with four keys: [code]records[/code] is the number of complete records,
    /// [code]offset[/code] the position after them, [code]dropped[/code] the number of removed bytes (0 if there was nothing
    /// to repair), and [code]kept_in[/code] the path of the copy (empty if there is none).
    ///
    /// If the length of a record in the middle is damaged, the records after it are not found, or are taken for a part of its value. So
    /// before bytes are removed, records are searched after the first damage: where a value ends before its record does (zeros at the end
    /// are ignored), where a record begins whose value cannot be read, or else where the complete records end. If at least two records,
    /// or one after a complete value, lead from there to the end of the file, this fails with [constant VarBytesResult.MALFORMED] and
    /// [member VarBytesResult.fault] [code]"damaged_middle"[/code]. [member VarBytesResult.offset] is where they begin: [method seek] there
    /// to read them. The cursor is where the bytes begin that were not removed, which can be after the damage. If the file does not even
    /// begin with a record, for example because it has another format or byte order, the fault is [code]"no_records"[/code]. In both cases
    /// the file stays as it was. If [param cut] is [code]true[/code], the bytes are removed without a search, as described above.
    ///
    /// A damaged middle and an incomplete end cannot always be told apart. If a file has both, if only one record follows damage to a
    /// value, or if the lengths of the records after it are not multiples of 4, as only other programs write them, the bytes are removed,
    /// and the copy has them. If bytes of the damaged record look like a whole record, such as a [PackedInt64Array] of small numbers,
    /// this can fail with [code]"damaged_middle"[/code] for an incomplete end, or name a place within that record.
    ///
    /// Fails with [constant VarBytesResult.STREAM] and changes nothing if bytes cannot be read, or if there is something to repair
    /// and the file is not open for reading and writing, or is compressed or encrypted. Set [member big_endian] first: with the
    /// wrong byte order no record is found.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ_WRITE)
    /// var repaired := file.repair()
    /// if not repaired.ok:
    ///     push_warning(repaired.message)
    /// elif repaired.value.dropped > 0:
    ///     push_warning("%d bytes are now in %s" % [repaired.value.dropped, repaired.value.kept_in])
    /// ```
    #[func]
    pub fn repair(&self, #[opt(default = false)] cut: bool) -> Gd<VarBytesResult> {
        VarBytesResult::of(
            self.state.run(|open| open.records.repair(cut)).map(|report| Outcome::new(report.to_variant(), 0)),
        )
    }

    /// Writes all records that are still in memory; see [member buffered]. If this fails, none of the records added since the
    /// last successful call are in the file, and the cursor moves back to the start of the first of them. Of records that replace others,
    /// only the last one can be missing.
    ///
    /// If another program has changed the length of the file meanwhile, this fails with [member VarBytesResult.fault]
    /// [code]"file_grew"[/code] or [code]"file_changed"[/code] and writes nothing. The records stay in memory, and [method seek_end]
    /// writes them at the end; so do [method repair] and [method close]. If the file ends with an incomplete record, only
    /// [method repair] writes them.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://replay.dat", FileAccess.WRITE)
    /// file.buffered = true
    /// file.store("first")
    /// file.store("second")
    /// if not file.flush().ok:
    ///     push_warning("both are lost")
    /// ```
    #[func]
    pub fn flush(&self) -> Gd<VarBytesResult> {
        Self::result(self.state.run(|open| open.records.flush()))
    }

    /// Calls [method flush], closes the file, and returns the result of [method flush], or of [method seek_end] if another program has
    /// changed the length of the file. The file is also closed when this object is freed, but errors are not reported then.
    ///
    /// If [method flush] fails with [code]"file_grew"[/code] or [code]"file_changed"[/code] and the file ends with an incomplete
    /// record, the records in memory are lost when the file is closed; the message says how many bytes. Call [method repair]
    /// before.
    ///
    /// Fails with [constant VarBytesResult.STREAM] if the system reports only now that records could not be written, as some file systems
    /// in a network do. For files of [method from_file_access], the engine does not tell that.
    ///
    /// A compressed or encrypted file is written only now. Fails with [constant VarBytesResult.STREAM] if it is not complete then, and all
    /// its records are lost.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://save.new", FileAccess.WRITE)
    /// if file != null and file.store({"level": 7}).ok and file.close().ok:
    ///     DirAccess.rename_absolute("user://save.new", "user://save.dat")
    /// else:
    ///     push_warning("the save before it is still there")
    /// ```
    #[func]
    pub fn close(&self) -> Gd<VarBytesResult> {
        Self::result(self.state.run(|open| open.records.close()))
    }

    /// Returns [code]true[/code] if the file is open.
    /// ```gdscript
    /// var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// file.close()
    /// print(file.is_open()) # Prints false
    /// ```
    #[func]
    pub fn is_open(&self) -> bool {
        self.state.run_or(true, |open| open.records.is_open())
    }

    /// See [member max_record_size].
    #[func]
    pub fn get_max_record_size(&self) -> i64 {
        self.state.run_or(0, |open| if open.limit.bytes == u64::MAX { 0 } else { signed(open.limit.bytes) })
    }

    /// See [member max_record_size].
    #[func]
    pub fn set_max_record_size(&self, bytes: i64) {
        let limit = match u64::try_from(bytes) {
            Ok(0) => SizeLimit::NONE,
            Ok(bytes) => SizeLimit { bytes, name: "max_record_size" },
            // Nothing is locked here: a script that logs errors may use the file.
            Err(_) => return report(&format!("VarBytesFile.max_record_size must be 0 or more, not {bytes}")),
        };
        self.state.run_or((), |open| open.limit = limit);
    }

    /// See [member buffered].
    #[func]
    pub fn is_buffered(&self) -> bool {
        self.state.run_or(false, |open| open.buffered)
    }

    /// See [member buffered].
    #[func]
    pub fn set_buffered(&self, buffered: bool) {
        let flushed = self.state.run(|open| {
            open.buffered = buffered;
            if buffered || !open.records.is_open() { Ok(()) } else { open.records.flush() }
        });
        // Nothing is locked here: a script that logs errors may use the file.
        if let Err(error) = flushed {
            report(&format!("VarBytesFile.buffered: {}", error.message));
        }
    }

    /// See [member big_endian].
    #[func]
    pub fn is_big_endian(&self) -> bool {
        self.state.run_or(false, |open| open.records.is_big_endian())
    }

    /// See [member big_endian].
    #[func]
    pub fn set_big_endian(&self, big_endian: bool) {
        self.state.run_or((), |open| open.records.set_big_endian(big_endian));
    }
}

impl VarBytesFile {
    fn over(records: RecordFile) -> Gd<Self> {
        let state = Box::new(State::new(OpenFile { records, limit: SizeLimit::NONE, buffered: false }));
        Gd::from_object(Self {
            big_endian: PhantomVar::default(),
            max_record_size: PhantomVar::default(),
            buffered: PhantomVar::default(),
            state,
        })
    }

    fn refuse_pipe(method: &str) -> Option<Gd<Self>> {
        report(&format!(
            "VarBytesFile.{method}: a pipe has no length and no cursor: write the bytes of VarBytes.encode with \
             FileAccess.store_buffer, after their size, and read them with FileAccess.get_buffer",
        ));
        None
    }

    /// Returns the result of a call that has no value.
    fn result(result: Result<(), VarBytesError>) -> Gd<VarBytesResult> {
        VarBytesResult::of(result.map(|()| Outcome::done()))
    }
}

/// Returns whether the engine opens a pipe under a path.
fn is_pipe(path: &GString) -> bool {
    path.begins_with("pipe://")
}
