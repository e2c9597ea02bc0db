//! The demo's plans: purchases of its organisations, in every state, each with its later changes.

use serde_json::json;
use sqlx::Row;

use super::actor;
use super::people::{Account, of_role};
use super::random::Random;
use base::clock::{self, DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::ApiError;
use frame::decision::{self, Verdict};
use frame::terms::cap::CapWindow;
use frame::terms::{CapRule, PriceRule, RuleSet};
use trade::plan::approval::{self, PlanTerms};
use trade::plan::form::Form;
use trade::plan::notices;
use trade::plan::store::{self, Step};
use trade::plan::{DeliverMode, OutOfSchedule, PauseReason, PlanStatus, SaleMode, number};

const AIMS: &[(&str, &str)] = &[
    ("优质公务员", r#"{"all": [{"field": "occupation", "op": "in", "value": ["civil_servant"]}]}"#),
    ("有房客户", r#"{"all": [{"field": "age", "op": "between", "value": [22, 55]}, {"field": "house", "op": "exists", "value": true}]}"#),
    ("有车客户", r#"{"all": [{"field": "age", "op": "gte", "value": 25}, {"field": "car", "op": "exists", "value": true}]}"#),
    (
        "上班族信贷",
        r#"{"all": [{"field": "occupation", "op": "in", "value": ["employee"]}, {"field": "incomeCentsMonth", "op": "gte", "value": 500000}]}"#,
    ),
    ("企业主经营贷", r#"{"any": [{"field": "occupation", "op": "in", "value": ["owner"]}, {"field": "age", "op": "gte", "value": 35}]}"#),
];
const CITIES: &[&[&str]] =
    &[&["310100", "330100", "320100"], &[], &["110100", "120100"], &["440100", "440300"], &[], &["510100", "500100", "420100", "430100"]];
const REMARKS: &[&str] = &["", "", "量不够时可以放宽城市", "每周一复核单价", "只要当天的新客户"];

/// An organisation that buys.
struct Buyer {
    id: i64,
    name: String,
    active: bool,
    licensed: bool,
    delivers: bool,
    teams: Vec<i64>,
    /// Those that are online.
    products: Vec<i64>,
}

/// Channels that plans allow and deny. The allowed ones are all that send applicants, and the denied ones send none,
/// so that neither list changes the demo's sales.
struct Channels {
    enabled: Vec<i64>,
    disabled: Vec<i64>,
}

async fn channels(tx: &mut Connection) -> Result<Channels, sqlx::Error> {
    let mut found = Channels { enabled: Vec::new(), disabled: Vec::new() };
    for row in sqlx::query("SELECT id, status FROM channel WHERE status <> 'paused' ORDER BY id LIMIT 200").fetch_all(tx).await? {
        let list = if row.try_get::<&str, _>("status")? == "enabled" { &mut found.enabled } else { &mut found.disabled };
        list.push(row.try_get("id")?);
    }
    Ok(found)
}

/// Adds plans of every organisation, with their changes.
pub async fn insert(tx: &mut Connection, accounts: &[Account], random: &mut Random, now: i64) -> Result<(), ApiError> {
    let by = (of_role(accounts, "operator"), of_role(accounts, "director"));
    let channels = channels(tx).await?;
    for (index, buyer) in buyers(tx, now).await?.iter().enumerate() {
        let plans = if buyer.active { 4 + index % 4 } else { 1 };
        for place in 0..plans {
            one(tx, (buyer, &channels), index * 7 + place, by, random, now).await?;
        }
    }
    Ok(())
}

async fn buyers(tx: &mut Connection, now: i64) -> Result<Vec<Buyer>, sqlx::Error> {
    let today = clock::day(now).to_string();
    let rows = sqlx::query(
        "SELECT o.id, o.short_name, o.status, COALESCE(o.licence_expire_on, '') AS until, COALESCE(c.status, '') AS delivery \
         FROM organisation o LEFT JOIN org_api_config c ON c.org_id = o.id WHERE o.status <> 'pending' ORDER BY o.id",
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut buyers = Vec::new();
    for row in rows {
        let id: i64 = row.try_get("id")?;
        buyers.push(Buyer {
            id,
            name: row.try_get("short_name")?,
            active: row.try_get::<&str, _>("status")? == "active",
            licensed: row.try_get::<&str, _>("until")? >= today.as_str(),
            delivers: row.try_get::<&str, _>("delivery")? == "enabled",
            teams: sqlx::query_scalar("SELECT id FROM sub_organisation WHERE org_id = $1 ORDER BY id").bind(id).fetch_all(&mut *tx).await?,
            products: sqlx::query_scalar("SELECT id FROM product WHERE org_id = $1 AND status = 'online' ORDER BY id")
                .bind(id)
                .fetch_all(&mut *tx)
                .await?,
        });
    }
    Ok(buyers)
}

/// Adds one plan and brings it to its present state.
async fn one(
    tx: &mut Connection,
    (buyer, channels): (&Buyer, &Channels),
    index: usize,
    by: (&Account, &Account),
    random: &mut Random,
    now: i64,
) -> Result<(), ApiError> {
    let created = now - 700 * DAY + random.below(690 * DAY);
    let mut form = form(buyer, index, created, random, now);
    match index % 24 {
        9 => form.terms.channel_deny.clone_from(&channels.disabled),
        16 => form.terms.channel_allow.clone_from(&channels.enabled),
        _ => {}
    }
    let over = form.terms.ends_on.as_ref().is_some_and(|day| *day < clock::day(now).to_string());
    live(tx, &form, path(buyer, index, over), by, created, random, now).await?;
    Ok(())
}

/// Adds one plan and brings it step by step to its present state. Returns its id.
async fn live(
    tx: &mut Connection,
    form: &Form,
    path: Vec<(PlanStatus, Option<PauseReason>)>,
    (by, checker): (&Account, &Account),
    created: i64,
    random: &mut Random,
    now: i64,
) -> Result<i64, ApiError> {
    let id = store::insert(tx, &number(created), form, PlanStatus::Draft, Stamp { admin_id: by.id, at: created }).await?;
    let target = Target { module: Module::Plan, kind: "plan", id: Some(id) };
    let mut row = store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    audit::record(tx, &actor(by.id, by.role_id, created), target, Action::Create, &approval::diff(None, Some(&row))).await?;

    decision::write_down(tx, &approval::start(&row), Some(by.id), created).await?;

    let mut at = created;
    for (status, pause_reason) in path {
        at = (at + HOUR + random.below(DAY)).min(now);
        let reject_note = (status == PlanStatus::Rejected).then_some("单价低于该城市的底价，请调整后重新提交");
        // The person who works on it, and the one who decides.
        let by = match (row.status, status) {
            (PlanStatus::Pending, PlanStatus::Running | PlanStatus::Rejected) => {
                let verdict = Verdict { by: Some(checker.id), approve: status == PlanStatus::Running, note: reject_note, at };
                decision::decide(tx, &approval::start(&row), &verdict).await?;
                checker
            }
            _ => by,
        };
        store::step(tx, id, row.version, Step { status, pause_reason, by_org: false, reject_note }, at, Some(by.id)).await?;
        let after = store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
        audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Update, &approval::diff(Some(&row), Some(&after))).await?;
        row = after;
    }
    Ok(id)
}

/// Adds a plan that has been running since the day after its creation.
pub async fn trial(tx: &mut Connection, form: &Form, accounts: &[Account], created: i64, random: &mut Random) -> Result<i64, ApiError> {
    let steps = vec![(PlanStatus::Pending, None), (PlanStatus::Running, None)];
    live(tx, form, steps, (of_role(accounts, "operator"), of_role(accounts, "director")), created, random, created + DAY).await
}

/// The form of such a plan: for all applicants, at once, before others, up to a limit.
pub fn trial_form(name: String, org_id: i64, most: i64) -> Form {
    Form {
        name,
        org_id,
        terms: PlanTerms {
            sub_org_id: None,
            product_id: None,
            deliver_mode: DeliverMode::Api,
            match_required: false,
            sale_mode: SaleMode::Exclusive,
            max_buyers: 1,
            price_cents: 3_600,
            price_rules: Vec::new(),
            method_priority: 1,
            weight: 1,
            exposure_weight: 0,
            cities: Vec::new(),
            channel_allow: Vec::new(),
            channel_deny: Vec::new(),
            rule_set: None,
            dedup_days: None,
            schedule: None,
            out_of_schedule: OutOfSchedule::Skip,
            starts_on: None,
            ends_on: None,
            caps: vec![CapRule { window: CapWindow::Total, weekday: None, max_count: Some(most), max_cents: None }],
            own_price_least_cents: None,
            own_price_most_cents: None,
            own_day_most: None,
            own_hours: false,
            own_cities: false,
            own_pause: false,
        },
        remark: "接口联调后的小量试投".to_owned(),
    }
}

/// Proposes another price and longer deduplication for the first running plan: the change waits for a decision.
pub async fn ask(tx: &mut Connection, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let Some(before) = store::running(&mut *tx, 0, 1).await?.into_iter().next() else { return Ok(()) };
    let (by, at) = (of_role(accounts, "operator"), now - HOUR);
    let held = PlanTerms::of_row(&before);
    store::write_terms(tx, before.id, before.version, &held, Stamp { admin_id: by.id, at }).await?;
    let row = store::find(&mut *tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    let asked = PlanTerms { price_cents: held.price_cents + 500, dedup_days: Some(90), ..held };
    decision::write_down(tx, &approval::change(&row, &asked), Some(by.id), at).await?;
    let after = store::find(&mut *tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    let target = Target { module: Module::Plan, kind: "plan", id: Some(after.id) };
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Update, &approval::diff(Some(&before), Some(&after))).await?;
    Ok(notices::change_asked(tx, &after, by.id, at).await?)
}

/// The steps from a draft to a plan's present state.
fn path(buyer: &Buyer, index: usize, over: bool) -> Vec<(PlanStatus, Option<PauseReason>)> {
    use PlanStatus::{Draft, Ended, Paused, Pending, Rejected, Running};
    let mut steps = vec![(Pending, None)];
    match index % 11 {
        _ if !buyer.active => steps.extend([(Running, None), (Ended, None)]),
        3 => steps.clear(),
        4 => {}
        6 => steps.push((Rejected, None)),
        8 => steps.extend([(Rejected, None), (Draft, None)]),
        _ => {
            steps.push((Running, None));
            match index % 13 {
                _ if over => steps.push((Paused, Some(PauseReason::Expired))),
                _ if !buyer.licensed => steps.push((Paused, Some(PauseReason::Licence))),
                2 => steps.push((Paused, Some(PauseReason::Manual))),
                5 => steps.push((Ended, None)),
                _ => {}
            }
        }
    }
    steps
}

fn form(buyer: &Buyer, index: usize, created: i64, random: &mut Random, now: i64) -> Form {
    let (aim, rules) = AIMS[index % AIMS.len()];
    let shared = index % 3 == 1;
    let price_cents = random.between(15, 90) * 100;
    let day = |at: i64| Some(clock::day(at).to_string());
    let cap = |window, max_count, max_cents| CapRule { window, weekday: None, max_count, max_cents };
    let hours =
        json!({"1": [[540, 1260]], "2": [[540, 1260]], "3": [[540, 1260]], "4": [[540, 1260]], "5": [[540, 1260]], "6": [[600, 1080]]});
    let better = json!([{"rules": {"all": [{"field": "house", "op": "exists", "value": true}]}, "priceCents": price_cents + 1500}]);
    let rules: RuleSet = serde_json::from_str(rules).expect("rules of this file");
    let prices: Vec<PriceRule> = serde_json::from_value(better).expect("prices of this file");
    Form {
        name: format!("{}{aim}", buyer.name),
        org_id: buyer.id,
        terms: PlanTerms {
            sub_org_id: if index % 4 == 2 { buyer.teams.get(index % buyer.teams.len().max(1)).copied() } else { None },
            product_id: if index.is_multiple_of(2) { buyer.products.get(index % buyer.products.len().max(1)).copied() } else { None },
            deliver_mode: match index % 4 {
                0 if buyer.delivers => DeliverMode::Api,
                1 => DeliverMode::Crm,
                3 => DeliverMode::Sms,
                _ => DeliverMode::BackOffice,
            },
            sale_mode: if shared { SaleMode::Shared } else { SaleMode::Exclusive },
            max_buyers: if shared { 2 + index as i64 % 4 } else { 1 },
            price_cents,
            price_rules: if index.is_multiple_of(4) { prices } else { Vec::new() },
            method_priority: 10 + index as i64 % 9 * 10,
            weight: 1 + index as i64 % 5 * 5,
            exposure_weight: 10,
            cities: CITIES[index % CITIES.len()].iter().map(|city| (*city).to_owned()).collect(),
            channel_allow: Vec::new(),
            channel_deny: Vec::new(),
            rule_set: (index % 5 != 4).then_some(rules),
            dedup_days: index.is_multiple_of(3).then_some(60),
            schedule: (index % 3 == 2).then(|| serde_json::from_value(hours).expect("hours of this file")),
            out_of_schedule: if index.is_multiple_of(6) { OutOfSchedule::Hold } else { OutOfSchedule::Skip },
            starts_on: day(created + 2 * DAY),
            ends_on: match index % 6 {
                0 => day(created + 365 * DAY),
                1 => day(now + (20 + index as i64) * DAY),
                _ => None,
            },
            caps: match index % 4 {
                0 => vec![cap(CapWindow::Day, Some(30 + index as i64 % 7 * 10), None)],
                1 => vec![cap(CapWindow::Day, Some(50), None), cap(CapWindow::Month, None, Some(5_000_000))],
                2 => vec![cap(CapWindow::Hour, Some(10), None), cap(CapWindow::Week, Some(200), Some(1_000_000))],
                _ => Vec::new(),
            },
            match_required: index.is_multiple_of(4) && buyer.delivers,
            // Of each third plan the organisation sets price, caps and hours itself.
            own_price_least_cents: index.is_multiple_of(3).then_some(price_cents - 500),
            own_price_most_cents: index.is_multiple_of(3).then_some(price_cents + 2000),
            own_day_most: index.is_multiple_of(3).then_some(120),
            own_hours: index.is_multiple_of(3),
            own_cities: index.is_multiple_of(6),
            own_pause: index.is_multiple_of(3),
        },
        remark: (*random.pick(REMARKS)).to_owned(),
    }
}
