//! Two processes on one PostgreSQL: what one decides, the other keeps with its next request.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::{Buyer, Client, Engine, House, Node, PASSWORD, Partner, leads, run, until, until_within};

#[test]
fn both_start_at_once_on_an_empty_database() {
    run(Engine::Postgres, |house| {
        let nodes = [house.start(&[]), house.start(&[]), house.start(&[])].map(|starting| starting.listening());
        for node in &nodes {
            assert_eq!(node.stranger().get("/readyz").status, 200);
            // A busy machine has slow statements.
            let log: Vec<String> = node.log().lines().filter(|line| !line.contains("slow statement")).map(str::to_owned).collect();
            assert_eq!(log, Vec::<String>::new(), "nothing went wrong on the way");
        }
        assert!(house.count("SELECT COUNT(*) FROM menu_node WHERE status = 'enabled'") > 0);
    });
}

/// Runs a test on two nodes of the demo.
fn on_two(test: impl FnOnce(&House, &Node, &Node)) {
    run(Engine::Postgres, |house| {
        house.demo();
        let (here, there) = (house.serve(), house.serve());
        test(&house, &here, &there);
    });
}

#[track_caller]
fn is_signed_in(client: &Client) {
    client.get("/api/admin/me").ok();
    assert_eq!(client.get("/channel/list").status, 200);
}

/// The very next request of either kind is not signed in. S2.19
#[track_caller]
fn is_signed_out(client: &Client) {
    assert_eq!(client.get("/channel/list?current=2").redirect(), "/login?redirect=channelList&current=2");
    client.get("/api/admin/me").refused("2000");
}

/// An account as its editor sees it.
fn row(admin: &Client, house: &House, username: &str) -> Value {
    admin.get(&format!("/api/admin/{}", house.account(username))).ok()
}

#[test]
fn signing_out_on_one_ends_the_session_on_both() {
    on_two(|_, here, there| {
        let (operator, other_session) = (here.sign_in("operator"), here.sign_in("operator"));
        is_signed_in(&operator.at(there));
        operator.post("/api/admin/logout", &json!({})).ok();
        is_signed_out(&operator.at(there));
        is_signed_out(&operator);
        is_signed_in(&other_session.at(there));
    });
}

#[test]
fn a_disabled_account_is_out_on_both() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let version = row(&admin, house, "operator")["version"].clone();
        admin.put("/api/admin/status", &json!({"id": house.account("operator"), "version": version, "status": "disabled"})).ok();
        is_signed_out(&operator);
        there.stranger().post("/api/admin/login", &json!({"username": "operator", "password": PASSWORD})).refused("1002");
    });
}

#[test]
fn a_role_change_ends_the_session_on_both() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let row = row(&admin, house, "operator");
        let change = json!({
            "id": row["id"], "version": row["version"], "realName": row["realName"], "phone": null, "email": row["email"],
            "orgId": null, "subOrgId": null, "roleIds": [house.role("finance")],
        });
        admin.put("/api/admin", &change).ok();
        is_signed_out(&operator);
        let again = there.sign_in("operator");
        assert_eq!(again.get("/api/admin/me").ok()["role"], "finance");
    });
}

#[test]
fn a_new_password_ends_the_other_sessions_on_both() {
    on_two(|house, here, there| {
        let (admin, operator, forgotten) = (here.sign_in("admin"), here.sign_in("operator"), there.sign_in("operator"));
        operator.put("/api/admin/password", &json!({"old": PASSWORD, "new": "Green-Kettle-8"})).ok();
        is_signed_out(&forgotten);
        is_signed_in(&operator.at(there));

        let version = row(&admin, house, "operator")["version"].clone();
        admin.put("/api/admin/resetPwd", &json!({"id": house.account("operator"), "version": version})).ok();
        is_signed_out(&operator.at(there));
    });
}

