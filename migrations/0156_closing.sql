-- The number of the last entry in a statement: the next one begins after it. Statements of before have none; the first statement
-- after them begins after the last entry that is dated before its month.
ALTER TABLE org_statement ADD COLUMN last_seq BIGINT;

-- The payments and refunds of an imported statement, with which its day is compared again before it is closed.
CREATE TABLE payment_statement_line (
  id {{id}},
  payment_statement_id BIGINT NOT NULL REFERENCES payment_statement (id),
  number TEXT NOT NULL,
  direction TEXT NOT NULL,
  cents BIGINT NOT NULL
);
CREATE INDEX payment_statement_line_statement ON payment_statement_line (payment_statement_id, id);

-- Programs before this one would import a statement without its lines, and close a day that has changed.
UPDATE schema_fence SET least = 156 WHERE id = 1;
