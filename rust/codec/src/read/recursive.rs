//! Reads arrays, dictionaries and full objects at low depth by recursion, and their members with the fast path. Anything else is
//! left to the iterative slow path.

use crate::build::builder::Builder;
use crate::coerce::member::Member;
use crate::error::DecodeError;
use crate::path::Step;
use crate::profile::ObjectForms;
use crate::read::destination::Return;
use crate::read::frame::Frame;
use crate::read::input::Item;
use crate::read::machine::Reader;
use crate::types::array::ArrayFrame;
use crate::types::container::TypedContainer;
use crate::types::dictionary::{DictionaryFrame, Pending};
use crate::wire::WORD;
use crate::{VariantType, work};

impl<'a, B: Builder<'a>> Reader<'a, '_, B> {
    /// Reads one value and returns the number of bytes it took, including padding that may be missing at the end.
    #[inline(always)]
    pub(crate) fn read(&mut self) -> Result<(B::Value, usize), DecodeError> {
        match self.read_outermost() {
            Ok(value) => Ok((value, self.input.cursor.position())),
            Err(error) => Err(error.reverse_path()),
        }
    }

    #[inline(always)]
    fn read_outermost(&mut self) -> Result<B::Value, DecodeError> {
        self.input.charge(const { B::COSTS.value }, 0)?;
        if self.input.has_fast_path() {
            if let Some(container) = self.next_recursive() {
                return self.read_recursive(container);
            }
            if let Ok(value) = self.input.read_fast_value(Return) {
                work::count_fast_value();
                return Ok(value);
            }
            return self.read_typed_or_iterative();
        }
        self.read_iterative(None).map(|item| item.value)
    }

    /// Reads the next value, which the fast path cannot read.
    fn read_recursive_or_iterative(&mut self) -> Result<B::Value, DecodeError> {
        match self.next_recursive() {
            Some(container) => self.read_recursive(container),
            None => self.read_typed_or_iterative(),
        }
    }

    /// Reads the next value, which is neither an untyped container nor one that the fast path can read.
    #[inline]
    fn read_typed_or_iterative(&mut self) -> Result<B::Value, DecodeError> {
        if self.next_recursive_typed().is_some() {
            return self.read_recursive_typed();
        }
        if self.next_is_recursive_object() {
            return self.read_recursive_object();
        }
        self.read_iterative(None).map(|item| item.value)
    }

    /// Reads the next value if it is read by recursion.
    #[inline]
    pub(crate) fn read_recursive_item(&mut self) -> Result<Option<Item<B::Value>>, DecodeError> {
        let start = self.input.cursor.position();
        let (value, variant_type) = if let Some(container) = self.next_recursive() {
            let variant_type = if container.0 { VariantType::Array } else { VariantType::Dictionary };
            (self.read_recursive(container)?, variant_type)
        } else if let Some(variant_type) = self.next_recursive_typed() {
            (self.read_recursive_typed()?, variant_type)
        } else if self.next_is_recursive_object() {
            (self.read_recursive_object()?, VariantType::Object)
        } else {
            return Ok(None);
        };
        Ok(Some(Item { value, variant_type, is_object_id: false, start, hash: 0 }))
    }

    /// Returns the next value if it is an untyped array or dictionary that is read by recursion: whether it is an array, and
    /// its count.
    #[inline]
    pub(crate) fn next_recursive(&self) -> Option<(bool, u32)> {
        if self.depth() < self.recursive_levels { self.input.next_plain_container() } else { None }
    }

    /// Returns the type of the next value, if it is a typed array or dictionary that is read by recursion. Not its types: to pass
    /// them on in memory takes longer than to read them again.
    #[inline]
    fn next_recursive_typed(&self) -> Option<VariantType> {
        if self.depth() < self.recursive_levels {
            self.input.next_typed_container().map(TypedContainer::variant_type)
        } else {
            None
        }
    }

