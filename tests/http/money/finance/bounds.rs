//! The bounds of accounts of the journal: an account that is past its bound is named, whatever its kind. Some accounts go one way: the
//! database refuses the other.

use base::clock::HOUR;

use super::wrong;
use testing::{TestApp, on_both};

/// A transfer that no booking is for.
struct Planted {
    debit: (&'static str, i64),
    credit: (&'static str, i64),
    status: &'static str,
    ref_type: &'static str,
    key: &'static str,
}

impl Planted {
    fn of(debit: (&'static str, i64), credit: (&'static str, i64)) -> Planted {
        Planted { debit, credit, status: "posted", ref_type: "receipt", key: "planted" }
    }

    fn sql(&self, at: i64) -> String {
        format!(
            "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, \
               begun_at, at) VALUES ('{}', {}, '{}', {}, 5, '{}', '{}', 1, '{}', {at}, {at})",
            self.debit.0, self.debit.1, self.credit.0, self.credit.1, self.status, self.ref_type, self.key
        )
    }

    async fn plant(&self, app: &TestApp) {
        app.execute(Box::leak(self.sql(app.now() - HOUR).into_boxed_str())).await;
    }
}

/// The accounts past their bounds: the organisation, the transfer, and by how much.
async fn past(app: &TestApp) -> Vec<(i64, Option<i64>, i64)> {
    wrong(app).await.iter().filter(|one| one.what == "bound").map(|one| (one.org_id, one.id, one.found)).collect()
}

async fn pull_up(app: &TestApp) {
    app.execute("DELETE FROM journal_transfer WHERE idem_key LIKE 'planted%'").await;
}

/// The owner of each account of these tests.
const OWNER: i64 = 77;
/// Has no bound.
const OTHER: (&str, i64) = ("clearing", OWNER);

on_both!(an_account_past_its_bound_is_named);
async fn an_account_past_its_bound_is_named(app: TestApp) {
    testing::finance::credited(&app, serde_json::json!({"giftCents": 70})).await;
    app.unguard_the_ledger().await;
    assert_eq!(wrong(&app).await, []);
    for kind in [
        "org_gift",
        "provider_fees",
        "lead_revenue",
        "service_fees",
        "other_income",
        "gifts_given",
        "refunds_on_way",
        "suspense",
        "channel_payable",
        "tax_withheld",
        "visit_revenue",
    ] {
        let own = (kind, OWNER);
        let is_debit = ["provider_fees", "gifts_given"].contains(&kind);
        let way = |takes: bool| if takes == is_debit { Planted::of(OTHER, own) } else { Planted::of(own, OTHER) };
        let key = if kind == "suspense" { "planted-settled" } else { "planted" };
        for status in ["posted", "pending"] {
            Planted { status, key, ..way(true) }.plant(&app).await;
            let id = app.count("SELECT MAX(id) FROM journal_transfer").await;
            let org_id = if ["org_gift", "service_fees", "other_income"].contains(&kind) { OWNER } else { 0 };
            assert_eq!(past(&app).await, [(org_id, Some(id), -5)], "{kind} {status}");
            // What is pending to be added covers nothing, what is posted does.
            Planted { status: "pending", key: "planted-more", ..way(false) }.plant(&app).await;
            assert_eq!(past(&app).await.len(), 1, "{kind} {status}");
            app.execute("UPDATE journal_transfer SET status = 'posted' WHERE idem_key = 'planted-more'").await;
            assert_eq!(past(&app).await, [], "{kind} {status}");
            pull_up(&app).await;
        }
        Planted { status: "void", key, ..way(true) }.plant(&app).await;
        assert_eq!(past(&app).await, [], "{kind} void");
        pull_up(&app).await;
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(what_may_go_below_zero_is_not_named);
async fn what_may_go_below_zero_is_not_named(app: TestApp) {
    app.unguard_the_ledger().await;
    for (kind, ref_type, key) in [
        ("channel_payable", "partner_item", "planted"),
        ("suspense", "payment_exception", "planted"),
        ("org_paid", "push_record", "planted"),
        ("cash", "recharge", "planted"),
        ("adjustments", "account_adjustment", "planted"),
        ("channel_cost", "partner_item", "planted"),
    ] {
        Planted { ref_type, key, ..Planted::of((kind, OWNER), OTHER) }.plant(&app).await;
        assert_eq!(past(&app).await, [], "{kind}");
        pull_up(&app).await;
    }
    // What was taken back covers no payout.
    Planted { ref_type: "partner_item", ..Planted::of(("channel_payable", OWNER), OTHER) }.plant(&app).await;
    Planted { ref_type: "partner_payout", key: "planted-paid", ..Planted::of(("channel_payable", OWNER), OTHER) }.plant(&app).await;
    assert_eq!(past(&app).await.iter().map(|one| one.2).collect::<Vec<_>>(), [-5]);
}

on_both!(transfers_against_accounts_that_go_one_way_are_refused);
async fn transfers_against_accounts_that_go_one_way_are_refused(app: TestApp) {
    for planted in [
        Planted::of(("visit_revenue", 0), OTHER),
        Planted { status: "pending", ..Planted::of(("visit_revenue", 0), OTHER) },
        Planted::of(OTHER, ("provider_fees", OWNER)),
    ] {
        let sql = planted.sql(app.now());
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(sqlx::query(sqlx::AssertSqlSafe(sql.clone())).execute(&mut *tx).await.is_err(), "{sql}");
        tx.rollback().await.unwrap();
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM journal_transfer").await, 0);
}
