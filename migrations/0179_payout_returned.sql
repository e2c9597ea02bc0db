-- Payouts that the bank sent back, and payments to channels from before there were books of channels. The rules of both tables change,
-- which SQLite does not do to a table that is there: statements, corrections and payouts are copied, made again and filled.
CREATE TABLE kept_partner_payout AS SELECT * FROM partner_payout;
CREATE TABLE kept_partner_adjustment AS SELECT * FROM partner_adjustment;
CREATE TABLE kept_partner_statement AS SELECT * FROM partner_statement;
DROP TABLE partner_payout;
DROP TABLE partner_adjustment;
DROP TABLE partner_statement;

-- What partners are owed month by month: sent to them by a link, confirmed or disputed there, and paid out.
CREATE TABLE partner_statement (
  id {{id}},
  statement_no TEXT NOT NULL UNIQUE,
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- YYYY-MM. It takes all items up to the end of this month that were on no statement.
  month TEXT NOT NULL,
  -- What was payable at the end of the statement before, and at the end of this one.
  opening_cents BIGINT NOT NULL,
  closing_cents BIGINT NOT NULL,
  -- Its items, by their kinds.
  visit_cents BIGINT NOT NULL DEFAULT 0,
  registered_cents BIGINT NOT NULL DEFAULT 0,
  sold_cents BIGINT NOT NULL DEFAULT 0,
  share_cents BIGINT NOT NULL DEFAULT 0,
  returned_cents BIGINT NOT NULL DEFAULT 0,
  share_back_cents BIGINT NOT NULL DEFAULT 0,
  adjust_cents BIGINT NOT NULL DEFAULT 0,
  items BIGINT NOT NULL DEFAULT 0,
  -- What the statement before came to below zero. The total is less by it.
  carried_cents BIGINT NOT NULL CHECK (carried_cents <= 0),
  -- What was paid out and withheld since the statement before, less what the bank sent back of it: below zero where more came back.
  settled_cents BIGINT NOT NULL DEFAULT 0,
  total_cents BIGINT NOT NULL,
  -- The tax that is withheld, by the rate of the moment at which the statement was made.
  tax_bp BIGINT NOT NULL CHECK (tax_bp >= 0 AND tax_bp <= 10000),
  tax_cents BIGINT NOT NULL CHECK (tax_cents >= 0),
  net_cents BIGINT NOT NULL,
  -- What payouts that wait, are approved or are paid take of the net amount and of the tax, and what of the net amount is paid.
  asked_cents BIGINT NOT NULL DEFAULT 0,
  asked_tax_cents BIGINT NOT NULL DEFAULT 0,
  paid_cents BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL CHECK (status IN ('draft', 'sent', 'confirmed', 'disputed')),
  -- SHA-256 of the token of the link that answers it, and the moment at which the link ends.
  link_hash TEXT UNIQUE,
  link_ends_at BIGINT,
  sent_at BIGINT,
  answered_at BIGINT,
  -- Why it is disputed.
  answer_note TEXT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  CHECK (total_cents = carried_cents + visit_cents + registered_cents + sold_cents + share_cents + returned_cents + share_back_cents
    + adjust_cents),
  CHECK (closing_cents = opening_cents + total_cents - carried_cents - settled_cents),
  CHECK (net_cents = total_cents - tax_cents),
  CHECK (asked_cents >= 0 AND asked_cents <= CASE WHEN net_cents > 0 THEN net_cents ELSE 0 END),
  CHECK (asked_tax_cents >= 0 AND asked_tax_cents <= tax_cents),
  CHECK (paid_cents >= 0 AND paid_cents <= asked_cents),
  CHECK (asked_cents = 0 OR status = 'confirmed')
);
CREATE UNIQUE INDEX partner_statement_once ON partner_statement (channel_id, month);
-- A statement follows one that is confirmed.
CREATE UNIQUE INDEX partner_statement_open ON partner_statement (channel_id) WHERE status <> 'confirmed';
CREATE INDEX partner_statement_month ON partner_statement (month, id);
CREATE INDEX partner_statement_status ON partner_statement (status, month, id);
CREATE INDEX partner_statement_total ON partner_statement (total_cents, id);

