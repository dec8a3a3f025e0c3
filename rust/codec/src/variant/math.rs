//! The numeric types of fixed size, with components in wire order.

use alloc::boxed::Box;

use bytemuck::cast_slice;

use crate::Precision;

/// The `N` components of a type made of reals, in wire order and in their precision on the wire.
///
/// An engine writes 4 bytes for each component; one built with `precision=double` writes 8 and sets a flag in the
/// header. Decoding preserves every bit, NaN payloads included.
///
/// ```
/// use varbytes::variant::{Components, Vector3};
///
/// let position = Vector3(Components::Single([1.0, 2.0, 3.0]));
/// assert_eq!(position, Vector3::new(1.0, 2.0, 3.0));
/// assert_eq!(position.0.at(2), 3.0);
/// ```
#[derive(Clone, Debug)]
pub enum Components<const N: usize> {
    /// 4 bytes for each component.
    Single([f32; N]),
    /// 8 bytes for each component; boxed, to keep the common single-precision value small.
    Double(Box<[f64; N]>),
}

impl<const N: usize> Components<N> {
    /// Creates components of double precision, as an engine built with `precision=double` has them.
    ///
    /// [`bit_eq`](Self::bit_eq) has an example.
    #[must_use]
    pub fn from_f64_array(components: [f64; N]) -> Self {
        Self::Double(Box::new(components))
    }

    /// Returns the component at `index` in wire order, widened to `f64`.
    ///
    /// [`Components`] has an example.
    ///
    /// # Panics
    /// If `index` is `N` or more.
    #[must_use]
    pub fn at(&self, index: usize) -> f64 {
        self.as_reals().at(index)
    }

    /// Returns whether both have the same precision and the same bits.
    ///
    /// ```
    /// use varbytes::variant::Components;
    ///
    /// let (single, double) = (Components::from([1.0]), Components::from_f64_array([1.0]));
    /// assert!(single == double && !single.bit_eq(&double));
    /// ```
    #[must_use]
    pub fn bit_eq(&self, other: &Self) -> bool {
        self.as_reals().bit_eq(other.as_reals())
    }

    /// Returns the components as a slice in their own precision.
    ///
    /// ```
    /// use varbytes::variant::Components;
    ///
    /// assert_eq!(Components::from([1.0, 2.0]).as_reals().len(), 2);
    /// ```
    #[must_use]
    pub fn as_reals(&self) -> Reals<'_> {
        match self {
            Self::Single(components) => Reals::Single(components),
            Self::Double(components) => Reals::Double(&components[..]),
        }
    }
}

impl<const N: usize> From<[f32; N]> for Components<N> {
    fn from(components: [f32; N]) -> Self {
        Self::Single(components)
    }
}

/// Compares by value: equal components with different precision are equal, NaN is not.
impl<const N: usize> PartialEq for Components<N> {
    fn eq(&self, other: &Self) -> bool {
        (0..N).all(|index| self.at(index) == other.at(index))
    }
}

/// Borrowed components in wire order, in one of the two precisions.
///
/// ```
/// use varbytes::Precision;
/// use varbytes::variant::{Components, Reals};
///
/// let reals = Reals::Single(&[1.0, 2.0]);
/// assert_eq!((reals.len(), reals.is_empty(), reals.precision()), (2, false, Precision::Single));
/// assert_eq!(reals.at(1), 2.0);
/// assert_eq!(reals.to_components(), Some(Components::from([1.0, 2.0])));
/// assert!(reals.bit_eq(Reals::Single(&[1.0, 2.0])));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Reals<'a> {
    /// 4 bytes for each component.
    Single(&'a [f32]),
    /// 8 bytes for each component.
    Double(&'a [f64]),
}

impl Reals<'_> {
    /// Returns the precision of the components.
    ///
    /// [`Reals`] has an example.
    #[must_use]
    pub const fn precision(self) -> Precision {
        match self {
            Self::Single(_) => Precision::Single,
            Self::Double(_) => Precision::Double,
        }
    }

    /// Returns the number of components.
    ///
    /// [`Reals`] has an example.
    #[must_use]
    pub const fn len(self) -> usize {
        match self {
            Self::Single(components) => components.len(),
            Self::Double(components) => components.len(),
        }
    }

    /// Returns whether there are no components.
    ///
    /// [`Reals`] has an example.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the component at `index`, widened to `f64`.
    ///
    /// [`Reals`] has an example.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[must_use]
    pub fn at(self, index: usize) -> f64 {
        match self {
            Self::Single(components) => f64::from(components[index]),
            Self::Double(components) => components[index],
        }
    }

    /// Returns the components as an owned array; `None` if there are not exactly `N`.
    ///
    /// [`Reals`] has an example.
    #[must_use]
    pub fn to_components<const N: usize>(self) -> Option<Components<N>> {
        match self {
            Self::Single(components) => Some(Components::Single(components.try_into().ok()?)),
            Self::Double(components) => Some(Components::Double(Box::new(components.try_into().ok()?))),
        }
    }

    /// Returns whether both have the same precision and the same bits.
    ///
    /// [`Reals`] has an example.
    #[must_use]
    pub fn bit_eq(self, other: Reals<'_>) -> bool {
        match (self, other) {
            (Self::Single(left), Reals::Single(right)) => cast_slice::<_, u32>(left) == cast_slice::<_, u32>(right),
            (Self::Double(left), Reals::Double(right)) => cast_slice::<_, u64>(left) == cast_slice::<_, u64>(right),
            _ => false,
        }
    }
}

