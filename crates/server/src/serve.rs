//! Listens, limits the number of connections and how long they may wait, and stops without dropping requests.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use futures_util::future::BoxFuture;
use hyper::server::conn::http1;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connection::{self, Phase, Watch};
use super::descriptors;
use base::address::counted;
use base::config::Config;

/// Running requests have this long to finish once the program stops.
const DRAIN: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted, or while all connections are being answered.
const PAUSE: Duration = Duration::from_millis(50);
/// Connections if no number is set and the machine allows more.
const PLENTY: usize = 8192;
/// How often the same trouble is logged.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// The limits of connections.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From a request's first byte, or the connection's beginning, to the end of the request's head.
    pub head: Duration,
    /// Between two requests; and for an answer that is not read.
    pub idle: Duration,
    /// The most connections.
    pub connections: usize,
    /// Proxies whose connections belong to many networks: any other network may have at most a quarter of all
    /// connections.
    pub proxies: Vec<IpAddr>,
}

impl Limits {
    /// By the settings, as far as the machine allows.
    pub fn of(config: &Config) -> anyhow::Result<Limits> {
        let descriptors = descriptors::limit();
        let most = descriptors::for_connections(descriptors);
        let connections = config.max_connections.unwrap_or(most.min(PLENTY));
        anyhow::ensure!(
            connections <= most,
            "LEADLANE_MAX_CONNECTIONS is {connections}; this process may open {descriptors} files, of which {most} may be connections"
        );
        Ok(Limits { head: config.head_timeout, idle: config.idle_timeout, connections, proxies: config.trusted_proxies.clone() })
    }
}

/// Serves until `stop`, then lets running requests finish. Boxed, so that this crate compiles it and not the program.
pub fn serve(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(serve_until(listener, router, limits, stop))
}

