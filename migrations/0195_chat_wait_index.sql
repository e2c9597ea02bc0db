-- @alone
-- Conversations by how long their customers wait.
CREATE INDEX CONCURRENTLY IF NOT EXISTS chat_conversation_wait
  ON chat_conversation ((COALESCE(CASE WHEN status <> 'snoozed' THEN waiting_since END, 9007199254740991 - last_message_at)), id);