/// The menu and the points of a page's role.
fn role_data(client: &Client, page: &str) -> String {
    let (_, from_key) = page.split_once(r#""roleData":""#).expect("a page names them");
    let data = client.get(&format!("/role-data/{}", from_key.split('"').next().unwrap()));
    assert_eq!(data.status, 200);
    data.body
}

// S6.03
#[test]
fn a_roles_points_count_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let operator = here.sign_in("operator");
        let role = house.role("operator");
        let both = [operator.clone(), operator.at(there)];
        let may_create = |client: &Client| {
            let page = client.get("/channel/list").body;
            let called = client.post("/api/channel", &json!({})).code();
            (role_data(client, &page).contains("channel/list/create"), page.contains("New channel"), called.as_deref() != Some("1003"))
        };
        for client in &both {
            assert_eq!(may_create(client), (true, true, true));
        }
        let point = "SELECT id FROM menu_node WHERE name = 'channel/list/create'";
        let newer = format!("UPDATE role SET version = version + 1 WHERE id = {role}");
        house.execute(&format!("DELETE FROM role_menu WHERE role_id = {role} AND menu_id IN ({point}); {newer}"));
        for client in &both {
            assert_eq!(may_create(client), (false, false, false));
        }
        house.execute(&format!("INSERT INTO role_menu (role_id, menu_id) SELECT {role}, id FROM ({point}) AS point; {newer}"));
        for client in &both {
            assert_eq!(may_create(client), (true, true, true));
        }
        // A whole screen: gone from the menu, and no page of this viewer's any more. S2.21
        let screens = "SELECT id FROM menu_node WHERE name = 'channelList' OR name LIKE 'channel/list/%'";
        house.execute(&format!("DELETE FROM role_menu WHERE role_id = {role} AND menu_id IN ({screens}); {newer}"));
        for client in &both {
            assert_eq!(client.get("/channel/list").status, 404);
            assert!(!client.get("/api/menu/listByToken").body.contains("channelList"));
        }
    });
}

// S6.03: the same by the calls of the role list, of the menu editor too.
#[test]
fn what_is_decided_about_a_role_counts_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let both = [operator.clone(), operator.at(here)];
        let screen = house.count("SELECT id FROM menu_node WHERE name = 'adminList'");
        let tree = admin.get("/api/menu/tree").ok();
        let mut screens = tree.as_array().unwrap().iter().flat_map(|group| group["children"].as_array().into_iter().flatten());
        let entry = screens.find(|entry| entry["id"] == screen).expect("the list of administrators");
        let off = json!({
            "id": screen, "version": entry["version"], "titleZh": entry["titleZh"], "titleEn": entry["titleEn"], "icon": null,
            "sort": entry["sort"], "hidden": false, "enabled": false,
        });
        for client in &both {
            assert_eq!(client.get("/admin/list").status, 200);
        }
        admin.put("/api/menu", &off).ok();
        for client in &both {
            assert_eq!(client.get("/admin/list").status, 404);
            client.post("/api/admin/page", &json!({})).refused("1003");
        }

        let role = admin.get(&format!("/api/role/{}", house.role("operator"))).ok();
        let kept = house.count("SELECT id FROM menu_node WHERE name = 'channel/list/view'");
        let role = admin.put("/api/role/menu", &json!({"id": role["id"], "version": role["version"], "menuIds": [kept]})).ok();
        for client in &both {
            client.post("/api/channel/page", &json!({})).refused("1003");
            let page = client.get("/channel/list").body;
            assert!(!role_data(client, &page).contains("channel/list/create") && !page.contains("New channel"));
        }
        admin.put("/api/role/status", &json!({"id": role["id"], "version": role["version"], "status": "disabled"})).ok();
        for client in &both {
            is_signed_out(client);
        }
        // The account's other role is the one it signs in with now.
        assert_eq!(there.sign_in("operator").get("/api/admin/me").ok()["role"], "auditor");
    });
}

// S6.06
#[test]
fn a_switched_role_and_a_forced_end_count_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), here.sign_in("operator"));
        assert_eq!(operator.at(there).get("/admin/audit").status, 404);
        operator.put("/api/admin/role", &json!({"roleId": house.role("auditor")})).ok();
        assert_eq!(operator.at(there).get("/api/admin/me").ok()["role"], "auditor");
        assert_eq!(operator.at(there).get("/admin/audit").status, 200);

        let sessions = admin.at(there).post("/api/session/page", &json!({"keyword": "operator"})).ok();
        let id = sessions["list"][0]["id"].as_i64().expect("the operator's session");
        admin.send("DELETE", &format!("/api/session/{id}"), "").expect("an answer").ok();
        is_signed_out(&operator.at(there));
        is_signed_out(&operator);
    });
}

