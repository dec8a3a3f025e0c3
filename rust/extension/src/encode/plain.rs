//! Writes values whose objects are written as ids. No script runs meanwhile, so values are read in place.

use std::cell::Cell;

use godot::builtin::Variant;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Limits, Path};

use super::leaf::{begin_array, begin_dictionary, scripts_of_types, write_leaf};
use super::sinks::{LongPieces, STACK};
use super::stack::{ContainerStack, Members, OpenContainer};
use crate::error::VarBytesError;
use crate::raw::{self, DirectNumbers, MemberRun, Number, View, view};

thread_local! {
    /// Whether this thread has written the id of an object.
    static WROTE_IDS: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread has written the id of an object since it was last asked.
pub(crate) fn take_wrote_ids() -> bool {
    WROTE_IDS.replace(false)
}

/// What to do with an object.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainObjects {
    /// Write its id.
    AsIds,
    /// Stop.
    StopAtObjects,
    /// Stop, and also at a container that is typed by a script: a policy allows scripts or not, as it does objects.
    Stop,
}

impl PlainObjects {
    #[inline]
    fn stop_at(self, value: &Variant) -> bool {
        match self {
            Self::AsIds => false,
            Self::StopAtObjects => raw::is_object(value),
            Self::Stop => raw::is_object(value) || raw::is_typed(value) && has_script_type(value),
        }
    }

    /// Returns whether the format is the one in which objects are written in full: even without objects, containers that are typed by a
    /// class or script are written in another way there.
    pub(super) fn are_full(self) -> bool {
        self != Self::AsIds
    }
}

#[inline(never)]
fn has_script_type(container: &Variant) -> bool {
    scripts_of_types(container).next().is_some()
}

/// Writes a value. Returns false if it stopped at an object. Stops early as well if the sink is full.
pub(super) fn write<S: Sink>(
    value: &Variant,
    writer: &mut Writer<'_, S>,
    objects: PlainObjects,
) -> Result<bool, VarBytesError> {
    let mut stack = ContainerStack::new();
    Ok(begin(value, writer, objects, &mut stack)? && write_open(writer, objects, &mut stack)?)
}

/// Begins to write a value, as [`write`] does: [`write_open`] has to follow, into this sink or another one.
#[inline(always)]
pub(super) fn begin<'v, S: Sink>(
    value: &'v Variant,
    writer: &mut Writer<'_, S>,
    objects: PlainObjects,
    stack: &mut ContainerStack<'v>,
) -> Result<bool, VarBytesError> {
    if objects.stop_at(value) {
        return Ok(false);
    }
    let leaf = view(value);
    let written = if matches!(leaf, View::Array | View::Dictionary | View::Object) {
        write_value(writer, value, stack)
    } else {
        write_leaf(writer, value, &leaf)
    };
    match written {
        Ok(()) => Ok(true),
        Err(kind) => Err(VarBytesError::from_encode(&kind, &Path::default())),
    }
}

/// Writes what is left of the open containers, as [`write`] does.
#[inline]
pub(super) fn write_open<S: Sink>(
    writer: &mut Writer<'_, S>,
    objects: PlainObjects,
    stack: &mut ContainerStack<'_>,
) -> Result<bool, VarBytesError> {
    let numbers = DirectNumbers::verified();
    if let Some(part) = stack.left.take() {
        write_value(writer, part, stack).map_err(|kind| VarBytesError::from_encode(&kind, &stack.path()))?;
    }
    if let Some(run) = stack.left_run.take()
        && let Some(OpenContainer::Array(members)) = stack.last_mut()
    {
        run.write(writer);
        members.skip(run.len());
    }
    let mut left_run = None;
    while !writer.is_full() {
        // Members that are nested too deep take the slow path, which reports the error.
        let numbers = numbers.filter(|_| stack.len() <= Limits::MAX_DEPTH);
        let Some(innermost) = stack.last_mut() else { return Ok(true) };
        let next = match innermost {
            OpenContainer::Array(members) => write_fixed(writer, members, numbers, &mut left_run),
            OpenContainer::Dictionary(entries) => write_fixed(writer, entries, numbers, &mut left_run),
        };
        let written = match next {
            Ok(Some(part)) if objects.stop_at(part) => return Ok(false),
            Ok(Some(part)) => write_value(writer, part, stack),
            Err(kind) => Err(kind),
            Ok(None) if writer.is_full() => break,
            Ok(None) => {
                stack.pop();
                continue;
            }
        };
        written.map_err(|kind| VarBytesError::from_encode(&kind, &stack.path()))?;
    }
    stack.left_run = left_run;
    Ok(true)
}

