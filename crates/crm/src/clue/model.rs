//! The types of clues, for the wire.

use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use sqlx::any::AnyRow;

use crate::model::{ClueLevel, ClueStage, FollowResult, FollowType, OwnerWay};
use base::clock::{self, DAY};
use base::codes;
use base::db::{Flag, JsonText};
use base::locale::Locale;
use frame::api::ListFilters;
use frame::api::YesNo;
use frame::api::list::{day_from, day_to, lenient_integer, optional_moment};
use frame::dict::TagColor;
use frame::places;
use frame::upload::StoredFile;

/// A clue as lists and its page show it. Name and phone are masked.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueRow {
    pub id: i64,
    /// `CL20260131-` and eight letters or digits.
    pub no: String,
    pub name_mask: String,
    pub phone_mask: String,
    #[sqlx(try_from = "places::Stored")]
    pub city: String,
    pub stage: ClueStage,
    pub level: ClueLevel,
    /// 0 to 3.
    pub star: i64,
    /// No person of its scope has opened it yet.
    #[sqlx(try_from = "Flag")]
    pub is_new: bool,
    /// The salesperson's account; none while it is in a pool.
    pub owner_id: Option<i64>,
    pub owner_name: Option<String>,
    pub pool_id: Option<i64>,
    pub pool_name: Option<String>,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub push_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub plan_name: Option<String>,
    pub channel_id: Option<i64>,
    pub channel_name: Option<String>,
    /// For a test lead: no money is recorded for it, and it is part of no figure.
    #[sqlx(try_from = "Flag")]
    pub test: bool,
    /// Epoch milliseconds, as all times here.
    pub next_follow_at: Option<i64>,
    /// How long the next contact is overdue: 0 not, 1 less than 3 days, 2 less than 5, 3 less than 7, 4 longer.
    pub escalation: i64,
    pub last_follow_at: Option<i64>,
    /// The beginning of the last note.
    pub last_follow_text: String,
    pub follow_count: i64,
    pub sms_count: i64,
    pub assigned_at: Option<i64>,
    /// The deadline of the first follow-up; none for a clue in a pool.
    pub response_due_at: Option<i64>,
    pub first_follow_at: Option<i64>,
    /// When it goes back to a pool without a follow-up.
    pub reclaim_at: Option<i64>,
    /// For a clue in a pool: from when on it may be claimed.
    pub claimable_at: Option<i64>,
    pub visited_at: Option<i64>,
    pub signed_at: Option<i64>,
    pub disbursed_at: Option<i64>,
    /// Why it was given up: a code of the dictionary `lead_lost_reason`, or `returned`.
    pub lost_reason: Option<String>,
    /// The same in words.
    #[sqlx(skip)]
    pub lost_reason_name: Option<String>,
    /// Of the dictionary's item.
    #[sqlx(skip)]
    pub label_color: Option<TagColor>,
    #[serde(skip)]
    #[ts(skip)]
    lost_zh: Option<String>,
    #[serde(skip)]
    #[ts(skip)]
    lost_en: Option<String>,
    #[serde(skip)]
    #[ts(skip)]
    lost_color: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl ClueRow {
    /// Reads a row of the list, its words in one language.
    pub fn read(row: &AnyRow, locale: Locale) -> Result<ClueRow, sqlx::Error> {
        let mut clue = ClueRow::from_row(row)?;
        let named = locale.pick(clue.lost_zh.take(), clue.lost_en.take());
        clue.label_color = clue.lost_color.take().and_then(|color| color.parse().ok());
        clue.lost_reason_name = match clue.lost_reason.as_deref() {
            Some(RETURNED) => Some(locale.pick("已退单", "Returned").to_owned()),
            code => named.or_else(|| code.map(str::to_owned)),
        };
        Ok(clue)
    }
}

/// The reason for clues whose lead was returned.
pub const RETURNED: &str = "returned";

codes! {
    /// When the next contact of a clue is due.
    pub enum ClueDue {
        Overdue("已逾期", "Overdue"),
        Today("今天", "Today"),
        Week("7 天内", "Within 7 days"),
        None("未安排", "Not planned"),
    }
}

