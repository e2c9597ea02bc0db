//! The crates and their rooms are those of `docs/architecture.md`, no two rooms import each other, over others or
//! directly, and no room imports another room's SQL or writes its tables. Each crate says what is not in it. No source
//! file is long. That a crate imports only from those that its manifest names is the compiler's work.
//!
//! `use` lines and paths in the code are read, tests at the end of a file are not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// A crate as the document has it.
#[derive(Clone)]
struct Crate {
    name: String,
    /// The crates that it uses.
    uses: BTreeSet<String>,
    rooms: BTreeSet<String>,
}

impl Crate {
    /// The room of a path from the crate's root. What no room has is in the root, which is a room where it has the crate's name.
    fn room(&self, path: &[String]) -> Option<String> {
        let first = path.first().filter(|first| self.rooms.contains(*first));
        first.or_else(|| self.rooms.get(&self.name)).cloned()
    }
}

/// An import of a file: the file, its room, and the room and path that it imports.
struct Import {
    file: String,
    from: (String, String),
    to: (String, String),
    path: Vec<String>,
}

#[test]
fn the_document_names_what_each_crate_uses() {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut manifests = BTreeMap::new();
    for package in metadata["packages"].as_array().unwrap().iter().filter(|package| package["name"] != "leadlane") {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let used = dependencies.filter(|dependency| dependency["path"].is_string() && dependency["kind"].is_null());
        let used: BTreeSet<_> = used.map(|dependency| dependency["name"].as_str().unwrap().to_owned()).collect();
        manifests.insert(package["name"].as_str().unwrap().to_owned(), used);
    }
    let documented: BTreeMap<_, _> = crates().into_iter().map(|one| (one.name, one.uses)).collect();
    assert_eq!(documented, manifests);
}

#[test]
fn the_tables_name_every_room_once() {
    let mut all = BTreeSet::new();
    for one in crates() {
        for room in &one.rooms {
            assert!(all.insert(room.clone()), "`{room}` is named twice");
        }
        let mut modules = modules(&one.name);
        if one.rooms.contains(&one.name) {
            // The modules of the root are its own.
            modules.retain(|module| one.rooms.contains(module));
            modules.insert(one.name.clone());
        }
        assert_eq!(one.rooms, modules, "the rooms of `{}`", one.name);
    }
}

#[test]
fn each_crate_says_what_is_not_in_it() {
    let mut silent = BTreeSet::new();
    for one in crates() {
        let text = fs::read_to_string(source(&one.name).join("lib.rs")).unwrap();
        let mut lines = text.lines().take_while(|line| line.starts_with("//!"));
        if !lines.any(|line| line.contains("Not here")) {
            silent.insert(one.name);
        }
    }
    assert!(silent.is_empty(), "crates whose first lines do not say what is not in them: {silent:?}");
}

#[test]
fn no_room_imports_itself_over_others() {
    let imports = all_imports();
    assert!(imports.len() > 2_000, "the sources were not read: {} imports", imports.len());
    let mut arrows: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for import in imports.into_iter().filter(|import| import.from != import.to) {
        arrows.entry(import.from).or_default().insert(import.to);
    }
    // A room that imports none of those left, or that none of them imports, is in no cycle.
    while let Some(done) = arrows.iter().find_map(|(room, targets)| {
        let imports = targets.iter().any(|target| arrows.contains_key(target));
        let is_imported = arrows.values().any(|targets| targets.contains(room));
        (!imports || !is_imported).then(|| room.clone())
    }) {
        arrows.remove(&done);
    }
    let left: BTreeSet<_> = arrows.keys().cloned().collect();
    arrows.values_mut().for_each(|targets| targets.retain(|target| left.contains(target)));
    assert!(arrows.is_empty(), "rooms that import each other: {arrows:?}");
}

/// The demo writes what happened in the past, which no room has a function for.
#[test]
fn the_sql_of_a_room_is_its_own() {
    let foreign: BTreeSet<_> = all_imports()
        .into_iter()
        .filter(|import| import.from.0 != "demo" && import.from != import.to && import.path.iter().any(|part| part == "store"))
        .map(|import| format!("{} imports {}", import.file, import.path.join("::")))
        .collect();
    assert!(foreign.is_empty(), "files that import another room's SQL: {foreign:#?}");
}

