//! The engine's functions that are called for single values, fetched once.

use godot::builtin::StringName;
use godot::sys;

/// The number of Variant types this crate knows; every engine it runs on has all of them.
pub(super) const TYPES: usize = 39;

/// The engine's hashes of signatures, here of methods without arguments that return an `int`. If the signature of a method
/// changes, its hash changes, so the method is not found instead of being called with wrong arguments.
const RETURNS_INT: i64 = 3_173_160_232;
const RETURNS_BOOL: i64 = 3_918_633_141;
const RETURNS_NAME: i64 = 1_825_232_092;
const RETURNS_VARIANT: i64 = 1_460_142_086;
const RESIZE: i64 = 848_867_239;
const DECODE_VAR: i64 = 1_740_420_038;
const CLEAR: i64 = 3_218_959_716;
const ASSIGN_DICTIONARY: i64 = 3_642_266_950;
const PUSH_BACK: i64 = 3_316_032_543;

pub(super) type Getter = unsafe extern "C" fn(sys::GDExtensionVariantPtr) -> *mut std::ffi::c_void;
pub(super) type FromType = unsafe extern "C" fn(sys::GDExtensionUninitializedVariantPtr, sys::GDExtensionTypePtr);
pub(super) type Constructor =
    unsafe extern "C" fn(sys::GDExtensionUninitializedTypePtr, *const sys::GDExtensionConstTypePtr);
pub(super) type Destructor = unsafe extern "C" fn(sys::GDExtensionTypePtr);
pub(super) type Call =
    unsafe extern "C" fn(sys::GDExtensionTypePtr, *const sys::GDExtensionConstTypePtr, sys::GDExtensionTypePtr, i32);

/// The engine's functions.
pub(super) struct Interface {
    /// Returns the address of the payload in a Variant, by type.
    pub(super) payload: [Getter; TYPES],
    /// Creates a Variant from a payload, by type.
    pub(super) from_type: [FromType; TYPES],
    /// The default constructors, copy constructors and destructors of `Dictionary` and `Array`.
    pub(super) construct: [Constructor; 2],
    pub(super) copy: [Constructor; 2],
    pub(super) destroy: [Destructor; 2],
    /// `size` and `resize` of the packed arrays, by type.
    pub(super) size: [Option<Call>; TYPES],
    pub(super) resize: [Option<Call>; TYPES],
    /// `PackedByteArray.decode_var`.
    pub(super) decode_var: Option<Call>,
    /// `Dictionary.assign` and `Dictionary.clear`.
    pub(super) dictionary_assign: Option<Call>,
    pub(super) dictionary_clear: Option<Call>,
    pub(super) array_push_back: Call,
    pub(super) array_is_typed: Call,
    pub(super) array_type: [Call; 3],
    pub(super) dictionary_is_typed: Call,
    pub(super) dictionary_key_type: [Call; 3],
    pub(super) dictionary_value_type: [Call; 3],
}

