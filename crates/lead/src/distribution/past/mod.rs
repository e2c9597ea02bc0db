//! `POST /plan/try`: replays the rounds of the last days with other terms of a plan. People of an organisation try terms that they may
//! set themselves, and see what they say for the plan alone.

mod counters;
mod outcome;
mod own;
mod replay;
mod round;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use self::counters::Counters;
use self::outcome::{Ending, Money, Outcome, Pair, Sum};
use self::replay::{Replay, Trial};
use self::round::{Offer, PastRound, Taken};
use super::policy::Policy;
use base::clock::{self, DAY};
use base::db::Db;
use base::form_limits;
use frame::access::Scope;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};
use frame::dict::ChoiceBook;
use frame::places;
use frame::terms::applicant::facts_of;
use frame::terms::cap::CapWindow;
use frame::terms::choices::Choices;
use frame::terms::{CapRule, PriceRule, RuleSet, Schedule};
use trade::handoff::Handoff;
use trade::match_log::{self as records, Passed};
use trade::org::standing;
use trade::plan;
use trade::plan::approval::PlanTerms;
use trade::plan::form::{Form, once};
use trade::plan::push::model::PushStatus;
use trade::plan::push::past as past_pushes;
use trade::plan::push::past::PastOffer;
use trade::plan::{OutOfSchedule, PlanRow, PlanStatus, SaleMode};
use trade::user::reputation::{self, By, Reputation};
use trade::user::rounds;

form_limits! {
    /// Of a trial of a plan's terms.
    planTrial {
        /// Days that can be looked back, at most.
        MOST_DAYS: i64 = 14,
    }
}

/// Rounds of one trial, at most.
const MOST_ROUNDS: i64 = 200_000;
/// Rounds that are read in one query.
const PAGE: i64 = 1000;
/// The most plans of a trial.
const MOST_PLANS: i64 = 10_000;
/// The most other plans that the result lists: those whose sales change most.
const MOST_LISTED: usize = 100;
/// How many days before the first round offers to a person are read.
const HAD_DAYS: i64 = 30;
/// The point of viewers who see what channels get.
const COSTS: &str = "chart/channel-list/list";
/// How long a trial waits for another one to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The terms of a plan that can be tried; the others stay as they are.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanTrial {
    pub id: i64,
    /// 1 to 14 whole days before today; today is included up to now.
    pub days: i64,
    pub price_cents: i64,
    pub price_rules: Vec<PriceRule>,
    pub method_priority: i64,
    pub weight: i64,
    pub caps: Vec<CapRule>,
    pub rule_set: Option<RuleSet>,
    pub cities: Vec<String>,
    pub channel_allow: Vec<i64>,
    pub channel_deny: Vec<i64>,
    pub schedule: Option<Schedule>,
    pub out_of_schedule: OutOfSchedule,
}

/// Leads that were sold, and leads that would have been; fen.
#[derive(Clone, Copy, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TrialSales {
    pub was_leads: i64,
    pub was_cents: i64,
    pub would_be_leads: i64,
    pub would_be_cents: i64,
}

/// Another plan whose sales would have changed.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TrialPlan {
    pub plan_id: i64,
    pub plan_name: String,
    pub org_name: String,
    pub sales: TrialSales,
}

/// How often the plan had this result in a round.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TrialEnding {
    /// `bought`, `refused`, `not_running`, or why it was passed over.
    pub ending: String,
    pub was: i64,
    pub would_be: i64,
}

/// What organisations pay, what channels get and what is left, in fen: as the statistics by channel and the overview
/// show it for these days, and as it would have been. The trial changes the price of leads and what channels get for
/// accepted leads.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TrialMargin {
    /// The first and the last day, `YYYY-MM-DD`.
    pub first_day: String,
    pub last_day: String,
    pub was_income_cents: i64,
    pub was_cost_cents: i64,
    pub was_margin_cents: i64,
    pub would_be_income_cents: i64,
    pub would_be_cost_cents: i64,
    pub would_be_margin_cents: i64,
}

