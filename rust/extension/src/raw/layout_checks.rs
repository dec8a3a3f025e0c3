//! The checks that decide which assumptions about the engine's memory hold. They compare it with the answers of the official interface,
//! once, when the library is loaded.

use godot::builtin::{PackedArray, VarDictionary, Variant};
use godot::meta::PackedElement;
use godot::prelude::*;
use godot::sys;

use super::array_members::ArrayMembers;
use super::interface::{BYTES, CALLABLE, DICTIONARY, Interface, SIGNAL, TYPES};
use super::layout::{ELEMENTS, KEY, Layout, NEXT, PAYLOAD, PREVIOUS, VALUE, assemble};
use super::member_types::MemberTypes;

/// Returns the assumptions that hold in the running engine.
pub(super) fn verified(interface: &Interface) -> Layout {
    // The assumptions are about 64-bit builds. In others, such as the web build, they are not even checked.
    if size_of::<usize>() != 8 {
        return Layout::UNKNOWN;
    }
    let samples = samples();
    let typed = samples.iter().all(|sample| {
        // SAFETY: a live Variant.
        let official = unsafe { sys::interface_fn!(variant_get_type)(sample.var_sys()) };
        first_word(sample) == official.cast_unsigned()
    });
    let mut in_place = [false; TYPES];
    let mut boxed = [false; TYPES];
    for sample in samples.iter().filter(|sample| !sample.is_nil()) {
        let variant_type = sample.get_type().ord as usize;
        let base: *const Variant = sample;
        // SAFETY: the getter belongs to the type of the sample.
        let payload = unsafe { interface.payload[variant_type](sample.var_sys().cast_mut()) };
        in_place[variant_type] = payload as usize == base as usize + PAYLOAD;
        // SAFETY: a Variant has eight more bytes there. They are compared with the engine's own answer.
        boxed[variant_type] = unsafe { base.byte_add(PAYLOAD).cast::<usize>().read() } == payload as usize;
    }
    in_place[CALLABLE] = typed && in_place[CALLABLE] && verify_null_callable();
    in_place[SIGNAL] = typed && in_place[SIGNAL] && verify_signal();
    Layout {
        typed,
        in_place,
        boxed,
        assembled: typed && verify_assembled(&in_place),
        packed_in_word: typed
            && samples.iter().filter(|sample| sample.get_type().ord as usize >= BYTES).all(is_in_word),
        string_length: verify_string_length(),
        name_text: verify_name_text(),
        packed_length: verify_packed_length(),
        packed_references: verify_packed_references(interface),
        array_members: ArrayMembers::verify(interface),
        first_entry: verify_entries(interface),
        member_types: MemberTypes::verify(interface),
        reference_count: verify_reference_count(),
        disabled: Vec::new(),
    }
    .with_disabled()
}

fn first_word(variant: &Variant) -> u32 {
    let variant: *const Variant = variant;
    // SAFETY: a Variant has at least four bytes, which the engine has initialized.
    unsafe { variant.cast::<u32>().read() }
}

/// Returns one value of every type.
fn samples() -> Vec<Variant> {
    vec![
        Variant::nil(),
        true.to_variant(),
        (-7_i64).to_variant(),
        0.5_f64.to_variant(),
        "text".to_variant(),
        Vector2::ONE.to_variant(),
        Vector2i::ONE.to_variant(),
        Rect2::default().to_variant(),
        Rect2i::default().to_variant(),
        Vector3::ONE.to_variant(),
        Vector3i::ONE.to_variant(),
        Transform2D::IDENTITY.to_variant(),
        Vector4::ONE.to_variant(),
        Vector4i::ONE.to_variant(),
        Plane::invalid().to_variant(),
        Quaternion::default().to_variant(),
        Aabb::default().to_variant(),
        Basis::IDENTITY.to_variant(),
        Transform3D::IDENTITY.to_variant(),
        Projection::IDENTITY.to_variant(),
        Color::WHITE.to_variant(),
        StringName::from("name").to_variant(),
        NodePath::from("a/b").to_variant(),
        Rid::new(7).to_variant(),
        RefCounted::new_gd().to_variant(),
        Callable::invalid().to_variant(),
        Signal::invalid().to_variant(),
        VarDictionary::new().to_variant(),
        VarArray::new().to_variant(),
        PackedByteArray::from([1]).to_variant(),
        PackedInt32Array::from([1]).to_variant(),
        PackedInt64Array::from([1]).to_variant(),
        PackedFloat32Array::from([1.0]).to_variant(),
        PackedFloat64Array::from([1.0]).to_variant(),
        PackedStringArray::from([GString::from("a")]).to_variant(),
        PackedVector2Array::from([Vector2::ONE]).to_variant(),
        PackedVector3Array::from([Vector3::ONE]).to_variant(),
        PackedColorArray::from([Color::WHITE]).to_variant(),
        PackedVector4Array::from([Vector4::ONE]).to_variant(),
    ]
}

