//! The demo's products: some sixty, each with its checks and its later changes.

use anyhow::ensure;
use serde_json::json;
use sqlx::Row;

use super::people::Account;
use super::random::Random;
use super::{actor, pictures};
use base::clock::{self, DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::{App, Versioned};
use frame::terms::cap::CapWindow;
use frame::terms::{CapRule, RuleSet};
use frame::upload;
use trade::compliance::check::keep;
use trade::compliance::evaluate::Terms;
use trade::compliance::subject::Subject;
use trade::compliance::{Fact, TargetType};
use trade::product::form::Form;
use trade::product::{ApplyMode, LOGO, ProductCategory, ProductRow, ProductStatus, compliance_facts, store};

/// How many there are.
const COUNT: usize = 60;

/// A category: names, highest amount in thousand yuan, longest term, rates in basis points.
type Kind = (ProductCategory, &'static [&'static str], i64, i64, (i64, i64));

const KINDS: &[Kind] = &[
    (ProductCategory::Credit, &["好享贷", "随心借", "工薪贷", "诚意借"], 200, 36, (1080, 2380)),
    (ProductCategory::Mortgage, &["安居贷", "房易融"], 5000, 240, (420, 960)),
    (ProductCategory::Car, &["车主贷", "押证不押车"], 500, 36, (860, 1560)),
    (ProductCategory::Business, &["惠商贷", "税易贷", "票据快贷"], 3000, 60, (480, 1280)),
    (ProductCategory::Fund, &["公积金贷", "安心贷"], 300, 60, (680, 1480)),
    (ProductCategory::Policy, &["保单贷", "寿险贷"], 300, 36, (760, 1680)),
];
const MODES: [ApplyMode; 4] = [ApplyMode::Jump, ApplyMode::Lead, ApplyMode::Api, ApplyMode::Download];
const TAGS: &[&str] = &["额度高", "线上申请", "随借随还", "息费透明", "支持提前还款", "按日计息", "可循环"];
const CITIES: &[&str] = &["310100", "330100", "320100", "320500", "110100", "440100", "440300", "510100"];

struct Seller {
    id: i64,
    code: String,
    name: String,
    short_name: String,
    active: bool,
}

/// Adds the products in the order of time, each step with its audit row.
pub async fn insert(app: &App, tx: &mut Connection, accounts: &[Account], random: &mut Random, now: i64) -> anyhow::Result<()> {
    let operator = accounts.iter().find(|account| account.role == "operator").expect("the demo has an operator");
    let sellers = sellers(tx).await?;
    for index in 0..COUNT {
        let seller = &sellers[index % sellers.len()];
        let created = now - 600 * DAY + index as i64 * 9 * DAY + random.below(8 * DAY);
        let mut form = form(index, seller, random);
        let stamp = Stamp { admin_id: operator.id, at: created };
        let logo = pictures::keep(app, tx, &LOGO, ("logo.png", pictures::logo(index)), stamp).await?;
        form.logo_file_id = Some(logo);
        let id = store::insert(&mut *tx, &form, stamp).await?;
        ensure!(upload::settle(tx, LOGO.biz_type, id, &[logo], operator.id, created).await?, "a product did not take its logo");
        live(tx, operator, seller, (index, id, form), created, random, now).await?;
    }
    Ok(())
}

/// The organisations with which business has begun.
async fn sellers(tx: &mut Connection) -> Result<Vec<Seller>, sqlx::Error> {
    let rows = sqlx::query("SELECT id, code, name, short_name, status FROM organisation WHERE status <> 'pending' ORDER BY id")
        .fetch_all(tx)
        .await?;
    let seller = |row: &sqlx::any::AnyRow| {
        let active = row.try_get::<&str, _>("status")? == "active";
        Ok(Seller {
            id: row.try_get("id")?,
            code: row.try_get("code")?,
            name: row.try_get("name")?,
            short_name: row.try_get("short_name")?,
            active,
        })
    };
    rows.iter().map(seller).collect()
}

/// Adds the changes of a product.
async fn live(
    tx: &mut Connection,
    by: &Account,
    seller: &Seller,
    (index, id, mut form): (usize, i64, Form),
    created: i64,
    random: &mut Random,
    now: i64,
) -> Result<(), sqlx::Error> {
    let mut at = created;
    store::write(&mut *tx, id, 0, &form, Stamp { admin_id: by.id, at }).await?;
    record(&mut *tx, by, id, None, at).await?;
    let mut later = |random: &mut Random| {
        at += random.between(HOUR, 60 * DAY).min((now - at) / 3).max(1);
        at
    };
    if index % 10 == 7 {
        // Nobody has looked at it yet.
        return Ok(());
    }
    let passed = check(&mut *tx, by, id, later(random)).await?;
    if index % 10 == 3 || !passed {
        return Ok(());
    }
    put(&mut *tx, by, id, ProductStatus::Online, later(random)).await?;
    if random.percent(50) {
        let before = store::find(&mut *tx, Scope::All, id).await?;
        form.uv_price_cents += random.between(1, 9) * 10;
        let at = later(random);
        store::write(&mut *tx, id, before.as_ref().map_or(0, |row| row.version), &form, Stamp { admin_id: by.id, at }).await?;
        record(&mut *tx, by, id, before, at).await?;
    }
    let ended = index % 10 == 9;
    if !seller.active || ended || index % 10 == 5 {
        put(&mut *tx, by, id, ProductStatus::Offline, later(random)).await?;
    } else {
        // Online products were checked recently.
        check(&mut *tx, by, id, now - random.between(1, 60) * DAY / 2).await?;
    }
    if ended {
        put(&mut *tx, by, id, ProductStatus::Archived, later(random)).await?;
    }
    Ok(())
}

