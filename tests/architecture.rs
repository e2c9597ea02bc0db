//! The layers of `src/`: a file imports what stands in its own layer or in one below it.
//!
//! `use` lines and paths in the code are read, tests at the end of a file are not. Imports that break the rule
//! today stand in [`EXCEPTIONS`]; the list may only get shorter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The layers from the ground up, each with its rooms: folders and files of `src/`.
const LAYERS: [(&str, &[&str]); 14] = [
    (
        "base",
        &[
            "cached",
            "canonical",
            "clock",
            "codes",
            "config",
            "crypto",
            "db",
            "fields",
            "hashing",
            "histogram",
            "key_check",
            "limits",
            "locale",
            "networks",
            "nonce",
            "outbox",
            "outside",
            "qr",
            "routes",
            "storage",
        ],
    ),
    (
        "frame",
        &[
            "access",
            "api",
            "daily_task",
            "decision",
            "dict",
            "export",
            "import",
            "message",
            "meter",
            "pdf",
            "phone_hashes",
            "places",
            "proposal",
            "reveal",
            "rotation",
            "setting",
            "sms",
            "terms",
            "upload",
        ],
    ),
    (
        "trade",
        &[
            "agreement",
            "blacklist",
            "channel",
            "compliance",
            "finance",
            "handoff",
            "matching",
            "org",
            "partner",
            "plan",
            "product",
            "project",
            "risk",
            "user",
            "visit",
        ],
    ),
    ("stats", &["stats"]),
    ("crm", &["crm"]),
    ("pay", &["pay"]),
    ("chat", &["chat"]),
    ("admin", &["admin"]),
    ("lead", &["distribution", "feedback", "returns"]),
    ("server", &["dispatch", "head_watch", "monitor", "open", "retention", "server", "trail_watch", "visualization", "workplace"]),
    ("render", &["render"]),
    ("site", &["backup", "pages"]),
    ("demo", &["demo"]),
    ("main", &["lib", "main"]),
];

