//! The error catalogue: one enumeration, its codes, and its answers in the viewer's language.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use base::crypto::WrongKey;
use base::db;
use base::locale::Locale;
use base::password_hashing::Full;
use base::say::{Say, say};

/// Every answer of a call except success. The codes are those in the API's description.
#[derive(Debug)]
pub enum ApiError {
    /// `1001`: fields are wrong, each with its message.
    Fields(Vec<(String, Say)>),
    /// `1001`: a password or a code that proves a person's identity is wrong; the error is at the form's field.
    WrongProof { field: &'static str, message: Say },
    /// `1002`: wrong name or password.
    Credentials,
    /// `1002`: the same, or an account that may not sign in from this address; the answer does not distinguish them.
    CredentialsOrAddress,
    /// `1002`: an address on the deny list of sign-ins.
    Address,
    /// `1002`: a code sent by message is wrong or has expired, or no account has this phone.
    WrongCode,
    /// `1007`: the password was right, and a code is needed; `data` is the ticket for the second step.
    SecondFactor { ticket: String, lives_for: i64 },
    /// `1003`: the role lacks the permission point.
    Forbidden,
    /// `1004`: no such record, or it is outside the viewer's scope.
    Missing,
    /// `1005`: a duplicate.
    Duplicate(Say),
    /// `1005`: the record changed since it was read; `data.current` is its present state.
    Stale(Value),
    /// `1006`: the state does not allow it.
    State(Say),
    /// `1006`: a compliance check is missing; `data.check` names the record.
    Unchecked { message: Say, target: &'static str, id: i64 },
    /// `2000`: the login has expired, was revoked, or is missing.
    LoginExpired,
    /// `3001` to `3005`: a partner's signed call is refused.
    Signed(Refusal),
    /// `4000`: the request itself is malformed.
    Malformed(String),
    /// `4000`: the same, for unknown values in the filters of a list; `data.filters` names them.
    Filters { names: Vec<String>, detail: String },
    /// `4004`: no such call.
    NoCall,
    /// `4013`: too large.
    TooLarge,
    /// `4013`: a file of a kind that is not accepted; the text names those that are.
    WrongType(Say),
    /// `4029`: too many tries; seconds to wait.
    TooMany { retry_after: i64 },
    /// `4029`: too many requests, with its own text; seconds to wait.
    TooOften { message: Say, retry_after: i64 },
    /// `5000`: a fault of this program. The cause goes to the log, never to the caller.
    Internal(anyhow::Error),
    /// `5001`: the database connection was lost during the commit. The work may be done or not.
    Unclear(anyhow::Error),
    /// `5003`: busy or shutting down.
    Busy,
    /// `5003`: there is no room on the disk. Reads go on.
    Full,
}

/// Why a signed call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The key is unknown, or may not be used now.
    Caller,
    Signature,
    /// The time differs from the server's by more than some minutes.
    Time,
    /// The nonce has been used.
    Nonce,
    /// The caller's address is not among the allowed ones.
    Address,
    /// The caller's own number of the call belongs to another one.
    Request,
}

impl ApiError {
    /// One wrong field.
    pub fn field(name: &str, message: Say) -> ApiError {
        ApiError::Fields(vec![(name.to_owned(), message)])
    }

    /// The same error, with field names below a field of another form.
    pub fn below(self, outer: &str) -> ApiError {
        match self {
            ApiError::Fields(fields) => {
                ApiError::Fields(fields.into_iter().map(|(name, message)| (format!("{outer}.{name}"), message)).collect())
            }
            other => other,
        }
    }

    /// The record changed since it was read; this is its present state.
    pub fn stale(current: &impl Serialize) -> ApiError {
        ApiError::Stale(serde_json::to_value(current).expect("a row serialises"))
    }

    /// The code in the envelope.
    pub fn code(&self) -> &'static str {
        match self {
            ApiError::Fields(_) | ApiError::WrongProof { .. } => "1001",
            ApiError::Credentials | ApiError::CredentialsOrAddress | ApiError::Address | ApiError::WrongCode => "1002",
            ApiError::Forbidden => "1003",
            ApiError::Missing => "1004",
            ApiError::Duplicate(_) | ApiError::Stale(_) => "1005",
            ApiError::State(_) | ApiError::Unchecked { .. } => "1006",
            ApiError::SecondFactor { .. } => "1007",
            ApiError::LoginExpired => "2000",
            ApiError::Signed(Refusal::Caller) => "3001",
            ApiError::Signed(Refusal::Signature) => "3002",
            ApiError::Signed(Refusal::Time) => "3003",
            ApiError::Signed(Refusal::Nonce) => "3004",
            ApiError::Signed(Refusal::Address) => "3005",
            ApiError::Signed(Refusal::Request) => "3006",
            ApiError::Malformed(_) | ApiError::Filters { .. } => "4000",
            ApiError::NoCall => "4004",
            ApiError::TooLarge | ApiError::WrongType(_) => "4013",
            ApiError::TooMany { .. } | ApiError::TooOften { .. } => "4029",
            ApiError::Internal(_) => "5000",
            ApiError::Unclear(_) => "5001",
            ApiError::Busy | ApiError::Full => "5003",
        }
    }