codes! {
    /// When a clue goes back to a pool unless it is followed up.
    pub enum ClueReclaim {
        Soon("3 天内回收", "Reclaimed within 3 days"),
    }
}

codes! {
    /// The holder of a clue, as a filter.
    pub enum ClueHolder {
        Owned("有负责人", "Has an owner"),
        Pool("在公海", "In a pool"),
    }
}

codes! {
    /// Stages by whether there is still something to be done.
    pub enum ClueState {
        Open("进行中", "Open"),
        Closed("已结束", "Closed"),
    }
}

codes! {
    /// A stage that a clue has reached at some time, whatever its present one.
    pub enum ClueReached {
        Contacted("已联系", "Contacted"),
        Visited("已上门", "Visited"),
        Signed("已签约", "Signed"),
        Disbursed("已放款", "Disbursed"),
    }
}

/// Filter: clues that no person of their scope has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unopened {
    Yes,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClueFilters {
    /// A clue's number, or a whole phone number.
    pub keyword: Option<String>,
    #[serde(skip)]
    pub phone_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub owner_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub pool_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub plan_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    pub stage: Option<ClueStage>,
    pub state: Option<ClueState>,
    pub reached: Option<ClueReached>,
    /// The stars of its applicant; -1 for one without.
    #[serde(deserialize_with = "lenient_integer")]
    pub user_star: Option<i64>,
    pub holder: Option<ClueHolder>,
    pub level: Option<ClueLevel>,
    #[serde(deserialize_with = "lenient_integer")]
    pub star: Option<i64>,
    pub due: Option<ClueDue>,
    pub reclaim: Option<ClueReclaim>,
    /// Overdue for at least: 1 any time, 2 three days, 3 five, 4 seven.
    #[serde(deserialize_with = "lenient_integer")]
    pub escalation: Option<i64>,
    /// `yes`: those that no person has opened.
    pub unseen: Option<Unopened>,
    /// `yes` for clues of test leads, `no` for the others.
    pub test: Option<YesNo>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub assigned_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub assigned_to: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub visited_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub visited_to: Option<i64>,
    /// The owner of the clue when the person visited.
    #[serde(deserialize_with = "lenient_integer")]
    pub visited_by: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub signed_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub signed_to: Option<i64>,
    /// The owner of the clue when the contract was signed.
    #[serde(deserialize_with = "lenient_integer")]
    pub signed_by: Option<i64>,
    /// The team that visited or signed it, which may have another one now.
    #[serde(deserialize_with = "lenient_integer")]
    pub visited_team: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub signed_team: Option<i64>,
    /// Followed up by this account, on these days.
    #[serde(deserialize_with = "lenient_integer")]
    pub followed_by: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub followed_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub followed_to: Option<i64>,
    /// When the list was requested, for [`ClueDue`] and [`ClueReclaim`].
    #[serde(skip)]
    pub now: i64,
}

impl ListFilters for ClueFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "k.created_at"),
        // The engines disagree about where NULL sorts.
        ("nextFollowAt", "COALESCE(k.next_follow_at, 0)"),
        ("lastFollowAt", "COALESCE(k.last_follow_at, 0)"),
        ("assignedAt", "COALESCE(k.assigned_at, 0)"),
        ("followCount", "k.follow_count"),
    ];
    const ID: &'static str = "k.id";

    fn apply_defaults(&mut self, now: i64) {
        self.now = now;
    }
}

impl ClueFilters {
    /// The end of the day, and of the seventh from now, for [`ClueDue`].
    pub fn day_ends(&self) -> (i64, i64) {
        let end = clock::start(clock::day(self.now)) + DAY;
        (end, end + 6 * DAY)
    }

    /// The end of the time that [`ClueReclaim::Soon`] means.
    pub fn reclaim_ends(&self) -> i64 {
        self.now + 3 * DAY
    }
}

