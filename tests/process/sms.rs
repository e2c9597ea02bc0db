//! Short messages through a provider that is a process of its own (`sms-provider.mjs`), and does all that
//! providers do: takes, refuses, fails, hangs, dies.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use base::clock::Clock;
use frame::sms::verification;
use serde_json::{Value, json};

use super::support::{Client, House, Node, PASSWORD, on_both, until};

const ACCOUNT: &str = "leadlane-test";
const KEY: &str = "a key that both sides know";

/// The provider's process, killed when dropped. Its book outlives it.
struct Provider {
    child: Child,
    port: u16,
    book: PathBuf,
}

impl Provider {
    /// Starts one on a port, or on any.
    fn start(house: &House, port: u16, plan: &Value) -> Provider {
        let book = house.data().join("provider.book");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/sms-provider.mjs");
        let mut child = Command::new("node")
            .args([script, book.to_str().unwrap(), &port.to_string(), ACCOUNT, KEY, &plan.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        Provider { child, port: said.trim().parse().expect("its port"), book }
    }

    fn lines(&self) -> Vec<Value> {
        let book = std::fs::read_to_string(&self.book).unwrap_or_default();
        book.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The messages for a phone that it has taken.
    fn taken(&self, phone: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["phone"] == phone && line.get("taken").is_some()).collect()
    }

    /// How it behaved when it was called for a phone, one call after the other.
    fn calls(&self, phone: &str) -> Vec<String> {
        let calls = self.lines().into_iter().filter(|line| line["phone"] == phone && line.get("call").is_some());
        calls.map(|line| line["behaviour"].as_str().unwrap().to_owned()).collect()
    }

    /// Has it report all that it has taken, and answers what it heard.
    fn report(&self, node: &Node) -> Value {
        Client::new(&format!("http://127.0.0.1:{}", self.port)).post("/report", &json!({"to": node.base})).ok()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sets settings by the API, as whoever administers does.
fn set(admin: &Client, values: &[(&str, Value)]) {
    let versions: HashMap<String, Value> = admin
        .get("/api/setting/list")
        .ok()
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|section| section["settings"].as_array().unwrap())
        .map(|row| (row["key"].as_str().unwrap().to_owned(), row["version"].clone()))
        .collect();
    let changes: Vec<Value> = values.iter().map(|(key, value)| json!({"key": key, "value": value, "version": versions[*key]})).collect();
    admin.put("/api/setting", &json!({ "changes": changes })).ok();
}

/// Has messages go to the provider at a port.
fn send_by(admin: &Client, port: u16) {
    let values = [
        ("sms.provider_url", json!(format!("http://127.0.0.1:{port}/send"))),
        ("sms.provider_id", json!(ACCOUNT)),
        ("sms.provider_key", json!(KEY)),
        ("sms.code_template", json!("SMS_1")),
    ];
    set(admin, &values);
}

fn test_message(admin: &Client, phone: &str) -> i64 {
    admin.post("/api/sms/test", &json!({ "phone": phone })).ok()["id"].as_i64().unwrap()
}

/// S-M4: a code that is asked for arrives once, whatever the provider does, and its report comes back.
mod a_code_arrives_once {
    use super::*;

    on_both!(whatever_the_provider_does);
    fn whatever_the_provider_does(house: House) {
        const HANGS: &str = "13612340001";
        const REFUSED: &str = "13612340002";
        const DIES: &str = "13612340003";
        house.demo();
        let operator = format!("1000000{:04}", house.account("operator"));
        let plan = json!({(&operator): ["500", "accept"], HANGS: ["hang", "accept"], REFUSED: ["refuse"], DIES: ["die", "accept"]});
        let provider = Provider::start(&house, 0, &plan);
        let port = provider.port;
        let node = house.start(&[("LEADLANE_PRIVATE_CALLS", "allow")]).listening();
        let (admin, stranger) = (node.sign_in("admin"), node.stranger());
        send_by(&admin, port);

        // At the same time: a code that meets a failure first, one that hangs, one that is refused.
        let sign = verification::sign(&operator, Clock::default().now());
        stranger.get(&format!("/api/admin/sendCode?phone={operator}&sign={sign}")).ok();
        let (hangs, refused) = (test_message(&admin, HANGS), test_message(&admin, REFUSED));
        let row = |id: i64| admin.get(&format!("/api/sms/{id}")).ok();
        let state = |id: i64, wanted: &str| until(wanted, || (row(id)["state"] == wanted).then_some(()));
        state(refused, "failed");
        assert_eq!(row(refused)["lastError"], "17 no such number");
        let code_id = house.count("SELECT MAX(id) FROM sms_message WHERE kind = 'code'");
        state(code_id, "accepted");
        assert_eq!(provider.calls(&operator), ["500", "accept"]);
        let [message] = &provider.taken(&operator)[..] else { panic!("{:?}", provider.taken(&operator)) };
        assert_eq!(message["template"], "SMS_1");
        // What arrived opens the door.
        let reset = json!({"phone": operator, "code": message["params"]["code"], "password": "Green-Kettle-8"});
        stranger.post("/api/admin/resetPassword", &reset).ok();
        stranger.post("/api/admin/login", &json!({"username": "operator", "password": "Green-Kettle-8"})).ok();
        stranger.post("/api/admin/login", &json!({"username": "operator", "password": PASSWORD})).refused("1002");

        state(hangs, "accepted");
        assert_eq!((provider.calls(HANGS), provider.taken(HANGS).len()), (vec!["hang".to_owned(), "accept".to_owned()], 1));

        // It dies with a message in its hands, and comes back.
        let dies = test_message(&admin, DIES);
        until("the provider dies", || (provider.taken(DIES).len() == 1).then_some(()));
        until("it is in doubt", || (row(dies)["state"] == "unconfirmed").then_some(()));
        drop(provider);
        let provider = Provider::start(&house, port, &plan);
        state(dies, "accepted");
        assert_eq!((provider.calls(DIES), provider.taken(DIES).len()), (vec!["die".to_owned(), "accept".to_owned()], 1));
        assert!(provider.lines().iter().all(|line| line.get("fault").is_none()), "{:?}", provider.lines());

        // What it has, it reports.
        let outcomes = |heard: Value| -> Vec<String> {
            heard["results"].as_array().unwrap().iter().map(|line| line["outcome"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(outcomes(provider.report(&node)), ["counted"; 3]);
        for (id, wanted) in [(code_id, "delivered"), (hangs, "delivered"), (dies, "delivered"), (refused, "failed")] {
            assert_eq!(row(id)["state"], wanted, "{}", row(id));
        }
        // Nothing more goes out, and nothing is left to be sent but what a person decides about.
        let refused_calls = provider.calls(REFUSED).len();
        assert_eq!(refused_calls, 1);
        assert_eq!(house.count("SELECT COUNT(*) FROM outbox_item WHERE kind = 'sms' AND due_at IS NOT NULL"), 0);
    }
}

/// C1, of messages: the program is killed while the provider has one in its hands.
mod a_message_in_the_hands_of_a_killed_program {
    use super::*;

    on_both!(arrives_once_and_late_is_in_doubt);
    fn arrives_once_and_late_is_in_doubt(house: House) {
        const AGAIN: &str = "13612340004";
        const LATE: &str = "13612340005";
        house.demo();
        let provider = Provider::start(&house, 0, &json!({AGAIN: ["hang", "accept"], LATE: ["hang"]}));
        let settings = [("LEADLANE_PRIVATE_CALLS", "allow")];
        let node = house.start(&settings).listening();
        let admin = node.sign_in("admin");
        send_by(&admin, provider.port);
        let (again, late) = (test_message(&admin, AGAIN), test_message(&admin, LATE));
        until("the provider has both", || [AGAIN, LATE].iter().all(|phone| provider.taken(phone).len() == 1).then_some(()));
        node.kill();
        assert_eq!(house.count("SELECT COUNT(*) FROM outbox_item WHERE kind = 'sms' AND state = 'sending' AND unanswered = 1"), 2);

        // As if its lease had run out since, and of one the time in which it is worth anything.
        house.execute("UPDATE outbox_item SET due_at = due_at - 120000 WHERE state = 'sending'");
        house.execute(&format!("UPDATE outbox_item SET expires_at = created_at WHERE kind = 'sms' AND ref_id = {late}"));
        let node = house.start(&settings).listening();
        let admin = node.sign_in("admin");
        let row = |id: i64| admin.get(&format!("/api/sms/{id}")).ok();
        until("it is sent again", || (row(again)["state"] == "accepted").then_some(()));
        assert_eq!((provider.calls(AGAIN), provider.taken(AGAIN).len()), (vec!["hang".to_owned(), "accept".to_owned()], 1));
        until("it is in doubt", || (row(late)["state"] == "unconfirmed").then_some(()));
        assert_eq!(provider.calls(LATE), ["hang"], "what is worth nothing any more goes out no more");
        // The provider's report settles it.
        provider.report(&node);
        assert_eq!((&row(again)["state"], &row(late)["state"]), (&json!("delivered"), &json!("delivered")));
    }
}
