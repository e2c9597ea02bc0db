-- Visits and exposures: who saw what on which day, and the daily figures that the lists read.

-- One row for a visitor of a subject by a channel on a day, however often he came.
CREATE TABLE uv_event (
  day TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  -- 0 for none; of a channel's own visits always 0.
  channel_id BIGINT NOT NULL,
  visitor_key TEXT NOT NULL,
  system TEXT NOT NULL,
  -- The organisation that the subject belongs to; 0 for none.
  org_id BIGINT NOT NULL,
  pv_count BIGINT NOT NULL,
  -- Views that the last write added, and how many writes there have been: what the roll-up needs to
  -- know of a write, and tells a new row from an old one on both engines.
  pv_added BIGINT NOT NULL,
  writes BIGINT NOT NULL,
  -- Of the first and of the last view, in the order in which they arrived.
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  user_id BIGINT,
  -- What this visitor costs or brings, as it was priced then.
  charge_cents BIGINT NOT NULL,
  -- 0 where one address brought too many: views count, the visitor does not.
  billable BIGINT NOT NULL,
  -- 1 by a channel in test mode.
  test BIGINT NOT NULL,
  PRIMARY KEY (day, subject_type, subject_id, channel_id, visitor_key)
);

-- A plan that was shown to a visitor: one row a day.
CREATE TABLE plan_exposure (
  id {{id}},
  day TEXT NOT NULL,
  plan_id BIGINT NOT NULL,
  visitor_key TEXT NOT NULL,
  org_id BIGINT NOT NULL,
  product_id BIGINT,
  channel_id BIGINT NOT NULL,
  user_id BIGINT,
  system TEXT NOT NULL,
  position BIGINT,
  -- Times that it was shown; 0 where it is only known to have been chosen.
  pv_count BIGINT NOT NULL,
  pv_added BIGINT NOT NULL,
  writes BIGINT NOT NULL,
  shown_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  clicked_at BIGINT,
  applied_at BIGINT,
  client_ip TEXT NOT NULL,
  ua_hash TEXT NOT NULL,
  test BIGINT NOT NULL
);
CREATE UNIQUE INDEX plan_exposure_once ON plan_exposure (day, plan_id, visitor_key);
-- With the system: rows of one are counted without the table.
CREATE INDEX plan_exposure_shown ON plan_exposure (shown_at, id, system);
CREATE INDEX plan_exposure_plan ON plan_exposure (plan_id, shown_at, id, system);
CREATE INDEX plan_exposure_channel ON plan_exposure (channel_id, shown_at, id, system);
CREATE INDEX plan_exposure_org ON plan_exposure (org_id, shown_at, id, system);
CREATE INDEX plan_exposure_clicked ON plan_exposure (shown_at, id, system) WHERE clicked_at IS NOT NULL;

-- The figures of a subject on a day: of each channel and system, and of all of them. They are kept
-- as events arrive and can be made again from the rows above.
CREATE TABLE uv_stat_daily (
  id {{id}},
  day TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  -- 0 for all.
  channel_id BIGINT NOT NULL,
  -- Empty for all.
  system TEXT NOT NULL,
  org_id BIGINT NOT NULL,
  pv BIGINT NOT NULL,
  uv BIGINT NOT NULL,
  test_pv BIGINT NOT NULL,
  test_uv BIGINT NOT NULL,
  exposure_pv BIGINT NOT NULL,
  exposure_uv BIGINT NOT NULL,
  cost_cents BIGINT NOT NULL,
  income_cents BIGINT NOT NULL,
  computed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX uv_stat_once ON uv_stat_daily (day, subject_type, subject_id, channel_id, system);
CREATE INDEX uv_stat_subject ON uv_stat_daily (subject_type, subject_id, channel_id, system, day, id);
-- Days in order, with every figure: totals are added up without the table.
CREATE INDEX uv_stat_day ON uv_stat_daily (subject_type, channel_id, system, day, id, subject_id, org_id,
  pv, uv, test_pv, test_uv, exposure_pv, exposure_uv, cost_cents, income_cents);
CREATE INDEX uv_stat_org ON uv_stat_daily (org_id, subject_type, channel_id, day, id) WHERE system = '';
-- The largest first, over all days. Figures change all the time, so only the rows that are sorted
-- over long ranges are kept in order.
CREATE INDEX uv_stat_pv ON uv_stat_daily (subject_type, channel_id, pv, id, day) WHERE system = '';
CREATE INDEX uv_stat_uv ON uv_stat_daily (subject_type, channel_id, uv, id, day) WHERE system = '';
CREATE INDEX uv_stat_exposure_pv ON uv_stat_daily (subject_type, channel_id, exposure_pv, id, day) WHERE system = '';
CREATE INDEX uv_stat_exposure_uv ON uv_stat_daily (subject_type, channel_id, exposure_uv, id, day) WHERE system = '';
CREATE INDEX uv_stat_cost ON uv_stat_daily (subject_type, channel_id, cost_cents, id, day) WHERE system = '';
CREATE INDEX uv_stat_income ON uv_stat_daily (subject_type, channel_id, income_cents, id, day) WHERE system = '';
CREATE INDEX uv_stat_margin ON uv_stat_daily (subject_type, channel_id, (income_cents - cost_cents), id, day) WHERE system = '';

-- How many visitors of a subject an address has brought on a day; kept for some days.
CREATE TABLE visit_source (
  day TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  -- Keyed hash of the address.
  source TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  PRIMARY KEY (day, subject_type, subject_id, source)
);

-- From which day on the rows above are all there; without a row, from the first.
CREATE TABLE visit_kept (
  id BIGINT PRIMARY KEY,
  from_day TEXT NOT NULL
);

-- Tokens of signed calls that have been used.
CREATE TABLE nonce (
  owner TEXT NOT NULL,
  token TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner, token)
);
CREATE INDEX nonce_expires ON nonce (expires_at);