/// The demo and the tests write the tables of all rooms. Statements whose table is a variable are not seen: `server::city_codes` and
/// `server::phone_hashes` rewrite an old column of several rooms, and `base::key_check` the sealed columns.
#[test]
fn a_table_is_written_by_one_room() {
    let (tables, mut writers) = (tables(), BTreeMap::<_, BTreeSet<_>>::new());
    for (own, room, file) in all_files().into_iter().filter(|(own, ..)| !["demo", "testing"].contains(&own.name.as_str())) {
        let code = code(&fs::read_to_string(source(&own.name).join(&file)).unwrap());
        for verb in ["INSERT INTO ", "UPDATE ", "DELETE FROM "] {
            for (place, _) in code.match_indices(verb) {
                let rest = &code[place + verb.len()..];
                let table = &rest[..rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len())];
                if tables.contains(table) {
                    writers.entry(table.to_owned()).or_default().insert(room.clone());
                }
            }
        }
    }
    assert!(tables.len() > 140 && writers.len() > 130, "{} tables, {} of which are written", tables.len(), writers.len());
    writers.retain(|_, rooms| rooms.len() > 1);
    assert!(writers.is_empty(), "tables that several rooms write: {writers:#?}");
}

#[test]
fn all_old_rows_are_deleted() {
    let read = |(own, _, file): (Crate, String, String)| fs::read_to_string(source(&own.name).join(file)).unwrap();
    let declared: usize = all_files().into_iter().map(|file| code(&read(file)).matches(": OldRows =").count()).sum();
    let list = fs::read_to_string(source("server").join("retention.rs")).unwrap();
    let (_, list) = list.split_once("const OLD: &[&OldRows] = &[").unwrap();
    let deleted = list[..list.find("];").unwrap()].matches("::OLD_").count();
    assert_eq!(deleted, declared, "retention.rs names all rows that rooms declare as old");
}

/// Lines of a source file, at most. A longer one is split by what its parts do.
const MOST_LINES: usize = 500;

#[test]
fn no_source_file_has_more_than_500_lines() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let folders = crates.filter(|folder| folder.is_dir()).chain([root.join("src")]);
    let mut long = BTreeMap::new();
    for file in folders.flat_map(|folder| files(&folder)) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        if lines > MOST_LINES {
            long.insert(file.strip_prefix(root).unwrap().display().to_string(), lines);
        }
    }
    assert!(long.is_empty(), "files of more than {MOST_LINES} lines: {long:#?}");
}

/// The tables of the migrations.
fn tables() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut tables = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.split("CREATE TABLE ").skip(1) {
            let name = line.trim_start_matches("IF NOT EXISTS ");
            tables.insert(name[..name.find([' ', '(', '\n']).unwrap()].to_owned());
        }
    }
    tables
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("src")
}

/// The files and folders of a crate's root.
fn modules(name: &str) -> BTreeSet<String> {
    let paths = fs::read_dir(source(name)).unwrap().map(|entry| entry.unwrap().path());
    let modules = paths.filter(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"));
    modules.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).filter(|module| module != "lib").collect()
}

/// The crates of the document.
fn crates() -> Vec<Crate> {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let mut crates: Vec<Crate> = Vec::new();
    for line in document.lines() {
        if let Some(name) = line.strip_prefix("### Crate: ") {
            crates.push(Crate { name: name.to_owned(), uses: BTreeSet::new(), rooms: BTreeSet::new() });
        } else if line.starts_with("### ") && !crates.is_empty() {
            break;
        } else if let (Some(used), Some(last)) = (line.strip_prefix("Uses "), crates.last_mut()) {
            last.uses = quoted(used);
        } else if let (Some(row), Some(last)) = (line.strip_prefix("| "), crates.last_mut()) {
            last.rooms.extend(quoted(row.split(" | ").next().unwrap_or_default()));
        }
    }
    crates
}

/// The files of rooms: the crate, the room, and the path below the crate's source.
fn all_files() -> Vec<(Crate, String, String)> {
    let mut found = Vec::new();
    for own in crates() {
        let source = source(&own.name);
        for path in files(&source) {
            let file = path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
            if let Some(room) = own.room(&module_of(&file)) {
                found.push((own.clone(), room, file));
            }
        }
    }
    found
}

