//! Visitors who play customers on the visitors' page of a running Leadlane (`leadlane demo-visitors`): they begin
//! conversations, write again after a while, and leave.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use axum::http::{Method, Request, StatusCode, header};
use futures_util::future;

use super::conversations::{NAMES, TALKS};
use super::random::Random;
use base::crypto;
use base::locale::Locale;
use base::outside::Caller;
use chat::consent;

/// How long to wait for an answer of the page.
const WITHIN: Duration = Duration::from_secs(20);

/// The behaviour of the visitors.
#[derive(Clone, Debug)]
pub struct Play {
    /// The address of Leadlane, and the key of the group's page.
    pub site: String,
    pub group_key: String,
    /// Visitors who are there at the same time.
    pub visitors: u32,
    /// Between two messages of a visitor, on average.
    pub pause: Duration,
    /// Conversations of each visitor; endless if absent.
    pub conversations: Option<u32>,
}

/// Plays until the conversations are over.
pub async fn play(play: &Play) -> anyhow::Result<()> {
    future::try_join_all((0..play.visitors).map(|number| visit(play, number))).await.map(drop)
}

async fn visit(play: &Play, number: u32) -> anyhow::Result<()> {
    let mut random = Random::new(u64::from(number) + 1);
    // They do not all come at once: the page accepts five new conversations of an address in a minute.
    tokio::time::sleep(play.pause.mul_f64(f64::from(number))).await;
    let mut left = play.conversations;
    while left != Some(0) {
        let (name, talk): (&&str, &&[&str]) = (random.pick(NAMES), random.pick(TALKS));
        converse(play, name, talk).await?;
        left = left.map(|left| left - 1);
    }
    Ok(())
}

/// One conversation: the customer's messages of a talk.
async fn converse(play: &Play, name: &str, talk: &[&str]) -> anyhow::Result<()> {
    let begin = format!("{}/talk?g={}", play.site, play.group_key);
    let mut cookie = None;
    for (turn, text) in talk.iter().step_by(2).enumerate() {
        let (number, agreed) = (crypto::random_text(16), consent::version(Locale::Chinese));
        let (address, form) = match turn {
            0 => (begin.clone(), vec![("nickname", name), ("content", text), ("consent", &agreed)]),
            _ => (format!("{}/talk/{}", play.site, play.group_key), vec![("content", *text), ("number", &number)]),
        };
        // A page that is full, or a server that restarts, is tried again.
        while let Err(error) = say(&begin, &mut cookie, &address, &form).await {
            println!("{name}: {error:#}");
            tokio::time::sleep(play.pause.max(Duration::from_secs(1))).await;
        }
        println!("{name}: {text}");
        tokio::time::sleep(play.pause.mul_f64(0.5 + rand::random::<f64>())).await;
    }
    Ok(())
}

/// Sends a form with the cookie of the page, which is requested first.
async fn say(begin: &str, cookie: &mut Option<String>, address: &str, form: &[(&str, &str)]) -> anyhow::Result<()> {
    let cookie = match cookie {
        Some(cookie) => cookie,
        none => none.insert(cookie_of(begin).await?),
    };
    post(address, cookie, form).await
}

/// The cookie of a group's page for a new visitor.
async fn cookie_of(page: &str) -> anyhow::Result<String> {
    let request = Request::builder().uri(page).body(String::new()).context("the address of the page")?;
    let answer = Caller { private: true }.send(request, WITHIN).await?;
    let cookie = answer.headers().get(header::SET_COOKIE).and_then(|set| set.to_str().ok()).context("the page gave no cookie")?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}

async fn post(address: &str, cookie: &str, form: &[(&str, &str)]) -> anyhow::Result<()> {
    let request = Request::builder()
        .method(Method::POST)
        .uri(address)
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(serde_urlencoded::to_string(form)?)
        .context("the address of the page")?;
    let answer = Caller { private: true }.send(request, WITHIN).await?;
    // An accepted form leads to the thread.
    ensure!(answer.status() == StatusCode::SEE_OTHER, "the page answered {}", answer.status());
    Ok(())
}
