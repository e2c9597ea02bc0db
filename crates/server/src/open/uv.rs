//! `POST /open/uv`: a channel's server reports what one of its visitors has seen.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use super::person::{self, Person};
use super::seen::VisitContext;
use base::clock::DAY;
use frame::api::error::Refusal;
use frame::api::{ApiError, Check, Ctx, Result, Signed, say};
use frame::setting;
use trade::visit::Recorder;
use trade::visit::{AHEAD, Outcome};
use trade::{plan, product};

/// The most events of one call.
const MOST: usize = 50;

/// The events of a visitor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VisitorEvents {
    /// The caller's own name for the visitor: the same for the same person or device, at most 128
    /// characters. It is kept as a keyed hash only.
    visitor: String,
    /// The visitor's address.
    ip: String,
    /// The visitor's browser, at most 1000 characters. One that is empty or a robot's is not counted.
    user_agent: String,
    /// Epoch milliseconds, not more than a day ago; absent for now.
    at: Option<i64>,
    /// 1 to 50 events.
    seen: Vec<VisitorEvent>,
}

/// One event.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum VisitorEvent {
    /// The channel's landing page.
    Landing {},
    /// A product that was chosen, by its code.
    Product { code: String },
    /// A plan that was shown, by its number; `position` is its place in a list, from 1.
    Exposure { plan: String, position: Option<i64> },
    /// A plan that was chosen.
    Click { plan: String },
}

/// What was counted. It is in the database when this is answered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Counted {
    /// Events that count; those of robots do not, nor those of plans and products that are no longer shown.
    counted: usize,
}

/// `POST /open/uv`.
pub async fn record(cx: Arc<Ctx>, call: Signed<VisitorEvents>) -> Result<Counted> {
    let (channel, events, nonce) = partner::channel(&cx, call).await?;
    let at = events.at.unwrap_or(cx.now);
    check(&events, at, cx.now)?;
    let most = cx.setting(&setting::VISIT_ADDRESS_VISITORS).await?;
    let device = person::device_of_channel(channel.id, &events.visitor);
    let person = Person::new(&cx.app.keys, &device, &events.ip, &events.user_agent, most);
    let visit = VisitContext { channel: Some(&channel), person: &person, at };
    let (products, plans) = named(&cx, &events.seen).await?;
    let mut seen = Vec::new();
    let mut counted = 0;
    if !person::is_robot(&events.user_agent) {
        for event in &events.seen {
            let before = seen.len();
            match event {
                VisitorEvent::Landing {} => seen.extend(visit.landing()),
                VisitorEvent::Product { code } => {
                    seen.extend(products[code].online.then(|| visit.product(&products[code])).into_iter().flatten())
                }
                VisitorEvent::Exposure { plan, position } => {
                    seen.extend(plans[plan].running.then(|| visit.exposure(&plans[plan], *position)))
                }
                VisitorEvent::Click { plan } => seen.extend(plans[plan].running.then(|| visit.click(&plans[plan])).into_iter().flatten()),
            }
            counted += usize::from(seen.len() > before);
        }
    }
    match cx.app.service::<Recorder>().record(Some(nonce), seen).await {
        Ok(Outcome::Written) => Ok(Counted { counted }),
        Ok(Outcome::Used) => Err(ApiError::Signed(Refusal::Nonce)),
        Err(_) => Err(ApiError::Busy),
    }
}

/// The named products by code and plans by number; an unknown one is the caller's mistake.
async fn named(cx: &Ctx, events: &[VisitorEvent]) -> Result<(HashMap<String, product::Visited>, HashMap<String, plan::Visited>)> {
    let (mut codes, mut numbers) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            VisitorEvent::Landing {} => {}
            VisitorEvent::Product { code } => codes.push(code.clone()),
            VisitorEvent::Exposure { plan, .. } | VisitorEvent::Click { plan } => numbers.push(plan.clone()),
        }
    }
    let products = product::shown(cx.db(), product::Named::Codes(&codes), cx.now).await?;
    let plans = plan::visited(cx.db().read(), &numbers).await?;
    let products: HashMap<_, _> = products.into_iter().map(|product| (product.code.clone(), product)).collect();
    let plans: HashMap<_, _> = plans.into_iter().map(|plan| (plan.no.clone(), plan)).collect();
    if let Some(code) = codes.iter().find(|code| !products.contains_key(*code)) {
        return Err(ApiError::field("seen", say(format!("没有产品 {code}"), format!("Product {code} does not exist"))));
    }
    if let Some(no) = numbers.iter().find(|no| !plans.contains_key(*no)) {
        return Err(ApiError::field("seen", say(format!("没有计划 {no}"), format!("Plan {no} does not exist"))));
    }
    Ok((products, plans))
}

/// Checks the caller's data of a visitor.
pub(super) fn visitor(check: &mut Check, name: &str, ip: &str, user_agent: &str) {
    check.text("visitor", name, 1..=128).that("ip", ip.parse::<IpAddr>().is_ok(), say("不是 IP 地址", "Not an IP address")).text(
        "userAgent",
        user_agent,
        0..=1000,
    );
}

fn check(events: &VisitorEvents, at: i64, now: i64) -> Result<()> {
    let mut check = Check::new();
    visitor(&mut check, &events.visitor, &events.ip, &events.user_agent);
    check.that("at", (now - DAY..=now + AHEAD).contains(&at), say("只能是最近一天内", "Must be within the last day")).that(
        "seen",
        (1..=MOST).contains(&events.seen.len()),
        say(format!("1 到 {MOST} 项"), format!("1 to {MOST} items")),
    );
    for event in &events.seen {
        let (name, position) = match event {
            VisitorEvent::Landing {} => continue,
            VisitorEvent::Product { code } => (code, None),
            VisitorEvent::Exposure { plan, position } => (plan, *position),
            VisitorEvent::Click { plan } => (plan, None),
        };
        check.text("seen", name, 1..=64);
        check.that(
            "seen",
            position.is_none_or(|place| (1..=1000).contains(&place)),
            say("位置应为 1 到 1000", "The position must be 1 to 1000"),
        );
    }
    check.done()
}
