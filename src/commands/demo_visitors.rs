//! `demo-visitors`: plays visitors who write on the visitors' page of a service group.

use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

use crate::installation::open;
use base::config::Config;
use demo::visitors::Play;

#[derive(Args)]
pub struct Options {
    /// Where the server is
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    site: String,
    /// The key of the group's page; that of the first group in use if not given
    #[arg(long)]
    group: Option<String>,
    /// How many are there at the same time
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    visitors: u32,
    /// Seconds between two messages of a visitor
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pause: u64,
    /// Conversations of each visitor; without end if not given
    #[arg(long)]
    conversations: Option<u32>,
}

pub async fn run(Options { site, group, visitors, pause, conversations }: Options, config: Config) -> anyhow::Result<()> {
    let group_key = match group {
        Some(key) => key,
        None => chat::first_page_key(&open(config).await?.db).await?.context("there is no service group in use")?,
    };
    let site = site.trim_end_matches('/').to_owned();
    demo::visitors::play(&Play { site, group_key, visitors, pause: Duration::from_secs(pause), conversations }).await
}
