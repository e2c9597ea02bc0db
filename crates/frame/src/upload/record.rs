//! The calls on files: uploading one, reading one, and removing one that no record has taken.

use std::io::{Read, Seek};
use std::sync::Arc;

use anyhow::Context as _;
use axum::body::Body as HttpBody;
use axum::http::{HeaderValue, Response, header};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;
use tokio::task::spawn_blocking;

use super::kind::{self, Kind};
use super::metadata;
use super::scan::{self, Verdict};
use super::store::{self, CustomerFiles, FileRow};
use super::{DAY_BYTES, DAY_BYTES_OF_CUSTOMERS, DAY_BYTES_OF_NETWORK, DAY_BYTES_OF_SITE, DAY_FILES, name};
use crate::access::audit::{self, Action, Change, Module, Stamp, Target};
use crate::api::calls::Download;
use crate::api::disposition::Disposition;
use crate::api::form::FormFile;
use crate::api::list::lenient_integer;
use crate::api::{AccessOf, ApiError, App, Ctx, FileForm, FileRule, FileRules, Id, Result, Say, say};
use base::address::Sender;
use base::crypto::{self, Keys, place};
use base::db::Connection;
use base::mask;
use base::storage::{self, FileKey};

/// Bytes read from a received file at a time.
const PIECE: usize = 256 * 1024;

/// The fields beside the file. Others are ignored: clients of the specification send their own.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UploadFields {
    /// Its kind of record; a file without one is only for its uploader.
    pub biz_type: Option<String>,
    /// Its record, if there is one already.
    #[serde(deserialize_with = "lenient_integer")]
    pub biz_id: Option<i64>,
}

/// A file as its uploader sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StoredFile {
    pub id: i64,
    /// The name for saving: the sender's name, with the extension of the content.
    pub name: String,
    /// Bytes.
    pub size: i64,
    pub mime: String,
    /// The browser's address of it: a path of this site.
    pub url: String,
}

/// A file with its address.
pub fn stored_file(id: i64, name: String, size: i64, mime: String) -> StoredFile {
    StoredFile { id, name, size, mime, url: format!("/files/{id}") }
}

fn target(id: i64) -> Target {
    Target { module: Module::Upload, kind: "file", id: Some(id) }
}

fn wrong_type(pictures_only: bool) -> ApiError {
    ApiError::WrongType(match pictures_only {
        true => say("请上传 PNG、JPG、WebP 或 GIF 图片", "Upload a PNG, JPG, WebP or GIF image"),
        false => say(
            "不支持的文件类型，可上传 PNG、JPG、WebP、GIF、PDF、XLSX、DOCX、CSV、MP3、MP4",
            "This file type is not supported: upload PNG, JPG, WebP, GIF, PDF, XLSX, DOCX, CSV, MP3 or MP4",
        ),
    })
}

fn is_heic() -> ApiError {
    ApiError::WrongType(say(
        "这是 HEIC 格式的照片，多数电脑和浏览器无法显示。请在 iPhone 的「设置 › 相机 › 格式」中选择「兼容性最佳」后重新拍摄，或先将照片另存、分享为 JPG 再上传",
        "This is a HEIC photo, which most computers and browsers cannot show. On the iPhone choose Settings › Camera › Formats › Most Compatible \
         and take the photo again, or share it as JPG and upload that",
    ))
}

fn is_damaged() -> ApiError {
    ApiError::WrongType(say(
        "图片已损坏或不完整，请重新保存或截图后再上传",
        "The picture is damaged or incomplete: save it again, or take a screenshot of it, and upload that",
    ))
}

/// The kind of a received file, and the file as it is stored if that differs: pictures lose their metadata.
async fn examined(file: &FormFile, pictures_only: bool) -> Result<(Kind, Option<FormFile>)> {
    let (content, sent, sha256) = (file.content().map_err(fault)?, file.name.clone(), file.sha256.clone());
    let examine = move || {
        let Some(kind) = Kind::of(&mut &content, &sent).map_err(fault)? else {
            return Err(if kind::is_heic(&mut &content).map_err(fault)? { is_heic() } else { wrong_type(pictures_only) });
        };
        if !kind.is_picture() {
            return if pictures_only { Err(wrong_type(true)) } else { Ok((kind, None)) };
        }
        let mut bytes = Vec::new();
        (&content).rewind().and_then(|()| (&content).read_to_end(&mut bytes)).map_err(fault)?;
        let kept = metadata::without(kind, &bytes).map_err(|metadata::Damaged| is_damaged())?.unwrap_or(bytes);
        let kept = FormFile::of_bytes(&sent, &kept).map_err(fault)?;
        Ok((kind, Some(kept).filter(|kept| kept.sha256 != sha256)))
    };
    spawn_blocking(examine).await.map_err(fault)?
}

