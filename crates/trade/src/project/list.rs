//! The list of projects, and its file.

use sqlx::any::AnyRow;

use super::model::{ProjectFilters, ProjectRow, ProjectStatus};
use super::store;
use crate::channel::SettleMode;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Sheet, column};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};
use frame::places;

/// The name of projects in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Project, kind: "project", id: None };

/// The list of projects.
pub struct Projects;

impl Listing for Projects {
    type Filters = ProjectFilters;
    type Row = ProjectRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut ProjectFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &ProjectFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<ProjectRow, sqlx::Error> {
        store::read(row)
    }
}

/// Projects that are in one of the steps, for the workplace of those who decide on them.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = ProjectFilters { status: Some(ProjectStatus::Submitted), ..ProjectFilters::default() };
    work.add::<Projects>(
        waiting,
        Queue {
            point: "project/list/audit",
            title: say("待审核的项目", "Projects awaiting a decision"),
            action: QueueAction::Review,
            href: "/project/list?status=submitted",
            since: "p.updated_at",
            cents: None,
            within: DAY,
        },
    );
}

impl Exporting for Projects {
    fn sheet() -> Sheet<ProjectRow> {
        Sheet {
            target: TARGET,
            title: say("项目列表", "Projects"),
            columns: vec![
                column("name", "项目名称", "Project name", |row, _| Cell::text(row.content.name.clone())),
                column("no", "项目编号", "Project number", |row, _| Cell::text(row.no.clone())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("stage", "当前步骤", "Step", |row, locale| Cell::text(row.stage.label(locale).to_owned())),
                column("partnerType", "合作类型", "Partner type", |row, locale| {
                    Cell::text(row.content.partner_type.label(locale).to_owned())
                }),
                column("applicantName", "申请人", "Applicant", |row, _| Cell::text(row.applicant_name.clone())),
                column("city", "所在城市", "City", |row, locale| Cell::text(places::label(&row.content.city, locale).into_owned())),
                column("licenceNo", "统一社会信用代码", "Unified social credit code", |row, _| {
                    Cell::text(row.content.licence_no.clone())
                }),
                column("contactName", "联系人", "Contact", |row, _| Cell::text(row.content.contact_name.clone())),
                column("contactPhoneMask", "联系电话", "Contact's mobile", |row, _| Cell::text(row.content.contact_phone_mask.clone())),
                column("contactEmail", "联系邮箱", "Contact's email", |row, _| Cell::text(row.content.contact_email.clone())),
                column("settleMode", "结算方式", "Settlement", |row, locale| {
                    Cell::text(row.content.settle_mode.label(locale).to_owned())
                }),
                column("unitPriceCents", "结算单价（元）", "Unit price (CNY)", |row, _| match row.content.settle_mode.by_unit() {
                    true => Cell::Money(row.content.unit_price_cents),
                    false => Cell::Empty,
                }),
                column("shareBp", "分成比例", "Revenue share", |row, _| match row.content.settle_mode {
                    SettleMode::Share => Cell::Percent(row.content.share_bp),
                    _ => Cell::Empty,
                }),
                column("dailyVolume", "预计日量", "Expected daily volume", |row, _| {
                    row.content.daily_volume.map_or(Cell::Empty, Cell::Number)
                }),
                column("startDate", "计划开始日期", "Planned start", |row, _| Cell::text(row.content.start_date.clone())),
                column("landingUrl", "落地页地址", "Landing page", |row, _| Cell::text(row.content.landing_url.clone())),
                column("callbackUrl", "回调地址", "Callback URL", |row, _| Cell::text(row.content.callback_url.clone())),
                column("ipAllow", "IP 白名单", "Allowed IP addresses", |row, _| Cell::text(row.content.ip_allow.join(", "))),
                column("remark", "备注", "Remark", |row, _| Cell::text(row.content.remark.clone())),
                column("submittedAt", "提交时间", "Submitted", |row, _| Cell::time(row.submitted_at)),
                column("launchedAt", "上线时间", "Launched", |row, _| Cell::time(row.launched_at)),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{PartnerType, ProjectStage};
    use super::*;
    use base::db::plans::Plans;
    use frame::access::Scope;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Projects>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, ProjectFilters::default);
        for (index, filters, scope) in [
            ("project_status", ProjectFilters { status: Some(ProjectStatus::Submitted), ..none() }, Scope::All),
            ("project_stage", ProjectFilters { stage: Some(ProjectStage::Review), ..none() }, Scope::All),
            ("project_partner", ProjectFilters { partner_type: Some(PartnerType::Channel), ..none() }, Scope::All),
            ("project_applicant", ProjectFilters { applicant_admin_id: Some(1), ..none() }, Scope::All),
            ("project_applicant", none(), Scope::Myself(1)),
        ] {
            let plan = plan::<Projects>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH p USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
