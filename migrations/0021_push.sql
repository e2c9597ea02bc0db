-- Leads that were sold to plans, and every try to deliver them.
CREATE TABLE push_record (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  -- The applicant; what is shown of him is kept beside, masked.
  user_id BIGINT,
  name_mask TEXT NOT NULL,
  phone_mask TEXT NOT NULL,
  city TEXT NOT NULL,
  plan_id BIGINT NOT NULL REFERENCES plan (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  product_id BIGINT REFERENCES product (id),
  sale_mode TEXT NOT NULL,
  -- As it was when the lead was sold.
  price_cents BIGINT NOT NULL,
  channel_cost_cents BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  next_retry_at BIGINT,
  -- The buyer's own number.
  upstream_no TEXT,
  reject_code TEXT,
  reject_reason TEXT,
  sold_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX push_record_created ON push_record (created_at, id);
CREATE INDEX push_record_sold ON push_record ((COALESCE(sold_at, 0)), id);
CREATE INDEX push_record_price ON push_record (price_cents, id);
CREATE INDEX push_record_status ON push_record (status, created_at, id);
CREATE INDEX push_record_plan ON push_record (plan_id, created_at, id);
CREATE INDEX push_record_org ON push_record (org_id, created_at, id);
CREATE INDEX push_record_sub_org ON push_record (sub_org_id, created_at, id);
CREATE INDEX push_record_channel ON push_record (channel_id, created_at, id);
CREATE INDEX push_record_product ON push_record (product_id, created_at, id);
CREATE INDEX push_record_upstream ON push_record (upstream_no);

CREATE TABLE push_attempt (
  id {{id}},
  push_id BIGINT NOT NULL REFERENCES push_record (id),
  seq BIGINT NOT NULL,
  url TEXT NOT NULL,
  -- Without anything that tells a person.
  req_masked TEXT NOT NULL,
  http_status BIGINT,
  resp_masked TEXT,
  cost_ms BIGINT NOT NULL,
  error TEXT,
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX push_attempt_seq ON push_attempt (push_id, seq);
