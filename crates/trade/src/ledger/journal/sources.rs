//! Bookings elsewhere that move money: entries of organisations' accounts, payments, refunds, exceptions, receipts
//! and items of partners. The transfers of each are selected only here: at the booking, for bookings of older
//! versions, and in the check of the books.

use base::db::{Connection, Sql};

/// A table whose rows have transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An entry of the account of an organisation.
    Entry,
    /// A lead for which money is held.
    Hold,
    Order,
    Refund,
    Exception,
    /// A receipt that credits no account.
    Receipt,
    /// An item of a partner, in either direction.
    Item,
    /// A payout to a partner.
    Payout,
}

/// The account with the money of a payment channel `h`: the provider's, or for bank transfers that of the payee.
macro_rules! money_kind {
    () => {
        "CASE h.provider WHEN 'bank' THEN 'cash' ELSE 'clearing' END"
    };
}
macro_rules! money_owner {
    () => {
        "CASE h.provider WHEN 'bank' THEN h.payee_org_id ELSE h.id END"
    };
}
/// The account that payments of an order `r` other than recharges go to.
macro_rules! income {
    () => {
        "CASE r.biz_type WHEN 'service_fee' THEN 'service_fees' ELSE 'other_income' END"
    };
}

const ENTRIES: &str = "SELECT l.id, CASE WHEN l.type IN ('lead_sale', 'refund') THEN 'lead_revenue' WHEN l.type = 'visit_charge' THEN 'visit_revenue' WHEN l.type IN ('adjust_up', 'adjust_down') THEN 'adjustments' \
       WHEN p.part = 'org_gift' THEN 'gifts_given' WHEN l.ref_type = 'payment_refund' THEN 'refunds_on_way' WHEN h.provider <> 'bank' THEN 'clearing' \
       ELSE 'cash' END AS debit_kind, CASE WHEN l.type IN ('lead_sale', 'refund', 'visit_charge', 'adjust_up', 'adjust_down') OR p.part = 'org_gift' THEN 0 \
       WHEN l.ref_type = 'payment_refund' THEN z.payee_channel_id WHEN h.provider <> 'bank' THEN h.id \
       ELSE COALESCE(h.payee_org_id, t.payee_org_id, g.payee_org_id, 0) END AS debit_owner, p.part AS credit_kind, a.org_id AS credit_owner, \
       CASE p.part WHEN 'org_gift' THEN l.gift_part_cents ELSE l.amount_cents - l.gift_part_cents END AS cents, 'posted' AS status, l.ref_type, l.ref_id, \
       CASE p.part WHEN 'org_gift' THEN l.idem_key || '/gift' ELSE l.idem_key END AS idem_key, \
       COALESCE(q.created_at, l.at) AS begun_at, l.at \
     FROM account_ledger l JOIN org_account a ON a.id = l.account_id \
     CROSS JOIN (SELECT 'org_paid' AS part UNION ALL SELECT 'org_gift') p \
     LEFT JOIN receipt t ON l.ref_type = 'receipt' AND t.id = l.ref_id LEFT JOIN recharge g ON l.ref_type = 'recharge' AND g.id = l.ref_id \
     LEFT JOIN payment_order y ON y.id = g.payment_order_id LEFT JOIN payee_channel h ON h.id = y.payee_channel_id \
     LEFT JOIN payment_refund b ON l.ref_type = 'payment_refund' AND b.id = l.ref_id LEFT JOIN payment_order z ON z.id = b.payment_order_id \
     LEFT JOIN push_record q ON l.type = 'lead_sale' AND l.ref_type = 'push_record' AND q.id = l.ref_id";

const HOLDS: &str = "SELECT q.id, p.part AS debit_kind, q.org_id AS debit_owner, 'lead_revenue' AS credit_kind, CAST(0 AS BIGINT) AS credit_owner, \
       CASE p.part WHEN 'org_gift' THEN q.held_gift_cents ELSE q.held_cents - q.held_gift_cents END AS cents, 'pending' AS status, \
       'push_record' AS ref_type, q.id AS ref_id, 'push-' || CAST(q.id AS TEXT) || CASE p.part WHEN 'org_gift' THEN '-sold/gift' ELSE '-sold' END AS idem_key, \
       q.created_at AS begun_at, q.created_at AS at \
     FROM push_record q CROSS JOIN (SELECT 'org_paid' AS part UNION ALL SELECT 'org_gift') p WHERE q.held_cents <> 0";

