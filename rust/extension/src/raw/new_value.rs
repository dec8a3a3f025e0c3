//! A new value before it is added to its container.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::num::NonZeroU64;
use std::ops::{Deref, DerefMut};

use godot::builtin::Variant;

use super::engine::engine;
use super::interface::{ARRAY, BYTES, DICTIONARY, NODE_PATH, STRING, STRING_NAME};
use super::layout::{PAYLOAD, assemble};
use super::view::{owns_nothing, type_of};

/// A value as two words, type and payload. They are passed in registers, while a Variant is copied through memory at every
/// step. Values with a payload of more than twelve bytes are on the heap, and so are all values if the layout is not as
/// assumed.
pub(crate) struct NewValue {
    /// The lower half is the type plus one, the upper half the last four of twelve bytes of payload. [`ON_HEAP`] if the payload
    /// is the address of a Variant.
    kind: NonZeroU64,
    payload: u64,
    /// Makes the type `!Send`: values of the engine stay in the thread that created them.
    not_send: PhantomData<*const ()>,
}

const ON_HEAP: NonZeroU64 = NonZeroU64::new(u32::MAX as u64).unwrap();
/// The last kind that owns nothing: `float`.
const LAST_PLAIN: u64 = 4;

impl NewValue {
    /// Creates a value of a type whose payload is one word.
    ///
    /// # Safety
    /// The layout must have been verified for assembled Variants and for the payload of this type. Nothing else may own what
    /// the payload owns.
    #[inline(always)]
    pub(super) unsafe fn of_parts(variant_type: usize, payload: u64) -> Self {
        Self { kind: NonZeroU64::MIN.saturating_add(variant_type as u64), payload, not_send: PhantomData }
    }

    /// Creates a value of a type whose payload is three words of 32 bits.
    ///
    /// # Safety
    /// As for [`of_parts`](Self::of_parts).
    #[inline(always)]
    pub(super) unsafe fn of_words(variant_type: usize, words: [u32; 3]) -> Self {
        let kind = NonZeroU64::MIN.saturating_add(variant_type as u64) | u64::from(words[2]) << 32;
        Self { kind, payload: u64::from(words[0]) | u64::from(words[1]) << 32, not_send: PhantomData }
    }

    /// Takes the value of a Variant, which is not moved: avoids a store-forwarding stall if the engine has just written it.
    ///
    /// # Safety
    /// The Variant must not be used or dropped after that.
    #[inline(always)]
    pub(super) unsafe fn taken(variant: &Variant) -> Self {
        let (layout, variant_type) = (&engine().layout, type_of(variant));
        let place: *const Variant = variant;
        let is_word = match variant_type {
            STRING | STRING_NAME | NODE_PATH | DICTIONARY | ARRAY => layout.in_place[variant_type],
            BYTES.. => layout.packed_in_word,
            _ => false,
        };
        // SAFETY: verified when the library was loaded. By the caller, the value has one owner.
        unsafe {
            if layout.assembled && is_word {
                Self::of_parts(variant_type, place.byte_add(PAYLOAD).cast::<u64>().read())
            } else {
                let moved = Box::into_raw(Box::new(place.read()));
                Self { kind: ON_HEAP, payload: moved as u64, not_send: PhantomData }
            }
        }
    }

    /// The number of the type.
    #[inline(always)]
    const fn variant_type(&self) -> u64 {
        (self.kind.get() & 0xFFFF_FFFF) - 1
    }

    /// The payload's second word.
    #[inline(always)]
    const fn second(&self) -> u64 {
        self.kind.get() >> 32
    }

    /// Returns the value as a Variant.
    #[inline(always)]
    pub(crate) fn into_variant(self) -> Variant {
        let taken = ManuallyDrop::new(self);
        // SAFETY: `taken` is not used again.
        unsafe { taken.variant() }
    }

    /// Writes the value to a place, word by word, as it was just written: avoids a store-forwarding stall.
    ///
    /// # Safety
    /// There must be space for a Variant. An existing Variant is not dropped.
    #[inline(always)]
    pub(super) unsafe fn write_to(self, place: *mut Variant) {
        // SAFETY: by the caller. A Variant is these three words, as verified when the library was loaded.
        unsafe {
            if self.kind == ON_HEAP {
                place.write(self.into_variant());
            } else {
                let taken = ManuallyDrop::new(self);
                place.cast::<[u64; 3]>().write([taken.variant_type(), taken.payload, taken.second()]);
            }
        }
    }

    /// Writes the value over the result of a call, which is null at first: null owns nothing and does not have to be dropped.
    ///
    /// # Safety
    /// A Variant must be there.
    #[inline(always)]
    pub(super) unsafe fn write_over(self, place: *mut Variant) {
        // SAFETY: by the caller.
        unsafe {
            if type_of(&*place) == 0 {
                self.write_to(place);
            } else {
                *place = self.into_variant();
            }
        }
    }

    /// Writes the value over another one, and returns that.
    #[inline(always)]
    pub(crate) fn replace(self, place: &mut Variant) -> LazyVariant {
        let place: *mut Variant = place;
        // SAFETY: the old value is read once before it is overwritten.
        unsafe {
            let old = LazyVariant::new(place.read());
            self.write_to(place);
            old
        }
    }

    /// # Safety
    /// The value must not be used or dropped after that.
    #[inline(always)]
    unsafe fn variant(&self) -> Variant {
        // SAFETY: the words come from one of the constructors above.
        unsafe {
            if self.kind == ON_HEAP {
                return *Box::from_raw(self.payload as *mut Variant);
            }
            let words = [(self.payload & 0xFFFF_FFFF) as u32, (self.payload >> 32) as u32, self.second() as u32, 0];
            assemble(self.variant_type() as usize, words)
        }
    }
}

impl From<Variant> for NewValue {
    #[inline]
    fn from(variant: Variant) -> Self {
        // SAFETY: the Variant is not used again.
        unsafe { Self::taken(&ManuallyDrop::new(variant)) }
    }
}

impl Drop for NewValue {
    #[inline(always)]
    fn drop(&mut self) {
        if self.kind.get() > LAST_PLAIN {
            drop_owned(self);
        }
    }
}

#[cold]
fn drop_owned(made: &NewValue) {
    // SAFETY: it is being dropped.
    unsafe { drop(made.variant()) };
}

/// A Variant that is dropped without a call of the engine if it owns nothing, and that is not moved for that.
pub(crate) struct LazyVariant(ManuallyDrop<Variant>);

impl LazyVariant {
    #[inline(always)]
    pub(crate) fn new(value: Variant) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl DerefMut for LazyVariant {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Variant {
        &mut self.0
    }
}

impl Deref for LazyVariant {
    type Target = Variant;

    #[inline(always)]
    fn deref(&self) -> &Variant {
        &self.0
    }
}

impl Drop for LazyVariant {
    #[inline(always)]
    fn drop(&mut self) {
        if !owns_nothing(&self.0) {
            // SAFETY: it is being dropped.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// Does not compile if `NewValue` is `Send`: the implementation would be ambiguous.
const _: fn() = || {
    trait IsNotSend<Which> {
        fn holds() {}
    }
    struct IfSend;
    impl<T> IsNotSend<()> for T {}
    impl<T: Send> IsNotSend<IfSend> for T {}
    <NewValue as IsNotSend<_>>::holds();
};
