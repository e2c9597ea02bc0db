//! Decisions that need two people (the four-eyes rule). One table stores all of them: the row that is decided on, a
//! hash of its content, everyone who wrote that content (the makers), and the person who decided (the checker). An
//! area calls [`write_down`] when people write something that needs a decision, and [`decide`] before it takes effect.
//! The database itself refuses a checker who is one of the makers.

mod store;

use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoStaticStr};

use crate::access::Viewer;
use crate::api::{ApiError, Ctx, Result, Say, say};
use base::crypto;
use base::db::{Connection, Sql};
use base::form_limits;

pub use store::{and_not_by, makers, read};
pub use store::{open_columns, open_exists, open_join, open_since};

form_limits! {
    /// Of a decision.
    decision {
        /// Characters of the reason for a decision, or for another step that a person takes with a record.
        pub REASON: usize = 200,
    }
}

/// A filter of lists: what a row waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Awaits {
    /// A second person's decision on the row, or on a request that concerns it.
    Decision,
}

impl Awaits {
    /// The account whose own requests a list leaves out: the viewer, if only that keeps the viewer from deciding on them.
    pub fn own_of(awaits: Option<Awaits>, viewer: &Viewer, point: &str) -> Option<i64> {
        awaits.filter(|_| viewer.has(point)).map(|_| viewer.id)
    }
}

/// What is decided on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DecisionAction {
    /// Whether a payment came in.
    ConfirmReceipt,
    /// Whether a confirmed payment is taken back.
    VoidReceipt,
    /// Whether a lead is taken back.
    DecideReturn,
    /// Whether a plan runs.
    StartPlan,
    /// Whether the terms of a plan that runs change.
    ChangePlan,
    /// Whether money of a clue came in.
    ConfirmMoney,
    /// Whether confirmed money of a clue counts no longer.
    VoidMoney,
    /// Whether a recharge is credited.
    ConfirmRecharge,
    /// Whether a credited recharge is taken back.
    ReverseRecharge,
    /// Whether an account is adjusted by hand.
    AdjustAccount,
    /// Whether an order is paid, where no provider says so.
    ConfirmPayment,
    /// Whether a payment that does not fit its order is taken for it.
    AcceptException,
    /// Whether a payment is refunded.
    RefundPayment,
    /// Whether a day's payments of a channel are reconciled.
    CloseStatement,
    /// Whether a payee is paid to another bank account.
    ChangePayeeAccount,
    /// Whether payers of a channel read another payee or other instructions.
    ChangePayeeChannel,
    /// Whether imported payment links are used.
    AddPaymentLinks,
    /// Whether leads are sent to an organisation at another address, or written, encrypted or answered otherwise.
    ChangeDelivery,
    /// Whether an organisation buys on credit and returns leads by other terms.
    ChangeOrgTerms,
    /// Whether an invoice is issued.
    ApproveInvoice,
    /// Whether an approved or issued invoice counts no longer.
    VoidInvoice,
    /// Whether a statement of a partner is corrected.
    AdjustPartnerStatement,
    /// Whether a statement of a partner is taken as confirmed, where its link was not answered.
    ConfirmPartnerStatement,
    /// Whether a partner is paid.
    ApprovePayout,
}

impl DecisionAction {
    /// Whether it is about the content of the row, and not about a request that concerns the row. The person who
    /// created the row is then a maker. If the row was refused and then corrected, those who wrote the refused content
    /// are makers too.
    fn is_of_the_row(self) -> bool {
        matches!(
            self,
            DecisionAction::ConfirmReceipt
                | DecisionAction::DecideReturn
                | DecisionAction::StartPlan
                | DecisionAction::ConfirmMoney
                | DecisionAction::ConfirmRecharge
                | DecisionAction::AdjustAccount
                | DecisionAction::RefundPayment
                | DecisionAction::ApproveInvoice
                | DecisionAction::AdjustPartnerStatement
                | DecisionAction::ApprovePayout
        )
    }

