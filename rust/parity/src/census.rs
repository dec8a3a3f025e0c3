//! Detects leaks by the engine's own counters.

use std::fmt;

use godot::classes::performance::Monitor;
use godot::classes::{Engine, Performance};
use godot::prelude::*;

/// The counters, all of them exact. Only editor and debug builds of the engine count memory; others return 0.
const COUNTS: [(Monitor, &str); 4] = [
    (Monitor::OBJECT_COUNT, "objects"),
    (Monitor::OBJECT_RESOURCE_COUNT, "resources"),
    (Monitor::OBJECT_ORPHAN_NODE_COUNT, "orphaned nodes"),
    (Monitor::MEMORY_STATIC, "bytes"),
];

/// How often a call is repeated before it counts as a leak. The engine keeps some things, such as names, after the first
/// call only.
const AGAIN: usize = 4;

/// Calls `body`, and repeats it if a counter is higher than before.
///
/// # Errors
/// Returns the error of `body`, or the counters that grew with every call.
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
    if after.is_more_than(&before) { Err(format!("leaked: {}", after.since(&before))) } else { Ok(result) }
}

/// The values of the counters.
struct Census([f64; COUNTS.len()]);

impl Census {
    fn take() -> Self {
        let performance = Performance::singleton();
        // The editor has other threads, whose memory is counted too.
        let shares_memory = Engine::singleton().is_editor_hint();
        Self(COUNTS.map(|(monitor, _)| match monitor {
            Monitor::MEMORY_STATIC if shares_memory => 0.0,
            monitor => performance.get_monitor(monitor),
        }))
    }

    fn is_more_than(&self, before: &Self) -> bool {
        self.0.iter().zip(before.0).any(|(now, before)| *now > before)
    }

    /// Returns the counters that grew since `before`.
    fn since(&self, before: &Self) -> impl fmt::Display {
        let all = COUNTS.iter().zip(self.0.iter().zip(before.0));
        let more = all.filter(|(_, (now, before))| **now > *before);
        more.map(|((_, name), (now, before))| format!("{} {name}", now - before)).collect::<Vec<_>>().join(", ")
    }
}
