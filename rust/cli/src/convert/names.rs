//! Reads the table of names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use varbytes::migrate::Names;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    classes: BTreeMap<String, String>,
    #[serde(default)]
    properties: BTreeMap<String, BTreeMap<String, String>>,
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
    let properties = table.properties.values().flatten();
    let empty = table.classes.iter().chain(properties).find(|(from, to)| from.is_empty() || to.is_empty());
    if let Some((from, to)) = empty {
        bail!("{shown} has an empty name in {from:?}: {to:?}");
    }
    let classes = table.classes.iter().fold(Names::new(), |names, (from, to)| names.class(from, to));
    let properties = table.properties.iter().flat_map(|(class, table)| table.iter().map(move |pair| (class, pair)));
    Ok(properties.fold(classes, |names, (class, (from, to))| names.property(class, from, to)))
}
