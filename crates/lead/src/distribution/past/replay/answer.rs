//! What a plan would have answered in a past round: the verdict of the matching, with the caps as they are used in the replay.

use super::Replay;
use crate::distribution::past::counters::Counters;
use crate::distribution::past::round::{PastRound, Recorded};
use crate::distribution::policy::Method;
use crate::distribution::selection::{self, Person, Verdict};
use trade::ledger::account::Funds;
use trade::match_log::PassedOver;
use trade::plan::now::{self, Around};
use trade::plan::{PlanNow, PlanRow, PlanStatus};

/// The result of the plan on trial in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// As on record.
    AsRecorded,
    /// As on record, but at another price.
    Repriced(i64),
    /// It is a candidate at a price. Its terms decide its place among the plans.
    Candidate(i64),
    Waits(Option<i64>),
    PassedOver(PassedOver),
}

impl Replay {
    /// Returns the result of the plan on trial in a round.
    pub(super) fn answer(&mut self, round: &PastRound, recorded: Recorded<'_>) -> Answer {
        let runs = self.trial.current.status == PlanStatus::Running;
        let Some(facts) = &round.facts else { return Answer::AsRecorded };
        if runs && matches!(recorded, Recorded::Absent) {
            return Answer::AsRecorded;
        }
        let known = Known::of(recorded, round, self.trial.tried.org_id);
        let held = self.held.get(&round.user_id).map_or(&[][..], Vec::as_slice);
        // The organisation's past with the person is checked after the channel and the city: for a plan that was passed
        // over before that, the record does not show it.
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
        let (price_before, price_cents) = (selection::price(current, facts, round.test), selection::price(tried, facts, round.test));
        // The record stays if both verdicts agree, or if something other than the plan's terms stopped it.
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

    /// Whether another plan, as it is now, takes the person.
    pub(super) fn takes(&self, plan: &PlanRow, round: &PastRound) -> bool {
        let Some(facts) = &round.facts else { return false };
        let had_by = self.had_by(round.user_id);
        let verdict = look(&mut seen(plan), &self.replayed, &Known::default(), &round.person(facts, &had_by), round.began);
        matches!(verdict, Verdict::Takes(_))
    }
}

/// Facts from the record that do not depend on the terms.
pub struct Known {
    around: Around,
    /// The organisation's mode was that of the lead.
    fits: bool,
    solvent: bool,
    /// The organisation has had the person.
    had: bool,
    /// None if the record does not show it.
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

/// A plan for the matching, before [`look`] fills in its state.
pub fn seen(plan: &PlanRow) -> PlanNow {
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

/// The verdict of the matching of sales on a plan, with the caps as used in one course.
pub fn look(seen: &mut PlanNow, counters: &Counters, known: &Known, person: &Person<'_>, at: i64) -> Verdict {
    seen.test = person.test == known.fits;
    seen.usage = counters.usage(seen.plan.id, &seen.plan.caps, at);
    seen.funds.available_cents = if known.solvent { i64::MAX } else { 0 };
    seen.holds = now::holds(&seen.plan, &seen.usage, seen.funds, known.around, at);
    selection::verdict(seen, person, at)
}

/// Whether a reason is only found when a lead is about to be sold. Terms do not change such reasons.
fn after_matching(reason: PassedOver) -> bool {
    matches!(reason, PassedOver::Blacklist | PassedOver::Declined | PassedOver::NoAnswer | PassedOver::Changed)
}
