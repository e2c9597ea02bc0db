//! Charts of the channels.

use std::sync::Arc;

use super::model::{ChannelMode, ChannelStatus, ChannelType};
use super::store;
use base::locale::Locale;
use frame::api::chart::{Chart, ChartKind};
use frame::api::{Ctx, Result};

/// The charts of this area that the viewer may see: the current channels.
pub async fn charts(cx: &Arc<Ctx>) -> Result<Vec<Chart>> {
    if !cx.viewer()?.has("channel/list/list") {
        return Ok(Vec::new());
    }
    let (scope, locale) = (cx.viewer()?.scope(), cx.locale);
    let pick = |chinese: &str, english: &str| locale.pick(chinese, english).to_owned();
    let named = |counts: Vec<(String, i64)>, name: fn(&str, Locale) -> Option<&'static str>| -> Vec<(String, i64)> {
        counts.into_iter().map(|(code, entries)| (name(&code, locale).map_or(code, str::to_owned), entries)).collect()
    };
    let types = store::count_by(cx, scope, store::Group::Kind).await?;
    let statuses = store::count_by(cx, scope, store::Group::Status).await?;
    let modes = store::count_by(cx, scope, store::Group::Mode).await?;
    // Those of their tags in js/areas/channel/channel/fields.tsx.
    let status_colors = colors(&statuses, |code| match code {
        "enabled" => "green",
        "paused" => "orange",
        _ => "gray",
    });
    let mode_colors = colors(&modes, |code| if code == "live" { "blue" } else { "purple" });
    Ok(vec![
        Chart::of_counts(
            "channels-by-type",
            ChartKind::Share,
            pick("渠道类型", "Channels by type"),
            pick("类型", "Type"),
            named(types, |code, locale| code.parse::<ChannelType>().ok().map(|kind| kind.label(locale))),
        ),
        Chart::of_counts(
            "channels-by-status",
            ChartKind::Share,
            pick("渠道状态", "Channels by status"),
            pick("状态", "Status"),
            named(statuses, |code, locale| code.parse::<ChannelStatus>().ok().map(|status| status.label(locale))),
        )
        .colored(status_colors),
        Chart::of_counts(
            "channels-by-mode",
            ChartKind::Share,
            pick("渠道模式", "Channels by mode"),
            pick("模式", "Mode"),
            named(modes, |code, locale| code.parse::<ChannelMode>().ok().map(|mode| mode.label(locale))),
        )
        .colored(mode_colors),
    ])
}

fn colors(counts: &[(String, i64)], color: fn(&str) -> &'static str) -> Vec<&'static str> {
    counts.iter().map(|(code, _)| color(code)).collect()
}
