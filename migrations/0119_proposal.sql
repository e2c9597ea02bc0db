-- What awaits a second person and must not be read: the account of a payee, the key of an organisation's delivery.
ALTER TABLE payee_organisation ADD COLUMN proposed_enc TEXT;
ALTER TABLE org_api_config ADD COLUMN proposed_enc TEXT;
-- JSON, encrypted: what the payer's page shows of the payee, as it was when the order was created. None for older orders.
ALTER TABLE payment_order ADD COLUMN payee_enc TEXT;

-- An import of payment links, approved as a whole. Its links have its number as their batch_no.
CREATE TABLE payment_link_import (
  id {{id}},
  no TEXT NOT NULL UNIQUE,
  -- How many links were added, and fen of those with an amount.
  links BIGINT NOT NULL,
  cents BIGINT NOT NULL,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);

-- Programs of before would use links and accounts that no second person has approved.
UPDATE schema_fence SET least = 119 WHERE id = 1 AND least < 119;
