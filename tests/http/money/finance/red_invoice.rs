//! Red-letter invoices: an issued invoice is counted back, all of it or a part, and never more; what is invoiced above what was spent
//! is shown, and finance staff have one message about it.

use base::clock::DAY;
use serde_json::{Value, json};

use super::invoice::{invoiceable, spent};
use super::wrong;
use testing::finance::invoice::{form, issue, issued, status};
use testing::finance::red_invoice::red;
use testing::{Actor, TestApp, on_both};

/// North Star's newest lead that is not returned goes back, and its price with it.
async fn give_back_a_lead(app: &TestApp, who: &Actor) {
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    let push_id = app.count("SELECT MAX(id) FROM push_record WHERE status = 'accepted'").await;
    testing::returns::ask(who, push_id, json!({})).await.ok();
}

/// The row of North Star in the list of what can be invoiced.
async fn row_of(who: &Actor) -> Value {
    who.post("/finance/invoiceable/page", json!({})).await.ok()["list"][0].clone()
}

/// How many rows are over-invoiced, by the workplace and by the list behind it.
async fn over(who: &Actor) -> (i64, i64) {
    let today = who.get("/workplace").await.ok();
    let queues = today["queues"].as_array().unwrap();
    let queue = queues.iter().find(|queue| queue["href"] == "/finance/invoice/invoiceable?state=over");
    let page = who.post("/finance/invoiceable/page", json!({"state": "over"})).await.ok();
    (queue.map_or(0, |queue| queue["count"].as_i64().unwrap()), page["total"].as_i64().unwrap())
}

async fn books_agree(app: &TestApp) {
    let mut wrong = wrong(app).await;
    wrong.retain(|one| one.what == "invoice");
    assert_eq!(wrong, []);
}