/// Checks a product by the rules. Returns whether none is broken.
async fn check(tx: &mut Connection, by: &Account, id: i64, at: i64) -> Result<bool, sqlx::Error> {
    let Some((name, mut facts)) = compliance_facts(&mut *tx, Scope::All, id).await? else { return Ok(false) };
    facts.insert("name", Fact::Value(name.clone()));
    let subject = Subject { target: TargetType::Product, id: Some(id), name, facts };
    let terms = Terms { max_rate_bp: 2400, today: clock::day(at) };
    let Some(check) = keep(&mut *tx, &subject, &terms, 90, &actor(by.id, by.role_id, at)).await? else { return Ok(false) };
    let result: String = sqlx::query_scalar("SELECT result FROM compliance_check WHERE id = $1").bind(check).fetch_one(tx).await?;
    Ok(result != "fail")
}

async fn put(tx: &mut Connection, by: &Account, id: i64, status: ProductStatus, at: i64) -> Result<(), sqlx::Error> {
    let before = store::find(&mut *tx, Scope::All, id).await?;
    let version = before.as_ref().map_or(0, |row| row.version);
    store::set_status(&mut *tx, id, version, status, Stamp { admin_id: by.id, at }).await?;
    record(tx, by, id, before, at).await
}

async fn record(tx: &mut Connection, by: &Account, id: i64, before: Option<ProductRow>, at: i64) -> Result<(), sqlx::Error> {
    let after = store::find(&mut *tx, Scope::All, id).await?;
    let action = if before.is_none() { Action::Create } else { Action::Update };
    let changes = ProductRow::diff(before.as_ref(), after.as_ref());
    let target = ProductRow::TARGET.of(id);
    audit::record(tx, &actor(by.id, by.role_id, at), target, action, &changes).await
}

fn form(index: usize, seller: &Seller, random: &mut Random) -> Form {
    let (category, names, most, longest, (low, high)) = KINDS[index % KINDS.len()];
    let apply_mode = MODES[index % MODES.len()];
    let code = format!("{}-{}-{:02}", seller.code, <&str>::from(category), index + 1);
    // One in ten has a rate above the limit, and one has no lender: their checks show it.
    let annual_rate_max_bp = if index % 20 == 13 { 3600 } else { high - random.below(20) * 10 };
    let night = index % 12 == 8;
    Form {
        name: format!("{}·{}", seller.short_name, names[index / KINDS.len() % names.len()]),
        org_id: seller.id,
        logo_file_id: None,
        category,
        apply_mode,
        jump_url: apply_mode.leads_away().then(|| format!("https://h5.{}.example.com/apply?p={code}", seller.code)),
        min_amount_cents: random.between(1, 6) * 100_000,
        max_amount_cents: most * random.between(5, 11) / 10 * 100_000,
        min_term_months: *random.pick(&[3, 6, 12]),
        max_term_months: longest,
        annual_rate_min_bp: low,
        annual_rate_max_bp,
        lender_name: if index % 20 == 17 { String::new() } else { seller.name.clone() },
        tags: (0..1 + index % 3).map(|number| TAGS[(index + number * 2) % TAGS.len()].to_owned()).collect(),
        requirements: format!("年满 22 周岁，{}。额度和利率以审核结果为准，放款前不收取任何费用。", asked(category)),
        uv_price_cents: random.between(8, 60) * 10,
        sort: 100 + index as i64 * 10,
        cities: if index % 4 == 1 { CITIES[index % 5..index % 5 + 3].iter().map(ToString::to_string).collect() } else { Vec::new() },
        rule_set: rules(index),
        online_from: if night { Some("20:00".to_owned()) } else { (index % 6 == 2).then(|| "09:00".to_owned()) },
        online_to: if night { Some("02:00".to_owned()) } else { (index % 6 == 2).then(|| "21:00".to_owned()) },
        caps: match index % 3 {
            0 => vec![CapRule { window: CapWindow::Day, weekday: None, max_count: Some(random.between(2, 20) * 100), max_cents: None }],
            _ => Vec::new(),
        },
        code,
    }
}

fn asked(category: ProductCategory) -> &'static str {
    match category {
        ProductCategory::Credit => "工作稳定满 6 个月",
        ProductCategory::Mortgage => "名下有房产，可为按揭房",
        ProductCategory::Car => "名下有车，车龄 10 年以内",
        ProductCategory::Business => "营业执照满 12 个月",
        ProductCategory::Fund => "公积金连续缴存满 12 个月",
        ProductCategory::Policy => "人寿保单生效满 2 年",
    }
}

/// Every third product has conditions.
fn rules(index: usize) -> Option<RuleSet> {
    let tree = match index % 6 {
        1 => json!({"all": [{"field": "age", "op": "between", "value": [22, 60]}, {"field": "house", "op": "exists", "value": true}]}),
        4 => {
            json!({"all": [{"field": "age", "op": "between", "value": [22, 55]}, {"field": "housingFund", "op": "exists", "value": true}]})
        }
        _ => return None,
    };
    Some(serde_json::from_value(tree).expect("the demo's conditions are a rule set"))
}
