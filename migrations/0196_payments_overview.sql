-- The English title of the menu in the words that the page has now, unless staff have changed it.
UPDATE menu_node SET title_en = 'Payments overview' WHERE name = 'financeOverview' AND title_en = 'Money overview';
