//! A form with files in it (`multipart/form-data`). A file goes to a nameless temporary file as it arrives, so that
//! no upload is held in memory.

use std::collections::HashMap;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::http::{HeaderMap, header};
use multer::{Constraints, Field, Multipart, SizeLimit};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use super::error::ApiError;
use super::input::{self, Arrives, Input, InputDoc, Place, Raw, malformed};
use base::crypto;
use base::form_limits;

form_limits! {
    /// Of a file that is sent.
    upload {
        /// Bytes of a file, at most.
        pub MAX_FILE: u64 = 20 * 1024 * 1024,
    }
}

/// Fields beside the file, at most, and the bytes of each.
const MAX_FIELDS: usize = 8;
const MAX_FIELD: u64 = 1000;
/// The form's part names, headers and boundaries.
const MAX_FRAME: u64 = 64 * 1024;
/// The field with the file. Another name is accepted if the field brings a file name.
const FILE: &str = "file";

/// A form as it was received.
#[derive(Clone)]
pub struct Form {
    fields: Map<String, Value>,
    file: Arc<FormFile>,
}

/// A file as it was received.
pub struct FormFile {
    /// The sender's name for it: any text. It is never used as a path.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Hex.
    pub sha256: String,
    content: std::fs::File,
}

impl FormFile {
    /// A file of some bytes.
    pub fn of_bytes(name: &str, bytes: &[u8]) -> std::io::Result<FormFile> {
        let mut content = tempfile::tempfile()?;
        content.write_all(bytes)?;
        Ok(FormFile { name: name.to_owned(), size: bytes.len() as u64, sha256: crypto::sha256_hex(bytes), content })
    }

    /// The content, from its beginning. One reader at a time, since all share one position.
    pub fn content(&self) -> std::io::Result<std::fs::File> {
        let mut file = self.content.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

impl Form {
    /// A form with one file, for a call that is made in process.
    pub fn of(fields: Map<String, Value>, file: FormFile) -> Form {
        Form { fields, file: Arc::new(file) }
    }

    /// Reads a form with one file from a request.
    pub async fn receive(headers: &HeaderMap, body: HttpBody) -> Result<Form, ApiError> {
        let boundary = boundary(headers)?;
        let limits = SizeLimit::new().whole_stream(MAX_FILE + MAX_FRAME).per_field(MAX_FILE);
        let mut parts = Multipart::with_constraints(body.into_data_stream(), boundary, Constraints::new().size_limit(limits));
        let (mut fields, mut file) = (Map::new(), None);
        while let Some(part) = parts.next_field().await.map_err(broken)? {
            let name = part.name().unwrap_or_default().to_owned();
            let is_file = name == FILE || part.file_name().is_some();
            if fields.contains_key(&name) || fields.len() >= MAX_FIELDS || (is_file && file.is_some()) {
                return Err(ApiError::Malformed("fields".to_owned()));
            }
            if is_file {
                file = Some(Arc::new(store(part, MAX_FILE).await?));
            } else {
                fields.insert(name, text(part).await?.into());
            }
        }
        let file = file.ok_or_else(|| ApiError::Malformed("missing field `file`".to_owned()))?;
        Ok(Form { fields, file })
    }

    /// The identity of a form, for `Idempotency-Key`.
    pub fn identity(&self) -> Vec<u8> {
        json!([self.fields, self.file.name, self.file.sha256]).to_string().into_bytes()
    }
}

/// The limits of a form with any number of files, as a browser sends it without a script.
pub struct Bounds {
    /// The most files; each has at most [`MAX_FILE`] bytes.
    pub files: usize,
    /// The most bytes of all files together.
    pub all_files: u64,
    /// The most fields beside the files; further ones are left out.
    pub fields: usize,
    /// The most bytes of a field; it is cut there.
    pub field: usize,
}

/// Fields of a form, by name. If a name is repeated the last one counts.
pub type FormFields = HashMap<String, String>;

/// Reads a form with any number of files from a request. The fields are returned even if the files are refused:
/// [`ApiError::TooLarge`] for too many or too large ones. Refused content is read all the same, up to the bound of
/// all files, so that the sender gets the answer.
pub async fn receive_files(headers: &HeaderMap, body: HttpBody, bounds: &Bounds) -> (FormFields, Result<Vec<FormFile>, ApiError>) {
    let mut fields = FormFields::new();
    let files = read_files(headers, body, bounds, &mut fields).await;
    (fields, files)
}

async fn read_files(headers: &HeaderMap, body: HttpBody, bounds: &Bounds, fields: &mut FormFields) -> Result<Vec<FormFile>, ApiError> {
    let limits = SizeLimit::new().whole_stream(bounds.all_files + MAX_FRAME + (bounds.fields * bounds.field) as u64);
    let constraints = Constraints::new().size_limit(limits);
    let mut parts = Multipart::with_constraints(body.into_data_stream(), boundary(headers)?, constraints);
    let (mut files, mut refused) = (Vec::new(), None);
    while let Some(mut part) = parts.next_field().await.map_err(broken)? {
        if part.file_name().is_none() {
            let name = part.name().unwrap_or_default().to_owned();
            let text = beginning(&mut part, bounds.field).await?;
            if fields.len() < bounds.fields {
                fields.insert(name, text);
            }
        } else if refused.is_some() || files.len() >= bounds.files {
            // Browsers send a field without a file as a file without name and content.
            let is_file = part.file_name() != Some("");
            let size = skip(&mut part).await?;
            if is_file || size > 0 {
                refused = Some(ApiError::TooLarge);
            }
        } else {
            match store(part, MAX_FILE).await {
                Ok(file) if file.name.is_empty() && file.size == 0 => {}
                Ok(file) => files.push(file),
                Err(ApiError::TooLarge) => refused = Some(ApiError::TooLarge),
                Err(error) => return Err(error),
            }
        }
    }
    refused.map_or(Ok(files), Err)
}

/// The beginning of a field, as text.
async fn beginning(part: &mut Field<'_>, most: usize) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        bytes.extend_from_slice(&piece[..piece.len().min(most - bytes.len())]);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a part to its end. Returns its bytes.
async fn skip(part: &mut Field<'_>) -> Result<usize, ApiError> {
    let mut size = 0;
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        size += piece.len();
    }
    Ok(size)
}

fn boundary(headers: &HeaderMap) -> Result<String, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    kind.and_then(|kind| multer::parse_boundary(kind).ok()).ok_or_else(|| ApiError::Malformed("multipart/form-data is expected".to_owned()))
}

/// A field beside the file.
async fn text(mut part: Field<'_>) -> Result<String, ApiError> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() as u64 > MAX_FIELD {
            return Err(ApiError::Malformed("fields".to_owned()));
        }
    }
    String::from_utf8(bytes).map_err(|_| ApiError::Malformed("fields".to_owned()))
}

