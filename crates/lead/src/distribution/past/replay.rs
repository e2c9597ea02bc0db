//! Replays past rounds with other terms of one plan: which plans would have bought, for how much, and whose sales would
//! change.
//!
//! It reads nothing from the database: the caller passes the rounds in the order in which they ended. If the present
//! terms and the terms on trial give the same verdict, the recorded result stays. If they differ, the matching of sales
//! ([`selection::verdict`](crate::distribution::selection::verdict)) decides, and the order of plans, the promised
//! buyers and the caps follow from it.

mod answer;
mod order;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use self::answer::{Answer, Known, look, seen};
use self::order::{Asked, more};
use super::counters::Counters;
use super::outcome::{Account, Ending, Outcome, Pair};
use super::round::{Offer, PastRound, Recorded};
use crate::distribution::policy::Method;
use crate::distribution::selection::Verdict;
use base::clock::MINUTE;
use trade::match_log::{Passed, PassedOver};
use trade::plan::{PlanNow, PlanRow};

/// The plan on trial among the others.
pub struct Trial {
    /// As it is, and with the terms on trial.
    pub current: PlanRow,
    pub tried: PlanRow,
    /// The other plans, by id.
    pub others: Arc<HashMap<i64, PlanRow>>,
    pub method: Method,
    /// Buyers of a shared lead, at most.
    pub max_buyers: i64,
    /// The end of the replayed time.
    pub until: i64,
}

/// An offer that a person has in the replay.
#[derive(Clone, Copy)]
struct Held {
    org_id: i64,
    most_buyers: i64,
    ended_at: Option<i64>,
    /// It is not recorded.
    new: bool,
}

/// Room under the caps that is given back at a moment.
type GivenBack = Reverse<(i64, bool, i64, i64, i64)>;

/// The two courses of events, the recorded and the replayed one, up to the present round.
pub struct Replay {
    trial: Trial,
    /// The plan on trial, as the matching sees it.
    current: PlanNow,
    tried: PlanNow,
    recorded: Counters,
    replayed: Counters,
    given_back: BinaryHeap<GivenBack>,
    held: HashMap<i64, Vec<Held>>,
    /// Other plans that have bought more or less than on record.
    drifted: HashSet<i64>,
    /// When plans bought last in the replay, for those that take turns.
    turns: HashMap<i64, i64>,
    /// Rounds of applicants who wait for the plan on trial to open, by the time of the opening and the applicant.
    waiting: BTreeMap<(i64, i64), PastRound>,
    accounts: HashMap<i64, Account>,
    outcome: Outcome,
}

impl Replay {
    /// Starts both courses with the usage of the caps before the first round. `ends` are earlier offers whose room is
    /// given back later: when, the plan, when it was taken, fen.
    pub fn new(trial: Trial, before: Counters, ends: impl IntoIterator<Item = (i64, i64, i64, i64)>) -> Replay {
        let given_back = ends
            .into_iter()
            .flat_map(|(when, plan, at, cents)| [false, true].map(|replayed| Reverse((when, replayed, plan, at, cents))))
            .collect();
        Replay {
            current: seen(&trial.current),
            tried: seen(&trial.tried),
            trial,
            recorded: before.clone(),
            replayed: before,
            given_back,
            held: HashMap::new(),
            drifted: HashSet::new(),
            turns: HashMap::new(),
            waiting: BTreeMap::new(),
            accounts: HashMap::new(),
            outcome: Outcome::default(),
        }
    }

    /// Adds an offer to a person from before the first round.
    pub fn had_before(&mut self, user_id: i64, offer: &Offer) {
        let held = Held { org_id: offer.org_id, most_buyers: offer.most_buyers, ended_at: offer.ended_at, new: false };
        self.held.entry(user_id).or_default().push(held);
    }

    /// Replays a round, and before it the rounds of applicants who waited until then.
    pub fn round(&mut self, round: &PastRound) {
        self.reopen(round.began);
        self.give_back(round.began);
        self.outcome.rounds += 1;
        self.outcome.erased += i64::from(round.facts.is_none());
        let account = self.accounts.entry(round.user_id).or_default();
        (account.paid_cents, account.lead_cents) = (round.paid_cents, round.lead_cents);
        let recorded = self.recorded_of(round, &self.trial.tried);
        let ending = self.replay(round, recorded);
        self.end(recorded.ending(), |pair| &mut pair.was);
        self.end(ending, |pair| &mut pair.would_be);
        for offer in &round.offers {
            self.record(round.user_id, offer);
        }
    }

