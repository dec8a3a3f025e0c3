//! Compares the codec and a running engine on the same packets.

use anyhow::Result;
use varbytes::build::ObjectPolicy;
use varbytes::variant::{ContainerType, Visit, Walk};
use varbytes::{DecodeError, DecodeErrorKind, Decoded, Variant};

use crate::check::Setting;
use crate::compare::{self, Difference};
use crate::damage::Packet;
use crate::judge::{self, Verdict};
use crate::reference::Running;

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Number of compared packets.
    pub packets: usize,
    /// Packets that both read.
    pub accepted: usize,
    /// Packets with full objects or scripts, where the result depends on the engine's classes and scripts. The engine
    /// may reject what the codec reads, but not the other way round.
    pub known_to_engine: usize,
    /// Packets that show a known divergence: keys nested so deeply that the engine treats different keys as equal, keys
    /// that Godot 3.2 does not find again when it writes, and conversions that the codec refuses because their result
    /// depends on more than the bytes.
    pub known_divergences: usize,
    /// Packets on which the two disagree, in hexadecimal, with the difference.
    pub disagreements: Vec<(String, Difference)>,
}

/// Compares both on every packet.
///
/// # Errors
/// If the engine's run fails.
pub fn compare(engine: &Running, setting: &Setting, packets: &[Packet]) -> Result<Comparison> {
    let verdicts = judge::verdicts(engine, packets)?;
    let mut comparison = Comparison::default();
    for (packet, verdict) in packets.iter().zip(&verdicts) {
        if let Some(difference) = comparison.add(setting, packet, verdict)? {
            let allowed = if packet.objects { "with" } else { "without" };
            let shown = format!("{} ({allowed} objects)", hex::encode(&packet.bytes));
            comparison.disagreements.push((shown, difference));
        }
    }
    Ok(comparison)
}

impl Comparison {
    /// Compares the codec with an engine's verdict on a packet, and counts it. If the engine did not describe the
    /// value, the bytes written for it are compared.
    ///
    /// # Errors
    /// If the description is not tagged JSON.
    pub fn add(&mut self, setting: &Setting, packet: &Packet, verdict: &Verdict) -> Result<Option<Difference>> {
        self.packets += 1;
        let differs =
            |what: String| Ok(Some(Difference { name: "packet".to_owned(), what, path: varbytes::Path::default() }));
        let decoded = setting.decoder(packet.objects).decode_prefix(&packet.bytes);
        match (decoded, verdict.used) {
            (Err(_), 0) => Ok(None),
            (Err(error), _) if matches!(error.kind(), DecodeErrorKind::UnsupportedCoercion { .. }) => {
                self.known_divergences += 1;
                Ok(None)
            }
            (Err(error), used) => differs(format!("the engine reads {used} bytes, but the codec returns: {error}")),
            (Ok(_), 0) if names_classes(setting, packet) => {
                self.known_to_engine += 1;
                Ok(None)
            }
            (Ok(Decoded { value, .. }), 0) => differs(format!("the engine rejects it, but the codec reads {value:?}")),
            (Ok(Decoded { used, .. }), engine_used) if used != engine_used => {
                differs(format!("uses {used} bytes, the engine {engine_used}"))
            }
            (Ok(Decoded { value, .. }), _) => {
                self.accepted += 1;
                if names_classes(setting, packet) {
                    // Setters may have changed the values, and scripts declare their own types.
                    self.known_to_engine += 1;
                    return Ok(None);
                }
                let described = verdict.value()?;
                let values = described.and_then(|described| compare::values("packet", &described, &value));
                let rewritten = || setting.rewrites_packet("packet", &packet.bytes, packet.objects, &verdict.rewritten);
                let difference = values.or_else(rewritten);
                if difference.is_some() && (has_deep_key(&value) || loses_keys(setting, packet, &value, verdict)) {
                    self.known_divergences += 1;
                    return Ok(None);
                }
                Ok(difference)
            }
        }
    }
}

/// Returns how the codec reads a packet, or `None` if an engine may read it differently.
#[must_use]
pub fn comparable(setting: &Setting, packet: &Packet) -> Option<Result<Decoded<Variant>, DecodeError>> {
    let decoded = setting.decoder(packet.objects).decode_prefix(&packet.bytes);
    let differs = match &decoded {
        Err(error) => matches!(error.kind(), DecodeErrorKind::UnsupportedCoercion { .. }),
        Ok(decoded) => names_classes(setting, packet) || has_deep_key(&decoded.value),
    };
    (!differs).then_some(decoded)
}

/// Returns whether the engine wrote the value as it was read, except keys that it did not find again.
fn loses_keys(setting: &Setting, packet: &Packet, value: &Variant, verdict: &Verdict) -> bool {
    let mut lost = value.clone();
    compare::replace_lost_keys(&mut lost)
        && setting.writes("packet", lost, packet.objects, &verdict.rewritten).is_none()
}

/// Returns whether a dictionary in the value has a key nested deeper than the engine compares keys.
fn has_deep_key(value: &Variant) -> bool {
    const COMPARED_LEVELS: usize = 50;
    let mut walk = Walk::new(value);
    // The number of open containers at the start of the outermost open key.
    let mut key_began = None;
    while let Some(visit) = walk.next() {
        let depth = walk.depth();
        match visit {
            Visit::Enter(_) if key_began.is_none() && walk.is_at_key() => key_began = Some(depth - 1),
            Visit::Leave(_) if key_began == Some(depth) => key_began = None,
            _ => {}
        }
        if key_began.is_some_and(|began| depth - began > COMPARED_LEVELS) {
            return true;
        }
    }
    false
}

/// Returns whether a packet names a class or a script, even in a part that is left out of the value.
fn names_classes(setting: &Setting, packet: &Packet) -> bool {
    struct Names(bool);

    impl ObjectPolicy for Names {
        fn class(&mut self, _: &str) -> Result<(), DecodeErrorKind> {
            self.0 = true;
            Ok(())
        }

        fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
            self.0 |= match container_type {
                ContainerType::Builtin(_) | ContainerType::Unknown(_) => false,
                ContainerType::Class(class) => class != "EncodedObjectAsID",
                ContainerType::Script(_) => true,
            };
            Ok(())
        }
    }

    let mut names = Names(false);
    setting.decoder(packet.objects).check_with(&packet.bytes, &mut names).is_ok() && names.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> Variant {
        (0..levels).fold(Variant::Nil, |inner, _| Variant::from(vec![inner]))
    }

    #[test]
    fn only_keys_nested_deeper_than_the_engine_compares_count_as_deep() {
        let with_key = |levels| Variant::from(vec![Variant::from(vec![(nested(levels), Variant::Nil)])]);
        assert!(!has_deep_key(&with_key(50)));
        assert!(has_deep_key(&with_key(51)));
        assert!(!has_deep_key(&Variant::from(vec![(Variant::Nil, nested(60))])));
    }
}
