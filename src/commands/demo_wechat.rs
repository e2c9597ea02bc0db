//! `demo-wechat`: serves WeChat's calls.

use std::net::SocketAddr;

use anyhow::Context as _;
use clap::Args;
use tokio::net::TcpListener;

#[derive(Args)]
pub struct Options {
    /// Where it listens: the server's LEADLANE_WECHAT_API
    #[arg(long, default_value = "127.0.0.1:7997")]
    listen: SocketAddr,
    /// Where the server is
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    site: String,
    /// The id of the official account
    #[arg(long, default_value_t = 1)]
    account: i64,
}

pub async fn run(Options { listen, site, account }: Options) -> anyhow::Result<()> {
    let listener = TcpListener::bind(listen).await.with_context(|| format!("listening on {listen}"))?;
    println!("The demo's WeChat is at http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, demo::wechat::router(&site, account)).await?)
}
