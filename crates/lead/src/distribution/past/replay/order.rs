//! Which plans are asked in a past round, and in what order.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::Replay;
use super::answer::Answer;
use crate::distribution::past::counters::Counters;
use crate::distribution::past::round::{Offer, PastRound, Recorded};
use crate::distribution::policy::Method;
use crate::distribution::selection;
use frame::terms::cap::CapUsage;
use trade::match_log::PassedOver;
use trade::plan::{PlanRow, SaleMode};

/// The sort key of plans: the smaller one is asked first.
type Rank = (i64, i64, i64);

/// A plan that is asked in a round, in its turn.
#[derive(Clone, Copy)]
pub struct Asked<'r> {
    pub plan_id: i64,
    pub org_id: i64,
    pub price_cents: i64,
    pub exclusive: bool,
    pub most_buyers: i64,
    pub offer: Option<&'r Offer>,
}

impl<'r> Asked<'r> {
    pub fn on_record(offer: &'r Offer, price_cents: i64) -> Asked<'r> {
        Asked {
            plan_id: offer.plan_id,
            org_id: offer.org_id,
            price_cents,
            exclusive: offer.exclusive,
            most_buyers: offer.most_buyers,
            offer: Some(offer),
        }
    }
}

impl Replay {
    /// The plans that are asked in a round, in order: the recorded offers in their order, and among them the plans that
    /// came too late for the recorded sales, at the place of their rank.
    pub(super) fn asked<'r>(&self, round: &'r PastRound, recorded: Recorded<'r>, answer: Answer) -> Vec<Asked<'r>> {
        let tried = &self.trial.tried;
        let mut behind = self.candidates(round);
        if matches!((answer, recorded), (Answer::AsRecorded | Answer::Repriced(_), Recorded::Behind(_))) {
            behind.push(tried);
        }
        let mut behind: Vec<(usize, Rank, Asked<'r>)> = behind
            .into_iter()
            .map(|plan| {
                let price_cents = self.price_of(plan, round);
                let (rank, asked) = (self.rank(plan, price_cents), self.new_asked(plan, price_cents));
                (self.place_behind(round, plan, rank), rank, asked)
            })
            .collect();
        behind.sort_by_key(|(place, rank, _)| (*place, *rank));
        let mut behind = behind.into_iter().peekable();
        let mut asked = Vec::new();
        for index in 0..=round.offers.len() {
            while let Some((_, _, one)) = behind.next_if(|(place, ..)| *place == index) {
                asked.push(one);
            }
            asked.extend(round.offers.get(index).map(|offer| match answer {
                Answer::Repriced(price_cents) if offer.plan_id == tried.id => Asked::on_record(offer, price_cents),
                _ => Asked::on_record(offer, offer.price_cents),
            }));
        }
        if !matches!(answer, Answer::AsRecorded | Answer::Repriced(_)) {
            asked.retain(|one| one.plan_id != tried.id);
        }
        if let Answer::Candidate(price_cents) = answer {
            let one = match recorded {
                Recorded::Offered(offer) => Asked::on_record(offer, price_cents),
                _ => self.new_asked(tried, price_cents),
            };
            asked.insert(self.place(round, &asked, price_cents), one);
        }
        asked
    }

    /// The index of the recorded offer before which a plan belongs that was not offered the lead: by its rank, but
    /// after the offers that kept it from buying.
    fn place_behind(&self, round: &PastRound, plan: &PlanRow, rank: Rank) -> usize {
        let offers = &round.offers;
        if !matches!(self.recorded_of(round, plan), Recorded::Behind(_)) {
            return offers.iter().take_while(|offer| self.rank_on_record(offer) < rank).count();
        }
        let ranked = match self.trial.method {
            Method::Weight => offers.len(),
            _ => offers.iter().take_while(|offer| self.rank_on_record(offer) < rank).count(),
        };
        (ranked..offers.len()).find(|place| self.keep_out(&offers[..*place], plan)).unwrap_or(offers.len())
    }

    /// Whether offers keep a plan from buying: because of the number of buyers promised to it or to them, or because
    /// its organisation is among them.
    fn keep_out(&self, offers: &[Offer], plan: &PlanRow) -> bool {
        let own = selection::most_buyers(plan, self.trial.max_buyers);
        let most = offers.iter().map(|offer| offer.most_buyers).min().map_or(own, |most| most.min(own));
        let others = offers.iter().filter(|offer| offer.org_id != plan.org_id).count();
        others as i64 >= most || others < offers.len()
    }

    /// The other plans that took the person: those that came too late for the recorded sales, and those that have room
    /// only in the replay.
    fn candidates(&self, round: &PastRound) -> Vec<&PlanRow> {
        let tried = self.trial.tried.id;
        let of = |reason: PassedOver| {
            round.passed.get(&reason).into_iter().flatten().filter(|id| **id != tried).filter_map(|id| self.trial.others.get(id))
        };
        // A plan that came too late for no visible reason stays as recorded.
        let is_explained = |plan: &&PlanRow| self.held.contains_key(&round.user_id) || self.keep_out(&round.offers, plan);
        let is_behind = |plan: &&PlanRow| matches!(self.recorded_of(round, plan), Recorded::Behind(_));
        let behind = of(PassedOver::Enough).filter(is_explained).chain(of(PassedOver::Duplicate).filter(is_behind));
        let relieved = of(PassedOver::Capped).filter(|plan| self.drifted.contains(&plan.id)).filter(|plan| {
            let usage = |counters: &Counters| counters.usage(plan.id, &plan.caps, round.began);
            more(&usage(&self.recorded), &usage(&self.replayed)) && self.takes(plan, round)
        });
        behind.chain(relieved).collect()
    }

    fn price_of(&self, plan: &PlanRow, round: &PastRound) -> i64 {
        round.facts.as_ref().map_or(plan.price_cents, |facts| selection::price(plan, facts, round.test))
    }

    pub(super) fn new_asked<'r>(&self, plan: &PlanRow, price_cents: i64) -> Asked<'r> {
        Asked {
            plan_id: plan.id,
            org_id: plan.org_id,
            price_cents,
            exclusive: plan.sale_mode == SaleMode::Exclusive,
            most_buyers: selection::most_buyers(plan, self.trial.max_buyers),
            offer: None,
        }
    }

    /// The sort key of a plan that a person can be sold to: the smaller one is asked first. With random order it has no
    /// meaning.
    fn rank(&self, plan: &PlanRow, price_cents: i64) -> Rank {
        match self.trial.method {
            Method::Priority => (plan.method_priority, -price_cents, plan.id),
            Method::Price => (-price_cents, plan.method_priority, plan.id),
            Method::Turns => (self.turns.get(&plan.id).copied().unwrap_or_default(), plan.method_priority, plan.id),
            Method::Weight => (0, 0, plan.id),
        }
    }

    fn rank_on_record(&self, offer: &Offer) -> Rank {
        let plan = if offer.plan_id == self.trial.current.id { Some(&self.trial.current) } else { self.trial.others.get(&offer.plan_id) };
        // An offer of a plan that no longer exists comes first.
        plan.map_or((i64::MIN, 0, 0), |plan| self.rank(plan, offer.price_cents))
    }

    fn rank_of(&self, asked: &Asked<'_>) -> Rank {
        self.trial.others.get(&asked.plan_id).map_or((i64::MIN, 0, 0), |plan| self.rank(plan, asked.price_cents))
    }

    /// The place of the plan on trial among the plans that are asked.
    fn place(&self, round: &PastRound, asked: &[Asked<'_>], price_cents: i64) -> usize {
        let tried = &self.trial.tried;
        if self.trial.method == Method::Weight {
            return draw(round, asked.iter().map(|one| self.trial.others.get(&one.plan_id).map_or(1, |plan| plan.weight)), tried.weight);
        }
        let rank = self.rank(tried, price_cents);
        asked.iter().take_while(|one| self.rank_of(one) < rank).count()
    }

    pub(super) fn recorded_of<'r>(&self, round: &'r PastRound, plan: &PlanRow) -> Recorded<'r> {
        if let Some(offer) = round.offers.iter().find(|offer| offer.plan_id == plan.id) {
            return Recorded::Offered(offer);
        }
        match round.passed.iter().find(|(_, ids)| ids.contains(&plan.id)) {
            Some((PassedOver::Enough, _)) => Recorded::Behind(PassedOver::Enough),
            // Its organisation bought under another plan a moment before.
            Some((PassedOver::Duplicate, _)) if round.offers.iter().any(|offer| offer.org_id == plan.org_id) => {
                Recorded::Behind(PassedOver::Duplicate)
            }
            Some((reason, _)) => Recorded::PassedOver(*reason),
            None => Recorded::Absent,
        }
    }
}

/// Whether the first usage is higher than the second for any cap.
pub fn more(one: &[CapUsage], other: &[CapUsage]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.used_count > other.used_count || one.used_cents > other.used_cents)
}

/// Draws a place by weight. The same round always gets the same place.
fn draw(round: &PastRound, others: impl Iterator<Item = i64>, weight: i64) -> usize {
    let mut random = StdRng::seed_from_u64(round.user_id.unsigned_abs().rotate_left(32) ^ round.began.unsigned_abs());
    let mut key = |weight: i64| -random.random_range(f64::MIN_POSITIVE..1.0).ln() / weight.max(1) as f64;
    let own = key(weight);
    others.filter(|other| key(*other) < own).count()
}
