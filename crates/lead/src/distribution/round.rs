//! One round for one applicant: matching, questions, sales, and how it ended.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::json;
use tokio::sync::OwnedSemaphorePermit;

use super::ask::ask;
use super::authorise::{self, Awaited};
use super::matching::{self, Candidate, Matched, Person, most_buyers};
use super::policy::{Method, Policy};
use super::sale::{self, Bill, Sale, Sold, is_live};
use super::wait;
use base::clock::{DAY, MINUTE};
use base::db::Tx;
use base::outbox::Destination;
use frame::api::{ApiError, App};
use frame::terms::applicant::{Facts, facts_of};
use trade::handoff::Handoff;
use trade::handoff::{Buyer, Claimed, LEASE, Place, Selling};
use trade::matching::PassedOver;
use trade::matching::{self as records, Direction, MatchStatus, NewMatch};
use trade::plan::market::Book;
use trade::plan::market::Market;
use trade::plan::push::store as pushes;
use trade::plan::store as plans;
use trade::plan::{DeliverMode, PlanRow, SaleMode};
use trade::user::UserStatus;
use trade::user::reputation::{self, By};
use trade::user::store::{self as users, RoundEnd, Wanted};
use trade::visit::lead::{self, LeadEvent, LeadKind};

/// Organisations asked in one round, at most, and the milliseconds that asking them may take together:
/// each may take seconds to answer, and an applicant is ours for a while only.
const MOST_ASKED: usize = 10;
const ASKING: i64 = LEASE / 2;
/// Rounds for one applicant, at most.
const MOST_ROUNDS: i64 = 3;

