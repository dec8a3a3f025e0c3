//! How the bytes of an input are divided into the engine, what is allowed, and the rest.

use varbytes_conformance::reference::Reference;

/// The engines that are asked.
pub const ENGINES: [Reference; 2] = [Reference::GODOT_4, Reference::GODOT_3_6];

const OBJECTS: u8 = 1;

/// What an engine is asked about: a byte for the engine, one for the flags, and the rest.
#[derive(Clone, Copy, Debug)]
pub struct EngineInput<'a> {
    /// Which of [`ENGINES`].
    pub engine: usize,
    /// Whether full objects are allowed. Those of Godot 3.6 are not asked about: it frees an object that counts
    /// references as soon as it attaches a script, and may crash.
    pub objects: bool,
    /// A packet, or what a value is made of.
    pub bytes: &'a [u8],
}

impl<'a> EngineInput<'a> {
    /// What is in an input; `None` where it is too short to say.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [engine, flags, bytes @ ..] = input else { return None };
        let engine = usize::from(*engine) % ENGINES.len();
        let objects = flags & OBJECTS != 0 && ENGINES[engine] == Reference::GODOT_4;
        Some(Self { engine, objects, bytes })
    }

    /// The input that says this.
    ///
    /// # Panics
    /// When there is no such engine.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let engine = u8::try_from(self.engine).expect("one of a few engines");
        [&[engine, u8::from(self.objects)], self.bytes].concat()
    }
}
