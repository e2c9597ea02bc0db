-- Organisations in full: who they are, on what terms they buy, how leads reach them; and the legal
-- bodies of ours that they pay.
CREATE TABLE payee_organisation (
  id {{id}},
  name TEXT NOT NULL,
  tax_no TEXT NOT NULL,
  bank_name TEXT NOT NULL,
  bank_account_enc TEXT NOT NULL,
  bank_account_mask TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  phone TEXT NOT NULL DEFAULT '',
  -- JSON: the kinds of invoice that it issues.
  invoice_types TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX payee_organisation_name ON payee_organisation (name) WHERE deleted_at IS NULL;
CREATE INDEX payee_organisation_by_name ON payee_organisation (name, id);
CREATE INDEX payee_organisation_created ON payee_organisation (created_at, id);
CREATE INDEX payee_organisation_status ON payee_organisation (status, created_at, id);

ALTER TABLE organisation ADD COLUMN licence_file_id BIGINT REFERENCES file (id);
ALTER TABLE organisation ADD COLUMN contact_name TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN contact_phone_enc TEXT;
ALTER TABLE organisation ADD COLUMN contact_phone_hash TEXT;
ALTER TABLE organisation ADD COLUMN contact_phone_mask TEXT;
ALTER TABLE organisation ADD COLUMN province TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN city TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE organisation ADD COLUMN bill_mode TEXT NOT NULL DEFAULT 'prepaid';
ALTER TABLE organisation ADD COLUMN credit_limit_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organisation ADD COLUMN low_balance_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organisation ADD COLUMN low_balance_notified_at BIGINT;
-- JSON: each phone encrypted, and their masks in the same order.
ALTER TABLE organisation ADD COLUMN alert_phones_enc TEXT NOT NULL DEFAULT '[]';
ALTER TABLE organisation ADD COLUMN alert_phone_masks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE organisation ADD COLUMN return_allowed BIGINT NOT NULL DEFAULT 1;
ALTER TABLE organisation ADD COLUMN return_max_days BIGINT NOT NULL DEFAULT 7;
ALTER TABLE organisation ADD COLUMN return_max_bp BIGINT NOT NULL DEFAULT 1000;
ALTER TABLE organisation ADD COLUMN return_auto BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organisation ADD COLUMN payee_org_id BIGINT REFERENCES payee_organisation (id);
ALTER TABLE organisation ADD COLUMN mode TEXT NOT NULL DEFAULT 'test';
CREATE INDEX organisation_created ON organisation (created_at, id);
CREATE INDEX organisation_updated ON organisation (updated_at, id);
CREATE INDEX organisation_credit ON organisation (credit_limit_cents, id);
CREATE INDEX organisation_licence ON organisation ((COALESCE(licence_expire_on, '')), id);
CREATE INDEX organisation_status ON organisation (status, created_at, id);
CREATE INDEX organisation_type ON organisation (type, created_at, id);
CREATE INDEX organisation_bill_mode ON organisation (bill_mode, created_at, id);
CREATE INDEX organisation_mode ON organisation (mode, created_at, id);
CREATE INDEX organisation_owner ON organisation (owner_admin_id, created_at, id);
CREATE INDEX organisation_payee ON organisation (payee_org_id, created_at, id);

-- How leads reach an organisation: at most one row each.
CREATE TABLE org_api_config (
  id {{id}},
  org_id BIGINT NOT NULL UNIQUE REFERENCES organisation (id),
  match_url TEXT,
  apply_url TEXT,
  query_url TEXT,
  crypto TEXT NOT NULL,
  -- JSON: the key in use, and the one before it while both are valid; the keys themselves encrypted.
  keys_enc TEXT NOT NULL DEFAULT '[]',
  field_map TEXT NOT NULL DEFAULT '{}',
  value_map TEXT NOT NULL DEFAULT '{}',
  match_ok_expr TEXT NOT NULL DEFAULT '',
  apply_ok_expr TEXT NOT NULL DEFAULT '',
  timeout_ms BIGINT NOT NULL,
  retry_max BIGINT NOT NULL,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
