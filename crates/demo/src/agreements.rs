//! The demo's register of agreements, in the versions of its last weeks.

use base::clock::DAY;
use base::db::Connection;
use frame::access::audit::Stamp;
use trade::agreement::store;

/// The agreement of the demo's applicants, its version now and the one before.
pub const LOAN: &str = "LOAN-INFO";
pub const NOW: &str = "2026.2";
const BEFORE: &str = "2026.1";
/// How long the present version has been valid.
const SINCE: i64 = 12 * DAY;

/// The version that was valid at a moment.
pub fn edition_at(at: i64, now: i64) -> &'static str {
    if at < now - SINCE { BEFORE } else { NOW }
}

const LOAN_TEXT: &str = "个人信息授权书\n\n\
    一、为评估您的借款申请，您授权本平台收集您填写的姓名、手机号码、身份证号码、所在城市、借款金额及资产情况。\n\
    二、您同意本平台将上述信息提供给本授权书所列明的合作机构，由其与您联系并作出是否放款的决定。放款前不收取任何费用。\n\
    三、合作机构只能将您的信息用于本次借款申请，不得另作他用或转交他人。\n\
    四、您可以随时通过客服撤回本授权。撤回不影响撤回之前已经进行的处理。";
const LOAN_SINCE: &str = "\n五、借款申请结束后，本平台按照法律规定的期限保存您的信息，期满即删除。";
const PRIVACY_TEXT: &str = "隐私政策\n\n\
    一、我们只收集办理业务所必需的信息，并加密保存您的手机号码、姓名和身份证号码。\n\
    二、我们记录您访问页面的时间、网络地址和浏览器类型，用于防止冒用和攻击。\n\
    三、您有权查询、更正和删除您的个人信息，也可以要求我们说明信息的来源和去向。";

/// Enters the agreements: a loan application's in two versions, one of which has ended, and the privacy policy.
pub async fn insert(tx: &mut Connection, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let began = now - 400 * DAY;
    let changed = now - SINCE;
    let later = format!("{LOAN_TEXT}{LOAN_SINCE}");
    for (code, edition, name, text, valid_from, valid_to) in [
        ("PRIVACY", "3", "隐私政策", PRIVACY_TEXT, began, None),
        (LOAN, BEFORE, "个人信息授权书", LOAN_TEXT, began, Some(changed)),
        (LOAN, NOW, "个人信息授权书", &later, changed, None),
    ] {
        let form = store::Form {
            code: code.to_owned(),
            edition: edition.to_owned(),
            name: name.to_owned(),
            text: text.to_owned(),
            valid_from,
            valid_to,
        };
        store::insert(tx, &form, Stamp { admin_id: by, at: valid_from }).await?;
    }
    Ok(())
}
