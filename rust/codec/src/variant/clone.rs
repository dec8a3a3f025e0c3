//! Copies of owned and borrowed trees, without recursion.

use alloc::vec::Vec;
use core::fmt;

use super::borrowed::VariantRef;
use super::key_view::{KeyView, KeyVisit, KeyWalk};
use super::owned::Variant;
use crate::work;

impl Clone for Variant {
    fn clone(&self) -> Self {
        copy(self.into())
    }
}

impl VariantRef<'_> {
    /// Returns the value as an owned [`Variant`].
    ///
    /// ```
    /// use varbytes::{Decoder, Variant};
    ///
    /// let packet = varbytes::encode(&"Ada".into())?;
    /// let owned: Variant = Decoder::new().decode_borrowed(&packet)?.to_variant();
    /// assert_eq!(owned, "Ada");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_variant(&self) -> Variant {
        copy(self.into())
    }
}

impl From<&VariantRef<'_>> for Variant {
    fn from(value: &VariantRef<'_>) -> Self {
        value.to_variant()
    }
}

/// Like the [`Variant`] with the same value.
impl fmt::Debug for VariantRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_variant().fmt(formatter)
    }
}

fn copy(value: KeyView<'_, '_>) -> Variant {
    // The copies of values that are not yet in a container.
    let mut copied = Vec::new();
    for visit in KeyWalk::new(value) {
        work::add(1);
        match visit {
            KeyVisit::Leaf(leaf) => copied.push(leaf.to_leaf()),
            KeyVisit::Enter(..) => {}
            KeyVisit::Leave(container, count) => {
                let members = copied.split_off(copied.len() - count);
                copied.push(container.with_members(members));
            }
        }
    }
    copied.pop().unwrap_or_default()
}
