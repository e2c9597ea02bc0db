//! One round for one applicant: selection of plans, questions to their organisations, and sales.

use std::collections::HashSet;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;

use super::ask::ask;
use super::authorise::{self, Awaited};
use super::policy::{Method, Policy};
use super::round::{Attempt, FirstSale, Round, known, sold};
use super::sale::{Bill, is_live};
use super::selection::{self, Candidate, Matched, Person, most_buyers};
use super::wait;
use base::db::Tx;
use base::outbox::Destination;
use frame::api::{ApiError, App};
use trade::handoff::{Buyer, Claimed, Handoff, LEASE, Place, Selling};
use trade::match_log::{Passed, PassedOver};
use trade::plan::market::Market;
use trade::plan::push::eligibility;
use trade::plan::{self, DeliverMode, PlanRow, SaleMode};
use trade::user::rounds;

/// The most organisations asked in one round, and the most milliseconds for all questions: each answer may take
/// seconds, and the lease of an applicant is limited.
const MOST_ASKED: usize = 10;
const ASKING: i64 = LEASE / 2;
/// Distributes an applicant that this process has leased. Does nothing if the lease is over. If the round needs a
/// place before it begins and none is free, returns whose place it needs: the round is made once it has one.
pub async fn distribute(app: &App, claimed: Claimed, place: Option<Place>) -> Result<Option<Buyer>, ApiError> {
    let turn = turn(app).await?;
    let Some(user) = rounds::claimed(app.db.read(), claimed.user_id, claimed.until).await? else { return Ok(None) };
    let policy = Policy::of(app).await?;
    let began = app.clock.now();
    let running = app.service::<Market>().running_plans(&app.db, began).await?;
    let turns = match policy.method {
        Method::Turns => plan::turns(&app.db).await?,
        _ => Default::default(),
    };
    let facts = known(app, &user, &running, began).await?;
    let buyers = match claimed.fresh {
        true => Vec::new(),
        false => eligibility::buyers(app.db.read(), user.id, began).await?,
    };
    let had_by: Vec<i64> = buyers.iter().filter(|one| one.had).map(|one| one.org_id).collect();
    let person = Person::of(&user, &facts, &had_by);
    let Matched { candidates, passed, unmet, opens_at } = selection::select(&running, &person, policy.method, &turns, began);
    // When a place becomes free, what was read of the applicant and the plans is outdated: nothing of it is kept
    // while the round waits.
    let mut place = place.filter(|place| candidates.iter().any(|one| buyer(one.plan) == place.buyer()));
    if let (None, Some(first)) = (&place, candidates.first()) {
        place = app.service::<Handoff>().places.try_enter(buyer(first.plan));
        if place.is_none() {
            return Ok(Some(buyer(first.plan)));
        }
    }

    let stored = unmet.as_stored();
    let round = Round {
        user: &user,
        until: claimed.until,
        began,
        sold: None,
        deliveries: false,
        opens_at,
        again_minutes: policy.again_minutes,
        unmet: stored.as_deref(),
        main_condition: unmet.main_field(),
    };
    let live = || buyers.iter().filter(|one| is_live(one.status));
    let search = Search {
        app,
        policy: &policy,
        candidates: &candidates,
        passed,
        round,
        asked: Asked { count: 0, until: began + ASKING },
        promised: Promised { buyers: live().map(|one| one.org_id).collect(), most: live().filter_map(|one| one.most_buyers).min() },
        place,
        turn: Some(turn),
    };
    search.run().await?;
    Ok(None)
}

/// The search for buyers in one round: its candidates one after another.
struct Search<'s> {
    app: &'s App,
    policy: &'s Policy,
    candidates: &'s [Candidate<'s>],
    /// The plans that did not buy, by the reason.
    passed: Passed,
    round: Round<'s>,
    asked: Asked,
    promised: Promised,
    /// The place at the buyer of the candidate.
    place: Option<Place>,
    /// The turn among the rounds under way. It is given up while the round waits for a place, an answer or a sale.
    turn: Option<OwnedSemaphorePermit>,
}

/// The result of a candidate.
enum Tried {
    Passed(PassedOver),
    /// Sold, and others may buy the applicant too.
    Sold,
    /// The round has ended with this sale, or this process has lost the applicant.
    Ended,
}

