//! `kill -9` in the middle of writes: what was answered is there, whole, with its audit row; what
//! was not is there whole or not at all.

use std::sync::Mutex;

use serde_json::{Value, json};

use super::support::{Client, House, Node, on_both, until};

/// Clients of each kind that write at once.
const CHANNEL_WRITERS: usize = 4;
const ADMIN_WRITERS: usize = 2;
/// Answers to wait for before the kill.
const CHANNELS: usize = 60;
const ADMINS: usize = 6;

/// What was sent and answered: the id and the sent body.
type Acknowledged = Mutex<Vec<(i64, Value)>>;

on_both!(an_acknowledged_write_survives_a_kill);
fn an_acknowledged_write_survives_a_kill(house: House) {
    house.demo();
    let role = house.role("operator");
    for round in 0..3 {
        let (channels, admins) = (Acknowledged::default(), Acknowledged::default());
        let node = house.serve();
        let admin = node.sign_in("admin");
        std::thread::scope(|scope| {
            let (admin, channels, admins) = (&admin, &channels, &admins);
            for writer in 0..CHANNEL_WRITERS {
                scope.spawn(move || write(admin, "/api/channel", channels, |number| channel(&format!("crash-{round}-{writer}-{number}"))));
            }
            for writer in 0..ADMIN_WRITERS {
                scope
                    .spawn(move || write(admin, "/api/admin", admins, |number| account(&format!("crash.{round}.{writer}.{number}"), role)));
            }
            until("enough writes", || {
                let enough = channels.lock().unwrap().len() >= CHANNELS && admins.lock().unwrap().len() >= ADMINS;
                enough.then_some(())
            });
            node.kill();
        });
        let (channels, admins) = (channels.into_inner().unwrap(), admins.into_inner().unwrap());
        let node = house.serve();
        all_there(&node, &channels, &admins);
        nothing_by_halves(&house);
        for (table, column, prefix, written, writers) in [
            ("channel", "code", format!("crash-{round}-"), channels.len(), CHANNEL_WRITERS),
            ("administrator", "username", format!("crash.{round}."), admins.len(), ADMIN_WRITERS),
        ] {
            let kept = house.count(&format!("SELECT COUNT(*) FROM {table} WHERE {column} LIKE '{prefix}%'")) as usize;
            // Each client had one request on its way, which may have been written and not answered.
            assert!((written..=written + writers).contains(&kept), "{written} acknowledged, {kept} kept of {table}");
        }
    }
}

/// Creates one after the other until the node is gone.
fn write(client: &Client, path: &str, acknowledged: &Acknowledged, body: impl Fn(usize) -> Value) {
    for number in 0.. {
        let body = body(number);
        let Ok(answer) = client.send("POST", path, &body.to_string()) else { return };
        let id = answer.ok()["id"].as_i64().expect("an id");
        acknowledged.lock().unwrap().push((id, body));
    }
}

fn channel(code: &str) -> Value {
    json!({"code": code, "name": format!("渠道 {code}"), "type": "api", "settleMode": "registered", "unitPriceCents": 1234, "ipAllow": ["10.0.0.0/8"]})
}

fn account(username: &str, role: i64) -> Value {
    json!({"username": username, "realName": format!("账号 {username}"), "email": "crash@example.com", "roleIds": [role]})
}

fn all_there(node: &Node, channels: &[(i64, Value)], admins: &[(i64, Value)]) {
    let admin = node.sign_in("admin");
    for (path, sent, fields) in [
        ("/api/channel", channels, &["code", "name", "unitPriceCents", "ipAllow"][..]),
        ("/api/admin", admins, &["username", "realName", "email"]),
    ] {
        for (id, body) in sent {
            let row = admin.get(&format!("{path}/{id}")).ok();
            for field in fields {
                assert_eq!(row[field], body[field], "{path}/{id}");
            }
            let history = admin.get(&format!("{path}/history/{id}")).ok();
            let actions: Vec<&Value> = history.as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
            assert_eq!(actions, ["create"], "{path}/{id}");
        }
    }
}

/// Every row has its audit row, every audit row its row, every account its role.
fn nothing_by_halves(house: &House) {
    for (table, made) in [("channel", "code LIKE 'crash-%'"), ("administrator", "username LIKE 'crash.%'")] {
        let audit = format!("SELECT COUNT(*) FROM operation_log l WHERE l.target_type = '{table}' AND l.action = 'create'");
        assert_eq!(house.count(&format!("SELECT COUNT(*) FROM {table} t WHERE {made} AND ({audit} AND l.target_id = t.id) <> 1")), 0);
        assert_eq!(house.count(&format!("{audit} AND NOT EXISTS (SELECT 1 FROM {table} t WHERE t.id = l.target_id)")), 0);
    }
    assert_eq!(
        house.count("SELECT COUNT(*) FROM administrator a WHERE NOT EXISTS (SELECT 1 FROM admin_role r WHERE r.admin_id = a.id)"),
        0
    );
}
