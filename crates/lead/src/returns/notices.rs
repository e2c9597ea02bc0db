//! Messages about returns: that one waits for a decision, and how that ended.

use super::model::ReturnRow;
use base::clock;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage, Notices};
use frame::terms;
use trade::plan::push::ReturnStatus;

const NOTICES: Notices = Notices { biz: "lead_return", point: "plan/push-list/audit", route: "planPushList" };

/// Asks those who decide to review a return.
pub(super) async fn waiting(tx: &mut Connection, row: &ReturnRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org) = (&row.push_no, &row.org_name);
    let title = say(format!("退单待审：{org}"), format!("Return awaiting approval: {org}"));
    let content = say(format!("{org} 申请退回线索 {no}，请审核。"), format!("{org} requests to return lead {no}. Please review it."));
    // Those who decide do it on the page of the push.
    let link = Link { route: "planPushDetail", query: vec![("id", row.push_id.to_string())] };
    NOTICES.ask(tx, NewMessage { link: Some(link), ..about(row, title, content, now) }, by, now).await
}

/// Closes the to-do, and sends the decision to those of the organisation who see the lead.
pub(super) async fn ended(tx: &mut Connection, row: &ReturnRow, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, row.id, now).await?;
    let (no, note) = (&row.push_no, row.review_note.as_deref().unwrap_or_default());
    let (title, content) = match row.status {
        ReturnStatus::Approved => {
            let yuan = terms::yuan(row.refund_cents);
            let (chinese, english) = match row.replacement_due_at.map(clock::day) {
                None => (String::new(), String::new()),
                Some(day) => (
                    format!("{day} 前会优先补发一条线索，价格不高于退款金额。"),
                    format!(" Its plan gets another lead before others until {day}, for no more than was refunded."),
                ),
            };
            (
                say(format!("退单通过：{no}"), format!("Return approved: {no}")),
                say(format!("已退款 {yuan} 元到账户余额。{chinese}"), format!("{yuan} CNY was refunded to the account.{english}")),
            )
        }
        ReturnStatus::Refused => (say(format!("退单被驳回：{no}"), format!("Return rejected: {no}")), Say::same(note)),
        ReturnStatus::Pending | ReturnStatus::Withdrawn => return Ok(()),
    };
    let team: Option<i64> =
        sqlx::query_scalar("SELECT sub_org_id FROM push_record WHERE id = $1").bind(row.push_id).fetch_one(&mut *tx).await?;
    message::to_holders(tx, "plan/push-list/list", (row.org_id, team), about(row, title, content, now), now).await
}

fn about(row: &ReturnRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("keyword", row.push_no.clone()), title, content, now)
}
