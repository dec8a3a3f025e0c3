//! The methods that are called for each record, and their editor help.

use godot::builtin::Variant;

use super::VarBytesFile;
use super::state::State;
use super::{many, one, stream};
use crate::error::report;
use crate::options::VarBytesOptions;
use crate::outcome::Outcome;
use crate::raw::{self, NewValue, ObjectArgument, StreamPeerRef};
use crate::result::{Content, VarBytesResult};

impl raw::HasContent for VarBytesFile {
    const NUMBER: usize = 1;
    type Content = State;

    fn content(&self) -> &State {
        &self.state
    }
}

impl raw::RecordAccess for VarBytesFile {
    type Result = VarBytesResult;

    #[inline(always)]
    fn can_log(file: &State) -> bool {
        file.is_shared()
    }

    fn has_next(file: &State) -> bool {
        file.run_or(false, |open| open.records.has_next())
    }

    #[inline(always)]
    fn next(
        file: &State,
        options: &ObjectArgument<VarBytesOptions>,
        used: &mut usize,
        other: &mut Option<Content>,
    ) -> Option<NewValue> {
        let mut unread = None;
        let value = one::next(file, options, used, &mut unread);
        if value.is_none() {
            *other = Some(Content::from(one::outcome(file, unread, options)));
        }
        value
    }

    #[inline(always)]
    fn try_next(file: &State, options: &ObjectArgument<VarBytesOptions>) -> Option<NewValue> {
        let mut unread = None;
        one::next(file, options, &mut 0, &mut unread)
            .or_else(|| one::outcome(file, unread, options).ok().map(|outcome| outcome.value.into()))
    }

    #[inline(always)]
    fn store(
        file: &State,
        value: &Variant,
        options: &ObjectArgument<VarBytesOptions>,
        other: &mut Option<Content>,
    ) -> Option<usize> {
        let stored = match one::store_in_place(file, value, options) {
            Ok(Some(size)) => return Some(size),
            Ok(None) => one::store(file, value, options),
            Err(error) => Err(error),
        };
        *other = Some(Content::from(stored));
        None
    }

    fn next_many(file: &State, count: i64, options: &ObjectArgument<VarBytesOptions>) -> Content {
        Content::from(many::next(file, count, options))
    }

    fn store_many(file: &State, values: Variant, options: &ObjectArgument<VarBytesOptions>) -> Content {
        Content::from(many::store(file, values, options))
    }

    fn seek(file: &State, position: i64) -> Content {
        Content::from(file.run(|open| open.records.seek(position)).map(|()| Outcome::done()))
    }

    fn skip(file: &State) -> Content {
        let skipped = file.run(|open| open.records.skip());
        Content::from(skipped.map(|length| Outcome::new(Variant::nil(), length)))
    }

    fn position(file: &State) -> i64 {
        file.number(|records| records.position())
    }

    fn report_no_result() {
        report("VarBytesFile.next_into: the result is null: pass a VarBytesResult");
    }
}

impl raw::StreamAccess for VarBytesFile {
    type Result = VarBytesResult;
    /// That of the engine's own packets.
    const MAX_SIZE: i64 = 8 << 20;

    fn put(peer: Option<&StreamPeerRef>, value: &Variant, options: &ObjectArgument<VarBytesOptions>) -> Content {
        Content::from(stream::put(peer, value, options))
    }

    fn take(
        peer: Option<&StreamPeerRef>,
        options: &ObjectArgument<VarBytesOptions>,
        max_size: i64,
        wait: bool,
    ) -> Content {
        Content::from(stream::take(peer, options, max_size, wait))
    }
}

impl VarBytesFile {
    /// Registers the methods that are called for each record.
    pub(crate) fn register_members() {
        raw::register_record_methods::<Self>();
        raw::register_stream_methods::<Self>();
    }
}

/// The editor help of these methods.
#[cfg(feature = "editor-help")]
const METHODS_HELP: &str = r#"
<method name="store">
  <return type="VarBytesResult" />
  <param index="0" name="value" type="Variant" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes a value as a record at the cursor. If this fails, the file stays as it was, even if the disk is full. In the result, [member VarBytesResult.value] is [code]null[/code] and [member VarBytesResult.bytes_used] is the size of the value without the 4 bytes of its length. [param options] are used as in [method VarBytes.encode].

