-- Risk reports: whom somebody asked about, where, what it cost and what came back. Each row is one
-- question, so that this is the log of what was paid as well.
CREATE TABLE risk_report (
  id {{id}},
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  phone_mask TEXT NOT NULL,
  -- `built_in`, or the host of a provider outside.
  provider TEXT NOT NULL,
  -- The consent under which somebody outside was asked.
  consent_id BIGINT REFERENCES consent_record (id),
  status TEXT NOT NULL,
  -- Why it failed.
  failure TEXT,
  score BIGINT,
  level TEXT,
  -- JSON, encrypted: what was found, and the facts by section.
  detail_enc TEXT,
  cost_cents BIGINT NOT NULL DEFAULT 0,
  took_ms BIGINT,
  queried_by BIGINT NOT NULL REFERENCES administrator (id),
  -- Until then the report is used again.
  valid_until BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
-- Nobody is asked about twice at the same moment.
CREATE UNIQUE INDEX risk_report_querying ON risk_report (user_id) WHERE status = 'querying';
CREATE INDEX risk_report_user ON risk_report (user_id, id);
CREATE INDEX risk_report_paid ON risk_report (created_at) WHERE provider <> 'built_in';

-- What the built-in provider looks for: who else came from an address, and who bought somebody's leads.
CREATE INDEX applicant_address ON applicant (client_ip, created_at) WHERE client_ip <> '';
CREATE INDEX push_record_phone ON push_record (phone_hash, created_at);

-- What the channel gets for having brought him, as it was then; what it gets for a sale is the sale's.
ALTER TABLE applicant ADD COLUMN channel_cost_cents BIGINT NOT NULL DEFAULT 0;
