//! Hashes of dictionary keys, used to find duplicates.
//!
//! Keys that the engine considers equal have the same hash. Keys that differ must have different hashes, except by
//! chance: if an attacker could create many different keys with one hash, comparing them would take quadratic time. So
//! values that never equal anything, such as an object or a NaN inside a key, get a unique hash each time.

use alloc::vec::Vec;

use super::compare::{COMPARED_LEVELS, HASHED_LEVELS, normalized};
use super::godot2::InputEventKind;
use super::hash::{Hash, seed};
use super::key_view::{KeyView, KeyVisit, KeyWalk};
use super::math::Reals;
use super::owned::{Object, Variant};
use super::short_text::ShortText;
use super::text::Text;
use super::view::View;
use crate::VariantType;
use crate::profile::KeyRules;
use crate::work;

/// The position of a value in a key, which decides what it equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyContext {
    /// It is a key of the dictionary or of one inside the key, or it is nested too deep to be compared.
    Key,
    /// It is a member of a container in the key: a `String` differs from a `StringName`, and a NaN from itself.
    Inside,
}

impl KeyContext {
    /// Returns the context of array members and dictionary values at `level`.
    pub(crate) const fn in_container(level: usize) -> Self {
        if level < COMPARED_LEVELS { Self::Inside } else { Self::Key }
    }
}

/// Computes the hashes of one packet.
#[derive(Clone, Debug)]
pub(crate) struct KeyHasher {
    rules: KeyRules,
    seed: Option<u64>,
    /// The number of unique hashes so far.
    distinct: u64,
}

impl KeyHasher {
    pub(crate) const fn new(rules: KeyRules) -> Self {
        Self { rules, seed: None, distinct: 0 }
    }

    pub(crate) const fn rules(&self) -> KeyRules {
        self.rules
    }

    #[inline]
    fn start(&mut self) -> Hash {
        Hash::new(*self.seed.get_or_insert_with(seed))
    }

    /// Returns a hash that no other value has.
    fn distinct(&mut self) -> u64 {
        self.distinct += 1;
        let mut hash = self.start();
        hash.word(u64::MAX);
        hash.word(self.distinct);
        hash.finish()
    }

    #[inline]
    pub(crate) fn text(&mut self, variant_type: VariantType, text: &[u8], context: KeyContext) -> u64 {
        let mut hash = self.start();
        if context == KeyContext::Inside || !self.rules.by_content {
            hash.word(variant_type as u64);
        }
        hash.text(text);
        hash.finish()
    }

    #[inline]
    pub(crate) fn text_key(&mut self, text: &[u8]) -> u64 {
        self.text(VariantType::String, text, KeyContext::Key)
    }

    #[inline]
    pub(crate) fn short_text_key(&mut self, text: ShortText) -> u64 {
        let mut hash = self.start();
        if !self.rules.by_content {
            hash.word(VariantType::String as u64);
        }
        hash.short_text(text);
        hash.finish()
    }

    #[inline]
    pub(crate) fn int(&mut self, value: i64) -> u64 {
        let mut hash = self.start();
        hash.word(VariantType::Int as u64);
        hash.word(value.cast_unsigned());
        hash.finish()
    }

    /// Returns the hash of a value that contains no others.
    pub(crate) fn leaf(&mut self, leaf: &Variant, context: KeyContext) -> u64 {
        match leaf.view() {
            View::Text(text) if text.is_unicode() => {
                return self.text(leaf.variant_type(), text.as_bytes(), context);
            }
            View::Int(value) => return self.int(value),
            View::Object(Object::Id(_)) | View::Image(_) => return self.distinct(),
            View::Float(number) if number.is_nan() && context == KeyContext::Inside && self.rules.by_content => {
                return self.distinct();
            }
            // `PackedFloat32Array`.
            View::PackedReals(Reals::Single(elements), 1) if !self.rules.by_content => return self.bits(elements),
            _ => {}
        }
        let mut hash = self.start();
        hash.word(leaf.variant_type() as u64);
        hash_content(&mut hash, leaf);
        hash.finish()
    }

