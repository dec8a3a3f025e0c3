//! Losses: what a migration could not preserve exactly.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::Path;
use crate::escape::{NAME_LENGTH, PATH_LENGTH, REASON_LENGTH, beginning, shortened};

/// The result of a migration.
///
/// ```
/// use varbytes::migrate::Migration;
/// use varbytes::{Profile, Variant};
///
/// let names = Variant::from(vec![Variant::RID(7), Variant::RID(8)]);
/// let migrated = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).max_losses(1).migrate(&names);
/// assert_eq!((migrated.losses.len(), migrated.unlisted.values().sum::<u64>()), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Migrated<T> {
    /// The value, or its bytes.
    pub value: T,
    /// What changed, up to [`Migration::max_losses`](super::Migration::max_losses) losses. Empty if the migration is
    /// exact.
    pub losses: Vec<Loss>,
    /// The number of further losses of each kind.
    pub unlisted: BTreeMap<LossKind, u64>,
    /// Bytes of the input that the value took; 0 if there was no input.
    pub consumed: usize,
}

/// A part of the value that changed: where, what and why.
///
/// ```
/// use varbytes::migrate::{Migration, LossKind};
/// use varbytes::{Profile, Variant};
///
/// let value = Variant::from(vec![Variant::from("a"), Variant::RID(7)]);
/// let converted = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).migrate(&value);
/// assert_eq!(converted.losses[0].kind(), LossKind::RidId);
/// assert_eq!(
///     converted.losses[0].to_string(),
///     "$[1]: RID(7) becomes RID(0): this engine version does not write the id of a RID",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Loss {
    path: Path,
    kind: LossKind,
    what: String,
}

impl Loss {
    /// Returns the path in the source value.
    ///
    /// If the paths of all losses exceed 64 KiB plus 256 bytes for each value, later paths are cut after about 30 steps
    /// and end in `<deeper>`. [`Variant::at`](crate::Variant::at) finds no value by such a path.
    ///
    /// [`Loss::what`] has an example.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of the loss, for programs to branch on.
    ///
    /// [`Loss::what`] has an example.
    #[must_use]
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// Describes the old and the new value, escaped and in at most about 200 characters.
    ///
    /// ```
    /// use varbytes::migrate::{LossKind, Migration};
    /// use varbytes::{Profile, Variant};
    ///
    /// let migrated = Migration::new(Profile::GODOT_4_6, Profile::GODOT_3_5).migrate(&Variant::RID(7));
    /// let loss = &migrated.losses[0];
    /// assert_eq!((loss.kind(), loss.what()), (LossKind::RidId, "RID(7) becomes RID(0)"));
    /// assert_eq!(loss.path().to_string(), "$");
    /// ```
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// The losses of a migration: the first ones listed, the others counted.
pub(super) struct Losses {
    max: usize,
    listed: Vec<Loss>,
    unlisted: BTreeMap<LossKind, u64>,
}

impl Losses {
    pub(super) fn new(max: usize) -> Self {
        Self { max, listed: Vec::new(), unlisted: BTreeMap::new() }
    }

    /// Adds a loss. Its path and text are created only if it is listed.
    pub(super) fn add(&mut self, kind: LossKind, what: fmt::Arguments<'_>, path: impl FnOnce() -> Path) {
        if self.listed.len() < self.max {
            self.listed.push(Loss { path: path(), kind, what: beginning(what, REASON_LENGTH) });
        } else {
            *self.unlisted.entry(kind).or_default() += 1;
        }
    }

    pub(super) fn kinds(&self) -> impl Iterator<Item = LossKind> {
        self.listed.iter().map(Loss::kind).chain(self.unlisted.keys().copied())
    }

    /// Returns the result of a migration with these losses.
    pub(super) fn of<T>(self, value: T) -> Migrated<T> {
        Migrated { value, losses: self.listed, unlisted: self.unlisted, consumed: 0 }
    }
}

/// Shows a value in a loss, shortened.
pub(super) fn short(value: impl fmt::Debug) -> String {
    beginning(format_args!("{value:?}"), NAME_LENGTH)
}

/// Shows at most [`MESSAGE_LENGTH`](crate::escape::MESSAGE_LENGTH) characters, escaped. A long path is shortened.
impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", shortened(&self.path, PATH_LENGTH), self.what, self.kind.reason())
    }
}

impl fmt::Debug for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Loss {{ kind: {:?}, {self} }}", self.kind)
    }
}

macro_rules! loss_kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $reason:literal;)*) => {
        /// Why something could not be preserved exactly.
        ///
        /// ```
        /// use varbytes::migrate::LossKind;
        ///
        /// assert_eq!(LossKind::RidId.name(), "rid_id");
        /// assert_eq!(LossKind::RidId.reason(), "this engine version does not write the id of a RID");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum LossKind {
            $($(#[$doc])* $kind,)*
        }

        impl LossKind {
            /// Returns the name in snake case, as the command line prints it.
            ///
            /// [`LossKind`] has an example.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// Returns the reason as a phrase.
            ///
            /// [`LossKind`] has an example.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                match self { $(Self::$kind => $reason,)* }
            }
        }
    };
}

loss_kinds! {
    /// The type does not exist in the target. A value of another type holds all of it.
    Type = "type", "this engine version has no such type";
    /// The type does not exist in the target, and no other type can hold the value.
    Dropped = "dropped", "this engine version has no type for it";
    /// A number is rounded or truncated.
    Number = "number", "this engine version has narrower numbers";
    /// Text that is not valid Unicode.
    Text = "text", "this engine version supports only valid Unicode";
    /// Text that engines read differently: a NUL ends it, and a byte order mark at its start is dropped.
    UnreadableText = "unreadable_text", "every engine version reads it as different text";
    /// A `NodePath` that the target reads differently.
    NodePath = "node_path", "this engine version reads this NodePath differently";
    /// The id of a `RID`.
    RidId = "rid_id", "this engine version does not write the id of a RID";
    /// The member type of a container.
    ContainerType = "container_type", "this engine version has no containers with this member type";
    /// The "shared" flag of a container.
    Shared = "shared", "this engine version has no shared containers";
    /// An object.
    Object = "object", "this engine version does not write objects";
    /// A null object, which becomes `null`.
    NullObject = "null_object", "this engine version writes a null object as null";
    /// The script of an object.
    Script = "script", "this engine version writes scripts in another form";
    /// A `StringName` that is a dictionary key.
    NameKey = "name_key", "this engine version reads a StringName key as a String";
    /// Two keys of a dictionary are duplicates in the target. Reading it drops the earlier value.
    DuplicateKeys = "duplicate_keys", "they are the same key in this engine version";
    /// Two properties of an object have the same new name. The engine keeps the later value.
    DuplicateNames = "duplicate_names", "the table of names maps both to the same name";
    /// The engine reads a different value from the bytes.
    ReadsBackDifferently = "reads_back_differently", "this engine version reads back a different value";
}

impl fmt::Display for LossKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
