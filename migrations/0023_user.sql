-- Applicants, what they agreed to, whom they were matched with, and the leads that come of them.
CREATE TABLE applicant (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  -- Personal fields are empty once he is erased; the hashes stay.
  phone_enc TEXT,
  phone_hash TEXT NOT NULL,
  -- Keyed hash of the phone's MD5, by which partners ask.
  phone_md5_hash TEXT NOT NULL,
  phone_mask TEXT NOT NULL,
  name_enc TEXT,
  name_mask TEXT NOT NULL,
  id_no_enc TEXT,
  id_no_hash TEXT,
  id_no_mask TEXT,
  province TEXT NOT NULL,
  city TEXT NOT NULL,
  sex TEXT,
  age BIGINT,
  amount_cents BIGINT,
  -- JSON: all that he says of himself, by the names of the fields that rules know.
  said TEXT NOT NULL,
  star BIGINT,
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  product_id BIGINT REFERENCES product (id),
  -- The channel's own number of the call: told twice, it is one applicant.
  request_id TEXT,
  -- Hash of what was sent: the same within a minute is a repetition.
  payload_hash TEXT NOT NULL,
  source_url TEXT,
  system TEXT NOT NULL,
  client_ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  -- 1 by a channel in test mode: never sold.
  test BIGINT NOT NULL,
  status TEXT NOT NULL,
  -- Why he is in that status, where there is something to say.
  reason TEXT,
  -- JSON: what he was held against when he came, in its order.
  checks TEXT NOT NULL,
  -- How often plans were looked for.
  rounds BIGINT NOT NULL DEFAULT 0,
  -- When plans are looked for next; while somebody does, until when he has him. None when nobody needs to.
  due_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT REFERENCES administrator (id),
  updated_by BIGINT
);
CREATE UNIQUE INDEX applicant_request ON applicant (channel_id, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX applicant_phone ON applicant (phone_hash, created_at, id);
CREATE INDEX applicant_phone_md5 ON applicant (phone_md5_hash, created_at, id);
CREATE INDEX applicant_id_no ON applicant (id_no_hash, created_at, id) WHERE id_no_hash IS NOT NULL;
CREATE INDEX applicant_due ON applicant (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX applicant_created ON applicant (created_at, id);
CREATE INDEX applicant_updated ON applicant (updated_at, id);
CREATE INDEX applicant_amount ON applicant ((COALESCE(amount_cents, 0)), id);
CREATE INDEX applicant_age ON applicant ((COALESCE(age, 0)), id);
CREATE INDEX applicant_channel ON applicant (channel_id, created_at, id);
CREATE INDEX applicant_product ON applicant (product_id, created_at, id);
CREATE INDEX applicant_status ON applicant (status, created_at, id);
CREATE INDEX applicant_city ON applicant (city, created_at, id);
CREATE INDEX applicant_star ON applicant (star, created_at, id);
CREATE INDEX applicant_test ON applicant (test, created_at, id);

-- What he agreed to, and when. Kept for as long as the law asks, erased or not.
CREATE TABLE consent_record (
  id {{id}},
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  phone_hash TEXT NOT NULL,
  agreement_code TEXT NOT NULL,
  agreement_version TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  -- JSON: the organisations that it names.
  recipients TEXT NOT NULL,
  -- 1 where the agreement names the class of all our partners instead.
  all_partners BIGINT NOT NULL,
  scene TEXT NOT NULL,
  granted_at BIGINT NOT NULL,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  revoked_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX consent_user ON consent_record (user_id, id);

-- Questions whether somebody is wanted: channels' to us, ours to organisations; and each round in which
-- plans were looked for.
CREATE TABLE match_record (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL,
  user_id BIGINT REFERENCES applicant (id),
  phone_mask TEXT NOT NULL,
  city TEXT NOT NULL,
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  plan_id BIGINT REFERENCES plan (id),
  org_id BIGINT REFERENCES organisation (id),
  -- JSON: the question, without what tells who it is.
  request TEXT NOT NULL,
  -- The answer, likewise.
  response TEXT,
  status TEXT NOT NULL,
  bid_cents BIGINT,
  upstream_no TEXT,
  -- JSON: plans that were passed over, by the reason.
  passed_over TEXT NOT NULL,
  cost_ms BIGINT NOT NULL,
  expires_at BIGINT,
  test BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX match_created ON match_record (created_at, id);
CREATE INDEX match_user ON match_record (user_id, created_at, id);
CREATE INDEX match_channel ON match_record (channel_id, created_at, id);
CREATE INDEX match_org ON match_record (org_id, created_at, id);
CREATE INDEX match_plan ON match_record (plan_id, created_at, id);
CREATE INDEX match_status ON match_record (status, created_at, id);
CREATE INDEX match_direction ON match_record (direction, created_at, id);

-- Questions of channels, counted by day.
CREATE TABLE match_daily (
  id {{id}},
  day TEXT NOT NULL,
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  asked BIGINT NOT NULL,
  matched BIGINT NOT NULL,
  known BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  no_plan BIGINT NOT NULL,
  test BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX match_daily_once ON match_daily (day, channel_id);
CREATE INDEX match_daily_day ON match_daily (day, id);
CREATE INDEX match_daily_channel ON match_daily (channel_id, day, id);

-- Leads: whom they are about, and what is held for them.
ALTER TABLE push_record ADD COLUMN phone_hash TEXT;
ALTER TABLE push_record ADD COLUMN match_id BIGINT REFERENCES match_record (id);
-- Of the account of the organisation, while the lead is on its way.
ALTER TABLE push_record ADD COLUMN held_cents BIGINT NOT NULL DEFAULT 0;
CREATE INDEX push_record_person ON push_record (org_id, phone_hash, created_at);
CREATE INDEX push_record_user ON push_record (user_id, created_at, id);
CREATE INDEX push_record_due ON push_record (next_retry_at) WHERE status IN ('queued', 'sending', 'retrying');

-- When a plan bought last, for plans that take turns.
CREATE TABLE plan_turn (
  plan_id BIGINT PRIMARY KEY REFERENCES plan (id),
  sold_at BIGINT NOT NULL
);
-- Deliveries in a row that failed.
ALTER TABLE plan ADD COLUMN delivery_errors BIGINT NOT NULL DEFAULT 0;

-- Clues: leads as sales people work on them.
CREATE TABLE clue (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  push_id BIGINT UNIQUE REFERENCES push_record (id),
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  name_mask TEXT NOT NULL,
  phone_mask TEXT NOT NULL,
  city TEXT NOT NULL,
  stage TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX clue_org ON clue (org_id, created_at, id);
CREATE INDEX clue_sub_org ON clue (sub_org_id, created_at, id);
CREATE INDEX clue_user ON clue (user_id);

CREATE INDEX account_ledger_ref ON account_ledger (ref_type, ref_id);
