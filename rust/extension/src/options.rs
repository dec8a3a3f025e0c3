//! The class `VarBytesOptions`.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::GString;
use godot::classes::{IResource, Resource};
use godot::prelude::*;
use varbytes::Limits;

use crate::allowed_list::AllowedList;
use crate::decode::{ReadObjects, ReadOptions};
use crate::error::report;
use crate::other_engine::{self, suggestions};
use crate::policy::Policy;
use crate::raw::Watched;

/// Options for [VarBytes], [VarBytesFile] and [VarBytesStream]: allowed objects, limits, and how strictly bytes are checked.
///
/// The defaults are safe for bytes that you do not trust: objects are refused, and memory is limited by the number of bytes.
/// This is a [Resource]: you can edit it in the inspector, save it, and use it for many calls. The limits are those of reading;
/// nothing limits what is written.
/// ```gdscript
/// var options := VarBytesOptions.new()
/// options.allow_objects = true
/// options.allowed_classes = {"Resource": ["*"]}
/// options.allowed_scripts = {"res://items/item.gd": ["*"]}
/// options.max_memory = 1_000_000
/// var result := VarBytes.decode(packet, options)
/// ```
#[derive(GodotClass)]
#[class(init, base = Resource, tool)]
pub struct VarBytesOptions {
    /// If [code]true[/code], objects of [member allowed_classes] and [member allowed_scripts] are read and written in full,
    /// with class and properties. If [code]false[/code], bytes with full objects are refused, and objects are written as
    /// their ids, which mean nothing in another run, whatever the lists name. If they name any, [member VarBytesResult.losses] then says
    /// that objects became ids.
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes_with_objects(Gradient.new())
    /// var options := VarBytesOptions.new()
    /// print(VarBytes.decode(bytes, options).ok) # Prints false
    /// options.allow_objects = true
    /// options.allowed_classes = {"Gradient": ["*"]}
    /// print(VarBytes.decode(bytes, options).ok) # Prints true
    /// ```
    #[export_group(name = "Objects")]
    #[export]
    #[var(set = set_allow_objects)]
    pub allow_objects: bool,
    /// The allowed classes. Each key is the name of a class, and its value lists the properties that may be set.
    ///
    /// - [code]"*"[/code] stands for all properties that the engine stores.
    /// - It does not cover properties that open a file, an address or a camera, or contain a scene, an expression, SVG or shader code, such as
    ///   [member Shader.code], [code]CompressedTexture2D.load_path[/code] and [member FontFile.data], nor
    ///   [member Translation.plural_rules_override], nor what the options of VarBytes and of [SceneMultiplayer] allow. List them by name. If such a property does not have its default value, the
    ///   object is not written.
    /// - It does not cover what [method ClassDB.class_get_property_list] does not have, such as the tracks and markers of an
    ///   [Animation] ([code]tracks/0/type[/code], [code]markers[/code]), the items of a [Theme], or the parameters of a [ShaderMaterial].
    ///   An object with such a property is not written unless it is listed by name. If its script has
    ///   [method Object._get_property_list], the property is omitted instead.
    /// - It does not cover metadata, which is omitted when an object is written, and refused in bytes. List each by name, such as
    ///   [code]metadata/level[/code]. The editor adds [code]metadata/_custom_type_script[/code] to resources whose script has a
    ///   [code]class_name[/code]: list it to read what [method FileAccess.store_var] wrote of them.
    /// - An object without a property that is listed by name is not written. Metadata and other names with a slash may be missing.
    /// - Other properties that the lists do not cover are omitted when an object is written.
    ///
    /// Classes that inherit from a listed class are not allowed unless they are listed too. Scripts, singletons, and classes
    /// that are not [RefCounted] are never allowed. You can assign any [Dictionary] of names and lists of names;
    /// another prints an error and changes nothing.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.allow_objects = true
    /// options.allowed_classes = {"Gradient": ["*"], "Resource": ["resource_name"]}
    /// ```
    #[export]
    #[var(set = set_allowed_classes)]
    pub allowed_classes: AllowedList,
    /// The scripts that objects may have. Each key is the path of a script, which begins with [code]res://[/code], or its unique
    /// id, which begins with [code]uid://[/code] and is replaced by the path. Its value lists the properties of the script or its
    /// base scripts that may be set.
    ///
    /// - [code]"*"[/code] stands for all that they declare and store, such as those with [code]@export[/code]. A property that is listed
    ///   by name is also written if it is not stored, and can be one of [method Object._get_property_list].
    /// - A script is allowed for objects of the class that it extends, even if that class is not listed, and for objects of listed classes
    ///   that inherit from it. To allow properties of the class itself, use [member allowed_classes]. If the class and the script both
    ///   have a property of the same name, both must list it.
    /// - Objects of abstract scripts and of those whose [code]_init[/code] requires arguments are refused; such scripts can still be the
    ///   type of an [Array] or [Dictionary].
    /// - A script that is only the type of an [Array] or [Dictionary] must be listed too, unless a listed script extends it.
    /// - A script that is built into another file must be loaded with that file before bytes with it are read.
    /// - If you removed a property from a script, also list its name next to [code]"*"[/code], so that older saves can still be read.
    /// - If the type of a property has changed, the engine converts a saved value, for example 2.5 to 2, "12a" to 12, and "a" to 0. An
    ///   [Array] or [Dictionary] gets the new types, such as [code]Array[Item][/code], if all its members fit. If the engine cannot convert
    ///   the value, the property keeps its default, and [member VarBytesResult.losses] names it: use a new name, and convert the old value
    ///   in [method Object._set].
    /// - If you moved a script, leave one at the old path that extends it, and list both. Objects keep the script of the old path.
    /// - A property or an object that the lists do not name refuses the whole value, such as a save of a newer version of the game: write the
    ///   version in a record of its own before it.
    ///
    /// Reading runs code of these scripts: [code]_static_init[/code] when they are loaded, which any object in the bytes can cause,
    /// [code]_init[/code] when an object is created, and setters and [method Object._set] when properties are set, also those of the class.
    /// If a property does not accept a value, its getter and [method Object._get_property_list] are called.
    ///
    /// In the editor, scripts without [code]@tool[/code] do not run, so neither do their setters and [method Object._set], and values of
    /// other types can be lost without a line in [member VarBytesResult.losses]. Do not write such saves again there.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.allow_objects = true
    /// options.allowed_classes = {"Resource": ["*"]} # The engine writes these too.
    /// options.allowed_scripts = {"res://items/item.gd": ["title", "price"]}
    /// ```
    #[export]
    #[var(set = set_allowed_scripts)]
    pub allowed_scripts: AllowedList,
    /// The deepest level of nesting, from 0 to 1024. The outermost value is at level 0. The engine's own limit is 1024. Keys of a
    /// [Dictionary] may be nested at most 50 levels deep, because the engine compares them by recursion; the built-in reads deeper ones.
    ///
    /// Assigning a number outside this range, or a negative number to any other limit, prints an error and changes nothing.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.max_depth = 2
    /// var result := VarBytes.decode(VarBytes.var_to_bytes([[[7]]]), options)
    /// print(result.error == VarBytesResult.LIMIT) # Prints true
    /// ```
    #[export_group(name = "Limits")]
    #[export(range = (0.0, 1024.0))]
    #[var(set = set_max_depth)]
    #[init(val = ENGINE_DEPTH)]
    pub max_depth: i64,
    /// The most memory that the value may take, in bytes. 0 selects the default: 8,192 + 64 × bytes read, which is enough for
    /// everything that an engine writes. This is an estimate; the actual memory can be half or twice as much. An object counts as 500 bytes
    /// and its properties: what its class allocates beyond that is not counted. A [UDPServer], for example, takes 56 KB.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.max_memory = 1000
    /// var result := VarBytes.decode(VarBytes.var_to_bytes(range(1000)), options)
    /// print(result.error == VarBytesResult.LIMIT) # Prints true
    /// ```
    #[export(range = (0.0, 1_073_741_824.0, or_greater, suffix = "B"))]
    #[var(set = set_max_memory)]
    pub max_memory: i64,
    /// The most values that all arrays, dictionaries and objects may contain together, including keys. 0 means 4,096 plus one
    /// for every 4 bytes that are read, which is enough for everything that an engine writes.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.max_values = 10
    /// var result := VarBytes.decode(VarBytes.var_to_bytes(range(11)), options)
    /// print(result.error == VarBytesResult.LIMIT) # Prints true
    /// ```
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    #[var(set = set_max_values)]
    pub max_values: i64,
    /// The most elements that all packed arrays may contain together. 0 means no limit.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.max_packed_elements = 10
    /// var result := VarBytes.decode(VarBytes.var_to_bytes(PackedByteArray(range(11))), options)
    /// print(result.error == VarBytesResult.LIMIT) # Prints true
    /// ```
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    #[var(set = set_max_packed_elements)]
    pub max_packed_elements: i64,
    /// The longest string, in bytes of UTF-8. 0 means no limit.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.max_string_length = 4
    /// var result := VarBytes.decode(VarBytes.var_to_bytes("lantern"), options)
    /// print(result.error == VarBytesResult.LIMIT) # Prints true
    /// ```
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    #[var(set = set_max_string_length)]
    pub max_string_length: i64,
    /// If [code]true[/code], dictionary keys and names that collide in the engine's hash tables are read, however long that
    /// takes. If [code]false[/code], more collisions than ordinary keys cause fail with [constant VarBytesResult.LIMIT].
    ///
    /// Only use this for bytes that you trust: 300 KB of chosen keys take seconds. Some ordinary keys need it, such as several
    /// thousand consecutive base62 numbers in one [Dictionary], which the engine reads slowly too.
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.allow_hash_collisions = true # The file comes with the game.
    /// var records := VarBytesFile.open("user://events.dat", FileAccess.READ)
    /// use(records.next(options).value)
    /// ```
    #[export]
    #[var(set = set_allow_hash_collisions)]
    pub allow_hash_collisions: bool,
    /// The position in the bytes at which the value begins. [VarBytesFile] counts from the start of the record's value. A
    /// position after the end of the bytes fails with [constant VarBytesResult.INVALID_ARGUMENT].
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes(1) + VarBytes.var_to_bytes("two")
    /// var options := VarBytesOptions.new()
    /// options.offset = 8
    /// print(VarBytes.decode(bytes, options).value) # Prints two
    /// ```
    #[export_group(name = "Bytes")]
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    #[var(set = set_offset)]
    pub offset: i64,
    /// The number of bytes to read from [member offset] on, or -1 for all of them. With [member offset], this reads a part of a
    /// [PackedByteArray] without the copy that [method PackedByteArray.slice] makes. A part that ends after the bytes fails
    /// with [constant VarBytesResult.INVALID_ARGUMENT].
    /// ```gdscript
    /// # A message after a header of one byte, and then a checksum.
    /// var bytes := PackedByteArray([1]) + VarBytes.var_to_bytes("two") + PackedByteArray([255])
    /// var options := VarBytesOptions.new()
    /// options.strict = true
    /// options.offset = 1
    /// options.size = bytes.size() - 2
    /// print(VarBytes.decode(bytes, options).value) # Prints two
    /// ```
    #[export(range = (-1.0, 1_048_576.0, or_greater, suffix = "B"))]
    #[var(set = set_size)]
    #[init(val = WHOLE)]
    pub size: i64,
    /// The engine whose format is read and written. Empty means the running engine; [code]"godot-3.6"[/code] means Godot 3.6.
    /// The inspector lists all names. Exact releases such as [code]"godot-3.6.2"[/code] are allowed too. Assigning an unknown
    /// name prints an error and changes nothing.
    ///
    /// Reading converts the bytes of that engine to values of the running engine. Writing creates bytes that the other engine
    /// reads. [member VarBytesResult.losses] lists what could not be converted exactly. Names of classes and properties are
    /// not changed, so an object can only be read if this engine has a class of that name. Scripts in bytes of Godot 4.2 and older, which
    /// contain source code, are refused. Writing for Godot 4.2 or older leaves out the scripts of objects.
    ///
    /// This example reads a save file that Godot 3 wrote with [code]store_var[/code], and then one that contains several
    /// values:
    /// ```gdscript
    /// var options := VarBytesOptions.new()
    /// options.engine = "godot-3.6"
    /// var file := FileAccess.open("user://save.dat", FileAccess.READ)
    /// var result := VarBytes.decode(file.get_buffer(file.get_32()), options)
    /// for loss in result.losses:
    ///     push_warning(loss)
    /// var records := VarBytesFile.open("user://log.dat", FileAccess.READ)
    /// while records.has_next():
    ///     print(records.next(options).value)
    /// ```
    #[export]
    #[var(set = set_engine, hint = ENUM_SUGGESTION, hint_string = &suggestions())]
    pub engine: GString,
    /// If [code]true[/code], only bytes exactly as the engine writes them are accepted, with no bytes after the value. Which properties an
    /// object has is not checked.
    ///
    /// Engines before Godot 4.6.3 write undefined padding after the names of a [NodePath]. If your bytes come from those, set
    /// [member engine] to the oldest engine that writes them, such as [code]"godot-4.6"[/code]. The name of an engine does not say
    /// whether it was built with double precision, so vectors of both precisions are accepted then, even in one packet.
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes(7) + PackedByteArray([0])
    /// var options := VarBytesOptions.new()
    /// print(VarBytes.decode(bytes, options).ok) # Prints true
    /// options.strict = true
    /// print(VarBytes.decode(bytes, options).ok) # Prints false
    /// ```
    #[export]
    #[var(set = set_strict)]
    pub strict: bool,
    compiled: Mutex<Option<CompiledPolicy>>,
    base: Base<Resource>,
}