/// The name of a file as its kind of record keeps it.
fn name_for(rule: Option<&FileRule>, name: &str) -> String {
    match rule.is_some_and(|rule| rule.masks_names) {
        true => mask::numbers(name),
        false => name.to_owned(),
    }
}

/// A new row of a file, with the key that encrypts its content.
fn new_row(keys: &Keys, (kind, name): (Kind, &str), (size, sha256): (usize, &str), now: i64) -> (FileRow, FileKey) {
    let (storage_key, file_key) = (storage::new_key("files", now), FileKey::random());
    let row = FileRow {
        id: 0,
        key_enc: Some(keys.seal(&place::FILE_KEY.of(&storage_key), &file_key.text())),
        storage_key,
        spare_key: None,
        name: name::clean(name, kind),
        size: size as i64,
        mime: kind.mime().to_owned(),
        sha256: sha256.to_owned(),
        biz_type: String::new(),
        biz_id: None,
        uploader_id: None,
    };
    (row, file_key)
}

/// `POST /common/upload`.
pub async fn upload(cx: Arc<Ctx>, form: FileForm<UploadFields>, rules: &[&'static FileRule]) -> Result<StoredFile> {
    let FileForm { fields, file } = form;
    let viewer_id = cx.viewer()?.id;
    let rule = rule_of(&cx, rules, &fields).await?;
    let (kind, kept) = examined(&file, rule.is_some_and(|rule| rule.pictures_only)).await?;

    refuse_infected(&cx, &file).await?;

    let file = kept.as_ref().unwrap_or(&file);
    let (row, file_key) = new_row(&cx.app.keys, (kind, &name_for(rule, &file.name)), (file.size as usize, &file.sha256), cx.now);
    let row = FileRow { biz_type: rule.map_or("", |rule| rule.biz_type).to_owned(), uploader_id: Some(viewer_id), ..row };
    // The row comes first: if this process ended between the two, the sweep would still know the key.
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("upload:{viewer_id}")).await?;
    let (files, bytes) = store::today(&mut tx, viewer_id, cx.now).await?;
    if files >= DAY_FILES || bytes + row.size > DAY_BYTES {
        return Err(ApiError::State(too_many_today()));
    }
    let id = store::insert(&mut tx, &row, cx.now).await?;
    tx.commit().await?;

    if let Err(error) = keep(&cx.app, file, &file_key, &row.storage_key).await {
        return Err(lost(&cx, id, error).await?);
    }
    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
    let changes = [
        change("name", row.name.clone()),
        change("type", row.mime.clone()),
        change("size", row.size.to_string()),
        change("sha256", row.sha256),
    ];
    let mut tx = cx.db().begin().await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Create, &changes).await?;
    cx.commit(tx, stored_file(id, row.name, row.size, row.mime)).await
}

/// The same for one kind of record, by a call of that record's area.
pub async fn upload_for(cx: Arc<Ctx>, file: Arc<FormFile>, rule: &'static FileRule) -> Result<StoredFile> {
    let fields = UploadFields { biz_type: Some(rule.biz_type.to_owned()), biz_id: None };
    upload(cx, FileForm { fields, file }, &[rule]).await
}

/// Scans a file with clamd (`LEADLANE_CLAMD`), if it is set. Infected files are refused and audited. If clamd does
/// not answer, the upload is refused, too.
async fn refuse_infected(cx: &Ctx, file: &FormFile) -> Result<()> {
    let Some(name) = virus_in(&cx.app, file).await? else { return Ok(()) };
    tracing::warn!(request.id = cx.request_id, account = cx.viewer()?.id, sha256 = file.sha256, found = name, "an upload is infected");
    let change = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
    let target = Target { module: Module::Upload, kind: "file", id: None };
    let mut tx = cx.db().begin().await?;
    let changes = [change("name", &file.name), change("sha256", &file.sha256), change("virus", &name)];
    audit::record(&mut tx, &cx.actor()?, target, Action::Other, &changes).await?;
    tx.commit().await?;
    Err(is_infected())
}

