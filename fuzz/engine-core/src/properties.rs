//! What holds for the codec and a core in the same process.

use std::cell::RefCell;
use std::env;

use varbytes::build::ObjectPolicy;
use varbytes::variant::{ContainerType, Object, ObjectData, Visit, Walk};
use varbytes::{DecodeErrorKind, Variant};
use varbytes_conformance::check::Setting;
use varbytes_conformance::compare::{self, Difference};
use varbytes_conformance::damage::Packet;
use varbytes_conformance::differential::Comparison;
use varbytes_conformance::judge::Verdict;
use varbytes_conformance::recipe::{self, Components};
use varbytes_fuzz_properties::{Property, any_value};

use crate::core::Core;
use crate::process::Process;

/// Every property, with the names of the fuzz targets.
pub const PROPERTIES: [Property; 3] =
    [("core_decode", core_decode), ("core_objects", core_objects), ("core_encode", core_encode)];

/// The environment variable with the core, such as `godot-4.6.3-double` or `godot-4.6.3/sanitized`. The default is the
/// first one.
pub const CORE_VARIABLE: &str = "VARBYTES_ENGINE_CORE";

/// The number of executions after which the engine's edges are printed again.
const EXECUTIONS_PER_LINE: u64 = 1 << 16;

/// Maximum number of containers that wrap a value, as for the targets that ask an engine.
const WRAPPINGS: usize = 8;

/// The class whose stored properties are modelled here: its script and its metadata.
const MODELLED: &str = "RefCounted";

/// Other classes that are created. Their setters are fast. `Translation` crashes the engine; see fuzz/RESULTS.md.
const CREATED: [&str; 6] =
    ["EncodedObjectAsID", "InputEventKey", "InputEventMouseMotion", "JSON", "RandomNumberGenerator", "Resource"];

/// The scripts of `godot/godot4.cpp`.
pub const SCRIPTS: [&str; 3] = ["res://reference.fuzz", "res://inheriting.fuzz", "res://resource.fuzz"];

thread_local! {
    static SESSION: RefCell<Option<Session>> = const { RefCell::new(None) };
}

/// The core of this process, and what it is compared with.
struct Session {
    process: Process,
    core: Core,
    setting: Setting,
    comparison: Comparison,
    /// The bits of all counters so far: an edge is reached if one is set.
    edges: Vec<u8>,
    executions: u64,
}

/// Loads the core that the environment names. The fuzz targets call this before the first input, so that libFuzzer knows
/// all counters.
///
/// # Panics
/// If it was not built, or cannot be loaded.
pub fn start() {
    SESSION.with_borrow_mut(|session| {
        session.get_or_insert_with(|| Session::start().unwrap_or_else(|error| panic!("{error:#}")));
    });
}

impl Session {
    fn start() -> anyhow::Result<Self> {
        let named = env::var(CORE_VARIABLE).unwrap_or_else(|_| Core::ALL[0].name.to_owned());
        let (core, flavour) = Core::with_flavour(&named)?;
        let path = core.locate(flavour)?;
        let path = path.ok_or_else(|| anyhow::anyhow!("{named} was not built; run `cargo engine-core {named}`"))?;
        let process = Process::load(&path)?;
        let edges = vec![0; process.counters().len()];
        Ok(Self { process, core, setting: core.setting(), comparison: Comparison::default(), edges, executions: 0 })
    }

    fn count_edges(&mut self) {
        self.edges.iter_mut().zip(self.process.counters()).for_each(|(edge, counter)| *edge |= counter);
        self.executions += 1;
        if self.executions.is_multiple_of(EXECUTIONS_PER_LINE) {
            self.print_edges();
        }
    }

    /// Prints a line that the campaign parses.
    fn print_edges(&self) {
        let reached = self.edges.iter().filter(|edge| **edge > 0).count();
        eprintln!("edges of the engine: {reached} of {}", self.edges.len());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.print_edges();
    }
}

fn with_session(property: impl FnOnce(&mut Session)) {
    start();
    SESSION.with_borrow_mut(|session| {
        if let Some(session) = session {
            property(session);
            session.count_edges();
        }
    });
}

/// The core and the codec agree on any bytes, with objects as ids: the verdict, the bytes used, and the bytes written for the
/// value. What strict reading accepts comes back from the core unchanged.
///
/// # Panics
/// If that does not hold, or an object is left behind.
pub fn core_decode(input: &[u8]) {
    with_session(|session| session.decode(input));
}

/// The same with full objects, of some classes and scripts. For objects whose properties are modelled here, the written bytes
/// are compared. For the others, both agree on what the core writes.
///
/// # Panics
/// If that does not hold, or an object is left behind.
pub fn core_objects(input: &[u8]) {
    with_session(|session| session.objects(input));
}