/// Imports from a higher layer that are still there: file, and what it imports.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("api/ctx.rs", "agreement::Register"),
    ("api/ctx.rs", "chat::Feed"),
    ("api/ctx.rs", "handoff::Handoff"),
    ("api/ctx.rs", "plan::market::Market"),
    ("api/ctx.rs", "user::intake::Intake"),
    ("api/ctx.rs", "visit::Recorder"),
    ("blacklist/record.rs", "admin::ours_to_change"),
    ("blacklist/table.rs", "admin::ours_to_change"),
    ("channel/record.rs", "admin::owner"),
    ("chat/visitor.rs", "pages::document::nonce"),
    ("chat/visitor.rs", "pages::sentence"),
    ("codes.rs", "org::receipt::model::ReceiptStatus"),
    ("codes.rs", "org::receipt::model::ReceiptStatus::Confirmed"),
    ("codes.rs", "org::receipt::model::ReceiptStatus::Rejected"),
    ("codes.rs", "org::receipt::model::ReceiptStatus::Void"),
    ("codes.rs", "org::receipt::model::ReceiptStatus::Waiting"),
    ("codes.rs", "org::receipt::model::ReceiptStatus::self"),
    ("crm/clue/give_back.rs", "returns"),
    ("crm/clue/give_back.rs", "returns::ReturnForm"),
    ("crm/clue/give_back.rs", "returns::ReturnRow"),
    ("crm/clue/give_back.rs", "returns::self"),
    ("crm/identity.rs", "admin"),
    ("crm/salesperson/hand_over.rs", "admin::AdminStatus"),
    ("crm/salesperson/list.rs", "admin::AdminStatus"),
    ("crm/salesperson/model.rs", "admin::AdminStatus"),
    ("crm/salesperson/record.rs", "admin"),
    ("fields.rs", "api"),
    ("fields.rs", "api::Say"),
    ("fields.rs", "api::say"),
    ("finance/accounts/record.rs", "admin::ours_to_change"),
    ("finance/adjustment/record.rs", "admin::ours_to_change"),
    ("finance/statement/record.rs", "admin::ours_to_change"),
    ("limits.rs", "api::address::counted"),
    ("matching/model.rs", "distribution::PassedOver"),
    ("matching/store.rs", "distribution::PassedOver"),
    ("message/notice.rs", "org"),
    ("meter/history.rs", "render::RenderStats"),
    ("meter/mod.rs", "render"),
    ("meter/mod.rs", "render::RenderPool"),
    ("meter/mod.rs", "render::RenderStats"),
    ("monitor/status.rs", "render::IsolateStats"),
    ("open/link.rs", "pages::sentence"),
    ("open/products.rs", "pages::document::nonce"),
    ("org/delivery/mod.rs", "admin::ours_to_change"),
    ("org/receipt/record.rs", "admin::ours_to_change"),
    ("org/record.rs", "admin::owner"),
    ("org/trial.rs", "admin::ours_to_change"),
    ("outbox/mod.rs", "api::ApiError"),
    ("outside.rs", "api::check::is_public_host"),
    ("partner/statement/page.rs", "pages::document::nonce"),
    ("partner/statement/page.rs", "pages::preferences::Preferences"),
    ("partner/statement/page.rs", "pages::sentence"),
    ("pay/page.rs", "pages::document::nonce"),
    ("pay/page.rs", "pages::sentence"),
    ("pay/statement/table.rs", "admin::ours_to_change"),
    ("phone_hashes.rs", "org"),
    ("places/worker.rs", "user"),
    ("plan/market.rs", "returns::replacement"),
    ("plan/push/mod.rs", "crm"),
    ("plan/push/mod.rs", "returns::ReturnStatus"),
    ("plan/push/model.rs", "returns::ReturnStatus"),
    ("plan/push/store.rs", "crm"),
    ("plan/push/store.rs", "returns::replacement"),
    ("plan/record.rs", "admin::ours_to_change"),
    ("product/record.rs", "admin::ours_to_change"),
    ("server/assets.rs", "pages::front_end::FrontEnd"),
    ("server/info.rs", "pages::preferences::Preferences"),
    ("server/mod.rs", "pages"),
    ("server/mod.rs", "pages::Site"),
    ("server/mod.rs", "pages::self"),
    ("server/status.rs", "pages"),
    ("server/status.rs", "pages::Site"),
    ("server/status.rs", "pages::self"),
    ("user/consent.rs", "distribution"),
    ("user/invalid.rs", "distribution"),
    ("user/record.rs", "chat"),
    ("user/record.rs", "crm"),
    ("user/record.rs", "feedback"),
    ("user/record.rs", "feedback::FeedbackRow"),
    ("user/record.rs", "feedback::self"),
    ("user/record.rs", "returns"),
    ("user/record.rs", "returns::ReturnRow"),
    ("user/record.rs", "returns::self"),
];

#[test]
fn a_layer_imports_only_from_itself_and_below() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for file in files(&source) {
        let name = file.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
        let module = module_of(&name);
        let own = layer(&module[0]).unwrap_or_else(|| panic!("{name} belongs to no layer of LAYERS"));
        for path in imports(&fs::read_to_string(&file).unwrap(), &module) {
            if layer(&path[0]).is_some_and(|other| other > own) {
                found.insert((name.clone(), path.join("::")));
            }
        }
    }
    let known: BTreeSet<_> = EXCEPTIONS.iter().map(|(file, path)| (file.to_string(), path.to_string())).collect();
    let added: Vec<_> = found.difference(&known).map(|(file, path)| format!("    (\"{file}\", \"{path}\"),")).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(added.is_empty(), "imports from a higher layer:\n{}", added.join("\n"));
    assert!(gone.is_empty(), "take these out of EXCEPTIONS: {gone:?}");
}

/// The place of a room's layer in [`LAYERS`].
fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|(_, rooms)| rooms.contains(&room))
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
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
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
    base.first().filter(|room| layer(room).is_some())?;
    Some(base)
}
