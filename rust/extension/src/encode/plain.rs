//! Writes values whose objects are written as ids. No script runs meanwhile, so values are read in place.

use godot::builtin::Variant;
use varbytes::variant::Reals;
use varbytes::write::{Sink, Writer};
use varbytes::{EncodeErrorKind, Limits, VariantType};

use super::leaf::{begin_array, begin_dictionary, write_leaf};
use super::stack::{ArrayMembers, ContainerStack, OpenContainer};
use crate::error::VarBytesError;
use crate::raw::{self, DirectNumbers, Number, View, view};

/// Writes a value.
pub(super) fn write<S: Sink>(value: &Variant, writer: &mut Writer<'_, S>) -> Result<(), VarBytesError> {
    let numbers = DirectNumbers::verified();
    let mut stack = ContainerStack::new();
    write_value(writer, value, &mut stack).map_err(|kind| VarBytesError::from_encode(&kind, &stack.path()))?;
    loop {
        // Members that are nested too deep take the slow path, which reports the error.
        let numbers = numbers.filter(|_| stack.len() <= Limits::MAX_DEPTH);
        let Some(innermost) = stack.last_mut() else { return Ok(()) };
        let written = match innermost {
            OpenContainer::Array(members) => match write_numbers(writer, members, numbers) {
                Ok(Some(member)) => write_value(writer, member, &mut stack),
                Err(kind) => Err(kind),
                Ok(None) => {
                    stack.pop();
                    continue;
                }
            },
            OpenContainer::Dictionary(entries) => match entries.next_part() {
                Some(part) => write_value(writer, part, &mut stack),
                None => {
                    stack.pop();
                    continue;
                }
            },
        };
        written.map_err(|kind| VarBytesError::from_encode(&kind, &stack.path()))?;
    }
}

/// Fast path: writes consecutive members that are numbers, as in most long arrays. Returns the first other member.
#[inline]
fn write_numbers<'v, S: Sink>(
    writer: &mut Writer<'_, S>,
    members: &mut ArrayMembers<'v>,
    numbers: Option<DirectNumbers>,
) -> Result<Option<&'v Variant>, EncodeErrorKind> {
    let Some(numbers) = numbers else { return Ok(members.next()) };
    for member in members {
        match numbers.number(member) {
            Number::Int(value) => writer.int(value)?,
            Number::Float(value) => writer.float(value)?,
            Number::Vector2(vector) => writer.reals(VariantType::Vector2, Reals::Single(vector))?,
            Number::Vector3(vector) => writer.reals(VariantType::Vector3, Reals::Single(vector))?,
            Number::None => return Ok(Some(member)),
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
    match view(value) {
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
            Some(id) => writer.object_id(id),
        },
        leaf => write_leaf(writer, value, leaf),
    }
}
