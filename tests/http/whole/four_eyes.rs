//! The list *Four eyes* in docs/operations.md: the maker of each step is refused, and another person
//! does it.

use frame::decision::DecisionAction;
use serde_json::{Value, json};
use strum::IntoEnumIterator;

use testing::crm::{clue, money, salesperson};
use testing::finance::{self, approval, credited, invoice, recharge};
use testing::org::{self, delivery, payee, receipt, with};
use testing::pay::{channel, channel_form, confirmed, enable, link, order, statement};
use testing::{Actor, TestApp, feedback, on_both, partner, plan, returns};

/// A step that waits: who wrote it, who decides, and the call.
struct Step {
    maker: Actor,
    second: Actor,
    path: &'static str,
    body: Value,
}

/// The beginnings of the list's lines, in its order.
const STEPS: &[&str] = &[
    "the confirmation of a receipt",
    "the voiding of a confirmed receipt",
    "the confirmation of a recharge",
    "the reversal of a recharge",
    "the adjustment of an account",
    "the approval of an invoice",
    "the voiding of an issued invoice",
    "the correction of a channel's statement",
    "the confirmation of a channel's statement",
    "a payout to a channel",
    "the confirmation of a payment that a person entered",
    "the acceptance of a payment exception",
    "a refund of a payment order",
    "the closing of a day's payments",
    "the enabling of a payee channel",
    "another payee or other instructions",
    "the bank account of a payee",
    "the links of an import",
    "another address, encryption or key",
    "the credit and return terms of an organisation",
    "the confirmation of a payment of a lead",
    "the voiding of a confirmed payment of a lead",
    "the decision on a returned lead",
    "the approval of a plan",
    "a change to any term of an approved plan",
];

/// The lines of the list.
fn listed() -> Vec<&'static str> {
    let text = include_str!("../../../docs/operations.md");
    let section = text.split("### Four eyes\n").nth(1).unwrap().split("\n### ").next().unwrap();
    section.lines().filter_map(|line| line.strip_prefix("- ")).collect()
}

#[test]
fn the_documented_list_is_the_one_that_is_walked() {
    let listed = listed();
    assert_eq!(listed.len(), STEPS.len());
    for (line, step) in listed.iter().zip(STEPS) {
        assert!(line.starts_with(step), "{line}");
    }
}

/// The beginning of the line of a decision.
fn line_of(action: DecisionAction) -> &'static str {
    match action {
        DecisionAction::ConfirmReceipt => "the confirmation of a receipt",
        DecisionAction::VoidReceipt => "the voiding of a confirmed receipt",
        DecisionAction::DecideReturn => "the decision on a returned lead",
        DecisionAction::StartPlan => "the approval of a plan",
        DecisionAction::ChangePlan => "a change to any term of an approved plan",
        DecisionAction::ConfirmMoney => "the confirmation of a payment of a lead",
        DecisionAction::VoidMoney => "the voiding of a confirmed payment of a lead",
        DecisionAction::ConfirmRecharge => "the confirmation of a recharge",
        DecisionAction::ReverseRecharge => "the reversal of a recharge",
        DecisionAction::AdjustAccount => "the adjustment of an account",
        DecisionAction::ConfirmPayment => "the confirmation of a payment that a person entered",
        DecisionAction::AcceptException => "the acceptance of a payment exception",
        DecisionAction::RefundPayment => "a refund of a payment order",
        DecisionAction::CloseStatement => "the closing of a day's payments",
        DecisionAction::ChangePayeeAccount => "the bank account of a payee",
        DecisionAction::ChangePayeeChannel => "another payee or other instructions",
        DecisionAction::AddPaymentLinks => "the links of an import",
        DecisionAction::ChangeDelivery => "another address, encryption or key",
        DecisionAction::ApproveInvoice => "the approval of an invoice",
        DecisionAction::VoidInvoice => "the voiding of an issued invoice",
        DecisionAction::AdjustPartnerStatement => "the correction of a channel's statement",
        DecisionAction::ConfirmPartnerStatement => "the confirmation of a channel's statement",
        DecisionAction::ApprovePayout => "a payout to a channel",
        DecisionAction::ChangeOrgTerms => "the credit and return terms of an organisation",
    }
}

#[test]
fn each_decision_has_a_line_of_its_own() {
    let lines: Vec<&str> = DecisionAction::iter().map(line_of).collect();
    for (index, line) in lines.iter().enumerate() {
        assert!(STEPS.contains(line) && !lines[..index].contains(line), "{line}");
    }
}