    /// Replays a round. Returns the ending of the plan on trial.
    fn replay(&mut self, round: &PastRound, recorded: Recorded<'_>) -> Ending {
        // A person who was newly sold has no other round.
        if self.held.get(&round.user_id).is_some_and(|held| held.iter().any(|one| one.new)) {
            self.drifted.extend(round.offers.iter().map(|offer| offer.plan_id));
            return Ending::PassedOver(PassedOver::Enough);
        }
        let answer = self.answer(round, recorded);
        if answer == Answer::AsRecorded && self.drifted.is_empty() {
            for offer in &round.offers {
                self.offer(round.user_id, &Asked::on_record(offer, offer.price_cents), offer.at);
            }
            return recorded.ending();
        }
        self.sell(round, recorded, answer)
    }

    /// Ends the replay.
    pub fn finish(mut self) -> Outcome {
        self.reopen(self.trial.until);
        for account in self.accounts.values() {
            let money = account.money();
            self.outcome.money.was.add(money.was);
            self.outcome.money.would_be.add(money.would_be);
        }
        self.outcome
    }

    /// Adds a recorded offer to the recorded course.
    fn record(&mut self, user_id: i64, offer: &Offer) {
        self.recorded.take(offer.plan_id, offer.at, offer.price_cents);
        if let Some(when) = offer.ended_at {
            self.given_back.push(Reverse((when, false, offer.plan_id, offer.at, offer.price_cents)));
        }
        if offer.bought {
            self.outcome.sales.entry(offer.plan_id).or_default().was.add(offer.price_cents);
        }
        self.accounts.entry(user_id).or_default().sold.was.add(offer.price_cents, Some(offer));
    }

    /// Gives back the room that is due by a moment.
    fn give_back(&mut self, now: i64) {
        while let Some(Reverse((when, replayed, plan_id, at, cents))) = self.given_back.peek().copied() {
            if when > now {
                return;
            }
            self.given_back.pop();
            let counters = if replayed { &mut self.replayed } else { &mut self.recorded };
            counters.give_back(plan_id, at, cents);
        }
    }

    /// Adds an offer to the replayed course.
    fn offer(&mut self, user_id: i64, asked: &Asked<'_>, at: i64) {
        let (bought, ended_at) = asked.offer.map_or((true, None), |offer| (offer.bought, offer.ended_at));
        self.replayed.take(asked.plan_id, at, asked.price_cents);
        self.turns.insert(asked.plan_id, at);
        if let Some(when) = ended_at {
            self.given_back.push(Reverse((when, true, asked.plan_id, at, asked.price_cents)));
        }
        if bought {
            self.outcome.sales.entry(asked.plan_id).or_default().would_be.add(asked.price_cents);
        }
        self.accounts.entry(user_id).or_default().sold.would_be.add(asked.price_cents, asked.offer);
        let new = asked.offer.is_none();
        if new {
            match asked.plan_id == self.trial.tried.id {
                true => self.outcome.new_offers += 1,
                false => self.outcome.new_offers_of_others += 1,
            }
        }
        let held = Held { org_id: asked.org_id, most_buyers: asked.most_buyers, ended_at, new };
        self.held.entry(user_id).or_default().push(held);
    }

