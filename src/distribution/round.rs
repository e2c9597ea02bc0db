//! One round for one applicant: matching, questions, sales, and how it ended.

use serde_json::json;

use super::ask::ask;
use super::matching::{self, Matched, PassedOver, Person, most_buyers};
use super::policy::{Method, Policy};
use super::sale::{self, Sale, Sold, is_live};
use crate::api::{ApiError, App};
use crate::clock::MINUTE;
use crate::db::Tx;
use crate::handoff::{Claimed, LEASE};
use crate::matching::{self as records, Direction, MatchStatus, NewMatch};
use crate::plan::push::store as pushes;
use crate::plan::store as plans;
use crate::plan::{DeliverMode, SaleMode};
use crate::terms::applicant::facts_of;
use crate::user::UserStatus;
use crate::user::store::{self as users, Wanted};
use crate::visit::lead::{self, LeadEvent, LeadKind};

/// Organisations asked in one round, at most: each may take seconds to answer.
const MOST_ASKED: usize = 10;
/// Rounds for one applicant, at most.
const MOST_ROUNDS: i64 = 3;

/// Distributes an applicant whom this process has. Nothing happens to one whom it has no more.
pub async fn distribute(app: &App, claimed: Claimed) -> Result<(), ApiError> {
    let Some(user) = users::wanted(app.db.read(), claimed.user_id, claimed.until).await? else { return Ok(()) };
    let policy = Policy::of(app).await?;
    let began = app.clock.now();
    let book = app.market.book(&app.db, began).await?;
    let turns = match policy.method {
        Method::Turns => plans::turns(&app.db).await?,
        _ => Default::default(),
    };
    // Fields that are none any more are left out.
    let facts = facts_of(&user.said).unwrap_or_default();
    let buyers = match claimed.fresh {
        true => Vec::new(),
        false => pushes::buyers(app.db.read(), user.id).await?,
    };
    let had_by: Vec<i64> = buyers.iter().map(|(org_id, ..)| *org_id).collect();
    let mut bought = buyers.iter().filter(|(.., status)| is_live(*status)).count() as i64;
    let exclusive = buyers.iter().any(|(_, mode, status)| *mode == SaleMode::Exclusive && is_live(*status));
    let person = Person {
        facts: &facts,
        channel_id: user.channel_id,
        recipients: &user.recipients,
        all_partners: user.all_partners,
        had_by: &had_by,
    };
    let Matched { candidates, mut passed, opens_at } = matching::matching(&book, &person, policy.method, &turns, began);

    let mut round =
        Round { user: &user, until: claimed.until, began, sold: None, deliveries: false, opens_at, again_minutes: policy.again_minutes };
    let mut asked = 0;
    for (index, candidate) in candidates.iter().enumerate() {
        let plan = candidate.plan;
        let reason = if exclusive || bought >= most_buyers(plan, policy.max_buyers) {
            Some(PassedOver::Enough)
        } else if plan.match_required && asked == MOST_ASKED {
            Some(PassedOver::NoAnswer)
        } else if plan.match_required {
            asked += 1;
            ask(app, &user, *candidate, &policy).await?
        } else {
            None
        };
        if let Some(reason) = reason {
            passed.entry(reason).or_default().push(plan.id);
            continue;
        }
        let mut tx = app.db.begin().await?;
        let at = app.clock.now();
        let sale = Sale { user: &user, candidate: *candidate, policy: &policy, at };
        if let Sold::Passed(reason) = sale::sell(app, &mut tx, &sale).await? {
            match reason {
                // The hit is counted.
                PassedOver::Blacklist => tx.commit().await?,
                _ => drop(tx),
            }
            passed.entry(reason).or_default().push(plan.id);
            continue;
        }
        bought += 1;
        round.sold.get_or_insert(FirstSale {
            plan_id: plan.id,
            org_id: plan.org_id,
            product_id: plan.product_id,
            price_cents: candidate.price_cents,
        });
        if plan.deliver_mode == DeliverMode::Api {
            round.deliveries = true;
        }
        if plan.sale_mode == SaleMode::Exclusive {
            // Nobody comes after it: the sale and the end of the round are one.
            for later in &candidates[index + 1..] {
                passed.entry(PassedOver::Enough).or_default().push(later.plan.id);
            }
            return round.finish(app, tx, &passed, true).await;
        }
        if !round.keep(&mut tx, at).await? {
            return Ok(());
        }
        tx.commit().await?;
        round.until = at + LEASE;
    }
    let tx = app.db.begin().await?;
    round.finish(app, tx, &passed, false).await
}

