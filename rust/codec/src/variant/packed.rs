//! Packed arrays of vectors.

use alloc::{boxed::Box, vec::Vec};

use super::Reals;

/// The elements of a `PackedVector2Array`, `PackedVector3Array` or `PackedVector4Array`, each `N`
/// components in wire order, at the precision they have on the wire.
#[derive(Clone, Debug)]
pub enum PackedReals<const N: usize> {
    /// 4 bytes a component.
    Single(Box<[[f32; N]]>),
    /// 8 bytes a component; boxed twice, so that the usual array is no larger for it.
    Double(Box<Box<[[f64; N]]>>),
}

impl<const N: usize> PackedReals<N> {
    /// The number of vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Single(elements) => elements.len(),
            Self::Double(elements) => elements.len(),
        }
    }

    /// Whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Component `component` of element `index`, widened to `f64`.
    ///
    /// # Panics
    /// When either is out of range.
    #[must_use]
    pub fn at(&self, index: usize, component: usize) -> f64 {
        match self {
            Self::Single(elements) => f64::from(elements[index][component]),
            Self::Double(elements) => elements[index][component],
        }
    }

    /// The components of all vectors, one vector after another.
    #[inline]
    pub(crate) fn as_reals(&self) -> Reals<'_> {
        match self {
            Self::Single(elements) => Reals::Single(elements.as_flattened()),
            Self::Double(elements) => Reals::Double(elements.as_flattened()),
        }
    }

    /// The vectors of these components. What is less than a vector at the end is left out.
    pub(super) fn from_reals(components: Reals<'_>) -> Self {
        match components {
            Reals::Single(components) => components.as_chunks().0.to_vec().into(),
            Reals::Double(components) => components.as_chunks().0.to_vec().into(),
        }
    }
}

/// Compares by value: equal components at different precision are equal, NaN is not.
impl<const N: usize> PartialEq for PackedReals<N> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.len())
                .all(|index| (0..N).all(|component| self.at(index, component) == other.at(index, component)))
    }
}

impl<const N: usize> Default for PackedReals<N> {
    fn default() -> Self {
        Self::Single(Box::default())
    }
}

impl<const N: usize> From<Vec<[f32; N]>> for PackedReals<N> {
    fn from(elements: Vec<[f32; N]>) -> Self {
        Self::Single(elements.into())
    }
}

impl<const N: usize> From<Vec<[f64; N]>> for PackedReals<N> {
    fn from(elements: Vec<[f64; N]>) -> Self {
        Self::Double(Box::new(elements.into()))
    }
}
