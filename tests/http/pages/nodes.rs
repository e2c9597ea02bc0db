//! A full disk, as `/readyz` reports it.

use base::db::{self, Engine};
use base::locale::Locale;
use futures_util::FutureExt;
use serde_json::json;

use crate::pages::browser::Browser;
use testing::{TestApp, on_both};

// X11: a full disk is reported as what it is, and only for as long as it is full.
on_both!(a_full_disk_is_told_as_such);
async fn a_full_disk_is_told_as_such(app: TestApp) {
    let (operator, machine) = (app.sign_in("operator").await, Browser::of(&app, "operator").await);
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    match app.app.db.engine() {
        Engine::Sqlite => {
            app.execute("PRAGMA max_page_count = 1").await;
            let write = app.app.db.transact(|mut tx| {
                async move {
                    let insert = sqlx::query("INSERT INTO nonce (owner, token, expires_at) VALUES ('x', $1, 0)");
                    insert.bind("x".repeat(100_000)).execute(&mut **tx).await.map(drop)
                }
                .boxed()
            });
            let error: sqlx::Error = write.await.unwrap_err();
            assert!(db::is_full(&error), "{error}");
            let answer = frame::api::ApiError::from(error);
            assert_eq!((answer.code(), answer.text(Locale::English).contains("disk is full")), ("5003", true));
            assert!(app.app.db.times().is_full());
            app.execute("PRAGMA max_page_count = 1000000").await;
        }
        Engine::Postgres => {
            app.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$",
            )
            .await;
            app.execute("CREATE TRIGGER full_disk BEFORE INSERT ON administrator EXECUTE FUNCTION full_disk()").await;
            app.execute("CREATE TRIGGER full_disk BEFORE UPDATE ON schema_fence EXECUTE FUNCTION full_disk()").await;
            let refused = operator.post("/admin", body.clone()).await;
            assert_eq!((refused.code().as_str(), refused.desc().contains("磁盘已满")), ("5003", true), "{}", refused.desc());
            let error = app.app.db.can_write().await.unwrap_err();
            assert!(db::is_full(&error), "{error}");
            let ready = machine.get("/readyz").await;
            let said = String::from_utf8_lossy(&ready.body).into_owned();
            assert!(ready.status == 200 && said.contains("the disk of the database is full"), "{} {said}", ready.status);
            app.execute("DROP TRIGGER full_disk ON administrator").await;
            app.execute("DROP TRIGGER full_disk ON schema_fence").await;
        }
    }
    app.app.db.can_write().await.unwrap();
    assert!(!app.app.db.times().is_full());
    assert_eq!(String::from_utf8_lossy(&machine.get("/readyz").await.body), "ready");
    operator.post("/admin", body).await.ok();
}