/// The virus in a file; none if there is none, or no scanner.
async fn virus_in(app: &App, file: &FormFile) -> Result<Option<String>> {
    let Some(scanner) = &app.config.clamd else { return Ok(None) };
    match scan::scan(scanner, file.content().map_err(fault)?).await {
        Ok(Verdict::Clean) => Ok(None),
        Ok(Verdict::Found(name)) => Ok(Some(name)),
        Err(error) => {
            tracing::error!(%error, scanner, "an upload was not scanned");
            Err(ApiError::Busy)
        }
    }
}

fn is_infected() -> ApiError {
    ApiError::State(say("文件含有恶意代码，已拒绝上传", "The file contains malicious code and was refused"))
}

/// Keeps a file that a customer has sent, for a kind of record, which takes it with [`super::take_from_customer`]. How much a
/// customer may send is the area's to limit.
/// `sender` is where a visitor's file comes from; none of what a platform brings.
pub async fn keep_from_customer(app: &App, rule: &FileRule, file: &FormFile, sender: Option<&Sender>) -> Result<StoredFile> {
    let (kind, kept) = examined(file, rule.pictures_only).await?;
    if let Some(found) = virus_in(app, file).await? {
        tracing::warn!(sha256 = file.sha256, found, "a customer's file is infected");
        return Err(is_infected());
    }
    let now = app.clock.now();
    let hash = |network: &str| app.keys.lookup_hash(&format!("network of a file: {network}"));
    let network_hash = sender.map(|sender| hash(&sender.network));
    let site_hash = sender.and_then(|sender| sender.site.as_deref()).map(hash);
    let size = file.size as i64;
    let shares = [
        (Some(CustomerFiles::All), DAY_BYTES_OF_CUSTOMERS),
        (network_hash.as_deref().map(CustomerFiles::OfNetwork), DAY_BYTES_OF_NETWORK),
        (site_hash.as_deref().map(CustomerFiles::OfSite), DAY_BYTES_OF_SITE),
    ];
    let mut is_full = false;
    for (files, most) in shares {
        if let Some(files) = files {
            is_full |= store::customers_today(&app.db, files, now).await? + size > most;
        }
    }
    if is_full {
        return Err(ApiError::State(say("今天接收的文件已达上限，请明天再试", "Today's limit of files is reached. Try again tomorrow")));
    }
    let file = kept.as_ref().unwrap_or(file);
    let (row, file_key) = new_row(&app.keys, (kind, &name_for(Some(rule), &file.name)), (file.size as usize, &file.sha256), now);
    let row = FileRow { biz_type: rule.biz_type.to_owned(), ..row };
    let mut tx = app.db.begin().await?;
    let id = store::insert(&mut tx, &row, now).await?;
    if let Some(network) = &network_hash {
        store::set_network(&mut tx, id, network, site_hash.as_deref()).await?;
    }
    tx.commit().await?;
    // If this fails, the sweep removes the row.
    keep(app, file, &file_key, &row.storage_key).await.map_err(|error| ApiError::Internal(error.context("a file could not be stored")))?;
    Ok(stored_file(id, row.name, row.size, row.mime))
}

/// The prefix of the kind of record of a file made by a call; the call's path follows. No kind of record begins with
/// it.
const MADE_BY: &str = "made by ";

/// Stores a file made by the program for the viewer: only the viewer can fetch it, it is encrypted, and it is removed
/// like files that no record has taken.
pub async fn keep_made(cx: &Ctx, name: &str, kind: Kind, content: Vec<u8>) -> Result<StoredFile> {
    let (row, file_key) = new_row(&cx.app.keys, (kind, name), (content.len(), &crypto::sha256_hex(&content)), cx.now);
    let row = FileRow { biz_type: format!("{MADE_BY}{}", cx.call), uploader_id: Some(cx.viewer()?.id), ..row };
    let mut tx = cx.db().begin().await?;
    let id = store::insert(&mut tx, &row, cx.now).await?;
    tx.commit().await?;
    if let Err(error) = keep_content(&cx.app, Bytes::from(content), &file_key, &row.storage_key).await {
        return Err(lost(cx, id, error).await?);
    }
    Ok(stored_file(id, row.name, row.size, row.mime))
}

