-- Red-letter invoices are invoices against an issued one, whose amount they count back.
ALTER TABLE invoice ADD COLUMN red_of_id BIGINT REFERENCES invoice (id);
ALTER TABLE invoice ADD COLUMN red_reason TEXT;
-- Of an issued invoice, the sum of its red-letter invoices that are asked for or issued.
ALTER TABLE invoice ADD COLUMN red_cents BIGINT NOT NULL DEFAULT 0 CHECK (red_cents >= 0 AND red_cents <= amount_cents);

-- Refunds of leads since the last request for an invoice, less what red-letter invoices counted back: what can be invoiced is less by them.
ALTER TABLE org_payee_invoiced ADD COLUMN refunded_cents BIGINT NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0);
-- The same, as it was when the invoice was asked for.
ALTER TABLE invoice ADD COLUMN refunded_cents BIGINT NOT NULL DEFAULT 0;

-- Since when more is invoiced than was spent, where finance staff have a message about it.
ALTER TABLE org_account ADD COLUMN over_invoiced_at BIGINT;

-- Programs before this one would void invoices that have red-letter invoices, and count a red-letter invoice as one more invoice.
UPDATE schema_fence SET least = 157 WHERE id = 1;
