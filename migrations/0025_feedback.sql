-- The keys with which organisations sign their calls: at most one row each.
CREATE TABLE org_signing_key (
  org_id BIGINT PRIMARY KEY REFERENCES organisation (id),
  app_key TEXT NOT NULL UNIQUE,
  app_secret_enc TEXT NOT NULL,
  -- The secret before, and until when it signs beside its successor.
  old_secret_enc TEXT,
  old_secret_until BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);

-- What became of applicants, as organisations, staff and they themselves say; and the word of it to
-- the channel that brought each.
CREATE TABLE feedback (
  id {{id}},
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  push_id BIGINT REFERENCES push_record (id),
  -- Those of the push.
  org_id BIGINT REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  -- The applicant's.
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  source TEXT NOT NULL,
  star BIGINT,
  -- An item of the dictionary's feedback_end_code.
  end_code TEXT,
  loan_cents BIGINT,
  content TEXT NOT NULL DEFAULT '',
  -- The organisation's own number of its report: told twice, it is one.
  request_id TEXT,
  handle_status TEXT NOT NULL,
  handled_by BIGINT REFERENCES administrator (id),
  handled_at BIGINT,
  reply TEXT NOT NULL DEFAULT '',
  callback_status TEXT NOT NULL,
  callback_attempts BIGINT NOT NULL DEFAULT 0,
  -- When the channel is told next; while somebody does, until when he has it. None when nobody needs to.
  callback_due_at BIGINT,
  sent_to_channel_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT REFERENCES administrator (id),
  updated_by BIGINT
);
CREATE UNIQUE INDEX feedback_request ON feedback (org_id, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX feedback_due ON feedback (callback_due_at) WHERE callback_due_at IS NOT NULL;
CREATE INDEX feedback_created ON feedback (created_at, id);
CREATE INDEX feedback_loan ON feedback ((COALESCE(loan_cents, 0)), id);
CREATE INDEX feedback_user ON feedback (user_id, created_at, id);
CREATE INDEX feedback_push ON feedback (push_id, created_at, id);
CREATE INDEX feedback_org ON feedback (org_id, created_at, id);
CREATE INDEX feedback_sub_org ON feedback (sub_org_id, created_at, id);
CREATE INDEX feedback_channel ON feedback (channel_id, created_at, id);
CREATE INDEX feedback_source ON feedback (source, created_at, id);
CREATE INDEX feedback_star ON feedback (star, created_at, id);
CREATE INDEX feedback_end_code ON feedback (end_code, created_at, id);
CREATE INDEX feedback_handle ON feedback (handle_status, created_at, id);
CREATE INDEX feedback_callback ON feedback (callback_status, created_at, id);

-- Every try to tell a channel.
CREATE TABLE feedback_attempt (
  id {{id}},
  feedback_id BIGINT NOT NULL REFERENCES feedback (id),
  seq BIGINT NOT NULL,
  url TEXT NOT NULL,
  request TEXT NOT NULL,
  http_status BIGINT,
  response TEXT,
  cost_ms BIGINT NOT NULL,
  error TEXT,
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX feedback_attempt_seq ON feedback_attempt (feedback_id, seq);