Replaces existing records only as a whole: the new record must end where another one ends, or reach the end of the file. If the file ends with an incomplete record, this fails with [member VarBytesResult.fault] [code]"incomplete_end"[/code]; call [method repair] first.

Only one program may write to a file at a time; see [method open].
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.WRITE)
var stored := file.store({"level": 7})
if not stored.ok:
    push_warning(stored.message)
[/codeblock]</description>
</method>
<method name="try_store">
  <return type="bool" />
  <param index="0" name="value" type="Variant" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes a value as [method store] does. Returns whether that succeeded. Creates no object, so this is faster for many small records, together with [member buffered].
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://replay.dat", FileAccess.WRITE)
file.buffered = true
for frame in 600:
    if not file.try_store(frame):
        push_warning("the replay is not complete")
[/codeblock]</description>
</method>
<method name="next">
  <return type="VarBytesResult" />
  <param index="0" name="options" type="VarBytesOptions" default="null" />
  <description>Reads the value at the cursor. Moves the cursor after the record, even if the value cannot be read; [member VarBytesResult.can_continue] is then [code]true[/code].

The cursor stays in three cases, in which [member VarBytesResult.can_continue] is [code]false[/code]. If the file ends within the record, the error is [constant VarBytesResult.TRUNCATED]; when the rest has been written, the same call reads the record. If the bytes cannot be read, for example because a compressed file is damaged, it is [constant VarBytesResult.STREAM]. If the length of the record is invalid, the error is [constant VarBytesResult.MALFORMED] and [member VarBytesResult.fault] is [code]"record_length"[/code].

If another program has shortened the file to less than the position of the cursor, for example to begin a new log, this fails with [constant VarBytesResult.STREAM] and [member VarBytesResult.fault] [code]"file_changed"[/code] until you call [method seek]. If the file was replaced by another one, open it again: this object still reads the one that was opened.

Records longer than [member max_record_size] or, if [member VarBytesOptions.max_memory] is set, 8 times its value are skipped with [constant VarBytesResult.LIMIT], without reading the value.

[member VarBytesResult.offset] is counted from the start of the file, [member VarBytesOptions.offset] from the start of the value.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
var record := file.next()
if record.ok:
    use(record.value)
elif record.error == VarBytesResult.TRUNCATED:
    wait_for_more()
[/codeblock]</description>
</method>
<method name="next_into">
  <return type="bool" />
  <param index="0" name="result" type="VarBytesResult" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Reads the value at the cursor as [method next] does, into a result that you have. Returns its [member VarBytesResult.ok]. Using one result for all records saves creating an object for each.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
var record := VarBytesResult.new()
while file.has_next():
    if file.next_into(record):
        use(record.value)
    else:
        push_warning(record.message)
[/codeblock]</description>
</method>
<method name="try_next">
  <return type="Variant" />
  <param index="0" name="fallback" type="Variant" default="null" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Reads the value at the cursor as [method next] does, and returns it, or [param fallback] if it cannot be read. The options are the second argument: passing them as [param fallback] prints an error and reads nothing. Creates no object, so this is faster for many small records.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://replay.dat", FileAccess.READ)
while file.has_next():
    use(file.try_next())
[/codeblock]</description>
</method>
<method name="next_many">
  <return type="VarBytesResult" />
  <param index="0" name="count" type="int" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Reads the next records, at most [param count], and moves the cursor after them. [member VarBytesResult.value] is an [Array] with their values, and [member VarBytesResult.bytes_used] is the size of all values. This is up to three times as fast as [method next] for small records; [method try_next] is faster still. 64 at a time is a good number.

Stops before an unreadable record; the following call returns its error. If the first record is unreadable, this call returns the error.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
while file.has_next():
    var records := file.next_many(64)
    if records.ok:
        for value in records.value:
            use(value)
    else:
        push_warning(records.message)
[/codeblock]</description>
</method>
<method name="store_many">
  <return type="VarBytesResult" />
  <param index="0" name="values" type="Array" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <description>Writes each member of an [Array] as a record, as [method store] does. If a value cannot be encoded or the disk is full, none of them is written. For a value that cannot be encoded, [member VarBytesResult.path] begins with its position. All of them are flushed once, so this is several times as fast as [method store] without [member buffered]. With it, [method try_store] is faster for very small records.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ_WRITE)
file.seek_end()
var stored := file.store_many([{"event": "jump"}, {"event": "land"}])
if not stored.ok:
    push_warning(stored.message)
