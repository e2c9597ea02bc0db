-- @alone
-- The payment orders of a clue.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_order_clue ON payment_order (clue_id) WHERE clue_id IS NOT NULL;