/// A follow-up, as the clue's page shows it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FollowRow {
    pub id: i64,
    pub admin_name: String,
    #[serde(rename = "type")]
    #[sqlx(rename = "type")]
    pub kind: FollowType,
    pub result: Option<FollowResult>,
    pub content: String,
    pub stage_from: ClueStage,
    pub stage_to: ClueStage,
    pub next_follow_at: Option<i64>,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub files: Vec<StoredFile>,
    pub at: i64,
}

/// A change of hands.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OwnerChange {
    pub id: i64,
    pub from_name: Option<String>,
    pub to_name: Option<String>,
    pub pool_name: Option<String>,
    pub way: OwnerWay,
    /// None where the program did it.
    pub admin_name: Option<String>,
    pub at: i64,
}

/// Another clue of the same person in the organisation.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SamePerson {
    pub id: i64,
    pub no: String,
    pub stage: ClueStage,
    pub owner_name: Option<String>,
    pub created_at: i64,
    /// Whether the viewer may open it.
    #[sqlx(try_from = "Flag")]
    pub is_visible: bool,
}

/// The applicant's answers, as far as the organisation that bought the lead may see them.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueApplicant {
    pub sex: Option<String>,
    pub age: Option<i64>,
    pub province: String,
    pub amount_cents: Option<i64>,
    pub product_name: Option<String>,
    /// The answers, by the names of an applicant's fields.
    #[ts(type = "Record<string, string | number | boolean>")]
    pub said: serde_json::Map<String, serde_json::Value>,
    /// When they applied.
    pub applied_at: i64,
    /// When the applicant withdrew the consent, if none holds any more: they want no contact.
    pub consent_withdrawn_at: Option<i64>,
    /// The applicant was erased: nothing can be revealed.
    pub erased: bool,
}

/// A clue with its story.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub clue: ClueRow,
    pub applicant: ClueApplicant,
    /// When the lead was sold, and its number; none of clues without a push.
    pub push_no: Option<String>,
    pub sold_at: Option<i64>,
    pub price_cents: Option<i64>,
    /// The latest first.
    pub follows: Vec<FollowRow>,
    /// The latest first.
    pub owners: Vec<OwnerChange>,
    pub same_person: Vec<SamePerson>,
    /// The person wants no text messages.
    pub opted_out: bool,
}

/// A follow-up to be written (`POST /crm/progress`).
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ProgressForm {
    pub id: i64,
    /// As read; the newest if absent.
    pub version: Option<i64>,
    /// The new stage. Absent: the stage stays, but a new clue becomes followed up.
    pub status: Option<ClueStage>,
    /// A note on the contact.
    pub note: Option<String>,
    #[serde(rename = "type")]
    #[ts(rename = "type")]
    pub kind: Option<FollowType>,
    pub result: Option<FollowResult>,
    /// Epoch milliseconds, or a day with a time or without; null: no contact is planned.
    #[serde(default, deserialize_with = "optional_moment")]
    pub next_at: Option<i64>,
    pub level: Option<ClueLevel>,
    pub star: Option<i64>,
    /// A code of the dictionary `lead_lost_reason`; needed to give a clue up.
    pub lost_reason: Option<String>,
    /// Uploaded for the kind of record `clue_follow`.
    #[serde(default)]
    pub file_ids: Vec<i64>,
}

/// Clues that are picked.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueIds {
    pub ids: Vec<i64>,
}

/// Clues for salespeople: all for one, split evenly among several, or as previewed.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct AssignForm {
    #[serde(default)]
    pub ids: Vec<i64>,
    pub salesperson_id: Option<i64>,
    #[serde(default)]
    pub salesperson_ids: Vec<i64>,
    /// As previewed; then without the other fields.
    #[serde(default)]
    pub shares: Vec<AssignShare>,
}

/// The clues that one salesperson gets.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AssignShare {
    pub salesperson_id: i64,
    pub ids: Vec<i64>,
}

/// The result of a transfer of clues.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct HandsResult {
    pub done: i64,
    /// Why each of the others was left as it was.
    pub left: Vec<LeftClue>,
}

/// A clue that did not change hands.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LeftClue {
    pub id: i64,
    pub no: String,
    pub reason: String,
}
