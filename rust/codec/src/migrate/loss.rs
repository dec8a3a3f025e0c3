//! What a migration could not carry over exactly.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::Path;
use crate::escape::{NAME_LENGTH, PATH_LENGTH, REASON_LENGTH, beginning, shortened};

/// What came of a migration.
#[derive(Clone, Debug, PartialEq)]
pub struct Migrated<T> {
    /// The value, or its bytes.
    pub value: T,
    /// What is not in it as it was, up to [`Migration::max_losses`](super::Migration::max_losses); empty where everything is.
    pub losses: Vec<Loss>,
    /// How many more losses of each kind there are.
    pub unlisted: BTreeMap<LossKind, u64>,
    /// How many bytes of the input the value took; 0 where there were none.
    pub consumed: usize,
}

/// Something that is not in the converted value as it was in the source: where, what, why.
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
    /// The part of the source value. Where losses are so many and so deep that their paths would take more than
    /// 64 KiB and 256 bytes for each value, the later ones are cut after about 30 steps, and end in `<deeper>`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a program branches on.
    #[must_use]
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// What was there and what became of it, in words: escaped, and at most about 200 characters.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

/// The losses of a migration: some listed, the others counted.
pub(super) struct Losses {
    max: usize,
    listed: Vec<Loss>,
    unlisted: BTreeMap<LossKind, u64>,
}

impl Losses {
    pub(super) fn new(max: usize) -> Self {
        Self { max, listed: Vec::new(), unlisted: BTreeMap::new() }
    }

    /// Adds a loss. Its path and text are made only where it is listed.
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

    /// What came of a migration with these losses.
    pub(super) fn of<T>(self, value: T, consumed: usize) -> Migrated<T> {
        Migrated { value, losses: self.listed, unlisted: self.unlisted, consumed }
    }
}

/// A value as a loss shows it.
pub(super) fn short(value: impl fmt::Debug) -> String {
    beginning(format_args!("{value:?}"), NAME_LENGTH)
}

/// At most [`MESSAGE_LENGTH`](crate::escape::MESSAGE_LENGTH) characters, escaped: the path is cut where it is long.
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
        /// Why something could not be carried over exactly.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum LossKind {
            $($(#[$doc])* $kind,)*
        }

        impl LossKind {
            /// The name in lower case with underscores, as the command line prints it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// Why, in words.
            #[must_use]
            pub const fn reason(self) -> &'static str {
                match self { $(Self::$kind => $reason,)* }
            }
        }
    };
}

loss_kinds! {
    /// The type does not exist there; the value is held by another, whole.
    Type = "type", "this engine version has no such type";
    /// The type does not exist there, and nothing can hold the value.
    Dropped = "dropped", "this engine version has no type for it";
    /// A number was rounded or cut.
    Number = "number", "this engine version has narrower numbers";
    /// Text that is not Unicode.
    Text = "text", "this engine version supports only valid Unicode";
    /// Text that the engine reads differently than it is: a NUL ends it, a byte order mark at its start is dropped.
    UnreadableText = "unreadable_text", "every engine version reads it as different text";
    /// A `NodePath` is read differently.
    NodePath = "node_path", "this engine version reads this NodePath differently";
    /// The id of a `RID`.
    RidId = "rid_id", "this engine version does not write the id of a RID";
    /// The type of a container's members.
    ContainerType = "container_type", "this engine version has no containers with this member type";
    /// The "shared" mark of a container.
    Shared = "shared", "this engine version has no shared containers";
    /// An object.
    Object = "object", "this engine version does not write objects";
    /// A null object, which is another kind of null.
    NullObject = "null_object", "this engine version writes a null object as null";
    /// The script of an object.
    Script = "script", "this engine version writes scripts in another form";
    /// A `StringName` that is a key of a dictionary.
    NameKey = "name_key", "this engine version reads a StringName key as a String";
    /// Two keys of a dictionary are the same key there: the earlier value is lost when it is read.
    EqualKeys = "duplicate_keys", "they are the same key in this engine version";
    /// Two properties of an object got one name: the engine sets it twice, and the later value stays.
    EqualNames = "duplicate_names", "the table of names maps both to the same name";
    /// The engine reads what was written as something else.
    ReadsBackDifferently = "reads_back_differently", "this engine version reads back a different value";
}

impl fmt::Display for LossKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
