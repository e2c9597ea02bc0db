//! The sales of a round, and its end: what is stored of it, and when the next one is due.

use serde_json::json;

use super::authorise::Awaited;
use super::policy::Policy;
use super::sale::{self, Bill, Sale, Sold, is_live};
use super::selection::{self, Candidate, Person};
use base::clock::{DAY, MINUTE};
use base::db::Tx;
use frame::api::{ApiError, App};
use frame::terms::applicant::{Facts, facts_of};
use trade::handoff::LEASE;
use trade::match_log::{self as records, Direction, MatchStatus, NewMatch, Passed, PassedOver};
use trade::plan::PlanRow;
use trade::plan::market::{Market, RunningPlans};
use trade::plan::push::eligibility;
use trade::user::UserStatus;
use trade::user::reputation::{self, By};
use trade::user::rounds::{self, RoundApplicant, RoundEnd};
use trade::visit::lead::{self, LeadEvent, LeadKind};

/// The most rounds for one applicant.
const MOST_ROUNDS: i64 = 3;

/// The facts of an applicant at a moment: the answers, without unknown fields, and the known past, if a plan uses it.
pub(super) async fn known(app: &App, user: &RoundApplicant, running: &RunningPlans, at: i64) -> Result<Facts, ApiError> {
    let said = facts_of(&user.said).unwrap_or_default();
    Ok(match running.asks_past {
        true => reputation::of(app, By::Phone, &user.known_by.phone_hash, at).await?.add_to(said),
        false => said,
    })
}

/// The result of an attempt to sell.
pub(super) enum Attempt<'a> {
    /// Sold, if the bill can be settled and the transaction is committed.
    Sold {
        tx: Box<Tx>,
        at: i64,
        candidate: Candidate<'a>,
        bill: Bill,
    },
    Passed(PassedOver),
    /// This process has lost the applicant.
    Lost,
}

/// Sells the applicant to a plan. A plan that was saved meanwhile is used in its new version, if it still takes them.
pub(super) async fn sold<'a>(
    app: &App,
    user: &RoundApplicant,
    candidate: Candidate<'a>,
    terms: (&Policy, Option<&Awaited>),
    until: i64,
) -> Result<Attempt<'a>, ApiError> {
    match try_to_sell(app, user, candidate, terms, until).await? {
        Attempt::Passed(PassedOver::Changed) => app.service::<Market>().forget().await,
        other => return Ok(other),
    }
    let now = app.clock.now();
    let running = app.service::<Market>().running_plans(&app.db, now).await?;
    let facts = known(app, user, &running, now).await?;
    let person = Person::of(user, &facts, &[]);
    let Some(current) = selection::again(&running, candidate.plan.id, &person) else { return Ok(Attempt::Passed(PassedOver::Changed)) };
    Ok(match try_to_sell(app, user, current, terms, until).await? {
        // The round goes on by the plan as it was read. If the saved version leads to another next step, the plan is
        // passed over.
        Attempt::Sold { tx, at, candidate: sold, bill } if same_course(candidate.plan, sold.plan) => {
            Attempt::Sold { tx, at, candidate: Candidate { plan: candidate.plan, ..sold }, bill }
        }
        Attempt::Sold { .. } => Attempt::Passed(PassedOver::Changed),
        Attempt::Passed(reason) => Attempt::Passed(reason),
        Attempt::Lost => Attempt::Lost,
    })
}

/// Whether the new version of a plan leads to the same next step of the round.
fn same_course(before: &PlanRow, now: &PlanRow) -> bool {
    before.sale_mode == now.sale_mode && before.deliver_mode == now.deliver_mode && before.match_required == now.match_required
}

async fn try_to_sell<'a>(
    app: &App,
    user: &RoundApplicant,
    candidate: Candidate<'a>,
    (policy, awaited): (&Policy, Option<&Awaited>),
    until: i64,
) -> Result<Attempt<'a>, ApiError> {
    let mut tx = app.db.begin().await?;
    let at = tx.now(&app.clock).await?;
    // Locks the applicant first, as everywhere where more than the applicant is locked.
    if !rounds::still_has(&mut tx, user.id, until).await? {
        return Ok(Attempt::Lost);
    }
    let sale = Sale { user, candidate, policy, repeat: None, awaited, at };
    Ok(match sale::sell(app, &mut tx, &sale).await? {
        Sold::Sold(bill) => Attempt::Sold { tx: Box::new(tx), at, candidate, bill },
        Sold::Passed(reason) => {
            // The hit is counted.
            if reason == PassedOver::Blacklist {
                tx.commit().await?;
            }
            Attempt::Passed(reason)
        }
    })
}

/// The first sale of a round.
#[derive(Clone, Copy)]
pub(super) struct FirstSale {
    pub(super) plan_id: i64,
    pub(super) org_id: i64,
    pub(super) product_id: Option<i64>,
    pub(super) price_cents: i64,
}

