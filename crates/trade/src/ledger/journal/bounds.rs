//! The bounds of accounts: which kinds of accounts never go below zero, and which transfers may exceed that. A
//! transfer that takes too much is refused by a conditional update of its record: a bound locks no account. The check
//! of the books finds accounts past their bound.

use super::model::JournalAccount;
use base::codes::Codes;
use base::db::Sql;

/// The side of a transfer on which an account is, and on which accounts of a kind grow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Debit,
    Credit,
}

/// A bound: postings on the account's side cover what was taken from it and what is pending to leave it.
#[derive(Clone, Copy)]
struct Bound {
    /// The side on which the account grows.
    side: Side,
    /// Conditions of the transfers `t` that count as added, and of those that they must cover.
    adds: &'static str,
    takes: &'static str,
}

impl Bound {
    const fn of(side: Side) -> Bound {
        Bound { side, adds: "1 = 1", takes: "1 = 1" }
    }
}

/// The bound of each kind of account. Accounts without one are not completely in the books, or people correct them.
fn bound(account: JournalAccount) -> Option<Bound> {
    match account {
        // The credit limit is its bound, in the condition of the update of `org_account`. Charges for past visits may
        // exceed it.
        JournalAccount::OrgPaid => None,
        // In the condition of the same update.
        JournalAccount::OrgGift => Some(Bound::of(Side::Credit)),
        // A bank and a provider may hold money from before the books began, or money that was moved between them.
        JournalAccount::Cash | JournalAccount::Clearing => None,
        // Fees are never given back. The database refuses it.
        JournalAccount::ProviderFees => Some(Bound::of(Side::Debit)),
        // A lead is given back once, at its price.
        JournalAccount::LeadRevenue => Some(Bound::of(Side::Credit)),
        // `refunding_cents` of an order is never above what was paid, and a receipt is void once.
        JournalAccount::ServiceFees | JournalAccount::OtherIncome => Some(Bound::of(Side::Credit)),
        // A gift is taken back once, and only from gifts that are not spent.
        JournalAccount::GiftsGiven => Some(Bound::of(Side::Debit)),
        JournalAccount::Adjustments => None,
        // A refund is made or fails once, by the step of its status.
        JournalAccount::RefundsOnWay => Some(Bound::of(Side::Credit)),
        // An exception is settled once. Refunds that a provider made by itself come below zero until they are settled.
        JournalAccount::Suspense => {
            Some(Bound { adds: "t.idem_key NOT LIKE '%-settled'", takes: "t.idem_key LIKE '%-settled'", ..Bound::of(Side::Credit) })
        }
        // Payouts are refused above what is payable, under the lock of the channel (`partner::payout`). Items below zero, which are
        // returns, shares that are taken back and corrections, may bring it below zero afterwards.
        JournalAccount::ChannelPayable => Some(Bound { takes: "t.ref_type <> 'partner_item'", ..Bound::of(Side::Credit) }),
        // Corrections of any amount reduce it.
        JournalAccount::ChannelCost => None,
        // Tax of a payout goes back once, when the bank sends the payout back.
        JournalAccount::TaxWithheld => Some(Bound::of(Side::Credit)),
        // Charges for visits are never given back. The database refuses it.
        JournalAccount::VisitRevenue => Some(Bound::of(Side::Credit)),
    }
}

/// Appends the query of the check of the books: the accounts past their bounds, each by its newest transfer, with the
/// excess. It begins once the transfers of earlier bookings are all entered.
pub fn push_bounds(sql: &mut Sql) {
    sql.push(concat!("SELECT CASE WHEN b.kind", of_organisation!(), " THEN b.owner ELSE CAST(0 AS BIGINT) END AS org_id, "));
    sql.push(
        "'bound' AS what, b.last_id AS id, b.cents AS found, CAST(0 AS BIGINT) AS expected FROM ( \
         SELECT s.kind, s.owner, MAX(s.id) AS last_id, CAST(SUM(s.cents) AS BIGINT) AS cents FROM (",
    );
    let bounded: Vec<(&'static str, Bound)> =
        JournalAccount::ALL.iter().filter_map(|account| Some((<&'static str>::from(*account), bound(*account)?))).collect();
    for (side, kind, owner) in [(Side::Credit, "t.credit_kind", "t.credit_owner"), (Side::Debit, "t.debit_kind", "t.debit_owner")] {
        sql.push(if side == Side::Credit { "SELECT t.id, " } else { " UNION ALL SELECT t.id, " });
        sql.push(kind).push(" AS kind, ").push(owner).push(" AS owner, CASE");
        for (name, bound) in &bounded {
            sql.push(" WHEN ").push(kind).push(" = '").push(name).push("' AND ");
            match bound.side == side {
                true => sql.push("t.status = 'posted' AND ").push(bound.adds).push(" THEN t.amount_cents"),
                false => sql.push(bound.takes).push(" THEN -t.amount_cents"),
            };
        }
        sql.push(" ELSE 0 END AS cents FROM journal_transfer t WHERE t.status <> 'void' AND ").push(kind).push(" IN (");
        for (index, (name, _)) in bounded.iter().enumerate() {
            sql.push(if index == 0 { "'" } else { ", '" }).push(name).push("'");
        }
        sql.push(")");
    }
    sql.push(") s GROUP BY s.kind, s.owner HAVING SUM(s.cents) < 0) b WHERE EXISTS (SELECT 1 FROM journal_progress WHERE source = 'done')");
}
