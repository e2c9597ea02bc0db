//! A WeChat official account whose WeChat is a process of its own (`leadlane demo-wechat`), and a program that is killed while it
//! sends.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::support::{Client, House, Node, on_both, until};

const ANN: &str = "oAnn0000000000000000000001";

/// WeChat's process, killed when dropped.
struct Wechat {
    child: Child,
    client: Client,
}

impl Wechat {
    fn start(port: u16, node: &Node) -> Wechat {
        let address = format!("127.0.0.1:{port}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_leadlane"))
            .args(["demo-wechat", "--listen", &address, "--site", &node.base])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Wechat { child, client: Client::new(&format!("http://{address}")) }
    }

    fn faults(&self, faults: Value) {
        self.client.post("/control", &faults);
    }

    /// Texts that were sent to a customer.
    fn texts(&self) -> Vec<String> {
        let state = self.client.get("/control").json();
        let sent = state["sent"].as_array().unwrap().iter().filter(|message| message["touser"] == ANN);
        sent.map(|message| message["text"]["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Calls so far.
    fn calls(&self) -> i64 {
        self.client.get("/control").json()["calls"].as_i64().unwrap()
    }
}

impl Drop for Wechat {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

on_both!(an_answer_of_a_killed_program_is_not_confirmed_and_not_repeated);
fn an_answer_of_a_killed_program_is_not_confirmed_and_not_repeated(house: House) {
    house.demo();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let api = format!("http://127.0.0.1:{port}");
    let settings = [("LEADLANE_PRIVATE_CALLS", "allow"), ("LEADLANE_WECHAT_API", api.as_str())];
    let node = house.start(&settings).listening();
    let wechat = Wechat::start(port, &node);
    // WeChat delivers a message three times.
    let taken =
        wechat.client.post("/control/write", &json!({"openid": ANN, "kind": "text", "text": "你好", "encrypted": true, "times": 3}));
    assert_eq!(
        taken.json(),
        json!([{"status": 200, "body": "success"}, {"status": 200, "body": "success"}, {"status": 200, "body": "success"}])
    );
    let id = house.count("SELECT MAX(id) FROM chat_conversation");
    assert_eq!(house.count(&format!("SELECT COUNT(*) FROM chat_message WHERE direction = 'in' AND conversation_id = {id}")), 1);
    let answer = |node: &Node, text: &str| {
        let service = node.sign_in("service");
        service.post("/api/chat/take", &json!({ "conversationId": id }));
        let number = format!("number-of-{text}");
        service.post("/api/chat/send", &json!({"conversationId": id, "clientMsgId": number, "content": text})).ok();
    };
    answer(&node, "first");
    until("the first answer is sent", || wechat.texts().contains(&"first".to_owned()).then_some(()));

    wechat.faults(json!({"hang": true}));
    let before = wechat.calls();
    answer(&node, "second");
    until("WeChat was called", || (wechat.calls() > before).then_some(()));
    node.kill();
    wechat.faults(json!({}));
    let sending = "SELECT COUNT(*) FROM chat_wechat_send WHERE state = 'sending'";
    assert_eq!(house.count(sending), 1);
    // As if its time had run out since.
    house.execute("UPDATE chat_wechat_send SET due_at = due_at - 600000 WHERE state = 'sending'");
    let node = house.start(&settings).listening();
    answer(&node, "third");
    until("the third answer is sent", || wechat.texts().contains(&"third".to_owned()).then_some(()));
    assert!(!wechat.texts().contains(&"second".to_owned()), "{:?}", wechat.texts());
    assert_eq!(house.count("SELECT COUNT(*) FROM chat_wechat_send WHERE state = 'unknown' AND reason = 'interrupted'"), 1);
    assert_eq!(house.count(sending), 0);
}
