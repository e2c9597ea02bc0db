-- @alone
-- The money that a payment order brought and gave back.
CREATE INDEX CONCURRENTLY IF NOT EXISTS money_record_payment ON money_record (payment_order_id) WHERE payment_order_id IS NOT NULL;
