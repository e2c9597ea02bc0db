//! What goes to an organisation's server proves that it is ours, where the organisation has a signing key.

use std::collections::HashMap;

use base::clock::HOUR;
use serde_json::json;

use testing::feedback::signing;
use testing::lead::deliver::by_api;
use testing::lead::{application, bring};
use testing::open::{Call, Partner};
use testing::{TestApp, on_both};

/// The signature in a call, the signature that the organisation computes from docs/partner-api.md alone, and
/// the nonce.
fn signatures(of: &Partner, (path, query, body): &(&'static str, String, String)) -> (String, String, String) {
    let told: HashMap<&str, &str> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let call = Call {
        path,
        app_id: told["appId"].to_owned(),
        secret: of.secret.clone(),
        timestamp: told["timestamp"].parse().unwrap(),
        nonce: told["nonce"].to_owned(),
        body: body.clone(),
    };
    assert_eq!(call.app_id, of.app_key);
    (told["sign"].to_owned(), call.sign(), call.nonce)
}

// S-L9: questions, deliveries and queries are signed as the organisation signs what it tells us.
on_both!(what_goes_to_an_organisation_is_signed_where_it_has_a_key);
async fn what_goes_to_an_organisation_is_signed_where_it_has_a_key(app: TestApp) {
    let asks = json!({"matchUrl": "https://api.example.com/m", "queryUrl": "https://api.example.com/q", "queryOkExpr": "has == true"});
    let (admin, partner, buyer) = by_api(&app, asks, json!({"matchRequired": true})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let calls = buyer.calls();
    assert_eq!(calls.len(), 2, "asked, and delivered");
    assert!(calls.iter().all(|(_, query, _)| query.is_empty()), "no key, no signature: {calls:?}");

    let north = signing(&app, &admin, "north").await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    // One that nobody answers clearly is asked after.
    app.execute("UPDATE plan SET match_required = 0").await;
    app.advance(HOUR);
    buyer.answers(500, json!({}));
    buyer.knows(200, json!({"has": true}));
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    app.advance(HOUR);
    app.distribute().await;
    let calls = buyer.calls();
    assert_eq!(calls.iter().map(|(path, ..)| *path).collect::<Vec<_>>(), ["/", "/", "/", "/query"]);
    let mut nonces: Vec<String> = Vec::new();
    for call in &calls {
        let (told, made, nonce) = signatures(&north, call);
        assert_eq!(told, made, "{call:?}");
        assert!(!nonces.contains(&nonce), "each has a nonce of its own");
        nonces.push(nonce);
    }
    // What is shown of a try names the address alone.
    assert_eq!(app.count("SELECT COUNT(*) FROM push_attempt WHERE url LIKE '%sign=%'").await, 0);
}
