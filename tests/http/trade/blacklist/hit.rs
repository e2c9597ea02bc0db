//! What intake and pushes ask: whether somebody is on the list.

use base::clock::DAY;
use serde_json::json;
use trade::blacklist::{self, Asker, BlacklistKind, BlacklistScope, Hit, Suspect};

use super::ID_NO;
use testing::blacklist::{PHONE, channel, make};
use testing::{TestApp, on_both};

async fn hit(app: &TestApp, values: [Option<&str>; 2], asker: Asker) -> Option<Hit> {
    let [phone, id_no] = values.map(|value| value.map(|value| app.app.keys.lookup_hash(value)));
    let suspect = Suspect { phone_hash: phone.as_deref(), id_no_hash: id_no.as_deref(), ..Suspect::default() };
    let mut tx = app.app.db.begin().await.unwrap();
    let found = blacklist::hit(&mut tx, &suspect, asker, app.now()).await.unwrap();
    tx.commit().await.unwrap();
    found
}

on_both!(a_hit_is_found_where_the_entry_holds_and_is_counted);
async fn a_hit_is_found_where_the_entry_holds_and_is_counted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (channel, org) = (channel(&app, "north-h5-1").await, app.organisation("north").await);
    let (in_channel, for_org) = ((BlacklistScope::Channel, channel), (BlacklistScope::Organisation, org));
    let of_channel = make(&operator, json!({"scope": "channel", "scopeId": channel, "expiresAt": app.now() + DAY})).await;
    let of_org = make(&operator, json!({"kind": "id_no", "value": ID_NO, "scope": "organisation", "scopeId": org, "reason": "风控"})).await;
    assert_eq!(hit(&app, [Some(PHONE), None], (BlacklistScope::Channel, channel + 1)).await, None);
    assert_eq!(hit(&app, [Some(PHONE), None], (BlacklistScope::Organisation, channel)).await, None);
    let found = hit(&app, [Some(PHONE), Some(ID_NO)], in_channel).await.unwrap();
    assert_eq!((json!(found.id), found.kind), (of_channel["id"].clone(), BlacklistKind::Phone));
    let found = hit(&app, [Some(PHONE), Some(ID_NO)], for_org).await.unwrap();
    assert_eq!((json!(found.id), found.kind, found.reason.as_str()), (of_org["id"].clone(), BlacklistKind::IdNo, "风控"));
    assert_eq!(hit(&app, [None, None], in_channel).await, None);

    let row = operator.get(&format!("/blacklist/{}", of_org["id"])).await.ok();
    assert_eq!((&row["hitCount"], row["lastHitAt"].as_i64() > Some(0), &row["version"]), (&json!(1), true, &json!(1)));
    app.advance(2 * DAY);
    assert_eq!(hit(&app, [Some(PHONE), None], in_channel).await, None, "it has expired");
    let lift = json!({"id": of_org["id"], "version": 1, "status": "lifted", "reason": "误报"});
    app.sign_in("operator").await.put("/blacklist/status", lift).await.ok();
    assert_eq!(hit(&app, [None, Some(ID_NO)], for_org).await, None);
}
