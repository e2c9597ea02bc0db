//! The link by which a partner answers a statement: its token is shown once, and only its hash is stored. Sending
//! again makes another link, and the previous one does not work any more.

use std::sync::Arc;

use futures_util::FutureExt;

use super::model::{PartnerStatementLink, PartnerStatementRow, PartnerStatementStatus, PartnerStatementVersion};
use super::{confirmation, notices, store};
use base::clock::DAY;
use base::crypto;
use frame::access::audit::{self, Action};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Result, check_step, say};
use frame::setting;

/// The name of a statement in messages.
pub(super) const NAME: (&str, &str) = ("对账单", "statement");

/// The bytes of a token.
const TOKEN_BYTES: usize = 32;

/// A token of 32 random bytes, in hex.
fn token() -> String {
    hex::encode(rand::random::<[u8; TOKEN_BYTES]>())
}

/// The stored hash of a token; none for a text that cannot be one.
pub(super) fn hash(token: &str) -> Option<String> {
    let plain = token.len() == 2 * TOKEN_BYTES && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    plain.then(|| crypto::sha256_hex(token.as_bytes()))
}

/// `POST /partner/statement/send`: makes the link for the partner, for the version that the sender saw. An earlier
/// link is withdrawn.
pub async fn send(cx: Arc<Ctx>, Body(body): Body<PartnerStatementVersion>) -> Result<PartnerStatementLink> {
    let (viewer, id) = (cx.viewer()?, body.id);
    let days = cx.setting(&setting::PARTNER_LINK_DAYS).await?;
    let (cx, version, token) = (&*cx, body.version, &token());
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerStatementRow>(cx, &mut tx, id, version).await?;
                check_step(before.status, PartnerStatementStatus::Sent, NAME)?;
                confirmation::check_free(&before)?;
                if store::has_pending(&mut tx, id).await? {
                    return Err(ApiError::State(say(
                        "有调整待审核，审核后再发送",
                        "Adjustments await approval: send it once they are decided",
                    )));
                }
                let hash = hash(token).expect("a token");
                let ends_at = cx.now + days * DAY;
                let link = Some((hash.as_str(), ends_at));
                if !store::step(&mut tx, before.key(), PartnerStatementStatus::Sent, link, cx.stamp()?).await? {
                    return Err(ApiError::stale(&before));
                }
                let statement = store::find(&mut **tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
                notices::STATEMENTS.close(&mut tx, id, cx.now).await?;
                let changes = PartnerStatementRow::diff(Some(&before), Some(&statement));
                audit::record(&mut tx, &cx.actor()?, PartnerStatementRow::TARGET.of(id), Action::Update, &changes).await?;
                let link = PartnerStatementLink { path: format!("/v/statement/{token}"), ends_at, statement };
                cx.keep_answer(&mut tx, &link).await?;
                Ok(link)
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/statement/withdraw`: the link does not work any more.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PartnerStatementVersion>) -> Result<PartnerStatementRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerStatementRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PartnerStatementStatus::Draft, NAME)?;
                confirmation::check_free(&before)?;
                let written = store::step(&mut tx, before.key(), PartnerStatementStatus::Draft, None, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_64_hex_digits_and_anything_else_has_no_hash() {
        let (one, other) = (token(), token());
        assert_ne!(one, other);
        assert_ne!(hash(&one), hash(&other));
        assert!(hash(&one).is_some_and(|hash| hash.len() == 64 && hash != one));
        for bad in ["", "x", &one[1..], &one.to_uppercase().replace(|digit: char| digit.is_ascii_digit(), "A"), &format!("{one}0")] {
            assert_eq!(hash(bad), None, "{bad}");
        }
    }
}
