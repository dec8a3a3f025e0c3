//! A core of Godot is a library that uses functions of libFuzzer and the sanitizers in these programs.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-rdynamic");
}
