//! Choices that are kept: what makes a call read them again, on every node, and which viewers share them.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Row};

use testing::chat::group;
use testing::crm::{pool, salesperson, team};
use testing::demo::filled;
use testing::dict::{edit, item};
use testing::{Actor, TestApp, channel, on_both, org, pay, plan, product};

/// A call, its viewer, and statements that each change what it answers: one for every column that its choices show, are
/// sorted by or are selected by.
type Changes = (&'static str, &'static str, &'static [&'static str]);

/// Every record of an organisation gets or loses the operator, who sees those of their own.
const OWNERS: &str = "UPDATE organisation SET owner_admin_id = CASE WHEN owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') \
     THEN NULL ELSE (SELECT id FROM administrator WHERE username = 'operator') END";

/// North Star gets or loses the payee of a channel.
const PAYEE: &str = "UPDATE organisation SET payee_org_id = CASE WHEN payee_org_id IS NULL THEN (SELECT MAX(c.payee_org_id) FROM payee_channel c \
       JOIN payee_organisation p ON p.id = c.payee_org_id WHERE c.deleted_at IS NULL AND p.deleted_at IS NULL AND p.status = 'enabled') END \
     WHERE code = 'north-star'";

const CHANGES: &[Changes] = &[
    (
        "/org/options",
        "admin",
        &[
            "UPDATE organisation SET name = '!' || name WHERE id = (SELECT MIN(id) FROM organisation WHERE deleted_at IS NULL)",
            "UPDATE organisation SET deleted_at = 1 WHERE id = (SELECT MAX(id) FROM organisation WHERE deleted_at IS NULL)",
            "INSERT INTO organisation (code, name, short_name, type, mode, status, created_at, updated_at) \
             VALUES ('new', 'new', 'new', 'broker', 'live', 'active', 0, 0)",
            "DELETE FROM organisation WHERE code = 'new'",
        ],
    ),
    ("/org/options?active=true", "admin", &["UPDATE organisation SET status = 'frozen' WHERE code = 'north-star'"]),
    ("/org/options", "operator", &[OWNERS]),
    (
        "/channel/options",
        "admin",
        &[
            "UPDATE channel SET name = '!' || name WHERE id = (SELECT MIN(id) FROM channel WHERE deleted_at IS NULL)",
            "UPDATE channel SET required_fields = '[\"age\"]' WHERE id = (SELECT MIN(id) FROM channel WHERE required_fields <> '[\"age\"]')",
            "UPDATE channel SET mode = CASE mode WHEN 'test' THEN 'live' ELSE 'test' END WHERE id = (SELECT MIN(id) FROM channel WHERE deleted_at IS NULL)",
            "UPDATE channel SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM channel WHERE deleted_at IS NULL)",
        ],
    ),
    (
        "/channel/options",
        "operator",
        &["UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') \
           WHERE owner_admin_id <> (SELECT id FROM administrator WHERE username = 'operator')"],
    ),
    (
        "/product/options",
        "admin",
        &[
            "UPDATE product SET name = '!' || name WHERE id = (SELECT MIN(id) FROM product WHERE deleted_at IS NULL)",
            "UPDATE product SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM product WHERE deleted_at IS NULL)",
        ],
    ),
    ("/product/options", "operator", &[OWNERS]),
    (
        "/product/options",
        "north.manager",
        &["UPDATE product SET org_id = (SELECT id FROM organisation WHERE code = 'north-star') \
           WHERE org_id <> (SELECT id FROM organisation WHERE code = 'north-star')"],
    ),
    (
        "/plan/options",
        "admin",
        &[
            "UPDATE plan SET name = '!' || name WHERE id = (SELECT MIN(id) FROM plan WHERE deleted_at IS NULL)",
            "UPDATE plan SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM plan WHERE deleted_at IS NULL)",
        ],
    ),
    ("/plan/options", "operator", &[OWNERS]),
    (
        "/plan/options",
        "north.manager",
        &["UPDATE plan SET org_id = (SELECT id FROM organisation WHERE code = 'north-star') \
           WHERE id = (SELECT MIN(id) FROM plan WHERE deleted_at IS NULL AND org_id <> (SELECT id FROM organisation WHERE code = 'north-star'))"],
    ),
    (
        "/plan/options",
        "north.sales1",
        &["UPDATE plan SET sub_org_id = (SELECT sub_org_id FROM administrator WHERE username = 'north.sales1') \
           WHERE id = (SELECT MIN(id) FROM plan WHERE deleted_at IS NULL \
             AND COALESCE(sub_org_id, 0) <> (SELECT sub_org_id FROM administrator WHERE username = 'north.sales1'))"],
    ),
    (
        "/crm/subOrg/options",
        "admin",
        &[
            "UPDATE sub_organisation SET name = '!' || name WHERE id = (SELECT MIN(id) FROM sub_organisation WHERE deleted_at IS NULL)",
            "UPDATE sub_organisation SET sort = sort + 100 WHERE id = (SELECT MIN(id) FROM sub_organisation WHERE deleted_at IS NULL)",
            "UPDATE sub_organisation SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM sub_organisation WHERE deleted_at IS NULL)",
            "UPDATE organisation SET short_name = '!' || short_name WHERE code = 'north-star'",
            "UPDATE organisation SET deleted_at = 1 \
             WHERE id = (SELECT MAX(org_id) FROM sub_organisation WHERE deleted_at IS NULL AND org_id IN (SELECT id FROM organisation WHERE deleted_at IS NULL))",
        ],
    ),
    ("/crm/subOrg/options", "operator", &[OWNERS]),
    (
        "/crm/subOrg/options",
        "north.manager",
        &[
            "UPDATE sub_organisation SET org_id = (SELECT id FROM organisation WHERE code = 'north-star') WHERE id = (SELECT MIN(id) FROM sub_organisation \
             WHERE deleted_at IS NULL AND org_id <> (SELECT id FROM organisation WHERE code = 'north-star'))",
        ],
    ),
    (
        "/crm/salesperson/options",
        "admin",
        &[
            "UPDATE administrator SET real_name = '!' || real_name WHERE username = 'north.sales1'",
            "UPDATE sub_organisation SET name = '?' || name WHERE id = (SELECT sub_org_id FROM salesperson \
               WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales1'))",
            "UPDATE salesperson SET sub_org_id = NULL WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales1')",
            "UPDATE salesperson SET status = 'away' WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales1')",
            "UPDATE administrator SET status = 'disabled' WHERE username = 'north.sales2'",
            "UPDATE administrator SET deleted_at = 1 WHERE username = 'south.sales1'",
        ],
    ),
    (
        "/crm/salesperson/options?all=true",
        "admin",
        &["UPDATE salesperson SET deleted_at = 1 WHERE id = (SELECT id FROM administrator WHERE username = 'south.sales1')"],
    ),
    ("/crm/salesperson/options?all=true", "operator", &[OWNERS]),
    (
        "/crm/salesperson/options?all=true",
        "north.manager",
        &["UPDATE salesperson SET org_id = (SELECT id FROM organisation WHERE code = 'north-star') \
           WHERE id = (SELECT MIN(id) FROM salesperson WHERE deleted_at IS NULL AND org_id <> (SELECT id FROM organisation WHERE code = 'north-star'))"],
    ),
    (
        "/crm/pool/options",
        "admin",
        &[
            "UPDATE clue_pool SET name = '!' || name WHERE id = (SELECT MIN(id) FROM clue_pool WHERE deleted_at IS NULL AND status = 'enabled')",
            "UPDATE clue_pool SET sort = 100 - sort WHERE org_id = (SELECT id FROM organisation WHERE code = 'north-star')",
            "UPDATE clue_pool SET status = 'disabled' WHERE id = (SELECT MIN(id) FROM clue_pool WHERE deleted_at IS NULL AND status = 'enabled')",
            "UPDATE clue_pool SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM clue_pool WHERE deleted_at IS NULL AND status = 'enabled')",
            "UPDATE organisation SET short_name = '!' || short_name WHERE id = (SELECT MIN(org_id) FROM clue_pool WHERE deleted_at IS NULL AND status = 'enabled')",
        ],
    ),
    ("/crm/pool/options", "operator", &[OWNERS]),
    (
        "/crm/pool/options",
        "north.manager",
        &[
            "UPDATE clue_pool SET name = 'moved', org_id = (SELECT id FROM organisation WHERE code = 'north-star') WHERE id = (SELECT MIN(id) FROM clue_pool \
             WHERE deleted_at IS NULL AND status = 'enabled' AND org_id <> (SELECT id FROM organisation WHERE code = 'north-star'))",
        ],
    ),
    (
        "/crm/pool/options",
        "north.sales1",
        &[
            "UPDATE clue_pool SET sub_org_ids = '[999999]' WHERE org_id = (SELECT id FROM organisation WHERE code = 'north-star')",
            "UPDATE clue_pool SET sub_org_ids = '[]' WHERE org_id = (SELECT id FROM organisation WHERE code = 'north-star')",
            "UPDATE sub_organisation SET org_id = (SELECT MAX(id) FROM organisation) WHERE id = (SELECT sub_org_id FROM administrator WHERE username = 'north.sales1')",
        ],
    ),
    (
        "/admin/options",
        "admin",
        &[
            "UPDATE administrator SET real_name = '!' || real_name WHERE username = 'finance'",
            "UPDATE administrator SET username = 'finances' WHERE username = 'finance'",
            "UPDATE administrator SET status = 'disabled' WHERE username = 'finances'",
            "UPDATE administrator SET deleted_at = 1 WHERE username = 'service'",
            "UPDATE administrator SET org_id = (SELECT MIN(id) FROM organisation) WHERE username = 'auditor'",
        ],
    ),
    (
        "/role/options",
        "admin",
        &[
            "UPDATE role SET name = '!' || name, version = version + 1 WHERE code = 'director'",
            "UPDATE role SET sort = sort + 100 WHERE code = 'director'",
            "UPDATE role SET status = 'disabled' WHERE code = 'director'",
            "UPDATE role SET deleted_at = 1 WHERE code = 'finance'",
        ],
    ),
    (
        "/chat/group/options?all=true",
        "admin",
        &[
            "UPDATE chat_group SET name = '!' || name WHERE id = (SELECT MIN(id) FROM chat_group WHERE deleted_at IS NULL)",
            "UPDATE chat_group SET sort = 100 - sort",
        ],
    ),
    (
        "/chat/group/options",
        "admin",
        &[
            "UPDATE chat_group SET status = 'disabled' WHERE id = (SELECT MIN(id) FROM chat_group WHERE deleted_at IS NULL AND status = 'enabled')",
            "UPDATE chat_group SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM chat_group WHERE deleted_at IS NULL AND status = 'enabled')",
        ],
    ),
    ("/chat/wechat/options", "admin", &["UPDATE chat_wechat SET name = '!' || name", "UPDATE chat_wechat SET deleted_at = 1"]),
    (
        "/payChannel/options",
        "admin",
        &[
            "UPDATE payee_channel SET name = '!' || name WHERE id = (SELECT MIN(id) FROM payee_channel WHERE deleted_at IS NULL)",
            "UPDATE payee_channel SET sort = sort + 100 WHERE id = (SELECT c.id FROM payee_channel c WHERE c.deleted_at IS NULL ORDER BY c.sort, c.id LIMIT 1)",
        ],
    ),
    (
        "/payChannel/options?open=true",
        "admin",
        &[
            "UPDATE payee_channel SET status = CASE status WHEN 'enabled' THEN 'disabled' ELSE 'enabled' END",
            "UPDATE payee_channel SET status = 'enabled'",
            "UPDATE payee_channel SET payee_org_id = (SELECT MIN(id) FROM payee_organisation WHERE status <> 'enabled') \
             WHERE id = (SELECT MIN(c.id) FROM payee_channel c JOIN payee_organisation p ON p.id = c.payee_org_id \
               WHERE c.deleted_at IS NULL AND p.status = 'enabled')",
            "UPDATE payee_organisation SET status = 'enabled'",
            "UPDATE payee_channel SET deleted_at = 1 WHERE id = (SELECT MIN(id) FROM payee_channel WHERE deleted_at IS NULL)",
        ],
    ),
    (
        "/org/payee/options",
        "admin",
        &[
            "UPDATE payee_organisation SET name = '!' || name WHERE id = (SELECT MIN(id) FROM payee_organisation)",
            "UPDATE payee_organisation SET status = 'disabled' WHERE id = (SELECT MIN(id) FROM payee_organisation)",
            "UPDATE payee_organisation SET deleted_at = 1 WHERE id = (SELECT MAX(id) FROM payee_organisation)",
        ],
    ),
    ("/payChannel/options", "north.manager", &[PAYEE, PAYEE]),
    ("/org/payee/options", "north.manager", &[PAYEE, PAYEE]),
    (
        "/agreement/options",
        "admin",
        &[
            "UPDATE agreement SET name = '!' || name WHERE id = (SELECT MIN(id) FROM agreement)",
            "UPDATE agreement SET code = code || '-X' WHERE id = (SELECT MIN(id) FROM agreement)",
            "UPDATE agreement SET edition = edition || '.9' WHERE id = (SELECT MIN(id) FROM agreement)",
            "UPDATE agreement SET valid_from = 9999999999999 WHERE id = (SELECT MIN(id) FROM agreement)",
            "UPDATE agreement SET valid_from = 1, valid_to = 9999999999999 WHERE id = (SELECT MIN(id) FROM agreement)",
            "UPDATE agreement SET valid_to = 2 WHERE id = (SELECT MIN(id) FROM agreement)",
        ],
    ),
    (
        "/dict/options?type=lead_lost_reason",
        "admin",
        &[
            "UPDATE dict_item SET label_zh = '!' || label_zh WHERE type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason')",
            "UPDATE dict_item SET value = '!' || value WHERE type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason')",
            "UPDATE dict_item SET sort = 1000 - sort WHERE type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason')",
            "UPDATE dict_item SET is_default = 1 - is_default WHERE type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason')",
            "UPDATE dict_item SET status = 'disabled' WHERE id = (SELECT MIN(id) FROM dict_item \
               WHERE status = 'enabled' AND type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason'))",
            "UPDATE dict_item SET type_id = (SELECT id FROM dict_type WHERE code = 'occupation') WHERE id = (SELECT MIN(id) FROM dict_item \
               WHERE status = 'enabled' AND type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason'))",
            "DELETE FROM dict_item WHERE id = (SELECT MIN(id) FROM dict_item \
               WHERE status = 'enabled' AND type_id = (SELECT id FROM dict_type WHERE code = 'lead_lost_reason'))",
            "UPDATE dict_type SET code = 'another' WHERE code = 'lead_lost_reason'",
        ],
    ),
    (
        "/dict/choices",
        "admin",
        &[
            "UPDATE dict_item SET label_en = '!' || label_en WHERE type_id = (SELECT id FROM dict_type WHERE code = 'occupation')",
            "UPDATE dict_item SET status = 'disabled' WHERE type_id = (SELECT id FROM dict_type WHERE code = 'occupation')",
        ],
    ),
    // The last: north.manager is of a team from then on.
    (
        "/admin/options",
        "north.sales1",
        &[
            "UPDATE administrator SET sub_org_id = (SELECT sub_org_id FROM administrator WHERE username = 'north.sales1') WHERE username = 'north.manager'",
        ],
    ),
];

