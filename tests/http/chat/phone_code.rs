//! A visitor's phone number is what they say until they have entered a code that was sent to it.

use base::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

use testing::chat::{ANSWERS, Visitor, account, group, member, messages, text, visitor};
use testing::lead::{application, bring, channel, phone};
use testing::plan::begin;
use testing::{TestApp, on_both};

const PHONE: &str = "13812345678";
const CODES: &str = "SELECT COUNT(*) FROM chat_phone_code";

async fn leave(visitor: &Visitor, phone: &str) {
    assert_eq!(visitor.send(&[("phone", phone.to_owned())]).await.status, 303);
}

/// Asks for a code; answers what the page says, and empty where it went well.
async fn ask(visitor: &Visitor) -> String {
    let asked = visitor.send(&[("ask_code", "1".to_owned())]).await;
    if asked.status == 303 { String::new() } else { text(&asked) }
}

/// Enters a code; answers as [`ask`].
async fn enter(visitor: &Visitor, code: &str) -> String {
    let entered = visitor.send(&[("code", code.to_owned())]).await;
    if entered.status == 303 { String::new() } else { text(&entered) }
}

/// The code in the latest message.
async fn code(app: &TestApp) -> String {
    let messages = app.messages().await;
    let text = messages.last().expect("a message was sent");
    text.split(|character: char| !character.is_ascii_digit()).find(|word| word.len() == 6).expect("it holds a code").to_owned()
}

fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

on_both!(a_number_is_the_visitors_word_until_a_code_was_entered);
async fn a_number_is_the_visitors_word_until_a_code_was_entered(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let applicant = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let no = applicant["no"].as_str().unwrap();
    let group = group(&app, "咨询", json!({})).await;
    let amy = member(&app, account(&app, "amy", ANSWERS).await, "amy", &[&group], json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &group, 2, "在吗").await);
    let id = one.conversation(&app).await;
    for begun in [&one, &other] {
        amy.who.post("/chat/take", json!({"conversationId": begun.conversation(&app).await})).await.ok();
    }
    let path = format!("/chat/client/{}", one.customer(&app).await);
    let admin = app.sign_in("admin").await;
    let state = async || {
        let (customer, row) = (admin.get(&path).await.ok(), admin.get(&format!("/chat/conversation/{id}")).await.ok());
        assert_eq!((&customer["phoneState"], &customer["phoneVerifiedAt"]), (&row["phoneState"], &row["phoneVerifiedAt"]));
        (customer["phoneState"].clone(), customer["phoneVerifiedAt"].clone())
    };
    let listed =
        async |state: &str| -> i64 { admin.post("/chat/client/page", json!({"phoneState": state})).await.ok()["total"].as_i64().unwrap() };
    let figures = async || {
        let page = admin.post("/chat/figures/page", json!({})).await.ok();
        (page["totals"]["phoneVerified"].as_i64().unwrap(), page["totals"]["phoneUnverified"].as_i64().unwrap())
    };
    let files = async || {
        let mut all = Vec::new();
        for path in ["/chat/client/page/export", "/chat/user/page/export"] {
            all.push(text(&admin.export(path, json!({"format": "csv"})).await));
        }
        all
    };

    assert_eq!(state().await, (Value::Null, Value::Null));
    assert!(ask(&one).await.contains("请先留下手机号"));
    leave(&one, &phone(1)).await;
    leave(&other, PHONE).await;
    assert_eq!(state().await, (json!("unverified"), Value::Null));
    assert_eq!((listed("unverified").await, listed("verified").await), (2, 0));
    assert_eq!(figures().await, (0, 2));
    let [customers, conversations] = files().await.try_into().unwrap();
    assert!(
        customers.contains("自称 100****0001，未验证") && conversations.contains("自称 100****0001，未验证"),
        "{customers}{conversations}"
    );
    assert!(customers.contains(&format!("{no}（手机号未验证）")), "{customers}");
    let page = one.page().await;
    assert!(page.contains("100****0001，未验证") && page.contains("name=\"ask_code\"") && !page.contains("name=\"code\""), "{page}");

    assert_eq!(ask(&one).await, "");
    let sent = code(&app).await;
    assert!(app.messages().await.last().unwrap().contains(&format!("\t{}\t", phone(1))));
    assert!(!app.text("SELECT code_hash FROM chat_phone_code").await.contains(&sent));
    assert!(one.page().await.contains("name=\"code\""));
    for wrong in [another(&sent).as_str(), "12345", "一二三四五六"] {
        assert!(enter(&one, wrong).await.contains("验证码"), "{wrong}");
    }
    // It is the code of one visitor.
    leave(&other, &phone(1)).await;
    assert!(enter(&other, &sent).await.contains("验证码已失效"));
    assert_eq!(state().await, (json!("unverified"), Value::Null));
    app.advance(MINUTE);
    let before = app.now();
    assert_eq!(enter(&one, &format!(" {sent} ")).await, "");
    let (is_verified, at) = state().await;
    assert!(is_verified == "verified" && (before..=app.now()).contains(&at.as_i64().unwrap()), "{is_verified} {at}");
    assert_eq!((listed("unverified").await, listed("verified").await), (1, 1));
    assert_eq!(figures().await, (1, 1));
    let page = one.page().await;
    assert!(page.contains("100****0001，已验证") && !page.contains("ask_code"), "{page}");
    let events = messages(&amy.who, id).await;
    assert!(events.iter().any(|message| message["content"].as_str().unwrap().contains("phone_verified")), "{events:?}");
    assert!(enter(&one, &sent).await.contains("验证码已失效"), "a code is used once");
    assert!(ask(&one).await.contains("手机号已验证"));

    // The same number stays verified; another one is not.
    leave(&one, &phone(1)).await;
    assert_eq!(state().await.0, "verified");
    leave(&one, PHONE).await;
    assert_eq!(state().await, (json!("unverified"), Value::Null));
    amy.who.post("/chat/close", json!({"conversationId": id, "note": ""})).await.ok();
    admin.delete(&path).await.ok();
    assert_eq!((app.count(CODES).await, listed("unverified").await), (0, 1));
}

