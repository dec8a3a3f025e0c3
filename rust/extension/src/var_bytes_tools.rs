//! The calls of the class `VarBytes` that check, show and compare values.

use godot::prelude::*;

use crate::decode::validate;
use crate::diff::diff;
use crate::error::report;
use crate::hash::hash;
use crate::options_arg::{OptionsArg, explained};
use crate::outcome::{Outcome, Packet};
use crate::patch::patch;
use crate::raw::{self, ObjectArgument};
use crate::readable::to_text;
use crate::result::VarBytesResult;
use crate::tagged_json::{from_json, to_json};
use crate::var_bytes::VarBytes;

#[godot_api(secondary)]
impl VarBytes {
    /// Checks whether bytes can be read, without creating a value or an object. No code of a script runs, except [code]_static_init[/code]
    /// of a script of [member VarBytesOptions.allowed_scripts] that has to be loaded. Takes the same
    /// options as [method decode] and returns the same errors; [member VarBytesResult.value] is always [code]null[/code].
    ///
    /// [method decode] can still refuse bytes that pass, with [constant VarBytesResult.LIMIT] if keys or names collide, and with any
    /// error if the class or script of a typed container cannot be loaded, or a member does not have that class.
    /// ```gdscript
    /// var bytes := VarBytes.var_to_bytes({"level": 7})
    /// print(VarBytes.validate(bytes).ok) # Prints true
    /// var result := VarBytes.validate(bytes.slice(0, 12))
    /// print(result.error == VarBytesResult.TRUNCATED) # Prints true
    /// ```
    #[func]
    pub fn validate(
        bytes: PackedByteArray,
        #[opt(default = OptionsArg::NULL)] options: OptionsArg,
    ) -> Gd<VarBytesResult> {
        let checked = options.read_by(validate, Packet::whole(&bytes));
        let options = ObjectArgument::from(&options.0);
        VarBytesResult::of(checked.map_err(|error| explained(&options, raw::bytes(&bytes), error)))
    }

    /// Returns a value as text for people, such as in a log: as [method @GlobalScope.var_to_str] writes it, with a line for each member of
    /// a long container. Invisible characters are escaped. [method @GlobalScope.str_to_var] reads the text back, with
    /// the last digit of some numbers changed, and -0.0 and denormal numbers as 0.0, unless the value contains objects, which are shown by
    /// class and id. The text ends at 1024 nested containers, for example if one contains itself, or at 64 dictionaries nested as keys.
    /// Never pass text that you do not trust to [method @GlobalScope.str_to_var]: it creates any object that the text names.
    /// ```gdscript
    /// print(VarBytes.to_text({"name": "Ann", "parts": [1, 2.0, &"lamp"]}))
    /// # Prints {
    /// #     "name": "Ann",
    /// #     "parts": [1, 2.0, &"lamp"]
    /// # }
    /// ```
    #[func]
    pub fn to_text(value: Variant) -> GString {
        GString::from(to_text(&value).as_str())
    }

    /// Returns a value as JSON in [member VarBytesResult.value], or the error. Unlike with [method JSON.stringify], nothing is
    /// lost: each value is an object with its type. Integers of 64 bits are text, those of 32 bits in vectors and packed arrays
    /// are numbers, and floats are text with their bits in hexadecimal digits. The table "Values" in the repository's file
    /// [code]conformance/CODECS.md[/code] shows every type.
    /// For other programs; [method from_json] reads it back. The text has one line: [method to_text] is easier to read.
    ///
    /// [param options] are used as in [method encode], so objects are written as their ids unless they are allowed. With
    /// [member VarBytesOptions.engine], the value is converted for that engine first, and [member VarBytesResult.losses] lists what that
    /// changes.
    /// ```gdscript
    /// print(VarBytes.to_json([7, &"lamp"]).value)
    /// # Prints {"type":"Array","value":[{"type":"int","value":"7"},{"type":"StringName","value":"lamp"}]}
    /// ```
    #[func]
    pub fn to_json(value: Variant, #[opt(default = OptionsArg::NULL)] options: OptionsArg) -> Gd<VarBytesResult> {
        VarBytesResult::of(to_json(&value, &options))
    }

    /// Reads a value from the JSON of [method to_json]. Integers and floats may also be JSON numbers, as in text that was written
    /// by hand, or that was read and written again by the class [JSON], which turns 3 into 3.0. That class does not escape all
    /// control characters in strings; such text is not JSON, and is malformed. Text from elsewhere is as safe as bytes in
    /// [method decode]: [param options] say which objects may be created and how much memory may be used. Members
    /// that do not fit a typed container are converted or left out, and of keys that repeat the last one counts; with
    /// [member VarBytesOptions.strict], both are errors, which find mistakes in text that was edited by hand. Malformed text is
    /// [constant VarBytesResult.MALFORMED], with [member VarBytesResult.offset] counted in the UTF-8 bytes of the text if it is not
    /// JSON.
    /// ```gdscript
    /// var json: String = VarBytes.to_json({"at": Vector2(1, 2)}).value
    /// var result := VarBytes.from_json(json)
    /// if result.ok:
    ///     print(result.value["at"]) # Prints (1.0, 2.0)
    /// print(VarBytes.from_json('{"type": "Vector2", "value": [1.5, -2]}').value) # Prints (1.5, -2.0)
    /// ```
    #[func]
    pub fn from_json(text: GString, #[opt(default = OptionsArg::NULL)] options: OptionsArg) -> Gd<VarBytesResult> {
        VarBytesResult::of(from_json(&text, &options))
    }

