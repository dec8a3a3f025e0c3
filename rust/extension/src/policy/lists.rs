//! The lists of allowed classes and scripts.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crossbeam_utils::atomic::AtomicCell;
use godot::builtin::GString;
use godot::classes::{ClassDb, Script};
use godot::obj::{Gd, Singleton};

use super::check_state::CheckState;
use super::never_allowed::{refuse_dangerous, refuse_never_allowed};
use super::stored_properties::{NativeProperties, declared_by_script, required_arguments, stored_by_class};
use crate::raw::{self, Declared, WatchedScript};
use crate::scripts::{PROJECT, SCRIPT, inherits, is_script, load_script};

/// In a list of properties, stands for all that the class or the script stores.
const ALL: &str = "*";

/// What is wrong with a listed class.
const NO_CLASS: &str = "which is not a class of this engine (scripts are listed in allowed_scripts)";

/// What the names of metadata begin with.
pub(crate) const METADATA: &str = "metadata/";

/// The allowed classes and scripts, from the options. Threads can share it.
#[derive(Default)]
pub(crate) struct Policy {
    id: u64,
    classes: HashMap<String, Vec<String>>,
    scripts: HashMap<String, Vec<String>>,
    known: Mutex<Known>,
    /// A listed class and a listed script that do not exist, for messages.
    unknown_class: OnceLock<Option<String>>,
    unknown_script: OnceLock<Option<String>>,
    watched: Mutex<WatchedScripts>,
    /// Whether there are any. Read without the lock.
    has_watched: AtomicBool,
    /// A check takes it, and then returns it.
    pub(super) check_state: AtomicCell<Option<Box<CheckState>>>,
}

/// What was found out about the classes and scripts that packets have named so far.
#[derive(Default)]
struct Known {
    classes: HashMap<String, Arc<HashSet<String>>>,
    scripts: HashMap<String, Arc<AllowedScript>>,
    native: HashMap<String, Arc<NativeProperties>>,
    /// The classes that may be created.
    creatable: HashSet<String>,
}

/// The scripts that are known.
#[derive(Default)]
struct WatchedScripts {
    /// Those with source code, and their base scripts.
    with_source: Vec<WatchedScript>,
    declared: Vec<Declared>,
    /// The last frame in which this was compared. To compare it for each packet would take too long.
    frame: u64,
}

impl WatchedScripts {
    fn are_current(&mut self) -> bool {
        if !WatchedScript::is_watching() {
            return true;
        }
        let frame = raw::frames();
        let are_current = self.with_source.iter().all(WatchedScript::has_same_source)
            && (self.frame == frame || self.declared.iter().all(Declared::is_current));
        // If they are not, the next call must return the same.
        if are_current {
            self.frame = frame;
        }
        are_current
    }
}

/// A listed script.
struct AllowedScript {
    /// The engine's class that it extends, directly or through other scripts.
    base: String,
    properties: HashSet<String>,
    /// The names of all variables of the script.
    declared: HashSet<String>,
    /// Why no object can be created with it.
    unusable: Option<String>,
    /// The paths of its base scripts.
    base_scripts: Vec<String>,
}

impl AllowedScript {
    /// Returns why no object can be created with a script.
    fn fault(script: &Gd<Script>, path: &str) -> Option<String> {
        let required = match required_arguments(script) {
            0 => None,
            1 => Some("an argument".to_owned()),
            count => Some(format!("{count} arguments")),
        };
        if let Some(required) = required {
            return Some(format!("script {path} cannot be used: its _init requires {required}, and gets none"));
        }
        script.is_abstract().then(|| format!("script {path} cannot be used: it is abstract"))
    }
}

/// The properties that may be set on one object.
pub(crate) struct AllowedObject {
    /// `None` if the class is allowed only together with its script.
    of_class: Option<Arc<HashSet<String>>>,
    of_script: Option<Arc<AllowedScript>>,
    /// The properties of the class, if there is a script.
    native: Option<Arc<NativeProperties>>,
}

impl Policy {
    /// Creates a policy. `classes` are class names with their properties, `scripts` are paths with their properties.
    pub(crate) fn new(classes: HashMap<String, Vec<String>>, scripts: HashMap<String, Vec<String>>) -> Self {
        static CREATED: AtomicU64 = AtomicU64::new(0);
        let id = CREATED.fetch_add(1, Ordering::Relaxed) + 1;
        Self { id, classes, scripts, ..Self::default() }
    }

