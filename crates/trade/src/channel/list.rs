//! The list of channels: pages, the file, and the choices.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{ChannelFilters, ChannelNow, ChannelOption, ChannelRow, SettleMode};
use super::store;
use base::db::Sql;
use base::db::page::Page;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::api::export::{Cell, Sheet, column};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::search::{Names, Search};
use frame::api::{Ctx, Exporting, ListQuery, Listing, OptionsQuery, Query, Result, listing, say};
use frame::terms::{applicant, cap};

/// The name of channels in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Channel, kind: "channel", id: None };

/// The list of channels.
pub struct Channels;

impl Listing for Channels {
    type Filters = ChannelFilters;
    type Row = ChannelRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ChannelFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<ChannelRow, sqlx::Error> {
        store::read(row)
    }
}

/// Channels in the search of the whole back office.
const NAMES: Names = Names {
    kind: "channel",
    title: ("渠道", "Channels"),
    points: &["channel/list/list", "channel/list/view"],
    tables: &[Table::Channel],
    select: "SELECT c.id, c.name, c.code, '' AS also, '' AS note FROM channel c WHERE c.deleted_at IS NULL",
    columns: &["c.name", "c.code"],
    scope: store::SCOPE,
    address: |named| format!("/channel/list/{}", named.id),
};

/// Finds channels by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

/// The step of an installation that gives it a channel.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "channel/list/create",
        href: "/channel/list",
        title: say("渠道", "A channel"),
        open: say("送来申请人的渠道", "It sends applicants"),
        begun: say("渠道还在测试模式：发送一条测试线索，通过后转为正式", "It is in test mode: send a test lead, then take it live"),
        has_begun: "EXISTS (SELECT 1 FROM channel WHERE deleted_at IS NULL)",
        is_done: "EXISTS (SELECT 1 FROM channel WHERE deleted_at IS NULL AND status = 'enabled' AND mode = 'live')",
    });
}

impl Exporting for Channels {
    fn sheet() -> Sheet<ChannelRow> {
        Sheet {
            target: TARGET,
            title: say("渠道列表", "Channels"),
            columns: vec![
                column("code", "渠道编码", "Code", |row, _| Cell::text(row.code.clone())),
                column("name", "渠道名称", "Name", |row, _| Cell::text(row.name.clone())),
                column("type", "渠道类型", "Type", |row, locale| Cell::text(row.kind.label(locale).to_owned())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("mode", "模式", "Mode", |row, locale| Cell::text(row.mode.label(locale).to_owned())),
                column("settleMode", "结算方式", "Settlement", |row, locale| Cell::text(row.settle_mode.label(locale).to_owned())),
                column("unitPriceCents", "结算单价（元）", "Unit price (CNY)", |row, _| match row.settle_mode.by_unit() {
                    true => Cell::Money(row.unit_price_cents),
                    false => Cell::Empty,
                }),
                column("shareBp", "分成比例", "Share", |row, _| match row.settle_mode {
                    SettleMode::Share => Cell::Percent(row.share_bp),
                    _ => Cell::Empty,
                }),
                column("ownerName", "负责人", "Owner", |row, _| Cell::text(row.owner_name.clone())),
                column("appKey", "App Key", "App key", |row, _| Cell::text(row.app_key.clone())),
                column("landingUrl", "落地页地址", "Landing page", |row, _| Cell::text(row.landing_url.clone())),
                column("callbackUrl", "回调地址", "Callback URL", |row, _| Cell::text(row.callback_url.clone())),
                column("ipAllow", "IP 白名单", "Allowed IPs", |row, _| Cell::text(row.ip_allow.join(", "))),
                column("dedupDays", "去重天数", "Deduplication days", |row, _| row.dedup_days.map_or(Cell::Empty, Cell::Number)),
                column("dedupScope", "去重范围", "Duplicates among", |row, locale| {
                    Cell::text(row.dedup_scope.label(locale).to_owned())
                }),
                column("requiredFields", "必填资料", "Required fields", |row, locale| {
                    Cell::text(applicant::titles(&row.required_fields, locale))
                }),
                column("caps", "量控", "Caps", |row, locale| match row.caps.as_slice() {
                    [] => Cell::Empty,
                    caps => Cell::text(cap::sentence(caps, locale)),
                }),
                column("filters", "过滤条件", "Filters", |row, locale| {
                    Cell::text(row.filters.as_ref().map(|rules| rules.sentence(locale)))
                }),
                column("remark", "备注", "Remark", |row, _| Cell::text(row.remark.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

/// `POST /channel/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<ChannelFilters>) -> Result<Page<ChannelNow>> {
    let mut page = listing::page::<Channels>(cx.clone(), query).await?;
    let list = now(&cx, std::mem::take(&mut page.list)).await?;
    Ok(page.with(list))
}

/// Channels with their current figures, in the same order.
pub(super) async fn now(cx: &Ctx, channels: Vec<ChannelRow>) -> Result<Vec<ChannelNow>> {
    let capped: Vec<i64> = channels.iter().filter(|channel| !channel.caps.is_empty()).map(|channel| channel.id).collect();
    let mut usage = match capped.is_empty() {
        true => HashMap::new(),
        false => cap::counters::usage(cx.db().read(), store::subject(0).kind, capped, cx.now).await?,
    };
    let stands = |channel: ChannelRow| ChannelNow { usage: usage.remove(&channel.id).unwrap_or_default(), payable: None, channel };
    Ok(channels.into_iter().map(stands).collect())
}

/// `GET /channel/options`.
pub async fn options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<ChannelOption>>> {
    let (scope, keyword) = (cx.viewer()?.scope(), query.keyword.as_deref());
    cx.choices(&[Table::Channel], keyword, (), store::options(cx.db(), scope, keyword)).await
}
