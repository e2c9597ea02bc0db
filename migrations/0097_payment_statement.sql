-- Reconciliation: a day's statement of a payee channel against our payments, and what differs.
CREATE TABLE payment_statement_columns (
  payee_channel_id BIGINT PRIMARY KEY REFERENCES payee_channel (id),
  -- Titles of columns in the files of the bank or provider.
  number_column TEXT NOT NULL,
  amount_column TEXT NOT NULL,
  refund_column TEXT
);

CREATE TABLE payment_statement (
  id {{id}},
  payee_channel_id BIGINT NOT NULL REFERENCES payee_channel (id),
  -- YYYY-MM-DD, on Shanghai's clock.
  day TEXT NOT NULL,
  file_name TEXT NOT NULL,
  -- Counts and sums, less refunds, of our records and of the statement, and the number of matches.
  our_count BIGINT NOT NULL,
  our_cents BIGINT NOT NULL,
  their_count BIGINT NOT NULL,
  their_cents BIGINT NOT NULL,
  matched_count BIGINT NOT NULL,
  status TEXT NOT NULL,
  closed_by BIGINT REFERENCES administrator (id),
  closed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX payment_statement_once ON payment_statement (payee_channel_id, day);
CREATE INDEX payment_statement_day ON payment_statement (day, id);
CREATE INDEX payment_statement_status ON payment_statement (status, day, id);

CREATE TABLE payment_difference (
  id {{id}},
  payment_statement_id BIGINT NOT NULL REFERENCES payment_statement (id),
  kind TEXT NOT NULL,
  direction TEXT NOT NULL,
  number TEXT NOT NULL,
  -- None where one side does not have it.
  our_cents BIGINT,
  their_cents BIGINT,
  payment_order_id BIGINT REFERENCES payment_order (id),
  status TEXT NOT NULL,
  note TEXT,
  settled_by BIGINT REFERENCES administrator (id),
  settled_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX payment_difference_once ON payment_difference (payment_statement_id, direction, number, kind);
CREATE INDEX payment_difference_status ON payment_difference (status, id);