/// Fast path: writes consecutive members, keys or values that are numbers, have another type of fixed size or are short packed
/// arrays, as in most long arrays. Returns the first other one, or `None` at the end or if the sink is full. Then `left_run` are the
/// next members, if they were left to another sink.
#[inline(always)]
fn write_fixed<'v, S: Sink>(
    writer: &mut Writer<'_, S>,
    members: &mut impl Members<'v>,
    numbers: Option<DirectNumbers>,
    left_run: &mut Option<MemberRun<'v>>,
) -> Result<Option<&'v Variant>, EncodeErrorKind> {
    let Some(numbers) = numbers else { return Ok(members.next()) };
    while let Some(member) = members.next() {
        match numbers.number(member) {
            Number::Int(value) => writer.int(value)?,
            Number::Float(value) => writer.float(value)?,
            Number::None => match members.last_and_following() {
                following @ [last, next, ..]
                    if numbers.are_alike(last, next)
                        && let Some(run) = MemberRun::of(following) =>
                {
                    if run.size() >= LongPieces::LEAST && writer.leaves(run.size()) {
                        *left_run = Some(run);
                        members.back();
                        break;
                    }
                    run.write(writer);
                    members.skip(run.len() - 1);
                }
                _ if raw::write_fixed(numbers, member, writer) => {}
                _ => return Ok(Some(member)),
            },
        }
        if writer.is_full() {
            break;
        }
    }
    Ok(None)
}

/// Writes a single value, or the header of a container.
#[inline]
fn write_value<'v, S: Sink>(
    writer: &mut Writer<'_, S>,
    value: &'v Variant,
    stack: &mut ContainerStack<'v>,
) -> Result<(), EncodeErrorKind> {
    if stack.len() > Limits::MAX_DEPTH {
        return Err(EncodeErrorKind::DepthLimit { limit: Limits::MAX_DEPTH });
    }
    let leaf = view(value);
    match leaf {
        View::Array => {
            let members = raw::members(value);
            begin_array(writer, value, members.len())?;
            stack.push_array(members);
            Ok(())
        }
        View::Dictionary => {
            let entries = raw::Entries::of(value);
            begin_dictionary(writer, value, entries.len())?;
            stack.push_dictionary(entries);
            Ok(())
        }
        View::Object => match raw::live_object_id(value) {
            None => writer.null_object(),
            Some(id) => {
                WROTE_IDS.set(true);
                writer.object_id(id)
            }
        },
        _ if long_size(&leaf).is_some_and(|size| writer.leaves(size)) => {
            stack.left = Some(value);
            Ok(())
        }
        // Not moved: the view was just written in small parts.
        _ => write_leaf(writer, value, &leaf),
    }
}

/// Returns whether a value is text whose bytes do not fit on the stack, or that is so many strings that they are not likely to.
pub(super) fn is_long_text(value: &Variant) -> bool {
    match view(value) {
        View::String(text) => text.len() > STACK,
        View::Strings(texts) => are_many(texts.len()),
        _ => false,
    }
}

/// Returns about how many bytes a long packed array takes, or `None` for a short one or any other value.
#[inline]
fn long_size(leaf: &View<'_>) -> Option<usize> {
    let size = match leaf {
        View::Strings(texts) => texts.len() * SHORT,
        _ => packed_size(leaf)?,
    };
    (size >= LongPieces::LEAST).then_some(size)
}

/// Returns whether a PackedStringArray was left.
pub(super) fn has_left_strings(stack: &ContainerStack<'_>) -> bool {
    stack.left.is_some_and(|part| matches!(view(part), View::Strings(_)))
}

/// Returns the size of all that has not been written, if that is what was left and then, in the same Array, packed arrays of numbers.
pub(super) fn size_of_left(stack: &ContainerStack<'_>) -> Option<usize> {
    let (size, run) = match (stack.left, stack.left_run) {
        (Some(part), _) => (packed_size(&view(part))?, 0),
        (None, Some(run)) => (run.size(), run.len()),
        (None, None) => return None,
    };
    stack.last_members()?.get(run..)?.iter().try_fold(size, |size, member| Some(size + packed_size(&view(member))?))
}

/// Returns the size of a packed array of numbers with its header and padding.
#[inline]
pub(super) fn packed_size(leaf: &View<'_>) -> Option<usize> {
    /// The bytes of a header, and of a count.
    const WORD: usize = 4;
    let elements = match leaf {
        View::Bytes(elements) => elements.len().next_multiple_of(WORD),
        View::Int32(elements) => size_of_val(*elements),
        View::Int64(elements) => size_of_val(*elements),
        View::Float32(elements) => size_of_val(*elements),
        View::Float64(elements) => size_of_val(*elements),
        View::PackedReals(_, components) => size_of_val(*components),
        _ => return None,
    };
    Some(2 * WORD + elements)
}

/// The bytes of a short string in a packed array.
const SHORT: usize = 16;

/// Returns whether the bytes of so many strings are not likely to fit on the stack.
fn are_many(strings: usize) -> bool {
    strings > STACK / SHORT
}
