//! The macro `variant!`.

/// Creates a [`Variant`](crate::Variant) from a literal: `null`, `[...]` for an `Array`, `{...}` for a `Dictionary`, and
/// any expression that converts.
///
/// A key that is more than a literal, a name or a call is put in parentheses. The last of duplicate keys wins.
///
/// ```
/// use varbytes::{variant, variant::Vector3};
///
/// let name = "Ada";
/// let player = variant!({"name": name, "position": Vector3::new(1.0, 2.0, 3.0), 7: [1, 2], (1 + 1): null});
/// assert_eq!(player["name"], "Ada");
/// assert_eq!(player[7][1], 2);
/// assert!(player[2].is_nil());
/// ```
#[macro_export]
macro_rules! variant {
    // The members of an array, one after the other.
    (@array [$($done:expr,)*]) => { $crate::variant::Array::from_variants([$($done,)*]) };
    (@array [$($done:expr,)*] null $(, $($rest:tt)*)?) => {
        $crate::variant!(@array [$($done,)* $crate::Variant::Nil,] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $crate::variant!(@array [$($done,)* $crate::variant!([$($inner)*]),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $crate::variant!(@array [$($done,)* $crate::variant!({$($inner)*}),] $($($rest)*)?)
    };
    (@array [$($done:expr,)*] $value:expr $(, $($rest:tt)*)?) => {
        $crate::variant!(@array [$($done,)* $crate::Variant::from($value),] $($($rest)*)?)
    };
    // The entries of a dictionary, one after the other.
    (@dictionary $dictionary:ident) => {};
    (@dictionary $dictionary:ident ($key:expr): $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::from($key)) $($rest)*)
    };
    (@dictionary $dictionary:ident null: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::Nil) $($rest)*)
    };
    (@dictionary $dictionary:ident [$($key:tt)*]: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::variant!([$($key)*])) $($rest)*)
    };
    (@dictionary $dictionary:ident {$($key:tt)*}: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::variant!({$($key)*})) $($rest)*)
    };
    (@dictionary $dictionary:ident - $key:literal: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::from(-$key)) $($rest)*)
    };
    (@dictionary $dictionary:ident $key:literal: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::from($key)) $($rest)*)
    };
    (@dictionary $dictionary:ident $key:ident: $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::from($key)) $($rest)*)
    };
    (@dictionary $dictionary:ident $($key:ident)::+ ($($arguments:tt)*): $($rest:tt)*) => {
        $crate::variant!(@value $dictionary ($crate::Variant::from($($key)::+($($arguments)*))) $($rest)*)
    };
    (@value $dictionary:ident ($key:expr) null $(, $($rest:tt)*)?) => {
        $dictionary.insert($key, $crate::Variant::Nil);
        $crate::variant!(@dictionary $dictionary $($($rest)*)?);
    };
    (@value $dictionary:ident ($key:expr) [$($inner:tt)*] $(, $($rest:tt)*)?) => {
        $dictionary.insert($key, $crate::variant!([$($inner)*]));
        $crate::variant!(@dictionary $dictionary $($($rest)*)?);
    };
    (@value $dictionary:ident ($key:expr) {$($inner:tt)*} $(, $($rest:tt)*)?) => {
        $dictionary.insert($key, $crate::variant!({$($inner)*}));
        $crate::variant!(@dictionary $dictionary $($($rest)*)?);
    };
    (@value $dictionary:ident ($key:expr) $value:expr $(, $($rest:tt)*)?) => {
        $dictionary.insert($key, $value);
        $crate::variant!(@dictionary $dictionary $($($rest)*)?);
    };
    (null) => { $crate::Variant::Nil };
    ([$($members:tt)*]) => { $crate::Variant::Array($crate::variant!(@array [] $($members)*)) };
    ({}) => { $crate::Variant::Dictionary($crate::variant::Dictionary::new()) };
    ({$($entries:tt)*}) => {{
        let mut dictionary = $crate::variant::Dictionary::new();
        $crate::variant!(@dictionary dictionary $($entries)*);
        $crate::Variant::Dictionary(dictionary)
    }};
    ($value:expr) => { $crate::Variant::from($value) };
}
