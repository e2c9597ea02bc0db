-- Rounds are questions of nobody: a channel's are those of which no applicant has come yet.
UPDATE match_record SET direction = 'round' WHERE direction = 'inbound' AND user_id IS NOT NULL;