/// The result of a question to a candidate's organisation.
enum Answer {
    /// It wants the applicant, perhaps once they have authorised it on its page.
    Wanted(Option<Awaited>),
    Passed(PassedOver),
    /// This process has lost the applicant.
    Lost,
}

impl Search<'_> {
    async fn run(mut self) -> Result<(), ApiError> {
        for (index, candidate) in self.candidates.iter().enumerate() {
            match self.attempt(index, *candidate).await? {
                Tried::Passed(reason) => self.passed.entry(reason).or_default().push(candidate.plan.id),
                Tried::Sold => {}
                Tried::Ended => return Ok(()),
            }
        }
        let tx = self.app.db.begin().await?;
        self.round.finish(self.app, tx, &self.passed, None).await.map(drop)
    }

    /// Asks a candidate, if its plan wants to be asked, and sells to it.
    async fn attempt(&mut self, index: usize, candidate: Candidate<'_>) -> Result<Tried, ApiError> {
        let plan = candidate.plan;
        if let Some(reason) = self.obstacle(plan) {
            return Ok(Tried::Passed(reason));
        }
        if !self.take_place(plan).await? {
            return Ok(Tried::Ended);
        }
        let mut awaited = None;
        if plan.match_required {
            match self.ask(candidate).await? {
                Answer::Wanted(page) => awaited = page,
                Answer::Passed(reason) => return Ok(Tried::Passed(reason)),
                Answer::Lost => return Ok(Tried::Ended),
            }
        }
        let Some(_selling) = self.begin_to_sell(plan).await? else { return Ok(Tried::Ended) };
        match sold(self.app, self.round.user, candidate, (self.policy, awaited.as_ref()), self.round.until).await? {
            Attempt::Sold { tx, at, candidate, bill } => self.close_sale(index, candidate.plan, (*tx, at), &bill).await,
            Attempt::Passed(reason) => Ok(Tried::Passed(reason)),
            Attempt::Lost => Ok(Tried::Ended),
        }
    }

    /// Why a plan is not tried at all: the sale is known to fail now, or its organisation cannot be asked.
    fn obstacle(&self, plan: &PlanRow) -> Option<PassedOver> {
        if self.promised.is_broken_by(plan.org_id, most_buyers(plan, self.policy.max_buyers)) {
            return Some(PassedOver::Enough);
        }
        self.asked.obstacle(self.app, plan)
    }

    /// Takes a place at the buyer of a plan, and waits for one if none is free. Returns whether this process still has the
    /// applicant.
    async fn take_place(&mut self, plan: &PlanRow) -> Result<bool, ApiError> {
        if self.place.as_ref().is_none_or(|place| place.buyer() != buyer(plan)) {
            self.place = self.app.service::<Handoff>().places.try_enter(buyer(plan));
        }
        if self.place.is_some() {
            return Ok(true);
        }
        // The place of the previous candidate is given back already, so two rounds never wait for each other.
        drop(self.turn.take());
        let since = self.app.clock.now();
        self.place = wait::place(self.app, self.round.user.id, &mut self.round.until, buyer(plan)).await?;
        if self.place.is_none() {
            return Ok(false);
        }
        self.turn = Some(turn(self.app).await?);
        // The wait does not reduce the time for questions: the lease was renewed.
        self.asked.until += self.app.clock.now() - since;
        Ok(true)
    }

    /// Asks the organisation of a candidate whether it wants the applicant, and lets other rounds have the turn meanwhile.
    async fn ask(&mut self, candidate: Candidate<'_>) -> Result<Answer, ApiError> {
        self.asked.count += 1;
        let left = Duration::from_millis(u64::try_from(self.asked.until - self.app.clock.now()).unwrap_or_default());
        drop(self.turn.take());
        let answered = ask(self.app, self.round.user, candidate, self.policy, left, self.round.until).await?;
        self.turn = Some(turn(self.app).await?);
        let Some(until) = answered.until else { return Ok(Answer::Lost) };
        self.round.until = until;
        if let Some(reason) = answered.reason {
            return Ok(Answer::Passed(reason));
        }
        Ok(Answer::Wanted(match answered.page {
            Some(url) => Some(Awaited { url, until: authorise::until(self.app, self.app.clock.now()).await? }),
            None => None,
        }))
    }

    /// Waits until few enough others sell to a plan and its organisation, and lets other rounds have the turn meanwhile. None if
    /// this process has lost the applicant.
    async fn begin_to_sell(&mut self, plan: &PlanRow) -> Result<Option<Selling>, ApiError> {
        let sales = &self.app.service::<Handoff>().sales;
        if let Some(selling) = sales.try_begin(buyer(plan)) {
            return Ok(Some(selling));
        }
        drop(self.turn.take());
        let begun = wait::keeping(self.app, self.round.user.id, &mut self.round.until, sales.begin(buyer(plan))).await?;
        let Some(selling) = begun else { return Ok(None) };
        self.turn = Some(turn(self.app).await?);
        selling.map(Some).map_err(|_| ApiError::Busy)
    }

    /// Settles the bill of a sale and commits it. An exclusive sale ends the round in the same transaction; after any other one
    /// the applicant stays leased for the next candidate.
    async fn close_sale(&mut self, index: usize, plan: &PlanRow, (mut tx, at): (Tx, i64), bill: &Bill) -> Result<Tried, ApiError> {
        let sale = FirstSale { plan_id: plan.id, org_id: plan.org_id, product_id: plan.product_id, price_cents: bill.price_cents() };
        let round = self.round;
        let after =
            Round { sold: round.sold.or(Some(sale)), deliveries: round.deliveries || plan.deliver_mode == DeliverMode::Api, ..round };
        if plan.sale_mode == SaleMode::Exclusive {
            let mut passed = self.passed.clone();
            for later in &self.candidates[index + 1..] {
                passed.entry(PassedOver::Enough).or_default().push(later.plan.id);
            }
            let missing = after.finish(self.app, tx, &passed, Some((at, bill))).await?;
            return Ok(missing.map_or(Tried::Ended, Tried::Passed));
        }
        if !round.keep(&mut tx, at).await? {
            return Ok(Tried::Ended);
        }
        if let Some(missing) = bill.settle(self.app, &mut tx).await? {
            return Ok(Tried::Passed(missing));
        }
        tx.commit().await?;
        let most_buyers = most_buyers(plan, self.policy.max_buyers);
        self.promised.buyers.insert(plan.org_id);
        self.promised.most = Some(self.promised.most.map_or(most_buyers, |most| most.min(most_buyers)));
        self.round = Round { until: at + LEASE, ..after };
        Ok(Tried::Sold)
    }
}