/// Distributes an applicant of this process. Nothing happens to one who was taken over. Where the round needs a place before it
/// begins, and none is free, answers whose: the round is made once it has one.
pub async fn distribute(app: &App, claimed: Claimed, place: Option<Place>) -> Result<Option<Buyer>, ApiError> {
    let mut turn = Some(turn(app).await?);
    let Some(user) = users::wanted(app.db.read(), claimed.user_id, claimed.until).await? else { return Ok(None) };
    let policy = Policy::of(app).await?;
    let began = app.clock.now();
    let book = app.service::<Market>().book(&app.db, began).await?;
    let turns = match policy.method {
        Method::Turns => plans::turns(&app.db).await?,
        _ => Default::default(),
    };
    let facts = known(app, &user, &book, began).await?;
    let buyers = match claimed.fresh {
        true => Vec::new(),
        false => pushes::buyers(app.db.read(), user.id, began).await?,
    };
    let had_by: Vec<i64> = buyers.iter().filter(|one| one.had).map(|one| one.org_id).collect();
    let person = Person::of(&user, &facts, &had_by);
    let Matched { candidates, mut passed, opens_at } = matching::matching(&book, &person, policy.method, &turns, began);
    // What was known of the applicant and the plans is old once a place is free: nothing of it is kept while the round waits.
    let mut place = place.filter(|place| candidates.iter().any(|one| buyer(one.plan) == place.buyer()));
    if let (None, Some(first)) = (&place, candidates.first()) {
        place = app.service::<Handoff>().places.try_enter(buyer(first.plan));
        if place.is_none() {
            return Ok(Some(buyer(first.plan)));
        }
    }

    let mut round =
        Round { user: &user, until: claimed.until, began, sold: None, deliveries: false, opens_at, again_minutes: policy.again_minutes };
    let mut asked = Asked { count: 0, until: began + ASKING };
    let live = || buyers.iter().filter(|one| is_live(one.status));
    let mut promised = Promised { buyers: live().map(|one| one.org_id).collect(), most: live().filter_map(|one| one.most_buyers).min() };
    for (index, candidate) in candidates.iter().enumerate() {
        // What is known to fail now is not sold, and asks nobody.
        let most_buyers = most_buyers(candidate.plan, policy.max_buyers);
        let enough = promised.is_broken_by(candidate.plan.org_id, most_buyers).then_some(PassedOver::Enough);
        if let Some(reason) = enough.or_else(|| asked.obstacle(app, candidate.plan)) {
            passed.entry(reason).or_default().push(candidate.plan.id);
            continue;
        }
        if place.as_ref().is_none_or(|place| place.buyer() != buyer(candidate.plan)) {
            place = app.service::<Handoff>().places.try_enter(buyer(candidate.plan));
        }
        if place.is_none() {
            // The place of the candidate before is given back already: no two rounds wait for each other.
            drop(turn.take());
            let since = app.clock.now();
            place = wait::place(app, user.id, &mut round.until, buyer(candidate.plan)).await?;
            if place.is_none() {
                return Ok(None);
            }
            turn = Some(self::turn(app).await?);
            // Waiting takes no time from questions: the lease was renewed.
            asked.until += app.clock.now() - since;
        }
        let mut awaited = None;
        if candidate.plan.match_required {
            asked.count += 1;
            let left = Duration::from_millis(u64::try_from(asked.until - app.clock.now()).unwrap_or_default());
            drop(turn.take());
            let answered = ask(app, &user, *candidate, &policy, left, round.until).await?;
            turn = Some(self::turn(app).await?);
            let Some(until) = answered.until else { return Ok(None) };
            round.until = until;
            if let Some(url) = answered.page {
                awaited = Some(Awaited { url, until: authorise::until(app, app.clock.now()).await? });
            }
            if let Some(reason) = answered.reason {
                passed.entry(reason).or_default().push(candidate.plan.id);
                continue;
            }
        }
        let Some(_selling) = begin_to_sell(app, &user, candidate.plan, (&mut round.until, &mut turn)).await? else { return Ok(None) };
        let (mut tx, at, candidate, bill) = match sold(app, &user, *candidate, (&policy, awaited.as_ref()), round.until).await? {
            Attempt::Sold { tx, at, candidate, bill } => (*tx, at, candidate, bill),
            Attempt::Passed(reason) => {
                passed.entry(reason).or_default().push(candidate.plan.id);
                continue;
            }
            Attempt::Lost => return Ok(None),
        };
        let plan = candidate.plan;
        let sale = FirstSale { plan_id: plan.id, org_id: plan.org_id, product_id: plan.product_id, price_cents: bill.price_cents() };
        let after =
            Round { sold: round.sold.or(Some(sale)), deliveries: round.deliveries || plan.deliver_mode == DeliverMode::Api, ..round };
        let missing = if plan.sale_mode == SaleMode::Exclusive {
            // Nobody comes after it: the sale and the end of the round are one.
            let mut passed = passed.clone();
            for later in &candidates[index + 1..] {
                passed.entry(PassedOver::Enough).or_default().push(later.plan.id);
            }
            match after.finish(app, tx, &passed, Some((at, &bill))).await? {
                Some(missing) => missing,
                None => return Ok(None),
            }
        } else {
            if !round.keep(&mut tx, at).await? {
                return Ok(None);
            }
            let Some(missing) = bill.settle(app, &mut tx).await? else {
                tx.commit().await?;
                promised.buyers.insert(plan.org_id);
                promised.most = Some(promised.most.map_or(most_buyers, |most| most.min(most_buyers)));
                round = Round { until: at + LEASE, ..after };
                continue;
            };
            missing
        };
        passed.entry(missing).or_default().push(plan.id);
    }
    let tx = app.db.begin().await?;
    round.finish(app, tx, &passed, None).await?;
    Ok(None)
}

/// The facts of an applicant at a moment: what they said, without fields that are none any more; and what is known from
/// their past, where a plan asks for it.
async fn known(app: &App, user: &Wanted, book: &Book, at: i64) -> Result<Facts, ApiError> {
    let said = facts_of(&user.said).unwrap_or_default();
    Ok(match book.asks_past {
        true => reputation::of(app, By::Phone, &user.known_by.phone_hash, at).await?.add_to(said),
        false => said,
    })
}

fn buyer(plan: &PlanRow) -> Buyer {
    Buyer { org_id: plan.org_id, plan_id: plan.id }
}

/// Waits until few enough others sell to a plan and its organisation. The turn is left to others meanwhile. None where the applicant
/// is this process's no more.
async fn begin_to_sell(
    app: &App,
    user: &Wanted,
    plan: &PlanRow,
    (until, turn): (&mut i64, &mut Option<OwnedSemaphorePermit>),
) -> Result<Option<Selling>, ApiError> {
    if let Some(selling) = app.service::<Handoff>().sales.try_begin(buyer(plan)) {
        return Ok(Some(selling));
    }
    drop(turn.take());
    let Some(selling) = wait::keeping(app, user.id, until, app.service::<Handoff>().sales.begin(buyer(plan))).await? else {
        return Ok(None);
    };
    *turn = Some(self::turn(app).await?);
    selling.map(Some).map_err(|_| ApiError::Busy)
}

/// Waits for a turn among the rounds that go on.
async fn turn(app: &App) -> Result<OwnedSemaphorePermit, ApiError> {
    app.service::<Handoff>().rounds.clone().acquire_owned().await.map_err(|_| ApiError::Busy)
}

