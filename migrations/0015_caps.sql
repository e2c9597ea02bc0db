-- Caps: how much of a channel, a plan, a product, a team or a salesperson is taken in a time.
CREATE TABLE cap_rule (
  id {{id}},
  subject_type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  "window" TEXT NOT NULL,
  -- 1 is Monday; of a day only.
  weekday BIGINT,
  max_count BIGINT,
  max_cents BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX cap_rule_subject ON cap_rule (subject_type, subject_id, "window", COALESCE(weekday, 0));

CREATE TABLE cap_counter (
  rule_id BIGINT NOT NULL REFERENCES cap_rule (id),
  -- Epoch milliseconds.
  window_start BIGINT NOT NULL,
  used_count BIGINT NOT NULL,
  used_cents BIGINT NOT NULL,
  PRIMARY KEY (rule_id, window_start)
);

-- JSON: a rule set; none for any applicant.
ALTER TABLE channel ADD COLUMN filters TEXT;