macro_rules! real_types {
    ($($(#[$doc:meta])* $name:ident[$n:literal] { $($component:ident = $index:literal),* } $(default $default:expr)?;)*) => {
        $(
            $(#[$doc])*
            ///
            /// The default is what scripts get from the constructor without arguments. The order of the components:
            ///
            /// ```
            #[doc = concat!("use varbytes::variant::", stringify!($name), ";")]
            ///
            #[doc = concat!("let components: [f32; ", stringify!($n), "] = core::array::from_fn(|index| index as f32);")]
            #[doc = concat!("let ", stringify!([$($component),*]), " = components;")]
            #[doc = concat!("let value = ", stringify!($name), "::new", stringify!(($($component),*)), ";")]
            /// assert_eq!(value.to_array(), components);
            $(#[doc = concat!("assert_eq!(value.", stringify!($component), "(), components[", stringify!($index), "]);")])*
            ///
            /// // In double precision.
            #[doc = concat!("let wide = ", stringify!($name), "::from_f64_array(components.map(f64::from));")]
            /// assert_eq!((wide.to_f64_array(), wide), (value.to_f64_array(), value));
            /// ```
            #[derive(Clone, Debug, PartialEq)]
            pub struct $name(pub Components<$n>);

            impl $name {
                /// Creates a value of single precision, as an ordinary engine has it, from components in wire order.
                /// [Example](Self)
                #[must_use]
                #[expect(clippy::allow_attributes, reason = "only some types have so many components")]
                #[allow(clippy::too_many_arguments)]
                pub const fn new($($component: f32),*) -> Self {
                    Self(Components::Single([$($component),*]))
                }

                /// Creates a value of double precision, as an engine built with `precision=double` has it.
                /// [Example](Self)
                #[must_use]
                pub fn from_f64_array(components: [f64; $n]) -> Self {
                    Self(Components::Double(Box::new(components)))
                }

                /// Returns the components in wire order, rounded to single precision. [Example](Self)
                #[must_use]
                pub fn to_array(&self) -> [f32; $n] {
                    core::array::from_fn(|index| match &self.0 {
                        Components::Single(components) => components[index],
                        Components::Double(components) => crate::float::narrow(components[index]),
                    })
                }

                /// Returns the components in wire order, widened to double precision. [Example](Self)
                #[must_use]
                pub fn to_f64_array(&self) -> [f64; $n] {
                    core::array::from_fn(|index| self.0.at(index))
                }

                $(
                    /// Returns the component of this name, rounded to single precision. [Example](Self)
                    #[must_use]
                    pub fn $component(&self) -> f32 {
                        match &self.0 {
                            Components::Single(components) => components[$index],
                            Components::Double(components) => crate::float::narrow(components[$index]),
                        }
                    }
                )*
            }

            impl From<[f32; $n]> for $name {
                fn from(components: [f32; $n]) -> Self {
                    Self(components.into())
                }
            }

            impl From<Components<$n>> for $name {
                fn from(components: Components<$n>) -> Self {
                    Self(components)
                }
            }

            impl From<$name> for [f32; $n] {
                fn from(value: $name) -> Self {
                    value.to_array()
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    let components = [0.0; $n];
                    $(let components: [f32; $n] = { let _: [f32; $n] = components; $default };)?
                    Self::from(components)
                }
            }
        )*
    };
}

real_types! {
    /// `Vector2`: x, y.
    Vector2[2] { x = 0, y = 1 };
    /// `Vector3`: x, y, z.
    Vector3[3] { x = 0, y = 1, z = 2 };
    /// `Vector4`: x, y, z, w.
    Vector4[4] { x = 0, y = 1, z = 2, w = 3 };
    /// `Rect2`: position, then size.
    Rect2[4] { position_x = 0, position_y = 1, size_x = 2, size_y = 3 };
    /// `Plane`: the normal, then the distance from the origin.
    Plane[4] { normal_x = 0, normal_y = 1, normal_z = 2, d = 3 };
    /// `Quaternion`: x, y, z, w.
    Quaternion[4] { x = 0, y = 1, z = 2, w = 3 } default [0.0, 0.0, 0.0, 1.0];
    /// `AABB`: position, then size.
    AABB[6] { position_x = 0, position_y = 1, position_z = 2, size_x = 3, size_y = 4, size_z = 5 };
    /// `Transform2D`: the x axis, the y axis, the origin; each x then y.
    Transform2D[6] { x_x = 0, x_y = 1, y_x = 2, y_y = 3, origin_x = 4, origin_y = 5 } default [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    /// `Basis`, **row by row**: the x components of the three axes, then the y, then the z components.
    ///
    /// Engine documentation describes the transpose; the wire has rows (`Basis.x.x`, `Basis.y.x`, `Basis.z.x`, …).
    Basis[9] {
        x_x = 0, y_x = 1, z_x = 2,
        x_y = 3, y_y = 4, z_y = 5,
        x_z = 6, y_z = 7, z_z = 8
    } default [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    /// `Transform3D`: the basis row by row as in [`Basis`], then the origin.
    Transform3D[12] {
        x_x = 0, y_x = 1, z_x = 2,
        x_y = 3, y_y = 4, z_y = 5,
        x_z = 6, y_z = 7, z_z = 8,
        origin_x = 9, origin_y = 10, origin_z = 11
    } default [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    /// `Projection`: the columns x, y, z, w; each x, y, z, w.
    Projection[16] {
        x_x = 0, x_y = 1, x_z = 2, x_w = 3,
        y_x = 4, y_y = 5, y_z = 6, y_w = 7,
        z_x = 8, z_y = 9, z_z = 10, z_w = 11,
        w_x = 12, w_y = 13, w_z = 14, w_w = 15
    } default [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
}

/// `Color`: red, green, blue, alpha; single precision in every build of the engine.
///
/// ```
/// use varbytes::variant::Color;
///
/// let red = Color::new(1.0, 0.0, 0.0, 1.0);
/// assert_eq!(red, Color { r: 1.0, ..Color::default() });
/// assert_eq!(red.to_array(), [1.0, 0.0, 0.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Color {
    pub r: f32,
    pub g: f32,
    pub b: f32,
    pub a: f32,
}

impl Color {
    /// Creates a color from red, green, blue, alpha.
    ///
    /// [`Color`] has an example.
    #[must_use]
    pub const fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Returns red, green, blue, alpha.
    ///
    /// [`Color`] has an example.
    #[must_use]
    pub const fn to_array(self) -> [f32; 4] {
        [self.r, self.g, self.b, self.a]
    }
}

/// Opaque black, as in Godot.
impl Default for Color {
    fn default() -> Self {
        Self::new(0.0, 0.0, 0.0, 1.0)
    }
}

impl From<Color> for [f32; 4] {
    fn from(color: Color) -> Self {
        color.to_array()
    }
}

impl From<[f32; 4]> for Color {
    fn from([r, g, b, a]: [f32; 4]) -> Self {
        Self { r, g, b, a }
    }
}

macro_rules! integer_types {
    ($($(#[$doc:meta])* $name:ident[$n:literal] { $($component:ident),* })*) => {
        $(
            $(#[$doc])*
            ///
            /// Ordered by the components in wire order, as scripts compare vectors.
            ///
            /// ```
            #[doc = concat!("use varbytes::variant::", stringify!($name), ";")]
            ///
            #[doc = concat!("let components: [i32; ", stringify!($n), "] = core::array::from_fn(|index| index as i32);")]
            #[doc = concat!("let ", stringify!([$($component),*]), " = components;")]
            #[doc = concat!("let value = ", stringify!($name), "::new", stringify!(($($component),*)), ";")]
            /// assert_eq!(value.to_array(), components);
            #[doc = concat!("assert_eq!(", stringify!([$(value.$component),*]), ", components);")]
            /// ```
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
            #[allow(missing_docs)]
            pub struct $name {
                $(pub $component: i32,)*
            }

            impl $name {
                /// Creates a value from its components in wire order. [Example](Self)
                #[must_use]
                pub const fn new($($component: i32),*) -> Self {
                    Self { $($component),* }
                }

                /// Returns the components in wire order. [Example](Self)
                #[must_use]
                pub const fn to_array(self) -> [i32; $n] {
                    [$(self.$component),*]
                }
            }

            impl From<$name> for [i32; $n] {
                fn from(value: $name) -> Self {
                    value.to_array()
                }
            }

            impl From<[i32; $n]> for $name {
                fn from([$($component),*]: [i32; $n]) -> Self {
                    Self { $($component),* }
                }
            }
        )*
    };
}

integer_types! {
    /// `Vector2i`: x, y.
    Vector2i[2] { x, y }
    /// `Vector3i`: x, y, z.
    Vector3i[3] { x, y, z }
    /// `Vector4i`: x, y, z, w.
    Vector4i[4] { x, y, z, w }
    /// `Rect2i`: position, then size.
    Rect2i[4] { position_x, position_y, size_x, size_y }
}
