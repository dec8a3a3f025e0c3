//! The class `VarBytesOptions`.

use std::ops::RangeInclusive;

use godot::builtin::GString;
use godot::classes::{IResource, Resource};
use godot::prelude::*;

use crate::allowed_list::AllowedList;
use crate::builder::Members;
use crate::decode::{ReadObjects, ReadOptions};
use crate::failure::Failure;
use crate::limits::Asked;
use crate::other_engine::suggestions;
use crate::policy::Policy;

/// What [VarBytes] may do with a packet: which objects it may build, how much it may use, how strict it is.
///
/// Every setting is safe as it is: objects are refused, and the nesting is limited as in the engine.
/// It is a [Resource], so it can be edited in the inspector, saved, and shared by all who read the same packets.
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
    /// If [code]true[/code], objects with class and properties are read and written, as far as
    /// [member allowed_classes] and [member allowed_scripts] allow. If [code]false[/code], a packet with such an
    /// object is refused, and objects are written as their ids.
    #[export_group(name = "Objects")]
    #[export]
    pub allow_objects: bool,
    /// The classes that may be built, by name, each with the names of the properties that may be set; [code]"*"[/code]
    /// stands for all that the engine stores of that class, except those through which a value opens a file, holds a
    /// scene or holds shader code, such as [member Shader.code] and [code]CompressedTexture2D.load_path[/code]: these have
    /// to be listed by name. Classes that inherit from a listed one are not allowed by that. Whatever stands here,
    /// scripts, singletons, and classes that are not [RefCounted] are refused. Any Dictionary of names and lists of names
    /// is taken.
    #[export]
    #[var(set = set_allowed_classes)]
    pub allowed_classes: AllowedList,
    /// The scripts that objects may have, by path, each with the names of the properties that may be set, of those that
    /// the script or a script that it extends declares; [code]"*"[/code] stands for all of these that are stored. A
    /// script is allowed for objects of the class that it extends, listed or not, and of listed classes that inherit from
    /// that one. Properties of the class itself are for [member allowed_classes].
    /// Their code runs: [code]_init[/code] when an object is built, setters when a listed property is set.
    #[export]
    #[var(set = set_allowed_scripts)]
    pub allowed_scripts: AllowedList,
    /// How deep values may be nested; the outermost is at depth 0. The engine's own limit is 1024. Another number than 0
    /// to 1024, and a number below 0 in any other limit, is an error when bytes are read:
    /// [constant VarBytesResult.INVALID_ARGUMENT].
    #[export_group(name = "Limits")]
    #[export(range = (0.0, 1024.0))]
    #[init(val = 1024)]
    pub max_depth: i64,
    /// How many bytes of memory the value may take. What each type takes in the engine was measured; it can be half as
    /// much or twice as much. 0 means 64 for each byte of the packet, and 8,192 besides: more than any value needs that
    /// an engine writes.
    #[export(range = (0.0, 1_073_741_824.0, or_greater, suffix = "B"))]
    pub max_memory: i64,
    /// How many values all arrays, dictionaries and objects of a packet may have together, keys included. 0 means as many
    /// as the packet has room for, and 4,096 besides.
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    pub max_values: i64,
    /// How many elements all packed arrays of a packet may have together. 0 means no limit.
    #[export(range = (0.0, 1_048_576.0, or_greater))]
    pub max_packed_elements: i64,
    /// How many bytes of UTF-8 any one string may have. 0 means no limit.
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    pub max_string_length: i64,
    /// Where in the bytes the value begins; where [VarBytesFile] reads, counted from the beginning of a record's value.
    /// Outside of the bytes it is an error, [constant VarBytesResult.INVALID_ARGUMENT].
    #[export_group(name = "Bytes")]
    #[export(range = (0.0, 1_048_576.0, or_greater, suffix = "B"))]
    pub offset: i64,
    /// Whose bytes they are: empty for those of the running engine, or the name of another, such as
    /// [code]"godot-3.6"[/code]. The inspector offers the names there are; every release that one of them covers is
    /// known too, [code]"godot-3.6.2"[/code] for one. Any other name is an error that lists them,
    /// [constant VarBytesResult.UNSUPPORTED].
    ///
    /// Reading makes values of the running engine from that engine's bytes; writing makes bytes that it reads.
    /// What could not be carried over exactly stands in [member VarBytesResult.losses]. Names of classes and properties
    /// are left alone, so an object can be read where this engine has a class of that name; scripts, which Godot 3 writes
    /// with their source code, are refused. Here is how a save that Godot 3 wrote with [code]store_var[/code] is read;
    /// [VarBytesFile] reads one with several values:
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
    /// If [code]true[/code], only bytes that the engine writes for a value are accepted, and none after them. Padding that
    /// the engine leaves undefined may hold anything: that of a [NodePath] in engines before 4.6.3. Set [member engine] to
    /// the oldest engine that writes the packets, such as [code]godot-4.6[/code].
    #[export]
    pub strict: bool,
    base: Base<Resource>,
}

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
    /// How to read by these options.
    pub(crate) fn reading(&self) -> ReadOptions {
        let limit = |limit: i64| usize::try_from(limit).unwrap_or(usize::MAX);
        ReadOptions {
            objects: if self.allow_objects {
                ReadObjects::Allowed(Box::new(self.policy()))
            } else {
                ReadObjects::Refused
            },
            limits: Asked {
                depth: limit(self.max_depth),
                memory: limit(self.max_memory),
                values: limit(self.max_values),
                packed_elements: limit(self.max_packed_elements),
                string_length: limit(self.max_string_length),
            },
            strict: self.strict,
            members: if self.strict { Members::Strict } else { Members::Checked },
        }
    }

    /// That the limits are in their ranges. A limit below 0 is an error: it could be meant as no limit, or as the least.
    pub(crate) fn require_ranges(&self) -> Result<(), Failure> {
        const DEPTHS: RangeInclusive<i64> = 0..=1024;
        for (name, number, range) in [
            ("max_depth", self.max_depth, DEPTHS),
            ("max_memory", self.max_memory, 0..=i64::MAX),
            ("max_values", self.max_values, 0..=i64::MAX),
            ("max_packed_elements", self.max_packed_elements, 0..=i64::MAX),
            ("max_string_length", self.max_string_length, 0..=i64::MAX),
        ] {
            if !range.contains(&number) {
                let expected = if range == DEPTHS { "0 to 1024" } else { "0 or more, where 0 means the default" };
                return Err(Failure::argument(format!("the options' {name} is {number}: give {expected}")));
            }
        }
        Ok(())
    }

    /// Which objects may be built or written.
    pub(crate) fn policy(&self) -> Policy {
        Policy::new(self.allowed_classes.pairs(), self.allowed_scripts.pairs())
    }
}
