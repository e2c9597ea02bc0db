//! Selection: which running plans take an applicant, in which order they are asked, and why each of the others was
//! passed over. It reads no database: the caller passes all data.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::policy::Method;
use frame::terms::Miss;
use frame::terms::applicant::{Fact, Facts};
use trade::match_log::{Passed, PassedOver, UnmetConditions};
use trade::plan::market::RunningPlans;
use trade::plan::{Hold, OutOfSchedule, PlanNow, PlanRow, SaleMode};
use trade::product::Unmet;
use trade::user::rounds::RoundApplicant;

/// The reason for passing over a plan that does not buy at present.
fn reason_of(hold: Hold) -> PassedOver {
    match hold {
        Hold::NotStarted => PassedOver::NotStarted,
        Hold::Over => PassedOver::Over,
        Hold::Closed => PassedOver::Closed,
        Hold::Capped => PassedOver::Capped,
        Hold::Organisation => PassedOver::Organisation,
        Hold::Licence => PassedOver::Licence,
        Hold::Product => PassedOver::Product,
        Hold::Delivery => PassedOver::Delivery,
        Hold::Balance => PassedOver::Balance,
    }
}

/// The applicant that plans are looked for.
#[derive(Clone, Debug)]
pub struct Person<'p> {
    pub facts: &'p Facts,
    pub channel_id: i64,
    /// From a channel in test mode: only plans of test organisations take them, without a price.
    pub test: bool,
    /// The organisations that the consent names, or all of them.
    pub recipients: &'p [i64],
    pub all_partners: bool,
    /// Organisations that have had the applicant.
    pub had_by: &'p [i64],
}

impl<'p> Person<'p> {
    /// An applicant with the facts known now, and the organisations that have had them.
    pub fn of(user: &'p RoundApplicant, facts: &'p Facts, had_by: &'p [i64]) -> Person<'p> {
        Person {
            facts,
            channel_id: user.channel_id,
            test: user.test,
            recipients: &user.recipients,
            all_partners: user.all_partners,
            had_by,
        }
    }
}

/// A plan that takes the applicant, at a price.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'b> {
    pub plan: &'b PlanRow,
    /// Fen.
    pub price_cents: i64,
    /// The plan is owed a replacement for a lead that it returned.
    pub replaced: bool,
}

/// The result of a selection.
#[derive(Debug, Default)]
pub struct Matched<'b> {
    /// In the order in which they are asked.
    pub candidates: Vec<Candidate<'b>>,
    pub passed: Passed,
    /// The conditions of plans that the applicant does not meet.
    pub unmet: UnmetConditions,
    /// When the first plan opens that would have waited for the applicant; epoch milliseconds.
    pub opens_at: Option<i64>,
}

/// The result of one plan for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It takes them, at a price in fen.
    Takes(i64),
    /// It would take them once it opens; epoch milliseconds.
    Waits(Option<i64>),
    PassedOver(PassedOver),
}

/// Checks every running plan.
pub fn select<'b>(running: &'b RunningPlans, person: &Person<'_>, method: Method, turns: &HashMap<i64, i64>, at: i64) -> Matched<'b> {
    let mut matched = Matched::default();
    for now in &running.plans {
        let plan = &now.plan;
        let (verdict, miss) = judge(now, person, at);
        if let Some(miss) = miss {
            matched.unmet.note(miss.node(), plan.id);
        }
        let reason = match verdict {
            Verdict::Takes(price_cents) => {
                matched.candidates.push(Candidate { plan, price_cents, replaced: running.replaced.contains(&(plan.id, person.test)) });
                continue;
            }
            Verdict::Waits(opens) => {
                matched.opens_at = [matched.opens_at, opens].into_iter().flatten().min();
                PassedOver::Waiting
            }
            Verdict::PassedOver(reason) => reason,
        };
        matched.passed.entry(reason).or_default().push(plan.id);
    }
    sort(&mut matched.candidates, method, turns);
    matched
}

