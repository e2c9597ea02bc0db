//! Listening, and stopping without dropping anybody.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Running requests have this long to finish once the program is told to stop.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until `stop`, then lets running requests finish.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken) -> std::io::Result<()> {
    let listener = listener.tap_io(|stream| {
        // An answer is written whole: waiting to fill a packet would only delay it.
        let _ = stream.set_nodelay(true);
    });
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(stop.clone().cancelled_owned()).into_future();
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => ended,
        () = async { stop.cancelled().await; tokio::time::sleep(DRAIN).await } => {
            tracing::warn!("stopped with requests still running");
            Ok(())
        }
    }
}
