//! Runs one case, for callgrind to count.

use anyhow::{Context, Result};
use varbytes_benches::instructions::Case;

fn main() -> Result<()> {
    let name = std::env::args().nth(1).context("the name of a case is missing")?;
    Case::named(&name).with_context(|| format!("there is no case named {name}"))?.run();
    Ok(())
}
