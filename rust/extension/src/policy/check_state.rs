//! The state of a check of packets against a policy.

use crate::lookup_cache::LookupCache;

/// The state of a check, which the next one uses again.
#[derive(Default)]
pub(super) struct CheckState {
    /// What was accepted so far: most objects are of few classes.
    pub(super) classes: LookupCache<AcceptedClass>,
    /// Whether the script was named, for each object that is being read.
    pub(super) open: Vec<bool>,
}

/// What was accepted of a class that may be created.
#[derive(Default)]
pub(super) struct AcceptedClass {
    pub(super) without_script: Accepted,
    pub(super) with_script: LookupCache<Accepted>,
}

/// What was accepted of objects of one class and script.
#[derive(Default)]
pub(super) struct Accepted {
    pub(super) properties: LookupCache<()>,
    pub(super) is_complete: bool,
}
