//! The files of a crate import only downward: no file imports, directly or through others, itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path within its crate; empty for the root.
type Module = Vec<String>;

/// The source files of a crate.
struct Sources(BTreeMap<Module, File>);

#[derive(Default)]
struct File {
    path: PathBuf,
    /// Every path that the file imports or names, as absolute segments.
    uses: Vec<Vec<String>>,
}

impl Sources {
    fn read(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        let mut found = BTreeMap::new();
        collect(&root, &mut Vec::new(), &mut found);
        let modules: Vec<Module> = found.keys().cloned().collect();
        for (module, file) in &mut found {
            let text = fs::read_to_string(&file.path).unwrap();
            // Tests may import anything.
            let code = without_comments(text.split("#[cfg(test)]\nmod ").next().unwrap_or_default());
            file.uses = paths(&code).into_iter().filter_map(|path| absolute(module, path, &modules)).collect();
        }
        Self(found)
    }

    /// The module that defines what a path names. Re-exports are followed.
    fn definition(&self, path: &[String], depth: usize) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let module = path[..length].to_vec();
        let Some(item) = path.get(length) else { return Some(module) };
        let re_export = self.0[&module].uses.iter().find(|used| used.last() == Some(item) && used[..] != *path);
        match re_export {
            Some(re_export) if depth < 8 => self.definition(re_export, depth + 1),
            _ => Some(module),
        }
    }

    /// The modules that a module imports from.
    fn imports(&self, module: &Module) -> Vec<Module> {
        let definitions = self.0[module].uses.iter().filter_map(|path| self.definition(path, 0));
        let mut imports: Vec<Module> = definitions.filter(|imported| imported != module).collect();
        imports.sort();
        imports.dedup();
        imports
    }

    /// The modules outside of a folder that its files import from.
    fn imports_of_folder(&self, folder: &Module) -> Vec<Module> {
        let inside = self.0.keys().filter(|module| module.starts_with(folder));
        let imports = inside.flat_map(|module| self.imports(module));
        imports.filter(|imported| !imported.starts_with(folder)).collect()
    }

    /// The shortest chain of imports that leads from a module back to it.
    fn circle(&self, start: &Module) -> Option<Vec<Module>> {
        let mut chains = vec![vec![start.clone()]];
        let mut seen = Vec::new();
        while !chains.is_empty() {
            let mut longer = Vec::new();
            for chain in chains {
                for imported in self.imports(&chain[chain.len() - 1]) {
                    let chain = [&chain[..], std::slice::from_ref(&imported)].concat();
                    if imported == *start {
                        return Some(chain);
                    }
                    if !seen.contains(&imported) {
                        seen.push(imported);
                        longer.push(chain);
                    }
                }
            }
            chains = longer;
        }
        None
    }
}

/// Adds the files of a folder.
fn collect(folder: &Path, module: &mut Module, found: &mut BTreeMap<Module, File>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_file = path.extension().is_some_and(|extension| extension == "rs");
        if path.is_dir() {
            module.push(name);
            collect(&path, module, found);
            module.pop();
        } else if is_file {
            let is_root = name == "mod" || module.is_empty() && (name == "lib" || name == "main");
            let own = if is_root { module.clone() } else { [&module[..], &[name]].concat() };
            found.insert(own, File { path, uses: Vec::new() });
        }
    }
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths in a text: those of each `use` with its braces expanded, and those that begin with `crate` or `super`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = code;
    while let Some(start) = rest.find(is_name) {
        let before = rest[..start].chars().next_back();
        let word_end = rest[start..].find(|character| !is_name(character)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..word_end];
        let mut end = word_end;
        if word == "use" {
            end = rest[start..].find(';').map_or(rest.len(), |length| start + length);
            expand(rest[word_end..end].trim(), &[], &mut paths);
        } else if (word == "crate" || word == "super") && before != Some('(') && rest[word_end..].starts_with("::") {
            let is_path = |character: char| is_name(character) || character == ':';
            end = rest[start..].find(|character| !is_path(character)).map_or(rest.len(), |length| start + length);
            paths.push(segments(&rest[start..end]));
        }
        rest = &rest[end..];
    }
    paths
}

