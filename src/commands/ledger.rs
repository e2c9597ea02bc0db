//! `ledger verify` and `ledger key`: checks the books, and prints the key of their hashes.

use anyhow::Context as _;
use clap::Subcommand;

use crate::installation::look_with_keys;
use base::clock::Clock;
use base::config::Config;
use trade::ledger;
use trade::ledger::head::{self, Noted};

#[derive(Subcommand)]
pub enum Command {
    /// Compare every account with its ledger entries and with the leads in delivery; safe while serving
    Verify {
        /// A head that was sent, DAY:DIGEST, or its file: the entries of that day must be there as they were; may be
        /// given again
        #[arg(long, value_name = "HEAD", value_parser = Noted::given)]
        since: Vec<Noted>,
    },
    /// Print the key of the ledger's hashes, for an auditor who recomputes them
    Key,
}

pub async fn run(command: Command, config: &Config) -> anyhow::Result<()> {
    match command {
        Command::Verify { since } => verify(config, since).await,
        Command::Key => {
            println!("{}", look_with_keys(config).await?.1.ledger_key().text());
            Ok(())
        }
    }
}

/// Compares the books with each other and with earlier heads, and prints what is wrong.
async fn verify(config: &Config, since: Vec<Noted>) -> anyhow::Result<()> {
    let (db, keys) = look_with_keys(config).await?;
    let db = db.sealing(&keys);
    let wrong = ledger::verify::verify(&db).await?;
    for one in &wrong {
        let (row, words) = (one.id.map(|id| format!(" {id}")).unwrap_or_default(), ledger::verify::words(one.what));
        match (one.what, one.id) {
            ("chain", Some(id)) => println!(
                "organisation {}: entry {id} does not follow the one before it: one of them was changed, removed or inserted",
                one.org_id
            ),
            ("seal", Some(id)) => println!(
                "organisation {}: entry {id} is not the one that was sealed: an entry before it was changed, removed or inserted",
                one.org_id
            ),
            _ => println!("organisation {}: {}{row} is {}, should be {} ({words})", one.org_id, one.what, one.found, one.expected),
        }
    }
    let mut differences = wrong.len();
    let kept = head::kept::read(&config.data)?.map(Noted::from).filter(|kept| since.iter().all(|noted| noted.head != kept.head));
    for noted in since.iter().chain(&kept) {
        let found = head::compare(&db, noted).await?;
        differences += found.len();
        for difference in &found {
            println!("head {}: {difference}", noted.head);
        }
    }
    let clock = Clock::default();
    db.set_right(&clock).await.context("the database's clock")?;
    let faults = head::faults(&db, clock.now()).await?;
    differences += faults.len();
    for fault in &faults {
        println!("{fault}");
    }
    anyhow::ensure!(differences == 0, "{differences} differences");
    println!("every account agrees with its entries, and they with leads, receipts and caps");
    for Noted { head, .. } in &since {
        println!("all entries of the head {head} are as they were");
    }
    Ok(())
}
