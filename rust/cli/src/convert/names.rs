//! Reads the table of names.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::fs;
use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use varbytes::migrate::Names;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default, deserialize_with = "unique")]
    classes: BTreeMap<String, String>,
    #[serde(default, deserialize_with = "unique")]
    properties: BTreeMap<String, Renamed>,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Renamed(#[serde(deserialize_with = "unique")] BTreeMap<String, String>);

/// Reads a table in which each key exists once: serde's own would keep the last of duplicate keys.
fn unique<'d, D: Deserializer<'d>, V: Deserialize<'d>>(input: D) -> Result<BTreeMap<String, V>, D::Error> {
    struct Unique<V>(PhantomData<V>);

    impl<'d, V: Deserialize<'d>> Visitor<'d> for Unique<V> {
        type Value = BTreeMap<String, V>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a map")
        }

        fn visit_map<M: MapAccess<'d>>(self, mut input: M) -> Result<Self::Value, M::Error> {
            let mut table = BTreeMap::new();
            while let Some((key, value)) = input.next_entry()? {
                match table.entry(key) {
                    Entry::Vacant(entry) => drop(entry.insert(value)),
                    Entry::Occupied(entry) => {
                        return Err(M::Error::custom(format_args!("the key {:?} exists twice", entry.key())));
                    }
                }
            }
            Ok(table)
        }
    }

    input.deserialize_map(Unique(PhantomData))
}

pub fn read(path: &Path) -> Result<Names> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read the table of names {shown}"))?;
    let table: Table = serde_json::from_str(&text).with_context(|| {
        format!(
            "{shown} is not a table of names, \
             {{\"classes\": {{\"Old\": \"New\"}}, \"properties\": {{\"Old or *\": {{\"old\": \"new\"}}}}}}"
        )
    })?;
    let properties = table.properties.values().flat_map(|renamed| &renamed.0);
    let empty = table.classes.iter().chain(properties).find(|(from, to)| from.is_empty() || to.is_empty());
    if let Some((from, to)) = empty {
        bail!("{shown} has an empty name in {from:?}: {to:?}");
    }
    let classes = table.classes.iter().fold(Names::new(), |names, (from, to)| names.class(from, to));
    let properties = table.properties.iter().flat_map(|(class, table)| table.0.iter().map(move |pair| (class, pair)));
    Ok(properties.fold(classes, |names, (class, (from, to))| names.property(class, from, to)))
}
