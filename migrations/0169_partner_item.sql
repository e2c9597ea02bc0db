-- What partners are owed, one row for each event that makes it more or less. Each row has one transfer in the journal, from the cost of
-- its channel to what is payable to it, or back.
CREATE TABLE partner_item (
  id {{id}},
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- 'visit' (all visitors of a day), 'registered', 'sold', 'share' (of a loan), 'returned', 'share_back'.
  kind TEXT NOT NULL,
  -- In fen, below zero where the partner is owed less.
  amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0),
  -- The day on which it counts, that of the decision for what was returned, and the moment at which it was booked.
  day TEXT NOT NULL,
  at BIGINT NOT NULL,
  -- The applicant, the plan and the organisation that it is about; none for visits. The money of a clue for shares.
  user_id BIGINT,
  plan_id BIGINT,
  org_id BIGINT,
  money_id BIGINT,
  -- How many visitors, for visits.
  visitors BIGINT NOT NULL DEFAULT 0,
  idem_key TEXT NOT NULL UNIQUE,
  -- The statement that it stands on; none while it is on none.
  statement_id BIGINT
);
CREATE INDEX partner_item_channel ON partner_item (channel_id, id);
CREATE INDEX partner_item_open ON partner_item (channel_id, day) WHERE statement_id IS NULL;
CREATE INDEX partner_item_statement ON partner_item (statement_id, id) WHERE statement_id IS NOT NULL;