const FEES: &str = concat!(
    "SELECT r.id, 'provider_fees' AS debit_kind, h.id AS debit_owner, ",
    money_kind!(),
    " AS credit_kind, ",
    money_owner!(),
    " AS credit_owner, r.fee_cents AS cents, 'posted' AS status, 'payment_order' AS ref_type, r.id AS ref_id, \
       'payment-' || CAST(r.id AS TEXT) || '-fee' AS idem_key, r.paid_at AS begun_at, r.paid_at AS at \
     FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id WHERE r.paid_cents IS NOT NULL"
);

const PAYMENTS: &str = concat!(
    "SELECT r.id, ",
    money_kind!(),
    " AS debit_kind, ",
    money_owner!(),
    " AS debit_owner, ",
    income!(),
    " AS credit_kind, r.org_id AS credit_owner, r.paid_cents AS cents, 'posted' AS status, 'payment_order' AS ref_type, r.id AS ref_id, \
       'payment-' || CAST(r.id AS TEXT) || '-paid' AS idem_key, r.paid_at AS begun_at, r.paid_at AS at \
     FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id WHERE r.paid_cents IS NOT NULL AND r.biz_type <> 'recharge'"
);

/// Refunds of recharges leave the account by an entry, with the same keys.
const REFUNDS_ASKED: &str = concat!(
    "SELECT b.id, ",
    income!(),
    " AS debit_kind, r.org_id AS debit_owner, 'refunds_on_way' AS credit_kind, r.payee_channel_id AS credit_owner, b.amount_cents AS cents, \
       'posted' AS status, 'payment_refund' AS ref_type, b.id AS ref_id, 'payment-refund-' || CAST(b.id AS TEXT) || '-made' AS idem_key, \
       COALESCE(b.reviewed_at, b.created_at) AS begun_at, COALESCE(b.reviewed_at, b.created_at) AS at \
     FROM payment_refund b JOIN payment_order r ON r.id = b.payment_order_id \
     WHERE b.status IN ('processing', 'success', 'failed') AND r.biz_type <> 'recharge'"
);

const REFUNDS_MADE: &str = concat!(
    "SELECT b.id, 'refunds_on_way' AS debit_kind, h.id AS debit_owner, ",
    money_kind!(),
    " AS credit_kind, ",
    money_owner!(),
    " AS credit_owner, b.amount_cents AS cents, 'posted' AS status, 'payment_refund' AS ref_type, b.id AS ref_id, \
       'payment-refund-' || CAST(b.id AS TEXT) || '-done' AS idem_key, COALESCE(b.done_at, b.updated_at) AS begun_at, COALESCE(b.done_at, b.updated_at) AS at \
     FROM payment_refund b JOIN payment_order r ON r.id = b.payment_order_id JOIN payee_channel h ON h.id = r.payee_channel_id WHERE b.status = 'success'"
);

const REFUNDS_FAILED: &str = concat!(
    "SELECT b.id, 'refunds_on_way' AS debit_kind, r.payee_channel_id AS debit_owner, ",
    income!(),
    " AS credit_kind, r.org_id AS credit_owner, b.amount_cents AS cents, 'posted' AS status, 'payment_refund' AS ref_type, b.id AS ref_id, \
       'payment-refund-' || CAST(b.id AS TEXT) || '-failed' AS idem_key, COALESCE(b.done_at, b.updated_at) AS begun_at, \
       COALESCE(b.done_at, b.updated_at) AS at \
     FROM payment_refund b JOIN payment_order r ON r.id = b.payment_order_id WHERE b.status = 'failed' AND r.biz_type <> 'recharge'"
);

/// A payment that another record has entered as money in the bank is at the provider: it is moved there. A payment in
/// another currency and a refund still to be made move nothing here.
const EXCEPTIONS: &str = concat!(
    "SELECT x.id, ",
    money_kind!(),
    " AS debit_kind, ",
    money_owner!(),
    " AS debit_owner, CASE x.kind WHEN 'already_entered' THEN 'cash' ELSE 'suspense' END AS credit_kind, \
       CASE x.kind WHEN 'already_entered' THEN h.payee_org_id ELSE h.id END AS credit_owner, \
       CASE WHEN x.kind = 'refund' THEN -x.amount_cents WHEN x.kind = 'already_entered' AND h.provider = 'bank' THEN 0 ELSE x.amount_cents END AS cents, \
       'posted' AS status, 'payment_exception' AS ref_type, x.id AS ref_id, 'payment-exception-' || CAST(x.id AS TEXT) AS idem_key, \
       x.created_at AS begun_at, x.created_at AS at \
     FROM payment_exception x JOIN payee_channel h ON h.id = x.payee_channel_id \
     WHERE x.currency = 'CNY' AND x.kind IN ('late', 'amount', 'twice', 'unknown_order', 'ended_clue', 'paid_and_refunded', 'already_entered', 'refund')"
);

