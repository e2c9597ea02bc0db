-- 1 of a lead that a test organisation bought, and of its clue: nothing is billed for it, and it counts in no other figure than
-- test_pushed and test_sold.
ALTER TABLE push_record ADD COLUMN test BIGINT NOT NULL DEFAULT 0;
ALTER TABLE clue ADD COLUMN test BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN test_pushed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_daily ADD COLUMN test_sold BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_monthly ADD COLUMN test_pushed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uv_stat_monthly ADD COLUMN test_sold BIGINT NOT NULL DEFAULT 0;
ALTER TABLE star_stat_daily ADD COLUMN test_pushed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE star_stat_daily ADD COLUMN test_sold BIGINT NOT NULL DEFAULT 0;
ALTER TABLE star_stat_monthly ADD COLUMN test_pushed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE star_stat_monthly ADD COLUMN test_sold BIGINT NOT NULL DEFAULT 0;

-- Programs of before would sell applicants of test channels to live plans, and bill live leads to test organisations.
UPDATE schema_fence SET least = 125 WHERE id = 1 AND least < 125;