/// Who has the applicant, and the fewest buyers that any of them was promised. What holds for the person,
/// whatever they came as before, a sale asks for itself.
struct Promised {
    buyers: HashSet<i64>,
    most: Option<i64>,
}

impl Promised {
    /// Whether one more buyer, who wants so many at most, breaks what was promised to it or another.
    fn is_broken_by(&self, org_id: i64, most_buyers: i64) -> bool {
        let others = self.buyers.iter().filter(|other| **other != org_id).count() as i64;
        others >= self.most.map_or(most_buyers, |most| most.min(most_buyers))
    }
}

/// Questions that were asked in a round, and until when more may be.
struct Asked {
    count: usize,
    until: i64,
}

impl Asked {
    /// Why a plan is not even tried: its organisation does not answer these days, or enough were asked.
    fn obstacle(&self, app: &App, plan: &PlanRow) -> Option<PassedOver> {
        let now = app.clock.now();
        let line = Destination::Organisation(plan.org_id).key();
        if plan.deliver_mode == DeliverMode::Api && app.outbox.breakers.is_open(&line, now) {
            return Some(PassedOver::Delivery);
        }
        (plan.match_required && (self.count == MOST_ASKED || now >= self.until)).then_some(PassedOver::NoAnswer)
    }
}

/// What came of trying to sell.
enum Attempt<'a> {
    /// It is sold, if the bill is settled and the transaction kept.
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

/// Sells the applicant to a plan; to one that was saved meanwhile as it is now, if it still wants them.
async fn sold<'a>(
    app: &App,
    user: &Wanted,
    candidate: Candidate<'a>,
    terms: (&Policy, Option<&Awaited>),
    until: i64,
) -> Result<Attempt<'a>, ApiError> {
    match try_to_sell(app, user, candidate, terms, until).await? {
        Attempt::Passed(PassedOver::Changed) => app.service::<Market>().forget().await,
        other => return Ok(other),
    }
    let now = app.clock.now();
    let book = app.service::<Market>().book(&app.db, now).await?;
    let facts = known(app, user, &book, now).await?;
    let person = Person::of(user, &facts, &[]);
    let Some(current) = matching::again(&book, candidate.plan.id, &person) else { return Ok(Attempt::Passed(PassedOver::Changed)) };
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
    user: &Wanted,
    candidate: Candidate<'a>,
    (policy, awaited): (&Policy, Option<&Awaited>),
    until: i64,
) -> Result<Attempt<'a>, ApiError> {
    let mut tx = app.db.begin().await?;
    let at = tx.now(&app.clock).await?;
    // The applicant first, as everybody does who touches more than them.
    if !users::still_has(&mut tx, user.id, until).await? {
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
struct FirstSale {
    plan_id: i64,
    org_id: i64,
    product_id: Option<i64>,
    price_cents: i64,
}

/// A round that goes on.
#[derive(Clone, Copy)]
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
        let goes_on = RoundEnd { status: UserStatus::Matching, due_at: Some(at + LEASE), counts: false };
        users::end(tx, self.user.id, self.until, goes_on, at).await
    }

    /// Ends the round in a transaction, which may be that of its last sale and settles its bill: what came of
    /// it, and when there is another. Nothing of the transaction is kept if the applicant is this process's no
    /// more, nor if the bill cannot be settled: answers what is missing then.
    async fn finish(
        &self,
        app: &App,
        mut tx: Tx,
        passed: &matching::Passed,
        last: Option<(i64, &Bill)>,
    ) -> Result<Option<PassedOver>, ApiError> {
        let sold_at = last.map(|(at, _)| at);
        let now = match sold_at {
            Some(at) => at,
            None => tx.now(&app.clock).await?,
        };
        let rounds = self.user.rounds + 1;
        // Whoever refuses a lead of theirs waits, or has been here before. A sale has them already.
        if sold_at.is_none() && !users::still_has(&mut tx, self.user.id, self.until).await? {
            return Ok(None);
        }
        // A lead sold a moment ago may have been refused since; the one being sold cannot.
        let buyers = match sold_at {
            Some(_) => Vec::new(),
            None => pushes::buyers(&mut *tx, self.user.id, now).await?,
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
        let end = RoundEnd { status, due_at, counts: self.opens_at.is_none() && again_at.is_none() };
        if !users::end(&mut tx, self.user.id, self.until, end, now).await? {
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
            response: None,
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
