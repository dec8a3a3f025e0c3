//! Tests and measures the zip in a running engine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use varbytes_conformance::engine::{Engine, Progress};
use varbytes_package::benchmark::{self, Record};
use varbytes_package::exported::Game;
use varbytes_package::manifest::Manifest;
use varbytes_package::platform::Platform;
use varbytes_package::suites::{self, Project};
use varbytes_package::{exported, lacking, library, memory, repository, trial};

/// The recorded ratios of the benchmark, in the repository.
const RECORD: &str = "godot_project/benchmark/record.json";

/// The zip, and the engine that uses it.
pub struct InEngine<'a> {
    engine: &'a Engine,
    zip: &'a Path,
    manifest: &'a Manifest,
    bar: ProgressBar,
}

impl Drop for InEngine<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl<'a> InEngine<'a> {
    pub fn new(engine: &'a Engine, zip: &'a Path, manifest: &'a Manifest) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { engine, zip, manifest, bar }
    }

    /// Prints a line above the progress.
    fn say(&self, line: &str) {
        self.bar.suspend(|| println!("{line}"));
    }

    /// Prints what a suite reports.
    fn show(&self, line: &str) {
        if line.contains(" checks, ") || line.starts_with("VARBYTES") || line.starts_with("Reloaded") {
            self.say(line);
        }
    }

    fn project(&self) -> Result<Project> {
        Project::stage(&repository(), self.zip)
    }

    /// Calls every method of every class in a new project, which is also exported.
    pub fn trial(&self) -> Result<()> {
        self.bar.set_message("testing it in a new project");
        let tried = trial::run(self.engine, self.zip, self.manifest, &Platform::host())?;
        self.say(&format!("In a new project of Godot {} ({}): {tried}", self.engine.version, self.engine.origin));
        #[cfg(target_os = "linux")]
        {
            self.bar.set_message("importing and exporting a new project");
            varbytes_package::fresh::run(self.engine, &self.template()?, self.zip)?;
            self.say("A new project imports, exports and plays, and reports a missing library");
        }
        #[cfg(not(target_os = "linux"))]
        self.say("NOTICE: not exported, because only Debian packages the release template");
        Ok(())
    }

    /// Runs the suites: in the editor's engine, in engines that lack a function, in a game, and after a reload.
    pub fn test(&self) -> Result<()> {
        let mut show = |line: &str| self.show(line);
        self.bar.set_message("building the Rust test suite");
        let parity = self.bar.suspend(|| library::build_parity(&repository()))?;
        let project = self.project()?;
        project.add_parity(&parity)?;
        self.bar.set_message("running the suites");
        project.test(self.engine, &mut show)?;
        #[cfg(unix)]
        {
            project.full_disk(self.engine, &mut show)?;
            project.killed(self.engine, &mut show)?;
            project.small_stack(self.engine, &mut show)?;
        }
        #[cfg(not(unix))]
        show("VARBYTES NOTICE: not tested with a full disk and a small stack, because only Unix can limit them");
        project.help(self.engine, &mut show)?;
        self.bar.set_message("running the addon in engines that lack a function");
        let hidden = lacking::run(self.engine, self.manifest, &project.addon(), &parity)?;
        self.say(&format!("Without each of {hidden} functions of the engine, the addon works or refuses to load"));
        if cfg!(target_os = "linux") {
            self.test_game(&parity)?;
            self.bar.set_message("running the suites after the editor has reloaded the library");
            let project = self.project()?;
            project.add_parity(&parity)?;
            project.reload(self.engine, self.manifest, &mut show)
        } else {
            self.say("NOTICE: not tested as an exported game, because only Debian packages the release template");
            self.say("NOTICE: not tested after a reload, because only Linux reports which library is in memory");
            Ok(())
        }
    }