    /// Returns a hash of a value that is the same in every run, engine version and platform, unlike
    /// [method @GlobalScope.hash]. Use it to find out whether two players have the same state, or whether a save has changed.
    /// Different bytes almost always have different hashes. Two values can have different hashes although [method diff] is empty:
    ///
    /// - The entries of a [Dictionary] have another order.
    /// - Keys that are the same have other bytes, such as a [String] and a [StringName], or 0.0 and -0.0.
    /// - An [EncodedObjectAsID] is in the place of the object that it names.
    ///
    /// A NaN that is computed has another sign on arm64 than on x86-64, so states of two players that contain NaN can differ.
    ///
    /// It is XXH3 (64 bits, seed 0) of the bytes that [method var_to_bytes] of Godot 4.6.3 returns. So types and the order of
    /// entries in a [Dictionary] count, and objects only by their ids, which differ in every run. Anyone can create values
    /// with the same hash, so it does not protect against manipulation. If the value is nested deeper than 1024 levels,
    /// prints an error and returns 0.
    /// ```gdscript
    /// print(VarBytes.hash({"level": 7})) # Prints 7569708795496789402
    /// ```
    #[func]
    pub fn hash(value: Variant) -> i64 {
        hash(&value).unwrap_or_else(|error| {
            report(&format!("VarBytes.hash: {}", error.message()));
            0
        })
    }

    /// Returns the differences between two values: an empty [Array] if they are the same. Each difference is a [Dictionary]:
    /// [code]kind[/code] is [code]"changed"[/code], [code]"added"[/code] or [code]"removed"[/code]; [code]keys[/code] lists the
    /// keys and indices that lead to it; [code]path[/code] is text for people, in which a key that is a container, an object, a
    /// path or null is shown by its position, as [code][entry 2][/code]; [code]from[/code] and [code]to[/code] are the two values,
    /// as far as they exist. Their containers are not copied, so they change if the game changes its state in place. To keep the list, for
    /// example for undo, keep its bytes, and read them for each [method patch].
    ///
    /// Only what differs inside of arrays and dictionaries is listed, and elements of arrays are compared by index. Packed
    /// arrays are compared as a whole. Values of different types differ, also 1 and 1.0, and arrays with different element
    /// types. Floats differ if their bits do: 0.0 and -0.0, and NaNs with other bits. The order of entries in a [Dictionary] does not
    /// count, and keys are the same if the [Dictionary] finds one by the other, such as 0.0 and -0.0, or a [String] and a [StringName].
    /// It never finds a container with NaN by another one, so such a key counts as removed and added, and [method patch] does not find it
    /// if the list was decoded.
    /// Objects are compared by identity, and an [EncodedObjectAsID] is the same as the object that it names.
    /// In the bytes of the list they are only ids, as in those of every value: [method patch] then inserts [EncodedObjectAsID] objects, and
    /// fails where they do not fit, or if one is a key. So do not send differences of values that contain objects.
    /// In a packet, the list can be larger than the whole value: compare their [method byte_size]. If [param for_patch] is
    /// [code]true[/code], the differences have no [code]path[/code] and no [code]from[/code], which [method patch] does not need. Such a
    /// list takes less time and is smaller.
    /// If containers are nested deeper than 1024 levels, for example because one contains itself, the member of [param from] that contains
    /// them counts as changed as a whole.
    /// ```gdscript
    /// var before := {"player": {"hp": 10, "items": ["lamp"]}}
    /// var after := {"player": {"hp": 7, "items": ["lamp", "rope"]}}
    /// for change in VarBytes.diff(before, after):
    ///     print(change.kind, " ", change.path, " ", change.to)
    /// # Prints changed $["player"]["hp"] 7
    /// # Prints added $["player"]["items"][1] rope
    /// ```
    #[func]
    pub fn diff(from: Variant, to: Variant, #[opt(default = false)] for_patch: bool) -> Array<VarDictionary> {
        diff(&from, &to, for_patch)
    }

    /// Applies the differences that [method diff] returned, for example those of a delta packet. Returns the changed value in
    /// [member VarBytesResult.value]; [param value] itself does not change. Only changed containers are copied; all others are
    /// shared by both, and those in [param changes] by the result: call [method Dictionary.duplicate] with [code]true[/code] before you
    /// change the result in place. The time depends on the number of changes and the sizes of these containers.
    ///
    /// Fails with [constant VarBytesResult.INVALID_ARGUMENT] if a change does not fit, for example because [param value] is not the
    /// one that was compared: an element or key that is changed or removed must exist, one that is added must not, and a typed
    /// container only takes values of its type.
    /// It also fails if [param changes] is not an [Array], as what a packet contains may
    /// not be. Apply the list of each [method diff] alone: lists that are joined are mostly refused. The order of the entries in a
    /// [Dictionary], and the bytes of keys that are the same, can differ from those of the value to which [method diff] compared,
    /// so compare both with [method diff], not with [method hash]. Keys that collide in the engine's hash tables are refused with
    /// [constant VarBytesResult.LIMIT].
    /// ```gdscript
    /// var before := {"player": {"hp": 10, "items": ["lamp"]}}
    /// var after := {"player": {"hp": 7, "items": ["lamp", "rope"]}}
    /// var packet := VarBytes.var_to_bytes(VarBytes.diff(before, after))
    /// var result := VarBytes.patch(before, VarBytes.bytes_to_var(packet))
    /// print(result.value == after) # Prints true
    /// ```
    #[func]
    pub fn patch(value: Variant, changes: Variant) -> Gd<VarBytesResult> {
        VarBytesResult::of(patch(&value, &changes).map(|patched| Outcome::new(patched, 0)))
    }
}
