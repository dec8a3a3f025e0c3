//! What else input can be that is not a packet.

/// The bytes of the shortest value, which is only a type.
const MIN_VALUE: usize = 4;

/// Returns what other file the bytes are, as far as it can be told for sure.
pub fn of_packet(bytes: &[u8]) -> Option<&'static str> {
    let records = "the input looks like store_var records, which convert --records reads";
    of_start(bytes).or(are_records(bytes).then_some(records))
}

/// Returns whether the bytes are records from start to end.
pub fn are_records(mut bytes: &[u8]) -> bool {
    let mut count = 0;
    while let Some((prefix, rest)) = bytes.split_first_chunk() {
        let length = u32::from_le_bytes(*prefix) as usize;
        if length < MIN_VALUE || length > rest.len() {
            return false;
        }
        bytes = &rest[length..];
        count += 1;
    }
    count > 0 && bytes.is_empty()
}

/// Recognizes other files by their first bytes, which no packet starts with.
pub fn of_start(bytes: &[u8]) -> Option<&'static str> {
    match bytes.first_chunk::<4>()? {
        b"GCPF" => Some("this is a compressed file; save it without compression first"),
        b"GDEC" | b"GDES" => Some("this is an encrypted file; save it without encryption first"),
        b"RSRC" | b"RSCC" => Some("this is a resource file, which has a different format"),
        _ => None,
    }
}
