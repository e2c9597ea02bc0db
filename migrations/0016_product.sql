-- Products: the loans of organisations that applicants are shown.
CREATE TABLE product (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  logo_file_id BIGINT REFERENCES file (id),
  category TEXT NOT NULL,
  apply_mode TEXT NOT NULL,
  jump_url TEXT,
  min_amount_cents BIGINT NOT NULL,
  max_amount_cents BIGINT NOT NULL,
  min_term_months BIGINT NOT NULL,
  max_term_months BIGINT NOT NULL,
  -- Basis points of simple annual interest.
  annual_rate_min_bp BIGINT NOT NULL,
  annual_rate_max_bp BIGINT NOT NULL,
  lender_name TEXT NOT NULL DEFAULT '',
  -- JSON: texts.
  tags TEXT NOT NULL DEFAULT '[]',
  requirements TEXT NOT NULL DEFAULT '',
  uv_price_cents BIGINT NOT NULL,
  sort BIGINT NOT NULL DEFAULT 0,
  -- JSON: names of cities; none for anywhere.
  cities TEXT NOT NULL DEFAULT '[]',
  -- JSON: a rule set; none for any applicant.
  rule_set TEXT,
  -- HH:MM on Shanghai's clock, both or neither; a window may pass midnight.
  online_from TEXT,
  online_to TEXT,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE INDEX product_created ON product (created_at, id);
CREATE INDEX product_updated ON product (updated_at, id);
CREATE INDEX product_name ON product (name, id);
CREATE INDEX product_price ON product (uv_price_cents, id);
CREATE INDEX product_rate ON product (annual_rate_max_bp, id);
CREATE INDEX product_sort ON product (sort, id);
CREATE INDEX product_status ON product (status, created_at, id);
CREATE INDEX product_category ON product (category, created_at, id);
CREATE INDEX product_apply_mode ON product (apply_mode, created_at, id);
CREATE INDEX product_org ON product (org_id, created_at, id);

-- What a record was when it was checked: a fingerprint of the facts that its area told.
ALTER TABLE compliance_check ADD COLUMN facts_hash TEXT;

-- The built-in rules hold for products as well, where nobody has changed whom they are for.
UPDATE compliance_rule SET target_types = '["organisation","product"]'
  WHERE builtin = 1 AND code IN ('licence_number', 'licence_valid') AND target_types = '["organisation"]';
UPDATE compliance_rule SET target_types = '["channel","product","script","consent"]'
  WHERE builtin = 1 AND code IN ('forbidden_words', 'upfront_fee', 'masked_display') AND target_types = '["channel","script","consent"]';
UPDATE compliance_rule SET target_types = '["product","script"]'
  WHERE builtin = 1 AND code = 'annual_rate' AND target_types = '["script"]';
