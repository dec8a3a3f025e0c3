//! The class `VarBytesOptions`.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::GString;
use godot::classes::{IResource, Resource};
use godot::prelude::*;
use varbytes::Limits;

use crate::allowed_list::AllowedList;
use crate::build::MistypedMembers;
use crate::decode::{ReadObjects, ReadOptions};
use crate::error::VarBytesError;
use crate::limits::LimitOptions;
use crate::other_engine::suggestions;
use crate::policy::Policy;

/// Options for [VarBytes] and [VarBytesFile]: allowed objects, limits, and how strictly bytes are checked.
///
/// The defaults are safe for bytes that you do not trust: objects are refused, and memory is limited by the number of bytes.
/// This is a [Resource]: you can edit it in the inspector, save it, and use it for many calls.
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
    /// their ids.
    #[export_group(name = "Objects")]
    #[export]
    pub allow_objects: bool,
    /// The allowed classes. Each key is the name of a class, and its value lists the properties that may be set.
    /// [code]"*"[/code] stands for all properties that the engine stores, except those that open a file or contain a scene or
    /// shader code, such as [member Shader.code] and [code]CompressedTexture2D.load_path[/code]; list these by name.
    ///
    /// Classes that inherit from a listed class are not allowed unless they are listed too. Scripts, singletons, and classes
    /// that are not [RefCounted] are never allowed. You can assign any [Dictionary] of names and lists of names.
    #[export]
    #[var(set = set_allowed_classes)]
    pub allowed_classes: AllowedList,
    /// The scripts that objects may have. Each key is the path of a script, and its value lists the properties that may be set,
    /// out of those that the script or its base scripts declare. [code]"*"[/code] stands for all of these that are stored.
    ///
    /// A script is allowed for objects of the class that it extends, even if that class is not listed, and for objects of
    /// listed classes that inherit from it. To allow properties of the class itself, use [member allowed_classes].
    ///
    /// Reading runs code of these scripts: [code]_init[/code] when an object is created, and setters when properties are set.
    #[export]
    #[var(set = set_allowed_scripts)]
    pub allowed_scripts: AllowedList,
    /// The deepest level of nesting, from 0 to 1024. The outermost value is at level 0. The engine's own limit is 1024.
    ///
    /// Reading with a value outside this range, or with a negative value of any other limit, fails with
    /// [constant VarBytesResult.INVALID_ARGUMENT].
    #[export_group(name = "Limits")]
    #[export(range = (0.0, 1024.0))]
    #[init(val = ENGINE_DEPTH)]
    pub max_depth: i64,
    /// The most memory that the value may take, in bytes. This is an estimate; the actual memory can be half or twice as much.
    /// 0 means 8,192 plus 64 for each byte that is read, which is enough for everything that an engine writes.
    #[export(range = (0.0, 1_073_741_824.0, or_greater, suffix = "B"))]
    pub max_memory: i64,
    /// The most values that all arrays, dictionaries and objects may contain together, including keys. 0 means 4,096 plus one
    /// for every 4 bytes that are read, which is enough for everything that an engine writes.
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    pub max_values: i64,
    /// The most elements that all packed arrays may contain together. 0 means no limit.
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    pub max_packed_elements: i64,
    /// The longest string, in bytes of UTF-8. 0 means no limit.
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    pub max_string_length: i64,
    /// If [code]true[/code], dictionary keys and names that collide in the engine's hash tables are read, however long that
    /// takes. If [code]false[/code], more collisions than ordinary keys cause fail with [constant VarBytesResult.LIMIT].
    ///
    /// Only use this for bytes that you trust: 300 KB of chosen keys take seconds. Some ordinary keys need it, such as many
    /// thousand consecutive base62 numbers in one [Dictionary], which the engine reads slowly too.
    #[export]
    pub allow_hash_collisions: bool,
    /// The position in the bytes at which the value begins. [VarBytesFile] counts from the start of the record's value. A
    /// position outside of the bytes fails with [constant VarBytesResult.INVALID_ARGUMENT].
    #[export_group(name = "Bytes")]
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    pub offset: i64,
    /// The engine whose format is read and written. Empty means the running engine; [code]"godot-3.6"[/code] means Godot 3.6.
    /// The inspector lists all names. Exact releases such as [code]"godot-3.6.2"[/code] are allowed too. An unknown name fails
    /// with [constant VarBytesResult.UNSUPPORTED], and the message lists all names.
    ///
    /// Reading converts the bytes of that engine to values of the running engine. Writing creates bytes that the other engine
    /// reads. [member VarBytesResult.losses] lists what could not be converted exactly. Names of classes and properties are
    /// not changed, so an object can only be read if this engine has a class of that name. Scripts in bytes of Godot 3, which
    /// contain source code, are refused.
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
    #[var(hint = ENUM_SUGGESTION, hint_string = &suggestions())]
    pub engine: GString,
    /// If [code]true[/code], only bytes exactly as the engine writes them are accepted, with no bytes after the value.
    ///
    /// Engines before Godot 4.6.3 write undefined padding after the names of a [NodePath]. If your bytes come from those, set
    /// [member engine] to the oldest engine that writes them, such as [code]"godot-4.6"[/code].
    #[export]
    pub strict: bool,
    /// The compiled lists of allowed classes and scripts, with the hashes of both.
    compiled: Mutex<Option<([u32; 2], Arc<Policy>)>>,
    base: Base<Resource>,
}

