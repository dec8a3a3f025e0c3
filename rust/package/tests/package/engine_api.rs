//! The description of the engine from which the bindings are generated, `rust/extension/engine-api.json`.
//!
//! The bindings for every class of the engine take a quarter of an hour to build, and a library with all of them asks the engine
//! for each method of each class when it loads. So the file has only the classes that are used. It is made of the engine's own
//! description: `UPDATE_ENGINE_API=1 cargo test -p varbytes-package engine_api` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value};

/// The classes that the addon and its Rust test suite name. Their base classes come with them.
const CLASSES: [&str; 22] = [
    "ClassDB",
    "EncodedObjectAsID",
    "Engine",
    "FileAccess",
    "Gradient",
    "MultiplayerPeer",
    "OS",
    "PacketPeer",
    "PacketPeerStream",
    "Performance",
    "PlaceholderTexture2D",
    "ProjectSettings",
    "Resource",
    "ResourceLoader",
    "SceneTree",
    "Script",
    "StreamPeer",
    "StreamPeerBuffer",
    "StreamPeerTLS",
    "WebSocketPeer",
    "Window",
    "WorkerThreadPool",
];

/// The classes that the bindings themselves name.
const OF_THE_BINDINGS: [&str; 10] = [
    "EditorPlugin",
    "InputEventAction",
    "MultiplayerAPI",
    "Node2D",
    "Node3D",
    "PackedScene",
    "ResourceSaver",
    "ScriptExtension",
    "ScriptLanguage",
    "ScriptLanguageExtension",
];

/// The description that the bindings are generated from.
const PATH: &str = "rust/extension/engine-api.json";

/// What the bindings do not read.
const UNREAD: [&str; 5] = ["brief_description", "description", "hash_compatibility", "properties", "members"];

#[test]
fn the_engine_api_is_the_engines_own_description_of_the_classes_that_are_used() {
    let full = gdextension_api::version_4_4::load_extension_api_json();
    let expected = lines(&reduced(serde_json::from_str(&full).expect("JSON")));
    let path = varbytes_package::repository().join(PATH);
    if std::env::var_os("UPDATE_ENGINE_API").is_some() {
        fs::write(&path, &expected).expect("written");
    }
    let found = fs::read_to_string(&path).expect("the description of the engine");
    assert!(found == expected, "run `UPDATE_ENGINE_API=1 cargo test -p varbytes-package engine_api`");
}

/// The bindings ask the engine for each method by name and by the hash of its signature, and the library does not load if one is
/// missing. Engines keep the hashes of older signatures.
#[test]
fn later_engines_have_every_method_that_the_library_asks_for() {
    let asked = methods(&read());
    assert!(asked.len() > 1000, "{} methods", asked.len());
    for (version, offered) in ["4.5", "4.6", "4.7"].iter().zip(later()) {
        for (method, hashes) in &asked {
            let found = offered.get(method).unwrap_or_else(|| panic!("Godot {version} has no {method}"));
            assert!(found.contains(&hashes[0]), "Godot {version} has another {method}");
        }
    }
}

/// Returns the methods of the engines after 4.4.
fn later() -> [BTreeMap<String, Vec<i64>>; 3] {
    [
        gdextension_api::version_4_5::load_extension_api_json(),
        gdextension_api::version_4_6::load_extension_api_json(),
        gdextension_api::version_4_7::load_extension_api_json(),
    ]
    .map(|text| methods(&serde_json::from_str(&text).expect("JSON")))
}

/// Returns the hashes of all methods and functions that are not virtual: the current one first, then those of older signatures.
fn methods(api: &Value) -> BTreeMap<String, Vec<i64>> {
    let list = |of: &Value, name: &str| of[name].as_array().cloned().unwrap_or_default();
    let hashes = |method: &Value| -> Vec<i64> {
        let older = list(method, "hash_compatibility");
        [&method["hash"]].into_iter().chain(&older).filter_map(Value::as_i64).collect()
    };
    let mut found: BTreeMap<String, Vec<i64>> =
        list(api, "utility_functions").iter().map(|function| (name(function).to_owned(), hashes(function))).collect();
    for class in list(api, "classes").iter().chain(&list(api, "builtin_classes")) {
        for method in list(class, "methods").iter().filter(|method| method["is_virtual"] != true) {
            found.insert(format!("{}.{}", name(class), name(method)), hashes(method));
        }
    }
    found
}

