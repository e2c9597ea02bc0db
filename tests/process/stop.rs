//! SIGTERM: running requests finish, no new ones begin, and it is over within ten seconds.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::{Client, House, Node, PATIENCE, on_both, until};

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
