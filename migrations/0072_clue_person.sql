-- @alone
-- Clues of the same person, within an organisation and in any scope.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_person ON clue (phone_hash, org_id);
