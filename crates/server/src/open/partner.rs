//! Who has signed a call.

use base::address;
use base::limits::{Asker, Rate};
use base::nonce::Nonce;
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed, say};
use frame::setting;
use frame::sms;
use trade::channel::{self, ChannelStatus};
use trade::org::{self, OrgCaller, OrgStatus};

/// The channel that has signed a call, what the call says, and the nonce that its writer claims.
/// Refused is, in this order: who is unknown, calls from another address, at another time, with a
/// wrong signature, or is disabled.
pub async fn channel<T>(cx: &Ctx, call: Signed<T>) -> Result<(channel::Visited, T, Nonce)> {
    let caller = channel::by_app_key(cx.db().read(), &call.signature.app_id, cx.now).await?.ok_or(ApiError::Signed(Refusal::Caller))?;
    if !address::is_allowed(&cx.origin.ip, &caller.ip_allow) {
        return Err(ApiError::Signed(Refusal::Address));
    }
    let secrets = caller.secrets.open(&cx.app.keys)?;
    let (body, nonce) = call.check(cx, &secrets)?;
    if caller.channel.status == ChannelStatus::Disabled {
        return Err(ApiError::Signed(Refusal::Caller));
    }
    within_rate(cx, &nonce).await?;
    Ok((caller.channel, body, nonce))
}

/// The organisation that has signed a call, what the call says, and the nonce that its writer claims.
/// Refused is, in this order: who is unknown, at another time, with a wrong signature, or is terminated.
pub async fn organisation<T>(cx: &Ctx, call: Signed<T>) -> Result<(OrgCaller, T, Nonce)> {
    let caller = org::by_app_key(cx.db().read(), &call.signature.app_id, cx.now).await?.ok_or(ApiError::Signed(Refusal::Caller))?;
    let secrets = caller.secrets.open(&cx.app.keys)?;
    let (body, nonce) = call.check(cx, &secrets)?;
    if caller.status == OrgStatus::Terminated {
        return Err(ApiError::Signed(Refusal::Caller));
    }
    within_rate(cx, &nonce).await?;
    Ok((caller, body, nonce))
}

/// What the provider of short messages has signed, with the key that we sign with, and the nonce that its
/// writer claims. Refused is, in this order: whoever is not the provider that is set, calls at another time,
/// with a wrong signature.
pub async fn sms_provider<T>(cx: &Ctx, call: Signed<T>) -> Result<(T, Nonce)> {
    let values = cx.app.settings.values(cx.db()).await?;
    let key = sms::provider_key(&cx.app, &values)?.filter(|_| call.signature.app_id == values.get(&setting::SMS_PROVIDER_ID));
    let (body, nonce) = call.check(cx, &[key.ok_or(ApiError::Signed(Refusal::Caller))?])?;
    within_rate(cx, &nonce).await?;
    // Its account may be called as a channel's key is.
    Ok((body, Nonce { owner: format!("sms:{}", nonce.owner), ..nonce }))
}

/// Refuses what a partner calls oftener than he may. Only what he has signed counts: nobody uses up
/// what another has.
async fn within_rate(cx: &Ctx, nonce: &Nonce) -> Result<()> {
    let second = cx.setting(&setting::SECURITY_PARTNER_SECOND).await?;
    let rate = Rate { burst: 2 * second, minute: 60 * second };
    cx.app.limits.take(Asker::Partner(nonce.owner.clone()), rate, cx.now).map_err(|retry_after| ApiError::TooOften {
        message: say(format!("调用过于频繁，请 {retry_after} 秒后再试"), format!("Too many calls: try again in {retry_after} s")),
        retry_after,
    })
}
