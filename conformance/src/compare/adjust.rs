//! Adjusts values before a comparison: details that depend on one run or one engine are made the same.

use varbytes::Variant;
use varbytes::variant::{Array, ContainerType, Dictionary, Object, ObjectData, PackedReals, Reals};

/// Passes a value and all of its members to a function, each before its own members.
fn for_each(value: &mut Variant, mut visit: impl FnMut(&mut Variant)) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        visit(value);
        pending.extend(members_mut(value));
    }
}

/// Sets all instance ids of objects to the same id, because they change with every run.
pub fn erase_ids(value: &mut Variant) {
    const ERASED: u64 = 1;
    replace_ids(value, |_| Variant::Object(Object::Id(ERASED)));
    for_each(value, |value| match value {
        Variant::Signal(signal) if signal.object_id != 0 => signal.object_id = ERASED,
        _ => {}
    });
}

/// Replaces every object by id with the `EncodedObjectAsID` that an engine makes of it, as the engine writes it with
/// full objects.
pub fn replace_ids_by_objects(value: &mut Variant) {
    replace_ids(value, |id| {
        let id = ("object_id".to_owned(), Variant::Int(id.cast_signed()));
        let script = ("script".to_owned(), Variant::Nil);
        Variant::from(ObjectData { class: "EncodedObjectAsID".to_owned(), properties: vec![id, script] })
    });
}

pub(super) fn replace_ids(value: &mut Variant, replacement: impl Fn(u64) -> Variant) {
    replace_leaves(value, |leaf| match leaf {
        Variant::Object(Object::Id(id)) => Some(replacement(*id)),
        _ => None,
    });
}

/// Replaces values with the result of `replacement`, and does not enter replaced values.
pub(super) fn replace_leaves(value: &mut Variant, replacement: impl Fn(&Variant) -> Option<Variant>) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match replacement(value) {
            Some(new) => *value = new,
            None => pending.extend(members_mut(value)),
        }
    }
}

/// Changes every full object in a value.
pub fn change_objects(value: &mut Variant, change: &mut impl FnMut(&mut ObjectData)) {
    for_each(value, |value| {
        if let Variant::Object(Object::Data(data)) = value {
            change(data);
        }
    });
}

/// Changes the paths of all scripts in a value: those of objects, and those of typed containers.
pub fn change_scripts(value: &mut Variant, change: &mut impl FnMut(&mut String)) {
    fn changed(of: Option<&ContainerType>, change: &mut impl FnMut(&mut String)) -> Option<ContainerType> {
        let mut container_type = of?.clone();
        if let ContainerType::Script(path) = &mut container_type {
            change(path);
        }
        Some(container_type)
    }

    for_each(value, |value| match value {
        Variant::Array(array) => {
            let element_type = changed(array.element_type(), change);
            *array = Array::with_type_unchecked(element_type, std::mem::take(array).into_elements());
        }
        Variant::Dictionary(dictionary) => {
            let (key_type, value_type) =
                (changed(dictionary.key_type(), change), changed(dictionary.value_type(), change));
            *dictionary =
                Dictionary::with_types_unchecked(key_type, value_type, std::mem::take(dictionary).into_entries());
        }
        Variant::Object(Object::Data(data)) => {
            for (_, value) in data.properties.iter_mut().filter(|(name, _)| name == "script") {
                if let Variant::String(path) = value {
                    let mut text = path.as_str().to_owned();
                    change(&mut text);
                    *value = Variant::from(text);
                }
            }
        }
        _ => {}
    });
}

/// Returns the direct members of a value.
fn members(value: &Variant) -> Vec<&Variant> {
    match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.elements().iter().collect()
        }
        Variant::Dictionary(dictionary) => dictionary.entries().iter().flat_map(|(key, value)| [key, value]).collect(),
        Variant::Object(Object::Data(data)) => data.properties.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// Returns the direct members of a value, mutable.
pub(crate) fn members_mut(value: &mut Variant) -> Vec<&mut Variant> {
    match value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            array.elements_mut_unchecked().iter_mut().collect()
        }
        Variant::Dictionary(dictionary) => {
            dictionary.entries_mut_unchecked().iter_mut().flat_map(|(key, value)| [key, value]).collect()
        }
        Variant::Object(Object::Data(data)) => data.properties.iter_mut().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}

/// Replaces every key that Godot 3.2 does not find again with the text that it writes, and the value with null. Such a
/// key is an array of floats with a NaN, alone or in arrays. Returns whether there was one.
pub fn replace_lost_keys(value: &mut Variant) -> bool {
    let mut replaced = false;
    for_each(value, |value| {
        if let Variant::Dictionary(dictionary) = value {
            for entry in dictionary.entries_mut_unchecked() {
                if is_lost_key(&entry.0) {
                    *entry = (Variant::from("[Deleted Object]"), Variant::Nil);
                    replaced = true;
                }
            }
        }
    });
    replaced
}

fn is_lost_key(key: &Variant) -> bool {
    let mut pending = vec![key];
    while let Some(part) = pending.pop() {
        match part {
            Variant::PackedFloat32Array(elements) if elements.iter().any(|element| element.is_nan()) => return true,
            Variant::Array(array) => pending.extend(array.elements()),
            _ => {}
        }
    }
    false
}

