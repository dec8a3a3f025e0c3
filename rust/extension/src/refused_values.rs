//! Values that calls with options refuse to write, because nobody could use what would be written.

use std::sync::OnceLock;

use godot::builtin::{StringName, Variant};
use varbytes::{Limits, Path, Step};

use crate::encode::key_step;
use crate::error::VarBytesError;
use crate::plain_options::PlainOptions;
use crate::raw::{self, View, can_have_objects, is_object, view};

/// Refuses the result of another call, of which a script has forgotten to pass the value. If lists name what to write of objects, but
/// the options do not allow any, also refuses a value with objects: only their ids would be written.
#[inline(always)]
pub(crate) fn refuse_useless(value: &Variant, options: Option<&PlainOptions>) -> Result<(), VarBytesError> {
    if is_object(value) {
        refuse_result(value)?;
    }
    match options {
        Some(options) if options.lists_objects && !options.allow_objects && can_have_objects(value) => {
            refuse_objects(value)
        }
        _ => Ok(()),
    }
}

fn refuse_result(object: &Variant) -> Result<(), VarBytesError> {
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

#[cold]
fn refuse_objects(value: &Variant) -> Result<(), VarBytesError> {
    const REASON: &str = "only the id of the object would be written, although a list names what to write: set \
                          VarBytesOptions.allow_objects";
    path_of_object(value).map_or(Ok(()), |path| Err(VarBytesError::refused(REASON.to_owned(), &path)))
}

/// Returns the path of the first object in a value. Returns `None` as well if a container is nested too deep: it cannot be written.
fn path_of_object(value: &Variant) -> Option<Path> {
    let mut path: Vec<Option<Step>> = Vec::new();
    let mut open = vec![vec![(None, value.clone())].into_iter()];
    while let Some(parts) = open.last_mut() {
        let Some((step, part)) = parts.next() else {
            open.pop();
            path.pop();
            continue;
        };
        path.push(step);
        if !is_object(&part) {
            if open.len() > Limits::MAX_DEPTH {
                return None;
            }
            open.push(parts_with_objects(&part).into_iter());
        } else if is_written_as_other(&part) {
            return Some(path.into_iter().flatten().collect());
        } else {
            path.pop();
        }
    }
    None
}

/// Returns whether an object lives, and is not an id itself.
fn is_written_as_other(object: &Variant) -> bool {
    raw::class_of(object).is_some_and(|class| class != "EncodedObjectAsID")
}

/// Returns the parts of a container that are objects or can contain some.
fn parts_with_objects(container: &Variant) -> Vec<(Option<Step>, Variant)> {
    let mut parts = Vec::new();
    match view(container) {
        View::Dictionary => {
            let (mut entries, mut index) = (raw::Entries::of(container), 0);
            while let Some((key, value)) = entries.next() {
                parts.push((Some(Step::Key(index)), key.clone()));
                parts.push((Some(key_step(index, key)), value.clone()));
                index += 1;
            }
        }
        View::Array => {
            let members = raw::members(container).iter().cloned();
            parts.extend(members.enumerate().map(|(index, member)| (Some(Step::Index(index)), member)));
        }
        _ => {}
    }
    parts.retain(|(_, part)| can_have_objects(part));
    parts
}
