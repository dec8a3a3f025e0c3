//! Files of other formats, told by their first bytes.

use std::fmt::{self, Display, Formatter};

pub(crate) const COMPRESSED: [u8; 4] = *b"GCPF";
pub(crate) const ENCRYPTED: [u8; 4] = *b"GDEC";

/// A format whose files begin neither with a value nor with the length of a record. Displayed as what to do instead.
pub(crate) enum OtherFormat {
    Compressed,
    Encrypted,
    Resource,
    Text([u8; 4]),
}

impl OtherFormat {
    pub(crate) fn of(first: [u8; 4]) -> Option<Self> {
        let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        match &first {
            &COMPRESSED => Some(Self::Compressed),
            &ENCRYPTED => Some(Self::Encrypted),
            b"RSRC" | b"RSCC" | b"[gd_" => Some(Self::Resource),
            text => text.iter().all(is_text).then_some(Self::Text(first)),
        }
    }
}

impl Display for OtherFormat {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed => formatter.write_str("the file is compressed: open it with FileAccess.open_compressed"),
            Self::Encrypted => {
                formatter.write_str("the file is encrypted: open it with FileAccess.open_encrypted_with_pass")
            }
            Self::Resource => formatter.write_str("the file is a resource: load it with ResourceLoader"),
            Self::Text(text) => write!(formatter, "the bytes begin with the text \"{}\"", text.escape_ascii()),
        }
    }
}
