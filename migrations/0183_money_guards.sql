-- An item of what a channel is owed stays as it was booked, with its transfer: once, it is put on a statement.
-- @sqlite
CREATE TRIGGER partner_item_fixed BEFORE UPDATE ON partner_item
WHEN OLD.statement_id IS NOT NULL OR NEW.id <> OLD.id OR NEW.channel_id <> OLD.channel_id OR NEW.kind <> OLD.kind
  OR NEW.amount_cents <> OLD.amount_cents OR NEW.day <> OLD.day OR NEW.at <> OLD.at OR NEW.user_id IS NOT OLD.user_id
  OR NEW.plan_id IS NOT OLD.plan_id OR NEW.org_id IS NOT OLD.org_id OR NEW.money_id IS NOT OLD.money_id
  OR NEW.visitors <> OLD.visitors OR NEW.idem_key <> OLD.idem_key
BEGIN SELECT RAISE(ABORT, 'an item of a channel is not rewritten'); END;
CREATE TRIGGER partner_item_kept BEFORE DELETE ON partner_item
BEGIN SELECT RAISE(ABORT, 'an item of a channel is not deleted'); END;
-- @end
-- @postgres
CREATE TRIGGER partner_item_fixed BEFORE UPDATE ON partner_item FOR EACH ROW
WHEN (OLD.statement_id IS NOT NULL OR NEW.id <> OLD.id OR NEW.channel_id <> OLD.channel_id OR NEW.kind <> OLD.kind
  OR NEW.amount_cents <> OLD.amount_cents OR NEW.day <> OLD.day OR NEW.at <> OLD.at OR NEW.user_id IS DISTINCT FROM OLD.user_id
  OR NEW.plan_id IS DISTINCT FROM OLD.plan_id OR NEW.org_id IS DISTINCT FROM OLD.org_id OR NEW.money_id IS DISTINCT FROM OLD.money_id
  OR NEW.visitors <> OLD.visitors OR NEW.idem_key <> OLD.idem_key)
  EXECUTE FUNCTION refuse_change('an item of a channel is not rewritten');
CREATE TRIGGER partner_item_kept BEFORE DELETE ON partner_item FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an item of a channel is not deleted');
CREATE TRIGGER partner_item_emptied BEFORE TRUNCATE ON partner_item
  EXECUTE FUNCTION refuse_change('the items of channels are not emptied');
-- @end

-- Charges for visits and fees of providers are never given back: their accounts go one way.
-- @sqlite
CREATE TRIGGER journal_transfer_one_way BEFORE INSERT ON journal_transfer
WHEN NEW.debit_kind = 'visit_revenue' OR NEW.credit_kind = 'provider_fees'
BEGIN SELECT RAISE(ABORT, 'a transfer does not take from this account'); END;
-- @end
-- @postgres
CREATE TRIGGER journal_transfer_one_way BEFORE INSERT ON journal_transfer FOR EACH ROW
WHEN (NEW.debit_kind = 'visit_revenue' OR NEW.credit_kind = 'provider_fees')
  EXECUTE FUNCTION refuse_change('a transfer does not take from this account');
-- @end

-- Up to which moment checkpoints of the journal are written or about to be. A transaction that dates a transfer before it holds a lock for
-- which the writer of checkpoints waits; one that dates it later, as nearly all do, holds none.
CREATE TABLE journal_checkpoint_due (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  upto BIGINT NOT NULL
);
INSERT INTO journal_checkpoint_due (id, upto) SELECT 1, COALESCE(MAX(d.upto), 0) FROM journal_checkpoint_day d;

-- @postgres
CREATE OR REPLACE FUNCTION correct_journal_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT 1 FROM journal_checkpoint_due n WHERE n.upto > NEW.at)
      OR EXISTS (SELECT 1 FROM journal_checkpoint_day d WHERE d.upto > NEW.at) THEN
    -- Each statement here sees what was committed before it: after the lock, the checkpoints that were written meanwhile.
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('journal_checkpoint', 0));
    INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
      SELECT d.upto, NEW.debit_kind, NEW.debit_owner, NEW.amount_cents, 0 FROM journal_checkpoint_day d WHERE d.upto > NEW.at
      ON CONFLICT (upto, kind, owner) DO UPDATE SET debit_cents = journal_checkpoint.debit_cents + excluded.debit_cents;
    INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents)
      SELECT d.upto, NEW.credit_kind, NEW.credit_owner, 0, NEW.amount_cents FROM journal_checkpoint_day d WHERE d.upto > NEW.at
      ON CONFLICT (upto, kind, owner) DO UPDATE SET credit_cents = journal_checkpoint.credit_cents + excluded.credit_cents;
  END IF;
  RETURN NULL;
END $$;
-- @end
