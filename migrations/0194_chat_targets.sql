-- Minutes of a group's working hours until a first answer and until the end of a conversation; 0: no target.
ALTER TABLE chat_group ADD COLUMN reply_minutes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chat_group ADD COLUMN resolve_minutes BIGINT NOT NULL DEFAULT 0;
-- By when a conversation should have both; none without a target.
ALTER TABLE chat_conversation ADD COLUMN reply_due_at BIGINT;
ALTER TABLE chat_conversation ADD COLUMN resolve_due_at BIGINT;
