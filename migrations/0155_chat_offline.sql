-- Since when a member of the service staff has chosen to be offline; NULL for the others, and until they choose again.
ALTER TABLE chat_staff ADD COLUMN offline_at BIGINT;
-- Accounts that were disabled before keep no conversations: the worker queues those of disabled staff.
UPDATE chat_staff SET status = 'disabled', version = version + 1 WHERE status = 'enabled' AND deleted_at IS NULL AND admin_id IN (
  SELECT a.id FROM administrator a WHERE a.status = 'disabled' OR a.deleted_at IS NOT NULL
);
