-- What became of applicants, in the daily figures.
ALTER TABLE uv_stat_daily ADD COLUMN registered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN applied BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN matched BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN sold BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN returned BIGINT NOT NULL DEFAULT 0;
-- Totals are still added up without the table.
DROP INDEX uv_stat_day;
CREATE INDEX uv_stat_day ON uv_stat_daily (subject_type, channel_id, system, day, id, subject_id, org_id,
  pv, uv, test_pv, test_uv, exposure_pv, exposure_uv, cost_cents, income_cents, registered, applied, matched, sold, returned);

-- What has happened to applicants and is in no figure yet. A row comes with what happened, and goes
-- with its being added up: nobody who sells waits for a row of figures.
CREATE TABLE lead_event (
  id {{id}},
  day TEXT NOT NULL,
  channel_id BIGINT NOT NULL,
  -- From here on none before somebody buys.
  product_id BIGINT,
  plan_id BIGINT,
  org_id BIGINT,
  system TEXT NOT NULL,
  kind TEXT NOT NULL,
  cost_cents BIGINT NOT NULL,
  income_cents BIGINT NOT NULL
);

-- What channels get for applicants who were sold: once for each, with the first lead that was taken.
CREATE TABLE lead_cost (
  user_id BIGINT PRIMARY KEY REFERENCES applicant (id),
  push_id BIGINT NOT NULL REFERENCES push_record (id),
  cost_cents BIGINT NOT NULL
);
INSERT INTO lead_cost (user_id, push_id, cost_cents)
  SELECT h.user_id, h.id, h.channel_cost_cents FROM push_record h
  WHERE h.user_id IS NOT NULL AND h.sold_at IS NOT NULL AND h.channel_cost_cents > 0 AND NOT EXISTS
    (SELECT 1 FROM push_record e WHERE e.user_id = h.user_id AND e.channel_cost_cents > 0
       AND (e.sold_at < h.sold_at OR (e.sold_at = h.sold_at AND e.id < h.id)));

-- Leads that were given back, by the day of the decision.
CREATE INDEX lead_return_approved ON lead_return (reviewed_at) WHERE status = 'approved';
