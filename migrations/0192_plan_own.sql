-- What an organisation may change of its plan by itself, as agreed with the platform: its price from and to, the most leads a day
-- that its caps may allow, its hours, its cities, and whether it may pause the plan and resume it.
ALTER TABLE plan ADD COLUMN own_price_least_cents BIGINT;
ALTER TABLE plan ADD COLUMN own_price_most_cents BIGINT;
ALTER TABLE plan ADD COLUMN own_day_most BIGINT;
ALTER TABLE plan ADD COLUMN own_hours BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan ADD COLUMN own_cities BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan ADD COLUMN own_pause BIGINT NOT NULL DEFAULT 0;

-- Its organisation paused it, so its organisation may resume it.
ALTER TABLE plan ADD COLUMN paused_by_org BIGINT NOT NULL DEFAULT 0;
