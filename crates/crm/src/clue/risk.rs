//! The risk report on the person of a clue: the same as on the applicant, for viewers of the clue.

use std::sync::Arc;

use super::{record, store};
use frame::api::{ApiError, Ctx, Id, IdQuery, Result, say};
use trade::risk::{self, RiskDetail, RiskSectionQuery, RiskSummary};

/// `GET /crm/riskSimple/{id}`.
pub async fn summary(cx: Arc<Ctx>, Id(id): Id) -> Result<RiskSummary> {
    let user_id = person(&cx, id).await?;
    let mut summary = risk::summary_of(&cx, user_id).await?;
    // The cost of a report, and who requested it, are shown to the platform only.
    if !cx.viewer()?.scope().is_platforms() {
        (summary.cost_cents, summary.queried_by) = (0, String::new());
    }
    Ok(summary)
}

/// `GET /crm/risk/{id}?type=`.
pub async fn section(cx: Arc<Ctx>, IdQuery(id, query): IdQuery<RiskSectionQuery>) -> Result<RiskDetail> {
    let user_id = person(&cx, id).await?;
    risk::section_of(&cx, user_id, query.section).await
}

async fn person(cx: &Ctx, clue_id: i64) -> Result<i64> {
    let clue = record::seen(cx, clue_id).await?;
    if store::is_returned(cx.db().read(), clue_id).await? {
        return Err(ApiError::State(say("线索已退单，不能查看风控报告", "The lead was returned: its risk report cannot be viewed")));
    }
    Ok(store::person(cx.db().read(), clue.id).await?.0)
}
