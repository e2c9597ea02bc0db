//! Warnings about channels: when a cap is nearly full, the channel's manager gets a message, once in its window.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::model::ChannelRow;
use super::store;
use base::clock;
use base::db::Connection;
use base::locale::Locale::{Chinese, English};
use frame::access::Scope;
use frame::api::{App, say};
use frame::message::{self, Link, NewMessage};
use frame::terms::cap;
use frame::terms::cap::counters::{NearlyFull, nearly_full, set_warned};

/// How often caps are checked.
const EVERY: Duration = Duration::from_secs(60);
/// The usage that counts as nearly full, in percent.
const NEARLY: i64 = 80;

/// Watches until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = warn_of_caps(&app).await {
            tracing::error!(%error, "channels: notices of caps nearly reached could not be sent");
        }
    })
    .await;
}

/// Sends messages about caps that are nearly full, and returns how many. Of several nodes, one sends.
pub async fn warn_of_caps(app: &App) -> Result<usize, sqlx::Error> {
    let mut warned = 0;
    for near in nearly_full(app.db.read(), "channel", NEARLY, app.clock.now()).await? {
        let mut tx = app.db.begin().await?;
        let now = app.clock.now();
        if !set_warned(&mut tx, &near, now).await? {
            continue;
        }
        if let Some(channel) = store::find(&mut *tx, Scope::All, near.cap.subject.id).await? {
            notify(&mut tx, &channel, &near, now).await?;
        }
        tx.commit().await?;
        warned += 1;
    }
    Ok(warned)
}

/// Sends the message to the channel's manager, or to people who manage channels if it has none.
async fn notify(tx: &mut Connection, channel: &ChannelRow, near: &NearlyFull, now: i64) -> Result<(), sqlx::Error> {
    let name = &channel.name;
    let words = |locale| cap::sentence(std::slice::from_ref(&near.cap.rule), locale);
    let title = say(format!("渠道量控将满：{name}"), format!("Channel cap nearly reached: {name}"));
    let content = say(format!("已用到 {NEARLY}% 以上：{}。", words(Chinese)), format!("More than {NEARLY}% is used: {}.", words(English)));
    let about = |admin_id| NewMessage {
        biz_id: Some(channel.id),
        link: Some(Link { route: "channelList", query: vec![("keyword", channel.code.clone())] }),
        ..NewMessage::to_person(admin_id, "channel_cap", title.clone(), content.clone(), now)
    };
    if let Some(manager) = channel.owner_admin_id {
        return message::send(tx, &about(manager), now).await.map(drop);
    }
    message::to_overseers(tx, "channel/list/update", about(0), now).await
}
