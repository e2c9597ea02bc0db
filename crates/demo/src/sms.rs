//! The demo's record of short messages: codes, warnings and news of leads of the last days, most of them delivered by
//! a provider that the demo does not have; some failed or are in doubt. None is sent.

use super::people::Account;
use super::random::Random;
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::Keys;
use base::db::Connection;
use frame::sms::{NewSms, SmsKind, SmsState, queue};

/// The state of a message, with the provider's words; and its outbox item, if a person may still decide.
struct Ending {
    state: SmsState,
    error: Option<&'static str>,
    tries: i64,
    item: &'static str,
}

const DELIVERED: Ending = Ending { state: SmsState::Delivered, error: None, tries: 1, item: "done" };
const ENDINGS: &[Ending] = &[
    DELIVERED,
    Ending { state: SmsState::Failed, error: Some("http_403"), tries: 6, item: "dead" },
    DELIVERED,
    Ending { state: SmsState::Unconfirmed, error: Some("too_late"), tries: 6, item: "unconfirmed" },
    Ending { state: SmsState::Accepted, error: None, tries: 1, item: "done" },
    Ending { state: SmsState::Undelivered, error: Some("关机"), tries: 1, item: "done" },
    DELIVERED,
    Ending { state: SmsState::Failed, error: Some("17 模板未审核"), tries: 1, item: "dead" },
    DELIVERED,
    Ending { state: SmsState::Expired, error: Some("expired"), tries: 3, item: "expired" },
    Ending { state: SmsState::GivenUp, error: Some("unreachable"), tries: 6, item: "given_up" },
    DELIVERED,
];
const MESSAGES: i64 = 36;

/// Adds it.
pub async fn insert(tx: &mut Connection, keys: &Keys, accounts: &[Account], random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let operator = accounts.iter().find(|account| account.role == "operator").expect("the demo has every role");
    for index in 0..MESSAGES {
        let at = now - (MESSAGES - index) * 5 * HOUR - random.below(HOUR);
        let ending = &ENDINGS[index as usize % ENDINGS.len()];
        let phone = format!("1000001{:04}", random.between(1, 40));
        let kind = match (index % 5, ending.item) {
            // A message that waits for a person has not expired.
            (_, "dead" | "unconfirmed") if index % 4 == 1 => SmsKind::LowBalance,
            (_, "dead" | "unconfirmed") => SmsKind::NewLead,
            (0 | 1, _) => SmsKind::Code,
            (2, _) => SmsKind::NewLead,
            (3, _) => SmsKind::ClueGreeting,
            _ => SmsKind::Test,
        };
        let params = match kind {
            SmsKind::Code => vec![("code", "000000".to_owned()), ("minutes", "5".to_owned())],
            SmsKind::NewLead => vec![("leadNo", format!("L{index:06}"))],
            SmsKind::LowBalance => vec![("organisation", "星河助贷".to_owned()), ("balance", "820.00".to_owned())],
            SmsKind::ClueGreeting | SmsKind::ClueMissed | SmsKind::ClueAppointment => {
                vec![("organisation", "北辰".to_owned()), ("name", "马丽".to_owned())]
            }
            SmsKind::Test => Vec::new(),
        };
        let new = NewSms {
            kind,
            phone: &phone,
            params: &params,
            idem_key: &format!("demo-sms-{index}"),
            expires_at: at + if kind == SmsKind::Code { 5 * MINUTE } else { DAY },
            created_by: (kind == SmsKind::Test).then_some(operator.id),
        };
        let Some(id) = queue(tx, keys, &new, at).await? else { continue };
        end(tx, id, ending, at + random.below(20_000)).await?;
    }
    Ok(())
}

/// Ends a message as its provider is said to have ended it.
async fn end(tx: &mut Connection, id: i64, ending: &Ending, at: i64) -> Result<(), sqlx::Error> {
    let handed_over = matches!(ending.state, SmsState::Accepted | SmsState::Delivered | SmsState::Undelivered);
    let reported = handed_over && ending.state != SmsState::Accepted;
    let keeps = matches!(ending.item, "dead" | "unconfirmed");
    sqlx::query(
        "UPDATE outbox_item SET state = $1, due_at = NULL, tries = $2, unanswered = $3, last_error = $4, \
           payload_enc = CASE WHEN $5 = 1 THEN payload_enc ELSE NULL END, updated_at = $6 WHERE kind = 'sms' AND ref_id = $7",
    )
    .bind(ending.item)
    .bind(ending.tries)
    .bind(if ending.item == "unconfirmed" { ending.tries } else { 0 })
    .bind(ending.error)
    .bind(i64::from(keeps))
    .bind(at)
    .bind(id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "UPDATE sms_message SET state = $1, way = 'provider', provider_no = $2, last_error = $3, tries = $4, accepted_at = $5, \
           reported_at = $6, version = version + 1, updated_at = $7 WHERE id = $8",
    )
    .bind(<&str>::from(ending.state))
    .bind(handed_over.then(|| format!("P{:08}", 70_000 + id)))
    .bind(ending.error)
    .bind(ending.tries)
    .bind(handed_over.then_some(at))
    .bind(reported.then_some(at + 4000))
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}