    /// Business outcomes have status 200: office proxies replace the bodies of other statuses. So do too many tries;
    /// only partners' programs get a 429 ([`ApiError::respond_to_partner`]).
    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::Malformed(_) | ApiError::Filters { .. } => StatusCode::BAD_REQUEST,
            ApiError::NoCall => StatusCode::NOT_FOUND,
            ApiError::TooLarge | ApiError::WrongType(_) => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::Internal(_) | ApiError::Unclear(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::Busy | ApiError::Full => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        }
    }

    /// The text for people.
    pub fn text(&self, locale: Locale) -> String {
        self.say().get(locale).to_owned()
    }

    fn say(&self) -> Say {
        match self {
            ApiError::Fields(fields) => match fields.as_slice() {
                [(_, message)] => message.clone(),
                _ => say("请检查填写的内容", "Please check the fields"),
            },
            ApiError::Credentials => say("账号或者密码错误", "Incorrect username or password"),
            ApiError::CredentialsOrAddress => say(
                "账号或者密码错误，或者该账号不能从当前 IP 登录",
                "Incorrect username or password, or this account cannot log in from your IP address",
            ),
            ApiError::Address => {
                say("当前 IP 禁止登录，请联系管理员", "Login from your IP address is not allowed, contact an administrator")
            }
            ApiError::WrongCode => say("验证码不正确或已过期", "The code is incorrect or has expired"),
            ApiError::SecondFactor { .. } => say("请输入身份验证器上的验证码", "Enter the code shown in your authenticator app"),
            ApiError::Forbidden => say("没有权限进行此操作", "You are not allowed to do this"),
            ApiError::Missing => say("记录不存在", "No such record"),
            ApiError::Duplicate(message) | ApiError::State(message) | ApiError::WrongType(message) => message.clone(),
            ApiError::Unchecked { message, .. } | ApiError::TooOften { message, .. } | ApiError::WrongProof { message, .. } => {
                message.clone()
            }
            ApiError::Stale(_) => say("记录已被他人修改，本次操作没有生效", "Someone else has changed this record; nothing was done"),
            ApiError::LoginExpired => say("登录过期，重新登录", "Login expired, log in again"),
            ApiError::Signed(Refusal::Caller) => say("appId 不存在或已停用", "Unknown or disabled appId"),
            ApiError::Signed(Refusal::Signature) => say("签名错误", "Wrong signature"),
            ApiError::Signed(Refusal::Time) => {
                say("timestamp 与服务器时间相差超过 5 分钟", "The timestamp differs from the server's time by more than 5 minutes")
            }
            ApiError::Signed(Refusal::Nonce) => say("nonce 已使用", "The nonce has already been used"),
            ApiError::Signed(Refusal::Address) => say("IP 不在白名单内", "This IP address is not allowed"),
            ApiError::Signed(Refusal::Request) => say(
                "requestId 已用于其他申请，本次未入库",
                "The requestId has already been used for another application: this one was not accepted",
            ),
            ApiError::Malformed(detail) | ApiError::Filters { detail, .. } => {
                say(format!("请求格式错误：{detail}"), format!("Invalid request format: {detail}"))
            }
            ApiError::NoCall => say("接口不存在", "No such call"),
            ApiError::TooLarge => say("内容过大", "Too large"),
            ApiError::TooMany { retry_after } => {
                let minutes = (retry_after + 59) / 60;
                say(format!("尝试次数过多，请 {minutes} 分钟后再试"), format!("Too many attempts, try again in {minutes} min"))
            }
            ApiError::Internal(_) => say("服务器内部错误", "Internal server error"),
            ApiError::Unclear(_) => say(
                "无法确认操作是否完成，请先查看结果再重试",
                "It is not known whether this was done: check the result before you try again",
            ),
            ApiError::Busy => say("服务繁忙，请稍后再试", "The service is busy, please try again"),
            ApiError::Full => say(
                "服务器磁盘已满，暂时无法保存，请联系管理员",
                "The server's disk is full and nothing can be saved: contact an administrator",
            ),
        }
    }

    fn data(&self, locale: Locale, request_id: &str) -> Value {
        match self {
            ApiError::Fields(fields) => fields
                .iter()
                .map(|(name, message)| (name.clone(), Value::from(message.get(locale))))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            ApiError::WrongProof { field, message } => serde_json::json!({ *field: message.get(locale) }),
            ApiError::Unchecked { target, id, .. } => serde_json::json!({ "check": { "targetType": target, "targetId": id } }),
            ApiError::SecondFactor { ticket, lives_for } => serde_json::json!({ "ticket": ticket, "livesFor": lives_for / 1000 }),
            ApiError::Stale(current) => serde_json::json!({ "current": current }),
            ApiError::Filters { names, .. } => serde_json::json!({ "filters": names }),
            ApiError::Internal(_) | ApiError::Unclear(_) => serde_json::json!({ "requestId": request_id }),
            _ => Value::Null,
        }
    }

    /// The answer to a partner's program, which is not behind such a proxy and understands 429.
    pub fn respond_to_partner(&self, locale: Locale, request_id: &str) -> Response<Body> {
        let mut response = self.respond(locale, request_id);
        if let ApiError::TooMany { .. } | ApiError::TooOften { .. } = self {
            *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
        }
        response
    }

    /// The answer. Faults of this program are logged here, once, with their whole cause.
    pub fn respond(&self, locale: Locale, request_id: &str) -> Response<Body> {
        match self {
            ApiError::Internal(cause) => tracing::error!(request.id = request_id, cause = format!("{cause:#}"), "a call failed"),
            ApiError::Unclear(cause) => {
                tracing::error!(request.id = request_id, cause = format!("{cause:#}"), "it is not known whether a call was done");
            }
            ApiError::Full => tracing::error!(request.id = request_id, "a call failed: the disk is full"),
            _ => {}
        }
        let text = self.say();
        let body = Envelope { code: self.code(), desc: text.get(locale), data: self.data(locale, request_id) };
        let mut response = json(self.status(), serde_json::to_vec(&body).expect("texts serialise"));
        response.extensions_mut().insert(Code(self.code()));
        if let ApiError::TooMany { retry_after } | ApiError::TooOften { retry_after, .. } = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(*retry_after));
        }
        response
    }
}

