//! What the wire says of objects, kept as inert data: nothing is ever created or looked up.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::mem;

use super::{Variant, drop};

/// An `Object` as the wire describes it.
#[derive(Default)]
pub enum Object {
    /// A null object. Engines from 3.4 on write it as `Nil`; readers still meet the two older forms.
    #[default]
    Null,
    /// Only the instance id: what an engine writes when full objects are off.
    Id(u64),
    /// Class and properties: what an engine writes with full objects.
    Data(Box<ObjectData>),
}

/// The full form of an object: a class name and properties in wire order.
#[derive(Default)]
pub struct ObjectData {
    /// The native class, as `Object.get_class()` gives it; never a script's `class_name`.
    pub class: String,
    /// Names and values in wire order. A script is the property `script`, its value a `res://` path from 4.3 on.
    pub properties: Vec<(String, Variant)>,
}

impl ObjectData {
    /// The value of the first property with that name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Variant> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

/// A `Signal`: its name and the instance id of the object it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Signal {
    /// The signal's name.
    pub name: String,
    /// The instance id of its object; 0 for none.
    pub object_id: u64,
}

impl ObjectData {
    /// The class and the properties, taken out.
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
