//! Steps about what channels are owed: statements and their links, corrections by two people, and payouts.

use base::clock::{self, DAY, HOUR};
use serde_json::{Value, json};
use sqlx::Row;
use trade::partner::make_monthly;
use trade::visit::lead;

use super::{History, is_ok, meant};
use crate::books::calls::{Call, Who};
use crate::books::check::rows;
use testing::partner::answer;

/// What a partner's page answers that is no fault: kept, no such link, not now, too often, busy.
const ANSWERS: [u16; 5] = [303, 404, 409, 429, 503];
/// How long a month is over before its statements are made.
const REST: i64 = DAY + 2 * HOUR;

/// A statement as a step needs it.
struct Statement {
    id: i64,
    version: i64,
    no: String,
    month: String,
    status: String,
}

impl History<'_> {
    fn channel_id(&self) -> i64 {
        self.stage.partner.id
    }

    /// Books what channels are owed for what was noted so far.
    async fn book(&self) {
        let app = &self.stage.app.app;
        lead::add_up(&app.db, &app.clock).await.unwrap();
    }

    async fn newest_statement(&self) -> Option<Statement> {
        let sql = format!(
            "SELECT m.id, m.version, m.statement_no, m.month, m.status FROM partner_statement m WHERE m.channel_id = {} \
             ORDER BY m.month DESC LIMIT 1",
            self.channel_id()
        );
        let found = rows(&self.stage.app, sql).await;
        let row = found.first()?;
        Some(Statement { id: row.get(0), version: row.get(1), no: row.get(2), month: row.get(3), status: row.get(4) })
    }

    /// The last month whose statements may be made.
    fn last_month(&self) -> String {
        let first = clock::day(self.stage.app.now() - REST).first_of_month();
        clock::day(clock::start(first) - DAY).to_string()[..7].to_owned()
    }

    /// The statement of the last month is made, by the operator or by the nightly task of both nodes. If there is nothing for one, a
    /// lead is sold and the next month comes.
    pub(super) async fn statement(&mut self) {
        self.has_partners = true;
        self.book().await;
        let newest = self.newest_statement().await;
        let is_open = newest.as_ref().is_some_and(|newest| newest.status != "confirmed");
        let may_jump = self.may_jump && (self.verifies || self.numbers.one_of(4));
        if !is_open && may_jump && self.is_nothing_due(newest.as_ref()).await {
            self.sale().await;
            self.book().await;
            self.go_to_next_month().await;
        }
        if self.numbers.one_of(3) {
            let (here, there) = (&self.stage.app.app, &self.stage.there.app);
            let (one, other) = tokio::join!(make_monthly(here), make_monthly(there));
            one.and(other).unwrap();
            return;
        }
        let body = json!({"channelId": self.channel_id(), "month": self.last_month()});
        self.press(&Call::post("/partner/statement", body)).await;
    }

    /// Whether there is no statement to make for the last month.
    async fn is_nothing_due(&self, newest: Option<&Statement>) -> bool {
        let month = self.last_month();
        let sql = format!(
            "SELECT i.id FROM partner_item i WHERE i.channel_id = {} AND i.statement_id IS NULL AND i.day <= '{month}-31' LIMIT 1",
            self.channel_id()
        );
        newest.is_some_and(|newest| newest.month >= month) || rows(&self.stage.app, sql).await.is_empty()
    }

    /// The newest statement is sent, or what was sent is withdrawn.
    pub(super) async fn send_statement(&mut self) {
        let Some(newest) = self.newest_statement().await else { return self.statement().await };
        self.has_partners = true;
        if newest.status == "sent" && self.numbers.one_of(3) {
            let call = Call::put(Who::Operator, "/partner/statement/withdraw", meant(newest.id, newest.version, json!({})));
            self.press(&call).await;
            return;
        }
        self.send_it(&newest).await;
    }

    async fn send_it(&mut self, statement: &Statement) {
        let sent = self.press(&Call::post("/partner/statement/send", meant(statement.id, statement.version, json!({})))).await;
        if is_ok(&sent) {
            let path = sent.ok()["path"].as_str().unwrap().to_owned();
            self.stage.links.insert(statement.id, path);
        }
    }

    /// The partner answers the newest statement by the last link that is known, which may have ended.
    pub(super) async fn answer_statement(&mut self) {
        let Some(newest) = self.newest_statement().await else { return self.statement().await };
        self.has_partners = true;
        if ["draft", "disputed"].contains(&newest.status.as_str()) {
            self.send_it(&newest).await;
        }
        let is_disputed = self.numbers.one_of(3);
        self.answer_it(&newest, is_disputed).await;
    }

    /// Answers a statement: once, twice, or in both ways at the same moment. One answer is kept at most.
    async fn answer_it(&mut self, statement: &Statement, is_disputed: bool) {
        const WAYS: [&str; 2] = ["answer=confirm", "answer=dispute&note=%E5%A4%9A%E8%AE%B0"];
        let Some(path) = self.stage.links.get(&statement.id).cloned() else { return };
        let row = json!({"statementNo": statement.no});
        let (way, other) = if is_disputed { (WAYS[1], WAYS[0]) } else { (WAYS[0], WAYS[1]) };
        let (here, there) = (&self.stage.app, &self.stage.there);
        let answers = match self.numbers.below(4) {
            0 => vec![answer(here, &path, &row, way).await, answer(there, &path, &row, way).await],
            1 => {
                let (one, other) = tokio::join!(answer(here, &path, &row, way), answer(there, &path, &row, other));
                vec![one, other]
            }
            _ => vec![answer(there, &path, &row, way).await],
        };
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
        assert!(statuses.iter().all(|status| ANSWERS.contains(status)), "{}: {statuses:?}", statement.no);
        assert!(statuses.iter().filter(|status| **status == 303).count() <= 1, "{} is answered twice: {statuses:?}", statement.no);
    }

    /// A correction of a statement that is not confirmed is asked for, or one that waits is withdrawn. What was sent is withdrawn before.
    pub(super) async fn adjust_statement(&mut self) {
        self.has_partners = true;
        if self.newest_statement().await.is_none_or(|newest| newest.status == "confirmed") {
            self.statement().await;
        }
        let Some(newest) = self.newest_statement().await else { return };
        if newest.status == "sent" {
            let call = Call::put(Who::Operator, "/partner/statement/withdraw", meant(newest.id, newest.version, json!({})));
            self.press(&call).await;
        }
        let pending = self.pending_adjustment(newest.id).await;
        let call = match pending {
            Some((id, version)) if self.numbers.one_of(3) => {
                Call::put(Who::Operator, "/partner/adjust/withdraw", meant(id, version, json!({})))
            }
            _ => {
                let cents = self.numbers.cents(-900, 900);
                Call::post("/partner/adjust", json!({"statementId": newest.id, "amountCents": cents, "reason": "多记一单"}))
            }
        };
        let answer = self.press(&call).await;
        if is_ok(&answer) && self.numbers.one_of(2) {
            self.decide_adjustment(newest.id).await;
        }
    }

    async fn pending_adjustment(&mut self, statement_id: i64) -> Option<(i64, i64)> {
        let sql =
            format!("SELECT id, version FROM partner_adjustment WHERE status = 'pending' AND statement_id = {statement_id} ORDER BY id");
        self.any_row(sql).await
    }

    async fn decide_adjustment(&mut self, statement_id: i64) {
        if let Some((id, version)) = self.pending_adjustment(statement_id).await {
            let call = Call::put(Who::Admin, "/partner/adjust/audit", meant(id, version, json!({"approve": true, "note": ""})));
            self.press(&call).await;
        }
    }

    /// Any confirmed statement that is not asked for whole, and what is left of it. Where there is none, the newest is brought so far.
    async fn confirmed_statement(&mut self) -> Option<(i64, i64)> {
        let sql = format!(
            "SELECT m.id, m.net_cents - m.asked_cents FROM partner_statement m WHERE m.channel_id = {} AND m.status = 'confirmed' \
             AND m.net_cents > m.asked_cents ORDER BY m.id",
            self.channel_id()
        );
        if let Some(found) = self.any_row(sql.clone()).await {
            return Some(found);
        }
        if self.newest_statement().await.is_none_or(|newest| newest.status == "confirmed") {
            self.statement().await;
        }
        let newest = self.newest_statement().await.filter(|newest| newest.status != "confirmed")?;
        self.decide_adjustment(newest.id).await;
        let newest = self.newest_statement().await?;
        self.send_it(&newest).await;
        self.answer_it(&newest, false).await;
        self.any_row(sql).await
    }

    fn payout_of(&self, statement_id: i64, cents: i64) -> Call {
        let body = json!({"statementId": statement_id, "payeeOrgId": self.stage.payee_org_id, "amountCents": cents, "remark": ""});
        Call::post("/partner/payout", body)
    }

    /// A payout is asked for: all that is left of a statement, a part of it, or more, which is refused.
    pub(super) async fn payout(&mut self) {
        self.has_partners = true;
        let Some((id, left)) = self.confirmed_statement().await else { return };
        let cents = match self.numbers.below(5) {
            0 => left + self.numbers.cents(1, 500),
            1 => left,
            _ => self.numbers.cents(1, left + 1),
        };
        let call = self.payout_of(id, cents);
        let answer = self.press(&call).await;
        assert!(cents <= left || !is_ok(&answer), "{cents} of {left} fen: {call:?}");
    }

    /// Two payouts that together exceed what is left of a statement are asked for at the same moment.
    pub(super) async fn two_payouts(&mut self) {
        self.has_partners = true;
        let Some((id, left)) = self.confirmed_statement().await else { return };
        let call = self.payout_of(id, left / 2 + 1);
        let (one, other) = self.at_once(&call, &call).await;
        assert!(!is_ok(&one) || !is_ok(&other), "two halves of {left} fen and more: {call:?}");
    }

    async fn payout_where(&mut self, status: &str) -> Option<(i64, i64)> {
        let sql =
            format!("SELECT id, version FROM partner_payout WHERE channel_id = {} AND status = '{status}' ORDER BY id", self.channel_id());
        self.any_row(sql).await
    }

    fn decision_on_payout((id, version): (i64, i64), approve: bool) -> Call {
        let note = if approve { "" } else { "对不上" };
        Call::put(Who::Admin, "/partner/payout/audit", meant(id, version, json!({"approve": approve, "note": note})))
    }

    /// The payout that waits is withdrawn, at times at the moment at which it is decided on.
    pub(super) async fn withdraw_payout(&mut self) {
        self.has_partners = true;
        let Some((id, version)) = self.payout_where("waiting").await else { return self.payout().await };
        let call = Call::put(Who::Operator, "/partner/payout/withdraw", meant(id, version, json!({})));
        if self.numbers.one_of(2) {
            let approve = !self.numbers.one_of(3);
            let (one, other) = self.at_once(&call, &Self::decision_on_payout((id, version), approve)).await;
            assert!(!is_ok(&one) || !is_ok(&other), "withdrawn and decided on: {call:?}");
            return;
        }
        self.press(&call).await;
    }

    /// Any approved payout; where there is none, one is asked for and approved.
    async fn approved_payout(&mut self) -> Option<(i64, i64)> {
        if let Some(found) = self.payout_where("approved").await {
            return Some(found);
        }
        if self.payout_where("waiting").await.is_none() {
            self.payout().await;
        }
        let waiting = self.payout_where("waiting").await?;
        self.press(&Self::decision_on_payout(waiting, true)).await;
        self.payout_where("approved").await
    }

    /// The payment of a payout: at times by a number that another payment may have.
    async fn payment_of(&mut self, (id, version): (i64, i64)) -> Call {
        let used =
            rows(&self.stage.app, "SELECT number FROM outgoing_payment WHERE number IS NOT NULL ORDER BY id DESC LIMIT 5".to_owned());
        let used: Vec<String> = used.await.iter().map(|row| row.get(0)).collect();
        let number = match used.is_empty() || !self.numbers.one_of(4) {
            true => format!("OUT-{}", self.stage.next_serial()),
            false => self.numbers.any(&used).clone(),
        };
        let payment: Value = json!({"bankNumber": number, "paidAt": self.stage.app.now(), "proofFileIds": []});
        Call::put(Who::Operator, "/partner/payout/paid", meant(id, version, payment))
    }

    /// An approved payout is paid or fails, or both at the same moment; at times in a version that it does not have.
    pub(super) async fn end_payout(&mut self) {
        self.has_partners = true;
        let Some((id, version)) = self.approved_payout().await else { return };
        let is_stale = self.numbers.one_of(6);
        let version = if is_stale { version - 1 } else { version };
        let paid = self.payment_of((id, version)).await;
        let failed = Call::put(Who::Operator, "/partner/payout/failed", meant(id, version, json!({"failure": "账号不符"})));
        let answers = match self.numbers.below(6) {
            0 => vec![self.press(&failed).await],
            1 => {
                let (one, other) = self.at_once(&paid, &failed).await;
                vec![one, other]
            }
            _ => vec![self.press(&paid).await],
        };
        let ended = answers.iter().filter(|answer| is_ok(answer)).count();
        assert!(ended <= usize::from(!is_stale), "ended {ended} times, stale: {is_stale}: {paid:?}");
    }

    /// Two payouts are paid at the same moment by one number, which one of them has at most.
    pub(super) async fn one_number_of_payouts(&mut self) {
        self.has_partners = true;
        let Some(one) = self.approved_payout().await else { return };
        let sql = format!(
            "SELECT id, version FROM partner_payout WHERE channel_id = {} AND status = 'waiting' AND id <> {} ORDER BY id",
            self.channel_id(),
            one.0
        );
        if self.any_row(sql.clone()).await.is_none() {
            self.payout().await;
        }
        if let Some(waiting) = self.any_row(sql).await {
            self.press(&Self::decision_on_payout(waiting, true)).await;
        }
        let sql = format!(
            "SELECT id, version FROM partner_payout WHERE channel_id = {} AND status = 'approved' AND id <> {} ORDER BY id",
            self.channel_id(),
            one.0
        );
        let Some(other) = self.any_row(sql).await else { return };
        let first = self.payment_of(one).await;
        let mut second = self.payment_of(other).await;
        second.body["bankNumber"] = first.body["bankNumber"].clone();
        let (one, other) = self.at_once(&first, &second).await;
        assert!(!is_ok(&one) || !is_ok(&other), "paid by one number: {first:?} {second:?}");
    }

    /// Nothing of channels waits for a second person any more: what does is refused.
    pub async fn end_partners(&mut self) {
        self.has_partners = true;
        let waiting: Vec<_> = self.waiting().await.into_iter().filter(|one| one.table.starts_with("partner_")).collect();
        for one in waiting {
            if let Some(call) = self.decision_on(&one, false).await {
                self.press(&call).await;
            }
        }
    }
}
