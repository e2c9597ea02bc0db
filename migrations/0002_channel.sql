-- Channels: who brings loan applicants.
CREATE TABLE channel (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  settle_mode TEXT NOT NULL,
  unit_price_cents BIGINT NOT NULL,
  share_bp BIGINT NOT NULL,
  landing_url TEXT,
  app_key TEXT NOT NULL UNIQUE,
  app_secret_enc TEXT NOT NULL,
  ip_allow TEXT NOT NULL DEFAULT '[]',
  callback_url TEXT,
  mode TEXT NOT NULL,
  status TEXT NOT NULL,
  dedup_days BIGINT,
  owner_admin_id BIGINT REFERENCES administrator (id),
  remark TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE INDEX channel_created ON channel (created_at, id);
CREATE INDEX channel_updated ON channel (updated_at, id);
CREATE INDEX channel_name ON channel (name, id);
CREATE INDEX channel_price ON channel (unit_price_cents, id);
CREATE INDEX channel_status ON channel (status, created_at, id);
CREATE INDEX channel_type ON channel (type, created_at, id);
CREATE INDEX channel_settle_mode ON channel (settle_mode, created_at, id);
CREATE INDEX channel_mode ON channel (mode, created_at, id);
CREATE INDEX channel_owner ON channel (owner_admin_id, created_at, id);
