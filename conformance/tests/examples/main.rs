//! The examples of the codec answer a running engine, also while other peers send malformed input or nothing.
//!
//! A missing engine is reported; `cargo conformance --require-engine` fetches it.

mod save_editor;
mod tcp;
mod udp;
mod websocket;

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use varbytes_conformance::engine::{Engine, EnginePackage, RunRequest, locate, stage_project};

/// How long a peer waits for an answer, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(30);

/// After how many seconds of silence the servers drop a peer.
const IDLE: &str = "2";

/// The engine and a project with the scripts of the examples, or neither.
static ENGINE: LazyLock<Option<(Engine, TempDir)>> = LazyLock::new(|| {
    let engine = locate(EnginePackage::GODOT_4).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: the examples talk to Godot {}\n", engine.version),
        None => "NOTICE: Godot 4 was not found; the examples talk to no engine\n".to_owned(),
    };
    // Directly on standard error, because the test harness hides the output of passing tests.
    let _ = io::stderr().write_all(notice.as_bytes());
    let scripts = ["tcp_client.gd", "udp_client.gd", "websocket_client.gd", "rpc_client.gd", "save.gd"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/codec/examples");
    engine.map(|engine| (engine, stage_project(&folder, &scripts).unwrap()))
});

/// Runs a script in the engine, if there is one, until it reports that it is complete.
fn run_script(script: &str, arguments: &[&str]) {
    let Some((engine, project)) = &*ENGINE else { return };
    let script = format!("res://{script}");
    let mut request = RunRequest::new(project.path(), &script);
    request.arguments = arguments.iter().map(Into::into).collect();
    engine.run(&request).and_then(|output| output.completion()).unwrap();
}

/// The folder of the programs. They are in another package, so cargo has to build them.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "varbytes-examples"])
        .args(if cfg!(debug_assertions) { &[][..] } else { &["--release"] })
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success());
    std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned()
});

/// A running example.
struct Server {
    child: Child,
    address: SocketAddr,
    lines: Receiver<String>,
}

impl Server {
    /// Starts a server, which drops idle peers.
    fn start(program: &str) -> Self {
        let mut child = Command::new(PROGRAMS.join(program))
            .args(["127.0.0.1:0", IDLE])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = output.next().unwrap().unwrap();
        let address = first.strip_prefix("listening on ").unwrap().parse().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || output.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, address, lines }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Lets a script of the engine talk to the server.
    fn answers_the_engine(&self, script: &str) {
        run_script(script, &[&self.address.port().to_string()]);
    }

    /// Asserts that the server says of a peer what contains `part`.
    fn assert_says(&self, part: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{part}: {error}"));
            if line.contains(part) {
                return;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `hostile` while another peer is served again and again, and once more after it.
fn beside(mut served: impl FnMut() + Send, hostile: impl FnOnce()) {
    let (running, stopped) = channel::<()>();
    thread::scope(move |scope| {
        scope.spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout) {
                served();
            }
            served();
        });
        hostile();
        drop(running);
    });
}

/// Sends bytes and asserts that the server closes the connection.
fn assert_dropped(mut stream: TcpStream, bytes: &[u8]) {
    let sent = stream.write_all(bytes);
    // A server that closes before it has read everything resets the connection.
    if let Err(error) = sent.and_then(|()| stream.read_to_end(&mut Vec::new())) {
        assert!([ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&error.kind()), "{error}");
    }
}

/// Sends bytes so slowly that the server closes the connection before the last one.
fn assert_dropped_when_slow(mut stream: TcpStream, bytes: &[u8]) {
    let is_refused = |byte: &u8| {
        thread::sleep(Duration::from_millis(100));
        stream.write_all(&[*byte]).is_err()
    };
    assert!(bytes.iter().any(is_refused));
}

/// Sends bytes one by one, fast enough.
fn write_slowly(mut stream: &TcpStream, bytes: &[u8]) -> io::Result<()> {
    stream.set_nodelay(true)?;
    bytes.iter().try_for_each(|byte| {
        thread::sleep(Duration::from_millis(2));
        stream.write_all(&[*byte])
    })
}
