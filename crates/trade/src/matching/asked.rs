//! Questions of channels that were asked a moment ago: one that comes again is the same one, and has one
//! row and one count.

use super::model::MatchStatus;
use base::db::Connection;

/// What a channel asks.
pub struct Asked {
    pub channel_id: i64,
    /// Keyed: of whom, and what is said of him.
    pub question_hash: String,
}

impl Asked {
    /// Our number of the same question with the same answer, if it was asked after a moment.
    pub async fn before(&self, tx: &mut Connection, status: MatchStatus, since: i64) -> Result<Option<String>, sqlx::Error> {
        sqlx::query_scalar("SELECT no FROM match_question WHERE channel_id = $1 AND question_hash = $2 AND status = $3 AND at > $4")
            .bind(self.channel_id)
            .bind(&self.question_hash)
            .bind(<&str>::from(status))
            .bind(since)
            .fetch_optional(tx)
            .await
    }

    /// Keeps a question with its answer, and forgets some of the channel's that were asked before a moment.
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
