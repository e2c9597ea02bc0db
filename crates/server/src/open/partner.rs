//! The partner that signed a call.

use base::address;
use base::nonce::Nonce;
use base::rate_limits::{Asker, Rate};
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed, say};
use frame::setting;
use frame::sms;
use trade::channel::{self, ChannelStatus};
use trade::org::{self, OrgCaller, OrgStatus};

/// The channel that signed a call, its content, and the nonce for the caller to claim. Refused are, in this order:
/// unknown keys, other addresses, another time, a wrong signature, a disabled channel.
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

/// The organisation that signed a call, its content, and the nonce for the caller to claim. Refused are, in this
/// order: unknown keys, another time, a wrong signature, a terminated organisation.
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

/// The signed content of the provider of short messages, with the same key as for our calls, and the nonce for the
/// caller to claim. Refused are, in this order: callers that are not the provider in the settings, another time, a
/// wrong signature.
pub async fn sms_provider<T>(cx: &Ctx, call: Signed<T>) -> Result<(T, Nonce)> {
    let values = cx.app.settings.values(cx.db()).await?;
    let key = sms::provider_key(&cx.app, &values)?.filter(|_| call.signature.app_id == values.get(&setting::SMS_PROVIDER_ID));
    let (body, nonce) = call.check(cx, &[key.ok_or(ApiError::Signed(Refusal::Caller))?])?;
    within_rate(cx, &nonce).await?;
    // Its account may have the same name as a channel's key.
    Ok((body, Nonce { owner: format!("sms:{}", nonce.owner), ..nonce }))
}

/// Refuses calls of a partner beyond the limit. Only signed calls count, so that others cannot use up a partner's
/// limit.
async fn within_rate(cx: &Ctx, nonce: &Nonce) -> Result<()> {
    let second = cx.setting(&setting::SECURITY_PARTNER_SECOND).await?;
    let rate = Rate { burst: 2 * second, minute: 60 * second };
    cx.app.limits.take(Asker::Partner(nonce.owner.clone()), rate, cx.now).map_err(|retry_after| ApiError::TooOften {
        message: say(format!("调用过于频繁，请 {retry_after} 秒后再试"), format!("Too many calls: try again in {retry_after} s")),
        retry_after,
    })
}
