//! Who a viewer is in the CRM and what he may do there.

use std::sync::Arc;

use serde::Serialize;

use crate::access::DataScope;
use crate::admin;
use crate::api::{self, Ctx, Nothing};
use crate::org;

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
    /// None for who works for the whole organisation.
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    /// The permission points that begin with `crm/`, sorted.
    pub points: Vec<String>,
}

/// `GET /crm/get`.
pub async fn get(cx: Arc<Ctx>, _: Nothing) -> api::Result<CrmIdentity> {
    let viewer = cx.viewer()?;
    let mut points: Vec<String> = viewer.role.points.iter().filter(|point| point.starts_with("crm/")).cloned().collect();
    points.sort();
    let sub_org_name = match viewer.sub_org_id {
        Some(id) => org::store::sub_name(cx.db(), id).await?,
        None => None,
    };
    let info = admin::viewer_info(viewer, cx.locale);
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
    })
}
