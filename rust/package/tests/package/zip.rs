//! Tests the content of the zip, and that it is reproducible, with text files in place of libraries.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use varbytes_package::archive::{self, Content};
use varbytes_package::manifest::Manifest;
use varbytes_package::platform::Platform;

/// An addon of one platform and one class, with files that an editor creates.
struct Addon {
    folder: TempDir,
    manifest: Manifest,
}

impl Addon {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let manifest = "[libraries]\nlinux.debug.x86_64 = \"bin/a.so\"\nlinux.release.x86_64 = \"bin/b.so\"\n\
                        macos.debug = \"bin/c.dylib\"\nmacos.release = \"bin/d.dylib\"\n\
                        [icons]\nThing = \"icons/thing.svg\"\n";
        for (name, text) in [
            ("addon/varbytes.gdextension", manifest),
            ("addon/README.md", "read"),
            ("addon/LICENSE", "licence"),
            ("addon/THIRD_PARTY.md", "licences"),
            ("addon/icons/thing.svg", "<svg/>"),
            ("addon/icons/thing.svg.import", "of the editor"),
            ("addon/bin/old.so", "of an earlier build"),
            ("addon/build.sh", "a script"),
            ("addon/.hidden", "hidden"),
            ("addon/editor/.gdignore", ""),
            ("addon/editor/plugin.gd", "a panel"),
            ("built/bin/a.so", "debug"),
            ("built/bin/b.so", "release"),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        Self { manifest: Manifest::parse(manifest).expect("a manifest"), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn pack(&self, zip: &Path) -> anyhow::Result<()> {
        let platforms = [linux()];
        Content::collect(&self.path("addon"), &self.manifest, &platforms, &self.path("built"))?.write(
            zip,
            &self.manifest,
            &platforms,
        )
    }
}

fn linux() -> Platform {
    Platform::new(["linux".to_owned(), "x86_64".to_owned()])
}

#[test]
fn it_contains_only_the_addon() {
    let addon = Addon::new();
    let zip = addon.path("out/addon.zip");
    addon.pack(&zip).expect("a zip");
    let names: Vec<String> = archive::list(&zip).expect("a list").into_iter().map(|(name, _)| name).collect();
    let expected = [
        "LICENSE",
        "README.md",
        "THIRD_PARTY.md",
        "bin/a.so",
        "bin/b.so",
        "editor/.gdignore",
        "editor/plugin.gd",
        "icons/thing.svg",
        "varbytes.gdextension",
    ];
    assert_eq!(names, expected.map(|name| format!("addons/varbytes/{name}")));
    let project = addon.path("project");
    archive::unpack(&zip, &project).expect("unpacked");
    assert_eq!(fs::read_to_string(project.join("addons/varbytes/bin/b.so")).expect("a library"), "release");
}

#[test]
fn its_manifest_lists_only_the_libraries_in_it() {
    let addon = Addon::new();
    let zip = addon.path("addon.zip");
    addon.pack(&zip).expect("a zip");
    archive::unpack(&zip, &addon.path("project")).expect("unpacked");
    let listed = Manifest::load(&addon.path("project/addons/varbytes/varbytes.gdextension")).expect("a manifest");
    let listed: Vec<&str> = listed.all_libraries().iter().map(|library| library.path.as_str()).collect();
    assert_eq!(listed, ["bin/a.so", "bin/b.so"]);
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    let (first, second) = (Addon::new(), Addon::new());
    let zips = [first.path("a.zip"), second.path("b.zip")];
    first.pack(&zips[0]).expect("a zip");
    second.pack(&zips[1]).expect("a zip");
    assert_eq!(fs::read(&zips[0]).expect("a zip"), fs::read(&zips[1]).expect("a zip"));
}

#[test]
fn a_missing_file_is_named_and_no_zip_is_written() {
    for (file, message) in [
        ("built/bin/b.so", "bin/b.so"),
        ("addon/icons/thing.svg", "icons/thing.svg is missing"),
        ("addon/LICENSE", "LICENSE is missing"),
    ] {
        let addon = Addon::new();
        fs::remove_file(addon.path(file)).expect("removed");
        let error = format!("{:#}", addon.pack(&addon.path("out/addon.zip")).expect_err(file));
        assert!(error.contains(message), "{error}");
        let left = fs::read_dir(addon.path("out")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "something was left where the zip belongs: {file}");
    }
}

#[test]
fn a_zip_that_was_there_survives_a_failure() {
    let addon = Addon::new();
    let zip = addon.path("addon.zip");
    addon.pack(&zip).expect("a zip");
    let before = fs::read(&zip).expect("a zip");
    fs::write(addon.path("built/bin/a.so"), "").expect("an empty library");
    addon.pack(&zip).expect_err("an empty library");
    assert_eq!(fs::read(&zip).expect("a zip"), before);
}

#[test]
fn a_damaged_zip_is_refused() {
    let addon = Addon::new();
    let zip = addon.path("addon.zip");
    addon.pack(&zip).expect("a zip");
    let mut bytes = fs::read(&zip).expect("a zip");
    // The first file's content follows its header of 30 bytes and its name.
    bytes[30 + "addons/varbytes/LICENSE".len() + 2] ^= 0xFF;
    fs::write(&zip, bytes).expect("a zip");
    archive::verify(&zip, &addon.manifest, &[linux()]).expect_err("a damaged zip");
}

/// The page of the asset library, with the fields of its API. Links are relative until the repository has an address.
#[test]
fn the_page_of_the_asset_library_fits_the_addon() {
    let addon = varbytes_package::addon_folder(&varbytes_package::repository());
    let read = |name: &str| fs::read(addon.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let page: serde_json::Value = serde_json::from_slice(&read("editor/store.json")).expect("JSON");
    let field = |name: &str| page[name].as_str().unwrap_or_else(|| panic!("the page has no {name}"));
    for name in ["title", "description", "category_id", "download_provider"] {
        assert!(!field(name).is_empty(), "{name}");
    }
    assert_eq!(field("version_string"), env!("CARGO_PKG_VERSION"));
    assert!(field("download_commit").contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(field("cost"), env!("CARGO_PKG_LICENSE"));
    let manifest = String::from_utf8(read("varbytes.gdextension")).expect("text");
    assert!(manifest.contains(&format!("compatibility_minimum = \"{}\"", field("godot_version"))));
    let links = page["previews"].as_array().expect("previews").iter().map(|preview| &preview["link"]);
    for link in links.chain([&page["icon_url"]]).map(|link| link.as_str().expect("a link")) {
        assert!(read(&format!("editor/{link}")).starts_with(b"\x89PNG"), "{link} is not a picture");
    }
    // The width and height in the header of a PNG.
    assert_eq!(read("editor/pictures/icon.png")[16..24], [0, 0, 0, 128, 0, 0, 0, 128]);
}

#[test]
fn the_plugin_has_the_version_of_the_packages() {
    let addon = varbytes_package::addon_folder(&varbytes_package::repository());
    let plugin = fs::read_to_string(addon.join("plugin.cfg")).expect("a plugin");
    assert!(plugin.contains(&format!("version=\"{}\"", env!("CARGO_PKG_VERSION"))), "{plugin}");
}
