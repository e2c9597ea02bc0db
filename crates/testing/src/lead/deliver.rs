//! Plans that deliver to a server.

use serde_json::{Value, json};

use crate::lead::buyer::Buyer;
use crate::lead::{channel, plan};
use crate::open::Partner;
use crate::plan::begin;
use crate::{Actor, TestApp};

/// A channel, and a plan of North Star that delivers to a server.
pub async fn by_api(app: &TestApp, settings: Value, changes: Value) -> (Actor, Partner, Buyer) {
    begin(app);
    let (admin, partner) = (app.sign_in("admin").await, channel(app, json!({})).await);
    let buyer = Buyer::of(app, &admin, "north", settings).await;
    plan(app, &admin, crate::org::with(json!({"name": "api", "deliverMode": "api", "methodPriority": 1}), changes)).await;
    (admin, partner, buyer)
}