    /// Returns whether the next value is a full object that is read by recursion.
    #[inline]
    fn next_is_recursive_object(&self) -> bool {
        let input = &self.input;
        input.options.objects
            && input.next_is_full_object()
            && input.options.profile.objects() != ObjectForms::HeaderAlone
            && input.cursor.remaining() >= WORD
            && self.depth() < self.recursive_levels
    }

    /// Reads what [`next_recursive`](Self::next_recursive) has returned. The result is that of the function that reads it, not
    /// a part of it: to copy what was just written would make the processor wait.
    #[inline]
    pub(crate) fn read_recursive(&mut self, (is_array, count): (bool, u32)) -> Result<B::Value, DecodeError> {
        if self.depth() > 0 {
            self.input.reserved_bytes = self.input.reserved_bytes.saturating_sub(WORD);
        }
        let start = self.input.cursor.position();
        self.input.cursor.advance(2 * WORD);
        match is_array {
            true => self.read_recursive_array(count, start),
            false => self.read_recursive_dictionary(count, start),
        }
    }

    fn read_recursive_array(&mut self, count: u32, start: usize) -> Result<B::Value, DecodeError> {
        let frame = self.input.begin_plain_array(count, start)?;
        self.read_elements(frame, Member::Any)
    }

    fn read_recursive_dictionary(&mut self, count: u32, start: usize) -> Result<B::Value, DecodeError> {
        let frame = self.input.begin_plain_dictionary(count, start)?;
        self.read_entries::<false>(frame)
    }

    /// Reads what [`next_recursive_typed`](Self::next_recursive_typed) has found.
    #[inline(never)]
    fn read_recursive_typed(&mut self) -> Result<B::Value, DecodeError> {
        let Some(container) = self.input.next_typed_container() else {
            return self.read_iterative(None).map(|item| item.value);
        };
        work::add(1);
        if self.depth() > 0 {
            self.input.reserved_bytes = self.input.reserved_bytes.saturating_sub(WORD);
        }
        let start = self.input.cursor.position();
        self.input.cursor.advance(WORD);
        if container.is_array {
            let member = self.input.member_of(container.types[0]);
            let frame = self.input.begin_typed_array(container, start)?;
            return self.read_elements(frame, member);
        }
        let frame = self.input.begin_typed_dictionary(container, start)?;
        self.read_entries::<true>(frame)
    }

    /// Reads the elements of an array that requires `member` of them.
    #[inline(always)]
    fn read_elements(&mut self, mut frame: ArrayFrame<'a, B>, member: Member) -> Result<B::Value, DecodeError> {
        self.recursive += 1;
        while !frame.members.is_complete() {
            self.input
                .read_fast_elements(&mut frame.array, &mut frame.members, member)
                .map_err(|error| error.within(Step::Index(frame.members.read)))?;
            if frame.members.is_complete() {
                break;
            }
            if member != Member::Any && !self.input.next_is_exactly(member) {
                return self.read_rest(Frame::Array(frame));
            }
            let start = self.input.cursor.position();
            let read = self.read_recursive_or_iterative().and_then(|value| {
                self.input.builder.push_element(&mut frame.array, value).map_err(DecodeError::at(start))
            });
            read.map_err(|error| error.within(Step::Index(frame.members.read)))?;
            frame.members.read += 1;
        }
        self.recursive -= 1;
        frame.close(&mut self.input).map(|item| item.value)
    }

    /// Leaves the remaining members of a container to the slow path.
    fn read_rest(&mut self, frame: Frame<'a, B>) -> Result<B::Value, DecodeError> {
        self.recursive -= 1;
        self.read_iterative(Some(frame)).map(|item| item.value)
    }

