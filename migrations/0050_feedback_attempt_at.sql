-- @alone
-- Tries to tell a channel that are too old to be kept are found by their age.
CREATE INDEX CONCURRENTLY IF NOT EXISTS feedback_attempt_at ON feedback_attempt (at);
