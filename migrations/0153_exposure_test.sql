-- @alone
-- Exposures of test channels and test organisations are few among the others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS plan_exposure_test ON plan_exposure (shown_at, id, system) WHERE test = 1;
