//! Objects as inert data: nothing is created or looked up.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use super::{Variant, drop};

/// An `Object` as described on the wire.
#[derive(Default)]
pub enum Object {
    /// A null object. Engines from 3.4 on write it as `Nil`, but readers still accept the two older forms.
    #[default]
    Null,
    /// Only the instance id. Engines write this form if full objects are off.
    Id(u64),
    /// Class and properties. Engines write this form if full objects are on.
    Data(Box<ObjectData>),
}

/// A full object: the class name, and the properties in wire order.
#[derive(Default)]
pub struct ObjectData {
    /// The native class, as `Object.get_class()` returns it; never the `class_name` of a script.
    pub class: String,
    /// Names and values in wire order. A script is the property `script`; from 4.3 on, its value is a `res://` path.
    pub properties: Vec<(String, Variant)>,
}

impl ObjectData {
    /// Returns the value of the first property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// A `Signal`: its name and the instance id of its object.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Signal {
    /// The name of the signal.
    pub name: String,
    /// The instance id of its object; 0 if it has none.
    pub object_id: u64,
}

impl ObjectData {
    /// Takes out the class and the properties.
    #[must_use]
    pub fn into_parts(mut self) -> (String, Vec<(String, Variant)>) {
        (mem::take(&mut self.class), mem::take(&mut self.properties))
    }
}

impl Drop for ObjectData {
    fn drop(&mut self) {
        drop::clear_properties(&mut self.properties);
    }
}
