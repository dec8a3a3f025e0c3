//! Conversion between `NodePath` and text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::variant::{NodePath, Text};

/// Parses text as the engine does.
///
/// Slashes separate names; empty names are dropped. Subnames start at the first colon and are separated by colons. If a
/// subname is empty, the whole path is empty, unless it is at the very end.
pub(crate) fn parse(text: &str) -> NodePath {
    let (names, rest) = text.split_once(':').unwrap_or((text, ""));
    let mut subnames: Vec<&str> = rest.split(':').collect();
    // The colon at the end of "a:b:" does not start a subname.
    if subnames.last().is_some_and(|last| last.is_empty()) {
        subnames.pop();
    }
    if subnames.iter().any(|subname| subname.is_empty()) {
        return NodePath::default();
    }
    NodePath {
        absolute: names.starts_with('/'),
        names: names.split('/').filter(|name| !name.is_empty()).map(Text::from).collect(),
        subnames: subnames.into_iter().map(Text::from).collect(),
        property: None,
    }
}

/// Returns an upper bound for the number of names in a text.
pub(crate) fn most_names(text: &[u8]) -> usize {
    text.iter().filter(|byte| matches!(byte, b'/' | b':')).count() + 1
}

/// Returns the text of a path. A single empty subname is omitted together with its colon, unlike every other subname.
pub(crate) fn to_text(path: &NodePath) -> String {
    let mut text = String::with_capacity(path.text_length());
    let _ = write!(text, "{path}");
    if let [subname] = &path.subnames[..]
        && subname.is_empty()
    {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (bool, Vec<Text>, Vec<Text>) {
        let NodePath { absolute, names, subnames, .. } = parse(text);
        (absolute, names, subnames)
    }

    fn owned(parts: &[&str]) -> Vec<Text> {
        parts.iter().map(|part| Text::from(*part)).collect()
    }

    // Expected values: observed on 4.6.3.

    #[test]
    fn a_leading_slash_makes_a_path_absolute() {
        assert_eq!(parts("/root/a"), (true, owned(&["root", "a"]), owned(&[])));
        assert_eq!(parts("/"), (true, owned(&[]), owned(&[])));
        assert_eq!(parts("a/b"), (false, owned(&["a", "b"]), owned(&[])));
    }

    #[test]
    fn empty_names_are_dropped() {
        assert_eq!(parts("a//b/"), (false, owned(&["a", "b"]), owned(&[])));
        assert_eq!(parts("//"), (true, owned(&[]), owned(&[])));
    }

    #[test]
    fn subnames_begin_at_the_first_colon() {
        assert_eq!(parts("a:b/c:d"), (false, owned(&["a"]), owned(&["b/c", "d"])));
        assert_eq!(parts(":b"), (false, owned(&[]), owned(&["b"])));
    }

    #[test]
    fn a_colon_at_the_end_is_ignored() {
        assert_eq!(parts("a:"), (false, owned(&["a"]), owned(&[])));
        assert_eq!(parts("a:b:"), (false, owned(&["a"]), owned(&["b"])));
        assert_eq!(parts("/:"), (true, owned(&[]), owned(&[])));
    }

    #[test]
    fn an_empty_subname_before_another_colon_makes_the_path_empty() {
        assert_eq!(parse("/a::"), NodePath::default());
        assert_eq!(parse("a:b::c"), NodePath::default());
    }

    #[test]
    fn a_single_empty_subname_is_omitted_in_the_text() {
        let path = |subnames: &[&str]| NodePath {
            absolute: true,
            names: owned(&["a"]),
            subnames: owned(subnames),
            property: None,
        };
        assert_eq!(to_text(&path(&[""])), "/a");
        assert_eq!(to_text(&path(&["", ""])), "/a::");
        assert_eq!(to_text(&path(&["b", ""])), "/a:b:");
    }
}
