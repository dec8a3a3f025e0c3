//! Checks that a file is complete after it was closed. The engine writes compressed and encrypted files only then, and does not
//! report that it failed (4.6, `core/io/file_access_compressed.cpp` and `file_access_encrypted.cpp`).

use godot::builtin::GString;
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::obj::Gd;

use crate::error::VarBytesError;
use crate::other_format::{COMPRESSED, ENCRYPTED};

/// Checks that a closed file has all bytes of a content of `length` bytes.
pub(super) fn require_complete(path: &GString, length: u64) -> Result<(), VarBytesError> {
    let Some(mut file) = FileAccess::open(path, ModeFlags::READ) else {
        let reason = FileAccess::get_open_error();
        if !FileAccess::file_exists(path) {
            // It was removed or renamed meanwhile.
            return Ok(());
        }
        let message = format!("{path} was closed, but it cannot be opened to check that it is complete ({reason:?})");
        return Err(VarBytesError::stream(message, -1));
    };
    let found = file.get_length();
    let expected = size_on_disk(&mut file, length).unwrap_or(Some(length.max(found)));
    if expected == Some(found) {
        return Ok(());
    }
    let message = format!(
        "{path} could not be written when it was closed, so its {length} bytes of records are lost: is the disk full?"
    );
    Err(VarBytesError::stream(message, -1))
}

/// Returns the size of a file that has a content of `length` bytes in compressed or encrypted form: an inner `None` if a part of a
/// compressed file is missing. Returns `None` for a plain file.
fn size_on_disk(file: &mut Gd<FileAccess>, length: u64) -> Option<Option<u64>> {
    match *file.get_buffer(4).as_slice().first_chunk()? {
        COMPRESSED => {
            // The mode, the size of a block, the length, the compressed size of each block, the blocks, and the name again.
            let [_, block_size, content] = [(); 3].map(|()| u64::from(file.get_32()));
            if content != length {
                return None;
            }
            let count = length.checked_div(block_size).map_or(0, |full| full + 1);
            let blocks: u64 = (0..count).map(|_| u64::from(file.get_32())).sum();
            let end = 16 + 4 * count + blocks;
            file.seek(end);
            Some((file.get_buffer(4).as_slice() == COMPRESSED).then_some(end + 4))
        }
        ENCRYPTED => {
            // The checksum, the length, 16 random bytes, and the content in blocks of 16 bytes.
            file.seek(20);
            (file.get_64() == length).then(|| Some(44 + length.next_multiple_of(16)))
        }
        _ => None,
    }
}
