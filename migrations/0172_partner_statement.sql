-- What partners are owed month by month: sent to them by a link, confirmed or disputed there, and paid out.
CREATE TABLE partner_statement (
  id {{id}},
  statement_no TEXT NOT NULL UNIQUE,
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- YYYY-MM. It takes all items up to the end of this month that were on no statement.
  month TEXT NOT NULL,
  -- What was payable at the end of the statement before, and at the end of this one.
  opening_cents BIGINT NOT NULL,
  closing_cents BIGINT NOT NULL,
  -- Its items, by their kinds.
  visit_cents BIGINT NOT NULL DEFAULT 0,
  registered_cents BIGINT NOT NULL DEFAULT 0,
  sold_cents BIGINT NOT NULL DEFAULT 0,
  share_cents BIGINT NOT NULL DEFAULT 0,
  returned_cents BIGINT NOT NULL DEFAULT 0,
  share_back_cents BIGINT NOT NULL DEFAULT 0,
  adjust_cents BIGINT NOT NULL DEFAULT 0,
  items BIGINT NOT NULL DEFAULT 0,
  -- What the statement before came to below zero. The total is less by it.
  carried_cents BIGINT NOT NULL CHECK (carried_cents <= 0),
  -- What was paid out and withheld since the statement before.
  settled_cents BIGINT NOT NULL DEFAULT 0 CHECK (settled_cents >= 0),
  total_cents BIGINT NOT NULL,
  -- The tax that is withheld, by the rate of the moment at which the statement was made.
  tax_bp BIGINT NOT NULL CHECK (tax_bp >= 0 AND tax_bp <= 10000),
  tax_cents BIGINT NOT NULL CHECK (tax_cents >= 0),
  net_cents BIGINT NOT NULL,
  -- What payouts that wait, are approved or are paid take of the net amount and of the tax, and what of the net amount is paid.
  asked_cents BIGINT NOT NULL DEFAULT 0,
  asked_tax_cents BIGINT NOT NULL DEFAULT 0,
  paid_cents BIGINT NOT NULL DEFAULT 0,
  status TEXT NOT NULL CHECK (status IN ('draft', 'sent', 'confirmed', 'disputed')),
  -- SHA-256 of the token of the link that answers it, and the moment at which the link ends.
  link_hash TEXT UNIQUE,
  link_ends_at BIGINT,
  sent_at BIGINT,
  answered_at BIGINT,
  -- Why it is disputed.
  answer_note TEXT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT,
  CHECK (total_cents = carried_cents + visit_cents + registered_cents + sold_cents + share_cents + returned_cents + share_back_cents
    + adjust_cents),
  CHECK (closing_cents = opening_cents + total_cents - carried_cents - settled_cents),
  CHECK (net_cents = total_cents - tax_cents),
  CHECK (asked_cents >= 0 AND asked_cents <= CASE WHEN net_cents > 0 THEN net_cents ELSE 0 END),
  CHECK (asked_tax_cents >= 0 AND asked_tax_cents <= tax_cents),
  CHECK (paid_cents >= 0 AND paid_cents <= asked_cents),
  CHECK (asked_cents = 0 OR status = 'confirmed')
);
CREATE UNIQUE INDEX partner_statement_once ON partner_statement (channel_id, month);
-- A statement follows one that is confirmed.
CREATE UNIQUE INDEX partner_statement_open ON partner_statement (channel_id) WHERE status <> 'confirmed';
CREATE INDEX partner_statement_month ON partner_statement (month, id);
CREATE INDEX partner_statement_status ON partner_statement (status, month, id);
CREATE INDEX partner_statement_total ON partner_statement (total_cents, id);

-- Corrections of statements that are not confirmed: asked for by one person, made an item when another approves.
CREATE TABLE partner_adjustment (
  id {{id}},
  adjustment_no TEXT NOT NULL UNIQUE,
  statement_id BIGINT NOT NULL REFERENCES partner_statement (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  -- In fen, below zero where the partner is owed less.
  amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0),
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX partner_adjustment_created ON partner_adjustment (created_at, id);
CREATE INDEX partner_adjustment_statement ON partner_adjustment (statement_id, status);
