-- Plans: what an organisation buys, at what price, how much of it and when.
CREATE TABLE plan (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  product_id BIGINT REFERENCES product (id),
  deliver_mode TEXT NOT NULL,
  sale_mode TEXT NOT NULL,
  -- Of a shared lead; 1 of an exclusive one.
  max_buyers BIGINT NOT NULL,
  price_cents BIGINT NOT NULL,
  -- JSON: rule sets with prices, of which the first that holds is asked.
  price_rules TEXT NOT NULL DEFAULT '[]',
  method_priority BIGINT NOT NULL,
  weight BIGINT NOT NULL,
  exposure_weight BIGINT NOT NULL,
  -- JSON: names; empty for anywhere.
  cities TEXT NOT NULL DEFAULT '[]',
  -- JSON: ids; an empty list allows every channel.
  channel_allow TEXT NOT NULL DEFAULT '[]',
  channel_deny TEXT NOT NULL DEFAULT '[]',
  -- JSON: a rule set; none for any applicant.
  rule_set TEXT,
  dedup_days BIGINT,
  -- JSON: opening times; none for always.
  schedule TEXT,
  out_of_schedule TEXT NOT NULL,
  starts_on TEXT,
  ends_on TEXT,
  match_required BIGINT NOT NULL,
  status TEXT NOT NULL,
  pause_reason TEXT,
  -- Why it was rejected.
  reject_note TEXT,
  remark TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE INDEX plan_created ON plan (created_at, id);
CREATE INDEX plan_updated ON plan (updated_at, id);
CREATE INDEX plan_name ON plan (name, id);
CREATE INDEX plan_price ON plan (price_cents, id);
CREATE INDEX plan_priority ON plan (method_priority, id);
CREATE INDEX plan_ends ON plan ((COALESCE(ends_on, '')), id);
CREATE INDEX plan_status ON plan (status, created_at, id);
CREATE INDEX plan_org ON plan (org_id, created_at, id);
CREATE INDEX plan_sub_org ON plan (sub_org_id, created_at, id);
CREATE INDEX plan_product ON plan (product_id, created_at, id);
CREATE INDEX plan_deliver_mode ON plan (deliver_mode, created_at, id);
CREATE INDEX plan_sale_mode ON plan (sale_mode, created_at, id);
CREATE INDEX plan_pause_reason ON plan (pause_reason, created_at, id);
