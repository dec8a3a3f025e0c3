//! Builds a core with `scons` and links it into a library, or a whole engine that runs scripts.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use varbytes::Precision;
use varbytes_conformance::engine::{Progress, built_engine, fetch_source};

use crate::core::{Core, Flavour, Source, cache, functions_folder, unfinished};
use crate::tools::{Tools, run};

/// The name under which the functions are compiled in `drivers/unix`, a folder of which `scons` compiles every file. So they
/// get the engine's own options.
const FUNCTIONS: &str = "drivers/unix/varbytes_fuzz.cpp";

/// The certificates of authorities, by the names in both versions of Godot. Debian's sources do not have them, and nothing
/// here uses them.
const CERTIFICATES: [&str; 2] = ["thirdparty/certs/ca-certificates.crt", "thirdparty/certs/ca-bundle.crt"];

/// zstd.h includes this header since version 1.5.5, and the engine needs it.
const ZSTD_ERRORS: &str = "-include zstd_errors.h";

/// The lines of `scons` in an error.
const LAST_LINES: usize = 30;

/// How to build.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The folder of the engine's sources; if it is not given, they are fetched from Debian.
    pub sources: Option<&'o Path>,
    /// How many compilers run at once; if it is not given, one for each processor.
    pub jobs: Option<usize>,
}

/// Builds a core, unless it is already built, and returns its path.
///
/// # Errors
/// If the sources or a tool are missing, or a command fails; the error has the end of its output.
pub fn build(core: &Core, flavour: Flavour, options: Options<'_>) -> Result<PathBuf> {
    let library = core.path(flavour)?;
    if library.is_file() {
        return Ok(library);
    }
    let tools = Tools::prepare(&mut Progress::stderr())?;
    let building = Building::prepare(core, &tools, options)?;
    let sources = &building.sources;
    let functions = functions_folder();
    let include = format!("#include \"{}\"\n", functions.join(core.source.functions).display());
    fs::write(sources.join(FUNCTIONS), include).context("cannot write into the sources")?;
    // A file's options do not change with the flavour of the library if no packet passes it.
    building.scons(Flavour::Fast, &building.most_targets())?;
    let mut objects = Vec::new();
    if flavour != Flavour::Fast {
        let passed = building.passed_targets(flavour)?;
        building.scons(flavour, &passed)?;
        objects.extend(passed.iter().map(|object| sources.join(object)));
    }
    objects.extend(building.objects(&sources.join(building.object_folder()).join("drivers/unix"))?);
    building.link(flavour, &objects, &library)?;
    remove_older(core, flavour, &library)?;
    Ok(library)
}

/// Builds a whole engine that runs scripts without a window, unless it is already built, and returns its path. It is a debug
/// build without 3D nodes and without modules, except that of the scripts.
///
/// # Errors
/// If the core is not of Godot 4, and those of [`build`].
pub fn build_program(core: &Core, options: Options<'_>) -> Result<PathBuf> {
    ensure!(core.major() == 4, "only engines of Godot 4 are built, because Debian has those of Godot 3");
    let program = built_engine(core.name)?.context("there is no cache folder")?;
    if program.is_file() {
        return Ok(program);
    }
    let tools = Tools::prepare(&mut Progress::stderr())?;
    let building = Building::prepare(core, &tools, options)?;
    let functions = building.sources.join(FUNCTIONS);
    if functions.exists() {
        fs::remove_file(functions).context("cannot change the sources")?;
    }
    let linked = building.scons_program()?;
    fs::copy(&linked, program.with_extension("unfinished")).context("cannot copy the engine")?;
    fs::rename(program.with_extension("unfinished"), &program).context("cannot rename the engine")?;
    Ok(program)
}

