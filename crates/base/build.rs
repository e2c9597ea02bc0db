//! Lists the files of `migrations/` for `src/db/migrate.rs`, in the order of their numbers, and what the
//! program reads of the screens below `js/areas/`: their routes for `src/routes.rs`, their headings for `src/fields.rs`.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    write_migrations();
    write_routes();
    write_headings();
}

fn write(name: &str, content: String) {
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join(name), content).unwrap();
}

/// The folders in a folder, sorted.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn areas() -> PathBuf {
    Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../js/areas").canonicalize().unwrap()
}

fn watch(file: &Path) {
    println!("cargo::rerun-if-changed={}", file.display());
}

/// The `routes.json` of each area, by its name. A new area is named in `js/app/routes.json`.
fn write_routes() {
    let areas = areas();
    watch(&areas.join("../app/routes.json"));
    let mut list = String::from("&[\n");
    for area in folders(&areas) {
        let file = area.join("routes.json");
        if file.exists() {
            watch(&file);
            list += &format!("    ({:?}, include_str!({file:?})),\n", area.file_name().unwrap());
        }
    }
    write("routes.rs", list + "]\n");
}

/// Each `headings.zh.json` of an area or of one of its records, with the `headings.en.json` beside it. A watched folder is
/// watched with all that is in it, and each saved page would compile this crate again; so the files are watched, and for new
/// ones the tables of routes, to which a new screen is added.
fn write_headings() {
    let mut list = String::from("&[\n");
    for area in folders(&areas()) {
        for folder in std::iter::once(area.clone()).chain(folders(&area)) {
            let [chinese, english] = ["headings.zh.json", "headings.en.json"].map(|name| folder.join(name));
            if chinese.exists() || english.exists() {
                watch(&chinese);
                watch(&english);
                list += &format!("    (include_str!({chinese:?}), include_str!({english:?})),\n");
            }
        }
    }
    write("headings.rs", list + "]\n");
}

fn write_migrations() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../migrations").canonicalize().unwrap();
    watch(&folder);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    let mut list = String::from("&[\n");
    let mut last = 0;
    for file in &files {
        let parts = file.strip_suffix(".sql").and_then(|file| file.split_once('_')).filter(|(number, _)| number.len() == 4);
        let (number, name) = parts.unwrap_or_else(|| panic!("migrations/{file}: a migration is named like 0042_searches.sql"));
        let number: i64 = number.parse().unwrap_or_else(|_| panic!("migrations/{file} does not begin with a number"));
        assert!(number > last, "migrations/{file}: there is another migration {number}");
        last = number;
        list += &format!("    ({number}, {name:?}, include_str!({:?})),\n", folder.join(file));
    }
    write("migrations.rs", list + "]\n");
}
