//! Decides which objects a packet may create, and which of their properties it may set.

mod check;
mod check_state;
mod lists;
mod never_allowed;
mod stored_properties;

pub(crate) use check::PolicyCheck;
pub(crate) use lists::{AllowedObject, METADATA, Policy};
pub(crate) use never_allowed::refuse_never_allowed;
pub(crate) use stored_properties::{Listed, holders_of, listed};