/// What a call answers; asked twice, so that the second answer is one that was kept.
async fn choices(actor: &Actor, call: &str) -> Value {
    let first = actor.get(call).await.ok();
    assert_eq!(actor.get(call).await.ok(), first, "{call}");
    first
}

on_both!(a_change_of_any_column_of_choices_is_seen_on_each_node_at_once);
async fn a_change_of_any_column_of_choices_is_seen_on_each_node_at_once(app: TestApp) {
    filled(&app).await;
    // One viewer for each scope but that of their own records, and all hold every point.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.builtin = 0 ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1, data_scope = CASE code WHEN 'operator' THEN 'own' WHEN 'org_sales' THEN 'sub_org' ELSE data_scope END")
        .await;
    app.set("security.reads_minute", json!(1_000_000)).await;
    let there = app.node().await;
    app.execute("UPDATE organisation SET payee_org_id = NULL").await;
    let mut unseen = Vec::new();
    for (call, viewer, statements) in CHANGES {
        let here = app.sign_in(viewer).await;
        let there = there.with_token(here.token());
        for statement in *statements {
            let before = choices(&here, call).await;
            assert_eq!(choices(&there, call).await, before, "{call} of {viewer}");
            app.execute(statement).await;
            let after = (here.get(call).await.ok(), there.get(call).await.ok());
            if after.0 == before || after.1 != after.0 {
                unseen.push(format!("{call} of {viewer}: {statement}"));
            }
        }
    }
    assert_eq!(unseen, [""; 0]);
}

