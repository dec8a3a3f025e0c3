//! Iterates over the entries of a Dictionary.

use std::marker::PhantomData;

use godot::builtin::Variant;

use super::engine::engine;
use super::interface::DICTIONARY;
use super::layout::{KEY, NEXT, VALUE};
use super::view::{members, payload, size, type_of};

/// The entries of a Dictionary, in order.
#[derive(Clone)]
pub(crate) struct Entries<'v> {
    left: usize,
    source: Source<'v>,
}

#[derive(Clone)]
enum Source<'v> {
    /// The next entry in the engine's linked list.
    List(*const u8, PhantomData<&'v Variant>),
    /// Copies of keys and values, if the linked list is not as assumed.
    Copies(Box<Copies>),
}

#[derive(Clone)]
struct Copies {
    keys: Variant,
    values: Variant,
    at: usize,
}

impl<'v> Entries<'v> {
    pub(crate) fn of(dictionary: &'v Variant) -> Self {
        debug_assert_eq!(type_of(dictionary), DICTIONARY);
        // SAFETY: the payload of a Dictionary is a pointer to its memory. The position of the first entry in it was verified
        // when the library was loaded.
        unsafe {
            let place = payload::<*const u8>(dictionary, DICTIONARY);
            let left = size(place.cast(), DICTIONARY);
            if let Some(first) = engine().layout.first_entry {
                let first = place.read().add(first).cast::<*const u8>().read();
                return Self { left, source: Source::List(first, PhantomData) };
            }
            let copies = |method| dictionary.call(method, &[]);
            let copies = Copies { keys: copies("keys"), values: copies("values"), at: 0 };
            Self { left, source: Source::Copies(Box::new(copies)) }
        }
    }

    /// The number of entries that are left.
    pub(crate) const fn len(&self) -> usize {
        self.left
    }

    /// Returns the next key and value. Callers do not use them after the `Entries` is dropped: the stack of open containers
    /// closes inner ones first.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(&'v Variant, &'v Variant)> {
        self.left = self.left.checked_sub(1)?;
        match &mut self.source {
            Source::List(entry, _) => {
                if entry.is_null() {
                    return None;
                }
                // SAFETY: an entry of a dictionary that is borrowed for `'v`.
                unsafe {
                    let (key, value) = (entry.add(KEY).cast::<Variant>(), entry.add(VALUE).cast::<Variant>());
                    *entry = entry.add(NEXT).cast::<*const u8>().read();
                    Some((&*key, &*value))
                }
            }
            Source::Copies(copies) => {
                let Copies { keys, values, at } = &mut **copies;
                let index = *at;
                *at += 1;
                let (key, value) = members(keys).get(index).zip(members(values).get(index))?;
                // SAFETY: they are on the heap as long as the two Arrays live, which is as long as `self`.
                unsafe {
                    let (key, value): (*const Variant, *const Variant) = (key, value);
                    Some((&*key, &*value))
                }
            }
        }
    }
}
