-- The ledger is append-only in the database itself, and no account is forgotten.
-- @sqlite
CREATE TRIGGER account_ledger_fixed BEFORE UPDATE ON account_ledger
BEGIN SELECT RAISE(ABORT, 'an entry of the ledger is not rewritten'); END;
CREATE TRIGGER account_ledger_kept BEFORE DELETE ON account_ledger
BEGIN SELECT RAISE(ABORT, 'an entry of the ledger is not deleted'); END;
CREATE TRIGGER org_account_kept BEFORE DELETE ON org_account
BEGIN SELECT RAISE(ABORT, 'an account is not deleted'); END;
-- SQLite adds no CHECK to a table that is there.
CREATE TRIGGER account_ledger_amount BEFORE INSERT ON account_ledger
WHEN NEW.amount_cents = 0 OR (NEW.type IN ('recharge', 'refund') AND NEW.amount_cents < 0)
  OR (NEW.type = 'lead_sale' AND NEW.amount_cents > 0) OR NEW.seq < 1
BEGIN SELECT RAISE(ABORT, 'an entry of this type cannot have this amount'); END;
CREATE TRIGGER org_account_frozen BEFORE UPDATE OF frozen_cents ON org_account WHEN NEW.frozen_cents < 0
BEGIN SELECT RAISE(ABORT, 'less than nothing cannot be held'); END;
CREATE TRIGGER org_account_frozen_new BEFORE INSERT ON org_account WHEN NEW.frozen_cents < 0
BEGIN SELECT RAISE(ABORT, 'less than nothing cannot be held'); END;
-- @end
-- @postgres
CREATE TRIGGER account_ledger_fixed BEFORE UPDATE ON account_ledger FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry of the ledger is not rewritten');
CREATE TRIGGER account_ledger_kept BEFORE DELETE ON account_ledger FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an entry of the ledger is not deleted');
CREATE TRIGGER account_ledger_emptied BEFORE TRUNCATE ON account_ledger
  EXECUTE FUNCTION refuse_change('the ledger is not emptied');
CREATE TRIGGER org_account_kept BEFORE DELETE ON org_account FOR EACH ROW
  EXECUTE FUNCTION refuse_change('an account is not deleted');
-- What is there already is left to `ledger verify`: to look through it here would hold up the sales.
ALTER TABLE account_ledger ADD CONSTRAINT account_ledger_amount CHECK (
  amount_cents <> 0 AND (type NOT IN ('recharge', 'refund') OR amount_cents > 0) AND (type <> 'lead_sale' OR amount_cents < 0) AND seq >= 1
) NOT VALID;
ALTER TABLE org_account ADD CONSTRAINT org_account_frozen CHECK (frozen_cents >= 0) NOT VALID;
-- @end

-- What one node does for all, once a day: whoever comes first. `done_at` is written by what is begun anew
-- where whoever began it did not come to its end.
CREATE TABLE daily_task (
  name TEXT NOT NULL,
  -- YYYY-MM-DD, on Shanghai's clock.
  day TEXT NOT NULL,
  begun_at BIGINT NOT NULL,
  done_at BIGINT,
  PRIMARY KEY (name, day)
);
