//! The checks of a plan: what it may refer to, and what must hold before it runs.

use super::approval::PlanTerms;
use super::model::{DeliverMode, PlanRow};
use crate::compliance::{self, TargetType};
use crate::org::OrgStatus;
use crate::org::standing;
use crate::product::{self, Named};
use crate::{channel, org};
use base::clock;
use base::db::Connection;
use frame::access::Scope;
use frame::api::{ApiError, Result, say};

/// Whether the organisation, team, product and channels of a plan exist and may be chosen within this scope.
/// References that the plan has already may stay.
pub async fn choices(tx: &mut Connection, scope: Scope, org_id: i64, terms: &PlanTerms, before: Option<&PlanRow>, now: i64) -> Result<()> {
    if before.is_none() {
        let Some(organisation) = org::find(&mut *tx, scope, org_id).await? else {
            return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
        };
        if organisation.status == OrgStatus::Terminated {
            return Err(ApiError::field("orgId", say("机构已终止合作", "Business with this organisation has been terminated")));
        }
    }
    let kept = before.and_then(|plan| plan.sub_org_id);
    if terms.sub_org_id != kept
        && let Some(team) = terms.sub_org_id
        && !org::has_sub(&mut *tx, org_id, team).await?
    {
        return Err(ApiError::field("subOrgId", say("请选择该机构的团队", "Choose a team of the organisation")));
    }
    let kept = before.and_then(|plan| plan.product_id);
    if terms.product_id != kept
        && let Some(product) = terms.product_id
        && product::choosable(&mut *tx, scope, org_id, product).await?.is_none()
    {
        return Err(ApiError::field("productId", say("请选择该机构的产品", "Choose a product of the organisation")));
    }
    for (field, ids, kept) in [
        ("channelAllow", &terms.channel_allow, before.map(|plan| &plan.channel_allow)),
        ("channelDeny", &terms.channel_deny, before.map(|plan| &plan.channel_deny)),
    ] {
        let new: Vec<i64> = ids.iter().copied().filter(|id| !kept.is_some_and(|kept| kept.contains(id))).collect();
        if !channel::all_there(&mut *tx, &new).await? {
            return Err(ApiError::field(field, say("渠道不存在", "The channel does not exist")));
        }
    }
    if before.is_none_or(|plan| plan.ends_on != terms.ends_on)
        && terms.ends_on.as_ref().is_some_and(|day| *day < clock::day(now).to_string())
    {
        return Err(ApiError::field("endsOn", say("结束日期已过", "The end date has passed")));
    }
    Ok(())
}

/// Allows a plan to run, or refuses with what is missing.
pub async fn may_run(tx: &mut Connection, plan: &PlanRow, now: i64) -> Result<()> {
    let standing = standing::standings(&mut *tx, [plan.org_id], now).await?.remove(&plan.org_id).ok_or(ApiError::Missing)?;
    let refuse = |chinese: &'static str, english: &'static str| Err(ApiError::State(say(chinese, english)));
    if standing.status != OrgStatus::Active {
        return refuse("机构不在合作中，计划不能投放", "The organisation is not active, so the plan cannot run");
    }
    if !standing.licensed {
        return refuse(
            "机构没有有效的许可证，计划不能投放，请先更新许可证",
            "The organisation has no valid licence, so the plan cannot run: renew it first",
        );
    }
    if plan.deliver_mode == DeliverMode::Api && !standing.delivers {
        return refuse("机构的接口配置未启用，计划不能投放", "The organisation's delivery is disabled, so the plan cannot run");
    }
    if plan.ends_on.as_ref().is_some_and(|day| *day < clock::day(now).to_string()) {
        return refuse("计划的结束日期已过，请先修改", "The plan's end date has passed: change it first");
    }
    if let Some(product) = plan.product_id
        && !product::visited(&mut *tx, Named::Ids(&[product]), now).await?.iter().any(|product| product.listed)
    {
        return refuse("产品没有上架，计划不能投放", "The product is not online, so the plan cannot run");
    }
    compliance::must_pass(tx, TargetType::Organisation, plan.org_id, false, now).await?;
    compliance::must_pass(tx, TargetType::Plan, plan.id, false, now).await
}