fn buyer(plan: &PlanRow) -> Buyer {
    Buyer { org_id: plan.org_id, plan_id: plan.id }
}

/// Waits for a turn among the rounds under way.
async fn turn(app: &App) -> Result<OwnedSemaphorePermit, ApiError> {
    app.service::<Handoff>().rounds.clone().acquire_owned().await.map_err(|_| ApiError::Busy)
}

/// The organisations that have the applicant, and the smallest number of buyers promised to any of them. Promises for
/// the person across applications are checked by the sale itself.
struct Promised {
    buyers: HashSet<i64>,
    most: Option<i64>,
}

impl Promised {
    /// Whether one more buyer, which allows at most `most_buyers`, breaks the promise to it or to another.
    fn is_broken_by(&self, org_id: i64, most_buyers: i64) -> bool {
        let others = self.buyers.iter().filter(|other| **other != org_id).count() as i64;
        others >= self.most.map_or(most_buyers, |most| most.min(most_buyers))
    }
}

/// Questions asked in a round, and the time until which more may be asked.
struct Asked {
    count: usize,
    until: i64,
}

impl Asked {
    /// Why a plan is not tried at all: its organisation does not answer at present, or enough were asked.
    fn obstacle(&self, app: &App, plan: &PlanRow) -> Option<PassedOver> {
        let now = app.clock.now();
        let line = Destination::Organisation(plan.org_id).key();
        if plan.deliver_mode == DeliverMode::Api && app.outbox.breakers.is_open(&line, now) {
            return Some(PassedOver::Delivery);
        }
        (plan.match_required && (self.count == MOST_ASKED || now >= self.until)).then_some(PassedOver::NoAnswer)
    }
}
