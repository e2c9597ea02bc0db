//! The list of applicants: a page of it, and all of it as a file.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{UserFilters, UserRow};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Exported, Sheet, column};
use crate::api::{Ctx, Exporting, ListQuery, Listing, Result, listing, say};
use crate::crypto;
use crate::db::Sql;
use crate::db::page::Page;
use crate::locale::Locale;

/// What the audit trail calls applicants.
pub(crate) const TARGET: Target = Target { module: Module::User, kind: "user", id: None };

/// The list of applicants.
pub struct Users;

impl Listing for Users {
    type Filters = UserFilters;
    type Row = UserRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("u.created_at");

    fn narrow(sql: &mut Sql, filters: &UserFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<UserRow, sqlx::Error> {
        store::read(row)
    }
}

impl Exporting for Users {
    fn sheet() -> Sheet<UserRow> {
        Sheet {
            target: TARGET,
            title: say("用户列表", "Users"),
            columns: vec![
                column("no", "用户编号", "Number", |row, _| Cell::text(row.no.clone())),
                column("nameMask", "姓名", "Name", |row, _| Cell::text(row.name_mask.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("idNoMask", "身份证号", "Identity number", |row, _| Cell::text(row.id_no_mask.clone())),
                column("age", "年龄", "Age", |row, _| row.age.map_or(Cell::Empty, Cell::Number)),
                column("province", "省份", "Province", |row, _| Cell::text(row.province.clone())),
                column("city", "城市", "City", |row, _| Cell::text(row.city.clone())),
                column("amountCents", "申请金额（元）", "Amount (CNY)", |row, _| row.amount_cents.map_or(Cell::Empty, Cell::Money)),
                column("star", "星级", "Stars", |row, _| row.star.map_or(Cell::Empty, Cell::Number)),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("productName", "产品", "Product", |row, _| Cell::text(row.product_name.clone())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("rounds", "分发轮次", "Rounds", |row, _| Cell::Number(row.rounds)),
                column("test", "测试", "Test", |row, locale| Cell::text(row.test.then(|| locale.pick("是", "Yes").to_owned()))),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

/// `POST /user/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<UserFilters>) -> Result<Page<UserRow>> {
    let query = by_person(&cx, query);
    listing::page::<Users>(cx, query).await
}

/// `POST /user/page/export`.
pub async fn export(cx: Arc<Ctx>, query: ListQuery<UserFilters>) -> Result<Exported> {
    let query = by_person(&cx, query);
    listing::export::<Users>(cx, query).await
}

/// A keyword that is a whole phone or identity number is looked up by its hash, and goes no further: the
/// trail of an export tells the mask.
fn by_person(cx: &Ctx, mut query: ListQuery<UserFilters>) -> ListQuery<UserFilters> {
    let keyword = query.filters.keyword.as_deref().unwrap_or_default().trim().to_uppercase();
    let mask = match crypto::is_phone(&keyword) {
        true => crypto::mask_phone(&keyword),
        false if crypto::is_id_no(&keyword) => crypto::mask_id_no(&keyword),
        false => return query,
    };
    query.filters.keyword_hash = Some(cx.app.keys.lookup_hash(&keyword));
    query.rest.insert("keyword".to_owned(), mask.into());
    query.filters.keyword = None;
    query
}
