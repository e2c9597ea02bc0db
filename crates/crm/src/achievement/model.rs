//! The types of achievements, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use super::month::Month;
use super::pace::ObjectPace;
use base::codes;
use frame::api::ListFilters;
use frame::api::chart::Chart;
use frame::api::list::lenient_integer;
use frame::api::options::SelectOption;

codes! {
    /// The owner of an achievement.
    pub enum AchievementObject {
        Company("公司", "Company"),
        Team("团队", "Team"),
        Person("个人", "Person"),
    }
}

codes! {
    /// The metric.
    pub enum AchievementMetric {
        /// Fen: loans of confirmed money records, by the month of payment.
        LoanAmount("放款额", "Loan amount"),
        /// Fen: confirmed fees, deposits and others less refunds, by the month of payment.
        FeeReceived("收款额", "Fees received"),
        /// Clues that were signed first in the month.
        Signed("签约数", "Signed"),
        /// Clues whose person came first in the month.
        Visits("上门数", "Visits"),
    }
}

impl AchievementMetric {
    /// Its place in lists of four.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether it is in fen.
    pub fn is_money(self) -> bool {
        matches!(self, AchievementMetric::LoanAmount | AchievementMetric::FeeReceived)
    }
}

/// One metric of one object in a month. In the totals the id is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AchievementRow {
    /// The id of the object and the metric.
    pub id: i64,
    /// `YYYY-MM`.
    pub month: String,
    pub org_id: i64,
    pub org_name: String,
    pub object_type: AchievementObject,
    pub object_id: i64,
    pub object_name: String,
    /// The team of a person.
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub metric: AchievementMetric,
    /// Fen, or a number, as all values here.
    pub target: Option<i64>,
    pub actual: i64,
    /// In basis points of the target; none without a target above 0.
    pub rate_bp: Option<i64>,
    /// Among the teams or the people of the organisation, by what was reached; none of an organisation.
    pub rank: Option<i64>,
    /// The achievement of the month before.
    pub last_actual: i64,
    pub change: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AchievementFilters {
    /// `YYYY-MM`; by default this month. An invalid month matches no rows.
    pub month: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub object_type: Option<AchievementObject>,
    #[serde(deserialize_with = "lenient_integer")]
    pub object_id: Option<i64>,
    pub metric: Option<AchievementMetric>,
    /// A team and its people.
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    /// Leaves out those who left and what was deleted.
    #[serde(skip)]
    pub only_present: bool,
    /// Set if the month is the default.
    #[serde(skip)]
    pub is_default_month: bool,
}

impl ListFilters for AchievementFilters {
    // The rows are computed, so these are names of orders and no columns.
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("objectName", "objectName"),
        ("target", "target"),
        ("actual", "actual"),
        ("rateBp", "rateBp"),
        ("rank", "rank"),
        ("lastActual", "lastActual"),
        ("change", "change"),
    ];
    const ID: &'static str = "id";
    const ASCENDING: bool = true;

    fn apply_defaults(&mut self, now: i64) {
        if self.month.is_none() {
            self.month = Some(Month::of(now).to_string());
            self.is_default_month = true;
        }
    }

    fn settled(&self) -> Vec<(&'static str, String)> {
        self.month.iter().filter(|_| self.is_default_month).map(|month| ("month", month.clone())).collect()
    }
}

/// The target of an object and a metric in a month.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MonthFigure {
    pub metric: AchievementMetric,
    pub target: Option<i64>,
    pub actual: i64,
}

/// One target of a form.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct TargetEntry {
    /// `YYYY-MM`, at most 12 months ahead.
    pub month: String,
    pub object_type: AchievementObject,
    pub object_id: i64,
    pub metric: AchievementMetric,
    /// Fen, or a number; none takes the target away.
    pub target: Option<i64>,
}

/// Targets that are set together.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct TargetForm {
    /// At most 800.
    pub targets: Vec<TargetEntry>,
}

/// Copies the targets of the month before to objects that have none.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct TargetCopy {
    /// `YYYY-MM`: the month that gets them.
    pub month: String,
    pub org_id: Option<i64>,
}

/// How many targets were written.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct TargetsWritten {
    pub written: i64,
}

/// Which objects' targets of a month are read.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TargetQuery {
    /// `YYYY-MM`.
    pub month: String,
    pub org_id: Option<i64>,
    /// A team and its people.
    pub sub_org_id: Option<i64>,
    /// One object, with its kind.
    pub object_type: Option<AchievementObject>,
    pub object_id: Option<i64>,
}

/// The targets of an object in a month, and in the month before: fen, or numbers, in the order of the metrics; none
/// without a target.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TargetRow {
    pub object_type: AchievementObject,
    pub object_id: i64,
    pub name: String,
    pub org_name: String,
    pub sub_org_name: Option<String>,
    pub targets: Vec<Option<i64>>,
    pub before: Vec<Option<i64>>,
}

/// The targets of a month, to be edited.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct TargetTable {
    /// People, teams, organisations; within the viewer's scope, at most 200.
    pub rows: Vec<TargetRow>,
    /// How many there are.
    pub total: i64,
}

/// The data around the list: the charts, and the choices of its filters and forms.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AchievementCharts {
    pub charts: Vec<Chart>,
    /// What each object reached against what is due, those who are furthest behind first; at most 200.
    pub paces: Vec<ObjectPace>,
    /// Months to choose from, the latest first: past ones, and later ones with targets.
    pub months: Vec<String>,
    /// This month.
    pub month: String,
    pub teams: Vec<SelectOption>,
}
