//! `Array`, used as a `Vec`.

use alloc::vec::{self, Vec};
use core::ops::{Deref, DerefMut, Index, IndexMut, RangeBounds};
use core::slice;

use super::members::{ArrayLabel, ContainerType, Members, label_methods};
use super::mismatch::TypeMismatch;
use super::owned::{Array, Variant};

impl Array {
    /// Creates an empty untyped array.
    ///
    /// ```
    /// let array = varbytes::variant::Array::new();
    /// assert!(array.is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an array of the given members, typed if `element_type` is given.
    ///
    /// ```
    /// use varbytes::variant::{Array, ContainerType};
    /// use varbytes::VariantType;
    ///
    /// let int = || Some(ContainerType::Builtin(VariantType::Int));
    /// assert_eq!(Array::with_type(int(), vec![1.into(), 2.into()])?.len(), 2);
    /// let error = Array::with_type(int(), vec![1.into(), "two".into()]).unwrap_err();
    /// assert_eq!(error.to_string(), "member 1 is a String, but the container declares int");
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
    ///
    /// # Errors
    /// [`TypeMismatch`] for the first member of another type. The engine would convert it or leave it out.
    pub fn with_type(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Result<Self, TypeMismatch> {
        let array = Self::with_type_unchecked(element_type, elements);
        array.check(array.element_type()).map(|()| array)
    }

    /// Like [`with_type`](Self::with_type), without checking the members.
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{Array, ContainerType};
    ///
    /// // Godot leaves out the second member when it reads this array.
    /// let int = Some(ContainerType::Builtin(VariantType::Int));
    /// let array = Array::with_type_unchecked(int, vec![1.into(), "two".into()]);
    /// assert_eq!(varbytes::decode(&varbytes::encode(&array.into())?)?.as_array().unwrap().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_type_unchecked(element_type: Option<ContainerType>, elements: Vec<Variant>) -> Self {
        Self(Members::new(ArrayLabel { element_type, ..ArrayLabel::default() }, elements))
    }