on_both!(a_code_ends_after_five_minutes_and_five_tries);
async fn a_code_ends_after_five_minutes_and_five_tries(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let one = visitor(&app, &group, 1, "你好").await;
    leave(&one, PHONE).await;
    ask(&one).await;
    let sent = code(&app).await;
    app.advance(5 * MINUTE);
    assert!(enter(&one, &sent).await.contains("验证码已失效"));
    ask(&one).await;
    let sent = code(&app).await;
    for _ in 0..5 {
        assert!(enter(&one, &another(&sent)).await.contains("验证码不正确"));
        app.advance(MINUTE / 2);
    }
    assert!(enter(&one, &sent).await.contains("验证码已失效"));
    // A code for one number proves no other.
    ask(&one).await;
    let sent = code(&app).await;
    leave(&one, "13987654321").await;
    assert!(enter(&one, &sent).await.contains("验证码已失效"));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE phone_verified_at IS NOT NULL").await, 0);
}

on_both!(codes_are_limited_by_visitor_number_and_network);
async fn codes_are_limited_by_visitor_number_and_network(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &group, 2, "在吗").await);
    leave(&one, PHONE).await;
    leave(&other, PHONE).await;
    assert_eq!(ask(&one).await, "");
    assert!(ask(&one).await.contains("秒后再获取验证码"), "one a minute");
    // The answer does not show that other visitors ask for codes of the number.
    assert_eq!(ask(&other).await, "");
    assert_eq!(app.messages().await.len(), 1);
    assert!(other.page().await.contains("name=\"code\""));
    for _ in 1..5 {
        app.advance(MINUTE + 1);
        assert_eq!(ask(&one).await, "");
    }
    app.advance(MINUTE + 1);
    assert!(ask(&one).await.contains("每天最多获取 5 次验证码"), "five a day");
    assert_eq!(ask(&other).await, "");
    assert_eq!(app.messages().await.len(), 5, "a number gets five a day from all visitors together");
    app.advance(DAY);
    assert_eq!(ask(&one).await, "");
    assert_eq!(app.messages().await.len(), 6);

    app.advance(HOUR + 1);
    let from = |number: u32| visitor(&app, &group, number, "你好");
    let mut crowd = Vec::new();
    for number in 3..14 {
        let one = Visitor {
            who: from(number).await.who.from([10, 9, 9, 9]),
            page: group["pageKey"].as_str().unwrap().to_owned(),
            name: format!("v{number:04}"),
        };
        leave(&one, &phone(number)).await;
        crowd.push(one);
    }
    for one in &crowd[..10] {
        assert_eq!(ask(one).await, "");
    }
    assert!(ask(&crowd[10]).await.contains("请一小时后再试"), "ten an hour from one network");
    assert_eq!(app.messages().await.len(), 16);
}

