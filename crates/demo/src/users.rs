//! The demo's applicants: they come by its channels over the last weeks, through the real intake and the real
//! distribution, each at its own moment.

use serde_json::{Value, json};
use sqlx::Row;

use super::agreements;
use super::random::Random;
use base::clock::{DAY, HOUR};
use frame::api::{ApiError, App};
use trade::channel::{self, Supplier};

use base::crypto;
use frame::terms::choices::Choices;
use lead::distribution;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::user::form::{Application, UserForm};
use trade::user::{Submission, intake};

const SURNAMES: &[&str] = &["张", "王", "李", "赵", "陈", "刘", "杨", "黄", "周", "吴", "徐", "孙"];
const GIVEN: &[&str] = &["伟", "芳", "娜", "敏", "静", "强", "磊", "洋", "艳", "勇", "杰", "涛"];
const PLACES: &[&str] = &["310100", "330100", "320100", "110100", "440100", "440300", "510100", "420100"];
const BROWSERS: &[&str] = &[
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 MicroMessenger/8.0.50",
];
/// Over so many days they come.
const DAYS: i64 = 30;

/// Brings so many applicants, and sells them if a plan takes them.
pub async fn bring(app: &App, count: u32, random: &mut Random, now: i64) -> Result<(), ApiError> {
    let channels = suppliers(app).await?;
    if channels.is_empty() {
        return Ok(());
    }
    // Only organisations without a delivery call: the demo makes no calls.
    let recipients = recipients(app).await?;
    let mut moments: Vec<i64> = (0..count).map(|_| now - HOUR - random.below(DAYS * DAY)).collect();
    moments.sort_unstable();
    for (number, at) in moments.into_iter().enumerate() {
        app.clock.advance(at - app.clock.now());
        let channel = random.pick(&channels).clone();
        let mut form = form(number as i64, &recipients, random);
        if let Some(consent) = &mut form.consent {
            agreements::edition_at(at, now).clone_into(&mut consent.version);
        }
        let application = Application::read(form, &Choices::default(), at).expect("the demo's applicants are in order");
        let request_id = Some(format!("demo-{number}"));
        let visitor = last_shown(app, channel.id, at).await?;
        let channel_id = channel.id;
        let submission = Submission { channel, application, request_id, visitor, entered_by: None, nonce: None, waits: false };
        let taken = intake::take(app, submission).await?;
        if let Some(until) = taken.claimed {
            app.service::<Handoff>().applicant(channel_id, Claimed { user_id: taken.id, until, fresh: true });
            distribution::settle_handed(app).await?;
        }
    }
    app.clock.advance(now - app.clock.now());
    let mut tx = app.db.begin().await?;
    let clues: Vec<i64> = sqlx::query_scalar("SELECT id FROM clue").fetch_all(&mut *tx).await?;
    for id in clues {
        crm::lead_seen(&mut tx, id).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The visitor of a channel to whom a plan was shown last before a moment.
async fn last_shown(app: &App, channel_id: i64, at: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT visitor_key FROM plan_exposure WHERE channel_id = $1 AND shown_at <= $2 ORDER BY shown_at DESC LIMIT 1")
        .bind(channel_id)
        .bind(at)
        .fetch_optional(app.db.read())
        .await
}

/// An applicant whose consent names this organisation only.
pub(super) fn only_for(code: &str, number: i64, channel: &Supplier, at: i64, random: &mut Random) -> Submission {
    let recipients = [code.to_owned()];
    let form: UserForm =
        std::iter::repeat_with(|| form(number, &recipients, random)).find(|form| form.consent.is_some()).expect("nearly everybody agrees");
    let application = Application::read(form, &Choices::default(), at).expect("the demo's applicants are in order");
    let request_id = Some(format!("demo-only-{number}"));
    Submission { channel: channel.clone(), application, request_id, visitor: None, entered_by: None, nonce: None, waits: false }
}

/// The channels that bring applicants.
pub(super) async fn suppliers(app: &App) -> Result<Vec<Supplier>, sqlx::Error> {
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM channel WHERE status = 'enabled' AND deleted_at IS NULL ORDER BY id")
        .fetch_all(app.db.read())
        .await?;
    let mut suppliers = Vec::new();
    for id in ids {
        suppliers.extend(channel::supplier(app.db.read(), id).await?);
    }
    Ok(suppliers)
}

/// Codes of the organisations whose plans deliver without a call.
async fn recipients(app: &App) -> Result<Vec<String>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT o.code FROM organisation o WHERE o.deleted_at IS NULL AND EXISTS (SELECT 1 FROM plan p WHERE p.org_id = o.id \
           AND p.status = 'running') AND NOT EXISTS (SELECT 1 FROM plan p WHERE p.org_id = o.id AND p.status = 'running' \
           AND (p.deliver_mode = 'api' OR p.match_required = 1)) ORDER BY o.id",
    )
    .fetch_all(app.db.read())
    .await?;
    rows.iter().map(|row| row.try_get("code")).collect()
}

/// The answers of an applicant who consents, as nearly all do, to these organisations.
pub(super) fn form(number: i64, recipients: &[String], random: &mut Random) -> UserForm {
    let city = *random.pick(PLACES);
    // Some come twice.
    let number = if random.percent(6) { number / 2 } else { number };
    let name = format!("{}{}", random.pick(SURNAMES), random.pick(GIVEN));
    let text = |random: &mut Random, choices: &[&str]| Value::from(*random.pick(choices));
    let mut applicant = json!({
        "age": random.between(20, 60),
        "city": city,
        "applyAmountCents": random.between(1, 40) * 500_000,
        "applyTermMonths": *random.pick(&[6i64, 12, 24, 36]),
        "incomeCentsMonth": random.between(8, 80) * 50_000,
        "creditCard": random.percent(60),
    });
    for (field, choices) in [
        ("sex", &["male", "female"][..]),
        ("purpose", &["consumption", "business", "renovation", "turnover"]),
        ("education", &["high_school", "college", "bachelor", "master"]),
        ("occupation", &["employee", "owner", "self_employed", "civil_servant", "freelance"]),
        ("payForm", &["bank", "part", "cash"]),
        ("socialIns", &["none", "under_6_months", "from_6_months", "over_12_months"]),
        ("housingFund", &["none", "under_6_months", "from_6_months", "over_12_months"]),
        ("house", &["none", "not_pledged", "pledgeable", "mortgaged"]),
        ("car", &["none", "owned", "on_loan", "pledged"]),
        ("policy", &["none", "under_1_year", "from_1_year", "over_2_years"]),
        ("zhima", &["none", "under_600", "from_600", "from_650", "over_700"]),
        ("overdue", &["none", "none", "minor", "current"]),
    ] {
        applicant[field] = text(random, choices);
    }
    let consent = random.percent(96).then(|| json!({"agreement": agreements::LOAN, "version": agreements::NOW, "recipients": recipients}));
    let mut form = json!({
        "phone": format!("1000004{:04}", number % 10_000), "name": name, "ip": format!("203.0.113.{}", random.between(1, 250)),
        "userAgent": *random.pick(BROWSERS), "sourceUrl": "https://ads.example.com/loan", "consent": consent.filter(|_| !recipients.is_empty()),
        "applicant": applicant
    });
    // Most come with a device; a few with one that the demo's blacklist names.
    if number % 5 > 0 {
        let device = if number % 97 == 0 { super::blacklist::device(5) } else { crypto::md5_hex(&format!("demo phone {number}")) };
        form["deviceId"] = device.into();
    }
    serde_json::from_value(form).expect("the demo's forms are forms")
}
