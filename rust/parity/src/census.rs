//! What the engine counts, before and after.

use std::fmt;

use godot::classes::performance::Monitor;
use godot::classes::{Engine, Performance};
use godot::prelude::*;

/// What there is of each is counted to the last one. Memory is counted by builds of the engine for the editor and for
/// debugging; others say 0.
const COUNTS: [(Monitor, &str); 4] = [
    (Monitor::OBJECT_COUNT, "objects"),
    (Monitor::OBJECT_RESOURCE_COUNT, "resources"),
    (Monitor::OBJECT_ORPHAN_NODE_COUNT, "orphaned nodes"),
    (Monitor::MEMORY_STATIC, "bytes"),
];

/// How often something is done again before it is said to leave something behind. What the engine keeps for the next
/// time, such as a name, it keeps once.
const AGAIN: usize = 4;

/// Does something, and once more where more is there than before.
///
/// # Errors
/// What is more by every time it is done.
pub(crate) fn leaves_nothing<T>(mut body: impl FnMut() -> Result<T, String>) -> Result<T, String> {
    let mut before = Census::take();
    let mut result = body()?;
    let mut after = Census::take();
    for _ in 0..AGAIN {
        if !after.is_more_than(&before) {
            return Ok(result);
        }
        before = after;
        result = body()?;
        after = Census::take();
    }
    if after.is_more_than(&before) { Err(format!("left behind: {}", after.since(&before))) } else { Ok(result) }
}

/// How much there is.
struct Census([f64; COUNTS.len()]);

impl Census {
    fn take() -> Self {
        let performance = Performance::singleton();
        // An editor has threads of its own, whose memory is counted with that of everything else.
        let shares_memory = Engine::singleton().is_editor_hint();
        Self(COUNTS.map(|(monitor, _)| match monitor {
            Monitor::MEMORY_STATIC if shares_memory => 0.0,
            monitor => performance.get_monitor(monitor),
        }))
    }

    fn is_more_than(&self, before: &Self) -> bool {
        self.0.iter().zip(before.0).any(|(now, before)| *now > before)
    }

    /// What has come since.
    fn since(&self, before: &Self) -> impl fmt::Display {
        let all = COUNTS.iter().zip(self.0.iter().zip(before.0));
        let more = all.filter(|(_, (now, before))| **now > *before);
        more.map(|((_, name), (now, before))| format!("{} {name}", now - before)).collect::<Vec<_>>().join(", ")
    }
}
