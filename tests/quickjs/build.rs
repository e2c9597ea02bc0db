//! Builds the front end's bundle, as the program's own build script does.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    let js = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../js");
    let web = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("web");
    println!("cargo::rerun-if-changed=build.rs");
    for entry in fs::read_dir(&js).expect("the front end's folder").flatten() {
        if !["node_modules", "dist"].contains(&&*entry.file_name().to_string_lossy()) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    let built = Command::new("node").arg(js.join("app/build.mjs")).args(["--compress", "none", "--out"]).arg(web).status();
    assert!(built.is_ok_and(|status| status.success()), "the front end does not build: the lines above say why");
}