async fn step(app: &TestApp, name: &str) -> Step {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let by_operator = |path, body| Step { maker: operator.clone(), second: admin.clone(), path, body };
    let version = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    match name {
        "the confirmation of a receipt" => {
            let row = receipt::make(app, &operator, json!({})).await;
            by_operator("/org/receipt/status", receipt::decision(&row, "confirmed"))
        }
        "the voiding of a confirmed receipt" => {
            let row = receipt::make(app, &operator, json!({"bankSerial": "SN-2", "amountCents": 345_600})).await;
            let row = admin.put("/org/receipt/status", receipt::decision(&row, "confirmed")).await.ok();
            let row = receipt::ask_void(&operator, &row).await.ok();
            by_operator("/org/receipt/status", receipt::decision(&row, "void"))
        }
        "the confirmation of a recharge" => {
            let row = operator.post("/finance/recharge", finance::form(app, json!({"amountCents": 123_400})).await).await.ok();
            by_operator("/finance/recharge/audit", approval(&row))
        }
        "the reversal of a recharge" => {
            let row = recharge::ask(&operator, &credited(app, json!({"amountCents": 234_500})).await).await;
            by_operator("/finance/recharge/audit", approval(&row))
        }
        "the adjustment of an account" => {
            let form = json!({"orgId": app.organisation("north").await, "part": "paid", "amountCents": 1000, "reason": "补差", "proofFileIds": []});
            let row = operator.post("/finance/account/adjust", form).await.ok();
            by_operator("/finance/account/adjust/audit", approval(&row))
        }
        "the approval of an invoice" => {
            let north = app.organisation("north").await;
            invoice::sold_with_a_payee(app, north).await;
            let row = operator.post("/finance/invoice", invoice::form(app, json!({"amountCents": 100})).await).await.ok();
            by_operator("/finance/invoice/status", with(version(&row), json!({"status": "approved"})))
        }
        "the voiding of an issued invoice" => {
            let north = app.organisation("north").await;
            invoice::sold_with_a_payee(app, north).await;
            let row = operator.post("/finance/invoice", invoice::form(app, json!({"amountCents": 100})).await).await.ok();
            let row = admin.put("/finance/invoice/status", invoice::status(&row, "approved")).await.ok();
            let row = admin.put("/finance/invoice/issue", invoice::issue(app, &row, json!({}))).await.ok();
            by_operator("/finance/invoice/status", invoice::status(&row, "void"))
        }
        "the correction of a channel's statement" => {
            let statement = partner::made_now(app, "four-1").await;
            let form = json!({"statementId": statement["id"], "amountCents": 1, "reason": "补差"});
            by_operator("/partner/adjust/audit", approval(&operator.post("/partner/adjust", form).await.ok()))
        }
        "the confirmation of a channel's statement" => {
            let statement = partner::made_now(app, "four-3").await;
            let form = partner::confirmation(&operator, &statement, json!({})).await;
            by_operator("/partner/statement/audit", approval(&operator.put("/partner/statement/confirm", form).await.ok()))
        }
        "a payout to a channel" => {
            let statement = partner::made_now(app, "four-2").await;
            partner::confirm(app, &statement).await;
            let row = operator.post("/partner/payout", partner::payout_form(app, &statement, json!({"amountCents": 1})).await).await.ok();
            by_operator("/partner/payout/audit", approval(&row))
        }
        "the confirmation of a payment that a person entered" => {
            let bank = channel(app, "bank", "", json!({})).await;
            let made = order(app, &bank, json!({"amountCents": 456_700})).await;
            let claim = with(version(&made), json!({"channelOrderNo": "B-9", "paidAt": app.now()}));
            let row = operator.put("/payOrder/claim", claim).await.ok();
            by_operator("/payOrder/confirm", approval(&row))
        }
        "the acceptance of a payment exception" => {
            let bank = channel(app, "bank", "", json!({"code": "bank-5"})).await;
            order(app, &bank, json!({"amountCents": 567_800})).await;
            app.execute(
                "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, \
                   paid_at, status, created_at, updated_at) \
                 SELECT payee_channel_id, id, 'amount', no, 'X-1', 567000, 'CNY', created_at, 'open', created_at, created_at \
                 FROM payment_order WHERE amount_cents = 567800",
            )
            .await;
            let id = app.count("SELECT id FROM payment_exception").await;
            let body = json!({"id": id, "version": 1, "resolution": "accepted", "note": "已核对"});
            by_operator("/payException/audit", approval(&operator.put("/payException/settle", body).await.ok()))
        }
        "a refund of a payment order" => {
            let paid = confirmed(app, json!({})).await;
            let row = operator.post("/payRefund", json!({"paymentOrderId": paid["id"], "amountCents": 1, "reason": "多付"})).await.ok();
            by_operator("/payRefund/audit", with(approval(&row), json!({"channelRefundNo": "R-9"})))
        }
        "the closing of a day's payments" => {
            let id = app.count("SELECT id FROM payee_channel WHERE code = 'bank-1'").await;
            let row = statement::closable(app, &operator, id).await;
            by_operator("/payStatement/audit", approval(&row))
        }
        "the enabling of a payee channel" => {
            let form = channel_form(app, "unionpay", "").await;
            let row = operator.post("/payChannel", form).await.ok();
            by_operator("/payChannel/status", with(version(&row), json!({"status": "enabled"})))
        }
        "another payee or other instructions" => {
            let form = with(channel_form(app, "bank", "").await, json!({"code": "bank-4"}));
            let row = enable(&operator, &admin.post("/payChannel", form.clone()).await.ok()).await;
            let row = operator.put("/payChannel", with(form, with(version(&row), json!({"instructions": "另写"})))).await.ok();
            by_operator("/payChannel/audit", approval(&row))
        }
        "the bank account of a payee" => {
            by_operator("/org/payee/audit", approval(&operator.post("/org/payee", payee::form("四眼")).await.ok()))
        }
        "the links of an import" => {
            channel(app, "link_pool", "", json!({})).await;
            link::bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/1\n").await;
            let id = app.count("SELECT id FROM payment_link_import").await;
            by_operator("/payPool/batch/audit", approval(&operator.get(&format!("/payPool/batch/{id}")).await.ok()))
        }
        "another address, encryption or key" => {
            let row = operator.put("/org/api", delivery::settings(app.organisation("south").await, 0)).await.ok();
            by_operator("/org/api/audit", approval(&row))
        }
        "the credit and return terms of an organisation" => {
            let id = org::make(&operator, org::form("siyan")).await;
            let row = operator.get(&format!("/org/{id}")).await.ok();
            let form = org::edit("siyan", id, row["version"].as_i64().unwrap(), json!({"creditLimitCents": 8_000_000}));
            by_operator("/org/audit", approval(&operator.put("/org", form).await.ok()))
        }
        "the confirmation of a payment of a lead" | "the voiding of a confirmed payment of a lead" => {
            let owner = salesperson(app, "north.sales1").await;
            let clue_id = clue(app, "north", Some(owner)).await;
            let (lead, manager) = (app.sign_in("north.lead").await, app.sign_in("north.manager").await);
            let row = lead.post("/crm/addMoney", money::form(app, clue_id, json!({}))).await.ok();
            if name.starts_with("the confirmation") {
                return Step { maker: lead, second: manager, path: "/crm/money/status", body: money::decision(&row, "confirmed") };
            }
            let row = operator.put("/crm/money/status", money::decision(&row, "confirmed")).await.ok();
            Step { maker: lead, second: manager, path: "/crm/money/status", body: money::decision(&row, "void") }
        }
        "the decision on a returned lead" => {
            let feedback::Sold { push_id, .. } = returns::lenient(app).await;
            let row = returns::ask(&app.sign_in("operator").await, push_id, json!({})).await.ok();
            let (maker, second) = (app.sign_in("operator").await, app.sign_in("admin").await);
            Step { maker, second, path: "/plan/return/audit", body: with(approval(&row), json!({"chargeChannel": false})) }
        }
        "the approval of a plan" => {
            let row = plan::make(app, &operator, json!({"name": "四眼计划"})).await;
            plan::step(&operator, &row["id"], "pending").await.ok();
            by_operator("/plan/audit", approval(&operator.get(&format!("/plan/{}", row["id"])).await.ok()))
        }
        "a change to any term of an approved plan" => {
            let id = plan::running(app, &admin, json!({"name": "四眼变更"})).await;
            let row = operator.get(&format!("/plan/{id}")).await.ok();
            let form = with(plan::form(app, json!({"name": "四眼变更", "priceCents": 4600})).await, version(&row));
            by_operator("/plan/audit", approval(&operator.put("/plan", form).await.ok()))
        }
        other => panic!("no step is written for {other:?}"),
    }
}

