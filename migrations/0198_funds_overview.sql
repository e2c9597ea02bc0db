-- The page shows what accounts hold, not payments. Titles that staff have changed stay.
UPDATE menu_node SET title_en = 'Funds overview' WHERE name = 'financeOverview' AND title_en = 'Payments overview';
