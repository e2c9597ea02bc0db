//! The screen of pushes: the leads that plans bought, as a list and with their story. Calls under `/plan/push`.

mod figures;

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use sqlx::any::AnyRow;

use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Target};
use frame::api::Access::Point;
use frame::api::export::{Cell, Sheet, column};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{Access, ApiError, Calls, Ctx, Exporting, Id, Listing, Result, WholeNumber, hash_phone, listing, say};

use crate::returns::{self, ReturnBasis, ReturnRow};
use base::clock::{DAY, MINUTE};
use base::crypto::Keys;
use base::db::{Db, Sql};
use base::locale::Locale;
use base::outbox::{self, Kind};
use frame::export::plain::{self, Person, PlainExporting, Revealable};
use frame::places;
use trade::plan::push::model::{PushFilters, PushRow, PushStatus, PushStory, PushVerdict, Unseen};
use trade::plan::push::rows as pushes;
use trade::plan::push::{ReturnStatus, TARGET};

/// The calls of pushes.
pub fn calls() -> Calls {
    Calls::new()
        .list("/plan/push/page", Point("plan/push-list/list"), listing::page::<Pushes>)
        .list("/plan/push/page/export", Pushes::EXPORT, plain::export::<Pushes>)
        .list("/user/push/page", Point("plan/push-list/list"), listing::page::<Pushes>)
        .list("/user/push/export", Pushes::EXPORT, plain::export::<Pushes>)
        .get("/plan/push/figures", Point("plan/push-list/list"), figures::of_org)
        .get("/plan/push/{id}", Point("plan/push-list/view"), view)
        .get("/plan/push/history/{id}", Point("plan/push-list/view"), history)
        .get("/plan/push/reveal/{id}", Point("plan/push-list/reveal"), crm::reveal_push)
}

/// A push on its page, with its returns and its clue.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub story: PushStory,
    /// The returns that were requested, oldest first.
    pub returns: Vec<ReturnRow>,
    /// The buyer's clue; none if there is none, or none that the viewer sees.
    pub clue_id: Option<i64>,
    /// What the decision on a return that waits rests on; only for staff who see all organisations.
    pub return_basis: Option<ReturnBasis>,
}

/// `GET /plan/push/{id}`: one push with every try to deliver it and its returns. When a member of its organisation has viewed it, it
/// does not count as new any more.
async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PushDetail> {
    let scope = cx.viewer()?.scope();
    let push = pushes::find(cx.db().read(), scope, id).await?.ok_or(ApiError::Missing)?;
    if !scope.is_platforms() {
        crm::clue_opened(cx.db(), id).await?;
    }
    let returns = returns::of_push(cx.db().read(), scope, id, cx.locale).await?;
    let viewer = cx.viewer()?;
    let clue_id = match viewer.has("crm/clue/view") {
        true => crm::clue_of_push(cx.db().read(), scope, id).await?,
        false => None,
    };
    let waits = push.return_status == Some(ReturnStatus::Pending);
    let return_basis = match waits && matches!(scope, Scope::All) && viewer.has("plan/push-list/audit") {
        true => Some(returns::basis(&cx, &push).await?),
        false => None,
    };
    Ok(PushDetail { story: story(cx.db(), push, scope).await?, returns, clue_id, return_basis })
}

/// `GET /plan/push/history/{id}`: what people did with a push; nothing for people of organisations, who see no trail of the platform.
async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    let scope = cx.viewer()?.scope();
    let push = pushes::find(cx.db().read(), scope, id).await?.ok_or(ApiError::Missing)?;
    match scope.is_platforms() {
        true => Ok(audit::history(cx.db(), TARGET.kind, push.id).await?),
        false => Ok(Vec::new()),
    }
}

/// A push with its tries and decisions, for a viewer with a scope.
pub async fn story(db: &Db, push: PushRow, scope: Scope) -> std::result::Result<PushStory, sqlx::Error> {
    let tries = pushes::tries(db.read(), push.id).await?;
    let last_error = outbox::queue::last_error(db.read(), Kind::Delivery, push.id).await?;
    let verdicts = match scope.is_platforms() {
        true => audit::history(db, TARGET.kind, push.id).await?.into_iter().rev().filter_map(verdict).collect(),
        false => Vec::new(),
    };
    Ok(PushStory { push, tries, last_error, verdicts })
}