    /// Returns the hash of numbers that are equal as keys if their bits are equal.
    fn bits(&mut self, elements: &[f32]) -> u64 {
        if !self.rules.packed_nan_equal && elements.iter().any(|element| element.is_nan()) {
            return self.distinct();
        }
        let mut hash = self.start();
        hash.word(VariantType::PackedFloat32Array as u64);
        elements.iter().for_each(|element| hash.word(u64::from(element.to_bits())));
        hash.finish()
    }

    /// Returns the hash of a container whose contents do not affect it: a container nested too deep hashes as nil, and
    /// one that never equals another gets a unique hash.
    fn hollow(&mut self, variant_type: VariantType, level: usize) -> Option<u64> {
        if level >= HASHED_LEVELS && self.rules.by_content {
            return Some(self.leaf(&Variant::Nil, KeyContext::Key));
        }
        match variant_type {
            VariantType::Object => Some(self.distinct()),
            VariantType::Dictionary if !self.rules.by_content => Some(self.distinct()),
            _ => None,
        }
    }

    /// Returns the hash of a container, computed from the hashes of its members.
    pub(crate) fn container(&mut self, container: &ContainerHash) -> u64 {
        if let Some(hash) = self.hollow(container.variant_type, container.level) {
            return hash;
        }
        let mut hash = self.start();
        hash.word(container.variant_type as u64);
        container.members.iter().for_each(|member| hash.word(*member));
        hash.word(container.members.len() as u64);
        hash.finish()
    }

    fn leaf_of(&mut self, leaf: KeyView<'_, '_>, context: KeyContext) -> u64 {
        match leaf.text() {
            Some(text) => self.text(leaf.variant_type(), text, context),
            None => self.leaf(&leaf.leaf(), context),
        }
    }

    /// Returns a hash of the first `steps` values in a key, limited to about 8 times as many bytes. Equal keys have
    /// equal prefixes.
    pub(crate) fn beginning(&mut self, key: KeyView<'_, '_>, steps: usize) -> u64 {
        let mut hash = self.start();
        let mut left = steps;
        let mut walk = KeyWalk::new(key);
        while left > 0
            && let Some(visit) = walk.next()
        {
            work::add(1);
            left -= 1;
            let level = walk.depth();
            match visit {
                KeyVisit::Leaf(leaf) => {
                    let weight = leaf.content_size() / size_of::<u64>();
                    let Some(rest) = left.checked_sub(weight) else {
                        hash.word(weight as u64);
                        break;
                    };
                    left = rest;
                    let context =
                        if level == 0 || walk.is_at_key() { KeyContext::Key } else { KeyContext::in_container(level) };
                    hash.word(self.leaf_of(leaf, context));
                }
                KeyVisit::Enter(container, count) => match self.hollow(container.variant_type(), level) {
                    Some(hollow) => {
                        walk.pass_over();
                        hash.word(hollow);
                    }
                    None => {
                        hash.word(container.variant_type() as u64);
                        hash.word(count as u64);
                    }
                },
                KeyVisit::Leave(..) => {}
            }
        }
        hash.finish()
    }

    /// Returns the hash of a tree at `level`: the same as when its parts are hashed while they are read. Contents that
    /// do not affect the hash are not visited.
    pub(crate) fn tree(&mut self, value: KeyView<'_, '_>, context: KeyContext, level: usize) -> u64 {
        // The hashes of values whose container is still open.
        let mut hashes = Vec::new();
        let mut walk = KeyWalk::new(value);
        while let Some(visit) = walk.next() {
            work::add(1);
            let depth = walk.depth();
            let hash = match visit {
                KeyVisit::Leaf(leaf) if depth == 0 => self.leaf_of(leaf, context),
                KeyVisit::Leaf(leaf) if walk.is_at_key() => self.leaf_of(leaf, KeyContext::Key),
                KeyVisit::Leaf(leaf) => self.leaf_of(leaf, KeyContext::in_container(level + depth - 1)),
                KeyVisit::Enter(container, _) => match self.hollow(container.variant_type(), level + depth - 1) {
                    Some(hash) => {
                        walk.pass_over();
                        hash
                    }
                    None => continue,
                },
                KeyVisit::Leave(container, count) => {
                    let members = hashes.split_off(hashes.len() - count);
                    let variant_type = container.variant_type();
                    self.container(&ContainerHash { variant_type, level: level + depth, members })
                }
            };
            hashes.push(hash);
        }
        hashes.pop().unwrap_or_default()
    }
}

