//! The list of organisations: a page of it, all of it as a file.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{BillMode, OrgAwaits, OrgFilters, OrgNow, OrgRow};
use super::store;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::Sql;
use base::db::page::Page;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::api::export::{Cell, Sheet, column};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::search::{Names, Search};
use frame::api::{Ctx, Exporting, ListQuery, Listing, WholeNumber, hash_phone, listing, say};
use frame::decision;
use frame::places;

/// The name of organisations in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Organisation, kind: "organisation", id: None };

/// The list of organisations.
pub struct Organisations;

impl Listing for Organisations {
    type Filters = OrgFilters;
    type Row = OrgRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut OrgFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &OrgFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<OrgRow, sqlx::Error> {
        store::read(row)
    }
}

/// The list of organisations with their balances.
pub struct WithBalances;

impl Listing for WithBalances {
    type Filters = OrgFilters;
    type Row = OrgNow;
    const SELECT: &'static str = store::SELECT_WITH_BALANCES;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut OrgFilters, keys: &Keys) -> Option<WholeNumber> {
        Organisations::conceal(filters, keys)
    }

    fn narrow(sql: &mut Sql, filters: &OrgFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<OrgNow, sqlx::Error> {
        store::read_with_balances(row)
    }
}

/// `POST /org/page`: with balances for viewers who see accounts.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<OrgFilters>) -> frame::api::Result<Page<OrgNow>> {
    if cx.viewer()?.has("finance/account/list") {
        return listing::page::<WithBalances>(cx, query).await;
    }
    let mut page = listing::page::<Organisations>(cx, query).await?;
    let without = |org| OrgNow { org, balance_cents: None, available_cents: None };
    let list = std::mem::take(&mut page.list).into_iter().map(without).collect();
    Ok(page.with(list))
}

/// Organisations whose terms or delivery settings await approval, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let of = |awaits| OrgFilters { awaits: Some(awaits), ..OrgFilters::default() };
    work.add::<Organisations>(
        of(OrgAwaits::Terms),
        Queue {
            point: "org/list/audit",
            title: say("待审核的授信与退单条件", "Credit and return terms awaiting approval"),
            action: QueueAction::Review,
            href: "/org/list?awaits=terms",
            since: decision::open_since!("organisation", "o.id"),
            cents: None,
            within: DAY,
        },
    );
    work.add::<Organisations>(
        of(OrgAwaits::Delivery),
        Queue {
            point: "org/list/apiAudit",
            title: say("待审核的接口配置", "Delivery settings awaiting approval"),
            action: QueueAction::Review,
            href: "/org/list?awaits=delivery",
            since: decision::open_since!("org_api_config", "o.id"),
            cents: None,
            within: DAY,
        },
    );
}

/// Organisations in the search of the whole back office.
const NAMES: Names = Names {
    kind: "org",
    title: ("机构", "Organisations"),
    points: &["org/list/list", "org/list/view"],
    tables: &[Table::Organisation],
    select: "SELECT o.id, o.name, o.code, o.short_name AS also, '' AS note FROM organisation o WHERE o.deleted_at IS NULL",
    columns: &["o.name", "o.short_name", "o.code"],
    scope: store::SCOPE,
    address: |named| format!("/org/list/{}", named.id),
};

/// Finds organisations by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

/// The step of an installation that gives it an organisation.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "org/list/create",
        href: "/org/list",
        title: say("机构", "An organisation"),
        open: say(
            "买线索的机构：模式选“正式”，填写许可证号和有效期",
            "It buys leads: choose the mode Live, and enter its licence number and expiry",
        ),
        begun: say(
            "登记许可证，通过合规检测，再启用；模式须为“正式”",
            "Enter the licence, pass the compliance check, activate it; its mode must be Live",
        ),
        has_begun: "EXISTS (SELECT 1 FROM organisation WHERE deleted_at IS NULL)",
        is_done: "EXISTS (SELECT 1 FROM organisation WHERE deleted_at IS NULL AND status = 'active' AND mode = 'live')",
    });
}

impl Exporting for Organisations {
    fn sheet() -> Sheet<OrgRow> {
        Sheet {
            target: TARGET,
            title: say("机构列表", "Organisations"),
            columns: vec![
                column("code", "机构编码", "Code", |row, _| Cell::text(row.code.clone())),
                column("name", "机构名称", "Name", |row, _| Cell::text(row.name.clone())),
                column("shortName", "简称", "Short name", |row, _| Cell::text(row.short_name.clone())),
                column("type", "机构类型", "Type", |row, locale| Cell::text(row.kind.label(locale).to_owned())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("mode", "模式", "Mode", |row, locale| Cell::text(row.mode.label(locale).to_owned())),
                column("billMode", "结算方式", "Billing", |row, locale| Cell::text(row.bill_mode.label(locale).to_owned())),
                column("creditLimitCents", "授信额度（元）", "Credit limit (CNY)", |row, _| match row.bill_mode {
                    BillMode::Credit => Cell::Money(row.credit_limit_cents),
                    BillMode::Prepaid => Cell::Empty,
                }),
                column("lowBalanceCents", "余额预警线（元）", "Low-balance threshold (CNY)", |row, _| {
                    match row.low_balance_cents {
                        0 => Cell::Empty,
                        cents => Cell::Money(cents),
                    }
                }),
                column("alertPhones", "预警手机", "Alert phones", |row, _| Cell::text(row.alert_phones.join(", "))),
                column("licenceNo", "许可证号", "Licence number", |row, _| Cell::text(row.licence_no.clone())),
                column("licenceExpireOn", "许可证有效期", "Licence expiry date", |row, _| Cell::text(row.licence_expire_on.clone())),
                column("licenceFileName", "许可证照片", "Licence image", |row, _| Cell::text(row.licence_file_name.clone())),
                column("contactName", "联系人", "Contact", |row, _| Cell::text(row.contact_name.clone())),
                column("contactPhoneMask", "联系电话", "Contact phone", |row, _| Cell::text(row.contact_phone_mask.clone())),
                column("province", "省份", "Province", |row, locale| Cell::text(places::label(&row.province, locale).into_owned())),
                column("city", "城市", "City", |row, locale| Cell::text(places::label(&row.city, locale).into_owned())),
                column("address", "地址", "Address", |row, _| Cell::text(row.address.clone())),
                column("returnAllowed", "允许退单", "Returns allowed", |row, locale| Cell::text(yes(row.return_allowed, locale))),
                column("returnMaxDays", "退单天数", "Return period (days)", |row, _| match row.return_allowed {
                    true => Cell::Number(row.return_max_days),
                    false => Cell::Empty,
                }),
                column("returnMaxBp", "退单比例上限", "Maximum return rate", |row, _| match row.return_allowed {
                    true => Cell::Percent(row.return_max_bp),
                    false => Cell::Empty,
                }),
                column("returnAuto", "自动通过退单", "Approve returns automatically", |row, locale| {
                    Cell::text(yes(row.return_auto, locale))
                }),
                column("payeeOrgName", "收款主体", "Payee", |row, _| Cell::text(row.payee_org_name.clone())),
                column("ownerName", "客户经理", "Account manager", |row, _| Cell::text(row.owner_name.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

fn yes(flag: bool, locale: Locale) -> String {
    locale.pick(if flag { "是" } else { "否" }, if flag { "Yes" } else { "No" }).to_owned()
}
