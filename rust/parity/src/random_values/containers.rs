//! Arrays and Dictionaries, typed and not.

use godot::meta::Element;
use godot::prelude::*;
use rand::RngExt;

use super::RandomValues;

/// Runs `$body` with `$type` as the type of the members. Returns the engine's number of the type too.
macro_rules! with_member_type {
    ($choice:expr, $type:ident => $body:expr) => {
        match $choice {
            0 => (1, {
                type $type = bool;
                $body
            }),
            1 => (2, {
                type $type = i64;
                $body
            }),
            2 => (3, {
                type $type = f64;
                $body
            }),
            3 => (4, {
                type $type = GString;
                $body
            }),
            4 => (21, {
                type $type = StringName;
                $body
            }),
            5 => (9, {
                type $type = Vector3;
                $body
            }),
            6 => (28, {
                type $type = VarArray;
                $body
            }),
            7 => (27, {
                type $type = VarDictionary;
                $body
            }),
            8 => (29, {
                type $type = PackedByteArray;
                $body
            }),
            9 => (22, {
                type $type = NodePath;
                $body
            }),
            _ => (18, {
                type $type = Transform3D;
                $body
            }),
        }
    };
}

/// The number of choices above.
const MEMBER_TYPES: u32 = 11;

impl RandomValues {
    pub(super) fn array(&mut self, depth: u32) -> Variant {
        if self.objects.is_some() && self.random.random_ratio(1, 10) {
            return self.items(depth);
        }
        let (member_type, array) = if self.random.random_ratio(3, 10) {
            let choice = self.random.random_range(0..MEMBER_TYPES);
            let (member_type, array) = with_member_type!(choice, T => Array::<T>::new().to_variant());
            (Some(member_type), array)
        } else {
            (None, VarArray::new().to_variant())
        };
        for _ in 0..self.random.random_range(0..6) {
            let member = self.member(member_type, depth + 1);
            array.call("push_back", &[member]);
        }
        array
    }

    pub(super) fn dictionary(&mut self, depth: u32) -> Variant {
        let (key_type, value_type, dictionary) = match self.random.random_range(0..10) {
            0 | 1 => {
                let choice = self.random.random_range(0..MEMBER_TYPES);
                let (key_type, (value_type, dictionary)) = with_member_type!(choice, K => self.typed_values::<K>());
                (Some(key_type), Some(value_type), dictionary)
            }
            2 => {
                let (value_type, dictionary) = self.typed_values::<Variant>();
                (None, Some(value_type), dictionary)
            }
            3 => {
                let choice = self.random.random_range(0..MEMBER_TYPES);
                let keyed = with_member_type!(choice, K => Dictionary::<K, Variant>::new().to_variant());
                (Some(keyed.0), None, keyed.1)
            }
            _ => (None, None, VarDictionary::new().to_variant()),
        };
        for _ in 0..self.random.random_range(0..6) {
            let key = self.member(key_type, depth + 1);
            let value = self.member(value_type, depth + 1);
            dictionary.call("set", &[key, value]);
        }
        dictionary
    }

    /// Returns a Dictionary with typed keys and values.
    fn typed_values<K: Element>(&mut self) -> (u32, Variant) {
        let choice = self.random.random_range(0..MEMBER_TYPES);
        with_member_type!(choice, V => Dictionary::<K, V>::new().to_variant())
    }

    fn member(&mut self, member_type: Option<u32>, depth: u32) -> Variant {
        match member_type {
            // Members of a typed container are untyped containers here.
            Some(27) => VarDictionary::new().to_variant(),
            Some(28) => {
                let member = self.at_depth(depth);
                varray![&member].to_variant()
            }
            Some(member_type) => self.of_type(member_type, depth),
            None => self.at_depth(depth),
        }
    }
}
