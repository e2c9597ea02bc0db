-- Compliance checks: the rules, and what came out for whom.
CREATE TABLE compliance_rule (
  id {{id}},
  code TEXT NOT NULL UNIQUE,
  title_zh TEXT NOT NULL,
  title_en TEXT NOT NULL,
  -- JSON: the kinds of target it is for.
  target_types TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: fields, words, days, as the kind needs them.
  params TEXT NOT NULL,
  severity TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'enabled',
  builtin BIGINT NOT NULL DEFAULT 0,
  sort BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX compliance_rule_sort ON compliance_rule (sort, id);

-- Appended to, never changed: another check is another row.
CREATE TABLE compliance_check (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  target_type TEXT NOT NULL,
  -- None for a text that was given.
  target_id BIGINT,
  target_name TEXT NOT NULL,
  -- JSON: what was found, rule by rule.
  items TEXT NOT NULL,
  source TEXT NOT NULL,
  result TEXT NOT NULL,
  valid_until BIGINT NOT NULL,
  checked_by BIGINT,
  checked_at BIGINT NOT NULL
);
CREATE INDEX compliance_check_at ON compliance_check (checked_at, id);
CREATE INDEX compliance_check_target ON compliance_check (target_type, target_id, checked_at, id);
CREATE INDEX compliance_check_result ON compliance_check (result, checked_at, id);
CREATE INDEX compliance_check_by ON compliance_check (checked_by, checked_at, id);

ALTER TABLE organisation ADD COLUMN licence_no TEXT;
-- YYYY-MM-DD, the last day on which it is valid.
ALTER TABLE organisation ADD COLUMN licence_expire_on TEXT;
