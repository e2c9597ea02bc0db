//! The compliance check of a record or a text, and whether a record has changed since its check. It is here because it reads all areas
//! whose records are checked.

use std::sync::Arc;

use crate::compliance::{self, CheckNow, CheckRequest, CheckRow, TargetType, check};
use crate::{channel, org, plan, product};
use frame::api::Access::Point;
use frame::api::{ApiError, Body, Calls, Ctx, Id, Result};

/// The calls of this room.
pub fn calls() -> Calls {
    Calls::new().post("/compliance/check", Point("admin/test/check"), run).get("/compliance/{id}", Point("admin/test/view"), view)
}

/// `GET /compliance/{id}`.
async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<CheckNow> {
    let mut now = check::now(&cx, id).await?;
    // Only products need a check of their present state.
    if let (TargetType::Product, Some(target), false) = (now.check.target_type, now.check.target_id, now.replaced)
        && let Some((name, facts)) = facts(&cx, TargetType::Product, target).await?
    {
        let mut on = cx.db().read().acquire().await?;
        now.changed = !compliance::is_unchanged(&mut on, &now.check, &name, &facts).await?;
    }
    Ok(now)
}

/// `POST /compliance/check`: a record within the viewer's scope, or a text in the request.
async fn run(cx: Arc<Ctx>, Body(request): Body<CheckRequest>) -> Result<CheckRow> {
    let request = compliance::check_request(&cx, request)?;
    let record = match request.target_id {
        Some(id) => Some(facts(&cx, request.target, id).await?.ok_or(ApiError::Missing)?),
        None => None,
    };
    compliance::run(&cx, &request.subject(record)).await
}

/// The name and the facts of a record; none if the viewer may not see it.
async fn facts(cx: &Ctx, target: TargetType, id: i64) -> Result<Option<(String, compliance::Facts)>> {
    let scope = cx.viewer()?.scope();
    Ok(match target {
        TargetType::Channel => channel::compliance_facts(cx.db().read(), scope, id).await?,
        TargetType::Organisation => org::compliance_facts(cx.db().read(), scope, id).await?,
        TargetType::Plan => plan::compliance_facts(cx.db(), scope, id).await?,
        TargetType::Product => {
            let mut on = cx.db().read().acquire().await?;
            product::compliance_facts(&mut on, scope, id).await?
        }
        TargetType::Script | TargetType::Consent => None,
    })
}