/// What the files of all crates import from rooms.
fn all_imports() -> Vec<Import> {
    let crates = crates();
    let mut found = Vec::new();
    for (own, room, file) in all_files() {
        let text = fs::read_to_string(source(&own.name).join(&file)).unwrap();
        for (name, path) in imports(&text, &own, &module_of(&file), &crates) {
            let Some(to) = crates.iter().find(|one| one.name == name).and_then(|one| one.room(&path)) else { continue };
            let from = (own.name.clone(), room.clone());
            found.push(Import { file: format!("{}/src/{file}", own.name), from, to: (name, to), path });
        }
    }
    found
}

/// A file's text without its comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    lines.join("\n")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// `channel/cap/mod.rs` is the module `channel::cap`, `lib.rs` the root.
fn module_of(file: &str) -> Vec<String> {
    let file = file.strip_suffix(".rs").unwrap();
    if file == "lib" {
        return Vec::new();
    }
    file.strip_suffix("/mod").unwrap_or(file).split('/').map(str::to_owned).collect()
}

/// What a file takes from crates of the workspace: the crate, and the path from its root.
fn imports(text: &str, own: &Crate, module: &[String], crates: &[Crate]) -> BTreeSet<(String, Vec<String>)> {
    let code = code(text);
    let absolute = |path: &str| absolute(path, own, module, crates);
    let mut found = BTreeSet::new();
    for (place, _) in code.match_indices("use ") {
        if place > 0 && !code[..place].ends_with(['\n', ' ', '(']) {
            continue;
        }
        let tree = code[place + 4..].split(';').next().unwrap_or_default();
        let paths: Vec<_> = leaves("", tree).iter().filter_map(|path| absolute(path)).collect();
        // What the file reaches through the names that it imports: `user::store::find` after `use trade::user`.
        for (name, path) in &paths {
            let Some(last) = path.last().filter(|last| *last != "self").or_else(|| path.iter().rev().nth(1)) else { continue };
            if code.contains(&format!("{last}::store::")) {
                let path = path.iter().filter(|part| *part != "self").cloned().chain(["store".to_owned()]).collect();
                found.insert((name.clone(), path));
            }
        }
        found.extend(paths);
    }
    let starts = crates.iter().map(|one| one.name.as_str()).chain(["crate", "super"]);
    for start in starts.map(|name| format!("{name}::")) {
        for (place, _) in code.match_indices(&start) {
            if code[..place].ends_with(|before: char| before.is_alphanumeric() || before == ':' || before == '_') {
                continue;
            }
            let end = code[place..].find(|next: char| !(next.is_alphanumeric() || next == ':' || next == '_')).unwrap_or(0);
            found.extend(absolute(&code[place..place + end]));
        }
    }
    found
}

/// The paths of a tree of imports: `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn leaves(prefix: &str, tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else { return vec![format!("{prefix}{}", tree.split(" as ").next().unwrap_or_default())] };
    let prefix = format!("{prefix}{}", &tree[..open]);
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (place, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(leaves(&prefix, &inner[from..place]));
                from = place + 1;
            }
            _ => {}
        }
    }
    if !inner[from..].trim().is_empty() {
        found.extend(leaves(&prefix, &inner[from..]));
    }
    found
}

/// A path's crate and the path from its root, or none for what is of another workspace.
fn absolute(path: &str, own: &Crate, module: &[String], crates: &[Crate]) -> Option<(String, Vec<String>)> {
    let mut parts: Vec<_> = path.trim().split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let mut base = module.to_vec();
    let first = parts.first()?.clone();
    match first.as_str() {
        "crate" => base.clear(),
        "self" => {}
        "super" => {
            while parts.first().is_some_and(|part| part == "super") {
                base.pop();
                parts.remove(0);
            }
            parts.insert(0, "super".to_owned());
        }
        other => {
            let one = crates.iter().find(|one| one.name == other)?;
            return Some((one.name.clone(), parts.split_off(1)));
        }
    }
    base.extend(parts.into_iter().skip(1));
    Some((own.name.clone(), base))
}
