//! The class `VarBytesTask`, and the methods of `VarBytes` that return one.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use godot::classes::object::ConnectFlags;
use godot::classes::{Engine, Os, SceneTree, Window, WorkerThreadPool};
use godot::global::Error;
use godot::obj::{InstanceId, Singleton};
use godot::prelude::*;

use crate::error::VarBytesError;
use crate::options_arg::{OptionsArg, explained, read, write};
use crate::outcome::{Outcome, Packet};
use crate::raw::{self, NullableArg, ObjectArgument};
use crate::result::VarBytesResult;
use crate::signals::{connected, disconnect, disconnect_all, is_awaiting};
use crate::var_bytes::VarBytes;

/// A call of [method VarBytes.decode_async] or [method VarBytes.encode_async] that runs in another thread.
///
/// [signal finished] is emitted in the main thread. It is emitted only after the function that started the work returns or
/// awaits. So [code]await[/code] in the line of the call does not miss it; later, await [method awaitable]. You need not keep
/// this object. When the game quits, work that runs is waited for, and work that has not begun is discarded, both without the
/// signal. Before Godot 4.5 this needs a [SceneTree]: with another [MainLoop], call [method wait] before it ends.
///
/// A function that awaits does not continue if its object is freed meanwhile, for example with its scene. The work is still done, and
/// its result is freed. Use [method Node.queue_free]. With [method Object.free] in the same frame, the engine leaks the local
/// variables of the function that awaits.
/// ```gdscript
/// func load_game(bytes: PackedByteArray) -> void:
///     var result: VarBytesResult = await VarBytes.decode_async(bytes).finished
///     if result.ok:
///         print(result.value)
/// ```
/// With a callback instead:
/// ```gdscript
/// func save_game(state: Dictionary) -> void:
///     VarBytes.encode_async(state.duplicate(true)).finished.connect(_on_encoded)
///
/// func _on_encoded(result: VarBytesResult) -> void:
///     if result.ok:
///         print("the save has %d bytes" % result.value.size())
/// ```
#[derive(GodotClass)]
#[class(no_init, base = RefCounted, tool)]
pub struct VarBytesTask {
    /// The result, or [code]null[/code] until [signal finished] is emitted or [method wait] returns.
    /// ```gdscript
    /// var task: VarBytesTask
    ///
    /// func _process(_delta: float) -> void:
    ///     if task != null and task.result != null:
    ///         print(task.result.ok)
    ///         task = null
    /// ```
    #[var(no_set)]
    pub result: Option<Gd<VarBytesResult>>,
    work: Option<Work>,
    outcome: Option<Result<Outcome, VarBytesError>>,
    /// Where the work is done, until a thread waits for it.
    worker: Option<Worker>,
    /// Whether a thread has waited for the work: it has ended, or was discarded.
    is_over: bool,
    /// This object itself, until it is finished, so that it need not be kept by a script.
    itself: Option<Gd<Self>>,
    /// The functions that await the signal. If their object is freed, the engine frees their variables only if something else refers
    /// to them (4.6, `GDScriptInstance::~GDScriptInstance`), and this task and its result can be one of the variables.
    awaiting: Vec<Callable>,
    base: Base<RefCounted>,
}

/// What a task does in the other thread.
enum Work {
    Decode(PackedByteArray, OptionsArg),
    Encode(Variant, OptionsArg),
}

impl Work {
    /// Does the work. Its input is freed in this thread too, because that can take long.
    fn run(self) -> Result<Outcome, VarBytesError> {
        match self {
            Self::Decode(bytes, options) => {
                let options = ObjectArgument::from(&options.0);
                read(&options, Packet::whole(&bytes)).map_err(|error| explained(&options, raw::bytes(&bytes), error))
            }
            Self::Encode(value, options) => write(&ObjectArgument::from(&options.0), &value).map(Outcome::from),
        }
    }
}

/// Another thread that does work.
enum Worker {
    /// The engine's number for the work.
    Pool(i64),
    Thread(JoinHandle<()>),
}

