//! Visits and the end of the process: what waits is written on SIGTERM, what was acknowledged is
//! there after `kill -9`; and `leadlane stats rebuild`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, Mac};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::support::{Client, House, Node, on_both, until};

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15";
/// Clients that send at once.
const SENDERS: usize = 8;

/// A channel of one's own, and its key and secret.
fn channel(node: &Node) -> (String, String) {
    let form = json!({
        "code": "counted-1", "name": "计数", "type": "h5", "settleMode": "uv", "unitPriceCents": 100,
        "landingUrl": "https://landing.example.com/"
    });
    let made = node.sign_in("admin").post("/api/channel", &form).ok();
    (made["appKey"].as_str().unwrap().to_owned(), made["appSecret"].as_str().unwrap().to_owned())
}

on_both!(what_waits_is_written_before_the_end);
fn what_waits_is_written_before_the_end(house: House) {
    house.demo();
    let node = house.serve();
    channel(&node);
    let led_on = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (node, led_on) = (&node, &led_on);
        for sender in 0..SENDERS {
            scope.spawn(move || {
                for number in 0.. {
                    let device = format!("ll_device=process-{sender}-{number:012}");
                    let phone = node.stranger().with("user-agent", IPHONE).with("cookie", &device);
                    match phone.send("GET", "/v/counted-1", "") {
                        Ok(answer) if answer.status == 302 => drop(led_on.fetch_add(1, Ordering::Relaxed)),
                        // It has been told to stop.
                        _ => return,
                    }
                }
            });
        }
        until("enough visits", || (led_on.load(Ordering::Relaxed) > 400).then_some(()));
        node.terminate();
    });
    assert_eq!(node.end(), Some(0));
    let led_on = led_on.into_inner() as i64;
    let counted = house.count("SELECT COUNT(*) FROM uv_event WHERE subject_type = 'channel'");
    // A visit may have been counted whose redirect did not arrive any more.
    assert!((led_on..=led_on + SENDERS as i64).contains(&counted), "{led_on} were led on, {counted} counted");
    assert_eq!(
        house.count("SELECT CAST(SUM(test_pv) AS BIGINT) FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''"),
        counted,
        "a new channel is in test mode"
    );
}

on_both!(an_acknowledged_visit_survives_a_kill);
fn an_acknowledged_visit_survives_a_kill(house: House) {
    house.demo();
    let node = house.serve();
    let (key, secret) = channel(&node);
    let acknowledged = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (client, key, secret, acknowledged) = (node.stranger(), &key, &secret, &acknowledged);
        for sender in 0..SENDERS {
            let client = client.clone();
            scope.spawn(move || {
                for number in 0.. {
                    if tell(&client, key, secret, &format!("v-{sender}-{number:06}")).is_none() {
                        return;
                    }
                    acknowledged.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        until("enough visits", || (acknowledged.load(Ordering::Relaxed) > 300).then_some(()));
        node.kill();
    });
    let acknowledged = acknowledged.into_inner() as i64;
    let kept = house.count("SELECT COUNT(*) FROM uv_event");
    assert!((acknowledged..=acknowledged + SENDERS as i64).contains(&kept), "{acknowledged} acknowledged, {kept} kept");
    // Rows and figures are of one transaction.
    assert_eq!(house.count("SELECT CAST(SUM(test_uv) AS BIGINT) FROM uv_stat_daily WHERE subject_type = 'channel' AND system = ''"), kept);
    let day = day_of_china();
    let rebuilt = house.run(&["stats", "rebuild", "--from", &day, "--to", &day]);
    assert_eq!(rebuilt.done(), "1 days, 0 rows corrected\n");
    for (from, to) in [("2026-02-30", "2026-03-01"), ("yesterday", "today")] {
        assert_ne!(house.run(&["stats", "rebuild", "--from", from, "--to", to]).code, Some(0));
    }
    assert_eq!(house.run(&["stats", "rebuild", "--from", "2026-03-02", "--to", "2026-03-01"]).refused(), "leadlane: --from is after --to");
}

/// Today in Shanghai. A test that runs over midnight rebuilds a day without visits, which is right too.
fn day_of_china() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::fixed(jiff::tz::offset(8)));
    now.date().to_string()
}

/// Tells of a visit; nothing when nobody answers any more.
fn tell(client: &Client, key: &str, secret: &str, visitor: &str) -> Option<()> {
    let body = json!({"visitor": visitor, "ip": "203.0.113.9", "userAgent": IPHONE, "seen": [{"type": "landing"}]}).to_string();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let text = format!("POST\n/open/uv\n{key}\n{now}\n{visitor}\n{}", hex::encode(Sha256::digest(body.as_bytes())));
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(text.as_bytes());
    let sign = hex::encode(mac.finalize().into_bytes());
    let path = format!("/api/open/uv?appId={key}&timestamp={now}&nonce={visitor}&sign={sign}");
    let answer = client.with("content-type", "application/json").send("POST", &path, &body).ok()?;
    answer.ok();
    Some(())
}
