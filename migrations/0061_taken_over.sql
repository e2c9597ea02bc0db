-- What programs before migration 57 left behind is taken over, once: none of them may run on this database any more.

-- Leads on their way that the outbox does not know. Whether their tries arrived is not known.
INSERT INTO outbox_item (kind, ref_id, destination, idem_key, state, tries, unanswered, due_at, created_at, updated_at)
SELECT 'delivery', h.id, 'org:' || h.org_id, 'push-' || h.id, CASE WHEN h.attempts > 0 THEN 'unconfirmed' ELSE 'waiting' END,
    h.attempts, h.attempts, h.next_retry_at, h.updated_at, h.updated_at
  FROM push_record h WHERE h.next_retry_at IS NOT NULL AND h.status IN ('queued', 'sending', 'retrying') AND h.user_id IS NOT NULL
  ON CONFLICT (idem_key) DO NOTHING;
UPDATE push_record SET next_retry_at = NULL
  WHERE next_retry_at IS NOT NULL AND status IN ('queued', 'sending', 'retrying') AND user_id IS NOT NULL;

-- Callbacks to channels that the outbox does not know. They expire three days after they were due, as all do.
INSERT INTO outbox_item (kind, ref_id, destination, idem_key, state, due_at, expires_at, created_at, updated_at)
SELECT 'callback', f.id, 'channel:' || f.channel_id, 'callback-' || f.id, 'waiting', f.callback_due_at, f.callback_due_at + 259200000,
    f.updated_at, f.updated_at
  FROM feedback f WHERE f.callback_due_at IS NOT NULL
  ON CONFLICT (idem_key) DO NOTHING;
UPDATE feedback SET callback_due_at = NULL WHERE callback_due_at IS NOT NULL;

-- Callbacks that are not tried any more, where the record does not say so yet.
UPDATE feedback SET callback_status = 'failed' WHERE callback_status = 'waiting'
  AND EXISTS (SELECT 1 FROM outbox_item i WHERE i.kind = 'callback' AND i.ref_id = feedback.id AND i.state = 'dead');
UPDATE feedback SET callback_status = 'unconfirmed' WHERE callback_status = 'waiting'
  AND EXISTS (SELECT 1 FROM outbox_item i WHERE i.kind = 'callback' AND i.ref_id = feedback.id AND i.state = 'unconfirmed' AND i.due_at IS NULL);

-- Short messages in the table of before the outbox. A code expires after five minutes; others did not expire then.
INSERT INTO outbox_item (kind, destination, idem_key, payload_enc, state, due_at, expires_at, created_at, updated_at)
SELECT 'sms', 'sms', o.idem_key, o.payload_enc, 'waiting', o.next_at, CASE WHEN o.idem_key LIKE 'code:%' THEN o.created_at + 300000 END,
    o.created_at, o.created_at
  FROM outbox o WHERE o.status = 'waiting'
  ON CONFLICT (idem_key) DO NOTHING;
DELETE FROM outbox WHERE status <> 'sending';

-- Short messages of programs that kept no record get one. Their phones are sealed in what the items carry: the record
-- shows none of it.
INSERT INTO sms_message (no, kind, phone_mask, phone_hash, state, last_error, tries, expires_at, created_at, updated_at)
SELECT 'SMS-' || i.id,
    CASE WHEN i.idem_key LIKE 'code:%' THEN 'code' WHEN i.idem_key LIKE 'low-balance-%' THEN 'low_balance' ELSE 'new_lead' END,
    '***', '', CASE i.state WHEN 'dead' THEN 'failed' WHEN 'unconfirmed' THEN 'unconfirmed' ELSE 'waiting' END,
    i.last_error, i.tries, i.expires_at, i.created_at, i.updated_at
  FROM outbox_item i WHERE i.kind = 'sms' AND i.ref_id IS NULL AND i.payload_enc IS NOT NULL
    AND i.state IN ('waiting', 'sending', 'unconfirmed', 'dead')
  ON CONFLICT (no) DO NOTHING;
UPDATE outbox_item SET ref_id = (SELECT s.id FROM sms_message s WHERE s.no = 'SMS-' || outbox_item.id)
  WHERE kind = 'sms' AND ref_id IS NULL AND payload_enc IS NOT NULL AND state IN ('waiting', 'sending', 'unconfirmed', 'dead');

-- Messages that were carried by a program that keeps no record are where their items are.
UPDATE sms_message SET
    state = (SELECT CASE i.state WHEN 'done' THEN 'accepted' WHEN 'dead' THEN 'failed' ELSE i.state END
      FROM outbox_item i WHERE i.kind = 'sms' AND i.ref_id = sms_message.id),
    last_error = (SELECT i.last_error FROM outbox_item i WHERE i.kind = 'sms' AND i.ref_id = sms_message.id),
    accepted_at = (SELECT CASE WHEN i.state = 'done' THEN i.updated_at END FROM outbox_item i WHERE i.kind = 'sms' AND i.ref_id = sms_message.id),
    version = version + 1
  WHERE state IN ('waiting', 'unconfirmed') AND EXISTS (SELECT 1 FROM outbox_item i WHERE i.kind = 'sms' AND i.ref_id = sms_message.id
    AND (i.state IN ('done', 'dead', 'expired', 'given_up') OR (sms_message.state = 'waiting' AND i.state = 'unconfirmed')));
