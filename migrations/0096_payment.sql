-- Payments: the channels by which payees are paid, orders with their refunds, what providers reported, what did not fit
-- an order, and the pool of payment links.
CREATE TABLE payee_channel (
  id {{id}},
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  provider TEXT NOT NULL,
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  mch_no TEXT NOT NULL,
  -- JSON, sealed: the parameters of the provider. Never shown again.
  params_enc TEXT NOT NULL DEFAULT '',
  -- JSON: the names of those that are set.
  param_names TEXT NOT NULL DEFAULT '[]',
  -- JSON: the accounts that set parameters since the channel was last enabled; and whether another person has enabled it since.
  keys_by TEXT NOT NULL DEFAULT '[]',
  keys_checked BIGINT NOT NULL DEFAULT 0,
  -- Where the provider is called; empty for its public address.
  gateway_url TEXT NOT NULL DEFAULT '',
  -- Instructions shown to the payer beside the account, where no provider is called.
  instructions TEXT NOT NULL DEFAULT '',
  fee_bp BIGINT NOT NULL CHECK (fee_bp >= 0),
  min_cents BIGINT NOT NULL CHECK (min_cents > 0),
  max_cents BIGINT NOT NULL CHECK (max_cents >= min_cents),
  day_cap_cents BIGINT,
  sort BIGINT NOT NULL DEFAULT 0,
  cert_expire_on TEXT,
  -- The expiry date of the last warning.
  cert_warned_for TEXT,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX payee_channel_code ON payee_channel (code) WHERE deleted_at IS NULL;
CREATE INDEX payee_channel_sort ON payee_channel (sort, id) WHERE deleted_at IS NULL;
CREATE INDEX payee_channel_name ON payee_channel (name, id) WHERE deleted_at IS NULL;
CREATE INDEX payee_channel_created ON payee_channel (created_at, id) WHERE deleted_at IS NULL;

-- What the orders of a channel may still take on a day: held by open orders and paid by others.
CREATE TABLE payee_channel_day (
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  day TEXT NOT NULL,
  cents BIGINT NOT NULL DEFAULT 0 CHECK (cents >= 0),
  PRIMARY KEY (payee_channel_id, day)
);

CREATE TABLE payment_order (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  -- By which the payer finds the page of the order.
  token TEXT NOT NULL UNIQUE,
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  clue_id BIGINT REFERENCES clue (id),
  biz_type TEXT NOT NULL,
  subject TEXT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  fee_cents BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  -- What came in; none until it is paid.
  paid_cents BIGINT,
  -- What is refunded or asked to be, and what of it is back with the payer.
  refunding_cents BIGINT NOT NULL DEFAULT 0 CHECK (refunding_cents >= 0),
  refunded_cents BIGINT NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  channel_order_no TEXT,
  -- What the payer's QR code says.
  code_url TEXT,
  -- The payer as the provider reports it, masked.
  payer_mask TEXT NOT NULL DEFAULT '',
  -- How the payment was learnt of.
  known_by TEXT,
  paid_at BIGINT,
  expires_at BIGINT NOT NULL,
  -- It is to be closed as soon as the provider says that it is not paid.
  cancel_asked BIGINT NOT NULL DEFAULT 0,
  remark TEXT NOT NULL DEFAULT '',
  error TEXT,
  -- When the provider is asked next, how often it was, and until when a node does so.
  due_at BIGINT,
  tries BIGINT NOT NULL DEFAULT 0,
  leased_until BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  CHECK (refunded_cents <= refunding_cents),
  CHECK (refunding_cents = 0 OR refunding_cents <= paid_cents)
);
CREATE UNIQUE INDEX payment_order_channel_no ON payment_order (payee_channel_id, channel_order_no) WHERE channel_order_no IS NOT NULL;
CREATE INDEX payment_order_created ON payment_order (created_at, id);
CREATE INDEX payment_order_amount ON payment_order (amount_cents, id);
CREATE INDEX payment_order_paid ON payment_order (paid_at, id);
CREATE INDEX payment_order_status ON payment_order (status, created_at, id);
CREATE INDEX payment_order_channel ON payment_order (payee_channel_id, created_at, id);
CREATE INDEX payment_order_org ON payment_order (org_id, created_at, id);
CREATE INDEX payment_order_biz ON payment_order (biz_type, created_at, id);
CREATE INDEX payment_order_clue ON payment_order (clue_id) WHERE clue_id IS NOT NULL;
CREATE INDEX payment_order_due ON payment_order (due_at) WHERE due_at IS NOT NULL;

-- The paid order that a recharge comes from, where one does.
ALTER TABLE recharge ADD COLUMN payment_order_id BIGINT REFERENCES payment_order (id);

CREATE TABLE payment_refund (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  payment_order_id BIGINT NOT NULL REFERENCES payment_order (id),
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  channel_refund_no TEXT,
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  done_at BIGINT,
  error TEXT,
  due_at BIGINT,
  tries BIGINT NOT NULL DEFAULT 0,
  leased_until BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX payment_refund_order ON payment_refund (payment_order_id, id);
CREATE INDEX payment_refund_created ON payment_refund (created_at, id);
CREATE INDEX payment_refund_amount ON payment_refund (amount_cents, id);
CREATE INDEX payment_refund_status ON payment_refund (status, created_at, id);
CREATE INDEX payment_refund_due ON payment_refund (due_at) WHERE due_at IS NOT NULL;

-- What providers report, each once.
CREATE TABLE payment_notice (
  id {{id}},
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  -- The provider's number of it.
  notice_no TEXT NOT NULL,
  -- The number of our order.
  order_no TEXT NOT NULL,
  -- The raw body, sealed.
  body_enc TEXT NOT NULL,
  -- JSON: what was read of it.
  content TEXT NOT NULL,
  state TEXT NOT NULL,
  -- What came of it.
  result TEXT,
  received_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX payment_notice_once ON payment_notice (payee_channel_id, notice_no);
CREATE INDEX payment_notice_order ON payment_notice (order_no, id);
CREATE INDEX payment_notice_new ON payment_notice (received_at, id) WHERE state = 'new';

-- Payments that do not fit their order: staff settle them.
CREATE TABLE payment_exception (
  id {{id}},
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  payment_order_id BIGINT REFERENCES payment_order (id),
  kind TEXT NOT NULL,
  -- The number of an order that the provider names, and its own number of the payment.
  order_no TEXT NOT NULL,
  channel_order_no TEXT NOT NULL,
  amount_cents BIGINT NOT NULL,
  currency TEXT NOT NULL,
  paid_at BIGINT NOT NULL,
  payer_mask TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  resolution TEXT,
  note TEXT,
  settled_by BIGINT REFERENCES administrator (id),
  settled_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX payment_exception_once ON payment_exception (payee_channel_id, channel_order_no);
CREATE INDEX payment_exception_created ON payment_exception (created_at, id);
CREATE INDEX payment_exception_status ON payment_exception (status, created_at, id);
CREATE INDEX payment_exception_channel ON payment_exception (payee_channel_id, created_at, id);
CREATE INDEX payment_exception_order ON payment_exception (payment_order_id) WHERE payment_order_id IS NOT NULL;

CREATE TABLE payment_link (
  id {{id}},
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  url_hash TEXT NOT NULL UNIQUE,
  url_enc TEXT NOT NULL,
  url_mask TEXT NOT NULL,
  -- None for one that takes any amount.
  amount_cents BIGINT,
  batch_no TEXT NOT NULL,
  remark TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  payment_order_id BIGINT REFERENCES payment_order (id),
  -- The order that had it last: its payer may still pay by it.
  last_order_id BIGINT REFERENCES payment_order (id),
  reserved_until BIGINT,
  used_at BIGINT,
  expires_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX payment_link_order ON payment_link (payment_order_id) WHERE payment_order_id IS NOT NULL;
CREATE INDEX payment_link_last_order ON payment_link (last_order_id) WHERE last_order_id IS NOT NULL;
CREATE INDEX payment_link_created ON payment_link (created_at, id);
CREATE INDEX payment_link_status ON payment_link (status, created_at, id);
CREATE INDEX payment_link_channel ON payment_link (payee_channel_id, created_at, id);
CREATE INDEX payment_link_batch ON payment_link (batch_no, created_at, id);
CREATE INDEX payment_link_free ON payment_link (payee_channel_id, amount_cents, id) WHERE status = 'free';
CREATE INDEX payment_link_expires ON payment_link (expires_at) WHERE status = 'free' AND expires_at IS NOT NULL;
