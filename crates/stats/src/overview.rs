//! `GET /chart/overview`: today compared with yesterday at this hour, some days (the last seven) with as many before, the
//! largest changes and their reasons, and channels whose pass rate fell.

use std::sync::Arc;

use serde::Serialize;

use super::figure::{Kind, rate};
use super::model::{StatFilters, StatRow};
use super::rows::{self, Range};
use super::screen::{ChannelList, PlanList, Screen};
use base::clock::{self, DAY};
use base::db::Db;
use frame::access::Scope;
use frame::api::chart::Days;
use frame::api::{Ctx, Nothing, Result};
use trade::visit::{PassRates, SoFar, pass_rates, so_far};

/// Points of which one allows an account to see the overview: it consists of the data of these screens.
pub const POINTS: &[&str] = &["chart/channel-list/list", "chart/org-list/list"];

/// Days that are compared if none are asked for, and those of the mean for a pass rate.
const WEEK: i64 = 7;
const MEAN_DAYS: i64 = 28;
/// The fewest days with applicants, and the fewest applicants of a day, for an alert.
const LEAST_DAYS: i64 = 7;
const LEAST_APPLICANTS: i64 = 20;
/// Standard deviations from which a fall is an alert.
const DEVIATIONS: f64 = 3.0;
/// The most rows of a ranking.
const MOST: usize = 5;

/// The steps of the funnels of channels and of plans, up to the paid loan.
const CHANNEL_FUNNEL: &[&str] = &["visitors", "applicants", "passed", "matched", "sales", "contacted", "signed", "disbursed"];
const PLAN_FUNNEL: &[&str] = &["pushed", "sales", "contacted", "visited", "signed", "disbursed"];
/// The figures by which changes are split.
const CHANNEL_MONEY: &[&str] = &["costCents", "incomeCents", "marginCents"];
const PLAN_MONEY: &[&str] = &["costCents", "incomeCents"];

/// An overview of the business, within the viewer's scope.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatOverview {
    /// Today, `YYYY-MM-DD`, and the time of day, `HH:MM`.
    pub day: String,
    pub time: String,
    pub today: Vec<TodayFigure>,
    /// The first and the last of the days that are compared with as many before.
    pub first_day: String,
    pub last_day: String,
    /// For these days, each step with its share of the one before, in basis points.
    pub funnel: Vec<FunnelStep>,
    /// Whether rankings and changes are about the margin by channel, or about an organisation's spending by plan.
    pub of_channels: bool,
    pub best: Vec<RankRow>,
    pub worst: Vec<RankRow>,
    pub change: StatChange,
    /// Channels whose pass rate fell, the largest fall first.
    pub alerts: Vec<PassAlert>,
}

/// A figure of today until now, and of yesterday until the same time of day.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TodayFigure {
    pub key: &'static str,
    pub kind: Kind,
    pub value: i64,
    pub before: i64,
    /// Whether the list of leads has the counted rows, see [`Screen::opens_leads`].
    pub opens_leads: bool,
}

/// A step of the funnel.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FunnelStep {
    pub key: &'static str,
    pub value: i64,
    pub rate_bp: Option<i64>,
}

/// A channel or a plan in a ranking, in fen.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RankRow {
    pub id: i64,
    pub name: String,
    pub cents: i64,
    /// Of as many days before.
    pub before_cents: i64,
}

/// The change against as many days before, in fen, split in two ways, each adding up to it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatChange {
    pub cents: i64,
    /// None for an account manager, whose plans are not those that buy from their channels.
    pub reasons: Vec<ChangeReason>,
    pub subjects: Vec<ChangePart>,
    /// The change of all other subjects.
    pub others_cents: i64,
}

/// A part of a change.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChangePart {
    pub id: i64,
    pub name: String,
    pub cents: i64,
}

/// The reason of a change: `volume`, `mix`, `price`, `visits` or `cost`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChangeReason {
    pub key: &'static str,
    pub cents: i64,
}

/// A day on which a channel's pass rate was far below that of the 28 days before. Rates are in basis points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PassAlert {
    pub channel_id: i64,
    pub channel_name: String,
    /// `YYYY-MM-DD`.
    pub day: String,
    pub pass_bp: i64,
    pub mean_bp: i64,
    pub deviation_bp: i64,
}

/// Returns [`StatOverview`].
pub async fn view(cx: Arc<Ctx>, _: Nothing) -> Result<StatOverview> {
    let today = clock::start(clock::day(cx.now));
    overview(&cx, Range { first: today - WEEK * DAY, last: today - DAY }).await
}

