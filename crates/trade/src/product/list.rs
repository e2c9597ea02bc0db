//! The list of products: a page of it, all of it as a file, choices of it.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::any::AnyRow;

use super::model::{ProductFilters, ProductRow};
use super::store;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::api::export::{Cell, Sheet, column};
use frame::api::list::lenient_integer;
use frame::api::search::{Names, Search};
use frame::api::{Ctx, Exporting, Listing, Query, Result, SelectOption, say};
use frame::places;
use frame::terms::cap;

/// The name of products in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Product, kind: "product", id: None };

/// The list of products.
pub struct Products;

impl Listing for Products {
    type Filters = ProductFilters;
    type Row = ProductRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ProductFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<ProductRow, sqlx::Error> {
        store::read(row)
    }
}

/// Products in the search of the whole back office.
const NAMES: Names = Names {
    kind: "product",
    title: ("产品", "Products"),
    points: &["product/list/list", "product/list/view"],
    tables: &[Table::Product, Table::Organisation],
    select: "SELECT p.id, p.name, p.code, '' AS also, COALESCE(o.short_name, '') AS note FROM product p \
         LEFT JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL",
    columns: &["p.name", "p.code"],
    scope: store::SCOPE,
    address: |named| format!("/product/list/{}", named.id),
};

/// Finds products by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

impl Exporting for Products {
    fn sheet() -> Sheet<ProductRow> {
        Sheet {
            target: TARGET,
            title: say("产品列表", "Products"),
            columns: vec![
                column("code", "产品编码", "Code", |row, _| Cell::text(row.code.clone())),
                column("name", "产品名称", "Name", |row, _| Cell::text(row.name.clone())),
                column("orgName", "所属机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("category", "产品类型", "Category", |row, locale| Cell::text(row.category.label(locale).to_owned())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("applyMode", "申请方式", "Application method", |row, locale| {
                    Cell::text(row.apply_mode.label(locale).to_owned())
                }),
                column("uvPriceCents", "UV 单价（元）", "Price per visitor (CNY)", |row, _| Cell::Money(row.uv_price_cents)),
                column("annualRateMinBp", "最低年化利率", "Minimum annual rate", |row, _| Cell::Percent(row.annual_rate_min_bp)),
                column("annualRateMaxBp", "最高年化利率", "Maximum annual rate", |row, _| Cell::Percent(row.annual_rate_max_bp)),
                column("minAmountCents", "最低额度（元）", "Minimum amount (CNY)", |row, _| Cell::Money(row.min_amount_cents)),
                column("maxAmountCents", "最高额度（元）", "Maximum amount (CNY)", |row, _| Cell::Money(row.max_amount_cents)),
                column("minTermMonths", "最短期限（月）", "Minimum term (months)", |row, _| Cell::Number(row.min_term_months)),
                column("maxTermMonths", "最长期限（月）", "Maximum term (months)", |row, _| Cell::Number(row.max_term_months)),
                column("lenderName", "放款机构", "Lender", |row, _| Cell::text(row.lender_name.clone())),
                column("sort", "排序", "Order", |row, _| Cell::Number(row.sort)),
                column("onlineFrom", "展示开始时间", "Shown from", |row, _| Cell::text(row.online_from.clone())),
                column("onlineTo", "展示结束时间", "Shown until", |row, _| Cell::text(row.online_to.clone())),
                column("cities", "展示城市", "Cities", |row, locale| Cell::text(places::labels(&row.cities, locale))),
                column("tags", "标签", "Tags", |row, _| Cell::text(row.tags.join(", "))),
                column("requirements", "申请条件", "Requirements", |row, _| Cell::text(row.requirements.clone())),
                column("jumpUrl", "跳转地址", "Redirect URL", |row, _| Cell::text(row.jump_url.clone())),
                column("logoFileName", "图标", "Logo", |row, _| Cell::text(row.logo_file_name.clone())),
                column("caps", "量控", "Caps", |row, locale| match row.caps.as_slice() {
                    [] => Cell::Empty,
                    caps => Cell::text(cap::sentence(caps, locale)),
                }),
                column("ruleSet", "人群条件", "Audience", |row, locale| {
                    Cell::text(row.rule_set.as_ref().map(|rules| rules.sentence(locale)))
                }),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

/// Filters of the choices.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductOptionsQuery {
    /// Of one organisation only.
    #[serde(default, deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// A part of a code or a name.
    pub keyword: Option<String>,
}

/// `GET /product/options`.
pub async fn choices(cx: Arc<Ctx>, Query(query): Query<ProductOptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let (scope, keyword) = (cx.viewer()?.scope(), query.keyword.as_deref());
    let read = store::options(cx.db(), scope, query.org_id, keyword);
    cx.choices(&[Table::Product, Table::Organisation], keyword, query.org_id, read).await
}
