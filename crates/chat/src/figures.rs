//! Figures of the chat for each member of the staff: their open conversations now; and for the conversations that began
//! in a range, how soon they were answered and closed, and their ratings.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::staff::TARGET;
use base::clock::{self, DAY};
use base::db::page::{Page, Sort};
use base::db::{Db, Sql};
use frame::access::Scope;
use frame::api::export::{self, Columns, Exported, Sheet};
use frame::api::list::lenient_integer;
use frame::api::{Ctx, ListFilters, ListQuery, Result, say};

/// Days that are shown by default, today among them.
const DEFAULT_DAYS: i64 = 7;

/// The figures of a member of the staff; the row of totals has the id 0.
#[derive(Clone, Debug, Default, Serialize, FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatFigureRow {
    pub id: i64,
    pub nickname: String,
    /// Open conversations now, and those of them in which the customer waits.
    pub open_now: i64,
    pub waiting_now: i64,
    /// Conversations that began in the range.
    pub conversations: i64,
    /// Those that were answered, and the mean milliseconds until then.
    pub answered: i64,
    pub first_reply_ms: Option<i64>,
    /// Those that were answered, and closed, later than the targets of their group.
    pub late_replies: i64,
    pub late_closes: i64,
    /// Those that were closed, and the mean milliseconds until then.
    pub closed: i64,
    pub close_ms: Option<i64>,
    /// Those that were rated, and the mean rating in hundredths of a star.
    pub rated: i64,
    pub rating_hundredths: Option<i64>,
    /// Those of customers with a verified phone number, and with an unverified one.
    pub phone_verified: i64,
    pub phone_unverified: i64,
}

/// Filters of the figures.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatFigureFilters {
    #[serde(deserialize_with = "frame::api::list::day_from")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "frame::api::list::day_to")]
    pub created_to: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub group_id: Option<i64>,
}

impl ListFilters for ChatFigureFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("conversations", "conversations"),
        ("openNow", "open_now"),
        ("waitingNow", "waiting_now"),
        ("firstReplyMs", "first_reply_ms"),
        ("closeMs", "close_ms"),
        ("ratingHundredths", "rating_hundredths"),
        ("nickname", "nickname"),
    ];
    const ID: &'static str = "id";

    /// Sets the last seven days if the query has none.
    fn apply_defaults(&mut self, now: i64) {
        if self.created_from.is_none() && self.created_to.is_none() {
            self.created_from = Some(clock::start(clock::day(now)) - (DEFAULT_DAYS - 1) * DAY);
        }
    }

    fn settled(&self) -> Vec<(&'static str, String)> {
        self.created_from.map(|from| ("createdFrom", clock::day(from).to_string())).into_iter().collect()
    }
}

/// `POST /chat/figures/page`.
pub async fn page(cx: Arc<Ctx>, mut query: ListQuery<ChatFigureFilters>) -> Result<Page<ChatFigureRow>> {
    query.filters.apply_defaults(cx.now);
    let all = rows(cx.db(), cx.viewer()?.scope(), &query.filters, query.sort).await?;
    let totals = totals(&all);
    let settled = query.filters.settled().into_iter().collect();
    Ok(Page { settled, ..Page::cut(all, query.current, query.page_size, Some(totals)) })
}

/// `POST /chat/figures/page/export`.
pub async fn export(cx: Arc<Ctx>, mut query: ListQuery<ChatFigureFilters>) -> Result<Exported> {
    query.filters.apply_defaults(cx.now);
    let all = rows(cx.db(), cx.viewer()?.scope(), &query.filters, query.sort).await?;
    let last = totals(&all);
    export::export_rows(cx, &query, sheet(), all, Some(last)).await
}

fn sheet() -> Sheet<ChatFigureRow> {
    Sheet {
        target: TARGET,
        title: say("客服统计", "Chat figures"),
        columns: Columns::<ChatFigureRow>::of("chatFigure")
            .text("nickname")
            .number("openNow")
            .number("waitingNow")
            .number("conversations")
            .number("answered")
            .number("firstReplyMs")
            .number("lateReplies")
            .number("closed")
            .number("closeMs")
            .number("lateCloses")
            .number("rated")
            .number("ratingHundredths")
            .number("phoneVerified")
            .number("phoneUnverified")
            .all(),
    }
}