/// The overview of some days, for viewers who may see it. Today, which is not over, counts only if it is the only day: it would make a
/// fall out of any comparison with whole days.
pub async fn for_viewer(cx: &Ctx, days: Days) -> Result<Option<StatOverview>> {
    let yesterday = clock::start(clock::day(cx.now)) - DAY;
    let last = (days.to - DAY).min(yesterday).max(days.from);
    match is_allowed(cx)? {
        true => Ok(Some(overview(cx, Range { first: days.from, last }).await?)),
        false => Ok(None),
    }
}

/// Today's figures, for viewers who may see them.
pub async fn today(cx: &Ctx) -> Result<Vec<TodayFigure>> {
    match is_allowed(cx)? {
        true => Ok(until_now(cx.db(), cx.viewer()?.scope(), cx.now).await?),
        false => Ok(Vec::new()),
    }
}

fn is_allowed(cx: &Ctx) -> Result<bool> {
    let viewer = cx.viewer()?;
    Ok(POINTS.iter().any(|point| viewer.has(point)))
}

async fn until_now(db: &Db, scope: Scope, now: i64) -> std::result::Result<Vec<TodayFigure>, sqlx::Error> {
    let today = clock::start(clock::day(now));
    let (until_now, yesterday) = tokio::try_join!(so_far(db, scope, (today, now)), so_far(db, scope, (today - DAY, now - DAY)))?;
    Ok(today_figures(&until_now, &yesterday, scope))
}

async fn overview(cx: &Ctx, range: Range) -> Result<StatOverview> {
    let (db, scope, now) = (cx.db(), cx.viewer()?.scope(), cx.now);
    let today = clock::start(clock::day(now));
    let before = Range { first: 2 * range.first - range.last - DAY, last: range.first - DAY };
    let of_channels = scope.is_platforms();
    let filters = StatFilters::default();
    let (channel_figures, plan_figures) = ([CHANNEL_FUNNEL, CHANNEL_MONEY].concat(), [PLAN_FUNNEL, PLAN_MONEY].concat());
    // An account manager's plans are not those that buy from their channels.
    let plans = async {
        match scope {
            Scope::Own(_) => Ok::<_, sqlx::Error>(None),
            _ => Ok(Some(rows::figures::<PlanList>(db, scope, &filters, (range, Some(before)), &plan_figures).await?)),
        }
    };
    let alerts = async {
        match of_channels {
            true => {
                let days = [today - (MEAN_DAYS + 1) * DAY, today - DAY, today].map(day_text);
                Ok(alerts(&pass_rates(db, scope, &days[0], &days[1], &days[2]).await?, &days[1], &days[2]))
            }
            false => Ok::<_, sqlx::Error>(Vec::new()),
        }
    };
    let channels = rows::figures::<ChannelList>(db, scope, &filters, (range, Some(before)), &channel_figures);
    let ((channels, channel_sum), plans, alerts, until_now) = tokio::try_join!(channels, plans, alerts, until_now(db, scope, now))?;
    let (subjects, whole, key) = match &plans {
        Some((plans, sum)) if !of_channels => (plans, sum, "incomeCents"),
        _ => (&channels, &channel_sum, "marginCents"),
    };
    let (first_day, last_day) = range.texts();
    let (best, worst) = rank(subjects, key);
    Ok(StatOverview {
        day: day_text(today),
        time: clock::local(now).strftime("%H:%M").to_string(),
        today: until_now,
        first_day,
        last_day,
        funnel: funnel(whole, of_channels),
        of_channels,
        best,
        worst,
        change: change(subjects, whole, key, plans.as_ref().map(|(plans, _)| plans)),
        alerts,
    })
}

fn day_text(at: i64) -> String {
    clock::day(at).to_string()
}

fn today_figures(now: &SoFar, before: &SoFar, scope: Scope) -> Vec<TodayFigure> {
    let opens_leads = ChannelList::opens_leads(scope);
    let figure = |key, kind, value: fn(&SoFar) -> i64| TodayFigure { key, kind, value: value(now), before: value(before), opens_leads };
    let mut figures = Vec::new();
    if scope.is_platforms() {
        figures.push(figure("applicants", Kind::Count, |sum| sum.registered));
        figures.push(figure("passed", Kind::Count, |sum| sum.applied));
    }
    figures.push(figure("pushed", Kind::Count, |sum| sum.pushed));
    figures.push(figure("sales", Kind::Count, |sum| sum.sold));
    figures.push(figure("soldCents", Kind::Money, |sum| sum.sold_cents));
    figures
}

fn funnel(whole: &StatRow, of_channels: bool) -> Vec<FunnelStep> {
    let keys = if of_channels { CHANNEL_FUNNEL } else { PLAN_FUNNEL };
    let mut steps: Vec<FunnelStep> = Vec::new();
    for key in keys {
        let value = whole.values.get(key).unwrap_or(0);
        let rate_bp = steps.last().and_then(|last| rate(value, last.value));
        steps.push(FunnelStep { key, value, rate_bp });
    }
    steps
}

