-- Whether an adjustment of a confirmed statement is an item of the statement that is made next (1), or of its own statement (0).
ALTER TABLE partner_adjustment ADD COLUMN on_next BIGINT NOT NULL DEFAULT 0;