/// The engine's own limit on depth.
const ENGINE_DEPTH: i64 = Limits::MAX_DEPTH as i64;

/// The size that stands for all bytes.
pub(crate) const WHOLE: i64 = -1;

#[godot_api]
impl IResource for VarBytesOptions {}

#[godot_api]
impl VarBytesOptions {
    /// See [member allow_objects].
    #[func]
    pub fn set_allow_objects(&mut self, allow: bool) {
        self.set("allow_objects", Ok(allow), |options| &mut options.allow_objects);
    }

    /// See [member allow_hash_collisions].
    #[func]
    pub fn set_allow_hash_collisions(&mut self, allow: bool) {
        self.set("allow_hash_collisions", Ok(allow), |options| &mut options.allow_hash_collisions);
    }

    /// See [member strict].
    #[func]
    pub fn set_strict(&mut self, strict: bool) {
        self.set("strict", Ok(strict), |options| &mut options.strict);
    }

    /// See [member allowed_classes].
    #[func]
    pub fn set_allowed_classes(&mut self, list: AllowedList) {
        self.compiled = Mutex::default();
        self.set("allowed_classes", list.of_classes(), |options| &mut options.allowed_classes);
    }

    /// See [member allowed_scripts].
    #[func]
    pub fn set_allowed_scripts(&mut self, list: AllowedList) {
        self.compiled = Mutex::default();
        self.set("allowed_scripts", list.of_files(), |options| &mut options.allowed_scripts);
    }