/// Returns whether assembled Variants of types that own nothing equal the engine's.
fn verify_assembled(in_place: &[bool; TYPES]) -> bool {
    let half = 0.5_f32.to_bits();
    let one = 1.0_f32.to_bits();
    let plain: [(Variant, [u32; 4]); 6] = [
        (true.to_variant(), [1, 0, 0, 0]),
        ((-7_i64).to_variant(), [7_u32.wrapping_neg(), u32::MAX, 0, 0]),
        (0.5_f64.to_variant(), [0, 0x3FE0_0000, 0, 0]),
        (Vector3::new(0.5, 1.0, 0.5).to_variant(), [half, one, half, 0]),
        (Vector4i::new(1, -1, 3, 4).to_variant(), [1, u32::MAX, 3, 4]),
        (Rid::new(7).to_variant(), [7, 0, 0, 0]),
    ];
    plain.iter().all(|(expected, words)| {
        // SAFETY: these types own nothing, and their payload is in place.
        in_place[expected.get_type().ord as usize] && unsafe { equals_assembled(expected, *words) }
    })
}

/// Returns whether an assembled `Callable` of nothing equals the engine's.
fn verify_null_callable() -> bool {
    let callable = Callable::from_object_method(&RefCounted::new_gd(), "get_class");
    // SAFETY: zeros are not pointers that the engine would follow.
    unsafe {
        equals_assembled(&Callable::invalid().to_variant(), [0; 4]) && !equals_assembled(&callable.to_variant(), [0; 4])
    }
}

/// Returns whether an assembled `Signal` equals the engine's, and differs if its name or the id of its object does.
fn verify_signal() -> bool {
    let object = RefCounted::new_gd();
    let name = StringName::from("script_changed");
    let place: *const StringName = &raw const name;
    let halves = |word: u64| [word as u32, (word >> 32) as u32];
    let [c, d] = halves(object.instance_id().to_i64().cast_unsigned());
    let signal = Signal::from_object_signal(&object, &name).to_variant();
    // SAFETY: a StringName is one pointer, and this one lives until the end. The engine compares names by their pointers.
    unsafe {
        let [a, b] = halves(place.cast::<u64>().read());
        equals_assembled(&Signal::invalid().to_variant(), [0; 4])
            && equals_assembled(&signal, [a, b, c, d])
            && !equals_assembled(&signal, [0, 0, c, d])
            && !equals_assembled(&signal, [a, b, 0, 0])
    }
}

/// Returns whether a Variant that is assembled from these words equals one of the engine, of the same type.
///
/// # Safety
/// As for [`assemble`], but something else may own what the words own: the Variant is not dropped.
unsafe fn equals_assembled(expected: &Variant, words: [u32; 4]) -> bool {
    // SAFETY: by the caller.
    let assembled = std::mem::ManuallyDrop::new(unsafe { assemble(expected.get_type().ord as usize, words) });
    // SAFETY: both are Variants of the engine's size. The official comparison is exact and compares types.
    unsafe { sys::interface_fn!(variant_hash_compare)(assembled.var_sys(), expected.var_sys()) != 0 }
}

/// Returns whether the last word of this Variant does not matter.
fn is_in_word(sample: &Variant) -> bool {
    const { assert!(size_of::<Variant>() == 3 * size_of::<u64>()) };
    let mut copy = sample.clone();
    let last: *mut u64 = (&raw mut copy).cast::<u64>().wrapping_add(2);
    // SAFETY: the word is a part of the copy, and has its own value again when the copy is dropped. The official comparison
    // only reads.
    unsafe {
        let before = last.read();
        let is_equal = [0, u64::MAX].into_iter().all(|other| {
            last.write(other);
            sys::interface_fn!(variant_hash_compare)(copy.var_sys(), sample.var_sys()) != 0
        });
        last.write(before);
        is_equal
    }
}

/// Lengths to try: near the sizes at which engines allocate more memory, and far from them.
const LENGTHS: [usize; 12] = [1, 2, 3, 5, 8, 9, 17, 31, 32, 33, 100, 5000];