/// After an exception is accepted its order books it; if it is handled outside, adjustments have the other side,
/// unless the provider has given the money back.
const EXCEPTIONS_SETTLED: &str = concat!(
    "SELECT x.id, 'suspense' AS debit_kind, h.id AS debit_owner, CASE WHEN x.resolution = 'accepted' OR x.kind = 'paid_and_refunded' THEN ",
    money_kind!(),
    " ELSE 'adjustments' END AS credit_kind, CASE WHEN x.resolution = 'accepted' OR x.kind = 'paid_and_refunded' THEN ",
    money_owner!(),
    " ELSE 0 END AS credit_owner, CASE x.kind WHEN 'refund' THEN -x.amount_cents ELSE x.amount_cents END AS cents, 'posted' AS status, \
       'payment_exception' AS ref_type, x.id AS ref_id, 'payment-exception-' || CAST(x.id AS TEXT) || '-settled' AS idem_key, \
       COALESCE(x.settled_at, x.updated_at) AS begun_at, COALESCE(x.settled_at, x.updated_at) AS at \
     FROM payment_exception x JOIN payee_channel h ON h.id = x.payee_channel_id \
     WHERE x.status = 'settled' AND x.currency = 'CNY' AND x.kind IN ('late', 'amount', 'twice', 'unknown_order', 'ended_clue', 'paid_and_refunded', 'refund')"
);

const RECEIPTS: &str = "SELECT t.id, 'cash' AS debit_kind, t.payee_org_id AS debit_owner, 'other_income' AS credit_kind, t.org_id AS credit_owner, \
       t.amount_cents AS cents, 'posted' AS status, 'receipt' AS ref_type, t.id AS ref_id, 'receipt-' || CAST(t.id AS TEXT) || '-confirmed' AS idem_key, \
       COALESCE(t.reviewed_at, t.updated_at) AS begun_at, COALESCE(t.reviewed_at, t.updated_at) AS at \
     FROM receipt t WHERE t.biz_type = 'other' AND t.status IN ('confirmed', 'void')";

const RECEIPTS_VOID: &str = "SELECT t.id, 'other_income' AS debit_kind, t.org_id AS debit_owner, 'cash' AS credit_kind, t.payee_org_id AS credit_owner, \
       t.amount_cents AS cents, 'posted' AS status, 'receipt' AS ref_type, t.id AS ref_id, 'receipt-' || CAST(t.id AS TEXT) || '-void' AS idem_key, \
       t.updated_at AS begun_at, t.updated_at AS at FROM receipt t WHERE t.biz_type = 'other' AND t.status = 'void'";

const ITEMS: &str = "SELECT i.id, 'channel_cost' AS debit_kind, i.channel_id AS debit_owner, 'channel_payable' AS credit_kind, \
       i.channel_id AS credit_owner, i.amount_cents AS cents, 'posted' AS status, 'partner_item' AS ref_type, i.id AS ref_id, \
       'partner-item-' || CAST(i.id AS TEXT) AS idem_key, i.at AS begun_at, i.at AS at FROM partner_item i";

/// A partner's amount is held from the approval of a payout until the bank has made the transfer. So is the tax. Both
/// go back when the bank sends the transfer back.
const PAYOUTS: &str = "SELECT w.id, 'channel_payable' AS debit_kind, w.channel_id AS debit_owner, 'cash' AS credit_kind, \
       w.payee_org_id AS credit_owner, w.amount_cents AS cents, CASE w.status WHEN 'approved' THEN 'pending' ELSE 'posted' END AS status, \
       'partner_payout' AS ref_type, w.id AS ref_id, 'payout-' || CAST(w.id AS TEXT) AS idem_key, \
       COALESCE(w.reviewed_at, w.updated_at) AS begun_at, w.updated_at AS at FROM partner_payout w WHERE w.status IN ('approved', 'paid', 'returned')";

const PAYOUT_TAXES: &str = "SELECT w.id, 'channel_payable' AS debit_kind, w.channel_id AS debit_owner, 'tax_withheld' AS credit_kind, \
       CAST(0 AS BIGINT) AS credit_owner, w.tax_cents AS cents, CASE w.status WHEN 'approved' THEN 'pending' ELSE 'posted' END AS status, \
       'partner_payout' AS ref_type, w.id AS ref_id, 'payout-' || CAST(w.id AS TEXT) || '-tax' AS idem_key, \
       COALESCE(w.reviewed_at, w.updated_at) AS begun_at, w.updated_at AS at FROM partner_payout w WHERE w.status IN ('approved', 'paid', 'returned')";