    /// Returns a number that no other policy has, and which is not 0.
    pub(crate) const fn id(&self) -> u64 {
        self.id
    }

    /// Returns whether the scripts that are known have not been loaded again, and no others are at their paths: they could have other
    /// properties. This is noticed at once if they have source code, and else in the next frame. In another thread than the main thread,
    /// returns true.
    pub(crate) fn is_current(&self) -> bool {
        !self.has_watched.load(Ordering::Relaxed) || self.watched().are_current()
    }

    fn watched(&self) -> MutexGuard<'_, WatchedScripts> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what may be set on an object of that class and script, or the reason why it is refused.
    pub(crate) fn object(&self, class: &str, script: Option<&str>) -> Result<AllowedObject, String> {
        let allowed = self.listed(class, script)?;
        if allowed.of_class.is_none() && allowed.of_script.is_none() {
            return Err(format!("class {class} is allowed only for objects with a listed script"));
        }
        self.refuse_dangerous(class)?;
        Ok(allowed)
    }

    /// Returns the properties that are listed by name for a class and script, and for which of them. Lists with `"*"` do not count.
    pub(crate) fn named<'p>(
        &'p self,
        class: &'p str,
        script: Option<&'p str>,
    ) -> impl Iterator<Item = (&'p str, &'p str)> {
        let of_class = self.classes.get(class).map(|listed| (class, listed));
        let of_script = script.and_then(|path| self.scripts.get(path).map(|listed| (path, listed)));
        let lists = of_class.into_iter().chain(of_script).filter(|(_, listed)| !lists_all(listed));
        lists.flat_map(|(owner, listed)| listed.iter().map(move |name| (owner, name.as_str())))
    }

    /// Returns whether the list of a script names this property, also next to `"*"`.
    pub(crate) fn names(&self, script: &str, property: &str) -> bool {
        self.scripts.get(script).is_some_and(|listed| listed.iter().any(|name| name == property))
    }

    /// Returns whether a class is listed with `"*"`, and a property that its object has is neither one of the class nor of the script: only
    /// some objects of the class have it, and `"*"` does not cover it.
    pub(crate) fn misses(&self, class: &str, object: &AllowedObject, name: &str) -> bool {
        self.classes.get(class).is_some_and(|listed| lists_all(listed))
            && !object.of_script.as_ref().is_some_and(|script| script.declared.contains(name))
            && !self.native(class).of_class.contains(name)
    }

    /// Returns whether a class is listed with `"*"`, which does not cover this property of it.
    pub(crate) fn excludes(&self, class: &str, object: &AllowedObject, name: &str) -> bool {
        self.classes.get(class).is_some_and(|listed| lists_all(listed))
            && self.native(class).excluded.contains(name)
            && !object.of_class.as_ref().is_some_and(|properties| properties.contains(name))
    }

    /// Never held while the engine is called: loading a script can run code that decodes with the same options.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses classes that are never created under a policy, even if they are listed.
    pub(super) fn refuse_dangerous(&self, class: &str) -> Result<(), String> {
        if !self.known().creatable.contains(class) {
            refuse_dangerous(class)?;
            self.known().creatable.insert(class.to_owned());
        }
        Ok(())
    }

    /// Returns what may be set on an object of that class and script, if they are listed, or the reason why they are not.
    pub(super) fn listed(&self, class: &str, script: Option<&str>) -> Result<AllowedObject, String> {
        let of_class = self.listed_class(class);
        let of_script = script.map(|path| self.usable_script(path)).transpose()?;
        if of_class.is_none() && !self.is_base_of_script(class) {
            refuse_never_allowed(class)?;
            if self.scripts.keys().any(|path| self.listed_script(path).is_ok_and(|script| script.base == class)) {
                self.refuse_dangerous(class)?;
            }
            // A listed script that cannot be used may be meant, or a class that is misspelled.
            let unusable = self.scripts.keys().find_map(|path| match self.listed_script(path) {
                Ok(script) if script.base == class => script.unusable.clone(),
                Ok(_) => None,
                Err(reason) => Some(reason),
            });
            let reason = match (unusable, self.unknown_class()) {
                (Some(reason), _) => format!("; of allowed_scripts, {reason}"),
                (None, Some(listed)) => format!(", but {listed}, {NO_CLASS}"),
                (None, None) if self.scripts.is_empty() => String::new(),
                (None, None) => ", and no script of allowed_scripts extends it".to_owned(),
            };
            return Err(format!("class {class} is not allowed: allowed_classes does not list it{reason}"));
        }
        if let Some(allowed) = &of_script
            && !inherits(class, &allowed.base)
        {
            let (path, base) = (script.unwrap_or_default(), &allowed.base);
            return Err(format!("script {path:?} extends class {base}, not {class}"));
        }
        let native = of_script.as_ref().map(|_| self.native(class));
        Ok(AllowedObject { of_class, of_script, native })
    }

    /// Returns a listed class that does not exist, for messages.
    fn unknown_class(&self) -> Option<&String> {
        let exists = |class: &String| ClassDb::singleton().class_exists(class);
        let find = || self.classes.keys().filter(|listed| !exists(listed)).min().cloned();
        found_once(&self.unknown_class, find).as_ref()
    }

    /// Refuses a property that must not be set on an object of that class and script.
    pub(super) fn refuse_property(&self, class: &str, script: Option<&str>, name: &str) -> Result<(), String> {
        let allowed = self.listed(class, script)?;
        if allowed.property(name) {
            return Ok(());
        }
        let is_of_script = match allowed.is_shared(name) {
            true => !allowed.is_of_script(name),
            false => !allowed.is_native(name),
        };
        let (list, owner, listed) = match script.filter(|_| is_of_script) {
            Some(path) => ("allowed_scripts", path, self.scripts.get(path)),
            None => ("allowed_classes", class, self.classes.get(class)),
        };
        let is_declared = allowed.of_script.as_ref().is_some_and(|script| script.declared.contains(name));
        let advice = match listed.is_some_and(|listed| lists_all(listed)) {
            true if owner != class && !is_declared => ", which does not declare it: list it by name",
            true => ", and \"*\" does not cover it: list it by name",
            false if allowed.is_shared(name) => ", and the class and the script both have it",
            false => "",
        };
        Err(format!("property {name} is not allowed: {list} does not list it for {owner}{advice}"))
    }

    fn native(&self, class: &str) -> Arc<NativeProperties> {
        if let Some(known) = self.known().native.get(class) {
            return known.clone();
        }
        let native = Arc::new(NativeProperties::of(class, self.refuse_dangerous(class).is_ok()));
        self.known().native.insert(class.to_owned(), native.clone());
        native
    }

    fn listed_class(&self, class: &str) -> Option<Arc<HashSet<String>>> {
        if let Some(known) = self.known().classes.get(class) {
            return Some(known.clone());
        }
        let listed = self.classes.get(class)?;
        let mut properties: HashSet<String> = listed.iter().cloned().collect();
        if properties.remove(ALL) {
            properties.extend(stored_by_class(class));
        }
        let known = Arc::new(properties);
        self.known().classes.insert(class.to_owned(), known.clone());
        Some(known)
    }

    /// Returns whether a listed script extends exactly this class. The class is then allowed for objects with the script.
    fn is_base_of_script(&self, class: &str) -> bool {
        !self.scripts.is_empty()
            && self.refuse_dangerous(class).is_ok()
            && self.scripts.keys().any(|path| self.usable_script(path).is_ok_and(|script| script.base == class))
    }

    /// Checks that a script may be the type of a container: a listed script, or one that a listed script extends, which is loaded with it.
    pub(crate) fn container_script(&self, path: &str) -> Result<(), String> {
        let extends = |listed: &String| {
            self.listed_script(listed).is_ok_and(|script| script.base_scripts.iter().any(|base| base == path))
        };
        // Before `listed_script`, which builds a message for a script that is not listed.
        if !path.is_empty() && !self.scripts.contains_key(path) && self.scripts.keys().any(extends) {
            return Ok(());
        }
        let listed = self.listed_script(path);
        listed.map(drop).map_err(|reason| format!("{reason}; it is the type of an Array or Dictionary"))
    }

    /// Returns a listed script that objects can have.
    fn usable_script(&self, path: &str) -> Result<Arc<AllowedScript>, String> {
        let script = self.listed_script(path)?;
        match &script.unusable {
            None => Ok(script),
            Some(reason) => Err(reason.clone()),
        }
    }

    /// Returns a listed script. It can be the type of a container even if objects cannot have it.
    fn listed_script(&self, path: &str) -> Result<Arc<AllowedScript>, String> {
        if let Some(known) = self.known().scripts.get(path) {
            return Ok(known.clone());
        }
        let listed = self.scripts.get(path).ok_or_else(|| match path {
            "" => "a script without a path is not allowed: only one that is a file of the project can be listed"
                .to_owned(),
            _ => {
                // The engine also finds scripts by other paths, but packets do not name them so.
                let is_path = |listed: &str| listed.starts_with(PROJECT);
                let unknown = found_once(&self.unknown_script, || {
                    let exists = |listed: &String| is_path(listed) && is_script(&GString::from(listed));
                    self.scripts.keys().filter(|listed| !exists(listed)).min().cloned()
                });
                let meant = match (unknown, self.unknown_class()) {
                    (Some(listed), _) if is_path(listed) => format!(", but {listed}, where there is no script"),
                    (Some(listed), _) => format!(", but {listed}, which is no path that begins with {PROJECT}"),
                    (None, Some(listed)) => format!(", and allowed_classes lists {listed}, {NO_CLASS}"),
                    (None, None) => String::new(),
                };
                format!("script {path:?} is not allowed: allowed_scripts does not list it{meant}")
            }
        })?;
        let script: Gd<Script> = load_script(&GString::from(path)).map_err(|error| error.to_string())?.to();
        // Before they are used, so that a change meanwhile is noticed.
        let scripts: Vec<_> = std::iter::successors(Some(script.clone()), |script| script.get_base_script()).collect();
        let with_source = scripts.iter().map(WatchedScript::new).filter(WatchedScript::has_source);
        let (with_source, of_script) = (with_source.collect::<Vec<_>>(), Declared::of_script(&script));
        let base_scripts = scripts[1..].iter().map(|script| script.get_path().to_string()).collect();
        let base = script.get_instance_base_type().to_string();
        if base.is_empty() {
            return Err(format!("script {path} cannot be used: it has errors"));
        }
        let unusable = AllowedScript::fault(&script, path);
        let declared = declared_by_script(&script);
        let mut properties: HashSet<String> = listed.iter().cloned().collect();
        let has_all = properties.remove(ALL);
        let stored = declared.iter().filter(|(_, is_stored)| has_all && *is_stored);
        properties.extend(stored.map(|(name, _)| name.clone()));
        let declared = declared.into_iter().map(|(name, _)| name).collect();
        let known = Arc::new(AllowedScript { base, properties, declared, unusable, base_scripts });
        // Only once for a script, of which packets can ask for any number of times.
        if self.known().scripts.insert(path.to_owned(), known.clone()).is_none() {
            let mut watched = self.watched();
            watched.with_source.extend(with_source);
            watched.declared.push(of_script);
            self.has_watched.store(true, Ordering::Relaxed);
        }
        Ok(known)
    }
}