/// The result of one plan, as it is now, for a person.
pub fn verdict(now: &PlanNow, person: &Person<'_>, at: i64) -> Verdict {
    judge(now, person, at).0
}

/// The same, with the condition of the plan that the person missed, if that is why.
fn judge<'b>(now: &'b PlanNow, person: &Person<'_>, at: i64) -> (Verdict, Option<Miss<'b>>) {
    let plan = &now.plan;
    if now.test != person.test {
        return (Verdict::PassedOver(PassedOver::Mode), None);
    }
    // Conditions that are the same for all applicants come first: they are computed already.
    let closed = now.holds.contains(&Hold::Closed);
    let hold = now.holds.iter().find(|hold| **hold != Hold::Closed).map(|hold| reason_of(*hold));
    let verdict = match hold.map(|reason| (reason, None)).or_else(|| misfit(now, person)) {
        Some((reason, miss)) => return (Verdict::PassedOver(reason), miss),
        None if closed && plan.out_of_schedule == OutOfSchedule::Hold => {
            Verdict::Waits(plan.schedule.as_ref().and_then(|schedule| schedule.next_opening(at)))
        }
        None if closed => Verdict::PassedOver(PassedOver::Closed),
        None => {
            let price_cents = price(plan, person.facts, person.test);
            now.holds_at(price_cents).map_or(Verdict::Takes(price_cents), |hold| Verdict::PassedOver(reason_of(hold)))
        }
    };
    (verdict, None)
}

/// A plan of the newly read plans, if it still takes the person, at its current price.
pub fn again<'b>(running: &'b RunningPlans, plan_id: i64, person: &Person<'_>) -> Option<Candidate<'b>> {
    let now = running.plans.iter().find(|now| now.plan.id == plan_id)?;
    let takes = now.test == person.test && now.holds.is_empty() && misfit(now, person).is_none();
    takes.then(|| Candidate {
        plan: &now.plan,
        price_cents: price(&now.plan, person.facts, person.test),
        replaced: running.replaced.contains(&(plan_id, person.test)),
    })
}

/// Why a plan does not take the applicant, if it does not; of its conditions the one that the applicant missed.
fn misfit<'b>(now: &'b PlanNow, person: &Person<'_>) -> Option<(PassedOver, Option<Miss<'b>>)> {
    let plan = &now.plan;
    let channel = person.channel_id;
    let passed_over = |reason| Some((reason, None));
    if plan.channel_deny.contains(&channel) || !(plan.channel_allow.is_empty() || plan.channel_allow.contains(&channel)) {
        return passed_over(PassedOver::Channel);
    }
    if !plan.cities.is_empty() && !matches!(person.facts.get("city"), Some(Fact::Text(city)) if plan.cities.contains(city)) {
        return passed_over(PassedOver::City);
    }
    if person.had_by.contains(&plan.org_id) {
        return passed_over(PassedOver::Duplicate);
    }
    if !(person.all_partners || person.recipients.contains(&plan.org_id)) {
        return passed_over(PassedOver::Consent);
    }
    if let Some(miss) = plan.rule_set.as_ref().and_then(|rules| rules.evaluate(person.facts).err()) {
        return Some((PassedOver::Rules, Some(miss)));
    }
    match now.audience.unmet(person.facts)? {
        Unmet::City => passed_over(PassedOver::ProductCity),
        Unmet::Rules => passed_over(PassedOver::ProductRules),
    }
}

/// What a plan pays for an applicant, in fen: the first of its prices whose rules hold, otherwise its general price;
/// 0 for a test lead.
pub fn price(plan: &PlanRow, facts: &Facts, test: bool) -> i64 {
    if test {
        return 0;
    }
    let special = plan.price_rules.iter().find(|price| price.rules.evaluate(facts).is_ok());
    special.map_or(plan.price_cents, |price| price.price_cents)
}

