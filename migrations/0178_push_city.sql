-- @alone
-- Pushes are filtered by the city of their applicant.
CREATE INDEX CONCURRENTLY IF NOT EXISTS push_record_city ON push_record (city, created_at, id, status, org_id, plan_id, channel_id);
