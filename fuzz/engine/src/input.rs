//! Splits an input into the engine, the flags, and the rest.

use varbytes_conformance::reference::Reference;

/// The engines that judge.
pub const ENGINES: [Reference; 2] = [Reference::GODOT_4, Reference::GODOT_3_6];

const OBJECTS: u8 = 1;

/// A question to an engine: a byte for the engine, a byte for the flags, and the rest.
#[derive(Clone, Copy, Debug)]
pub struct EngineInput<'a> {
    /// The index in [`ENGINES`].
    pub engine: usize,
    /// Whether full objects are allowed. Godot 3.6 is never asked about them: it frees a reference-counted object when
    /// it attaches a script, and may crash.
    pub objects: bool,
    /// A packet, or the bytes that a value is made from.
    pub bytes: &'a [u8],
}

impl<'a> EngineInput<'a> {
    /// Parses an input; `None` if it is too short.
    #[must_use]
    pub fn read(input: &'a [u8]) -> Option<Self> {
        let [engine, flags, bytes @ ..] = input else { return None };
        let engine = usize::from(*engine) % ENGINES.len();
        let objects = flags & OBJECTS != 0 && ENGINES[engine] == Reference::GODOT_4;
        Some(Self { engine, objects, bytes })
    }

    /// Returns the input for this question.
    ///
    /// # Panics
    /// If there is no engine with this index.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let engine = u8::try_from(self.engine).expect("one of a few engines");
        [&[engine, u8::from(self.objects)], self.bytes].concat()
    }
}
