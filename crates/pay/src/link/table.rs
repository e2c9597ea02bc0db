//! Payment links from an imported table: its columns, the rules of a line, and the storage of the good lines.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::Row;

use super::batch;
use super::list::TARGET;
use super::store::{self, NewLink};
use crate::channel::MOST_CENTS;
use base::clock::{self, DAY};
use base::crypto;
use base::db::{Db, Tx};
use frame::access::audit::{Stamp, Target};
use frame::api::calls::Download;
use frame::api::{ApiError, Check, Ctx, FileForm, Nothing, Result, Say, say};
use frame::import::cell::{self, Moment};
use frame::import::{self, Column, ImportFields, ImportReport, Importing, Line};

/// The data with which lines are read.
struct Links {
    cx: Arc<Ctx>,
    /// The channels that are link pools, by their codes.
    channels: HashMap<String, i64>,
    /// The number of this import.
    batch_no: String,
}

impl Importing for Links {
    type Row = NewLink;
    type Place = String;
    const TARGET: Target = TARGET;

    fn title() -> Say {
        say("支付链接", "Payment links")
    }

    fn columns() -> Vec<Column> {
        vec![
            Column::required("paymentLink", "payeeChannelCode"),
            Column::required("paymentLink", "url"),
            Column::optional("paymentLink", "amountCents"),
            Column::optional("paymentLink", "expiresAt"),
            Column::optional("paymentLink", "remark"),
        ]
    }

    fn read(&self, line: &Line<'_>) -> Result<NewLink> {
        let channel = self.channels.get(line.text("payeeChannelCode")).copied();
        let (url, remark) = (line.text("url"), line.text("remark"));
        let amount = line.text("amountCents");
        let amount_cents = Some(amount).filter(|amount| !amount.is_empty()).map(cell::money);
        let expires = line.text("expiresAt");
        let expires_at = match cell::moment(expires) {
            Some(Moment::Day(start)) => Some(start + DAY - 1),
            Some(Moment::At(at)) => Some(at),
            None => None,
        };
        let mut check = Check::new();
        let amount_cents = match amount_cents.transpose() {
            Ok(cents) => cents,
            Err(words) => {
                check.that("amountCents", false, words);
                None
            }
        };
        let wanted = say("请按 2030-12-31 或 2030-12-31 18:00 填写", "Use the form 2030-12-31 or 2030-12-31 18:00");
        check
            .that("payeeChannelCode", channel.is_some(), say("没有这个编码的链接池通道", "There is no link pool with this code"))
            .text("url", url, 1..=500)
            .public_address("url", Some(url))
            .that("amountCents", amount_cents.is_none_or(|cents| (1..=MOST_CENTS).contains(&cents)), cell::out_of_range())
            .that("expiresAt", expires.is_empty() || expires_at.is_some(), wanted)
            .that("expiresAt", expires_at.is_none_or(|at| at > self.cx.now), say("已过期", "It is over already"))
            .text("remark", remark, 0..=200)
            .done()?;
        Ok(NewLink {
            payee_channel_id: channel.ok_or(ApiError::Missing)?,
            url: url.to_owned(),
            url_hash: self.cx.app.keys.lookup_hash(url),
            amount_cents,
            expires_at,
            remark: remark.to_owned(),
        })
    }

    fn place(row: &NewLink) -> String {
        row.url_hash.clone()
    }

    async fn held(&self, db: &Db, rows: &[NewLink]) -> std::result::Result<Vec<bool>, sqlx::Error> {
        let hashes: Vec<String> = rows.iter().map(|row| row.url_hash.clone()).collect();
        let held = store::held(db.read(), &hashes).await?;
        Ok(hashes.iter().map(|hash| held.contains(hash)).collect())
    }

    async fn write(&self, tx: &mut Tx, rows: &[NewLink], stamp: Stamp) -> Result<usize> {
        let added = store::insert(tx, &self.cx.app.keys, rows, &self.batch_no, stamp).await?;
        batch::grow(tx, &self.batch_no, &added, stamp).await?;
        Ok(added.len())
    }

    async fn finish(&self, tx: &mut Tx, stamp: Stamp) -> Result<()> {
        batch::finish(tx, &self.batch_no, stamp).await
    }
}

/// `POST /payPool/import`: checks or imports a table of links. Imported links await approval, all of them together.
pub async fn import(cx: Arc<Ctx>, form: FileForm<ImportFields>) -> Result<ImportReport> {
    cx.overseer()?;
    let rows = sqlx::query("SELECT code, id FROM payee_channel WHERE deleted_at IS NULL AND provider = 'link_pool'")
        .fetch_all(cx.db().read())
        .await?;
    let channels =
        rows.iter().map(|row| Ok((row.try_get("code")?, row.try_get("id")?))).collect::<std::result::Result<_, sqlx::Error>>()?;
    let batch_no = format!("PL{}-{}", clock::day_compact(cx.now), crypto::random_text(6));
    let links = Links { cx: cx.clone(), channels, batch_no };
    import::run(cx, form, links).await
}

/// `GET /payPool/template`: an empty table with the columns of an import.
pub async fn template(cx: Arc<Ctx>, _: Nothing) -> Result<Download> {
    import::template::<Links>(&cx)
}
