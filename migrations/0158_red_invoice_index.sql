-- @alone
-- The red-letter invoices of an invoice.
CREATE INDEX CONCURRENTLY IF NOT EXISTS invoice_red ON invoice (red_of_id, created_at, id) WHERE red_of_id IS NOT NULL;