    /// The refusal of makers who would decide on their own request.
    fn own(self) -> Say {
        match self {
            DecisionAction::ConfirmReceipt => {
                say("不能审核自己录入或修改过的收款单", "You cannot review a receipt that you entered or changed")
            }
            DecisionAction::VoidReceipt => say("作废须由申请人以外的人审核", "A void must be reviewed by someone other than the requester"),
            DecisionAction::DecideReturn => say("不能审核自己申请的退单", "You cannot review a return that you requested"),
            DecisionAction::StartPlan => say("不能审核自己创建或修改过的计划", "You cannot review a plan that you created or changed"),
            DecisionAction::ChangePlan => say("不能审核自己提交的计划变更", "You cannot review a plan change that you submitted"),
            DecisionAction::ConfirmMoney => {
                say("不能审核自己录入或修改过的收款记录", "You cannot review a payment that you entered or changed")
            }
            DecisionAction::VoidMoney => {
                say("作废须由录入人和确认人以外的人处理", "Only a person who neither entered nor confirmed the payment can void it")
            }
            DecisionAction::ConfirmRecharge => say("不能审核自己申请的充值", "You cannot review a recharge that you requested"),
            DecisionAction::ReverseRecharge => {
                say("冲正须由申请人以外的人审核", "A reversal must be reviewed by someone other than the requester")
            }
            DecisionAction::ConfirmPayment => say("不能确认自己登记的付款", "You cannot confirm a payment that you entered"),
            DecisionAction::AcceptException => {
                say("入账须由申请人以外的人确认", "A payment must be accepted by someone other than the requester")
            }
            DecisionAction::RefundPayment => say("不能审核自己申请的退款", "You cannot review a refund that you requested"),
            DecisionAction::CloseStatement => {
                say("关账须由申请人以外的人确认", "The day must be closed by someone other than the requester")
            }
            DecisionAction::AdjustAccount => say("不能审核自己申请的调账", "You cannot review an adjustment that you requested"),
            DecisionAction::ChangePayeeAccount
            | DecisionAction::ChangePayeeChannel
            | DecisionAction::ChangeDelivery
            | DecisionAction::ChangeOrgTerms => say("不能审核自己提交的修改", "You cannot review a change that you submitted"),
            DecisionAction::AddPaymentLinks => say("不能审核自己导入的链接", "You cannot review links that you imported"),
            DecisionAction::ApproveInvoice => say("不能审核自己申请的发票", "You cannot review an invoice that you asked for"),
            DecisionAction::VoidInvoice => say("不能驳回或作废自己申请的发票", "You cannot refuse or void an invoice that you asked for"),
            DecisionAction::AdjustPartnerStatement => say("不能审核自己申请的调整", "You cannot review an adjustment that you requested"),
            DecisionAction::ConfirmPartnerStatement => say("不能审核自己申请的确认", "You cannot review a confirmation that you requested"),
            DecisionAction::ApprovePayout => say("不能审核自己申请的付款", "You cannot review a payout that you requested"),
        }
    }
}

/// What a decision is about, as it is at this moment.
#[derive(Clone, Debug)]
pub struct Matter<'m> {
    pub action: DecisionAction,
    /// The table of the row. It has the columns `created_by` and `updated_by`.
    pub table: &'static str,
    pub id: i64,
    pub version: i64,
    /// The [`hash`] of everything that a decider must have seen.
    pub hash: String,
    /// What is asked for, as JSON, if the row itself does not contain it.
    pub payload: Option<String>,
    /// Why it is asked for.
    pub note: Option<&'m str>,
}

/// The answer to a request, and who gives it.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'v> {
    /// None if a rule decides that people agreed on before.
    pub by: Option<i64>,
    pub approve: bool,
    pub note: Option<&'v str>,
    pub at: i64,
}

/// A decision as it is sent: on a record, in the version that was read.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct DecisionForm {
    pub id: i64,
    pub version: i64,
    pub approve: bool,
    /// Why; required to refuse.
    pub note: Option<String>,
}

/// What waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OpenDecision {
    pub action: DecisionAction,
    /// The accounts that wrote it. None of them may decide.
    pub makers: Vec<i64>,
    pub maker_names: String,
    /// Why it is asked for.
    pub note: Option<String>,
    /// When it was last written; epoch milliseconds.
    pub asked_at: i64,
    /// No account but the makers holds the point to decide on it. Absent if another one does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub no_other: bool,
    /// What is asked for; an area shows it in its own way.
    #[serde(skip)]
    #[ts(skip)]
    pub payload: Option<String>,
}

/// The open decision of a list's row, if there is one. Its JSON is that of an `Option<OpenDecision>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Pending(pub Option<OpenDecision>);

impl Pending {
    /// The accounts that wrote what waits for a decision; none if nothing waits.
    pub fn makers(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flat_map(|open| open.makers.iter().copied())
    }
}

impl std::ops::Deref for Pending {
    type Target = Option<OpenDecision>;

    fn deref(&self) -> &Option<OpenDecision> {
        &self.0
    }
}

/// Who can decide on what the viewer is about to submit.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Reviewers {
    /// Another account holds the point.
    pub others: bool,
}

/// Reads whether an account other than the viewer's is among the holders of a point, given by [`crate::access::role::point_holders`]:
/// for a viewer of an organisation, one of the platform or of the same organisation.
pub async fn reviewers(cx: &Ctx, holders: &'static str) -> Result<Reviewers> {
    let viewer = cx.viewer()?;
    let mut sql = Sql::new(holders);
    sql.push(" AND ha.id <> ").bind(viewer.id);
    if let Some(org_id) = viewer.org_id {
        sql.push(" AND (ha.org_id IS NULL OR ha.org_id = ").bind(org_id).push(")");
    }
    sql.push(" LIMIT 1");
    Ok(Reviewers { others: sql.fetch_optional(cx.db().read()).await?.is_some() })
}

