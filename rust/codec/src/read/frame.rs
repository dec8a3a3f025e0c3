//! An open container on the stack of the slow path.

use crate::build::builder::Builder;
use crate::error::DecodeError;
use crate::read::input::{Input, Item};
use crate::types::array::ArrayFrame;
use crate::types::container::Members;
use crate::types::dictionary::DictionaryFrame;
use crate::types::object::ObjectFrame;
use crate::variant::KeyContext;

/// A container whose members are being read.
pub(crate) enum Frame<'a, B: Builder<'a>> {
    Array(ArrayFrame<'a, B>),
    Dictionary(DictionaryFrame<'a, B>),
    Object(ObjectFrame<'a, B>),
}

impl<'a, B: Builder<'a>> Frame<'a, B> {
    #[inline(always)]
    pub(crate) fn members(&self) -> &Members {
        match self {
            Self::Array(frame) => &frame.members,
            Self::Dictionary(frame) => &frame.members,
            Self::Object(frame) => &frame.members,
        }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, input: &mut Input<'a, '_, B>, item: Item<B::Value>) -> Result<(), DecodeError> {
        match self {
            Self::Array(frame) => frame.add(input, item),
            Self::Dictionary(frame) => frame.add(input, item),
            Self::Object(frame) => frame.add(input, item),
        }
    }

    #[inline(always)]
    pub(crate) fn close(self, input: &mut Input<'a, '_, B>) -> Result<Item<B::Value>, DecodeError> {
        match self {
            Self::Array(frame) => frame.close(input),
            Self::Dictionary(frame) => frame.close(input),
            Self::Object(frame) => frame.close(input),
        }
    }

    /// Returns whether the next value needs a hash, because it is a key or part of a key.
    #[inline(always)]
    pub(crate) fn hashes_next(&self) -> bool {
        match self {
            Self::Dictionary(frame) => frame.hashes_next(),
            Self::Array(_) | Self::Object(_) => self.members().hash.is_some(),
        }
    }

    /// Returns the position of the next value within a key.
    pub(crate) fn key_context(&self) -> KeyContext {
        match (self, &self.members().hash) {
            (Self::Array(_) | Self::Dictionary(DictionaryFrame { pending: Some(_), .. }), Some(hash)) => {
                KeyContext::in_container(hash.level)
            }
            _ => KeyContext::Key,
        }
    }
}