on_both!(each_step_of_the_list_needs_a_second_person);
async fn each_step_of_the_list_needs_a_second_person(app: TestApp) {
    // Goes to the hours in which leads are sold; before anybody signs in.
    plan::begin(&app);
    for name in STEPS.iter().filter(|name| !name.contains("returned lead")) {
        let Step { maker, second, path, body } = step(&app, name).await;
        let refused = maker.put(path, body.clone()).await;
        assert_eq!(refused.code(), "1006", "{name}: {}", refused.desc());
        let done = second.put(path, body).await;
        assert_eq!(done.code(), "0000", "{name}: {}", done.desc());
    }
}

on_both!(a_returned_lead_needs_a_second_person);
async fn a_returned_lead_needs_a_second_person(app: TestApp) {
    let Step { maker, second, path, body } = step(&app, "the decision on a returned lead").await;
    maker.put(path, body.clone()).await.refused("1006");
    second.put(path, body).await.ok();
}

/// Leaves the operator alone.
const ALONE: &str = "UPDATE administrator SET status = 'disabled' WHERE username <> 'operator'";
/// Leaves a team's lead, and a manager of another organisation, who does not decide on what is not their own.
const ALONE_IN_THE_ORGANISATION: &str =
    "UPDATE administrator SET status = 'disabled' WHERE username NOT IN ('north.lead', 'south.manager')";

