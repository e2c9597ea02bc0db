//! What an organisation changes of its plans by itself, within the bounds in the terms of each plan. Two people of the platform set
//! the bounds, so such a change holds at once. All other terms change by the form of the platform ([`super::record`]).

use std::sync::Arc;

use futures_util::FutureExt;

use super::approval::{self, PlanTerms};
use super::model::{PauseReason, PlanOwnForm, PlanRow, PlanStatus, PlanStatusChange};
use super::store::{self, Step};
use super::{form, gate, record, status};
use base::db::Connection;
use frame::api::versioned;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};
use frame::places;
use frame::terms::cap::{self, CapWindow};
use frame::terms::{self, CapRule};

/// Whether an organisation may change anything of a plan with these terms.
pub fn has_bounds(terms: &PlanTerms) -> bool {
    terms.own_price_most_cents.is_some() || terms.own_day_most.is_some() || terms.own_hours || terms.own_cities || terms.own_pause
}

/// `PUT /plan/own`: price, caps, cities and hours of a plan of the viewer's organisation.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<PlanOwnForm>) -> Result<PlanRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                cap::counters::hold(cx.db(), &mut tx, store::subject(body.id)).await?;
                let before = current(cx, &mut tx, body.id, body.version).await?;
                if before.change.is_some() {
                    return Err(ApiError::State(say(
                        "平台对该计划的变更待审核，审核后才能调整",
                        "A change of this plan awaits approval: wait until it has been decided on",
                    )));
                }
                let held = PlanTerms::of_row(&before);
                let mut terms = PlanTerms {
                    price_cents: body.price_cents,
                    caps: body.caps.clone(),
                    cities: places::tidy(body.cities.clone()),
                    schedule: body.schedule.clone(),
                    ..held.clone()
                };
                let mut check = Check::new();
                form::check_own(&mut check, &terms);
                check.done()?;
                form::tidy(&mut terms);
                check_within(&held, &terms)?;
                let written = store::write_terms(&mut tx, before.id, before.version, &terms, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/own/status`: pauses a plan of the viewer's organisation, or resumes one that the organisation paused.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<PlanStatusChange>) -> Result<PlanRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, body.version).await?;
                if !before.own_pause {
                    return Err(ApiError::State(say(
                        "没有约定由机构暂停和恢复该计划",
                        "It was not agreed that the organisation pauses and resumes this plan",
                    )));
                }
                if !approval::binds(body.status) {
                    return Err(ApiError::State(say("机构只能暂停和恢复计划", "An organisation can only pause and resume a plan")));
                }
                status::change(before.status, body.status)?;
                if body.status == PlanStatus::Running {
                    if !before.paused_by_org {
                        return Err(ApiError::State(say(
                            "该计划不是由机构暂停的，请联系平台恢复",
                            "Your organisation did not pause this plan: ask the platform to resume it",
                        )));
                    }
                    gate::may_run(&mut tx, &before, cx.now).await?;
                }
                let reason = (body.status == PlanStatus::Paused).then_some(PauseReason::Manual);
                let step = Step { status: body.status, pause_reason: reason, by_org: true, reject_note: None };
                record::go(cx, &mut tx, before, step).await
            }
            .boxed()
        })
        .await
}

/// A plan of the viewer's organisation that was approved, held until the transaction ends, in the version that was read. People of
/// the platform are refused: a second person approves what they change.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<PlanRow> {
    let before = versioned::current_in_scope::<PlanRow>(cx, tx, id, Some(version)).await?;
    if cx.viewer()?.scope().is_platforms() {
        return Err(ApiError::Forbidden);
    }
    if !approval::binds(before.status) {
        return Err(ApiError::State(say(
            "只有投放中或已暂停的计划可以由机构调整",
            "An organisation can change a plan only while it is running or paused",
        )));
    }
    Ok(before)
}

/// Accepts terms that differ from those in force only where and as far as the organisation may change them. Refuses others; each
/// message names the bound.
pub fn check_within(held: &PlanTerms, wanted: &PlanTerms) -> Result<()> {
    let mut check = Check::new();
    if wanted.price_cents != held.price_cents {
        match (held.own_price_least_cents, held.own_price_most_cents) {
            (Some(least), Some(most)) => {
                let (from, to) = (terms::yuan(least), terms::yuan(most));
                let message = say(format!("单价须在 {from} 至 {to} 元之间"), format!("The price must be between {from} and {to} CNY"));
                check.that("priceCents", (least..=most).contains(&wanted.price_cents), message);
            }
            _ => {
                check.that("priceCents", false, say("没有约定由机构调整单价", "It was not agreed that the organisation changes the price"));
            }
        }
    }
    if wanted.caps != held.caps {
        match held.own_day_most {
            Some(most) => {
                let message = say(
                    format!("须限定每天的数量，每天最多 {most} 条；其他量控不能放宽"),
                    format!("There must be a daily cap, and no day may have more than {most} leads; other caps may not be raised"),
                );
                check.that("caps", are_at_most(&wanted.caps, most) && keep_others(&held.caps, &wanted.caps), message);
            }
            None => {
                check.that("caps", false, say("没有约定由机构调整量控", "It was not agreed that the organisation changes the caps"));
            }
        }
    }
    check
        .that(
            "cities",
            held.own_cities || wanted.cities == held.cities,
            say("没有约定由机构调整投放城市", "It was not agreed that the organisation changes the cities"),
        )
        .that(
            "schedule",
            held.own_hours || wanted.schedule == held.schedule,
            say("没有约定由机构调整投放时段", "It was not agreed that the organisation changes the hours"),
        );
    check.done()?;
    let others = PlanTerms {
        price_cents: held.price_cents,
        caps: held.caps.clone(),
        cities: held.cities.clone(),
        schedule: held.schedule.clone(),
        ..wanted.clone()
    };
    match others.are(held) {
        true => Ok(()),
        false => Err(ApiError::Forbidden),
    }
}

/// Whether caps allow at most so many leads on each day.
fn are_at_most(caps: &[CapRule], most: i64) -> bool {
    let daily: Vec<&CapRule> = caps.iter().filter(|cap| cap.window == CapWindow::Day).collect();
    daily.iter().any(|cap| cap.weekday.is_none()) && daily.iter().all(|cap| cap.max_count.is_some_and(|count| count <= most))
}

/// Whether caps keep what the bound on the number of a day does not replace: amounts of money, and numbers of other windows. They
/// may be lower.
fn keep_others(held: &[CapRule], wanted: &[CapRule]) -> bool {
    let lowers = |held: Option<i64>, wanted: Option<i64>| held.is_none_or(|most| wanted.is_some_and(|wanted| wanted <= most));
    held.iter().all(|old| {
        let count = old.max_count.filter(|_| old.window != CapWindow::Day);
        if count.is_none() && old.max_cents.is_none() {
            return true;
        }
        let new = wanted.iter().find(|new| new.window == old.window && new.weekday == old.weekday);
        new.is_some_and(|new| lowers(count, new.max_count) && lowers(old.max_cents, new.max_cents))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_bound_a_day_only_if_each_day_has_a_number() {
        let cap = |window, weekday, max_count| CapRule { window, weekday, max_count, max_cents: Some(100) };
        for (caps, fit) in [
            (vec![], false),
            (vec![cap(CapWindow::Week, None, Some(5))], false),
            (vec![cap(CapWindow::Day, None, None)], false),
            (vec![cap(CapWindow::Day, None, Some(11))], false),
            (vec![cap(CapWindow::Day, Some(1), Some(5))], false),
            (vec![cap(CapWindow::Day, None, Some(10))], true),
            (vec![cap(CapWindow::Day, None, Some(10)), cap(CapWindow::Day, Some(1), Some(11))], false),
            (vec![cap(CapWindow::Day, None, Some(10)), cap(CapWindow::Day, Some(1), Some(3)), cap(CapWindow::Hour, None, Some(99))], true),
        ] {
            assert_eq!(are_at_most(&caps, 10), fit, "{caps:?}");
        }
    }

    #[test]
    fn caps_of_other_windows_and_of_money_may_only_be_lowered() {
        let cap = |window, max_count, max_cents| CapRule { window, weekday: None, max_count, max_cents };
        let held = [cap(CapWindow::Day, Some(10), None), cap(CapWindow::Month, Some(100), Some(5000))];
        for (caps, fit) in [
            (vec![cap(CapWindow::Day, Some(20), None)], false),
            (vec![cap(CapWindow::Month, Some(100), None)], false),
            (vec![cap(CapWindow::Month, Some(101), Some(5000))], false),
            (vec![cap(CapWindow::Month, Some(90), Some(4000))], true),
        ] {
            assert_eq!(keep_others(&held, &caps), fit, "{caps:?}");
        }
    }
}