/// The engine's own limit on depth.
const ENGINE_DEPTH: i64 = Limits::MAX_DEPTH as i64;

#[godot_api]
impl IResource for VarBytesOptions {}

#[godot_api]
impl VarBytesOptions {
    /// See [member allowed_classes].
    #[func]
    pub fn set_allowed_classes(&mut self, list: AllowedList) {
        self.allowed_classes = list;
    }

    /// See [member allowed_scripts].
    #[func]
    pub fn set_allowed_scripts(&mut self, list: AllowedList) {
        self.allowed_scripts = list;
    }
}

impl VarBytesOptions {
    /// Returns how to read with these options. The policy is not compiled, because most packets have no objects.
    pub(crate) fn reading(&self) -> ReadOptions {
        let limit = |limit: i64| usize::try_from(limit).unwrap_or(usize::MAX);
        ReadOptions {
            objects: if self.allow_objects { ReadObjects::Deferred } else { ReadObjects::Refused },
            limits: LimitOptions {
                depth: limit(self.max_depth),
                memory: limit(self.max_memory),
                values: limit(self.max_values),
                packed_elements: limit(self.max_packed_elements),
                string_length: limit(self.max_string_length),
            },
            strict: self.strict,
            mistyped: if self.strict { MistypedMembers::Refuse } else { MistypedMembers::LeaveOut },
            hash_collisions: self.allow_hash_collisions,
        }
    }

    /// Checks the ranges of the limits. A negative limit is an error because it could mean no limit or the lowest one.
    pub(crate) fn require_ranges(&self) -> Result<(), VarBytesError> {
        const DEPTHS: RangeInclusive<i64> = 0..=ENGINE_DEPTH;
        for (name, number, range) in [
            ("max_depth", self.max_depth, DEPTHS),
            ("max_memory", self.max_memory, 0..=i64::MAX),
            ("max_values", self.max_values, 0..=i64::MAX),
            ("max_packed_elements", self.max_packed_elements, 0..=i64::MAX),
            ("max_string_length", self.max_string_length, 0..=i64::MAX),
        ] {
            if !range.contains(&number) {
                let expected = if range == DEPTHS { "from 0 to 1024" } else { "0, for the default, or more" };
                return Err(VarBytesError::argument(format!("the options' {name} is {number}; it must be {expected}")));
            }
        }
        Ok(())
    }

    /// Returns which objects may be created or written. It is compiled again when one of the lists has changed, which scripts
    /// can do without a setter.
    pub(crate) fn policy(&self) -> Arc<Policy> {
        let lists = [self.allowed_classes.content_hash(), self.allowed_scripts.content_hash()];
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        match &*compiled {
            Some((of, policy)) if *of == lists => policy.clone(),
            _ => {
                let policy = Arc::new(Policy::new(self.allowed_classes.pairs(), self.allowed_scripts.pairs()));
                *compiled = Some((lists, policy.clone()));
                policy
            }
        }
    }
}
