//! The methods that are called for each record.

use godot::builtin::Variant;

use super::VarBytesFile;
use super::state::State;
use super::{many, one};
use crate::error::report;
use crate::options::VarBytesOptions;
use crate::raw::{self, NewValue, ObjectArgument};
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

    fn has_next(file: &State) -> bool {
        file.try_run(|open| open.records.has_next()).unwrap_or(false)
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

    fn report_no_result() {
        report("VarBytesFile.next_into: the result is null: pass a VarBytesResult");
    }
}