    /// Creates an empty untyped array with room for so many members.
    ///
    /// ```
    /// let array = varbytes::variant::Array::with_capacity(1000);
    /// assert!(array.is_empty());
    /// ```
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let mut array = Self::new();
        array.0.extend().members.reserve(capacity);
        array
    }

    label_methods! { self => self.0.label(); element_type = "members" }

    /// Sets whether the array is "shared".
    ///
    /// ```
    /// let array = varbytes::variant::Array::new().with_shared(true);
    /// assert!(array.is_shared());
    /// ```
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Self {
        self.0.edit_label(|label| label.shared = shared);
        self
    }

    /// Returns the members in order.
    ///
    /// ```
    /// let array = varbytes::variant::Array::from([1, 2, 3]);
    /// let [first, .., last] = array.elements() else { unreachable!() };
    /// assert_eq!((first, last), (&1.into(), &3.into()));
    /// ```
    #[must_use]
    pub fn elements(&self) -> &[Variant] {
        self.0.as_slice()
    }

    /// Returns the members if the array has neither a type nor the "shared" flag.
    #[inline]
    pub(crate) fn plain_elements(&self) -> Option<&[Variant]> {
        self.0.plain()
    }

    /// Returns the members for changes in place. The type of a typed array is checked when it is encoded.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from([1, 2, 3]);
    /// array.elements_mut().reverse();
    /// assert_eq!(array[0], 3);
    /// ```
    pub fn elements_mut(&mut self) -> &mut [Variant] {
        self.0.as_mut_slice()
    }

    /// Like [`elements_mut`](Self::elements_mut), without a check when the array is encoded.
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{Array, ContainerType};
    ///
    /// let mut array = Array::with_type(Some(ContainerType::Builtin(VariantType::Int)), vec![1.into()])?;
    /// array.elements_mut_unchecked()[0] = "one".into();
    /// assert!(varbytes::encode(&array.into()).is_ok()); // Godot leaves out the member.
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
    pub fn elements_mut_unchecked(&mut self) -> &mut [Variant] {
        self.0.as_unchecked_mut_slice()
    }

    /// Calls `edit` with the members as a `Vec`, for any change. The type of a typed array is checked when it is encoded.
    ///
    /// ```
    /// use varbytes::Variant;
    /// use varbytes::variant::Array;
    ///
    /// let mut array = Array::from(vec![Variant::from(1)]);
    /// array.edit(|elements| elements.push("two".into()));
    /// assert_eq!(array.elements(), [Variant::from(1), "two".into()]);
    /// ```
    pub fn edit<R>(&mut self, edit: impl FnOnce(&mut Vec<Variant>) -> R) -> R {
        self.0.edit(edit)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn from_variants<const N: usize>(elements: [Variant; N]) -> Self {
        Self::from(Vec::from(elements))
    }

    /// Returns the number of members.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Array::from(["axe", "bow"]).len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements().len()
    }

    /// Returns whether there are no members.
    ///
    /// ```
    /// assert!(varbytes::variant::Array::new().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements().is_empty()
    }

    /// Returns the member at `index`.
    ///
    /// ```
    /// let array = varbytes::variant::Array::from(["axe"]);
    /// assert_eq!(array.get(0).unwrap(), "axe");
    /// assert_eq!(array.get(1), None);
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Variant> {
        self.elements().get(index)
    }

    /// Returns the member at `index` for changes.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from(["axe"]);
    /// *array.get_mut(0).unwrap() = "bow".into();
    /// assert_eq!(array[0], "bow");
    /// ```
    pub fn get_mut(&mut self, index: usize) -> Option<&mut Variant> {
        self.elements_mut().get_mut(index)
    }

    /// Returns the first member.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Array::from([1, 2]).first().unwrap(), 1);
    /// ```
    #[must_use]
    pub fn first(&self) -> Option<&Variant> {
        self.elements().first()
    }

    /// Returns the last member.
    ///
    /// ```
    /// assert_eq!(varbytes::variant::Array::from([1, 2]).last().unwrap(), 2);
    /// ```
    #[must_use]
    pub fn last(&self) -> Option<&Variant> {
        self.elements().last()
    }

    /// Returns whether a member equals `value`.
    ///
    /// ```
    /// assert!(varbytes::variant::Array::from(["axe", "bow"]).contains(&"bow".into()));
    /// ```
    #[must_use]
    pub fn contains(&self, value: &Variant) -> bool {
        self.elements().contains(value)
    }

    /// Returns the members in order.
    ///
    /// ```
    /// let array = varbytes::variant::Array::from([1, 2]);
    /// assert_eq!(array.iter().filter_map(|member| member.as_i64()).sum::<i64>(), 3);
    /// ```
    pub fn iter(&self) -> slice::Iter<'_, Variant> {
        self.elements().iter()
    }

    /// Returns the members in order for changes.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from([1, 2]);
    /// array.iter_mut().for_each(|member| *member = "?".into());
    /// assert_eq!(array, ["?", "?"]);
    /// ```
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, Variant> {
        self.elements_mut().iter_mut()
    }

    /// Appends a member.
    ///
    /// ```
    /// use varbytes::variant::Array;
    ///
    /// let mut array = Array::new();
    /// array.push(1);
    /// array.push("two");
    /// assert_eq!(array[1], "two");
    /// assert_eq!(array.pop(), Some("two".into()));
    /// ```
    ///
    /// # Panics
    /// If the array is typed and the member is of another type. [`try_push`](Self::try_push) returns an error.
    pub fn push(&mut self, value: impl Into<Variant>) {
        if let Err(error) = self.try_push(value) {
            panic!("{error}");
        }
    }

    /// Appends a member.
    ///
    /// ```
    /// use varbytes::VariantType;
    /// use varbytes::variant::{Array, ContainerType};
    ///
    /// let mut scores = Array::with_type(Some(ContainerType::Builtin(VariantType::Int)), vec![])?;
    /// scores.try_push(7)?;
    /// let error = scores.try_push("seven").unwrap_err();
    /// assert_eq!(error.to_string(), "member 1 is a String, but the container declares int");
    /// # Ok::<(), varbytes::variant::TypeMismatch>(())
    /// ```
    ///
    /// # Errors
    /// [`TypeMismatch`] if the array is typed and the member is of another type. The array is unchanged.
    pub fn try_push(&mut self, value: impl Into<Variant>) -> Result<(), TypeMismatch> {
        let value = value.into();
        TypeMismatch::check("member", self.len(), self.element_type(), &value)?;
        self.0.extend().members.push(value);
        Ok(())
    }

    /// Inserts a member at `index`.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from(["bow"]);
    /// array.insert(0, "axe");
    /// assert_eq!(array, ["axe", "bow"]);
    /// ```
    ///
    /// # Panics
    /// If `index` is greater than the length, or if the array is typed and the member is of another type.
    pub fn insert(&mut self, index: usize, value: impl Into<Variant>) {
        let value = value.into();
        if let Err(error) = TypeMismatch::check("member", index, self.element_type(), &value) {
            panic!("{error}");
        }
        self.0.extend().members.insert(index, value);
    }

    /// Makes room for so many more members.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::new();
    /// array.reserve(1000);
    /// assert!(array.is_empty());
    /// ```
    pub fn reserve(&mut self, additional: usize) {
        self.0.extend().members.reserve(additional);
    }

    /// Removes the members in a range and returns them.
    ///
    /// ```
    /// let mut queue = varbytes::variant::Array::from([1, 2, 3]);
    /// assert!(queue.drain(..2).eq([1, 2]));
    /// assert_eq!(queue, [3]);
    /// ```
    ///
    /// # Panics
    /// If the range is out of bounds.
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> vec::Drain<'_, Variant> {
        self.0.extend().members.drain(range)
    }

    /// Removes and returns the member at `index`, and moves the last one to its place.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from([1, 2, 3]);
    /// assert_eq!(array.swap_remove(0), 1);
    /// assert_eq!(array, [3, 2]);
    /// ```
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn swap_remove(&mut self, index: usize) -> Variant {
        self.0.extend().members.swap_remove(index)
    }

    /// Removes and returns the member at `index`.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from(["axe", "bow"]);
    /// assert_eq!(array.remove(0), "axe");
    /// assert_eq!(array, ["bow"]);
    /// ```
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn remove(&mut self, index: usize) -> Variant {
        self.0.extend().members.remove(index)
    }

    /// Removes and returns the last member.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from([1]);
    /// assert_eq!(array.pop(), Some(1.into()));
    /// assert_eq!(array.pop(), None);
    /// ```
    pub fn pop(&mut self) -> Option<Variant> {
        self.0.extend().members.pop()
    }

    /// Keeps the members for which `keep` returns `true`.
    ///
    /// ```
    /// let mut scores = varbytes::variant::Array::from([7, 0, 8]);
    /// scores.retain(|score| *score != 0);
    /// assert_eq!(scores, [7, 8]);
    /// ```
    pub fn retain(&mut self, keep: impl FnMut(&Variant) -> bool) {
        self.0.extend().members.retain(keep);
    }

    /// Removes the members after the first `length`.
    ///
    /// ```
    /// let mut best = varbytes::variant::Array::from([9, 8, 7]);
    /// best.truncate(2);
    /// assert_eq!(best, [9, 8]);
    /// ```
    pub fn truncate(&mut self, length: usize) {
        self.0.extend().members.truncate(length);
    }

    /// Removes all members. The type stays.
    ///
    /// ```
    /// let mut array = varbytes::variant::Array::from([1, 2]);
    /// array.clear();
    /// assert!(array.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.0.take();
    }

    /// Takes out the members.
    ///
    /// ```
    /// let mut members = varbytes::variant::Array::from(["axe", "bow"]).into_elements();
    /// assert_eq!(members.pop().unwrap(), "bow");
    /// ```
    #[must_use]
    pub fn into_elements(mut self) -> Vec<Variant> {
        self.0.take()
    }
}