/// Returns the distance from the length to the first element: 8 or 16 bytes, whichever holds for every sample. If both do,
/// the samples do not distinguish the length from the capacity, and neither is used.
fn only_place(holds: impl Fn(usize) -> bool) -> Option<usize> {
    match [8, 16].map(holds) {
        [true, false] => Some(8),
        [false, true] => Some(16),
        _ => None,
    }
}

/// Returns four Strings for each length: created at once, grown by one character at a time, shortened by a little, and
/// shortened by a lot. All but the first have more capacity than they need.
fn sample_strings() -> Vec<GString> {
    let made = |length: usize| GString::from("é".repeat(length).as_str());
    let resize = |string: &mut GString, length: usize| {
        // SAFETY: a live String. The length includes the NUL.
        unsafe { sys::interface_fn!(string_resize)(string.string_sys_mut(), length as i64 + 1) };
    };
    LENGTHS
        .iter()
        .flat_map(|&length| {
            let mut grown = GString::new();
            // SAFETY: a live String.
            (0..length).for_each(|_| unsafe {
                sys::interface_fn!(string_operator_plus_eq_char)(grown.string_sys_mut(), u32::from('x'));
            });
            let (mut shrunk, mut shrunk_much) = (made(length + 1), made(4 * length + 7));
            resize(&mut shrunk, length);
            resize(&mut shrunk_much, length);
            [made(length), grown, shrunk, shrunk_much]
        })
        .collect()
}

/// Returns the distance from the length of a String to its characters, if a String is the pointer to them, and null without characters.
fn verify_string_length() -> Option<usize> {
    let texts = sample_strings();
    let empty: *const GString = &GString::new();
    // SAFETY: as below.
    if unsafe { !empty.cast::<*const u8>().read().is_null() } {
        return None;
    }
    // More references to the same characters: the reference count must not be mistaken for the length.
    let shared = texts.clone();
    only_place(|before| {
        texts.iter().chain(&shared).all(|text| {
            // SAFETY: a String is at least as large as a pointer. A non-empty one points to characters. Its memory begins at
            // least 16 bytes before them with the reference count, the length and, in some engines, the capacity.
            unsafe {
                let string: *const GString = text;
                let first = string.cast::<*const u8>().read();
                let official = sys::interface_fn!(string_operator_index_const)(text.string_sys(), 0);
                first == official.cast() && first.sub(before).cast::<u64>().read_unaligned() == text.len() as u64 + 1
            }
        })
    })
}

/// Returns packed arrays that were created in the same four ways.
fn sample_arrays() -> Vec<PackedByteArray> {
    let made = |length: usize| PackedByteArray::from(vec![7; length]);
    LENGTHS
        .iter()
        .flat_map(|&length| {
            let mut grown = PackedByteArray::new();
            (0..length).for_each(|_| grown.push(7));
            let (mut shrunk, mut shrunk_much) = (made(length + 1), made(4 * length + 7));
            shrunk.resize(length);
            shrunk_much.resize(length);
            [made(length), grown, shrunk, shrunk_much]
        })
        .collect()
}

fn verify_name_text() -> Option<usize> {
    const { assert!(size_of::<StringName>() == size_of::<usize>() && size_of::<GString>() == size_of::<usize>()) };
    /// The data begins with two counts of 4 bytes. The String is followed by two links and a hash.
    const PLACES: [usize; 3] = [8, 16, 24];
    let names = ["name", "Object", "another name that is longer", "ü"].map(StringName::from);
    let empty = StringName::default();
    let data = |name: &StringName| {
        let place: *const StringName = name;
        // SAFETY: a StringName is one pointer.
        unsafe { place.cast::<*const u8>().read() }
    };
    PLACES.into_iter().find(|place| {
        data(&empty).is_null()
            && names.iter().all(|name| {
                let text = GString::from(name);
                let text: *const GString = &raw const text;
                // SAFETY: a String is one pointer, shared with that of the name. The data of a name is larger than the
                // places that are read.
                unsafe { data(name).byte_add(*place).cast::<usize>().read() == text.cast::<usize>().read() }
            })
    })
}

/// Returns the second word of a packed array: the pointer to its elements, or null if it has none.
fn elements<T: PackedElement>(array: &PackedArray<T>) -> *const T {
    const { assert!(size_of::<PackedArray<T>>() == ELEMENTS + size_of::<usize>()) };
    let array: *const PackedArray<T> = array;
    // SAFETY: a packed array takes two words, as the engine's API description says.
    unsafe { array.byte_add(ELEMENTS).cast::<*const T>().read() }
}

