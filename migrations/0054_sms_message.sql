-- Every short message and what became of it: written with its item of the outbox, which it follows.
-- Neither the text nor the whole phone is here; a code cannot be had from it.
CREATE TABLE sms_message (
  id {{id}},
  -- What the provider is told: `SMS-` and the number of the item that carried it.
  no TEXT NOT NULL UNIQUE,
  -- What it is for: `code`, `new_lead`, `low_balance`, `test`.
  kind TEXT NOT NULL,
  phone_mask TEXT NOT NULL,
  phone_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  -- By what it left: `provider`, `file` (masked) or `clear_file`; none until it does.
  way TEXT,
  provider_no TEXT,
  -- A word for what went wrong last; the provider's own are masked.
  last_error TEXT,
  -- All tries there were, those among them that a person asked for.
  tries BIGINT NOT NULL DEFAULT 0,
  -- From then on it is worth nothing.
  expires_at BIGINT,
  -- When it was handed over.
  accepted_at BIGINT,
  -- The moment of the newest report on its delivery, by the provider's clock.
  reported_at BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- Who had it sent; none of what the program sends by itself.
  created_by BIGINT
);
CREATE INDEX sms_message_created ON sms_message (created_at, id);
CREATE INDEX sms_message_state ON sms_message (state, created_at, id);
CREATE INDEX sms_message_kind ON sms_message (kind, created_at, id);
CREATE INDEX sms_message_phone ON sms_message (phone_hash, created_at, id);
CREATE INDEX sms_message_provider ON sms_message (provider_no) WHERE provider_no IS NOT NULL;