// C2: a node that is frozen under load, with leads and applicants of its own, does not stop the other: it goes on
// selling within ten seconds, and what the first finds when it wakes up is not sold twice.
#[test]
fn a_frozen_node_stops_nobody() {
    run(Engine::Postgres, |house| {
        house.demo();
        let settings = [("LEADLANE_PRIVATE_CALLS", "allow")];
        let (here, there) = (house.start(&settings).listening(), house.start(&settings).listening());
        let buyer = Buyer::slow(Duration::from_millis(50));
        let partner = Partner::of(&house, &here, &buyer);
        let (over, numbers) = (AtomicBool::new(false), AtomicUsize::new(0));
        // The demo has leads of the last hour that are shown as retried and are not.
        let began = jiff::Timestamp::now().as_millisecond();
        let accepted = || leads(&house, "h.status = 'accepted'");
        std::thread::scope(|scope| {
            // Ends the load, and lets the node go on that its clients wait for, however the test ends.
            struct End<'e>(&'e AtomicBool, &'e Node);
            impl Drop for End<'_> {
                fn drop(&mut self) {
                    self.0.store(true, Ordering::Relaxed);
                    self.1.thaw();
                }
            }
            let end = End(&over, &here);
            let (partner, over, numbers) = (&partner, &over, &numbers);
            for client in 0..6 {
                let node = if client % 2 == 0 { here.stranger() } else { there.stranger() };
                scope.spawn(move || {
                    while !over.load(Ordering::Relaxed) {
                        // Calls to the frozen one wait until it goes on.
                        _ = partner.bring(&node, numbers.fetch_add(1, Ordering::Relaxed));
                        std::thread::sleep(Duration::from_millis(150));
                    }
                });
            }
            until("both sell", || (accepted() > 30).then_some(()));
            until("it is frozen with something of its own", || {
                here.freeze();
                let (frozen, later) = (Instant::now(), accepted() + 5);
                until("the other sells on", || (accepted() > later).then_some(()));
                assert!(frozen.elapsed() < Duration::from_secs(10), "{:?}", frozen.elapsed());
                std::thread::sleep(Duration::from_secs(4));
                let since = jiff::Timestamp::now().as_millisecond() - 4000;
                let own = format!(
                    "SELECT (SELECT COUNT(*) FROM applicant WHERE status = 'matching' AND updated_at < {since}) + \
                            (SELECT COUNT(*) FROM outbox_item WHERE state = 'sending' AND updated_at < {since})"
                );
                let has_some = house.count(&own) > 0;
                if !has_some {
                    here.thaw();
                }
                has_some.then_some(())
            });
            here.thaw();
            let later = accepted() + 30;
            until("both sell again", || (accepted() > later).then_some(()));
            drop(end);
        });
        // What the frozen one had is free again when its leases end, after two minutes. Pauses between tries, which grow
        // with each freeze, are cut short.
        until_within(Duration::from_secs(200), "all is settled", || {
            let now = jiff::Timestamp::now().as_millisecond();
            house.execute(&format!("UPDATE outbox_item SET due_at = {now} WHERE state = 'waiting' AND due_at > {now}"));
            house.execute(&format!("UPDATE applicant SET due_at = {now} WHERE status = 'completed' AND due_at > {now}"));
            let waits = format!(
                "SELECT (SELECT COUNT(*) FROM applicant WHERE status IN ('matching', 'completed')) + \
                        (SELECT COUNT(*) FROM push_record WHERE status IN ('queued', 'sending', 'retrying') AND created_at >= {began})"
            );
            (house.count(&waits) == 0).then_some(())
        });
        let twice = "SELECT COUNT(*) FROM (SELECT h.phone_hash FROM push_record h JOIN plan p ON p.id = h.plan_id WHERE p.no = 'P-shop' \
                     AND h.status IN ('accepted', 'unconfirmed') GROUP BY h.phone_hash HAVING COUNT(*) > 1) AS t";
        assert_eq!(house.count(twice), 0, "sold twice");
        let paid = "(SELECT COUNT(*) FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id)";
        assert_eq!(leads(&house, &format!("h.status = 'accepted' AND {paid} <> 1")), 0, "paid once each");
        house.run(&["ledger", "verify"]).done();
    });
}
