-- Applications of visitors whose exposures are not marked yet.
CREATE TABLE visitor_application (
  id {{id}},
  -- As in plan_exposure.
  visitor_key TEXT NOT NULL,
  applied_at BIGINT NOT NULL
);
