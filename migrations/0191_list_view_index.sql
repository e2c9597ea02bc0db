-- @alone
-- The views of a list that a role shares.
CREATE INDEX CONCURRENTLY IF NOT EXISTS saved_view_shared ON saved_view (share_role_id, page) WHERE share_role_id IS NOT NULL;
