-- Decisions that need two people: whoever wrote what is decided on, and somebody else who decides.
CREATE TABLE decision (
  id {{id}},
  action TEXT NOT NULL,
  -- A table and a row of it.
  target_type TEXT NOT NULL,
  target_id BIGINT NOT NULL,
  -- Of the row, when the hash was taken.
  version BIGINT NOT NULL,
  -- SHA-256 of exactly what is decided on.
  payload_hash TEXT NOT NULL,
  -- JSON: what is asked for, where the row itself does not say it.
  payload TEXT,
  -- Ids of everybody who wrote it, between commas: ',3,17,'.
  makers TEXT NOT NULL,
  asked_note TEXT,
  checker_id BIGINT REFERENCES administrator (id),
  status TEXT NOT NULL,
  note TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  decided_at BIGINT,
  CHECK (status IN ('open', 'approved', 'refused', 'withdrawn', 'by_rule')),
  CHECK (makers LIKE ',%,'),
  CHECK ((checker_id IS NOT NULL) = (status IN ('approved', 'refused'))),
  -- Four eyes: nobody decides on what he wrote.
  CHECK (checker_id IS NULL OR makers NOT LIKE '%,' || CAST(checker_id AS TEXT) || ',%')
);
-- Of one row, one thing at a time is to be decided on.
CREATE UNIQUE INDEX decision_open ON decision (target_type, target_id) WHERE status = 'open';
CREATE INDEX decision_target ON decision (target_type, target_id, id);

-- What was decided stays as it was, and who wrote what is being decided on is never taken out of it.
-- Of nobody (',,') there is nobody to be taken out.
-- @sqlite
CREATE TRIGGER decision_fixed BEFORE UPDATE ON decision
WHEN OLD.status <> 'open' OR (OLD.makers <> ',,' AND substr(NEW.makers, 1, length(OLD.makers)) <> OLD.makers)
BEGIN SELECT RAISE(ABORT, 'a decision is not rewritten'); END;
CREATE TRIGGER decision_kept BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'a decision is not deleted'); END;
-- @end
-- @postgres
-- Refuses a change with the words of the trigger.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
CREATE TRIGGER decision_fixed BEFORE UPDATE ON decision FOR EACH ROW
  WHEN (OLD.status <> 'open' OR (OLD.makers <> ',,' AND substr(NEW.makers, 1, length(OLD.makers)) <> OLD.makers))
  EXECUTE FUNCTION refuse_change('a decision is not rewritten');
CREATE TRIGGER decision_kept BEFORE DELETE ON decision FOR EACH ROW EXECUTE FUNCTION refuse_change('a decision is not deleted');
-- @end