/// The hash of what a decider must have seen.
pub fn hash(seen: &impl Serialize) -> String {
    crypto::sha256_hex(&serde_json::to_vec(seen).expect("what is decided on serialises"))
}

/// Stores what needs a decision, and adds an account to its makers. Call it in the transaction that writes the content.
pub async fn write_down(tx: &mut Connection, matter: &Matter<'_>, by: Option<i64>, at: i64) -> Result<()> {
    let mut makers = match store::open(&mut *tx, matter.table, matter.id).await? {
        // The earlier makers stay makers: of the row's content, and of an earlier request that this one replaces.
        Some(open) => open.makers,
        None => begun(tx, matter).await?.1,
    };
    add(&mut makers, by);
    Ok(store::keep(tx, matter, &makers, at).await?)
}

/// Records an approval or a rejection. Refuses makers (four-eyes rule), and refuses when the row no longer matches the
/// request that was submitted. Call it in the transaction in which the decision takes effect.
pub async fn decide(tx: &mut Connection, matter: &Matter<'_>, verdict: &Verdict<'_>) -> Result<()> {
    let open = store::open(&mut *tx, matter.table, matter.id).await?.filter(|open| open.action == matter.action);
    let makers = match open {
        Some(open) if open.hash == matter.hash => open.makers,
        // The content has changed, although the row has no newer version than the request.
        Some(open) if open.version >= matter.version => return Err(changed_meanwhile()),
        None if !matter.action.is_of_the_row() => return Err(nobody_asked()),
        // An older version of this program wrote the row without a request. The last writer of the row is a maker.
        open => {
            let mut makers = match open {
                Some(open) => open.makers,
                None => match begun(tx, matter).await? {
                    (Some(version), _) if version >= matter.version => return Err(decided_meanwhile()),
                    (_, makers) => makers,
                },
            };
            let (_, last) = store::writers(&mut *tx, matter.table, matter.id).await?;
            add(&mut makers, last);
            store::keep(tx, matter, &makers, verdict.at).await?;
            makers
        }
    };
    if verdict.by.is_some_and(|by| makers.contains(&by)) {
        return Err(ApiError::State(matter.action.own()));
    }
    match store::end(tx, matter.table, matter.id, verdict).await? {
        true => Ok(()),
        false => Err(decided_meanwhile()),
    }
}

/// Records a decision on an approved row for which there is no request. Refuses those who wrote the row and the person
/// who approved it.
pub async fn decide_after(tx: &mut Connection, matter: &Matter<'_>, verdict: &Verdict<'_>) -> Result<()> {
    let mut makers = store::approved_by(&mut *tx, matter.table, matter.id).await?;
    let (first, _) = store::writers(&mut *tx, matter.table, matter.id).await?;
    add(&mut makers, first);
    if verdict.by.is_some_and(|by| makers.contains(&by)) {
        return Err(ApiError::State(matter.action.own()));
    }
    store::keep(tx, matter, &makers, verdict.at).await?;
    decide(tx, matter, verdict).await
}

/// Withdraws the open decision of a row. Returns whether there was one.
pub async fn withdraw(tx: &mut Connection, table: &'static str, id: i64, at: i64) -> Result<bool> {
    Ok(store::withdraw(tx, table, id, at).await?)
}

/// For a row without an open decision: the version that its last decision of the same action was about, and the makers
/// that a new decision begins with.
async fn begun(tx: &mut Connection, matter: &Matter<'_>) -> Result<(Option<i64>, Vec<i64>)> {
    if !matter.action.is_of_the_row() {
        return Ok((None, Vec::new()));
    }
    let (version, mut makers) =
        store::last(&mut *tx, matter).await?.map_or((None, Vec::new()), |(version, makers)| (Some(version), makers));
    let (first, _) = store::writers(&mut *tx, matter.table, matter.id).await?;
    add(&mut makers, first);
    Ok((version, makers))
}

fn add(makers: &mut Vec<i64>, maker: Option<i64>) {
    makers.extend(maker.filter(|maker| !makers.contains(maker)));
}

fn changed_meanwhile() -> ApiError {
    ApiError::State(say(
        "内容与提交审核时不一致，请重新保存后再审核",
        "The content differs from what was submitted: save it again, then review it",
    ))
}

fn decided_meanwhile() -> ApiError {
    ApiError::State(say("已由他人审核，请刷新后查看", "Someone else has already reviewed this: refresh to see the result"))
}

fn nobody_asked() -> ApiError {
    ApiError::State(say("没有待审核的申请", "There is no request awaiting approval"))
}
