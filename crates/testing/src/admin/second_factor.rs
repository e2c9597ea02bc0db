//! A person with a second factor.

use frame::access::totp::{STEP, Secret};
use serde_json::json;

use crate::world::PASSWORD;
use crate::{Actor, Answer, TestApp};

pub const MINE: &str = "/admin/me/secondFactor";

/// The authenticator of a person.
pub struct Authenticator {
    secret: Secret,
    pub recovery: Vec<String>,
}

impl Authenticator {
    /// Its code at the test's present, or so many steps from it.
    pub fn code(&self, app: &TestApp, steps: i64) -> String {
        self.secret.code(app.now() / STEP + steps)
    }

    /// A code that is none of those that could count now.
    pub fn wrong(&self, app: &TestApp) -> String {
        let near: Vec<String> = (-2..=2).map(|steps| self.code(app, steps)).collect();
        (0..).map(|number| format!("{number:06}")).find(|code| !near.contains(code)).unwrap()
    }
}

/// Sets a second factor up, and lets its first code be over.
pub async fn enrol(app: &TestApp, who: &Actor) -> Authenticator {
    let enrolment = who.post(MINE, json!({"password": PASSWORD})).await.ok();
    let secret = Secret::parse(enrolment["secret"].as_str().unwrap()).expect("a secret");
    let codes = who.put(MINE, json!({"code": secret.code(app.now() / STEP)})).await.ok();
    app.advance(2 * STEP);
    let recovery = codes["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    Authenticator { secret, recovery }
}

pub async fn login(who: &Actor, username: &str) -> Answer {
    who.post("/admin/login", json!({"username": username, "password": PASSWORD})).await
}