/// The result of a trial.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanTrialResult {
    /// Epoch milliseconds.
    pub from: i64,
    pub until: i64,
    /// For an organisation: those in which the plan was offered a lead, or would have been.
    pub rounds: i64,
    /// Rounds of applicants whose data are erased: they are counted as they were. 0 for an organisation.
    pub erased: i64,
    /// The plan does not run: the trial treats it as running.
    pub as_if_running: bool,
    /// The plan was edited, paused or resumed during these days.
    pub edited: bool,
    pub own: TrialSales,
    /// All plans that the viewer may see, together; for an organisation the plan alone.
    pub all: TrialSales,
    /// The plans whose sales change most; none for an organisation.
    pub others: Vec<TrialPlan>,
    /// All other plans together.
    pub rest: TrialSales,
    pub endings: Vec<TrialEnding>,
    /// New offers to which the buyers' answers are not known: of this plan, and of others.
    pub new_offers: i64,
    pub new_offers_of_others: i64,
    /// The share of offers in this time that the plan accepted, in basis points; none without an offer.
    pub taken_bp: Option<i64>,
    /// None for test leads, and for viewers who do not see all statistics by channel.
    pub margin: Option<TrialMargin>,
}

/// Replays past rounds with other terms. It changes nothing; one trial runs at a time.
pub async fn try_past(cx: Arc<Ctx>, Body(body): Body<PlanTrial>) -> Result<PlanTrialResult> {
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    let current = plan::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)?;
    let (until, days) = (cx.now, body.days);
    let tried = tried(&current, body, &*cx.app.service::<ChoiceBook>().current(cx.db()).await?)?;
    if !scope.is_platforms() {
        own::check(&current, &tried)?;
    }
    // Whole days, as in the statistics.
    let from = clock::start(clock::day(until - days * DAY));
    let handoff = cx.app.service::<Handoff>();
    let _turn =
        timeout(PATIENCE, handoff.trials(scope.is_platforms()).acquire()).await.map_err(|_| ApiError::Busy)?.map_err(|_| ApiError::Busy)?;
    let db = cx.db().for_workers();
    // Test organisations and live ones buy different leads.
    let test = standing::standings(db.read(), [current.org_id], until).await?.get(&current.org_id).is_some_and(|org| org.test);
    if records::count_rounds(&db, test, from, until, MOST_ROUNDS + 1).await? > MOST_ROUNDS {
        // How many there were is not for an organisation.
        return Err(ApiError::field("days", say("线索太多，请选择更少的天数", "Too many leads: choose fewer days")));
    }
    let policy = Policy::of(&cx.app).await?;
    let on_sale = plan::on_sale_since(&db, from, MOST_PLANS).await?.into_iter().filter(|plan| plan.id != current.id);
    let others: Arc<HashMap<i64, PlanRow>> = Arc::new(on_sale.map(|plan| (plan.id, plan)).collect());
    let capped: Vec<&PlanRow> = others.values().chain([&tried, &current]).filter(|plan| !plan.caps.is_empty()).collect();
    let (before, ends) = before(&db, &capped, from).await?;
    let edited = current.updated_at >= from;
    let as_if_running = current.status != PlanStatus::Running;
    let plan_id = current.id;
    let trial = Trial { current, tried, others: others.clone(), method: policy.method, max_buyers: policy.max_buyers, until };
    let span = match trial.current.asks_past() || trial.tried.asks_past() {
        true => Some(reputation::span(&cx.app).await?),
        false => None,
    };
    let outcome = replay(&db, Replay::new(trial, before, ends), (test, span), from, until).await?;
    let mut result = PlanTrialResult {
        from,
        until,
        rounds: outcome.rounds,
        erased: outcome.erased,
        as_if_running,
        edited,
        own: TrialSales::default(),
        all: TrialSales::default(),
        others: Vec::new(),
        rest: TrialSales::default(),
        endings: endings(&outcome),
        new_offers: outcome.new_offers,
        new_offers_of_others: outcome.new_offers_of_others,
        taken_bp: taken(&outcome),
        margin: None,
    };
    if !test && matches!(scope, Scope::All) && viewer.has(COSTS) {
        result.margin = Some(margin(&db, (from, until), &outcome.money).await?);
    }
    match scope.is_platforms() {
        true => share_out(&db, scope, plan_id, &outcome, &others, &mut result).await?,
        false => own::keep(plan_id, &outcome, &mut result),
    }
    Ok(result)
}

