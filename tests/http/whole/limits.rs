//! How often anybody may ask, and what is written down of who was refused.

use serde_json::{Value, json};

use testing::lead::{application, bring, channel, phone};
use testing::limits::Log;
use testing::open::{Call, Partner};
use testing::plan::begin;
use testing::{Answer, TestApp, on_both};

/// S-M5: lists could be read without end.
mod heavy_reads_of_an_account {
    use super::*;

    on_both!(are_so_many_a_minute);
    async fn are_so_many_a_minute(app: TestApp) {
        app.set("security.reads_minute", json!(60)).await;
        let operator = app.sign_in("operator").await;
        let calls = [("/user/page", json!({})), ("/visualization", json!({})), ("/channel/page/export", json!({"format": "x"}))];
        // Makes calls until one is refused; tells how many were not.
        let until_refused = async |turn: usize| {
            let mut taken = 0;
            loop {
                let (path, body) = &calls[(turn + taken) % calls.len()];
                let answer = operator.in_english().post(path, body.clone()).await;
                if answer.code() == "4029" {
                    return (taken as i64, answer);
                }
                taken += 1;
                assert!(taken < 5000, "no limit stops the operator");
            }
        };
        let began = app.now();
        let (taken, answer) = until_refused(0).await;
        // As many as there are, and those that were added while the calls ran.
        let most = 60 + (app.now() - began) / 1000 + 1;
        assert!((60..=most).contains(&taken), "{taken} of {most}");
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (200, Some("1")));
        assert_eq!(answer.desc(), "Too many queries: try again in 1 s");
        for turn in 0..calls.len() {
            until_refused(turn).await;
        }
        // What is light is not counted, nor is anybody else.
        operator.get("/admin/me").await.ok();
        operator.get("/dict/options?type=feedback_end_code").await.ok();
        app.sign_in("auditor").await.post("/user/page", json!({})).await.ok();
        app.advance(1100);
        operator.post("/user/page", json!({})).await.ok();
    }
}

async fn ask(app: &TestApp, partner: &Partner, number: u32, applicant: Value) -> Answer {
    let nonce = format!("m-{}-{}", number, app.count("SELECT COUNT(*) FROM nonce").await);
    let body = json!({"phoneMd5": base::crypto::md5_hex(&phone(number)), "applicant": applicant});
    Call { path: "/open/match", ..Call::of(app, partner, &nonce, &body) }.make(&app.stranger()).await
}

/// S-M5: a partner could call without end.
mod calls_of_a_partner {
    use super::*;

    on_both!(are_so_many_a_second);
    async fn are_so_many_a_second(app: TestApp) {
        begin(&app);
        let (one, other) = (channel(&app, json!({})).await, testing::open::partner(&app, "other-chan", json!({})).await);
        app.set("security.partner_second", json!(1)).await;
        // Who has no secret uses up nothing.
        for turn in 0..10 {
            let call =
                Call { path: "/open/match", ..Call::of(&app, &one, &format!("forged-{turn}"), &json!({"phoneMd5": "a".repeat(32)})) };
            call.make_signed(&app.stranger(), &"0".repeat(64)).await.refused("3002");
        }
        let began = app.now();
        let mut taken = 0;
        let refused = loop {
            let answer = ask(&app, &one, taken, json!({})).await;
            if answer.code() == "4029" {
                break answer;
            }
            taken += 1;
            assert!(taken < 500, "no limit stops it");
        };
        let most = 2 + (app.now() - began) / 1000 + 1;
        assert!((2..=most).contains(&i64::from(taken)), "{taken} of {most}");
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("1")));
        ask(&app, &other, 1, json!({})).await.ok();
        app.advance(3000);
        ask(&app, &one, 50, json!({})).await.ok();
    }
}

/// S-M5: a channel could test all phones by asking who is wanted.
mod questions_of_a_channel {
    use super::*;