    #[inline(always)]
    fn read_entries<const TYPED: bool>(&mut self, mut frame: DictionaryFrame<'a, B>) -> Result<B::Value, DecodeError> {
        let types = if TYPED { (frame.key_member, frame.value_member) } else { (Member::Any, Member::Any) };
        self.recursive += 1;
        while !frame.members.is_complete() {
            let mut pending = None;
            self.input
                .read_fast_entries::<TYPED, false>(frame.entries(), types, |builder, key, key_start| {
                    pending = Some((key.build(builder), key_start));
                })
                .map_err(|error| error.within(Step::Key(frame.members.read)))?;
            if frame.members.is_complete() {
                break;
            }
            if TYPED {
                frame.members.memory_left = self.input.memory_for_values();
            }
            let Some((key, key_start)) = pending else {
                // A key that the fast path cannot read, or that may be a duplicate.
                return self.read_rest(Frame::Dictionary(frame));
            };
            if types.1 != Member::Any && !self.input.next_is_exactly(types.1) {
                frame.pending = Some(Pending { key, key_start, dropped: false, hash: 0, earlier: None });
                return self.read_rest(Frame::Dictionary(frame));
            }
            let member = self.input.cursor.position();
            let read = self.read_recursive_or_iterative().and_then(|value| {
                let pushed = self.input.builder.push_entry(&mut frame.dictionary, key, value, None);
                pushed.map_err(DecodeError::at(member))
            });
            read.map_err(|error| error.within(self.step_to_value(frame.members.read, key_start)))?;
            frame.members.read += 1;
            if !frame.members.is_complete() {
                self.input.builder.begin_entry();
            }
        }
        self.recursive -= 1;
        frame.close(&mut self.input).map(|item| item.value)
    }

    /// Reads members of a typed container until one needs the slow path. The container is not on the stack.
    #[inline(never)]
    pub(crate) fn read_typed_members(&mut self, frame: &mut Frame<'a, B>) -> Result<(), DecodeError> {
        loop {
            self.input.read_fast_members_of(frame)?;
            let member = match frame {
                Frame::Array(frame) => frame.member,
                Frame::Dictionary(frame) if frame.pending.is_some() => frame.value_member,
                _ => return Ok(()),
            };
            if frame.members().is_complete() || !self.input.next_is_exactly(member) {
                return Ok(());
            }
            self.recursive += 1;
            let Some(container) = self.next_recursive() else {
                self.recursive -= 1;
                return Ok(());
            };
            let start = self.input.cursor.position();
            let value = self.read_recursive(container)?;
            self.recursive -= 1;
            match frame {
                Frame::Array(frame) => frame.add_fitting(&mut self.input, value, start)?,
                Frame::Dictionary(frame) => frame.add_value(&mut self.input, value, start, 0)?,
                Frame::Object(_) => {}
            }
        }
    }

    /// Reads what [`next_is_recursive_object`](Self::next_is_recursive_object) has found.
    #[inline(never)]
    fn read_recursive_object(&mut self) -> Result<B::Value, DecodeError> {
        work::add(1);
        if self.depth() > 0 {
            self.input.reserved_bytes = self.input.reserved_bytes.saturating_sub(WORD);
        }
        let start = self.input.cursor.position();
        self.input.cursor.advance(WORD);
        let Some(mut frame) = self.input.open_object(start, None)? else {
            return Ok(self.input.builder.null_object());
        };
        self.recursive += 1;
        if !frame.members.is_complete() {
            frame.read_name(&mut self.input).map_err(|error| error.within(frame.step()))?;
        }
        while !frame.members.is_complete() {
            self.input.read_fast_properties(&mut frame).map_err(|error| error.within(frame.step()))?;
            if frame.members.is_complete() {
                break;
            }
            let read = self.read_recursive_item().transpose().unwrap_or_else(|| self.read_iterative(None));
            let added = read.and_then(|item| frame.add(&mut self.input, item));
            added.map_err(|error| error.within(frame.step()))?;
        }
        self.recursive -= 1;
        frame.close(&mut self.input).map(|item| item.value)
    }
}
