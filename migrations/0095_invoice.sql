-- Invoices of what organisations spent: which payee it was spent with, what was invoiced of it, and the invoices.
ALTER TABLE org_account ADD COLUMN spent_gift_cents BIGINT NOT NULL DEFAULT 0;

-- Of an organisation, what it spends while it pays one payee. The spending is counted as the account counts it: without
-- gifts, less refunds.
CREATE TABLE org_payee_spend (
  id {{id}},
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  from_cents BIGINT NOT NULL,
  -- None while it pays this payee.
  to_cents BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX org_payee_spend_open ON org_payee_spend (org_id) WHERE to_cents IS NULL;
CREATE INDEX org_payee_spend_org ON org_payee_spend (org_id, payee_org_id);
INSERT INTO org_payee_spend (org_id, payee_org_id, from_cents, created_at)
  SELECT id, payee_org_id, 0, created_at FROM organisation WHERE payee_org_id IS NOT NULL;

-- What was invoiced, or is asked to be.
CREATE TABLE org_payee_invoiced (
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  cents BIGINT NOT NULL DEFAULT 0 CHECK (cents >= 0),
  PRIMARY KEY (org_id, payee_org_id)
);

CREATE TABLE invoice (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  kind TEXT NOT NULL,
  title_type TEXT NOT NULL,
  title TEXT NOT NULL,
  tax_no TEXT,
  bank TEXT,
  bank_account TEXT,
  reg_address TEXT,
  reg_phone TEXT,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  content TEXT NOT NULL,
  receiver_name TEXT NOT NULL DEFAULT '',
  receiver_phone_enc TEXT NOT NULL DEFAULT '',
  receiver_phone_mask TEXT NOT NULL DEFAULT '',
  receiver_address TEXT NOT NULL DEFAULT '',
  receiver_email TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  invoice_code TEXT,
  invoice_number TEXT,
  issued_on TEXT,
  -- JSON: the invoice itself.
  files TEXT NOT NULL DEFAULT '[]',
  courier TEXT,
  tracking_no TEXT,
  remark TEXT NOT NULL DEFAULT '',
  -- Why it was refused or voided.
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX invoice_numbers ON invoice (payee_org_id, invoice_code, invoice_number) WHERE invoice_number IS NOT NULL;
CREATE INDEX invoice_created ON invoice (created_at, id);
CREATE INDEX invoice_amount ON invoice (amount_cents, id);
CREATE INDEX invoice_status ON invoice (status, created_at, id);
CREATE INDEX invoice_org ON invoice (org_id, created_at, id);
CREATE INDEX invoice_payee ON invoice (payee_org_id, created_at, id);
CREATE INDEX invoice_issued ON invoice (issued_on, id);