-- Corrections of statements that are not confirmed: asked for by one person, made an item when another approves.
CREATE TABLE partner_adjustment (
  id {{id}},
  adjustment_no TEXT NOT NULL UNIQUE,
  statement_id BIGINT NOT NULL REFERENCES partner_statement (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- In fen, below zero where the partner is owed less.
  amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0),
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX partner_adjustment_created ON partner_adjustment (created_at, id);
CREATE INDEX partner_adjustment_statement ON partner_adjustment (statement_id, status);

-- Payouts to partners: of a confirmed statement, asked for by one person, approved by another, paid by a transfer of the bank.
CREATE TABLE partner_payout (
  id {{id}},
  payout_no TEXT NOT NULL UNIQUE,
  statement_id BIGINT NOT NULL REFERENCES partner_statement (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- The payee organisation that pays.
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  -- What the partner receives, and its part of the tax.
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  tax_cents BIGINT NOT NULL CHECK (tax_cents >= 0),
  remark TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('waiting', 'approved', 'refused', 'paid', 'failed', 'withdrawn', 'returned')),
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  -- The number of the transfer at the bank, in its normal form, and when it was made.
  bank_number TEXT,
  paid_at BIGINT,
  -- JSON: the files that prove the transfer.
  proof_files TEXT NOT NULL DEFAULT '[]',
  -- Why it failed.
  failure TEXT,
  -- The statement that counts it as paid, the first one made after it was.
  counted_on_id BIGINT REFERENCES partner_statement (id),
  -- Who entered the payment.
  paid_by BIGINT REFERENCES administrator (id),
  -- 1 for a payment that was made before channels had books: it is asked for with its day and number, and is paid once it is approved.
  before_books BIGINT NOT NULL DEFAULT 0 CHECK (before_books IN (0, 1)),
  -- When the bank sent the transfer back, its number of that in its normal form, why, who entered it, and the statement that counts it
  -- as returned.
  returned_at BIGINT,
  return_number TEXT,
  return_reason TEXT,
  returned_by BIGINT REFERENCES administrator (id),
  return_counted_on_id BIGINT REFERENCES partner_statement (id),
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  CHECK (before_books = 1 OR (status IN ('paid', 'returned')) = (bank_number IS NOT NULL)),
  CHECK (before_books = 1 OR (status IN ('paid', 'returned')) = (paid_at IS NOT NULL)),
  CHECK (before_books = 0 OR paid_at IS NOT NULL),
  CHECK (before_books = 0 OR bank_number IS NOT NULL OR remark <> ''),
  CHECK (counted_on_id IS NULL OR status IN ('paid', 'returned')),
  CHECK ((status = 'returned') = (returned_at IS NOT NULL)),
  CHECK ((status = 'returned') = (return_number IS NOT NULL)),
  CHECK ((status = 'returned') = (return_reason IS NOT NULL)),
  CHECK (returned_at IS NULL OR returned_at >= paid_at),
  CHECK (return_counted_on_id IS NULL OR (status = 'returned' AND counted_on_id IS NOT NULL)),
  CHECK (returned_by IS NULL OR returned_by <> paid_by),
  CHECK (status NOT IN ('approved', 'paid', 'failed', 'returned') OR reviewed_by IS NOT NULL),
  CHECK (reviewed_by IS NULL OR reviewed_by <> created_by)
);
CREATE UNIQUE INDEX partner_payout_number ON partner_payout (payee_org_id, bank_number)
  WHERE bank_number IS NOT NULL AND status IN ('paid', 'returned');
CREATE INDEX partner_payout_created ON partner_payout (created_at, id);
CREATE INDEX partner_payout_amount ON partner_payout (amount_cents, id);
CREATE INDEX partner_payout_status ON partner_payout (status, created_at, id);
CREATE INDEX partner_payout_statement ON partner_payout (statement_id, id);
CREATE INDEX partner_payout_channel ON partner_payout (channel_id, created_at, id);
CREATE INDEX partner_payout_uncounted ON partner_payout (channel_id, paid_at) WHERE status IN ('paid', 'returned') AND counted_on_id IS NULL;
CREATE INDEX partner_payout_return_uncounted ON partner_payout (channel_id, returned_at)
  WHERE status = 'returned' AND return_counted_on_id IS NULL;

INSERT INTO partner_statement (id, statement_no, channel_id, month, opening_cents, closing_cents, visit_cents, registered_cents, sold_cents, share_cents,
  returned_cents, share_back_cents, adjust_cents, items, carried_cents, settled_cents, total_cents, tax_bp, tax_cents, net_cents,
  asked_cents, asked_tax_cents, paid_cents, status, link_hash, link_ends_at, sent_at, answered_at, answer_note, version,
  created_at, updated_at, created_by, updated_by)
SELECT id, statement_no, channel_id, month, opening_cents, closing_cents, visit_cents, registered_cents, sold_cents, share_cents,
  returned_cents, share_back_cents, adjust_cents, items, carried_cents, settled_cents, total_cents, tax_bp, tax_cents, net_cents,
  asked_cents, asked_tax_cents, paid_cents, status, link_hash, link_ends_at, sent_at, answered_at, answer_note, version,
  created_at, updated_at, created_by, updated_by
  FROM kept_partner_statement;
INSERT INTO partner_adjustment (id, adjustment_no, statement_id, channel_id, amount_cents, reason, status, review_note, reviewed_by, reviewed_at, version,
  created_at, updated_at, created_by, updated_by)
SELECT id, adjustment_no, statement_id, channel_id, amount_cents, reason, status, review_note, reviewed_by, reviewed_at, version,
  created_at, updated_at, created_by, updated_by
  FROM kept_partner_adjustment;
-- The last change of a paid payout is that it was paid.
INSERT INTO partner_payout (id, payout_no, statement_id, channel_id, payee_org_id, amount_cents, tax_cents, remark, status, review_note, reviewed_by,
  reviewed_at, bank_number, paid_at, proof_files, failure, counted_on_id, version, created_at, updated_at, created_by, updated_by, paid_by)
SELECT id, payout_no, statement_id, channel_id, payee_org_id, amount_cents, tax_cents, remark, status, review_note, reviewed_by,
  reviewed_at, bank_number, paid_at, proof_files, failure, counted_on_id, version, created_at, updated_at, created_by, updated_by,
  CASE WHEN status = 'paid' THEN updated_by END FROM kept_partner_payout;
DROP TABLE kept_partner_payout;
DROP TABLE kept_partner_adjustment;
DROP TABLE kept_partner_statement;
-- @postgres
SELECT setval(pg_get_serial_sequence('partner_statement', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM partner_statement), false);
SELECT setval(pg_get_serial_sequence('partner_adjustment', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM partner_adjustment), false);
SELECT setval(pg_get_serial_sequence('partner_payout', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM partner_payout), false);
-- @end

-- The payment that went out was returned: it keeps its number.
ALTER TABLE outgoing_payment ADD COLUMN returned_at BIGINT;

-- A transfer that the bank sends back comes in and is of no organisation.
-- @postgres
ALTER TABLE incoming_payment ALTER COLUMN org_id DROP NOT NULL;
-- @end
-- @sqlite
ALTER TABLE incoming_payment ADD COLUMN of_org_id BIGINT REFERENCES organisation (id);
UPDATE incoming_payment SET of_org_id = org_id;
DROP INDEX incoming_payment_amount;
ALTER TABLE incoming_payment DROP COLUMN org_id;
ALTER TABLE incoming_payment RENAME COLUMN of_org_id TO org_id;
CREATE INDEX incoming_payment_amount ON incoming_payment (org_id, amount_cents, paid_at);
-- @end

-- Programs before this one would count a payout that was returned as paid.
UPDATE schema_fence SET least = 179 WHERE id = 1;
