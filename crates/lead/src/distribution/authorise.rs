//! The step between the question and the lead. An organisation that answers with the address of its own page gets the
//! lead once the applicant has agreed there. Until then the lead is sold and its price held, and nothing is sent. The
//! channel takes the applicant to the page (`POST /open/user/status`), and the organisation reports the applicant's
//! answer (`POST /open/push/authorised`).

use serde_json::Value;

use super::settle::{self, Refusal};
use base::clock::MINUTE;
use base::crypto::{Keys, place};
use base::db::Tx;
use base::outbox::{self, Kind};
use frame::api::check::is_public;
use frame::api::{ApiError, App};
use frame::setting;
use trade::org::call::AUTH_PAGES;
use trade::plan::push::authorisation;
use trade::plan::push::delivery;
use trade::plan::push::delivery::Delivery;
use trade::plan::push::model::{AuthStatus, PushStatus};

/// The refusal code of a lead whose applicant did not agree on the organisation's page.
pub const DECLINED: &str = "auth_declined";
/// The refusal code of a lead whose applicant did not open the page in time.
pub const EXPIRED: &str = "auth_expired";

/// The page on which an applicant is to agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthPage {
    /// The answer names no page: the applicant need not agree.
    NotAsked,
    /// The address as it was sent.
    At(String),
    /// The answer names a page that cannot be opened.
    Unusable,
}

/// Reads the page from an answer to the question before a lead, at its top or in its `data`.
pub fn page_of(answer: Option<&Value>) -> AuthPage {
    let places = [answer, answer.and_then(|answer| answer.get("data"))];
    let named = places.into_iter().flatten().find_map(|place| AUTH_PAGES.iter().find_map(|name| place.get(*name)));
    match named {
        None | Some(Value::Null) => AuthPage::NotAsked,
        Some(Value::String(text)) if text.trim().is_empty() => AuthPage::NotAsked,
        Some(Value::String(text)) => {
            let text = text.trim();
            let opens = is_public(text, &["https"]);
            if opens { AuthPage::At(text.to_owned()) } else { AuthPage::Unusable }
        }
        Some(_) => AuthPage::Unusable,
    }
}

/// A lead that waits until its applicant has agreed.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// The page's address.
    pub url: String,
    /// Epoch milliseconds.
    pub until: i64,
}

impl Awaited {
    /// Seals the address for the push of this number.
    pub fn sealed(&self, keys: &Keys, no: &str) -> String {
        keys.seal(&place::PUSH_AUTH_URL.of(no), &self.url)
    }
}

/// The deadline for an applicant who is taken to such a page now.
pub async fn until(app: &App, now: i64) -> Result<i64, ApiError> {
    Ok(now + app.settings.get(&app.db, &setting::PUSH_AUTH_MINUTES).await? * MINUTE)
}

/// What an organisation reports of an applicant on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// The lead is sent now, or another plan is looked for.
    Done,
    /// It was reported earlier.
    Before,
    /// No lead of the applicant waits for the report, or does so any longer.
    NotAwaited,
}

/// Handles an organisation's report about an applicant: they agreed, or not. A second report of the same counts once.
pub async fn report(app: &App, tx: &mut Tx, org_id: i64, user_no: &str, agreed: bool) -> Result<Reported, ApiError> {
    let now = tx.now(&app.clock).await?;
    let Some((push_id, status)) = authorisation::last(tx, org_id, user_no).await? else { return Ok(Reported::NotAwaited) };
    match (status, agreed) {
        (AuthStatus::Waiting, _) => {}
        (AuthStatus::Authorised, true) | (AuthStatus::Declined, false) => return Ok(Reported::Before),
        _ => return Ok(Reported::NotAwaited),
    }
    // Locks in the order of a delivery: the outbox item, the applicant, the lead.
    if agreed {
        let wait = app.settings.last_known(&app.db, &setting::PUSH_WAIT_MINUTES).await? * MINUTE;
        if !outbox::queue::again(tx, Kind::Delivery, push_id, Some(now + wait), now).await? {
            return Ok(Reported::NotAwaited);
        }
    } else if !outbox::queue::withdraw(tx, Kind::Delivery, push_id, now).await? {
        return Ok(Reported::NotAwaited);
    }
    // While this waited for the lock, another report may have come or the deadline passed.
    let push = delivery::find(tx, push_id).await?.filter(|push| push.auth_status == Some(AuthStatus::Waiting));
    let Some(push) = push else { return Err(ApiError::Busy) };
    match agreed {
        true => authorisation::set(tx, push.id, AuthStatus::Authorised, now).await?,
        false => give_up(tx, &push, AuthStatus::Declined, now).await?,
    }
    Ok(Reported::Done)
}

/// Ends a lead whose applicant did not agree, or not in time. Another plan is looked for.
pub(super) async fn give_up(tx: &mut Tx, push: &Delivery, status: AuthStatus, now: i64) -> Result<(), ApiError> {
    let code = if status == AuthStatus::Expired { EXPIRED } else { DECLINED };
    authorisation::set(tx, push.id, status, now).await?;
    let refusal = Refusal { status: PushStatus::Failed, code: code.to_owned(), reason: code.to_owned() };
    settle::refuse(tx, push, &refusal, now).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_is_an_address_that_a_browser_opens() {
        let at = |text: &str| AuthPage::At(text.to_owned());
        for (answer, page) in [
            (json!({"code": 0}), AuthPage::NotAsked),
            (json!({"authUrl": null}), AuthPage::NotAsked),
            (json!({"authUrl": " "}), AuthPage::NotAsked),
            (json!({"authUrl": " https://north.example.com/a?t=1 "}), at("https://north.example.com/a?t=1")),
            (json!({"data": {"auth_url": "https://north.example.com/b"}}), at("https://north.example.com/b")),
            (json!({"authUrl": "http://north.example.com/a"}), AuthPage::Unusable),
            (json!({"authUrl": "javascript:alert(1)"}), AuthPage::Unusable),
            (json!({"authUrl": "/a"}), AuthPage::Unusable),
            (json!({"authUrl": 7}), AuthPage::Unusable),
            (json!({"authUrl": format!("https://north.example.com/{}", "a".repeat(500))}), AuthPage::Unusable),
        ] {
            assert_eq!(page_of(Some(&answer)), page, "{answer}");
        }
        assert_eq!(page_of(None), AuthPage::NotAsked);
    }
}
