//! Processes that are killed during a matching round.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::support::{Buyer, House, Node, Partner, on_both, until};

/// Kills of one after another.
const KILLS: usize = 7;

// An applicant whose process is killed in every round waits longer before each next one, and is matched in the end.
on_both!(an_applicant_is_matched_however_often_the_process_is_killed);
fn an_applicant_is_matched_however_often_the_process_is_killed(house: House) {
    house.demo();
    // Nothing else is matched.
    house.execute("UPDATE applicant SET status = 'unmatched', due_at = NULL");
    let node = serve(&house);
    let organisation = Buyer::slow(Duration::from_secs(60));
    let partner = Partner::of(&house, &node, &organisation);
    // The organisation is asked in each round, and has not answered when the process is killed.
    house.execute("UPDATE org_api_config SET match_url = apply_url WHERE org_id = (SELECT org_id FROM plan WHERE no = 'P-shop')");
    house.execute("UPDATE plan SET match_required = 1 WHERE no = 'P-shop'");
    node.kill();
    let mut node = serve(&house);
    assert_eq!(partner.bring(&node.stranger(), 1).unwrap().ok()["accepted"], true);
    for kill in 1..=KILLS {
        until("the organisation is asked", || (organisation.calls().values().sum::<usize>() == kill).then_some(()));
        node.kill();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
        assert_eq!(applicants(&house, "status = 'matching'"), 1, "after kill {kill}");
        // The time for which the killed process had the applicant is over.
        due_at(&house, now - 1);
        node = serve(&house);
        if kill > 2 {
            // At least: of a pause of two minutes less a fifth, one minute has passed already.
            let pause = 30_000 << (kill - 3);
            let put_off = format!("status = 'completed' AND due_at > {now} + {pause}");
            until("the next round is put off", || (applicants(&house, &put_off) == 1).then_some(()));
            if kill == KILLS {
                house.execute("UPDATE plan SET match_required = 0 WHERE no = 'P-shop'");
            }
            due_at(&house, 1);
        }
    }
    until("the applicant is matched", || (applicants(&house, "status = 'distributed' AND begun = 0") == 1).then_some(()));
}

/// How many there are of the applicant that the partner brought, if a condition holds.
fn applicants(house: &House, condition: &str) -> i64 {
    house.count(&format!("SELECT COUNT(*) FROM applicant WHERE request_id = 'r-1' AND {condition}"))
}

/// Has the next round of the applicant be due at a moment.
fn due_at(house: &House, moment: u128) {
    house.execute(&format!("UPDATE applicant SET due_at = {moment} WHERE request_id = 'r-1'"));
}

/// A node that may call servers of this machine.
fn serve(house: &House) -> Node {
    house.start(&[("LEADLANE_PRIVATE_CALLS", "allow")]).listening()
}
