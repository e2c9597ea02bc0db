-- The sales CRM: teams, salespeople, pools, and clues as salespeople work on them.

-- Teams: how each is reached, and which leads it takes.
ALTER TABLE sub_organisation ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE sub_organisation ADD COLUMN manager_name TEXT NOT NULL DEFAULT '';
ALTER TABLE sub_organisation ADD COLUMN phone_enc TEXT;
ALTER TABLE sub_organisation ADD COLUMN phone_mask TEXT;
-- JSON: names of cities without 市; empty: all.
ALTER TABLE sub_organisation ADD COLUMN cities TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sub_organisation ADD COLUMN accept_leads BIGINT NOT NULL DEFAULT 1;
-- Leads assigned a day at most; none: no limit.
ALTER TABLE sub_organisation ADD COLUMN daily_cap BIGINT;
ALTER TABLE sub_organisation ADD COLUMN weight BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sub_organisation ADD COLUMN sort BIGINT NOT NULL DEFAULT 0;

-- A salesperson is an account of an organisation, and has its id.
CREATE TABLE salesperson (
  id BIGINT PRIMARY KEY REFERENCES administrator (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  job_no TEXT NOT NULL DEFAULT '',
  level TEXT NOT NULL,
  wechat TEXT NOT NULL DEFAULT '',
  -- JSON: names of cities without 市; empty: all.
  cities TEXT NOT NULL DEFAULT '[]',
  weight BIGINT NOT NULL DEFAULT 1,
  -- Leads assigned a day at most; none: no limit.
  daily_cap BIGINT,
  -- Open clues held at most; none: no limit.
  private_cap BIGINT,
  receiving BIGINT NOT NULL DEFAULT 1,
  status TEXT NOT NULL,
  left_at BIGINT,
  -- Open clues that they own; equals the rows of clue.
  held BIGINT NOT NULL DEFAULT 0,
  last_assigned_at BIGINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT,
  CHECK (held >= 0)
);
CREATE INDEX salesperson_created ON salesperson (created_at, id);
CREATE INDEX salesperson_org ON salesperson (org_id, created_at, id);
CREATE INDEX salesperson_sub_org ON salesperson (sub_org_id, created_at, id);
CREATE INDEX salesperson_held ON salesperson (held, id);

-- Where clues wait that no salesperson owns.
CREATE TABLE clue_pool (
  id {{id}},
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  name TEXT NOT NULL,
  -- JSON: ids of teams that use it; empty: the whole organisation.
  sub_org_ids TEXT NOT NULL DEFAULT '[]',
  -- Clues that one salesperson may claim a day.
  claim_per_day BIGINT NOT NULL,
  -- Days for which a former owner may not claim a clue again.
  former_owner_days BIGINT NOT NULL,
  -- Minutes for which a clue that enters the pool cannot be claimed.
  new_delay_minutes BIGINT NOT NULL,
  -- Days without a follow-up after which an owned clue goes back to the pool; 0: never.
  reclaim_days BIGINT NOT NULL,
  -- Days before that when its owner is reminded.
  remind_days BIGINT NOT NULL,
  sort BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT
);
CREATE UNIQUE INDEX clue_pool_name ON clue_pool (org_id, name) WHERE deleted_at IS NULL;
CREATE INDEX clue_pool_sort ON clue_pool (org_id, sort, id);
CREATE INDEX clue_pool_created ON clue_pool (created_at, id);

ALTER TABLE clue ADD COLUMN owner_id BIGINT REFERENCES salesperson (id);
ALTER TABLE clue ADD COLUMN pool_id BIGINT REFERENCES clue_pool (id);
-- When it entered its pool, and from when on it may be claimed there.
ALTER TABLE clue ADD COLUMN pooled_at BIGINT;
ALTER TABLE clue ADD COLUMN claimable_at BIGINT;
-- Of the push, by which lists are filtered.
ALTER TABLE clue ADD COLUMN plan_id BIGINT REFERENCES plan (id);
ALTER TABLE clue ADD COLUMN channel_id BIGINT REFERENCES channel (id);
-- Finds clues of the same person within the organisation.
ALTER TABLE clue ADD COLUMN phone_hash TEXT;
ALTER TABLE clue ADD COLUMN level TEXT NOT NULL DEFAULT 'c';
ALTER TABLE clue ADD COLUMN star BIGINT NOT NULL DEFAULT 0;
-- A code of the dictionary clue_lost_reason.
ALTER TABLE clue ADD COLUMN lost_reason TEXT;
ALTER TABLE clue ADD COLUMN assigned_at BIGINT;
-- By when its owner should have followed up for the first time.
ALTER TABLE clue ADD COLUMN response_due_at BIGINT;
ALTER TABLE clue ADD COLUMN first_follow_at BIGINT;
ALTER TABLE clue ADD COLUMN last_follow_at BIGINT;
ALTER TABLE clue ADD COLUMN last_follow_text TEXT NOT NULL DEFAULT '';
ALTER TABLE clue ADD COLUMN next_follow_at BIGINT;
ALTER TABLE clue ADD COLUMN follow_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE clue ADD COLUMN sms_count BIGINT NOT NULL DEFAULT 0;
-- When it goes back to a pool, and when its owner is reminded of that; none once reminded.
ALTER TABLE clue ADD COLUMN reclaim_at BIGINT;
ALTER TABLE clue ADD COLUMN remind_at BIGINT;
-- When the next message about an overdue contact is due, and how many there were (3, 5 and 7 days).
ALTER TABLE clue ADD COLUMN escalate_at BIGINT;
ALTER TABLE clue ADD COLUMN escalation BIGINT NOT NULL DEFAULT 0;
-- The first time it reached these stages, and its owner and team at that time.
ALTER TABLE clue ADD COLUMN visited_at BIGINT;
ALTER TABLE clue ADD COLUMN visited_by BIGINT;
ALTER TABLE clue ADD COLUMN visited_sub_org_id BIGINT;
ALTER TABLE clue ADD COLUMN signed_at BIGINT;
ALTER TABLE clue ADD COLUMN signed_by BIGINT;
ALTER TABLE clue ADD COLUMN signed_sub_org_id BIGINT;
ALTER TABLE clue ADD COLUMN ended_at BIGINT;
ALTER TABLE clue ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
-- Indexes of tables that were there before are built alone: migrations 63 to 86.

-- Clues of before: what their push says of them. The worker gives them owners or pools.
UPDATE clue SET
  plan_id = (SELECT h.plan_id FROM push_record h WHERE h.id = clue.push_id),
  channel_id = (SELECT h.channel_id FROM push_record h WHERE h.id = clue.push_id),
  phone_hash = (SELECT h.phone_hash FROM push_record h WHERE h.id = clue.push_id),
  ended_at = CASE WHEN stage = 'invalid' THEN updated_at END,
  -- Only returns ended clues before.
  lost_reason = CASE WHEN stage = 'invalid' THEN 'returned' END;

CREATE TABLE clue_follow (
  id {{id}},
  clue_id BIGINT NOT NULL REFERENCES clue (id),
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  type TEXT NOT NULL,
  result TEXT,
  content TEXT NOT NULL,
  stage_from TEXT NOT NULL,
  stage_to TEXT NOT NULL,
  next_follow_at BIGINT,
  -- JSON: the files beside the note.
  files TEXT NOT NULL DEFAULT '[]',
  at BIGINT NOT NULL
);
CREATE INDEX clue_follow_clue ON clue_follow (clue_id, at, id);
CREATE INDEX clue_follow_admin ON clue_follow (admin_id, at);

CREATE TABLE clue_owner_log (
  id {{id}},
  clue_id BIGINT NOT NULL REFERENCES clue (id),
  from_owner BIGINT REFERENCES administrator (id),
  to_owner BIGINT REFERENCES administrator (id),
  to_pool BIGINT REFERENCES clue_pool (id),
  way TEXT NOT NULL,
  -- None where the program did it.
  admin_id BIGINT REFERENCES administrator (id),
  at BIGINT NOT NULL
);
CREATE INDEX clue_owner_log_clue ON clue_owner_log (clue_id, at, id);

-- What was used of limits a day: leads a team or a salesperson was assigned, clues a salesperson claimed of a
-- pool, names and phones that an account was shown, short messages of a clue.
CREATE TABLE crm_day_count (
  kind TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  -- The pool of claims; else 0.
  object_id BIGINT NOT NULL DEFAULT 0,
  day TEXT NOT NULL,
  used BIGINT NOT NULL,
  PRIMARY KEY (kind, subject_id, object_id, day)
);

-- Names and phones that an account was shown on a day: each clue counts once.
CREATE TABLE clue_reveal (
  clue_id BIGINT NOT NULL REFERENCES clue (id),
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  day TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (clue_id, admin_id, day)
);

-- Short messages to the persons of clues; how each was sent is in sms_message.
CREATE TABLE clue_sms (
  id {{id}},
  clue_id BIGINT NOT NULL REFERENCES clue (id),
  sms_id BIGINT REFERENCES sms_message (id),
  admin_id BIGINT NOT NULL REFERENCES administrator (id),
  template TEXT NOT NULL,
  text TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX clue_sms_clue ON clue_sms (clue_id, at, id);
-- People who want no short messages of an organisation.
CREATE TABLE clue_opt_out (
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  phone_hash TEXT NOT NULL,
  admin_id BIGINT REFERENCES administrator (id),
  at BIGINT NOT NULL,
  PRIMARY KEY (org_id, phone_hash)
);

-- Money of clues: loans granted and fees received.
CREATE TABLE money_record (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  clue_id BIGINT NOT NULL REFERENCES clue (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  -- Whose clue it was when it was entered.
  sales_id BIGINT REFERENCES salesperson (id),
  type TEXT NOT NULL,
  loan_cents BIGINT,
  amount_cents BIGINT NOT NULL,
  pay_method TEXT NOT NULL,
  paid_at BIGINT NOT NULL,
  -- JSON: the files that prove it.
  proof_files TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  remark TEXT NOT NULL DEFAULT '',
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  deleted_at BIGINT,
  CHECK (amount_cents > 0)
);
CREATE INDEX money_record_created ON money_record (created_at, id);
CREATE INDEX money_record_org ON money_record (org_id, created_at, id);
CREATE INDEX money_record_sub_org ON money_record (sub_org_id, created_at, id);
CREATE INDEX money_record_sales ON money_record (sales_id, created_at, id);
CREATE INDEX money_record_clue ON money_record (clue_id, created_at, id);
CREATE INDEX money_record_status ON money_record (status, created_at, id);
-- Sums of confirmed money by the time of payment.
CREATE INDEX money_record_status_paid ON money_record (status, paid_at);
CREATE INDEX money_record_org_paid ON money_record (status, org_id, paid_at);
CREATE INDEX money_record_sales_paid ON money_record (status, sales_id, paid_at);

-- Targets of a month, for an organisation, a team or a salesperson. What was reached is computed.
CREATE TABLE achievement_target (
  id {{id}},
  -- YYYY-MM.
  month TEXT NOT NULL,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  object_type TEXT NOT NULL,
  object_id BIGINT NOT NULL,
  metric TEXT NOT NULL,
  -- Fen, or a number.
  target BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  UNIQUE (month, object_type, object_id, metric),
  CHECK (target >= 0)
);
CREATE INDEX achievement_target_org ON achievement_target (org_id, month);