on_both!(a_red_letter_invoice_counts_back_once);
async fn a_red_letter_invoice_counts_back_once(app: TestApp) {
    let admin = spent(&app).await;
    let north = app.sign_in("north.manager").await;
    let waiting = north.post("/finance/invoice", form(&app, json!({"amountCents": 9000})).await).await.ok();
    north.post("/finance/invoice/red", red(&waiting, 1)).await.refused("1006");
    let approved = admin.put("/finance/invoice/status", status(&waiting, "approved")).await.ok();
    let of = admin.put("/finance/invoice/issue", issue(&app, &approved, json!({}))).await.ok();
    for (field, changes) in [
        ("amountCents", json!({"amountCents": 0})),
        ("amountCents", json!({"amountCents": -1})),
        ("amountCents", json!({"amountCents": 9001})),
        ("reason", json!({"reason": " "})),
    ] {
        north.post("/finance/invoice/red", testing::org::with(red(&of, 1), changes)).await.wrong(field);
    }
    app.sign_in("south.manager").await.post("/finance/invoice/red", red(&of, 1)).await.refused("1004");
    let row = north.post("/finance/invoice/red", red(&of, 4000)).await.ok();
    assert_eq!((&row["color"], &row["amountCents"], &row["redOfNo"]), (&json!("red"), &json!(-4000), &of["no"]));
    assert_eq!((&row["receiverPhoneMask"], &row["redReason"]), (&json!("138****0001"), &json!("退单退款")));
    assert_eq!(admin.get(&format!("/finance/invoice/reveal/{}", row["id"])).await.ok()["receiverPhone"], "13812340001");
    assert!(admin.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string().contains("红字发票待审"));
    // No more than the rest of it, and what is refused or withdrawn leaves its part to another.
    north.post("/finance/invoice/red", red(&of, 5001)).await.wrong("amountCents");
    let second = north.post("/finance/invoice/red", red(&of, 5000)).await.ok();
    north.post("/finance/invoice/red", red(&of, 1)).await.refused("1006");
    north.put("/finance/invoice/withdraw", json!({"id": second["id"], "version": second["version"]})).await.ok();
    let second = north.post("/finance/invoice/red", red(&of, 5000)).await.ok();
    admin.put("/finance/invoice/status", status(&second, "refused")).await.ok();
    // A second person approves it; it counts when it is issued.
    let by_admin = admin.post("/finance/invoice/red", red(&of, 1)).await.ok();
    admin.put("/finance/invoice/status", status(&by_admin, "approved")).await.refused("1006");
    admin.put("/finance/invoice/withdraw", json!({"id": by_admin["id"], "version": by_admin["version"]})).await.ok();
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    assert_eq!(invoiceable(&north).await, 0);
    books_agree(&app).await;
    let issue = |changes| issue(&app, &row, changes);
    admin.put("/finance/invoice/issue", issue(json!({}))).await.wrong("invoiceNumber");
    let yesterday = base::clock::day(app.now() - DAY).to_string();
    let early = json!({"invoiceNumber": "12345679", "issuedOn": yesterday});
    admin.put("/finance/invoice/issue", issue(early)).await.wrong("issuedOn");
    let once = issue(json!({"invoiceNumber": "12345679"}));
    let row = admin.put("/finance/invoice/issue", once.clone()).await.ok();
    assert_eq!(invoiceable(&north).await, 4000);
    admin.put("/finance/invoice/issue", once).await.refused("1005");
    assert_eq!(invoiceable(&north).await, 4000);
    // Neither is voided, and a red-letter invoice is not counted back itself.
    admin.put("/finance/invoice/status", status(&row, "void")).await.refused("1006");
    admin.post("/finance/invoice/red", red(&row, 1)).await.refused("1006");
    let of = admin.get(&format!("/finance/invoice/{}", of["id"])).await.ok();
    assert_eq!(of["redCents"], 4000);
    admin.put("/finance/invoice/status", status(&of, "void")).await.refused("1006");
    for (filters, total) in [(json!({"color": "red"}), 4), (json!({"color": "blue"}), 1), (json!({"redOfId": of["id"]}), 4)] {
        assert_eq!(admin.post("/finance/invoice/page", filters.clone()).await.ok()["total"], total, "{filters}");
    }
    let history = admin.get(&format!("/finance/invoice/history/{}", of["id"])).await.ok().to_string();
    assert!(history.contains("redCents"), "{history}");
    // What was counted back is invoiced once more, and no more than it.
    north.post("/finance/invoice", form(&app, json!({"amountCents": 4001})).await).await.wrong("amountCents");
    north.post("/finance/invoice", form(&app, json!({"amountCents": 4000})).await).await.ok();
    books_agree(&app).await;
}

on_both!(red_letter_invoices_at_once_never_exceed_their_invoice);
async fn red_letter_invoices_at_once_never_exceed_their_invoice(app: TestApp) {
    spent(&app).await;
    let of = issued(&app, json!({"amountCents": 9000})).await;
    let nodes = (app.node().await, app.node().await);
    let (one, other) = (nodes.0.sign_in("admin").await, nodes.1.sign_in("north.manager").await);
    let asked =
        (0..8).map(|number| if number % 2 == 0 { &one } else { &other }).map(|who| who.post("/finance/invoice/red", red(&of, 4000)));
    let answers = futures_util::future::join_all(asked).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 2);
    assert_eq!(app.count("SELECT red_cents FROM invoice WHERE red_of_id IS NULL").await, 8000);
    books_agree(&app).await;
}