/// The plan with the terms on trial, which pass the same checks as its form.
fn tried(current: &PlanRow, body: PlanTrial, choices: &Choices) -> Result<PlanRow> {
    let mut check = Check::new();
    check.range("days", body.days, 1..=MOST_DAYS);
    check.done()?;
    let mut form = Form {
        name: current.name.clone(),
        org_id: current.org_id,
        terms: PlanTerms {
            price_cents: body.price_cents,
            price_rules: body.price_rules,
            method_priority: body.method_priority,
            weight: body.weight,
            caps: body.caps,
            rule_set: body.rule_set,
            cities: places::tidy(body.cities),
            channel_allow: once(body.channel_allow),
            channel_deny: once(body.channel_deny),
            schedule: body.schedule,
            out_of_schedule: body.out_of_schedule,
            ..PlanTerms::of_row(current)
        },
        remark: String::new(),
    };
    form.check(choices)?;
    let PlanTerms {
        price_cents,
        price_rules,
        method_priority,
        weight,
        caps,
        rule_set,
        cities,
        channel_allow,
        channel_deny,
        schedule,
        out_of_schedule,
        ..
    } = form.terms;
    // A plan that does not run yet was not limited by its days in the past.
    let runs = current.status == PlanStatus::Running;
    let (starts_on, ends_on) = if runs { (current.starts_on.clone(), current.ends_on.clone()) } else { (None, None) };
    Ok(PlanRow {
        price_cents,
        price_rules,
        method_priority,
        weight,
        caps,
        rule_set,
        cities,
        channel_allow,
        channel_deny,
        schedule,
        out_of_schedule,
        starts_on,
        ends_on,
        ..current.clone()
    })
}

/// What plans with caps had used of the windows at a moment, and what is given back later.
async fn before(db: &Db, capped: &[&PlanRow], from: i64) -> Result<(Counters, Vec<(i64, i64, i64, i64)>)> {
    let starts = CapWindow::ALL.map(|window| window.start(from));
    // The plan on trial is there twice: with its own caps, and with those on trial.
    let ids: BTreeSet<i64> = capped.iter().map(|plan| plan.id).collect();
    let is_total = |id: &i64| capped.iter().any(|plan| plan.id == *id && plan.caps.iter().any(|cap| cap.window == CapWindow::Total));
    let (total, windows): (Vec<i64>, Vec<i64>) = ids.into_iter().partition(is_total);
    let month = starts.iter().copied().filter(|start| *start > 0).min().unwrap_or(from);
    let (mut counters, mut ends) = (Counters::default(), Vec::new());
    for (ids, since) in [(total, 0), (windows, month)] {
        for row in past_pushes::used_before(db, &ids, starts, since, from).await? {
            for ((window, start), used) in CapWindow::ALL.into_iter().zip(starts).zip(row.used) {
                counters.start(row.plan_id, window, start, used);
            }
        }
        ends.extend(past_pushes::ended_later(db, &ids, since, from).await?);
    }
    Ok((counters, ends))
}

