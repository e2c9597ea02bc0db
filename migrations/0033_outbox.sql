-- Everything that leaves the house waits here until it is known to have arrived, or nobody tries any
-- more: leads to organisations, word to channels, short messages.
CREATE TABLE outbox_item (
  id {{id}},
  kind TEXT NOT NULL,
  -- What is to go: a push, a piece of feedback; none for a short message, which is its payload.
  ref_id BIGINT,
  -- Whose server it goes to: `org:7`, `channel:3`, `sms`. One that hangs holds up nobody else.
  destination TEXT NOT NULL,
  -- Queued once under one key, however often it is asked for.
  idem_key TEXT NOT NULL UNIQUE,
  -- Sealed; empty once it is gone.
  payload_enc TEXT,
  state TEXT NOT NULL,
  -- How often somebody took it to send it.
  tries BIGINT NOT NULL DEFAULT 0,
  -- Tries of which nobody knows whether they arrived.
  unanswered BIGINT NOT NULL DEFAULT 0,
  -- When it is looked at next; while somebody has it, until when. None when nobody tries any more.
  due_at BIGINT,
  -- From then on it is worth nothing.
  expires_at BIGINT,
  last_error TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX outbox_item_due ON outbox_item (destination, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_item_state ON outbox_item (state, updated_at, id);
CREATE INDEX outbox_item_ref ON outbox_item (kind, ref_id);

-- What is known of a try: it is written before the call is made.
ALTER TABLE push_attempt ADD COLUMN outcome TEXT;
ALTER TABLE feedback_attempt ADD COLUMN outcome TEXT;

-- How an organisation is asked whether it has a lead: which answer says yes, and which no.
ALTER TABLE org_api_config ADD COLUMN query_ok_expr TEXT NOT NULL DEFAULT '';
ALTER TABLE org_api_config ADD COLUMN query_none_expr TEXT NOT NULL DEFAULT '';