/// The core writes the same bytes as the codec for a value that it makes from a recipe. The first byte chooses whether
/// objects are written in full.
///
/// # Panics
/// If that does not hold.
pub fn core_encode(input: &[u8]) {
    with_session(|session| session.encode(input));
}

impl Session {
    fn decode(&mut self, packet: &[u8]) {
        let before = self.process.objects();
        let (used, written) = self.process.read(packet, false);
        let decoded = self.setting.decoder(false).decode_prefix(packet);
        let encoder = self.setting.encoder(false);
        let agree = match &decoded {
            Ok(decoded) => decoded.used == used && encoder.encode(&decoded.value).unwrap_or_default() == written,
            Err(_) => used == 0,
        };
        let strict = self.setting.decoder(false).strict(true).zero_padding(true).decode(packet).ok();
        if !agree || strict.is_some() {
            let verdict = Verdict::new(used, written.to_vec());
            if !agree {
                self.require_agreement(packet, false, &verdict);
            }
            // Strict reading returns what was written where a bug makes the engine read its own packet wrongly.
            let is_read_wrongly = |strict: &Variant| {
                let fixed = self.setting.decoder(false).fix_engine_bugs(true).decode(packet);
                fixed.is_ok_and(|fixed| fixed.bit_eq(strict))
                    && decoded.as_ref().is_ok_and(|exact| !exact.value.bit_eq(strict))
            };
            if let Some(value) = strict.filter(|strict| !is_read_wrongly(strict)) {
                let difference = self.writes("strict", value, false, &verdict.rewritten);
                assert!(
                    used == packet.len() && difference.is_none(),
                    "{}: {used}, {difference:?}",
                    hex::encode(packet)
                );
            }
        }
        self.require_no_objects_since(before, packet);
    }

    /// Checks that a value is written as the core wrote it.
    fn writes(&self, name: &str, mut value: Variant, objects: bool, written: &[u8]) -> Option<Difference> {
        if self.core.name == "godot-3.2.3" {
            compare::replace_lost_keys(&mut value);
        }
        self.setting.writes(name, value, objects, written)
    }

    fn require_agreement(&mut self, packet: &[u8], objects: bool, verdict: &Verdict) {
        let packet = Packet { bytes: packet.to_vec(), objects };
        let difference =
            self.comparison.add(&self.setting, &packet, verdict).unwrap_or_else(|error| panic!("{error:#}"));
        if let Some(difference) = difference {
            panic!(
                "{}: {difference}\n  packet  {}\n  written {}",
                self.core.name,
                hex::encode(&packet.bytes),
                hex::encode(&verdict.rewritten)
            );
        }
    }

    fn require_no_objects_since(&self, before: i64, packet: &[u8]) {
        let after = self.process.objects();
        assert_eq!(after, before, "objects are left behind by {}", hex::encode(packet));
    }

    fn objects(&mut self, packet: &[u8]) {
        if self.core.major() == 3 {
            return;
        }
        let decoder = self.setting.decoder(true);
        let mut seen = Seen { process: &self.process, skip: false, modelled: true, typed: false };
        let checked = decoder.check_with(packet, &mut seen);
        let Seen { skip, modelled, typed, .. } = seen;
        // The engine may read more of a refused packet than the codec, and meet other classes there.
        if skip || checked.is_err() && holds_other_class(packet) {
            return;
        }
        let before = self.process.objects();
        let (used, written) = self.process.read(packet, true);
        let written = written.to_vec();
        match &checked {
            Err(error) => {
                let is_known = matches!(error.kind(), DecodeErrorKind::UnsupportedCoercion { .. });
                assert!(used == 0 || is_known, "the core reads {used} bytes of {}: {error}", hex::encode(packet));
            }
            Ok(checked) => {
                assert!(used == checked.used, "{used}, not {} bytes of {}", checked.used, hex::encode(packet));
            }
        }
        // An object of a refused packet stays, by design of the engine.
        if used == 0 || checked.is_err() {
            return;
        }
        self.require_no_objects_since(before, packet);
        let shown = || format!("{} becomes {}", hex::encode(packet), hex::encode(&written));
        if modelled && !typed {
            let mut value = decoder.decode_prefix(packet).expect("checked").value;
            if !model(&mut value) {
                return;
            }
            let difference = self.setting.writes("objects", value, true, &written);
            assert!(difference.is_none(), "{difference:?}: {}", shown());
        }
        if written.is_empty() {
            return;
        }
        // Setting all properties of an object to the values that it has does not change it, except metadata that is written
        // as null: it is not set again.
        let mut value = decoder.decode(&written).unwrap_or_else(|error| panic!("{error}: {}", shown()));
        compare::change_objects(&mut value, &mut |data| {
            data.properties.retain(|(name, value)| !(name.starts_with("metadata/") && matches!(value, Variant::Nil)));
        });
        let (used, again) = self.process.read(&written, true);
        assert!(used == written.len(), "the core reads {used} bytes of what it wrote: {}", shown());
        let difference = self.setting.writes("written", value, true, again);
        assert!(difference.is_none(), "{difference:?} and then {}: {}", hex::encode(again), shown());
    }