/// The part of an audit row that decides on a lead in doubt, if it has one.
fn verdict(AuditEntry { at, admin_name, mut diff, .. }: AuditEntry) -> Option<PushVerdict> {
    let mut after = |field: &str| {
        let place = diff.iter().position(|change| change.field == field)?;
        diff.swap_remove(place).after
    };
    let (decision, note) = (after("decision")?, after("note"));
    Some(PushVerdict { at, admin_name, decision, note })
}

/// Why a lead was not accepted: the organisation's words as they are, the platform's codes as texts.
fn reason_in_words(reason: &str, locale: Locale) -> String {
    let words = match reason {
        "by_hand" => locale.pick("已由平台人工取消", "Cancelled by platform staff"),
        "invalid" => locale.pick("申请人已标记为无效", "The applicant was marked invalid"),
        "consent" => locale.pick("申请人已撤回授权", "The applicant withdrew the consent"),
        "auth_declined" => locale.pick("申请人放弃授权", "The applicant declined to authorise"),
        "auth_expired" => locale.pick("申请人未在期限内授权", "The applicant did not authorise in time"),
        "not_there" => locale.pick("经核实机构没有这条线索", "The organisation does not have this lead"),
        "no_delivery" => locale.pick("未能送达", "It could not be delivered"),
        words => words,
    };
    words.to_owned()
}

/// The list of pushes.
pub struct Pushes;

impl Listing for Pushes {
    type Filters = PushFilters;
    type Row = PushRow;
    const SELECT: &'static str = pushes::SELECT;
    const COUNT: &'static str = pushes::COUNT;
    const NEWEST: Option<&'static str> = Some("h.created_at");

    fn conceal(filters: &mut PushFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &PushFilters, scope: Scope) {
        pushes::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<PushRow, sqlx::Error> {
        pushes::read(row)
    }
}

/// New leads of an organisation, and open work for people who decide on returns and on leads in doubt.
pub fn open_work(work: &mut OpenWork<'_>) {
    // The platform does not open the leads that it sells.
    if !work.scope().is_platforms() {
        let unseen = PushFilters { unseen: Some(Unseen::Yes), ..PushFilters::default() };
        work.add::<Pushes>(
            unseen,
            Queue {
                point: "plan/push-list/list",
                title: say("待查看的新线索", "New leads not yet viewed"),
                action: QueueAction::View,
                href: "/plan/push-list?unseen=yes",
                since: "COALESCE(h.sold_at, h.created_at)",
                cents: None,
                within: 30 * MINUTE,
            },
        );
    }
    let returned = PushFilters { return_status: Some(ReturnStatus::Pending), ..PushFilters::default() };
    work.add::<Pushes>(
        returned,
        Queue {
            point: "plan/push-list/audit",
            title: say("待审核的退单", "Returns awaiting approval"),
            action: QueueAction::Review,
            href: "/plan/push-list?returnStatus=pending",
            since: "(SELECT b.created_at FROM lead_return b WHERE b.id = h.return_id)",
            cents: Some("h.price_cents"),
            within: DAY,
        },
    );
    let doubted = PushFilters { status: Some(PushStatus::Unconfirmed), ..PushFilters::default() };
    work.add::<Pushes>(
        doubted,
        Queue {
            point: "plan/push-list/resolve",
            title: say("待核实的推送", "Unconfirmed deliveries"),
            action: QueueAction::Handle,
            href: "/plan/push-list?status=unconfirmed",
            since: "h.created_at",
            cents: Some("h.price_cents"),
            within: DAY,
        },
    );
}

/// Finds pushes by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Pushes> {
        kind: "push",
        title: ("推送", "Deliveries"),
        points: &["plan/push-list/list", "plan/push-list/view"],
        prefixes: &["PS"],
        table: "push_record",
        column: "no",
        capitals: true,
        filters: PushFilters::default(),
        found: |row, locale| {
            FoundRecord::new(
                &row.no,
                &[&row.name_mask, &row.plan_name, &row.org_name, row.status.label(locale)],
                format!("/plan/push-list/{}", row.id),
            )
        },
    };
    search.numbers(kind).await
}

