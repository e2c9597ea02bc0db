//! The kinds of steps of a history. What a step enters waits until another step decides on it, so that all kinds meet each other.

mod partners;

use base::clock::{self, DAY, HOUR, MINUTE};
use lead::distribution;
use serde_json::{Value, json};
use sqlx::Row;

use super::calls::{Call, Who, legal};
use super::check::rows;
use super::{History, Stage};
use testing::finance::invoice;
use testing::finance::red_invoice::red;
use testing::lead::{application, bring, id_no_at};
use testing::org::with;
use testing::pay::begin;
use testing::{Answer, TestApp};

/// Applicants of the tests have so many phones.
const PHONES: u64 = 9999;
/// How often a node distributes that another one stood in the way of.
const TRIES: u32 = 5;
/// Actions of the table of decisions that are about money.
const ACTIONS: &str = "'confirm_receipt', 'void_receipt', 'confirm_recharge', 'reverse_recharge', 'adjust_account', 'confirm_payment', \
     'accept_exception', 'refund_payment', 'decide_return', 'confirm_money', 'approve_invoice', 'close_statement', \
     'adjust_partner_statement', 'approve_payout'";

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Recharge,
    Receipt,
    BankOrder,
    Order,
    Payment,
    LatePayment,
    DoublePayment,
    PortalRefund,
    Refund,
    Cancel,
    Exception,
    TakeBack,
    Sale,
    Return,
    Fee,
    Money,
    VoidMoney,
    Adjustment,
    Invoice,
    IssueInvoice,
    Decide,
    TwoAtOnce,
    OneNumber,
    ReturnAgainstFee,
    TwoRefunds,
    SaleAgainstAdjustment,
    Close,
    CloseAgainstPayment,
    Reconcile,
    Faults,
    Time,
    KilledSeller,
    KilledSweep,
    Statement,
    SendStatement,
    AnswerStatement,
    AdjustStatement,
    Payout,
    TwoPayouts,
    WithdrawPayout,
    EndPayout,
    OneNumberOfPayouts,
}

impl Kind {
    /// All of them; those that others wait for are there several times.
    pub const ALL: &[Kind] = &[
        Kind::Recharge,
        Kind::Recharge,
        Kind::Receipt,
        Kind::Receipt,
        Kind::BankOrder,
        Kind::BankOrder,
        Kind::Order,
        Kind::Order,
        Kind::Payment,
        Kind::Payment,
        Kind::LatePayment,
        Kind::DoublePayment,
        Kind::PortalRefund,
        Kind::Refund,
        Kind::Refund,
        Kind::Cancel,
        Kind::Exception,
        Kind::TakeBack,
        Kind::Sale,
        Kind::Sale,
        Kind::Return,
        Kind::Fee,
        Kind::Money,
        Kind::VoidMoney,
        Kind::Adjustment,
        Kind::Invoice,
        Kind::IssueInvoice,
        Kind::Decide,
        Kind::Decide,
        Kind::Decide,
        Kind::Decide,
        Kind::Decide,
        Kind::TwoAtOnce,
        Kind::TwoAtOnce,
        Kind::OneNumber,
        Kind::ReturnAgainstFee,
        Kind::TwoRefunds,
        Kind::SaleAgainstAdjustment,
        Kind::Close,
        Kind::CloseAgainstPayment,
        Kind::Reconcile,
        Kind::Faults,
        Kind::Time,
        Kind::KilledSeller,
        Kind::KilledSweep,
        Kind::Statement,
        Kind::SendStatement,
        Kind::AnswerStatement,
        Kind::AdjustStatement,
        Kind::Payout,
        Kind::TwoPayouts,
        Kind::WithdrawPayout,
        Kind::EndPayout,
        Kind::EndPayout,
        Kind::OneNumberOfPayouts,
    ];
}

/// A payment by bank, as its payer made it.
#[derive(Clone, Debug)]
pub struct Payment {
    pub number: String,
    pub org_id: i64,
    pub cents: i64,
}

/// What waits for a second person.
pub struct Waiting {
    action: String,
    table: String,
    id: i64,
}

fn is_ok(answer: &Answer) -> bool {
    answer.code() == "0000"
}

/// The record in the version that is meant.
fn meant(id: i64, version: i64, more: Value) -> Value {
    with(json!({"id": id, "version": version}), more)
}

