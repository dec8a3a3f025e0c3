//! JSON as a flat list of parts, so that neither reading nor dropping it recurses.

use alloc::{borrow::Cow, borrow::ToOwned, format, string::String, vec::Vec};
use core::str::FromStr;

use json_event_parser::{JsonEvent, JsonSyntaxError, SliceJsonParser};

use crate::work;

/// What is wrong. The caller adds the location.
pub(super) type Fault = String;

/// One part of a JSON text. The members of a list or an object follow it on the tape.
#[derive(Debug)]
pub(super) enum Part<'t> {
    Null,
    Bool(bool),
    Number(Cow<'t, str>),
    Text(Cow<'t, str>),
    /// The key of an object member. Its value follows.
    Key(Cow<'t, str>),
    /// A list, and the position after its last member.
    List(usize),
    /// An object, and the position after its last member.
    Object(usize),
}

/// Returns the parts of a text.
pub(super) fn parse(text: &[u8]) -> Result<Vec<Part<'_>>, JsonSyntaxError> {
    work::add_bytes(text.len());
    let mut parser = SliceJsonParser::new(text);
    let (mut parts, mut open) = (Vec::new(), Vec::new());
    loop {
        let part = match parser.parse_next()? {
            JsonEvent::Null => Part::Null,
            JsonEvent::Boolean(value) => Part::Bool(value),
            JsonEvent::Number(number) => Part::Number(number),
            JsonEvent::String(text) => Part::Text(text),
            JsonEvent::ObjectKey(key) => Part::Key(key),
            JsonEvent::StartArray => Part::List(0),
            JsonEvent::StartObject => Part::Object(0),
            JsonEvent::EndArray | JsonEvent::EndObject => {
                let after = parts.len();
                if let Some(Part::List(end) | Part::Object(end)) =
                    open.pop().and_then(|start: usize| parts.get_mut(start))
                {
                    *end = after;
                }
                continue;
            }
            JsonEvent::Eof => return Ok(parts),
        };
        work::add(1);
        if matches!(part, Part::List(_) | Part::Object(_)) {
            open.push(parts.len());
        }
        parts.push(part);
    }
}

/// A part of a JSON text, and everything in it.
#[derive(Clone, Copy)]
pub(super) struct Json<'p, 't> {
    pub(super) tape: &'p [Part<'t>],
    pub(super) position: usize,
}

impl<'p, 't> Json<'p, 't> {
    pub(super) fn part(self) -> &'p Part<'t> {
        self.tape.get(self.position).unwrap_or(&Part::Null)
    }

    /// Returns the members of a list; `None` if this is not a list.
    pub(super) fn members(self) -> Option<Members<'p, 't>> {
        match *self.part() {
            Part::List(end) => Some(self.members_until(end)),
            _ => None,
        }
    }

    fn members_until(self, end: usize) -> Members<'p, 't> {
        Members { next: Json { position: self.position + 1, ..self }, end }
    }

    /// Returns the two members of a list; `None` if this is not a list of two.
    pub(super) fn pair(self) -> Option<(Self, Self)> {
        let mut members = self.members()?;
        let pair = (members.next()?, members.next()?);
        members.next().is_none().then_some(pair)
    }

    /// Returns the values of an object's known keys.
    pub(super) fn fields<const N: usize>(self, known: &[&str; N]) -> Result<[Option<Self>; N], Fault> {
        let Part::Object(end) = *self.part() else {
            return Err(format!("expected an object with some of the keys {}", known.join(", ")));
        };
        let mut members = self.members_until(end);
        let mut found = [None; N];
        while let (Some(key), Some(value)) = (members.next(), members.next()) {
            let Part::Key(key) = key.part() else { break };
            let Some(index) = known.iter().position(|known| *known == key) else {
                return Err(format!("unknown key {key:?}"));
            };
            if found[index].replace(value).is_some() {
                return Err(format!("duplicate key {key:?}"));
            }
        }
        Ok(found)
    }

    /// Reads the members of a list.
    pub(super) fn list<T>(self, member: impl Fn(Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        self.members().ok_or("expected a list")?.map(member).collect()
    }

    pub(super) fn string(self, what: &str) -> Result<&'p str, Fault> {
        match self.part() {
            Part::Text(text) => Ok(text),
            _ => Err(format!("{what} must be a string")),
        }
    }

    pub(super) fn int(self) -> Result<i64, Fault> {
        self.decimal("a 64-bit integer")
    }

    pub(super) fn integer(self) -> Result<i32, Fault> {
        self.number("a 32-bit integer")
    }