/// The methods of slices.
///
/// ```
/// let array = varbytes::variant::Array::from([3, 1, 2]);
/// let (left, right) = array.split_at(1);
/// assert_eq!((left.len(), right.len()), (1, 2));
/// ```
impl Deref for Array {
    type Target = [Variant];

    fn deref(&self) -> &[Variant] {
        self.elements()
    }
}

/// The methods of slices. The type of a typed array is checked when it is encoded.
///
/// ```
/// let mut array = varbytes::variant::Array::from([3, 1, 2]);
/// array.sort_by_key(|member| member.as_i64());
/// assert_eq!(array, [1, 2, 3]);
/// ```
impl DerefMut for Array {
    fn deref_mut(&mut self) -> &mut [Variant] {
        self.elements_mut()
    }
}

/// The members, without the type.
impl From<Array> for Vec<Variant> {
    fn from(array: Array) -> Self {
        array.into_elements()
    }
}

impl From<Vec<Variant>> for Array {
    fn from(elements: Vec<Variant>) -> Self {
        Self(Members::plain_or_indexed(elements))
    }
}

impl<T: Into<Variant>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(Members::plain_or_indexed(elements.into_iter().map(Into::into).collect()))
    }
}

impl<T: Into<Variant>, const N: usize> From<[T; N]> for Array {
    fn from(elements: [T; N]) -> Self {
        elements.into_iter().collect()
    }
}

/// # Panics
/// If the array is typed and a member is of another type.
impl<T: Into<Variant>> Extend<T> for Array {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<I: slice::SliceIndex<[Variant]>> Index<I> for Array {
    type Output = I::Output;

    fn index(&self, index: I) -> &I::Output {
        &self.elements()[index]
    }
}

impl<I: slice::SliceIndex<[Variant]>> IndexMut<I> for Array {
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        &mut self.elements_mut()[index]
    }
}

impl IntoIterator for Array {
    type Item = Variant;
    type IntoIter = vec::IntoIter<Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_elements().into_iter()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Variant;
    type IntoIter = slice::Iter<'a, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Array {
    type Item = &'a mut Variant;
    type IntoIter = slice::IterMut<'a, Variant>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.0.label() == other.0.label() && self.elements() == other.elements()
    }
}

macro_rules! equals {
    ($([$($generics:tt)*] $other:ty;)*) => {$(
        /// Compares the members.
        impl<T, $($generics)*> PartialEq<$other> for Array
        where
            Variant: PartialEq<T>,
        {
            fn eq(&self, other: &$other) -> bool {
                self.elements() == &other[..]
            }
        }
    )*};
}

equals! {
    [] [T];
    [] &[T];
    [] Vec<T>;
    [const N: usize] [T; N];
    [const N: usize] &[T; N];
}
