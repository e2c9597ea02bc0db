//! Who has signed a call.

use crate::api::address;
use crate::api::error::Refusal;
use crate::api::{ApiError, Ctx, Result, Signed};
use crate::channel::{self, ChannelStatus};
use crate::nonce::Nonce;
use crate::org::{self, OrgCaller, OrgStatus};

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
    Ok((caller, body, nonce))
}