impl Worker {
    fn start(task: &Gd<VarBytesTask>) -> Self {
        // The editor can unload this library. A thread that has run its code must have ended by then, because the system cleans
        // up the library's thread-local data when a thread ends. The threads of the pool end with the editor.
        if Engine::singleton().is_editor_hint() {
            let id = task.instance_id();
            let run = move || Gd::try_from_instance_id(id).map_or((), VarBytesTask::run);
            if let Ok(thread) = thread::Builder::new().spawn(run) {
                return Self::Thread(thread);
            }
        }
        let work = task.callable("_run");
        Self::Pool(WorkerThreadPool::singleton().add_task_ex(&work).description("VarBytes").done())
    }

    /// Waits for the work. Both kinds require this. Returns the worker if this thread cannot wait: a thread of the pool cannot
    /// wait for work that was started before its own.
    fn join(self) -> Option<Self> {
        match self {
            Self::Pool(number) => {
                let waited = WorkerThreadPool::singleton().wait_for_task_completion(number);
                (waited != Error::OK).then_some(self)
            }
            // A panic was already reported.
            Self::Thread(thread) => thread.join().map_or(None, |()| None),
        }
    }
}

#[godot_api]
impl VarBytesTask {
    /// Emitted once in the main thread, when the call has succeeded or failed.
    /// ```gdscript
    /// func load_game(bytes: PackedByteArray) -> void:
    ///     VarBytes.decode_async(bytes).finished.connect(func(result: VarBytesResult) -> void: print(result.ok))
    /// ```
    #[signal]
    pub fn finished(result: Gd<VarBytesResult>);

