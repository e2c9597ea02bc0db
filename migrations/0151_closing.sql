-- The number of the last entry in a statement: the next one begins after it. Statements of before have none; the first statement
-- after them begins after the last entry that is dated before its month.
ALTER TABLE org_statement ADD COLUMN last_seq BIGINT;