const PAYOUT_RETURNS: &str = "SELECT w.id, 'cash' AS debit_kind, w.payee_org_id AS debit_owner, 'channel_payable' AS credit_kind, \
       w.channel_id AS credit_owner, w.amount_cents AS cents, 'posted' AS status, 'partner_payout' AS ref_type, w.id AS ref_id, \
       'payout-' || CAST(w.id AS TEXT) || '-returned' AS idem_key, w.updated_at AS begun_at, w.updated_at AS at \
     FROM partner_payout w WHERE w.status = 'returned'";

const PAYOUT_TAX_RETURNS: &str = "SELECT w.id, 'tax_withheld' AS debit_kind, CAST(0 AS BIGINT) AS debit_owner, \
       'channel_payable' AS credit_kind, w.channel_id AS credit_owner, w.tax_cents AS cents, 'posted' AS status, \
       'partner_payout' AS ref_type, w.id AS ref_id, 'payout-' || CAST(w.id AS TEXT) || '-tax-returned' AS idem_key, \
       w.updated_at AS begun_at, w.updated_at AS at FROM partner_payout w WHERE w.status = 'returned'";

impl Source {
    pub const ALL: [Source; 8] =
        [Source::Entry, Source::Hold, Source::Order, Source::Refund, Source::Exception, Source::Receipt, Source::Item, Source::Payout];

    pub fn table(self) -> &'static str {
        match self {
            Source::Entry => "account_ledger",
            Source::Hold => "push_record",
            Source::Order => "payment_order",
            Source::Refund => "payment_refund",
            Source::Exception => "payment_exception",
            Source::Receipt => "receipt",
            Source::Item => "partner_item",
            Source::Payout => "partner_payout",
        }
    }

    /// Each selects the id of a row, the accounts, the amount (below zero it goes the other way) and the rest of a transfer.
    pub fn selects(self) -> &'static [&'static str] {
        match self {
            Source::Entry => &[ENTRIES],
            Source::Hold => &[HOLDS],
            Source::Order => &[FEES, PAYMENTS],
            Source::Refund => &[REFUNDS_ASKED, REFUNDS_MADE, REFUNDS_FAILED],
            Source::Exception => &[EXCEPTIONS, EXCEPTIONS_SETTLED],
            Source::Receipt => &[RECEIPTS, RECEIPTS_VOID],
            Source::Item => &[ITEMS],
            Source::Payout => &[PAYOUTS, PAYOUT_TAXES, PAYOUT_RETURNS, PAYOUT_TAX_RETURNS],
        }
    }
}

/// Posts the transfers of a row as it is now, each once, at a moment.
pub async fn enter(tx: &mut Connection, source: Source, id: i64, at: i64) -> Result<(), sqlx::Error> {
    insert(tx, source, Some(at), |sql| {
        sql.push("e.id = ").bind(id);
    })
    .await
}

/// Posts the transfers of some rows at the time of their booking, each once.
pub async fn enter_all(tx: &mut Connection, source: Source, ids: &[i64]) -> Result<(), sqlx::Error> {
    insert(tx, source, None, |sql| {
        sql.push("e.id IN ").ids(ids.iter().copied());
    })
    .await
}

/// Posts the transfers of the rows after one id up to another at the time of their booking.
pub(super) async fn enter_some(tx: &mut Connection, source: Source, (after, upto): (i64, i64)) -> Result<(), sqlx::Error> {
    insert(tx, source, None, |sql| {
        sql.push("e.id > ").bind(after).push(" AND e.id <= ").bind(upto);
    })
    .await
}

async fn insert(tx: &mut Connection, source: Source, at: Option<i64>, rows: impl Fn(&mut Sql)) -> Result<(), sqlx::Error> {
    for select in source.selects() {
        let mut sql = Sql::new(super::INTO);
        sql.push(
            "SELECT CASE WHEN e.cents > 0 THEN e.debit_kind ELSE e.credit_kind END, CASE WHEN e.cents > 0 THEN e.debit_owner ELSE e.credit_owner END, \
               CASE WHEN e.cents > 0 THEN e.credit_kind ELSE e.debit_kind END, CASE WHEN e.cents > 0 THEN e.credit_owner ELSE e.debit_owner END, \
               ABS(e.cents), e.status, e.ref_type, e.ref_id, e.idem_key, COALESCE(",
        );
        sql.bind(at).push(", e.begun_at), COALESCE(").bind(at).push(", e.at) FROM (").push(select).push(") e WHERE ");
        rows(&mut sql);
        // A version before the journal may have posted what is pending here.
        sql.push(" AND e.cents <> 0").push(super::UNDER_ITS_KEY);
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}
