//! Proposals: changes of the accounts that payers pay to and of the servers that leads are sent to. They apply once a
//! second person approves; until then the record stays as it is. An area defines the proposal and its effect; the
//! decision and its messages are here.

use futures_util::FutureExt;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::access::audit::{self, Change, Stamp};
use crate::access::stamped;
use crate::api::check::present;
use crate::api::versioned::{self, Versioned};
use crate::api::{ApiError, Check, Ctx, Result, say};
use crate::decision::{self, DecisionAction, DecisionForm, Matter, OpenDecision, Verdict};
use crate::message::{self, Link, NewMessage};
use base::db::Tx;

/// A kind of proposals.
#[derive(Debug)]
pub struct ProposalKind {
    pub action: DecisionAction,
    /// The table of the records that it changes.
    pub table: &'static str,
    /// The point of the deciders, who must also see everything.
    pub point: &'static str,
    /// The list that its messages lead to, by the name of its route.
    pub route: &'static str,
    /// Its name in messages.
    pub name: (&'static str, &'static str),
}

/// A proposed change of a record. `from` and `to` contain everything that the decider sees, and hashes of secrets.
#[derive(Debug)]
pub struct Proposal<'p> {
    pub kind: &'static ProposalKind,
    pub id: i64,
    /// The record's name or number.
    pub record: &'p str,
    pub from: Value,
    pub to: Value,
}

/// A record whose proposal is withdrawn.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProposalVersion {
    pub id: i64,
    /// The version of the record, as read.
    pub version: i64,
}

impl ProposalKind {
    /// Whether the proposals are new records instead of changes of a record.
    fn is_import(&self) -> bool {
        self.action == DecisionAction::AddPaymentLinks
    }
}

impl Proposal<'_> {
    /// What the decision is about. It has no version of the record, because other parts of the record may change while
    /// the proposal waits: only its hash is compared.
    pub fn matter(&self) -> Matter<'static> {
        Matter {
            action: self.kind.action,
            table: self.kind.table,
            id: self.id,
            version: 0,
            hash: decision::hash(&json!({ "id": self.id, "from": self.from, "to": self.to })),
            payload: Some(self.to.to_string()),
            note: None,
        }
    }
}

/// The proposal in an open decision of a kind; none if there is none.
pub fn proposed<T: DeserializeOwned>(open: Option<&OpenDecision>, action: DecisionAction) -> std::result::Result<Option<T>, sqlx::Error> {
    let payload = open.filter(|open| open.action == action).and_then(|open| open.payload.as_deref());
    payload.map(serde_json::from_str).transpose().map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Whether an account may decide on a proposal of a kind: its makers may not.
pub fn is_decidable(open: Option<&OpenDecision>, kind: &ProposalKind, account: i64) -> bool {
    open.is_some_and(|open| open.action == kind.action && !open.makers.contains(&account))
}

/// Stores a person's proposal, in place of an earlier one. The person becomes one of its makers, who may not decide.
pub async fn keep(tx: &mut Tx, proposal: &Proposal<'_>, stamp: Stamp) -> Result<()> {
    decision::write_down(tx, &proposal.matter(), Some(stamp.admin_id), stamp.at).await
}

/// Stores a person's proposal as [`keep`] does, and sends a message to the deciders.
pub async fn submit(tx: &mut Tx, proposal: &Proposal<'_>, stamp: Stamp) -> Result<()> {
    keep(tx, proposal, stamp).await?;
    let (kind, record) = (proposal.kind, proposal.record);
    let (chinese, english) = kind.name;
    let title = say(format!("{chinese}待审核：{record}"), format!("{english} awaiting approval: {record}"));
    let content = match kind.is_import() {
        true => say(
            format!("{record} 导入了{chinese}。请由导入人以外的人审核，审核通过后才可用。"),
            format!("{english} were imported: {record}. A second person must approve them. Until then they are not used."),
        ),
        false => say(
            format!("{record} 的{chinese}有修改。请由修改人以外的人审核，在此之前仍用原来的内容。"),
            format!("{english} of {record} was changed. A second person must approve it. Until then nothing changes."),
        ),
    };
    message::done(tx, kind.table, proposal.id, stamp.at).await?;
    let new =
        NewMessage { link: link(proposal), biz_id: Some(proposal.id), ..NewMessage::to_person(0, kind.table, title, content, stamp.at) };
    Ok(message::to_overseers(tx, kind.point, new.asked_by(stamp.admin_id), stamp.at).await?)
}

/// Decides on a proposal, or refuses with the reason. The effect of an approval belongs to the same transaction.
pub async fn decide(cx: &Ctx, tx: &mut Tx, proposal: &Proposal<'_>, open: Option<&OpenDecision>, body: &DecisionForm) -> Result<()> {
    let note = present(body.note.clone());
    Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
    let verdict = Verdict { by: Some(cx.viewer()?.id), approve: body.approve, note: note.as_deref(), at: cx.now };
    decision::decide(tx, &proposal.matter(), &verdict).await?;
    let (kind, record) = (proposal.kind, proposal.record);
    message::done(tx, kind.table, proposal.id, cx.now).await?;
    let (chinese, english) = kind.name;
    let title = match body.approve {
        true => say(format!("{chinese}已生效：{record}"), format!("{english} approved: {record}")),
        false => say(format!("{chinese}被驳回：{record}"), format!("{english} rejected: {record}")),
    };
    let content = match note {
        Some(note) => say(note.clone(), note),
        None => title.clone(),
    };
    for maker in open.map(|open| open.makers.as_slice()).unwrap_or_default() {
        let new = NewMessage::to_person(*maker, kind.table, title.clone(), content.clone(), cx.now);
        message::send(tx, &NewMessage { link: link(proposal), biz_id: Some(proposal.id), ..new }, cx.now).await?;
    }
    Ok(())
}

/// The audit changes of a decision: the verdict and the note.
pub fn decided(body: &DecisionForm) -> Vec<Change> {
    let note = present(body.note.clone()).map(|note| Change { field: "reviewNote".to_owned(), before: None, after: Some(note) });
    [ended_as(if body.approve { "approved" } else { "rejected" })].into_iter().chain(note).collect()
}

/// The audit changes of a withdrawn proposal.
pub fn withdrawn() -> Vec<Change> {
    vec![ended_as("withdrawn")]
}

fn ended_as(end: &str) -> Change {
    Change { field: "proposalDecision".to_owned(), before: Some("open".to_owned()), after: Some(end.to_owned()) }
}

/// Withdraws a proposal. Refuses all but its makers.
pub async fn withdraw(cx: &Ctx, tx: &mut Tx, kind: &ProposalKind, id: i64, open: Option<&OpenDecision>) -> Result<()> {
    let Some(open) = open.filter(|open| open.action == kind.action) else {
        return Err(ApiError::State(match kind.is_import() {
            true => say("没有待审核的导入", "No import awaits approval"),
            false => say("没有待审核的修改", "No change awaits approval"),
        }));
    };
    check_maker(cx, open)?;
    decision::withdraw(tx, kind.table, id, cx.now).await?;
    Ok(message::done(tx, kind.table, id, cx.now).await?)
}

/// Withdraws the proposal of a record that stores it in the open decision alone, and returns the record.
pub async fn withdraw_from<R: Versioned>(
    cx: &Ctx,
    kind: &'static ProposalKind,
    body: &ProposalVersion,
    open: fn(&R) -> Option<&OpenDecision>,
) -> Result<R> {
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<R>(cx, &mut tx, body.id, body.version).await?;
                withdraw(cx, &mut tx, kind, body.id, open(&before)).await?;
                let written = stamped::touch(&mut tx, kind.table, body.id, body.version, cx.stamp()?).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, withdrawn()).await
            }
            .boxed()
        })
        .await
}

