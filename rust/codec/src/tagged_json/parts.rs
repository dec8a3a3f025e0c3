//! Reads parts of values from JSON: fields, lists, strings and numbers.

use alloc::string::String;
use alloc::{borrow::ToOwned, format, vec::Vec};

use super::tape::{Part, Tape};

/// What is wrong. The caller adds the location.
pub(super) type Fault = String;

/// Returns the positions of the values of an object's known keys.
pub(super) fn fields<const N: usize>(
    tape: &Tape<'_>,
    position: usize,
    known: &[&str; N],
) -> Result<[Option<usize>; N], Fault> {
    let fields = tape.fields(position).ok_or_else(|| format!("expected an object with {}", known.join(", ")))?;
    let mut found = [None; N];
    for (key, value) in fields {
        let Some(index) = known.iter().position(|known| *known == key) else {
            return Err(format!("unknown key {key:?}"));
        };
        if found[index].replace(value).is_some() {
            return Err(format!("duplicate key {key:?}"));
        }
    }
    Ok(found)
}

pub(super) fn list<T>(
    tape: &Tape<'_>,
    position: usize,
    member: impl Fn(&Tape<'_>, usize) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let members = tape.members(position).ok_or("expected a list")?;
    members.map(|position| member(tape, position)).collect()
}

pub(super) fn string_at<'p>(tape: &'p Tape<'_>, position: usize, what: &str) -> Result<&'p str, Fault> {
    match tape.part(position) {
        Part::Text(text) => Ok(text),
        _ => Err(format!("{what} must be a string")),
    }
}

pub(super) fn boolean(tape: &Tape<'_>, position: Option<usize>, name: &str) -> Result<bool, Fault> {
    match position.map(|position| tape.part(position)) {
        None => Ok(false),
        Some(Part::Bool(value)) => Ok(*value),
        Some(_) => Err(format!("`{name}` must be true or false")),
    }
}

/// Reads a 64-bit integer from a decimal string, or from a JSON number in handwritten text.
pub(super) fn decimal(tape: &Tape<'_>, position: usize) -> Result<i64, Fault> {
    match tape.part(position) {
        Part::Text(digits) | Part::Number(digits) => {
            digits.parse().map_err(|_| format!("{digits:?} is not a 64-bit integer"))
        }
        _ => Err("a 64-bit integer must be a decimal string".to_owned()),
    }
}

pub(super) fn integer(tape: &Tape<'_>, position: usize) -> Result<i32, Fault> {
    match tape.part(position) {
        Part::Number(digits) => digits.parse().map_err(|_| format!("{digits} is not a 32-bit integer")),
        _ => Err("a 32-bit integer must be a number".to_owned()),
    }
}

pub(super) fn unsigned(tape: &Tape<'_>, position: usize) -> Result<u32, Fault> {
    match tape.part(position) {
        Part::Number(digits) => digits.parse().map_err(|_| format!("{digits} is not an unsigned 32-bit integer")),
        _ => Err("an unsigned 32-bit integer must be a number".to_owned()),
    }
}

pub(super) fn single(tape: &Tape<'_>, position: usize) -> Result<f32, Fault> {
    let bits = hex_bits(string_at(tape, position, "a real")?, 8)?;
    u32::try_from(bits).map(f32::from_bits).map_err(|_| "expected 8 hexadecimal digits".to_owned())
}

pub(super) fn double(tape: &Tape<'_>, position: usize) -> Result<f64, Fault> {
    hex_bits(string_at(tape, position, "a real")?, 16).map(f64::from_bits)
}

fn hex_bits(digits: &str, expected: usize) -> Result<u64, Fault> {
    let wrong = || format!("{digits:?} is not {expected} hexadecimal digits");
    if digits.len() != expected || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    u64::from_str_radix(digits, 16).map_err(|_| wrong())
}

pub(super) fn hex_bytes(digits: &str) -> Result<Vec<u8>, Fault> {
    let wrong = || "expected an even number of hexadecimal digits".to_owned();
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    if !rest.is_empty() {
        return Err(wrong());
    }
    pairs.iter().map(|pair| byte(pair).ok_or_else(wrong)).collect()
}