/// A round that goes on.
#[derive(Clone, Copy)]
pub(super) struct Round<'r> {
    pub(super) user: &'r RoundApplicant,
    /// Until when this process has leased the applicant.
    pub(super) until: i64,
    pub(super) began: i64,
    pub(super) sold: Option<FirstSale>,
    /// A delivery was queued.
    pub(super) deliveries: bool,
    pub(super) opens_at: Option<i64>,
    pub(super) again_minutes: i64,
    /// JSON: the conditions of plans that the applicant does not meet.
    pub(super) unmet: Option<&'r str>,
    /// The applicant's field whose conditions stopped the most plans.
    pub(super) main_condition: Option<&'r str>,
}

impl Round<'_> {
    /// Renews the lease of the applicant in a transaction. Returns whether this process still had it.
    pub(super) async fn keep(&self, tx: &mut Tx, at: i64) -> Result<bool, sqlx::Error> {
        rounds::end(tx, self.user.id, self.until, RoundEnd::goes_on(at + LEASE), at).await
    }

    /// Ends the round in a transaction, which may be that of its last sale and then settles its bill: stores the
    /// result, and when the next round is due. If this process has lost the applicant, or the bill cannot be settled,
    /// the transaction is dropped; returns what is missing.
    pub(super) async fn finish(
        &self,
        app: &App,
        mut tx: Tx,
        passed: &Passed,
        last: Option<(i64, &Bill)>,
    ) -> Result<Option<PassedOver>, ApiError> {
        let sold_at = last.map(|(at, _)| at);
        let now = match sold_at {
            Some(at) => at,
            None => tx.now(&app.clock).await?,
        };
        let rounds = self.user.rounds + 1;
        // A refusal of one of their leads waits for this lock, or has had it before. A sale holds it already.
        if sold_at.is_none() && !rounds::still_has(&mut tx, self.user.id, self.until).await? {
            return Ok(None);
        }
        // A lead sold a moment ago may have been refused since; the one being sold cannot.
        let buyers = match sold_at {
            Some(_) => Vec::new(),
            None => eligibility::buyers(&mut *tx, self.user.id, now).await?,
        };
        let sold = sold_at.is_some() || buyers.iter().any(|one| is_live(one.status));
        // An organisation whose delivery failed technically has not had the applicant. It is asked again for a day,
        // once it may work again.
        let again_at = buyers.iter().filter_map(|one| one.again_at).filter(|at| (now..self.user.came_at + DAY).contains(at)).min();
        let (status, due_at) = match (sold, self.opens_at) {
            (true, _) => (UserStatus::Distributed, None),
            _ if self.sold.is_some() => (UserStatus::Completed, Some(now)),
            // The round waits for a plan to open, which is no failure.
            (_, Some(opens_at)) => (UserStatus::Completed, Some(opens_at.max(now + MINUTE))),
            (_, None) if again_at.is_some() => (UserStatus::Unmatched, again_at),
            (_, None) if self.again_minutes > 0 && rounds < MOST_ROUNDS => (UserStatus::Unmatched, Some(now + self.again_minutes * MINUTE)),
            _ => (UserStatus::Unmatched, None),
        };
        let main_reason = records::main_reason(passed).filter(|_| !sold);
        let main_condition = self.main_condition.filter(|_| main_reason == Some(PassedOver::Rules));
        let counts = self.opens_at.is_none() && again_at.is_none();
        let end = RoundEnd { status, due_at, counts, main_reason, main_condition };
        if !rounds::end(&mut tx, self.user.id, self.until, end, now).await? {
            return Ok(None);
        }
        let no = records::number(now);
        let passed_over = json!(passed).to_string();
        let record = NewMatch {
            no: &no,
            direction: Direction::Round,
            user_id: Some(self.user.id),
            phone_mask: &self.user.phone_mask,
            city: &self.user.city,
            channel_id: self.user.channel_id,
            plan: self.sold.map(|sale| (sale.plan_id, sale.org_id)),
            request: "",
            response: self.unmet,
            status: if self.sold.is_some() { MatchStatus::Matched } else { MatchStatus::NoPlan },
            bid_cents: self.sold.map(|sale| sale.price_cents),
            passed_over: &passed_over,
            cost_ms: app.clock.now() - self.began,
            expires_at: None,
            test: self.user.test,
            at: now,
        };
        records::add(&mut tx, &record).await?;
        if let Some(sale) = self.sold.filter(|_| !self.user.test) {
            lead::note(&mut tx, &[self.matched(sale)], now).await?;
        }
        if let Some((_, bill)) = last
            && let Some(missing) = bill.settle(app, &mut tx).await?
        {
            return Ok(Some(missing));
        }
        tx.commit().await?;
        if self.deliveries {
            app.outbox.wake.notify_one();
        }
        Ok(None)
    }

    /// The entry of the daily figures for a round that found a buyer.
    fn matched(&self, sale: FirstSale) -> LeadEvent {
        LeadEvent {
            kind: LeadKind::Matched,
            user_id: Some(self.user.id),
            channel_id: self.user.channel_id,
            product_id: sale.product_id,
            plan_id: Some(sale.plan_id),
            org_id: Some(sale.org_id),
            system: self.user.system,
            cost_cents: 0,
            income_cents: 0,
            money_id: None,
        }
    }
}
