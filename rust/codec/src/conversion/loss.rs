//! What a conversion could not carry over exactly.

use alloc::string::String;
use core::fmt;

use crate::Path;

/// Something that is not in the converted value as it was in the source: where, what, why.
///
/// ```
/// use varbytes::conversion::{Conversion, LossKind};
/// use varbytes::{Profile, Variant};
///
/// let value = Variant::from(vec![Variant::from("a"), Variant::RID(7)]);
/// let converted = Conversion::new(Profile::GODOT_4_6, Profile::GODOT_3_5).convert(&value);
/// assert_eq!(converted.losses[0].kind(), LossKind::RidId);
/// assert_eq!(
///     converted.losses[0].to_string(),
///     "$[1]: RID(7) becomes RID(0): this engine version writes nothing of a RID",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    path: Path,
    kind: LossKind,
    what: String,
}

impl Loss {
    pub(super) fn new(path: Path, kind: LossKind, what: String) -> Self {
        Self { path, kind, what }
    }

    /// The part of the source value. Where losses are so many and so deep that their paths would take more than
    /// 32 MiB, the later ones are cut after about 30 steps, and end in `<deeper>`.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a program branches on.
    #[must_use]
    pub fn kind(&self) -> LossKind {
        self.kind
    }

    /// What was there and what became of it, in words.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.path, self.what, self.kind.reason())
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
    Dropped = "dropped", "this engine version has nothing to hold it";
    /// A number was rounded or cut.
    Number = "number", "this engine version has narrower numbers";
    /// Text that is not Unicode.
    Text = "text", "this engine version has Unicode alone";
    /// Text that the engine reads differently than it is: a NUL ends it, a byte order mark at its start is dropped.
    UnreadableText = "unreadable_text", "every engine version reads it as something else";
    /// A `NodePath` is read differently.
    NodePath = "node_path", "this engine version reads such a NodePath as another";
    /// The id of a `RID`.
    RidId = "rid_id", "this engine version writes nothing of a RID";
    /// The type of a container's members.
    ContainerType = "container_type", "this engine version has no containers of that type";
    /// The "shared" mark of a container.
    Shared = "shared", "this engine version has no such mark";
    /// An object.
    Object = "object", "this engine version does not write objects";
    /// A null object, which is another kind of null.
    NullObject = "null_object", "this engine version writes a null object as null";
    /// The script of an object.
    Script = "script", "this engine version has scripts of objects in another form";
    /// Two keys of a dictionary are the same key there: the earlier value is lost when it is read.
    EqualKeys = "equal_keys", "this engine version takes the two for the same key";
    /// Two properties of an object got one name: the engine sets it twice, and the later value stays.
    EqualNames = "equal_names", "the table of names gives both the same one";
    /// The engine reads what was written as something else.
    ReadsBackDifferently = "reads_back_differently", "this engine version reads what it writes as another value";
}

impl fmt::Display for LossKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