    pub(super) fn unsigned(self) -> Result<u32, Fault> {
        self.number("an unsigned 32-bit integer")
    }

    /// Reads an instance id, which is signed in scripts and unsigned on the wire.
    pub(super) fn object_id(self) -> Result<u64, Fault> {
        let what = "a 64-bit instance id";
        let id: i128 = self.decimal(what)?;
        let signed = i64::try_from(id).map(i64::cast_unsigned);
        signed.or_else(|_| id.try_into()).map_err(|_| format!("{id} is not {what}"))
    }

    /// Reads an integer from a decimal string or a JSON number.
    pub(super) fn decimal<T: FromStr + TryFrom<i128>>(self, what: &str) -> Result<T, Fault> {
        match self.part() {
            Part::Text(digits) => digits.parse().map_err(|_| format!("{digits:?} is not {what}")),
            Part::Number(_) => self.number(what),
            _ => Err(format!("{what} must be a decimal string or a number")),
        }
    }

    fn number<T: FromStr + TryFrom<i128>>(self, what: &str) -> Result<T, Fault> {
        let Part::Number(digits) = self.part() else { return Err(format!("{what} must be a number")) };
        let number = digits.parse().ok().or_else(|| whole(digits)?.try_into().ok());
        number.ok_or_else(|| format!("{digits} is not {what}"))
    }

    pub(super) fn single(self) -> Result<f32, Fault> {
        self.real(f32::from_be_bytes, |real| real.is_finite())
    }

    pub(super) fn double(self) -> Result<f64, Fault> {
        self.real(f64::from_be_bytes, |real| real.is_finite())
    }

    /// Reads a real from hexadecimal digits or a JSON number.
    fn real<T: FromStr, const N: usize>(
        self,
        from_bytes: impl Fn([u8; N]) -> T,
        is_finite: impl Fn(&T) -> bool,
    ) -> Result<T, Fault> {
        match self.part() {
            Part::Text(digits) => {
                let bytes = hex_array(digits);
                bytes.map(from_bytes).ok_or_else(|| format!("{digits:?} is not {} hexadecimal digits", 2 * N))
            }
            Part::Number(digits) => {
                let real = digits.parse().ok().filter(is_finite);
                real.ok_or_else(|| format!("{digits} is out of range of a {}-bit real", 8 * N))
            }
            _ => Err("a real must be a string of hexadecimal digits or a number".to_owned()),
        }
    }

    /// Reads bytes from hexadecimal digits.
    pub(super) fn bytes(self, what: &str) -> Result<Vec<u8>, Fault> {
        let bytes: Option<Vec<u8>> = hex_bytes(self.string(what)?).collect();
        bytes.ok_or_else(|| "expected an even number of hexadecimal digits".to_owned())
    }
}

/// Returns the value of a JSON number without a fractional part, such as `3`, `3.0` or `30e-1`, if it fits.
fn whole(number: &str) -> Option<i128> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [integer, fraction].concat();
    let significant = digits.trim_end_matches('0');
    if matches!(significant, "" | "-") {
        return Some(0);
    }
    let zeros = exponent.parse::<isize>().ok()?.checked_add_unsigned(digits.len() - significant.len())?;
    let power = u32::try_from(zeros.checked_sub_unsigned(fraction.len())?).ok()?;
    significant.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(power)?)
}

/// Returns the byte of each pair of hexadecimal digits; `None` for anything else.
fn hex_bytes(digits: &str) -> impl Iterator<Item = Option<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits.as_bytes().chunks(2).map(move |pair| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    })
}

/// Returns the bytes of `2 * N` hexadecimal digits; `None` for anything else.
fn hex_array<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut read = hex_bytes(digits);
    let mut bytes = [0; N];
    for byte in &mut bytes {
        *byte = read.next()??;
    }
    read.next().is_none().then_some(bytes)
}

/// Iterates over the members of a list, or over the keys and values of an object.
#[derive(Clone)]
pub(super) struct Members<'p, 't> {
    next: Json<'p, 't>,
    end: usize,
}

impl<'p, 't> Iterator for Members<'p, 't> {
    type Item = Json<'p, 't>;

    fn next(&mut self) -> Option<Json<'p, 't>> {
        let member = self.next;
        if member.position >= self.end {
            return None;
        }
        work::add(1);
        self.next.position = match *member.part() {
            Part::List(end) | Part::Object(end) => end,
            _ => member.position + 1,
        };
        Some(member)
    }
}
