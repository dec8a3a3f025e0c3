//! What else input can be that is not a packet.

/// The bytes of the shortest value, which is only a type.
const MIN_VALUE: usize = 4;

/// Returns what other file the bytes are, as far as it can be told for sure.
pub fn of_packet(bytes: &[u8]) -> Option<&'static str> {
    of_start(bytes).or_else(|| of_records(bytes))
}

fn of_records(bytes: &[u8]) -> Option<&'static str> {
    if are_records(bytes, u32::from_le_bytes) {
        Some("the input looks like store_var records; use --records")
    } else if are_records(bytes, u32::from_be_bytes) {
        Some("the input looks like store_var records; use --records --big-endian")
    } else {
        None
    }
}

/// Returns whether the bytes are records from start to end.
fn are_records(mut bytes: &[u8], length: fn([u8; 4]) -> u32) -> bool {
    let mut count = 0;
    while let Some((prefix, rest)) = bytes.split_first_chunk() {
        let length = length(*prefix) as usize;
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
        b"ECFG" => Some("this is a project.binary file, which has a different format"),
        b"GDSC" => Some("this is a compiled script, which has a different format"),
        _ => None,
    }
}
