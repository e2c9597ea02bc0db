//! The current figures of plans: the usage of their caps, and why they take no leads.

use std::collections::HashMap;

use super::model::{DeliverMode, Hold, PlanChangeNames, PlanNow, PlanRow, PlanStatus};
use super::store;
use crate::ledger::account::{self, Funds};
use crate::org::OrgStatus;
use crate::org::standing::{self, Standing};
use crate::product::{self, Named, Visited};
use base::clock;
use base::db::Db;
use frame::terms::cap::{self, CapUsage};

/// The plans with their figures at a moment, in the same order.
pub async fn of(db: &Db, plans: Vec<PlanRow>, at: i64) -> Result<Vec<PlanNow>, sqlx::Error> {
    if plans.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = plans.iter().filter_map(|plan| plan.product_id).collect();
    // Side by side: each is a trip to the database.
    let (mut usage, organisations, products, funds, named) = tokio::try_join!(
        cap::counters::usage(db.read(), "plan", plans.iter().map(|plan| plan.id), at),
        standing::standings(db.read(), plans.iter().map(|plan| plan.org_id), at),
        product::shown(db, Named::Ids(&ids), at),
        account::funds(db.read(), plans.iter().map(|plan| plan.org_id)),
        store::names_of_changes(db, &plans),
    )?;
    let products: HashMap<i64, Visited> = products.into_iter().map(|product| (product.id, product)).collect();
    let seen = |plan: PlanRow| {
        let change_names = plan.change.as_ref().map(|change| PlanChangeNames {
            sub_org_name: change.sub_org_id.and_then(|id| named.teams.get(&id).cloned()),
            product_name: change.product_id.and_then(|id| named.products.get(&id).cloned()),
        });
        let funds = funds.get(&plan.org_id).copied().unwrap_or_default();
        let usage = usage.remove(&plan.id).unwrap_or_default();
        let organisation = organisations.get(&plan.org_id);
        let product = plan.product_id.map(|id| products.get(&id));
        let audience = product.flatten().map(|product| product.audience.clone()).unwrap_or_default();
        let is = |test: fn(&Standing) -> bool| organisation.is_some_and(test);
        let around = Around {
            test: is(|standing| standing.test),
            active: is(|standing| standing.status == OrgStatus::Active),
            licensed: is(|standing| standing.licensed),
            shown: product.is_none_or(|product| product.is_some_and(|product| product.online)),
            delivers: is(|standing| standing.delivers),
        };
        let holds = match plan.status {
            PlanStatus::Running => holds(&plan, &usage, funds, around, at),
            _ => Vec::new(),
        };
        PlanNow { test: around.test, plan, usage, funds, holds, change_names, audience }
    };
    Ok(plans.into_iter().map(seen).collect())
}

/// One plan with its figures at a moment.
pub async fn of_one(db: &Db, plan: PlanRow, at: i64) -> Result<PlanNow, sqlx::Error> {
    Ok(of(db, vec![plan], at).await?.remove(0))
}

/// The conditions around a plan under which it takes leads.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Its organisation is in test mode, so it pays for no lead.
    pub test: bool,
    /// Its organisation is active, and has a valid licence.
    pub active: bool,
    pub licensed: bool,
    /// Its product is shown now, or it has none.
    pub shown: bool,
    /// Its organisation's delivery settings are on.
    pub delivers: bool,
}

/// The reasons why a running plan takes no leads at a moment.
pub fn holds(plan: &PlanRow, usage: &[CapUsage], funds: Funds, around: Around, at: i64) -> Vec<Hold> {
    let today = clock::day(at).to_string();
    let least_cents = if around.test { 0 } else { plan.least_cents() };
    [
        (Hold::NotStarted, plan.starts_on.as_ref().is_some_and(|day| *day > today)),
        (Hold::Over, plan.ends_on.as_ref().is_some_and(|day| *day < today)),
        (Hold::Organisation, !around.active),
        (Hold::Licence, !around.licensed),
        (Hold::Product, !around.shown),
        (Hold::Delivery, plan.deliver_mode == DeliverMode::Api && !around.delivers),
        (Hold::Balance, !around.test && funds.available_cents < least_cents),
        (Hold::Closed, plan.schedule.as_ref().is_some_and(|schedule| !schedule.is_open(at))),
        (Hold::Capped, usage.iter().any(|usage| usage.is_full(least_cents))),
    ]
    .into_iter()
    .filter_map(|(hold, holds)| holds.then_some(hold))
    .collect()
}
