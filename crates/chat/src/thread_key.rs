//! The key of a visitor's thread: the server makes it and keeps it in a cookie of the browser that began the thread.
//! No address and no form contains it, so that a link cannot lead a visitor into another visitor's thread.

use axum::http::{HeaderMap, HeaderValue, header};

use base::clock::DAY;
use base::crypto::{self, Keys};
use frame::api::cookies::cookies;

/// Random letters of a key, and the letters of the proof that the server made it for a group's page.
const LETTERS: usize = 32;
const PROOF: usize = 32;
/// How long a browser keeps a key that it does not use.
const KEPT_DAYS: i64 = 90;
/// The most keys of one browser that are read. Usually there is one of the page itself and one of a frame.
const MOST: usize = 3;

/// A browser on the page of a group: the keys that it holds there.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The key of the group's page, which is part of its address.
    pub page: String,
    /// Keys that the server has made for this page.
    pub keys: Vec<String>,
    /// Whether it sent a key that the server has not made.
    pub guesses: bool,
    secure: bool,
    framed: bool,
}

impl Browser {
    /// Reads the cookies of a request for a group's page. `secure`: the request came by https.
    pub fn of(headers: &HeaderMap, page: &str, secure: bool, keys: &Keys) -> Browser {
        let name = name(page, secure);
        let (made, others): (Vec<&str>, Vec<&str>) =
            cookies(headers).filter(|(given, _)| *given == name).map(|(_, key)| key).take(MOST).partition(|key| is_made(keys, page, key));
        let made_for = headers.get("sec-fetch-dest").and_then(|value| value.to_str().ok());
        Browser {
            page: page.to_owned(),
            keys: made.into_iter().map(str::to_owned).collect(),
            guesses: !others.is_empty(),
            secure,
            framed: matches!(made_for, Some("iframe" | "frame" | "embed" | "object")),
        }
    }

    /// The cookie with a key. In a frame of another site the cookie is partitioned by that site, which browsers accept
    /// over https only.
    pub fn cookie(&self, key: &str) -> HeaderValue {
        let manner = match (self.secure, self.framed) {
            (true, true) => "SameSite=None; Secure; Partitioned",
            (true, false) => "SameSite=Lax; Secure",
            (false, _) => "SameSite=Lax",
        };
        let age = KEPT_DAYS * DAY / 1000;
        let text = format!("{}={key}; HttpOnly; {manner}; Path=/talk; Max-Age={age}", name(&self.page, self.secure));
        HeaderValue::from_str(&text).expect("letters and digits")
    }

    /// Adds [`Browser::cookie`] to the headers of an answer.
    pub fn keep(&self, headers: &mut HeaderMap, key: &str) {
        headers.append(header::SET_COOKIE, self.cookie(key));
    }
}

/// A new key for a group's page.
pub fn new_key(keys: &Keys, page: &str) -> String {
    let letters = crypto::random_text(LETTERS);
    format!("{letters}{}", proof(keys, page, &letters))
}

/// The name of the cookie. Over https it is one that no plain connection can set.
fn name(page: &str, secure: bool) -> String {
    format!("{}talk-{page}", if secure { "__Secure-" } else { "" })
}

fn is_made(keys: &Keys, page: &str, key: &str) -> bool {
    key.len() == LETTERS + PROOF
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && crypto::same(&proof(keys, page, &key[..LETTERS]), &key[LETTERS..])
}

fn proof(keys: &Keys, page: &str, letters: &str) -> String {
    let mut hash = keys.lookup_hash(&format!("key of a thread at {page}: {letters}"));
    hash.truncate(PROOF);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser(keys: &Keys, cookie: &str, dest: &'static str, secure: bool) -> Browser {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        headers.insert("sec-fetch-dest", HeaderValue::from_static(dest));
        Browser::of(&headers, "page", secure, keys)
    }

    #[test]
    fn a_browser_holds_what_the_server_made_for_this_page() {
        let keys = Keys::new(b"a secret of this test, long enough", &[0; 32]);
        let (key, other) = (new_key(&keys, "page"), new_key(&keys, "other"));
        assert_eq!(browser(&keys, &format!("a=1; talk-page={key}"), "document", false).keys, std::slice::from_ref(&key));
        for guess in [format!("talk-page={}", "A".repeat(64)), format!("talk-page={other}"), "talk-page=".to_owned()] {
            let found = browser(&keys, &guess, "document", false);
            assert!(found.keys.is_empty() && found.guesses, "{guess}");
        }
        // Over https a cookie of a plain connection is ignored.
        let plain = browser(&keys, &format!("talk-page={key}"), "document", true);
        assert!(plain.keys.is_empty() && !plain.guesses);
        assert_eq!(browser(&keys, &format!("__Secure-talk-page={key}"), "document", true).keys, [key]);
    }

    #[test]
    fn a_frame_over_https_has_a_cookie_of_its_own_site() {
        let keys = Keys::new(b"a secret of this test, long enough", &[0; 32]);
        for (dest, secure, cookie) in [
            ("iframe", true, "__Secure-talk-page=k; HttpOnly; SameSite=None; Secure; Partitioned; Path=/talk; Max-Age=7776000"),
            ("document", true, "__Secure-talk-page=k; HttpOnly; SameSite=Lax; Secure; Path=/talk; Max-Age=7776000"),
            ("iframe", false, "talk-page=k; HttpOnly; SameSite=Lax; Path=/talk; Max-Age=7776000"),
        ] {
            assert_eq!(browser(&keys, "", dest, secure).cookie("k"), cookie);
        }
    }
}