on_both!(a_salespersons_pools_follow_their_team);
async fn a_salespersons_pools_follow_their_team(app: TestApp) {
    filled(&app).await;
    // In their role, salespeople see their own records: pools by their row as a salesperson.
    let sales = app.sign_in("north.sales1").await;
    let before = choices(&sales, "/crm/pool/options").await;
    assert_ne!(before, json!([]));
    app.execute("UPDATE salesperson SET status = 'left' WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales1')").await;
    assert_eq!(choices(&sales, "/crm/pool/options").await, json!([]));
    app.execute("UPDATE salesperson SET status = 'active' WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales1')").await;
    assert_eq!(choices(&sales, "/crm/pool/options").await, before);
}

/// The labels of the choices that a call answers.
async fn labels(actor: &Actor, call: &str) -> Vec<String> {
    let choices = choices(actor, call).await;
    choices.as_array().unwrap().iter().map(|choice| choice["label"].as_str().unwrap().to_owned()).collect()
}

/// The choices of one node, watched on another.
struct Watched<'a> {
    here: &'a Actor,
    there: Actor,
    call: &'static str,
}

impl Watched<'_> {
    /// Both nodes offer, or no longer offer, a choice whose label has a text in it.
    async fn has(&self, text: &str, offered: bool) {
        for actor in [&self.there, self.here] {
            let labels = labels(actor, self.call).await;
            assert_eq!(labels.iter().any(|label| label.contains(text)), offered, "{} has {text}: {labels:?}", self.call);
        }
    }
}

