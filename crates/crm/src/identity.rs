//! The identity and the permissions of the viewer in the CRM.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use frame::access::{self, DataScope};
use frame::api::{self, Ctx, Query};
use trade::org;

/// The answer of `GET /crm/get`.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CrmIdentity {
    pub admin_id: i64,
    pub name: String,
    /// Code of the active role.
    pub role: String,
    /// How far the viewer sees.
    pub scope: DataScope,
    /// None for the platform's own staff.
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    /// None without a team.
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    /// The permission points that begin with `crm/`, sorted.
    pub points: Vec<String>,
    /// Whether the viewer has the requested point; none without one.
    pub allowed: Option<bool>,
}

/// The permission point to check.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct PointQuery {
    /// `crm/clue/export`.
    pub point: Option<String>,
}

/// `GET /crm/get?point=`: also checks one permission point.
pub async fn get(cx: Arc<Ctx>, Query(query): Query<PointQuery>) -> api::Result<CrmIdentity> {
    let viewer = cx.viewer()?;
    let mut points: Vec<String> = viewer.role.points.iter().filter(|point| point.starts_with("crm/")).cloned().collect();
    points.sort();
    let sub_org_name = match viewer.sub_org_id {
        Some(id) => org::sub_name(cx.db(), id).await?,
        None => None,
    };
    let info = access::viewer_info(viewer, cx.locale);
    Ok(CrmIdentity {
        admin_id: info.id,
        name: info.name,
        role: info.role,
        scope: info.scope,
        org_id: info.org_id,
        org_name: info.org_name,
        sub_org_id: viewer.sub_org_id,
        sub_org_name,
        points,
        allowed: query.point.as_deref().map(|point| viewer.has(point)),
    })
}
