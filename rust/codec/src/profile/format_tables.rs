//! Generates the tables of `FORMAT.md` from the rows of the profiles, so that both always agree.
//!
//! `UPDATE_FORMAT=1 cargo test -p varbytes` writes the tables.

extern crate std;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::plain_headers::Numbers;
use super::rules::{
    KeyRules, MemberCoercion, ObjectForms, Profile, Rules, TextReading, TextWriting, UndefinedPadding, Version,
};
use crate::VariantType;

const FORMAT: &str = include_str!("../../FORMAT.md");

/// The environment variable that makes `cargo test` write the tables.
const UPDATE: &str = "UPDATE_FORMAT";

fn all_rows() -> Vec<&'static Rules> {
    Profile::ALL.iter().map(|profile| &profile.0.rules).collect()
}

/// Returns the contents of a row, as pairs of a rule and its setting.
///
/// Every field is named, so that a new one does not compile until the tables include it.
fn facts(row: &Rules) -> Vec<(&'static str, String)> {
    let Rules {
        name: _,
        engine: _,
        releases: _,
        types,
        masks_header,
        numbers,
        has_double_precision,
        flags_wide_vector4,
        has_rid_payload,
        objects,
        script_as_path,
        member_coercion,
        types_dictionaries,
        has_shared_bit,
        text_reading,
        text_writing,
        requires_string_padding,
        undefined_padding,
        reads_obsolete_node_path,
        has_node_path_property,
        keeps_nameless_path,
        keeps_root_path,
        keeps_name_keys,
        keys,
        limits_reading_depth,
        limits_writing_depth,
        has_faulty_vectors,
    } = row;
    let has_objects = *objects != ObjectForms::HeaderAlone;
    let facts = [
        ("types", format!("{}, of column {}", types.len(), column(types))),
        ("type number", choose(*masks_header, "the lowest byte of the header", "the whole header word")),
        ("`int`", int(*numbers).to_owned()),
        ("`float`", choose(*numbers == Numbers::Narrow, "4 bytes", "4 bytes if exact, else 8")),
        ("reals of 8 bytes", wide(*has_double_precision, *flags_wide_vector4).to_owned()),
        ("`RID`", choose(*has_rid_payload, "an id of 8 bytes", "only the header")),
        ("`Object`", object(*objects).to_owned()),
        ("script of an object", script(has_objects, *script_as_path).to_owned()),
        ("container types", containers(*member_coercion, *types_dictionaries).to_owned()),
        ("members with another type", members(*member_coercion).to_owned()),
        ("bit 31 of a count", choose(*has_shared_bit, "shared container", "ignored")),
        ("text read", reading(*text_reading).to_owned()),
        ("text written", writing(*text_writing).to_owned()),
        ("padding of a string", choose(*requires_string_padding, "required", "may be missing at the end")),
        ("undefined padding", undefined(*undefined_padding).to_owned()),
        ("`NodePath` as plain text", choose(*reads_obsolete_node_path, "read", "refused")),
        ("`NodePath` flag bit 1", choose(*has_node_path_property, "a property follows", "one more subname follows")),
        ("`NodePath` with only subnames, read", choose(*keeps_nameless_path, "unchanged", "the empty path")),
        ("absolute `NodePath` without names, read", choose(*keeps_root_path, "the root", "the empty path")),
        ("`StringName` as a key, read", choose(*keeps_name_keys, "unchanged", "as a `String`")),
        ("duplicate keys", same_keys(*keys).to_owned()),
        ("depth limit", greatest_depth(*limits_reading_depth, *limits_writing_depth).to_owned()),
        ("four-component vectors", choose(*has_faulty_vectors, "with engine bugs", "like others")),
    ];
    facts.into()
}

fn choose(condition: bool, yes: &str, no: &str) -> String {
    if condition { yes } else { no }.to_owned()
}

const fn int(numbers: Numbers) -> &'static str {
    match numbers {
        Numbers::Narrow => "4 bytes",
        Numbers::WideInts => "written in 8 bytes, read in 4 or 8",
        Numbers::Shortest => "4 bytes if it fits, else 8",
    }
}

const fn wide(components: bool, vector4: bool) -> &'static str {
    match (components, vector4) {
        (false, _) => "not supported",
        (true, false) => "flagged, except `Vector4` and `Projection`",
        (true, true) => "flagged",
    }
}

