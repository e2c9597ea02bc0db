-- A head of the ledger is sealed with the key of the ledger, which is not in the database. A row that was written by hand has no
-- right seal and counts for nothing. Rows of programs from before have none.
ALTER TABLE ledger_head ADD COLUMN seal TEXT;

-- When staff got a message that a refund has been at its provider for more than a day.
ALTER TABLE payment_refund ADD COLUMN late_at BIGINT;

-- How often in a row the files of a view could not be ordered, and when that is tried again.
ALTER TABLE saved_view ADD COLUMN send_failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE saved_view ADD COLUMN send_due_at BIGINT;

-- Programs before this one would write heads without a seal.
UPDATE schema_fence SET least = 184 WHERE id = 1;