on_both!(an_invoice_is_voided_or_counted_back_and_issued_once);
async fn an_invoice_is_voided_or_counted_back_and_issued_once(app: TestApp) {
    let admin = spent(&app).await;
    let nodes = (app.node().await, app.node().await);
    let (one, other) = (nodes.0.sign_in("admin").await, nodes.1.sign_in("north.manager").await);
    for number in 0..5 {
        let (waiting, number) = (form(&app, json!({"amountCents": 1000})).await, format!("2234567{number}"));
        let row = other.post("/finance/invoice", waiting).await.ok();
        let row = one.put("/finance/invoice/status", status(&row, "approved")).await.ok();
        let of = one.put("/finance/invoice/issue", issue(&app, &row, json!({"invoiceNumber": number}))).await.ok();
        let (void, red) =
            tokio::join!(one.put("/finance/invoice/status", status(&of, "void")), other.post("/finance/invoice/red", red(&of, 1000)),);
        let done = [void.code(), red.code()].iter().filter(|code| *code == "0000").count();
        assert_eq!(done, 1, "{} {}", void.desc(), red.desc());
    }
    // Issued by both nodes at once, a red-letter invoice counts back once.
    if app.count("SELECT COUNT(*) FROM invoice WHERE red_of_id IS NOT NULL").await == 0 {
        let kept = form(&app, json!({"amountCents": 1000})).await;
        let row = other.post("/finance/invoice", kept).await.ok();
        let row = one.put("/finance/invoice/status", status(&row, "approved")).await.ok();
        let row = one.put("/finance/invoice/issue", issue(&app, &row, json!({"invoiceNumber": "22345679"}))).await.ok();
        other.post("/finance/invoice/red", red(&row, 1000)).await.ok();
    }
    let before = invoiceable(&admin).await;
    let id = app.count("SELECT MAX(id) FROM invoice WHERE red_of_id IS NOT NULL").await;
    let row = admin.get(&format!("/finance/invoice/{id}")).await.ok();
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    let body = issue(&app, &row, json!({"invoiceNumber": "32345678"}));
    let second = nodes.1.sign_in("admin").await;
    let answers = tokio::join!(one.put("/finance/invoice/issue", body.clone()), second.put("/finance/invoice/issue", body));
    assert_eq!([answers.0.code(), answers.1.code()].iter().filter(|code| *code == "0000").count(), 1);
    assert_eq!(invoiceable(&admin).await, before + 1000);
    books_agree(&app).await;
}

on_both!(an_invoice_is_voided_within_its_month_and_on_paper);
async fn an_invoice_is_voided_within_its_month_and_on_paper(app: TestApp) {
    let admin = spent(&app).await;
    let mail = json!({"kind": "electronic", "receiverEmail": "a@b.cn", "amountCents": 1000});
    let electronic = app.sign_in("north.manager").await.post("/finance/invoice", form(&app, mail).await).await.ok();
    let electronic = admin.put("/finance/invoice/status", status(&electronic, "approved")).await.ok();
    let electronic = admin.put("/finance/invoice/issue", issue(&app, &electronic, json!({"invoiceNumber": "12345670"}))).await.ok();
    admin.put("/finance/invoice/status", status(&electronic, "void")).await.refused("1006");
    let paper = issued(&app, json!({"amountCents": 2000})).await;
    // Who asked for it does not void it; the decision is in the table of decisions.
    let own = admin.post("/finance/invoice", form(&app, json!({"amountCents": 500})).await).await.ok();
    let own = app.sign_in("operator").await.put("/finance/invoice/status", status(&own, "approved")).await.ok();
    let own = admin.put("/finance/invoice/issue", issue(&app, &own, json!({"invoiceNumber": "12345671"}))).await.ok();
    admin.put("/finance/invoice/status", status(&own, "void")).await.refused("1006");
    let own = app.sign_in("operator").await.put("/finance/invoice/status", status(&own, "void")).await.ok();
    assert_eq!(own["status"], "void");
    let decided = "SELECT COUNT(*) FROM decision WHERE target_type = 'invoice' AND status = 'approved' AND action = ";
    for (action, count) in [("'approve_invoice'", 3), ("'void_invoice'", 1)] {
        assert_eq!(app.count(Box::leak(format!("{decided}{action}").into_boxed_str())).await, count, "{action}");
    }
    // In the next month it is too late.
    let month = base::clock::day(app.now()).to_string()[..7].to_owned();
    while base::clock::day(app.now()).to_string()[..7] == month {
        app.advance(DAY);
    }
    let admin = app.sign_in("admin").await;
    admin.put("/finance/invoice/status", status(&paper, "void")).await.refused("1006");
    assert_eq!(admin.post("/finance/invoice/red", red(&paper, 2000)).await.ok()["amountCents"], -2000);
    books_agree(&app).await;
}

