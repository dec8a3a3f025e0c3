//! Packed arrays of vectors.

use alloc::{boxed::Box, vec::Vec};

use super::math::Reals;

/// The elements of a `PackedVector2Array`, `PackedVector3Array` or `PackedVector4Array`: `N` components each, in wire
/// order and in their precision on the wire.
///
/// ```
/// use varbytes::variant::{PackedReals, Vector2};
/// use varbytes::{Variant, variant};
///
/// let Variant::PackedVector2Array(points) = variant!(vec![Vector2::new(1.0, 2.0)]) else { unreachable!() };
/// assert_eq!(points.as_slice(), Some(&[[1.0, 2.0]][..]));
/// assert_eq!(points, PackedReals::from(vec![[1.0f32, 2.0]]));
/// ```
#[derive(Clone, Debug)]
pub enum PackedReals<const N: usize> {
    /// 4 bytes for each component.
    Single(Box<[[f32; N]]>),
    /// 8 bytes for each component; boxed twice, to keep the common array small.
    Double(Box<Box<[[f64; N]]>>),
}

impl<const N: usize> PackedReals<N> {
    /// Creates an array of double precision, as an engine built with `precision=double` has it.
    ///
    /// ```
    /// use varbytes::Variant;
    /// use varbytes::variant::PackedReals;
    ///
    /// let points = Variant::PackedVector2Array(PackedReals::from_f64_vec(vec![[0.1, 0.2]]));
    /// assert_eq!(varbytes::encode(&points)?.len(), 24);
    /// # Ok::<(), varbytes::EncodeError>(())
    /// ```
    #[must_use]
    pub fn from_f64_vec(elements: Vec<[f64; N]>) -> Self {
        Self::Double(Box::new(elements.into()))
    }

    /// Returns the number of vectors.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::PackedReals::from(vec![[1f32, 2.0]]).len(), 1);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Single(elements) => elements.len(),
            Self::Double(elements) => elements.len(),
        }
    }

    /// Returns whether there are no vectors.
    ///
    /// ```
    /// assert!(varbytes::variant::PackedReals::<3>::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the component `component` of the element `index`, widened to `f64`.
    ///
    /// ```
    /// let points = varbytes::variant::PackedReals::from(vec![[1f32, 2.0], [3.0, 4.0]]);
    /// assert_eq!(points.at(1, 0), 3.0);
    /// ```
    ///
    /// # Panics
    /// If either is out of range.
    #[must_use]
    pub fn at(&self, index: usize, component: usize) -> f64 {
        match self {
            Self::Single(elements) => f64::from(elements[index][component]),
            Self::Double(elements) => elements[index][component],
        }
    }

    /// Returns the vectors if they have single precision.
    ///
    /// ```
    /// let points = varbytes::variant::PackedReals::from(vec![[1f32, 2.0]]);
    /// assert_eq!(points.as_slice(), Some(&[[1.0, 2.0]][..]));
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> Option<&[[f32; N]]> {
        match self {
            Self::Single(elements) => Some(elements),
            Self::Double(_) => None,
        }
    }

    /// Returns the vectors if they have double precision.
    ///
    /// ```
    /// let points = varbytes::variant::PackedReals::from_f64_vec(vec![[0.1, 0.2]]);
    /// assert_eq!(points.as_f64_slice(), Some(&[[0.1, 0.2]][..]));
    /// assert_eq!(points.as_slice(), None);
    /// ```
    #[must_use]
    pub fn as_f64_slice(&self) -> Option<&[[f64; N]]> {
        match self {
            Self::Single(_) => None,
            Self::Double(elements) => Some(elements),
        }
    }

    /// Returns the vectors in order, their components widened to `f64`.
    ///
    /// ```
    /// use varbytes::variant::PackedReals;
    ///
    /// let points = PackedReals::from(vec![[1f32, 2.0], [3.0, 4.0]]);
    /// assert_eq!(points.iter().map(|[x, y]| x * y).sum::<f64>(), 14.0);
    /// assert_eq!(points.as_slice(), Some(&[[1.0, 2.0], [3.0, 4.0]][..]));
    /// ```
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = [f64; N]> + ExactSizeIterator {
        (0..self.len()).map(|index| core::array::from_fn(|component| self.at(index, component)))
    }

    #[inline]
    pub(crate) fn as_reals(&self) -> Reals<'_> {
        match self {
            Self::Single(elements) => Reals::Single(elements.as_flattened()),
            Self::Double(elements) => Reals::Double(elements.as_flattened()),
        }
    }

    /// Creates vectors from components. An incomplete vector at the end is dropped.
    pub(super) fn from_reals(components: Reals<'_>) -> Self {
        match components {
            Reals::Single(components) => components.as_chunks().0.to_vec().into(),
            Reals::Double(components) => Self::from_f64_vec(components.as_chunks().0.to_vec()),
        }
    }
}

/// Compares by value: equal components with different precision are equal, NaN is not.
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
