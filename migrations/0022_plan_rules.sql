-- The built-in rules hold for plans as well, where nobody has changed whom they are for.
UPDATE compliance_rule SET target_types = '["organisation","plan","product"]'
  WHERE builtin = 1 AND code IN ('licence_number', 'licence_valid') AND target_types = '["organisation","product"]';
UPDATE compliance_rule SET target_types = '["channel","plan","product","script","consent"]'
  WHERE builtin = 1 AND code = 'forbidden_words' AND target_types = '["channel","product","script","consent"]';