async fn rows(db: &Db, scope: Scope, filters: &ChatFigureFilters, sort: Sort) -> Result<Vec<ChatFigureRow>> {
    let mut sql = Sql::new(
        "SELECT s.id, s.nickname, (SELECT COUNT(*) FROM chat_conversation o WHERE o.staff_id = s.id AND o.status = 'open') AS open_now, \
         (SELECT COUNT(*) FROM chat_conversation w WHERE w.staff_id = s.id AND w.status = 'open' AND w.waiting_since IS NOT NULL) AS waiting_now, \
         COALESCE(f.conversations, 0) AS conversations, COALESCE(f.answered, 0) AS answered, f.first_reply_ms, COALESCE(f.closed, 0) AS closed, \
         COALESCE(f.late_replies, 0) AS late_replies, COALESCE(f.late_closes, 0) AS late_closes, \
         f.close_ms, COALESCE(f.rated, 0) AS rated, f.rating_hundredths, COALESCE(f.phone_verified, 0) AS phone_verified, \
         COALESCE(f.phone_unverified, 0) AS phone_unverified \
         FROM chat_staff s LEFT JOIN (SELECT c.staff_id, COUNT(*) AS conversations, COUNT(c.first_reply_at) AS answered, \
         CAST(AVG(c.first_reply_at - c.created_at) AS BIGINT) AS first_reply_ms, COUNT(c.closed_at) AS closed, \
         COUNT(CASE WHEN c.first_reply_at > c.reply_due_at THEN 1 END) AS late_replies, \
         COUNT(CASE WHEN c.closed_at > c.resolve_due_at THEN 1 END) AS late_closes, \
         CAST(AVG(c.closed_at - c.created_at) AS BIGINT) AS close_ms, COUNT(c.rating) AS rated, CAST(AVG(c.rating * 100) AS BIGINT) AS rating_hundredths, \
         COUNT(k.phone_verified_at) AS phone_verified, COUNT(CASE WHEN k.phone_verified_at IS NULL THEN k.phone_hash END) AS phone_unverified \
         FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id WHERE c.staff_id IS NOT NULL",
    );
    sql.and("c.created_at >= ", filters.created_from).and("c.created_at < ", filters.created_to).and("c.group_id = ", filters.group_id);
    sql.push(" GROUP BY c.staff_id) f ON f.staff_id = s.id WHERE s.deleted_at IS NULL");
    if let Some(group_id) = filters.group_id {
        sql.push(" AND EXISTS (SELECT 1 FROM chat_staff_group m WHERE m.staff_id = s.id AND m.group_id = ").bind(group_id).push(")");
    }
    scope.apply(&mut sql, super::SCOPE);
    let mut all = sql.fetch_all(db.read()).await?.iter().map(ChatFigureRow::from_row).collect::<std::result::Result<Vec<_>, _>>()?;
    order(&mut all, sort);
    Ok(all)
}

/// Orders rows; those without a value come last.
fn order(rows: &mut [ChatFigureRow], sort: Sort) {
    rows.sort_by(|one, other| one.nickname.cmp(&other.nickname).then(one.id.cmp(&other.id)));
    let value = |row: &ChatFigureRow| match sort.column {
        "open_now" => Some(row.open_now),
        "waiting_now" => Some(row.waiting_now),
        "first_reply_ms" => row.first_reply_ms,
        "close_ms" => row.close_ms,
        "rating_hundredths" => row.rating_hundredths,
        _ => Some(row.conversations),
    };
    match sort.column {
        "nickname" if sort.descending => rows.reverse(),
        "nickname" => {}
        _ => rows.sort_by_key(|row| {
            let value = value(row);
            (value.is_none(), value.map(|value| if sort.descending { -value } else { value }))
        }),
    }
}

/// All members of the staff together: means are of all conversations.
fn totals(rows: &[ChatFigureRow]) -> ChatFigureRow {
    let mut sum = ChatFigureRow::default();
    let (mut first_reply, mut close, mut rating) = (0, 0, 0);
    for row in rows {
        sum.open_now += row.open_now;
        sum.waiting_now += row.waiting_now;
        sum.conversations += row.conversations;
        sum.answered += row.answered;
        sum.late_replies += row.late_replies;
        sum.late_closes += row.late_closes;
        sum.closed += row.closed;
        sum.rated += row.rated;
        sum.phone_verified += row.phone_verified;
        sum.phone_unverified += row.phone_unverified;
        first_reply += row.first_reply_ms.unwrap_or(0) * row.answered;
        close += row.close_ms.unwrap_or(0) * row.closed;
        rating += row.rating_hundredths.unwrap_or(0) * row.rated;
    }
    let mean = |total: i64, number: i64| (number > 0).then(|| total / number);
    ChatFigureRow {
        first_reply_ms: mean(first_reply, sum.answered),
        close_ms: mean(close, sum.closed),
        rating_hundredths: mean(rating, sum.rated),
        ..sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_all_weigh_by_conversations() {
        let row = |id, answered, first_reply_ms| ChatFigureRow {
            id,
            answered,
            first_reply_ms,
            conversations: answered,
            ..ChatFigureRow::default()
        };
        let mut rows = [row(1, 1, Some(100)), row(2, 3, Some(20)), row(3, 0, None)];
        assert_eq!(totals(&rows).first_reply_ms, Some(40));
        assert_eq!(totals(&rows[2..]).first_reply_ms, None);
        order(&mut rows, Sort { column: "first_reply_ms", descending: false, id: "id" });
        assert_eq!(rows.map(|row| row.id), [2, 1, 3]);
    }
}
