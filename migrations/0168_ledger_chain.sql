-- From here on the hash of an entry has a key that is not in the database, and begins with the number of that key, `1.`. Of each
-- account with earlier entries: the last of them, and a keyed hash of it. Account 0: how many there are, and a digest of all.
CREATE TABLE ledger_seal (
  account_id BIGINT PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  seal TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- @sqlite
CREATE TRIGGER account_ledger_keyed BEFORE INSERT ON account_ledger WHEN NEW.hash IS NULL OR NEW.hash NOT LIKE '1.%'
BEGIN SELECT RAISE(ABORT, 'an entry of the ledger has a keyed hash'); END;
CREATE TRIGGER ledger_seal_fixed BEFORE UPDATE ON ledger_seal
BEGIN SELECT RAISE(ABORT, 'a seal of the ledger is not rewritten'); END;
CREATE TRIGGER ledger_seal_kept BEFORE DELETE ON ledger_seal
BEGIN SELECT RAISE(ABORT, 'a seal of the ledger is not deleted'); END;
-- @end
-- @postgres
CREATE TRIGGER account_ledger_keyed BEFORE INSERT ON account_ledger FOR EACH ROW WHEN (NEW.hash IS NULL OR NEW.hash NOT LIKE '1.%')
  EXECUTE FUNCTION refuse_change('an entry of the ledger has a keyed hash');
CREATE TRIGGER ledger_seal_fixed BEFORE UPDATE ON ledger_seal FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a seal of the ledger is not rewritten');
CREATE TRIGGER ledger_seal_kept BEFORE DELETE ON ledger_seal FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a seal of the ledger is not deleted');
CREATE TRIGGER ledger_seal_emptied BEFORE TRUNCATE ON ledger_seal
  EXECUTE FUNCTION refuse_change('the seals of the ledger are not emptied');
-- @end

-- The head of the ledger: each night, a digest of the last entry of every account.
CREATE TABLE ledger_head (
  id {{id}},
  -- YYYY-MM-DD, on Shanghai's clock.
  day TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- The last entries of a head that differ from those of the head before it. Number 0: the account has no entry any more.
CREATE TABLE ledger_head_account (
  account_id BIGINT NOT NULL,
  head_id BIGINT NOT NULL REFERENCES ledger_head (id),
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (account_id, head_id)
);

-- The newest head when a statement was sent.
ALTER TABLE org_statement ADD COLUMN ledger_head TEXT;

-- @sqlite
CREATE TRIGGER ledger_head_fixed BEFORE UPDATE ON ledger_head
BEGIN SELECT RAISE(ABORT, 'a head of the ledger is not rewritten'); END;
CREATE TRIGGER ledger_head_kept BEFORE DELETE ON ledger_head
BEGIN SELECT RAISE(ABORT, 'a head of the ledger is not deleted'); END;
CREATE TRIGGER ledger_head_account_fixed BEFORE UPDATE ON ledger_head_account
BEGIN SELECT RAISE(ABORT, 'a head of the ledger is not rewritten'); END;
CREATE TRIGGER ledger_head_account_kept BEFORE DELETE ON ledger_head_account
BEGIN SELECT RAISE(ABORT, 'a head of the ledger is not deleted'); END;
-- @end
-- @postgres
CREATE TRIGGER ledger_head_fixed BEFORE UPDATE ON ledger_head FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a head of the ledger is not rewritten');
CREATE TRIGGER ledger_head_kept BEFORE DELETE ON ledger_head FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a head of the ledger is not deleted');
CREATE TRIGGER ledger_head_account_fixed BEFORE UPDATE ON ledger_head_account FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a head of the ledger is not rewritten');
CREATE TRIGGER ledger_head_account_kept BEFORE DELETE ON ledger_head_account FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a head of the ledger is not deleted');
-- @end

-- Programs before this one would write entries whose hashes have no key.
UPDATE schema_fence SET least = 168 WHERE id = 1;