/// The value of a row in fen, and of the days before.
fn cents(row: &StatRow, key: &str) -> (i64, i64) {
    (row.values.get(key).unwrap_or(0), row.before.and_then(|before| before.get(key)).unwrap_or(0))
}

/// The rows with the highest values, and of the others those with the lowest.
fn rank(rows: &[StatRow], key: &str) -> (Vec<RankRow>, Vec<RankRow>) {
    let mut all: Vec<RankRow> = rows
        .iter()
        .map(|row| {
            let (cents, before_cents) = cents(row, key);
            RankRow { id: row.subject_id, name: row.subject_name.clone(), cents, before_cents }
        })
        .filter(|row| row.cents != 0 || row.before_cents != 0)
        .collect();
    all.sort_by_key(|row| std::cmp::Reverse((row.cents, row.id)));
    let mut worst = all.split_off(all.len().min(MOST));
    worst.reverse();
    worst.truncate(MOST);
    (all, worst)
}

/// Splits the change of a figure by subject and, if the plans are known, by reason.
fn change(subjects: &[StatRow], whole: &StatRow, key: &str, plans: Option<&Vec<StatRow>>) -> StatChange {
    let (after, before) = cents(whole, key);
    let mut parts: Vec<ChangePart> = subjects
        .iter()
        .map(|row| {
            let (after, before) = cents(row, key);
            ChangePart { id: row.subject_id, name: row.subject_name.clone(), cents: after - before }
        })
        .filter(|part| part.cents != 0)
        .collect();
    parts.sort_by_key(|part| (std::cmp::Reverse(part.cents.abs()), part.id));
    parts.truncate(MOST);
    let change = after - before;
    StatChange {
        cents: change,
        others_cents: change - parts.iter().map(|part| part.cents).sum::<i64>(),
        subjects: parts,
        reasons: plans.map_or(Vec::new(), |plans| reasons(plans, whole, change)),
    }
}

/// Splits a change into: the number of sales at the earlier mean income (volume), the choice of plans at their earlier
/// incomes (mix), the incomes of the same plans (price), visits, and the cost of channels. The parts add up to the
/// change.
fn reasons(plans: &[StatRow], whole: &StatRow, change: i64) -> Vec<ChangeReason> {
    let value = |row: &StatRow, key: &str| cents(row, key);
    let mut sales = (0_i64, 0_i64);
    let mut income = (0_i64, 0_i64);
    let mut price = 0.0;
    for plan in plans {
        let ((sold, sold_before), (cents, cents_before)) = (value(plan, "sales"), value(plan, "incomeCents"));
        sales = (sales.0 + sold, sales.1 + sold_before);
        income = (income.0 + cents, income.1 + cents_before);
        // A plan that sold in only one of the ranges has no price to compare.
        if sold > 0 && sold_before > 0 {
            price += cents as f64 - sold as f64 * (cents_before as f64 / sold_before as f64);
        }
    }
    let price = price.round() as i64;
    let volume = match sales.1 {
        0 => 0,
        before => ((sales.0 - before) as f64 * (income.1 as f64 / before as f64)).round() as i64,
    };
    let mix = income.0 - income.1 - volume - price;
    let (cost, cost_before) = value(whole, "costCents");
    let visits = change - (income.0 - income.1) + (cost - cost_before);
    [("volume", volume), ("mix", mix), ("price", price), ("visits", visits), ("cost", cost_before - cost)]
        .into_iter()
        .filter(|(_, cents)| *cents != 0)
        .map(|(key, cents)| ChangeReason { key, cents })
        .collect()
}

/// Channels whose pass rate today or yesterday is more than three standard deviations below the mean of the 28 days
/// before yesterday.
fn alerts(channels: &[PassRates], yesterday: &str, today: &str) -> Vec<PassAlert> {
    let mut alerts = Vec::new();
    for channel in channels.iter().filter(|channel| channel.days >= LEAST_DAYS) {
        let mean = channel.sum / channel.days as f64;
        let variance = channel.sum_of_squares / channel.days as f64 - mean * mean;
        let deviation = variance.max(0.0).sqrt();
        let late = channel.late.iter().zip([yesterday, today]).filter(|((registered, _), _)| *registered >= LEAST_APPLICANTS);
        let rates = late.map(|((registered, applied), day)| (*applied as f64 / *registered as f64 * 10_000.0, day));
        let lowest = rates.min_by(|(one, _), (other, _)| one.total_cmp(other));
        // The deviation counts as at least a third of a percentage point, so that a fall of less than a point is no
        // alert.
        if let Some((pass, day)) = lowest.filter(|(pass, _)| mean - pass > DEVIATIONS * deviation.max(33.0)) {
            alerts.push(PassAlert {
                channel_id: channel.channel_id,
                channel_name: channel.channel_name.clone(),
                day: day.to_owned(),
                pass_bp: pass.round() as i64,
                mean_bp: mean.round() as i64,
                deviation_bp: deviation.round() as i64,
            });
        }
    }
    alerts.sort_by_key(|alert| (alert.pass_bp - alert.mean_bp, alert.channel_id));
    alerts.truncate(MOST);
    alerts
}

