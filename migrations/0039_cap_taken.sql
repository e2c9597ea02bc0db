-- What each push took under each cap, so that exactly that is given back, once.
CREATE TABLE cap_taken (
  push_id BIGINT NOT NULL,
  rule_id BIGINT NOT NULL,
  -- Of the counter that it counts for.
  window_start BIGINT NOT NULL,
  count BIGINT NOT NULL,
  cents BIGINT NOT NULL,
  PRIMARY KEY (push_id, rule_id)
);
CREATE INDEX cap_taken_window ON cap_taken (rule_id, window_start);

-- Of the caps of plans and teams, the windows that are over count for nothing any more.
DELETE FROM cap_counter WHERE rule_id IN (SELECT id FROM cap_rule WHERE subject_type IN ('plan', 'sub_org'))
  AND EXISTS (SELECT 1 FROM cap_counter n WHERE n.rule_id = cap_counter.rule_id AND n.window_start > cap_counter.window_start);
-- In those that are left counts what was sold in them, whenever the cap was made. A month has at most 31 days:
-- had it been over, the next sale would have begun another.
INSERT INTO cap_taken (push_id, rule_id, window_start, count, cents)
SELECT h.id, c.rule_id, c.window_start, 1, h.price_cents FROM cap_counter c JOIN cap_rule k ON k.id = c.rule_id
  JOIN push_record h ON h.plan_id = k.subject_id AND h.created_at >= c.window_start AND (k."window" = 'total' OR h.created_at < c.window_start
    + CASE k."window" WHEN 'hour' THEN 3600000 WHEN 'day' THEN 86400000 WHEN 'week' THEN 604800000 ELSE 2678400000 END)
  WHERE k.subject_type = 'plan' AND h.status NOT IN ('rejected', 'duplicate', 'failed', 'returned', 'cancelled');
INSERT INTO cap_taken (push_id, rule_id, window_start, count, cents)
SELECT h.id, c.rule_id, c.window_start, 1, h.price_cents FROM cap_counter c JOIN cap_rule k ON k.id = c.rule_id
  JOIN push_record h ON h.sub_org_id = k.subject_id AND h.created_at >= c.window_start AND (k."window" = 'total' OR h.created_at < c.window_start
    + CASE k."window" WHEN 'hour' THEN 3600000 WHEN 'day' THEN 86400000 WHEN 'week' THEN 604800000 ELSE 2678400000 END)
  WHERE k.subject_type = 'sub_org' AND h.status NOT IN ('rejected', 'duplicate', 'failed', 'returned', 'cancelled');
UPDATE cap_counter SET
  used_count = COALESCE((SELECT CAST(SUM(t.count) AS BIGINT) FROM cap_taken t
    WHERE t.rule_id = cap_counter.rule_id AND t.window_start = cap_counter.window_start), 0),
  used_cents = COALESCE((SELECT CAST(SUM(t.cents) AS BIGINT) FROM cap_taken t
    WHERE t.rule_id = cap_counter.rule_id AND t.window_start = cap_counter.window_start), 0)
  WHERE rule_id IN (SELECT id FROM cap_rule WHERE subject_type IN ('plan', 'sub_org'));

-- What a program of before sells takes room of which nothing is kept, and its return gives nothing back: none
-- of them sells any more.
UPDATE schema_fence SET least = 39 WHERE least < 39;
