-- The share of loans, in basis points, that was agreed with the channel when the applicant came; none in those from before it was kept.
ALTER TABLE applicant ADD COLUMN share_bp BIGINT;
-- The money of a clue that an event is about, of shares alone.
ALTER TABLE lead_event ADD COLUMN money_id BIGINT;

-- The shares of loans that channels are paid, one for each confirmed record of money with a loan.
CREATE TABLE loan_share (
  money_id BIGINT PRIMARY KEY REFERENCES money_record (id),
  user_id BIGINT NOT NULL REFERENCES applicant (id),
  channel_id BIGINT NOT NULL REFERENCES channel (id),
  share_bp BIGINT NOT NULL CHECK (share_bp > 0 AND share_bp <= 10000),
  -- In fen, the share of the loan rounded half up.
  cents BIGINT NOT NULL CHECK (cents > 0),
  -- When the record was confirmed, and when it was voided.
  at BIGINT NOT NULL,
  back_at BIGINT
);
CREATE INDEX loan_share_user ON loan_share (user_id);
CREATE INDEX loan_share_at ON loan_share (at);
CREATE INDEX loan_share_back ON loan_share (back_at) WHERE back_at IS NOT NULL;

-- What an organisation is charged for the visitors of its products on a day. Each row has an entry in the ledger.
CREATE TABLE visit_charge (
  id {{id}},
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  day TEXT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0)
);
CREATE UNIQUE INDEX visit_charge_day ON visit_charge (day, org_id);

-- The days whose visits are booked, with the sums of what channels are owed and organisations were charged for them.
CREATE TABLE visit_booking (
  day TEXT PRIMARY KEY,
  partner_cents BIGINT NOT NULL,
  org_cents BIGINT NOT NULL
);

-- The last day whose product visits are not charged to organisations: the last with visits before this version, none in a new database.
CREATE TABLE visit_charged_after (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  day TEXT NOT NULL
);
INSERT INTO visit_charged_after (id, day) SELECT 1, COALESCE(MAX(day), '') FROM uv_event;

-- How far the items of what partners were owed before there were items are made, as in `journal_progress`.
CREATE TABLE partner_progress (
  source TEXT PRIMARY KEY,
  upto BIGINT NOT NULL
);
-- A new database has no accounts of people yet, and no earlier costs.
INSERT INTO partner_progress (source, upto) SELECT 'done', 0 WHERE NOT EXISTS (SELECT 1 FROM administrator);

-- Programs before this one would count costs of channels without an item.
UPDATE schema_fence SET least = 170 WHERE id = 1;
