-- A report is the reason to ask its provider: when that is done next, and how often it was.
ALTER TABLE payment_notice ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payment_notice ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;

-- The last day on which the key of a provider's platform is believed that was used before, and the day of the last warning.
ALTER TABLE payee_channel ADD COLUMN old_key_until TEXT;
ALTER TABLE payee_channel ADD COLUMN old_key_warned_for TEXT;
