//! Judges a codec's reply to a question.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use varbytes::{Variant, tagged_json};

use super::case::{Case, Expected};
use super::process::Reply;
use crate::check::Setting;
use crate::compare;

/// What can be wrong, most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Another value, another number of bytes, or bytes that mean another value, without an error.
    WrongValue,
    /// The process ended.
    Crash,
    /// No answer in time.
    Hang,
    /// More memory than allowed.
    Memory,
    /// The answer is not one line of the protocol.
    BadAnswer,
    /// Bytes that the engine reads, or a value that it writes, are refused.
    ValidRefused,
    /// Bytes that the engine refuses are read, or a value that it refuses is written.
    InvalidAccepted,
    /// The engine reads the written bytes as the same value, but writes other bytes.
    NotCanonical,
}

impl Class {
    /// All classes, most serious first.
    pub const ALL: [Self; 8] = [
        Self::WrongValue,
        Self::Crash,
        Self::Hang,
        Self::Memory,
        Self::BadAnswer,
        Self::ValidRefused,
        Self::InvalidAccepted,
        Self::NotCanonical,
    ];

    /// Returns why it matters.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::WrongValue => "data is changed and nobody notices",
            Self::Crash => "a packet from anyone ends the process",
            Self::Hang => "a packet from anyone stops the process",
            Self::Memory => "a packet from anyone exhausts the memory",
            Self::BadAnswer => "the answer is not a line of the protocol",
            Self::ValidRefused => "data of the engine cannot be read or written",
            Self::InvalidAccepted => "the engine refuses this",
            Self::NotCanonical => "the engine reads the same value, but writes other bytes",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::WrongValue => "wrong value without an error",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Memory => "too much memory",
            Self::BadAnswer => "malformed answer",
            Self::ValidRefused => "valid refused",
            Self::InvalidAccepted => "invalid accepted",
            Self::NotCanonical => "not canonical",
        })
    }
}

/// What is wrong with a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub class: Class,
    /// What the engine does.
    pub expected: String,
    /// What the codec did.
    pub found: String,
    /// The first difference.
    pub difference: String,
}

/// The result of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The reply is right.
    Right,
    /// The codec says that it does not have this; the reason.
    Skipped(String),
    /// The reply is wrong.
    Wrong(Fault),
}

/// A line of the protocol.
#[derive(Deserialize)]
struct Answer {
    ok: Option<Box<RawValue>>,
    used: Option<usize>,
    error: Option<Box<RawValue>>,
    skip: Option<Box<RawValue>>,
}

/// Judges a reply.
#[must_use]
pub fn judge(setting: &Setting, case: &Case, reply: &Reply) -> Verdict {
    let wrong = |class, found: String, difference: String| {
        Verdict::Wrong(Fault { class, expected: expected(&case.expected), found, difference })
    };
    let line = match reply {
        Reply::Line(line) => line,
        Reply::Ended(how) => {
            return wrong(Class::Crash, format!("the process ended, {how}"), "there is no answer".to_owned());
        }
        Reply::Hung(limit) => {
            let found = format!("no answer within {:.1} s", limit.as_secs_f64());
            return wrong(Class::Hang, found, "there is no answer".to_owned());
        }
        Reply::Memory(bytes) => {
            let found = format!("the process used {} MiB of memory", bytes >> 20);
            return wrong(Class::Memory, found, "there is no answer".to_owned());
        }
        Reply::TooMuch(what) => {
            return wrong(Class::BadAnswer, what.clone(), "one line was expected".to_owned());
        }
    };
    let bad = |why: String| wrong(Class::BadAnswer, shortened(&String::from_utf8_lossy(line)), why);
    let answer: Answer = match serde_json::from_slice(line) {
        Ok(answer) => answer,
        Err(error) => return bad(format!("this is not an answer in JSON: {error}")),
    };
    match (answer.ok, answer.error, answer.skip) {
        (None, None, Some(reason)) => Verdict::Skipped(text(&reason)),
        (None, Some(error), None) => match &case.expected {
            Expected::Rejection(_) | Expected::Refusal(_) => Verdict::Right,
            Expected::Value(..) | Expected::Bytes(..) => {
                wrong(Class::ValidRefused, format!("the error: {}", message(&error)), "it is valid".to_owned())
            }
        },
        (Some(ok), None, None) => match &case.expected {
            Expected::Rejection(reason) | Expected::Refusal(reason) => {
                wrong(Class::InvalidAccepted, shortened(ok.get()), reason.clone())
            }
            Expected::Value(value, used) => match tagged_json::from_str(ok.get()) {
                Err(error) => match too_great_number(value, ok.get()) {
                    Some(difference) => wrong(Class::WrongValue, shortened(ok.get()), difference),
                    None => bad(format!("the value is not tagged JSON: {error}")),
                },
                Ok(mut found) => {
                    compare::forget_precision_of_empty(&mut found);
                    match (compare::values("", value, &found), answer.used) {
                        (Some(difference), _) => wrong(
                            Class::WrongValue,
                            shortened(ok.get()),
                            format!("{}, path {}", difference.what, difference.path),
                        ),
                        (None, Some(found)) if found != *used => wrong(
                            Class::WrongValue,
                            format!("{found} bytes used"),
                            format!("the value takes {used} bytes, so whatever follows is misread"),
                        ),
                        (None, _) => Verdict::Right,
                    }
                }
            },
            Expected::Bytes(bytes, masked, value) => {
                let hexadecimal = serde_json::from_str::<String>(ok.get());
                match hexadecimal
                    .map_err(|error| error.to_string())
                    .and_then(|text| hex::decode(&text).map_err(|error| format!("{error}")))
                {
                    Err(error) => bad(format!("the bytes are not a string in hexadecimal: {error}")),
                    Ok(found) => match difference(bytes, masked, &found) {
                        None => Verdict::Right,
                        Some(difference) => {
                            let (class, meaning) = meaning(setting, case.objects, value, &found);
                            wrong(class, shortened(&hex::encode(&found)), format!("{difference}; {meaning}"))
                        }
                    },
                }
            }
        },
        _ => bad("an answer has one of `ok`, `error` and `skip`".to_owned()),
    }
}