/// Steps with the list that shows what waits, and the statement that leaves only the maker among those who may decide.
const LISTS: &[(&str, &str, &str)] = &[
    ("the confirmation of a receipt", "/org/receipt/page", ALONE),
    ("the confirmation of a recharge", "/finance/recharge/page", ALONE),
    ("the adjustment of an account", "/finance/account/adjust/page", ALONE),
    ("the approval of an invoice", "/finance/invoice/page", ALONE),
    ("the correction of a channel's statement", "/partner/adjust/page", ALONE),
    ("a payout to a channel", "/partner/payout/page", ALONE),
    ("the confirmation of a payment that a person entered", "/payOrder/page", ALONE),
    ("a refund of a payment order", "/payRefund/page", ALONE),
    ("the closing of a day's payments", "/payStatement/page", ALONE),
    ("another payee or other instructions", "/payChannel/page", ALONE),
    ("the bank account of a payee", "/org/payee/page", ALONE),
    ("the credit and return terms of an organisation", "/org/page", ALONE),
    ("the approval of a plan", "/plan/page", ALONE),
    // A difference that is open keeps the day's payments from being closed.
    ("the acceptance of a payment exception", "/payException/page", ALONE),
    ("the confirmation of a payment of a lead", "/crm/moneyPage", ALONE_IN_THE_ORGANISATION),
];

on_both!(each_list_says_that_no_other_account_may_decide);
async fn each_list_says_that_no_other_account_may_decide(app: TestApp) {
    plan::begin(&app);
    for (name, list, leave_alone) in LISTS {
        let Step { maker, second, path, body } = step(&app, name).await;
        let no_other = async || {
            let page = maker.post(list, json!({})).await.ok();
            let rows = page["list"].as_array().unwrap().iter();
            rows.filter(|row| row["decision"].is_object()).map(|row| row["decision"]["noOther"] == true).collect::<Vec<_>>()
        };
        let before = no_other().await;
        assert!(!before.is_empty() && !before.contains(&true), "{name}: {before:?}");
        app.execute(leave_alone).await;
        assert_eq!(no_other().await, vec![true; before.len()], "{name}");
        app.execute("UPDATE administrator SET status = 'enabled'").await;
        second.put(path, body).await.ok();
    }
}

/// The calls by which a form says beforehand that no other account may decide.
const BEFOREHAND: &[&str] = &[
    "/plan/reviewers",
    "/org/receipt/reviewers",
    "/finance/recharge/reviewers",
    "/finance/account/adjust/reviewers",
    "/finance/invoice/reviewers",
    "/partner/payout/reviewers",
    "/payOrder/reviewers",
    "/payRefund/reviewers",
];

on_both!(a_form_says_beforehand_whether_another_person_may_decide);
async fn a_form_says_beforehand_whether_another_person_may_decide(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for others in [true, false] {
        for path in BEFOREHAND {
            assert_eq!(operator.get(path).await.ok(), json!({"others": others}), "{path}");
        }
        app.execute(ALONE).await;
    }
    app.execute("UPDATE administrator SET status = 'enabled'").await;
    for path in BEFOREHAND {
        app.sign_in("nobody").await.get(path).await.refused("1003");
    }
    // In an organisation, people of another one do not count.
    let lead = app.sign_in("north.lead").await;
    assert_eq!(lead.get("/crm/money/reviewers").await.ok(), json!({"others": true}));
    app.execute(ALONE_IN_THE_ORGANISATION).await;
    assert_eq!(lead.get("/crm/money/reviewers").await.ok(), json!({"others": false}));
}