/// Sorts the entries of dictionaries in `value` like those of `model` if they have the same keys: before Godot 3, the
/// order was that of a hash table.
pub fn order_entries_as(value: &mut Variant, model: &Variant) {
    let mut pending = vec![(value, model)];
    while let Some((value, model)) = pending.pop() {
        if let (Variant::Dictionary(dictionary), Variant::Dictionary(model)) = (&mut *value, model) {
            let place = |key: &Variant| model.entries().iter().position(|(other, _)| other.bit_eq(key));
            dictionary.entries_mut().sort_by_key(|(key, _)| place(key));
        }
        let models = members(model);
        pending.extend(members_mut(value).into_iter().zip(models));
    }
}

/// Makes empty packed arrays of vectors single precision, because their description has no component that shows the
/// precision.
pub fn forget_precision_of_empty(value: &mut Variant) {
    fn forget<const N: usize>(elements: &mut PackedReals<N>) {
        if elements.is_empty() {
            *elements = PackedReals::default();
        }
    }
    for_each(value, |value| match value {
        Variant::PackedVector2Array(elements) => forget(elements),
        Variant::PackedVector3Array(elements) => forget(elements),
        Variant::PackedVector4Array(elements) => forget(elements),
        _ => {}
    });
}

/// Gives every component 8 bytes, as an engine in double precision holds it; the codec keeps 4 bytes if the packet has 4.
pub fn widen(value: &mut Variant) {
    fn widen_vectors<const N: usize>(elements: &mut PackedReals<N>) {
        if let PackedReals::Single(single) = elements {
            let wide = single.iter().map(|vector| vector.map(f64::from)).collect();
            *elements = PackedReals::from_f64_vec(wide);
        }
    }
    for_each(value, |value| match value {
        Variant::PackedVector2Array(elements) => widen_vectors(elements),
        Variant::PackedVector3Array(elements) => widen_vectors(elements),
        Variant::PackedVector4Array(elements) => widen_vectors(elements),
        Variant::Color(_) => {}
        other => {
            if let Some(Reals::Single(components)) = other.as_reals() {
                let wide: Vec<f64> = components.iter().copied().map(f64::from).collect();
                if let Some(wide) = Variant::from_reals(other.variant_type(), Reals::Double(&wide)) {
                    *other = wide;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary(entries: &[(&Variant, i64)]) -> Variant {
        Variant::from(entries.iter().map(|(key, value)| ((*key).clone(), Variant::from(*value))).collect::<Vec<_>>())
    }

    #[test]
    fn keys_with_a_nan_in_an_array_of_floats_are_lost_and_no_others() {
        let lost = Variant::from(vec![f32::NAN]);
        let others = [Variant::from(f64::NAN), Variant::from(vec![0f32]), Variant::from(vec![Variant::from(f64::NAN)])];
        let [nan, zero, array] = &others;
        let inside = Variant::from(vec![lost.clone()]);
        let mut value = dictionary(&[(nan, 1), (&lost, 2), (zero, 3), (&inside, 4), (array, 5)]);
        assert!(replace_lost_keys(&mut value));
        let text = Variant::from("[Deleted Object]");
        let expected = [nan, &text, zero, &text, array].map(Clone::clone);
        let Variant::Dictionary(found) = &value else { panic!("{value:?}") };
        assert!(
            found.entries().iter().zip(&expected).all(|((found, _), expected)| found.bit_eq(expected)),
            "{value:?}"
        );
        assert!(!replace_lost_keys(&mut dictionary(&[(nan, 1), (zero, 3), (array, 5)])));
    }

    #[test]
    fn entries_are_put_into_the_order_of_others_at_every_depth() {
        let (a, b) = (Variant::from("a"), Variant::from("b"));
        let nested = |first: &Variant, second: &Variant| Variant::from(vec![dictionary(&[(first, 1), (second, 1)])]);
        let mut value = nested(&a, &b);
        order_entries_as(&mut value, &nested(&b, &a));
        assert!(value.bit_eq(&nested(&b, &a)), "{value:?}");
    }

    #[test]
    fn components_get_8_bytes_in_every_container_and_colours_keep_4() {
        use varbytes::variant::{Color, Vector2};

        let colour = Variant::from(Color::from([0.1, 0.2, 0.3, 1.0]));
        let narrow = Variant::from(Vector2::from([0.1_f32, 2.0]));
        let packed = Variant::PackedVector2Array(PackedReals::from(vec![[0.1_f32, 2.0]]));
        let mut value = Variant::from(vec![dictionary(&[(&narrow, 1)]), packed, colour.clone()]);
        widen(&mut value);
        let components = [f64::from(0.1_f32), 2.0];
        let wide = Variant::from(Vector2::from_f64_array(components));
        let packed = Variant::PackedVector2Array(PackedReals::from_f64_vec(vec![components]));
        assert!(value.bit_eq(&Variant::from(vec![dictionary(&[(&wide, 1)]), packed, colour])), "{value:?}");
    }
}
