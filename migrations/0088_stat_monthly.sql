-- The daily figures added up by month (YYYY-MM), so that long ranges read few rows. Written together with the days.
CREATE TABLE uv_stat_monthly (
  id {{id}},
  month TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  system TEXT NOT NULL,
  org_id BIGINT NOT NULL,
  pv BIGINT NOT NULL,
  uv BIGINT NOT NULL,
  test_pv BIGINT NOT NULL,
  test_uv BIGINT NOT NULL,
  exposure_pv BIGINT NOT NULL,
  exposure_uv BIGINT NOT NULL,
  cost_cents BIGINT NOT NULL,
  income_cents BIGINT NOT NULL,
  registered BIGINT NOT NULL,
  applied BIGINT NOT NULL,
  matched BIGINT NOT NULL,
  sold BIGINT NOT NULL,
  returned BIGINT NOT NULL,
  pushed BIGINT NOT NULL,
  duplicates BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  refund_cents BIGINT NOT NULL,
  charged_cents BIGINT NOT NULL,
  decided BIGINT NOT NULL,
  decided_refund_cents BIGINT NOT NULL,
  decided_charged_cents BIGINT NOT NULL,
  stars_0 BIGINT NOT NULL,
  stars_1 BIGINT NOT NULL,
  stars_2 BIGINT NOT NULL,
  stars_3 BIGINT NOT NULL,
  contacted BIGINT NOT NULL,
  visited BIGINT NOT NULL,
  signed BIGINT NOT NULL,
  disbursed BIGINT NOT NULL,
  money_cents BIGINT NOT NULL,
  computed_at BIGINT NOT NULL
);
INSERT INTO uv_stat_monthly (month, subject_type, subject_id, channel_id, system, org_id, pv, uv, test_pv, test_uv, exposure_pv, exposure_uv, cost_cents, income_cents, registered, applied, matched, sold, returned, pushed, duplicates, failed, refused, refund_cents, charged_cents, decided, decided_refund_cents, decided_charged_cents, stars_0, stars_1, stars_2, stars_3, contacted, visited, signed, disbursed, money_cents, computed_at)
  SELECT SUBSTR(day, 1, 7), subject_type, subject_id, channel_id, system, MAX(org_id), SUM(pv), SUM(uv), SUM(test_pv), SUM(test_uv), SUM(exposure_pv), SUM(exposure_uv), SUM(cost_cents), SUM(income_cents), SUM(registered), SUM(applied), SUM(matched), SUM(sold), SUM(returned), SUM(pushed), SUM(duplicates), SUM(failed), SUM(refused), SUM(refund_cents), SUM(charged_cents), SUM(decided), SUM(decided_refund_cents), SUM(decided_charged_cents), SUM(stars_0), SUM(stars_1), SUM(stars_2), SUM(stars_3), SUM(contacted), SUM(visited), SUM(signed), SUM(disbursed), SUM(money_cents), MAX(computed_at)
  FROM uv_stat_daily GROUP BY SUBSTR(day, 1, 7), subject_type, subject_id, channel_id, system;
CREATE UNIQUE INDEX uv_stat_month_once ON uv_stat_monthly (month, subject_type, subject_id, channel_id, system);
CREATE INDEX uv_stat_month_parts ON uv_stat_monthly (subject_type, channel_id, system, month);
CREATE INDEX uv_stat_month_subject ON uv_stat_monthly (subject_type, subject_id, channel_id, system, month);

CREATE TABLE star_stat_monthly (
  id {{id}},
  month TEXT NOT NULL,
  star BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  org_id BIGINT NOT NULL,
  cost_cents BIGINT NOT NULL,
  income_cents BIGINT NOT NULL,
  registered BIGINT NOT NULL,
  applied BIGINT NOT NULL,
  matched BIGINT NOT NULL,
  sold BIGINT NOT NULL,
  returned BIGINT NOT NULL,
  pushed BIGINT NOT NULL,
  duplicates BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  refund_cents BIGINT NOT NULL,
  charged_cents BIGINT NOT NULL,
  decided BIGINT NOT NULL,
  decided_refund_cents BIGINT NOT NULL,
  decided_charged_cents BIGINT NOT NULL,
  stars_0 BIGINT NOT NULL,
  stars_1 BIGINT NOT NULL,
  stars_2 BIGINT NOT NULL,
  stars_3 BIGINT NOT NULL,
  contacted BIGINT NOT NULL,
  visited BIGINT NOT NULL,
  signed BIGINT NOT NULL,
  disbursed BIGINT NOT NULL,
  money_cents BIGINT NOT NULL,
  computed_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX star_stat_month_once ON star_stat_monthly (month, star, channel_id, org_id);
CREATE INDEX star_stat_month_parts ON star_stat_monthly (channel_id, org_id, month);
CREATE INDEX star_stat_month_org ON star_stat_monthly (org_id, channel_id, month);
