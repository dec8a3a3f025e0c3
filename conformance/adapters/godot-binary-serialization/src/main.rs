//! Makes the crate `godot-binary-serialization` answer lines. Its table of types is that of Godot 4.
//!
//! It does not say how many bytes a value takes.

use std::io::{BufRead, Write, stdin, stdout};

use godot_binary_serialization::decoder::Decoder;
use godot_binary_serialization::encoder::Encoder;
use godot_binary_serialization::types::primitive::{GodotBool, GodotFloat, GodotInteger, GodotNull, GodotString};
use godot_binary_serialization::types::structures::{GodotDictionary, GodotVector2, GodotVector3};
use godot_binary_serialization::types::variant::{AsVariant, GodotVariant};
use serde::Deserialize;
use serde_json::{Value, json};

/// The number of types of Godot 4.
const TYPES: u8 = 39;

fn main() {
    // Without the path of the crate on this machine.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(String::new, |place| {
            let file = place.file().rsplit_once("/src/").map_or(place.file(), |(_, file)| file);
            format!(" at {file}:{}", place.line())
        });
        eprintln!("panicked{place}: {}", panic.payload_as_str().unwrap_or_default());
    }));
    let decodes = std::env::args().nth(1).is_some_and(|word| word == "decode");
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let answer = if decodes { decode(&line) } else { encode(&line) };
        let mut output = stdout().lock();
        writeln!(output, "{answer}").expect("an open output");
        output.flush().expect("an open output");
    }
}

fn decode(line: &str) -> Value {
    let bytes = hex::decode(line).expect("hexadecimal");
    match Decoder::decode_variant(&bytes) {
        Ok(value) => match described(&*value) {
            Some(value) => json!({"ok": value}),
            None => json!({"error": format!("an unknown value: {value:?}")}),
        },
        Err(error) => {
            let text = error.to_string();
            let unsupported = text.starts_with("Unsupported") && bytes.first().is_some_and(|id| *id < TYPES);
            if unsupported { json!({"skip": "this type is not read"}) } else { json!({"error": text}) }
        }
    }
}

fn described(value: &dyn GodotVariant) -> Option<Value> {
    let single = |number: f32| format!("{:08x}", number.to_bits());
    Some(if value.as_var::<GodotNull>().is_some() {
        json!({"type": "Nil", "value": null})
    } else if let Some(value) = value.as_var::<GodotBool>() {
        json!({"type": "bool", "value": value.value})
    } else if let Some(value) = value.as_var::<GodotInteger>() {
        json!({"type": "int", "value": value.value.to_string()})
    } else if let Some(value) = value.as_var::<GodotFloat>() {
        json!({"type": "float", "value": format!("{:016x}", value.value.to_bits())})
    } else if let Some(value) = value.as_var::<GodotString>() {
        json!({"type": "String", "value": value.value})
    } else if let Some(value) = value.as_var::<GodotVector2>() {
        json!({"type": "Vector2", "value": [single(value.x), single(value.y)]})
    } else if let Some(value) = value.as_var::<GodotVector3>() {
        json!({"type": "Vector3", "value": [single(value.x), single(value.y), single(value.z)]})
    } else {
        let dictionary = value.as_var::<GodotDictionary>()?;
        let entries = dictionary.map.iter();
        let entries = entries.map(|(key, value)| Some(json!([described(&**key)?, described(&**value)?])));
        json!({"type": "Dictionary", "value": entries.collect::<Option<Vec<_>>>()?})
    })
}

fn encode(line: &str) -> Value {
    let mut parser = serde_json::Deserializer::from_str(line);
    parser.disable_recursion_limit();
    // The deepest values of the vectors are deeper than the stack allows.
    if line.len() > 20_000 {
        return json!({"skip": "too long for the adapter"});
    }
    let tagged = Value::deserialize(&mut parser).expect("tagged JSON");
    let Some(value) = native(&tagged) else { return json!({"skip": "this type is not written"}) };
    match Encoder::encode_variant(&*value) {
        Ok(bytes) => json!({"ok": hex::encode(bytes)}),
        Err(error) => json!({"error": error.to_string()}),
    }
}

fn native(tagged: &Value) -> Option<Box<dyn GodotVariant>> {
    let value = &tagged["value"];
    let singles = || -> Option<Vec<f32>> {
        let bits = |text: &Value| u32::from_str_radix(text.as_str()?, 16).ok().map(f32::from_bits);
        value.as_array()?.iter().map(bits).collect()
    };
    Some(match tagged["type"].as_str()? {
        "bool" => Box::new(GodotBool::new(value.as_bool()?)),
        "int" => {
            let number: i64 = value.as_str()?.parse().ok()?;
            // The caller chooses the width; this is the engine's choice.
            Box::new(
                i32::try_from(number).map_or_else(|_| GodotInteger::new_from_i64(number), GodotInteger::new_from_i32),
            )
        }
        "float" => {
            let number = f64::from_bits(u64::from_str_radix(value.as_str()?, 16).ok()?);
            let narrow = number as f32;
            let fits = f64::from(narrow) == number;
            Box::new(if fits { GodotFloat::new_from_f32(narrow) } else { GodotFloat::new_from_f64(number) })
        }
        "String" => Box::new(GodotString::new(value.as_str()?)),
        "Vector2" => match singles()?[..] {
            [x, y] => Box::new(GodotVector2::new(x, y)),
            _ => return None,
        },
        "Vector3" => match singles()?[..] {
            [x, y, z] => Box::new(GodotVector3::new(x, y, z)),
            _ => return None,
        },
        "Dictionary" if tagged.get("key_type").is_none() && tagged.get("value_type").is_none() => {
            let mut dictionary = GodotDictionary::new();
            for entry in value.as_array()? {
                dictionary.map.insert(native(&entry[0])?, native(&entry[1])?);
            }
            Box::new(dictionary)
        }
        _ => return None,
    })
}