fn sort(candidates: &mut [Candidate<'_>], method: Method, turns: &HashMap<i64, i64>) {
    // Among equals, the older plan.
    match method {
        Method::Priority => candidates.sort_by_key(|one| (one.plan.method_priority, Reverse(one.price_cents), one.plan.id)),
        Method::Price => candidates.sort_by_key(|one| (Reverse(one.price_cents), one.plan.method_priority, one.plan.id)),
        Method::Turns => {
            candidates.sort_by_key(|one| (turns.get(&one.plan.id).copied().unwrap_or_default(), one.plan.method_priority, one.plan.id))
        }
        Method::Weight => {
            // Efraimidis and Spirakis: each comes first with a probability equal to its share of the weights.
            candidates.sort_by_cached_key(|one| {
                let chance: f64 = rand::random_range(f64::MIN_POSITIVE..1.0);
                let key = -chance.ln() / one.plan.weight.max(1) as f64;
                // The key is not negative, so its bits sort as its value does.
                (key.to_bits(), one.plan.id)
            });
        }
    }
    candidates.sort_by_key(|one| !one.replaced);
}

/// The most buyers of a lead that a plan buys.
pub fn most_buyers(plan: &PlanRow, max_buyers: i64) -> i64 {
    match plan.sale_mode {
        SaleMode::Exclusive => 1,
        SaleMode::Shared => plan.max_buyers.min(max_buyers),
    }
}

/// Plans for tests.
#[cfg(test)]
pub(super) mod fixture {
    use trade::plan::{DeliverMode, OutOfSchedule, PlanRow, PlanStatus, SaleMode};

    /// A running plan that takes everybody, at 50 yuan.
    pub fn plan(id: i64) -> PlanRow {
        PlanRow {
            id,
            no: format!("PL-{id}"),
            name: format!("plan {id}"),
            org_id: id % 25,
            org_name: String::new(),
            sub_org_id: None,
            sub_org_name: None,
            product_id: None,
            product_name: None,
            status: PlanStatus::Running,
            pause_reason: None,
            reject_note: None,
            deliver_mode: DeliverMode::Crm,
            sale_mode: SaleMode::Exclusive,
            max_buyers: 1,
            price_cents: 5000,
            price_rules: Vec::new(),
            method_priority: 10,
            weight: 1,
            exposure_weight: 0,
            cities: Vec::new(),
            channel_allow: Vec::new(),
            channel_deny: Vec::new(),
            rule_set: None,
            dedup_days: None,
            schedule: None,
            out_of_schedule: OutOfSchedule::Skip,
            starts_on: None,
            ends_on: None,
            caps: Vec::new(),
            match_required: false,
            own_price_least_cents: None,
            own_price_most_cents: None,
            own_day_most: None,
            own_hours: false,
            own_cities: false,
            own_pause: false,
            paused_by_org: false,
            remark: String::new(),
            decision: None,
            change: None,
            version: 1,
            created_at: 0,
            updated_at: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::fixture::plan;
    use super::*;
    use frame::terms::PriceRule;
    use frame::terms::applicant::facts_of;
    use frame::terms::cap::{CapRule, CapUsage, CapWindow};
    use trade::ledger::account::Funds;

    fn rules(tree: Value) -> frame::terms::RuleSet {
        serde_json::from_value(tree).unwrap()
    }

    fn running_plans(plans: Vec<PlanRow>) -> RunningPlans {
        let funds = Funds { available_cents: 1_000_000, ..Funds::default() };
        let now = |plan| PlanNow {
            plan,
            test: false,
            usage: Vec::new(),
            funds,
            holds: Vec::new(),
            change_names: None,
            audience: Default::default(),
        };
        RunningPlans::of(0, plans.into_iter().map(now).collect())
    }

    fn facts(said: Value) -> Facts {
        facts_of(said.as_object().unwrap()).unwrap()
    }

    fn person(facts: &Facts) -> Person<'_> {
        Person { facts, channel_id: 7, test: false, recipients: &[], all_partners: true, had_by: &[] }
    }

    fn order(running: &RunningPlans, method: Method) -> Vec<i64> {
        let facts = facts(json!({"age": 30, "city": "上海市"}));
        let turns = HashMap::from([(1, 30), (2, 10)]);
        select(running, &person(&facts), method, &turns, 0).candidates.iter().map(|one| one.plan.id).collect()
    }

    #[test]
    fn each_method_has_its_order() {
        let running = running_plans(vec![
            PlanRow { method_priority: 2, price_cents: 100, ..plan(1) },
            PlanRow { method_priority: 1, price_cents: 200, ..plan(2) },
            PlanRow { method_priority: 1, price_cents: 300, ..plan(3) },
            PlanRow { method_priority: 1, price_cents: 300, ..plan(4) },
        ]);
        assert_eq!(order(&running, Method::Priority), [3, 4, 2, 1]);
        assert_eq!(order(&running, Method::Price), [3, 4, 2, 1]);
        assert_eq!(order(&running, Method::Turns), [3, 4, 2, 1], "who never bought comes first");
    }

    // M3: a cap of money and a balance are compared with the price of this person, not with the lowest price.
    #[test]
    fn a_plan_that_cannot_pay_the_price_is_no_candidate() {
        let cheap = PriceRule { rules: rules(json!({"all": [{"field": "age", "op": "gte", "value": 60}]})), price_cents: 100 };
        let mut running = running_plans(vec![PlanRow { price_cents: 300, price_rules: vec![cheap], ..plan(1) }]);
        let cap = CapRule { window: CapWindow::Total, weekday: None, max_count: None, max_cents: Some(1000) };
        for (used_cents, available_cents, young, old) in
            [(700, 300, true, true), (701, 300, false, true), (700, 299, false, true), (901, 99, false, false)]
        {
            running.plans[0].usage = vec![CapUsage { cap: cap.clone(), used_count: 1, used_cents }];
            running.plans[0].funds.available_cents = available_cents;
            let takes = |age: i64| {
                let facts = facts(json!({ "age": age }));
                select(&running, &person(&facts), Method::Priority, &HashMap::new(), 0).candidates.len() == 1
            };
            assert_eq!((takes(30), takes(60)), (young, old), "{used_cents} {available_cents}");
        }
    }

    /// The organisation's mode decides, whatever its plans pay and however small its balance is.
    #[test]
    fn test_leads_and_test_organisations_meet_each_other_alone() {
        let mut running = running_plans(vec![PlanRow { price_cents: 9000, ..plan(1) }, PlanRow { price_cents: 100, ..plan(2) }]);
        running.plans[0].test = true;
        running.plans[0].funds.available_cents = -1;
        let facts = facts(json!({"age": 30}));
        for (test, taken, passed) in [(false, (2, 100), 1), (true, (1, 0), 2)] {
            let person = Person { test, ..person(&facts) };
            let matched = select(&running, &person, Method::Price, &HashMap::new(), 0);
            assert_eq!(matched.candidates.iter().map(|one| (one.plan.id, one.price_cents)).collect::<Vec<_>>(), [taken]);
            assert_eq!(matched.passed, Passed::from([(PassedOver::Mode, vec![passed])]));
            assert!(again(&running, passed, &person).is_none() && again(&running, taken.0, &person).is_some());
        }
    }

    #[test]
    fn weights_are_shares() {
        let running = running_plans(vec![PlanRow { weight: 1, ..plan(1) }, PlanRow { weight: 3, ..plan(2) }]);
        let first = (0..4000).filter(|_| order(&running, Method::Weight)[0] == 2).count();
        // Three quarters, by more than ten standard deviations.
        assert!((2700..3300).contains(&first), "{first}");
    }

    #[test]
    fn the_first_misfit_names_the_reason() {
        let facts = facts(json!({"age": 30, "city": "上海市"}));
        let person = Person { recipients: &[1], all_partners: false, had_by: &[2], ..person(&facts) };
        let org = |id, org_id| PlanRow { org_id, ..plan(id) };
        let running = running_plans(vec![
            PlanRow { channel_deny: vec![7], cities: vec!["330100".into()], ..org(1, 1) },
            PlanRow { channel_allow: vec![8], ..org(2, 1) },
            PlanRow { channel_allow: vec![7], cities: vec!["330100".into()], ..org(3, 1) },
            org(4, 2),
            org(5, 3),
            PlanRow { rule_set: Some(rules(json!({"all": [{"field": "age", "op": "gte", "value": 40}]}))), ..org(6, 1) },
            PlanRow { cities: vec!["310100".into()], ..org(7, 1) },
        ]);
        let matched = select(&running, &person, Method::Priority, &HashMap::new(), 0);
        assert_eq!(
            matched.passed,
            Passed::from([
                (PassedOver::Channel, vec![1, 2]),
                (PassedOver::City, vec![3]),
                (PassedOver::Duplicate, vec![4]),
                (PassedOver::Consent, vec![5]),
                (PassedOver::Rules, vec![6]),
            ])
        );
        let [unmet] = matched.unmet.conditions() else { panic!("{:?}", matched.unmet) };
        assert_eq!((unmet.condition.sentence(base::locale::Locale::Chinese).as_str(), &unmet.plans), ("年龄 ≥ 40", &vec![6]));
        assert_eq!(matched.candidates.iter().map(|one| one.plan.id).collect::<Vec<_>>(), [7]);
    }

    #[test]
    fn the_first_price_that_holds_counts() {
        let price = |tree, price_cents| frame::terms::PriceRule { rules: rules(tree), price_cents };
        let dear = PlanRow {
            price_rules: vec![
                price(json!({"all": [{"field": "house", "op": "exists", "value": true}]}), 9000),
                price(json!({"all": [{"field": "age", "op": "gte", "value": 25}]}), 7000),
            ],
            ..plan(1)
        };
        for (said, cents) in [(json!({"age": 20}), 5000), (json!({"age": 30}), 7000), (json!({"age": 30, "house": "mortgaged"}), 9000)] {
            let facts = facts(said);
            let running = running_plans(vec![dear.clone()]);
            assert_eq!(select(&running, &person(&facts), Method::Price, &HashMap::new(), 0).candidates[0].price_cents, cents);
        }
    }

    /// Prints the cost of one selection: `cargo test --release --lib what_matching_costs -- --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement"]
    fn what_matching_costs() {
        let tree = json!({"all": [
            {"field": "age", "op": "between", "value": [22, 55]}, {"field": "zhima", "op": "in", "value": ["from_650", "over_700"]},
            {"any": [{"field": "house", "op": "exists", "value": true}, {"field": "car", "op": "exists", "value": true}]}
        ]});
        let cities = |id: i64| if id % 3 == 0 { vec!["310100".to_owned(), "330100".to_owned()] } else { Vec::new() };
        let running =
            running_plans((1..=400).map(|id| PlanRow { rule_set: Some(rules(tree.clone())), cities: cities(id), ..plan(id) }).collect());
        let facts = facts(json!({"age": 30, "city": "上海市", "zhima": "over_700", "car": "owned"}));
        for method in [Method::Priority, Method::Weight] {
            let mut times: Vec<_> = (0..10_000)
                .map(|_| {
                    let began = std::time::Instant::now();
                    assert_eq!(select(&running, &person(&facts), method, &HashMap::new(), 0).candidates.len(), 400);
                    began.elapsed()
                })
                .collect();
            times.sort_unstable();
            println!("{method:?}, 400 plans: median {:?}, p99 {:?}", times[5000], times[9900]);
        }
    }
}
