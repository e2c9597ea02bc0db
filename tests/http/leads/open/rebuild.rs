//! Figures made again from the events, on both engines; and for how long events are kept.

use base::clock::{self, DAY};
use serde_json::json;
use trade::visit::{self, Exposure, Recorder, Seen, Source, Subject, SubjectKind, System, Visit};

use testing::{TestApp, on_both};

/// Some hundred events of a day, each of another kind, person or channel.
fn events(at: i64) -> Vec<Seen> {
    let kinds = [SubjectKind::Channel, SubjectKind::Product, SubjectKind::Org, SubjectKind::Plan];
    let systems = [System::Ios, System::Android, System::Wechat, System::Other];
    (0..400_i64)
        .map(|number| {
            let (visitor, channel_id, at) = (format!("v{}", number % 37), number % 3, at + number * 700);
            let (system, test, id) = (systems[(number % 4) as usize], channel_id == 2, number % 5 + 1);
            if number % 6 == 0 {
                return Seen::Exposure(Exposure {
                    plan_id: (number % 18 != 0 || id <= 2).then_some(id),
                    org_id: id % 2 + 1,
                    product_id: (id > 2).then_some(id),
                    channel_id,
                    visitor,
                    system,
                    at,
                    position: None,
                    client_ip: "203.0.113.9".to_owned(),
                    ua_hash: "x".to_owned(),
                    clicked: number % 12 == 0,
                    test,
                });
            }
            let kind = kinds[(number % 4) as usize];
            Seen::Visit(Visit {
                subject: Subject { kind, id },
                channel_id: if kind == SubjectKind::Channel { 0 } else { channel_id },
                org_id: if kind == SubjectKind::Channel { 0 } else { id % 2 + 1 },
                visitor,
                system,
                at,
                charge_cents: 100 + number % 7,
                test,
                source: Some(Source { address: format!("a{}", number % 2), most: 8 }),
            })
        })
        .collect()
}

/// Everything that is stored, as one text for each row.
async fn stored(app: &TestApp) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT day || subject_type || '.' || subject_id || '.' || channel_id || system || ' ' || org_id || ' ' || pv || ' ' || uv || ' ' || \
         test_pv || ' ' || test_uv || ' ' || exposure_pv || ' ' || exposure_uv || ' ' || cost_cents || ' ' || income_cents AS told \
         FROM uv_stat_daily ORDER BY told",
    )
    .fetch_all(app.app.db.read())
    .await
    .unwrap()
}

on_both!(figures_made_again_are_the_same_while_events_arrive);
async fn figures_made_again_are_the_same_while_events_arrive(app: TestApp) {
    let (today, db, clock) = (clock::day(app.now()), app.app.db.clone(), app.app.clock.clone());
    let start = clock::start(today);
    for some in events(start).chunks(90) {
        app.app.service::<Recorder>().record(None, some.to_vec()).await.unwrap();
    }
    let right = stored(&app).await;
    assert!(right.len() > 100);
    let rebuilt = visit::rebuild(&db, &clock, today, today).await.unwrap();
    assert_eq!((rebuilt.days, rebuilt.corrected), (1, 0));

    app.execute("UPDATE uv_stat_daily SET pv = 7, cost_cents = 7 WHERE subject_id = 1").await;
    app.execute("DELETE FROM uv_stat_daily WHERE subject_id = 2").await;
    app.execute("UPDATE uv_stat_daily SET subject_id = 99 WHERE subject_id = 3").await;
    assert!(visit::rebuild(&db, &clock, today, today).await.unwrap().corrected > 0);
    assert_eq!(stored(&app).await, right);

    // Again and again, while more arrive.
    let more = async {
        for some in events(start + 300_000).chunks(20) {
            app.app.service::<Recorder>().record(None, some.to_vec()).await.unwrap();
        }
    };
    let again = async {
        for _ in 0..5 {
            assert_eq!(visit::rebuild(&db, &clock, today, today).await.unwrap().corrected, 0);
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(more, again);
    assert_eq!(visit::rebuild(&db, &clock, today, today).await.unwrap().corrected, 0);
    assert!(stored(&app).await.len() >= right.len());
}

on_both!(old_events_go_and_their_figures_stay);
async fn old_events_go_and_their_figures_stay(app: TestApp) {
    let today = clock::day(app.now());
    app.app.service::<Recorder>().record(None, events(clock::start(today))).await.unwrap();
    let figures = stored(&app).await;
    app.set("visit.event_days", json!(35)).await;
    assert_eq!(visit::sweep(&app.app).await.unwrap(), 0);
    app.advance(36 * DAY);
    assert!(visit::sweep(&app.app).await.unwrap() > 100);
    assert_eq!(
        app.count("SELECT (SELECT COUNT(*) FROM uv_event) + (SELECT COUNT(*) FROM plan_exposure) + (SELECT COUNT(*) FROM visit_source)")
            .await,
        0
    );
    assert_eq!(stored(&app).await, figures);
    let rebuilt = visit::rebuild(&app.app.db, &app.app.clock, today, today).await.unwrap();
    assert_eq!((rebuilt.days, rebuilt.without_visits, rebuilt.corrected), (1, 1, 0));
    assert_eq!(stored(&app).await, figures, "what can no longer be made again is left alone");
}
