-- A number for each table whose choices or settings are kept in memory. It is raised when a row is added or removed, and when a column
-- changes that is shown or selected by. The statement that reads a session reads the numbers; what was kept is used while they are the
-- same. Other columns, such as those of the last use, raise no number.
CREATE TABLE table_version (
  name TEXT PRIMARY KEY,
  version BIGINT NOT NULL
);
INSERT INTO table_version (name, version) VALUES
  ('administrator', 1),
  ('agreement', 1),
  ('channel', 1),
  ('chat_group', 1),
  ('chat_wechat', 1),
  ('clue_pool', 1),
  ('dict_item', 1),
  ('dict_type', 1),
  ('general_setting', 1),
  ('organisation', 1),
  ('payee_channel', 1),
  ('payee_organisation', 1),
  ('plan', 1),
  ('product', 1),
  ('role', 1),
  ('salesperson', 1),
  ('sub_organisation', 1);

-- @sqlite
CREATE TRIGGER administrator_version_added AFTER INSERT ON administrator
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'administrator'; END;
CREATE TRIGGER administrator_version_removed AFTER DELETE ON administrator
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'administrator'; END;
CREATE TRIGGER administrator_version_changed AFTER UPDATE OF username, real_name, org_id, sub_org_id, status, deleted_at ON administrator
WHEN (OLD.username, OLD.real_name, OLD.org_id, OLD.sub_org_id, OLD.status, OLD.deleted_at)
  IS NOT (NEW.username, NEW.real_name, NEW.org_id, NEW.sub_org_id, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'administrator'; END;
CREATE TRIGGER agreement_version_added AFTER INSERT ON agreement
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'agreement'; END;
CREATE TRIGGER agreement_version_removed AFTER DELETE ON agreement
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'agreement'; END;
CREATE TRIGGER agreement_version_changed AFTER UPDATE OF code, edition, name, valid_from, valid_to ON agreement
WHEN (OLD.code, OLD.edition, OLD.name, OLD.valid_from, OLD.valid_to)
  IS NOT (NEW.code, NEW.edition, NEW.name, NEW.valid_from, NEW.valid_to)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'agreement'; END;
CREATE TRIGGER channel_version_added AFTER INSERT ON channel
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'channel'; END;
CREATE TRIGGER channel_version_removed AFTER DELETE ON channel
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'channel'; END;
CREATE TRIGGER channel_version_changed AFTER UPDATE OF name, required_fields, owner_admin_id, deleted_at ON channel
WHEN (OLD.name, OLD.required_fields, OLD.owner_admin_id, OLD.deleted_at)
  IS NOT (NEW.name, NEW.required_fields, NEW.owner_admin_id, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'channel'; END;
CREATE TRIGGER chat_group_version_added AFTER INSERT ON chat_group
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_group'; END;
CREATE TRIGGER chat_group_version_removed AFTER DELETE ON chat_group
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_group'; END;
CREATE TRIGGER chat_group_version_changed AFTER UPDATE OF name, sort, status, deleted_at ON chat_group
WHEN (OLD.name, OLD.sort, OLD.status, OLD.deleted_at)
  IS NOT (NEW.name, NEW.sort, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_group'; END;
CREATE TRIGGER chat_wechat_version_added AFTER INSERT ON chat_wechat
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_wechat'; END;
CREATE TRIGGER chat_wechat_version_removed AFTER DELETE ON chat_wechat
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_wechat'; END;
CREATE TRIGGER chat_wechat_version_changed AFTER UPDATE OF name, deleted_at ON chat_wechat
WHEN (OLD.name, OLD.deleted_at)
  IS NOT (NEW.name, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'chat_wechat'; END;
CREATE TRIGGER clue_pool_version_added AFTER INSERT ON clue_pool
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'clue_pool'; END;
CREATE TRIGGER clue_pool_version_removed AFTER DELETE ON clue_pool
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'clue_pool'; END;
CREATE TRIGGER clue_pool_version_changed AFTER UPDATE OF name, org_id, sub_org_ids, sort, status, deleted_at ON clue_pool
WHEN (OLD.name, OLD.org_id, OLD.sub_org_ids, OLD.sort, OLD.status, OLD.deleted_at)
  IS NOT (NEW.name, NEW.org_id, NEW.sub_org_ids, NEW.sort, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'clue_pool'; END;
CREATE TRIGGER dict_item_version_added AFTER INSERT ON dict_item
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_item'; END;
CREATE TRIGGER dict_item_version_removed AFTER DELETE ON dict_item
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_item'; END;
CREATE TRIGGER dict_item_version_changed AFTER UPDATE OF type_id, value, label_zh, label_en, sort, is_default, status ON dict_item
WHEN (OLD.type_id, OLD.value, OLD.label_zh, OLD.label_en, OLD.sort, OLD.is_default, OLD.status)
  IS NOT (NEW.type_id, NEW.value, NEW.label_zh, NEW.label_en, NEW.sort, NEW.is_default, NEW.status)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_item'; END;
CREATE TRIGGER dict_type_version_added AFTER INSERT ON dict_type
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_type'; END;
CREATE TRIGGER dict_type_version_removed AFTER DELETE ON dict_type
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_type'; END;
CREATE TRIGGER dict_type_version_changed AFTER UPDATE OF code ON dict_type
WHEN OLD.code
  IS NOT NEW.code
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'dict_type'; END;
CREATE TRIGGER general_setting_version_added AFTER INSERT ON general_setting
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'general_setting'; END;
CREATE TRIGGER general_setting_version_removed AFTER DELETE ON general_setting
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'general_setting'; END;
CREATE TRIGGER general_setting_version_changed AFTER UPDATE OF value ON general_setting
WHEN OLD.value
  IS NOT NEW.value
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'general_setting'; END;
CREATE TRIGGER organisation_version_added AFTER INSERT ON organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'organisation'; END;
CREATE TRIGGER organisation_version_removed AFTER DELETE ON organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'organisation'; END;
CREATE TRIGGER organisation_version_changed AFTER UPDATE OF name, short_name, owner_admin_id, payee_org_id, status, deleted_at ON organisation
WHEN (OLD.name, OLD.short_name, OLD.owner_admin_id, OLD.payee_org_id, OLD.status, OLD.deleted_at)
  IS NOT (NEW.name, NEW.short_name, NEW.owner_admin_id, NEW.payee_org_id, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'organisation'; END;
CREATE TRIGGER payee_channel_version_added AFTER INSERT ON payee_channel
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_channel'; END;
CREATE TRIGGER payee_channel_version_removed AFTER DELETE ON payee_channel
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_channel'; END;
CREATE TRIGGER payee_channel_version_changed AFTER UPDATE OF name, payee_org_id, sort, status, deleted_at ON payee_channel
WHEN (OLD.name, OLD.payee_org_id, OLD.sort, OLD.status, OLD.deleted_at)
  IS NOT (NEW.name, NEW.payee_org_id, NEW.sort, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_channel'; END;
CREATE TRIGGER payee_organisation_version_added AFTER INSERT ON payee_organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_organisation'; END;
CREATE TRIGGER payee_organisation_version_removed AFTER DELETE ON payee_organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_organisation'; END;
CREATE TRIGGER payee_organisation_version_changed AFTER UPDATE OF name, status, deleted_at ON payee_organisation
WHEN (OLD.name, OLD.status, OLD.deleted_at)
  IS NOT (NEW.name, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'payee_organisation'; END;
CREATE TRIGGER plan_version_added AFTER INSERT ON plan
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'plan'; END;
CREATE TRIGGER plan_version_removed AFTER DELETE ON plan
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'plan'; END;
CREATE TRIGGER plan_version_changed AFTER UPDATE OF name, org_id, sub_org_id, deleted_at ON plan
WHEN (OLD.name, OLD.org_id, OLD.sub_org_id, OLD.deleted_at)
  IS NOT (NEW.name, NEW.org_id, NEW.sub_org_id, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'plan'; END;
CREATE TRIGGER product_version_added AFTER INSERT ON product
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'product'; END;
CREATE TRIGGER product_version_removed AFTER DELETE ON product
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'product'; END;
CREATE TRIGGER product_version_changed AFTER UPDATE OF name, org_id, deleted_at ON product
WHEN (OLD.name, OLD.org_id, OLD.deleted_at)
  IS NOT (NEW.name, NEW.org_id, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'product'; END;
CREATE TRIGGER role_version_added AFTER INSERT ON role
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'role'; END;
CREATE TRIGGER role_version_removed AFTER DELETE ON role
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'role'; END;
CREATE TRIGGER role_version_changed AFTER UPDATE OF sort, status, version, deleted_at ON role
WHEN (OLD.sort, OLD.status, OLD.version, OLD.deleted_at)
  IS NOT (NEW.sort, NEW.status, NEW.version, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'role'; END;
CREATE TRIGGER salesperson_version_added AFTER INSERT ON salesperson
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'salesperson'; END;
CREATE TRIGGER salesperson_version_removed AFTER DELETE ON salesperson
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'salesperson'; END;
CREATE TRIGGER salesperson_version_changed AFTER UPDATE OF org_id, sub_org_id, status, deleted_at ON salesperson
WHEN (OLD.org_id, OLD.sub_org_id, OLD.status, OLD.deleted_at)
  IS NOT (NEW.org_id, NEW.sub_org_id, NEW.status, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'salesperson'; END;
CREATE TRIGGER sub_organisation_version_added AFTER INSERT ON sub_organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'sub_organisation'; END;
CREATE TRIGGER sub_organisation_version_removed AFTER DELETE ON sub_organisation
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'sub_organisation'; END;
CREATE TRIGGER sub_organisation_version_changed AFTER UPDATE OF name, org_id, sort, deleted_at ON sub_organisation
WHEN (OLD.name, OLD.org_id, OLD.sort, OLD.deleted_at)
  IS NOT (NEW.name, NEW.org_id, NEW.sort, NEW.deleted_at)
BEGIN UPDATE table_version SET version = version + 1 WHERE name = 'sub_organisation'; END;
-- @end

-- The triggers run at the commit: a transaction holds the lock and the rows until its commit is written, with the answer of a standby
-- where the server waits for one. So others wait no longer than the commits before theirs take, and no two wait for each other. A
-- transaction raises a number once, however many rows it changes: a row of table_version that it has written itself is left as it is.
-- The tables are locked together or not at all: waiting for one of them with the others locked would hold up sign-ins.
-- @postgres
LOCK TABLE administrator, agreement, channel, chat_group, chat_wechat, clue_pool, dict_item, dict_type, general_setting, organisation,
  payee_channel, payee_organisation, plan, product, role, salesperson, sub_organisation IN SHARE ROW EXCLUSIVE MODE NOWAIT;
CREATE FUNCTION raise_table_version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('table_version', 0));
  UPDATE table_version SET version = version + 1 WHERE name = TG_TABLE_NAME AND xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER administrator_version_rows AFTER INSERT OR DELETE ON administrator
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER administrator_version_changed AFTER UPDATE OF username, real_name, org_id, sub_org_id, status, deleted_at ON administrator
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.username, OLD.real_name, OLD.org_id, OLD.sub_org_id, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.username, NEW.real_name, NEW.org_id, NEW.sub_org_id, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER agreement_version_rows AFTER INSERT OR DELETE ON agreement
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER agreement_version_changed AFTER UPDATE OF code, edition, name, valid_from, valid_to ON agreement
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.code, OLD.edition, OLD.name, OLD.valid_from, OLD.valid_to)
    IS DISTINCT FROM (NEW.code, NEW.edition, NEW.name, NEW.valid_from, NEW.valid_to))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER channel_version_rows AFTER INSERT OR DELETE ON channel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER channel_version_changed AFTER UPDATE OF name, required_fields, owner_admin_id, deleted_at ON channel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.required_fields, OLD.owner_admin_id, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.required_fields, NEW.owner_admin_id, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER chat_group_version_rows AFTER INSERT OR DELETE ON chat_group
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER chat_group_version_changed AFTER UPDATE OF name, sort, status, deleted_at ON chat_group
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.sort, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.sort, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER chat_wechat_version_rows AFTER INSERT OR DELETE ON chat_wechat
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER chat_wechat_version_changed AFTER UPDATE OF name, deleted_at ON chat_wechat
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER clue_pool_version_rows AFTER INSERT OR DELETE ON clue_pool
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER clue_pool_version_changed AFTER UPDATE OF name, org_id, sub_org_ids, sort, status, deleted_at ON clue_pool
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.org_id, OLD.sub_org_ids, OLD.sort, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.org_id, NEW.sub_org_ids, NEW.sort, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER dict_item_version_rows AFTER INSERT OR DELETE ON dict_item
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER dict_item_version_changed AFTER UPDATE OF type_id, value, label_zh, label_en, sort, is_default, status ON dict_item
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.type_id, OLD.value, OLD.label_zh, OLD.label_en, OLD.sort, OLD.is_default, OLD.status)
    IS DISTINCT FROM (NEW.type_id, NEW.value, NEW.label_zh, NEW.label_en, NEW.sort, NEW.is_default, NEW.status))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER dict_type_version_rows AFTER INSERT OR DELETE ON dict_type
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER dict_type_version_changed AFTER UPDATE OF code ON dict_type
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.code
    IS DISTINCT FROM NEW.code)
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER general_setting_version_rows AFTER INSERT OR DELETE ON general_setting
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER general_setting_version_changed AFTER UPDATE OF value ON general_setting
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.value
    IS DISTINCT FROM NEW.value)
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER organisation_version_rows AFTER INSERT OR DELETE ON organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER organisation_version_changed AFTER UPDATE OF name, short_name, owner_admin_id, payee_org_id, status, deleted_at ON organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.short_name, OLD.owner_admin_id, OLD.payee_org_id, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.short_name, NEW.owner_admin_id, NEW.payee_org_id, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER payee_channel_version_rows AFTER INSERT OR DELETE ON payee_channel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER payee_channel_version_changed AFTER UPDATE OF name, payee_org_id, sort, status, deleted_at ON payee_channel
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.payee_org_id, OLD.sort, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.payee_org_id, NEW.sort, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER payee_organisation_version_rows AFTER INSERT OR DELETE ON payee_organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER payee_organisation_version_changed AFTER UPDATE OF name, status, deleted_at ON payee_organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER plan_version_rows AFTER INSERT OR DELETE ON plan
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER plan_version_changed AFTER UPDATE OF name, org_id, sub_org_id, deleted_at ON plan
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.org_id, OLD.sub_org_id, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.org_id, NEW.sub_org_id, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER product_version_rows AFTER INSERT OR DELETE ON product
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER product_version_changed AFTER UPDATE OF name, org_id, deleted_at ON product
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.org_id, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.org_id, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER role_version_rows AFTER INSERT OR DELETE ON role
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER role_version_changed AFTER UPDATE OF sort, status, version, deleted_at ON role
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.sort, OLD.status, OLD.version, OLD.deleted_at)
    IS DISTINCT FROM (NEW.sort, NEW.status, NEW.version, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER salesperson_version_rows AFTER INSERT OR DELETE ON salesperson
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER salesperson_version_changed AFTER UPDATE OF org_id, sub_org_id, status, deleted_at ON salesperson
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.org_id, OLD.sub_org_id, OLD.status, OLD.deleted_at)
    IS DISTINCT FROM (NEW.org_id, NEW.sub_org_id, NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER sub_organisation_version_rows AFTER INSERT OR DELETE ON sub_organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION raise_table_version();
CREATE CONSTRAINT TRIGGER sub_organisation_version_changed AFTER UPDATE OF name, org_id, sort, deleted_at ON sub_organisation
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.org_id, OLD.sort, OLD.deleted_at)
    IS DISTINCT FROM (NEW.name, NEW.org_id, NEW.sort, NEW.deleted_at))
  EXECUTE FUNCTION raise_table_version();
-- @end
