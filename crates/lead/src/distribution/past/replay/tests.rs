//! Replays of rounds that are made for the test.

use serde_json::json;

use super::*;
use crate::distribution::past::outcome::Sum;
use crate::distribution::past::round::Taken;
use crate::distribution::policy::Method;
use crate::distribution::selection::fixture::plan;
use base::clock::{DAY, HOUR, day_start};
use frame::terms::applicant::facts_of;
use frame::terms::cap::CapWindow;
use frame::terms::{CapRule, Schedule};
use trade::match_log::PassedOver;
use trade::plan::{OutOfSchedule, PlanStatus};

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
fn an_applicant_that_no_plan_takes_waits_for_the_plan_to_open() {
    let schedule: Schedule = serde_json::from_value(json!({"4": [[780, 840]]})).unwrap();
    let tried = |out_of_schedule| PlanRow { schedule: Some(schedule.clone()), out_of_schedule, ..plan(P) };
    for (out_of_schedule, sold) in [(OutOfSchedule::Hold, 1), (OutOfSchedule::Skip, 0)] {
        let mut replay = trial(plan(P), tried(out_of_schedule), Method::Priority);
        replay.round(&PastRound { offers: vec![offer(P, noon())], ..round(1, noon()) });
        assert_eq!(own(&replay.finish()), (1, sold));
    }
}

#[test]
fn a_refused_offer_gives_its_room_back() {
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
fn a_buyer_that_declined_or_had_a_person_does_not_buy_later() {
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
