//! The pages of money records begin with a sentence of state: who decides, whether the viewer may, and what became of it.

use base::clock;
use serde_json::{Value, json};

use crate::pages::browser::Browser;
use testing::crm::{clue, money, salesperson};
use testing::finance::{approval, credited, invoice};
use testing::org::{receipt, with};
use testing::pay::{channel, order};
use testing::{TestApp, on_both, partner, plan};

/// Leaves the operator and the auditor, who decides on nothing.
const ALONE: &str = "UPDATE administrator SET status = 'disabled' WHERE username NOT IN ('operator', 'auditor')";

on_both!(a_record_of_money_begins_with_who_decides_on_it);
async fn a_record_of_money_begins_with_who_decides_on_it(app: TestApp) {
    // Before anybody signs in.
    plan::begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let (second, maker) = (Browser::of(&app, "admin").await, Browser::of(&app, "operator").await);
    let version = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    let says = async |who: &Browser, address: &str, text: &str| {
        let page = who.get(address).await;
        assert!(page.root().contains(text), "{text}: {}", page.root());
    };

    // A receipt, with what proves it and the account that it is for. Its maker reads why there is nothing to press.
    let row = receipt::make(&app, &operator, json!({})).await;
    let (address, account) = (format!("/org/receipt/{}", row["id"]), format!(r#"href="/finance/account/{}""#, row["orgId"]));
    says(&second, &address, "录入，须由另一人确认。").await;
    says(&second, &address, &account).await;
    assert!(!second.get(&address).await.root().contains("这是您提交的"));
    says(&maker, &address, "这是您提交的，您不能审核。").await;
    app.execute(ALONE).await;
    says(&maker, &address, "目前没有其他人有此权限").await;
    app.execute("UPDATE administrator SET status = 'enabled'").await;
    let row = admin.put("/org/receipt/status", receipt::decision(&row, "confirmed")).await.ok();
    says(&second, &address, "已确认：“北辰”付款 5,000.00 元，已计入账户。").await;
    receipt::ask_void(&operator, &row).await.ok();
    says(&second, &address, "申请作废（付款方撤回），须由另一人审核。").await;
    says(&second.in_english(), &address, "Confirmed. 北辰 paid 5,000.00 CNY, credited to its account.").await;

    // An invoice.
    let north = app.organisation("north").await;
    invoice::sold_with_a_payee(&app, north).await;
    let row = operator.post("/finance/invoice", invoice::form(&app, json!({"amountCents": 100})).await).await.ok();
    let address = format!("/finance/invoice/{}", row["id"]);
    says(&second, &address, "待审核：为“北辰”开具 1.00 元的发票，抬头“北辰银行”。由").await;
    says(&maker, &address, "这是您提交的，您不能审核。").await;
    admin.put("/finance/invoice/status", invoice::status(&row, "approved")).await.ok();
    says(&second, &address, "待开票：为“北辰”开具 1.00 元的蓝字发票").await;

    // A payment order, whose payment a person entered.
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({"amountCents": 456_700})).await;
    let address = format!("/payConfig/order-list/{}", made["id"]);
    says(&second, &address, "待支付：“北辰”应付 4,567.00 元，").await;
    let claim = with(version(&made), json!({"channelOrderNo": "B-9", "paidAt": app.now()}));
    let row = operator.put("/payOrder/claim", claim).await.ok();
    says(&second, &address, "登记了付款：流水号 B-9，付款时间 ").await;
    says(&maker, &address, "这是您提交的，您不能审核。").await;
    admin.put("/payOrder/confirm", approval(&row)).await.ok();
    says(&second, &address, "付款 4,567.00 元。").await;
}

on_both!(what_a_channel_is_paid_begins_with_who_decides_on_it);
async fn what_a_channel_is_paid_begins_with_who_decides_on_it(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let second = Browser::of(&app, "admin").await;
    let statement = partner::made_now(&app, "states").await;
    let address = format!("/finance/partner/{}", statement["id"]);
    let draft = second.get(&address).await;
    assert!(draft.root().contains("未发送：应付“渠道 states”净额 1.00 元。发送链接后由渠道确认。"), "{}", draft.root());
    partner::confirm(&app, &statement).await;
    let confirmed = second.get(&address).await;
    assert!(confirmed.root().contains("已付 0.00 元，还可申请付款 1.00 元。"), "{}", confirmed.root());

    let row = operator.post("/partner/payout", partner::payout_form(&app, &statement, json!({"amountCents": 1})).await).await.ok();
    let address = format!("/finance/partner/payouts/{}", row["id"]);
    let waiting = second.get(&address).await;
    assert!(waiting.root().contains("付给“渠道 states”0.01 元，代扣税款 ") && waiting.root().contains("申请，须由另一人审核。"));
    assert!(waiting.root().contains("通过</button>") && waiting.root().contains("驳回</button>"), "{}", waiting.root());
    let own = Browser::of(&app, "operator").await.get(&address).await;
    assert!(own.root().contains("这是您提交的，您不能审核。") && own.root().contains("撤回</button>"), "{}", own.root());
    admin.put("/partner/payout/audit", approval(&row)).await.ok();
    let approved = second.get(&address).await;
    assert!(approved.root().contains("待付款：由“") && approved.root().contains("付款后在此登记。"), "{}", approved.root());
}

on_both!(money_of_a_lead_begins_with_whether_it_counts);
async fn money_of_a_lead_begins_with_whether_it_counts(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let clue_id = clue(&app, "north", Some(owner)).await;
    let (lead, manager) = (app.sign_in("north.lead").await, app.sign_in("north.manager").await);
    let row = lead.post("/crm/addMoney", money::form(&app, clue_id, json!({}))).await.ok();
    let address = format!("/crm/money/{}", row["id"]);
    let (maker, second) = (Browser::of(&app, "north.lead").await, Browser::of(&app, "north.manager").await);
    let waiting = second.get(&address).await;
    assert!(waiting.root().contains("录入，须由另一人确认后才计入业绩。"), "{}", waiting.root());
    assert!(maker.get(&address).await.root().contains("这是您提交的，您不能审核。"));
    manager.put("/crm/money/status", money::decision(&row, "confirmed")).await.ok();
    let confirmed = second.get(&address).await;
    assert!(confirmed.root().contains(" 元已计入线索 "), "{}", confirmed.root());
}

on_both!(a_statement_of_an_account_begins_with_who_has_to_act);
async fn a_statement_of_an_account_begins_with_who_has_to_act(app: TestApp) {
    app.advance(clock::day_start("2026-01-10").unwrap() - app.now());
    credited(&app, json!({})).await;
    app.advance(clock::day_start("2026-02-10").unwrap() - app.now());
    let admin = app.sign_in("admin").await;
    admin.put("/finance/statement/close", json!({"month": "2026-01"})).await.ok();
    let row = admin.post("/finance/statement/page", json!({})).await.ok()["list"][0].clone();
    let address = format!("/finance/statement/{}", row["id"]);
    let (staff, manager) = (Browser::of(&app, "admin").await, Browser::of(&app, "north.manager").await);
    let draft = staff.get(&address).await;
    assert!(draft.root().contains("未发送：期末余额 5,000.00 元。发送后由“北辰”确认。"), "{}", draft.root());
    admin.put("/finance/statement/send", json!({"ids": [row["id"]]})).await.ok();
    let sent = manager.get(&address).await;
    assert!(sent.root().contains("待机构确认：期末余额 5,000.00 元，2026-02-10 00:00 发送给“北辰”。"), "{}", sent.root());
    assert!(sent.root().contains("确认无误</button>") && sent.root().contains("提出异议</button>"), "{}", sent.root());
}
