//! Records, and arguments of remote procedure calls. The expected bytes are written by hand after FORMAT.md, sections 17
//! and 18.
#![cfg(feature = "std")]

use std::io::{ErrorKind, Read, Write};

use varbytes::record::{Framing, RecordDecoder, RecordError, RecordReader, RecordWriter};
use varbytes::variant::Object;
use varbytes::{Category, Decoder, EncodeErrorKind, Encoder, Limits, Profile, Variant, rpc, variant};

/// The records of 7 and null.
const RECORDS: [u8; 20] = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];

fn values_of(decoder: &mut RecordDecoder) -> Result<Vec<Variant>, RecordError> {
    let mut values = Vec::new();
    while let Some(record) = decoder.next()? {
        values.push(Decoder::untrusted(record).decode(record).unwrap());
    }
    Ok(values)
}

#[test]
fn records_are_found_however_they_are_divided() {
    for first in 0..RECORDS.len() {
        for second in first..RECORDS.len() {
            let mut decoder = RecordDecoder::new(Framing::new(8));
            let mut values = Vec::new();
            for part in [&RECORDS[..first], &RECORDS[first..second], &RECORDS[second..]] {
                decoder.feed(part);
                values.extend(values_of(&mut decoder).unwrap());
            }
            assert_eq!(values, [Variant::from(7), Variant::Nil], "{first} {second}");
            assert!(!decoder.is_within_record() && decoder.finish().is_ok());
        }
    }
}

#[test]
fn a_record_within_a_limit_is_read_and_a_longer_one_is_refused_before_it_arrives() {
    let mut decoder = RecordDecoder::new(Framing::new(7));
    decoder.feed(&[4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0]);
    assert_eq!(values_of(&mut decoder).unwrap(), [Variant::Nil]);
    assert!(decoder.is_within_record());
    decoder.feed(&[0]);
    for _ in 0..2 {
        let message = "a record of 8 bytes is longer than the limit of 7, at offset 8";
        assert_eq!(decoder.next().unwrap_err().to_string(), message);
    }
}

#[test]
fn the_offset_of_a_record_counts_bytes_that_were_dropped() {
    let mut decoder = RecordDecoder::new(Framing::new(8));
    for _ in 0..1000 {
        decoder.feed(&RECORDS);
        assert_eq!(values_of(&mut decoder).unwrap().len(), 2);
    }
    decoder.feed(&[0xFF; 4]);
    assert_eq!(decoder.next().unwrap_err().offset(), 20_000);
}

