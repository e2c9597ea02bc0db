-- Who last asked that a payment exception is accepted, or withdrew that: another person decides on it. Exceptions are added by the
-- program.
ALTER TABLE payment_exception ADD COLUMN created_by BIGINT;
ALTER TABLE payment_exception ADD COLUMN updated_by BIGINT;

-- Programs before this one would accept a payment exception by one person.
UPDATE schema_fence SET least = 167 WHERE id = 1;