/// Returns whether a packed array has the pointer to its elements in its second word, null if it has none, and their number that many
/// bytes before the first.
fn has_elements_at_place<T: PackedElement + Clone>(element: T, before: usize) -> bool {
    const COUNT: usize = 3;
    let mut array = PackedArray::<T>::new();
    let is_null_first = elements(&array).is_null();
    array.resize(COUNT);
    array.as_mut_slice().fill(element);
    let first = elements(&array);
    // SAFETY: if this is the official address of the first element, the memory begins at least 16 bytes before it, as that of a
    // String does.
    is_null_first && first == array.as_slice().as_ptr() && unsafe { count_before(first.cast(), before) } == COUNT
}

/// # Safety
/// There must be so many bytes before the address, at least eight.
unsafe fn count_before(first: *const u8, before: usize) -> usize {
    // SAFETY: by the caller.
    unsafe { first.sub(before).cast::<u64>().read_unaligned() as usize }
}

fn verify_packed_length() -> Option<usize> {
    let arrays = sample_arrays();
    let shared = arrays.clone();
    only_place(|before| {
        let of_types = [
            has_elements_at_place(0_u8, before),
            has_elements_at_place(0_i32, before),
            has_elements_at_place(0_i64, before),
            has_elements_at_place(0_f32, before),
            has_elements_at_place(0_f64, before),
            has_elements_at_place(Vector2::ZERO, before),
            has_elements_at_place(Vector3::ZERO, before),
            has_elements_at_place(Color::WHITE, before),
            has_elements_at_place(Vector4::ZERO, before),
            has_elements_at_place(GString::new(), before),
        ];
        !of_types.contains(&false)
            && arrays.iter().chain(&shared).all(|array| {
                let first = elements(array);
                // SAFETY: this is the official address of the first element, see above.
                unsafe {
                    let place: *const PackedByteArray = array;
                    let official = sys::interface_fn!(packed_byte_array_operator_index_const)(place.cast(), 0);
                    first == official && count_before(first, before) == array.len()
                }
            })
    })
}

/// Returns the distance from the number of Variants that share a packed array to the array.
fn verify_packed_references(interface: &Interface) -> Option<usize> {
    let of_types = samples().into_iter().skip(BYTES);
    let arrays = sample_arrays().into_iter().map(|array| array.to_variant()).chain(of_types);
    let count = |array: &Variant, before: usize| {
        // SAFETY: the getter belongs to the type. The array is allocated with a pointer and a count before it, which are at least
        // twelve bytes.
        unsafe {
            let place = interface.payload[array.get_type().ord as usize](array.var_sys().cast_mut());
            place.cast::<u8>().cast_const().sub(before).cast::<u32>().read_volatile()
        }
    };
    let counts: Vec<[Vec<u32>; 3]> = arrays
        .map(|array| {
            let all = || [4, 8, 12].map(|before| count(&array, before)).to_vec();
            let first = all();
            let more = [array.clone(), array.clone()];
            let shared = all();
            drop(more);
            [first, shared, all()]
        })
        .collect();
    (0..3)
        .find(|index| counts.iter().all(|counts| counts.each_ref().map(|all| all[*index]) == [1, 3, 1]))
        .map(|index| 4 * (index + 1))
}

/// Returns the number of words in the memory of an object before its reference count. Those of a changed object must differ from
/// those of a new one, and those of an object that was only used must not.
fn verify_reference_count() -> Option<usize> {
    let changes: [fn(&mut Gd<RefCounted>); 3] = [
        |object| object.set_meta("key", &true.to_variant()),
        |object| {
            let callable = Callable::from_object_method(object, "get_class");
            let _ = object.connect("script_changed", &callable);
        },
        |object| object.set_block_signals(true),
    ];
    let mut found = changes.iter().map(|change| {
        let mut object = RefCounted::new_gd();
        let words = reference_count(&object)?;
        let new = words_of(&object, words);
        let used = [object.clone().upcast::<Object>().get_class().to_variant(), object.to_variant()];
        drop(used);
        let unchanged = words_of(&object, words) == new;
        if is_copied_without_references(&object, words) {
            return None;
        }
        change(&mut object);
        (unchanged && words_of(&object, words) != new).then_some(words)
    });
    let first = found.next()??;
    found.all(|words| words == Some(first)).then_some(first)
}

