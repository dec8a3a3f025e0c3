//! Values without members, including NaN payloads.

use arbitrary::Result;
use varbytes::variant::{Color, Image, InputEvent, InputEventKind, Modifiers, PackedReals, Reals, Signal};
use varbytes::{Variant, VariantType};

use super::Values;

impl Values<'_, '_> {
    pub(super) fn leaf(&mut self, variant_type: VariantType) -> Result<Variant> {
        let reals = variant_type.real_components();
        if reals > 0 {
            return self.reals(variant_type, reals);
        }
        let integers = variant_type.integer_components();
        if integers > 0 {
            let integers = (0..integers).map(|_| self.input.arbitrary()).collect::<Result<Vec<i32>>>()?;
            return Ok(Variant::from_integers(variant_type, &integers).expect("the number of components of the type"));
        }
        Ok(match variant_type {
            VariantType::Bool => Variant::Bool(self.input.arbitrary()?),
            VariantType::Int => Variant::Int(self.int()?),
            VariantType::Float => Variant::Float(self.float()?),
            VariantType::String => Variant::String(self.text()?),
            VariantType::StringName => Variant::StringName(self.text()?.into()),
            VariantType::Color => Variant::Color(self.color()?),
            VariantType::NodePath => self.node_path()?.into(),
            VariantType::RID if self.profile.has_rid_payload() => Variant::RID(self.input.arbitrary()?),
            VariantType::RID => Variant::RID(0),
            VariantType::Callable => Variant::Callable,
            VariantType::Signal => Signal { name: self.name()?, object_id: self.input.arbitrary()? }.into(),
            VariantType::Image => self.image()?.into(),
            VariantType::InputEvent => self.input_event()?.into(),
            VariantType::PackedByteArray => {
                Variant::PackedByteArray(self.many(|values| values.input.arbitrary())?.into())
            }
            VariantType::PackedInt32Array => {
                Variant::PackedInt32Array(self.many(|values| values.input.arbitrary())?.into())
            }
            VariantType::PackedInt64Array => {
                Variant::PackedInt64Array(self.many(|values| values.input.arbitrary())?.into())
            }
            VariantType::PackedFloat32Array => Variant::PackedFloat32Array(self.many(Self::single)?.into()),
            VariantType::PackedFloat64Array => Variant::PackedFloat64Array(self.many(Self::double)?.into()),
            VariantType::PackedStringArray => Variant::PackedStringArray(self.many(Self::text)?.into()),
            VariantType::PackedVector2Array => Variant::PackedVector2Array(self.vectors()?),
            VariantType::PackedVector3Array => Variant::PackedVector3Array(self.vectors()?),
            VariantType::PackedVector4Array => Variant::PackedVector4Array(self.vectors()?),
            VariantType::PackedColorArray => Variant::PackedColorArray(self.many(Self::color)?.into()),
            VariantType::PackedVector2iArray => Variant::PackedVector2iArray(self.integer_vectors::<2, _>()?.into()),
            VariantType::PackedVector3iArray => Variant::PackedVector3iArray(self.integer_vectors::<3, _>()?.into()),
            VariantType::PackedVector4iArray => Variant::PackedVector4iArray(self.integer_vectors::<4, _>()?.into()),
            VariantType::Nil => Variant::Nil,
            other => unreachable!("unknown leaf type {other}"),
        })
    }

    fn int(&mut self) -> Result<i64> {
        let short = self.is_godot_2() || self.input.arbitrary()?;
        if short { Ok(i64::from(self.input.arbitrary::<i32>()?)) } else { self.input.arbitrary() }
    }

    fn float(&mut self) -> Result<f64> {
        let short = self.is_godot_2() || self.input.arbitrary()?;
        if !short {
            return self.double();
        }
        let single = self.single()?;
        // A conversion may change the bits of a signalling NaN; a quiet NaN keeps them on every processor.
        Ok(f64::from(if single.is_nan() { f32::from_bits(single.to_bits() | 1 << 22) } else { single }))
    }

    fn single(&mut self) -> Result<f32> {
        Ok(f32::from_bits(self.input.arbitrary()?))
    }

    fn double(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.input.arbitrary()?))
    }

    fn color(&mut self) -> Result<Color> {
        Ok(Color::from([self.single()?, self.single()?, self.single()?, self.single()?]))
    }

    fn reals(&mut self, variant_type: VariantType, count: usize) -> Result<Variant> {
        let value = if self.profile.flags_wide(variant_type) && self.input.arbitrary()? {
            let components = (0..count).map(|_| self.double()).collect::<Result<Vec<_>>>()?;
            Variant::from_reals(variant_type, Reals::Double(&components))
        } else {
            let components = (0..count).map(|_| self.single()).collect::<Result<Vec<_>>>()?;
            Variant::from_reals(variant_type, Reals::Single(&components))
        };
        Ok(value.expect("the number of components of the type"))
    }

    fn vectors<const N: usize>(&mut self) -> Result<PackedReals<N>> {
        if self.profile.has_double_precision() && self.input.arbitrary()? {
            let vector = |values: &mut Self| Ok(values.input.arbitrary::<[u64; N]>()?.map(f64::from_bits));
            return Ok(PackedReals::from_f64_vec(self.many(vector)?));
        }
        let vector = |values: &mut Self| Ok(values.input.arbitrary::<[u32; N]>()?.map(f32::from_bits));
        Ok(self.many(vector)?.into())
    }

    fn integer_vectors<const N: usize, V: From<[i32; N]>>(&mut self) -> Result<Vec<V>> {
        self.many(|values| Ok(V::from(values.input.arbitrary()?)))
    }

    fn image(&mut self) -> Result<Image> {
        let data: Vec<u8> = self.many(|values| values.input.arbitrary())?;
        if data.is_empty() {
            return Ok(Image::default());
        }
        let format = self.input.int_in_range(0..=Image::FORMATS - 1)?;
        let [mipmaps, width, height] = self.input.arbitrary()?;
        Ok(Image { format, mipmaps, width, height, data })
    }

    fn input_event(&mut self) -> Result<InputEvent> {
        let word: u32 = self.input.arbitrary()?;
        let kind = match self.input.int_in_range(1..=9)? {
            1 => InputEventKind::Key { modifiers: Modifiers::from_mask(word), scancode: self.input.arbitrary()? },
            2 => InputEventKind::MouseMotion,
            3 => InputEventKind::MouseButton { button_index: word },
            4 => InputEventKind::JoyMotion { axis: word, value: self.single()? },
            5 => InputEventKind::JoyButton { button_index: word },
            6 => InputEventKind::ScreenTouch { index: word },
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            _ => InputEventKind::Other(word | 1 << 8),
        };
        Ok(InputEvent { device: self.input.arbitrary()?, kind })
    }
}