/// The hashes of the members of a container in a key.
#[derive(Clone, Debug)]
pub(crate) struct ContainerHash {
    variant_type: VariantType,
    /// The level, 1 for the outermost container of the key.
    pub(crate) level: usize,
    /// The hashes of the members kept so far; keys and values alternate.
    members: Vec<u64>,
}

impl ContainerHash {
    pub(crate) fn new(variant_type: VariantType, level: usize) -> Self {
        Self { variant_type, level, members: Vec::new() }
    }

    /// The same for a container of another type.
    pub(crate) fn of_type(self, variant_type: VariantType) -> Self {
        Self { variant_type, ..self }
    }

    pub(crate) fn push(&mut self, member: u64) {
        self.members.push(member);
    }

    /// Adds an entry, or replaces the value of an earlier duplicate key.
    pub(crate) fn push_entry(&mut self, key: u64, value: u64, earlier: Option<usize>) {
        match earlier.and_then(|earlier| self.members.get_mut(earlier * 2 + 1)) {
            Some(place) => *place = value,
            None => self.members.extend([key, value]),
        }
    }
}

/// Returns a hash of the content of a leaf that is the same in every run, for use inside another hash.
pub(super) fn content_hash(leaf: &Variant) -> u64 {
    let mut hash = Hash::new(0);
    hash_content(&mut hash, leaf);
    hash.finish()
}

/// Adds the content of a leaf to the hash, the same for numbers that are equal as keys.
fn hash_content(hash: &mut Hash, leaf: &Variant) {
    match leaf.view() {
        View::Bool(value) => hash.word(u64::from(value)),
        View::Float(value) => hash.word(normalized(value)),
        View::Reals(reals) | View::PackedReals(reals, _) => hash_reals(hash, reals),
        View::Integers(integers) => hash_integers(hash, integers.as_slice()),
        View::Color(color) => hash_reals(hash, Reals::Single(&color.to_array())),
        View::NodePath(path) => {
            hash.word(u64::from(path.absolute));
            hash.word(path.names.len() as u64);
            path.names.iter().chain(&path.subnames).chain(&path.property).for_each(|name| hash_text(hash, name));
        }
        View::Text(text) => hash_text(hash, text),
        View::Rid(id) => hash.word(id),
        View::Signal(signal) => {
            hash.text(signal.name.as_bytes());
            hash.word(signal.object_id);
        }
        View::PackedBytes(elements) => hash.bytes(elements),
        View::PackedInt64s(elements) => elements.iter().for_each(|element| hash.word(element.cast_unsigned())),
        View::PackedIntegers(elements) => elements.for_each(|element| hash_integers(hash, element)),
        View::PackedColors(elements) => {
            elements.iter().for_each(|element| hash_reals(hash, Reals::Single(&element.to_array())));
        }
        View::PackedTexts(elements) => elements.iter().for_each(|element| hash_text(hash, element)),
        View::InputEvent(event) => {
            hash.word(u64::from(event.device));
            hash.word(u64::from(event.kind.number()));
            hash.word(event.kind.named_number().map_or(0, |(_, number)| u64::from(number)));
            match event.kind {
                InputEventKind::Key { modifiers, .. } => hash.word(u64::from(modifiers.mask())),
                InputEventKind::JoyMotion { value, .. } => hash.word(normalized(f64::from(value))),
                _ => {}
            }
        }
        _ => {}
    }
}

fn hash_text(hash: &mut Hash, text: &Text) {
    match text.units() {
        None => hash.text(text.as_bytes()),
        Some(units) => {
            units.iter().for_each(|unit| hash.word(u64::from(*unit)));
            hash.word(units.len() as u64);
        }
    }
}

fn hash_integers(hash: &mut Hash, integers: &[i32]) {
    integers.iter().for_each(|integer| hash.word(u64::from(integer.cast_unsigned())));
}

fn hash_reals(hash: &mut Hash, reals: Reals<'_>) {
    (0..reals.len()).for_each(|index| hash.word(normalized(reals.at(index))));
}
