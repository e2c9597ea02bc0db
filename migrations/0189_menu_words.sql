-- English titles of the menu and of permissions, in the words that the pages have now: start-up leaves stored titles as they
-- are. Titles that staff have changed stay.
UPDATE menu_node SET title_en = 'Agents' WHERE name = 'chatManage' AND title_en = 'Service staff';
UPDATE menu_node SET title_en = 'Agent' WHERE name = 'chatManageDetail' AND title_en = 'Member of the staff';
UPDATE menu_node SET title_en = 'Leads' WHERE name = 'crmClue' AND title_en = 'Clues';
UPDATE menu_node SET title_en = 'Lead' WHERE name = 'crmClueDetail' AND title_en = 'Clue';
UPDATE menu_node SET title_en = 'Payments' WHERE name IN ('crmMoney', 'crm/clue/money') AND title_en = 'Money';
UPDATE menu_node SET title_en = 'Review payments' WHERE name = 'crm/clue/moneyAudit' AND title_en = 'Review money';
UPDATE menu_node SET title_en = 'Daily payments' WHERE name = 'crmMoneyDays' AND title_en = 'Money by day';
UPDATE menu_node SET title_en = 'Payment' WHERE name = 'crmMoneyDetail' AND title_en = 'Record of money';
UPDATE menu_node SET title_en = 'My day' WHERE name = 'crmCenter' AND title_en = 'Personal centre';
UPDATE menu_node SET title_en = 'Request' WHERE name IN ('finance/recharge/create', 'finance/invoice/create') AND title_en = 'Apply';
UPDATE menu_node SET title_en = 'Deliveries' WHERE name = 'planPushList' AND title_en = 'Push list';
UPDATE menu_node SET title_en = 'Cancel deliveries' WHERE name = 'plan/push-list/cancel' AND title_en = 'Cancel pushes';
UPDATE menu_node SET title_en = 'Deliver again' WHERE name = 'plan/push-list/again' AND title_en = 'Push again';