    on_both!(are_so_many_a_day_and_one_row_each);
    async fn are_so_many_a_day_and_one_row_each(app: TestApp) {
        begin(&app);
        let (one, other) = (channel(&app, json!({})).await, testing::open::partner(&app, "other-chan", json!({})).await);
        app.set("match.daily_questions", json!(3)).await;
        let first = ask(&app, &one, 1, json!({"age": 30})).await.ok();
        let again = ask(&app, &one, 1, json!({"age": 30})).await.ok();
        assert_eq!((&first["no"], &first["status"]), (&again["no"], &again["status"]));
        assert_eq!(app.count("SELECT COUNT(*) FROM match_record").await, 1, "the same question has one row");
        assert_eq!(app.count("SELECT asked FROM match_daily").await, 1);
        // Said otherwise of the same person, or answered otherwise, it is another one.
        assert_ne!(ask(&app, &one, 1, json!({"age": 31})).await.ok()["no"], first["no"]);
        bring(&app, &one, "r-1", application(1, json!({}))).await.ok();
        let known = ask(&app, &one, 1, json!({"age": 30})).await.ok();
        assert_eq!((&known["status"], known["no"] != first["no"]), (&json!("exists"), true));
        let refused = ask(&app, &one, 2, json!({})).await;
        let wait: i64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((13 * 3600..=14 * 3600).contains(&wait), "until midnight: {wait}");
        refused.refused("4029");
        assert_eq!(ask(&app, &one, 1, json!({"age": 30})).await.ok()["no"], known["no"], "what was asked may be asked again");
        ask(&app, &other, 2, json!({})).await.ok();
        app.advance(14 * 3_600_000);
        ask(&app, &one, 2, json!({})).await.ok();
        assert_eq!(
            app.count("SELECT COUNT(*) FROM match_question WHERE channel_id = (SELECT id FROM channel WHERE code = 'lead-chan')").await,
            1,
            "old ones are forgotten"
        );
    }
}

/// S-M6: who tried doors was nowhere to be found.
mod a_refusal {
    use super::*;

    on_both!(is_one_line_without_what_was_sent);
    async fn is_one_line_without_what_was_sent(app: TestApp) {
        let (log, _guard) = Log::watch();
        let manager = app.sign_in("channel.manager").await.from([203, 0, 113, 77]);
        let id = app.account("channel.manager").await;
        manager.get("/admin/1").await.refused("1003");
        manager.get("/channel/987654").await.refused("1004");
        let stranger = app.stranger();
        stranger.post("/admin/login", json!({"username": "13812345678", "password": "hush-hush-1"})).await.refused("1002");
        stranger
            .post("/admin/resetPassword", json!({"phone": "13812345678", "code": "123456", "password": "quiet-Harbour-77"}))
            .await
            .refused("1002");
        stranger
            .post("/open/match?appId=nobody%0AWARN&timestamp=1&nonce=12345678&sign=x", json!({"phoneMd5": "13812345678"}))
            .await
            .refused("3001");
        let lines = log.refusals();
        assert_eq!(lines.len(), 5, "{lines:?}");
        for (line, parts) in lines.iter().zip([
            ["code=\"1003\"", "point=\"admin/list/view\"", "http.path=\"/admin/{id}\"", "record=1"],
            ["code=\"1004\"", "point=\"channel/list/view\"", "http.path=\"/channel/{id}\"", "record=987654"],
            ["code=\"1002\"", "http.path=\"/admin/login\"", "client.address=\"127.0.0.1\"", "request.id="],
            ["code=\"1002\"", "http.path=\"/admin/resetPassword\"", "client.address=\"127.0.0.1\"", "request.id="],
            ["code=\"3001\"", "http.path=\"/open/match\"", "app.id=\"nobody0AWARN\"", "client.address=\"127.0.0.1\""],
        ]) {
            for part in parts {
                assert!(line.contains(part), "{part}: {line}");
            }
            for secret in ["13812345678", "hush", "123456", "Abcdefg1"] {
                assert!(!line.replace("987654", "").contains(secret), "{secret}: {line}");
            }
        }
        assert!(lines[0].contains(&format!("account={id}")) && lines[0].contains("client.address=\"203.0.113.77\""), "{}", lines[0]);

        // A flood of them does not fill the disk, and it is said how many there were.
        let began = app.now();
        for _ in 0..300 {
            manager.get("/admin/1").await.refused("1003");
        }
        let written = log.refusals().len() as i64 - 5;
        assert!(written <= 50 + (app.now() - began) / 200 + 1, "{written}");
        app.advance(60_000);
        manager.get("/admin/1").await.refused("1003");
        let flood = log.refusals().split_off(5);
        let left_out = |line: &String| line.split("left_out=").nth(1).unwrap().split_whitespace().next().unwrap().parse::<usize>().unwrap();
        assert_eq!(flood.len() + flood.iter().map(left_out).sum::<usize>(), 301);
    }
}