/// Makes the code of a visitor a known one, as if it was guessed.
async fn set_code(app: &TestApp, visitor: &Visitor, code: &str) {
    let id = visitor.customer(app).await;
    let mut tx = app.app.db.begin().await.unwrap();
    let phone_hash: String =
        sqlx::query_scalar("SELECT phone_hash FROM chat_customer WHERE id = $1").bind(id).fetch_one(&mut *tx).await.unwrap();
    let hash = app.app.keys.lookup_hash(&format!("chat code of {id} for {phone_hash}: {code}"));
    let set = sqlx::query("UPDATE chat_phone_code SET code_hash = $1 WHERE customer_id = $2").bind(hash).bind(id);
    set.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

const VERIFIED: &str = "SELECT COUNT(*) FROM chat_customer WHERE phone_verified_at IS NOT NULL";
const WRONG: &str = "验证码不正确";

on_both!(a_code_that_was_not_sent_is_wrong);
async fn a_code_that_was_not_sent_is_wrong(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &group, 2, "在吗").await);
    for visitor in [&one, &other] {
        leave(visitor, PHONE).await;
        assert_eq!(ask(visitor).await, "");
        set_code(&app, visitor, "123456").await;
    }
    assert_eq!(app.messages().await.len(), 1, "one a minute for a number");
    for _ in 0..5 {
        assert!(enter(&other, "123456").await.contains(WRONG));
    }
    assert!(enter(&other, "123456").await.contains("验证码已失效"), "it is tried as often as a code that was sent");
    assert_eq!(app.count(VERIFIED).await, 0);
    assert_eq!(enter(&one, "123456").await, "");
    assert_eq!(app.count(VERIFIED).await, 1);
}

on_both!(wrong_codes_for_one_number_are_counted_over_all_visitors);
async fn wrong_codes_for_one_number_are_counted_over_all_visitors(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let mut crowd = Vec::new();
    for number in 1..=5 {
        let one = visitor(&app, &group, number, "你好").await;
        leave(&one, PHONE).await;
        crowd.push(one);
    }
    for one in &crowd[..4] {
        assert_eq!(ask(one).await, "");
        set_code(&app, one, "123456").await;
        for _ in 0..5 {
            assert!(enter(one, "654321").await.contains(WRONG));
        }
        app.advance(MINUTE);
    }
    // No message is paid for, and the right code is answered as a wrong one.
    assert_eq!((ask(&crowd[4]).await.as_str(), app.messages().await.len()), ("", 4));
    app.execute("UPDATE chat_phone_code SET sent = 1").await;
    set_code(&app, &crowd[4], "123456").await;
    assert!(enter(&crowd[4], "123456").await.contains(WRONG));
    assert_eq!(app.count(VERIFIED).await, 0);
    // Another number is not held up, and the next day this one is proved.
    leave(&crowd[4], "13987654321").await;
    app.advance(MINUTE);
    assert_eq!(ask(&crowd[4]).await, "");
    assert_eq!(enter(&crowd[4], &code(&app).await).await, "");
    app.advance(DAY);
    assert_eq!(ask(&crowd[0]).await, "");
    assert_eq!(enter(&crowd[0], &code(&app).await).await, "");
    assert_eq!(app.count(VERIFIED).await, 2);
}

on_both!(a_code_is_read_in_its_one_form_and_the_page_says_that_it_was_sent);
async fn a_code_is_read_in_its_one_form_and_the_page_says_that_it_was_sent(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    for (number, separator) in [(1, " "), (2, "-"), (3, "\u{3000}")] {
        let one = visitor(&app, &group, number, "你好").await;
        leave(&one, &phone(number)).await;
        assert!(!one.page().await.contains("验证码短信已发送"));
        assert_eq!(ask(&one).await, "");
        assert!(one.page().await.contains("验证码短信已发送"));
        let sent = code(&app).await;
        assert_eq!(enter(&one, &format!("{}{separator}{}", &sent[..3], &sent[3..])).await, "", "{separator:?}");
        assert!(!one.page().await.contains("验证码短信已发送"));
    }
}

on_both!(a_site_of_ipv6_gets_half_of_the_codes_of_an_hour);
async fn a_site_of_ipv6_gets_half_of_the_codes_of_an_hour(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let asked = async |number: u32, address: &str| {
        let one = visitor(&app, &group, number, "你好").await;
        let one = Visitor { who: one.who.at(address), ..one };
        leave(&one, &phone(number)).await;
        ask(&one).await
    };
    assert_eq!(asked(1, "2001:db8:1:1::1").await, "");
    // Eight times twice as many: 256 that went out to the site.
    for _ in 0..8 {
        app.execute(
            "INSERT INTO chat_phone_code (customer_id, phone_hash, code_hash, network_hash, site_hash, sent, created_at, expires_at) \
             SELECT customer_id, 'x', 'x', 'x', site_hash, 1, created_at, 0 FROM chat_phone_code",
        )
        .await;
    }
    assert!(asked(2, "2001:db8:1:2::1").await.contains("请一小时后再试"));
    assert_eq!(asked(3, "2001:db8:2:2::1").await, "");
    assert_eq!(asked(4, "10.9.9.9").await, "");
}