/// The code of a refusal, attached to its answer for the counters.
#[derive(Clone, Copy, Debug)]
pub struct Code(pub &'static str);

/// Every JSON answer.
#[derive(Serialize)]
pub struct Envelope<'a, T> {
    pub code: &'a str,
    pub desc: &'a str,
    pub data: T,
}

/// A success.
pub fn success<T: Serialize>(data: &T) -> Response<Body> {
    json(StatusCode::OK, envelope(data).into_bytes())
}

/// The body of a success.
pub fn envelope<T: Serialize>(data: &T) -> String {
    serde_json::to_string(&Envelope { code: "0000", desc: "", data }).expect("an answer serialises")
}

/// A JSON answer that may not be cached.
pub fn json(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CACHE_CONTROL, "no-store")
        .body(Body::from(body))
        .expect("a response of fixed headers")
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> ApiError {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => ApiError::Busy,
            error if db::is_unknown(&error) => ApiError::Unclear(error.into()),
            error if db::is_full(&error) => ApiError::Full,
            // Nothing was written: the next try may meet no lock, or a database that answers.
            error if db::is_contention(&error) => ApiError::Busy,
            error if db::is_lost(&error) || db::is_overlong(&error) => {
                tracing::warn!(%error, "the database gave no answer");
                ApiError::Busy
            }
            other => ApiError::Internal(other.into()),
        }
    }
}

impl From<Full> for ApiError {
    fn from(_: Full) -> ApiError {
        ApiError::Busy
    }
}

impl From<WrongKey> for ApiError {
    fn from(error: WrongKey) -> ApiError {
        ApiError::Internal(error.into())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, PgConnection};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// X9: staff's calls may pass proxies that replace the bodies of other statuses, and this answer says when to try
    /// again; partners' programs understand 429.
    #[test]
    fn too_many_tries_are_told_to_staff_by_200_and_to_partners_by_429() {
        let error = ApiError::TooMany { retry_after: 900 };
        for (response, status) in [(error.respond(Locale::Chinese, ""), 200), (error.respond_to_partner(Locale::Chinese, ""), 429)] {
            assert_eq!(response.status(), status);
            assert_eq!(response.headers()[header::RETRY_AFTER], "900");
        }
        assert_eq!(ApiError::Busy.respond_to_partner(Locale::Chinese, "").status(), 503);
    }

    // F3: partners treat 5000 as a fault of the program, and send again after 5003.
    #[tokio::test]
    async fn a_proxy_without_a_database_behind_it_is_passing() {
        for answer in [&b""[..], b"\0", b"HTTP/1.1 503 Service Unavailable\r\n\r\n"] {
            let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = proxy.local_addr().unwrap();
            let served = tokio::spawn(async move {
                let (mut line, _) = proxy.accept().await.unwrap();
                let mut asked = [0; 8];
                line.read_exact(&mut asked).await.unwrap();
                line.write_all(answer).await.unwrap();
            });
            let error = PgConnection::connect(&format!("postgres://user@{address}/leads")).await.unwrap_err();
            served.await.unwrap();
            assert!(matches!(ApiError::from(error), ApiError::Busy));
        }
    }
}
