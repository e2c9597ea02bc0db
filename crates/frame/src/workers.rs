//! The workers of the program: tasks that run beside the requests until the program stops. Each area starts its own, so that the
//! area's crate compiles their code and not the program.

use std::sync::Arc;

use anyhow::Context as _;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::api::App;

/// The workers that were started.
pub struct Workers {
    app: Arc<App>,
    stop: CancellationToken,
    awaited: Vec<(&'static str, JoinHandle<()>)>,
}

impl Workers {
    /// None yet. Each gets `app`, and is to end soon after `stop`.
    pub fn new(app: Arc<App>, stop: CancellationToken) -> Workers {
        Workers { app, stop, awaited: Vec::new() }
    }

    /// Starts a worker that may be dropped at any point when the program stops.
    pub fn start<F: Future<Output = ()> + Send + 'static>(&mut self, work: fn(Arc<App>, CancellationToken) -> F) {
        tokio::spawn(work(self.app.clone(), self.stop.clone()));
    }

    /// Starts a worker for whose end the program waits. `name` stands in the error if it panics.
    pub fn start_awaited<F: Future<Output = ()> + Send + 'static>(
        &mut self,
        name: &'static str,
        work: impl FnOnce(Arc<App>, CancellationToken) -> F,
    ) {
        self.awaited.push((name, tokio::spawn(work(self.app.clone(), self.stop.clone()))));
    }

    /// Waits for the end of the workers that are awaited. An error if one panicked.
    pub async fn ended(self) -> anyhow::Result<()> {
        for (name, worker) in self.awaited {
            worker.await.context(name)?;
        }
        Ok(())
    }
}