async fn serve_until(listener: TcpListener, router: Router, limits: Limits, stop: CancellationToken) -> io::Result<()> {
    let crowd = Arc::new(Crowd::new(limits));
    let watching = tokio::spawn(look_after(crowd.clone()));
    // A connection that waits too long is ended by the watch.
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
                    place = crowd.place(peer.ip(), &mut crowded) => place,
                };
                // A network whose connections all wait for answers gets no further one.
                let Some(place) = place else { continue };
                // An answer is written in one piece: waiting to fill a packet would only delay it.
                let _ = stream.set_nodelay(true);
                let attended = connection::attend(http.clone(), stream, peer, router.clone(), place.watch.clone());
                tasks.spawn(async move {
                    attended.await;
                    drop(place);
                });
            }
            // The other side has gone already.
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted) => {}
            Err(error) => {
                failing.report(Instant::now(), |times| tracing::error!(%error, times, "connections cannot be taken"));
                crowd.make_room(None);
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

/// All connections.
struct Crowd {
    limits: Limits,
    beginning: Instant,
    room: Arc<Semaphore>,
    present: Mutex<Present>,
}

#[derive(Default)]
struct Present {
    watches: HashMap<u64, (Arc<Watch>, Network)>,
    /// Connections of each network with a share.
    shares: HashMap<String, usize>,
    /// All connections so far.
    came: u64,
}

/// The network of a connection; none for a trusted proxy.
type Network = Option<Arc<str>>;

/// One connection's place among them, free again when dropped.
struct Place {
    watch: Arc<Watch>,
    number: u64,
    crowd: Arc<Crowd>,
    _room: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut present = self.crowd.present();
        let Some((_, Some(network))) = present.watches.remove(&self.number) else { return };
        match present.shares.get_mut(&*network) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(present.shares.remove(&*network)),
        }
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

    /// A place for one more. If there is none, those that have waited longest are ended. None if the network has its
    /// share of all and none of its connections can be ended.
    async fn place(self: &Arc<Crowd>, peer: IpAddr, trouble: &mut Trouble) -> Option<Place> {
        let peer = peer.to_canonical();
        let network: Network = (!self.limits.proxies.contains(&peer)).then(|| counted(&peer.to_string()).into());
        if network.as_ref().is_some_and(|network| !self.has_share(network, trouble)) {
            return None;
        }
        let room = loop {
            if let Ok(room) = self.room.clone().try_acquire_owned() {
                break room;
            }
            let most = self.limits.connections;
            trouble.report(Instant::now(), |times| tracing::warn!(most, times, "as many connections as there may be"));
            self.make_room(None);
            if let Ok(Ok(room)) = tokio::time::timeout(PAUSE, self.room.clone().acquire_owned()).await {
                break room;
            }
        };
        let watch = Arc::new(Watch::new(self.beginning));
        let mut present = self.present();
        present.came += 1;
        let number = present.came;
        if let Some(network) = &network {
            *present.shares.entry(network.to_string()).or_default() += 1;
        }
        present.watches.insert(number, (watch.clone(), network));
        drop(present);
        Some(Place { watch, number, crowd: self.clone(), _room: room })
    }

    /// Whether a network may have one more connection: it has less than its share, or one of its own can be ended.
    fn has_share(&self, network: &Arc<str>, trouble: &mut Trouble) -> bool {
        let most = (self.limits.connections / 4).max(1);
        if self.present().shares.get(&**network).is_none_or(|own| *own < most) {
            return true;
        }
        trouble.report(Instant::now(), |times| tracing::warn!(most, times, "as many connections of one network as there may be"));
        self.make_room(Some(network))
    }

    /// Ends those that have waited longest, of one network or of all: several of those without a complete request at
    /// once, so that a flood of them is not searched each time. Only if there are none of them, one that waits for
    /// its next request, and if there is none either, the one whose body arrives most slowly. A connection that waits
    /// for an answer is never ended. Returns whether any is ended.
    fn make_room(&self, network: Option<&Arc<str>>) -> bool {
        let present = self.present();
        let of_network = |of: &Network| network.is_none() || of.as_ref() == network;
        let own = || present.watches.values().filter(|(watch, of)| of_network(of) && !watch.is_ending()).map(|(watch, _)| watch);
        let waiting = |among: fn(Phase) -> bool| {
            let mut waiting: Vec<_> = own().map(|watch| (watch.state(), watch)).collect();
            waiting.retain(|((phase, _), _)| among(*phase));
            waiting.sort_unstable_by_key(|((_, since), _)| *since);
            waiting
        };
        let unknown = waiting(|phase| matches!(phase, Phase::Silent | Phase::Head));
        for (_, watch) in &unknown[..unknown.len().div_ceil(32)] {
            watch.end_now();
        }
        // Connections that are being ended make room in a moment: no other is ended for it.
        let is_unknown = |watch: &Watch| matches!(watch.state().0, Phase::Silent | Phase::Head);
        let makes_room = || present.watches.values().any(|(watch, of)| of_network(of) && watch.is_ending() && is_unknown(watch));
        if !unknown.is_empty() || makes_room() {
            return true;
        }
        if let Some((_, watch)) = waiting(|phase| phase == Phase::Idle).first() {
            watch.end_when_answered();
            true
        } else if let Some((_, watch)) =
            waiting(|phase| phase == Phase::Body).iter().min_by_key(|((_, since), watch)| (watch.speed(*since), *since))
        {
            watch.end_now();
            true
        } else {
            false
        }
    }

    /// Ends those that have waited too long.
    fn end_late(&self) {
        let now = u64::try_from(self.beginning.elapsed().as_millis()).unwrap_or(u64::MAX);
        let late = |since: u64, limit: Duration| u128::from(now.saturating_sub(since)) > limit.as_millis();
        for (watch, _) in self.present().watches.values() {
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
        for (watch, _) in self.present().watches.values() {
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

/// Repeated trouble, logged at intervals.
#[derive(Default)]
struct Trouble {
    reported_at: Option<Instant>,
    times: u64,
}

impl Trouble {
    /// Calls `say` with the number of times since the last call, at most every [`REPORT_EVERY`].
    fn report(&mut self, now: Instant, say: impl FnOnce(u64)) {
        self.times += 1;
        if self.reported_at.is_none_or(|at| now - at >= REPORT_EVERY) {
            say(std::mem::take(&mut self.times));
            self.reported_at = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_trouble_is_reported_at_intervals() {
        let (mut trouble, mut reports, beginning) = (Trouble::default(), Vec::new(), Instant::now());
        for second in 0..25 {
            trouble.report(beginning + Duration::from_secs(second), |times| reports.push(times));
        }
        assert_eq!(reports, [1, 10, 10]);
    }
}