impl Interface {
    /// Fetches all functions.
    ///
    /// # Errors
    /// Returns a description of the first function that the engine lacks.
    pub(super) fn fetch() -> Result<Self, String> {
        let mut payload = Vec::with_capacity(TYPES);
        let mut from_type = Vec::with_capacity(TYPES);
        let mut size = [None; TYPES];
        let mut resize = [None; TYPES];
        for variant_type in 0..TYPES {
            // Null has no payload, and the engine has no function for it.
            let of_type = variant_type.max(1) as sys::GDExtensionVariantType;
            let missing = |what: &str| format!("{what} of type {of_type}");
            // SAFETY: the interface is initialized before this is called, and the types are valid Variant types.
            unsafe {
                let getter = sys::interface_fn!(variant_get_ptr_internal_getter)(of_type);
                payload.push(getter.ok_or_else(|| missing("the getter of the payload"))?);
                let from = sys::interface_fn!(get_variant_from_type_constructor)(of_type);
                from_type.push(from.ok_or_else(|| missing("the constructor of a Variant"))?);
            }
            if is_sized(variant_type) {
                size[variant_type] = Some(method(variant_type, "size", RETURNS_INT)?);
            }
            if is_sized(variant_type) && variant_type != DICTIONARY {
                resize[variant_type] = Some(method(variant_type, "resize", RESIZE)?);
            }
        }
        let of_every_type = |_| "a type of value".to_owned();
        Ok(Self {
            payload: payload.try_into().map_err(|_| ()).map_err(of_every_type)?,
            from_type: from_type.try_into().map_err(|_| ()).map_err(of_every_type)?,
            construct: [constructor(DICTIONARY, 0)?, constructor(ARRAY, 0)?],
            copy: [constructor(DICTIONARY, 1)?, constructor(ARRAY, 1)?],
            destroy: [destructor(DICTIONARY)?, destructor(ARRAY)?],
            size,
            resize,
            // Without it, values are read by this library alone.
            decode_var: method(BYTES, "decode_var", DECODE_VAR).ok(),
            // Without them, no space is reserved.
            dictionary_assign: method(DICTIONARY, "assign", ASSIGN_DICTIONARY).ok(),
            dictionary_clear: method(DICTIONARY, "clear", CLEAR).ok(),
            array_push_back: method(ARRAY, "push_back", PUSH_BACK)?,
            array_is_typed: method(ARRAY, "is_typed", RETURNS_BOOL)?,
            array_type: type_methods(ARRAY, "")?,
            dictionary_is_typed: method(DICTIONARY, "is_typed", RETURNS_BOOL)?,
            dictionary_key_type: type_methods(DICTIONARY, "key_")?,
            dictionary_value_type: type_methods(DICTIONARY, "value_")?,
        })
    }
}

pub(super) const BOOL: usize = 1;
pub(super) const INT: usize = 2;
pub(super) const STRING: usize = 4;
pub(super) const STRING_NAME: usize = 21;
pub(super) const NODE_PATH: usize = 22;
pub(super) const RID: usize = 23;
pub(super) const OBJECT: usize = 24;
pub(super) const CALLABLE: usize = 25;
pub(super) const SIGNAL: usize = 26;
pub(super) const DICTIONARY: usize = 27;
pub(super) const ARRAY: usize = 28;
pub(super) const BYTES: usize = 29;
pub(super) const STRINGS: usize = 34;

const fn is_sized(variant_type: usize) -> bool {
    variant_type >= DICTIONARY
}

/// Fetches `get_typed_builtin`, `get_typed_class_name` and `get_typed_script` of a container.
fn type_methods(variant_type: usize, member: &str) -> Result<[Call; 3], String> {
    Ok([
        method(variant_type, &format!("get_typed_{member}builtin"), RETURNS_INT)?,
        method(variant_type, &format!("get_typed_{member}class_name"), RETURNS_NAME)?,
        method(variant_type, &format!("get_typed_{member}script"), RETURNS_VARIANT)?,
    ])
}

/// Fetches a constructor: 0 is the default constructor, 1 the copy constructor.
fn constructor(variant_type: usize, number: i32) -> Result<Constructor, String> {
    let engine_type = variant_type as sys::GDExtensionVariantType;
    // SAFETY: as above.
    let found = unsafe { sys::interface_fn!(variant_get_ptr_constructor)(engine_type, number) };
    found.ok_or_else(|| format!("constructor {number} of type {variant_type}"))
}

fn destructor(variant_type: usize) -> Result<Destructor, String> {
    // SAFETY: as above.
    let found = unsafe { sys::interface_fn!(variant_get_ptr_destructor)(variant_type as sys::GDExtensionVariantType) };
    found.ok_or_else(|| format!("the destructor of type {variant_type}"))
}

fn method(variant_type: usize, name: &str, hash: i64) -> Result<Call, String> {
    let method = StringName::from(name);
    let engine_type = variant_type as sys::GDExtensionVariantType;
    // SAFETY: as above; the name is a live StringName.
    let found = unsafe { sys::interface_fn!(variant_get_ptr_builtin_method)(engine_type, method.string_sys(), hash) };
    found.ok_or_else(|| format!("the method {name} of type {variant_type} with the signature of Godot 4.4"))
}
