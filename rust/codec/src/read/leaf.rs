//! Reads a value that holds no others, of any type.

use crate::VariantType;
use crate::build::builder::Builder;
use crate::error::DecodeError;
use crate::profile::ObjectForms;
use crate::read::input::Input;
use crate::wire::{FLAG_OBJECT_ID, TYPE_MASK, WORD};

impl<'a, B: Builder<'a>> Input<'a, '_, B> {
    /// Reads the next value if it is of a fixed size, a `NodePath`, or a packed array. Otherwise, and if it is malformed or exceeds a
    /// limit, reads nothing and returns `None`. The caller then needs the slow path.
    #[inline(always)]
    pub(crate) fn read_simple_leaf(&mut self) -> Option<B::Value> {
        let header = self.cursor.window().header();
        if [self.plain_headers.array, self.plain_headers.dictionary].contains(&header) {
            return None;
        }
        self.read_simple_leaf_of(header)
    }

    #[inline(never)]
    fn read_simple_leaf_of(&mut self, header: u32) -> Option<B::Value> {
        let variant_type = self.options.profile.type_of_header(header)?;
        if let Some(value) = self.read_plain_packed(variant_type, header) {
            return Some(value);
        }
        match variant_type {
            VariantType::Array
            | VariantType::Dictionary
            | VariantType::TypedArray
            | VariantType::PackedTypedArray
            | VariantType::Object
            | VariantType::String
            | VariantType::StringName
            | VariantType::Image
            | VariantType::InputEvent => return None,
            VariantType::PackedByteArray if !self.next_bytes_are_complete() => return None,
            _ => {}
        }
        let (start, limits) = (self.cursor.position(), self.limits_left());
        self.cursor.u32().ok()?;
        match self.read_leaf(variant_type, header & !TYPE_MASK, start) {
            Ok(Some((value, _))) => Some(value),
            _ => {
                self.cursor = self.cursor.at(start);
                self.set_limits_left(limits);
                None
            }
        }
    }

    /// Returns whether the input holds the bytes of the next `PackedByteArray` and its padding. Engines accept one whose
    /// padding is missing.
    #[inline(always)]
    fn next_bytes_are_complete(&self) -> bool {
        let window = self.cursor.window();
        let length = window.payload() as usize;
        length
            .checked_next_multiple_of(WORD)
            .and_then(|length| length.checked_add(2 * WORD))
            .is_some_and(|size| window.has(size))
    }

    /// Reads a value after its header, and returns whether it is an object that is known only by its id. Reads nothing
    /// and returns `None` for a container, and for an object that is not in the id form.
    #[inline(always)]
    pub(crate) fn read_leaf(
        &mut self,
        variant_type: VariantType,
        flags: u32,
        start: usize,
    ) -> Result<Option<(B::Value, bool)>, DecodeError> {
        let mut is_object_id = false;
        let value = match variant_type {
            VariantType::Nil => self.builder.nil(),
            VariantType::Bool => self.read_bool()?,
            VariantType::Int => self.read_int(flags)?,
            VariantType::Float => self.read_float(flags)?,
            VariantType::String | VariantType::StringName => self.read_string(variant_type)?,
            VariantType::Color => self.read_color()?,
            VariantType::NodePath => self.read_node_path()?,
            VariantType::RID => self.read_rid()?,
            VariantType::Callable => {
                self.charge(const { B::COSTS.callable }, 0)?;
                self.builder.callable()
            }
            VariantType::Signal => self.read_signal()?,
            VariantType::Image => self.read_image()?,
            VariantType::InputEvent => self.read_input_event()?,
            VariantType::Object if self.options.profile.objects() == ObjectForms::HeaderAlone => {
                self.builder.null_object()
            }
            VariantType::Object if flags & FLAG_OBJECT_ID != 0 => {
                let (value, is_id) = self.read_object_id(start)?;
                is_object_id = is_id;
                value
            }
            VariantType::Array
            | VariantType::Dictionary
            | VariantType::TypedArray
            | VariantType::PackedTypedArray
            | VariantType::Object => return Ok(None),
            VariantType::PackedByteArray => self.read_packed_bytes()?,
            VariantType::PackedStringArray => self.read_packed_strings()?,
            // The usual ones, before the shapes of all types are asked for.
            VariantType::PackedInt32Array
            | VariantType::PackedInt64Array
            | VariantType::PackedFloat32Array
            | VariantType::PackedFloat64Array
            | VariantType::PackedVector2Array
            | VariantType::PackedVector3Array
            | VariantType::PackedVector4Array
            | VariantType::PackedColorArray => self.read_packed_numbers(variant_type, flags)?,
            _ if variant_type.real_components() > 0 => self.read_reals(variant_type, flags)?,
            _ if variant_type.integer_components() > 0 => self.read_integers(variant_type)?,
            _ => self.read_packed_numbers(variant_type, flags)?,
        };
        Ok(Some((value, is_object_id)))
    }
}
