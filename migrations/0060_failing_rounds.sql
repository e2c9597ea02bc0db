-- @alone
-- Applicants whose matching rounds keep failing, the newest first: since the last round that was finished two or more
-- were begun, besides the one that begins at intake. They are not given up.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applicant_failing ON applicant (created_at, id, begun) WHERE begun > 1;