/// The first sale of a round.
#[derive(Clone, Copy)]
struct FirstSale {
    plan_id: i64,
    org_id: i64,
    product_id: Option<i64>,
    price_cents: i64,
}

/// A round that goes on.
struct Round<'r> {
    user: &'r Wanted,
    /// Until when this process has the applicant.
    until: i64,
    began: i64,
    sold: Option<FirstSale>,
    /// Something waits to be delivered.
    deliveries: bool,
    opens_at: Option<i64>,
    again_minutes: i64,
}

impl Round<'_> {
    /// Keeps the applicant for another while in a transaction; tells whether he still was this process's.
    async fn keep(&self, tx: &mut Tx, at: i64) -> Result<bool, sqlx::Error> {
        users::end(tx, self.user.id, self.until, UserStatus::Matching, Some(at + LEASE), false, at).await
    }

    /// Ends the round in a transaction, which may be that of its last sale: what came of it, and when
    /// there is another. Nothing of the transaction is kept if the applicant is this process's no more.
    async fn finish(&self, app: &App, mut tx: Tx, passed: &matching::Passed, with_sale: bool) -> Result<(), ApiError> {
        let now = app.clock.now();
        let rounds = self.user.rounds + 1;
        // What was sold a moment ago may have been refused since; what is being sold cannot.
        let sold = with_sale || pushes::buyers(&mut *tx, self.user.id).await?.iter().any(|(.., status)| is_live(*status));
        let (status, due_at) = match (sold, self.opens_at) {
            (true, _) => (UserStatus::Distributed, None),
            _ if self.sold.is_some() => (UserStatus::Completed, Some(now)),
            // It waits for a plan to open, which is no failure.
            (_, Some(opens_at)) => (UserStatus::Completed, Some(opens_at.max(now + MINUTE))),
            (_, None) if self.again_minutes > 0 && rounds < MOST_ROUNDS => (UserStatus::Unmatched, Some(now + self.again_minutes * MINUTE)),
            _ => (UserStatus::Unmatched, None),
        };
        if !users::end(&mut tx, self.user.id, self.until, status, due_at, self.opens_at.is_none(), now).await? {
            return Ok(());
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
            response: None,
            status: if self.sold.is_some() { MatchStatus::Matched } else { MatchStatus::NoPlan },
            bid_cents: self.sold.map(|sale| sale.price_cents),
            passed_over: &passed_over,
            cost_ms: now - self.began,
            expires_at: None,
            test: false,
            at: now,
        };
        records::add(&mut tx, &record).await?;
        if let Some(sale) = self.sold {
            lead::note(&mut tx, &[self.matched(sale)], now).await?;
        }
        tx.commit().await?;
        if self.deliveries {
            app.handoff.deliveries.notify_one();
        }
        Ok(())
    }

    /// What the daily figures are told of a round that found a buyer.
    fn matched(&self, sale: FirstSale) -> LeadEvent {
        LeadEvent {
            kind: LeadKind::Matched,
            channel_id: self.user.channel_id,
            product_id: sale.product_id,
            plan_id: Some(sale.plan_id),
            org_id: Some(sale.org_id),
            system: self.user.system,
            cost_cents: 0,
            income_cents: 0,
        }
    }
}