on_both!(an_over_invoiced_organisation_is_shown_and_reported_once);
async fn an_over_invoiced_organisation_is_shown_and_reported_once(app: TestApp) {
    let admin = spent(&app).await;
    let of = issued(&app, json!({"amountCents": 9000})).await;
    let warn = async |app: &TestApp| trade::finance::warn_of_over_invoiced(&app.app).await.unwrap();
    assert_eq!((warn(&app).await, over(&admin).await), (0, (0, 0)));
    give_back_a_lead(&app, &admin).await;
    assert_eq!(over(&admin).await, (1, 1));
    let row = row_of(&admin).await;
    assert_eq!((&row["invoiceableCents"], &row["overCents"], &row["refundedCents"]), (&json!(-4500), &json!(4500), &json!(4500)));
    assert_eq!(admin.post("/finance/invoiceable/page", json!({"state": "open"})).await.ok()["total"], 0);
    // Of two nodes one sends the message; another return sends none.
    let node = app.node().await;
    let (one, other) = tokio::join!(warn(&app), warn(&node));
    assert_eq!(one + other, 1);
    let messages = app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'over_invoiced'").await;
    assert!(messages > 0);
    give_back_a_lead(&app, &admin).await;
    assert_eq!(warn(&app).await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'over_invoiced'").await, messages);
    assert!(admin.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string().contains("多开票"));
    // The next request answers that a red-letter invoice is needed.
    let refusal = admin.post("/finance/invoice", form(&app, json!({"amountCents": 100})).await).await.wrong("amountCents");
    assert!(refusal.contains("90 元") && refusal.contains("红字发票"), "{refusal}");
    // A red-letter invoice ends it, when it is issued.
    let north = app.sign_in("north.manager").await;
    let row = north.post("/finance/invoice/red", red(&of, 9000)).await.ok();
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    assert_eq!(over(&admin).await, (1, 1));
    admin.put("/finance/invoice/issue", issue(&app, &row, json!({"invoiceNumber": "12345679"}))).await.ok();
    assert_eq!((warn(&app).await, over(&admin).await), (0, (0, 0)));
    let row = row_of(&admin).await;
    assert_eq!((&row["invoiceableCents"], &row["refundedCents"]), (&json!(0), &json!(0)));
    let open = "SELECT COUNT(*) FROM message WHERE biz_type = 'over_invoiced' AND done_at IS NULL";
    assert_eq!(app.count(open).await, 0);
    books_agree(&app).await;
}

on_both!(refunds_that_are_taken_off_are_named);
async fn refunds_that_are_taken_off_are_named(app: TestApp) {
    let admin = spent(&app).await;
    let first = admin.post("/finance/invoice", form(&app, json!({"amountCents": 4000})).await).await.ok();
    assert_eq!(first["refundedCents"], 0);
    give_back_a_lead(&app, &admin).await;
    let row = row_of(&admin).await;
    assert_eq!((&row["invoiceableCents"], &row["refundedCents"], &row["overCents"]), (&json!(500), &json!(4500), &json!(0)));
    let refusal = admin.post("/finance/invoice", form(&app, json!({"amountCents": 501})).await).await.wrong("amountCents");
    assert!(refusal.contains("已扣除") && refusal.contains("45 元"), "{refusal}");
    let second = admin.post("/finance/invoice", form(&app, json!({"amountCents": 500})).await).await.ok();
    assert_eq!(second["refundedCents"], 4500);
    assert_eq!(row_of(&admin).await["refundedCents"], 0);
    // They are taken off the next request where nothing comes of this one.
    admin.put("/finance/invoice/withdraw", json!({"id": second["id"], "version": second["version"]})).await.ok();
    assert_eq!(row_of(&admin).await["refundedCents"], 4500);
    books_agree(&app).await;
}
