-- Leads that nobody has seen yet. A row is here as long as its lead is unseen, so the table stays
-- small however many leads there have been, and counting within a scope reads one short index.
CREATE TABLE new_lead (
  id {{id}},
  clue_id BIGINT UNIQUE,
  org_id BIGINT NOT NULL REFERENCES organisation (id),
  sub_org_id BIGINT REFERENCES sub_organisation (id),
  -- The salesperson's account; none while the lead is in a pool.
  owner_admin_id BIGINT REFERENCES administrator (id),
  arrived_at BIGINT NOT NULL
);
CREATE INDEX new_lead_org ON new_lead (org_id);
CREATE INDEX new_lead_sub_org ON new_lead (sub_org_id);
CREATE INDEX new_lead_owner ON new_lead (owner_admin_id);