/// Goes through all rounds of a time, of test leads or live ones, page by page. `span` is how far before each round a
/// person's past counts, in milliseconds.
async fn replay(db: &Db, mut replay: Replay, (test, span): (bool, Option<i64>), from: i64, until: i64) -> Result<Outcome> {
    let mut after = (from, 0);
    let mut offered_until: HashMap<i64, i64> = HashMap::new();
    loop {
        let rounds = records::rounds(db, test, (from, until), after, PAGE).await?;
        let Some(last) = rounds.last() else { break };
        after = (last.ended, last.id);
        let mut ids: Vec<i64> = rounds.iter().map(|round| round.user_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let people: HashMap<i64, rounds::PastApplicant> = rounds::past(db, &ids).await?.into_iter().map(|one| (one.id, one)).collect();
        let mut offers: HashMap<i64, Vec<PastOffer>> = HashMap::new();
        for offer in past_pushes::offered(db, &ids, from - HAD_DAYS * DAY).await? {
            offers.entry(offer.user_id).or_default().push(offer);
        }
        let mut known = known(db, &rounds, &people, span).await?;
        // On a thread of its own: reading and judging a thousand rounds takes some milliseconds of CPU time.
        let work = spawn_blocking(move || {
            for (place, row) in rounds.into_iter().enumerate() {
                let of = |from: i64, to: i64| {
                    offers.get(&row.user_id).into_iter().flatten().filter(move |offer| offer.at > from && offer.at <= to)
                };
                let since = offered_until.insert(row.user_id, row.ended);
                if since.is_none() {
                    of(i64::MIN, from - 1).for_each(|offer| replay.had_before(row.user_id, &past_offer(offer)));
                }
                let made = of(since.unwrap_or(from - 1), row.ended);
                let Some(person) = people.get(&row.user_id) else { continue };
                let reputation = known.remove(&place).unwrap_or_default();
                replay.round(&past_round(&row, person, reputation, made.map(past_offer).collect()));
            }
            (replay, offered_until)
        });
        (replay, offered_until) = work.await.map_err(|error| ApiError::Internal(error.into()))?;
    }
    Ok(replay.finish())
}

/// What was known of the applicants of some rounds when each round began, by position; empty without a span.
async fn known(
    db: &Db,
    rounds: &[records::RoundRow],
    people: &HashMap<i64, rounds::PastApplicant>,
    span: Option<i64>,
) -> Result<HashMap<usize, Reputation>> {
    let Some(span) = span else { return Ok(HashMap::new()) };
    // A round without an applicant still has a position.
    let hash = |id| people.get(&id).map_or_else(String::new, |person| person.phone_hash.clone());
    let asked: Vec<_> = rounds.iter().map(|round| (hash(round.user_id), round.began)).collect();
    let mut on = db.read().acquire().await?;
    Ok(reputation::of_all(&mut on, By::Phone, &asked, span).await?)
}

fn past_round(row: &records::RoundRow, person: &rounds::PastApplicant, reputation: Reputation, offers: Vec<Offer>) -> PastRound {
    let said = person.said.as_deref().and_then(|said| serde_json::from_str(said).ok());
    PastRound {
        user_id: row.user_id,
        began: row.began,
        channel_id: person.channel_id,
        test: person.test,
        facts: said.map(|said| reputation.add_to(facts_of(&said).unwrap_or_default())),
        recipients: person.recipients.clone(),
        all_partners: person.all_partners,
        // A value that an older version stored and this one cannot read counts as empty.
        passed: serde_json::from_str::<Passed>(&row.passed_over).unwrap_or_default(),
        offers,
        paid_cents: person.paid_cents,
        lead_cents: person.lead_cents,
    }
}

fn past_offer(offer: &PastOffer) -> Offer {
    use PushStatus::{Accepted, Cancelled, Duplicate, Failed, Rejected, Returned};
    let exclusive = offer.sale_mode == SaleMode::Exclusive;
    Offer {
        plan_id: offer.plan_id,
        org_id: offer.org_id,
        price_cents: offer.price_cents,
        exclusive,
        most_buyers: offer.most_buyers.unwrap_or(if exclusive { 1 } else { i64::MAX }),
        at: offer.at,
        bought: !matches!(offer.status, Rejected | Duplicate | Failed | Cancelled),
        ended_at: matches!(offer.status, Rejected | Duplicate | Failed | Cancelled | Returned).then_some(offer.updated_at),
        taken: match offer.status {
            Accepted => Taken::Yes,
            Returned => Taken::Returned,
            _ => Taken::No,
        },
        cost_cents: offer.cost_cents,
        charged_cents: offer.charged_cents,
    }
}

fn endings(outcome: &Outcome) -> Vec<TrialEnding> {
    let name = |ending: &Ending| match ending {
        Ending::Bought => "bought",
        Ending::Refused => "refused",
        Ending::NotRunning => "not_running",
        Ending::PassedOver(reason) => <&str>::from(*reason),
    };
    let row =
        |(ending, pair): (&Ending, &Pair<i64>)| TrialEnding { ending: name(ending).to_owned(), was: pair.was, would_be: pair.would_be };
    outcome.endings.iter().map(row).collect()
}

fn taken(outcome: &Outcome) -> Option<i64> {
    let was = |ending: Ending| outcome.endings.get(&ending).map_or(0, |pair| pair.was);
    let (bought, refused) = (was(Ending::Bought), was(Ending::Refused));
    (bought + refused > 0).then(|| bought * 10_000 / (bought + refused))
}

/// The margin of some days by the statistics, and with the changes of the replay.
async fn margin(db: &Db, (from, until): (i64, i64), Pair { was, would_be }: &Pair<Money>) -> Result<TrialMargin> {
    let (first, last) = (clock::day(from), clock::day(until));
    let of_days = stats::margin(db, Scope::All, first, last).await?;
    let (income, cost) = (of_days.income_cents + would_be.income - was.income, of_days.cost_cents + would_be.cost - was.cost);
    Ok(TrialMargin {
        first_day: first.to_string(),
        last_day: last.to_string(),
        was_income_cents: of_days.income_cents,
        was_cost_cents: of_days.cost_cents,
        was_margin_cents: of_days.margin_cents,
        would_be_income_cents: income,
        would_be_cost_cents: cost,
        would_be_margin_cents: income - cost,
    })
}

/// Splits the sales: the plan, the others that the viewer may see, and the rest.
async fn share_out(
    db: &Db,
    scope: Scope,
    plan_id: i64,
    outcome: &Outcome,
    plans_of: &HashMap<i64, PlanRow>,
    result: &mut PlanTrialResult,
) -> Result<()> {
    let sold: Vec<i64> = outcome.sales.keys().copied().collect();
    let seen = plan::within(db, scope, &sold).await?;
    let mut differing: BTreeMap<i64, Pair<Sum>> = BTreeMap::new();
    // Sales of plans outside the viewer's scope are left out of the sums, too.
    for (id, pair) in outcome.sales.iter().filter(|(id, _)| seen.contains(id)) {
        result.all.add(*pair);
        match *id == plan_id {
            true => result.own.add(*pair),
            false if pair.was != pair.would_be => drop(differing.insert(*id, *pair)),
            false => result.rest.add(*pair),
        }
    }
    let mut changes: Vec<(i64, Pair<Sum>)> = differing.into_iter().collect();
    changes.sort_by_key(|(id, pair)| (-(pair.would_be.cents - pair.was.cents).abs(), *id));
    for (id, pair) in changes {
        match plans_of.get(&id).filter(|_| result.others.len() < MOST_LISTED) {
            Some(plan) => {
                let mut sales = TrialSales::default();
                sales.add(pair);
                result.others.push(TrialPlan { plan_id: id, plan_name: plan.name.clone(), org_name: plan.org_name.clone(), sales });
            }
            None => result.rest.add(pair),
        }
    }
    Ok(())
}

impl TrialSales {
    fn add(&mut self, pair: Pair<Sum>) {
        self.was_leads += pair.was.leads;
        self.was_cents += pair.was.cents;
        self.would_be_leads += pair.would_be.leads;
        self.would_be_cents += pair.would_be.cents;
    }
}
