-- Projects: partners on their way in, and the steps that each has taken.
CREATE TABLE project (
  id {{id}},
  -- Given when it is first submitted.
  no TEXT UNIQUE,
  partner_type TEXT NOT NULL,
  name TEXT NOT NULL,
  contact_name TEXT NOT NULL,
  contact_phone_enc TEXT,
  contact_phone_hash TEXT,
  contact_phone_mask TEXT,
  contact_email TEXT,
  city TEXT NOT NULL,
  licence_no TEXT NOT NULL,
  settle_mode TEXT NOT NULL,
  unit_price_cents BIGINT NOT NULL,
  share_bp BIGINT NOT NULL,
  daily_volume BIGINT,
  start_date TEXT,
  landing_url TEXT,
  callback_url TEXT,
  ip_allow TEXT NOT NULL DEFAULT '[]',
  remark TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,
  stage TEXT NOT NULL,
  applicant_admin_id BIGINT NOT NULL REFERENCES administrator (id),
  submitted_at BIGINT,
  launched_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
-- An account has one draft at a time.
CREATE UNIQUE INDEX project_draft ON project (applicant_admin_id) WHERE status = 'draft';
CREATE INDEX project_created ON project (created_at, id);
CREATE INDEX project_updated ON project (updated_at, id);
CREATE INDEX project_name ON project (name, id);
CREATE INDEX project_start ON project ((COALESCE(start_date, '')), id);
CREATE INDEX project_volume ON project ((COALESCE(daily_volume, 0)), id);
CREATE INDEX project_status ON project (status, created_at, id);
CREATE INDEX project_stage ON project (stage, created_at, id);
CREATE INDEX project_partner ON project (partner_type, created_at, id);
CREATE INDEX project_applicant ON project (applicant_admin_id, created_at, id);
CREATE INDEX project_phone ON project (contact_phone_hash);

CREATE TABLE project_step (
  id {{id}},
  project_id BIGINT NOT NULL REFERENCES project (id),
  stage TEXT NOT NULL,
  action TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  reasons TEXT NOT NULL DEFAULT '[]',
  -- What was submitted, as JSON.
  content TEXT,
  by_admin_id BIGINT NOT NULL REFERENCES administrator (id),
  at BIGINT NOT NULL
);
CREATE INDEX project_step_project ON project_step (project_id, id);
