-- What each account of the journal had on both sides at the beginning of a day, by the transfers that were posted before it: balances are
-- added up from there on.
CREATE TABLE journal_checkpoint (
  upto BIGINT NOT NULL,
  kind TEXT NOT NULL,
  owner BIGINT NOT NULL,
  debit_cents BIGINT NOT NULL,
  credit_cents BIGINT NOT NULL,
  PRIMARY KEY (upto, kind, owner)
);
-- The days for which there are checkpoints of all accounts.
CREATE TABLE journal_checkpoint_day (
  upto BIGINT PRIMARY KEY
);

-- A transfer that is dated before a checkpoint, for a clock was wrong, corrects it.
-- @sqlite
CREATE TRIGGER journal_checkpoint_added AFTER INSERT ON journal_transfer
WHEN NEW.status = 'posted' AND EXISTS (SELECT 1 FROM journal_checkpoint_day d WHERE d.upto > NEW.at)
BEGIN
  INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
    SELECT d.upto, NEW.debit_kind, NEW.debit_owner, NEW.amount_cents, 0 FROM journal_checkpoint_day d WHERE d.upto > NEW.at
    ON CONFLICT (upto, kind, owner) DO UPDATE SET debit_cents = journal_checkpoint.debit_cents + excluded.debit_cents;
  INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
    SELECT d.upto, NEW.credit_kind, NEW.credit_owner, 0, NEW.amount_cents FROM journal_checkpoint_day d WHERE d.upto > NEW.at
    ON CONFLICT (upto, kind, owner) DO UPDATE SET credit_cents = journal_checkpoint.credit_cents + excluded.credit_cents;
END;
CREATE TRIGGER journal_checkpoint_posted AFTER UPDATE OF status ON journal_transfer
WHEN OLD.status = 'pending' AND NEW.status = 'posted' AND EXISTS (SELECT 1 FROM journal_checkpoint_day d WHERE d.upto > NEW.at)
BEGIN
  INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
    SELECT d.upto, NEW.debit_kind, NEW.debit_owner, NEW.amount_cents, 0 FROM journal_checkpoint_day d WHERE d.upto > NEW.at
    ON CONFLICT (upto, kind, owner) DO UPDATE SET debit_cents = journal_checkpoint.debit_cents + excluded.debit_cents;
  INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
    SELECT d.upto, NEW.credit_kind, NEW.credit_owner, 0, NEW.amount_cents FROM journal_checkpoint_day d WHERE d.upto > NEW.at
    ON CONFLICT (upto, kind, owner) DO UPDATE SET credit_cents = journal_checkpoint.credit_cents + excluded.credit_cents;
END;
-- @end
-- @postgres
CREATE FUNCTION correct_journal_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM journal_checkpoint_day d WHERE d.upto > NEW.at) THEN
    INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
      SELECT d.upto, NEW.debit_kind, NEW.debit_owner, NEW.amount_cents, 0 FROM journal_checkpoint_day d WHERE d.upto > NEW.at
      ON CONFLICT (upto, kind, owner) DO UPDATE SET debit_cents = journal_checkpoint.debit_cents + excluded.debit_cents;
    INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
      SELECT d.upto, NEW.credit_kind, NEW.credit_owner, 0, NEW.amount_cents FROM journal_checkpoint_day d WHERE d.upto > NEW.at
      ON CONFLICT (upto, kind, owner) DO UPDATE SET credit_cents = journal_checkpoint.credit_cents + excluded.credit_cents;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER journal_checkpoint_added AFTER INSERT ON journal_transfer FOR EACH ROW WHEN (NEW.status = 'posted')
  EXECUTE FUNCTION correct_journal_checkpoint();
CREATE TRIGGER journal_checkpoint_posted AFTER UPDATE OF status ON journal_transfer FOR EACH ROW
WHEN (OLD.status = 'pending' AND NEW.status = 'posted')
  EXECUTE FUNCTION correct_journal_checkpoint();
-- @end

-- A payment that another record had entered as money in the bank is at its provider: until now it moved nothing.
INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, begun_at, at)
SELECT 'clearing', h.id, 'cash', h.payee_org_id, x.amount_cents, 'posted', 'payment_exception', x.id,
  'payment-exception-' || CAST(x.id AS TEXT), x.created_at, x.created_at
  FROM payment_exception x JOIN payee_channel h ON h.id = x.payee_channel_id
  WHERE x.kind = 'already_entered' AND x.currency = 'CNY' AND x.amount_cents > 0 AND h.provider <> 'bank';

-- Programs before this one would leave such a payment where it is not.
UPDATE schema_fence SET least = 176 WHERE id = 1;
