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

/// Rooms that still import another room's SQL; the list may only get shorter.
const STORES: &[(&str, &str)] = &[
    ("admin", "setting"),
    ("applicant", "plan"),
    ("applicant", "user"),
    ("blacklist", "org"),
    ("channel", "terms"),
    ("crm", "org"),
    ("crm", "plan"),
    ("demo", "agreement"),
    ("demo", "blacklist"),
    ("demo", "channel"),
    ("demo", "chat"),
    ("demo", "feedback"),
    ("demo", "finance"),
    ("demo", "org"),
    ("demo", "partner"),
    ("demo", "pay"),
    ("demo", "plan"),
    ("demo", "product"),
    ("demo", "project"),
    ("demo", "returns"),
    ("demo", "user"),
    ("distribution", "plan"),
    ("distribution", "user"),
    ("feedback", "outbox"),
    ("feedback", "plan"),
    ("finance", "org"),
    ("partner", "channel"),
    ("pay", "org"),
    ("plan", "terms"),
    ("product", "terms"),
    ("push", "plan"),
    ("returns", "org"),
    ("returns", "plan"),
    ("risk", "plan"),
    ("risk", "user"),
    ("sms", "outbox"),
    ("user", "org"),
    ("user", "plan"),
    ("visit", "terms"),
];

/// A crate as the document has it.
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
fn no_room_imports_itself_over_others() {
    let mut arrows: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for import in all_imports().into_iter().filter(|import| import.from != import.to) {
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
    let found: BTreeMap<(String, String), String> = all_imports()
        .into_iter()
        .filter(|import| import.from != import.to && import.path.iter().any(|part| part == "store"))
        .map(|import| ((import.from.1, import.to.1), import.file))
        .collect();
    let known: BTreeSet<_> = STORES.iter().map(|(room, other)| (room.to_string(), other.to_string())).collect();
    let added: Vec<_> = found.iter().filter(|(pair, _)| !known.contains(pair)).map(|(pair, file)| format!("{pair:?} in {file}")).collect();
    let gone: Vec<_> = known.iter().filter(|pair| !found.contains_key(pair)).collect();
    assert!(added.is_empty(), "rooms that import another room's SQL:\n{}", added.join("\n"));
    assert!(gone.is_empty(), "take these out of STORES: {gone:?}");
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

/// What the files of all crates import from rooms.
fn all_imports() -> Vec<Import> {
    let crates = crates();
    let mut found = Vec::new();
    for own in &crates {
        let source = source(&own.name);
        for path in files(&source) {
            let file = path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
            let module = module_of(&file);
            let Some(room) = own.room(&module) else { continue };
            for (name, path) in imports(&fs::read_to_string(&path).unwrap(), own, &module, &crates) {
                let Some(to) = crates.iter().find(|one| one.name == name).and_then(|one| one.room(&path)) else { continue };
                let from = (own.name.clone(), room.clone());
                found.push(Import { file: format!("{}/src/{file}", own.name), from, to: (name, to), path });
            }
        }
    }
    found
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
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let absolute = |path: &str| absolute(path, own, module, crates);
    let mut found = BTreeSet::new();
    for (place, _) in code.match_indices("use ") {
        if place > 0 && !code[..place].ends_with(['\n', ' ', '(']) {
            continue;
        }
        let tree = code[place + 4..].split(';').next().unwrap_or_default();
        found.extend(leaves("", tree).iter().filter_map(|path| absolute(path)));
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