impl History<'_> {
    pub async fn step(&mut self, kind: Kind) {
        match kind {
            Kind::Recharge => self.recharge().await,
            Kind::Receipt => self.receipt().await,
            Kind::BankOrder => self.bank_order().await,
            Kind::Order => self.order().await,
            Kind::Payment => self.pay().await,
            Kind::LatePayment => self.pay_late().await,
            Kind::DoublePayment => self.pay_twice().await,
            Kind::PortalRefund => self.refund_in_the_portal().await,
            Kind::Refund => self.refund().await,
            Kind::Cancel => self.cancel().await,
            Kind::Exception => self.exception().await,
            Kind::TakeBack => self.take_back().await,
            Kind::Sale => self.sale().await,
            Kind::Return => _ = self.ask_return().await,
            Kind::Fee => self.fee().await,
            Kind::Money => self.money().await,
            Kind::VoidMoney => self.void_money().await,
            Kind::Adjustment => _ = self.adjustment().await,
            Kind::Invoice => self.invoice().await,
            Kind::IssueInvoice => self.issue_invoice().await,
            Kind::Decide => self.decide().await,
            Kind::TwoAtOnce => self.two_at_once().await,
            Kind::OneNumber => self.one_number().await,
            Kind::ReturnAgainstFee => self.return_against_fee().await,
            Kind::TwoRefunds => self.two_refunds().await,
            Kind::SaleAgainstAdjustment => self.sale_against_adjustment().await,
            Kind::Close => self.close(false).await,
            Kind::CloseAgainstPayment => self.close(true).await,
            Kind::Reconcile => self.reconcile().await,
            Kind::Faults => self.faults().await,
            Kind::Time => self.time().await,
            Kind::KilledSeller => self.killed_seller().await,
            Kind::KilledSweep => self.killed_sweep().await,
            Kind::Statement => self.statement().await,
            Kind::SendStatement => self.send_statement().await,
            Kind::AnswerStatement => self.answer_statement().await,
            Kind::AdjustStatement => self.adjust_statement().await,
            Kind::Payout => self.payout().await,
            Kind::TwoPayouts => self.two_payouts().await,
            Kind::WithdrawPayout => self.withdraw_payout().await,
            Kind::EndPayout => self.end_payout().await,
            Kind::OneNumberOfPayouts => self.one_number_of_payouts().await,
        }
    }

    /// The organisations of the history, for a condition.
    pub fn within(&self) -> String {
        format!("({}, {})", self.orgs[0], self.orgs[1])
    }

    /// Any of the rows of a query, by the numbers in its first two columns.
    async fn any_row(&mut self, sql: String) -> Option<(i64, i64)> {
        let found = rows(&self.stage.app, sql).await;
        let row = (!found.is_empty()).then(|| &found[self.numbers.below(found.len())])?;
        Some((row.get(0), row.get(1)))
    }

    fn org(&mut self) -> i64 {
        *self.numbers.any(&self.orgs)
    }

    /// A payment by bank: a new one, or one that was entered before.
    fn payment(&mut self) -> Payment {
        if !self.model.payments.is_empty() && self.numbers.one_of(4) {
            return self.numbers.any(&self.model.payments).clone();
        }
        let payment =
            Payment { number: format!("BOOKS-{}", self.stage.next_serial()), org_id: self.org(), cents: self.numbers.cents(500, 20_000) };
        self.model.payments.push(payment.clone());
        payment
    }

    // What comes in by bank.

    fn recharge_of(&mut self, payment: &Payment) -> Call {
        let gift_cents = if self.numbers.one_of(3) { self.numbers.cents(1, 3000) } else { 0 };
        let body = json!({
            "orgId": payment.org_id, "payeeOrgId": self.stage.payee_org_id, "amountCents": payment.cents, "giftCents": gift_cents,
            "payMethod": "bank", "bankSerial": payment.number, "proofFileIds": [], "remark": ""
        });
        Call::post("/finance/recharge", body)
    }

    async fn recharge(&mut self) {
        let payment = self.payment();
        let call = self.recharge_of(&payment);
        self.press(&call).await;
    }

    fn receipt_of(&mut self, payment: &Payment) -> Call {
        let biz_type = if self.numbers.one_of(5) { "other" } else { "recharge" };
        let body = json!({
            "orgId": payment.org_id, "payeeOrgId": self.stage.payee_org_id, "bizType": biz_type, "amountCents": payment.cents,
            "payMethod": "bank", "paidAt": self.stage.app.now() - HOUR, "payerName": "北辰", "bankSerial": payment.number,
            "proofFileIds": [], "remark": ""
        });
        Call::post("/org/receipt", body)
    }

    async fn receipt(&mut self) {
        let payment = self.payment();
        let call = self.receipt_of(&payment);
        self.press(&call).await;
    }

    fn order_of(channel: &Value, org_id: i64, cents: i64, more: Value) -> Call {
        let body = json!({
            "orgId": org_id, "payeeChannelId": channel["id"], "bizType": "recharge", "subject": "账户充值", "amountCents": cents, "minutes": 30,
            "remark": ""
        });
        Call::post("/payOrder", with(body, more))
    }

    /// An order by bank that the operator enters as paid.
    async fn bank_order(&mut self) {
        let payment = self.payment();
        let more = json!({"bizType": if self.numbers.one_of(4) { "other" } else { "recharge" }});
        let call = Self::order_of(&self.stage.bank, payment.org_id, payment.cents, more);
        let made = self.press(&call).await;
        if is_ok(&made) {
            let call = self.claim_of(&made.ok(), &payment);
            self.press(&call).await;
        }
    }

    fn claim_of(&self, order: &Value, payment: &Payment) -> Call {
        let body = json!({
            "id": order["id"], "version": order["version"], "channelOrderNo": payment.number, "paidAt": self.stage.app.now() - MINUTE
        });
        Call::put(Who::Operator, "/payOrder/claim", body)
    }

    // What comes in by a provider.

    /// An order of a provider whose payer presses the button.
    async fn order(&mut self) {
        let (org_id, cents) = (self.org(), self.numbers.cents(500, 20_000));
        let more = json!({"bizType": if self.numbers.one_of(4) { "other" } else { "recharge" }});
        self.begun_order(org_id, cents, more).await;
    }

    async fn begun_order(&mut self, org_id: i64, cents: i64, more: Value) {
        let is_wechat = self.numbers.one_of(3);
        let channel = if is_wechat { &self.stage.wechat } else { &self.stage.alipay };
        let call = Self::order_of(channel, org_id, cents, more);
        let made = self.press(&call).await;
        if is_ok(&made) {
            let order = made.ok();
            let (one, other) = tokio::join!(begin(&self.stage.app, &order), begin(&self.stage.there, &order));
            for page in [one, other] {
                assert!(!page.status.is_server_error() || page.status == 503, "{order}: {}", page.status);
            }
        }
    }

    /// Any order of a provider that fits a condition: its number and its amount.
    async fn order_where(&mut self, condition: &str) -> Option<(String, i64)> {
        let sql = format!(
            "SELECT r.no, r.amount_cents FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id \
             WHERE h.provider <> 'bank' AND r.org_id IN {} AND {condition} ORDER BY r.id",
            self.within()
        );
        let found = rows(&self.stage.app, sql).await;
        let row = (!found.is_empty()).then(|| &found[self.numbers.below(found.len())])?;
        Some((row.get(0), row.get(1)))
    }

    /// The payer pays at the provider, which reports it as often as it says: never, once or three times.
    async fn pay_there(&mut self, no: &str, cents: i64, is_again: bool) {
        let of = |notices: usize, again: bool| json!({"no": no, "cents": cents, "notices": notices, "again": again});
        let notices = *self.numbers.any(&[0, 1, 3]);
        // Noted before it is reported: the report credits it.
        self.model.paid_there(no, cents);
        if self.stage.provider.post("/control/pay", of(0, is_again)).await == 204 && notices > 0 {
            self.stage.provider.post("/control/pay", of(notices, false)).await;
        }
    }

    async fn pay(&mut self) {
        let mut found = self.order_where("r.status IN ('created', 'paying')").await;
        if found.is_none() {
            self.order().await;
            found = self.order_where("r.status IN ('created', 'paying')").await;
        }
        let Some((no, cents)) = found else { return };
        // Now and then it is another amount than the order's.
        let wrong = self.numbers.cents(100, 30_000);
        let cents = if self.numbers.one_of(4) { wrong } else { cents };
        self.pay_there(&no, cents, false).await;
        if self.numbers.one_of(2) {
            self.sweep().await;
        }
    }

    /// An order is paid after its time.
    async fn pay_late(&mut self) {
        let Some((no, cents)) = self.order_where("r.paid_cents IS NULL").await else { return };
        self.pass(31 * MINUTE).await;
        self.sweep().await;
        self.pay_there(&no, cents, false).await;
        self.sweep().await;
    }

    async fn pay_twice(&mut self) {
        if self.paid_order().await.is_none() {
            return;
        }
        let Some((no, cents)) = self.order_where("r.paid_cents IS NOT NULL").await else { return };
        self.pay_there(&no, cents, true).await;
    }

    async fn refund_in_the_portal(&mut self) {
        if self.paid_order().await.is_none() {
            return;
        }
        let Some((no, cents)) = self.order_where("r.paid_cents IS NOT NULL").await else { return };
        let part = self.numbers.cents(1, cents);
        let number = if self.numbers.one_of(2) { format!("PORTAL{}", self.stage.next_serial()) } else { String::new() };
        self.stage.provider.refund(&json!({"no": no}), &number, part).await;
    }

    /// Any paid order, by bank or by a provider; where there is none, one is made and paid.
    async fn paid_order(&mut self) -> Option<(i64, i64)> {
        let sql =
            format!("SELECT id, paid_cents FROM payment_order WHERE paid_cents IS NOT NULL AND org_id IN {} ORDER BY id", self.within());
        if let Some(found) = self.any_row(sql.clone()).await {
            return Some(found);
        }
        self.order().await;
        self.pay().await;
        self.any_row(sql).await
    }

    fn refund_of(order_id: i64, cents: i64) -> Call {
        Call::post("/payRefund", json!({"paymentOrderId": order_id, "amountCents": cents, "reason": "多付"}))
    }

    async fn refund(&mut self) {
        let Some((id, cents)) = self.paid_order().await else { return };
        let call = Self::refund_of(id, self.numbers.cents(1, cents + 100));
        self.press(&call).await;
    }

    async fn cancel(&mut self) {
        let sql = format!(
            "SELECT id, version FROM payment_order WHERE status IN ('created', 'paying') AND org_id IN {} ORDER BY id",
            self.within()
        );
        let Some((id, version)) = self.any_row(sql).await else { return };
        let call = Call::put(Who::Operator, "/payOrder/status", meant(id, version, json!({"status": "cancelled"})));
        self.press(&call).await;
    }

    /// Open exceptions, with their versions.
    pub async fn open_exceptions(&self) -> Vec<(i64, i64)> {
        let sql = format!(
            "SELECT x.id, x.version FROM payment_exception x WHERE x.status = 'open' AND x.id > {} \
             AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.target_type = 'payment_exception' AND d.target_id = x.id AND d.status = 'open') \
             ORDER BY x.id",
            self.since.exception_id
        );
        rows(&self.stage.app, sql).await.iter().map(|row| (row.get(0), row.get(1))).collect()
    }

    pub async fn settle(&mut self, id: i64, version: i64, resolution: &str) {
        let body = meant(id, version, json!({"resolution": resolution, "note": "已与机构核对"}));
        self.press(&Call::put(Who::Operator, "/payException/settle", body)).await;
    }

    async fn exception(&mut self) {
        let open = self.open_exceptions().await;
        if !open.is_empty() {
            let (id, version) = *self.numbers.any(&open);
            let resolution = if self.numbers.one_of(3) { "handled" } else { "accepted" };
            self.settle(id, version, resolution).await;
        }
    }

    /// It is asked that what was credited is taken back: a recharge or a receipt.
    async fn take_back(&mut self) {
        let (path, table, status) = match self.numbers.one_of(2) {
            true => ("/finance/recharge/reverse", "recharge", "credited"),
            false => ("/org/receipt/void", "receipt", "confirmed"),
        };
        let sql = format!("SELECT id, version FROM {table} WHERE status = '{status}' AND org_id IN {} ORDER BY id", self.within());
        let Some((id, version)) = self.any_row(sql).await else { return };
        let call = Call::put(Who::Operator, path, meant(id, version, json!({"note": "付款方撤回"})));
        self.press(&call).await;
    }

    // Leads and the money of their clues.

    /// An applicant comes by a node, which is the first to sell the lead, and at times by the other node as well.
    async fn comes(&mut self, by_second: bool) {
        let serial = self.stage.next_serial();
        let id_no = id_no_at(30, self.stage.app.now());
        let user = application((serial % PHONES) as u32 + 1, json!({"idNo": id_no}));
        let request = format!("books-{}-{serial}", self.seed);
        let Stage { app, there, partner, .. } = &*self.stage;
        let (node, other) = if by_second { (there, app) } else { (app, there) };
        let repeated = async {
            match serial.is_multiple_of(3) {
                true => Some(bring(other, partner, &request, user.clone()).await),
                false => None,
            }
        };
        let (answer, repeated) = tokio::join!(bring(node, partner, &request, user.clone()), repeated);
        for answer in [Some(answer), repeated].into_iter().flatten() {
            legal(&answer, &request);
        }
    }

    async fn sale(&mut self) {
        let by_second = self.numbers.one_of(3);
        self.comes(by_second).await;
        _ = tokio::join!(sell(&self.stage.app), sell(&self.stage.there));
    }

    /// Any lead that was sold and is not returned, with its clue; where there is none, an applicant comes first.
    async fn sold(&mut self) -> Option<(i64, i64)> {
        let sql = format!(
            "SELECT h.id, k.id FROM push_record h JOIN clue k ON k.push_id = h.id WHERE h.status = 'accepted' AND h.org_id IN {} ORDER BY h.id",
            self.within()
        );
        if let Some(found) = self.any_row(sql.clone()).await {
            return Some(found);
        }
        self.sale().await;
        self.any_row(sql).await
    }

    fn return_of(push_id: i64) -> Call {
        Call::post("/plan/return", json!({"pushId": push_id, "reasonCode": "dead_number", "note": "", "proofFileIds": []}))
    }

    /// The return of a lead is asked for; answers its clue where it was.
    async fn ask_return(&mut self) -> Option<i64> {
        let (push_id, clue_id) = self.sold().await?;
        let answer = self.press(&Self::return_of(push_id)).await;
        is_ok(&answer).then_some(clue_id)
    }

    /// A payment order for the service fee of a clue.
    async fn fee(&mut self) {
        let Some((_, clue_id)) = self.sold().await else { return };
        let found = rows(&self.stage.app, format!("SELECT no, org_id FROM clue WHERE id = {clue_id}")).await;
        let (no, org_id): (String, i64) = (found[0].get(0), found[0].get(1));
        let cents = self.numbers.cents(500, 20_000);
        let more = json!({"bizType": "service_fee", "clueNo": no});
        if self.numbers.one_of(2) {
            return self.begun_order(org_id, cents, more).await;
        }
        let payment = Payment { number: format!("BOOKS-{}", self.stage.next_serial()), org_id, cents };
        let call = Self::order_of(&self.stage.bank, org_id, cents, more);
        let made = self.press(&call).await;
        if is_ok(&made) {
            let call = self.claim_of(&made.ok(), &payment);
            self.press(&call).await;
        }
    }

    fn money_of(&mut self, clue_id: i64) -> Call {
        let kind = *self.numbers.any(&["service", "deposit", "refund"]);
        let body = json!({
            "clueId": clue_id, "type": kind, "loanCents": null, "amountCents": self.numbers.cents(1, 20_000), "payMethod": "bank",
            "paidAt": self.stage.app.now() - HOUR, "proofFileIds": [], "remark": "首期"
        });
        Call::post("/crm/addMoney", body)
    }

    /// Money of a clue is entered by hand.
    async fn money(&mut self) {
        let Some((_, clue_id)) = self.sold().await else { return };
        let call = self.money_of(clue_id);
        self.press(&call).await;
    }

    async fn void_money(&mut self) {
        let sql = format!("SELECT id, version FROM money_record WHERE status = 'confirmed' AND org_id IN {} ORDER BY id", self.within());
        let Some((id, version)) = self.any_row(sql).await else { return };
        let body = meant(id, version, json!({"status": "void", "note": "对不上"}));
        self.press(&Call::put(Who::Auditor, "/crm/money/status", body)).await;
    }

    // Accounts and invoices.

    /// An adjustment is asked for; answers its id where it was.
    async fn adjustment(&mut self) -> Option<i64> {
        let cents = self.numbers.cents(-6000, 6000);
        let part = if self.numbers.one_of(3) { "gift" } else { "paid" };
        let body = json!({"orgId": self.org(), "part": part, "amountCents": cents, "reason": "补差", "proofFileIds": []});
        let answer = self.press(&Call::post("/finance/account/adjust", body)).await;
        is_ok(&answer).then(|| answer.ok()["id"].as_i64().unwrap())
    }

    /// An invoice is asked for, or a red-letter invoice of one that was issued.
    async fn invoice(&mut self) {
        let cents = self.numbers.cents(100, 9000);
        let sql = format!(
            "SELECT id, version FROM invoice WHERE status IN ('issued', 'sent') AND red_of_id IS NULL AND org_id IN {} ORDER BY id",
            self.within()
        );
        let issued = self.any_row(sql).await;
        let call = match issued {
            Some((id, version)) if self.numbers.one_of(2) => {
                Call::post("/finance/invoice/red", red(&json!({"id": id, "version": version}), cents))
            }
            _ => {
                let changes = json!({"orgId": self.org(), "payeeOrgId": self.stage.payee_org_id, "amountCents": cents});
                Call::post("/finance/invoice", invoice::form(&self.stage.app, changes).await)
            }
        };
        self.press(&call).await;
    }

    /// An approved invoice is issued; one that was issued is void at times.
    async fn issue_invoice(&mut self) {
        let is_void = self.numbers.one_of(4);
        let status = if is_void { "issued" } else { "approved" };
        let sql = format!("SELECT id, version FROM invoice WHERE status = '{status}' AND org_id IN {} ORDER BY id", self.within());
        let Some((id, version)) = self.any_row(sql).await else { return };
        let row = json!({"id": id, "version": version});
        let number = json!({"invoiceNumber": format!("{:08}", 10_000_000 + self.stage.next_serial())});
        let call = match is_void {
            true => Call::put(Who::Admin, "/finance/invoice/status", invoice::status(&row, "void")),
            false => Call::put(Who::Admin, "/finance/invoice/issue", invoice::issue(&self.stage.app, &row, number)),
        };
        self.press(&call).await;
    }

    // What a second person decides.

    async fn waiting(&self) -> Vec<Waiting> {
        let sql = format!(
            "SELECT d.action, d.target_type, d.target_id FROM decision d WHERE d.status = 'open' AND d.id > {} AND d.action IN ({ACTIONS}) \
             ORDER BY d.id",
            self.since.decision_id
        );
        let found = rows(&self.stage.app, sql).await;
        found.iter().map(|row| Waiting { action: row.get(0), table: row.get(1), id: row.get(2) }).collect()
    }

    /// A decision on what waits; none where it was ended meanwhile.
    async fn decision_on(&mut self, Waiting { action, table, id }: &Waiting, approve: bool) -> Option<Call> {
        let found = rows(&self.stage.app, format!("SELECT version FROM {table} WHERE id = {id}")).await;
        let version: i64 = found.first()?.get(0);
        let of = |status: &str| {
            let note = if approve { "" } else { "对不上" };
            meant(*id, version, json!({"status": status, "note": note}))
        };
        let plain = meant(*id, version, json!({"approve": approve, "note": if approve { "" } else { "对不上" }}));
        let another = json!({"anotherPayment": true});
        let (path, body) = match action.as_str() {
            "confirm_receipt" => ("/org/receipt/status", with(of(if approve { "confirmed" } else { "rejected" }), another)),
            "void_receipt" => ("/org/receipt/status", of(if approve { "void" } else { "confirmed" })),
            "confirm_recharge" => {
                let receipt_id = self.receipt_for(*id).await;
                ("/finance/recharge/audit", with(with(plain, another), json!({"receiptId": receipt_id})))
            }
            "reverse_recharge" => ("/finance/recharge/audit", plain),
            "adjust_account" => ("/finance/account/adjust/audit", plain),
            "confirm_payment" => ("/payOrder/confirm", with(plain, another)),
            "accept_exception" => ("/payException/audit", plain),
            "refund_payment" => ("/payRefund/audit", plain),
            "decide_return" => {
                let charge = approve && self.numbers.one_of(2);
                ("/plan/return/audit", with(plain, json!({"chargeChannel": charge})))
            }
            "confirm_money" => ("/crm/money/status", of(if approve { "confirmed" } else { "rejected" })),
            "approve_invoice" => ("/finance/invoice/status", of(if approve { "approved" } else { "refused" })),
            "close_statement" => ("/payStatement/audit", plain),
            "adjust_partner_statement" => ("/partner/adjust/audit", plain),
            "approve_payout" => ("/partner/payout/audit", plain),
            other => panic!("no decision on money: {other}"),
        };
        let approves = approve.then(|| action.clone());
        Some(Call { approves, ..Call::put(Who::Admin, path, body) })
    }

    /// The receipt that is named as the one that brought the money of a recharge: 0 for none.
    async fn receipt_for(&mut self, recharge_id: i64) -> i64 {
        let sql = format!(
            "SELECT t.id, t.version FROM receipt t JOIN recharge g ON g.org_id = t.org_id AND g.amount_cents = t.amount_cents \
             WHERE g.id = {recharge_id} AND t.status = 'confirmed' ORDER BY t.id"
        );
        let found = self.any_row(sql).await;
        found.filter(|_| self.numbers.one_of(2)).map_or(0, |(id, _)| id)
    }

    /// The decision on a record of a table that waits.
    async fn decision_of(&mut self, table: &str, id: Option<i64>) -> Option<Call> {
        let waiting = self.waiting().await;
        let found = waiting.iter().rfind(|one| one.table == table && id.is_none_or(|id| id == one.id))?;
        self.decision_on(found, true).await
    }

    /// Any decision on what waits: mostly it is approved.
    async fn any_decision(&mut self) -> Option<Call> {
        let waiting = self.waiting().await;
        if waiting.is_empty() {
            return None;
        }
        let approve = !self.numbers.one_of(6);
        let one = self.numbers.any(&waiting);
        self.decision_on(one, approve).await
    }

    async fn decide(&mut self) {
        if let Some(call) = self.any_decision().await {
            self.press(&call).await;
        }
    }

    // Two different actions at the same moment.

    /// Makes two calls at the same moment, or the one that there is.
    async fn meet(&mut self, one: Option<Call>, other: Option<Call>) {
        match (one, other) {
            (Some(one), Some(other)) => drop(self.at_once(&one, &other).await),
            (Some(call), None) | (None, Some(call)) => drop(self.press(&call).await),
            (None, None) => {}
        }
    }

    async fn two_at_once(&mut self) {
        let (one, other) = (self.any_decision().await, self.any_decision().await);
        self.meet(one, other).await;
    }

    /// A receipt and a recharge of one payment are confirmed: it is credited once.
    async fn one_number(&mut self) {
        let payment = self.payment();
        let (receipt, recharge) = (self.receipt_of(&payment), self.recharge_of(&payment));
        self.at_once(&receipt, &recharge).await;
        let (one, other) = (self.decision_of("receipt", None).await, self.decision_of("recharge", None).await);
        self.meet(one, other).await;
    }

    /// A return is approved while money of its clue is entered or confirmed.
    async fn return_against_fee(&mut self) {
        let Some(clue_id) = self.ask_return().await else { return };
        let money = self.money_of(clue_id);
        let decision = self.decision_of("lead_return", None).await;
        if self.numbers.one_of(2) {
            return self.meet(decision, Some(money)).await;
        }
        self.press(&money).await;
        let confirmation = self.decision_of("money_record", None).await;
        self.meet(decision, confirmation).await;
    }

    /// Two refunds of one order that together exceed it are approved.
    async fn two_refunds(&mut self) {
        let Some((id, cents)) = self.paid_order().await else { return };
        let (one, other) = (Self::refund_of(id, cents / 2 + 1), Self::refund_of(id, (cents / 2).max(1)));
        self.at_once(&one, &other).await;
        let waiting = self.waiting().await;
        let mut decisions = Vec::new();
        for one in waiting.iter().rev().filter(|one| one.table == "payment_refund").take(2) {
            decisions.extend(self.decision_on(one, true).await);
        }
        let (one, other) = (decisions.pop(), decisions.pop());
        self.meet(one, other).await;
    }

    /// A lead is sold while its buyer's account is adjusted.
    async fn sale_against_adjustment(&mut self) {
        let Some(id) = self.adjustment().await else { return };
        let decision = self.decision_of("account_adjustment", Some(id)).await;
        self.comes(false).await;
        let Some(call) = decision else { return };
        let (key, here, there) = (self.key(), &self.stage.app, &self.stage.there);
        let (answer, ()) = tokio::join!(self.send(there, &call, &key), sell(here));
        let answer = self.until_known(&call, &key, answer).await;
        self.model.note(&call, &answer);
    }

    // Closings.

    /// The next month is closed, on both nodes at once or while a decision credits something.
    async fn close(&mut self, against_payment: bool) {
        let admin = self.stage.app.with_token(&self.tokens.admin);
        let mut months = admin.get("/finance/statement/months").await.ok();
        if months["next"].is_null() && self.may_jump {
            self.go_to_next_month().await;
            let admin = self.stage.app.with_token(&self.tokens.admin);
            months = admin.get("/finance/statement/months").await.ok();
        }
        let Some(next) = months["next"].as_str() else { return };
        let close = Call::put(Who::Admin, "/finance/statement/close", json!({"month": next}));
        let other = if against_payment { self.any_decision().await } else { Some(close.clone()) };
        self.meet(Some(close), other).await;
    }

    /// Goes to the second day of the next month, when the one before can be closed and stated.
    async fn go_to_next_month(&mut self) {
        let now = self.stage.app.now();
        let mut next = now;
        while clock::day(next).month() == clock::day(now).month() {
            next += DAY;
        }
        self.pass(clock::start(clock::day(next)) + DAY + 3 * HOUR - now).await;
        self.sweep().await;
    }

    /// The day of the bank's channel is brought as it is in our book, or without its last line, and asked to be closed.
    async fn reconcile(&mut self) {
        let today = clock::start(clock::day(self.stage.app.now()));
        let sql = format!(
            "SELECT channel_order_no, paid_cents FROM payment_order WHERE payee_channel_id = {} AND paid_at >= {today} \
             AND paid_at < {} AND paid_cents IS NOT NULL ORDER BY id",
            self.stage.bank["id"],
            today + DAY
        );
        let mut lines: Vec<(String, i64)> = rows(&self.stage.app, sql).await.iter().map(|row| (row.get(0), row.get(1))).collect();
        if self.numbers.one_of(3) {
            lines.pop();
        }
        if lines.is_empty() {
            return;
        }
        let lines: String = lines.iter().map(|(number, cents)| format!("{number},{}.{:02}\n", cents / 100, cents % 100)).collect();
        let operator = self.stage.app.with_token(&self.tokens.operator);
        let bank = self.stage.bank["id"].as_i64().unwrap();
        let table = format!("流水号,金额\n{lines}");
        let brought = testing::pay::statement::bring(&self.stage.app, &operator, bank, testing::pay::statement::COLUMNS, &table).await;
        legal(&brought, &table);
        if is_ok(&brought) {
            let row = brought.ok();
            let body = json!({"id": row["id"], "version": row["version"]});
            self.press(&Call::put(Who::Operator, "/payStatement/close", body)).await;
        }
    }

    // Faults and time.

    /// The provider has another fault from now on, or none.
    async fn faults(&mut self) {
        let fault = *self.numbers.any(&["", "", "loseAnswers", "fail", "wrongSignature", "refuseRefunds", "silent"]);
        let how = if fault.is_empty() { json!({}) } else { json!({fault: true}) };
        self.stage.provider.misbehave(how).await;
    }

    async fn time(&mut self) {
        let minutes = *self.numbers.any(&[1, 5, 15, 40, 24 * 60]);
        self.pass(minutes * MINUTE).await;
        self.sweep().await;
    }

    /// Both nodes look at what is due of payments.
    pub async fn sweep(&mut self) {
        let (here, there) = (&self.stage.app, &self.stage.there);
        let (one, other) = tokio::join!(pay::sweep(&here.app), pay::sweep(&there.app));
        one.and(other).unwrap();
    }

    /// A node is killed while it sells, and the other goes on.
    async fn killed_seller(&mut self) {
        self.comes(true).await;
        let within = self.life();
        _ = tokio::time::timeout(within, sell(&self.stage.there)).await;
        self.restart().await;
        // What the killed node had begun is due again after a while.
        self.pass(31 * MINUTE).await;
        sell(&self.stage.app).await;
    }

    /// A node is killed while it asks the provider, and the other goes on.
    async fn killed_sweep(&mut self) {
        let within = self.life();
        _ = tokio::time::timeout(within, pay::sweep(&self.stage.there.app)).await;
        self.restart().await;
        self.pass(5 * MINUTE).await;
        self.sweep().await;
    }
}

/// Sells what is due, on a node; a transaction that another stood in the way of is due again.
async fn sell(node: &TestApp) {
    for left in (0..TRIES).rev() {
        match distribution::settle_all(&node.app).await {
            Ok(()) => return,
            Err(error) => assert!(left > 0, "{error:?}"),
        }
    }
}