    fn encode(&mut self, input: &[u8]) {
        let [flags, input @ ..] = input else { return };
        let objects = flags & 1 != 0 && self.core.major() > 3;
        let profile = self.setting.profile;
        let Some(value) = any_value(input, profile, objects, WRAPPINGS) else { return };
        let value = recipe::makeable(value, profile, objects, Components::OfEngine(self.setting.precision));
        let mut ingredients = Vec::new();
        recipe::write(&value, profile, &mut ingredients);
        let before = self.process.objects();
        let written = self.process.write(&ingredients, objects).to_vec();
        let shown = format!("{value:?}");
        let difference = self.writes("value", value, objects, &written);
        assert!(difference.is_none(), "{}: {difference:?}: {shown}", self.core.name);
        self.require_no_objects_since(before, input);
    }
}

/// What a packet with objects names.
struct Seen<'p> {
    process: &'p Process,
    /// Whether it names a class that the engine could create, but whose setters may be slow.
    skip: bool,
    /// Whether all objects are modelled.
    modelled: bool,
    /// Whether a container is typed by class or script.
    typed: bool,
}

impl ObjectPolicy for Seen<'_> {
    fn class(&mut self, class: &str) -> Result<(), DecodeErrorKind> {
        if class == MODELLED {
            return Ok(());
        }
        self.modelled = false;
        if CREATED.contains(&class) {
            return Ok(());
        }
        self.skip |= self.process.creates(class);
        Err(DecodeErrorKind::Refused { reason: "no class of the engine".into() })
    }

    fn script(&mut self, _: &str, path: &str) -> Result<(), DecodeErrorKind> {
        self.modelled = false;
        if SCRIPTS.contains(&path) {
            return Ok(());
        }
        Err(DecodeErrorKind::Refused { reason: "no script of the core".into() })
    }

    fn container_type(&mut self, container_type: &ContainerType) -> Result<(), DecodeErrorKind> {
        match container_type {
            ContainerType::Builtin(_) | ContainerType::Unknown(_) => {}
            ContainerType::Class(_) => self.typed = true,
            ContainerType::Script(path) => {
                self.typed = true;
                return self.script("", path);
            }
        }
        Ok(())
    }
}

/// Returns whether bytes contain the name of a class that could be created, other than those that are allowed.
fn holds_other_class(packet: &[u8]) -> bool {
    const OBJECT: u32 = 24;
    let names = packet.windows(8).enumerate().filter_map(|(at, window)| {
        let header = u32::from_le_bytes(*window.first_chunk()?);
        let length = usize::try_from(u32::from_le_bytes(*window[4..].first_chunk()?)).ok()?;
        (header == OBJECT).then(|| packet.get(at + 8..)?.get(..length)).flatten()
    });
    let is_allowed = |name: &[u8]| [MODELLED].iter().chain(&CREATED).any(|class| class.as_bytes() == name);
    names.into_iter().any(|name| !name.is_empty() && !is_allowed(name))
}

/// Replaces the properties of objects by those that the engine has after setting them. Returns `false` for objects that
/// are not modelled.
fn model(value: &mut Variant) -> bool {
    let known = Walk::new(value).all(|visit| match visit {
        Visit::Enter(Variant::Object(Object::Data(data))) => is_modelled(data),
        _ => true,
    });
    if known {
        compare::change_objects(value, &mut |data: &mut ObjectData| set_properties(data));
    }
    known
}

/// Returns whether an object only has metadata with ordinary names, and no script.
fn is_modelled(data: &ObjectData) -> bool {
    let is_plain = |name: &str| {
        name.strip_prefix("metadata/").is_some_and(|name| {
            let mut characters = name.chars();
            characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
                && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
        })
    };
    data.class == MODELLED
        && data.properties.iter().all(|(name, value)| match name.as_str() {
            "script" => matches!(value, Variant::Nil),
            name => is_plain(name),
        })
}

/// New metadata cannot be null, but existing metadata can be set to null.
fn set_properties(data: &mut ObjectData) {
    let mut metadata: Vec<(String, Variant)> = Vec::new();
    for (name, value) in std::mem::take(&mut data.properties) {
        let earlier = metadata.iter().position(|(earlier, _)| *earlier == name);
        match (earlier, value) {
            _ if name == "script" => {}
            (None, Variant::Nil) => {}
            (Some(earlier), value) => metadata[earlier].1 = value,
            (None, value) => metadata.push((name, value)),
        }
    }
    data.properties = std::iter::once(("script".to_owned(), Variant::Nil)).chain(metadata).collect();
}