    /// See [member max_depth].
    #[func]
    pub fn set_max_depth(&mut self, number: i64) {
        self.set("max_depth", within(0..=ENGINE_DEPTH, number), |options| &mut options.max_depth);
    }

    /// See [member max_memory].
    #[func]
    pub fn set_max_memory(&mut self, number: i64) {
        self.set("max_memory", within(0..=i64::MAX, number), |options| &mut options.max_memory);
    }

    /// See [member max_values].
    #[func]
    pub fn set_max_values(&mut self, number: i64) {
        self.set("max_values", within(0..=i64::MAX, number), |options| &mut options.max_values);
    }

    /// See [member max_packed_elements].
    #[func]
    pub fn set_max_packed_elements(&mut self, number: i64) {
        self.set("max_packed_elements", within(0..=i64::MAX, number), |options| &mut options.max_packed_elements);
    }

    /// See [member max_string_length].
    #[func]
    pub fn set_max_string_length(&mut self, number: i64) {
        self.set("max_string_length", within(0..=i64::MAX, number), |options| &mut options.max_string_length);
    }

    /// See [member offset].
    #[func]
    pub fn set_offset(&mut self, number: i64) {
        self.set("offset", within(0..=i64::MAX, number), |options| &mut options.offset);
    }

    /// See [member size].
    #[func]
    pub fn set_size(&mut self, number: i64) {
        self.set("size", within(WHOLE..=i64::MAX, number), |options| &mut options.size);
    }