impl AllowedObject {
    /// Returns whether this property may be set.
    pub(crate) fn property(&self, name: &str) -> bool {
        let is_of_class = self.of_class.as_ref().is_some_and(|properties| properties.contains(name));
        match self.is_shared(name) {
            true => is_of_class && self.is_of_script(name),
            false => name == SCRIPT || is_of_class || self.is_of_script(name),
        }
    }

    /// Returns whether this is a listed property of the script.
    pub(crate) fn is_of_script(&self, name: &str) -> bool {
        let script = self.of_script.as_ref().filter(|script| script.properties.contains(name));
        // What the script does not declare, the engine sets on the class.
        script.is_some_and(|script| !self.is_native(name) || script.declared.contains(name))
    }

    /// Returns whether the class and the script both have this property. It must then be listed for both: the engine sets that of the
    /// class if the value does not fit that of the script, and else that of the script.
    pub(crate) fn is_shared(&self, name: &str) -> bool {
        self.is_native(name) && self.of_script.as_ref().is_some_and(|script| script.declared.contains(name))
    }

    fn is_native(&self, name: &str) -> bool {
        self.native.as_ref().is_some_and(|native| native.contains(name))
    }
}

/// Returns what was found the first time. To find it can run scripts, which load resources for the engine: nothing is locked meanwhile.
fn found_once(known: &OnceLock<Option<String>>, find: impl FnOnce() -> Option<String>) -> &Option<String> {
    if let Some(known) = known.get() {
        return known;
    }
    let found = find();
    known.get_or_init(|| found)
}

fn lists_all(listed: &[String]) -> bool {
    listed.iter().any(|name| name == ALL)
}
