-- By anything but the moment they came, only the newest matches of these lists are sorted: what a
-- filter finds is in the order of that moment, and no index is walked in any other.
DROP INDEX applicant_updated;
DROP INDEX applicant_amount;
DROP INDEX applicant_age;
DROP INDEX push_record_price;
DROP INDEX feedback_loan;

-- Two filters together are answered by the index of the narrower one alone: it holds the others.
DROP INDEX applicant_channel;
CREATE INDEX applicant_channel ON applicant (channel_id, created_at, id, status, city, product_id);
DROP INDEX applicant_product;
CREATE INDEX applicant_product ON applicant (product_id, created_at, id, status, city, channel_id);
DROP INDEX applicant_city;
CREATE INDEX applicant_city ON applicant (city, created_at, id, status, channel_id, product_id);

DROP INDEX match_channel;
CREATE INDEX match_channel ON match_record (channel_id, created_at, id, status, direction, org_id, plan_id);
DROP INDEX match_org;
CREATE INDEX match_org ON match_record (org_id, created_at, id, status, direction, channel_id, plan_id);
DROP INDEX match_plan;
CREATE INDEX match_plan ON match_record (plan_id, created_at, id, status, direction, channel_id, org_id);

DROP INDEX push_record_org;
CREATE INDEX push_record_org ON push_record (org_id, created_at, id, status, plan_id, channel_id, product_id);
DROP INDEX push_record_plan;
CREATE INDEX push_record_plan ON push_record (plan_id, created_at, id, status, org_id, channel_id, product_id);
DROP INDEX push_record_channel;
CREATE INDEX push_record_channel ON push_record (channel_id, created_at, id, status, org_id, plan_id, product_id);
DROP INDEX push_record_product;
CREATE INDEX push_record_product ON push_record (product_id, created_at, id, status, org_id, plan_id, channel_id);

-- Most rows have none of these.
DROP INDEX applicant_star;
CREATE INDEX applicant_star ON applicant (star, created_at, id) WHERE star IS NOT NULL;
DROP INDEX push_record_sub_org;
CREATE INDEX push_record_sub_org ON push_record (sub_org_id, created_at, id, status) WHERE sub_org_id IS NOT NULL;
DROP INDEX push_record_return;
CREATE INDEX push_record_return ON push_record (return_status, created_at, id) WHERE return_status IS NOT NULL;
