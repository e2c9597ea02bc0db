//! A test lead: a dry run of all checks of a channel's leads, in their order, for an invented applicant. Nothing is
//! taken, sold or sent. A channel becomes live only if a test lead passed with its present terms.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{Any, Executor, Row};
use strum::{EnumString, IntoStaticStr};

use super::list::TARGET;
use super::model::{ChannelRow, ChannelStatus, DedupScope};
use super::store;
use base::address::is_allowed;
use base::canonical;
use base::crypto::{self, Keys, place};
use base::db::{self, Connection, Tx};
use base::form_limits;
use base::locale::Locale;
use base::mask;
use frame::access::Viewer;
use frame::access::audit::{self, Action, Change, Stamp};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, Say, say};
use frame::dict::ChoiceBook;
use frame::terms::applicant::{self, Facts, facts_said, in_one_form};
use frame::terms::{CapRule, cap};

form_limits! {
    /// Of a test lead.
    testLead {
        IP: usize = 64,
        NAME: usize = 32,
        PHONE: usize = 32,
    }
}

/// The checks of a lead, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum TestStep {
    /// There is a key, and a secret that can be decrypted.
    Authentication,
    /// The channel's status allows traffic.
    Status,
    /// The call comes from an allowed address.
    Address,
    /// The application has the required fields.
    Required,
    /// The filters of the channel allow the applicant.
    Filters,
    /// The caps have room for one more.
    Caps,
    /// The applicant did not come before.
    Dedup,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum TestOutcome {
    Pass,
    Fail,
    /// There was nothing to check the applicant against.
    Skip,
}

/// One step of a test lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TestCheck {
    pub step: TestStep,
    pub outcome: TestOutcome,
    /// The reason, in both languages.
    pub note_zh: String,
    pub note_en: String,
}

/// The result of a test lead.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelTest {
    pub channel_id: i64,
    /// No step failed.
    pub passed: bool,
    /// The channel's terms are unchanged since then.
    pub current: bool,
    pub checks: Vec<TestCheck>,
    pub tested_by: String,
    /// Epoch milliseconds.
    pub tested_at: i64,
}

/// The applicant of a test lead.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct TestLead {
    /// The id of the channel.
    pub id: i64,
    /// As an applicant would give it; stored as a mask.
    pub phone: Option<String>,
    pub name: Option<String>,
    /// The address from which the channel would call.
    pub ip: Option<String>,
    /// Other answers, by the names of an applicant's fields.
    #[serde(default)]
    #[ts(type = "Record<string, string | number | boolean | null>")]
    pub applicant: Map<String, Value>,
}

/// `GET /channel/test/{id}`: the latest test lead of a channel; none if there is none.
pub async fn latest(cx: Arc<Ctx>, Id(id): Id) -> Result<Option<ChannelTest>> {
    let channel = super::record::seen(&cx, id).await?;
    Ok(find(cx.db().read(), &channel).await?)
}

/// `POST /channel/test`.
pub async fn run(cx: Arc<Ctx>, Body(mut lead): Body<TestLead>) -> Result<ChannelTest> {
    let viewer = cx.viewer()?;
    Check::new()
        .text("name", lead.name.as_deref().unwrap_or_default(), 0..=NAME)
        .text("phone", lead.phone.as_deref().unwrap_or_default(), 0..=PHONE)
        .text("ip", lead.ip.as_deref().unwrap_or_default(), 0..=IP)
        .done()?;
    in_one_form(&mut lead.applicant);
    let facts = facts_said(&lead.applicant, &*cx.app.service::<ChoiceBook>().current(cx.db()).await?).map_err(ApiError::Fields)?;
    let (context, lead, facts) = (&*cx, &lead, &facts);
    cx.db().transact(|mut tx| async move { test(context, &mut tx, viewer, lead, facts).await }.boxed()).await
}

async fn test(cx: &Ctx, tx: &mut Tx, viewer: &Viewer, lead: &TestLead, facts: &Facts) -> Result<ChannelTest> {
    let channel = store::find(&mut **tx, viewer.scope(), lead.id).await?.ok_or(ApiError::Missing)?;
    let checks = checks(tx, &cx.app.keys, &channel, lead, facts, cx.now).await?;
    let passed = checks.iter().all(|check| check.outcome != TestOutcome::Fail);
    insert(tx, &channel, lead, &checks, passed, cx.stamp()?).await?;
    let failed: Vec<&str> =
        checks.iter().filter(|check| check.outcome == TestOutcome::Fail).map(|check| <&str>::from(check.step)).collect();
    let after = if passed { "pass".to_owned() } else { format!("fail: {}", failed.join(", ")) };
    let change = Change { field: "testLead".to_owned(), before: None, after: Some(after) };
    audit::record(tx, &cx.actor()?, TARGET.of(channel.id), Action::Other, &[change]).await?;
    let made = find(&mut **tx, &channel).await?.ok_or(ApiError::Missing)?;
    cx.keep_answer(tx, &made).await?;
    Ok(made)
}

