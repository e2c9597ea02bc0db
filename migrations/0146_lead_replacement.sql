-- A lead that an organisation is to get for one that it gave back: its plan comes first for a while, and pays no more than what was
-- refunded.
CREATE TABLE lead_replacement (
  return_id BIGINT PRIMARY KEY REFERENCES lead_return (id),
  plan_id BIGINT NOT NULL REFERENCES plan (id),
  test BIGINT NOT NULL,
  price_cents BIGINT NOT NULL,
  -- The lead that replaces it; none until one is sold.
  push_id BIGINT REFERENCES push_record (id),
  due_at BIGINT NOT NULL
);
CREATE INDEX lead_replacement_open ON lead_replacement (due_at, plan_id, test) WHERE push_id IS NULL;
CREATE UNIQUE INDEX lead_replacement_push ON lead_replacement (push_id) WHERE push_id IS NOT NULL;
