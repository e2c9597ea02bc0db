//! The identity of a visitor, by device and system, and whether it is a person at all.

use axum::http::HeaderMap;

use base::address::counted;
use base::crypto::Keys;
use trade::visit::{Source, System};

/// Characters of a key: 128 bits.
const KEY: usize = 32;
/// Names of programs that are not a person's browser, in lower case.
const ROBOTS: &[&str] = &[
    "bot",
    "spider",
    "crawl",
    "slurp",
    "preview",
    "headless",
    "phantom",
    "puppeteer",
    "playwright",
    "selenium",
    "lighthouse",
    "curl",
    "wget",
    "python",
    "java/",
    "okhttp",
    "go-http",
    "libwww",
    "httpclient",
    "http_request",
    "scrapy",
    "axios",
    "node-fetch",
    "monitor",
    "facebookexternalhit",
    "feed",
    "archiver",
    "scan",
];

/// A visitor.
pub struct Person {
    /// Keyed hash of the visitor.
    pub visitor: String,
    pub system: System,
    pub ip: String,
    /// Keyed hash of the user agent.
    pub ua_hash: String,
    pub source: Source,
}

impl Person {
    /// A visitor by the name of the device, which has no meaning elsewhere.
    pub fn new(keys: &Keys, device: &str, ip: &str, user_agent: &str, most: i64) -> Person {
        Person {
            visitor: visitor_key(keys, device),
            system: System::of(user_agent),
            ip: ip.to_owned(),
            ua_hash: key(keys, "user agent", &[user_agent]),
            source: Source { address: key(keys, "address", &[&counted(ip)]), most },
        }
    }
}

/// The device of a visitor by the name that a channel's server gave.
pub fn device_of_channel(channel_id: i64, name: &str) -> String {
    format!("{channel_id}:{}", name.trim())
}

/// The stored key of the visitor of a device.
pub fn visitor_key(keys: &Keys, device: &str) -> String {
    key(keys, "visitor", &[device])
}

/// The name of a device without one: the same all day for the same address and browser, so that a browser without
/// cookies is one visitor and not a new one with every request.
pub fn device_of(keys: &Keys, ip: &str, user_agent: &str, day: &str) -> String {
    key(keys, "device", &[&counted(ip), user_agent, day])
}

/// Whether a text can be the name of a device.
pub fn is_device(text: &str) -> bool {
    (16..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Whether a user agent belongs to a program: crawlers, test tools and other programs without a reader, and empty
/// names.
pub fn is_robot(user_agent: &str) -> bool {
    let name = user_agent.to_lowercase();
    // "Cubot" is a maker of telephones.
    let name = name.replace("cubot", "");
    name.trim().is_empty() || ROBOTS.iter().any(|robot| name.contains(robot))
}

/// Whether a browser prefetches a page that may never be looked at.
pub fn is_prefetch(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].into_iter().any(|name| {
        let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_lowercase();
        value.contains("prefetch") || value.contains("preview") || value.contains("prerender")
    })
}

fn key(keys: &Keys, what: &str, parts: &[&str]) -> String {
    let mut hash = keys.lookup_hash(&format!("{what}\n{}", parts.join("\n")));
    hash.truncate(KEY);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_are_distinguished_from_people() {
        for robot in [
            "",
            "  ",
            "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
            "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bytespider; spider-feedback@bytedance.com)",
            "curl/8.5.0",
            "python-requests/2.32",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
        ] {
            assert!(is_robot(robot), "{robot}");
        }
        for person in [
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50",
            "Mozilla/5.0 (Linux; Android 14; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
        ] {
            assert!(!is_robot(person), "{person}");
        }
    }
}