    /// Replays a round whose result may differ from the recorded one. Returns the ending of the plan on trial.
    fn sell(&mut self, round: &PastRound, recorded: Recorded<'_>, answer: Answer) -> Ending {
        let asked = self.asked(round, recorded, answer);
        let live: Vec<Held> = self
            .held
            .get(&round.user_id)
            .into_iter()
            .flatten()
            .filter(|one| one.ended_at.is_none_or(|at| at > round.began))
            .copied()
            .collect();
        let mut buyers: HashSet<i64> = live.iter().map(|one| one.org_id).collect();
        let mut most = live.iter().map(|one| one.most_buyers).min();
        let (had_by, mut orgs) = (self.had_by(round.user_id), HashSet::new());
        let (mut sold, mut done) = (Vec::new(), false);
        for one in &asked {
            let others = buyers.iter().filter(|org| **org != one.org_id).count() as i64;
            let enough = others >= most.map_or(one.most_buyers, |most| most.min(one.most_buyers));
            // An organisation gets an applicant only once.
            let had = orgs.contains(&one.org_id) || one.offer.is_none() && had_by.contains(&one.org_id);
            if done || enough || had || !self.has_room(round, one) {
                continue;
            }
            self.offer(round.user_id, one, one.offer.map_or(round.began, |offer| offer.at));
            sold.push(one.plan_id);
            orgs.insert(one.org_id);
            buyers.insert(one.org_id);
            most = Some(most.map_or(one.most_buyers, |most| most.min(one.most_buyers)));
            done = one.exclusive;
        }
        let tried = self.trial.tried.id;
        let differing = round.offers.iter().filter(|offer| !sold.contains(&offer.plan_id)).map(|offer| offer.plan_id);
        let new = sold.iter().filter(|id| round.offers.iter().all(|offer| offer.plan_id != **id)).copied();
        self.drifted.extend(differing.chain(new).filter(|id| *id != tried).collect::<Vec<_>>());
        if sold.is_empty()
            && let Answer::Waits(Some(opens)) = answer
            && opens < self.trial.until
        {
            self.wait(round, opens);
        }
        match answer {
            _ if sold.contains(&tried) => match recorded {
                Recorded::Offered(offer) if !offer.bought => Ending::Refused,
                _ => Ending::Bought,
            },
            Answer::AsRecorded | Answer::Repriced(_) if !matches!(recorded, Recorded::Offered(_)) => recorded.ending(),
            Answer::Waits(_) => Ending::PassedOver(PassedOver::Waiting),
            Answer::PassedOver(reason) => Ending::PassedOver(reason),
            _ => Ending::PassedOver(PassedOver::Enough),
        }
    }

    /// Whether a plan has room for a lead in the replay. A plan that bought on record had room, unless it has bought
    /// more in the replay since.
    fn has_room(&self, round: &PastRound, asked: &Asked<'_>) -> bool {
        // The verdict has checked the caps of the plan on trial.
        if asked.plan_id == self.trial.tried.id || asked.offer.is_some() && !self.drifted.contains(&asked.plan_id) {
            return true;
        }
        let Some(plan) = self.trial.others.get(&asked.plan_id) else { return asked.offer.is_some() };
        let usage = |counters: &Counters| counters.usage(plan.id, &plan.caps, round.began);
        let full = |counters: &Counters| usage(counters).iter().any(|usage| usage.is_full(asked.price_cents));
        // The caps may have been raised since. So a recorded buyer only lacks room if it has bought more than on
        // record.
        !full(&self.replayed) || asked.offer.is_some() && !more(&usage(&self.replayed), &usage(&self.recorded))
    }

    fn had_by(&self, user_id: i64) -> Vec<i64> {
        self.held.get(&user_id).into_iter().flatten().map(|one| one.org_id).collect()
    }

    /// Lets an applicant wait until the plan on trial opens.
    fn wait(&mut self, round: &PastRound, opens: i64) {
        let at = opens.max(round.began + MINUTE);
        let later = PastRound { began: at, passed: Passed::new(), offers: Vec::new(), ..round.clone() };
        self.waiting.insert((at, round.user_id), later);
    }

    /// Offers the applicants whose wait has ended to the plan on trial.
    fn reopen(&mut self, now: i64) {
        while let Some(next) = self.waiting.first_entry().filter(|next| next.key().0 <= now) {
            let ((at, user_id), round) = next.remove_entry();
            self.give_back(at);
            let Some(facts) = &round.facts else { continue };
            let had_by = self.had_by(user_id);
            let person = round.person(facts, &had_by);
            if had_by.is_empty()
                && let Verdict::Takes(price_cents) = look(&mut self.tried, &self.replayed, &Known::default(), &person, at)
            {
                let asked = self.new_asked(&self.trial.tried, price_cents);
                self.offer(user_id, &asked, at);
                self.end(Ending::Bought, |pair| &mut pair.would_be);
            }
        }
    }

    fn end(&mut self, ending: Ending, course: impl Fn(&mut Pair<i64>) -> &mut i64) {
        *course(self.outcome.endings.entry(ending).or_default()) += 1;
    }
}
