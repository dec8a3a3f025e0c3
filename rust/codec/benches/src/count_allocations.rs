//! Counts the allocations of every task and prints them as lines of JSON, for `cargo benchmark`.

use std::io::{Write, stdout};

use allocation_counter::measure;
use anyhow::Result;
use varbytes_benches::implementations::Prepared;
use varbytes_benches::report::{Line, Memory};
use varbytes_benches::smallest::smallest_tree;
use varbytes_benches::wanted_documents;

fn main() -> Result<()> {
    for document in wanted_documents() {
        let prepared = Prepared::new(document);
        let smallest = smallest_tree(&prepared.value);
        write(&Line::Document {
            document: document.name.to_owned(),
            title: document.title.to_owned(),
            values: prepared.values,
            smallest: smallest.plain,
            smallest_inline: smallest.with_inline_text,
            cannot: prepared.cannot(),
        })?;
        for mut task in prepared.tasks() {
            let mut kept = None;
            let info = measure(|| kept = Some((task.run)()));
            drop(kept);
            write(&Line::Memory(Memory {
                document: document.name.to_owned(),
                operation: task.operation,
                implementation: task.implementation.to_owned(),
                bytes: task.bytes,
                allocations: info.count_total,
                peak: info.bytes_max,
                kept: u64::try_from(info.bytes_current).unwrap_or(0),
            }))?;
        }
    }
    Ok(())
}

fn write(line: &Line) -> Result<()> {
    serde_json::to_writer(stdout(), line)?;
    writeln!(stdout())?;
    Ok(())
}
