-- What channels do not get after all: the return that says so, and what it takes back of what they got
-- for the applicant.
ALTER TABLE lead_cost ADD COLUMN charged_push_id BIGINT REFERENCES push_record (id);
ALTER TABLE lead_cost ADD COLUMN charged_cents BIGINT NOT NULL DEFAULT 0;
INSERT INTO lead_cost (user_id, push_id, cost_cents, charged_push_id, charged_cents)
  SELECT h.user_id, h.id, 0, h.id, u.channel_cost_cents FROM lead_return r JOIN push_record h ON h.id = r.push_id
    JOIN applicant u ON u.id = h.user_id
  WHERE r.status = 'approved' AND r.charge_channel = 1
  ORDER BY r.reviewed_at
  ON CONFLICT (user_id) DO UPDATE SET charged_push_id = excluded.charged_push_id, charged_cents = excluded.charged_cents + lead_cost.cost_cents
    WHERE lead_cost.charged_push_id IS NULL;
