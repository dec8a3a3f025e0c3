//! The property of the fuzz target `addon`: `VarBytes` and the built-in functions agree for any packet and any value.

use std::collections::VecDeque;
use std::convert::Infallible;

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::{ClassDb, Object};
use godot::prelude::*;
use rand::{RngExt, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use varbytes_fuzz_properties::AddonInput;

use crate::calls::{Side, quietly, var_bytes};
use crate::census::leaves_nothing;
use crate::checks::{check_packet, check_value, is_unsteady};
use crate::compare::{agrees, same};
use crate::random_values::{ITEM, Objects, RandomValues};
use crate::report::{Report, hexadecimal};

/// `VarBytesResult.NOT_ALLOWED`.
const NOT_ALLOWED: i64 = 3;

/// `VarBytesResult.LIMIT`.
const LIMIT: i64 = 4;

/// `VarBytesResult.UNSUPPORTED`.
const UNSUPPORTED: i64 = 5;

/// The classes that the policy allows: those of the objects in [`RandomValues`], with the stored properties that it sets. They
/// are listed by name because `"*"` makes the options query the engine every time.
const CLASSES: [(&str, &[&str]); 5] = [
    ("EncodedObjectAsID", &["*"]),
    ("Gradient", &[LOCAL, NAME, "interpolation_mode", "interpolation_color_space", "offsets", "colors"]),
    ("PlaceholderTexture2D", &[LOCAL, NAME, "size"]),
    ("RefCounted", &["metadata/note"]),
    ("Resource", &[LOCAL, NAME, "metadata/note"]),
];
const LOCAL: &str = "resource_local_to_scene";
const NAME: &str = "resource_name";

/// The allowed properties of the script.
const OF_ITEM: &[&str] = &["title", "count", "parts", "watched"];

/// The property, with the objects that it uses for every input.
pub struct Addon {
    objects: Objects,
    /// Options that allow objects.
    policy: Gd<Object>,
    /// Options without objects. Each input sets the other options.
    plain: Gd<Object>,
}

impl Addon {
    /// Creates the options and loads the script of the tests.
    ///
    /// # Errors
    /// Returns an error if the addon is not loaded or the project does not contain the script.
    pub fn load() -> Result<Self, String> {
        let options = || {
            let made = ClassDb::singleton().instantiate("VarBytesOptions");
            made.try_to::<Gd<Object>>().map_err(|_| "the addon is not loaded".to_owned())
        };
        let (mut policy, plain) = (options()?, options()?);
        policy.set("allow_objects", &true.to_variant());
        policy.set("allowed_classes", &listed(&CLASSES));
        policy.set("allowed_scripts", &listed(&[(ITEM, OF_ITEM)]));
        Ok(Self { objects: Objects::load()?, policy, plain })
    }

    /// Checks one input. Call it within [`Addon::quietly`], or the engine prints messages.
    ///
    /// # Errors
    /// Returns the checks that failed.
    pub fn holds(&self, input: &[u8]) -> Result<(), String> {
        match AddonInput::read(input) {
            None => Ok(()),
            Some(AddonInput::Value { objects, bytes }) => leaves_nothing(|| self.value(bytes, objects)),
            Some(AddonInput::Packet { settings, packet }) => leaves_nothing(|| self.packet(packet, settings)),
            Some(AddonInput::Objects { packet }) => self.objects(packet),
        }
    }

    /// Options that allow objects.
    pub(crate) fn policy(&self) -> Variant {
        self.policy.to_variant()
    }

    /// Calls `body` without the engine's messages.
    pub fn quietly<T>(body: impl FnOnce() -> T) -> T {
        quietly(body)
    }

    /// Checks a value: every method writes the bytes of the built-in function, and reads the value back.
    fn value(&self, bytes: &[u8], objects: bool) -> Result<(), String> {
        let mut report = Report::default();
        let value = RandomValues::new(Bytes::new(bytes), objects.then(|| self.objects.clone())).value();
        check_value(&mut report, &value, objects, "value");
        let expected = Side::BuiltIn.write(&value, objects);
        self.check_written(&mut report, &value, &expected, objects);
        report.passed()
    }

    /// Checks a packet without objects: first without options, then strictly, from an offset, with a
    /// limit, or within a long packet.
    fn packet(&self, packet: &[u8], settings: u8) -> Result<(), String> {
        let mut report = Report::default();
        check_packet(&mut report, packet, false, "packet");
        let free = Answer::of(packet, None);
        let mut options = self.plain.clone();
        let mut ask = |packet: &[u8], property: &str, number: i64, usual: i64| {
            options.set(property, &number.to_variant());
            let answer = Answer::of(packet, Some(&self.plain));
            options.set(property, &usual.to_variant());
            answer
        };
        // One option for each input: each takes another call.
        let (question, number) = (settings % 8, i64::from(settings / 8));
        match question {
            0 => {
                let before = vec![0xFF; usize::from(settings / 8)];
                let answer = ask(&[&before, packet].concat(), "offset", number, 0);
                report.check(answer.is(&free), || format!("from offset {number}: {answer:?}, without {free:?}"));
            }
            1 => within(&mut report, "max_depth", &ask(packet, "max_depth", number, 1024), &free),
            2 => within(&mut report, "max_memory", &ask(packet, "max_memory", 32 * number, 0), &free),
            3 => within(&mut report, "max_values", &ask(packet, "max_values", number, 0), &free),
            4 => within(&mut report, "max_string_length", &ask(packet, "max_string_length", number, 0), &free),
            5 => {
                // Keys and names are counted in long packets. This one is the second member of an Array.
                let first = PackedByteArray::from(vec![0; 1 << 10]);
                let mut long = Side::BuiltIn.write(&varray![&first].to_variant(), false).to_vec();
                long[4] = 2;
                let mut answer = Answer::of(&[&long, packet].concat(), None);
                if answer.ok {
                    answer.value = answer.value.to::<VarArray>().get(1).unwrap_or_default();
                    answer.used -= long.len();
                }
                report.check(answer.is(&free), || format!("in a long packet {answer:?}, alone {free:?}"));
            }
            _ => {
                options.set("strict", &true.to_variant());
                let strict = Answer::of(packet, Some(&self.plain));
                options.set("strict", &false.to_variant());
                let whole = strict.used == packet.len();
                report.check(!strict.ok || whole && strict.is(&free), || {
                    format!("strict {strict:?}, not strict {free:?}")
                });
                let unchanged = free.ok && Side::BuiltIn.write(&free.value, false).as_slice() == packet;
                report.check(strict.ok || !unchanged, || format!("the engine writes these bytes: {strict:?}"));
            }
        }
        report.passed().map_err(|failed| format!("{failed}\npacket {}", hexadecimal(packet)))
    }

    /// Checks a packet with objects under the policy. If the policy accepts it, all objects in it are harmless, so the built-in
    /// function reads it as well. It must not create objects that the policy refuses.
    fn objects(&self, packet: &[u8]) -> Result<(), String> {
        let packed = PackedByteArray::from(packet);
        let (ok, error) = leaves_nothing(|| {
            let answer = Answer::of(packet, Some(&self.policy));
            Ok((answer.ok, answer.error))
        })?;
        // Deep keys, and members whose conversion only the engine knows, are refused too.
        if [NOT_ALLOWED, LIMIT, UNSUPPORTED].contains(&error) {
            return Ok(());
        }
        leaves_nothing(|| {
            Side::VarBytes.read(&packed, true);
            Ok(())
        })?;
        let compare = || {
            let mut report = Report::default();
            check_packet(&mut report, packet, true, "objects");
            let expected = Side::BuiltIn.read(&packed, true);
            let accepted = Side::BuiltIn.accepts(packet, true, &expected);
            report.check(accepted == ok, || {
                format!("accepted by the built-in function: {accepted}, under the policy: {ok}")
            });
            let answer = Answer::of(packet, Some(&self.policy));
            let bytes = |value: &Variant| Side::BuiltIn.write(value, true);
            let is_same = |value: &Variant| {
                agrees(value, &expected, packet, true) && (!same(value, &expected) || bytes(value) == bytes(&expected))
            };
            report.check(!ok || is_same(&answer.value) || is_unsteady(&packed, true, is_same), || {
                format!("under the policy {}, by the built-in function {expected}", answer.value)
            });
            self.check_written(&mut report, &expected, &bytes(&expected), true);
            report.passed().map_err(|failed| format!("{failed}\npacket {}", hexadecimal(packet)))
        };
        // The built-in function leaks the objects that it creates before it refuses a packet.
        if ok { leaves_nothing(compare) } else { compare() }
    }

    /// Checks `VarBytes.encode` and `VarBytes.byte_size`, with objects under the policy.
    fn check_written(&self, report: &mut Report, value: &Variant, expected: &PackedByteArray, objects: bool) {
        let options = if objects { self.policy.to_variant() } else { Variant::nil() };
        let arguments = [value.clone(), options];
        let result: Gd<Object> = var_bytes("encode", &arguments).to();
        let found = result.get("value");
        report.check(found == expected.to_variant(), || {
            format!("encode: found {found}, {}, expected {}", result.get("message"), hexadecimal(expected.as_slice()))
        });
        let size = var_bytes("byte_size", &arguments).to::<i64>();
        report.check(usize::try_from(size) == Ok(expected.len()), || {
            format!("byte_size: found {size}, expected {}", expected.len())
        });
    }
}

/// Checks that a limit either changes nothing or is the error.
fn within(report: &mut Report, limit: &str, limited: &Answer, free: &Answer) {
    let holds = limited.is(free) || limited.error == LIMIT && !limited.ok && limited.value.is_nil();
    report.check(holds, || format!("with {limit} {limited:?}, without {free:?}"));
}

/// The result of `VarBytes.decode`.
#[derive(Debug)]
struct Answer {
    packet: PackedByteArray,
    ok: bool,
    value: Variant,
    error: i64,
    used: usize,
}

impl Answer {
    fn of(packet: &[u8], options: Option<&Gd<Object>>) -> Self {
        let options = options.map_or_else(Variant::nil, ToGodot::to_variant);
        let packet = PackedByteArray::from(packet);
        let result: Gd<Object> = var_bytes("decode", &[packet.to_variant(), options]).to();
        Self {
            packet,
            ok: result.get("ok").to(),
            value: result.get("value"),
            error: result.get("error").to(),
            used: usize::try_from(result.get("bytes_used").to::<i64>()).unwrap_or(usize::MAX),
        }
    }

    /// Returns whether the other result is the same.
    fn is(&self, other: &Self) -> bool {
        let is_same = |value: &Variant| same(value, &other.value);
        (self.ok, self.error, self.used) == (other.ok, other.error, other.used)
            && (is_same(&self.value) || is_unsteady(&other.packet, false, is_same))
    }
}

/// Returns a list for the options: names, each with names of properties.
fn listed(list: &[(&str, &[&str])]) -> Variant {
    let mut listed = Dictionary::<GString, PackedStringArray>::new();
    for (name, properties) in list {
        let properties: PackedStringArray = properties.iter().map(|name| GString::from(*name)).collect();
        listed.set(&GString::from(*name), &properties);
    }
    listed.to_variant()
}

/// Uses the input as random numbers, and random ones after its end: with the same byte forever, a distribution may never
/// finish.
struct Bytes {
    bytes: VecDeque<u8>,
    random: ChaCha8Rng,
}

impl Bytes {
    fn new(bytes: &[u8]) -> Self {
        Self { bytes: bytes.iter().copied().collect(), random: ChaCha8Rng::seed_from_u64(0) }
    }
}

impl TryRng for Bytes {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = self.bytes.pop_front().unwrap_or_else(|| self.random.random());
        }
        Ok(())
    }
}
