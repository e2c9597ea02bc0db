-- The accounts of organisations with their ledger, and the receipts of what they paid.
CREATE TABLE org_account (
  id {{id}},
  org_id BIGINT NOT NULL UNIQUE REFERENCES organisation (id),
  balance_cents BIGINT NOT NULL DEFAULT 0,
  -- Of the balance, what was given and not paid.
  gift_cents BIGINT NOT NULL DEFAULT 0,
  -- Held for what is on its way.
  frozen_cents BIGINT NOT NULL DEFAULT 0,
  total_recharge_cents BIGINT NOT NULL DEFAULT 0,
  total_spend_cents BIGINT NOT NULL DEFAULT 0,
  -- The number of the last entry.
  seq BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX org_account_balance ON org_account (balance_cents, id);

-- Entries are added and never changed.
CREATE TABLE account_ledger (
  id {{id}},
  account_id BIGINT NOT NULL REFERENCES org_account (id),
  seq BIGINT NOT NULL,
  type TEXT NOT NULL,
  amount_cents BIGINT NOT NULL,
  gift_part_cents BIGINT NOT NULL DEFAULT 0,
  balance_after_cents BIGINT NOT NULL,
  ref_type TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  idem_key TEXT NOT NULL UNIQUE,
  operator_id BIGINT,
  remark TEXT NOT NULL DEFAULT '',
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX account_ledger_seq ON account_ledger (account_id, seq);
CREATE INDEX account_ledger_at ON account_ledger (account_id, at, id);

CREATE TABLE receipt (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  biz_type TEXT NOT NULL,
  amount_cents BIGINT NOT NULL,
  pay_method TEXT NOT NULL,
  paid_at BIGINT NOT NULL,
  payer_name TEXT NOT NULL,
  bank_serial TEXT,
  -- JSON: the files that prove it.
  proof_files TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  -- Why it was rejected or voided.
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  remark TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX receipt_serial ON receipt (payee_org_id, bank_serial) WHERE deleted_at IS NULL AND status <> 'void';
CREATE INDEX receipt_created ON receipt (created_at, id);
CREATE INDEX receipt_paid ON receipt (paid_at, id);
CREATE INDEX receipt_amount ON receipt (amount_cents, id);
CREATE INDEX receipt_status ON receipt (status, created_at, id);
CREATE INDEX receipt_org ON receipt (org_id, created_at, id);
CREATE INDEX receipt_payee ON receipt (payee_org_id, created_at, id);
CREATE INDEX receipt_biz_type ON receipt (biz_type, created_at, id);
CREATE INDEX receipt_pay_method ON receipt (pay_method, created_at, id);