on_both!(what_is_made_renamed_and_deleted_by_calls_is_seen_on_another_node_at_once);
async fn what_is_made_renamed_and_deleted_by_calls_is_seen_on_another_node_at_once(app: TestApp) {
    let (admin, there) = (app.sign_in("admin").await, app.node().await);
    let watch = |call| Watched { here: &admin, there: there.with_token(admin.token()), call };

    let channels = watch("/channel/options");
    channels.has("新渠道", false).await;
    let id = channel::make(&admin, channel::with(channel::form("first-one"), json!({"name": "新渠道"}))).await;
    channels.has("新渠道", true).await;
    admin.delete(&format!("/channel/{id}")).await.ok();
    channels.has("新渠道", false).await;

    let organisations = watch("/org/options");
    organisations.has("新机构", false).await;
    let id = org::make(&admin, org::with(org::form("first-one"), json!({"name": "新机构"}))).await;
    organisations.has("新机构", true).await;
    admin.put("/org", org::edit("first-one", id, 1, json!({"name": "旧机构"}))).await.ok();
    organisations.has("新机构", false).await;
    organisations.has("旧机构", true).await;

    let products = watch("/product/options");
    products.has("新产品", false).await;
    product::make(&admin, product::with(product::form(&app, "first-one").await, json!({"name": "新产品"}))).await;
    products.has("新产品", true).await;

    let plans = watch("/plan/options");
    plans.has("新计划", false).await;
    plan::make(&app, &admin, json!({"name": "新计划"})).await;
    plans.has("新计划", true).await;

    let teams = watch("/crm/subOrg/options");
    teams.has("新团队", false).await;
    let manager = app.sign_in("north.manager").await;
    let form = team::form(json!({"name": "新团队"}));
    manager.post("/crm/addSubOrg", form).await.ok();
    teams.has("新团队", true).await;

    let pools = watch("/crm/pool/options");
    pools.has("新池", false).await;
    manager.post("/crm/pool", pool::form(json!({"name": "新池"}))).await.ok();
    pools.has("新池", true).await;

    let people = watch("/crm/salesperson/options?all=true");
    people.has("north.sales1", false).await;
    salesperson(&app, "north.sales1").await;
    people.has("north.sales1", true).await;

    let groups = watch("/chat/group/options");
    groups.has("新组", false).await;
    let made = group(&app, "新组", json!({})).await;
    groups.has("新组", true).await;
    admin.put("/chat/group/status", json!({"id": made["id"], "version": made["version"], "status": "disabled"})).await.ok();
    groups.has("新组", false).await;

    let payees = watch("/org/payee/options");
    payees.has("领航收款", false).await;
    pay::payee_id(&app).await;
    payees.has("领航收款", true).await;

    let reasons = watch("/dict/options?type=lead_lost_reason");
    reasons.has("新原因", false).await;
    let list = app.count("SELECT id FROM dict_type WHERE code = 'lead_lost_reason'").await;
    let made = admin.post("/dict/item", item(list, "new", json!({"labelZh": "新原因"}))).await.ok();
    reasons.has("新原因", true).await;
    let made = admin.put("/dict/item", edit(&made, json!({"labelZh": "旧原因"}))).await.ok();
    reasons.has("新原因", false).await;
    reasons.has("旧原因", true).await;
    admin.delete(&format!("/dict/item/{}", made["id"])).await.ok();
    reasons.has("旧原因", false).await;

    let roles = watch("/role/options");
    roles.has("新角色", false).await;
    let point = app.count("SELECT id FROM menu_node WHERE path = 'channel/list/list'").await;
    let form = json!({
        "code": "first_one", "name": "新角色", "nameEn": "New role", "dataScope": "all", "defaultRoute": null, "sort": 5, "menuIds": [point]
    });
    admin.post("/role", form).await.ok();
    roles.has("新角色", true).await;
}

