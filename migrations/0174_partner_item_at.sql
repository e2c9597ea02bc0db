-- @alone
-- Items in the order in which they were booked.
CREATE INDEX CONCURRENTLY IF NOT EXISTS partner_item_at ON partner_item (at, id);
