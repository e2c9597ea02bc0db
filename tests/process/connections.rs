//! Connections that send nothing, half a request, or too much: they cost others nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::support::{Client, Engine, House, Node, PATIENCE};

/// What is asked and costs little.
const ASKED: &str = "GET /healthz HTTP/1.1\r\nhost: leadlane.test\r\n\r\n";

fn house() -> House {
    House::build(Engine::Sqlite).expect("SQLite is always there")
}

/// A connection over which a test writes what it likes.
struct Line(TcpStream);

impl Line {
    fn to(node: &Node) -> Line {
        let stream = TcpStream::connect(node.address()).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Line(stream)
    }

    fn say(&mut self, text: impl AsRef<[u8]>) {
        self.0.write_all(text.as_ref()).expect("it is taken");
    }

    /// The next answer, its head in lower case and its body.
    fn answer(&mut self) -> (String, Vec<u8>) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            let read = self.0.read(&mut byte).expect("an answer in time");
            assert_eq!(read, 1, "it ended within {:?}", String::from_utf8_lossy(&head));
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).expect("a head is text").to_lowercase();
        let size = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length").parse().unwrap();
        let mut body = vec![0; size];
        self.0.read_exact(&mut body).expect("a whole body");
        (head, body)
    }

    /// Whether the other side has closed it; waits for that as long as a test may.
    fn ends(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

/// X4, S-M7: silent connections, slow heads and idle ones end by themselves, each in its time.
#[test]
fn who_keeps_a_connection_waiting_is_left() {
    let node = house().start(&[("LEADLANE_HEAD_TIMEOUT", "2"), ("LEADLANE_IDLE_TIMEOUT", "4")]).listening();
    let begun = Instant::now();
    let (mut silent, mut slow, mut idle) = (Line::to(&node), Line::to(&node), Line::to(&node));
    slow.say("GET / HTTP/1.1\r\nX-Slow: ");
    idle.say(ASKED);
    assert!(idle.answer().0.starts_with("http/1.1 200"));
    // Bytes now and then do not prolong a head.
    let mut dripping = slow.0.try_clone().unwrap();
    std::thread::spawn(move || {
        while dripping.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(100))
        }
    });
    assert!(silent.ends() && slow.ends());
    let heads = begun.elapsed();
    assert!((Duration::from_secs(2)..Duration::from_secs(4)).contains(&heads), "they were ended after {heads:?}");
    // One that may be used again is still there, and lives on from its last request.
    idle.say(ASKED);
    assert!(idle.answer().0.starts_with("http/1.1 200"));
    let answered = Instant::now();
    assert!(idle.ends());
    assert!((Duration::from_secs(4)..Duration::from_secs(7)).contains(&answered.elapsed()), "after {:?}", answered.elapsed());
}

/// X4, S-M7: by default a head has ten seconds.
#[test]
fn a_head_has_ten_seconds() {
    let node = house().serve();
    let begun = Instant::now();
    let mut slow = Line::to(&node);
    slow.say("GET / HTTP/1.1\r\n");
    assert!(slow.ends());
    assert!((Duration::from_secs(10)..Duration::from_secs(14)).contains(&begun.elapsed()), "after {:?}", begun.elapsed());
}

/// X4, S-M7: hundreds of connections that send nothing, or half a head, do not stop others.
#[test]
fn a_crowd_that_says_nothing_stops_nobody() {
    let house = house();
    house.demo();
    let node = house.start(&[("LEADLANE_MAX_CONNECTIONS", "32")]).listening();
    let operator = node.sign_in("operator");
    let mut kept = Line::to(&node);
    kept.say(ASKED);
    kept.answer();
    let crowd: Vec<Line> = (0..400)
        .map(|number| {
            let mut line = Line::to(&node);
            if number % 2 == 0 {
                // It may have been sent away already.
                let _ = line.0.write_all(b"GET / HTTP/1.1\r\nX-Slow: ");
            }
            line
        })
        .collect();
    let begun = Instant::now();
    // On the operator's open connection, and on new ones.
    operator.get("/api/admin/me").ok();
    for _ in 0..20 {
        node.stranger().get("/healthz");
        node.sign_in("finance").post("/api/channel/page", &json!({})).ok();
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "it took {:?}", begun.elapsed());
    // Who has asked before and may ask again goes after those who never have.
    kept.say(ASKED);
    assert!(kept.answer().0.starts_with("http/1.1 200"));
    let warnings = node.log().lines().filter(|line| line.contains("as many connections")).count();
    assert!((1..=3).contains(&warnings), "it was logged {warnings} times: {}", node.log());
    drop(crowd);
}

/// Requests whose bodies never come hold no connection against others, whatever they say that they send.
#[test]
fn bodies_that_never_come_stop_nobody() {
    let node = house().start(&[("LEADLANE_MAX_CONNECTIONS", "32")]).listening();
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let crowd: Vec<Line> = (0..64)
            .map(|_| {
                let mut line = Line::to(&node);
                // It may have been refused already.
                let _ = write!(line.0, "POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: 1000\r\n\r\n");
                line
            })
            .collect();
        let begun = Instant::now();
        for _ in 0..10 {
            assert_eq!(node.stranger().get("/healthz").status, 200);
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "it took {:?}", begun.elapsed());
        drop(crowd);
    }
}

