//! A report: reused while it is valid, otherwise requested, once, and stored with its cost.

use std::sync::Arc;

use super::model::{RiskDetail, RiskSection, RiskSectionQuery, RiskStatus, RiskSummary};
use super::provider::{Failure, Findings, Provider, provider};
use super::store::{self, Ended, Report};
use crate::user::{self, past};
use base::clock::{self, MINUTE};
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, Ctx, Id, IdQuery, Result, say};
use frame::setting;

/// After this time a request counts as lost; every provider has less time.
const LOST: i64 = MINUTE;

/// `GET /user/riskSimple/{id}`: the summary of the report.
pub async fn summary(cx: Arc<Ctx>, Id(id): Id) -> Result<RiskSummary> {
    user::seen(&cx, id).await?;
    summary_of(&cx, id).await
}

/// The summary of the report on an applicant, for a viewer who may see it.
pub async fn summary_of(cx: &Arc<Ctx>, id: i64) -> Result<RiskSummary> {
    let (report, reused) = current(cx, id).await?;
    Ok(RiskSummary {
        status: report.status,
        provider: report.provider,
        score: report.score,
        level: report.level,
        hits: report.detail.hits,
        cost_cents: report.cost_cents,
        queried_by: report.queried_by,
        queried_at: report.queried_at,
        valid_until: report.valid_until,
        reused,
    })
}

/// `GET /user/risk/{id}?type=`: one section of the report.
pub async fn section(cx: Arc<Ctx>, IdQuery(id, RiskSectionQuery { section }): IdQuery<RiskSectionQuery>) -> Result<RiskDetail> {
    user::seen(&cx, id).await?;
    section_of(&cx, id, section).await
}

/// One section of the report on an applicant, for a viewer who may see it.
pub async fn section_of(cx: &Arc<Ctx>, id: i64, section: RiskSection) -> Result<RiskDetail> {
    let (report, _) = current(cx, id).await?;
    Ok(RiskDetail {
        section,
        provider: report.provider,
        facts: report.detail.facts.into_iter().filter(|fact| fact.section == section).collect(),
        hits: report.detail.hits.into_iter().filter(|hit| hit.section == section).collect(),
        queried_at: report.queried_at,
        valid_until: report.valid_until,
    })
}

/// The report on an applicant, and whether it existed already.
async fn current(cx: &Arc<Ctx>, id: i64) -> Result<(Report, bool)> {
    let provider = provider(&cx.app).await?;
    if let Some(report) = store::valid(cx.db().read(), &cx.app.keys, id, provider.name(), cx.now).await? {
        return Ok((report, true));
    }
    // The result of the request is stored even if the caller has hung up, since it is paid for.
    let asking = tokio::spawn(ask(cx.clone(), provider, id));
    asking.await.map_err(|error| ApiError::Internal(anyhow::Error::from(error).context("a risk query broke")))?
}

async fn ask(cx: Arc<Ctx>, provider: Box<dyn Provider>, id: i64) -> Result<(Report, bool)> {
    let Some(subject) = past::subject(cx.db().read(), &cx.app.keys, id).await? else {
        return Err(ApiError::State(say(
            "该用户已注销，个人信息已清除",
            "The applicant has been erased: there are no personal details to query",
        )));
    };
    // Our own data may be used; data leaves the platform only with a consent.
    let outside = provider.price_cents().is_some();
    if outside && subject.consent_id.is_none() {
        return Err(ApiError::State(say(
            "用户没有有效授权，不能向外部服务商查询",
            "Without the applicant's consent no external provider can be queried",
        )));
    }
    let most = cx.setting(&setting::RISK_DAILY_LIMIT).await?;
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("risk:{id}")).await?;
    if let Some(report) = store::valid(&mut *tx, &cx.app.keys, id, provider.name(), cx.now).await? {
        return Ok((report, true));
    }
    if outside {
        let today = clock::start(clock::day(cx.now));
        if store::paid_since(&mut tx, today).await? >= most {
            return Err(ApiError::State(say(
                format!("今天的付费风控查询已达上限 {most} 次"),
                format!("Today's limit of {most} paid risk queries has been reached"),
            )));
        }
    }
    store::end_lost(&mut tx, id, cx.now - LOST, cx.now).await?;
    let consent_id = subject.consent_id.filter(|_| outside);
    let begun = store::begin(&mut tx, &subject, provider.name(), consent_id, cx.viewer()?.id, cx.now).await?;
    let Some(report_id) = begun else {
        return Err(ApiError::State(say("正在查询，请稍后再试", "A query is already running: try again later")));
    };
    tx.commit().await?;

    let answer = provider.report(&cx.app, &subject).await;
    let ended = ended(&*provider, &answer, cx.app.clock.now());
    let mut tx = cx.db().begin().await?;
    store::end(&mut tx, &cx.app.keys, report_id, &ended, cx.app.clock.now()).await?;
    audit::record(&mut tx, &cx.actor()?, user::TARGET.of(id), Action::Other, &report_changes(provider.name(), &ended)).await?;
    tx.commit().await?;
    match answer {
        Ok(_) => Ok((store::find(cx.db().read(), &cx.app.keys, report_id).await?.ok_or(ApiError::Missing)?, false)),
        Err(Failure::Theirs(reason)) => {
            tracing::warn!(user.id = id, provider = provider.name(), reason = <&str>::from(reason), "a risk provider failed");
            Err(ApiError::State(reason.say()))
        }
        Err(Failure::Internal(error)) => Err(error),
    }
}

/// The end of a request; only a report is paid for.
fn ended<'a>(provider: &dyn Provider, answer: &'a std::result::Result<Option<Findings>, Failure>, now: i64) -> Ended<'a> {
    let (status, failure) = match answer {
        Ok(Some(_)) => (RiskStatus::Done, None),
        Ok(None) => (RiskStatus::NoData, None),
        Err(Failure::Theirs(reason)) => (RiskStatus::Failed, Some(<&str>::from(*reason))),
        Err(Failure::Internal(_)) => (RiskStatus::Failed, Some("ours")),
    };
    let findings = answer.as_ref().ok().and_then(Option::as_ref);
    Ended {
        status,
        failure,
        findings,
        cost_cents: findings.and(provider.price_cents()).unwrap_or_default(),
        valid_until: failure.is_none().then(|| now + provider.valid_for()),
    }
}

/// The audit changes of a request.
fn report_changes(provider: &str, ended: &Ended<'_>) -> Vec<Change> {
    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
    vec![
        change("riskProvider", provider.to_owned()),
        change("riskStatus", <&str>::from(ended.status).to_owned()),
        change("riskCostCents", ended.cost_cents.to_string()),
    ]
}
