//! Recent questions of channels: a repeated question is the same one, and has one row and one count.

use super::model::MatchStatus;
use base::db::Connection;
use frame::old_rows::{Keep, OldRows};

/// The question of a channel.
pub struct Asked {
    pub channel_id: i64,
    /// Keyed hash of the person and the answers.
    pub question_hash: String,
}

impl Asked {
    /// The platform's number of the same question with the same answer, if it was asked after a moment.
    pub async fn before(&self, tx: &mut Connection, status: MatchStatus, since: i64) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("SELECT no FROM match_question WHERE channel_id = $1 AND question_hash = $2 AND status = $3 AND at > $4")
            .bind(self.channel_id)
            .bind(&self.question_hash)
            .bind(<&str>::from(status))
            .bind(since)
            .fetch_optional(tx)
            .await
    }

    /// Stores a question with its answer, and deletes some of the channel's from before a moment.
    pub async fn keep(&self, tx: &mut Connection, no: &str, status: MatchStatus, now: i64, forgotten: i64) -> Result<(), sqlx::Error> {
        sqlx::query(
            "DELETE FROM match_question WHERE channel_id = $1 AND question_hash IN (SELECT question_hash FROM match_question \
             WHERE channel_id = $2 AND at <= $3 ORDER BY at LIMIT 20)",
        )
        .bind(self.channel_id)
        .bind(self.channel_id)
        .bind(forgotten)
        .execute(&mut *tx)
        .await?;
        sqlx::query(
            "INSERT INTO match_question (channel_id, question_hash, no, status, at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (channel_id, question_hash) DO UPDATE SET no = excluded.no, status = excluded.status, at = excluded.at",
        )
        .bind(self.channel_id)
        .bind(&self.question_hash)
        .bind(no)
        .bind(<&str>::from(status))
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
    }
}

/// Counts of the limit of repeated questions.
pub const OLD_QUESTIONS: OldRows = OldRows {
    name: "repeated questions",
    keep: Keep::Days(1),
    statement: "DELETE FROM match_question WHERE (channel_id, question_hash) IN \
                (SELECT channel_id, question_hash FROM match_question WHERE at < $1 LIMIT $2)",
};
