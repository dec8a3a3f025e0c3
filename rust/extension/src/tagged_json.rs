//! Values as tagged JSON.

use godot::builtin::{GString, Variant};
use godot::meta::ToGodot;
use varbytes::{Profile, tagged_json};

use crate::decode::{ReadOptions, decode};
use crate::engine_profile;
use crate::error::{ErrorKind, VarBytesError, signed};
use crate::options_arg::{OptionsArg, write};
use crate::other_engine;
use crate::outcome::{Outcome, Packet};
use crate::raw::{self, ObjectArgument};

/// Returns the JSON text of a value.
pub(crate) fn to_json(value: &Variant, options: &OptionsArg) -> Result<Outcome, VarBytesError> {
    let engine = engine(options)?;
    let encoded = write(&ObjectArgument::from(&options.0), value)?;
    let decoder = engine.map_or_else(
        || engine_profile::decoder(true).keep_byte_order_marks(true),
        |engine| other_engine::decoder(engine, true),
    );
    let json = tagged_json::decode(&decoder, encoded.bytes.as_slice());
    let json = json.map_err(|error| VarBytesError::from_decode(&error, 0))?;
    let value = GString::from(json.value.as_str()).to_variant();
    Ok(Outcome { value, used: json.used, losses: encoded.losses })
}

/// Reads a value from JSON text. The bytes of the value are read with the options, so the same is allowed.
pub(crate) fn from_json(text: &GString, options: &OptionsArg) -> Result<Outcome, VarBytesError> {
    let engine = engine(options)?;
    let mut reading = options.0.as_ref().map_or(ReadOptions::DEFAULT, |options| options.bind().reading());
    reading.byte_order_marks = engine.is_none();
    let tree = tagged_json::from_str(&raw::text_of(text)).map_err(|error| {
        let path = error.path().to_string();
        let offset = error.offset().map_or(-1, signed);
        // Every value that to_json() writes has a type.
        let is_other = path == "$" && text.find("\"type\"").is_none();
        let advice = if is_other { " (for JSON that to_json() has not made, use JSON.parse_string)" } else { "" };
        VarBytesError::new(ErrorKind::Malformed, "tagged_json", format!("{error}{advice}"))
            .with_offset(offset)
            .with_path(path)
    })?;
    let encoder = engine_profile::encoder(options.0.as_ref().is_some_and(|options| options.bind().allow_objects));
    let bytes = encoder.profile(engine.unwrap_or_else(engine_profile::profile)).encode(&tree);
    drop(tree);
    let bytes = bytes.map_err(|error| VarBytesError::from_encode(error.kind(), error.path()))?;
    let value = match engine {
        None => decode(Packet::part(&bytes, 0), &reading).map(|(value, used)| Outcome {
            losses: reading.objects.take_losses(),
            ..Outcome::new(value.into_variant(), used)
        }),
        Some(engine) => other_engine::read(Packet::part(&bytes, 0), engine, reading, decode),
    };
    value.map_err(VarBytesError::without_offset)
}

/// Returns the engine that the options name; `None` for the running one.
fn engine(options: &OptionsArg) -> Result<Option<Profile>, VarBytesError> {
    options.0.as_ref().map_or(Ok(None), |options| other_engine::named(&options.bind().engine))
}
