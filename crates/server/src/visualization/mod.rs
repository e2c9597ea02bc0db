//! Data visualisation: the charts of the areas, on one page. A new one is a few lines in its area's `charts`; neither
//! this code nor the front end knows any of them.

use std::sync::Arc;

use serde::Serialize;

use base::clock::{self, DAY};
use frame::api::chart::{Chart, DaysQuery};
use frame::api::{Access, Body, Calls, Ctx, Result};
use stats::{self, StatOverview};
use trade::channel;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().list("/visualization", Access::Point("visualization/list"), page)
}

/// All charts that the viewer may see, over the days asked for.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Visualization {
    /// First day, `YYYY-MM-DD`.
    pub from: String,
    /// Last day.
    pub to: String,
    /// The number of these days.
    pub days: i64,
    pub charts: Vec<Chart>,
    /// None for viewers who may not see statistics.
    pub overview: Option<StatOverview>,
}

async fn page(cx: Arc<Ctx>, Body(query): Body<DaysQuery>) -> Result<Visualization> {
    let days = query.read(cx.now)?;
    let mut charts = admin::charts(&cx, days).await?;
    charts.extend(channel::charts(&cx).await?);
    Ok(Visualization {
        from: clock::day(days.from).to_string(),
        to: clock::day(days.to - DAY).to_string(),
        days: (days.to - days.from) / DAY,
        charts,
        overview: stats::overview_for_viewer(&cx, days).await?,
    })
}