/// Stores a part in a temporary file. A part of more than `most` bytes is read to its end and refused.
async fn store(mut part: Field<'_>, most: u64) -> Result<FormFile, ApiError> {
    let name = part.file_name().unwrap_or_default().to_owned();
    let content = tokio::task::spawn_blocking(tempfile::tempfile).await.map_err(fault)?.map_err(fault)?;
    let mut writer = tokio::fs::File::from_std(content.try_clone().map_err(fault)?);
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(piece) = part.chunk().await.map_err(broken)? {
        size += piece.len() as u64;
        if size > most {
            skip(&mut part).await?;
            return Err(ApiError::TooLarge);
        }
        hash.update(&piece);
        writer.write_all(&piece).await.map_err(fault)?;
    }
    writer.flush().await.map_err(fault)?;
    Ok(FormFile { name, size, sha256: hex::encode(hash.finalize()), content })
}

fn fault(error: impl Into<anyhow::Error>) -> ApiError {
    ApiError::Internal(error.into().context("an upload could not be kept"))
}

fn broken(error: multer::Error) -> ApiError {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => ApiError::TooLarge,
        // Its text repeats what was sent; the first words are enough.
        other => malformed(&other),
    }
}

/// Input of a call that takes a form: one file, and the fields of `T` beside it.
pub struct FileForm<T> {
    pub fields: T,
    pub file: Arc<FormFile>,
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for FileForm<T> {
    const ARRIVES: Arrives = Arrives::AsForm;

    fn read(raw: &Raw<'_>) -> Result<FileForm<T>, ApiError> {
        let form = raw.form.ok_or_else(|| ApiError::Malformed("multipart/form-data is expected".to_owned()))?;
        let mut fields = form.fields.clone();
        // An empty field of a form counts as absent.
        fields.retain(|_, value| value.as_str() != Some(""));
        if fields.iter().any(|(name, value)| name.contains('\0') || value.as_str().is_some_and(|text| text.contains('\0'))) {
            return Err(ApiError::Malformed("NUL".to_owned()));
        }
        Ok(FileForm { fields: input::typed(Value::Object(fields))?, file: form.file.clone() })
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        let fields = schemas.subschema_for::<T>();
        let schema = schemars::json_schema!({
            "allOf": [fields, {
                "type": "object",
                "properties": { "file": { "type": "string", "format": "binary" } },
                "required": ["file"]
            }]
        });
        InputDoc { place: Place::Form, schema }
    }
}
