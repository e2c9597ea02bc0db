//! Deletes old rows every night, in small transactions. Each room says which of its rows are old ([`OldRows`]). One
//! node does it; another takes over a run that failed or was cut off.
//!
//! Not here: rows with their own lifetime that are deleted by day (`visit`, [`base::nonce`], `access::tries`, the
//! outbox, exports, uploads), and what stays forever: the audit trail, money, leads, and the rounds that found a
//! buyer, from which the daily figures are rebuilt. Applicants and consents are erased by `applicant::retain`, and with them what
//! they wrote in chats.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use base::clock::{self, DAY, HOUR};
use frame::api::{self, App};
use frame::daily_task::DailyTask;
use frame::setting;
use lead::applicant;

/// When it begins, on Shanghai's clock.
const AT: i64 = 4 * HOUR;
/// How often the time is checked.
const LOOK: Duration = Duration::from_secs(600);
/// Rows deleted in one transaction: few, since other writers wait meanwhile; and the pause after it.
const BATCH: i64 = 1000;
const PAUSE: Duration = Duration::from_millis(20);
/// Milliseconds for which a code that was sent is kept, for who looks into an attack.
const CODES: i64 = 30 * DAY;
/// And a session that is over.
const SESSIONS: i64 = 90 * DAY;
/// And what was taken under a cap whose window is over: no lead is given back so late that it mattered.
const CAPS: i64 = 100 * DAY;
/// And which night's work was done.
const TASKS: i64 = 100 * DAY;
/// And what short limits counted.
const COUNTED: i64 = DAY;

/// What goes: rows from before a moment, so many at a time.
struct Old {
    what: &'static str,
    before: i64,
    /// `$1` the moment, `$2` how many.
    statement: &'static str,
}

/// A node that has deleted nothing for so long is taken to have stopped, and another goes on.
const LEASE: i64 = HOUR;

/// Works every night until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(LOOK, stop.clone(), async || {
        if let Err(error) = tonight(&app, &stop).await {
            tracing::error!(?error, "retention: old rows could not be deleted");
        }
    })
    .await;
}

/// Does tonight's work, if it is time and no node has done it or is doing it; returns how many rows were deleted. A
/// run that fails, or that `stop` cuts off, is left to the next node.
pub async fn tonight(app: &App, stop: &CancellationToken) -> api::Result<Option<u64>> {
    let now = app.clock.now();
    let today = clock::day(now);
    if now < clock::start(today) + AT {
        return Ok(None);
    }
    let Some(mut task) = DailyTask::start(app, "retention", LEASE).await? else { return Ok(None) };
    let swept = sweep(app, &mut task, stop).await;
    task.leave(app, swept.is_ok() && !stop.is_cancelled()).await?;
    swept.map(Some)
}

