-- Who last asked that a payment exception is accepted, or withdrew that: another person decides on it. Exceptions are added by the
-- program.
ALTER TABLE payment_exception ADD COLUMN created_by BIGINT;
ALTER TABLE payment_exception ADD COLUMN updated_by BIGINT;

-- From when on a link of the pool goes to another order: the payer of the order that had it may have it open until then.
ALTER TABLE payment_link ADD COLUMN free_from BIGINT;

-- What went wrong last with a report of a provider, and the reports that are not tried any more until staff have them tried again.
ALTER TABLE payment_notice ADD COLUMN last_error TEXT;
CREATE TABLE payment_stuck_report (
  payment_notice_id BIGINT PRIMARY KEY REFERENCES payment_notice (id),
  created_at BIGINT NOT NULL
);
CREATE INDEX payment_stuck_report_created ON payment_stuck_report (created_at, payment_notice_id);

-- Programs before this one would accept a payment exception by one person, and give a link to the next order at once.
UPDATE schema_fence SET least = 167 WHERE id = 1;
