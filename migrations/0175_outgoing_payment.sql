-- Payments that went out, one row for each, whatever records it: a refund of a payment order or a refund of the fee of a clue.
CREATE TABLE outgoing_payment (
  id {{id}},
  -- Whose account paid; none where the organisation paid and has no payee.
  payee_org_id BIGINT REFERENCES payee_organisation (id),
  -- The number of the bank or the provider in its normal form: without blanks, in capitals. None for cash, and where it is not known.
  number TEXT,
  -- None for what was paid for no organisation.
  org_id BIGINT REFERENCES organisation (id),
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  paid_at BIGINT NOT NULL,
  -- 'payment_refund', 'money_record' or 'partner_payout', and its id.
  source_table TEXT NOT NULL,
  source_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

-- What is paid by now, the oldest first: of records with the same payee and number the later ones have none. Alipay has no number of a
-- refund but that of its payment: there it is our number of the refund, as the provider knows it.
INSERT INTO outgoing_payment (payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at)
SELECT payee_org_id, CASE WHEN place = 1 THEN number END, org_id, amount_cents, paid_at, source_table, source_id, created_at FROM (
  SELECT payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at,
    ROW_NUMBER() OVER (PARTITION BY payee_org_id, number ORDER BY created_at, source_table, source_id) AS place FROM (
      SELECT h.payee_org_id, NULLIF(UPPER(REPLACE(TRIM(CASE WHEN h.provider IN ('wechat', 'alipay')
          THEN COALESCE(NULLIF(NULLIF(b.channel_refund_no, ''), y.channel_order_no), b.no) ELSE b.channel_refund_no END), ' ', '')), '') AS number,
        y.org_id, b.amount_cents, COALESCE(b.done_at, b.updated_at) AS paid_at, 'payment_refund' AS source_table, b.id AS source_id,
        COALESCE(b.done_at, b.updated_at) AS created_at
        FROM payment_refund b JOIN payment_order y ON y.id = b.payment_order_id JOIN payee_channel h ON h.id = y.payee_channel_id
        WHERE b.status = 'success'
      UNION ALL
      SELECT o.payee_org_id, CAST(NULL AS TEXT), m.org_id, m.amount_cents, m.paid_at, 'money_record', m.id, COALESCE(m.reviewed_at, m.updated_at)
        FROM money_record m JOIN organisation o ON o.id = m.org_id
        WHERE m.type = 'refund' AND m.status = 'confirmed' AND m.payment_order_id IS NULL AND m.deleted_at IS NULL
    ) paid
) numbered ORDER BY created_at, source_table, source_id;

CREATE UNIQUE INDEX outgoing_payment_number ON outgoing_payment (payee_org_id, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX outgoing_payment_own_number ON outgoing_payment (org_id, number) WHERE number IS NOT NULL AND payee_org_id IS NULL;
CREATE UNIQUE INDEX outgoing_payment_source ON outgoing_payment (source_table, source_id);
CREATE INDEX outgoing_payment_amount ON outgoing_payment (org_id, amount_cents, paid_at);

-- The bank's number of the transfer by which the fee of a clue was refunded.
ALTER TABLE money_record ADD COLUMN bank_serial TEXT;

-- Programs before this one would refund without it.
UPDATE schema_fence SET least = 175 WHERE id = 1;
