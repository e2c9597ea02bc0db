-- Leads that organisations give back, and what was decided on each.
CREATE TABLE lead_return (
  id {{id}},
  push_id BIGINT NOT NULL REFERENCES push_record (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  -- An item of the dictionary's lead_return_reason.
  reason_code TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  -- JSON: the files that prove it.
  proof_files TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  refund_cents BIGINT NOT NULL,
  -- 1 where the channel that brought the applicant is not paid for him either.
  charge_channel BIGINT NOT NULL DEFAULT 0,
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT REFERENCES administrator (id),
  updated_by BIGINT
);
-- What waits or was approved keeps another from being asked for.
CREATE UNIQUE INDEX lead_return_active ON lead_return (push_id) WHERE status IN ('pending', 'approved');
CREATE INDEX lead_return_push ON lead_return (push_id, id);
CREATE INDEX lead_return_org ON lead_return (org_id, created_at);

-- The last return of each lead, and how it stands, for the list of pushes.
ALTER TABLE push_record ADD COLUMN return_id BIGINT REFERENCES lead_return (id);
ALTER TABLE push_record ADD COLUMN return_status TEXT;
CREATE INDEX push_record_return ON push_record (return_status, created_at, id);
