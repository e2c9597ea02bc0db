-- Nothing reads these: tables whose rows live elsewhere since migrations 61 and 113, a moment that is always empty, a number that was
-- never written, a constant, a constant, a duration.
DROP TABLE outbox;
DROP TABLE clue_reveal;
DROP INDEX feedback_due;
ALTER TABLE feedback DROP COLUMN callback_due_at;
ALTER TABLE match_record DROP COLUMN upstream_no;
ALTER TABLE consent_record DROP COLUMN scene;
ALTER TABLE compliance_check DROP COLUMN source;
ALTER TABLE risk_report DROP COLUMN took_ms;

-- Programs of before would write them.
UPDATE schema_fence SET least = 129 WHERE id = 1 AND least < 129;
