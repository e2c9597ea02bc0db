//! The parameters of providers: their names, and what form each must have. They are written, sealed and never shown again.

use std::collections::BTreeMap;

use super::model::PayProvider;
use crate::provider::alipay::Alipay;
use crate::provider::wechat::Wechat;
use frame::api::{Check, Say, say};

/// Parameters by their names.
pub type Params = BTreeMap<String, String>;

impl PayProvider {
    /// The parameters that every call needs.
    pub fn param_names(self) -> &'static [&'static str] {
        match self {
            PayProvider::Wechat => &["appId", "serialNo", "privateKey", "apiV3Key", "platformSerial", "platformKey"],
            PayProvider::Alipay => &["appId", "privateKey", "alipayPublicKey"],
            PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => &[],
        }
    }

    /// The optional parameters: the previous platform key of WeChat Pay, while a merchant changes from a certificate
    /// to a public key.
    fn more_params(self) -> &'static [&'static str] {
        match self {
            PayProvider::Wechat => &["oldPlatformSerial", "oldPlatformKey"],
            _ => &[],
        }
    }

    /// Whether its API confirms payments. If not, staff confirm them.
    pub fn is_online(self) -> bool {
        !self.param_names().is_empty()
    }

    fn accepts(self, name: &str, value: &str) -> bool {
        match self {
            PayProvider::Wechat => Wechat::accepts(name, value),
            PayProvider::Alipay => Alipay::accepts(name, value),
            PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => false,
        }
    }
}

/// Names every parameter that is wrong, as `params.privateKey`.
pub fn check(check: &mut Check, provider: PayProvider, params: &Params) {
    for (name, value) in params {
        let field = format!("params.{name}");
        let known = [provider.param_names(), provider.more_params()].concat().contains(&name.as_str());
        check.that(&field, known, say("该渠道没有这个参数", "This provider has no such parameter"));
        check.that(&field, !known || provider.accepts(name, value), wanted(name));
    }
}

fn wanted(name: &str) -> Say {
    match name {
        "privateKey" => say(
            "请填写 2048 至 4096 位的 RSA 私钥（PKCS#8 或 PKCS#1，PEM 或 Base64）",
            "Enter an RSA private key of 2048 to 4096 bits (PKCS #8 or PKCS #1, PEM or Base64)",
        ),
        "platformKey" | "oldPlatformKey" | "alipayPublicKey" => {
            say("请填写 2048 至 4096 位的 RSA 公钥（PEM 或 Base64）", "Enter an RSA public key of 2048 to 4096 bits (PEM or Base64)")
        }
        "apiV3Key" => say("应为 32 个字符", "Must have 32 characters"),
        _ => say("只能是数字和字母", "Must consist of letters and digits"),
    }
}
