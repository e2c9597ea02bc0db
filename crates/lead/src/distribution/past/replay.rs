//! Replays past rounds with other terms of one plan: which plans would have bought, for how much, and whose sales would
//! change.
//!
//! What the change does not touch stays as it was: a verdict that the terms as they are and the terms on trial agree
//! on is the one on record. Where they differ, the matching of sales ([`matching::verdict`]) decides, and the order of
//! plans, the buyers promised and the caps follow from it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::counters::Counters;
use crate::distribution::matching::{self, Passed, Person, Verdict};
use crate::distribution::policy::Method;
use base::clock::MINUTE;
use frame::terms::applicant::Facts;
use frame::terms::cap::CapUsage;
use trade::ledger::account::Funds;
use trade::matching::PassedOver;
use trade::plan::now::{self, Around};
use trade::plan::{PlanNow, PlanRow, PlanStatus, SaleMode};

/// A round of the past.
#[derive(Clone, Debug)]
pub struct PastRound {
    pub user_id: i64,
    /// When it began; epoch milliseconds.
    pub began: i64,
    pub channel_id: i64,
    /// A round of a test lead.
    pub test: bool,
    /// None once the applicant is erased.
    pub facts: Option<Facts>,
    /// The organisations that the consent names, or all of them.
    pub recipients: Vec<i64>,
    pub all_partners: bool,
    pub passed: Passed,
    /// In the order in which they were made.
    pub offers: Vec<Offer>,
    /// What its channel got for the first lead that was taken, or by its terms of now would get; fen.
    pub paid_cents: Option<i64>,
    pub lead_cents: i64,
}

impl PastRound {
    /// The applicant as the matching sees them, with the consent they have now.
    fn person<'r>(&'r self, facts: &'r Facts, had_by: &'r [i64]) -> Person<'r> {
        Person {
            facts,
            channel_id: self.channel_id,
            test: self.test,
            recipients: &self.recipients,
            all_partners: self.all_partners,
            had_by,
        }
    }
}

/// A lead that was offered to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub plan_id: i64,
    pub org_id: i64,
    pub price_cents: i64,
    pub exclusive: bool,
    /// Buyers that were promised to it at most.
    pub most_buyers: i64,
    pub at: i64,
    /// It was bought, given back later or not; or may still be.
    pub bought: bool,
    /// When its room under the caps was given back.
    pub ended_at: Option<i64>,
    pub taken: Taken,
    /// What its channel got with it, and was charged for its return; fen.
    pub cost_cents: i64,
    pub charged_cents: i64,
}

/// Whether statistics count an offer as a sale so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    No,
    Yes,
    /// And given back.
    Returned,
}

/// What became of one plan in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Bought,
    /// It was offered, and the buyer did not take it.
    Refused,
    PassedOver(PassedOver),
    /// It did not run.
    NotRunning,
}

/// Leads, and what they came to in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub leads: i64,
    pub cents: i64,
}

impl Sum {
    fn add(&mut self, cents: i64) {
        self.leads += 1;
        self.cents += cents;
    }
}

/// On record, and replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair<T> {
    pub was: T,
    pub would_be: T,
}

/// What came of a replay.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub rounds: i64,
    /// Rounds of erased applicants: they stay as they were.
    pub erased: i64,
    /// Sales by plan.
    pub sales: HashMap<i64, Pair<Sum>>,
    /// How often the plan on trial ended so.
    pub endings: BTreeMap<Ending, Pair<i64>>,
    /// New offers of the plan on trial, and of others: whether they would have been taken is not known.
    pub new_offers: i64,
    pub new_offers_of_others: i64,
    /// What these sales bring, less what was given back, and what channels get for them; fen.
    pub money: Pair<Money>,
}

/// Fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Money {
    pub income: i64,
    pub cost: i64,
}

impl Money {
    fn add(&mut self, more: Money) {
        self.income += more.income;
        self.cost += more.cost;
    }
}

/// What became of a person in one of the courses.
#[derive(Clone, Copy, Debug, Default)]
struct Sold {
    /// A buyer has taken the lead.
    taken: bool,
    income: i64,
    paid: i64,
    charged: i64,
}

