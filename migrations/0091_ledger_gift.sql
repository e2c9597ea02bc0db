-- Gifts apart from what was paid, in accounts, holds and entries; what was given and adjusted in all; the chain of entries.
ALTER TABLE org_account ADD COLUMN frozen_gift_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE org_account ADD COLUMN total_gift_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE org_account ADD COLUMN total_adjust_cents BIGINT NOT NULL DEFAULT 0;
ALTER TABLE push_record ADD COLUMN held_gift_cents BIGINT NOT NULL DEFAULT 0;
-- SHA-256 of the hash before and of the entry; none in entries from before there was a chain.
ALTER TABLE account_ledger ADD COLUMN hash TEXT;

-- @sqlite
CREATE TRIGGER org_account_gift BEFORE UPDATE OF gift_cents, frozen_gift_cents ON org_account
WHEN NEW.frozen_gift_cents < 0 OR NEW.frozen_gift_cents > NEW.gift_cents OR NEW.frozen_gift_cents > NEW.frozen_cents
BEGIN SELECT RAISE(ABORT, 'more gifts cannot be held than there are'); END;
CREATE TRIGGER account_ledger_gift BEFORE INSERT ON account_ledger
WHEN (NEW.type = 'gift' AND NEW.amount_cents < 0) OR (NEW.type = 'adjust_up' AND NEW.amount_cents < 0)
  OR (NEW.type = 'adjust_down' AND NEW.amount_cents > 0) OR ABS(NEW.gift_part_cents) > ABS(NEW.amount_cents)
  OR (NEW.gift_part_cents > 0 AND NEW.amount_cents < 0) OR (NEW.gift_part_cents < 0 AND NEW.amount_cents > 0)
BEGIN SELECT RAISE(ABORT, 'an entry of this type cannot have these amounts'); END;
-- @end
-- @postgres
ALTER TABLE org_account ADD CONSTRAINT org_account_gift CHECK (
  frozen_gift_cents >= 0 AND frozen_gift_cents <= gift_cents AND frozen_gift_cents <= frozen_cents
);
ALTER TABLE account_ledger ADD CONSTRAINT account_ledger_gift CHECK (
  (type NOT IN ('gift', 'adjust_up') OR amount_cents > 0) AND (type <> 'adjust_down' OR amount_cents < 0)
  AND ABS(gift_part_cents) <= ABS(amount_cents) AND gift_part_cents * SIGN(amount_cents) >= 0
) NOT VALID;
-- @end
