//! The minimum speed of a request's body, so that a sender cannot occupy a connection with a few bytes.

use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

/// The basic time for a body, with a second more for each so many bytes.
const PATIENCE: Duration = Duration::from_secs(10);
const SECOND_BYTES: u64 = 32 * 1024;

/// Whether the body of a request has arrived too slowly.
#[derive(Clone, Default)]
pub struct Late(Arc<AtomicBool>);

impl Late {
    pub fn is_late(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// A body that ends with an error, which is noted here, if it arrives too slowly.
    pub fn watch(&self, body: Body) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let (began, late) = (Instant::now(), self.clone());
        let pieces = stream::unfold((body.into_data_stream(), 0_u64, false), move |(mut body, bytes, over)| {
            let late = late.clone();
            async move {
                if over {
                    return None;
                }
                let next: Result<Bytes, Error> = match timeout_at(due(began, bytes), body.next()).await {
                    Ok(next) => next?.map_err(Error::other),
                    Err(_) => {
                        late.0.store(true, Relaxed);
                        Err(Error::new(ErrorKind::TimedOut, "the body arrives too slowly"))
                    }
                };
                let (more, over) = next.as_ref().map_or((0, true), |piece| (piece.len() as u64, false));
                Some((next, (body, bytes + more, over)))
            }
        });
        Body::from_stream(pieces)
    }
}

/// The deadline for the next bytes of a body that began at a moment, after so many bytes.
fn due(began: Instant, bytes: u64) -> Instant {
    began + PATIENCE + Duration::from_millis(bytes * 1000 / SECOND_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_to_come_with_a_least_speed() {
        let began = Instant::now();
        for (bytes, seconds) in [(0, 10), (32 * 1024, 11), (20 * 1024 * 1024, 650)] {
            assert_eq!(due(began, bytes) - began, Duration::from_secs(seconds));
        }
    }
}