#[cfg(test)]
mod tests {
    use super::super::figure::StatValues;
    use super::*;

    fn plan(sales: (i64, i64), income: (i64, i64)) -> StatRow {
        let values =
            |sales: i64, income_cents: i64| StatValues { sales: Some(sales), income_cents: Some(income_cents), ..StatValues::default() };
        StatRow {
            id: 1,
            part: String::new(),
            first_day: String::new(),
            last_day: String::new(),
            subject_id: 1,
            subject_code: String::new(),
            subject_name: String::new(),
            system: None,
            star: None,
            values: values(sales.0, income.0),
            before: Some(values(sales.1, income.1)),
            week: None,
        }
    }

    fn of(reasons: &[ChangeReason]) -> Vec<(&'static str, i64)> {
        reasons.iter().map(|reason| (reason.key, reason.cents)).collect()
    }

    #[test]
    fn a_change_is_split_by_volume_mix_and_price() {
        let whole = plan((0, 0), (0, 0));
        // Twice as many at the same price.
        assert_eq!(of(&reasons(&[plan((20, 10), (40_000, 20_000))], &whole, 20_000)), [("volume", 20_000)]);
        // As many, each 5 yuan dearer.
        assert_eq!(of(&reasons(&[plan((10, 10), (25_000, 20_000))], &whole, 5_000)), [("price", 5_000)]);
        // As many in all, ten of them moved to a plan that pays more.
        let moved = [plan((0, 10), (0, 10_000)), plan((20, 10), (80_000, 40_000))];
        assert_eq!(of(&reasons(&moved, &whole, 30_000)), [("mix", 30_000)]);
        // A new plan has no earlier price; income without a plan comes from visits.
        let new = [plan((10, 10), (10_000, 10_000)), plan((10, 0), (30_000, 0))];
        assert_eq!(of(&reasons(&new, &whole, 31_000)), [("volume", 10_000), ("mix", 20_000), ("visits", 1_000)]);
        assert_eq!(of(&reasons(&[plan((5, 0), (500, 0))], &whole, 500)), [("mix", 500)]);
    }

    #[test]
    fn the_parts_of_a_change_add_up() {
        let mut seed = 7_i64;
        let mut next = |most: i64| {
            seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
            seed % most
        };
        for _ in 0..500 {
            let plans: Vec<StatRow> = (0..6).map(|_| plan((next(40), next(40)), (next(90_000), next(90_000)))).collect();
            let mut whole = plan((0, 0), (next(500_000), next(500_000)));
            whole.values.cost_cents = Some(next(100_000));
            whole.before = whole.before.map(|before| StatValues { cost_cents: Some(next(100_000)), ..before });
            let change = cents(&whole, "incomeCents").0 - cents(&whole, "incomeCents").1;
            let sum: i64 = reasons(&plans, &whole, change).iter().map(|reason| reason.cents).sum();
            assert_eq!(sum, change);
        }
    }

    #[test]
    fn a_pass_rate_that_falls_far_is_an_alert() {
        let channel = |channel_id: i64, rates: &[f64], late: [(i64, i64); 2]| PassRates {
            channel_id,
            channel_name: format!("c{channel_id}"),
            days: rates.len() as i64,
            sum: rates.iter().sum(),
            sum_of_squares: rates.iter().map(|rate| rate * rate).sum(),
            late,
        };
        let steady: Vec<f64> = (0..28).map(|back| 8000.0 + f64::from(back % 3) * 100.0).collect();
        let found = |channels: &[PassRates]| {
            let alerts = alerts(channels, "2026-03-29", "2026-03-30");
            alerts.iter().map(|alert| (alert.channel_id, alert.day.clone(), alert.pass_bp, alert.deviation_bp)).collect::<Vec<_>>()
        };
        assert_eq!(found(&[channel(1, &steady, [(0, 0), (0, 0)])]), []);
        // Far below, a little below, and far below of too few.
        let channels =
            [channel(1, &steady, [(100, 60), (100, 70)]), channel(2, &steady, [(100, 80), (0, 0)]), channel(3, &steady, [(0, 0), (19, 0)])];
        assert_eq!(found(&channels), [(1, "2026-03-29".to_owned(), 6000, 82)]);
        let equal = [8000.0; 28];
        assert_eq!(found(&[channel(4, &equal, [(0, 0), (100, 78)])]), [(4, "2026-03-30".to_owned(), 7800, 0)]);
        assert_eq!(found(&[channel(5, &steady[..1], [(100, 10), (0, 0)])]), [], "one day is no mean");
    }
}
