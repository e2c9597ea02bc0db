-- The journal: transfers of money between two accounts. What all accounts hold adds up to nothing.
CREATE TABLE journal_transfer (
  id {{id}},
  -- The accounts: what kind they are, and the organisation, payee organisation or payment channel that each is of; 0 for the platform's.
  debit_kind TEXT NOT NULL,
  debit_owner BIGINT NOT NULL,
  credit_kind TEXT NOT NULL,
  credit_owner BIGINT NOT NULL,
  amount_cents BIGINT NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('pending', 'posted', 'void')),
  -- What it is for: a table and a row of it.
  ref_type TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  idem_key TEXT NOT NULL UNIQUE,
  -- Since when there is the transfer, and since when it has its status.
  begun_at BIGINT NOT NULL,
  at BIGINT NOT NULL,
  CHECK (debit_kind <> credit_kind OR debit_owner <> credit_owner)
);
CREATE INDEX journal_transfer_debit ON journal_transfer (debit_kind, debit_owner, at, id);
CREATE INDEX journal_transfer_credit ON journal_transfer (credit_kind, credit_owner, at, id);
CREATE INDEX journal_transfer_ref ON journal_transfer (ref_type, ref_id);
CREATE INDEX journal_transfer_at ON journal_transfer (at, id);
CREATE INDEX journal_transfer_pending ON journal_transfer (debit_kind, debit_owner) WHERE status = 'pending';

-- How far the transfers of what older programs booked are made: the last row of each source, when it was begun, and 'done' once all
-- of them are.
CREATE TABLE journal_progress (
  source TEXT PRIMARY KEY,
  upto BIGINT NOT NULL
);

-- A new database has no accounts of people yet, and nothing that an older program booked.
INSERT INTO journal_progress (source, upto) SELECT 'done', 0 WHERE NOT EXISTS (SELECT 1 FROM administrator);

-- A transfer that is pending ends once; nothing else of it changes.
-- @sqlite
CREATE TRIGGER journal_transfer_fixed BEFORE UPDATE ON journal_transfer
WHEN OLD.status <> 'pending' OR NEW.id <> OLD.id OR NEW.debit_kind <> OLD.debit_kind OR NEW.debit_owner <> OLD.debit_owner
  OR NEW.credit_kind <> OLD.credit_kind OR NEW.credit_owner <> OLD.credit_owner OR NEW.amount_cents <> OLD.amount_cents
  OR NEW.ref_type <> OLD.ref_type OR NEW.ref_id <> OLD.ref_id OR NEW.idem_key <> OLD.idem_key OR NEW.begun_at <> OLD.begun_at
BEGIN SELECT RAISE(ABORT, 'a transfer of the journal is not rewritten'); END;
CREATE TRIGGER journal_transfer_kept BEFORE DELETE ON journal_transfer
BEGIN SELECT RAISE(ABORT, 'a transfer of the journal is not deleted'); END;
CREATE TRIGGER journal_progress_kept BEFORE DELETE ON journal_progress WHEN OLD.source = 'done'
BEGIN SELECT RAISE(ABORT, 'the journal stays compared'); END;
-- @end
-- @postgres
CREATE TRIGGER journal_transfer_fixed BEFORE UPDATE ON journal_transfer FOR EACH ROW
WHEN (OLD.status <> 'pending' OR NEW.id <> OLD.id OR NEW.debit_kind <> OLD.debit_kind OR NEW.debit_owner <> OLD.debit_owner
  OR NEW.credit_kind <> OLD.credit_kind OR NEW.credit_owner <> OLD.credit_owner OR NEW.amount_cents <> OLD.amount_cents
  OR NEW.ref_type <> OLD.ref_type OR NEW.ref_id <> OLD.ref_id OR NEW.idem_key <> OLD.idem_key OR NEW.begun_at <> OLD.begun_at)
  EXECUTE FUNCTION refuse_change('a transfer of the journal is not rewritten');
CREATE TRIGGER journal_transfer_kept BEFORE DELETE ON journal_transfer FOR EACH ROW
  EXECUTE FUNCTION refuse_change('a transfer of the journal is not deleted');
CREATE TRIGGER journal_progress_kept BEFORE DELETE ON journal_progress FOR EACH ROW WHEN (OLD.source = 'done')
  EXECUTE FUNCTION refuse_change('the journal stays compared');
CREATE TRIGGER journal_transfer_emptied BEFORE TRUNCATE ON journal_transfer
  EXECUTE FUNCTION refuse_change('the journal is not emptied');
-- @end

-- Programs before this one would move money without a transfer.
UPDATE schema_fence SET least = 165 WHERE id = 1;
