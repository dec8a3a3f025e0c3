//! New names of classes and properties.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// Maps classes and properties to their names in the target. Other names stay the same.
///
/// ```
/// use varbytes::migrate::Names;
///
/// let names = Names::new().class("Reference", "RefCounted").property("Sprite", "frame", "frame_index");
/// assert_eq!(names.class_of("Reference"), "RefCounted");
/// assert_eq!(names.property_of("Sprite", "frame"), "frame_index");
/// assert_eq!(names.property_of("Node", "frame"), "frame");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    classes: BTreeMap<String, String>,
    properties: BTreeMap<String, BTreeMap<String, String>>,
}

impl Names {
    /// Creates an empty map.
    ///
    /// [`Names`] has an example.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class of the source and its name in the target.
    ///
    /// [`Names`] has an example.
    #[must_use]
    pub fn class(mut self, from: &str, to: &str) -> Self {
        self.classes.insert(from.to_owned(), to.to_owned());
        self
    }

    /// Adds a property and its name in the target. Class and property are names in the source. The class `*` applies to
    /// every class that has no entry for this property.
    ///
    /// [`Names`] has an example.
    #[must_use]
    pub fn property(mut self, class: &str, from: &str, to: &str) -> Self {
        self.properties.entry(class.to_owned()).or_default().insert(from.to_owned(), to.to_owned());
        self
    }

    /// Returns the name of a class in the target.
    ///
    /// [`Names`] has an example.
    #[must_use]
    pub fn class_of<'n>(&'n self, class: &'n str) -> &'n str {
        self.classes.get(class).map_or(class, String::as_str)
    }

    /// Returns the name of a property in the target, by its class and name in the source.
    ///
    /// [`Names`] has an example.
    #[must_use]
    pub fn property_of<'n>(&'n self, class: &str, property: &'n str) -> &'n str {
        let of = |class: &str| self.properties.get(class).and_then(|properties| properties.get(property));
        of(class).or_else(|| of("*")).map_or(property, String::as_str)
    }
}