/// Adds the paths of a `use` declaration without the keyword and the semicolon.
fn expand(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let Some((head, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        paths.push([before, &segments(path)].concat());
        return;
    };
    let before = [before, &segments(head)].concat();
    let group = group.rsplit_once('}').map_or(group, |(group, _)| group);
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(group[start..at].trim(), &before, paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        expand(group[start..].trim(), &before, paths);
    }
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).map(str::to_owned).collect()
}

/// A path from the root of the crate; `None` for a path into another crate.
fn absolute(module: &Module, path: Vec<String>, modules: &[Module]) -> Option<Vec<String>> {
    let mut segments = path.into_iter().peekable();
    let mut base = match segments.peek().map(String::as_str)? {
        "crate" => {
            segments.next();
            Vec::new()
        }
        "self" => {
            segments.next();
            module.clone()
        }
        "super" => module.clone(),
        first => {
            let child = [&module[..], &[first.to_owned()]].concat();
            if !modules.contains(&child) {
                return None;
            }
            module.clone()
        }
    };
    while segments.next_if(|segment| segment == "super").is_some() {
        base.pop();
    }
    base.extend(segments.filter(|segment| segment != "self"));
    Some(base)
}

fn has_no_circle(folder: &str) {
    let sources = Sources::read(folder);
    let imports: usize = sources.0.keys().map(|module| sources.imports(module).len()).sum();
    assert!(imports > sources.0.len(), "{folder}: only {imports} imports were found");
    let circles: Vec<String> = sources
        .0
        .keys()
        .filter_map(|module| sources.circle(module))
        .map(|circle| circle.iter().map(|module| module.join("::")).collect::<Vec<_>>().join(" -> "))
        .collect();
    assert!(circles.is_empty(), "{folder}: files import each other in a circle:\n{}", circles.join("\n"));
}

#[test]
fn files_of_the_extension_import_only_downward() {
    has_no_circle("rust/extension/src");
}

#[test]
fn files_of_the_codec_import_only_downward() {
    has_no_circle("rust/codec/src");
}

#[test]
fn values_import_nothing_of_the_decoder() {
    let sources = Sources::read("rust/codec/src");
    let imports = sources.imports_of_folder(&vec!["variant".to_owned()]);
    assert!(!imports.is_empty());
    for folder in ["read", "types", "write", "build", "coerce", "migrate", "decoder", "encoder", "error"] {
        assert!(!imports.iter().any(|module| module[0] == folder), "variant imports {folder}: {imports:?}");
    }
}

#[test]
fn raw_imports_nothing_above_it() {
    let sources = Sources::read("rust/extension/src");
    let is_raw = |module: &Module| module.first().is_some_and(|first| first == "raw");
    let raw: Vec<&Module> = sources.0.keys().filter(|module| is_raw(module)).collect();
    assert!(raw.len() > 10, "{raw:?}");
    for module in raw {
        let above: Vec<Module> = sources.imports(module).into_iter().filter(|imported| !is_raw(imported)).collect();
        assert!(above.is_empty(), "{module:?} imports {above:?}");
    }
}

#[test]
fn a_circle_is_found() {
    let file = |uses: &[&str]| File { uses: uses.iter().map(|path| segments(path)).collect(), ..File::default() };
    let module = |path: &str| segments(path);
    let sources = Sources(BTreeMap::from([
        (module(""), file(&["a::A"])),
        (module("a"), file(&["b::inner::B"])),
        (module("b"), file(&["b::inner::B"])),
        (module("b::inner"), file(&["A"])),
    ]));
    assert_eq!(sources.circle(&module("a")), Some([module("a"), module("b::inner"), module("a")].to_vec()));
    assert_eq!(sources.circle(&module("b")), None);
}

#[test]
fn groups_of_imports_are_expanded() {
    let code = "use crate::{a::{A, B as C}, d};\nfn f() -> crate::e::E { super::g() }\nuse std::fmt;";
    let found: Vec<String> = paths(code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a::A", "crate::a::B", "crate::d", "crate::e::E", "super::g", "std::fmt"]);
}