#[test]
fn the_length_is_big_endian_by_choice() {
    let mut decoder = RecordDecoder::new(Framing::new(8).big_endian(true));
    decoder.feed(&[0, 0, 0, 8, 2, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(values_of(&mut decoder).unwrap(), [Variant::from(7)]);
    let mut written = Vec::new();
    RecordWriter::new(&mut written, Framing::new(8).big_endian(true)).write(&7.into()).unwrap();
    assert_eq!(written, [0, 0, 0, 8, 2, 0, 0, 0, 7, 0, 0, 0]);
}

#[test]
fn records_are_written_and_read() {
    let mut written = Vec::new();
    let mut writer = RecordWriter::new(&mut written, Framing::new(8));
    writer.write(&7.into()).unwrap();
    writer.write(&Variant::Nil).unwrap();
    assert_eq!(written, RECORDS);
    let mut reader = RecordReader::new(&RECORDS[..], Framing::new(8));
    assert_eq!(reader.read().unwrap(), Some(7.into()));
    assert_eq!(reader.offset(), 12);
    assert_eq!(reader.read().unwrap(), Some(Variant::Nil));
    assert_eq!(reader.read().unwrap(), None);
}

#[test]
fn a_record_that_is_too_long_is_not_written() {
    let mut written = Vec::new();
    let error = RecordWriter::new(&mut written, Framing::new(7)).write(&7.into()).unwrap_err();
    assert_eq!((error.kind(), written.len()), (ErrorKind::InvalidData, 0));
}

#[test]
fn a_record_that_is_cut_off_is_an_unexpected_end() {
    for length in 13..20 {
        let mut reader = RecordReader::new(&RECORDS[..length], Framing::new(8));
        reader.read().unwrap();
        let error = reader.read().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{length}");
        let expected = match length - 12 {
            read @ ..4 => RecordError::PrefixCutOff { offset: 12, read },
            read => RecordError::CutOff { offset: 12, length: 4, read: read - 4 },
        };
        assert_eq!(error.downcast::<RecordError>().unwrap(), expected);
        let mut decoder = RecordDecoder::new(Framing::new(8));
        decoder.feed(&RECORDS[..length]);
        assert!(values_of(&mut decoder).is_ok());
        assert_eq!(decoder.finish(), Err(expected));
    }
}

#[test]
fn a_length_beyond_the_limit_takes_no_memory() {
    let mut reader = RecordReader::new(std::io::repeat(0xFF), Framing::new(1 << 20));
    let error = reader.read().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "a record of 4294967295 bytes is longer than the limit of 1048576, at offset 0");
}

#[test]
fn after_a_malformed_value_the_next_record_is_read() {
    let bytes = [&[4, 0, 0, 0, 99, 0, 0, 0][..], &RECORDS].concat();
    let mut reader = RecordReader::new(&bytes[..], Framing::new(8));
    assert_eq!(reader.read().unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(reader.read().unwrap(), Some(7.into()));
}

#[test]
fn values_of_records_are_decoded_as_untrusted_input() {
    // Array[Array] of a PackedByteArray, each byte of which would become a value of 24 bytes.
    let bytes = varbytes::encode(&Variant::PackedByteArray(vec![0; 10_000].into())).unwrap();
    let packet = [&[28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0], &bytes[..]].concat();
    let record = [&u32::try_from(packet.len()).unwrap().to_le_bytes()[..], &packet].concat();
    assert!(RecordReader::new(&record[..], Framing::new(1 << 20)).read().is_err());
    let mut trusting = RecordReader::new(&record[..], Framing::new(1 << 20)).decoder(Decoder::new());
    assert!(trusting.read().unwrap().is_some());
}

#[test]
fn a_reader_that_returns_one_byte_at_a_time_is_read() {
    struct Slow<'b>(&'b [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }
    let mut reader = RecordReader::new(Slow(&RECORDS), Framing::new(8));
    assert_eq!(reader.read().unwrap(), Some(7.into()));
    assert_eq!(reader.read().unwrap(), Some(Variant::Nil));
}

#[test]
fn a_profile_keeps_the_limits_and_types_of_untrusted_input() {
    let bytes = varbytes::encode(&Variant::PackedByteArray(vec![0; 10_000].into())).unwrap();
    let packet = [&[28, 0, 1, 0, 28, 0, 0, 0, 1, 0, 0, 0], &bytes[..]].concat();
    let record = [&u32::try_from(packet.len()).unwrap().to_le_bytes()[..], &packet].concat();
    let framing = Framing::new(1 << 20);
    assert!(RecordReader::new(&record[..], framing).profile(Profile::GODOT_4_6).objects(true).read().is_err());
    // Dictionary[int, int] {0: "hi"}
    let typed = [27, 0, 5, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0];
    let record = [&36u32.to_le_bytes()[..], &typed, b"hi\0\0"].concat();
    assert!(RecordReader::new(&record[..], framing).decoder(Decoder::new()).read().is_ok());
    let read = RecordReader::new(&record[..], framing).profile(Profile::GODOT_4_4).read().unwrap();
    assert_ne!(read.unwrap().get(0), Some(&"hi".into()));
}

#[test]
fn after_a_record_that_is_too_long_there_is_no_further_record() {
    // The content looks like records.
    let bytes = [&[20, 0, 0, 0][..], &RECORDS].concat();
    let mut reader = RecordReader::new(&bytes[..], Framing::new(8));
    for _ in 0..3 {
        let error = reader.read().unwrap_err().downcast::<RecordError>().unwrap();
        assert_eq!(error, RecordError::TooLong { offset: 0, length: 20, limit: 8 });
    }
    assert!(reader.next().is_none());
    assert_eq!(RecordReader::new(&bytes[..], Framing::new(8)).map(|read| read.is_ok()).collect::<Vec<_>>(), [false]);
    let endless = RecordReader::new(std::io::repeat(0xFF), Framing::new(8));
    assert_eq!(endless.count(), 1);
}

/// Takes a few bytes at a time, and fails in between.
struct Congested {
    taken: Vec<u8>,
    error: ErrorKind,
    fails: bool,
}

impl Write for Congested {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.fails = !self.fails;
        if self.fails {
            return Err(self.error.into());
        }
        let length = bytes.len().min(3);
        self.taken.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_rest_of_a_record_is_written_first_after_an_error_of_the_writer() {
    for error in [ErrorKind::WouldBlock, ErrorKind::TimedOut] {
        let congested = Congested { taken: Vec::new(), error, fails: false };
        let mut writer = RecordWriter::new(congested, Framing::new(8));
        for value in [7.into(), Variant::Nil] {
            assert_eq!(writer.write(&value).unwrap_err().kind(), error);
            // A value that cannot be written changes nothing.
            let unwritten = writer.unwritten().to_vec();
            assert_eq!(writer.write(&"longer than 8".into()).unwrap_err().kind(), ErrorKind::InvalidData);
            assert_eq!(writer.unwritten(), unwritten);
        }
        while writer.flush().is_err() {}
        assert!(writer.unwritten().is_empty());
        assert_eq!(writer.into_inner().taken, RECORDS, "{error}");
    }
}

#[cfg(feature = "tokio")]
mod tokio_codec {
    use bytes::BytesMut;
    use tokio_util::codec::{Decoder as _, Encoder as _};
    use varbytes::record::RecordCodec;

    use super::*;

    #[test]
    fn records_arrive_byte_by_byte() {
        let mut codec = RecordCodec::new(Framing::new(8));
        let mut buffer = BytesMut::new();
        let mut values = Vec::new();
        for byte in RECORDS {
            buffer.extend_from_slice(&[byte]);
            values.extend(codec.decode(&mut buffer).unwrap());
        }
        assert_eq!(values, [Variant::from(7), Variant::Nil]);
        assert_eq!(codec.decode_eof(&mut buffer).unwrap(), None);
    }

    #[test]
    fn a_prefix_beyond_the_limit_and_a_record_that_is_cut_off_are_errors() {
        let decode = |bytes: &[u8]| {
            let mut buffer = BytesMut::from(bytes);
            RecordCodec::new(Framing::new(8)).decode_eof(&mut buffer).unwrap_err().kind()
        };
        assert_eq!(decode(&[0xFF; 4]), ErrorKind::InvalidData);
        assert_eq!(decode(&RECORDS[..11]), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut codec = RecordCodec::new(Framing::new(100)).encoder(Encoder::new().profile(Profile::GODOT_4_2));
        let mut buffer = BytesMut::new();
        codec.encode(&7.into(), &mut buffer).unwrap();
        codec.encode(Variant::Nil, &mut buffer).unwrap();
        assert_eq!(buffer, RECORDS[..]);
        assert!(codec.encode(&"long ".repeat(100).into(), &mut buffer).is_err());
        assert_eq!(buffer.len(), RECORDS.len());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_codec_is_cloned_and_shown_whatever_its_type_implements() {
        struct Message;
        let codec = varbytes::record::TypedRecordCodec::<Message>::new(RecordCodec::new(Framing::new(8)));
        assert_eq!(
            format!("{:?}", codec.clone()),
            format!("TypedRecordCodec({:?})", RecordCodec::new(Framing::new(8)))
        );
    }
}

#[test]
fn arguments_of_godot_4_are_shortened() {
    let cases: [(Variant, &[u8]); 12] = [
        (false.into(), &[0x01]),
        (true.into(), &[0x81]),
        (0.into(), &[0x02, 0]),
        ((-128).into(), &[0x02, 0x80]),
        (128.into(), &[0x42, 0x80, 0]),
        ((-32768).into(), &[0x42, 0, 0x80]),
        (32768.into(), &[0x82, 0, 0x80, 0, 0]),
        (i32::MIN.into(), &[0x82, 0, 0, 0, 0x80]),
        ((1i64 << 31).into(), &[0xC2, 0, 0, 0, 0x80, 0, 0, 0, 0]),
        (i64::MIN.into(), &[0xC2, 0, 0, 0, 0, 0, 0, 0, 0x80]),
        (Variant::Nil, &[0, 0, 0, 0]),
        ("a".into(), &[4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0]),
    ];
    for (value, expected) in cases {
        let bytes = rpc::encode_arguments(&Encoder::new(), &[value.clone(), value.clone()]).unwrap();
        assert_eq!(bytes, [&[2][..], expected, expected].concat());
        let decoded = rpc::decode_arguments(&Decoder::untrusted(&bytes).strict(true), &bytes).unwrap();
        assert_eq!((decoded.value, decoded.consumed), (vec![value.clone(), value], bytes.len()));
    }
}

#[test]
fn arguments_of_godot_3_are_values() {
    let encoder = Encoder::new().profile(Profile::GODOT_3_5);
    let bytes = rpc::encode_arguments(&encoder, &[true.into(), 7.into()]).unwrap();
    assert_eq!(bytes, [2, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    let decoder = Decoder::new().profile(Profile::GODOT_3_5);
    assert_eq!(rpc::decode_arguments(&decoder, &bytes).unwrap().value, [Variant::from(true), 7.into()]);
}

#[test]
fn a_null_object_is_written_as_the_engine_writes_it() {
    let bytes = rpc::encode_arguments(&Encoder::new(), &[Variant::Object(Object::Null)]).unwrap();
    assert_eq!(bytes, [1, 24, 0, 0, 0]);
    assert!(rpc::decode_arguments(&Decoder::new(), &bytes).is_err());
}

#[test]
fn errors_in_arguments_have_their_offset_and_index() {
    let bytes = rpc::encode_arguments(&Encoder::new(), &[1.into(), variant!(["a"])]).unwrap();
    let error = rpc::decode_arguments(&Decoder::new(), &bytes[..bytes.len() - 4]).unwrap_err();
    assert_eq!((error.category(), error.path().to_string()), (Category::Truncated, "$[1][0]".to_owned()));
    assert_eq!(error.offset(), 1 + 2 + 8 + 8);
    let error = rpc::encode_arguments(&Encoder::new(), &[1.into(), variant!({"a": "\0"})]).unwrap_err();
    assert_eq!(error.path().to_string(), r#"$[1]["a"]"#);
}

#[test]
fn every_prefix_of_arguments_is_truncated() {
    let bytes = rpc::encode_arguments(&Encoder::new(), &[true.into(), 300.into(), "a".into(), (1i64 << 40).into()]);
    let bytes = bytes.unwrap();
    for length in 0..bytes.len() {
        let error = rpc::decode_arguments(&Decoder::new(), &bytes[..length]).unwrap_err();
        assert_eq!(error.category(), Category::Truncated, "{length}");
    }
}

#[test]
fn limits_apply_to_all_arguments_together() {
    let arguments = vec![variant!([1, 2, 3]); 10];
    let bytes = rpc::encode_arguments(&Encoder::new(), &arguments).unwrap();
    let decoder = |values| Decoder::new().limits(Limits::NONE.values(values));
    assert!(rpc::decode_arguments(&decoder(30), &bytes).is_ok());
    assert_eq!(rpc::decode_arguments(&decoder(29), &bytes).unwrap_err().category(), Category::Limit);
}

#[test]
fn strict_decoding_accepts_only_the_shortest_arguments() {
    for (bytes, offset) in [(&[1, 0x42, 1, 0][..], 1), (&[1, 0x41], 1), (&[1, 0x81, 0], 2)] {
        assert!(rpc::decode_arguments(&Decoder::new(), bytes).is_ok());
        let error = rpc::decode_arguments(&Decoder::new().strict(true), bytes).unwrap_err();
        assert_eq!((error.category(), error.offset()), (Category::Malformed, offset));
    }
}

#[test]
fn more_than_255_arguments_are_refused() {
    assert!(rpc::encode_arguments(&Encoder::new(), &vec![Variant::Nil; 255]).is_ok());
    let error = rpc::encode_arguments(&Encoder::new(), &vec![Variant::Nil; 256]).unwrap_err();
    assert!(matches!(error.kind(), EncodeErrorKind::TooManyArguments { count: 256 }));
}

/// Gives one byte at a time, and fails between them.
struct Interrupted<'b> {
    bytes: &'b [u8],
    error: ErrorKind,
    fails: bool,
}

impl Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.fails = !self.fails;
        if self.fails {
            return Err(self.error.into());
        }
        let length = buffer.len().min(1);
        self.bytes.read(&mut buffer[..length])
    }
}

#[test]
fn a_record_is_continued_after_an_error_of_the_reader() {
    for error in [ErrorKind::WouldBlock, ErrorKind::TimedOut] {
        let input = Interrupted { bytes: &RECORDS, error, fails: false };
        let mut reader = RecordReader::new(input, Framing::new(1 << 20));
        let (mut values, mut failures) = (Vec::new(), 0);
        loop {
            match reader.read() {
                Ok(Some(value)) => values.push(value),
                Ok(None) => break,
                Err(found) => {
                    assert_eq!(found.kind(), error);
                    failures += 1;
                }
            }
        }
        assert_eq!((values, failures), (vec![7.into(), Variant::Nil], RECORDS.len() + 1));
        assert_eq!(reader.offset(), RECORDS.len() as u64);
    }
}

#[test]
fn records_are_iterated_until_the_end() {
    let reader = RecordReader::new(&RECORDS[..], Framing::new(1 << 20));
    assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), [Variant::from(7), Variant::Nil]);
    let results: Vec<_> = RecordReader::new(&RECORDS[..15], Framing::new(1 << 20)).collect();
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false]);
}
