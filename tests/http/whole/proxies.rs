//! A person's address: as our proxies give it, and as the person would like it to be.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;

use testing::{Actor, TestApp, on_both};

const PROXY: [u8; 4] = [10, 0, 0, 1];
const LAST_TRY: &str = "SELECT ip FROM login_log ORDER BY id DESC LIMIT 1";

/// The address that the login log names for somebody who tries to sign in.
async fn seen_at(app: &TestApp, who: &Actor) -> String {
    who.post("/admin/login", json!({"username": "nobody.at.all", "password": "Wrong-Kettle-1"})).await.refused("1002");
    app.text(LAST_TRY).await
}

// S-M1: HAProxy appends a line of its own to the one that the sender wrote.
on_both!(clients_do_not_choose_their_address);
async fn clients_do_not_choose_their_address(app: TestApp) {
    let app = app.behind(&["10.0.0.1", "10.0.0.2"]).await;
    let person = app.stranger().from(PROXY);
    let lines = person.with("x-forwarded-for", "6.6.6.6").with_another("x-forwarded-for", "203.0.113.9");
    assert_eq!(seen_at(&app, &lines).await, "203.0.113.9");
    let through_two = lines.with_another("x-forwarded-for", "10.0.0.2");
    assert_eq!(seen_at(&app, &through_two).await, "203.0.113.9");
    assert_eq!(seen_at(&app, &person.with("x-forwarded-for", "6.6.6.6, 203.0.113.10")).await, "203.0.113.10");
    // The headers of a sender that is not a trusted proxy are ignored.
    assert_eq!(seen_at(&app, &lines.from([198, 51, 100, 7])).await, "198.51.100.7");
}

// S-M1: on `[::]` an IPv4 proxy's address is written as IPv6.
on_both!(a_proxy_is_known_on_a_listener_for_both_protocols);
async fn a_proxy_is_known_on_a_listener_for_both_protocols(app: TestApp) {
    let app = app.behind(&["10.0.0.1"]).await;
    let mapped = IpAddr::from(Ipv4Addr::from(PROXY).to_ipv6_mapped());
    let person = app.stranger().from(mapped).with("x-forwarded-for", "203.0.113.9").with("x-forwarded-proto", "https");
    assert_eq!(seen_at(&app, &person).await, "203.0.113.9");
    assert!(person.get("/admin/me").await.header("strict-transport-security").is_some(), "the proxy is not believed");
    // What the sender says of the line is to the left of what the proxy says.
    let spoofed = person.with("x-forwarded-proto", "https").with_another("x-forwarded-proto", "http");
    assert_eq!(spoofed.get("/admin/me").await.header("strict-transport-security"), None);
    let direct = app.stranger().from(IpAddr::from(Ipv4Addr::new(198, 51, 100, 7).to_ipv6_mapped()));
    assert_eq!(seen_at(&app, &direct).await, "198.51.100.7");
}