impl Exporting for Pushes {
    fn sheet() -> Sheet<PushRow> {
        Sheet {
            target: TARGET,
            title: say("推送列表", "Deliveries"),
            columns: vec![
                column("no", "推送编号", "Delivery no.", |row, _| Cell::text(row.no.clone())),
                column("nameMask", "申请人", "Applicant", |row, _| Cell::text(row.name_mask.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("city", "城市", "City", |row, locale| Cell::text(places::label(&row.city, locale).into_owned())),
                column("planName", "计划", "Plan", |row, _| Cell::text(row.plan_name.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("subOrgName", "团队", "Team", |row, _| Cell::text(row.sub_org_name.clone())),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("productName", "产品", "Product", |row, _| Cell::text(row.product_name.clone())),
                column("saleMode", "售卖方式", "Sale mode", |row, locale| Cell::text(row.sale_mode.label(locale).to_owned())),
                column("priceCents", "单价（元）", "Price (CNY)", |row, _| Cell::Money(row.price_cents)),
                column("test", "测试", "Test", |row, locale| Cell::mark(row.test, locale)),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("authStatus", "申请人授权", "Authorisation", |row, locale| {
                    Cell::text(row.auth_status.map(|status| status.label(locale).to_owned()))
                }),
                column("authUntil", "授权期限", "Authorisation until", |row, _| Cell::time(row.auth_until)),
                column("attempts", "推送次数", "Attempts", |row, _| Cell::Number(row.attempts)),
                column("nextRetryAt", "下次重试", "Next attempt", |row, _| row.next_retry_at.map_or(Cell::Empty, Cell::Time)),
                column("upstreamNo", "机构单号", "Buyer's reference", |row, _| Cell::text(row.upstream_no.clone())),
                column("rejectReason", "拒收原因", "Rejection reason", |row, locale| {
                    Cell::text(row.reject_reason.as_deref().map(|reason| reason_in_words(reason, locale)))
                }),
                column("returnStatus", "退单", "Return", |row, locale| {
                    Cell::text(row.return_status.map(|status| status.label(locale).to_owned()))
                }),
                column("repeatsNo", "重推自", "Repeats", |row, _| Cell::text(row.repeats_no.clone())),
                column("repeatedNo", "已重推为", "Repeated as", |row, _| Cell::text(row.repeated_no.clone())),
                column("replacesNo", "补发自", "Replaces", |row, _| Cell::text(row.replaces_no.clone())),
                column("edited", "信息与申请人现况不同", "Data differ from the applicant's", |row, locale| {
                    Cell::mark(row.edited, locale)
                }),
                column("soldAt", "成交时间", "Sold at", |row, _| row.sold_at.map_or(Cell::Empty, Cell::Time)),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}

impl PlainExporting for Pushes {
    const EXPORT: Access = Access::Point("plan/push-list/export");
    const REVEALS: Target = crm::CLUE;

    async fn revealable(db: &Db, scope: Scope, rows: &[i64]) -> std::result::Result<Vec<Revealable>, sqlx::Error> {
        crm::revealable_pushes(db, scope, rows).await
    }

    async fn people(db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> anyhow::Result<HashMap<i64, Person>> {
        crm::people_of_pushes(db, keys, scope, rows).await
    }

    fn id(row: &PushRow) -> i64 {
        row.id
    }

    fn unmask(row: &mut PushRow, person: Person) {
        (row.name_mask, row.phone_mask) = (person.name, person.phone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Pushes>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, PushFilters::default);
        for (index, filters, scope) in [
            ("push_record_org", PushFilters { org_id: Some(1), ..none() }, Scope::All),
            ("push_record_plan", PushFilters { plan_id: Some(1), ..none() }, Scope::All),
            ("push_record_channel", PushFilters { channel_id: Some(1), ..none() }, Scope::All),
            ("push_record_product", PushFilters { product_id: Some(1), ..none() }, Scope::All),
            ("push_record_city", PushFilters { city: Some("上海市".into()), ..none() }, Scope::All),
            ("push_record_status", PushFilters { status: Some(PushStatus::Failed), ..none() }, Scope::All),
            ("push_record_return", PushFilters { return_status: Some(ReturnStatus::Pending), ..none() }, Scope::All),
            ("push_record_org", none(), Scope::Org(1)),
            ("push_record_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Pushes>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH h USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        let found = plan::<Pushes>(&plans, PushFilters { keyword: Some("x".into()), ..none() }, Scope::All).await;
        assert!(found.contains("(no=?)") && found.contains("push_record_upstream (upstream_no=?)"), "{found}");
    }
}
