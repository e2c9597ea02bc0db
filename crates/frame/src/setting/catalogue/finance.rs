//! Settings of balances, payments and channel statements.

use crate::setting::model::SettingGroup::Finance;
use crate::setting::model::SettingUnit::{BasisPoints, Cents, Days, Minutes};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `plan::watch`.
    FINANCE_LOW_BALANCE_CENTS: i64 = Setting::int(Finance, "finance.low_balance_cents", 100_000, (0, 1_000_000_000), Cents).labelled(
        ("余额预警线", "Low-balance threshold"),
        ("机构余额低于该金额时提醒；机构另有设置时以其为准", "An organisation is alerted when its balance falls below this, unless it has its own threshold"),
    );
    /// Read by `distribution::policy`.
    FINANCE_SPEND_ORDER: String = Setting::choice(
        Finance,
        "finance.spend_order",
        "gift_first",
        &[("gift_first", ("先用赠送金额", "Gifts first")), ("paid_first", ("先用充值金额", "Paid money first"))],
    )
    .labelled(
        ("扣费顺序", "Spending order"),
        ("机构同时有充值和赠送金额时先扣哪一种；退单按原比例退回", "Which is charged first when an organisation has both; refunds go back to where they were taken from"),
    );
    /// Read by `pay`.
    PAY_SITE_URL: String = Setting::address(Finance, "pay.site_url", 300).labelled(
        ("后台公网地址", "Public address of this site"),
        ("支付渠道向该地址通知付款结果；空则只主动查询", "Providers report payments to this address; if empty, they are only queried"),
    );
    /// Read by `pay::link`.
    PAY_LINK_REST_MINUTES: i64 = Setting::int(Finance, "pay.link_rest_minutes", 30, (0, 10_080), Minutes).labelled(
        ("链接冷却时间", "Rest of payment links"),
        (
            "订单结束而未付款后，链接池里的链接隔多久才给下一笔订单：付款人可能仍打开着它；0 为立即",
            "How long a link of the pool is given to no other order once its order ended unpaid, since its payer may have it open; 0 for not at all",
        ),
    );
    /// Read by `partner::statement`.
    PARTNER_LINK_DAYS: i64 = Setting::int(Finance, "partner.link_days", 14, (1, 90), Days).labelled(
        ("渠道对账单链接有效期", "Validity of links to channel statements"),
        ("渠道用该链接查看、确认或提出异议；过期后须重新发送", "Partners see, confirm or dispute a statement by this link; once it has expired, the statement must be sent again"),
    );
    /// Read by `partner::statement`.
    PARTNER_TAX_BP: i64 = Setting::int(Finance, "partner.tax_bp", 0, (0, 10_000), BasisPoints).labelled(
        ("渠道代扣税率", "Tax withheld from channels"),
        ("生成对账单时记下，只影响之后的对账单", "Kept on a statement when it is made; a change affects later statements only"),
    );
}