/// Refuses a viewer who is not one of the makers of a proposal.
pub fn check_maker(cx: &Ctx, open: &OpenDecision) -> Result<()> {
    if open.makers.contains(&cx.viewer()?.id) {
        return Ok(());
    }
    Err(ApiError::State(match open.action {
        DecisionAction::AddPaymentLinks => say("只有导入人可以撤回", "Only the person who imported it can withdraw the import"),
        _ => say("只有修改人可以撤回", "Only the person who changed it can withdraw the change"),
    }))
}

/// The audit changes between two states of a record and its proposal, each field under `asked.`. A proposal has the
/// fields that differ from the record; without a proposal there are none.
pub fn changes<R: Serialize, P: Serialize>(before: (Option<&R>, Option<&P>), after: (Option<&R>, Option<&P>)) -> Vec<Change> {
    let differing = |(row, proposed): (Option<&R>, Option<&P>)| -> Vec<Change> {
        let Some(proposed) = proposed else { return Vec::new() };
        let proposed = serde_json::to_value(proposed).expect("a proposal serialises");
        let mut row = serde_json::to_value(row).expect("a row serialises");
        if let (Value::Object(row), Value::Object(proposed)) = (&mut row, &proposed) {
            row.retain(|field, _| proposed.contains_key(field));
        }
        audit::changes(Some(&row), Some(&proposed))
    };
    let (was, is) = (differing(before), differing(after));
    let named = |field: &str| format!("asked.{field}");
    let asked = is.iter().map(|Change { field, before: held, after }| {
        let earlier = was.iter().find(|change| change.field == *field).and_then(|change| change.after.clone());
        Change { field: named(field), before: earlier.or_else(|| held.clone().filter(|_| after.is_none())), after: after.clone() }
    });
    let gone = was.iter().filter(|change| is.iter().all(|other| other.field != change.field)).map(|Change { field, after, .. }| Change {
        field: named(field),
        before: after.clone(),
        after: None,
    });
    asked.chain(gone).filter(|change| change.before != change.after).collect()
}

fn link(proposal: &Proposal<'_>) -> Option<Link> {
    Some(Link { route: proposal.kind.route, query: vec![("keyword", proposal.record.to_owned())] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_distinguish_a_proposal_from_the_present_values() {
        #[derive(Serialize)]
        struct Row {
            bank: &'static str,
            tax: &'static str,
        }
        #[derive(Serialize)]
        struct Proposed {
            bank: &'static str,
        }
        let row = Row { bank: "A", tax: "1" };
        let shown =
            |changes: Vec<Change>| changes.into_iter().map(|change| (change.field, change.before, change.after)).collect::<Vec<_>>();
        let (a, b) = (Some("B".to_owned()), Some("C".to_owned()));
        let field = || "asked.bank".to_owned();
        let none: (_, Option<&Proposed>) = (Some(&row), None);
        let first = (Some(&row), Some(&Proposed { bank: "B" }));
        let second = (Some(&row), Some(&Proposed { bank: "C" }));
        assert_eq!(shown(changes(none, first)), [(field(), None, a.clone())]);
        assert_eq!(shown(changes(first, second)), [(field(), a.clone(), b)]);
        assert_eq!(shown(changes(first, none)), [(field(), a, None)]);
        assert_eq!(shown(changes(none, none)), []);
    }
}