[/codeblock]</description>
</method>
<method name="has_next">
  <return type="bool" />
  <description>Returns [code]true[/code] if the file has bytes after the cursor that [method next] has not already reported as an incomplete record or as bytes that cannot be read. So a loop over a file ends after one of them has been reported once. When more bytes have been written, this returns [code]true[/code] again.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
while file.has_next():
    use(file.next().value)
[/codeblock]</description>
</method>
<method name="seek">
  <return type="VarBytesResult" />
  <param index="0" name="position" type="int" />
  <description>Moves the cursor to a position that [method get_position] returned. Positions after the end are allowed, except in files of [method from_file_access]. If a position is refused, fails with [constant VarBytesResult.INVALID_ARGUMENT] and moves nothing.

After this call, [method next] reads from the file again, and sees what another program has changed. Without it, [method next] can return bytes that were read up to 32 KiB ahead.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
var start := file.get_position()
use(file.next().value)
file.seek(start)
use(file.next().value) # The same record.
[/codeblock]</description>
</method>
<method name="skip">
  <return type="VarBytesResult" />
  <description>Moves the cursor after the next record without reading its value. [member VarBytesResult.bytes_used] is the size of the value. For an incomplete record, returns the same error as [method next].
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
var skipped := file.skip()
if skipped.ok:
    use(file.next().value) # The second record.
[/codeblock]</description>
</method>
<method name="get_position">
  <return type="int" />
  <description>Returns the position of the cursor in bytes from the start of the file, or -1 if the file is closed. Use it with [method seek] to return to a record later.
[codeblock lang=gdscript]
var file := VarBytesFile.open("user://events.dat", FileAccess.READ)
var positions := [] # Where each record begins.
while file.has_next():
    positions.append(file.get_position())
    file.skip()
print(positions) # Prints [0, 12]
[/codeblock]</description>
</method>
<method name="put" qualifiers="static">
  <return type="VarBytesResult" />
  <param index="0" name="peer" type="StreamPeer" />
  <param index="1" name="value" type="Variant" />
  <param index="2" name="options" type="VarBytesOptions" default="null" />
  <description>Sends a value as [method StreamPeer.put_var] does. If the value cannot be encoded, nothing is sent; the built-in method sends a broken record. The byte order is that of [member StreamPeer.big_endian]. Returns the same result as [method store].

Blocks until the connection has taken all bytes: forever if the other side does not read. [method VarBytesStream.send] never waits.
[codeblock lang=gdscript]
var sent := VarBytesFile.put(connection, {"move": Vector2(1, 0)})
if not sent.ok:
    push_warning(sent.message)
[/codeblock]</description>
</method>
<method name="take" qualifiers="static">
  <return type="VarBytesResult" />
  <param index="0" name="peer" type="StreamPeer" />
  <param index="1" name="options" type="VarBytesOptions" default="null" />
  <param index="2" name="max_size" type="int" default="8388608" />
  <param index="3" name="wait" type="bool" default="false" />
  <description>Receives the next value from a stream. Unlike [method StreamPeer.get_var], it does not block: if the record is not complete yet, it fails with [constant VarBytesResult.TRUNCATED] and keeps the bytes with the stream. A later call receives the rest. Until then, do not read from the stream with other methods. If [param wait] is [code]true[/code], blocks until the record is complete or the connection ends.

Values longer than [param max_size] (8 MiB by default) or, if [member VarBytesOptions.max_memory] is set, 8 times its value are refused with [constant VarBytesResult.LIMIT] before memory is allocated. Memory is used only for bytes that have arrived. [member VarBytesResult.offset] is counted from the start of the record, including the 4 bytes of its length.

If [member VarBytesResult.can_continue] is [code]false[/code] and the error is not [constant VarBytesResult.TRUNCATED], nothing more can be read: close the connection. If the other side closes the connection within a record, the first call fails with [constant VarBytesResult.TRUNCATED] and [member VarBytesResult.fault] [code]"stream_ended"[/code], and later calls with [constant VarBytesResult.STREAM].
[codeblock lang=gdscript]
var received := VarBytesFile.take(connection)
if received.ok:
    use(received.value)
elif not received.can_continue and received.error != VarBytesResult.TRUNCATED:
    connection.disconnect_from_host()
[/codeblock]</description>
</method>
"#;

#[cfg(feature = "editor-help")]
crate::help::add!(VarBytesFile, methods_xml: METHODS_HELP);
