-- What becomes of leads after they are offered, in the daily figures: offers and how they end, returns by the day of
-- their decision, feedback by stars, and what salespeople reach.
ALTER TABLE uv_stat_daily ADD COLUMN pushed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN duplicates BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN failed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN refused BIGINT NOT NULL DEFAULT 0;
-- Part of income and cost: what was given back and charged for returns, by the day of the sale.
ALTER TABLE uv_stat_daily ADD COLUMN refund_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN charged_cents BIGINT NOT NULL DEFAULT 0;
-- The same by the day of the decision.
ALTER TABLE uv_stat_daily ADD COLUMN decided BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN decided_refund_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN decided_charged_cents BIGINT NOT NULL DEFAULT 0;
-- Feedback with so many stars.
ALTER TABLE uv_stat_daily ADD COLUMN stars_0 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN stars_1 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN stars_2 BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN stars_3 BIGINT NOT NULL DEFAULT 0;
-- Clues that reached a stage, by the day on which they came.
ALTER TABLE uv_stat_daily ADD COLUMN contacted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN visited BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN signed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN disbursed BIGINT NOT NULL DEFAULT 0;
-- Confirmed money of clues, less refunds, by the day of payment.
ALTER TABLE uv_stat_daily ADD COLUMN money_cents BIGINT NOT NULL DEFAULT 0;

ALTER TABLE lead_event ADD COLUMN user_id BIGINT;

-- The first time a clue was disbursed.
ALTER TABLE clue ADD COLUMN disbursed_at BIGINT;
UPDATE clue SET disbursed_at = COALESCE(ended_at, updated_at) WHERE stage = 'disbursed';

-- The stars under which an applicant's figures are counted: those of the last feedback that was added up.
CREATE TABLE lead_star (
  user_id BIGINT PRIMARY KEY REFERENCES applicant (id),
  star BIGINT NOT NULL
);
INSERT INTO lead_star (user_id, star) SELECT id, star FROM applicant WHERE star IS NOT NULL;

-- Stars that were given and are in no figure yet.
CREATE TABLE lead_rating (
  id {{id}},
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  star BIGINT NOT NULL
);

-- What becomes of applicants by their stars, -1 for those without, of all (0) and of each channel and organisation.
CREATE TABLE star_stat_daily (
  id {{id}},
  day TEXT NOT NULL,
  star BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  org_id BIGINT NOT NULL,
  cost_cents BIGINT NOT NULL,
  income_cents BIGINT NOT NULL,
  registered BIGINT NOT NULL,
  applied BIGINT NOT NULL,
  matched BIGINT NOT NULL,
  sold BIGINT NOT NULL,
  returned BIGINT NOT NULL,
  pushed BIGINT NOT NULL,
  duplicates BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  refund_cents BIGINT NOT NULL,
  charged_cents BIGINT NOT NULL,
  decided BIGINT NOT NULL,
  decided_refund_cents BIGINT NOT NULL,
  decided_charged_cents BIGINT NOT NULL,
  stars_0 BIGINT NOT NULL,
  stars_1 BIGINT NOT NULL,
  stars_2 BIGINT NOT NULL,
  stars_3 BIGINT NOT NULL,
  contacted BIGINT NOT NULL,
  visited BIGINT NOT NULL,
  signed BIGINT NOT NULL,
  disbursed BIGINT NOT NULL,
  money_cents BIGINT NOT NULL,
  computed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX star_stat_once ON star_stat_daily (day, star, channel_id, org_id);
CREATE INDEX star_stat_parts ON star_stat_daily (channel_id, org_id, day);
CREATE INDEX star_stat_org ON star_stat_daily (org_id, channel_id, day);