/// X4: more connections than files may be open is a setting that cannot be kept.
#[test]
fn more_connections_than_files_stop_the_start() {
    let outcome = house().run_with(&["serve"], &[("LEADLANE_MAX_CONNECTIONS", "1000000")]);
    // Where a process may open as many, there is nothing to refuse.
    if outcome.code == Some(1) {
        assert!(outcome.refused().contains("LEADLANE_MAX_CONNECTIONS is 1000000"));
    }
}

/// S-M7: a form, a choice and a beacon that never arrive are not waited for for ever.
#[test]
fn forms_that_never_arrive_are_given_up() {
    let node = house().serve();
    let begun = Instant::now();
    // The content type of a file gives no more time where none is taken.
    let mut lines: Vec<Line> = ["/login", "/preferences", "/v/some-channel"]
        .iter()
        .flat_map(|path| ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"].map(|kind| (path, kind)))
        .map(|(path, kind)| {
            let mut line = Line::to(&node);
            line.say(format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: 100\r\n\r\nusername="));
            line
        })
        .collect();
    for line in &mut lines {
        let (head, body) = line.answer();
        assert!(head.starts_with("http/1.1 503") && head.contains("connection: close"), "{head}");
        assert!(String::from_utf8(body).unwrap().contains("请稍后再试"));
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "it took {:?}", begun.elapsed());
}

/// X10: a refusal that did not wait for a small body lets the connection be used again.
#[test]
fn a_small_body_that_nobody_wants_is_read() {
    let node = house().serve();
    let body = json!({"current": 1, "pageSize": 20}).to_string();
    for (path, code) in [("/api/user/page", "2000"), ("/api/no/such/call", "4004")] {
        let mut line = Line::to(&node);
        line.0.set_nodelay(true).unwrap();
        for _ in 0..3 {
            line.say(format!("POST {path} HTTP/1.1\r\nhost: x\r\ntoken: expired\r\ncontent-length: {}\r\n\r\n", body.len()));
            // In a packet of its own.
            std::thread::sleep(Duration::from_millis(20));
            line.say(&body);
            let (head, answer) = line.answer();
            assert!(!head.contains("connection: close"), "{head}");
            assert!(String::from_utf8(answer).unwrap().contains(code));
        }
    }
}

/// X10: where the body is too large to be read for nothing, the answer says that the connection ends, and arrives whatever
/// the sender still sends.
#[test]
fn a_large_body_that_nobody_wants_ends_the_connection_aloud() {
    let node = house().serve();
    let upload = vec![b'x'; 8 << 20];
    for path in ["/api/no/such/call", "/api/common/upload", "/nothing/here"] {
        let mut line = Line::to(&node);
        line.say(format!("POST {path} HTTP/1.1\r\nhost: x\r\ntoken: expired\r\ncontent-length: {}\r\n\r\n", upload.len()));
        line.say(&upload);
        let (head, _) = line.answer();
        assert!(head.contains("connection: close"), "{head}");
        assert!(line.ends());
    }
    // A client that asks before it sends is answered without sending.
    let mut line = Line::to(&node);
    line.say("POST /api/no/such/call HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n");
    let (head, _) = line.answer();
    assert!(head.starts_with("http/1.1 404") && head.contains("connection: close"), "{head}");
}

#[test]
fn a_request_names_one_host() {
    let house = house();
    let node = house.serve();
    for (hosts, status) in [("", "400"), ("host: x\r\n", "200"), ("host: x\r\nhost: x\r\n", "400")] {
        let mut line = Line::to(&node);
        line.say(format!("GET /healthz HTTP/1.1\r\n{hosts}connection: close\r\n\r\n"));
        let (head, _) = line.answer();
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{hosts:?}: {head}");
    }
    // HTTP/1.0 has no such field.
    let mut line = Line::to(&node);
    line.say("GET /healthz HTTP/1.0\r\n\r\n");
    assert!(line.answer().0.contains(" 200 "));
}

/// S-L10: what machines ask may have a listener of its own, and is then nowhere else.
#[test]
fn the_status_may_be_told_apart() {
    let house = house();
    let node = house.serve();
    let status = |path: &str| node.stranger().get(path).status;
    assert_eq!(["/healthz", "/readyz", "/metrics"].map(status), [200, 200, 200]);
    // Repeated questions do not render a page each.
    let rendered = || {
        let text = node.stranger().get("/metrics").body;
        text.lines().find_map(|line| line.strip_prefix("leadlane_renders_total ")).expect("a figure").parse::<u64>().unwrap()
    };
    let before = rendered();
    let begun = Instant::now();
    (0..200).for_each(|_| assert_eq!(node.stranger().get("/readyz").body, "ready"));
    let most = 1 + begun.elapsed().as_secs() / 5;
    assert!(rendered() - before <= most, "{} pages for 200 questions", rendered() - before);

    let apart = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let node = house.start(&[("LEADLANE_STATUS_LISTEN", &apart)]).listening();
    let status = |path: &str| node.stranger().get(path).status;
    assert_eq!(["/healthz", "/readyz", "/metrics"].map(status), [200, 404, 404]);
    let machines = Client::new(&format!("http://{apart}"));
    assert_eq!(
        ["/healthz", "/readyz", "/metrics", "/login", "/api/admin/me"].map(|path| machines.get(path).status),
        [200, 200, 200, 404, 404]
    );
    node.terminate();
    assert_eq!(node.end(), Some(0));
}