fn read() -> Value {
    let path = varbytes_package::repository().join(PATH);
    serde_json::from_str(&fs::read_to_string(path).expect("the description of the engine")).expect("JSON")
}

/// Removes the other classes, everything that refers to them, methods that a later engine lacks, and what the bindings do not read.
fn reduced(mut api: Value) -> Value {
    let later = later();
    let classes = api["classes"].as_array().expect("classes").clone();
    let bases: BTreeMap<&str, Option<&str>> =
        classes.iter().map(|class| (name(class), class["inherits"].as_str())).collect();
    let mut kept = BTreeSet::new();
    for class in CLASSES.into_iter().chain(OF_THE_BINDINGS) {
        let mut next = Some(class);
        while let Some(class) = next {
            kept.insert(class);
            next = bases.get(class).copied().unwrap_or_else(|| panic!("the engine has no class {class}"));
        }
    }
    let removed: BTreeSet<&str> = bases.keys().copied().filter(|class| !kept.contains(class)).collect();
    retain(&mut api, "classes", |class| kept.contains(name(class)));
    retain(&mut api, "singletons", |singleton| kept.contains(name(singleton)));
    retain(&mut api, "native_structures", |structure| !names_any(&structure["format"], &removed));
    for class in api["classes"].as_array_mut().expect("classes") {
        let prefix = name(class).to_owned();
        retain(class, "methods", |method| {
            let path = format!("{prefix}.{}", name(method));
            method["is_virtual"] == true || later.iter().all(|engine| engine.contains_key(&path))
        });
        for members in ["methods", "signals"] {
            retain(class, members, |member| {
                let arguments = member["arguments"].as_array().map(Vec::as_slice).unwrap_or_default();
                let types = arguments.iter().map(|argument| &argument["type"]);
                !types.chain([&member["return_value"]["type"]]).any(|name| names_any(name, &removed))
            });
        }
    }
    without_unread(&mut api);
    api
}

fn name(of: &Value) -> &str {
    of["name"].as_str().expect("a name")
}

/// Keeps the members of a list for which `is_kept` holds. An empty list is removed.
fn retain(of: &mut Value, list: &str, is_kept: impl Fn(&Value) -> bool) {
    let object = of.as_object_mut().expect("an object");
    let Some(members) = object.get_mut(list).and_then(Value::as_array_mut) else { return };
    members.retain(is_kept);
    if members.is_empty() {
        object.remove(list);
    }
}

/// Returns whether a type such as `typedarray::Node`, `enum::Node.ProcessMode` or `const Glyph*` names one of these classes.
fn names_any(text: &Value, classes: &BTreeSet<&str>) -> bool {
    let text = text.as_str().unwrap_or_default();
    text.split(|character: char| !character.is_alphanumeric() && character != '_').any(|word| classes.contains(word))
}

fn without_unread(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !UNREAD.contains(&key.as_str()));
            object.values_mut().for_each(without_unread);
        }
        Value::Array(members) => members.iter_mut().for_each(without_unread),
        _ => {}
    }
}

/// Writes each member of the long lists into a line of its own, so that a change shows what it changes.
fn lines(api: &Value) -> String {
    let parts: Vec<String> = object(api)
        .iter()
        .map(|(key, value)| match value {
            Value::Array(members) if !members.is_empty() => {
                let members: Vec<String> = members.iter().map(Value::to_string).collect();
                format!("\"{key}\":[\n{}\n]", members.join(",\n"))
            }
            _ => format!("\"{key}\":{value}"),
        })
        .collect();
    format!("{{\n{}\n}}\n", parts.join(",\n"))
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("an object")
}