    /// Blocks until the call has ended, and returns its result. [signal finished] is still emitted later. Use it to complete a
    /// save before the game quits. Returns [code]null[/code] if the work was discarded because the game quits, or if the calling thread
    /// belongs to the [WorkerThreadPool] and cannot wait for it.
    /// ```gdscript
    /// var task := VarBytes.encode_async({"level": 7})
    /// var bytes: PackedByteArray = task.wait().value
    /// ```
    #[func(gd_self)]
    pub fn wait(mut this: Gd<Self>) -> Option<Gd<VarBytesResult>> {
        loop {
            let worker = this.bind_mut().worker.take();
            let is_free = worker.is_some();
            let unfinished = worker.and_then(Worker::join);
            let mut task = this.bind_mut();
            let cannot_wait = unfinished.is_some();
            task.worker = unfinished.or(task.worker.take());
            task.is_over |= is_free && !cannot_wait;
            if let Some(outcome) = task.outcome.take() {
                // Not in the other thread: in the editor, two threads that create objects of an extension crash.
                task.result = Some(VarBytesResult::of(outcome));
            }
            if task.is_over || cannot_wait || task.result.is_some() {
                return task.result.clone();
            }
            drop(task);
            // Only one thread can wait for a worker, and another one does.
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns [member result] if the call has ended, otherwise [signal finished]. In GDScript, [code]await[/code] returns the result
    /// in both cases, so you can await several calls in any order.
    /// ```gdscript
    /// func load_all(packets: Array[PackedByteArray]) -> Array:
    ///     var tasks := packets.map(func(packet: PackedByteArray): return VarBytes.decode_async(packet))
    ///     var values := []
    ///     for task: VarBytesTask in tasks:
    ///         var result: VarBytesResult = await task.awaitable()
    ///         values.append(result.value)
    ///     return values
    /// ```
    #[func(gd_self)]
    pub fn awaitable(this: Gd<Self>) -> Variant {
        if let Some(result) = &this.bind().result {
            return result.to_variant();
        }
        if is_main_thread() {
            this.clone().call_deferred("_keep_awaiting", &[]);
        }
        Signal::from_object_signal(&this, FINISHED).to_variant()
    }

    // Called by name by the engine, so that nothing in the engine points into this library when it is unloaded.
    #[func(gd_self, rename = _run)]
    fn run(mut this: Gd<Self>) {
        let Some(work) = this.bind_mut().work.take() else { return };
        let outcome = work.run();
        this.bind_mut().outcome = Some(outcome);
        this.call_deferred("_finish", &[]);
    }

    #[func(gd_self, rename = _finish)]
    fn finish(this: Gd<Self>) {
        let Some(result) = Self::wait(this.clone()) else { return };
        if !unfinished().remove(&this.instance_id()) {
            return;
        }
        // Freed after the signal, when the functions have continued.
        let mut object = this.clone();
        let _kept = {
            let mut this = object.bind_mut();
            (this.itself.take(), std::mem::take(&mut this.awaiting))
        };
        if let Some(mut root) = root().filter(|root| root.is_connected(QUITTING, &this.callable("_end"))) {
            root.disconnect(QUITTING, &this.callable("_end"));
        }
        this.signals().finished().emit(&result);
        disconnect_all(&mut object.upcast(), FINISHED);
    }

    #[func(gd_self, rename = _watch)]
    fn watch(this: Gd<Self>) {
        if let Some(mut root) = root().filter(|_| unfinished().contains(&this.instance_id())) {
            root.connect_flags(QUITTING, &this.callable("_end"), ConnectFlags::ONE_SHOT);
        }
    }

    // Called when the function of the script that asked for the signal has begun to await it.
    #[func(gd_self, rename = _keep_awaiting)]
    fn keep_awaiting(this: Gd<Self>) {
        if unfinished().contains(&this.instance_id()) {
            let mut functions = connected(&this.clone().upcast(), FINISHED);
            functions.retain(is_awaiting);
            let _freed = std::mem::replace(&mut this.clone().bind_mut().awaiting, functions);
        }
    }

    #[func(rename = _end)]
    fn end() {
        end_all();
    }
}

impl VarBytesTask {
    /// Starts the work in another thread, or finishes with an error.
    fn start(work: Result<Work, VarBytesError>) -> Gd<Self> {
        let (work, outcome) = match work {
            Ok(work) => (Some(work), None),
            Err(error) => (None, Some(Err(error))),
        };
        let fails = outcome.is_some();
        let mut task = Gd::from_init_fn(|base| Self {
            result: None,
            work,
            outcome,
            worker: None,
            is_over: false,
            itself: None,
            awaiting: Vec::new(),
            base,
        });
        unfinished().insert(task.instance_id());
        task.bind_mut().itself = Some(task.clone());
        if fails {
            task.call_deferred("_finish", &[]);
            return task;
        }
        // Only the main thread may use the root.
        task.call_deferred("_watch", &[]);
        if is_main_thread() {
            task.call_deferred("_keep_awaiting", &[]);
        }
        // Nothing is borrowed here: without threads, the engine does the work in this call.
        let worker = Worker::start(&task);
        let is_finished = {
            let mut task = task.bind_mut();
            task.worker = Some(worker);
            task.itself.is_none()
        };
        if is_finished {
            // Only if this is not the main thread.
            Self::wait(task.clone());
        }
        task
    }
}

/// The signal of a task.
const FINISHED: &str = "finished";

/// The tasks that are not finished.
static UNFINISHED: LazyLock<Mutex<HashSet<InstanceId>>> = LazyLock::new(Mutex::default);

fn unfinished() -> MutexGuard<'static, HashSet<InstanceId>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The signal of the root that a game emits when it quits, while the engine's threads still work. Godot 4.6 hangs if two
/// tasks wait for a thread after that.
const QUITTING: &str = "tree_exiting";

fn root() -> Option<Gd<Window>> {
    Engine::singleton().get_main_loop()?.try_cast::<SceneTree>().ok()?.get_root()
}

fn is_main_thread() -> bool {
    let os = Os::singleton();
    os.get_thread_caller_id() == os.get_main_thread_id()
}

/// The tasks that were not finished when the game quit.
static ENDED: Mutex<Vec<InstanceId>> = Mutex::new(Vec::new());

/// Returns the tasks with these ids that still exist.
fn tasks(ids: impl IntoIterator<Item = InstanceId>) -> Vec<Gd<VarBytesTask>> {
    ids.into_iter().filter_map(|id| Gd::try_from_instance_id(id).ok()).collect()
}

/// Waits for work that runs, and discards work that has not begun. The signals of these tasks are not emitted. Called when the game
/// quits.
pub(crate) fn end_all() {
    let ids = std::mem::take(&mut *unfinished());
    for mut task in tasks(ids.iter().copied()) {
        task.bind_mut().work = None;
    }
    for task in tasks(ids.iter().copied()) {
        VarBytesTask::wait(task.clone());
        let mut object = task.upcast();
        for function in connected(&object, FINISHED) {
            // Their objects are freed next, and free their variables if they are still kept.
            if !is_awaiting(&function) {
                disconnect(&mut object, FINISHED, &function);
            }
        }
    }
    ENDED.lock().unwrap_or_else(PoisonError::into_inner).extend(ids);
}

/// Frees all tasks. Called before the library is unloaded, when the objects of the game are freed.
pub(crate) fn free_all() {
    end_all();
    let ended = std::mem::take(&mut *ENDED.lock().unwrap_or_else(PoisonError::into_inner));
    for mut task in tasks(ended) {
        let _freed = {
            let mut task = task.bind_mut();
            (task.itself.take(), std::mem::take(&mut task.awaiting))
        };
    }
}

#[godot_api(secondary)]
impl VarBytes {
    /// Reads a value from bytes in another thread of the [WorkerThreadPool], for saves and levels that take longer to read than
    /// a frame. [signal VarBytesTask.finished] passes the same result as [method decode] returns.
    ///
    /// [param bytes] and [param options] can be changed afterwards: the call uses them as they are now. Full objects are not
    /// supported, because the code of their scripts would run in the other thread: if [member VarBytesOptions.allow_objects] is
    /// [code]true[/code], the result is [constant VarBytesResult.INVALID_ARGUMENT].
    /// ```gdscript
    /// func load_game(bytes: PackedByteArray) -> void:
    ///     var result: VarBytesResult = await VarBytes.decode_async(bytes).finished
    ///     if result.ok:
    ///         print(result.value)
    /// ```
    #[func]
    pub fn decode_async(
        bytes: PackedByteArray,
        #[opt(default = OptionsArg::NULL)] options: OptionsArg,
    ) -> Gd<VarBytesTask> {
        VarBytesTask::start(
            copy_without_objects(&options, "VarBytes.decode").map(|options| Work::Decode(bytes, options)),
        )
    }

    /// Writes a value as bytes in another thread of the [WorkerThreadPool]. [signal VarBytesTask.finished] passes the same result
    /// as [method encode] returns.
    ///
    /// [b]Warning:[/b] Do not change [param value], its containers or its packed arrays before the call has finished. Reading
    /// them is allowed. If the game goes on changing them, pass [code]value.duplicate(true)[/code]: a value that changes while
    /// it is written can crash the game. Objects are written as their ids, and must not be freed meanwhile. Full objects are
    /// not supported; see [method decode_async].
    /// ```gdscript
    /// func save_game(state: Dictionary) -> void:
    ///     var result: VarBytesResult = await VarBytes.encode_async(state.duplicate(true)).finished
    ///     var file := FileAccess.open("user://save.new", FileAccess.WRITE)
    ///     if not result.ok or file == null or not file.store_buffer(result.value):
    ///         return push_warning("the game could not be saved")
    ///     file.flush()
    ///     if file.get_length() == result.value.size():
    ///         file.close()
    ///         DirAccess.rename_absolute("user://save.new", "user://save.dat") # The save before it stays until then.
    /// ```
    #[func]
    pub fn encode_async(value: Variant, #[opt(default = OptionsArg::NULL)] options: OptionsArg) -> Gd<VarBytesTask> {
        VarBytesTask::start(
            copy_without_objects(&options, "VarBytes.encode").map(|options| Work::Encode(value, options)),
        )
    }
}

/// Returns a copy of the options for another thread. `call` does the same in this one.
fn copy_without_objects(options: &OptionsArg, call: &str) -> Result<OptionsArg, VarBytesError> {
    let Some(options) = &options.0 else { return Ok(OptionsArg::NULL) };
    let options = options.bind();
    if options.allow_objects {
        let message = format!(
            "full objects cannot be read or written in the task's thread, where code of their scripts would run: call {call}, or \
             use Dictionaries instead of objects and set allow_objects to false"
        );
        return Err(VarBytesError::argument(message));
    }
    Ok(NullableArg(Some(options.copy_without_objects())))
}
