-- Accounts as people work on them: why one is frozen, adjustments by hand, statements of a month, and closed months.
ALTER TABLE org_account ADD COLUMN status_note TEXT;

CREATE TABLE account_adjustment (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  -- What is adjusted: 'paid' or 'gift'.
  part TEXT NOT NULL,
  -- Below zero for what is taken out.
  amount_cents BIGINT NOT NULL CHECK (amount_cents <> 0),
  reason TEXT NOT NULL,
  -- JSON: the files that prove it.
  proof_files TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL,
  review_note TEXT,
  reviewed_by BIGINT REFERENCES administrator (id),
  reviewed_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE INDEX account_adjustment_created ON account_adjustment (created_at, id);
CREATE INDEX account_adjustment_status ON account_adjustment (status, created_at, id);
CREATE INDEX account_adjustment_org ON account_adjustment (org_id, created_at, id);

-- A month that is closed takes no entry any more.
CREATE TABLE closed_month (
  -- YYYY-MM, on Shanghai's clock.
  month TEXT PRIMARY KEY,
  -- The moment at which the month is over.
  ends_at BIGINT NOT NULL
);

-- What became of an account in a closed month. Of one month, what it ends with is what the next begins with.
CREATE TABLE org_statement (
  id {{id}},
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  month TEXT NOT NULL,
  opening_cents BIGINT NOT NULL,
  -- What was paid, less what was reversed.
  recharge_cents BIGINT NOT NULL,
  -- What was given, less what was taken back.
  gift_cents BIGINT NOT NULL,
  adjust_cents BIGINT NOT NULL,
  -- What leads cost, and what was refunded for returned ones.
  spend_cents BIGINT NOT NULL,
  refund_cents BIGINT NOT NULL,
  closing_cents BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  status TEXT NOT NULL,
  -- Why it is disputed.
  note TEXT,
  sent_at BIGINT,
  answered_by BIGINT REFERENCES administrator (id),
  answered_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  CHECK (closing_cents = opening_cents + recharge_cents + gift_cents + adjust_cents - spend_cents + refund_cents)
);
CREATE UNIQUE INDEX org_statement_once ON org_statement (org_id, month);
CREATE INDEX org_statement_month ON org_statement (month, id);
CREATE INDEX org_statement_status ON org_statement (status, month, id);

-- @sqlite
CREATE TRIGGER account_ledger_open_month BEFORE INSERT ON account_ledger
WHEN NEW.at < (SELECT COALESCE(MAX(ends_at), 0) FROM closed_month)
BEGIN SELECT RAISE(ABORT, 'the month of the entry is closed'); END;
-- @end
-- @postgres
CREATE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF NEW.at < (SELECT COALESCE(MAX(ends_at), 0) FROM closed_month) THEN RAISE EXCEPTION 'the month of the entry is closed'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER account_ledger_open_month BEFORE INSERT ON account_ledger FOR EACH ROW EXECUTE FUNCTION refuse_closed_month();
-- @end
