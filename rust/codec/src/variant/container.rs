//! The methods of `ObjectData`, and entries from alternating keys and values.

use alloc::{string::String, vec::Vec};
use core::mem;

use super::owned::{ObjectData, Variant};

impl ObjectData {
    /// Returns the value of the first property with this name.
    ///
    /// ```
    /// use varbytes::variant::ObjectData;
    ///
    /// let timer = ObjectData { class: "Timer".into(), properties: vec![("wait_time".into(), 2.5.into())] };
    /// assert_eq!(timer.property("wait_time").unwrap(), 2.5);
    /// assert_eq!(timer.property("autostart"), None);
    /// ```
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Takes out the class and the properties.
    ///
    /// ```
    /// use varbytes::variant::ObjectData;
    ///
    /// let (class, properties) = ObjectData { class: "Timer".into(), properties: vec![] }.into_parts();
    /// assert_eq!((class.as_str(), properties.len()), ("Timer", 0));
    /// ```
    #[must_use]
    pub fn into_parts(mut self) -> (String, Vec<(String, Variant)>) {
        (mem::take(&mut self.class), mem::take(&mut self.properties))
    }
}

/// Returns the entries of a dictionary from alternating keys and values.
pub(crate) fn in_pairs(members: Vec<Variant>) -> Vec<(Variant, Variant)> {
    let count = members.len() / 2;
    let mut members = members.into_iter();
    let mut next = || members.next().unwrap_or_default();
    (0..count).map(|_| (next(), next())).collect()
}
