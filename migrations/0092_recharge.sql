-- Recharges: money that goes into the accounts of organisations.
CREATE TABLE recharge (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  gift_cents BIGINT NOT NULL CHECK (gift_cents >= 0),
  pay_method TEXT NOT NULL,
  -- JSON: the files that prove the payment.
  proof_files TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  -- The confirmed receipt that credited the amount, where there is one.
  receipt_id BIGINT REFERENCES receipt (id),
  remark TEXT NOT NULL DEFAULT '',
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  credited_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX recharge_receipt ON recharge (receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX recharge_created ON recharge (created_at, id);
CREATE INDEX recharge_credited ON recharge (credited_at, id);
CREATE INDEX recharge_amount ON recharge (amount_cents, id);
CREATE INDEX recharge_status ON recharge (status, created_at, id);
CREATE INDEX recharge_org ON recharge (org_id, created_at, id);
CREATE INDEX recharge_payee ON recharge (payee_org_id, created_at, id);
CREATE INDEX recharge_pay_method ON recharge (pay_method, created_at, id);