/// Deletes old rows. Returns how many.
async fn sweep(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> api::Result<u64> {
    let now = app.clock.now();
    let tries = now - app.settings.get(&app.db, &setting::LEAD_TRIES_DAYS).await? * DAY;
    let logins = now - app.settings.get(&app.db, &setting::SECURITY_LOGIN_LOG_DAYS).await? * DAY;
    let messages = now - app.settings.get(&app.db, &setting::SMS_KEEP_DAYS).await? * DAY;
    let mut gone = 0;
    for old in [
        // Whose lead is on its way, or in doubt, is looked at by people.
        Old {
            what: "tries of leads",
            before: tries,
            statement: "DELETE FROM push_attempt WHERE id IN (SELECT t.id FROM push_attempt t JOIN push_record h ON h.id = t.push_id \
                        WHERE t.at < $1 AND h.status NOT IN ('queued', 'sending', 'retrying', 'unconfirmed') ORDER BY t.at LIMIT $2)",
        },
        Old {
            what: "tries to tell channels",
            before: tries,
            statement: "DELETE FROM feedback_attempt WHERE id IN (SELECT t.id FROM feedback_attempt t JOIN feedback f ON f.id = t.feedback_id \
                        WHERE t.at < $1 AND f.callback_status NOT IN ('waiting', 'failed') ORDER BY t.at LIMIT $2)",
        },
        // Of rounds that found a buyer the daily figures are made again.
        Old {
            what: "questions and rounds",
            before: tries,
            statement: "DELETE FROM match_record WHERE id IN (SELECT m.id FROM match_record m WHERE m.created_at < $1 \
                        AND NOT (m.direction = 'round' AND m.status = 'matched') \
                        AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.match_id = m.id) ORDER BY m.created_at, m.id LIMIT $2)",
        },
        Old {
            what: "sign-ins",
            before: logins,
            statement: "DELETE FROM login_log WHERE id IN (SELECT id FROM login_log WHERE at < $1 ORDER BY at LIMIT $2)",
        },
        Old {
            what: "sessions",
            before: now - SESSIONS,
            statement: "DELETE FROM admin_session WHERE id IN (SELECT id FROM admin_session WHERE expires_at < $1 ORDER BY id LIMIT $2)",
        },
        Old {
            what: "codes",
            before: now - CODES,
            statement: "DELETE FROM verification_code WHERE id IN (SELECT id FROM verification_code WHERE created_at < $1 ORDER BY id LIMIT $2)",
        },
        Old {
            what: "codes of visitors",
            before: now - CODES,
            statement: "DELETE FROM chat_phone_code WHERE id IN (SELECT id FROM chat_phone_code WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
        },
        Old {
            what: "searches by number",
            before: now - COUNTED,
            statement: "DELETE FROM number_search WHERE (admin_id, list, value_hash) IN \
                        (SELECT admin_id, list, value_hash FROM number_search WHERE at < $1 LIMIT $2)",
        },
        Old {
            what: "reveals",
            before: now - COUNTED,
            statement: "DELETE FROM reveal WHERE (admin_id, day, target_type, target_id) IN \
                        (SELECT admin_id, day, target_type, target_id FROM reveal WHERE at < $1 ORDER BY at LIMIT $2)",
        },
        Old {
            what: "limits of reveals",
            before: now - COUNTED,
            statement: "DELETE FROM reveal_limit WHERE (admin_id, day) IN (SELECT admin_id, day FROM reveal_limit WHERE at < $1 LIMIT $2)",
        },
        Old {
            what: "repeated questions",
            before: now - COUNTED,
            statement: "DELETE FROM match_question WHERE (channel_id, question_hash) IN \
                        (SELECT channel_id, question_hash FROM match_question WHERE at < $1 LIMIT $2)",
        },
        // The counter first: what was taken under it then counts for nothing.
        Old {
            what: "caps whose windows are over",
            before: now - CAPS,
            statement: "DELETE FROM cap_counter WHERE (rule_id, window_start) IN (SELECT c.rule_id, c.window_start FROM cap_counter c \
                        JOIN cap_rule k ON k.id = c.rule_id WHERE c.window_start < $1 AND k.\"window\" <> 'total' LIMIT $2)",
        },
        Old {
            what: "what was taken under them",
            before: now - CAPS,
            statement: "DELETE FROM cap_taken WHERE (push_id, rule_id) IN (SELECT t.push_id, t.rule_id FROM cap_taken t WHERE t.window_start < $1 \
                        AND NOT EXISTS (SELECT 1 FROM cap_counter c WHERE c.rule_id = t.rule_id AND c.window_start = t.window_start) LIMIT $2)",
        },
        // What failed or is in doubt is looked at by people; of codes and tests nobody can make anything then.
        Old {
            what: "short messages",
            before: messages,
            statement: "DELETE FROM sms_message WHERE id IN (SELECT id FROM sms_message WHERE created_at < $1 AND state <> 'waiting' \
                        AND (state NOT IN ('failed', 'unconfirmed') OR kind IN ('code', 'test')) ORDER BY created_at, id LIMIT $2)",
        },
        Old {
            what: "what carried them",
            before: messages,
            statement: "DELETE FROM outbox_item WHERE id IN (SELECT i.id FROM outbox_item i WHERE i.kind = 'sms' AND i.state IN ('dead', 'unconfirmed') \
                        AND i.due_at IS NULL AND i.updated_at < $1 AND i.ref_id IS NOT NULL \
                        AND NOT EXISTS (SELECT 1 FROM sms_message s WHERE s.id = i.ref_id) LIMIT $2)",
        },
        Old {
            what: "nights",
            before: now - TASKS,
            statement: "DELETE FROM daily_task WHERE (name, day) IN (SELECT name, day FROM daily_task WHERE begun_at < $1 LIMIT $2)",
        },
    ] {
        gone += some_at_a_time(app, task, &old, stop).await?;
    }
    Ok(gone + applicant::retain::sweep(app, task, stop).await?)
}

/// Deletes rows in batches; stops where another node has taken the work over.
async fn some_at_a_time(app: &App, task: &mut DailyTask, old: &Old, stop: &CancellationToken) -> Result<u64, sqlx::Error> {
    let mut gone = 0;
    while !stop.is_cancelled() {
        let mut tx = app.db.begin().await?;
        let Some(renewed) = task.renew(app, &mut tx).await? else { break };
        let some = sqlx::query(old.statement).bind(old.before).bind(BATCH).execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        *task = renewed;
        gone += some;
        if some < BATCH as u64 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    if gone > 0 {
        tracing::info!(what = old.what, gone, "retention: over");
    }
    Ok(gone)
}
