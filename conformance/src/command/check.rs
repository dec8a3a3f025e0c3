//! Checks any codec that answers lines.

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use varbytes::VariantType;
use varbytes_conformance::embedded;
use varbytes_conformance::suite::process::ProcessLimits;
use varbytes_conformance::suite::report::{Format, Report};
use varbytes_conformance::suite::{Settings, baseline, check};

/// Options of the check.
#[derive(Args)]
pub struct Arguments {
    /// The command that starts the codec. `decode --lines` or `encode --lines` and options are added to it
    #[arg(long, value_name = "COMMAND")]
    command: String,
    /// The engine whose vectors are used, for example godot-4.6, godot-3.6, godot-4.4-double or pandemonium-5
    #[arg(long, value_name = "NAME", default_value = "godot-4.6")]
    engine: String,
    /// Types that the codec does not have, separated by commas; values that contain them are shown as skipped
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = type_named)]
    skip: Vec<VariantType>,
    /// Do not ask with full objects
    #[arg(long)]
    no_objects: bool,
    #[command(flatten)]
    reporting: Reporting,
    /// Number of damaged packets that are asked about
    #[arg(long, value_name = "COUNT", default_value_t = 2000)]
    packets: usize,
    /// Seed of the damage. The default is that of the baseline, or 1
    #[arg(long)]
    seed: Option<u64>,
    /// Seconds that an answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    time_limit: f64,
    /// Mebibytes of memory that the codec may use. Only Linux reports the use of memory
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory_limit: u64,
}

/// Options of reports.
#[derive(Args)]
pub struct Reporting {
    /// How to report: FORMAT for standard output or FORMAT=FILE; can be repeated. The default is text
    #[arg(long = "report", value_name = "FORMAT[=FILE]", value_parser = Output::from_str)]
    reports: Vec<Output>,
    /// An earlier report in JSON: only what became worse since then makes the check fail
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How many findings of each group a text or Markdown report describes
    #[arg(long, value_name = "COUNT", default_value_t = 3)]
    show: usize,
}

impl Reporting {
    /// Writes a report in all forms. Returns whether nothing is wrong or, with a baseline, worse.
    pub fn write(&self, report: &Report) -> Result<bool> {
        let earlier = self.baseline.as_ref().map(|path| baseline::load(path, &report.engine)).transpose()?;
        let worse = earlier.map(|earlier| baseline::worse(&earlier, report));
        let text = [Output { format: Format::Text, file: None }];
        let outputs = if self.reports.is_empty() { &text[..] } else { &self.reports };
        for Output { format, file } in outputs {
            let text = report.to_string(*format, self.show, worse.as_deref())?;
            match file {
                Some(path) => fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?,
                None => stdout().write_all(text.as_bytes()).context("cannot write to standard output")?,
            }
        }
        if outputs.iter().all(|output| output.file.is_some() || output.format != Format::Text) {
            eprintln!("{}: {}.", report.engine, report.summary());
        }
        Ok(worse.map_or(report.findings.is_empty(), |worse| worse.is_empty()))
    }

    /// Returns the file for the page of the comparison with all engines, whose only other form is text.
    pub fn page(&self) -> Result<Option<&PathBuf>> {
        let mut page = None;
        for Output { format, file } in &self.reports {
            match (format, file) {
                (Format::Text, None) => {}
                (Format::Html, Some(file)) => page = Some(file),
                _ => bail!("this comparison is reported as text, and with --report html=FILE as a page"),
            }
        }
        ensure!(self.baseline.is_none(), "--baseline is for `check` and --godot");
        Ok(page)
    }

    /// Returns the seed of the baseline.
    fn seed(&self, engine: &str) -> Result<Option<u64>> {
        self.baseline.as_ref().map(|path| Ok(baseline::load(path, engine)?.seed)).transpose()
    }
}

/// A form of the report, and where it goes.
#[derive(Clone, Debug)]
struct Output {
    format: Format,
    file: Option<PathBuf>,
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, file) = text.split_once('=').map_or((text, None), |(format, file)| (format, Some(file.into())));
        let format = Format::from_str(format, false).map_err(|_| {
            let names = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<_> = names.map(|name| name.get_name().to_owned()).collect();
            format!("the formats are {}", names.join(", "))
        })?;
        Ok(Self { format, file })
    }
}

fn type_named(name: &str) -> Result<VariantType, String> {
    let found = VariantType::ALL.iter().copied().find(|variant_type| variant_type.name() == name);
    found.ok_or_else(|| {
        let names: Vec<_> = VariantType::ALL.iter().map(|variant_type| variant_type.name()).collect();
        format!("the types are {}", names.join(", "))
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().map_err(|error| error.to_string())?;
    if (0.01..=86_400.0).contains(&seconds) { Ok(seconds) } else { Err("from 0.01 to 86400".to_owned()) }
}

/// Checks a codec. Returns whether nothing is wrong or, with a baseline, worse.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let engine = &arguments.engine;
    let seed = arguments.seed.or(arguments.reporting.seed(engine)?).unwrap_or(1);
    let settings = Settings {
        command: arguments.command.clone(),
        engine: engine.clone(),
        skip: arguments.skip.clone(),
        objects: !arguments.no_objects,
        limits: ProcessLimits {
            time: Duration::from_secs_f64(arguments.time_limit),
            memory: arguments.memory_limit << 20,
        },
        seed,
        packets: arguments.packets,
    };
    let data = embedded::unpack().context("cannot unpack the vectors")?;
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} answers, {elapsed}")?);
    let report = check(data.path(), &settings, &mut |answered, questions| {
        bar.set_length(questions as u64);
        bar.set_position(answered as u64);
    });
    bar.finish_and_clear();
    arguments.reporting.write(&report?)
}
