//! The nodes of the menu.

use serde_json::{Value, json};

use crate::Actor;

/// A node of the tree by its name.
fn find<'t>(tree: &'t Value, name: &str) -> Option<&'t Value> {
    let nodes = tree.as_array()?;
    nodes.iter().find(|node| node["name"] == name).or_else(|| nodes.iter().find_map(|node| find(&node["children"], name)))
}

pub async fn node(who: &Actor, name: &str) -> Value {
    let tree = who.get("/menu/tree").await.ok();
    find(&tree, name).unwrap_or_else(|| panic!("{name} is no node")).clone()
}

/// The update that changes nothing about a node, with some fields replaced.
pub async fn update(who: &Actor, name: &str, fields: Value) -> Value {
    let node = node(who, name).await;
    let mut update = json!({});
    for field in ["id", "version", "titleZh", "titleEn", "icon", "sort", "hidden", "enabled"] {
        update[field] = node[field].clone();
    }
    update.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    update
}
