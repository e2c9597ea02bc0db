//! The layers of `src/`, as the tables of `docs/architecture.md` name them: a file imports from its own layer and from those below it,
//! and no two rooms import each other, over others or directly.
//!
//! `use` lines and paths in the code are read, tests at the end of a file are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

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

/// An import of a file: the file, its room, and the path from the crate's root.
struct Import {
    file: String,
    room: String,
    path: Vec<String>,
}

#[test]
fn a_layer_imports_only_from_itself_and_below() {
    let layers = layers();
    let place = |room: &str| layers.iter().position(|(_, rooms)| rooms.contains(room));
    let upwards: Vec<_> = all_imports()
        .into_iter()
        .filter(|import| {
            let own = place(&import.room).unwrap_or_else(|| panic!("docs/architecture.md names no layer of `{}`", import.room));
            place(&import.path[0]).is_some_and(|other| other > own)
        })
        .map(|import| format!("{}: {}", import.file, import.path.join("::")))
        .collect();
    assert!(upwards.is_empty(), "imports from a higher layer:\n{}", upwards.join("\n"));
}

#[test]
fn no_room_imports_itself_over_others() {
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for import in all_imports() {
        arrows.entry(import.room.clone()).or_default().insert(import.path[0].clone());
    }
    for (room, targets) in &mut arrows {
        targets.remove(room);
    }
    // What imports only rooms that are done is done; what is left is a cycle.
    while let Some(done) = arrows.iter().find(|(_, targets)| targets.iter().all(|target| !arrows.contains_key(target))) {
        let done = done.0.clone();
        arrows.remove(&done);
    }
    assert!(arrows.is_empty(), "rooms that import each other: {arrows:?}");
}

#[test]
fn the_tables_name_every_room_once() {
    let mut named: Vec<_> = layers().into_iter().flat_map(|(_, rooms)| rooms).collect();
    named.sort();
    let mut rooms: Vec<_> = fs::read_dir(source()).unwrap().map(|entry| entry.unwrap().path()).collect();
    rooms.retain(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"));
    let rooms: BTreeSet<_> = rooms.iter().map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(named, rooms.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_sql_of_a_room_is_its_own() {
    let found: BTreeSet<(String, String)> = all_imports()
        .into_iter()
        .filter(|import| import.path[0] != import.room && import.path.iter().skip(1).any(|part| part == "store"))
        .map(|import| (import.room, import.path[0].clone()))
        .collect();
    let known: BTreeSet<_> = STORES.iter().map(|(room, other)| (room.to_string(), other.to_string())).collect();
    let added: Vec<_> = found.difference(&known).map(|pair| format!("    {pair:?},")).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(added.is_empty(), "rooms that import another room's SQL:\n{}", added.join("\n"));
    assert!(gone.is_empty(), "take these out of STORES: {gone:?}");
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The layers from the ground up, each with its rooms.
fn layers() -> Vec<(String, BTreeSet<String>)> {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).unwrap();
    let mut layers: Vec<(String, BTreeSet<String>)> = Vec::new();
    for line in document.lines() {
        if let Some(name) = line.strip_prefix("### Layer: ") {
            layers.push((name.to_owned(), BTreeSet::new()));
        } else if line.starts_with("### ") && !layers.is_empty() {
            break;
        } else if let (Some(row), Some((_, rooms))) = (line.strip_prefix("| `"), layers.last_mut()) {
            let cell = row.split(" |").next().unwrap_or_default();
            rooms.extend(cell.split(',').map(|room| room.trim_matches([' ', '`']).to_owned()));
        }
    }
    layers
}

/// What the files of `src/` import from it.
fn all_imports() -> Vec<Import> {
    let source = source();
    let rooms: BTreeSet<_> = layers().into_iter().flat_map(|(_, rooms)| rooms).collect();
    let mut found = Vec::new();
    for path in files(&source) {
        let file = path.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
        let module = module_of(&file);
        let paths = imports(&fs::read_to_string(&path).unwrap(), &module).into_iter().filter(|path| rooms.contains(&path[0]));
        found.extend(paths.map(|path| Import { file: file.clone(), room: module[0].clone(), path }));
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

/// `channel/cap/mod.rs` is the module `channel::cap`.
fn module_of(file: &str) -> Vec<String> {
    let file = file.strip_suffix(".rs").unwrap();
    file.strip_suffix("/mod").unwrap_or(file).split('/').map(str::to_owned).collect()
}

/// What a file takes from its crate, as paths from the root.
fn imports(text: &str, module: &[String]) -> BTreeSet<Vec<String>> {
    let text = text.split("\n#[cfg(test)]\nmod ").next().and_then(|text| text.split("\n#[cfg(test)]\npub mod ").next()).unwrap_or_default();
    let code: Vec<_> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut found = BTreeSet::new();
    for (place, _) in code.match_indices("use ") {
        if place > 0 && !code[..place].ends_with(['\n', ' ', '(']) {
            continue;
        }
        let tree = code[place + 4..].split(';').next().unwrap_or_default();
        found.extend(leaves("", tree).iter().filter_map(|path| absolute(path, module)));
    }
    for start in ["crate::", "super::", "leadlane::"] {
        for (place, _) in code.match_indices(start) {
            if code[..place].ends_with(|before: char| before.is_alphanumeric() || before == ':' || before == '_') {
                continue;
            }
            let end = code[place..].find(|next: char| !(next.is_alphanumeric() || next == ':' || next == '_')).unwrap_or(0);
            found.extend(absolute(&code[place..place + end], module));
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

/// The path from the crate's root, or none for what is of another crate.
fn absolute(path: &str, module: &[String]) -> Option<Vec<String>> {
    let mut parts: Vec<_> = path.trim().split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let mut base = module.to_vec();
    match parts.first()?.as_str() {
        "crate" | "leadlane" => base.clear(),
        "self" => {}
        "super" => {
            while parts.first().is_some_and(|part| part == "super") {
                base.pop();
                parts.remove(0);
            }
            parts.insert(0, "super".to_owned());
        }
        _ => return None,
    }
    base.extend(parts.into_iter().skip(1));
    (!base.is_empty()).then_some(base)
}