/// Removes what was built of the same core with other flags or functions.
fn remove_older(core: &Core, flavour: Flavour, library: &Path) -> Result<()> {
    let prefix = format!("{}-{}-", core.name, flavour.name());
    for entry in fs::read_dir(cache()?).context("cannot read the cache folder")?.flatten() {
        let is_older = entry.file_name().to_string_lossy().starts_with(&prefix) && entry.path() != library;
        if is_older {
            fs::remove_file(entry.path()).with_context(|| format!("cannot remove {}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// Returns the folder of an engine's sources in the cache.
fn fetched(source: &Source, progress: &mut Progress) -> Result<PathBuf> {
    let Source { package, suite, version, .. } = source;
    let cache = cache()?;
    let folder = cache.join(format!("{package}-{version}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    eprintln!("fetching the sources of {package} from Debian {suite}");
    let hint = || {
        format!("cannot fetch the source package `{package}`; pass the folder of the sources of {version} by --sources")
    };
    let archive = fetch_source(package, suite, &cache, progress).with_context(hint)?.with_context(hint)?;
    let unfinished = unfinished(package)?;
    eprintln!("unpacking {}", archive.display());
    let mut tar = Command::new("tar");
    run(tar.arg("-xf").arg(&archive).arg("-C").arg(&unfinished).arg("--strip-components=1"), "tar")?;
    fs::remove_file(&archive).context("cannot remove an archive")?;
    fs::rename(&unfinished, &folder).context("cannot rename the folder of sources")?;
    Ok(folder)
}

/// Checks that these are the sources of the version, which the results are about.
fn require_version(sources: &Path, source: &Source) -> Result<()> {
    let path = sources.join("version.py");
    let text = fs::read_to_string(&path).with_context(|| format!("{} are no sources of Godot", sources.display()))?;
    let number = |name: &str| {
        let line = text.lines().find(|line| line.split('=').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split('=').nth(1)).map(|value| value.trim().to_owned()).unwrap_or_default()
    };
    let found = [number("major"), number("minor"), number("patch")].join(".");
    ensure!(
        found == source.version,
        "{} has the sources of Godot {found}, and {} are needed; pass their folder by --sources",
        sources.display(),
        source.version
    );
    Ok(())
}

struct Building<'b> {
    core: &'b Core,
    tools: &'b Tools,
    sources: PathBuf,
    jobs: usize,
}

impl<'b> Building<'b> {
    /// Finds or fetches the sources.
    fn prepare(core: &'b Core, tools: &'b Tools, options: Options<'_>) -> Result<Self> {
        let sources = match options.sources {
            Some(folder) => folder.canonicalize().with_context(|| format!("cannot find {}", folder.display()))?,
            None => fetched(&core.source, &mut Progress::stderr())?,
        };
        require_version(&sources, &core.source)?;
        for certificates in CERTIFICATES.map(|name| sources.join(name)).iter().filter(|path| !path.exists()) {
            fs::create_dir_all(certificates.parent().unwrap_or(&sources)).context("cannot write into the sources")?;
            fs::write(certificates, "").context("cannot write into the sources")?;
        }
        let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from));
        Ok(Self { core, tools, sources, jobs })
    }

    /// Returns the ending of the names of the objects and libraries.
    fn ending(&self, flavour: Flavour) -> String {
        let machine = std::env::consts::ARCH;
        let name = format!("varbytes-{}", flavour.name());
        match (self.core.major(), self.core.precision) {
            // The name that the platform `server` has for its files on Linux.
            (3, _) if self.core.source.release_build => format!("x11.opt.64.llvm.{name}"),
            (3, _) => format!("x11.opt.debug.64.llvm.{name}"),
            (_, Precision::Double) => {
                format!("linuxbsd.template_release.double.{}.llvm.{name}", scons_machine(machine))
            }
            (_, Precision::Single) => format!("linuxbsd.template_release.{}.llvm.{name}", scons_machine(machine)),
        }
    }

    /// Returns the folder of the objects, in which they have the paths of their sources.
    fn object_folder(&self) -> &'static str {
        if self.core.major() == 3 { "." } else { "bin/obj" }
    }

    fn archive(&self) -> String {
        let path = format!("{}/core/libcore.{}.a", self.object_folder(), self.ending(Flavour::Fast));
        path.trim_start_matches("./").to_owned()
    }

    fn most_targets(&self) -> Vec<String> {
        let drivers = format!("{}/drivers/unix", self.object_folder());
        vec![self.archive(), drivers.trim_start_matches("./").to_owned()]
    }

    /// Returns the objects of the files that a packet passes.
    fn passed_targets(&self, flavour: Flavour) -> Result<Vec<String>> {
        let text = fs::read_to_string(functions_folder().join("covered.txt")).context("cannot read covered.txt")?;
        let files = text.lines().filter_map(|line| line.strip_prefix("src:")?.strip_suffix(".cpp"));
        let files = files.filter(|file| self.sources.join(format!("{file}.cpp")).is_file());
        let object = |file: &str| format!("{}/{file}.{}.o", self.object_folder(), self.ending(flavour));
        Ok(files.map(|file| object(file).trim_start_matches("./").to_owned()).collect())
    }

    fn scons(&self, flavour: Flavour, targets: &[String]) -> Result<()> {
        let covered = functions_folder().join("covered.txt");
        let mut flags = vec!["-g1".to_owned(), "-fPIC".to_owned(), "-fno-omit-frame-pointer".to_owned()];
        flags.push(ZSTD_ERRORS.to_owned());
        flags.extend(flavour.flags().iter().map(|flag| (*flag).to_owned()));
        if flavour != Flavour::Lines {
            flags.push(format!("-fsanitize-coverage-allowlist={}", covered.display()));
        }
        let mut command = self.command(flavour.name())?;
        let flags = flags.join(" ");
        if self.core.major() == 3 {
            command.args(["platform=server", "tools=no", "optimize=speed", "debug_symbols=no"]);
            let target = if self.core.source.release_build { "release" } else { "release_debug" };
            command.args(["builtin_libpng=no", "builtin_freetype=no"]).arg(format!("target={target}"));
            command.arg(format!("CCFLAGS={flags}"));
        } else {
            self.add_options_of_godot_4(&mut command, "template_release", &flags);
        }
        command.args(targets);
        self.watch(&mut command, flavour.name())
    }

    /// Builds the whole engine, and returns its path.
    fn scons_program(&self) -> Result<PathBuf> {
        let mut command = self.command("program")?;
        self.add_options_of_godot_4(&mut command, "template_debug", &format!("-O1 -g0 {ZSTD_ERRORS}"));
        // Many files are compiled as one, which takes a fraction of the time.
        command.args(["scu_build=yes", "module_gdscript_enabled=yes", "disable_path_overrides=no"]);
        command.args(["builtin_libpng=no", "sdl=no", "linker=default"]);
        let libraries: Vec<String> =
            self.tools.libraries().iter().map(|option| option.to_string_lossy().into_owned()).collect();
        // They come before the objects, so the linker must not leave out what it does not need yet.
        let libraries = libraries.join(" ");
        command.arg(format!("linkflags=-Wl,--no-as-needed,--whole-archive {libraries} -lpng16 -Wl,--no-whole-archive"));
        self.watch(&mut command, "program")?;
        let double = if self.core.precision == Precision::Double { "double." } else { "" };
        let machine = scons_machine(std::env::consts::ARCH);
        Ok(self.sources.join(format!("bin/godot.linuxbsd.template_debug.{double}{machine}.llvm.varbytes-program")))
    }

    /// Returns `scons` with the options that all builds have.
    fn command(&self, name: &str) -> Result<Command> {
        let mut command = self.tools.scons()?;
        command.current_dir(&self.sources);
        command.arg(format!("-j{}", self.jobs));
        command.arg(format!("CXX={}", self.tools.program("clang++").display()));
        command.arg(format!("CC={}", self.tools.program("clang").display()));
        command.arg(format!("extra_suffix=varbytes-{name}"));
        command.args(["use_llvm=yes", "warnings=no", "use_static_cpp=no", "disable_3d=yes"]);
        command.args(["modules_enabled_by_default=no", "module_mbedtls_enabled=yes"]);
        // The libraries of the system.
        command.args(["builtin_zlib=no", "builtin_zstd=no", "builtin_mbedtls=no", "builtin_certs=no"]);
        Ok(command)
    }

    fn add_options_of_godot_4(&self, command: &mut Command, target: &str, flags: &str) {
        command.args(["platform=linuxbsd", "optimize=custom", "lto=none", "brotli=no"]);
        command.arg(format!("target={target}")).arg(format!("ccflags={flags}"));
        command.arg(format!("arch={}", scons_machine(std::env::consts::ARCH)));
        command.args(WITHOUT.map(|part| format!("{part}=no")));
        if self.core.precision == Precision::Double {
            command.arg("precision=double");
        }
    }

    /// Runs `scons` and shows its progress.
    fn watch(&self, command: &mut Command, name: &str) -> Result<()> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .context("cannot start SCons")?;
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        let mut last = VecDeque::new();
        let mut files = 0_u32;
        for line in BufReader::new(child.stdout.take().context("the output is piped")?).lines() {
            let line = line.context("cannot read the output of SCons")?;
            if line.contains("Compiling") || line.contains("clang") {
                files += 1;
                bar.set_message(format!("{} ({name}): {files} files", self.core.name));
                // For readers of a log.
                if bar.is_hidden() && files.is_multiple_of(50) {
                    eprintln!("{} ({name}): {files} files", self.core.name);
                }
            }
            last.push_back(line);
            if last.len() > LAST_LINES {
                last.pop_front();
            }
        }
        let status = child.wait().context("cannot wait for SCons")?;
        bar.finish_and_clear();
        if !status.success() {
            bail!("SCons failed ({status}):\n{}", last.into_iter().collect::<Vec<_>>().join("\n"));
        }
        Ok(())
    }

    /// Returns the objects in a folder that belong to this core.
    fn objects(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let ending = format!(".{}.o", self.ending(Flavour::Fast));
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut objects: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        objects.retain(|path| path.to_string_lossy().ends_with(&ending));
        objects.sort();
        Ok(objects)
    }

    /// Links objects and the archive, from which only the files are taken that the objects do not replace.
    fn link(&self, flavour: Flavour, objects: &[PathBuf], library: &Path) -> Result<()> {
        let unfinished = library.with_extension("unfinished");
        let mut command = Command::new(self.tools.program("clang++"));
        command.args(["-shared", "-g1", "-o"]).arg(&unfinished);
        if flavour == Flavour::Lines {
            command.arg("-fprofile-instr-generate");
        }
        let mut exports = std::ffi::OsString::from("-Wl,--version-script=");
        exports.push(functions_folder().join("exports.map"));
        // Functions of other folders are resolved when they are called, which never happens.
        command.arg(exports).args(["-Wl,-z,lazy", "-Wl,-z,undefs"]);
        command.args(objects).arg(self.sources.join(self.archive()));
        command.args(self.tools.libraries()).args(["-ldl", "-lpthread", "-lm"]);
        run(&mut command, "linking the core")?;
        fs::rename(&unfinished, library).context("cannot rename the library")
    }
}

/// Parts of Godot 4 that the core does not need.
const WITHOUT: [&str; 11] =
    ["x11", "wayland", "vulkan", "opengl3", "alsa", "pulseaudio", "dbus", "speechd", "fontconfig", "udev", "accesskit"];

/// Returns the name that `scons` has for a machine.
fn scons_machine(machine: &str) -> &str {
    match machine {
        "aarch64" => "arm64",
        other => other,
    }
}
