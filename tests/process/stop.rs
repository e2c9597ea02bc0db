//! SIGTERM: running requests finish, no new ones begin, and it is over within ten seconds; calls of our
//! own that are on their way are answered first. A second one ends it at once.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::{Buyer, Client, House, Node, PATIENCE, Partner, leads, on_both, until};

/// It was paid, once.
const PAID: &str = "(SELECT COUNT(*) FROM account_ledger l WHERE l.ref_type = 'push_record' AND l.ref_id = h.id) = 1";
/// What running requests are given, and then some for a crowded machine.
const AT_MOST: Duration = Duration::from_secs(13);

on_both!(a_running_request_finishes_and_no_new_one_is_taken);
fn a_running_request_finishes_and_no_new_one_is_taken(house: House) {
    house.demo();
    let node = house.serve();
    let idle = TcpStream::connect(node.address()).unwrap();
    let request = Running::begin(&node, &node.sign_in("admin"));

    node.terminate();
    let told = Instant::now();
    until("new connections are refused", || TcpStream::connect(node.address()).is_err().then_some(()));
    let answer = request.finish();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(r#"{"code":"0000""#), "{answer}");
    assert_eq!(node.end(), Some(0));
    assert!(told.elapsed() < Duration::from_secs(10), "it waited for nobody for {:?}", told.elapsed());
    drop(idle);
    assert_eq!(house.count("SELECT COUNT(*) FROM channel WHERE code = 'last-order'"), 1);
}

on_both!(a_request_that_never_ends_does_not_hold_it_up);
fn a_request_that_never_ends_does_not_hold_it_up(house: House) {
    house.demo();
    let node = house.serve();
    let request = Running::begin(&node, &node.sign_in("admin"));
    node.terminate();
    let told = Instant::now();
    assert_eq!(node.end(), Some(0));
    assert!(told.elapsed() < AT_MOST, "{:?}", told.elapsed());
    drop(request);
}

/// A node on which leads wait that a slow server is being sent: as many as may be on their way to one, and more.
fn delivering(house: &House, answers_after: Duration) -> (Node, Buyer) {
    house.demo();
    let node = house.start(&[("LEADLANE_PRIVATE_CALLS", "allow"), ("LEADLANE_DRAIN", "25")]).listening();
    let buyer = Buyer::slow(answers_after);
    let partner = Partner::of(house, &node, &buyer);
    for number in 0..20 {
        assert_eq!(partner.bring(&node.stranger(), number).unwrap().ok()["accepted"], true);
    }
    until("leads are sold", || (leads(house, "1 = 1") == 20).then_some(()));
    until("some are being sent", || (buyer.calls().len() == 8).then_some(()));
    (node, buyer)
}

// H1: the answers of calls that are on their way are worth money: they are waited for and written down, and
// nothing new is begun.
on_both!(a_delivery_on_its_way_is_answered_and_settled);
fn a_delivery_on_its_way_is_answered_and_settled(house: House) {
    let (node, buyer) = delivering(&house, Duration::from_secs(4));
    node.terminate();
    let told = Instant::now();
    let (code, log) = node.end_and_log();
    assert_eq!(code, Some(0), "{log}");
    assert!(told.elapsed() < Duration::from_secs(25), "{:?}", told.elapsed());
    assert!(!log.contains("still running"), "{log}");
    assert_eq!(buyer.calls().len(), 8, "nothing new is begun");
    assert_eq!(leads(&house, "h.status = 'accepted'"), 8);
    assert_eq!(leads(&house, PAID), 8);
    assert_eq!(house.count("SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND state IN ('sending', 'unconfirmed')"), 0);
    // The rest goes out with the next start, each once.
    let next = house.start(&[("LEADLANE_PRIVATE_CALLS", "allow")]).listening();
    until("all are settled", || (leads(&house, "h.status = 'accepted'") == 20).then_some(()));
    assert!(buyer.calls().values().all(|times| *times == 1), "{:?}", buyer.calls());
    drop(next);
}

// H1: who asks twice does not wait; what was on its way is in doubt, and stays paid for.
on_both!(a_second_signal_ends_it_at_once);
fn a_second_signal_ends_it_at_once(house: House) {
    let (node, _) = delivering(&house, Duration::from_secs(20));
    node.terminate();
    until("it has heard the first", || node.log().contains("another signal stops at once").then_some(()));
    node.terminate();
    let told = Instant::now();
    assert_eq!(node.end(), Some(1));
    assert!(told.elapsed() < Duration::from_secs(5), "{:?}", told.elapsed());
    assert_eq!(house.count("SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND state = 'sending' AND unanswered = 1"), 8);
    assert_eq!(leads(&house, "h.held_cents = h.price_cents"), 20);
}

/// A channel on its way: the server has taken the request up and waits for its body.
struct Running {
    connection: TcpStream,
    body: String,
}

impl Running {
    fn begin(node: &Node, client: &Client) -> Running {
        let body = json!({"code": "last-order", "name": "最后一单", "type": "api", "settleMode": "none"}).to_string();
        let mut connection = TcpStream::connect(node.address()).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            connection,
            "POST /api/channel HTTP/1.1\r\nhost: {}\r\ntoken: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
            node.address(),
            client.token(),
            body.len()
        )
        .unwrap();
        let mut go_on = [0; 25];
        connection.read_exact(&mut go_on).unwrap();
        assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
        Running { connection, body }
    }

    /// Sends the rest and answers the answer.
    fn finish(mut self) -> String {
        self.connection.write_all(self.body.as_bytes()).unwrap();
        let mut answer = String::new();
        self.connection.read_to_string(&mut answer).unwrap();
        answer
    }
}
