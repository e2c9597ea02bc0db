-- @alone
-- Leads for which money is held, by whose: of all that were ever sold they are few.
CREATE INDEX CONCURRENTLY IF NOT EXISTS push_record_held ON push_record (org_id, held_cents) WHERE held_cents <> 0;