on_both!(viewers_of_different_scopes_share_no_choices);
async fn viewers_of_different_scopes_share_no_choices(app: TestApp) {
    for username in ["north.sales1", "south.sales1"] {
        salesperson(&app, username).await;
    }
    let people = "/crm/salesperson/options?all=true";
    let (admin, north, south) = (app.sign_in("admin").await, app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    for _ in 0..2 {
        assert_eq!(labels(&admin, people).await, ["north north.sales1 · First team", "south south.sales1"]);
        assert_eq!(labels(&north, people).await, ["north north.sales1 · First team"]);
        assert_eq!(labels(&south, people).await, ["south south.sales1"]);
        assert_eq!(labels(&admin, "/org/options").await, ["北辰", "南十字"]);
        assert_eq!(labels(&north, "/org/options").await, ["北辰"]);
        assert_eq!(labels(&south, "/org/options").await, ["南十字"]);
        assert_eq!(labels(&north, "/crm/subOrg/options").await, ["First team"]);
        assert_eq!(labels(&south, "/crm/subOrg/options").await, ["Harbour team"]);
    }
    // A salesperson sees colleagues only while they may assign clues.
    let sales = app.sign_in("north.sales2").await;
    salesperson(&app, "north.sales2").await;
    assert_eq!(labels(&sales, people).await, [""; 0]);
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code = 'org_sales' AND m.path = 'crm/clue/assign' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1 WHERE code = 'org_sales'").await;
    assert_eq!(labels(&sales, people).await, ["north north.sales1 · First team", "north north.sales2 · First team"]);
    // The language is the viewer's.
    let reasons = "/dict/options?type=lead_lost_reason";
    assert_ne!(labels(&admin, reasons).await, labels(&admin.in_english(), reasons).await);
}

/// The versions of all tables, by name.
async fn versions(app: &TestApp) -> Vec<(String, i64)> {
    let rows = sqlx::query("SELECT name, version FROM table_version ORDER BY name").fetch_all(app.app.db.read()).await.unwrap();
    rows.iter().map(|row| (row.get("name"), row.get("version"))).collect()
}

on_both!(what_is_written_often_raises_no_version);
async fn what_is_written_often_raises_no_version(app: TestApp) {
    filled(&app).await;
    let before = versions(&app).await;
    for statement in [
        "UPDATE administrator SET last_login_at = 1, last_login_ip = '::1', locked_until = 1, active_role_id = NULL, version = version + 1, updated_at = 1",
        "UPDATE salesperson SET receiving = 1 - receiving, held = held + 1, last_assigned_at = 1",
        "UPDATE organisation SET low_balance_notified_at = 1, licence_warned_for = '2026-01-01', updated_at = 1",
        "UPDATE plan SET status = 'paused', pause_reason = 'no_balance', delivery_errors = delivery_errors + 1, version = version + 1",
        "UPDATE channel SET app_secret_enc = 'x', status = 'paused', version = version + 1",
        "UPDATE product SET status = 'offline', version = version + 1",
        "UPDATE payee_channel SET cert_warned_for = '2026-01-01', version = version + 1",
        "UPDATE chat_wechat SET token_expires_at = 1, token_claimed_until = 1, received_at = 1",
        "UPDATE org_account SET balance_cents = balance_cents + 1",
        "UPDATE admin_session SET last_seen_at = last_seen_at + 1",
        // A form that is sent again writes the same values.
        "UPDATE organisation SET name = name, short_name = short_name, owner_admin_id = owner_admin_id, status = status, deleted_at = deleted_at",
    ] {
        app.execute(statement).await;
        assert_eq!(versions(&app).await, before, "{statement}");
    }
    // A person signs in.
    let login = app.stranger().post("/admin/login", json!({"username": "operator", "password": testing::demo::PASSWORD})).await.ok();
    app.with_token(login["token"].as_str().unwrap()).get("/admin/me").await.ok();
    assert_eq!(versions(&app).await, before);
}

on_both!(a_transaction_raises_the_version_of_each_table_once_at_its_commit);
async fn a_transaction_raises_the_version_of_each_table_once_at_its_commit(app: TestApp) {
    let names: Vec<String> = versions(&app).await.into_iter().map(|(name, _)| name).collect();
    let raised = |after: Vec<(String, i64)>, before: Vec<(String, i64)>| -> Vec<String> {
        after.into_iter().zip(before).filter(|(after, before)| after.1 > before.1).map(|(after, _)| after.0).collect()
    };
    assert_eq!(names.len(), 17);
    let before = versions(&app).await;
    let mut tx = app.app.db.begin().await.unwrap();
    for statement in ["UPDATE organisation SET name = '甲' || name", "UPDATE sub_organisation SET name = '甲' || name"] {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut *tx).await.unwrap();
    }
    assert_eq!(versions(&app).await, before, "nothing is committed");
    tx.commit().await.unwrap();
    assert_eq!(raised(versions(&app).await, before.clone()), ["organisation", "sub_organisation"]);
    let before = versions(&app).await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("UPDATE organisation SET name = '乙' || name").execute(&mut *tx).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(versions(&app).await, before, "it was given up");
}

