//! Skips values, which are checked like those that are read.

use crate::VariantType;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;
use crate::options::ReadOptions;
use crate::path::Step;
use crate::read::machine::Reader;
use crate::serde::leaves::Leaves;
use crate::serde::reader::ValueReader;
use crate::wire::WORD;

/// The number of levels of a skipped value that are skipped by recursion.
const SKIPPED_LEVELS: usize = 32;

impl<'t, M> ValueReader<'t, '_, M> {
    /// Checks the value of the property `script` of an object, which is next.
    pub(super) fn check_script(&self) -> Result<(), DecodeError> {
        if !self.input.options.profile.script_as_path() {
            return Ok(());
        }
        let (found, _) = self.peek()?;
        let kind = match found {
            VariantType::Nil => return Ok(()),
            VariantType::String => {
                let options = ReadOptions { limits: Limits::NONE, ..*self.input.options };
                let mut leaves = Leaves;
                let reader = Reader::new(self.input.cursor.at(self.position()), &options, &mut leaves);
                match reader.leaf_at(self.position())? {
                    crate::Variant::String(path) if path.starts_with(crate::wire::SCRIPT_PATH_PREFIX) => return Ok(()),
                    other => DecodeErrorKind::InvalidScriptPath {
                        path: other.as_text().map(|text| text.as_str().into()).unwrap_or_default(),
                    },
                }
            }
            found => DecodeErrorKind::ScriptNotPath { found },
        };
        Err(DecodeError::new(kind, self.position()))
    }

    /// Skips the next value, which is checked like any other.
    #[inline]
    pub(super) fn skip(&mut self) -> Result<(), DecodeError> {
        let skipped = self.skip_at(self.depth);
        self.or_lost(skipped)
    }

    fn skip_at(&mut self, depth: usize) -> Result<(), DecodeError> {
        let start = self.position();
        let limit = self.input.options.greatest_depth();
        if depth > limit {
            return Err(DecodeError::new(DecodeErrorKind::DepthLimit { limit }, start));
        }
        if self.take_text().is_some() {
            return Ok(());
        }
        let (variant_type, flags) = self.peek()?;
        if depth >= self.depth + SKIPPED_LEVELS && variant_type.is_container() {
            return self.skip_deep(limit - depth);
        }
        self.input.cursor.advance(WORD);
        match variant_type {
            VariantType::PackedStringArray => {
                let count = self.input.read_string_count()?;
                (0..count).try_for_each(|_| self.input.read_terminated_text_field().map(|_| ()))
            }
            VariantType::NodePath => self.input.skip_node_path(),
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                let frame = self.input.open_array(variant_type, flags, start, None)?;
                (0..frame.members.count).try_for_each(|index| {
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(Step::Index(index)))
                })
            }
            VariantType::Dictionary => {
                let frame = self.input.open_dictionary(flags, start, None)?;
                (0..frame.members.count).try_for_each(|index| {
                    let key_start = self.position();
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(Step::Key(index)))?;
                    self.begin_member();
                    self.skip_at(depth + 1).map_err(|error| error.within(self.step_to_value(index, key_start)))
                })
            }
            _ => {
                if self.input.read_leaf(variant_type, flags, start)?.is_some() {
                    return Ok(());
                }
                let count = self.input.open_object(start, None)?.map_or(0, |frame| frame.members.count);
                (0..count).try_for_each(|_| {
                    self.begin_member();
                    let name =
                        self.input.read_text_field().map_err(|error| error.within(Step::Part("property name")))?;
                    self.begin_member();
                    let script = if name == crate::wire::SCRIPT_PROPERTY { self.check_script() } else { Ok(()) };
                    script
                        .and_then(|()| self.skip_at(depth + 1))
                        .map_err(|error| error.within(Step::Property(name.into())))
                })
            }
        }
    }

    /// Skips a value without recursion, if it has no more than `levels` levels.
    #[cold]
    fn skip_deep(&mut self, levels: usize) -> Result<(), DecodeError> {
        let limits = Limits { depth: levels, ..self.input.limits_left() };
        let options = ReadOptions { limits, ..*self.input.options };
        let mut leaves = Leaves;
        let mut reader = Reader::new(self.input.cursor.at(self.position()), &options, &mut leaves);
        let whole = self.input.options;
        let (_, end) = reader.read().map_err(|error| whole.with_whole_limits(error.reverse_path()))?;
        let left = reader.input.limits_left();
        self.input.set_limits_left(left);
        self.move_to(end);
        Ok(())
    }

    /// Skips the next value and returns its bytes.
    pub(super) fn take_encoded(&mut self) -> Result<&'t [u8], DecodeError> {
        let start = self.position();
        let rest = self.input.cursor.rest(0);
        self.skip()?;
        Ok(&rest[..rest.len().min(self.position() - start)])
    }
}