    /// See [member engine].
    #[func]
    pub fn set_engine(&mut self, name: GString) {
        let known = other_engine::named(&name).map_err(|unknown| format!("cannot be set: {}", unknown.message()));
        self.set("engine", known.map(|_| name), |options| &mut options.engine);
    }
}

impl VarBytesOptions {
    /// Sets a property, or prints what is wrong with the value.
    fn set<T>(&mut self, name: &str, value: Result<T, String>, property: fn(&mut Self) -> &mut T) {
        match value {
            Ok(value) => {
                *property(self) = value;
                CHANGES.fetch_add(1, Ordering::SeqCst);
            }
            Err(wrong) => {
                // A script that logs errors may use the options meanwhile.
                let _released = self.base_mut();
                report(&format!("VarBytesOptions.{name} {wrong}"));
            }
        }
    }

    /// Returns a copy without the lists of allowed classes and scripts, and without a script of its own.
    pub(crate) fn copy_without_objects(&self) -> Gd<Self> {
        Gd::from_init_fn(|base| Self {
            allow_objects: false,
            allowed_classes: AllowedList::default(),
            allowed_scripts: AllowedList::default(),
            max_depth: self.max_depth,
            max_memory: self.max_memory,
            max_values: self.max_values,
            max_packed_elements: self.max_packed_elements,
            max_string_length: self.max_string_length,
            allow_hash_collisions: self.allow_hash_collisions,
            offset: self.offset,
            size: self.size,
            engine: self.engine.clone(),
            strict: self.strict,
            compiled: Mutex::default(),
            base,
        })
    }