/// Stores a file of the demo for a kind of record, as if the stamp's account had uploaded it. Returns its id. Its
/// record takes it with [`super::settle`] in the same transaction.
pub async fn keep_for(
    app: &App,
    tx: &mut Connection,
    rule: &FileRule,
    (name, kind, content): (&str, Kind, Vec<u8>),
    stamp: Stamp,
) -> anyhow::Result<i64> {
    let (row, file_key) = new_row(&app.keys, (kind, name), (content.len(), &crypto::sha256_hex(&content)), stamp.at);
    let row = FileRow { biz_type: rule.biz_type.to_owned(), uploader_id: Some(stamp.admin_id), ..row };
    let id = store::insert(tx, &row, stamp.at).await?;
    keep_content(app, Bytes::from(content), &file_key, &row.storage_key).await?;
    Ok(id)
}

async fn keep_content(app: &App, mut content: Bytes, file_key: &FileKey, key: &str) -> anyhow::Result<()> {
    let mut writer = app.storage.write_with(file_key, key).await?;
    while !content.is_empty() {
        writer.put(content.split_to(PIECE.min(content.len()))).await?;
    }
    writer.finish().await
}

/// Gives up a file whose content could not be stored. A storage that has failed may have stored it all the same: the
/// sweep removes both.
async fn lost(cx: &Ctx, id: i64, error: anyhow::Error) -> Result<ApiError> {
    let mut tx = cx.db().begin().await?;
    store::discard(&mut tx, id, cx.viewer()?.id).await?;
    tx.commit().await?;
    Ok(ApiError::Internal(error.context("a file could not be stored")))
}

/// The rule of the record that a file is for. A record that the viewer does not see takes none.
async fn rule_of(cx: &Arc<Ctx>, rules: &[&'static FileRule], fields: &UploadFields) -> Result<Option<&'static FileRule>> {
    let rule = match &fields.biz_type {
        None => None,
        Some(named) => Some(
            rules
                .iter()
                .copied()
                .find(|rule| rule.biz_type == named)
                .ok_or_else(|| ApiError::field("bizType", say("没有这种业务类型", "There is no such record type")))?,
        ),
    };
    match (rule, fields.biz_id) {
        (_, None) => Ok(rule),
        (None, Some(_)) => Err(ApiError::field("bizId", say("请同时给出业务类型", "Give the record type too"))),
        (Some(rule), Some(id)) => match (rule.sees)(cx.clone(), id).await? {
            true => Ok(Some(rule)),
            false => Err(ApiError::Missing),
        },
    }
}

fn too_many_today() -> Say {
    say(
        format!("今天上传的文件已达上限（{DAY_FILES} 个或 {} MB），请明天再试", DAY_BYTES >> 20),
        format!("Today's upload limit ({DAY_FILES} files or {} MB) has been reached, try again tomorrow", DAY_BYTES >> 20),
    )
}

async fn keep(app: &App, file: &FormFile, file_key: &FileKey, key: &str) -> anyhow::Result<()> {
    let mut content = tokio::fs::File::from_std(file.content()?);
    let mut writer = app.storage.write_with(file_key, key).await?;
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        (&mut content).take(PIECE as u64).read_to_end(&mut piece).await?;
        if piece.is_empty() {
            return writer.finish().await;
        }
        writer.put(Bytes::from(piece)).await?;
    }
}

fn fault(error: impl Into<anyhow::Error>) -> ApiError {
    ApiError::Internal(error.into().context("an upload could not be read"))
}

/// `GET /common/file/{id}`: to who sees the record that has taken it, and until then to its uploader. One
/// that a call has made is for the account that made the call, as long as it may make it; fetching it is audited.
pub async fn file(cx: Arc<Ctx>, Id(id): Id, rules: FileRules, access_of: AccessOf) -> Result<Download> {
    let row = store::find(cx.db(), id).await?.ok_or(ApiError::Missing)?;
    if !may_read(&cx, &row, rules, access_of).await? {
        return Err(ApiError::Missing);
    }
    let stored = opened(&cx.app, &row).await?;
    if row.biz_type.starts_with(MADE_BY) {
        let change = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
        let mut tx = cx.db().begin().await?;
        let changes = [change("name", &row.name), change("sha256", &row.sha256)];
        audit::record(&mut tx, &cx.actor()?, target(id), Action::Download, &changes).await?;
        tx.commit().await?;
    }
    Ok(Download(response_of(&row, stored)?))
}

/// The content of a file that a record has taken, up to a limit of bytes, and its media type.
pub async fn content(app: &App, id: i64, most: usize) -> Result<(Vec<u8>, String)> {
    let row = store::find(&app.db, id).await?.filter(|row| row.biz_id.is_some()).ok_or(ApiError::Missing)?;
    if row.size as usize > most {
        return Err(ApiError::TooLarge);
    }
    let stored = opened(app, &row).await?;
    let bytes = axum::body::to_bytes(HttpBody::from_stream(stored.bytes), most).await.map_err(fault)?;
    Ok((bytes.to_vec(), row.mime))
}

/// A file that a record has taken. The record's area has checked that the reader, who has no account, may have it.
pub async fn download(app: &App, id: i64) -> Result<Response<HttpBody>> {
    let row = store::find(&app.db, id).await?.filter(|row| row.biz_id.is_some()).ok_or(ApiError::Missing)?;
    let stored = opened(app, &row).await?;
    response_of(&row, stored)
}

/// A file's content, decrypted.
async fn opened(app: &App, row: &FileRow) -> Result<storage::Stored> {
    if let Some(stored) = stored(app, row).await.map_err(ApiError::Internal)? {
        return Ok(stored);
    }
    // It may have been encrypted meanwhile, and so have moved.
    let moved = store::find(&app.db, row.id).await?.filter(|moved| moved.storage_key != row.storage_key).ok_or(ApiError::Missing)?;
    stored(app, &moved).await.map_err(ApiError::Internal)?.ok_or(ApiError::Missing)
}

/// A file's content in the storage; none if it is missing.
pub async fn stored(app: &App, row: &FileRow) -> anyhow::Result<Option<storage::Stored>> {
    let Some(key_enc) = &row.key_enc else {
        return match row.biz_type.starts_with(MADE_BY) {
            true => app.storage.read_sealed(&app.keys, &row.storage_key).await,
            false => app.storage.read(&row.storage_key).await,
        };
    };
    let text = app.keys.open(&place::FILE_KEY.of(&row.storage_key), key_enc)?;
    let file_key = FileKey::of_text(&text).context("the key of a file is none")?;
    app.storage.read_with(&file_key, &row.storage_key).await
}

/// Removes the content of a file.
pub async fn remove(app: &App, row: &FileRow) -> anyhow::Result<()> {
    for key in std::iter::once(&row.storage_key).chain(&row.spare_key) {
        app.storage.delete(key).await?;
    }
    Ok(())
}

fn response_of(row: &FileRow, stored: storage::Stored) -> Result<Response<HttpBody>> {
    let (id, extension) = (row.id, row.name.rsplit_once('.').map_or("bin", |(_, extension)| extension));
    let shown = if row.mime.starts_with("image/") { Disposition::Inline } else { Disposition::Attachment };
    let mut response = Response::new(HttpBody::from_stream(stored.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_str(&row.mime).map_err(fault)?);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(stored.size));
    headers.insert(header::CONTENT_DISPOSITION, shown.of(&format!("file-{id}.{extension}"), &row.name));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Only this browser may cache it, and must ask each time: the right to read it may change.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::ETAG, HeaderValue::from_str(&format!("\"{}\"", row.sha256)).map_err(fault)?);
    Ok(response)
}

