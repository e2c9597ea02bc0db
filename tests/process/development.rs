//! A debug build that is set to a folder serves the front end in it, as it is at each request.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{Engine, House, until};

/// A text of the login page, and what a developer makes of it.
const TITLE: &str = "Leadlane";
const CHANGED: &str = "Leadlade";

/// Writes a front end as `js/app/build.mjs --watch` does: the manifest last, and whole at once.
fn write(folder: &Path, script: &str, client: &str) {
    let mut manifest: Value = serde_json::from_str(front::MANIFEST).unwrap();
    manifest["client"] = client.into();
    fs::create_dir_all(folder.join("assets")).unwrap();
    fs::write(folder.join("assets").join(client), format!("// {client}")).unwrap();
    fs::write(folder.join("server.js"), script).unwrap();
    fs::write(folder.join("manifest.json.new"), manifest.to_string()).unwrap();
    fs::rename(folder.join("manifest.json.new"), folder.join("manifest.json")).unwrap();
}

#[test]
fn a_changed_page_is_rendered_without_a_restart() {
    let house = House::build(Engine::Sqlite).expect("SQLite is always there");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), front::SERVER_BUNDLE, "client-ONE.js");
    let node = house.start(&[("LEADLANE_DEV_ASSETS", folder.path().to_str().unwrap())]).listening();
    let page = |client: &str| {
        let page = node.stranger().get("/login");
        assert_eq!(page.status, 200);
        assert!(page.body.contains(&format!("/assets/{client}")), "{}", page.body);
        // The page itself, without the data that the browser gets.
        let (_, root) = page.body.split_once(r#"id="root">"#).expect("a page has its root");
        root.split_once(
            r#"</div>
<script type="application/json""#,
        )
        .expect("the data follows")
        .0
        .to_owned()
    };
    // A render that is late on a busy machine leaves the page to the browser.
    let rendered = |client: &str| until("a rendered page", || Some(page(client)).filter(|root| !root.is_empty()));
    let first = rendered("client-ONE.js");
    assert!(first.contains(TITLE), "{first}");

    write(folder.path(), &front::SERVER_BUNDLE.replace(TITLE, CHANGED), "client-TWO.js");
    let second = rendered("client-TWO.js");
    assert!(second.contains(CHANGED) && !second.contains(TITLE), "{second}");
    let script = node.stranger().get("/assets/client-TWO.js");
    assert_eq!((script.status, script.body.as_str()), (200, "// client-TWO.js"));
    assert_eq!(script.headers["cache-control"], "no-store");

    // Nothing outside of the folder is served.
    for name in ["..%2Fmanifest.json", "..%2Fserver.js", "%2Fetc%2Fpasswd", "client-NONE.js"] {
        assert_eq!(node.stranger().get(&format!("/assets/{name}")).status, 404, "{name}");
    }
    // While the script does not load, the browser draws the pages.
    write(folder.path(), "throw new Error('unfinished')", "client-THREE.js");
    assert!(page("client-THREE.js").is_empty());
    write(folder.path(), front::SERVER_BUNDLE, "client-FOUR.js");
    assert_eq!(rendered("client-FOUR.js"), first);
}
