//! Names of classes and properties, as a caller wants them changed.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;

/// Classes and properties that have another name in the target; all others are left alone.
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
    /// No names changed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A class of the source and its name in the target.
    #[must_use]
    pub fn class(mut self, from: &str, to: &str) -> Self {
        self.classes.insert(from.to_owned(), to.to_owned());
        self
    }

    /// A property of a class, both by their names in the source, and its name in the target. `*` as the class
    /// stands for every class that has no entry of its own for the property.
    #[must_use]
    pub fn property(mut self, class: &str, from: &str, to: &str) -> Self {
        self.properties.entry(class.to_owned()).or_default().insert(from.to_owned(), to.to_owned());
        self
    }

    /// The name of a class in the target.
    #[must_use]
    pub fn class_of<'n>(&'n self, class: &'n str) -> &'n str {
        self.classes.get(class).map_or(class, String::as_str)
    }

    /// The name of a property in the target, by its class and name in the source.
    #[must_use]
    pub fn property_of<'n>(&'n self, class: &str, property: &'n str) -> &'n str {
        let of = |class: &str| self.properties.get(class).and_then(|properties| properties.get(property));
        of(class).or_else(|| of("*")).map_or(property, String::as_str)
    }
}
