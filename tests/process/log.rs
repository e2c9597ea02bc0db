//! What is logged at its loudest holds no password, token, code, secret or whole phone.

use serde_json::{Value, json};

use super::support::{Client, House, PASSWORD, on_both, until};

on_both!(no_secret_reaches_the_log);
fn no_secret_reaches_the_log(house: House) {
    house.demo();
    let node = house.start(&[("RUST_LOG", "debug,leadlane=trace")]).listening();
    let stranger = node.stranger();
    let mut secrets = Secrets(vec![PASSWORD.to_owned()]);

    // Signing in every way there is, right and wrong.
    let admin = node.sign_in("admin");
    secrets.add(admin.token());
    let by_address = stranger.get(&format!("/api/admin/login?username=operator&password={PASSWORD}")).ok();
    secrets.note(&by_address, "token");
    stranger.post("/api/admin/login", &json!({"username": "operator", "password": secrets.made("Wrong-Kettle-1")})).refused("1002");
    stranger.post("/api/admin/login", &json!({"username": "operator", "password": [secrets.made("Wrong-Kettle-2")]})).refused("4000");
    stranger.form("/login", &format!("username=operator&password={}", secrets.made("Wrong-Kettle-3")));
    let page = stranger.form("/login", &format!("username=operator&password={PASSWORD}"));
    let cookie = page.headers["set-cookie"].to_str().unwrap();
    secrets.add(cookie.split(';').next().unwrap().strip_prefix("token=").expect("the token's cookie"));
    let forged = secrets.made("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.Zm9yZ2Vk");
    stranger.with_token(&forged).get("/api/admin/me").refused("2000");
    stranger.with_token(&forged).get("/channel/list");

    // Making accounts and channels, seeing a phone, changing passwords.
    let phone = secrets.made("13812345678");
    let account = json!({"username": "new.one", "realName": "新人", "phone": phone, "roleIds": [house.role("operator")]});
    let account = admin.post("/api/admin", &account).ok();
    let initial = secrets.note(&account, "password");
    assert_eq!(admin.get(&format!("/api/admin/reveal/{}", account["id"])).ok()["phone"], phone);
    admin.post("/api/admin/page", &json!({"keyword": phone})).ok();
    let channel = json!({"code": "loud-channel", "name": "响", "type": "api", "settleMode": "none"});
    let channel = admin.post("/api/channel", &channel).ok();
    secrets.note(&channel, "appSecret");
    let rotated = admin.put("/api/channel/secret", &json!({"id": channel["id"], "version": 1})).ok();
    secrets.note(&rotated, "appSecret");
    let new_one = sign_in(&stranger, "new.one", &initial, &mut secrets);
    new_one.put("/api/admin/password", &json!({"old": initial, "new": secrets.made("Green-Kettle-8")})).ok();

    // A forgotten password.
    let sign = frame::sms::verification::sign(&phone, base::clock::Clock::default().now());
    stranger.get(&format!("/api/admin/sendCode?phone={phone}&sign={sign}")).ok();
    let message = until("the message with the code", || {
        let sent = std::fs::read_to_string(house.data().join("sms.log")).unwrap_or_default();
        sent.lines().find(|line| line.contains(&phone)).map(str::to_owned)
    });
    let code: String = message.split_once("验证码 ").expect("a code").1.chars().take(6).collect();
    secrets.add(&code);
    let forgotten = |code: &str, password: &str| json!({"phone": phone, "code": code, "password": password});
    stranger.post("/api/admin/resetPassword", &forgotten("000000", PASSWORD)).refused("1002");
    stranger.post("/api/admin/resetPassword", &forgotten(&code, &secrets.made("Red-Kettle-9"))).ok();
    sign_in(&stranger, "new.one", "Red-Kettle-9", &mut secrets);

    // Addresses that open something, and slips of the pen.
    let thread = secrets.made("xMDYARDFUha9P8v57Z2GeSjtEmmTyenU");
    for path in [
        "/talk/KEY",
        "/talk/KEY/events?after=0&event=0",
        "/talk/KEY/file/7",
        "/pay/KEY",
        "/pay/KEY/",
        "/pay/KEY/%0A",
        "/pay/KEY/%E2%80%A8",
        "/pay/KEY/%ff",
        "/talks/KEY",
        "/api/talk/KEY",
        "/KEY",
    ] {
        stranger.get(&path.replace("KEY", &thread));
    }

    for key in ["secret.key", "data.key"] {
        secrets.add(std::fs::read_to_string(house.data().join(key)).unwrap().trim());
    }
    let log = node.log();
    assert!(log.contains("/api/admin/sendCode") && log.contains("INSERT INTO operation_log"), "it is not loud: {log}");
    assert!(log.contains("/talk/{group}") && log.contains("/pay/{token}"), "routes stand in their place");
    secrets.absent(&log);
}

fn sign_in(stranger: &Client, username: &str, password: &str, secrets: &mut Secrets) -> Client {
    let signed_in = stranger.post("/api/admin/login", &json!({"username": username, "password": password})).ok();
    stranger.with_token(&secrets.note(&signed_in, "token"))
}

/// What must not be found.
struct Secrets(Vec<String>);

impl Secrets {
    fn add(&mut self, secret: &str) {
        assert!(secret.len() >= 6, "{secret:?} is no secret");
        self.0.push(secret.to_owned());
    }

    /// Notes a field of an answer.
    fn note(&mut self, data: &Value, field: &str) -> String {
        self.made(data[field].as_str().expect("a text"))
    }

    /// Notes what a test makes up itself.
    fn made(&mut self, secret: &str) -> String {
        self.add(secret);
        secret.to_owned()
    }

    fn absent(&self, log: &str) {
        for secret in &self.0 {
            let leak = log.lines().find(|line| tells(line, secret));
            assert!(leak.is_none(), "{secret:?} is in the log: {leak:?}");
        }
    }
}

/// Whether a line gives a secret away.
fn tells(line: &str, secret: &str) -> bool {
    // A token's other parts say who and when; its last is what opens doors.
    let telling = secret.rsplit('.').next().unwrap();
    let is_code = telling.len() == 6 && telling.bytes().all(|byte| byte.is_ascii_digit());
    line.match_indices(telling).any(|(at, _)| {
        // Six digits may stand in a time of day or a duration; a code stands alone.
        let around = [line[..at].chars().next_back(), line[at + telling.len()..].chars().next()];
        !is_code || !around.into_iter().flatten().any(|character| character.is_ascii_alphanumeric() || character == '.')
    })
}

#[test]
fn a_leak_is_found() {
    assert!(tells("header token=\"a.b.signature\"", "a.b.signature") && tells("signature", "a.b.signature"));
    assert!(tells("password=Blue-Kettle-7&x", "Blue-Kettle-7"));
    assert!(tells("[code: 482913]", "482913") && !tells("2026-11-21T11:24:27.482913Z 0.000482913", "482913"));
}
