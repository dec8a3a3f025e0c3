//! Values that calls with options refuse to write, because nobody could use what would be written.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};

use crate::error::VarBytesError;
use crate::raw::{self, is_object};

/// Refuses the result of another call, of which a script has forgotten to pass the value: only its id would be written.
#[inline(always)]
pub(crate) fn refuse_result(value: &Variant) -> Result<(), VarBytesError> {
    if is_object(value) { refuse_result_object(value) } else { Ok(()) }
}

fn refuse_result_object(object: &Variant) -> Result<(), VarBytesError> {
    const RESULTS: [(&str, &str); 2] =
        [("VarBytesResult", "its value"), ("VarBytesTask", "the value of what its signal finished passes")];
    /// The addresses of the names, which live as long as the classes.
    static ADDRESSES: OnceLock<[u64; 2]> = OnceLock::new();
    let addresses = ADDRESSES.get_or_init(|| RESULTS.map(|(class, _)| raw::name_address(&StringName::from(class))));
    let class = raw::class_address(object);
    match addresses.iter().position(|address| Some(*address) == class) {
        None => Ok(()),
        Some(place) => {
            let (class, advice) = RESULTS[place];
            Err(VarBytesError::argument(format!("the value to write is a {class}: pass {advice}")))
        }
    }
}
