//! A builder on the stack of a call, which usually owns nothing when it is dropped.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use super::builder::EngineBuilder;

/// A builder that is dropped without a call for each of its parts if it owns nothing.
pub(crate) struct LazyDrop<'p>(ManuallyDrop<EngineBuilder<'p>>);

impl<'p> LazyDrop<'p> {
    #[inline(always)]
    pub(crate) const fn new(builder: EngineBuilder<'p>) -> Self {
        Self(ManuallyDrop::new(builder))
    }
}

impl<'p> Deref for LazyDrop<'p> {
    type Target = EngineBuilder<'p>;

    #[inline(always)]
    fn deref(&self) -> &EngineBuilder<'p> {
        &self.0
    }
}

impl<'p> DerefMut for LazyDrop<'p> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut EngineBuilder<'p> {
        &mut self.0
    }
}

impl Drop for LazyDrop<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.drop_parts();
    }
}
