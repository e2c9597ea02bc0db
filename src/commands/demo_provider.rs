//! `demo-provider`: serves a provider of payments.

use std::net::SocketAddr;

use anyhow::Context as _;
use clap::Args;
use tokio::net::TcpListener;

#[derive(Args)]
pub struct Options {
    /// Where it listens; the demo's channels call 127.0.0.1:7998
    #[arg(long, default_value = demo::PROVIDER)]
    listen: SocketAddr,
}

pub async fn run(Options { listen }: Options) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
    let address = format!("http://{}", listener.local_addr()?);
    println!("The demo's provider of payments is at {address}");
    Ok(axum::serve(listener, demo::provider::router(&address)).await?)
}
