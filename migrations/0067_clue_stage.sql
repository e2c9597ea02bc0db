-- @alone
-- Clues of an organisation by stage, with all that most filters and sorts ask for: the rows are not read for them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS clue_stage ON clue (org_id, stage, created_at, id, sub_org_id, owner_id, pool_id, plan_id, channel_id, level, star, escalation,
  next_follow_at, last_follow_at, assigned_at, follow_count, visited_at, signed_at);
