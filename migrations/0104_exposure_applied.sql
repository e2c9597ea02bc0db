-- @alone
-- The exposures whose visitors have applied, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS plan_exposure_applied ON plan_exposure (shown_at, id, system) WHERE applied_at IS NOT NULL;
