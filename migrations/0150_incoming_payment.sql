-- Payments that came in, one row for each, whatever records it: a receipt, a recharge or a payment order. One payment is credited once.
CREATE TABLE incoming_payment (
  id {{id}},
  payee_org_id BIGINT NOT NULL REFERENCES payee_organisation (id),
  -- The number of the bank or the provider in its normal form: without blanks, in capitals. None for cash, and where it is not known.
  number TEXT,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  amount_cents BIGINT NOT NULL,
  paid_at BIGINT NOT NULL,
  -- 'receipt', 'recharge' or 'payment_order', and its id.
  source_table TEXT NOT NULL,
  source_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

-- What is credited now, the oldest first: of records with the same payee and number the later ones have none.
INSERT INTO incoming_payment (payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at)
SELECT payee_org_id, CASE WHEN place = 1 THEN number END, org_id, amount_cents, paid_at, source_table, source_id, created_at FROM (
  SELECT payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at,
    ROW_NUMBER() OVER (PARTITION BY payee_org_id, number ORDER BY created_at, source_table, source_id) AS place FROM (
      SELECT t.payee_org_id, NULLIF(UPPER(REPLACE(TRIM(t.bank_serial), ' ', '')), '') AS number, t.org_id, t.amount_cents, t.paid_at,
        'receipt' AS source_table, t.id AS source_id, COALESCE(t.reviewed_at, t.updated_at) AS created_at
        FROM receipt t WHERE t.status = 'confirmed' AND t.deleted_at IS NULL
      UNION ALL
      SELECT g.payee_org_id, CAST(NULL AS TEXT), g.org_id, g.amount_cents, g.created_at, 'recharge', g.id, COALESCE(g.credited_at, g.updated_at)
        FROM recharge g WHERE g.status = 'credited' AND g.receipt_id IS NULL AND g.payment_order_id IS NULL
      UNION ALL
      SELECT h.payee_org_id, NULLIF(UPPER(REPLACE(TRIM(y.channel_order_no), ' ', '')), ''), y.org_id, COALESCE(y.paid_cents, y.amount_cents),
        COALESCE(y.paid_at, y.updated_at), 'payment_order', y.id, COALESCE(y.paid_at, y.updated_at)
        FROM payment_order y JOIN payee_channel h ON h.id = y.payee_channel_id WHERE y.status IN ('success', 'part_refunded', 'refunded')
    ) credited
) numbered ORDER BY created_at, source_table, source_id;

CREATE UNIQUE INDEX incoming_payment_number ON incoming_payment (payee_org_id, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX incoming_payment_source ON incoming_payment (source_table, source_id);
CREATE INDEX incoming_payment_amount ON incoming_payment (org_id, amount_cents, paid_at);

-- The bank's number of the transfer that a recharge is about.
ALTER TABLE recharge ADD COLUMN bank_serial TEXT;

-- Programs before this one would credit a payment without it.
UPDATE schema_fence SET least = 150 WHERE id = 1;
