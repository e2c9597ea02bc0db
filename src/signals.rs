//! The signals that end the process.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use site::backup::Stop;

/// Set by the signals that end a process, for commands that must leave nothing half done.
pub fn stop_of_signal() -> Stop {
    let (stop, signalled) = (Stop::default(), CancellationToken::new());
    tokio::spawn(stop_on_signal(signalled.clone()));
    let asked = stop.clone();
    tokio::spawn(async move {
        signalled.cancelled().await;
        asked.stop();
    });
    stop
}

pub async fn stop_on_signal(stop: CancellationToken) {
    let mut terminate = signal(SignalKind::terminate()).expect("a signal handler can be set");
    let mut interrupt = signal(SignalKind::interrupt()).expect("a signal handler can be set");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: what is on its way is brought to its end; another signal stops at once");
    stop.cancel();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::warn!("stopped at once, with what was on its way");
    std::process::exit(1);
}
