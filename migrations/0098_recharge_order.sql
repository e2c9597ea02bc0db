-- @alone
-- A paid order is credited by one recharge.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS recharge_payment_order ON recharge (payment_order_id) WHERE payment_order_id IS NOT NULL;