impl Sold {
    /// Adds an offer at a price; one that is not on record is taken.
    fn add(&mut self, price_cents: i64, offer: Option<&Offer>) {
        let taken = offer.map_or(Taken::Yes, |offer| offer.taken);
        self.taken |= taken != Taken::No;
        self.income += if taken == Taken::Yes { price_cents } else { 0 };
        self.paid += offer.map_or(0, |offer| offer.cost_cents);
        self.charged += offer.map_or(0, |offer| offer.charged_cents);
    }
}

/// What a person brings in both courses, and by what terms the channel gets its part.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    paid_cents: Option<i64>,
    lead_cents: i64,
    sold: Pair<Sold>,
}

impl Account {
    /// What the person brings and costs. A channel gets something once, with the first lead that is taken: what it got stays what it
    /// was, and what it did not get on record it gets by its terms of now.
    fn money(&self) -> Pair<Money> {
        let Pair { was, would_be } = self.sold;
        let first = match self.paid_cents {
            Some(cents) if was.paid != 0 => cents,
            // It got it before these rounds, or nothing.
            Some(_) => 0,
            None if was.taken => 0,
            None => self.lead_cents,
        };
        let cost = if would_be.taken { first } else { 0 } - would_be.charged;
        Pair { was: Money { income: was.income, cost: was.paid - was.charged }, would_be: Money { income: would_be.income, cost } }
    }
}

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

/// By which plans are ordered: the smaller is asked first.
type Rank = (i64, i64, i64);

/// Room that is given back at a moment.
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

/// What is on record of a plan in a round.
#[derive(Clone, Copy)]
enum Recorded<'r> {
    Offered(&'r Offer),
    /// It took the person, and stood behind a sale.
    Behind(PassedOver),
    PassedOver(PassedOver),
    Absent,
}

/// What the plan on trial would have done in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// As on record.
    AsRecorded,
    /// As on record, but at another price.
    Repriced(i64),
    /// It stands among the candidates at a price, at the place that its terms give it.
    Candidate(i64),
    Waits(Option<i64>),
    PassedOver(PassedOver),
}

