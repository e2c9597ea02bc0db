//! Listening, bounding how many connections there are and how long they may wait, and stopping
//! without dropping anybody.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection::{self, Phase, Watch};
use super::descriptors;
use crate::config::Config;

/// Running requests have this long to finish once the program is told to stop.
const DRAIN: Duration = Duration::from_secs(10);
/// How long nobody is let in after the machine could not, or while everybody here is being answered.
const PAUSE: Duration = Duration::from_millis(50);
/// Connections when no number is set and the machine allows more.
const PLENTY: usize = 8192;
/// How often the same trouble is told to the log.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// What connections are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From a request's first byte, or the connection's beginning, to the end of the request's head.
    pub head: Duration,
    /// Between two requests; and of an answer of which nothing is taken.
    pub idle: Duration,
    /// How many there may be.
    pub connections: usize,
}

impl Limits {
    /// As the settings have them, and as far as the machine goes along.
    pub fn of(config: &Config) -> anyhow::Result<Limits> {
        let descriptors = descriptors::limit();
        let most = descriptors::for_connections(descriptors);
        let connections = config.max_connections.unwrap_or(most.min(PLENTY));
        anyhow::ensure!(
            connections <= most,
            "LEADLANE_MAX_CONNECTIONS is {connections}; this process may open {descriptors} files, of which {most} may be connections"
        );
        Ok(Limits { head: config.head_timeout, idle: config.idle_timeout, connections })
    }
}

/// Serves until `stop`, then lets running requests finish.
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) -> std::io::Result<()> {
    let crowd = Arc::new(Crowd::new(limits));
    let watching = tokio::spawn(look_after(crowd.clone()));
    // A connection that waits too long is ended by who watches it.
    let mut http = http1::Builder::new();
    http.header_read_timeout(None);
    let tasks = TaskTracker::new();
    let (mut crowded, mut failing) = (Trouble::default(), Trouble::default());
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let place = tokio::select! {
                    biased;
                    () = stop.cancelled() => break,
                    place = crowd.place(&mut crowded) => place,
                };
                // An answer is written whole: waiting to fill a packet would only delay it.
                let _ = stream.set_nodelay(true);
                let attended = connection::attend(http.clone(), stream, peer, router.clone(), place.watch.clone());
                tasks.spawn(async move {
                    attended.await;
                    drop(place);
                });
            }
            // Whoever it was has gone already.
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted) => {}
            Err(error) => {
                failing.tell(Instant::now(), |times| tracing::error!(%error, times, "connections cannot be taken"));
                crowd.make_room();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    crowd.end_all();
    tasks.close();
    if tokio::time::timeout(DRAIN, tasks.wait()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "stopped with requests still running");
    }
    watching.abort();
    Ok(())
}

/// All connections that there are.
struct Crowd {
    limits: Limits,
    beginning: Instant,
    room: Arc<Semaphore>,
    present: Mutex<Present>,
}

#[derive(Default)]
struct Present {
    watches: HashMap<u64, Arc<Watch>>,
    /// How many have ever come.
    came: u64,
}

/// One connection's place among them, free again when dropped.
struct Place {
    watch: Arc<Watch>,
    number: u64,
    crowd: Arc<Crowd>,
    _room: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.present().watches.remove(&self.number);
    }
}

impl Crowd {
    fn new(limits: Limits) -> Crowd {
        let room = Arc::new(Semaphore::new(limits.connections));
        Crowd { limits, beginning: Instant::now(), room, present: Mutex::default() }
    }

    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more. Where there is none, those make room who have waited longest.
    async fn place(self: &Arc<Crowd>, trouble: &mut Trouble) -> Place {
        let room = loop {
            if let Ok(room) = self.room.clone().try_acquire_owned() {
                break room;
            }
            let most = self.limits.connections;
            trouble.tell(Instant::now(), |times| tracing::warn!(most, times, "as many connections as there may be"));
            self.make_room();
            if let Ok(Ok(room)) = tokio::time::timeout(PAUSE, self.room.clone().acquire_owned()).await {
                break room;
            }
        };
        let watch = Arc::new(Watch::new(self.beginning));
        let mut present = self.present();
        present.came += 1;
        let number = present.came;
        present.watches.insert(number, watch.clone());
        drop(present);
        Place { watch, number, crowd: self.clone(), _room: room }
    }

    /// Ends those that have waited longest: of those who have not said what they want a few at once,
    /// so that a flood of them is not looked through for each, and only where there are none of them,
    /// one that waits for its next request. Nobody who waits for an answer is sent away.
    fn make_room(&self) {
        let present = self.present();
        let waiting = |among: fn(Phase) -> bool| {
            let mut waiting: Vec<_> = present.watches.values().map(|watch| (watch.state(), watch)).collect();
            waiting.retain(|((phase, _), _)| among(*phase));
            waiting.sort_unstable_by_key(|((_, since), _)| *since);
            waiting
        };
        let unknown = waiting(|phase| matches!(phase, Phase::Silent | Phase::Head));
        for (_, watch) in &unknown[..unknown.len().div_ceil(32)] {
            watch.end_now();
        }
        if unknown.is_empty()
            && let Some((_, watch)) = waiting(|phase| phase == Phase::Idle).first()
        {
            watch.end_when_answered();
        }
    }

    /// Ends those that have waited too long.
    fn end_late(&self) {
        let now = u64::try_from(self.beginning.elapsed().as_millis()).unwrap_or(u64::MAX);
        let late = |since: u64, limit: Duration| u128::from(now.saturating_sub(since)) > limit.as_millis();
        for watch in self.present().watches.values() {
            match watch.state() {
                (Phase::Silent | Phase::Head, since) if late(since, self.limits.head) => watch.end_now(),
                (Phase::Idle, since) if late(since, self.limits.idle) => watch.end_when_answered(),
                _ if watch.stuck_since().is_some_and(|since| late(since, self.limits.idle)) => watch.end_now(),
                _ => {}
            }
        }
    }

    /// Ends all, when they have been answered.
    fn end_all(&self) {
        for watch in self.present().watches.values() {
            watch.end_when_answered();
        }
    }
}

/// Ends connections that have waited too long, as long as there are any.
async fn look_after(crowd: Arc<Crowd>) {
    let shortest = crowd.limits.head.min(crowd.limits.idle);
    let mut ticks = tokio::time::interval((shortest / 8).clamp(PAUSE, Duration::from_secs(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        crowd.end_late();
    }
}

/// Trouble that comes again and again, told once in a while.
#[derive(Default)]
struct Trouble {
    told: Option<Instant>,
    times: u64,
}

impl Trouble {
    /// Tells how often there was some since it was told last.
    fn tell(&mut self, now: Instant, say: impl FnOnce(u64)) {
        self.times += 1;
        if self.told.is_none_or(|told| now - told >= TOLD_EVERY) {
            say(std::mem::take(&mut self.times));
            self.told = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trouble_is_told_once_in_a_while() {
        let (mut trouble, mut told, beginning) = (Trouble::default(), Vec::new(), Instant::now());
        for second in 0..25 {
            trouble.tell(beginning + Duration::from_secs(second), |times| told.push(times));
        }
        assert_eq!(told, [1, 10, 10]);
    }
}