const fn object(forms: ObjectForms) -> &'static str {
    match forms {
        ObjectForms::HeaderAlone => "only the header",
        ObjectForms::NullInOwnForm => "id or full; null is id 0 or class \"\"",
        ObjectForms::NullAsNil => "id or full; null is `Nil`",
    }
}

const fn script(has_objects: bool, as_path: bool) -> &'static str {
    match (has_objects, as_path) {
        (false, _) => "none",
        (true, false) => "an object with its source code",
        (true, true) => "its `res://` path",
    }
}

const fn containers(array: Option<MemberCoercion>, dictionary: bool) -> &'static str {
    match (array, dictionary) {
        (None, _) => "none",
        (Some(_), false) => "for arrays",
        (Some(_), true) => "for arrays and dictionaries",
    }
}

const fn members(coercion: Option<MemberCoercion>) -> &'static str {
    match coercion {
        None => "no typed containers",
        Some(MemberCoercion::Few) => "few are converted",
        Some(MemberCoercion::Strict) => "converted as by `can_convert_strict`",
    }
}

const fn reading(reading: TextReading) -> &'static str {
    match reading {
        TextReading::Unchecked => "lenient UTF-8; invalid bytes are read as an empty string",
        TextReading::Lenient => "lenient UTF-8; invalid bytes are refused",
        TextReading::Unicode => "Unicode's UTF-8",
    }
}

const fn writing(writing: TextWriting) -> &'static str {
    match writing {
        TextWriting::EachUnit => "each unit by its value",
        TextWriting::JoinedSurrogates => "surrogate pairs joined, others a space",
        TextWriting::Unicode => "Unicode's UTF-8",
    }
}

const fn undefined(padding: UndefinedPadding) -> &'static str {
    match padding {
        UndefinedPadding::Nowhere => "none; all padding is zero",
        UndefinedPadding::NodePaths => "in the strings of a `NodePath`",
        UndefinedPadding::Bytes => "in the strings of a `NodePath`, and in a `PackedByteArray`",
        UndefinedPadding::Strings => "all except in a `PackedStringArray`",
        UndefinedPadding::Everywhere => "all",
    }
}

fn same_keys(rules: KeyRules) -> &'static str {
    match rules {
        KeyRules { by_content: true, .. } => "as in Godot 4",
        KeyRules { by_content: false, packed_nan_equal: true } => "as in Godot 3.5",
        KeyRules { by_content: false, packed_nan_equal: false } => "as in Godot 3.2",
    }
}

const fn greatest_depth(reading: bool, writing: bool) -> &'static str {
    match (reading, writing) {
        (false, false) => "none",
        (true, false) => "when reading",
        (false, true) => "when writing",
        (true, true) => "both",
    }
}

/// Returns the different tables of types, with their profiles.
fn columns() -> Vec<(&'static [VariantType], Vec<&'static Rules>)> {
    let mut columns: Vec<(&[VariantType], Vec<&Rules>)> = Vec::new();
    for row in all_rows() {
        match columns.iter_mut().find(|(types, _)| *types == row.types) {
            Some((_, rows)) => rows.push(row),
            None => columns.push((row.types, [row].into())),
        }
    }
    columns
}

/// Returns the letter of a table of types.
fn column(types: &[VariantType]) -> char {
    let place = columns().iter().position(|(column, _)| *column == types).expect("the types of a row");
    char::from(b'A' + u8::try_from(place).expect("a handful of tables"))
}

/// Returns the names of profiles in table order. Three or more successive profiles of an engine become a range.
fn names(rows: &[&Rules]) -> String {
    let place = |row: &Rules| all_rows().iter().position(|other| other.name == row.name);
    let in_turn =
        |one: &&Rules, next: &&Rules| one.engine == next.engine && place(one).map(|place| place + 1) == place(next);
    let range = |run: &[&Rules]| match run {
        [first, .., last] if run.len() > 2 => format!("`{}` to `{}`", first.name, last.name),
        _ => run.iter().map(|row| format!("`{}`", row.name)).collect::<Vec<_>>().join(", "),
    };
    rows.chunk_by(in_turn).map(range).collect::<Vec<_>>().join(", ")
}