/// Returns the first integer that differs from the expected value, if the JSON is the expected one except for integers.
/// A codec that reads integers without their sign answers with one that no Variant can hold.
fn too_great_number(expected: &Variant, found: &str) -> Option<String> {
    let (expected, found) = (tagged_json::to_string(expected), serde_json::from_str(found).ok()?);
    different_integers(&serde_json::from_str(&expected).ok()?, &found)?
        .map(|(expected, found)| format!("expected {expected}, found {found}; no int can hold it"))
}

/// Returns the first two integers that differ, or `None` if anything else differs.
fn different_integers(expected: &Value, found: &Value) -> Option<Option<(i128, i128)>> {
    let integer = |value: &Value| match value {
        Value::String(digits) => digits.parse::<i128>().ok(),
        other => other.as_i64().map(i128::from).or_else(|| other.as_u64().map(i128::from)),
    };
    match (expected, found) {
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => expected
            .iter()
            .zip(found)
            .try_fold(None, |first, (expected, found)| Some(first.or(different_integers(expected, found)?))),
        (Value::Object(expected), Value::Object(found)) if expected.len() == found.len() => expected
            .iter()
            .try_fold(None, |first, (key, expected)| Some(first.or(different_integers(expected, found.get(key)?)?))),
        _ if expected == found => Some(None),
        _ => Some(Some((integer(expected)?, integer(found)?))),
    }
}

/// Returns the first difference of two byte strings.
fn difference(expected: &[u8], masked: &[usize], found: &[u8]) -> Option<String> {
    let mut comparable = found.to_vec();
    for offset in masked {
        if let (Some(expected), Some(found)) = (expected.get(*offset), comparable.get_mut(*offset)) {
            *found = *expected;
        }
    }
    let offset = compare::first_difference(expected, &comparable)?;
    Some(format!(
        "byte {offset} of {}: expected {}, found {}",
        expected.len(),
        or_end(compare::window(expected, offset)),
        or_end(compare::window(found, offset))
    ))
}

fn or_end(window: String) -> String {
    if window.is_empty() { "the end".to_owned() } else { window }
}

/// Returns what an engine reads from the bytes.
fn meaning(setting: &Setting, objects: bool, value: &Variant, found: &[u8]) -> (Class, String) {
    match setting.decoder(objects).decode_prefix(found) {
        Err(error) => (Class::WrongValue, format!("an engine does not read these bytes: {error}")),
        Ok(mut read) => {
            compare::forget_precision_of_empty(&mut read.value);
            match compare::values("", value, &read.value) {
                Some(difference) => (
                    Class::WrongValue,
                    format!("an engine reads another value, {} at {}", difference.what, difference.path),
                ),
                None if read.used != found.len() => {
                    (Class::WrongValue, format!("an engine uses {} of the {} bytes", read.used, found.len()))
                }
                None => (Class::NotCanonical, "an engine reads the same value".to_owned()),
            }
        }
    }
}

fn expected(expected: &Expected) -> String {
    match expected {
        Expected::Value(value, used) => format!("{}, {used} bytes used", shortened(&tagged_json::to_string(value))),
        Expected::Rejection(reason) | Expected::Refusal(reason) => format!("an error: {}", shortened(reason)),
        Expected::Bytes(bytes, ..) => shortened(&hex::encode(bytes)),
    }
}

/// Returns the message of an error in JSON.
fn message(error: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Described {
        message: String,
    }
    serde_json::from_str::<Described>(error.get())
        .map_or_else(|_| text(error), |Described { message }| shortened(&message))
}

/// Returns the content of a string in JSON, or the JSON.
fn text(json: &RawValue) -> String {
    shortened(&serde_json::from_str::<String>(json.get()).unwrap_or_else(|_| json.get().to_owned()))
}

/// Shortens a text for a report.
#[must_use]
pub fn shortened(text: &str) -> String {
    const SHOWN: usize = 300;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