/// Requires a test lead that passed with the channel's present terms before it goes live.
pub(super) async fn must_have_passed(tx: &mut Connection, channel: &ChannelRow) -> Result<()> {
    let refused = |chinese: &'static str, english: &'static str| Err(ApiError::State(say(chinese, english)));
    match find(tx, channel).await? {
        None => refused("请先通过一次测试线索", "A test lead must pass first"),
        Some(test) if !test.passed => refused("最近一次测试线索没有通过", "The latest test lead failed"),
        Some(test) if !test.current => {
            refused("测试之后渠道已变更，请重新测试", "The channel has changed since its test lead: run a new one")
        }
        Some(_) => Ok(()),
    }
}

/// All steps, whatever the results of the earlier ones: the person who sets up a channel wants to see them all.
async fn checks(
    tx: &mut Connection,
    keys: &Keys,
    channel: &ChannelRow,
    lead: &TestLead,
    facts: &Facts,
    now: i64,
) -> Result<Vec<TestCheck>> {
    use TestOutcome::{Fail, Pass, Skip};
    let secret: String =
        sqlx::query_scalar("SELECT app_secret_enc FROM channel WHERE id = $1").bind(channel.id).fetch_one(&mut *tx).await?;
    let opens = keys.open(&place::CHANNEL_SECRET.of(&channel.app_key), &secret).is_ok();
    let label = |locale| channel.status.label(locale);
    let ip = lead.ip.as_deref().map(str::trim).filter(|ip| !ip.is_empty());
    let full = full_cap(&mut *tx, channel, now).await?;
    let result = |step, outcome, note: Say| TestCheck {
        step,
        outcome,
        note_zh: note.get(Locale::Chinese).to_owned(),
        note_en: note.get(Locale::English).to_owned(),
    };
    Ok(vec![
        match opens {
            true => result(
                TestStep::Authentication,
                Pass,
                say(format!("App Key {}，密钥可用", channel.app_key), format!("App key {}, its secret is usable", channel.app_key)),
            ),
            false => result(TestStep::Authentication, Fail, say("密钥无法解密，请更换密钥", "The secret cannot be decrypted: rotate it")),
        },
        match channel.status {
            ChannelStatus::Enabled => result(TestStep::Status, Pass, say("渠道已启用", "The channel is enabled")),
            _ => result(
                TestStep::Status,
                Fail,
                say(format!("渠道当前为“{}”", label(Locale::Chinese)), format!("The channel is {}", label(Locale::English))),
            ),
        },
        match ip {
            _ if channel.ip_allow.is_empty() => {
                result(TestStep::Address, Skip, say("没有 IP 白名单，任何地址都可以调用", "No allowed IPs are set: any address may call"))
            }
            None => result(
                TestStep::Address,
                Fail,
                say("有 IP 白名单，请填写对方的 IP", "Only certain IP addresses may call: enter the partner's"),
            ),
            Some(ip) if is_allowed(ip, &channel.ip_allow) => {
                result(TestStep::Address, Pass, say("IP 在白名单内", "The IP address is allowed"))
            }
            Some(_) => result(TestStep::Address, Fail, say("IP 不在白名单内", "The IP address is not allowed")),
        },
        required(channel, lead, facts),
        match &channel.filters {
            None => result(TestStep::Filters, Skip, say("没有过滤条件", "There are no filters")),
            Some(filters) => match filters.evaluate(facts) {
                Ok(()) => result(TestStep::Filters, Pass, say("符合过滤条件", "All filters met")),
                Err(miss) => result(TestStep::Filters, Fail, miss.reason()),
            },
        },
        match full {
            _ if channel.caps.is_empty() => result(TestStep::Caps, Skip, say("没有量控", "There are no caps")),
            None => result(TestStep::Caps, Pass, say("还有余量", "Below all caps")),
            Some(rule) => {
                let words = |locale| cap::sentence(std::slice::from_ref(&rule), locale);
                result(
                    TestStep::Caps,
                    Fail,
                    say(format!("已达上限：{}", words(Locale::Chinese)), format!("Cap reached: {}", words(Locale::English))),
                )
            }
        },
        result(TestStep::Dedup, Skip, say("测试线索不参与去重", "Test leads are not deduplicated")),
    ])
}

