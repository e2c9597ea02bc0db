-- @alone
-- A visitor's exposures are marked when the visitor applies.
CREATE INDEX CONCURRENTLY IF NOT EXISTS plan_exposure_visitor ON plan_exposure (visitor_key, day);
