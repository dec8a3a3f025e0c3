//! The examples of the codec answer a running engine, also while other peers send malformed input or nothing.
//!
//! A missing engine is reported; `cargo conformance --require-engine` fetches it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::{TempDir, tempdir};
use varbytes::record::{Framing, RecordReader, RecordWriter};
use varbytes::variant::Vector2;
use varbytes::{Variant, variant};
use varbytes_conformance::engine::{Engine, EnginePackage, RunRequest, locate, stage_project};

/// How long a peer waits for an answer, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(30);

/// The engine and a project with the scripts of the examples, or neither.
static ENGINE: LazyLock<Option<(Engine, TempDir)>> = LazyLock::new(|| {
    let engine = locate(EnginePackage::GODOT_4).unwrap_or_else(|error| panic!("{error}"));
    let notice = match &engine {
        Some(engine) => format!("NOTICE: the examples talk to Godot {}\n", engine.version),
        None => "NOTICE: Godot 4 was not found; the examples talk to no engine\n".to_owned(),
    };
    // Directly on standard error, because the test harness hides the output of passing tests.
    let _ = std::io::stderr().write_all(notice.as_bytes());
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
    /// Starts a server, which drops peers after a second.
    fn start(program: &str) -> Self {
        let mut child = Command::new(PROGRAMS.join(program))
            .args(["127.0.0.1:0", "1"])
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

/// Sends bytes and asserts that the server closes the connection.
fn assert_dropped(mut stream: TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    // A server that closes before it has read everything resets the connection.
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    }
}

/// The record of `{"name": "Eve", "step": Vector2(1, 2)}`.
fn step() -> Vec<u8> {
    let mut record = Vec::new();
    let step = variant!({"name": "Eve", "step": Vector2::new(1.0, 2.0)});
    RecordWriter::new(&mut record, Framing::new(1 << 16)).write(&step).unwrap();
    record
}

fn answer(stream: &TcpStream) -> Variant {
    RecordReader::new(stream, Framing::new(1 << 16)).read().unwrap().unwrap()
}

#[test]
fn the_tcp_server_answers_the_engine_beside_hostile_peers() {
    let server = Server::start("tcp_server");
    let _silent = server.connect();
    let mut halves: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    for half in &mut halves {
        half.write_all(&step()[..20]).unwrap();
    }
    assert_dropped(server.connect(), &[0xFF; 4]);
    server.assert_says("a record of 4294967295 bytes is longer than the limit of 4096");
    server.answers_the_engine("tcp_client.gd");
}

#[test]
fn the_tcp_server_drops_a_peer_that_sends_malformed_bytes() {
    let server = Server::start("tcp_server");
    assert_dropped(server.connect(), &[4, 0, 0, 0, 99, 0, 0, 0]);
    server.assert_says("dropped");
    // An int where a dictionary is expected.
    assert_dropped(server.connect(), &[8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    server.assert_says("dropped");
}

#[test]
fn the_tcp_server_drops_half_a_message_and_silence_after_a_second() {
    let server = Server::start("tcp_server");
    let half = server.connect();
    half.shutdown(Shutdown::Read).unwrap();
    (&half).write_all(&step()[..20]).unwrap();
    half.shutdown(Shutdown::Write).unwrap();
    server.assert_says("is cut off after");
    assert_dropped(server.connect(), &[]);
    server.assert_says("timed out");
    assert_dropped(server.connect(), &step()[..20]);
    server.assert_says("timed out");
}

#[test]
fn the_tcp_server_reads_one_byte_at_a_time() {
    let server = Server::start("tcp_server");
    let mut stream = server.connect();
    stream.set_nodelay(true).unwrap();
    for byte in step() {
        stream.write_all(&[byte]).unwrap();
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(answer(&stream), variant!({"name": "Eve", "position": Vector2::new(1.0, 2.0), "steps": 1}));
}

#[test]
fn the_udp_server_answers_the_engine_beside_hostile_datagrams() {
    let server = Server::start("udp_server");
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let ping = varbytes::encode(&variant!({"id": 1, "sent": 2.5})).unwrap();
    let long = [&ping[..], &[0; 60_000]].concat();
    for datagram in
        [&[][..], &[0xFF; 4], &[0xFF; 1400], &ping[..ping.len() - 4], &[27, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F]]
    {
        socket.send_to(datagram, server.address).unwrap();
        server.assert_says("ignored");
    }
    // Bytes after the value are ignored, as by the engine.
    for (number, datagram) in [&ping, &long].into_iter().enumerate() {
        socket.send_to(datagram, server.address).unwrap();
        let mut answer = [0; 1400];
        let length = socket.recv(&mut answer).unwrap();
        let pong = varbytes::decode(&answer[..length]).unwrap();
        assert_eq!(pong, variant!({"id": 1, "sent": 2.5, "count": number + 1}));
    }
    server.answers_the_engine("udp_client.gd");
}

const HANDSHAKE: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

/// A binary message of a client, with a mask of zeros.
fn message(payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    assert!(length < 126);
    [&[0x82, 0x80 | length, 0, 0, 0, 0], payload].concat()
}

/// Returns a connection after the handshake.
fn websocket(server: &Server) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(HANDSHAKE).unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        answer.extend(byte);
    }
    stream
}

/// Sends what no WebSocket server may stumble over, and lets the engine talk to it.
fn assert_survives(program: &str, script: &str, packets: &[&[u8]]) {
    let server = Server::start(program);
    let _silent = server.connect();
    let _open = websocket(&server);
    let mut half = server.connect();
    half.write_all(&HANDSHAKE[..40]).unwrap();
    assert_dropped(server.connect(), &[0xFF; 4]);
    server.assert_says("dropped");
    // A message of 2^63 - 1 bytes.
    assert_dropped(websocket(&server), &[&[0x82, 0xFF, 0x7F][..], &[0xFF; 7], &[0; 4]].concat());
    server.assert_says("dropped");
    for packet in packets {
        assert_dropped(websocket(&server), &message(packet));
        server.assert_says("dropped");
    }
    // Silence, half a handshake and half a message are dropped after a second.
    assert_dropped(websocket(&server), &message(&[7; 20])[..10]);
    for _ in 0..4 {
        server.assert_says("deadline has elapsed");
    }
    server.answers_the_engine(script);
}

#[test]
fn the_websocket_server_answers_the_engine_beside_hostile_peers() {
    assert_survives("websocket_server", "websocket_client.gd", &[&[], &[0xFF; 4], &[2, 0, 0, 0, 7, 0, 0, 0]]);
}

#[test]
fn the_rpc_server_answers_the_engine_beside_hostile_peers() {
    // A call with a short number of its node, one without a path, one with a path outside of the packet, one of another
    // function, and one whose arguments are cut off.
    let packets: [&[u8]; 6] = [
        &[0],
        &[0x00, 1, 0, 0, 0, 0, 0],
        &[0x20, 1, 0, 0, 0, 0, 0],
        &[0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0],
        &[0x20, 7, 0, 0, 0x80, 5, 0, b'C'],
        &[0x20, 7, 0, 0, 0x80, 0, 2, b'C'],
    ];
    assert_survives("rpc", "rpc_client.gd", &packets);
}

#[test]
fn the_save_editor_changes_a_save_that_the_engine_reads() {
    if ENGINE.is_none() {
        return;
    }
    let folder = tempdir().unwrap();
    let save = folder.path().join("game.save");
    let save = save.to_str().unwrap();
    run_script("save.gd", &["write", save]);
    let edit = |path: &str| Command::new(PROGRAMS.join("save_editor")).args([save, path, "100"]).output().unwrap();
    let missing = edit(r#"$["player"]["mana"]"#);
    assert!(!missing.status.success());
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no record has"), "{missing:?}");
    let edited = edit(r#"$["player"]["hp"]"#);
    assert_eq!(String::from_utf8_lossy(&edited.stdout), "$[\"player\"][\"hp\"]: 7 becomes 100\n", "{edited:?}");
    run_script("save.gd", &["read", save]);
}