/// A plan that is asked in a round, in its turn.
#[derive(Clone, Copy)]
struct Asked<'r> {
    plan_id: i64,
    org_id: i64,
    price_cents: i64,
    exclusive: bool,
    most_buyers: i64,
    offer: Option<&'r Offer>,
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

    /// Those who are asked in a round, in their order: the offers on record in theirs, and among them, where their rank and
    /// the record put them, the plans that stood behind.
    fn asked<'r>(&self, round: &'r PastRound, recorded: Recorded<'r>, answer: Answer) -> Vec<Asked<'r>> {
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

    /// Before which offer on record a plan stood that was not offered the lead: where it ranks, but not before the offers
    /// that kept it from buying.
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

    /// Whether offers keep a plan from buying: it or they were promised fewer buyers, or its organisation is among them.
    fn keep_out(&self, offers: &[Offer], plan: &PlanRow) -> bool {
        let own = matching::most_buyers(plan, self.trial.max_buyers);
        let most = offers.iter().map(|offer| offer.most_buyers).min().map_or(own, |most| most.min(own));
        let others = offers.iter().filter(|offer| offer.org_id != plan.org_id).count();
        others as i64 >= most || others < offers.len()
    }

    /// The other plans that took the person and were not asked, or would have had room by now.
    fn candidates(&self, round: &PastRound) -> Vec<&PlanRow> {
        let tried = self.trial.tried.id;
        let of = |reason: PassedOver| {
            round.passed.get(&reason).into_iter().flatten().filter(|id| **id != tried).filter_map(|id| self.trial.others.get(id))
        };
        // What the record does not explain stays as it was.
        let is_explained = |plan: &&PlanRow| self.held.contains_key(&round.user_id) || self.keep_out(&round.offers, plan);
        let is_behind = |plan: &&PlanRow| matches!(self.recorded_of(round, plan), Recorded::Behind(_));
        let behind = of(PassedOver::Enough).filter(is_explained).chain(of(PassedOver::Duplicate).filter(is_behind));
        let relieved = of(PassedOver::Capped).filter(|plan| self.drifted.contains(&plan.id)).filter(|plan| {
            let usage = |counters: &Counters| counters.usage(plan.id, &plan.caps, round.began);
            more(&usage(&self.recorded), &usage(&self.replayed)) && self.takes(plan, round)
        });
        behind.chain(relieved).collect()
    }

    /// Whether another plan, as it is now, takes the person.
    fn takes(&self, plan: &PlanRow, round: &PastRound) -> bool {
        let Some(facts) = &round.facts else { return false };
        let had_by = self.had_by(round.user_id);
        let verdict = look(&mut seen(plan), &self.replayed, &Known::default(), &round.person(facts, &had_by), round.began);
        matches!(verdict, Verdict::Takes(_))
    }

    fn had_by(&self, user_id: i64) -> Vec<i64> {
        self.held.get(&user_id).into_iter().flatten().map(|one| one.org_id).collect()
    }

    fn price_of(&self, plan: &PlanRow, round: &PastRound) -> i64 {
        round.facts.as_ref().map_or(plan.price_cents, |facts| matching::price(plan, facts, round.test))
    }

    fn new_asked<'r>(&self, plan: &PlanRow, price_cents: i64) -> Asked<'r> {
        Asked {
            plan_id: plan.id,
            org_id: plan.org_id,
            price_cents,
            exclusive: plan.sale_mode == SaleMode::Exclusive,
            most_buyers: matching::most_buyers(plan, self.trial.max_buyers),
            offer: None,
        }
    }

    /// The order of plans that a person can be sold to: the smaller is asked first. By chance, there is none.
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
        // Of a plan that is gone since: first.
        plan.map_or((i64::MIN, 0, 0), |plan| self.rank(plan, offer.price_cents))
    }

    fn rank_of(&self, asked: &Asked<'_>) -> Rank {
        self.trial.others.get(&asked.plan_id).map_or((i64::MIN, 0, 0), |plan| self.rank(plan, asked.price_cents))
    }

    /// Where the plan on trial stands among those who are asked.
    fn place(&self, round: &PastRound, asked: &[Asked<'_>], price_cents: i64) -> usize {
        let tried = &self.trial.tried;
        if self.trial.method == Method::Weight {
            return draw(round, asked.iter().map(|one| self.trial.others.get(&one.plan_id).map_or(1, |plan| plan.weight)), tried.weight);
        }
        let rank = self.rank(tried, price_cents);
        asked.iter().take_while(|one| self.rank_of(one) < rank).count()
    }

    fn recorded_of<'r>(&self, round: &'r PastRound, plan: &PlanRow) -> Recorded<'r> {
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

    /// What the plan on trial would have answered.
    fn answer(&mut self, round: &PastRound, recorded: Recorded<'_>) -> Answer {
        let runs = self.trial.current.status == PlanStatus::Running;
        let Some(facts) = &round.facts else { return Answer::AsRecorded };
        if runs && matches!(recorded, Recorded::Absent) {
            return Answer::AsRecorded;
        }
        let known = Known::of(recorded, round, self.trial.tried.org_id);
        let held = self.held.get(&round.user_id).map_or(&[][..], Vec::as_slice);
        // On record, the organisation's past with the person was looked at after channel and city.
        let is_open = matches!(recorded, Recorded::PassedOver(reason) if !after_matching(reason) && reason != PassedOver::Rules);
        let had_new: Vec<i64> = held.iter().filter(|one| one.new || is_open).map(|one| one.org_id).collect();
        let had = [self.trial.tried.org_id];
        let person = |had_by| Person {
            recipients: if known.consents == Some(false) { &[] } else { &round.recipients },
            all_partners: known.consents.unwrap_or(round.all_partners),
            ..round.person(facts, had_by)
        };
        let before = look(&mut self.current, &self.recorded, &known, &person(if known.had { &had } else { &[] }), round.began);
        let after = look(&mut self.tried, &self.replayed, &known, &person(if known.had { &had } else { &had_new }), round.began);
        let (current, tried) = (&self.trial.current, &self.trial.tried);
        let moved = match self.trial.method {
            Method::Priority | Method::Price | Method::Turns => current.method_priority != tried.method_priority,
            Method::Weight => current.weight != tried.weight,
        };
        let stood = matches!(recorded, Recorded::Offered(_) | Recorded::Behind(_));
        let (price_before, price_cents) = (matching::price(current, facts, round.test), matching::price(tried, facts, round.test));
        // The record stands where both agree, and where something else than its own terms stood in the way.
        let agree = before == after || stood && matches!((before, after), (Verdict::Takes(_), Verdict::Takes(_)));
        if runs && agree && !(moved && matches!(after, Verdict::Takes(_))) {
            let by_price = matches!(self.trial.method, Method::Priority | Method::Price);
            return match (stood && price_before != price_cents, by_price) {
                (false, _) => Answer::AsRecorded,
                (true, false) => Answer::Repriced(price_cents),
                (true, true) => Answer::Candidate(price_cents),
            };
        }
        match (after, recorded) {
            (Verdict::PassedOver(reason), _) => Answer::PassedOver(reason),
            (_, Recorded::PassedOver(_)) if runs && matches!(before, Verdict::Takes(_)) => Answer::AsRecorded,
            (_, Recorded::PassedOver(reason)) if after_matching(reason) => Answer::PassedOver(reason),
            // A buyer that refused the person would refuse them later too.
            (Verdict::Waits(_), Recorded::Offered(offer)) if !offer.bought => Answer::Waits(None),
            (Verdict::Waits(opens), _) => Answer::Waits(opens),
            (Verdict::Takes(price_cents), _) => Answer::Candidate(price_cents),
        }
    }

    /// Has an applicant wait for the plan on trial.
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

