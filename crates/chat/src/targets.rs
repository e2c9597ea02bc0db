//! Targets of a group: by when a conversation should have its first answer and its end, in minutes of the group's working hours. Here
//! is the only place of the rule.

use sqlx::Row;

use base::clock::MINUTE;
use base::db::Connection;
use frame::terms::Schedule;

/// SQL over a conversation `c` that is not closed: by when the next of its targets should be met; null without one.
macro_rules! due {
    () => {
        "CASE WHEN c.first_reply_at IS NULL THEN COALESCE(c.reply_due_at, c.resolve_due_at) ELSE c.resolve_due_at END"
    };
}
pub(crate) use due;

/// SQL over the same and its group `g`: when a fifth of the minutes of that target is left.
macro_rules! due_soon {
    () => {
        "CASE WHEN c.first_reply_at IS NULL AND c.reply_due_at IS NOT NULL THEN c.reply_due_at - g.reply_minutes * 12000 \
         ELSE c.resolve_due_at - g.resolve_minutes * 12000 END"
    };
}
pub(crate) use due_soon;

/// Sets by when a conversation that begins now, or again, should be answered and closed. A hand-over changes neither. One that was
/// answered before keeps the target of its first answer: that was met, or missed, once.
pub async fn set(tx: &mut Connection, conversation_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let row = sqlx::query(
        "SELECT g.working_hours, g.reply_minutes, g.resolve_minutes FROM chat_conversation c JOIN chat_group g ON g.id = c.group_id WHERE c.id = $1",
    )
    .bind(conversation_id)
    .fetch_one(&mut *tx)
    .await?;
    let hours: Option<String> = row.try_get("working_hours")?;
    let hours: Option<Schedule> =
        hours.map(|hours| serde_json::from_str(&hours)).transpose().map_err(|error| sqlx::Error::Decode(error.into()))?;
    sqlx::query("UPDATE chat_conversation SET reply_due_at = CASE WHEN first_reply_at IS NULL THEN $1 ELSE reply_due_at END, resolve_due_at = $2 WHERE id = $3")
        .bind(due_at(hours.as_ref(), now, row.try_get("reply_minutes")?))
        .bind(due_at(hours.as_ref(), now, row.try_get("resolve_minutes")?))
        .bind(conversation_id)
        .execute(tx)
        .await
        .map(drop)
}

/// When so many minutes of working hours have passed; none without a target.
fn due_at(hours: Option<&Schedule>, from: i64, minutes: i64) -> Option<i64> {
    match hours {
        _ if minutes <= 0 => None,
        Some(hours) => hours.open_for(from, minutes),
        None => Some(from + minutes * MINUTE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::clock::{self, HOUR};

    #[test]
    fn a_target_counts_the_working_hours_of_the_group() {
        let monday = clock::day_start("2026-03-02").unwrap();
        let hours: Schedule = serde_json::from_str(r#"{"1":[[540,1080]],"2":[[540,1080]]}"#).unwrap();
        let evening = monday + 17 * HOUR + 50 * MINUTE;
        assert_eq!(due_at(Some(&hours), evening, 30), Some(monday + 33 * HOUR + 20 * MINUTE));
        assert_eq!(due_at(None, evening, 30), Some(evening + 30 * MINUTE));
        assert_eq!((due_at(Some(&hours), evening, 0), due_at(None, evening, 0)), (None, None));
    }
}