    /// Runs the suites in an exported game, and compares its speed with the record.
    fn test_game(&self, parity: &PathBuf) -> Result<()> {
        self.bar.set_message("running the suites as an exported game");
        let project = self.project()?;
        project.add_parity(parity)?;
        let (game, version) = self.export(&project, Some(parity))?;
        self.say(&format!("As a game, in the release template {version}:"));
        game.test(&mut |line| self.show(line))?;
        self.bar.set_message("comparing its speed with the record");
        let record = Record::load(&repository().join(RECORD))?;
        let (mut runs, mut fallen) = (Vec::new(), Vec::new());
        // Where the heap of a process ends decides whether long arrays are mapped anew for each call. So a case is slower only if it
        // is in several processes.
        for attempt in 1..=3 {
            let (fixed, _) = game.benchmark(&["--fixed", "--rounds", "41"], &mut |_| ())?;
            self.say(&benchmark::table(&fixed));
            runs.push(fixed);
            fallen = record.fallen(&runs);
            if fallen.is_empty() {
                break;
            }
            self.say(&format!("Slower than recorded, attempt {attempt} of 3:\n{}", fallen.join("\n")));
        }
        ensure!(fallen.is_empty(), "slower than recorded by more than a third:\n{}", fallen.join("\n"));
        Ok(())
    }

    /// Runs the demo from its zip.
    pub fn demo(&self, zip: &Path) -> Result<()> {
        self.bar.set_message("running the demo");
        self.say(&suites::demo(self.engine, zip)?);
        Ok(())
    }

    /// Runs the benchmark in an exported game and in the editor's engine, and writes its page.
    pub fn speed(&self, profiles: bool) -> Result<()> {
        let project = self.project()?;
        let mut measured = 0;
        let mut show = |line: &str| {
            measured += u32::from(line.starts_with("CASE "));
            self.bar.set_message(format!("running the benchmark: {measured} cases"));
        };
        let folder = repository().join("godot_project/benchmark");
        let mut results = String::new();
        if cfg!(target_os = "linux") {
            let (game, version) = self.export(&project, None)?;
            let (cases, files) = game.benchmark(&[], &mut show)?;
            let path = repository().join(RECORD);
            let record = serde_json::to_string_pretty(&Record::load(&path)?.after(&cases)).context("the record")?;
            std::fs::write(path, format!("{record}\n")).context("cannot write the record")?;
            benchmark::draw(&cases, &folder.join("ratios.svg"))?;
            results = format!(
                "![Ratios in an exported game](ratios.svg)\n\nIn an exported game, release template of Godot {version}:\n\n{}\n\n\
                 Files, in the same game:\n\n{}\n\n",
                benchmark::table(&cases),
                benchmark::files_table(&files)
            );
            if profiles {
                let misses = benchmark::misses(&cases, &files);
                let mut profiled = 0;
                let profile = game.profile(&misses, &mut || {
                    profiled += 1;
                    self.bar.set_message(format!("profiling: {profiled} of {} calls", misses.len()));
                })?;
                results.push_str(&format!("The calls below their targets, in the same game:\n\n{profile}\n\n"));
            }
        }
        let (version, cases) = (&self.engine.version, project.benchmark(self.engine, &mut show)?);
        results.push_str(&format!("In the editor's build of Godot {version}:\n\n{}\n", benchmark::table(&cases)));
        benchmark::write_page(&folder.join("README.md"), &results)?;
        self.say(&results);
        self.bar.set_message("measuring connections");
        self.say(&project.measure(self.engine, "res://benchmark/connections.gd", "VARBYTES CONNECTIONS DONE")?);
        self.bar.set_message("measuring the frames of a game that saves");
        self.say(&project.measure(self.engine, "res://benchmark/frames.gd", "VARBYTES FRAMES DONE")?);
        Ok(())
    }

    /// Measures the memory of calls.
    pub fn memory(&self) -> Result<()> {
        self.bar.set_message("measuring memory, which takes about a minute");
        self.say(&memory::measure(&self.project()?, self.engine)?);
        Ok(())
    }

    fn template(&self) -> Result<Engine> {
        self.bar.suspend(|| exported::template(self.engine, &mut Progress::stderr()))
    }

    /// Exports a project with the library for games, and another one. Returns the version of the release template too.
    fn export(&self, project: &Project, other: Option<&PathBuf>) -> Result<(Game, String)> {
        let template = self.template()?;
        let library = self.manifest.libraries(&Platform::host())?.into_iter().find(|library| library.is_release());
        let library = project.addon().join(&library.context("no library for exported games")?.path);
        let libraries: Vec<&Path> = std::iter::once(&library).chain(other).map(PathBuf::as_path).collect();
        Ok((Game::export(project, self.engine, &template, &libraries)?, template.version.to_string()))
    }
}