    /// Returns how to read with these options.
    pub(crate) fn reading(&self) -> ReadOptions {
        let objects = if self.allow_objects { ReadObjects::allowed(self.policy()) } else { ReadObjects::Refused };
        ReadOptions { objects, ..self.plain().reading() }
    }

    /// Returns which objects may be created or written. It is compiled again when one of the lists has changed, which scripts
    /// can do without a setter, or a listed script was loaded again.
    pub(crate) fn policy(&self) -> Arc<Policy> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(policy) = compiled.as_ref().and_then(CompiledPolicy::current) {
            return policy;
        }
        let new = self
            .compiled(|| Arc::new(Policy::new(self.allowed_classes.pairs().collect(), self.allowed_scripts.scripts())));
        compiled.insert(new).policy()
    }

    /// Returns the policy with the lists, so that changes are noticed without these options.
    pub(crate) fn compiled_policy(&self) -> CompiledPolicy {
        self.compiled(|| self.policy())
    }

    fn compiled(&self, policy: impl FnOnce() -> Arc<Policy>) -> CompiledPolicy {
        // Before they are compiled, so that a change meanwhile is noticed.
        let lists = [&self.allowed_classes, &self.allowed_scripts].map(AllowedList::watched);
        CompiledPolicy { lists, policy: policy() }
    }
}

/// A policy, and the lists of allowed classes and scripts that it was compiled from.
pub(crate) struct CompiledPolicy {
    lists: [Watched; 2],
    policy: Arc<Policy>,
}

impl CompiledPolicy {
    pub(crate) fn policy(&self) -> Arc<Policy> {
        self.policy.clone()
    }

    /// Returns the policy, unless one of the lists has changed, or a listed script was loaded again.
    pub(crate) fn current(&self) -> Option<Arc<Policy>> {
        let is_current = self.lists.iter().all(Watched::is_unchanged) && self.policy.is_current();
        is_current.then(|| self.policy())
    }
}

/// How often a property of any options was set.
pub(crate) static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Returns the number if it is in the range.
fn within(range: RangeInclusive<i64>, number: i64) -> Result<i64, String> {
    if range.contains(&number) {
        return Ok(number);
    }
    Err(match range.into_inner() {
        (first, i64::MAX) => format!("must be {first} or more, not {number}"),
        (first, last) => format!("must be from {first} to {last}, not {number}"),
    })
}
