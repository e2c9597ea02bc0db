-- A channel's secret goes on being valid for a while beside the one that followed it.
ALTER TABLE channel ADD COLUMN old_secret_enc TEXT;
-- Epoch milliseconds.
ALTER TABLE channel ADD COLUMN old_secret_until BIGINT;

-- Test leads: dry runs of what a channel's leads are held against. Appended to, never changed.
CREATE TABLE channel_test (
  id {{id}},
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  passed BIGINT NOT NULL,
  -- What the channel asked for then, as a hash: another means that it is to be tested anew.
  terms_hash TEXT NOT NULL,
  -- JSON: what was checked, in its order.
  checks TEXT NOT NULL,
  -- JSON: what the made-up applicant said; his phone as a mask.
  applicant TEXT NOT NULL,
  tested_by BIGINT NOT NULL,
  tested_at BIGINT NOT NULL
);
CREATE INDEX channel_test_channel ON channel_test (channel_id, tested_at, id);