/// Formats a table with a row for each type and a column for each engine generation.
fn type_ids() -> String {
    let columns = columns();
    let mut table = String::new();
    for (types, rows) in &columns {
        writeln!(table, "* **{}**: {}", column(types), names(rows)).unwrap();
    }
    let letters = columns.iter().map(|(types, _)| format!(" {} |", column(types))).collect::<String>();
    writeln!(table, "\n| id |{letters}\n|---|{}", "---|".repeat(columns.len())).unwrap();
    let most = columns.iter().map(|(types, _)| types.len()).max().unwrap_or(0);
    for id in 0..most {
        let cell = |types: &[VariantType]| types.get(id).map_or("–", |variant_type| variant_type.name());
        let cells = columns.iter().map(|(types, _)| format!(" {} |", cell(types))).collect::<String>();
        writeln!(table, "| {id} |{cells}").unwrap();
    }
    table
}

/// Formats a table with a row for each setting of a rule, and its profiles.
fn rules() -> String {
    let mut table = "| rule | value | profiles |\n|---|---|---|\n".to_owned();
    let all: Vec<_> = all_rows().into_iter().map(|row| (row, facts(row))).collect();
    for (index, (rule, _)) in facts(all_rows()[0]).iter().enumerate() {
        let mut ways: Vec<(&str, Vec<&Rules>)> = Vec::new();
        for (row, facts) in &all {
            let how = &*facts[index].1;
            match ways.iter_mut().find(|(way, _)| *way == how) {
                Some((_, rows)) => rows.push(*row),
                None => ways.push((how, [*row].into())),
            }
        }
        for (position, (how, rows)) in ways.iter().enumerate() {
            let rule = if position == 0 { *rule } else { "" };
            writeln!(table, "| {rule} | {how} | {} |", names(rows)).unwrap();
        }
    }
    table
}

fn version((major, minor, patch): Version) -> String {
    match patch {
        u16::MAX => format!("{major}.{minor}.*"),
        patch => format!("{major}.{minor}.{patch}"),
    }
}

/// Formats a table with a row for each profile: what differs from the most similar earlier one.
fn changes() -> String {
    let mut table = "| profile | releases | based on | differences |\n|---|---|---|---|\n".to_owned();
    let rows = all_rows();
    for (index, row) in rows.iter().enumerate() {
        let own = facts(row);
        let differences = |other: &Rules| -> Vec<String> {
            let pairs = own.iter().zip(facts(other));
            pairs.filter(|(own, other)| **own != *other).map(|((rule, how), _)| format!("{rule}: {how}")).collect()
        };
        let nearest = rows[..index].iter().min_by_key(|other| differences(other).len());
        let (base, but) = match nearest {
            None => (String::new(), own.iter().map(|(rule, how)| format!("{rule}: {how}")).collect()),
            Some(base) => (format!("`{}`", base.name), differences(base)),
        };
        let but = if but.is_empty() { "none".to_owned() } else { but.join("; ") };
        let [first, last] = row.releases.map(version);
        writeln!(table, "| `{}` | {first} to {last} | {base} | {but} |", row.name).unwrap();
    }
    table
}

/// Returns the position of a table in the document.
fn place(document: &str, name: &str) -> core::ops::Range<usize> {
    let mark = format!("<!-- generated: {name} -->\n");
    let start = document.find(&mark).unwrap_or_else(|| panic!("FORMAT.md has no line {mark}")) + mark.len();
    let length = document[start..].find("<!-- end -->").unwrap_or_else(|| panic!("the table {name} has no end"));
    start..start + length
}

#[test]
fn the_tables_in_format_md_match_the_profiles() {
    let mut document = FORMAT.to_owned();
    for (name, table) in [("type ids", type_ids()), ("rules", rules()), ("changes", changes())] {
        let place = place(&document, name);
        document.replace_range(place, &table);
    }
    if std::env::var_os(UPDATE).is_some() {
        return std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/FORMAT.md"), document).unwrap();
    }
    let differing = FORMAT.lines().zip(document.lines()).find(|(stands, made)| stands != made);
    assert!(
        document == FORMAT,
        "a table of FORMAT.md differs from the profiles (in the page, expected: {differing:?}); \
         `{UPDATE}=1 cargo test -p varbytes` updates the tables"
    );
}
