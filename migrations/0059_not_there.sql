-- What people found out of a lead in doubt is told to the platform's people alone: its organisation reads only that it is not there.
UPDATE push_record SET reject_reason = 'not_there' WHERE reject_code = 'not_there' AND reject_reason <> '***';
