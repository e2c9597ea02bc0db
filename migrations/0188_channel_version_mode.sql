-- The choices of channels say which are in test mode: a change of the mode raises the number of the table.

-- @sqlite
DROP TRIGGER channel_version_changed;
CREATE TRIGGER channel_version_changed AFTER UPDATE OF name, required_fields, owner_admin_id, mode, deleted_at ON channel
WHEN (OLD.name, OLD.required_fields, OLD.owner_admin_id, OLD.mode, OLD.deleted_at)
  IS NOT (NEW.name, NEW.required_fields, NEW.owner_admin_id, NEW.mode, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'channel'; END;
-- @end

-- @postgres
DROP TRIGGER channel_version_changed ON channel;
CREATE CONSTRAINT TRIGGER channel_version_changed AFTER UPDATE OF name, required_fields, owner_admin_id, mode, deleted_at ON channel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.required_fields, OLD.owner_admin_id, OLD.mode, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.required_fields, NEW.owner_admin_id, NEW.mode, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
-- @end
