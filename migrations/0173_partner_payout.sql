-- Payouts to partners: of a confirmed statement, asked for by one person, approved by another, paid by a transfer of the bank.
CREATE TABLE partner_payout (
  id {{id}},
  payout_no TEXT NOT NULL UNIQUE,
  statement_id BIGINT NOT NULL REFERENCES partner_statement (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- The organisation of ours that pays.
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  -- What the partner receives, and its part of the tax.
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  tax_cents BIGINT NOT NULL CHECK (tax_cents >= 0),
  remark TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('waiting', 'approved', 'refused', 'paid', 'failed', 'withdrawn')),
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
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  CHECK ((status = 'paid') = (bank_number IS NOT NULL)),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL)),
  CHECK (counted_on_id IS NULL OR status = 'paid'),
  CHECK (status NOT IN ('approved', 'paid', 'failed') OR reviewed_by IS NOT NULL),
  CHECK (reviewed_by IS NULL OR reviewed_by <> created_by)
);
CREATE UNIQUE INDEX partner_payout_number ON partner_payout (payee_org_id, bank_number) WHERE bank_number IS NOT NULL;
CREATE INDEX partner_payout_created ON partner_payout (created_at, id);
CREATE INDEX partner_payout_amount ON partner_payout (amount_cents, id);
CREATE INDEX partner_payout_status ON partner_payout (status, created_at, id);
CREATE INDEX partner_payout_statement ON partner_payout (statement_id, id);
CREATE INDEX partner_payout_channel ON partner_payout (channel_id, created_at, id);
CREATE INDEX partner_payout_uncounted ON partner_payout (channel_id, paid_at) WHERE status = 'paid' AND counted_on_id IS NULL;
