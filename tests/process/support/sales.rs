//! A channel that brings people, an organisation's server that takes its time, and a plan between them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Answer, Client, House, Node};

/// An organisation's server: it takes every lead, after a while.
#[derive(Clone)]
pub struct Buyer {
    /// How often it was called for a lead, by our number of it.
    calls: Arc<Mutex<BTreeMap<String, usize>>>,
    address: String,
}

impl Buyer {
    /// Starts one that answers after so long.
    pub fn slow(answers_after: Duration) -> Buyer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let buyer = Buyer { calls: Arc::default(), address: format!("http://{}/apply", listener.local_addr().unwrap()) };
        let taking = buyer.clone();
        // It lives as long as the test's process.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let taking = taking.clone();
                std::thread::spawn(move || taking.attend(stream, answers_after));
            }
        });
        buyer
    }

    /// Reads one call and answers it; nothing comes of one that is cut.
    fn attend(&self, stream: TcpStream, answers_after: Duration) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let (mut length, mut key) = (0, String::new());
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                match line.trim_end().is_empty() {
                    true => break,
                    false => continue,
                }
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().ok()?,
                "idempotency-key" => key = value.to_owned(),
                _ => {}
            }
        }
        reader.read_exact(&mut vec![0; length]).ok()?;
        *self.calls.lock().unwrap().entry(key).or_default() += 1;
        std::thread::sleep(answers_after);
        let body = r#"{"code":"0000","data":{"orderNo":"A-1"}}"#;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close", body.len());
        write!(&stream, "{head}\r\n\r\n{body}").ok()
    }

    /// How often it was called for each lead.
    pub fn calls(&self) -> BTreeMap<String, usize> {
        self.calls.lock().unwrap().clone()
    }
}

/// How many leads of the buyer's plan there are that a condition on `h` holds for.
pub fn leads(house: &House, condition: &str) -> i64 {
    house.count(&format!("SELECT COUNT(*) FROM push_record h JOIN plan p ON p.id = h.plan_id WHERE p.no = 'P-shop' AND {condition}"))
}

/// A live channel, and the key and secret of its calls.
pub struct Partner {
    key: String,
    secret: String,
}

impl Partner {
    /// Makes one in a demo's database, and an organisation with this server, whose plan takes everybody; the
    /// demo's own plans end.
    pub fn of(house: &House, node: &Node, buyer: &Buyer) -> Partner {
        let form = json!({"code": "brings-1", "name": "带客", "type": "api", "settleMode": "none"});
        let made = node.sign_in("admin").post("/api/channel", &form).ok();
        house.execute("UPDATE channel SET mode = 'live', dedup_days = 0 WHERE code = 'brings-1'");
        house.execute(&format!(
            "INSERT INTO agreement (code, edition, name, text, digest, text_kept, valid_from, created_at, updated_at) \
             VALUES ('LOAN', '3', '授权书', '授权书全文', '{}', 1, 0, 0, 0)",
            "a".repeat(64)
        ));
        house.execute("UPDATE plan SET status = 'ended'");
        house.execute(
            "INSERT INTO organisation (code, name, short_name, type, licence_no, licence_expire_on, bill_mode, credit_limit_cents, mode, status, \
               version, created_at, updated_at) VALUES ('shop', 'shop', 'shop', 'other', 'L', '2099-12-31', 'credit', 900000000, 'live', \
               'active', 1, 0, 0)",
        );
        let (org, address) = ("(SELECT id FROM organisation WHERE code = 'shop')", &buyer.address);
        house.execute(&format!(
                "INSERT INTO org_api_config (org_id, apply_url, query_ok_expr, query_none_expr, crypto, field_map, match_ok_expr, apply_ok_expr, \
                   timeout_ms, retry_max, status, version, created_at, updated_at) VALUES ({org}, '{address}', '', '', 'none', \
                   '{{\"phone\":\"mobile\"}}', 'code == \"0000\"', 'code == \"0000\"', 20000, 1, 'enabled', 1, 0, 0)"
            ));
        house.execute(&format!(
            "INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight, exposure_weight, \
               dedup_days, out_of_schedule, match_required, status, created_at, updated_at) VALUES ('P-shop', 'shop', {org}, 'api', \
               'exclusive', 1, 100, 1, 1, 1, 30, 'skip', 0, 'running', 0, 0)"
        ));
        // What the node has read of plans it believes for a second.
        std::thread::sleep(Duration::from_millis(1100));
        let text = |name: &str| made[name].as_str().expect("a text").to_owned();
        Partner { key: text("appKey"), secret: text("appSecret") }
    }

    /// Brings somebody; fails where nobody answers.
    pub fn bring(&self, client: &Client, number: usize) -> Result<Answer, ureq::Error> {
        let user = json!({
            "phone": format!("1000{number:07}"), "name": "张小三", "ip": "203.0.113.9", "applicant": {"age": 30},
            "consent": {"agreement": "LOAN", "version": "3", "textHash": "a".repeat(64), "allPartners": true}
        });
        self.call(client, &format!("nonce-{number:08}"), &json!({"requestId": format!("r-{number}"), "user": user}))
    }

    fn call(&self, client: &Client, nonce: &str, body: &Value) -> Result<Answer, ureq::Error> {
        let (key, body) = (&self.key, body.to_string());
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        let text = format!("POST\n/open/user\n{key}\n{now}\n{nonce}\n{}", hex::encode(Sha256::digest(body.as_bytes())));
        let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(self.secret.as_bytes()).unwrap();
        mac.update(text.as_bytes());
        let sign = hex::encode(mac.finalize().into_bytes());
        client.send("POST", &format!("/api/open/user?appId={key}&timestamp={now}&nonce={nonce}&sign={sign}"), &body)
    }
}