// Two that change the same tables in different order, at the same time.
on_both!(transactions_do_not_wait_for_each_other_before_they_commit);
async fn transactions_do_not_wait_for_each_other_before_they_commit(app: TestApp) {
    if app.app.db.engine() == testing::Engine::Sqlite {
        return;
    }
    let rename = async |tx: &mut base::db::Tx, table: &str, code: &str| {
        let sql = format!("UPDATE {table} SET name = name || '!' WHERE {code}");
        sqlx::query(AssertSqlSafe(sql)).execute(&mut **tx).await.unwrap();
    };
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let (mut one, mut other) = (app.app.db.begin().await.unwrap(), app.app.db.begin().await.unwrap());
    rename(&mut one, "organisation", &format!("id = {north}")).await;
    rename(&mut other, "sub_organisation", &format!("org_id = {south}")).await;
    rename(&mut one, "sub_organisation", &format!("org_id = {north}")).await;
    rename(&mut other, "organisation", &format!("id = {south}")).await;
    let (one, other) = tokio::join!(one.commit(), other.commit());
    one.unwrap();
    other.unwrap();
}

on_both!(a_setting_is_seen_on_another_node_by_the_next_request);
async fn a_setting_is_seen_on_another_node_by_the_next_request(app: TestApp) {
    let there = app.node().await;
    let operator = app.sign_in("operator").await;
    for refused in [true, false, true] {
        there.with_token(operator.token()).get("/admin/me").await;
        let deny = if refused { json!(["127.0.0.0/8"]) } else { json!([]) };
        app.set("security.sign_in_deny", deny).await;
        let answer = there.with_token(operator.token()).get("/admin/me").await;
        assert_eq!(answer.code() != "0000", refused);
    }
}