async fn may_read(cx: &Arc<Ctx>, row: &FileRow, rules: FileRules, access_of: AccessOf) -> Result<bool> {
    let viewer = cx.viewer()?;
    if let Some(call) = row.biz_type.strip_prefix(MADE_BY) {
        return Ok(row.uploader_id == Some(viewer.id) && access_of(call).is_some_and(|access| access.lets(viewer)));
    }
    match (row.biz_id, rules().iter().find(|rule| rule.biz_type == row.biz_type)) {
        (Some(record), Some(rule)) => (rule.sees)(cx.clone(), record).await,
        // Until a record takes it, only its uploader has it.
        _ => Ok(row.uploader_id == Some(viewer.id)),
    }
}

/// `DELETE /common/file/{id}`: removes the viewer's own upload, if no record has taken it.
pub async fn discard(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer_id = cx.viewer()?.id;
    let row = store::find(cx.db(), id).await?.filter(|row| row.uploader_id == Some(viewer_id)).ok_or(ApiError::Missing)?;
    let mut tx = cx.db().begin().await?;
    if !store::discard(&mut tx, id, viewer_id).await? {
        return Err(ApiError::State(say("文件已被使用，不能删除", "The file is in use")));
    }
    let gone = Change { field: "name".to_owned(), before: Some(row.name.clone()), after: None };
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Delete, &[gone]).await?;
    tx.commit().await?;
    // If this fails, the sweep does it.
    if let Err(error) = remove(&cx.app, &row).await {
        tracing::warn!(%error, "an upload could not be removed yet");
        return Ok(());
    }
    Ok(store::forget(cx.db(), id).await?)
}
