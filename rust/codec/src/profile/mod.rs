//! Profiles: what each engine version writes and accepts, as data.

#[cfg(test)]
mod format_tables;
mod name;
mod plain_headers;
mod rules;
mod table;
mod types;

pub use name::UnknownProfile;
pub(crate) use plain_headers::{Numbers, PlainHeaders};
pub(crate) use rules::{KeyRules, ObjectForms, TextReading, TextWriting, UndefinedPadding};
pub use rules::{MemberCoercion, Precision, Profile};