/// The required fields: a phone, a name, and those that the channel requires.
fn required(channel: &ChannelRow, lead: &TestLead, facts: &Facts) -> TestCheck {
    let said = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let phone = lead.phone.as_deref().and_then(canonical::phone).is_some();
    let of_channel =
        applicant::missing(&channel.required_fields, facts).map(|field| (field.title.chinese.as_str(), field.title.english.as_str()));
    let missing: Vec<(&str, &str)> = [(phone, ("手机号", "phone")), (said(&lead.name), ("姓名", "name"))]
        .into_iter()
        .filter_map(|(there, words)| (!there).then_some(words))
        .chain(of_channel)
        .collect();
    let (chinese, english): (Vec<&str>, Vec<&str>) = missing.into_iter().unzip();
    let (outcome, note_zh, note_en) = match chinese.is_empty() {
        true => (TestOutcome::Pass, "必填字段齐全".to_owned(), "All required fields are present".to_owned()),
        false => (TestOutcome::Fail, format!("缺少或有误：{}", chinese.join("、")), format!("Missing or wrong: {}", english.join(", "))),
    };
    TestCheck { step: TestStep::Required, outcome, note_zh, note_en }
}

/// The first cap without room for one more lead at the channel's price, if any. Nothing is taken.
async fn full_cap(tx: &mut Connection, channel: &ChannelRow, now: i64) -> std::result::Result<Option<CapRule>, sqlx::Error> {
    let cents = if channel.settle_mode.by_unit() { channel.unit_price_cents } else { 0 };
    let subject = store::subject(channel.id);
    let usage = cap::counters::usage(tx, subject.kind, [subject.id], now).await?.remove(&channel.id).unwrap_or_default();
    let beyond = |used: i64, more: i64, most: Option<i64>| most.is_some_and(|most| used + more > most);
    let full = usage
        .into_iter()
        .find(|usage| beyond(usage.used_count, 1, usage.cap.max_count) || beyond(usage.used_cents, cents, usage.cap.max_cents));
    Ok(full.map(|usage| usage.cap))
}

/// A hash of the terms that a test lead covers: with other terms, another test is needed.
fn terms_hash(channel: &ChannelRow) -> String {
    let mut terms = vec![
        serde_json::json!(channel.kind),
        serde_json::json!(channel.ip_allow),
        serde_json::json!(channel.filters),
        serde_json::json!(channel.caps),
        serde_json::json!(channel.dedup_days),
    ];
    // Left out if it has the default, as before the field existed, so that earlier tests stay valid.
    if channel.dedup_scope != DedupScope::default() {
        terms.push(serde_json::json!(channel.dedup_scope));
    }
    if !channel.required_fields.is_empty() {
        terms.push(serde_json::json!(channel.required_fields));
    }
    crypto::sha256_hex(Value::Array(terms).to_string().as_bytes())
}

/// The latest test lead of a channel.
async fn find<'e>(on: impl Executor<'e, Database = Any>, channel: &ChannelRow) -> std::result::Result<Option<ChannelTest>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT t.passed, t.terms_hash, t.checks, t.tested_at, COALESCE(a.real_name, '') AS tested_by FROM channel_test t \
         LEFT JOIN administrator a ON a.id = t.tested_by WHERE t.channel_id = $1 ORDER BY t.tested_at DESC, t.id DESC LIMIT 1",
    )
    .bind(channel.id)
    .fetch_optional(on)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(ChannelTest {
        channel_id: channel.id,
        passed: db::flag(&row, "passed")?,
        current: row.try_get::<&str, _>("terms_hash")? == terms_hash(channel),
        checks: db::json(&row, "checks")?,
        tested_by: row.try_get("tested_by")?,
        tested_at: row.try_get("tested_at")?,
    }))
}

async fn insert(
    tx: &mut Connection,
    channel: &ChannelRow,
    lead: &TestLead,
    checks: &[TestCheck],
    passed: bool,
    stamp: Stamp,
) -> std::result::Result<(), sqlx::Error> {
    let mut said = lead.applicant.clone();
    let phone = lead.phone.as_deref().and_then(canonical::phone);
    said.extend(phone.map(|phone| ("phone".to_owned(), mask::phone(&phone).into())));
    sqlx::query(
        "INSERT INTO channel_test (channel_id, passed, terms_hash, checks, applicant, tested_by, tested_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(channel.id)
    .bind(i64::from(passed))
    .bind(terms_hash(channel))
    .bind(serde_json::to_string(checks).expect("checks serialise"))
    .bind(Value::Object(said).to_string())
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .execute(tx)
    .await
    .map(drop)
}

/// Stores a passed test lead, for a channel of the demo.
pub async fn pass(tx: &mut Connection, channel: &ChannelRow, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
    let lead = TestLead { id: channel.id, phone: None, name: None, ip: None, applicant: Map::new() };
    let steps = [TestStep::Authentication, TestStep::Status, TestStep::Address, TestStep::Required, TestStep::Filters, TestStep::Caps];
    let passed = |step| TestCheck { step, outcome: TestOutcome::Pass, note_zh: "通过".to_owned(), note_en: "Passed".to_owned() };
    insert(tx, channel, &lead, &steps.map(passed), true, stamp).await
}