/// Returns the index of the word that counts the references to an object.
fn reference_count(object: &Gd<RefCounted>) -> Option<usize> {
    /// More than the members of an object take. The search does not get there, because every object has a reference count.
    const WORDS: usize = 256;
    (0..WORDS).find(|index| {
        let count = || words_of(object, index + 1)[*index];
        let before = count();
        let more = [object.clone(), object.clone()];
        let with_more = count();
        drop(more);
        (before, with_more, count()) == (1, 3, 1)
    })
}

/// Returns whether the engine copies a reference to an object that it takes for one that is being freed. `words` are those before
/// the reference count.
fn is_copied_without_references(object: &Gd<RefCounted>, words: usize) -> bool {
    let original = object.to_variant();
    let count: *mut u32 = object.obj_sys().cast::<u32>().wrapping_add(words);
    // SAFETY: this word counts the references, and nothing else uses the object. It has the right number again before any is dropped.
    let copy = unsafe {
        count.write_volatile(0);
        let copy = original.clone();
        count.write_volatile(count.read_volatile() + 2);
        copy
    };
    copy.object_id_unchecked().is_some()
}

/// Returns the first words in the memory of an object.
fn words_of(object: &Gd<RefCounted>, words: usize) -> Vec<u32> {
    let memory: *const u32 = object.obj_sys().cast_const().cast();
    // SAFETY: an object has members up to its reference count, and nothing else uses this one.
    (0..words).map(|index| unsafe { memory.add(index).read_volatile() }).collect()
}

fn verify_entries(interface: &Interface) -> Option<usize> {
    let mut filled = Vec::new();
    for size in [1_i64, 2, 5, 40, 200] {
        let mut dictionary = VarDictionary::new();
        for key in 0..size {
            if key % 3 == 0 {
                dictionary.set(&GString::from(format!("key {key}").as_str()), key)
            } else {
                dictionary.set(key, key)
            }
        }
        // A removed key must not appear.
        dictionary.set("gone", 1);
        dictionary.remove("gone");
        filled.push(dictionary);
    }
    let mut erased = filled.pop()?;
    erased.remove("key 0");
    filled.push(erased);
    let empty = VarDictionary::new().to_variant();
    let memory = |dictionary: &Variant| {
        // SAFETY: the getter returns the address of a Dictionary, which is a pointer to its memory. That memory holds a hash
        // map and two container types, so its first ten words may be read.
        unsafe {
            let place = interface.payload[DICTIONARY](dictionary.var_sys().cast_mut());
            place.cast::<*const usize>().read()
        }
    };
    (0..10).map(|word| word * size_of::<usize>()).find(|place| {
        // SAFETY: as above.
        let first = |dictionary: &Variant| unsafe { memory(dictionary).byte_add(*place).read() };
        first(&empty) == 0
            && filled.iter().all(|dictionary| {
                let variant = dictionary.to_variant();
                is_entry_list(interface, first(&variant), &variant, dictionary)
            })
    })
}

/// Returns whether the linked list that begins at `first` has the entries of a dictionary at their official addresses.
fn is_entry_list(interface: &Interface, first: usize, variant: &Variant, dictionary: &VarDictionary) -> bool {
    let keys = dictionary.keys_array();
    let entries: Vec<usize> = keys
        .iter_shared()
        .map(|key| {
            // SAFETY: the address of a Dictionary and a live key in it.
            unsafe {
                let place = interface.payload[DICTIONARY](variant.var_sys().cast_mut());
                let value =
                    sys::interface_fn!(dictionary_operator_index_const)(place.cast_const().cast(), key.var_sys());
                value as usize - VALUE
            }
        })
        .collect();
    if entries.first() != Some(&first) {
        return false;
    }
    entries.iter().zip(keys.iter_shared()).enumerate().all(|(index, (entry, key))| {
        let entry = *entry as *const u8;
        // SAFETY: the official address of the value is at `VALUE`. If the assumption holds, the key and the two links before it
        // belong to the same allocation. The links are compared first, and the key is passed to the engine only if both are the
        // official addresses.
        unsafe {
            let next = entry.add(NEXT).cast::<usize>().read();
            let previous = entry.add(PREVIOUS).cast::<usize>().read();
            let links = next == entries.get(index + 1).copied().unwrap_or(0)
                && previous == index.checked_sub(1).map_or(0, |before| entries[before]);
            links && sys::interface_fn!(variant_hash_compare)(entry.add(KEY).cast(), key.var_sys()) != 0
        }
    })
}
