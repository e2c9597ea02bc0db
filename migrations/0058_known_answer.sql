-- Which answer of an organisation says that it knows the person already, in its own words.
ALTER TABLE org_api_config ADD COLUMN known_expr TEXT NOT NULL DEFAULT '';
