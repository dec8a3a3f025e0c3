//! godot-binary-serialization 0.2.0, the other crate for this format.

use godot_binary_serialization::decoder::Decoder;
use godot_binary_serialization::encoder::Encoder;
use godot_binary_serialization::types::primitive::{GodotBool, GodotFloat, GodotInteger, GodotNull, GodotString};
use godot_binary_serialization::types::structures::{GodotDictionary, GodotVector2, GodotVector3};
use godot_binary_serialization::types::variant::GodotVariant;
use varbytes::Variant;
use varbytes::variant::Reals;

use super::{Operation, Output, Task, names};

pub(super) struct Prepared {
    value: Box<dyn GodotVariant>,
}

impl Prepared {
    /// Returns the document if the crate supports it, and otherwise the reason.
    pub(super) fn new(value: &Variant, bytes: &[u8]) -> Result<Self, String> {
        let value = convert(value)?;
        let written = Encoder::encode_variant(&*value).map_err(|error| error.to_string())?;
        if written != bytes {
            return Err("writes different bytes than the engine".to_owned());
        }
        let read = Decoder::decode_variant(bytes).map_err(|error| error.to_string())?;
        // Its own comparison of dictionaries takes quadratic time, and treats different ones as equal.
        let again = Encoder::encode_variant(&*read).map_err(|error| error.to_string())?;
        if again != bytes {
            return Err("reads a different value than was written".to_owned());
        }
        Ok(Self { value })
    }

    pub(super) fn tasks<'d>(&'d self, bytes: &'d [u8]) -> Vec<Task<'d>> {
        let (name, length) = (names::PEER, bytes.len());
        vec![
            Task::new(Operation::Encode, name, length, || {
                Output::Bytes(Encoder::encode_variant(&*self.value).expect("written before"))
            }),
            Task::new(Operation::Decode, name, length, || {
                Output::Peer(Decoder::decode_variant(bytes).expect("read before"))
            }),
        ]
    }
}

fn convert(value: &Variant) -> Result<Box<dyn GodotVariant>, String> {
    Ok(match value {
        Variant::Nil => Box::new(GodotNull),
        Variant::Bool(value) => Box::new(GodotBool::new(*value)),
        Variant::Int(value) => match i32::try_from(*value) {
            Ok(narrow) => Box::new(GodotInteger::new_from_i32(narrow)),
            Err(_) => Box::new(GodotInteger::new_from_i64(*value)),
        },
        Variant::Float(value) => {
            #[expect(clippy::cast_possible_truncation, reason = "this asks whether anything is lost")]
            let narrow = *value as f32;
            if f64::from(narrow).to_bits() == value.to_bits() {
                Box::new(GodotFloat::new_from_f32(narrow))
            } else {
                Box::new(GodotFloat::new_from_f64(*value))
            }
        }
        Variant::String(text) => Box::new(GodotString::new(text)),
        Variant::Vector2(_) | Variant::Vector3(_) => match value.as_reals() {
            Some(Reals::Single(&[x, y])) => Box::new(GodotVector2::new(x, y)),
            Some(Reals::Single(&[x, y, z])) => Box::new(GodotVector3::new(x, y, z)),
            _ => return Err("has no vectors with 64-bit components".to_owned()),
        },
        Variant::Dictionary(dictionary) => {
            let mut peer = GodotDictionary::new();
            for (key, value) in dictionary.entries() {
                peer.map.insert(convert(key)?, convert(value)?);
            }
            Box::new(peer)
        }
        other => return Err(format!("has no {}", other.variant_type())),
    })
}
