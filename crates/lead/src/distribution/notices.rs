//! Messages about leads that are unconfirmed, and about those whose applicant withdrew the consent.

use base::db::Connection;
use base::locale::Locale;
use frame::api::say;
use frame::message::{self, Link, MessageKind, MessageState, NewMessage};
use trade::plan::push::delivery::Delivery;

/// The kind of record of these messages.
const BIZ: &str = "push_record";
/// The permission of those who decide.
const POINT: &str = "plan/push-list/resolve";

/// Notifies those who decide that it cannot be found out whether an organisation has a lead.
pub(super) async fn unconfirmed(tx: &mut Connection, push: &Delivery, now: i64) -> Result<(), sqlx::Error> {
    let no = &push.no;
    let title = say(format!("线索待核实：{no}"), format!("Unconfirmed lead: {no}"));
    let content = say(
        "无法确认机构是否收到该线索，金额仍冻结。请与机构核实后处理。",
        "It is not known whether the organisation received this lead; its price stays on hold. Check with the organisation, then resolve it.",
    );
    let message = NewMessage {
        link: Some(Link { route: "planPushList", query: vec![("keyword", no.clone())] }),
        biz_id: Some(push.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    };
    message::to_overseers(tx, POINT, NewMessage { kind: MessageKind::Todo, state: Some(MessageState::NotStarted), ..message }, now).await
}

/// Closes the to-dos about an unconfirmed lead, because it is known now whether the organisation has it.
pub(super) async fn resolved(tx: &mut Connection, push_id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, push_id, now).await
}

/// Notifies those who decide, once, that an organisation took a lead that had been taken back from it: another
/// organisation may have it by now, and this one does not pay.
pub(super) async fn taken_too_late(tx: &mut Connection, push_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let no: String = sqlx::query_scalar("SELECT no FROM push_record WHERE id = $1").bind(push_id).fetch_one(&mut *tx).await?;
    let title = say(format!("机构超时后确认接收：{no}"), format!("Late acceptance by the organisation: {no}"));
    let sent: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM message WHERE biz_type = $1 AND biz_id = $2 AND title_en = $3")
        .bind(BIZ)
        .bind(push_id)
        .bind(title.get(Locale::English))
        .fetch_one(&mut *tx)
        .await?;
    if sent > 0 {
        return Ok(());
    }
    tracing::error!(push.id = push_id, "distribution: an organisation took a lead that had been taken back from it");
    let content = say(
        "该线索已收回后机构才确认接收，未扣费，可能已售给其他机构。请与机构核实。",
        "The organisation accepted this lead after it had been withdrawn: it was not charged and may have been sold to another organisation. Check with the organisation.",
    );
    let message = NewMessage {
        link: Some(Link { route: "planPushList", query: vec![("keyword", no)] }),
        biz_id: Some(push_id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    };
    message::to_overseers(tx, POINT, message, now).await
}

/// Notifies the people of an organisation that the applicant of one of its leads withdrew the consent.
pub async fn consent_withdrawn(
    tx: &mut Connection,
    (push_id, no): (i64, &str),
    (org_id, sub_org_id): (i64, Option<i64>),
    now: i64,
) -> Result<(), sqlx::Error> {
    let title = say(format!("申请人已撤回授权：{no}"), format!("Consent withdrawn: {no}"));
    let content = say(
        "该线索的申请人已撤回授权。请停止联系，并按约定处理其个人信息。",
        "The applicant of this lead has withdrawn the consent. Stop contacting them, and handle their personal data as agreed.",
    );
    let message = NewMessage {
        link: Some(Link { route: "planPushList", query: vec![("keyword", no.to_owned())] }),
        biz_id: Some(push_id),
        ..NewMessage::to_person(0, "consent", title, content, now)
    };
    message::to_holders(tx, "plan/push-list/list", (org_id, sub_org_id), message, now).await
}
