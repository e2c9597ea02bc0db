-- The audit trail cannot be rewritten unseen. Each entry carries a keyed hash of what it says; entries of programs from before
-- have none. The key is not in the database.
ALTER TABLE operation_log ADD COLUMN seal TEXT;

-- The chain of the entries: a worker appends them here in the order of their ids, some seconds after they were written.
CREATE TABLE trail_link (
  seq BIGINT PRIMARY KEY,
  log_id BIGINT NOT NULL,
  -- Keyed, of this link, what its entry says, and the link before.
  hash TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE UNIQUE INDEX trail_link_log ON trail_link (log_id);
CREATE INDEX trail_link_at ON trail_link (at, seq);

-- @sqlite
CREATE TRIGGER operation_log_fixed BEFORE UPDATE ON operation_log
BEGIN SELECT RAISE(ABORT, 'an entry of the audit trail is not rewritten'); END;
CREATE TRIGGER operation_log_kept BEFORE DELETE ON operation_log
BEGIN SELECT RAISE(ABORT, 'an entry of the audit trail is not deleted'); END;
CREATE TRIGGER trail_link_fixed BEFORE UPDATE ON trail_link
BEGIN SELECT RAISE(ABORT, 'the chain of the audit trail is not rewritten'); END;
CREATE TRIGGER trail_link_kept BEFORE DELETE ON trail_link
BEGIN SELECT RAISE(ABORT, 'the chain of the audit trail is not deleted'); END;
-- @end
-- @postgres
CREATE TRIGGER operation_log_fixed BEFORE UPDATE ON operation_log FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry of the audit trail is not rewritten');
CREATE TRIGGER operation_log_kept BEFORE DELETE ON operation_log FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry of the audit trail is not deleted');
CREATE TRIGGER operation_log_emptied BEFORE TRUNCATE ON operation_log
  EXECUTE FUNCTION refuse_change('the audit trail is not emptied');
CREATE TRIGGER trail_link_fixed BEFORE UPDATE ON trail_link FOR EACH ROW
  EXECUTE FUNCTION refuse_change('the chain of the audit trail is not rewritten');
CREATE TRIGGER trail_link_kept BEFORE DELETE ON trail_link FOR EACH ROW
  EXECUTE FUNCTION refuse_change('the chain of the audit trail is not deleted');
CREATE TRIGGER trail_link_emptied BEFORE TRUNCATE ON trail_link
  EXECUTE FUNCTION refuse_change('the chain of the audit trail is not emptied');
-- @end