impl Recorded<'_> {
    fn ending(self) -> Ending {
        match self {
            Recorded::Offered(offer) if offer.bought => Ending::Bought,
            Recorded::Offered(_) => Ending::Refused,
            Recorded::Behind(reason) | Recorded::PassedOver(reason) => Ending::PassedOver(reason),
            Recorded::Absent => Ending::NotRunning,
        }
    }
}

impl<'r> Asked<'r> {
    fn on_record(offer: &'r Offer, price_cents: i64) -> Asked<'r> {
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

/// What the record says of things that no terms decide.
struct Known {
    around: Around,
    /// Its organisation's mode was that of the lead.
    fits: bool,
    solvent: bool,
    /// The organisation has had the person.
    had: bool,
    /// None where the record does not say.
    consents: Option<bool>,
}

impl Default for Known {
    fn default() -> Known {
        let around = Around { test: false, active: true, licensed: true, shown: true, delivers: true };
        Known { around, fits: true, solvent: true, had: false, consents: None }
    }
}

impl Known {
    fn of(recorded: Recorded<'_>, round: &PastRound, org_id: i64) -> Known {
        let reason = match recorded {
            Recorded::PassedOver(reason) => Some(reason),
            Recorded::Offered(_) | Recorded::Behind(_) | Recorded::Absent => None,
        };
        let is = |one: PassedOver| reason == Some(one);
        let around = Around {
            test: round.test,
            active: !is(PassedOver::Organisation),
            licensed: !is(PassedOver::Licence),
            shown: ![PassedOver::Product, PassedOver::ProductCity, PassedOver::ProductRules].into_iter().any(is),
            delivers: !is(PassedOver::Delivery),
        };
        let named = round.all_partners || round.recipients.contains(&org_id);
        let consents = match recorded {
            Recorded::Offered(_) | Recorded::Behind(_) => Some(true),
            Recorded::PassedOver(PassedOver::Consent) => Some(false),
            Recorded::PassedOver(reason) if reason == PassedOver::Rules || after_matching(reason) => Some(true),
            Recorded::PassedOver(_) | Recorded::Absent => Some(named),
        };
        Known { around, fits: !is(PassedOver::Mode), solvent: !is(PassedOver::Balance), had: is(PassedOver::Duplicate), consents }
    }
}

/// A plan as the matching sees it, before [`look`] fills in how it stands.
fn seen(plan: &PlanRow) -> PlanNow {
    PlanNow {
        plan: plan.clone(),
        test: false,
        usage: Vec::new(),
        funds: Funds::default(),
        holds: Vec::new(),
        change_names: None,
        audience: Default::default(),
    }
}

/// What a plan answers by the matching of sales, with the caps as used in one course.
fn look(seen: &mut PlanNow, counters: &Counters, known: &Known, person: &Person<'_>, at: i64) -> Verdict {
    seen.test = person.test == known.fits;
    seen.usage = counters.usage(seen.plan.id, &seen.plan.caps, at);
    seen.funds.available_cents = if known.solvent { i64::MAX } else { 0 };
    seen.holds = now::holds(&seen.plan, &seen.usage, seen.funds, known.around, at);
    matching::verdict(seen, person, at)
}

/// Reasons that are found out when a lead is about to be sold: no terms change them.
fn after_matching(reason: PassedOver) -> bool {
    matches!(reason, PassedOver::Blacklist | PassedOver::Declined | PassedOver::NoAnswer | PassedOver::Changed)
}

/// Whether more is used of any of the caps.
fn more(one: &[CapUsage], other: &[CapUsage]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.used_count > other.used_count || one.used_cents > other.used_cents)
}

/// Draws a place by weight, the same one each time for the same round.
fn draw(round: &PastRound, others: impl Iterator<Item = i64>, weight: i64) -> usize {
    let mut random = StdRng::seed_from_u64(round.user_id.unsigned_abs().rotate_left(32) ^ round.began.unsigned_abs());
    let mut key = |weight: i64| -random.random_range(f64::MIN_POSITIVE..1.0).ln() / weight.max(1) as f64;
    let own = key(weight);
    others.filter(|other| key(*other) < own).count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::distribution::matching::fixture::plan;
    use base::clock::{DAY, HOUR, day_start};
    use frame::terms::applicant::facts_of;
    use frame::terms::cap::CapWindow;
    use frame::terms::{CapRule, Schedule};
    use trade::plan::OutOfSchedule;

    const P: i64 = 1;

    fn noon() -> i64 {
        day_start("2026-03-05").unwrap() + 12 * HOUR
    }

    fn trial(current: PlanRow, tried: PlanRow, method: Method) -> Replay {
        let others = Arc::new([2, 3].map(|id| (id, PlanRow { org_id: id, ..plan(id) })).into());
        let trial = Trial { current, tried, others, method, max_buyers: 3, until: noon() + DAY };
        Replay::new(trial, Counters::default(), [])
    }

    fn round(user_id: i64, at: i64) -> PastRound {
        PastRound {
            user_id,
            began: at,
            channel_id: 7,
            test: false,
            facts: Some(facts_of(json!({"age": 30}).as_object().unwrap()).unwrap()),
            recipients: Vec::new(),
            all_partners: true,
            passed: Passed::new(),
            offers: Vec::new(),
            paid_cents: None,
            lead_cents: 1000,
        }
    }

    fn offer(plan_id: i64, at: i64) -> Offer {
        Offer {
            plan_id,
            org_id: plan_id,
            price_cents: 5000,
            exclusive: true,
            most_buyers: 1,
            at,
            bought: true,
            ended_at: None,
            taken: Taken::Yes,
            cost_cents: 0,
            charged_cents: 0,
        }
    }

    fn own(outcome: &Outcome) -> (i64, i64) {
        let pair = outcome.sales.get(&P).copied().unwrap_or_default();
        (pair.was.leads, pair.would_be.leads)
    }

    #[test]
    fn an_applicant_whom_nobody_takes_waits_for_the_plan_to_open() {
        let schedule: Schedule = serde_json::from_value(json!({"4": [[780, 840]]})).unwrap();
        let tried = |out_of_schedule| PlanRow { schedule: Some(schedule.clone()), out_of_schedule, ..plan(P) };
        for (out_of_schedule, sold) in [(OutOfSchedule::Hold, 1), (OutOfSchedule::Skip, 0)] {
            let mut replay = trial(plan(P), tried(out_of_schedule), Method::Priority);
            replay.round(&PastRound { offers: vec![offer(P, noon())], ..round(1, noon()) });
            assert_eq!(own(&replay.finish()), (1, sold));
        }
    }

    #[test]
    fn what_has_been_refused_gives_its_room_back() {
        let cap = CapRule { window: CapWindow::Day, weekday: None, max_count: Some(1), max_cents: None };
        let capped = PlanRow { caps: vec![cap], ..plan(P) };
        let mut replay = trial(capped.clone(), PlanRow { price_cents: 6000, ..capped }, Method::Priority);
        let refused = Offer { bought: false, ended_at: Some(noon() + 5), ..offer(P, noon()) };
        let passed = Passed::from([(PassedOver::Capped, vec![P])]);
        replay.round(&PastRound { offers: vec![refused], ..round(1, noon()) });
        replay.round(&PastRound { passed: passed.clone(), ..round(2, noon() + 1) });
        replay.round(&PastRound { offers: vec![offer(P, noon() + 6)], ..round(3, noon() + 6) });
        replay.round(&PastRound { passed, ..round(4, noon() + 7) });
        let outcome = replay.finish();
        assert_eq!(own(&outcome), (1, 1));
        assert_eq!(outcome.endings[&Ending::PassedOver(PassedOver::Capped)], Pair { was: 2, would_be: 2 });
        assert_eq!(outcome.endings[&Ending::Refused], Pair { was: 1, would_be: 1 });
    }

    #[test]
    fn what_no_terms_decide_stays_as_it_was() {
        let dear = PlanRow { price_cents: 9000, method_priority: 1, ..plan(P) };
        for reason in [
            PassedOver::Balance,
            PassedOver::Licence,
            PassedOver::Mode,
            PassedOver::Declined,
            PassedOver::Blacklist,
            PassedOver::Duplicate,
            PassedOver::Consent,
        ] {
            let mut replay = trial(plan(P), dear.clone(), Method::Priority);
            replay.round(&PastRound { passed: Passed::from([(reason, vec![P])]), offers: vec![offer(2, noon())], ..round(1, noon()) });
            let outcome = replay.finish();
            assert_eq!(own(&outcome), (0, 0), "{reason:?}");
            assert_eq!(outcome.sales[&2].would_be.leads, 1, "{reason:?}");
        }
        // Of an erased applicant, everything.
        let mut replay = trial(plan(P), PlanRow { cities: vec!["330100".to_owned()], ..plan(P) }, Method::Priority);
        replay.round(&PastRound { facts: None, offers: vec![offer(P, noon())], ..round(1, noon()) });
        let outcome = replay.finish();
        assert_eq!((own(&outcome), outcome.erased), ((1, 1), 1));
    }

    #[test]
    fn by_chance_the_share_of_a_plan_is_that_of_its_weight() {
        let mut replay = trial(plan(P), PlanRow { weight: 3, ..plan(P) }, Method::Weight);
        for user in 1..=2000 {
            let passed = Passed::from([(PassedOver::Enough, vec![P])]);
            replay.round(&PastRound { passed, offers: vec![offer(2, noon() + user)], ..round(user, noon() + user) });
        }
        let (was, would_be) = own(&replay.finish());
        assert_eq!(was, 0);
        // Three quarters, by more than ten standard deviations.
        assert!((1300..1700).contains(&would_be), "{would_be}");
    }

    #[test]
    fn by_chance_another_price_changes_no_place() {
        let mut replay = trial(plan(P), PlanRow { price_cents: 9000, ..plan(P) }, Method::Weight);
        for user in 1..=50 {
            let (seller, passed) = if user % 2 == 0 { (P, Passed::new()) } else { (2, Passed::from([(PassedOver::Enough, vec![P])])) };
            replay.round(&PastRound { passed, offers: vec![offer(seller, noon() + user)], ..round(user, noon() + user) });
        }
        let outcome = replay.finish();
        let sum = |leads, cents| Sum { leads, cents };
        assert_eq!(outcome.sales[&P], Pair { was: sum(25, 125_000), would_be: sum(25, 225_000) });
        assert_eq!((outcome.sales[&2].would_be, outcome.new_offers), (sum(25, 125_000), 0));
    }

    #[test]
    fn whom_a_buyer_declined_or_had_it_does_not_buy_later() {
        let schedule: Schedule = serde_json::from_value(json!({"4": [[780, 840]]})).unwrap();
        let tried = PlanRow { schedule: Some(schedule), out_of_schedule: OutOfSchedule::Hold, ..plan(P) };
        let mut replay = trial(plan(P), tried, Method::Priority);
        replay.round(&PastRound { passed: Passed::from([(PassedOver::Declined, vec![P])]), ..round(1, noon()) });
        replay.round(&PastRound {
            offers: vec![Offer { bought: false, ended_at: Some(noon() + 9), ..offer(P, noon()) }],
            ..round(2, noon() + 1)
        });
        assert_eq!(own(&replay.finish()), (0, 0));
        let mut replay = trial(PlanRow { cities: vec!["330100".to_owned()], ..plan(P) }, plan(P), Method::Priority);
        replay.had_before(1, &offer(P, noon() - DAY));
        replay.round(&PastRound { passed: Passed::from([(PassedOver::City, vec![P])]), ..round(1, noon()) });
        replay.round(&PastRound { passed: Passed::from([(PassedOver::City, vec![P])]), ..round(2, noon()) });
        assert_eq!(own(&replay.finish()), (0, 1));
    }

    #[test]
    fn a_plan_that_does_not_run_is_tried_as_if_it_had() {
        let paused = PlanRow { status: PlanStatus::Paused, method_priority: 1, ..plan(P) };
        let mut replay = trial(paused.clone(), paused, Method::Priority);
        replay.round(&PastRound { offers: vec![offer(2, noon())], ..round(1, noon()) });
        let outcome = replay.finish();
        assert_eq!((own(&outcome), outcome.sales[&2].would_be.leads, outcome.new_offers), ((0, 1), 0, 1));
    }

    #[test]
    fn a_channel_gets_its_part_once_and_for_what_is_taken() {
        let city = PlanRow { cities: vec!["330100".to_owned()], ..plan(P) };
        let money = |current: &PlanRow, tried: &PlanRow, rounds: &[PastRound]| {
            let mut replay = trial(current.clone(), tried.clone(), Method::Priority);
            rounds.iter().for_each(|round| replay.round(round));
            let Pair { was, would_be } = replay.finish().money;
            [(was.income, was.cost), (would_be.income, would_be.cost)]
        };
        let paid = Offer { cost_cents: 700, ..offer(P, noon()) };
        let sold = PastRound { offers: vec![paid], paid_cents: Some(700), ..round(1, noon()) };
        let same = [(5000, 700), (5000, 700)];
        assert_eq!(money(&plan(P), &plan(P), std::slice::from_ref(&sold)), same);
        assert_eq!(money(&plan(P), &PlanRow { price_cents: 6000, ..plan(P) }, std::slice::from_ref(&sold)), [same[0], (6000, 700)]);
        assert_eq!(money(&plan(P), &city, std::slice::from_ref(&sold)), [same[0], (0, 0)]);
        // A return that the channel was charged for, what was never taken, and what was paid for earlier.
        let returned = Offer { taken: Taken::Returned, charged_cents: 700, ended_at: Some(noon() + 9), ..paid };
        let returned = PastRound { offers: vec![returned], ..sold.clone() };
        assert_eq!(money(&plan(P), &plan(P), std::slice::from_ref(&returned)), [(0, 0), (0, 0)]);
        assert_eq!(money(&plan(P), &city, &[returned]), [(0, 0), (0, 0)]);
        let waits = PastRound { offers: vec![Offer { taken: Taken::No, ..offer(P, noon()) }], ..round(1, noon()) };
        assert_eq!(money(&plan(P), &plan(P), &[waits]), [(0, 0), (0, 0)]);
        let again = PastRound { offers: vec![offer(P, noon())], paid_cents: Some(700), ..round(1, noon()) };
        assert_eq!(money(&plan(P), &plan(P), &[again]), [(5000, 0), (5000, 0)]);
        // A new sale costs what the channel gets now.
        let lost = PastRound { passed: Passed::from([(PassedOver::City, vec![P])]), ..round(1, noon()) };
        let [was, would_be] = money(&city, &plan(P), &[lost]);
        assert_eq!((was, would_be), ((0, 0), (plan(P).price_cents, 1000)));
    }
}
